"""Rows that a page break cut in two, told by their cells.

What stands at the top of the next page may be a row of its own that leaves cells empty. It is the rest of
the last row only where every text in it goes on with a full line of that row, and a column is empty in it
that is empty in no other row.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from held.document import TableCell
from held.layout.characters import is_cjk, text_width
from held.layout.tables.broken_numbers import whole_number
from held.layout.tables.cells import Table, joined_text
from held.layout.tables.values import is_value
from held.layout.tolerances import (
    CELL_PADDING_PT,
    MAX_TABLE_EM_PT,
    MIN_ROWS_AROUND_CUT_COUNT,
)

ENDS = "。.；;！!？?：:"  # of a sentence or of the words before a list
# What begins an item or a sentence of its own, rather than going on with one.
BEGINS = re.compile(
    r"[-–—•·●▪■□*☑√]|[(（]?(?:\d{1,2}|[一二三四五六七八九十]+|[a-zA-Z])[)）.、．]|[①-⑳]|[A-Z]"
)


def with_rest_of_row(upper: Table, lower: Table, place: int) -> Table | None:
    """The upper table, its last row made whole by the row at a place of the lower one; None where it is."""
    last = _cells_of_row(upper, len(upper.rows) - 1)
    rest = _cells_of_row(lower, place)
    if not upper.ruled or not rest or not _leaves_full_column_empty(upper, lower, place, rest):
        return None
    texts = {}
    for column, after in rest.items():
        before = last.get(column)
        text = None if before is None else _whole_text(before, after, upper.columns)
        if text is None:
            return None
        texts[column] = text
    return _with_texts(upper, texts)


def _cells_of_row(table: Table, row: int) -> dict[int, TableCell]:
    return {cell.column: cell for cell in table.cells if cell.row == row}


def _leaves_full_column_empty(upper: Table, lower: Table, place: int, rest: dict[int, TableCell]) -> bool:
    """Whether the row has nothing in a column in which all other rows below the names have a text."""
    names = {cell.row for cell in upper.cells if cell.header}
    rows = [row for r, row in enumerate(upper.rows) if r not in names]
    rows += lower.rows[place + 1 :]
    return len(rows) >= MIN_ROWS_AROUND_CUT_COUNT and any(
        column not in rest and all(row[column] for row in rows) for column in range(len(upper.columns) - 1)
    )


def _whole_text(before: TableCell, after: TableCell, columns: Sequence[float]) -> str | None:
    """The text of a cell and of its rest; None where the one does not go on with the other."""
    if (before.row_span, before.column_span) != (1, after.column_span) or after.row_span != 1:
        return None
    room = columns[before.column + before.column_span] - columns[before.column]
    if not _is_filled(before, after.text, room):
        return None
    if is_value(before.text) or is_value(after.text):
        return whole_number([before.text, after.text], filled=True)
    if before.text[-1] in ENDS or BEGINS.match(after.text):
        return None
    return joined_text([before.text, after.text])


def _is_filled(before: TableCell, after: str, room: float) -> bool:
    """Whether what comes after had no room on the line before: a Chinese character, or a word."""
    next_piece = after[0] if is_cjk(after[0]) else after.split()[0]
    return before.box.width + MAX_TABLE_EM_PT * text_width(next_piece) > room - CELL_PADDING_PT


def _with_texts(table: Table, texts: dict[int, str]) -> Table:
    """The table with other texts in its last row."""
    row = len(table.rows) - 1
    cells = tuple(
        cell._replace(text=texts[cell.column]) if cell.row == row and cell.column in texts else cell
        for cell in table.cells
    )
    last = tuple(texts.get(column, text) for column, text in enumerate(table.rows[-1]))
    return table._replace(rows=(*table.rows[:-1], last), cells=cells)
