"""Rows whose wrapped cells are set to the middle: each cell in one piece, at one height with its row.

Where a table sets its cells to the middle of their row, the lines of a long one stand above and below those
of the others: "Luo", then "2,400  2,080", then "Minzhi". What parts the rows is white, more of it than
between the lines of a cell.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from held.layout.tables.alignment import Cell, CellRow
from held.layout.tables.cells import joined_text, text_length
from held.layout.tolerances import (
    MAX_WRAPPED_LINE_CHARS,
    MAX_WRAPPED_LINES_COUNT,
    MAX_WRAPPED_OFF_MIDDLE_LINES,
    MIN_WRAPPED_COLUMN_GAP_PT,
    MIN_WRAPPED_ROW_GAP_PT,
    MIN_WRAPPED_ROWS_COUNT,
)

Band = Sequence[CellRow]
Stack = list[tuple[CellRow, Cell]]


def in_whole_rows(rows: Sequence[CellRow]) -> list[CellRow]:
    """The rows, those made one that are the lines of wrapped cells set to the middle of one row."""
    bands = list(_bands(rows))
    joined = [_joined(band) for band in bands]
    if sum(row is not None for row in joined) < MIN_WRAPPED_ROWS_COUNT:
        return list(rows)
    whole: list[CellRow] = []
    for band, row in zip(bands, joined, strict=True):
        whole += [row] if row else band
    return whole


def _bands(rows: Sequence[CellRow]) -> Iterator[Band]:
    """The rows in groups, each parted from the next by more white than its own rows are."""
    start = 0
    gaps = [lower.y0 - upper.y1 for upper, lower in pairwise(rows)]
    while start < len(rows):
        stop = start + 1
        while stop < len(rows) and not _parts(gaps, start, stop):
            stop += 1
        yield rows[start:stop]
        start = stop


def _parts(gaps: Sequence[float], start: int, stop: int) -> bool:
    """Whether the white before the row at `stop` is more than that around its neighbours."""
    inside = gaps[start : stop - 1]
    after = gaps[stop : stop + 1]
    return gaps[stop - 1] > min([*inside, *after], default=gaps[stop - 1]) + MIN_WRAPPED_ROW_GAP_PT


def _joined(band: Band) -> CellRow | None:
    """The one row that the rows of a band are the lines of; None where they are not."""
    if not 1 < len(band) <= MAX_WRAPPED_LINES_COUNT:
        return None
    main = max(band, key=lambda row: len(row.cells))
    stacks = _stacks(band)
    alone = sum(len(stack) == 1 for stack in stacks)
    if len(main.cells) < 2 or 2 * alone < len(stacks) or not _are_in_the_middle(stacks, main):
        return None
    cells = tuple(_cell(stack) for stack in stacks)
    if any(right.x0 - left.x1 < MIN_WRAPPED_COLUMN_GAP_PT for left, right in pairwise(cells)):
        return None
    return CellRow(band[0].y0, max(row.y1 for row in band), cells, main.size)


def _stacks(band: Band) -> list[Stack]:
    """The cells of a band by column, from left to right, each column from top to bottom."""
    stacks: list[Stack] = []
    end = float("-inf")
    items = [(row, cell) for row in band for cell in row.cells]
    for item in sorted(items, key=lambda item: item[1].x0):
        cell = item[1]
        if cell.x0 < end:
            stacks[-1].append(item)
        else:
            stacks.append([item])
        end = max(end, cell.x1)
    return [sorted(stack, key=lambda item: item[0].y0) for stack in stacks]


def _are_in_the_middle(stacks: Sequence[Stack], main: CellRow) -> bool:
    """Whether each column holds short lines under each other, around the middle of the row."""
    most = MAX_WRAPPED_OFF_MIDDLE_LINES * (main.y1 - main.y0)
    middle = (main.y0 + main.y1) / 2
    for stack in stacks:
        top, bottom = stack[0][0].y0, stack[-1][0].y1
        if abs((top + bottom) / 2 - middle) > most:
            return False
        if any(text_length(cell.text) > MAX_WRAPPED_LINE_CHARS for _, cell in stack):
            return False
        if len({row.y0 for row, _ in stack}) < len(stack):
            return False  # two beside each other
    return True


def _cell(stack: Stack) -> Cell:
    text = joined_text([cell.text for _, cell in stack])
    lines = tuple(i for _, cell in stack for i in cell.lines)
    return Cell(min(cell.x0 for _, cell in stack), max(cell.x1 for _, cell in stack), text, lines)
