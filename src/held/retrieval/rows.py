"""Rows of tables, each with its label, its values under their column headers, and where it stands.

A question for a number is answered by a row. Where the recogniser knows the cells of a table, their headers
and spans are taken; else the first rows without a value are the headers. A short line outside tables is a
row, too, with its text as the label: a table that was not recognised as one is often a heap of such lines.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from held.document import Kind, PageRegion, PhysicalObject, TableCell, bounding_box
from held.retrieval.stopwords import telling
from held.retrieval.tokens import tokens

LONGEST_LABEL = 10  # telling words; a line outside tables that has more is a sentence
_HEADER_ROWS = 4  # at most, of a table whose cells are not known

_VALUE = re.compile(r"[-+(（]?\s*[$€£¥￥]?\s*\d[\d,.，]*\s*%?\s*[)）]?|[—–-]+")
_YEAR = re.compile(r"(?:19|20)\d\d")
_SIGNS = re.compile(r"[\s$€£¥￥%()（）]*")  # what stands in a cell of its own beside a value
_COUNTED = r"\bin (?:thousands|millions|billions)\b"
_COUNTED_ALONE = re.compile(_COUNTED, re.IGNORECASE)
_UNIT = re.compile(rf"\(?[^().;]{{0,40}}{_COUNTED}[^().;]{{0,60}}\)?", re.IGNORECASE)
_CHINESE_UNIT = re.compile(r"单位\s*[:：]\s*\S+")


class TableRow(NamedTuple):
    """A row of a table: its label, the cells after it from left to right, and what stands above each.

    A header is "" where nothing stands above. `part` is where the row stands, None where only the
    place of its table is known.
    """

    label: str
    values: tuple[str, ...] = ()
    headers: tuple[str, ...] = ()
    part: PageRegion | None = None


def rows_of(item: PhysicalObject) -> tuple[TableRow, ...]:
    """The rows of an object that have a label; none of a paragraph."""
    if item.table is not None and item.table.cells:
        return tuple(_rows_of_cells(item.table.cells))
    if item.rows and item.kind is not Kind.CONTENTS_ENTRY:
        return tuple(_rows_of_texts(item.rows))
    label = " ".join(item.text.split())
    if _is_named(label) and len(telling(tokens(label))) <= LONGEST_LABEL:
        return (TableRow(label, part=item.parts[0]),)
    return ()


def unit_in(text: str) -> str:
    """What a text says its numbers count; empty where it says nothing."""
    # Looked for alone first: with the words around it the pattern goes over each character forty times.
    found = _UNIT.search(text) if _COUNTED_ALONE.search(text) else None
    found = found or _CHINESE_UNIT.search(text)
    return " ".join(found[0].strip("() ").split()) if found else ""


def _rows_of_cells(cells: Sequence[TableCell]) -> Iterator[TableRow]:
    headers: dict[int, list[str]] = {}
    by_row: dict[int, list[TableCell]] = {}
    for cell in cells:
        if cell.header:
            for column in range(cell.column, cell.column + cell.column_span):
                headers.setdefault(column, []).append(cell.text)
        else:
            by_row.setdefault(cell.row, []).append(cell)
    for row in by_row.values():
        label, *values = sorted(row, key=lambda cell: cell.column)
        kept = [cell for cell in values if not _SIGNS.fullmatch(cell.text)]
        if _is_named(label.text):
            yield TableRow(
                " ".join(label.text.split()),
                tuple(" ".join(cell.text.split()) for cell in kept),
                tuple(" ".join(headers.get(cell.column, ())) for cell in kept),
                PageRegion(label.page, bounding_box([cell.box for cell in row if cell.page == label.page])),
            )


def _rows_of_texts(rows: Sequence[Sequence[str]]) -> Iterator[TableRow]:
    headers: dict[int, str] = {}
    for number, row in enumerate(rows):
        if number < _HEADER_ROWS and _is_header(row):
            for column, text in enumerate(row):
                headers[column] = f"{headers.get(column, '')} {text}".strip()
            continue
        named = next((column for column, text in enumerate(row) if _is_named(text)), None)
        if named is not None:
            after = [(column, text) for column, text in enumerate(row) if column > named]
            kept = [(column, text) for column, text in after if not _SIGNS.fullmatch(text)]
            yield TableRow(
                " ".join(row[named].split()),
                tuple(text for _, text in kept),
                tuple(headers.get(column, "") for column, _ in kept),
            )


def _is_header(row: Sequence[str]) -> bool:
    """Whether a row names columns: it has texts or years beside its first cell, and no value."""
    others = [text for text in row[1:] if not _SIGNS.fullmatch(text)]
    return bool(others) and not any(_VALUE.fullmatch(text) and not _YEAR.fullmatch(text) for text in others)


def _is_named(text: str) -> bool:
    return any(map(str.isalpha, text))
