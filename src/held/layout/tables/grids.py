"""Grids: rows and columns from drawn lines and boxes, or from striped backgrounds."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations, groupby, pairwise
from typing import NamedTuple

from held.document import Run
from held.layout.characters import has_hidden_gaps
from held.layout.lines import Line
from held.layout.strokes import Segment
from held.layout.tables.cells import Lines, text_length
from held.layout.tables.words import Piece, is_value, run_words
from held.layout.tolerances import (
    MAX_BAND_OVERHANG_PT,
    MAX_BAR_MARGIN_LINE_SHARE,
    MAX_CUT_RUN_CHARS,
    MAX_GRID_CELLS_COUNT,
    MAX_SHADE_GROUP_GAP_STRIPES,
    MAX_SPACE_TO_BAR_SHARE,
    MAX_STRIPE_GAP_STRIPES,
    MAX_STRIPE_ROW_GAP_LINES,
    MAX_STROKE_GAP_PT,
    MIN_BAR_MARGIN_RUN_SHARE,
    MIN_CUT_MARGIN_PT,
    MIN_GRID_COLUMN_EDGES_COUNT,
    MIN_GRID_ROW_EDGES_COUNT,
    MIN_SPACE_GAP_HEIGHTS,
    OUTER_EDGE_TOUCHES_TIMES,
    SAME_STRIPE_EDGE_PT,
)

Region = tuple[int, int]  # a merged cell, named by row and column of its top left base cell
Regions = list[list[Region]]  # the region of each base cell
RegionTexts = dict[Region, list[tuple[int, str]]]  # for each region its lines: index, and text in the region


class Grid(NamedTuple):
    """The edges of a grid's base cells, and which of them are drawn.

    `beside[r][c]`: a bar stands left of base cell (r, c). `above[r][c]`: a bar runs over it. Both have one
    entry more than there are columns or rows.
    """

    xs: list[float]
    ys: list[float]
    beside: list[list[bool]]
    above: list[list[bool]]

    @property
    def width(self) -> float:
        return self.xs[-1] - self.xs[0]

    @property
    def area(self) -> float:
        return (self.ys[-1] - self.ys[0]) * self.width

    def row_at(self, y: float) -> int:
        """The row at a height; outside of the grid -1 or the number of rows."""
        return bisect_right(self.ys, y) - 1

    def column_at(self, x: float) -> int | None:
        """The column at a position, None outside of the grid."""
        column = bisect_right(self.xs, x) - 1
        return column if 0 <= column < len(self.xs) - 1 else None


class GridTexts(NamedTuple):
    """The texts in the regions of a grid, and the lines that have a bar drawn through them."""

    regions: RegionTexts
    barred: set[int]


def build_grid(across: list[Segment], down: list[Segment]) -> Grid | None:
    """The grid of crossing rules; None if it has no two cells side by side, or far too many."""
    xs = _distinct_edges(down, across)
    ys = _distinct_edges(across, down)
    if len(xs) < MIN_GRID_COLUMN_EDGES_COUNT or len(ys) < MIN_GRID_ROW_EDGES_COUNT:
        return None
    if len(xs) * len(ys) > MAX_GRID_CELLS_COUNT:
        return None
    beside = [[False] * len(xs) for _ in ys[1:]]
    above = [[False] * (len(xs) - 1) for _ in ys]
    row_middles = [(a + b) / 2 for a, b in pairwise(ys)]
    column_middles = [(a + b) / 2 for a, b in pairwise(xs)]
    for x, start, end in down:
        c = _nearest_edge(xs, x)
        for r in range(bisect_left(row_middles, start), bisect_right(row_middles, end)):
            beside[r][c] = True
    for y, start, end in across:
        r = _nearest_edge(ys, y)
        for c in range(bisect_left(column_middles, start), bisect_right(column_middles, end)):
            above[r][c] = True
    return Grid(xs, ys, beside, above)


def _distinct_edges(rules: list[Segment], crossing: list[Segment]) -> list[float]:
    """The distinct positions of rules, and the outer ends of the rules that cross them."""
    positions = sorted(rule.at for rule in rules)
    edges = positions[:1]
    for position in positions[1:]:
        if position - edges[-1] > MAX_STROKE_GAP_PT:
            edges.append(position)
    low, high = min(rule.start for rule in crossing), max(rule.end for rule in crossing)
    if edges[0] - low > OUTER_EDGE_TOUCHES_TIMES * MAX_STROKE_GAP_PT:
        edges.insert(0, low)
    if high - edges[-1] > OUTER_EDGE_TOUCHES_TIMES * MAX_STROKE_GAP_PT:
        edges.append(high)
    return edges


def _nearest_edge(edges: list[float], position: float) -> int:
    i = bisect_left(edges, position)
    if i == len(edges) or (i and position - edges[i - 1] < edges[i] - position):
        return i - 1
    return i


def split_at_open_rows(grid: Grid) -> list[Grid]:
    """The parts of a grid between rows without side bars.

    A watermark drawn across the page can tie two tables together with what stands between them. Grids that
    are open at the sides throughout stay whole.
    """
    sides: Counter[tuple[int, int]] = Counter()
    for bars in grid.beside:
        if any(bars):
            sides[bars.index(True), len(bars) - 1 - bars[::-1].index(True)] += 1
    if not sides:
        return []
    (left, right), _ = sides.most_common(1)[0]
    overhanging = sum(bars[left - 1] for bars in grid.above) if left else 0
    is_closed = [bars[left] or bars[right] for bars in grid.beside]
    if all(is_closed) or 2 * overhanging > len(grid.ys):
        return [grid]
    parts = []
    for closed, group in groupby(range(len(is_closed)), key=is_closed.__getitem__):
        if closed:
            rows = list(group)
            first, last = rows[0], rows[-1]
            ys = grid.ys[first : last + 2]
            parts.append(Grid(grid.xs, ys, grid.beside[first : last + 1], grid.above[first : last + 2]))
    return parts


def find_regions(grid: Grid) -> Regions:
    """For each base cell the merged cell that it belongs to."""
    regions: Regions = []
    for r in range(len(grid.ys) - 1):
        row: list[Region] = []
        for c in range(len(grid.xs) - 1):
            if c and not grid.beside[r][c]:
                row.append(row[-1])
            elif r and not grid.above[r][c]:
                row.append(regions[-1][c])
            else:
                row.append((r, c))
        regions.append(row)
    return regions


def open_regions(grid: Grid, regions: Regions) -> set[Region]:
    """The regions that no bar separates from the page around the grid.

    Tables without side bars, and those cut by the page's end, are open along one axis. What is open along
    both is the ground between the boxes of a drawing.
    """
    open_above = {region for region, bar in zip(regions[0], grid.above[0], strict=True) if not bar}
    open_below = {region for region, bar in zip(regions[-1], grid.above[-1], strict=True) if not bar}
    open_sideways: set[Region] = set()
    for row, bars in zip(regions, grid.beside, strict=True):
        if not bars[0]:
            open_sideways.add(row[0])
        if not bars[-1]:
            open_sideways.add(row[-1])
    return (open_above | open_below) & open_sideways


def region_areas(grid: Grid, regions: Regions, chosen: set[Region]) -> dict[Region, float]:
    """The area of each of the chosen regions."""
    xs, ys = grid.xs, grid.ys
    areas = dict.fromkeys(chosen, 0.0)
    for r, row in enumerate(regions):
        for c, region in enumerate(row):
            if region in areas:
                areas[region] += (ys[r + 1] - ys[r]) * (xs[c + 1] - xs[c])
    return areas


def fill_regions(grid: Grid, regions: Regions, lines: Lines, inside: Iterable[int]) -> GridTexts:
    """The texts that the lines inside a grid put into its regions."""
    texts: RegionTexts = {}
    barred: set[int] = set()
    for i in inside:
        line = lines[i]
        r = grid.row_at((line.y0 + line.y1) / 2)
        margin = min(MIN_CUT_MARGIN_PT, MAX_BAR_MARGIN_LINE_SHARE * (line.x1 - line.x0))
        if any(_bars_between(grid, r, line.x0 + margin, line.x1 - margin)):
            barred.add(i)
            for region, text in _cut_line(line, grid, regions, r):
                texts.setdefault(region, []).append((i, text))
        else:
            c = grid.column_at((line.x0 + line.x1) / 2)
            if c is not None:
                texts.setdefault(regions[r][c], []).append((i, line.text))
    return GridTexts(texts, barred)


def _bars_between(grid: Grid, r: int, x0: float, x1: float) -> list[bool]:
    """Which of the column edges between two positions are drawn in row r."""
    return grid.beside[r][bisect_right(grid.xs, x0) : bisect_left(grid.xs, x1)]


def _cut_line(line: Line, grid: Grid, regions: Regions, r: int) -> list[tuple[Region, str]]:
    """The regions of row r that a line's runs stand in, each with its text; [] if a run is outside."""
    pieces: list[tuple[Region, str]] = []
    end = line.x0
    for run in line.runs:
        for x0, x1, text in _cut_run(run, grid, r, line.size):
            c = grid.column_at((x0 + x1) / 2)
            if c is None:
                return []
            region = regions[r][c]
            if pieces and pieces[-1][0] == region:
                space = " " if x0 - end > MIN_SPACE_GAP_HEIGHTS * (run.y1 - run.y0) else ""
                pieces[-1] = (region, pieces[-1][1] + space + text)
            else:
                pieces.append((region, text))
            end = x1
    return pieces


def _cut_run(run: Run, grid: Grid, r: int, size: float) -> list[Piece]:
    """The pieces of a run between the bars drawn through it."""
    if has_hidden_gaps(run, size):
        return _cut_between_words(run, grid, r, size)
    pieces: list[Piece] = []
    x0, text = run.x0, run.text
    first = bisect_right(grid.xs, run.x0 + MIN_CUT_MARGIN_PT)
    last = bisect_left(grid.xs, run.x1 - MIN_CUT_MARGIN_PT)
    for c in range(first, last):
        if not grid.beside[r][c]:
            continue
        bar = grid.xs[c]
        cut = _nearest_space(text, (bar - x0) / (run.x1 - x0))
        if cut is not None:
            pieces.append((x0, bar, text[:cut].strip()))
            x0, text = bar, text[cut:].strip()
    return [*pieces, (x0, run.x1, text)]


def _cut_between_words(run: Run, grid: Grid, r: int, size: float) -> list[Piece]:
    """The words of a run, joined unless a bar stands between them."""
    pieces: list[Piece] = []
    last_edge = 0
    for x0, x1, text in run_words(run, size):
        edge = bisect_right(grid.xs, (x0 + x1) / 2)
        if pieces and not any(grid.beside[r][last_edge:edge]):
            start, _, before = pieces[-1]
            pieces[-1] = (start, x1, f"{before} {text}")
        else:
            pieces.append((x0, x1, text))
        last_edge = edge
    return pieces


def _nearest_space(text: str, share: float) -> int | None:
    """The index of the space nearest to a share of the text's width, None if none is near."""
    length = text_length(text)
    nearest, least = None, MAX_SPACE_TO_BAR_SHARE * length
    for i, character in enumerate(text):
        if character == " ":
            distance = abs(text_length(text[:i]) - share * length)
            if distance < least or (nearest is None and distance == least):
                nearest, least = i, distance
    return nearest


def has_bar_through_word(line: Line, grid: Grid) -> bool:
    """Whether a bar is drawn right through a word of a line, as in no table."""
    r = grid.row_at(line.middle)
    for run in line.runs:
        margin = max(MIN_CUT_MARGIN_PT, MIN_BAR_MARGIN_RUN_SHARE * (run.x1 - run.x0))
        if not any(_bars_between(grid, r, run.x0 + margin, run.x1 - margin)):
            continue
        if len(run.text) > MAX_CUT_RUN_CHARS or len(_cut_run(run, grid, r, line.size)) == 1:
            return True
    return False


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
    """The indices of groups that continue close below in the same columns: single shaded rows."""
    found: set[int] = set()
    for (index, upper), (other, lower) in combinations(enumerate(groups), 2):
        gap = lower[0].ys[0] - upper[-1].ys[1]
        is_close = 0 < gap < MAX_SHADE_GROUP_GAP_STRIPES * _height(upper[-1])
        if is_close and _have_same_columns(upper[-1], lower[0]):
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
