"""Grids of tables whose rows are ruled off, and whose columns are only set apart by white.

Horizontal rules of one length separate the rows: a cell may then have several lines. The columns lie between
the gutters, the stretches that no line of the whole table reaches into.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from itertools import pairwise, permutations

from held.layout.lines import Line
from held.layout.strokes import Segment, Strokes
from held.layout.tables.cells import Lines
from held.layout.tables.grids import Grid
from held.layout.tables.words import is_value
from held.layout.tolerances import (
    FRAME_MARGIN_PT,
    FRAME_OVERHANG_PT,
    MAX_HEADER_GAP_LINES,
    MAX_RULED_ROW_LINES,
    MAX_VALUES_AMONG_WORDS_SHARE,
    MIN_FRAME_RULE_PT,
    MIN_RULED_ROWS_COUNT,
    MIN_SEVERAL_CELLS_SHARE,
    MIN_WORD_COLUMN_GAP_EM,
    SAME_RULE_END_PT,
)


def find_ruled_rows(strokes: Strokes, lines: Lines, free: Sequence[int]) -> Iterator[Grid]:
    """The grids of tables of words with a rule between each two rows."""
    by_ends: dict[tuple[int, int], list[Segment]] = {}
    for rule in strokes.across:
        if rule.end - rule.start > MIN_FRAME_RULE_PT:
            ends = (round(rule.start / SAME_RULE_END_PT), round(rule.end / SAME_RULE_END_PT))
            by_ends.setdefault(ends, []).append(rule)
    for rules in by_ends.values():
        if len(rules) >= MIN_RULED_ROWS_COUNT:
            yield from _grids_of_rules(rules, strokes, [lines[i] for i in free])


def _grids_of_rules(rules: list[Segment], strokes: Strokes, lines: Lines) -> Iterator[Grid]:
    """The grids between rules of one length, divided where what stands between two rules is no row."""
    _, left, right = rules[0]
    within = [
        line for line in lines if left - FRAME_OVERHANG_PT < line.x0 and line.x1 < right + FRAME_OVERHANG_PT
    ]
    by_height = sorted(within, key=lambda line: line.middle)
    middles = [line.middle for line in by_height]
    edges = [rules[0].at]
    for upper, lower in pairwise(rules):
        between = by_height[bisect_right(middles, upper.at) : bisect_left(middles, lower.at)]
        if not between or not _may_be_row(between, lower.at - upper.at):
            grid = _build(edges, left, right, within, strokes)
            if grid:
                yield grid
            edges = []
        edges.append(lower.at)
    grid = _build(edges, left, right, within, strokes)
    if grid:
        yield grid


def _may_be_row(lines: Lines, distance: float) -> bool:
    """Whether lines between two rules are low enough for a row, and some stand side by side.

    A heading or a paragraph stands alone between the last rule of a table and the first of the next.
    """
    height = max(line.y1 - line.y0 for line in lines)
    if distance > MAX_RULED_ROW_LINES * height:
        return False
    return any(a.y0 < b.y1 and b.y0 < a.y1 and a.x1 < b.x0 for a, b in permutations(lines, 2))


def _build(ys: list[float], left: float, right: float, within: Lines, strokes: Strokes) -> Grid | None:
    """The grid of the rows between these rules, with the header above them; None if they are no table."""
    if len(ys) < MIN_RULED_ROWS_COUNT:
        return None
    inside = [line for line in within if ys[0] < line.middle < ys[-1]]
    header = _adjacent_lines(within, ys[0], below=False)
    xs = _column_edges([*inside, *header], left, right) or _column_edges(inside, left, right)
    if len(xs) < 3 or any(_is_bar_inside(bar, xs, ys) for bar in strokes.down):
        return None
    rows = [[line for line in inside if top < line.middle < bottom] for top, bottom in pairwise(ys)]
    several = sum(_filled_columns(row, xs) > 1 for row in rows)
    values = sum(is_value(line.text) for line in inside)
    if several < MIN_SEVERAL_CELLS_SHARE * len(rows) or values > MAX_VALUES_AMONG_WORDS_SHARE * len(inside):
        return None
    if _filled_columns(header, xs) > 1 and _fits(header, xs):
        ys = [min(line.y0 for line in header) - FRAME_MARGIN_PT, *ys]
    rest = _adjacent_lines(within, ys[-1], below=True)
    if _filled_columns(rest, xs) > 1 and _fits(rest, xs):
        ys = [*ys, max(line.y1 for line in rest) + FRAME_MARGIN_PT]
    beside = [[True] * len(xs) for _ in ys[1:]]
    return Grid(xs, ys, beside, [[True] * (len(xs) - 1) for _ in ys])


def _adjacent_lines(within: Lines, rule: float, *, below: bool) -> list[Line]:
    """The lines of the row right below, or above, a rule."""
    beyond = [line for line in within if (line.middle > rule) == below]
    if not beyond:
        return []
    nearest = min(beyond, key=lambda line: abs(line.middle - rule))
    gap = nearest.y0 - rule if below else rule - nearest.y1
    if gap > MAX_HEADER_GAP_LINES * (nearest.y1 - nearest.y0):
        return []
    return [line for line in beyond if line.y0 < nearest.middle < line.y1]


def _column_edges(lines: Lines, left: float, right: float) -> list[float]:
    """The outer edges and the middles of the gutters; [] if there is no gutter."""
    gap = MIN_WORD_COLUMN_GAP_EM * max(line.size for line in lines)
    edges = [left]
    end = float("-inf")
    for line in sorted(lines, key=lambda line: line.x0):
        if end > left and line.x0 - end > gap:
            edges.append((end + line.x0) / 2)
        end = max(end, line.x1)
    return [*edges, right] if len(edges) > 1 else []


def _is_bar_inside(bar: Segment, xs: list[float], ys: list[float]) -> bool:
    is_within = xs[0] + SAME_RULE_END_PT < bar.at < xs[-1] - SAME_RULE_END_PT
    return is_within and bar.start < ys[-1] and bar.end > ys[0]


def _filled_columns(lines: Lines, xs: list[float]) -> int:
    return sum(any(x0 < (line.x0 + line.x1) / 2 < x1 for line in lines) for x0, x1 in pairwise(xs))


def _fits(lines: Lines, xs: list[float]) -> bool:
    """Whether no line reaches over a gutter."""
    return not any(line.x0 < x < line.x1 for line in lines for x in xs)
