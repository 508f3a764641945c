"""Drawn grids: the cells that horizontal and vertical lines fence off.

Lines that cross make a grid of base cells. Where no bar is drawn between two of them, they are parts of one
merged cell, its region. What stands in the cells is no business of this module.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Sequence
from itertools import groupby, pairwise
from typing import NamedTuple

from held.layout.strokes import Segment
from held.layout.tolerances import (
    MAX_GRID_CELLS_COUNT,
    MAX_STROKE_GAP_PT,
    MIN_GRID_COLUMN_EDGES_COUNT,
    MIN_GRID_ROW_EDGES_COUNT,
    OUTER_EDGE_TOUCHES_TIMES,
)

Region = tuple[int, int]  # a merged cell, named by its top left base cell
Regions = list[list[Region]]  # for each base cell the merged cell that it belongs to


class Grid(NamedTuple):
    """A component of crossing lines: the edges of its base cells and which of them are drawn.

    `beside[r][c]` tells whether a bar stands left of base cell (r, c), `above[r][c]` whether one runs over
    it; both have one entry more than there are columns or rows.
    """

    xs: list[float]
    ys: list[float]
    beside: list[list[bool]]
    above: list[list[bool]]


def grid_of(across: list[Segment], down: list[Segment]) -> Grid | None:
    """The grid of a component's lines, None where it has no two cells side by side or far too many."""
    xs = _edges([s.at for s in down], min(s.start for s in across), max(s.end for s in across))
    ys = _edges([s.at for s in across], min(s.start for s in down), max(s.end for s in down))
    if len(xs) < MIN_GRID_COLUMN_EDGES_COUNT or len(ys) < MIN_GRID_ROW_EDGES_COUNT:
        return None
    if len(xs) * len(ys) > MAX_GRID_CELLS_COUNT:
        return None
    beside = [[False] * len(xs) for _ in ys[1:]]
    above = [[False] * (len(xs) - 1) for _ in ys]
    row_middles = [(a + b) / 2 for a, b in pairwise(ys)]
    column_middles = [(a + b) / 2 for a, b in pairwise(xs)]
    for x, start, end in down:
        c = _nearest(xs, x)
        for r in range(bisect_left(row_middles, start), bisect_right(row_middles, end)):
            beside[r][c] = True
    for y, start, end in across:
        r = _nearest(ys, y)
        for c in range(bisect_left(column_middles, start), bisect_right(column_middles, end)):
            above[r][c] = True
    return Grid(xs, ys, beside, above)


def _edges(places: list[float], low: float, high: float) -> list[float]:
    """The distinct places in order, with the outer ends where lines run on beyond the last of them."""
    places.sort()
    edges = [places[0]]
    for place in places[1:]:
        if place - edges[-1] > MAX_STROKE_GAP_PT:
            edges.append(place)
    if edges[0] - low > OUTER_EDGE_TOUCHES_TIMES * MAX_STROKE_GAP_PT:
        edges.insert(0, low)
    if high - edges[-1] > OUTER_EDGE_TOUCHES_TIMES * MAX_STROKE_GAP_PT:
        edges.append(high)
    return edges


def _nearest(edges: list[float], place: float) -> int:
    i = bisect_left(edges, place)
    if i == len(edges) or (i and place - edges[i - 1] < edges[i] - place):
        return i - 1
    return i


def bands(grid: Grid) -> list[Grid]:
    """The grid in parts where stretches without side lines lie between rows that have them.

    Something drawn across the page, such as a watermark, can tie two tables together with what stands
    between them. Grids that are open at the sides throughout stay whole.
    """
    sides = Counter(
        (bars.index(True), len(bars) - 1 - bars[::-1].index(True)) for bars in grid.beside if any(bars)
    )
    if not sides:
        return []
    (left, right), _ = sides.most_common(1)[0]
    overhanging = sum(row[left - 1] for row in grid.above) if left else 0
    closed = [bars[left] or bars[right] for bars in grid.beside]
    if all(closed) or 2 * overhanging > len(grid.ys):
        return [grid]
    parts = []
    for is_closed, group in groupby(range(len(closed)), key=closed.__getitem__):
        if is_closed:
            rows = list(group)
            parts.append(_part(grid, rows[0], rows[-1]))
    return parts


def _part(grid: Grid, first: int, last: int) -> Grid:
    """The rows of a grid from the first to the last one."""
    ys = grid.ys[first : last + 2]
    beside = grid.beside[first : last + 1]
    above = grid.above[first : last + 2]
    return Grid(grid.xs, ys, beside, above)


def regions_of(grid: Grid) -> Regions:
    """For each base cell the top left base cell of the merged cell that it belongs to."""
    width = len(grid.xs) - 1
    regions: Regions = []
    for r in range(len(grid.ys) - 1):
        row: list[Region] = []
        for c in range(width):
            if c and not grid.beside[r][c]:
                row.append(row[-1])
            elif r and not grid.above[r][c]:
                row.append(regions[-1][c])
            else:
                row.append((r, c))
        regions.append(row)
    return regions


def column_at(grid: Grid, x: float) -> int | None:
    """The column of a place, None where it is outside of the grid."""
    c = bisect_right(grid.xs, x) - 1
    return c if 0 <= c < len(grid.xs) - 1 else None


def open_regions(grid: Grid, regions: Regions) -> set[Region]:
    """The regions that no line fences off from the page around the grid.

    Tables without side lines, and those cut by the page's end, are open along one axis: what leaks along
    both is the ground between the boxes of a drawing.
    """
    leaks_up_or_down = _unfenced(regions[0], grid.above[0]) | _unfenced(regions[-1], grid.above[-1])
    leaks_sideways: set[Region] = set()
    for row, bars in zip(regions, grid.beside, strict=True):
        if not bars[0]:
            leaks_sideways.add(row[0])
        if not bars[-1]:
            leaks_sideways.add(row[-1])
    return leaks_up_or_down & leaks_sideways


def _unfenced(row: Sequence[Region], bars: Sequence[bool]) -> set[Region]:
    """The regions of a row that have no bar along it."""
    return {region for region, bar in zip(row, bars, strict=True) if not bar}


def area_share(grid: Grid, regions: Regions, chosen: set[Region]) -> float:
    """The share of the grid's area that the chosen regions take."""
    xs, ys = grid.xs, grid.ys
    area = sum(
        (ys[r + 1] - ys[r]) * (xs[c + 1] - xs[c])
        for r, row in enumerate(regions)
        for c, region in enumerate(row)
        if region in chosen
    )
    return area / ((ys[-1] - ys[0]) * (xs[-1] - xs[0]))
