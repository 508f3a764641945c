"""Whether drawn cells hold what alone would be several: then their lines are those of bands or groups.

Values side by side in a cell are columns that no line parts; stacks of values beside each other are rows.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from itertools import pairwise

from held.layout.lines import Line
from held.layout.tables.alignment import Cell, cell_rows
from held.layout.tables.cells import broken_number
from held.layout.tables.grid_contents import Cells
from held.layout.tables.grids import Grid, Region, Regions, column_at
from held.layout.tables.values import BEFORE_NUMBER, is_value
from held.layout.tables.words import is_one_piece, line_pieces
from held.layout.tolerances import (
    MAX_SIDE_BY_SIDE_SHARE,
    MAX_STACKED_OVERLAP_PT,
    MAX_STACKED_VALUES_COUNT,
    MIN_PIECE_GAP_PT,
)


def is_crowded(
    grid: Grid, regions: Regions, lines: Sequence[Line], inside: Sequence[int], contents: Cells
) -> bool:
    """Whether many drawn cells hold several pieces of a row, or some hold rows of values."""
    if _are_apart(contents, lines):
        return False
    cells: dict[Region, list[tuple[float, Cell]]] = {}
    for row in cell_rows(lines, inside):
        r = bisect_right(grid.ys, (row.y0 + row.y1) / 2) - 1
        for cell in row.cells:
            c = column_at(grid, (cell.x0 + cell.x1) / 2)
            if c is not None and 0 <= r < len(regions):
                cells.setdefault(regions[r][c], []).append((row.y0, cell))
    crowded = stacked = 0
    for region, pieces in cells.items():
        if len(pieces) == 1:
            continue
        heights = [y for y, cell in pieces if is_value(cell.text)]
        if len(heights) > len(set(heights)) or _stand_apart(pieces):
            crowded += len(pieces)
        if len(set(heights)) > MAX_STACKED_VALUES_COUNT and 2 * len(heights) > len(pieces):
            held = [(lines[i], text) for i, text in contents.get(region, ())]
            stacked += not held or broken_number(held, _room(region, grid, regions)) is None
    return crowded > MAX_SIDE_BY_SIDE_SHARE * sum(map(len, cells.values())) or stacked > 1


def _room(region: Region, grid: Grid, regions: Regions) -> float:
    """The width of a merged cell."""
    row, first = region
    columns = regions[row].count(region)
    return grid.xs[first + columns] - grid.xs[first]


def _are_apart(contents: Cells, lines: Sequence[Line]) -> bool:
    """Whether every line is one piece, no two of a cell stand at one height, and none stacks many values.

    That is so in most drawn tables, and told with far less work than it takes to put the lines into rows.
    """
    for pieces in contents.values():
        for i, text in pieces:
            if text in BEFORE_NUMBER or not _is_whole(lines[i]):
                return False
        if len(pieces) > 1 and _may_crowd([lines[i] for i, _ in pieces]):
            return False
    return True


def _is_whole(line: Line) -> bool:
    """Whether a line is one piece: mostly told by how it ends, else by taking it apart."""
    return is_one_piece(line) or line_pieces(line) == [(line.x0, line.x1, line.text)]


def _may_crowd(held: Sequence[Line]) -> bool:
    """Whether lines of a cell stand at one height, or more of them are values than a cell stacks."""
    downwards = sorted(held, key=lambda line: line.y0)
    if any(lower.y0 < upper.y1 - MAX_STACKED_OVERLAP_PT for upper, lower in pairwise(downwards)):
        return True
    return sum(is_value(line.text) for line in held) > MAX_STACKED_VALUES_COUNT


def _stand_apart(pieces: Sequence[tuple[float, Cell]]) -> bool:
    """Whether a value stands beside a text of its cell, a clear gap between them."""
    for (y, left), (other, right) in pairwise(pieces):
        if y == other and right.x0 - left.x1 > MIN_PIECE_GAP_PT and is_value(right.text):
            return True
    return False
