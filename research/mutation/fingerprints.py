"""Hashes what the layout makes of real documents, to compare two states of the source.

    HELD_CORPUS=DIR python -m research.mutation.fingerprints -o before.json
    HELD_CORPUS=DIR python -m research.mutation.fingerprints -o after.json --compare before.json

The mutants of `research.mutation` only move a threshold. Whether its branch can go is another question:
delete the branch, run this, and look at the documents that it names.
"""

from __future__ import annotations

import argparse
import json
import os
from multiprocessing import Pool
from pathlib import Path

from research.mutation.__main__ import sample_documents
from research.mutation.mutants import fingerprint


def main() -> None:
    """Writes a hash for each document, and prints the documents whose hash is another than before."""
    parser = argparse.ArgumentParser(prog="research.mutation.fingerprints")
    parser.add_argument("-o", "--output", type=Path, required=True)
    parser.add_argument("--compare", type=Path, help="hashes of an earlier state")
    parser.add_argument("--corpus", type=Path, default=os.environ.get("HELD_CORPUS"))
    parser.add_argument("--documents", type=int, default=500)
    parser.add_argument("--pages", type=int, default=60, help="the longest document to take")
    parser.add_argument("--jobs", type=int, default=2)
    arguments = parser.parse_args()
    if arguments.corpus is None:
        parser.error("give --corpus, or set HELD_CORPUS")
    documents = sample_documents(Path(arguments.corpus), arguments.documents, arguments.pages)
    with Pool(arguments.jobs) as pool:
        hashes = pool.map(fingerprint, documents.values(), chunksize=1)
    found = dict(zip(documents, hashes, strict=True))
    arguments.output.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    if arguments.compare:
        before = json.loads(arguments.compare.read_text("utf-8"))
        changed = [name for name, content in found.items() if before[name] != content]
        print(f"{len(changed)} of {len(found)} documents changed: {', '.join(changed)}")


if __name__ == "__main__":
    main()
