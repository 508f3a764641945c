"""The tables of a page, with and without drawn grids, and their joining over page breaks.

Precision comes first: a heading that a table swallows is lost to the tree, while a table that stays
unrecognised only leaves a few odd paragraphs.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from collections.abc import Set as AbstractSet

from held.document import Box, PageContent, around
from held.pdf.lines.lines import Line
from held.pdf.lines.strokes import Strokes, components, strokes_of
from held.pdf.tables.alignment import realigned
from held.pdf.tables.cells import Table
from held.pdf.tables.grids import Grid, bands, grid_of, grid_table
from held.pdf.tables.lookalikes import is_numbered
from held.pdf.tables.unruled import aligned_tables

__all__ = ["Table", "find_tables", "goes_on", "join"]

NEAR_GRID = 16.0  # points between a grid and the coordinates along it
FEWEST_COORDINATES = 4
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
    strokes = strokes_of(page)
    for table in _grid_tables(strokes, lines, free):
        (tables if len(table.rows) > 1 else single_rows).append(table)
    free = _without(free, tables)
    tables += aligned_tables(lines, free, _outside(strokes, tables))
    left = set(_without(free, tables))
    tables += [table for table in single_rows if left.issuperset(table.lines) and _is_row(table, lines)]
    return _stacked(sorted(tables, key=lambda table: table.box.y0), lines, _without(free, tables))


def _is_row(table: Table, lines: Sequence[Line]) -> bool:
    """Whether a grid of one row is the rest of a table, not words on shades of their own."""
    cells = table.rows[0]
    height = max(lines[i].y1 - lines[i].y0 for i in table.lines)
    return (sum(map(bool, cells)) > 2 or len(cells) > 4) and table.box.height > 1.2 * height


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
        upper = stacked[-1] if stacked else None
        labels = None if upper is None else _labels_between(upper, table, lines, free)
        if upper is None or labels is None:
            stacked.append(table)
        elif not (upper.ruled and table.ruled):
            whole = realigned([*upper.lines, *labels, *table.lines], lines)
            stacked[-1] = whole._replace(box=_around(upper.box, table.box), ruled=upper.ruled or table.ruled)
        elif not labels and goes_on(upper, table):
            whole = join(upper, table)
            stacked[-1] = whole._replace(box=_around(upper.box, table.box), lines=upper.lines + table.lines)
        else:
            stacked.append(table)
    return stacked


def _labels_between(upper: Table, lower: Table, lines: Sequence[Line], free: list[int]) -> list[int] | None:
    """The label between a drawn header and undrawn rows, if any; None where more parts the two."""
    above, below = upper.box, lower.box
    distance = below.y0 - above.y1
    if abs(above.x0 - below.x0) > 16 or abs(above.x1 - below.x1) > 16 or distance > 30:
        return None
    between = [i for i in free if above.y1 - 2 < (lines[i].y0 + lines[i].y1) / 2 < below.y0 + 2]
    if len(between) > (upper.ruled and not lower.ruled):
        return None
    if any(lines[i].size > 1.12 * lines[lower.lines[0]].size or is_numbered(lines[i].text) for i in between):
        return None
    return between if distance - sum(lines[i].y1 - lines[i].y0 for i in between) < 6 else None


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
                table = _with_coordinates(table, grid, lines, free)
                tables.append(table)
                free = _without(free, [table])
    return tables


def _with_coordinates(table: Table, grid: Grid, lines: Sequence[Line], free: list[int]) -> Table:
    """The table with the letters or numbers that stand outside the grid along its rows and columns."""
    height, width = len(table.rows), len(table.columns) - 1
    if height != len(grid.ys) - 1 or height < FEWEST_COORDINATES or width < FEWEST_COORDINATES:
        return table
    left, right, top, bottom = grid.xs[0], grid.xs[-1], grid.ys[0], grid.ys[-1]
    rows, box = table.rows, table.box
    beside = {
        bisect_right(grid.ys, (lines[i].y0 + lines[i].y1) / 2) - 1: i
        for i in free
        if 0 <= left - lines[i].x1 < NEAR_GRID and top < lines[i].y0 and lines[i].y1 < bottom
    }
    if len(beside) == height and all(len(lines[i].text) < 4 for i in beside.values()):
        rows = tuple((lines[beside[r]].text, *row) for r, row in enumerate(rows))
        box = _around(box, around([lines[i] for i in beside.values()]))
        table = table._replace(box=box, rows=rows, lines=(*table.lines, *beside.values()))
        table = table._replace(columns=(box.x0, *table.columns))
    above = [
        i for i in free if 0 <= top - lines[i].y1 < NEAR_GRID and left < lines[i].x0 and lines[i].x1 < right
    ]
    names = [name for i in sorted(above, key=lambda i: lines[i].x0) for name in lines[i].text.split()]
    if len(names) == width and all(len(name) < 4 for name in names):
        header = (*[""] * (len(rows[0]) - width), *names)
        box = _around(box, around([lines[i] for i in above]))
        table = table._replace(box=box, rows=(header, *rows), lines=(*above, *table.lines))
    return table


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
        # Where columns part and end depends on the words in them; a repeated header tells as much.
        told = 1 if _repeats_header(upper, lower) else len(few)
        same = zip(few[:told], many, strict=False)
        return len(few) == len(many) and all(abs(a - b) < 4 * SAME_EDGE for a, b in same)
    return (
        len(few) > 0.6 * len(many)
        and abs(few[0] - many[0]) < SAME_EDGE
        and abs(few[-1] - many[-1]) < SAME_EDGE
        and all(min(abs(edge - other) for other in many) < SAME_EDGE for edge in few)
    )


def _repeats_header(upper: Table, lower: Table) -> bool:
    return upper.rows[0] == lower.rows[0] and sum(map(bool, upper.rows[0])) > 1


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
