"""Drawn grids to tables, where their cells are filled as those of a table are.

A grid with text in several rows and columns is a table. A frame around a page, a paragraph or a listing has a
single cell and is none; nor are charts and diagrams, whose cells are empty.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import pairwise

from held.document import Box, TableCell, bounding_box
from held.layout.lines import Line
from held.layout.tables.cells import Table, cell_text, table_of_cells
from held.layout.tables.grid_contents import Cells, Contents, is_cut
from held.layout.tables.grids import Grid, Region, Regions, area_share, open_regions
from held.layout.tables.values import is_amount
from held.layout.tolerances import (
    MANY_CELL_LINES_COUNT,
    MAX_BAND_OVERHANG_PT,
    MAX_CUT_LINES_SHARE,
    MAX_EMPTY_CELL_SHARE,
    MAX_HEADER_ROWS_COUNT,
    MAX_OPEN_AREA_SHARE,
    MAX_RUNNING_LINES_OF_MANY_SHARE,
    MAX_RUNNING_LINES_SHARE,
    MAX_SLIVER_PT,
    MAX_STROKE_GAP_PT,
    MIN_CELL_CHARS,
    MIN_FILLED_GRID_SHARE,
    MIN_FILLED_ROWS_SHARE,
    MIN_FORM_BLANKS_COUNT,
    MIN_FULL_GRID_CELLS_COUNT,
    MIN_FULL_GRID_SHARE,
    MIN_LATTICE_COLUMNS_COUNT,
    MIN_LATTICE_ROWS_COUNT,
    MIN_LINE_NUMBERS_COUNT,
    MIN_NAMED_COLUMNS_SHARE,
    MIN_ROWS_AMONG_TEXT_COUNT,
    MIN_RUNNING_TEXT_SHARE,
)

# What is no table.

# How full a table is.


def grid_table(grid: Grid, regions: Regions, lines: Sequence[Line], contents: Contents) -> Table | None:
    """The table that a grid with these regions makes of its contents, None where it is no table."""
    outside = open_regions(grid, regions)
    if outside and area_share(grid, regions, outside) > MAX_OPEN_AREA_SHARE:
        return None
    cells = {cell: pieces for cell, pieces in contents.cells.items() if cell not in outside}
    if any(map(_is_line_numbers, cells.values())) or _has_wide_gap(grid, regions, cells):
        return None
    running = _running_text(cells, regions, lines, grid.xs[-1] - grid.xs[0])
    freed = sum(len(cells.pop(cell)) for cell in running)
    swallowed = sorted({i for pieces in cells.values() for i, _ in pieces})
    if 2 * freed > len(swallowed) and _rows_with_several(cells) < MIN_ROWS_AMONG_TEXT_COUNT:
        return None  # lines on shades of their own, or a page laid out in boxes
    if contents.barred:
        cut = sum(i in contents.barred and is_cut(lines[i], grid) for i in swallowed)
        if cut > MAX_CUT_LINES_SHARE * len(swallowed):
            return None
    box = _box(grid, [lines[i] for i in swallowed] if freed else [])
    table = _filled_in(grid, regions, cells, lines, swallowed, box)
    if _is_filled(table.rows):
        return table
    says_something = all(map(any, table.rows))
    return table if says_something and _is_lattice(grid) else None


def _filled_in(
    grid: Grid,
    regions: Regions,
    cells: Cells,
    lines: Sequence[Line],
    swallowed: Sequence[int],
    box: Box,
) -> Table:
    """The table of the rows and columns that count."""
    inside = [lines[i] for i in swallowed]
    rows = _kept(grid.ys, ((line.y0, line.y1) for line in inside))
    columns = _kept(grid.xs, ((run.x0, run.x1) for line in inside for run in line.runs))
    found = _cells(cells, _extents(regions), (rows, columns), lines, grid.xs)
    edges = (*[grid.xs[c] for c in columns], grid.xs[-1])
    size = (len(rows), len(columns))
    return table_of_cells(found, size, box, tuple(swallowed), edges, ruled=True)


def _is_line_numbers(pieces: list[tuple[int, str]]) -> bool:
    """Whether a cell counts the lines of a listing beside it."""
    numbers = [int(text) for _, text in pieces if text.isdecimal()]
    return len(numbers) >= MIN_LINE_NUMBERS_COUNT and all(b == a + 1 for a, b in pairwise(numbers))


def _has_wide_gap(grid: Grid, regions: Regions, cells: Cells) -> bool:
    """Whether one region without text takes much of the grid: the ground between the boxes of a diagram."""
    empty = {region for row in regions for region in row if region not in cells}
    if not 0 < len(empty) < MIN_FORM_BLANKS_COUNT:
        return False
    xs, ys = grid.xs, grid.ys
    areas = dict.fromkeys(empty, 0.0)
    for r, row in enumerate(regions):
        for c, region in enumerate(row):
            if region in areas:
                areas[region] += (ys[r + 1] - ys[r]) * (xs[c + 1] - xs[c])
    whole = (ys[-1] - ys[0]) * (xs[-1] - xs[0])
    return max(areas.values()) / whole > MAX_EMPTY_CELL_SHARE


def _running_text(
    cells: Cells,
    regions: Regions,
    lines: Sequence[Line],
    width: float,
) -> list[Region]:
    """The cells that hold lines as wide as the grid, or nearly, with nothing beside them."""
    found = []
    for cell, pieces in cells.items():
        wide = sum(lines[i].x1 - lines[i].x0 > MIN_RUNNING_TEXT_SHARE * width for i, _ in pieces)
        most = (
            MAX_RUNNING_LINES_OF_MANY_SHARE
            if len(pieces) > MANY_CELL_LINES_COUNT
            else MAX_RUNNING_LINES_SHARE
        )
        if wide <= most * len(pieces):
            continue
        r, _ = cell
        if all(region == cell or region not in cells for region in regions[r]):
            found.append(cell)
    return found


def _rows_with_several(cells: Cells) -> int:
    """How many rows have text in several cells."""
    in_row = Counter(r for r, _ in cells)
    return sum(count > 1 for count in in_row.values())


def _kept(edges: list[float], spans: Iterable[tuple[float, float]]) -> list[int]:
    """The rows or columns that count: wide ones and those that something stands in.

    Shaded text inside a cell, and frames drawn one by one, leave slivers of white around themselves.
    """
    bands = range(len(edges) - 1)
    slivers = {band for band in bands if edges[band + 1] - edges[band] <= MAX_SLIVER_PT}
    if slivers:  # most grids have none
        slivers -= _inhabited(edges, spans)
    return [band for band in bands if band not in slivers] or [0]


def _inhabited(edges: list[float], spans: Iterable[tuple[float, float]]) -> set[int]:
    """The bands between edges that hold one of the spans."""
    found = set()
    for start, end in spans:
        band = bisect_right(edges, (start + end) / 2) - 1
        if not 0 <= band < len(edges) - 1:
            continue
        if start > edges[band] - MAX_BAND_OVERHANG_PT and end < edges[band + 1] + MAX_BAND_OVERHANG_PT:
            found.add(band)
    return found


def _extents(regions: Regions) -> dict[Region, Region]:
    """For each merged cell its last row and column."""
    last: dict[Region, Region] = {}
    for r, row in enumerate(regions):
        for c, region in enumerate(row):
            _, right = last.get(region, region)
            last[region] = (r, c if c > right else right)  # rows come from top to bottom
    return last


def _cells(
    cells: Cells,
    extents: dict[Region, Region],
    kept: tuple[list[int], list[int]],
    lines: Sequence[Line],
    xs: Sequence[float],
) -> list[TableCell]:
    """The cells with text; what begins in a sliver belongs to the next row or column that counts."""
    rows, columns = kept
    contents: dict[Region, list[tuple[int, str]]] = {}
    spans: dict[Region, tuple[int, int]] = {}
    rooms: dict[Region, float] = {}
    for region, content in cells.items():
        r, c = region
        row = min(bisect_left(rows, r), len(rows) - 1)
        column = min(bisect_left(columns, c), len(columns) - 1)
        low, right = extents[region]
        height = bisect_right(rows, low) - row
        width = bisect_right(columns, right) - column
        contents.setdefault((row, column), []).extend(content)
        spans[row, column] = (max(1, height), max(1, width))
        rooms[row, column] = xs[right + 1] - xs[c]
    texts = {
        place: cell_text([(lines[i], text) for i, text in content], rooms[place])
        for place, content in contents.items()
    }
    heads = _head_rows(texts, spans)
    found = []
    for place, content in contents.items():
        row, column = place
        height, width = spans[place]
        box = bounding_box([lines[i] for i, _ in content])
        header = row < heads
        found.append(TableCell(row, column, texts[place], height, width, header, 0, box))
    return found


def _head_rows(texts: dict[Region, str], spans: dict[Region, tuple[int, int]]) -> int:
    """How many rows at the top name columns: those above the first amounts, at least the first one.

    A table without amounts has one row of names, or as many as its first cells reach down.
    """
    by_row: dict[int, list[str]] = {}
    for (r, _), text in texts.items():
        by_row.setdefault(r, []).append(text)
    with_amounts = (r for r in sorted(by_row) if any(map(is_amount, by_row[r])))
    reach = max((spans[place][0] for place in texts if place[0] == 0), default=1)
    first = next(with_amounts, reach)
    while first > 1 and len(by_row.get(first - 1, ())) == 1:  # labels between the names and the first amounts
        first -= 1
    return first if first <= MAX_HEADER_ROWS_COUNT else reach


def _box(grid: Grid, inside: Sequence[Line]) -> Box:
    """The box of the grid, or of the part of it that the lines reach over where some are given."""
    top, bottom = grid.ys[0], grid.ys[-1]
    if inside:
        top = max(top, min(line.y0 for line in inside) - MAX_STROKE_GAP_PT)
        bottom = min(bottom, max(line.y1 for line in inside) + MAX_STROKE_GAP_PT)
    return Box(grid.xs[0], top, grid.xs[-1], bottom)


def _is_filled(texts: Sequence[Sequence[str]]) -> bool:
    """Whether the cells are a table's: nearly every row says something, and hardly ever all in one column.

    The grid lines of a chart and the strokes of a diagram leave most of their cells empty.
    """
    height, width = len(texts), len(texts[0])
    in_rows = [sum(map(bool, row)) for row in texts]
    in_columns = [sum(map(bool, column)) for column in zip(*texts, strict=True)]
    full_columns = sum(map(bool, in_columns))
    if height == 1 or full_columns == 1:
        return width > 2 and all(in_rows)  # the rest of a row, or a form
    fullest_row, fullest_column = max(in_rows), max(in_columns)
    if width > 2:  # all columns have a header, be it over blank rows
        if fullest_row >= MIN_NAMED_COLUMNS_SHARE * width:
            return True
        if full_columns >= MIN_NAMED_COLUMNS_SHARE * width and fullest_column > 1:
            return True
    if fullest_column <= 1 or fullest_row <= 1:
        return False
    full_rows, full_cells = sum(map(bool, in_rows)), sum(in_rows)
    if full_rows < MIN_FILLED_ROWS_SHARE * height:
        return False
    if full_cells < max(MIN_FULL_GRID_CELLS_COUNT, MIN_FULL_GRID_SHARE * height * width):
        letters = sum(len(text) for row in texts for text in row)
        if letters < MIN_CELL_CHARS * full_cells:
            return False
    if full_rows >= MIN_FULL_GRID_SHARE * height or full_cells >= MIN_FILLED_GRID_SHARE * height * width:
        return True
    return in_columns[0] >= MIN_FILLED_ROWS_SHARE * height and full_columns > 2


def _is_lattice(grid: Grid) -> bool:
    """Whether all the bars between the base cells are drawn, and there are several rows and columns."""
    if len(grid.ys) - 1 < MIN_LATTICE_ROWS_COUNT or len(grid.xs) - 1 < MIN_LATTICE_COLUMNS_COUNT:
        return False
    return all(map(all, grid.beside)) and all(map(all, grid.above))
