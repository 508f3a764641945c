"""Compares the titles that `held.layout.title` finds with declared titles, and lists them for review.

    python -m research.titles.run FOLDER ... [--half development] [--pages 12] [-o RESULT.json]

FOLDER holds PDFs, or documents of the corpus (`*.json.xz`), which declare no title. Each line is a document:
whether the title stands on the pages as objects of its own, the title, and the declared one. The halves are
drawn by the names of the files, so that a document never changes sides. The result keeps no words of the
documents: whether a title was found, whether it is printed, and how far it agrees with the declared one.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from research.arguments import make_parser

from held.corpus.sources import read_corpus_document
from held.document import Metadata, Pages
from held.errors import HeldError
from held.layout.recognise import recognise
from held.layout.title import agreement_of, is_plausible_title, title_objects
from held.reading.read_pdf import read_pdf

MIN_AGREEMENT = 0.8  # F1 of words between the title that was found and the declared one
DEVELOPMENT, HELD_OUT = "development", "held-out"


def half_of(name: str) -> str:
    """The half that a document belongs to, by its file name."""
    digest = hashlib.sha1(name.encode()).hexdigest()
    return HELD_OUT if int(digest, 16) % 2 else DEVELOPMENT


def documents(folders: list[Path], half: str | None) -> Iterator[Path]:
    """The documents in folders, those of one half or all."""
    for folder in folders:
        for path in sorted([*folder.glob("*.pdf"), *folder.glob("*.json.xz")]):
            if half is None or half_of(path.name) == half:
                yield path


def first_pages(path: Path, count: int) -> Pages:
    """The first pages of a document: running heads need some of them."""
    pages = read_pdf(path, jobs=1) if path.suffix == ".pdf" else read_corpus_document(path)
    return replace(pages, pages=pages.pages[:count])


def main() -> None:
    parser = make_parser(__doc__)
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--half", choices=[DEVELOPMENT, HELD_OUT])
    parser.add_argument("--pages", type=int, default=12)
    parser.add_argument("-o", "--output", type=Path, help="the result as JSON")
    options = parser.parse_args()
    judged = right = found = total = 0
    results: dict[str, dict[str, object]] = {}
    for path in documents(options.folders, options.half):
        try:
            pages = first_pages(path, options.pages)
        except HeldError as error:
            print(f"{path.name}\tunreadable: {error}")
            continue
        declared: Metadata = pages.metadata
        document = recognise(pages)
        title = document.metadata.title
        total += 1
        found += bool(title)
        is_printed = bool(title_objects(document.objects, title))
        agreement = None
        if is_plausible_title(declared.title):
            agreement = round(agreement_of(title, declared.title), 3)
            judged += 1
            right += agreement >= MIN_AGREEMENT
        results[path.name] = {"found": bool(title), "printed": is_printed, "agreement": agreement}
        print(path.name, "printed" if is_printed else "-", title, declared.title, sep="\t")
    print(f"{total} documents, {found} with a title; of {judged} with a declared title {right} agree with it")

    if options.output:
        totals = {"documents": total, "found": found, "declared": judged, "agree": right}
        result = {"pages": options.pages, "totals": totals, "documents": results}
        options.output.write_text(json.dumps(result, indent=1) + "\n")


if __name__ == "__main__":
    main()
