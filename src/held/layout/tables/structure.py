"""Builds the cells of a borderless table from its rows and columns.

Each piece of a row goes to the column that it shares most with. Above the first amounts a piece may name
several columns (`header_rows`). A line that only continues the label above it joins its row.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from statistics import median

from held.document import Box, TableCell, bounding_box
from held.layout.characters import is_cjk
from held.layout.lines import Line
from held.layout.tables.cells import Lines, Table, join_texts, make_table
from held.layout.tables.columns import Columns, nearest_column
from held.layout.tables.header_rows import (
    PlacedCell,
    PlacedRow,
    Rules,
    is_ruled_off,
    merge_rows,
    place_header_rows,
    row_box,
)
from held.layout.tables.rows import Cell, CellRow, is_header, leftmost_but_strays
from held.layout.tables.words import Word, is_value, line_words
from held.layout.tolerances import (
    MAX_LABEL_INDENT_PT,
    MAX_LABEL_OUTDENT_PT,
    MAX_VALUE_BEFORE_COLUMN_PT,
    MAX_VALUE_END_SHIFT_PT,
    MAX_WRAPPED_LABEL_GAP_PT,
    MIN_BROKEN_LABEL_COLUMN_PT,
    MIN_FULL_LABEL_SHARE,
    MIN_HANGING_INDENT_PT,
    MIN_LABEL_COLUMN_PT,
    MIN_NAME_GAP_EM,
    MIN_TEXT_BEFORE_COLUMN_PT,
    STRAY_VALUE_ROWS,
)

LABEL_ENDS = (":", "：", ".", "。", ";")
OPEN_LABEL = re.compile(
    r".*(?:[,–—-]|\b(?:and|of|or|the|for|to|in|on|from|with|at|by|less|net|per|under))", re.I
)


def build_table(block: Sequence[CellRow], columns: Columns, lines: Lines, rules: Rules = ()) -> Table:
    """The table that rows of pieces form in the given columns; `rules` are the page's horizontal rules."""
    header_height = _count_header_rows(block)
    in_columns = [_split_at_gaps(row, columns, lines) for row in block]
    split = [_split_trailing_values(row, columns) for row in in_columns]
    header, body = split[:header_height], split[header_height:]
    rows = place_header_rows(header, columns, rules)
    placed_body = [_place_body_row(row, columns) for row in body]
    rows += _merge_wrapped_labels(placed_body, rows[-1:], rules)
    indices = dict.fromkeys(i for row in block for cell in row.cells for i in cell.lines)
    box = bounding_box([lines[i] for i in indices])
    # Values are set flush right: their ends show on the next page whether the columns are the same.
    edges = (box.x0, *(end for _, end in columns[1:]), box.x1)
    cells: list[TableCell] = []
    for r, row in enumerate(rows):
        cells += [TableCell(r, c.column, c.text, 1, c.span, row.header, 0, c.box) for c in row.cells]
    return make_table(cells, (len(rows), len(columns)), box, tuple(indices), edges)


def _count_header_rows(block: Sequence[CellRow]) -> int:
    """The number of rows above the first amount, without labels right above it; 0 if there is no amount.

    Where few rows below have an amount, only the first is a header.
    """
    first = next((r for r, row in enumerate(block) if not is_header(row)), 0)
    several = [row for row in block[first:] if len(row.cells) > 1]
    if 2 * sum(not is_header(row) for row in several) < len(several):
        first = min(first, 1)
    while first and len(block[first - 1].cells) == 1 and _is_label(block[first - 1].cells[0], block):
        first -= 1
    return first


def _is_label(cell: Cell, block: Sequence[CellRow]) -> bool:
    left = min(row.cells[0].x0 for row in block)
    value_starts = [row.cells[1].x0 for row in block if len(row.cells) > 1]
    if not value_starts:
        return False
    values_left = leftmost_but_strays(value_starts, STRAY_VALUE_ROWS)
    max_end = max(values_left, left + MIN_LABEL_COLUMN_PT)
    return cell.x0 < left + MAX_LABEL_INDENT_PT and cell.x1 < max_end


def _split_at_gaps(row: CellRow, columns: Columns, lines: Lines) -> CellRow:
    """The row with cells split at gaps wider than a space between words of different columns."""
    cells: list[Cell] = []
    for cell in row.cells:
        line = lines[cell.lines[0]]
        is_measured = any(run.words for run in line.runs) and len(cell.lines) == 1
        cells += _split_at_gap(cell, columns, line) if is_measured else [cell]
    return row if len(cells) == len(row.cells) else row._replace(cells=tuple(cells))


def _split_at_gap(cell: Cell, columns: Columns, line: Line) -> list[Cell]:
    words = [word for word in line_words(line) if cell.x0 <= (word.x0 + word.x1) / 2 <= cell.x1]
    if " ".join(word.text for word in words) != cell.text:
        return [cell]  # some were joined to a number
    pieces: list[Cell] = []
    for word in words:
        last = pieces[-1] if pieces else None
        if last and not (word.gap > MIN_NAME_GAP_EM * line.size and _is_in_next_column(last, word, columns)):
            pieces[-1] = last._replace(x1=word.x1, text=f"{last.text} {word.text}")
        else:
            pieces.append(Cell(word.x0, word.x1, word.text, cell.lines))
    return pieces


def _is_in_next_column(cell: Cell, word: Word, columns: Columns) -> bool:
    return nearest_column(cell.x0, cell.x1, columns) < nearest_column(word.x0, word.x1, columns)


def _split_trailing_values(row: CellRow, columns: Columns) -> CellRow:
    """The row with such cells split as end in a number that stands in a number column."""
    cells: list[Cell] = []
    for cell in row.cells:
        cells += _split_trailing_value(cell, columns)
    return row if len(cells) == len(row.cells) else row._replace(cells=tuple(cells))


def _split_trailing_value(cell: Cell, columns: Columns) -> list[Cell]:
    text, _, last = cell.text.rpartition(" ")
    if not text or not is_value(last) or is_value(text) or len(columns) == 1:
        return [cell]
    character_width = (cell.x1 - cell.x0) / len(cell.text)
    start = cell.x1 - character_width * len(last)
    column = nearest_column(start, cell.x1, columns)
    left, right = columns[column]
    fits = start > left - MAX_VALUE_BEFORE_COLUMN_PT and abs(cell.x1 - right) < MAX_VALUE_END_SHIFT_PT
    if column == 0 or not fits or cell.x0 >= left - MIN_TEXT_BEFORE_COLUMN_PT:
        return [cell]
    label = Cell(cell.x0, start - character_width, text, cell.lines)
    return [label, Cell(start, cell.x1, last, cell.lines)]


def _place_body_row(row: CellRow, columns: Columns) -> PlacedRow:
    by_column: dict[int, list[Cell]] = {}
    is_full = len(row.cells) == len(columns)
    for index, cell in enumerate(row.cells):
        # A row with as many cells as columns has one in each, whatever their positions.
        column = index if is_full else nearest_column(cell.x0, cell.x1, columns)
        by_column.setdefault(column, []).append(cell)
    placed = []
    for column, cells in sorted(by_column.items()):
        text = join_texts([cell.text for cell in cells])
        box = Box(cells[0].x0, row.y0, cells[-1].x1, row.y1)
        placed.append(PlacedCell(column, 1, text, box))
    return PlacedRow(row_box(row), tuple(placed), header=False)


def _merge_wrapped_labels(
    rows: list[PlacedRow], last_header: list[PlacedRow], rules: Rules
) -> list[PlacedRow]:
    """Merges rows whose labels are lines of one label."""
    gaps = [lower.box.y0 - upper.box.y1 for upper, lower in pairwise([*last_header, *rows])]
    usual_gap = median(gaps) if gaps else 0.0
    labels = [row.cells[0] for row in rows if row.cells[0].column == 0]
    left = min((label.box.x0 for label in labels), default=0.0)
    right = max((label.box.x1 for label in labels), default=0.0)
    merged: list[PlacedRow] = []
    for row in rows:
        if merged and not is_ruled_off(merged[-1], row, rules):
            above = merged[-1]
            is_close = row.box.y0 - above.box.y1 < usual_gap + MAX_WRAPPED_LABEL_GAP_PT
            if is_close and _continues_label(above, row, left, right):
                merged[-1] = merge_rows(above, row)
                continue
        merged.append(row)
    return merged


def _continues_label(above: PlacedRow, row: PlacedRow, left: float, right: float) -> bool:
    """Whether a row continues the label above it, one of the two having nothing but the label."""
    upper, lower = above.cells[0], row.cells[0]
    if upper.column or lower.column or (len(above.cells) > 1 and len(row.cells) > 1):
        return False
    if upper.text.endswith(LABEL_ENDS) or not lower.text:
        return False
    starts_lower = lower.text[0].islower()
    if len(above.cells) > 1:  # the values stand on the first line
        return starts_lower and lower.box.x0 > upper.box.x0 - MAX_LABEL_OUTDENT_PT
    if starts_lower or OPEN_LABEL.fullmatch(upper.text):
        return True
    width = right - left
    is_full = upper.box.x1 - left > MIN_FULL_LABEL_SHARE * width and width > MIN_BROKEN_LABEL_COLUMN_PT
    is_hanging = lower.box.x0 > upper.box.x0 + MIN_HANGING_INDENT_PT
    is_rest = is_hanging or lower.text[0] in ")（(,"
    return is_full and is_rest and not is_cjk(lower.text[0])
