"""The tables of a page, with and without drawn grids, and their joining over page breaks.

Precision comes first: a heading that a table swallows is lost to the tree, while a table that stays
unrecognised only leaves a few odd paragraphs.
"""

from __future__ import annotations

from collections.abc import Sequence
from collections.abc import Set as AbstractSet

from held.document import PageContent
from held.pdf.grids import Segment, Table, components, grid_of, grid_table, straight_lines
from held.pdf.lines import Line
from held.pdf.unruled import aligned_tables

__all__ = ["Table", "find_tables", "goes_on", "join"]

SAME_EDGE = 4.0  # points by which column edges differ from page to page


def find_tables(
    page: PageContent, lines: Sequence[Line], *, taken: AbstractSet[int] = frozenset()
) -> list[Table]:
    """The tables of a page from top to bottom; lines in `taken` are known to be something else."""
    free = [i for i in range(len(lines)) if i not in taken]
    if len(free) < 3:
        return []
    across: list[Segment] = []
    tables: list[Table] = []
    single_rows: list[Table] = []
    if page.rules:
        across, down = straight_lines(page.rules, page.width * page.height)
        for table in _grid_tables(across, down, lines, free):
            (tables if len(table.rows) > 1 else single_rows).append(table)
        free = _without(free, tables)
    tables += aligned_tables(lines, free, across, page.rules)
    free_lines = set(_without(free, tables))
    for table in single_rows:
        if sum(map(bool, table.rows[0])) > 2 and free_lines.issuperset(table.lines):
            tables.append(table)
    return sorted(tables, key=lambda table: table.box.y0)


def _without(free: list[int], tables: list[Table]) -> list[int]:
    swallowed = {i for table in tables for i in table.lines}
    return [i for i in free if i not in swallowed] if swallowed else free


def _grid_tables(
    across: list[Segment], down: list[Segment], lines: Sequence[Line], free: list[int]
) -> list[Table]:
    """The tables that the page's grids make of its free lines."""
    tables: list[Table] = []
    if len(down) < 2 or not across:
        return tables
    for horizontal, vertical in components(across, down):
        grid = grid_of(horizontal, vertical)
        if grid is None:
            continue
        top, bottom, left, right = grid.ys[0], grid.ys[-1], grid.xs[0], grid.xs[-1]
        inside = [
            i
            for i in free
            if top < (lines[i].y0 + lines[i].y1) / 2 < bottom
            and left < (lines[i].x0 + lines[i].x1) / 2 < right
        ]
        table = grid_table(grid, lines, inside) if len(inside) > 1 else None
        if table:
            tables.append(table)
            free = _without(free, [table])
    return tables


def goes_on(upper: Table, lower: Table) -> bool:
    """Whether two tables, the last on one page and the first on the next, are one: their columns agree."""
    if upper.ruled != lower.ruled:
        return False
    if len(upper.columns) != len(lower.columns):
        return False
    tolerance = SAME_EDGE if upper.ruled else 4 * SAME_EDGE
    return all(abs(a - b) < tolerance for a, b in zip(upper.columns, lower.columns, strict=True))


def join(upper: Table, lower: Table) -> Table:
    """One table of both: the box, lines and columns of the upper part, a repeated header row only once."""
    rows = lower.rows
    while rows and rows[0] == upper.rows[len(lower.rows) - len(rows)]:
        rows = rows[1:]
    return upper._replace(rows=upper.rows + rows)
