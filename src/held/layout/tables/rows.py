"""Groups the lines of a page into rows of cells, the material of borderless tables.

A cell is a piece of a line, or several: "$" and ")" that are set apart from their number join it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from held.layout.characters import text_width
from held.layout.tables.cells import Lines, join_texts, text_length
from held.layout.tables.words import (
    AFTER_NUMBER,
    BEFORE_NUMBER,
    NOTE_MARK,
    YEAR,
    is_value,
    line_pieces,
    uses_comma_thousands,
)
from held.layout.tolerances import (
    MAX_WRAPPED_LINE_CHARS,
    MAX_WRAPPED_LINES_COUNT,
    MAX_WRAPPED_OFF_MIDDLE_LINES,
    MIN_LABEL_OVERLAP_SHARE,
    MIN_ROW_HEIGHT_PT,
    MIN_TABLE_ROW_OVERLAP_SHARE,
    MIN_WRAPPED_COLUMN_GAP_PT,
    MIN_WRAPPED_ROW_GAP_PT,
    MIN_WRAPPED_ROWS_COUNT,
)
from held.system import lazy_pattern

SIGN_ENDS = frozenset(sign[-1] for sign in BEFORE_NUMBER)  # few cells end so, and only these are split
LEADERS = ("....", ". . .", "……", "····")
NUMBERED_HEADING = lazy_pattern(
    r"(?:[(（]\s*[\d一二三四五六七八九十A-Za-z]{1,3}\s*[)）]|\d+(?:\.\d+)+\.?\s|\d{1,2}[.、]|[一二三四五六七八九十]+、)"
    r".*[^:：]"
)
CAPTION_OR_ITEM = lazy_pattern(
    r"(?:table|tab\.|figure|fig\.|chart|exhibit)\s*[A-Z]?\d|[图表]\s*\d|[•◦▪●■□‣➢✓]", re.IGNORECASE
)


class Cell(NamedTuple):
    """Lines of one row that belong together, such as "$" and its amount."""

    x0: float
    x1: float
    text: str
    lines: tuple[int, ...]

    @property
    def middle(self) -> float:
        return (self.x0 + self.x1) / 2


class CellRow(NamedTuple):
    """Cells at one height, left to right. `size` is the font size of the first."""

    y0: float
    y1: float
    cells: tuple[Cell, ...]
    size: float

    @property
    def height(self) -> float:
        return self.y1 - self.y0

    @property
    def middle(self) -> float:
        return (self.y0 + self.y1) / 2


Rows = list[CellRow]
Stack = list[tuple[CellRow, Cell]]  # the lines of a wrapped cell, each with its row


# --- From lines to rows ---
#
#   Revenue   $  1,234     890      four lines at one height are a row of three cells: "$" and its
#                                   number are one


def build_rows(lines: Lines, indices: Iterable[int]) -> Rows:
    """The rows that the given lines form, from top to bottom."""
    order = sorted(indices, key=lambda i: lines[i].y0 + lines[i].y1)
    comma_thousands = uses_comma_thousands([lines[i].text for i in order])
    rows: Rows = []
    members: list[int] = []
    top = bottom = 0.0
    for i in order:
        line = lines[i]
        overlap = min(bottom, line.y1) - max(top, line.y0)
        lower_height = min(bottom - top, line.y1 - line.y0)
        if members and overlap > MIN_TABLE_ROW_OVERLAP_SHARE * lower_height:
            members.append(i)
            continue
        if members:
            rows.append(_build_row(members, lines, comma_thousands))
        members, top, bottom = [i], line.y0, line.y1
    if members:
        rows.append(_build_row(members, lines, comma_thousands))
    return _merge_labels_with_values(rows)


def _build_row(members: list[int], lines: Lines, comma_thousands: bool) -> CellRow:
    members.sort(key=lambda i: lines[i].x0)
    cells: list[Cell] = []
    for i in members:
        pieces = line_pieces(lines[i], comma_thousands=comma_thousands)
        if not pieces and cells:  # leaders alone
            cells[-1] = cells[-1]._replace(lines=(*cells[-1].lines, i))
        for x0, x1, text in pieces:
            if cells and text[:1].isdigit() and cells[-1].text[-1] in SIGN_ENDS:
                cells[-1:] = _separate_sign(cells[-1])
            last = cells[-1] if cells else None
            if last and last.text in BEFORE_NUMBER and is_value(text):
                # The sign may stand at the column's left edge: only the number shows where the cell is.
                cells[-1] = Cell(x0, x1, last.text + text, (*last.lines, i))
            elif last and text in AFTER_NUMBER and is_value(last.text):
                cells[-1] = Cell(last.x0, max(last.x1, x1), last.text + text, (*last.lines, i))
            else:
                cells.append(Cell(x0, x1, text, (i,)))
    if not cells:
        cells = [Cell(lines[i].x0, lines[i].x1, lines[i].text, (i,)) for i in members]
    top = min([lines[i].y0 for i in members])
    bottom = max([lines[i].y1 for i in members])
    return CellRow(top, bottom, tuple(cells), lines[members[0]].size)


def _separate_sign(cell: Cell) -> list[Cell]:
    """The label and the sign at its end, which belongs to the number behind it: "Sales $", "12"."""
    label, _, sign = cell.text.rpartition(" ")
    if not label or sign not in BEFORE_NUMBER:
        return [cell]
    end = cell.x1 - (cell.x1 - cell.x0) * text_width(f" {sign}") / text_width(cell.text)
    return [cell._replace(x1=end, text=label), cell._replace(x0=end, text=sign)]


def _merge_labels_with_values(rows: Rows) -> Rows:
    """Merges a label and its values that stand a little above each other."""
    merged: Rows = []
    for row in rows:
        if merged and _is_rest_of_row(merged[-1], row):
            above = merged[-1]
            cells = tuple(sorted((*above.cells, *row.cells)))
            merged[-1] = CellRow(min(above.y0, row.y0), max(above.y1, row.y1), cells, above.size)
        else:
            merged.append(row)
    return merged


def _is_rest_of_row(above: CellRow, row: CellRow) -> bool:
    overlap = above.y1 - row.y0
    if overlap <= 0 or overlap <= MIN_LABEL_OVERLAP_SHARE * row_height(above, row):
        return False
    for label, values in ((above, row), (row, above)):
        first = label.cells[0]
        is_label = len(label.cells) == 1 and not is_value(first.text)
        if is_label and values.cells[0].x0 > first.x1:
            return all(is_value(cell.text) for cell in values.cells)
    return False


# --- What a row looks like ---


def row_height(before: CellRow, row: CellRow) -> float:
    """The height of the lower of two rows, the unit of the gaps between them."""
    return max(min(before.y1 - before.y0, row.y1 - row.y0), MIN_ROW_HEIGHT_PT)


def is_header(row: CellRow) -> bool:
    """Whether a row names columns: no numbers but years, and marks of notes beside words."""
    numbers = [cell.text for cell in row.cells if is_value(cell.text) and not YEAR.fullmatch(cell.text)]
    if not numbers:
        return True
    return len(numbers) < len(row.cells) and all(map(NOTE_MARK.fullmatch, numbers))


def is_numbered_heading(text: str) -> bool:
    """Whether a label begins like a numbered heading and doesn't end like the label of a group of rows."""
    return NUMBERED_HEADING.fullmatch(text) is not None


# --- Where numbers begin ---


def first_value_start(row: CellRow) -> float:
    """The left edge of a row's first number after its label."""
    return next((cell.x0 for cell in row.cells[1:] if is_value(cell.text)), row.cells[-1].x0)


def leftmost_but_strays(starts: Iterable[float], stray_rows: float) -> float:
    """The left edge of the values, ignoring one row in `stray_rows`, whose label may hold a number."""
    ordered = sorted(starts)
    for rank, start in enumerate(ordered, 1):
        if rank * stray_rows > len(ordered):
            return start
    return ordered[-1]


# --- Cells with several lines, centred on one row ---
#
#                  Net sales of
#   2023             consumer        1,234
#                    products
# These three rows are one: the white above and below them is wider than that between them.


def merge_centred_rows(rows: Rows) -> Rows:
    """Merges rows that are the lines of wrapped cells, vertically centred on one row."""
    bands = list(_bands(rows))
    merged_bands = [_merge_band(band) for band in bands]
    if sum(row is not None for row in merged_bands) < MIN_WRAPPED_ROWS_COUNT:
        return rows
    merged: Rows = []
    for band, row in zip(bands, merged_bands, strict=True):
        merged += [row] if row else band
    return merged


def _bands(rows: Rows) -> Iterator[Rows]:
    """The rows in groups with more white between groups than within them."""
    gaps = [lower.y0 - upper.y1 for upper, lower in pairwise(rows)]
    start = 0
    while start < len(rows):
        stop = start + 1
        while stop < len(rows) and not _is_band_end(gaps, start, stop):
            stop += 1
        yield rows[start:stop]
        start = stop


def _is_band_end(gaps: Sequence[float], start: int, stop: int) -> bool:
    gap = gaps[stop - 1]
    gaps_around = [*gaps[start : stop - 1], *gaps[stop : stop + 1]]
    return gap > min(gaps_around, default=gap) + MIN_WRAPPED_ROW_GAP_PT


def _merge_band(band: Rows) -> CellRow | None:
    """The row whose lines the rows of a band are; None if they aren't."""
    if not 1 < len(band) <= MAX_WRAPPED_LINES_COUNT:
        return None
    main = max(band, key=lambda row: len(row.cells))
    if len(main.cells) < 2:
        return None
    stacks = _stack_cells(band)
    single_lines = sum(len(stack) == 1 for stack in stacks)
    if 2 * single_lines < len(stacks) or not _are_centred(stacks, main):
        return None
    cells = tuple(map(_merge_stack, stacks))
    if any(right.x0 - left.x1 < MIN_WRAPPED_COLUMN_GAP_PT for left, right in pairwise(cells)):
        return None
    return CellRow(band[0].y0, max(row.y1 for row in band), cells, main.size)


def _stack_cells(band: Rows) -> list[Stack]:
    """The cells of a band by column, from left to right, each column from top to bottom."""
    stacks: list[Stack] = []
    end = float("-inf")
    items = [(row, cell) for row in band for cell in row.cells]
    items.sort(key=lambda item: item[1].x0)
    for row, cell in items:
        if cell.x0 >= end:
            stacks.append([])
        stacks[-1].append((row, cell))
        end = max(end, cell.x1)
    return [sorted(stack, key=lambda item: item[0].y0) for stack in stacks]


def _are_centred(stacks: Sequence[Stack], main: CellRow) -> bool:
    """Whether each column holds short lines, one below the other, around the middle of the row."""
    for stack in stacks:
        top, bottom = stack[0][0].y0, stack[-1][0].y1
        if abs((top + bottom) / 2 - main.middle) > MAX_WRAPPED_OFF_MIDDLE_LINES * main.height:
            return False
        if any(text_length(cell.text) > MAX_WRAPPED_LINE_CHARS for _, cell in stack):
            return False
        if len({row.y0 for row, _ in stack}) < len(stack):
            return False  # two side by side
    return True


def _merge_stack(stack: Stack) -> Cell:
    cells = [cell for _, cell in stack]
    text = join_texts([cell.text for cell in cells])
    lines = tuple(i for cell in cells for i in cell.lines)
    return Cell(min(cell.x0 for cell in cells), max(cell.x1 for cell in cells), text, lines)
