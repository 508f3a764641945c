"""Joins the parts of a table that a page break, or a gap, separates.

A page break may also cut a row. The first row of the next page is the rest of the last row only if every text
in it continues a full line of that row, and a column is empty in it that no other row leaves empty.
"""

from __future__ import annotations

from held.document import TableCell
from held.layout.characters import is_cjk, text_width
from held.layout.tables.cells import Table, join_number, join_texts
from held.layout.tables.words import is_value
from held.layout.tolerances import (
    CELL_PADDING_PT,
    MAX_TABLE_EM_PT,
    MIN_ROWS_AROUND_CUT_COUNT,
    MIN_SHARED_EDGES_SHARE,
    SAME_COLUMN_END_PT,
    SAME_DRAWN_EDGE_PT,
    SAME_LABEL_INDENT_PT,
)
from held.system.lazy_pattern import lazy_pattern

SENTENCE_ENDS = "。.；;！!？?：:"  # of a sentence, or of the words before a list
# What begins an item or a sentence of its own.
ITEM_START = lazy_pattern(
    r"[-–—•·●▪■□*☑√]|[(（]?(?:\d{1,2}|[一二三四五六七八九十]+|[a-zA-Z])[)）.、．]|[①-⑳]|[A-Z]"
)


def is_continuation(upper: Table, lower: Table) -> bool:
    """Whether two tables, the last on one page and the first on the next, are one: their columns agree."""
    if upper.ruled != lower.ruled:
        return False
    # Merged cells can hide a few columns on one of the pages.
    few, many = sorted((upper.columns, lower.columns), key=len)
    if upper.ruled:
        return _have_same_edges(few, many)
    if len(few) != len(many) or abs(few[0] - many[0]) > SAME_LABEL_INDENT_PT:
        return False
    # The ends of columns of words depend on the words. A repeated header is as good.
    ends = zip(few[1:], many[1:], strict=True)
    return _repeats_names(upper, lower) or all(abs(a - b) < SAME_COLUMN_END_PT for a, b in ends)


def _have_same_edges(few: tuple[float, ...], many: tuple[float, ...]) -> bool:
    if len(few) <= MIN_SHARED_EDGES_SHARE * len(many):
        return False
    if abs(few[0] - many[0]) >= SAME_DRAWN_EDGE_PT or abs(few[-1] - many[-1]) >= SAME_DRAWN_EDGE_PT:
        return False
    return all(min(abs(edge - other) for other in many) < SAME_DRAWN_EDGE_PT for edge in few)


def _repeats_names(upper: Table, lower: Table) -> bool:
    """Whether both begin with the same row, and one of the first two rows has several names."""
    has_names = any(sum(map(bool, row)) > 1 for row in upper.rows[:2])
    return has_names and upper.rows[:1] == lower.rows[:1]


def join_tables(upper: Table, lower: Table) -> Table:
    """One table of both: the box and lines of the upper part, a repeated header only once."""
    columns = max(upper.columns, lower.columns, key=len)
    above, below = _spread_over(upper, columns), _spread_over(lower, columns)
    first = _count_repeated_rows(above, below)  # row of the lower part that is a row of its own
    if first < len(below.rows) and _are_on_two_pages(above, below):
        completed = _complete_last_row(above, below, first)
        if completed:
            above, first = completed, first + 1
    moved = [
        cell._replace(row=cell.row + len(above.rows) - first, header=False)
        for cell in below.cells
        if cell.row >= first
    ]
    return upper._replace(
        rows=above.rows + below.rows[first:],
        columns=columns,
        cells=(*above.cells, *moved),
    )


def _count_repeated_rows(upper: Table, lower: Table) -> int:
    count = 0
    for above, below in zip(upper.rows, lower.rows, strict=False):
        if above != below:
            break
        count += 1
    return count


def _are_on_two_pages(upper: Table, lower: Table) -> bool:
    # Within one page no row is cut.
    return bool(upper.cells and lower.cells) and upper.cells[-1].page != lower.cells[0].page


def _spread_over(table: Table, columns: tuple[float, ...]) -> Table:
    """The table over more columns, each cell in the one whose left edge is nearest to its own."""
    if len(table.columns) == len(columns):
        return table
    width = len(columns) - 1
    targets = []
    for edge in table.columns[:-1]:
        distances = [abs(column - edge) for column in columns[:-1]]
        targets.append(distances.index(min(distances)))
    rows = []
    for row in table.rows:
        texts = [""] * width
        for column, text in zip(targets, row, strict=True):
            texts[column] = text
        rows.append(tuple(texts))
    targets.append(width)
    cells = []
    for cell in table.cells:
        first = targets[cell.column]
        end = targets[min(cell.column + cell.column_span, len(targets) - 1)]
        cells.append(cell._replace(column=first, column_span=max(1, end - first)))
    return table._replace(rows=tuple(rows), cells=tuple(cells))


def _complete_last_row(upper: Table, lower: Table, index: int) -> Table | None:
    """The upper table with its last row completed by a row of the lower one; None if that isn't its rest."""
    last = _row_cells(upper, len(upper.rows) - 1)
    rest = _row_cells(lower, index)
    if not upper.ruled or not rest or not _leaves_full_column_empty(upper, lower, index):
        return None
    texts = {}
    for column, after in rest.items():
        before = last.get(column)
        text = _whole_text(before, after, upper.columns) if before else None
        if text is None:
            return None
        texts[column] = text
    return _replace_last_row(upper, texts)


def _row_cells(table: Table, row: int) -> dict[int, TableCell]:
    return {cell.column: cell for cell in table.cells if cell.row == row}


def _leaves_full_column_empty(upper: Table, lower: Table, index: int) -> bool:
    """Whether the row is empty in a column that all other rows below the header fill."""
    header = {cell.row for cell in upper.cells if cell.header}
    others = [row for r, row in enumerate(upper.rows) if r not in header]
    others += lower.rows[index + 1 :]
    if len(others) < MIN_ROWS_AROUND_CUT_COUNT:
        return False
    rest = _row_cells(lower, index)
    for column in range(len(upper.columns) - 1):
        if column not in rest and all(row[column] for row in others):
            return True
    return False


def _whole_text(before: TableCell, after: TableCell, columns: tuple[float, ...]) -> str | None:
    """The text of a cell and its rest; None if the one doesn't continue the other."""
    if before.row_span != 1 or after.row_span != 1 or before.column_span != after.column_span:
        return None
    width = columns[before.column + before.column_span] - columns[before.column]
    if not _is_full(before, after.text, width):
        return None
    if is_value(before.text) or is_value(after.text):
        return join_number([before.text, after.text], filled=True)
    if before.text[-1] in SENTENCE_ENDS or ITEM_START.match(after.text):
        return None
    return join_texts([before.text, after.text])


def _is_full(before: TableCell, after: str, width: float) -> bool:
    """Whether the line before has no space for what follows: a Chinese character, or a word."""
    next_piece = after[0] if is_cjk(after[0]) else after.split()[0]
    return before.box.width + MAX_TABLE_EM_PT * text_width(next_piece) > width - CELL_PADDING_PT


def _replace_last_row(table: Table, texts: dict[int, str]) -> Table:
    last = len(table.rows) - 1
    cells = []
    for cell in table.cells:
        if cell.row == last and cell.column in texts:
            cell = cell._replace(text=texts[cell.column])
        cells.append(cell)
    row = tuple(texts.get(column, text) for column, text in enumerate(table.rows[last]))
    return table._replace(rows=(*table.rows[:last], row), cells=tuple(cells))
