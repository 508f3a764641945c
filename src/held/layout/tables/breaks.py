"""Tables that go on over a page break, or below a gap: are two one, and what is the whole."""

from __future__ import annotations

from held.document import TableCell
from held.layout.tables.broken_rows import with_rest_of_row
from held.layout.tables.cells import Table
from held.layout.tolerances import (
    MIN_SHARED_EDGES_SHARE,
    SAME_COLUMN_END_PT,
    SAME_DRAWN_EDGE_PT,
    SAME_LABEL_INDENT_PT,
)


def goes_on(upper: Table, lower: Table) -> bool:
    """Whether two tables, the last on one page and the first on the next, are one: their columns agree.

    Cells merged on one of the pages can hide a few of its columns.
    """
    if upper.ruled != lower.ruled:
        return False
    few, many = sorted((upper.columns, lower.columns), key=len)
    if not upper.ruled:
        if len(few) != len(many) or abs(few[0] - many[0]) > SAME_LABEL_INDENT_PT:
            return False
        # Where columns of words end depends on the words; a repeated header tells as much.
        ends = zip(few[1:], many[1:], strict=True)
        return repeated_rows(upper, lower) > 0 or all(abs(a - b) < SAME_COLUMN_END_PT for a, b in ends)
    return (
        len(few) > MIN_SHARED_EDGES_SHARE * len(many)
        and abs(few[0] - many[0]) < SAME_DRAWN_EDGE_PT
        and abs(few[-1] - many[-1]) < SAME_DRAWN_EDGE_PT
        and all(min(abs(edge - other) for other in many) < SAME_DRAWN_EDGE_PT for edge in few)
    )


def repeated_rows(upper: Table, lower: Table) -> int:
    """How many rows at the top of both are the same, the first of them with several names."""
    if not upper.rows or sum(map(bool, upper.rows[0])) < 2:
        several = len(upper.rows) > 1 and sum(map(bool, upper.rows[1])) > 1
        if not several:
            return 0
    same = 0
    while same < min(len(upper.rows), len(lower.rows)) and upper.rows[same] == lower.rows[same]:
        same += 1
    return same


def join(upper: Table, lower: Table) -> Table:
    """One table of both: the box and lines of the upper part, a repeated header only once."""
    columns = max(upper.columns, lower.columns, key=len)
    above, below = _spread(upper, columns), _spread(lower, columns)
    repeated = 0
    while repeated < min(len(above.rows), len(below.rows)) and above.rows[repeated] == below.rows[repeated]:
        repeated += 1
    first = repeated  # row of the lower part that is a row of its own
    if first < len(below.rows) and _are_on_two_pages(above, below):
        whole = with_rest_of_row(above, below, first)
        if whole:
            above, first = whole, first + 1
    moved = [
        cell._replace(row=cell.row + len(above.rows) - first, header=False)
        for cell in below.cells
        if cell.row >= first
    ]
    return upper._replace(
        rows=above.rows + below.rows[first:],
        columns=columns,
        cells=(*above.cells, *moved),
        doubtful=upper.doubtful or lower.doubtful,
    )


def _are_on_two_pages(upper: Table, lower: Table) -> bool:
    """Whether the parts stand on pages of their own: within one no row is cut."""
    return bool(upper.cells and lower.cells) and upper.cells[-1].page != lower.cells[0].page


def _spread(table: Table, columns: tuple[float, ...]) -> Table:
    """The table over as many columns, each cell in the one whose left edge is nearest to its own."""
    if len(table.columns) == len(columns):
        return table
    places = [
        min(range(len(columns) - 1), key=lambda c: abs(columns[c] - edge)) for edge in table.columns[:-1]
    ]
    spread = [[""] * (len(columns) - 1) for _ in table.rows]
    for cells, row in zip(spread, table.rows, strict=True):
        for place, text in zip(places, row, strict=True):
            cells[place] = text
    moved = tuple(_moved(cell, [*places, len(columns) - 1]) for cell in table.cells)
    return table._replace(rows=tuple(map(tuple, spread)), cells=moved)


def _moved(cell: TableCell, places: list[int]) -> TableCell:
    first = places[cell.column]
    end = places[min(cell.column + cell.column_span, len(places) - 1)]
    return cell._replace(column=first, column_span=max(1, end - first))
