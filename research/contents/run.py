"""Counts the printed contents lists that the recogniser finds, on train and valid documents of a corpus.

    python -m research.contents.run CORPUS -o research/contents/result.json

A document counts if it prints a list that names at least half of its headings of levels 1 and 2; its list is
found if four fifths of what it prints are contents entries. Families are those of the index' `kind`.
"""

from __future__ import annotations

import json
import sys
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from research.arguments import make_parser
from research.commit import short_commit
from research.contents.measure import Coverage, coverage
from research.result_file import result_text, write_result

from held.corpus.sources import read_corpus_document

FAMILIES = ("books", "reports", "made:law", "made:book")


def main(arguments: Sequence[str] | None = None) -> int:
    """Exit code of the command."""
    parser = make_parser(__doc__, prog="research.contents")
    parser.add_argument("corpus", type=Path, help="folder with index.jsonl and docs")
    parser.add_argument("-o", "--output", type=Path, required=True, help="where the counts go, as JSON")
    options = parser.parse_args(arguments)
    found: dict[str, list[Coverage]] = defaultdict(list)
    for family, name in _documents(options.corpus):
        found[family].append(coverage(read_corpus_document(options.corpus / "docs" / f"{name}.json.xz")))
        print(f"\r{sum(map(len, found.values()))} documents", end="", file=sys.stderr, flush=True)
    results = {"families": {family: counts(of) for family, of in found.items()}, "commit": short_commit()}
    write_result(options.output, results)
    print(result_text(results))
    return 0


def counts(documents: Sequence[Coverage]) -> dict[str, int]:
    """How many documents print a list, and how many of the lists and of their entries are found."""
    printing = [document for document in documents if document.prints_most]
    return {
        "documents": len(documents),
        "print a list": len(printing),
        "lists found": sum(document.is_covered for document in printing),
        "entries printed": sum(document.printed for document in printing),
        "entries found": sum(document.found for document in printing),
    }


def _documents(corpus: Path) -> Iterator[tuple[str, str]]:
    """The family and the id of each document that is looked at."""
    for line in (corpus / "index.jsonl").read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        family = _family(row)
        if family in FAMILIES and row["split"] != "test":
            yield family, row["id"]


def _family(row: Mapping[str, Any]) -> str:
    return str(row["kind"]) if row["domain"] == "made" else str(row["domain"])


if __name__ == "__main__":
    raise SystemExit(main())
