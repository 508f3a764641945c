"""Writes the pages that scans were made from, as the corpus has them: NAME.digital.json beside NAME.pdf."""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from held.corpus.sources import CORPUS_SUFFIX, read_corpus_document
from held.document_json import pages_to_json
from held.system.json_values import encode_json


def main(arguments: Sequence[str]) -> int:
    """Exit code of the command."""
    parser = argparse.ArgumentParser(prog="research.scans digital", description=__doc__)
    parser.add_argument("scans", type=Path, metavar="FOLDER", help="scans with index.jsonl")
    parser.add_argument("-o", "--output", type=Path, required=True, metavar="FOLDER")
    parser.add_argument("--documents", type=Path, required=True, help="folder `docs` of the corpus")
    options = parser.parse_args(arguments)
    options.output.mkdir(parents=True, exist_ok=True)
    for line in (options.scans / "index.jsonl").read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        for file in options.scans.glob(f"{row['id']}.*"):
            link = options.output / file.name
            link.unlink(missing_ok=True)
            link.symlink_to(file.resolve())
        original = options.documents / f"{Path(row['from']).name.removesuffix('.pdf')}{CORPUS_SUFFIX}"
        if original.exists():
            _write_pages(original, row["pages"], options.output / f"{row['id']}.digital.json")
    return 0


def _write_pages(original: Path, numbers: Sequence[int], target: Path) -> None:
    """Write a range of pages, which become the pages from 1, without the outline."""
    first, last = numbers
    pages = read_corpus_document(original)
    cut = replace(pages, pages=pages.pages[first - 1 : last], outline=())
    target.write_bytes(encode_json(pages_to_json(cut)))
