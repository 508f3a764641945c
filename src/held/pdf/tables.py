"""The tables of a page, with and without drawn grids, and their joining over page breaks.

Precision comes first: a heading that a table swallows is lost to the tree, while a table that stays
unrecognised only leaves a few odd paragraphs.
"""

from __future__ import annotations

from collections.abc import Sequence
from collections.abc import Set as AbstractSet

from held.document import Box, PageContent
from held.pdf.alignment import realigned
from held.pdf.cells import Table
from held.pdf.grids import Grid, bands, grid_of, grid_table
from held.pdf.lines import Line
from held.pdf.strokes import Strokes, components, strokes_of
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
    tables: list[Table] = []
    single_rows: list[Table] = []
    strokes = strokes_of(page.rules, page.width * page.height)
    for table in _grid_tables(strokes, lines, free):
        (tables if len(table.rows) > 1 else single_rows).append(table)
    free = _without(free, tables)
    tables += aligned_tables(lines, free, _outside(strokes, tables))
    free_lines = set(_without(free, tables))
    for table in single_rows:
        if len(table.rows[0]) > 2 and free_lines.issuperset(table.lines):
            tables.append(table)
    return _stacked(sorted(tables, key=lambda table: table.box.y0), lines, _without(free, tables))


def _outside(strokes: Strokes, tables: list[Table]) -> Strokes:
    """The strokes without the horizontal lines of tables: between two tables they frame no third."""
    if not tables:
        return strokes
    across = [
        line
        for line in strokes.across
        if not any(box.y0 - 3 < line.at < box.y1 + 3 and box.x0 - 3 < line.start for box, *_ in tables)
    ]
    return strokes._replace(across=across)


def _stacked(tables: list[Table], lines: Sequence[Line], free: list[int]) -> list[Table]:
    """The tables, those that stand right upon each other made one: a drawn header over undrawn rows."""
    stacked: list[Table] = []
    for table in tables:
        if stacked:
            upper = stacked[-1]
            gap = _between(upper.box, table.box, lines, free)
            if gap is not None and upper.ruled and table.ruled:
                if not gap and goes_on(upper, table):
                    both = upper._replace(rows=upper.rows + table.rows, lines=upper.lines + table.lines)
                    stacked[-1] = both._replace(box=_around(upper.box, table.box))
                    continue
            elif gap is not None:
                whole = realigned([*upper.lines, *gap, *table.lines], lines)
                stacked[-1] = whole._replace(box=_around(upper.box, table.box), ruled=True)
                continue
        stacked.append(table)
    return stacked


def _between(upper: Box, lower: Box, lines: Sequence[Line], free: list[int]) -> list[int] | None:
    """The lines of a label between two boxes of one width, None where more than that parts them."""
    if abs(upper.x0 - lower.x0) > 16 or abs(upper.x1 - lower.x1) > 16:
        return None
    distance = lower.y0 - upper.y1
    if distance > 30:
        return None
    between = [i for i in free if upper.y1 - 2 < (lines[i].y0 + lines[i].y1) / 2 < lower.y0 + 2]
    if len(between) > 1:
        return None
    height = lines[between[0]].y1 - lines[between[0]].y0 if between else 0.0
    return between if distance - height < 6 else None


def _around(a: Box, b: Box) -> Box:
    return Box(min(a.x0, b.x0), min(a.y0, b.y0), max(a.x1, b.x1), max(a.y1, b.y1))


def _without(free: list[int], tables: list[Table]) -> list[int]:
    swallowed = {i for table in tables for i in table.lines}
    return [i for i in free if i not in swallowed] if swallowed else free


def _grid_tables(strokes: Strokes, lines: Sequence[Line], free: list[int]) -> list[Table]:
    """The tables that the page's grids make of its free lines."""
    tables: list[Table] = []
    for horizontal, vertical in components(strokes):
        whole = grid_of(horizontal, vertical)
        for grid in bands(whole) if whole else ():
            table = grid_table(grid, lines, _inside(grid, lines, free))
            if table:
                tables.append(table)
                free = _without(free, [table])
    return tables


def _inside(grid: Grid, lines: Sequence[Line], free: list[int]) -> list[int]:
    """The free lines whose middle lies in the grid."""
    top, bottom, left, right = 2 * grid.ys[0], 2 * grid.ys[-1], 2 * grid.xs[0], 2 * grid.xs[-1]
    return [
        i
        for i in free
        if top < lines[i].y0 + lines[i].y1 < bottom and left < lines[i].x0 + lines[i].x1 < right
    ]


def goes_on(upper: Table, lower: Table) -> bool:
    """Whether two tables, the last on one page and the first on the next, are one: their columns agree.

    Cells merged on one of the pages can hide a few of its columns.
    """
    if upper.ruled != lower.ruled:
        return False
    few, many = sorted((upper.columns, lower.columns), key=len)
    if not upper.ruled:
        same = zip(few, many, strict=False)
        return len(few) == len(many) and all(abs(a - b) < 4 * SAME_EDGE for a, b in same)
    return (
        len(few) > 0.6 * len(many)
        and abs(few[0] - many[0]) < SAME_EDGE
        and abs(few[-1] - many[-1]) < SAME_EDGE
        and all(min(abs(edge - other) for other in many) < SAME_EDGE for edge in few)
    )


def join(upper: Table, lower: Table) -> Table:
    """One table of both: the box and lines of the upper part, a repeated header only once."""
    columns = max(upper.columns, lower.columns, key=len)
    above, below = _spread(upper, columns), _spread(lower, columns)
    repeated = 0
    while repeated < min(len(above), len(below)) and above[repeated] == below[repeated]:
        repeated += 1
    return upper._replace(rows=above + below[repeated:], columns=columns)


def _spread(table: Table, columns: tuple[float, ...]) -> tuple[tuple[str, ...], ...]:
    """The table's rows over as many columns, each cell in the one whose left edge is nearest to its own."""
    if len(table.columns) == len(columns):
        return table.rows
    places = [
        min(range(len(columns) - 1), key=lambda c: abs(columns[c] - edge)) for edge in table.columns[:-1]
    ]
    spread = [[""] * (len(columns) - 1) for _ in table.rows]
    for cells, row in zip(spread, table.rows, strict=True):
        for place, text in zip(places, row, strict=True):
            cells[place] = text
    return tuple(map(tuple, spread))
