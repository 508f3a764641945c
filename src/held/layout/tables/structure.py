"""Rows and columns to a table's cells: what spans columns, what heads them, which lines are one row.

Every piece of a row goes to the column that it shares most with. Above the first amounts a piece may name
several columns: the rule under it tells which, or else where its middle stands. Lines that only go on with
the one above (a wrapped label, a name in two lines) make one row with it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from statistics import median
from typing import NamedTuple

from held.document import Box, TableCell, bounding_box
from held.layout.characters import is_cjk
from held.layout.lines import Line
from held.layout.strokes import Segment
from held.layout.tables.alignment import Cell, CellRow, column_of, is_header, leftmost_but_strays
from held.layout.tables.cells import Table, joined_text, table_of_cells
from held.layout.tables.column_names import (
    Columns,
    behind_blanks,
    columns_named,
    names_apart,
    years_in_order,
)
from held.layout.tables.values import is_amount, is_value
from held.layout.tolerances import (
    MAX_LABEL_INDENT_PT,
    MAX_LABEL_OUTDENT_PT,
    MAX_NAME_LINE_GAP_LINES,
    MAX_ROWS_TWICE_SHARE,
    MAX_VALUE_BEFORE_COLUMN_PT,
    MAX_VALUE_END_SHIFT_PT,
    MAX_WRAPPED_LABEL_GAP_PT,
    MIN_BROKEN_LABEL_COLUMN_PT,
    MIN_FULL_LABEL_SHARE,
    MIN_HANGING_INDENT_PT,
    MIN_LABEL_COLUMN_PT,
    MIN_TEXT_BEFORE_COLUMN_PT,
    RULE_BETWEEN_ROWS_PT,
    STRAY_VALUE_ROWS,
)

GOES_ON = re.compile(
    r".*(?:[,–—-]|\b(?:and|of|or|the|for|to|in|on|from|with|at|by|less|net|per|under))", re.I
)


class Entry(NamedTuple):
    """A text in its place in a row; `span` counts columns."""

    column: int
    span: int
    text: str
    box: Box


class GridRow(NamedTuple):
    """The entries of a row from left to right."""

    box: Box
    entries: tuple[Entry, ...]
    header: bool

    def at(self, column: int) -> Entry | None:
        """The entry that begins in a column."""
        return next((entry for entry in self.entries if entry.column == column), None)


def structured(
    block: Sequence[CellRow], columns: Columns, lines: Sequence[Line], across: Sequence[Segment] = ()
) -> Table:
    """The table that rows of pieces make in the given columns; `across` are the page's horizontal rules."""
    heads = header_height(block)
    split = [_cut_at_columns(row, columns) for row in block]
    names = [behind_blanks(row, lines) for row in split[:heads]]
    rows = _placed_headers(names, columns, across)
    rows += [_placed(row, columns) for row in split[heads:]]
    askew = sum(_is_askew(row, columns) for row in split[heads:])
    rows = _one_row_for_stacked_names(rows, across)
    rows = _one_row_for_wrapped_labels(rows, columns, across)
    swallowed = dict.fromkeys(i for row in block for cell in row.cells for i in cell.lines)
    box = bounding_box([lines[i] for i in swallowed])
    # Values are set flush right: where they end says on the next page whether the columns are the same.
    edges = (box.x0, *(end for _, end in columns[1:]), box.x1)
    cells = [
        TableCell(r, entry.column, entry.text, 1, entry.span, row.header, 0, entry.box)
        for r, row in enumerate(rows)
        for entry in row.entries
    ]
    doubtful = askew > MAX_ROWS_TWICE_SHARE * len(block)
    return table_of_cells(cells, (len(rows), len(columns)), box, tuple(swallowed), edges, doubtful=doubtful)


def header_height(block: Sequence[CellRow]) -> int:
    """How many rows at the top name columns: those above the first amount, or none."""
    for place, row in enumerate(block):
        if not is_header(row):
            return _without_labels(block, place)
    return 0


def _without_labels(block: Sequence[CellRow], first: int) -> int:
    """The height without the labels that stand between the names and the first amounts."""
    while first and len(block[first - 1].cells) == 1 and _is_label(block[first - 1].cells[0], block):
        first -= 1
    return first


def _is_label(cell: Cell, block: Sequence[CellRow]) -> bool:
    left = min(row.cells[0].x0 for row in block)
    firsts = [row.cells[1].x0 for row in block if len(row.cells) > 1]
    if not firsts:
        return False
    values_from = leftmost_but_strays(firsts, STRAY_VALUE_ROWS)
    longest = max(values_from, left + MIN_LABEL_COLUMN_PT)
    return cell.x0 < left + MAX_LABEL_INDENT_PT and cell.x1 < longest


def _cut_at_columns(row: CellRow, columns: Columns) -> CellRow:
    """The row with such pieces cut in two as end in a number that stands right in a number column."""
    cells: list[Cell] = []
    for cell in row.cells:
        text, _, last = cell.text.rpartition(" ")
        if text and is_value(last) and not is_value(text) and len(columns) > 1:
            em = (cell.x1 - cell.x0) / max(len(cell.text), 1)
            start = cell.x1 - em * len(last)
            column = column_of(Cell(start, cell.x1, last, ()), columns)
            left, right = columns[column]
            fits = left - MAX_VALUE_BEFORE_COLUMN_PT < start and abs(cell.x1 - right) < MAX_VALUE_END_SHIFT_PT
            if column and fits and cell.x0 < left - MIN_TEXT_BEFORE_COLUMN_PT:
                cells += (Cell(cell.x0, start - em, text, cell.lines), Cell(start, cell.x1, last, cell.lines))
                continue
        cells.append(cell)
    return row if len(cells) == len(row.cells) else row._replace(cells=tuple(cells))


def _is_askew(row: CellRow, columns: Columns) -> bool:
    """Whether two values of a row fall into one column."""
    if len(row.cells) == len(columns):
        return False
    places = [column_of(cell, columns) for cell in row.cells if is_value(cell.text)]
    return len(places) > len(set(places))


def _entry(cell: Cell, column: int, span: int, row: CellRow) -> Entry:
    return Entry(column, span, cell.text, Box(cell.x0, row.y0, cell.x1, row.y1))


def _placed(row: CellRow, columns: Columns) -> GridRow:
    """A row of values: each piece in the column that it shares most with."""
    by_column: dict[int, list[Cell]] = {}
    for place, cell in enumerate(row.cells):
        # A row with as many pieces as there are columns has one in each, wherever they seem to stand.
        column = place if len(row.cells) == len(columns) else column_of(cell, columns)
        by_column.setdefault(column, []).append(cell)
    entries = []
    for column, cells in sorted(by_column.items()):
        text = joined_text([cell.text for cell in cells])
        box = Box(cells[0].x0, row.y0, cells[-1].x1, row.y1)
        entries.append(Entry(column, 1, text, box))
    return GridRow(_row_box(row), tuple(entries), False)


def _row_box(row: CellRow) -> Box:
    return Box(row.cells[0].x0, row.y0, row.cells[-1].x1, row.y1)


def _placed_headers(heads: Sequence[CellRow], columns: Columns, across: Sequence[Segment]) -> list[GridRow]:
    """The rows of names. Those above others stand over these, where values are set flush right."""
    placed: list[GridRow] = []
    named = columns
    for row in reversed(heads):
        header = _placed_header(row, columns, named, across)
        names = {entry.column: (entry.box.x0, entry.box.x1) for entry in header.entries if entry.span == 1}
        if names.keys() >= set(range(1, len(columns))):
            named = [names.get(column, extent) for column, extent in enumerate(columns)]
        placed.append(header)
    return placed[::-1]


def _placed_header(row: CellRow, columns: Columns, named: Columns, across: Sequence[Segment]) -> GridRow:
    """A row of names, each over the columns that it names; `named` are these as the row below names them."""
    pieces = names_apart(row, columns)
    spans = columns_named(pieces, row, columns, named, across)
    in_order = [(c, c) for c in range(len(columns) - len(pieces), len(columns))]
    if spans != in_order and (years := years_in_order(pieces, columns)):
        pieces, spans = years, in_order
    entries: list[Entry] = []
    for cell, (first, last) in zip(pieces, spans, strict=True):
        before = entries[-1] if entries else None
        if before and before.column + before.span > first:
            box = bounding_box([before.box, Box(cell.x0, row.y0, cell.x1, row.y1)])
            end = max(before.column + before.span, last + 1)
            text = joined_text([before.text, cell.text])
            entries[-1] = Entry(before.column, end - before.column, text, box)
        else:
            entries.append(_entry(cell, first, last - first + 1, row))
    return GridRow(_row_box(row), tuple(entries), True)


def _is_ruled_off(upper: GridRow, lower: GridRow, across: Sequence[Segment]) -> bool:
    """Whether a rule runs between two rows."""
    top, bottom = upper.box.y1 - RULE_BETWEEN_ROWS_PT, lower.box.y0 + RULE_BETWEEN_ROWS_PT
    return any(
        top < rule.at < bottom and rule.start < lower.box.x1 and rule.end > lower.box.x0 for rule in across
    )


def _merged(upper: GridRow, lower: GridRow) -> GridRow:
    """One row of two: what stands in the same column goes on."""
    entries = {entry.column: entry for entry in upper.entries}
    for entry in lower.entries:
        above = entries.get(entry.column)
        if above:
            text = joined_text([above.text, entry.text])
            span = max(above.span, entry.span)
            entries[entry.column] = Entry(entry.column, span, text, bounding_box([above.box, entry.box]))
        else:
            entries[entry.column] = entry
    ordered = tuple(entry for _, entry in sorted(entries.items()))
    return GridRow(bounding_box([upper.box, lower.box]), ordered, upper.header)


def _one_row_for_stacked_names(rows: list[GridRow], across: Sequence[Segment]) -> list[GridRow]:
    """The rows with those header rows made one whose names go on from line to line."""
    merged: list[GridRow] = []
    for row in rows:
        above = merged[-1] if merged else None
        if above and above.header and row.header and _names_go_on(above, row, across):
            merged[-1] = _merged(above, row)
        else:
            merged.append(row)
    return merged


def _names_go_on(above: GridRow, row: GridRow, across: Sequence[Segment]) -> bool:
    """Whether the names of a row are the further lines of those above: close below, and none spans others."""
    height = min(entry.box.height for entry in row.entries)
    if row.box.y0 - above.box.y1 > MAX_NAME_LINE_GAP_LINES * height or _is_ruled_off(above, row, across):
        return False
    spans = {entry.column: entry.span for entry in above.entries}
    if row.entries[-1].column == 0 < above.entries[-1].column:
        return False  # a label below the names
    if any(entry.span != spans.get(entry.column, 1) for entry in row.entries):
        return False
    if max(spans.values()) > 1 and spans.keys() != {entry.column for entry in row.entries}:
        return False  # names under a group, not the group's own second line
    return not any(is_amount(entry.text) for entry in above.entries)


def _one_row_for_wrapped_labels(
    rows: list[GridRow], columns: Columns, across: Sequence[Segment]
) -> list[GridRow]:
    """The rows with labels of several lines put together."""
    gaps = [lower.box.y0 - upper.box.y1 for upper, lower in pairwise(rows) if not lower.header]
    usual = median(gaps) if gaps else 0.0
    labels = [row.entries[0] for row in rows if row.entries[0].column == 0 and not row.header]
    left = min((label.box.x0 for label in labels), default=0.0)
    right = max((label.box.x1 for label in labels), default=0.0)
    merged: list[GridRow] = []
    for row in rows:
        above = merged[-1] if merged else None
        if above is None or above.header or row.header or _is_ruled_off(above, row, across):
            merged.append(row)
        elif row.box.y0 - above.box.y1 < usual + MAX_WRAPPED_LABEL_GAP_PT and _label_goes_on(
            above, row, left, right
        ):
            merged[-1] = _merged(above, row)
        else:
            merged.append(row)
    return merged


def _label_goes_on(above: GridRow, row: GridRow, left: float, right: float) -> bool:
    """Whether a row goes on with the label above it, one of the two having nothing but the label."""
    upper, lower = above.at(0), row.at(0)
    if upper is None or lower is None or (len(above.entries) > 1 and len(row.entries) > 1):
        return False
    if upper.text.endswith((":", "：", ".", "。", ";")) or not lower.text:
        return False
    begins_small = lower.text[0].islower() or lower.text[0] in ")（(,"
    if len(above.entries) > 1:  # the values stand on the first line
        return lower.text[0].islower() and lower.box.x0 > upper.box.x0 - MAX_LABEL_OUTDENT_PT
    if lower.text[0].islower() or GOES_ON.fullmatch(upper.text):
        return True
    width = right - left
    is_full = upper.box.x1 - left > MIN_FULL_LABEL_SHARE * width and width > MIN_BROKEN_LABEL_COLUMN_PT
    is_hanging = lower.box.x0 > upper.box.x0 + MIN_HANGING_INDENT_PT
    return is_full and (begins_small or is_hanging) and not is_cjk(lower.text[0])
