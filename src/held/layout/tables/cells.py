"""The table as a value, and the text of its cells."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from held.document import Box, TableCell
from held.layout.characters import DIGIT_WIDTH_EM, is_cjk
from held.layout.lines import Line
from held.layout.tables.broken_numbers import whole_number
from held.layout.tolerances import (
    CELL_PADDING_PT,
    CELL_TEXT_LINE_PT,
)

ADDRESS_SIGNS = frozenset("/-_?=&%#")  # between the words of an address; a full stop may end a sentence
THOUSANDS = re.compile(r"\d{3}(?!\d)")
MINUS = frozenset("-−")
NUMBER_BEGINNINGS = frozenset("0123456789-−(（")
NUMBER_ENDS = frozenset("0123456789%％)）")


class Table(NamedTuple):
    """A table on one page.

    All rows have the same number of texts, "" where no cell begins; the page of the cells is not known yet.
    `lines` are the indices of the lines that it swallows, `columns` the x of the column edges.
    """

    box: Box
    rows: tuple[tuple[str, ...], ...]
    lines: tuple[int, ...]
    columns: tuple[float, ...]
    ruled: bool
    cells: tuple[TableCell, ...] = ()
    doubtful: bool = False


def table_of_cells(
    cells: Sequence[TableCell],
    shape: tuple[int, int],
    box: Box,
    lines: tuple[int, ...],
    columns: tuple[float, ...],
    *,
    ruled: bool = False,
    doubtful: bool = False,
) -> Table:
    """The table of these cells; `shape` is how many rows and columns it has."""
    height, width = shape
    texts = [[""] * width for _ in range(height)]
    for cell in cells:
        texts[cell.row][cell.column] = cell.text
    rows = tuple(map(tuple, texts))
    ordered = tuple(sorted([cell for cell in cells if cell.text], key=lambda cell: cell[:2]))
    return Table(box, rows, lines, columns, ruled, ordered, doubtful)


def on_page(table: Table, page: int) -> Table:
    """The table with the page of its cells."""
    # `_replace` takes several times as long, and a report has tens of thousands of cells.
    cells = [
        TableCell(row, column, text, row_span, column_span, header, page, box)
        for row, column, text, row_span, column_span, header, _, box in table.cells
    ]
    return table._replace(cells=tuple(cells))


def cell_text(pieces: list[tuple[Line, str]], room: float) -> str:
    """The text of a cell's lines from top to bottom, with spaces where the script has them.

    `room` is the width of the cell.
    """
    if len(pieces) == 1:
        return pieces[0][1].strip()
    return broken_number(pieces, room) or joined_text([text for _, text in _downwards(pieces)])


def broken_number(pieces: list[tuple[Line, str]], room: float) -> str | None:
    """The number that the lines of a narrow cell are together, None where they are anything else."""
    pieces = _downwards(pieces)
    texts = [text.strip() for _, text in pieces]
    if texts[0][:1] not in NUMBER_BEGINNINGS or texts[-1][-1:] not in NUMBER_ENDS:
        return None
    return whole_number(texts, filled=_are_filled(pieces, room)) if _are_stacked(pieces) else None


def _downwards(pieces: list[tuple[Line, str]]) -> list[tuple[Line, str]]:
    return sorted(pieces, key=lambda piece: (round(piece[0].middle / CELL_TEXT_LINE_PT), piece[0].x0))


def _are_stacked(pieces: Sequence[tuple[Line, str]]) -> bool:
    """Whether the lines stand under each other."""
    return all(lower.y0 > (upper.y0 + upper.y1) / 2 for (upper, _), (lower, _) in pairwise(pieces))


def _are_filled(pieces: Sequence[tuple[Line, str]], room: float) -> bool:
    """Whether no line but the last had room for a further digit; a minus sign, for the number behind it."""
    for (line, text), (after, _) in pairwise(pieces):
        further = after.x1 - after.x0 if text in MINUS else DIGIT_WIDTH_EM * line.size
        if text != line.text.strip() or line.x1 - line.x0 + further < room - CELL_PADDING_PT:
            return False
    return True


def joined_text(parts: Sequence[str]) -> str:
    """The parts of a cell's text in one, with spaces where the script has them."""
    text = ""
    for part in parts:
        part = part.strip()
        glued = not text or (part and is_cjk(text[-1]) and is_cjk(part[0]))
        glued = glued or _splits_number(text, part) or _splits_address(text, part)
        text += part if glued else " " + part
    return text


def _splits_number(before: str, after: str) -> bool:
    """Whether a number was broken by a narrow cell: it has no end before, or no beginning after."""
    if not before[-2:-1].isdigit() and not before[-1:].isdigit():
        return False
    if before[-1:] == ",":  # a day and its year are no number
        return THOUSANDS.match(after) is not None
    return (before[-1:] in ".-" and after[:1].isdigit()) or (before[-1:].isdigit() and after[:1] in ".,")


def _splits_address(before: str, after: str) -> bool:
    """Whether the address of a page was broken by a narrow cell: it ends in a sign, or goes on with one."""
    word = before.rpartition(" ")[2]
    if "://" not in word:
        return False
    return word[-1] in ADDRESS_SIGNS or not ADDRESS_SIGNS.isdisjoint(after.partition(" ")[0][:-1])


def text_length(text: str) -> int:
    """The length of a text in Latin characters: a Chinese one, three bytes in UTF-8, counts for two."""
    if text.isascii():
        return len(text)
    return (len(text) + len(text.encode("utf-8", "replace"))) // 2


def usual_size(lines: Sequence[Line]) -> float:
    """The font size of most of the page's characters."""
    weights: dict[float, int] = {}
    for line in lines:
        weights[line.size] = weights.get(line.size, 0) + len(line.text)
    return max(weights, key=weights.__getitem__) if weights else 0.0
