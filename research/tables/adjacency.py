"""The ICDAR 2013 table competition, complete process: how cells of tables stand to each other.

A relation is a cell with text and its next neighbour with text, to the right or below. Precision and recall
are taken over all relations of a document and averaged over documents; text is compared without spaces and
most punctuation, case aside.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
import xml.etree.ElementTree as ET
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from held.document import Document, Kind, PhysicalObject

LEFT_OUT = re.compile(r"[^\w%.,()$+-]")

Relations = Counter[tuple[str, str, str]]


class Placed(NamedTuple):
    """A cell from its first to its last row and column, with its text as it is compared."""

    top: int
    left: int
    bottom: int
    right: int
    text: str


def comparable_text(text: str) -> str:
    """The text as it is compared."""
    return LEFT_OUT.sub("", unicodedata.normalize("NFKC", text)).lower().replace("−", "-")


def true_tables(path: Path) -> list[list[Placed]]:
    """The tables that an annotation file describes."""
    return [_true_cells(table) for table in ET.parse(path).getroot().iter("table")]


def _true_cells(table: ET.Element) -> list[Placed]:
    cells = []
    for region in table.iter("region"):
        down, along = int(region.get("row-increment", 0)), int(region.get("col-increment", 0))
        for cell in region.iter("cell"):
            top, left = int(cell.attrib["start-row"]), int(cell.attrib["start-col"])
            bottom, right = int(cell.get("end-row", top)), int(cell.get("end-col", left))
            text = "".join(content.text or "" for content in cell.iter("content"))
            cells.append(
                Placed(top + down, left + along, bottom + down, right + along, comparable_text(text))
            )
    return cells


def found_tables(document: Document) -> list[list[Placed]]:
    """The tables of a recognised document."""
    return [_found_cells(item) for item in document.objects if item.kind is Kind.TABLE]


def _found_cells(table: PhysicalObject) -> list[Placed]:
    if table.table is None:
        return [
            Placed(r, c, r, c, comparable_text(text))
            for r, row in enumerate(table.rows)
            for c, text in enumerate(row)
        ]
    return [
        Placed(
            cell.row,
            cell.column,
            cell.row + cell.row_span - 1,
            cell.column + cell.column_span - 1,
            comparable_text(cell.text),
        )
        for cell in table.table.cells
    ]


def relations_of(tables: Iterable[Sequence[Placed]]) -> Relations:
    """The relations of all tables, with how often each occurs."""
    counted: Relations = Counter()
    for cells in tables:
        counted += Counter((a.text, b.text, way) for a, b, way in _pairs(cells))
    return counted


def _pairs(cells: Sequence[Placed]) -> set[tuple[Placed, Placed, str]]:
    at = {
        (r, c): cell
        for cell in cells
        if cell.text
        for r in range(cell.top, cell.bottom + 1)
        for c in range(cell.left, cell.right + 1)
    }
    last_row, last_column = max((r for r, _ in at), default=-1), max((c for _, c in at), default=-1)
    pairs = set()
    for (r, c), cell in at.items():
        if c == cell.right:
            beside = next((at[r, x] for x in range(c + 1, last_column + 1) if (r, x) in at), None)
            if beside:
                pairs.add((cell, beside, "right"))
        if r == cell.bottom:
            below = next((at[x, c] for x in range(r + 1, last_row + 1) if (x, c) in at), None)
            if below:
                pairs.add((cell, below, "below"))
    return pairs


def half_of(path: Path) -> str:
    """The half of the documents that a file belongs to: A to choose mechanisms on, B for final runs.

    The half depends on the file's name alone, so that it never changes as files are added.
    """
    digest = hashlib.sha1(path.name.encode()).digest()
    return "AB"[digest[-1] % 2]


def f1_of(precision: float, recall: float) -> float:
    """The harmonic mean of precision and recall."""
    return 2 * precision * recall / max(1e-9, precision + recall)


def precision_and_recall(true: Relations, found: Relations) -> tuple[float, float]:
    """The shares of the found relations that are true, and of the true ones that are found."""
    right = sum((true & found).values())
    return right / max(1, sum(found.values())), right / max(1, sum(true.values()))
