"""Completes tables whose every second row is shaded: the white rows between the stripes are rows, too.

Each stripe that is drawn cell by cell is a grid of one row. Stripes with the same columns, one below the
other, show the columns of what stands between them, above the first and below the last.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import combinations, pairwise

from held.layout.characters import has_hidden_gaps
from held.layout.lines import Line
from held.layout.tables.cells import Lines
from held.layout.tables.grids import Grid
from held.layout.tables.words import is_value
from held.layout.tolerances import (
    MAX_BAND_OVERHANG_PT,
    MAX_CUT_RUN_CHARS,
    MAX_STRIPE_GAP_STRIPES,
    MAX_STRIPE_ROW_GAP_LINES,
    SAME_STRIPE_EDGE_PT,
)

Stripes = list[Grid]


def merge_stripes(grids: Sequence[Grid], lines: Lines) -> list[Grid]:
    """The grids with the stripes of each table merged into one grid that includes the white rows."""
    stripes = [grid for grid in grids if len(grid.ys) == 2]
    if len(stripes) < 2:
        return list(grids)
    merged = [grid for grid in grids if len(grid.ys) > 2]
    stripes.sort(key=lambda grid: (grid.xs[0], grid.ys[0]))
    groups = list(_group_stripes(stripes, lines))
    shades = _find_shades_amid_rows(groups)
    for index, group in enumerate(groups):
        is_table = len(group) > 1 and index not in shades
        merged += [_merge_group(group, lines)] if is_table else group
    return merged


def _group_stripes(stripes: Stripes, lines: Lines) -> Iterator[Stripes]:
    """The stripes of each table, from top to bottom."""
    group = [stripes[0]]
    for above, stripe in pairwise(stripes):
        if _has_row_between(above, stripe, lines):
            group.append(stripe)
        else:
            yield group
            group = [stripe]
    yield group


def _find_shades_amid_rows(groups: Sequence[Stripes]) -> set[int]:
    """The indices of groups that continue further below in the same columns: single shaded rows."""
    found: set[int] = set()
    for (index, upper), (other, lower) in combinations(enumerate(groups), 2):
        gap = lower[0].ys[0] - upper[-1].ys[1]
        if gap > 0 and _have_same_columns(upper[-1], lower[0]):
            found |= {index, other}
    return found


def _has_row_between(upper: Grid, lower: Grid, lines: Lines) -> bool:
    """Whether two stripes have the same columns, and one white row between them."""
    if not _have_same_columns(upper, lower):
        return False
    gap = lower.ys[0] - upper.ys[1]
    if not 0 < gap < MAX_STRIPE_GAP_STRIPES * max(_height(upper), _height(lower)):
        return False
    between = [line for line in lines if upper.ys[1] < line.middle < lower.ys[0]]
    if _has_stacked_values(between, upper.xs) or _has_value_outside(between, upper.xs):
        return False
    return _is_row(between, upper.xs)


def _have_same_columns(upper: Grid, lower: Grid) -> bool:
    if len(upper.xs) != len(lower.xs):
        return False
    return all(abs(a - b) <= SAME_STRIPE_EDGE_PT for a, b in zip(upper.xs, lower.xs, strict=True))


def _has_stacked_values(lines: Lines, xs: list[float]) -> bool:
    columns = [bisect_right(xs, line.x1 - MAX_BAND_OVERHANG_PT) for line in lines if is_value(line.text)]
    return len(columns) > len(set(columns))


def _has_value_outside(lines: Lines, xs: list[float]) -> bool:
    # With values beside the stripes, the shade marks a column such as the current year.
    return any((line.x0 > xs[-1] or line.x1 < xs[0]) and is_value(line.text) for line in lines)


def _is_row(lines: Lines, xs: list[float]) -> bool:
    """Whether lines stand in several columns, none of them running text over two."""
    inside = [line for line in lines if line.x1 > xs[0] and line.x0 < xs[-1]]
    if any(_is_text_over_edge(line, xs) for line in inside):
        return False
    columns = set()
    for line in inside:
        for run in line.runs:
            columns.add(bisect_right(xs, run.x0 + MAX_BAND_OVERHANG_PT))
            columns.add(bisect_right(xs, run.x1 - MAX_BAND_OVERHANG_PT))
    return len(columns) > 1


def _is_text_over_edge(line: Line, xs: list[float]) -> bool:
    """Whether a long text, or one word, reaches over a column edge; a short one may belong to two cells."""
    for run in line.runs:
        low, high = run.x0 + MAX_BAND_OVERHANG_PT, run.x1 - MAX_BAND_OVERHANG_PT
        text = run.text.strip()
        is_whole = len(text) > MAX_CUT_RUN_CHARS or " " not in text
        if is_whole and any(low < x < high for x in xs) and not has_hidden_gaps(run, line.size):
            return True
    return False


def _merge_group(stripes: Stripes, lines: Lines) -> Grid:
    """One grid of the stripes, what stands between them, and the rows right above and below."""
    xs = stripes[0].xs
    ys = [y for stripe in stripes for y in stripe.ys]
    reach = MAX_STRIPE_GAP_STRIPES * max(map(_height, stripes))
    above = [line for line in lines if ys[0] - reach < line.middle < ys[0]]
    below = [line for line in lines if ys[-1] < line.middle < ys[-1] + reach]
    header = _adjacent_lines(above, ys[0], upwards=True)
    rest = _adjacent_lines(below, ys[-1], upwards=False)
    if _is_row(header, xs):
        ys.insert(0, min(line.y0 for line in header))
    if _is_row(rest, xs):
        ys.append(max(line.y1 for line in rest))
    beside = [[True] * len(xs) for _ in ys[1:]]
    return Grid(xs, ys, beside, [[True] * (len(xs) - 1) for _ in ys])


def _adjacent_lines(lines: Lines, edge: float, *, upwards: bool) -> list[Line]:
    """The lines that follow each other from an edge on, without white between them."""
    adjacent = []
    for line in sorted(lines, key=lambda line: line.middle, reverse=upwards):
        white = edge - line.y1 if upwards else line.y0 - edge
        if white > MAX_STRIPE_ROW_GAP_LINES * (line.y1 - line.y0):
            break
        adjacent.append(line)
        edge = min(edge, line.y0) if upwards else max(edge, line.y1)
    return adjacent


def _height(stripe: Grid) -> float:
    return stripe.ys[1] - stripe.ys[0]
