"""Whether drawn cells hold what alone would be several: then their lines are those of bands or groups.

Values side by side in a cell are columns that no line parts; stacks of values beside each other are rows.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from itertools import pairwise

from held.pdf.lines.lines import Line
from held.pdf.tables.alignment import Cell, cell_rows
from held.pdf.tables.grids import Grid, Region, column_at, regions_of
from held.pdf.tables.values import is_value

MOST_CROWDED = 0.15  # share of the pieces that may stand beside others in one cell
MOST_STACKED = 2  # values upon each other in one cell; more are rows that no line parts
APART = 14.0  # points between two pieces of a cell that belong to different columns


def is_crowded(grid: Grid, lines: Sequence[Line], inside: Sequence[int]) -> bool:
    """Whether many drawn cells hold several pieces of a row, or some hold rows of values."""
    regions = regions_of(grid)
    cells: dict[Region, list[tuple[float, Cell]]] = {}
    for row in cell_rows(lines, inside):
        r = bisect_right(grid.ys, (row.y0 + row.y1) / 2) - 1
        for cell in row.cells:
            c = column_at(grid, (cell.x0 + cell.x1) / 2)
            if c is not None and 0 <= r < len(regions):
                cells.setdefault(regions[r][c], []).append((row.y0, cell))
    crowded = stacked = 0
    for pieces in cells.values():
        if len(pieces) == 1:
            continue
        heights = [y for y, cell in pieces if is_value(cell.text)]
        if len(heights) > len(set(heights)) or _stand_apart(pieces):
            crowded += len(pieces)
        stacked += len(set(heights)) > MOST_STACKED and 2 * len(heights) > len(pieces)
    return crowded > MOST_CROWDED * sum(map(len, cells.values())) or stacked > 1


def _stand_apart(pieces: Sequence[tuple[float, Cell]]) -> bool:
    """Whether a value stands beside a text of its cell, a clear gap between them."""
    for (y, left), (other, right) in pairwise(pieces):
        if y == other and right.x0 - left.x1 > APART and is_value(right.text):
            return True
    return False
