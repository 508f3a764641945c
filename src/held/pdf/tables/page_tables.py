"""The tables of a page, with and without drawn grids, and their joining over page breaks.

Precision comes first: a heading that a table swallows is lost to the tree, while a table that stays
unrecognised only leaves a few odd paragraphs.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from itertools import pairwise

from held.document import Box, PageContent, around
from held.pdf.lines.lines import Line
from held.pdf.lines.strokes import Strokes, components, strokes_of
from held.pdf.tables.breaks import goes_on, join
from held.pdf.tables.cells import Table
from held.pdf.tables.crowded import is_crowded
from held.pdf.tables.grids import Grid, bands, grid_of, grid_table, regions_of
from held.pdf.tables.lookalikes import is_numbered
from held.pdf.tables.unruled import aligned_tables, realigned
from held.pdf.tables.values import AFTER_NUMBER, BEFORE_NUMBER, is_amount, is_value

HEADER_GAP = 1.5  # row heights between a grid and the names of its columns above it
MOST_HEAD_ROWS = 5
NEAR_GRID = 16.0  # points between a grid and the coordinates along it
FEWEST_COORDINATES = 4
LONGEST_COORDINATE = 3  # characters
SIGN_ENDS = frozenset(sign[-1] for sign in BEFORE_NUMBER)  # most cells end otherwise, and are no signs
MOST_OUTSIDE = 0.55  # share of a grid's rows that may go on outside of it


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
    drawn, bands_only = _grid_tables(strokes, lines, free)
    for table in drawn:
        (tables if len(table.rows) > 1 else single_rows).append(table)
    free = _without(free, tables)
    tables += aligned_tables(lines, free, _outside(strokes, tables), bands_only)
    left = set(_without(free, tables))
    tables += [table for table in single_rows if left.issuperset(table.lines) and _is_row(table, lines)]
    return _stacked(sorted(tables, key=lambda table: table.box.y0), lines, _without(free, tables), strokes)


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


def _stacked(tables: list[Table], lines: Sequence[Line], free: list[int], strokes: Strokes) -> list[Table]:
    """The tables, those that stand right upon each other made one: a drawn header over undrawn rows."""
    stacked: list[Table] = []
    for table in tables:
        upper = stacked[-1] if stacked else None
        labels = None if upper is None else _labels_between(upper, table, lines, free)
        if upper is None or labels is None:
            stacked.append(table)
        elif not (upper.ruled and table.ruled):
            whole = realigned([*upper.lines, *labels, *table.lines], lines, strokes)
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


def _grid_tables(strokes: Strokes, lines: Sequence[Line], free: list[int]) -> tuple[list[Table], list[Box]]:
    """The tables that the page's grids make of its free lines, and the grids that only tell where one is."""
    tables: list[Table] = []
    bands_only: list[Box] = []
    for horizontal, vertical in components(strokes):
        whole = grid_of(horizontal, vertical)
        for grid in bands(whole) if whole else ():
            inside = _inside(grid, lines, free)
            regions = regions_of(grid)
            table = grid_table(grid, regions, lines, inside)
            if table and (_has_sign_cells(table) or is_crowded(grid, regions, lines, inside)):
                bands_only.append(Box(grid.xs[0], grid.ys[0], grid.xs[-1], grid.ys[-1]))
            elif table and _is_headed_outside(table, lines, free):
                bands_only.append(table.box)
            elif table and not _is_not_whole(table, lines, free):
                table = _with_coordinates(table, grid, lines, free)
                tables.append(table)
                free = _without(free, [table])
    return tables, bands_only


def _has_sign_cells(table: Table) -> bool:
    """Whether signs have drawn cells of their own, which belong to the numbers in the next."""
    for row in table.rows:
        texts = [text for text in row if text]
        for sign, after in pairwise([*texts, ""]):
            if sign[-1] not in SIGN_ENDS:
                continue
            signs = sign.split()
            if BEFORE_NUMBER.issuperset(signs) and (len(signs) > 1 or is_amount(after)):
                return True
    return False


def _is_not_whole(table: Table, lines: Sequence[Line], free: list[int]) -> bool:
    """Whether the rows of a grid go on outside: labels left of its numbers, or numbers at its right."""
    if len(table.rows) < FEWEST_COORDINATES:
        return False
    box = table.box
    level = [i for i in free if box.y0 < (lines[i].y0 + lines[i].y1) / 2 < box.y1]
    left = [i for i in level if lines[i].x1 < box.x0 + 3 and len(lines[i].text) > LONGEST_COORDINATE]
    right = [i for i in level if lines[i].x0 > box.x1 - 3]
    numbers = sum(is_value(row[0]) for row in table.rows)
    labelled = numbers > MOST_OUTSIDE * len(table.rows) and _at_rows(left, table, lines)
    return labelled or (_at_rows(right, table, lines) and all(_is_valued(lines[i].text) for i in right))


def _is_valued(text: str) -> bool:
    return all(word in BEFORE_NUMBER or word in AFTER_NUMBER or is_value(word) for word in text.split())


def _is_headed_outside(table: Table, lines: Sequence[Line], free: list[int]) -> bool:
    """Whether a grid of labels and amounts has the names of its columns outside, right above it."""
    if len(table.rows) < FEWEST_COORDINATES or len(table.columns) < 3:
        return False
    numeric = sum(any(map(is_amount, row[1:])) for row in table.rows)
    names = [row for row in table.rows[:MOST_HEAD_ROWS] if sum(map(bool, row)) > 1]
    if 2 * numeric < len(table.rows) or not names or not any(map(is_amount, names[0])):
        return False
    box, values_from = table.box, table.columns[1]
    height = lines[table.lines[0]].y1 - lines[table.lines[0]].y0
    return any(
        0 <= box.y0 - lines[i].y1 < HEADER_GAP * height and values_from - 10 < lines[i].x0 < box.x1
        for i in free
    )


def _at_rows(outside: list[int], table: Table, lines: Sequence[Line]) -> bool:
    """Whether lines outside a grid stand on the heights of its own lines, beside most of its rows."""
    if not outside:
        return False
    heights = [lines[i].y0 + lines[i].y1 for i in table.lines]
    on_height = sum(any(abs(lines[i].y0 + lines[i].y1 - y) < 6 for y in heights) for i in outside)
    return on_height > MOST_OUTSIDE * max(len(table.rows), len(outside))


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
    if len(beside) == height and all(len(lines[i].text) <= LONGEST_COORDINATE for i in beside.values()):
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
