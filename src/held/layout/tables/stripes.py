"""Tables whose every second row stands on a shade: the white rows between the stripes are rows, too.

Each stripe that is drawn cell by cell is a grid of one row. Stripes with the same columns, one below the
other, tell the columns of what stands between them, above the first and below the last.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import combinations, pairwise

from held.layout.characters import has_hidden_gaps
from held.layout.lines import Line
from held.layout.tables.grids import Grid
from held.layout.tables.values import is_value
from held.layout.tolerances import (
    MAX_BAND_OVERHANG_PT,
    MAX_CUT_RUN_CHARS,
    MAX_SHADE_GROUP_GAP_STRIPES,
    MAX_STRIPE_GAP_STRIPES,
    MAX_STRIPE_ROW_GAP_LINES,
    SAME_STRIPE_EDGE_PT,
)


def with_white_rows(grids: Sequence[Grid], lines: Sequence[Line]) -> list[Grid]:
    """The grids, stripes of one table made one grid with the rows between them."""
    whole: list[Grid] = []
    stripes: list[Grid] = []
    for grid in grids:
        (stripes if len(grid.ys) == 2 else whole).append(grid)
    if len(stripes) < 2:
        return list(grids)
    stripes.sort(key=lambda grid: (grid.xs[0], grid.ys[0]))
    groups = list(_groups(stripes, lines))
    broken = _broken(groups)
    for place, group in enumerate(groups):
        whole += [_united(group, lines)] if len(group) > 1 and place not in broken else group
    return whole


def _broken(groups: Sequence[Sequence[Grid]]) -> set[int]:
    """The places of groups that go on close below in the same columns: shades amid rows, no stripes."""
    found: set[int] = set()
    for (place, upper), (other, lower) in combinations(enumerate(groups), 2):
        gap = lower[0].ys[0] - upper[-1].ys[1]
        if 0 < gap < MAX_SHADE_GROUP_GAP_STRIPES * _height(upper[-1]) and _have_same_columns(
            upper[-1], lower[0]
        ):
            found |= {place, other}
    return found


def _groups(stripes: Sequence[Grid], lines: Sequence[Line]) -> Iterator[list[Grid]]:
    """The stripes of each table, from top to bottom."""
    group = [stripes[0]]
    for above, stripe in pairwise(stripes):
        if _have_row_between(above, stripe, lines):
            group.append(stripe)
        else:
            yield group
            group = [stripe]
    yield group


def _have_row_between(upper: Grid, lower: Grid, lines: Sequence[Line]) -> bool:
    """Whether two stripes have the same columns, and one white row between them."""
    if not _have_same_columns(upper, lower):
        return False
    gap = lower.ys[0] - upper.ys[1]
    if not 0 < gap < MAX_STRIPE_GAP_STRIPES * max(_height(upper), _height(lower)):
        return False
    between = [line for line in lines if upper.ys[1] < line.middle < lower.ys[0]]
    if _hold_two_rows(between, upper.xs) or any(_goes_on_outside(line, upper.xs) for line in between):
        return False
    return _is_row(between, upper.xs)


def _hold_two_rows(lines: Sequence[Line], xs: Sequence[float]) -> bool:
    """Whether values of one column stand under each other."""
    columns = [bisect_right(xs, line.x1 - MAX_BAND_OVERHANG_PT) for line in lines if is_value(line.text)]
    return len(columns) > len(set(columns))


def _have_same_columns(upper: Grid, lower: Grid) -> bool:
    if len(upper.xs) != len(lower.xs):
        return False
    return all(abs(a - b) <= SAME_STRIPE_EDGE_PT for a, b in zip(upper.xs, lower.xs, strict=True))


def _goes_on_outside(line: Line, xs: Sequence[float]) -> bool:
    """Whether a line is a value beside the stripes: then a shade marks the current year, not the row."""
    return (line.x0 > xs[-1] or line.x1 < xs[0]) and is_value(line.text)


def _is_row(lines: Sequence[Line], xs: Sequence[float]) -> bool:
    """Whether lines stand in several columns, none of them running text over two."""
    inside = [line for line in lines if line.x1 > xs[0] and line.x0 < xs[-1]]
    if any(_runs_over(line, xs) for line in inside):
        return False
    begun = {bisect_right(xs, run.x0 + MAX_BAND_OVERHANG_PT) for line in inside for run in line.runs}
    ended = {bisect_right(xs, run.x1 - MAX_BAND_OVERHANG_PT) for line in inside for run in line.runs}
    return len(begun | ended) > 1


def _runs_over(line: Line, xs: Sequence[float]) -> bool:
    """Whether a long text, or one word, goes over the edge of a column; a short one may be of two cells."""
    for run in line.runs:
        is_cut = any(run.x0 + MAX_BAND_OVERHANG_PT < x < run.x1 - MAX_BAND_OVERHANG_PT for x in xs)
        text = run.text.strip()
        if (
            is_cut
            and (len(text) > MAX_CUT_RUN_CHARS or " " not in text)
            and not has_hidden_gaps(run, line.size)
        ):
            return True
    return False


def _united(stripes: Sequence[Grid], lines: Sequence[Line]) -> Grid:
    """One grid of the stripes, what stands between them, and the rows right above and below."""
    xs = stripes[0].xs
    ys = [y for stripe in stripes for y in stripe.ys]
    highest = MAX_STRIPE_GAP_STRIPES * max(map(_height, stripes))
    header = [line for line in lines if ys[0] - highest < line.middle < ys[0]]
    ys[:0] = _edge(list(_next_to(header, ys[0], upwards=True)), xs, upwards=True)
    rest = [line for line in lines if ys[-1] < line.middle < ys[-1] + highest]
    ys += _edge(list(_next_to(rest, ys[-1], upwards=False)), xs, upwards=False)
    return Grid(xs, ys, [[True] * len(xs) for _ in ys[1:]], [[True] * (len(xs) - 1) for _ in ys])


def _next_to(lines: Sequence[Line], edge: float, *, upwards: bool) -> Iterator[Line]:
    """The lines that follow each other from an edge on, without white between them."""
    for line in sorted(lines, key=lambda line: line.middle, reverse=upwards):
        white = edge - line.y1 if upwards else line.y0 - edge
        if white > MAX_STRIPE_ROW_GAP_LINES * (line.y1 - line.y0):
            return
        yield line
        edge = min(edge, line.y0) if upwards else max(edge, line.y1)


def _edge(lines: Sequence[Line], xs: Sequence[float], *, upwards: bool) -> list[float]:
    """The outer edge of the row that lines make, none where they make none."""
    if not _is_row(lines, xs):
        return []
    return [min(line.y0 for line in lines) if upwards else max(line.y1 for line in lines)]


def _height(stripe: Grid) -> float:
    return stripe.ys[1] - stripe.ys[0]
