"""Found tables judged against known ones: are wrong ones marked as doubtful, and right ones not?

    python -m research.tables.judged PDFS … --made MADE [--half A] -o research/tables/doubt.json

PDFS are folders with the true cells beside each PDF, MADE keeps our own printed tables. A found table is
compared with the true table that it shares most with. It is right if all relations between neighbouring cells
are the same (F1 = 1), and wrong otherwise; a found table that is none has F1 = 0.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from research.result_file import result_text, write_result
from research.tables.adjacency import (
    Placed,
    Relations,
    f1_of,
    found_tables,
    half_of,
    precision_and_recall,
    relations_of,
    true_tables,
)
from research.tables.made.run import print_style
from research.tables.made.styles import STYLES, made_tables, true_cells

from held.document import Document, Kind, Pages, PhysicalObject
from held.layout.recognise import recognise
from held.layout.rotated_text import apply_rotation
from held.reading.read_pdf import read_pdf

RIGHT = 1 - 1e-9  # F1 of a table with all relations right
NEARLY_RIGHT = 0.9


class KnownDocument(NamedTuple):
    """A document whose tables are known; `half` is A for development, B for final runs."""

    name: str
    collection: str
    half: str
    path: Path
    tables: list[list[Placed]]


class JudgedTable(NamedTuple):
    """A found table, and F1 of its relations against those of the true table that it shares most with."""

    table: PhysicalObject
    f1: float


def known_documents(folders: Sequence[Path], made: Path) -> Iterator[KnownDocument]:
    """The PDFs of folders with the true cells beside them, and the tables of our own."""
    for folder in folders:
        for path in sorted(folder.rglob("*.pdf")):
            truth = path.with_name(path.stem + "-str.xml")
            if truth.exists():
                yield KnownDocument(path.stem, "icdar", half_of(path), path, true_tables(truth))
    for style in STYLES:
        tables = [true_cells(table.content) for table in made_tables(style)]
        half = half_of(Path(style.name))
        yield KnownDocument(style.name, "made", half, print_style(style, made), tables)


def read_document(path: Path) -> tuple[Pages, Document]:
    """The pages of a PDF, upright, and the objects on them."""
    pages = apply_rotation(read_pdf(path, jobs=0))
    return pages, recognise(pages)


def judge_tables(document: Document, true: Sequence[Sequence[Placed]]) -> list[JudgedTable]:
    """Each found table with its F1."""
    items = [item for item in document.objects if item.kind is Kind.TABLE]
    found = [relations_of([cells]) for cells in found_tables(document)]
    expected = [relations_of([cells]) for cells in true]
    return [
        JudgedTable(*pair) for pair in zip(items, (_best_f1(one, expected) for one in found), strict=True)
    ]


def _best_f1(relations: Relations, expected: Sequence[Relations]) -> float:
    return max((f1_of(*precision_and_recall(true, relations)) for true in expected), default=0.0)


# --- The command ---


def main(arguments: Sequence[str] | None = None) -> int:
    """Exit code of the command."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("folders", type=Path, nargs="+")
    parser.add_argument("--made", type=Path, required=True, help="keeps the printed tables of our own")
    parser.add_argument("--half", choices=["A", "B"])
    parser.add_argument("-o", "--output", type=Path)
    parser.add_argument("--name", default="after", help="what the figures are called in the results file")
    options = parser.parse_args(arguments)
    groups: dict[str, list[JudgedTable]] = {}
    for known in known_documents(options.folders, options.made):
        if options.half in (None, known.half):
            _, document = read_document(known.path)
            group = groups.setdefault(f"{known.collection}, half {known.half}", [])
            group += judge_tables(document, known.tables)
    result = {name: summarise(judged) for name, judged in sorted(groups.items())}
    print(result_text(result))
    if options.output:
        kept = json.loads(options.output.read_text("utf-8")) if options.output.exists() else {}
        kept.setdefault(options.name, {}).update(result)
        write_result(options.output, kept)
    return 0


def summarise(judged: Sequence[JudgedTable]) -> dict[str, Any]:
    """The wrong and right tables, and which share of each is marked."""
    wrong = [_is_marked(table) for table, f1 in judged if f1 < RIGHT]
    bad = [_is_marked(table) for table, f1 in judged if f1 < NEARLY_RIGHT]
    right = [_is_marked(table) for table, f1 in judged if f1 >= RIGHT]
    return {
        "tables": len(judged),
        "wrong": len(wrong),
        "wrong marked": _share(wrong),
        "F1 below 0.9": len(bad),
        "of these marked": _share(bad),
        "right": len(right),
        "right marked": _share(right),
    }


def _is_marked(table: PhysicalObject) -> bool:
    return table.table is not None and table.table.doubtful


def _share(marked: Sequence[bool]) -> float | None:
    return round(sum(marked) / len(marked), 3) if marked else None


if __name__ == "__main__":
    sys.exit(main())
