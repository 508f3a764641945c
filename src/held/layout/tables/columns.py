"""Finds the columns of a borderless table from the extents of its cells."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from typing import NamedTuple

from held.layout.lines import Line
from held.layout.tables.cells import text_length
from held.layout.tables.rows import Cell, CellRow, Rows
from held.layout.tables.words import Word, is_amount, is_value, line_words
from held.layout.tolerances import (
    CUT_GAP_PT,
    LABEL_COLUMN_GAP_PT,
    MAX_HALF_COLUMN_GAP_PT,
    MAX_PIECES_OVER_GUTTER_SHARE,
    MAX_ROWS_TWICE_IN_COLUMN_SHARE,
    MIN_BODY_ROWS_COUNT,
    MIN_COLUMN_GAP_PT,
    MIN_CUT_MARGIN_PT,
    MIN_FULL_ROW_CELLS_COUNT,
    MIN_FULL_ROWS_COUNT,
    MIN_FULL_ROWS_SHARE,
    MIN_LABEL_WIDTH_PT,
    MIN_NUMBER_START_SPREAD_EM,
    MIN_NUMBERS_BEFORE_WORDS_COUNT,
    MIN_WORD_END_SPREAD_EM,
    SAME_NUMBER_END_PT,
)
from held.system import lazy_pattern, median

Columns = list[tuple[float, float]]  # left and right edge of each column

NUMBER_AND_WORDS = lazy_pattern(r"([+\-–−(]?\d[\d,.]*[%％)]?) [^\W\d_].*")
# Character widths in ems. Number columns are narrow, so these are finer than `text_width`.
NUMBER_WIDTHS_EM = {",": 0.25, ".": 0.25, "%": 0.75, "％": 1.0, "-": 0.33, "(": 0.3, ")": 0.3}
NUMBER_DIGIT_WIDTH_EM = 0.51


class Extent(NamedTuple):
    """The left and right edge of a cell, and the index of its row."""

    x0: float
    x1: float
    row: int

    @property
    def middle(self) -> float:
        return (self.x0 + self.x1) / 2


# --- Columns ---
#
# A column is a stretch of the x axis that the cells of most rows share. Short and long values of one
# column may share none, and a long label may reach over a gutter: hence the two corrections below.


def find_columns(rows: Sequence[CellRow]) -> Columns:
    """The columns of some rows: the labels at the left, and what stands beside them."""
    body = [row for row in rows if any(is_amount(cell.text) for cell in row.cells)]
    if len(body) < MIN_BODY_ROWS_COUNT:
        several = [row for row in rows if len(row.cells) > 1]
        most = max((len(row.cells) for row in several), default=0)
        # A row mostly of values that no other row has more cells than shows all columns itself.
        body = [row for row in body if len(row.cells) == most and _has_mostly_values(row)] or several
    labels: list[Cell] = []
    values: list[Extent] = []
    for r, row in enumerate(body):
        cells = row.cells
        if not is_value(cells[0].text):
            labels.append(cells[0])
            cells = cells[1:]
        values += [Extent(cell.x0, cell.x1, r) for cell in cells]
    columns = _merge_half_columns(_split_stretches(values, 0), values)
    regular = _regular_columns(body)
    if regular and len(regular) != len(columns) + bool(labels):
        return regular
    if not labels:
        return columns
    left, end = min(label.x0 for label in labels), max(label.x1 for label in labels)
    if not columns:
        return [(left, end)]
    values_left = columns[0][0]
    if left > values_left - MIN_LABEL_WIDTH_PT:
        return columns
    return [(left, min(end, values_left - LABEL_COLUMN_GAP_PT)), *columns]


def _has_mostly_values(row: CellRow) -> bool:
    return 2 * sum(is_value(cell.text) for cell in row.cells[1:]) >= len(row.cells)


def _regular_columns(body: Sequence[CellRow]) -> Columns:
    """The columns by the order of the cells if most rows fill each of them, else []."""
    width = max((len(row.cells) for row in body), default=0)
    full = [row for row in body if len(row.cells) == width]
    if len(full) < MIN_FULL_ROWS_COUNT or len(full) < MIN_FULL_ROWS_SHARE * len(body):
        return []
    if width < MIN_FULL_ROW_CELLS_COUNT:
        return []
    columns = []
    for cells in zip(*(row.cells for row in full), strict=True):
        left, right = median(cell.x0 for cell in cells), median(cell.x1 for cell in cells)
        columns.append((left, right))
    return columns


def _merge_half_columns(columns: Columns, values: list[Extent]) -> Columns:
    """Merges close neighbours that no row fills both: the short and the long values of one column."""
    merged: Columns = []
    rows_before: set[int] = set()
    by_middle = sorted([(value.middle, value.row) for value in values])
    middles = [middle for middle, _ in by_middle]
    for start, end in columns:
        inside = by_middle[bisect_left(middles, start) : bisect_right(middles, end)]
        rows = {row for _, row in inside}
        is_close = bool(merged) and start - merged[-1][1] < MAX_HALF_COLUMN_GAP_PT
        if is_close and rows.isdisjoint(rows_before):
            merged[-1] = (merged[-1][0], end)
            rows_before |= rows
        else:
            merged.append((start, end))
            rows_before = rows
    return merged


def _split_stretches(extents: list[Extent], depth: int) -> Columns:
    """The stretches that more than `depth` cells cover.

    Cells of one row belong to different columns. A stretch with two cells of a row is split where the fewest
    cells reach over.
    """
    columns: Columns = []
    for start, end in _covered_stretches(extents, depth):
        inside = [extent for extent in extents if start <= extent.middle <= end]
        twice = len(inside) - len({extent.row for extent in inside})
        parts: Columns = []
        is_crowded = twice > MAX_ROWS_TWICE_IN_COLUMN_SHARE * len(inside)
        if is_crowded and depth < MAX_PIECES_OVER_GUTTER_SHARE * len(inside) + 1:
            parts = _split_stretches(inside, depth + 1)
        columns += parts if len(parts) > 1 else [(start, end)]
    return columns


def _covered_stretches(extents: list[Extent], depth: int) -> Columns:
    """Where more than `depth` cells lie upon each other, by a sweep from left to right."""
    events = sorted(event for extent in extents for event in ((extent.x0, 1), (extent.x1, -1)))
    stretches: Columns = []
    covering, start = 0, 0.0
    for x, change in events:
        if change > 0 and covering == depth:
            start = x
        covering += change
        if change < 0 and covering == depth:
            if stretches and start - stretches[-1][1] < MIN_COLUMN_GAP_PT:
                stretches[-1] = (stretches[-1][0], x)
            else:
                stretches.append((start, x))
    return stretches


# --- Cells against columns ---


def nearest_column(x0: float, x1: float, columns: Columns) -> int:
    """The column that an extent shares most with, or that is nearest to it."""
    best, most = 0, float("-inf")
    for column, (start, end) in enumerate(columns):
        # `min` and `max` take several times as long here.
        shared = (x1 if x1 < end else end) - (x0 if x0 > start else start)
        if shared > most:
            best, most = column, shared
    return best


def words_of(cell: Cell, line: Line) -> list[Word]:
    """The words of a line whose middle lies in a cell."""
    return [word for word in line_words(line) if cell.x0 <= (word.x0 + word.x1) / 2 <= cell.x1]


# --- Columns that stand closer than words ---
#
#   12 Salaries        "12 Salaries" and "7 Rent" come as one cell each. All numbers end at one position,
#    7 Rent            so the words behind them are a column of their own.


def split_close_columns(rows: Rows) -> Rows:
    """Splits cells at an edge where numbers end and words begin right behind them.

    A column of words may stand as close to a number column as a word to the next. Unlike numbers with units,
    the numbers then begin at different positions, and the words end at different ones.
    """
    ends = []
    for r, row in enumerate(rows):
        for cell in row.cells:
            end = _leading_number_end(cell, row.size)
            if end is not None:
                ends.append((end, r, cell))
    ends.sort()
    group: list[tuple[float, int, Cell]] = []
    for entry in ends:
        if group and entry[0] - group[0][0] > SAME_NUMBER_END_PT:
            rows = _split_at_numbers(rows, group)
            group = []
        group.append(entry)
    return _split_at_numbers(rows, group) if group else rows


def _leading_number_end(cell: Cell, size: float) -> float | None:
    match = None if cell.text[:1].isalpha() else NUMBER_AND_WORDS.fullmatch(cell.text)
    if match is None:
        return None
    widths = [NUMBER_WIDTHS_EM.get(character, NUMBER_DIGIT_WIDTH_EM) for character in match[1]]
    return cell.x0 + size * sum(widths)


def _split_at_numbers(rows: Rows, group: list[tuple[float, int, Cell]]) -> Rows:
    """Splits the cells that reach over the edge where the numbers of a group end."""
    if len(group) < MIN_NUMBERS_BEFORE_WORDS_COUNT:
        return rows
    size = rows[group[0][1]].size
    starts, stops = [cell.x0 for *_, cell in group], [cell.x1 for *_, cell in group]
    spread = group[-1][0] - group[0][0]
    if max(starts) - min(starts) < spread + MIN_NUMBER_START_SPREAD_EM * size:
        return rows
    if max(stops) - min(stops) < MIN_WORD_END_SPREAD_EM * size:
        return rows
    edge = group[0][0] + spread / 2 + CUT_GAP_PT
    indices = [r for _, r, _ in group]
    split = list(rows)
    for r in range(max(min(indices) - 1, 0), max(indices) + 1):  # the row above may be the header
        if len(rows[r].cells) > 1:
            cells = [piece for cell in rows[r].cells for piece in _split_cell(cell, edge)]
            split[r] = rows[r]._replace(cells=tuple(cells))
    return split


def _split_cell(cell: Cell, edge: float) -> list[Cell]:
    """The cell, split at the space nearest to the edge if it reaches over it."""
    spaces = [i for i, character in enumerate(cell.text) if character == " "]
    if not spaces or not cell.x0 + MIN_CUT_MARGIN_PT < edge < cell.x1 - MIN_CUT_MARGIN_PT:
        return [cell]
    target = (edge - cell.x0) / (cell.x1 - cell.x0) * text_length(cell.text)
    cut = min(spaces, key=lambda i: abs(text_length(cell.text[:i]) - target))
    before, after = cell.text[:cut], cell.text[cut + 1 :]
    left = Cell(cell.x0, edge - CUT_GAP_PT, before, cell.lines)
    right = Cell(edge + CUT_GAP_PT, cell.x1, after, cell.lines)
    return [left, right]
