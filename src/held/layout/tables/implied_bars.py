"""Bars that a grid leaves out: between the names of groups of columns, and between the rows of its body."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from held.layout.lines import Line
from held.layout.tables.cells import Lines
from held.layout.tables.grids import Grid, Region, Regions
from held.layout.tables.words import is_value
from held.layout.tolerances import (
    MAX_BAND_OVERHANG_PT,
    MAX_LABEL_IN_STACK_SHARE,
    MIN_CUT_MARGIN_PT,
    MIN_STACKED_ROWS_COUNT,
)


def add_implied_bars(grid: Grid, regions: Regions, lines: Lines, inside: Sequence[int]) -> Grid:
    """The grid with bars between texts that stand side by side in one cell over several columns.

    A header often leaves out the bars between the names of groups of columns.
    """
    by_region: dict[Region, list[Line]] = {}
    for i in inside:
        line = lines[i]
        r, c = grid.row_at(line.middle), grid.column_at(line.axis)
        if c is not None:
            by_region.setdefault(regions[r][c], []).append(line)
    beside = grid.beside
    for (first, c), members in by_region.items():
        width = regions[first].count((first, c))
        if width == 1 or len(members) == 1:
            continue
        edges = _edges_between(members, grid.xs[c + 1 : c + width], c + 1)
        if edges:
            beside = [list(bars) for bars in beside]
            for r, row in enumerate(regions):
                if row[c] == (first, c):
                    for edge in edges:
                        beside[r][edge] = True
    return grid if beside is grid.beside else grid._replace(beside=beside)


def _edges_between(members: list[Line], xs: Sequence[float], first: int) -> list[int]:
    """The indices of the column edges between texts side by side; [] if some have no edge between them."""
    members = sorted(members, key=lambda line: line.x0)
    edges = []
    end = members[0].x1
    for line in members[1:]:
        if line.x0 > end:
            middle = (end + line.x0) / 2
            low, high = end - MAX_BAND_OVERHANG_PT, line.x0 + MAX_BAND_OVERHANG_PT
            between = [k for k, x in enumerate(xs) if low < x < high]
            if not between:
                return []
            edges.append(first + min(between, key=lambda k: abs(xs[k] - middle)))
        end = max(end, line.x1)
    return edges


def add_implied_rows(grid: Grid, regions: Regions, lines: Lines, inside: Sequence[int]) -> Grid:
    """The grid with bars between the rows of those drawn cells that hold several rows each.

    LaTeX tables often rule off the header alone; the body is one drawn row of cells with a line for each row:

        +------+-------+
        | name | value |     Each line of the first column has another one at its height.
        +------+-------+
        | a    | 1     |
        | b    | 2     |
        | c    | 3     |
        +------+-------+
    """
    in_band: dict[int, list[Line]] = {}
    for i in inside:
        in_band.setdefault(grid.row_at(lines[i].middle), []).append(lines[i])
    cuts = {r: _rows_of_band(grid, regions, r, members) for r, members in in_band.items()}
    rows_in_stacks = sum(len(found) + 1 for found in cuts.values() if found)
    if rows_in_stacks <= sum(not found for found in cuts.values()):
        return grid
    ys, beside, above = [grid.ys[0]], [], [grid.above[0]]
    for r, bars in enumerate(grid.beside):
        inner = cuts.get(r, [])
        ys += [*inner, grid.ys[r + 1]]
        beside += [bars] * (len(inner) + 1)
        above += [[True] * (len(grid.xs) - 1)] * len(inner) + [grid.above[r + 1]]
    return Grid(grid.xs, ys, beside, above)


def _rows_of_band(grid: Grid, regions: Regions, r: int, members: list[Line]) -> list[float]:
    """The heights between the rows that stand in one drawn row of cells; [] if it is a row itself."""
    if len(members) < MIN_STACKED_ROWS_COUNT or not 0 <= r < len(regions) or len(set(regions[r])) == 1:
        return []
    if any(region[0] != r for region in regions[r]) or (r + 1 < len(regions) and _share(regions, r)):
        return []  # a cell over several drawn rows
    rows: list[list[Line]] = []
    for line in sorted(members, key=lambda line: line.middle):
        if rows and line.y0 < rows[-1][0].middle < line.y1:
            rows[-1].append(line)
        else:
            rows.append([line])
    rows = [sorted(row, key=lambda line: line.x0) for row in rows]
    if len(rows) < MIN_STACKED_ROWS_COUNT:
        return []
    columns = [{c for line in row for c in _columns_of(line, grid, r)} for row in rows]
    if not all(0 in filled and len(filled) > 1 for filled in columns):
        return []
    if 2 * sum(is_value(row[0].text) for row in rows) > len(rows):
        return []  # the numbers of a listing's lines, or those along the axis of a chart
    has_values = all(any(is_value(line.text) for line in row) for row in rows)
    if not has_values and (len(rows) == MIN_STACKED_ROWS_COUNT or _is_wrapped(rows, grid)):
        return []  # a label and a text in three lines each are as likely
    return [
        (max(line.y1 for line in upper) + min(line.y0 for line in lower)) / 2
        for upper, lower in pairwise(rows)
    ]


def _is_wrapped(rows: list[list[Line]], grid: Grid) -> bool:
    """Whether most lines of the first column fill it, as those of a text in several lines do."""
    full_end = grid.xs[0] + MAX_LABEL_IN_STACK_SHARE * (grid.xs[1] - grid.xs[0])
    labels = [line for row in rows[:-1] for line in row if line.x0 < grid.xs[1]]
    return 2 * sum(line.x1 > full_end for line in labels) > len(labels)


def _share(regions: Regions, r: int) -> bool:
    return any(above == below for above, below in zip(regions[r], regions[r + 1], strict=True))


def _columns_of(line: Line, grid: Grid, r: int) -> set[int]:
    """The columns of a row between whose drawn bars a line stands."""
    first, last = grid.column_at(line.x0 + MIN_CUT_MARGIN_PT), grid.column_at(line.x1 - MIN_CUT_MARGIN_PT)
    if first is None or last is None:
        return set()
    return {c for c in range(first, last + 1) if c == first or grid.beside[r][c]}
