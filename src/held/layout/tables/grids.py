"""Grids: rows and columns from drawn lines and boxes."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby, pairwise, permutations
from operator import attrgetter
from typing import NamedTuple

from held.document import Box, Run
from held.layout.lines import Line
from held.layout.strokes import Segment, Strokes, group_long_rules
from held.layout.tables.cells import Lines
from held.layout.tables.words import Piece, is_value, line_words, run_words
from held.layout.tolerances import (
    BOOKTABS_RULES_COUNT,
    FRAME_MARGIN_PT,
    FRAME_OVERHANG_PT,
    MAX_BAR_MARGIN_LINE_SHARE,
    MAX_CUT_RUN_CHARS,
    MAX_GRID_CELLS_COUNT,
    MAX_HEADER_GAP_LINES,
    MAX_RULED_ROW_LINES,
    MAX_STROKE_GAP_PT,
    MAX_VALUES_AMONG_WORDS_SHARE,
    MIN_BAR_MARGIN_RUN_SHARE,
    MIN_CUT_MARGIN_PT,
    MIN_GRID_COLUMN_EDGES_COUNT,
    MIN_NAMED_COLUMNS_SHARE,
    MIN_RULED_ROWS_COUNT,
    MIN_SEVERAL_CELLS_SHARE,
    MIN_SPACE_GAP_HEIGHTS,
    MIN_WORD_COLUMN_GAP_EM,
    OUTER_EDGE_TOUCHES_TIMES,
    SAME_RULE_END_PT,
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
    def box(self) -> Box:
        return Box(self.xs[0], self.ys[0], self.xs[-1], self.ys[-1])

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


# --- Building a grid from drawn lines ---
#
#   +-----+-----+      xs: three edges, ys: three edges, four base cells
#   |  a        |      no bar inside the upper row: its two base cells are one region, (0, 0)
#   +-----+-----+
#   |  b  |  c  |


def build_grid(across: list[Segment], down: list[Segment]) -> Grid | None:
    """The grid of crossing rules; None if it has no two cells side by side, or far too many."""
    xs = _distinct_edges(down, across)
    ys = _distinct_edges(across, down)
    if len(xs) < MIN_GRID_COLUMN_EDGES_COUNT:
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


def add_names_above(grid: Grid, rules: Sequence[Segment], lines: Lines, free: Sequence[int]) -> Grid:
    """The grid with the names between its top and a lone rule of its width above them as its first row.

    The shades behind the names of several tables look like bands of one table. Bands have no sides, and so
    the bars of such a grid begin below its names.
    """
    left, top, right, _ = grid.box
    reach = MAX_STROKE_GAP_PT
    above = [y for y, x0, x1 in rules if y < top and abs(x0 - left) < reach and abs(x1 - right) < reach]
    if not above:
        return grid
    over = [line for line in map(lines.__getitem__, free) if line.x0 < right and line.x1 > left]
    for y in sorted(above, reverse=True):
        names = [line for line in over if y < line.middle < top]
        if names:
            return _with_row_above(grid, y) if _are_names(names, grid, y) else grid
    return grid


def _are_names(lines: Lines, grid: Grid, y: float) -> bool:
    """Whether the lines between a height and the grid are a row that names most of its columns."""
    line_height = max(line.y1 - line.y0 for line in lines)
    is_low = grid.ys[0] - y < MAX_RULED_ROW_LINES * line_height
    is_near = grid.ys[0] - max(line.y1 for line in lines) < MAX_HEADER_GAP_LINES * line_height
    if not (is_low and is_near and _fits(lines, grid.xs)) or any(is_value(line.text) for line in lines):
        return False
    return _filled_columns(lines, grid.xs) >= max(2, MIN_NAMED_COLUMNS_SHARE * (len(grid.xs) - 1))


def _with_row_above(grid: Grid, y: float) -> Grid:
    beside = [[True] * len(grid.xs), *grid.beside]
    drawn = [True] * (len(grid.xs) - 1)
    return Grid(grid.xs, [y, *grid.ys], beside, [drawn, drawn, *grid.above[1:]])


# --- Regions: base cells that no bar separates ---


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


# --- Texts of regions ---


def fill_regions(grid: Grid, regions: Regions, lines: Lines, inside: Iterable[int]) -> GridTexts:
    """The texts that the lines inside a grid put into its regions."""
    texts: RegionTexts = {}
    barred: set[int] = set()
    for i in inside:
        line = lines[i]
        r = grid.row_at(line.middle)
        margin = min(MIN_CUT_MARGIN_PT, MAX_BAR_MARGIN_LINE_SHARE * (line.x1 - line.x0))
        if any(_bars_between(grid, r, line.x0 + margin, line.x1 - margin)):
            barred.add(i)
            for region, text in _cut_line(line, grid, regions, r):
                texts.setdefault(region, []).append((i, text))
        else:
            c = grid.column_at(line.axis)
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
    """The pieces of a run between the bars drawn through it: a bar through a word stands behind it."""
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


# --- tables with ruled rows ---
#
# Grids of tables whose rows are ruled off, and whose columns are only set apart by white.
#
# Horizontal rules of one length separate the rows: a cell may then have several lines. The columns lie
# between the gutters, the stretches that no line of the whole table reaches into.


def find_ruled_rows(strokes: Strokes, lines: Lines, free: Sequence[int]) -> Iterator[Grid]:
    """The grids of tables of words with a rule between each two rows."""
    by_end = sorted(strokes.across, key=attrgetter("end"))
    ends = [rule.end for rule in by_end]
    for rules in group_long_rules(strokes.across):
        right = rules[0].end
        low, high = right - SAME_RULE_END_PT, right + SAME_RULE_END_PT
        rules = _with_shorter_rules(rules, by_end[bisect_right(ends, low) : bisect_left(ends, high)])
        if len(rules) == BOOKTABS_RULES_COUNT:
            rules = _with_rows_between(rules, [lines[i] for i in free])
        if len(rules) >= MIN_RULED_ROWS_COUNT:
            yield from _grids_of_rules(rules, strokes, [lines[i] for i in free])


def _with_rows_between(rules: list[Segment], lines: Lines) -> list[Segment]:
    """Rules above and below names, with further ones in the white between the rows of words below them.

    ─────────────────────
    Service   Terms
    ─────────────────────
              Free for          Rows of wrapped cells: each has a text in the
    Mooring   boats             first column and in another one.
    Towage    By the hour
    ─────────────────────
    """
    top, head, bottom = rules
    within = _pieces_within(lines, top)
    names = [piece for piece in within if top.at < piece.middle < head.at]
    body = [piece for piece in within if head.at < piece.middle < bottom.at]
    xs = _column_edges([*names, *body], top.start, top.end) if names and body else []
    is_named = all(any(map(str.isalnum, piece.text)) for piece in names)
    if len(xs) < 3 or not is_named or _are_side_by_side_in_column(names, xs):
        return rules
    heights = _white_between_rows(body, xs)
    return [top, head, *(head._replace(at=y) for y in heights), bottom]


def _are_side_by_side_in_column(pieces: Lines, xs: list[float]) -> bool:
    """Whether two pieces of one column stand at one height: white separates more columns than found."""
    columns = [[piece for piece in pieces if x0 < piece.axis < x1] for x0, x1 in pairwise(xs)]
    return any(map(_are_side_by_side, columns))


def _pieces_within(lines: Lines, rule: Segment) -> list[Line]:
    """The lines between the ends of a rule, parted where words stand as far apart as columns."""
    left, right = rule.start - FRAME_OVERHANG_PT, rule.end + FRAME_OVERHANG_PT
    pieces = []
    for line in lines:
        if left < line.x0 and line.x1 < right:
            pieces += _split_at_wide_gaps(line)
    return pieces


def _split_at_wide_gaps(line: Line) -> list[Line]:
    if not any(run.words for run in line.runs):
        return [line]
    pieces: list[Line] = []
    for word in line_words(line):
        if pieces and word.gap <= MIN_WORD_COLUMN_GAP_EM * line.size:
            pieces[-1] = pieces[-1]._replace(x1=word.x1, text=f"{pieces[-1].text} {word.text}")
        else:
            pieces.append(line._replace(x0=word.x0, x1=word.x1, text=word.text))
    return pieces


def _white_between_rows(body: Sequence[Line], xs: list[float]) -> list[float]:
    """The heights between rows that each fill the first column and another; [] if there are none such.

    Of all gaps between the lines as few count as row ends as make each row full.
    """
    downwards = sorted(body, key=lambda piece: piece.middle)
    middles = [piece.middle for piece in downwards]
    gaps = []
    for upper, lower in pairwise(downwards):
        gap = lower.middle - upper.middle
        if gap > MAX_BAR_MARGIN_LINE_SHARE * (lower.y1 - lower.y0):
            gaps.append((round(gap, 1), (upper.middle + lower.middle) / 2))
    for least in sorted({gap for gap, _ in gaps}):
        heights = [height for gap, height in gaps if gap >= least]
        edges = [downwards[0].y0, *heights, downwards[-1].y1]
        rows = (
            downwards[bisect_right(middles, top) : bisect_left(middles, low)] for top, low in pairwise(edges)
        )
        if all(any(piece.axis < xs[1] for piece in row) and _filled_columns(row, xs) > 1 for row in rows):
            return heights
    return []


def _with_shorter_rules(rules: list[Segment], across: Sequence[Segment]) -> list[Segment]:
    """The rules and, among them, those that leave out the first columns, whose cells span several rows.

    `across` are rules that end where these do.
    """
    _, left, right = rules[0]
    shorter = []
    for rule in across:
        is_among = rules[0].at < rule.at < rules[-1].at
        is_shorter = left + SAME_RULE_END_PT < rule.start < (left + right) / 2
        if is_among and is_shorter:
            shorter.append(rule)
    return sorted([*rules, *shorter]) if shorter else rules


def _grids_of_rules(rules: list[Segment], strokes: Strokes, lines: Lines) -> Iterator[Grid]:
    """The grids between rules, divided where what stands between two rules is no row."""
    _, left, right = rules[0]
    within = [
        line for line in lines if left - FRAME_OVERHANG_PT < line.x0 and line.x1 < right + FRAME_OVERHANG_PT
    ]
    rows = [rules[0]]
    for is_row, lower in zip(_find_rows(rules, within), rules[1:], strict=True):
        if not is_row:
            grid = _build(rows, left, right, within, strokes)
            if grid:
                yield grid
            rows = []
        rows.append(lower)
    grid = _build(rows, left, right, within, strokes)
    if grid:
        yield grid


def _find_rows(rules: list[Segment], within: Lines) -> list[bool]:
    """For each two rules whether a row stands between them: a high one keeps the columns of the low ones."""
    by_height = sorted(within, key=lambda line: line.middle)
    middles = [line.middle for line in by_height]
    bands = [
        by_height[bisect_right(middles, upper.at) : bisect_left(middles, lower.at)]
        for upper, lower in pairwise(rules)
    ]
    is_low_row = []
    for band, (upper, lower) in zip(bands, pairwise(rules), strict=True):
        line_height = max([line.y1 - line.y0 for line in band], default=0.0)
        is_low = lower.at - upper.at <= MAX_RULED_ROW_LINES * line_height
        is_low_row.append(is_low and _are_side_by_side(band))
    in_low_rows = [line for band, is_low in zip(bands, is_low_row, strict=True) if is_low for line in band]
    if not in_low_rows:
        return is_low_row
    _, left, right = rules[0]
    xs = _column_edges(in_low_rows, left, right)
    return [
        is_low or (_filled_columns(band, xs) > 1 and _fits(band, xs))
        for band, is_low in zip(bands, is_low_row, strict=True)
    ]


def _are_side_by_side(lines: Lines) -> bool:
    """Whether some lines stand side by side, as in a row.

    A heading or a paragraph stands alone between the last rule of a table and the first of the next.
    """
    return any(a.y0 < b.y1 and b.y0 < a.y1 and a.x1 < b.x0 for a, b in permutations(lines, 2))


def _build(rules: list[Segment], left: float, right: float, within: Lines, strokes: Strokes) -> Grid | None:
    """The grid of the rows between these rules, with the header above them; None if they are no table."""
    if len(rules) < MIN_RULED_ROWS_COUNT:
        return None
    ys = [rule.at for rule in rules]
    inside = [line for line in within if ys[0] < line.middle < ys[-1]]
    header = _adjacent_lines(within, ys[0], below=False)
    xs = _column_edges([*inside, *header], left, right) or _column_edges(inside, left, right)
    if len(xs) < 3 or any(_is_bar_inside(bar, xs, ys) for bar in strokes.down):
        return None
    heights = [(line.middle, line) for line in inside]
    rows = [[line for middle, line in heights if top < middle < bottom] for top, bottom in pairwise(ys)]
    several = sum(_filled_columns(row, xs) > 1 for row in rows)
    values = sum(is_value(line.text) for line in inside)
    if several < MIN_SEVERAL_CELLS_SHARE * len(rows) or values > MAX_VALUES_AMONG_WORDS_SHARE * len(inside):
        return None
    above = [[rule.start < (x0 + x1) / 2 for x0, x1 in pairwise(xs)] for rule in rules]
    drawn = [True] * (len(xs) - 1)
    if _filled_columns(header, xs) > 1 and _fits(header, xs):
        ys, above = [min(line.y0 for line in header) - FRAME_MARGIN_PT, *ys], [drawn, *above]
    rest = _adjacent_lines(within, ys[-1], below=True)
    if _filled_columns(rest, xs) > 1 and _fits(rest, xs):
        ys, above = [*ys, max(line.y1 for line in rest) + FRAME_MARGIN_PT], [*above, drawn]
    return Grid(xs, ys, [[True] * len(xs) for _ in ys[1:]], above)


def _adjacent_lines(within: Lines, rule: float, *, below: bool) -> list[Line]:
    """The lines of the row right below, or above, a rule."""
    beyond = [line for line in within if (line.middle > rule) == below]
    if not beyond:
        return []
    nearest = min(beyond, key=lambda line: abs(line.middle - rule))
    gap = nearest.y0 - rule if below else rule - nearest.y1
    if gap > MAX_HEADER_GAP_LINES * (nearest.y1 - nearest.y0):
        return []
    middle = nearest.middle
    return [line for line in beyond if line.y0 < middle < line.y1]


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
    """Whether a bar goes through a row from rule to rule: icons in a cell are lower."""
    is_within = xs[0] + SAME_RULE_END_PT < bar.at < xs[-1] - SAME_RULE_END_PT
    reach = MAX_STROKE_GAP_PT
    return is_within and any(
        bar.start < top + reach and bar.end > bottom - reach for top, bottom in pairwise(ys)
    )


def _filled_columns(lines: Lines, xs: list[float]) -> int:
    return sum(any(x0 < line.axis < x1 for line in lines) for x0, x1 in pairwise(xs))


def _fits(lines: Lines, xs: list[float]) -> bool:
    """Whether no line reaches over a gutter."""
    return not any(line.x0 < x < line.x1 for line in lines for x in xs)
