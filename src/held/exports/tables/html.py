"""A table as HTML: a real head, spans, scopes, caption and unit, for eyes, screen readers and parsers.

End tags that HTML lets one leave out are left out: in tables they would make a third of a page.
"""

from __future__ import annotations

from collections.abc import Iterator

from held.document import TableCell
from held.exports.page import escaped
from held.layout.tables.logical_grid import Grid, figure_columns

NARROW = 16  # characters: a longer text in a column of figures is a remark, and is set from the left


def html_table(grid: Grid, *, caption: str = "", unit: str = "", below: bool = False) -> str:
    """The table that scrolls by itself where it is too wide; columns of figures end together.

    `below` tells that the caption is printed below the table.
    """
    right = figure_columns(grid.texts()[grid.head :])
    lines = [_line(grid, row, cells, right) for row, cells in enumerate(_by_row(grid))]
    top = "".join(lines[: grid.head])
    rest = "".join(lines[grid.head :])
    head = f"<thead>{top}" if top else ""
    return f'<div class="table"><table>{_caption(caption, unit, below)}{head}<tbody>{rest}</table></div>'


def _caption(caption: str, unit: str, below: bool) -> str:
    if not caption and not unit:
        return ""
    # A caption that says its unit need not say it twice.
    said = "" if not unit or unit in caption else f" <small>{escaped(unit)}</small>"
    return f"<caption{' class=below' if below else ''}>{escaped(caption)}{said}</caption>"


def _by_row(grid: Grid) -> Iterator[list[TableCell]]:
    """The cells that begin in each row, among them an empty one for each place that none covers."""
    begun: dict[tuple[int, int], TableCell] = {(cell.row, cell.column): cell for cell in grid.cells}
    covered_until = [0] * grid.width  # by column, the row below the cell that covers it
    for row in range(grid.height):
        cells = []
        for column in range(grid.width):
            cell = begun.get((row, column)) or TableCell(row, column, "", header=row < grid.head)
            if covered_until[column] > row:
                continue
            for spanned in range(column, column + cell.column_span):
                covered_until[spanned] = row + cell.row_span
            cells.append(cell)
        yield cells


def _line(grid: Grid, row: int, cells: list[TableCell], right: frozenset[int]) -> str:
    # A row's first cell names it where the columns have names, too, and another cell has something to say.
    labelled = grid.head > 0 and len([cell for cell in cells if cell.text]) > 1
    written = [_cell(cell, row < grid.head, labelled, cell.column in right) for cell in cells]
    return "<tr>" + "".join(written)


def _cell(cell: TableCell, in_head: bool, labelled: bool, right: bool) -> str:
    spans = ""
    if cell.column_span > 1:
        spans += f" colspan={cell.column_span}"
    if cell.row_span > 1:
        spans += f" rowspan={cell.row_span}"
    names_columns = in_head or cell.header
    if right and cell.column_span == 1 and (names_columns or len(cell.text) <= NARROW):
        spans += " class=n"
    text = escaped(cell.text)
    if not cell.text:
        return f"<td{spans}>"
    if names_columns:
        return f"<th scope={'colgroup' if cell.column_span > 1 else 'col'}{spans}>{text}"
    if labelled and cell.column == 0:
        return f"<th scope=row{spans}>{text}"
    return f"<td{spans}>{text}"
