"""Found tables judged against known ones: which are right, which are wrong.

A found table is compared with the true table that it shares most with. It is right if all relations between
neighbouring cells are the same (F1 = 1), and wrong otherwise; a found table that is none has F1 = 0.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

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
from held.layout.rotation import apply_rotation
from held.reading.read_pdf import read_pdf


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
