"""The tables of a page, with and without drawn grids, and their joining over page breaks.

Precision comes first: a heading that a table swallows is lost to the tree, while a table that stays
unrecognised only leaves a few odd paragraphs.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from itertools import pairwise

from held.document import Box, PageContent, bounding_box
from held.layout.lines import Line
from held.layout.strokes import Segment, Strokes, connected_components, find_strokes
from held.layout.tables.borderless import aligned_tables, realigned
from held.layout.tables.breaks import goes_on, join
from held.layout.tables.cells import Table
from held.layout.tables.grid_contents import contents_of
from held.layout.tables.grid_tables import grid_table
from held.layout.tables.grids import Grid, bands, grid_of, regions_of
from held.layout.tables.lookalikes import is_numbered
from held.layout.tables.stripes import with_white_rows
from held.layout.tables.undersegmented import is_crowded
from held.layout.tables.values import AFTER_NUMBER, BEFORE_NUMBER, is_amount, is_value
from held.layout.tolerances import (
    MAX_COORDINATE_CHARS,
    MAX_COORDINATE_GAP_PT,
    MAX_HEADER_ROWS_COUNT,
    MAX_NAME_OUTDENT_PT,
    MAX_NAMES_ABOVE_GRID_LINES,
    MAX_OVERLAP_WITH_GRID_PT,
    MAX_STACKED_DISTANCE_PT,
    MAX_STACKED_EDGE_SHIFT_PT,
    MAX_STACKED_WHITE_PT,
    MIN_COLUMNS_NAMED_OUTSIDE_COUNT,
    MIN_COORDINATES_COUNT,
    MIN_LONE_ROW_CELLS_COUNT,
    MIN_LONE_ROW_FILLED_COUNT,
    MIN_LONE_ROW_HEIGHT_LINES,
    MIN_PAGE_LINES_COUNT,
    MIN_ROWS_BESIDE_TEXT_COUNT,
    MIN_ROWS_CONTINUED_SHARE,
    MIN_TITLE_SIZE_TIMES,
    SAME_ROW_MIDDLE_PT,
    STACKED_LABEL_REACH_PT,
    TABLE_RULE_MARGIN_PT,
)

SIGN_ENDS = frozenset(sign[-1] for sign in BEFORE_NUMBER)  # most cells end otherwise, and are no signs
UNIT = re.compile(r"[(（]?(?:金额|数量|货币)?单位\s*[:：]")  # of all values, at the right above a grid

# Tables that stand right upon each other.


def find_tables(
    page: PageContent, lines: Sequence[Line], *, taken: AbstractSet[int] = frozenset()
) -> list[Table]:
    """The tables of a page from top to bottom; lines in `taken` are known to be something else."""
    free = [i for i in range(len(lines)) if i not in taken]
    if len(free) < MIN_PAGE_LINES_COUNT:
        return []
    tables: list[Table] = []
    single_rows: list[Table] = []
    strokes = find_strokes(page)
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
    filled = sum(map(bool, cells))
    if filled < MIN_LONE_ROW_FILLED_COUNT and len(cells) < MIN_LONE_ROW_CELLS_COUNT:
        return False
    height = max(lines[i].y1 - lines[i].y0 for i in table.lines)
    return table.box.height > MIN_LONE_ROW_HEIGHT_LINES * height


def _outside(strokes: Strokes, tables: list[Table]) -> Strokes:
    """The strokes without the horizontal lines of tables: between two tables they frame no third."""
    if not tables:
        return strokes
    boxes = [table.box for table in tables]
    across = [rule for rule in strokes.across if not any(_is_rule_of(box, rule) for box in boxes)]
    return strokes._replace(across=across)


def _is_rule_of(box: Box, rule: Segment) -> bool:
    at_height = box.y0 - TABLE_RULE_MARGIN_PT < rule.at < box.y1 + TABLE_RULE_MARGIN_PT
    return at_height and box.x0 - TABLE_RULE_MARGIN_PT < rule.start


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
    share_edges = (
        abs(above.x0 - below.x0) <= MAX_STACKED_EDGE_SHIFT_PT
        and abs(above.x1 - below.x1) <= MAX_STACKED_EDGE_SHIFT_PT
    )
    if not share_edges or distance > MAX_STACKED_DISTANCE_PT:
        return None
    top, bottom = above.y1 - STACKED_LABEL_REACH_PT, below.y0 + STACKED_LABEL_REACH_PT
    between = [i for i in free if top < lines[i].middle < bottom]
    is_header_over_rows = upper.ruled and not lower.ruled
    if len(between) > is_header_over_rows:
        return None
    largest = MIN_TITLE_SIZE_TIMES * lines[lower.lines[0]].size
    if any(lines[i].size > largest or is_numbered(lines[i].text) for i in between):
        return None
    white = distance - sum(lines[i].y1 - lines[i].y0 for i in between)
    return between if white < MAX_STACKED_WHITE_PT else None


def _around(a: Box, b: Box) -> Box:
    return Box(min(a.x0, b.x0), min(a.y0, b.y0), max(a.x1, b.x1), max(a.y1, b.y1))


def _without(free: list[int], tables: list[Table]) -> list[int]:
    swallowed = {i for table in tables for i in table.lines}
    return [i for i in free if i not in swallowed] if swallowed else free


def _grid_tables(strokes: Strokes, lines: Sequence[Line], free: list[int]) -> tuple[list[Table], list[Box]]:
    """The tables that the page's grids make of its free lines, and the grids that only tell where one is."""
    tables: list[Table] = []
    bands_only: list[Box] = []
    wholes = [grid_of(horizontal, vertical) for horizontal, vertical in connected_components(strokes)]
    grids = [grid for whole in wholes if whole for grid in bands(whole)]
    for grid in with_white_rows(grids, [lines[i] for i in free]):
        inside = _inside(grid, lines, free)
        regions = regions_of(grid)
        contents = contents_of(grid, regions, lines, inside)
        table = grid_table(grid, regions, lines, contents)
        if table is None:
            continue
        if _has_sign_cells(table) or is_crowded(grid, regions, lines, inside, contents.cells):
            bands_only.append(Box(grid.xs[0], grid.ys[0], grid.xs[-1], grid.ys[-1]))
        elif _is_headed_outside(table, lines, free):
            bands_only.append(table.box)
        elif not _is_not_whole(table, lines, free):
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
    if len(table.rows) < MIN_ROWS_BESIDE_TEXT_COUNT:
        return False
    box = table.box
    level = [i for i in free if box.y0 < lines[i].middle < box.y1]
    if not level:
        return False
    left = [i for i in level if lines[i].x1 < box.x0 + MAX_OVERLAP_WITH_GRID_PT]
    labels = [i for i in left if len(lines[i].text) > MAX_COORDINATE_CHARS]
    numbers = sum(is_value(row[0]) for row in table.rows)
    if numbers > MIN_ROWS_CONTINUED_SHARE * len(table.rows) and _at_rows(labels, table, lines):
        return True
    right = [i for i in level if lines[i].x0 > box.x1 - MAX_OVERLAP_WITH_GRID_PT]
    return _at_rows(right, table, lines) and all(_is_valued(lines[i].text) for i in right)


def _is_valued(text: str) -> bool:
    """Whether a text is made of numbers and their signs."""
    words = text.split()
    return all(word in BEFORE_NUMBER or word in AFTER_NUMBER or is_value(word) for word in words)


def _is_headed_outside(table: Table, lines: Sequence[Line], free: list[int]) -> bool:
    """Whether a grid of labels and amounts has the names of its columns outside, right above it."""
    if len(table.rows) < MIN_ROWS_BESIDE_TEXT_COUNT or len(table.columns) < MIN_COLUMNS_NAMED_OUTSIDE_COUNT:
        return False
    with_amounts = sum(any(map(is_amount, row[1:])) for row in table.rows)
    if 2 * with_amounts < len(table.rows):
        return False
    first = next((r for r, row in enumerate(table.rows) if sum(map(bool, row)) > 1), None)
    if first is None or first >= MAX_HEADER_ROWS_COUNT or not any(map(is_amount, table.rows[first])):
        return False  # it has names of its own
    sample = lines[table.lines[0]]
    farthest = MAX_NAMES_ABOVE_GRID_LINES * (sample.y1 - sample.y0)
    values_from = table.columns[1] - MAX_NAME_OUTDENT_PT
    for i in free:
        gap = table.box.y0 - lines[i].y1
        if 0 <= gap < farthest and values_from < lines[i].x0 < table.box.x1 and not UNIT.match(lines[i].text):
            return True
    return False


def _at_rows(outside: list[int], table: Table, lines: Sequence[Line]) -> bool:
    """Whether lines outside a grid stand on the heights of its own lines, beside most of its rows."""
    if not outside:
        return False
    heights = [lines[i].middle for i in table.lines]
    on_height = 0
    for i in outside:
        middle = lines[i].middle
        on_height += any(abs(middle - height) < SAME_ROW_MIDDLE_PT for height in heights)
    return on_height > MIN_ROWS_CONTINUED_SHARE * max(len(table.rows), len(outside))


def _with_coordinates(table: Table, grid: Grid, lines: Sequence[Line], free: list[int]) -> Table:
    """The table with the letters or numbers that stand outside the grid along its rows and columns."""
    height, width = len(table.rows), len(table.columns) - 1
    if height != len(grid.ys) - 1 or height < MIN_COORDINATES_COUNT or width < MIN_COORDINATES_COUNT:
        return table
    table = _with_row_coordinates(table, _left_of(grid, lines, free), lines)
    return _with_column_coordinates(table, width, _above(grid, lines, free), lines)


def _left_of(grid: Grid, lines: Sequence[Line], free: list[int]) -> dict[int, int]:
    """The lines close to the left of a grid, by the grid's row."""
    left, top, bottom = grid.xs[0], grid.ys[0], grid.ys[-1]
    found = {}
    for i in free:
        line = lines[i]
        if 0 <= left - line.x1 < MAX_COORDINATE_GAP_PT and top < line.y0 and line.y1 < bottom:
            found[bisect_right(grid.ys, line.middle) - 1] = i
    return found


def _above(grid: Grid, lines: Sequence[Line], free: list[int]) -> list[int]:
    """The lines close above a grid."""
    left, right, top = grid.xs[0], grid.xs[-1], grid.ys[0]
    found = []
    for i in free:
        line = lines[i]
        if 0 <= top - line.y1 < MAX_COORDINATE_GAP_PT and left < line.x0 and line.x1 < right:
            found.append(i)
    return found


def _with_row_coordinates(table: Table, beside: dict[int, int], lines: Sequence[Line]) -> Table:
    """The table with a first column of short names, if each row has one beside it."""
    named = list(beside.values())
    if len(named) != len(table.rows) or any(len(lines[i].text) > MAX_COORDINATE_CHARS for i in named):
        return table
    rows = tuple((lines[beside[r]].text, *row) for r, row in enumerate(table.rows))
    box = _around(table.box, bounding_box([lines[i] for i in named]))
    columns = (box.x0, *table.columns)
    return table._replace(box=box, rows=rows, lines=(*table.lines, *named), columns=columns)


def _with_column_coordinates(table: Table, width: int, above: list[int], lines: Sequence[Line]) -> Table:
    """The table with a first row of short names, if each of the grid's columns has one above it."""
    from_left = sorted(above, key=lambda i: lines[i].x0)
    names = [name for i in from_left for name in lines[i].text.split()]
    if len(names) != width or any(len(name) > MAX_COORDINATE_CHARS for name in names):
        return table
    unnamed = len(table.rows[0]) - width
    header = (*[""] * unnamed, *names)
    box = _around(table.box, bounding_box([lines[i] for i in above]))
    return table._replace(box=box, rows=(header, *table.rows), lines=(*above, *table.lines))


def _inside(grid: Grid, lines: Sequence[Line], free: list[int]) -> list[int]:
    """The free lines whose middle lies in the grid."""
    # Twice the middle is compared with twice the edge: pages have hundreds of lines, some have many grids.
    top, bottom = 2 * grid.ys[0], 2 * grid.ys[-1]
    left, right = 2 * grid.xs[0], 2 * grid.xs[-1]
    found = []
    for i in free:
        line = lines[i]
        if top < line.y0 + line.y1 < bottom and left < line.x0 + line.x1 < right:
            found.append(i)
    return found
