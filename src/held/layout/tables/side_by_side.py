"""Columns of text on a page, so that what stands in one is no row with what stands in the other.

A gutter shows by the left edge that many lines of the right column share, and by prose on both sides of it.
It holds from one line that reaches across to the next. A wide table may keep clear of the gutter by chance:
its rows go on right of it without a label, so they end a stretch of columns, too.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from held.layout.lines.lines import Line
from held.layout.tables.cells import text_length
from held.layout.tables.values import is_value

SHARED_EDGE = 3  # points in which left edges are the same
FEWEST_AT_EDGE = 6  # lines that begin at the right column's left edge
PROSE_LENGTH = 30  # characters of a line of running text, at least
PROSE_WIDTH = 0.6  # of its column's width that it fills
FEWEST_PROSE = 4  # lines of running text beside the gutter, some on either side
INDENT = 30.0  # points by which lines of the right column may begin further right
MOST_ASTRAY = 2  # rows upon each other that begin further right all the same
WIDEST_GUTTER_SHARE = (0.3, 0.75)  # where on the page a right column may begin


def part_columns(lines: Sequence[Line], free: Sequence[int]) -> list[list[int]]:
    """The free lines in groups: where they stand in two columns each is a group, all others are one."""
    everything = [list(free)]
    if len(free) < 2 * FEWEST_AT_EDGE:
        return everything
    for edge in _right_edges(lines, free):
        found = _stretches(lines, free, edge)
        stretches = [stretch for stretch in found if _is_prose_beside(lines, *stretch)]
        if stretches:
            parted = [side for stretch in stretches for side in stretch]
            taken = {i for side in parted for i in side}
            rest = [i for i in free if i not in taken]
            return [*parted, rest] if rest else parted
    return everything


def _right_edges(lines: Sequence[Line], free: Sequence[int]) -> list[float]:
    """Where many lines with words begin in the middle of the page, the most common first."""
    left, right = min(lines[i].x0 for i in free), max(lines[i].x1 for i in free)
    low, high = (left + share * (right - left) for share in WIDEST_GUTTER_SHARE)
    begins = [lines[i].x0 for i in free if low < lines[i].x0 < high and not is_value(lines[i].text)]
    counted = Counter(round(x / SHARED_EDGE) for x in begins)
    common = [place for place, count in counted.most_common(3) if count >= FEWEST_AT_EDGE]
    return [min(x for x in begins if round(x / SHARED_EDGE) == place) for place in common]


def _stretches(
    lines: Sequence[Line], free: Sequence[int], edge: float
) -> Iterator[tuple[list[int], list[int]]]:
    """The lines left and right of an edge, in stretches that nothing reaches across."""
    sides: tuple[list[int], list[int]] = [], []
    astray: list[list[int]] = []
    for row in _rows(lines, free):
        left = [i for i in row if lines[i].x1 < edge - 2]
        right = [i for i in row if lines[i].x0 > edge - 4]
        if len(left) + len(right) < len(row):
            yield sides
            sides, astray = ([], []), []
            continue
        goes_on = bool(left) and bool(right) and min(lines[i].x0 for i in right) > edge + INDENT
        astray = [*astray, row] if goes_on else []
        if len(astray) > MOST_ASTRAY:
            strays = {i for stray in astray for i in stray}
            yield [i for i in sides[0] if i not in strays], [i for i in sides[1] if i not in strays]
            sides = [], []
            continue
        sides[0].extend(left)
        sides[1].extend(right)
    yield sides


def _rows(lines: Sequence[Line], free: Sequence[int]) -> Iterator[list[int]]:
    """The lines in rows that overlap vertically, from top to bottom."""
    row: list[int] = []
    bottom = 0.0
    for i in sorted(free, key=lambda i: lines[i].y0 + lines[i].y1):
        middle = (lines[i].y0 + lines[i].y1) / 2
        if row and middle > bottom:
            yield row
            row = []
        if not row:
            bottom = lines[i].y1
        row.append(i)
    if row:
        yield row


def _is_prose_beside(lines: Sequence[Line], left: list[int], right: list[int]) -> bool:
    """Whether running text stands on both sides."""
    if len(left) < FEWEST_PROSE or len(right) < FEWEST_PROSE:
        return False
    prose = [_prose_lines(lines, side) for side in (left, right)]
    return min(prose) > 0 and sum(prose) >= FEWEST_PROSE


def _prose_lines(lines: Sequence[Line], side: list[int]) -> int:
    """How many lines of a column are running text: long, and nothing stands beside them."""
    x0, x1 = min(lines[i].x0 for i in side), max(lines[i].x1 for i in side)
    heights = Counter(round((lines[i].y0 + lines[i].y1) / 4) for i in side)
    return sum(
        lines[i].x1 - lines[i].x0 > PROSE_WIDTH * (x1 - x0)
        and text_length(lines[i].text) > PROSE_LENGTH
        and heights[round((lines[i].y0 + lines[i].y1) / 4)] == 1
        for i in side
    )
