"""Columns of text on a page, so that what stands in one is no row with what stands in the other.

A gutter shows by the left edge that many lines of the right column share, and by prose on both sides of it.
It holds from one line that reaches across to the next. A wide table may keep clear of the gutter by chance:
its rows go on right of it without a label, so they end a stretch of columns, too.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from held.layout.lines import Line
from held.layout.tables.cells import text_length
from held.layout.tables.values import is_value
from held.layout.tolerances import (
    MAX_COLUMN_INDENT_PT,
    MAX_EDGES_COUNT,
    MAX_INDENTED_ROWS_COUNT,
    MAX_LEFT_COLUMN_END_PT,
    MAX_RIGHT_COLUMN_SHARE,
    MIN_COLUMN_PROSE_CHARS,
    MIN_COLUMN_PROSE_COUNT,
    MIN_COLUMN_PROSE_SHARE,
    MIN_LINES_AT_EDGE_COUNT,
    MIN_RIGHT_COLUMN_SHARE,
    MIN_RIGHT_COLUMN_START_PT,
    PROSE_HEIGHT_PT,
    SAME_TEXT_EDGE_PT,
)


def part_columns(lines: Sequence[Line], free: Sequence[int]) -> list[list[int]]:
    """The free lines in groups: where they stand in two columns each is a group, all others are one."""
    everything = [list(free)]
    if len(free) < 2 * MIN_LINES_AT_EDGE_COUNT:
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
    low = left + MIN_RIGHT_COLUMN_SHARE * (right - left)
    high = left + MAX_RIGHT_COLUMN_SHARE * (right - left)
    begins = [lines[i].x0 for i in free if low < lines[i].x0 < high and not is_value(lines[i].text)]
    counted = Counter(round(x / SAME_TEXT_EDGE_PT) for x in begins)
    ranked = enumerate(counted.most_common())
    common = [
        place
        for rank, (place, count) in ranked
        if rank < MAX_EDGES_COUNT and count >= MIN_LINES_AT_EDGE_COUNT
    ]
    return [min(x for x in begins if round(x / SAME_TEXT_EDGE_PT) == place) for place in common]


def _stretches(
    lines: Sequence[Line], free: Sequence[int], edge: float
) -> Iterator[tuple[list[int], list[int]]]:
    """The lines left and right of an edge, in stretches that nothing reaches across."""
    sides: tuple[list[int], list[int]] = [], []
    astray: list[list[int]] = []
    for row in _rows(lines, free):
        left = [i for i in row if lines[i].x1 < edge + MAX_LEFT_COLUMN_END_PT]
        right = [i for i in row if lines[i].x0 > edge + MIN_RIGHT_COLUMN_START_PT]
        if len(left) + len(right) < len(row):
            yield sides
            sides, astray = ([], []), []
            continue
        goes_on = bool(left) and bool(right) and min(lines[i].x0 for i in right) > edge + MAX_COLUMN_INDENT_PT
        astray = [*astray, row] if goes_on else []
        if len(astray) > MAX_INDENTED_ROWS_COUNT:
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
    if len(left) < MIN_COLUMN_PROSE_COUNT or len(right) < MIN_COLUMN_PROSE_COUNT:
        return False
    prose = [_prose_lines(lines, side) for side in (left, right)]
    return min(prose) > 0 and sum(prose) >= MIN_COLUMN_PROSE_COUNT


def _prose_lines(lines: Sequence[Line], side: list[int]) -> int:
    """How many lines of a column are running text: long, and nothing stands beside them."""
    x0, x1 = min(lines[i].x0 for i in side), max(lines[i].x1 for i in side)
    heights = Counter(round(lines[i].middle / PROSE_HEIGHT_PT) for i in side)
    return sum(
        lines[i].x1 - lines[i].x0 > MIN_COLUMN_PROSE_SHARE * (x1 - x0)
        and text_length(lines[i].text) > MIN_COLUMN_PROSE_CHARS
        and heights[round(lines[i].middle / PROSE_HEIGHT_PT)] == 1
        for i in side
    )
