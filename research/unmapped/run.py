"""Counts the characters that read as U+FFFD in the originals of the corpus, and their fonts.

python -m research.unmapped.run --corpus $HELD_CORPUS --first 20
"""

from __future__ import annotations

import argparse
import json
import os
import re
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from held.document import Pages
from held.reading.read_pdf import read_pdf

UNKNOWN = "\ufffd"
PRIVATE = re.compile("[\ue000-\uf8ff\U000f0000-\U0010fffd]")
COUNTED = ("documents", "pages", "characters", "unknown", "private")
SUBSET = re.compile(r"^[A-Z]{6}\+")  # ISO 32000-1, 9.6.4: the tag before the name of a font's subset


def main(arguments: Sequence[str] | None = None) -> int:
    """Exit code of the command."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    corpus = os.environ.get("HELD_CORPUS")
    parser.add_argument("--corpus", type=Path, default=corpus, required=corpus is None)
    parser.add_argument("--first", type=int, metavar="N", help="only the first N pages of each")
    parser.add_argument("-o", "--output", type=Path, metavar="FILE")
    options = parser.parse_args(arguments)
    counted: dict[str, Any] = {"first pages": options.first, "domains": {}, "documents": {}, "fonts": {}}
    for domain, path, page_count in originals(options.corpus):
        last = min(page_count, options.first or page_count)
        add(counted, domain, path.stem, read_pdf(path, pages=range(1, last + 1), jobs=0))
    for counts in counted["domains"].values():
        counts["share unknown"] = round(counts["unknown"] / max(1, counts["characters"]), 7)
    written = json.dumps(counted, indent=1, sort_keys=True)
    print(written)
    if options.output:
        options.output.write_text(written + "\n", encoding="utf-8")
    return 0


def originals(corpus: Path) -> Iterator[tuple[str, Path, int]]:
    """The train and valid documents whose original is there: domain, path and how many pages."""
    with (corpus / "index.jsonl").open(encoding="utf-8") as lines:
        for row in map(json.loads, lines):
            path = corpus / "pdfs" / f"{row['id']}.pdf"
            if row["split"] in ("train", "valid") and path.exists():
                yield row["domain"], path, int(row["n_pages"])


def add(counted: dict[str, Any], domain: str, name: str, pages: Pages) -> None:
    """Add a document's counts to those of its domain, and to the fonts of its unknown characters."""
    counts: Counter[str] = Counter(documents=1, pages=len(pages.pages))
    fonts: Counter[str] = Counter()
    for run in (run for page in pages.pages for run in page.runs):
        unknown = run.text.count(UNKNOWN)
        counts.update(characters=len(run.text), unknown=unknown, private=len(PRIVATE.findall(run.text)))
        if unknown:
            fonts[SUBSET.sub("", pages.styles[run.style].font)] += unknown
    of_domain = Counter(counted["domains"].get(domain, {})) + counts
    counted["domains"][domain] = {name: of_domain[name] for name in COUNTED}
    if counts["unknown"]:
        counted["documents"][name] = counts["unknown"]
        counted["fonts"] = dict(sorted((Counter(counted["fonts"]) + fonts).items()))


if __name__ == "__main__":
    sys.exit(main())
