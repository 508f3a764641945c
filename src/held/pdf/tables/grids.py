"""Drawn grids to tables: the cells that horizontal and vertical lines fence off.

A component of crossing lines with text in several rows and columns is a table. A frame around a page, a
paragraph or a listing has a single cell and is none; nor are charts and diagrams, whose cells are empty.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import groupby, pairwise
from typing import NamedTuple

from held.document import Box, Run, TableCell, around
from held.pdf.lines.lines import Line
from held.pdf.lines.strokes import TOUCH, Segment
from held.pdf.lines.widths import hides_gaps
from held.pdf.tables.cells import Table, cell_text, table_of_cells, text_length
from held.pdf.tables.values import is_amount
from held.pdf.tables.words import words_of_run

SLIVER = 13.0  # points: an empty row or column narrower than this is padding between frames
MOST_CELLS = 6000
MOST_HEAD_ROWS = 5
LARGEST_LEAK = 0.35  # share of a grid's area that may be open to the page around it
LARGEST_EMPTY = 0.4  # share of a grid's area that one cell without text may take
MOST_EMPTY = 30  # cells without text, from which on it is a form rather than a diagram
FULL_WIDTH = 0.8  # of a grid's width: lines that fill it are running text
MOST_FULL = 0.5  # share of a cell's lines that may be so,
MOST_FULL_OF_MANY = 0.25  # and where it has many,
MANY_LINES = 6  # that is more than so many
FEWEST_TABLED_ROWS = 3  # with several cells, in a grid that holds more running text than cells
FEWEST_LINE_NUMBERS = 5  # that count on in a cell: a listing beside them

# Bars and words that they go through.
BAR_MARGIN = 4.0  # points at the ends of a text in which a bar is none of its business
BAR_MARGIN_OF_LINE = 0.2  # of a short line's width, the same
BAR_MARGIN_OF_RUN = 0.15  # of a long run's width, the same
SPACE_GAP = 0.17  # of a run's height: a wider gap is a space
FARTHEST_SPACE = 0.25  # of a text's width between a bar and the space that it stands for
LONGEST_CUT = 40  # characters: a longer run with a bar through it is running text

# How full a table is.
NEARLY_ALL = 0.9
MOST = 0.6
HEADED = 0.8  # share of the columns that have a name
SOME = 0.3
FEWEST_CELLS = 9  # with text, where nearly all have some
LETTERS_A_CELL = 1.5  # fewer are the marks of a chart
INTO_NEXT = 2.0  # points by which what stands in a band may reach into the next

Region = tuple[int, int]  # a merged cell, named by its top left base cell
Regions = list[list[Region]]  # for each base cell the merged cell that it belongs to
Contents = dict[Region, list[tuple[int, str]]]  # the pieces in a cell: a line's index, and its text or a part


class Grid(NamedTuple):
    """A component of crossing lines: the edges of its base cells and which of them are drawn.

    `beside[r][c]` tells whether a bar stands left of base cell (r, c), `above[r][c]` whether one runs over
    it; both have one entry more than there are columns or rows.
    """

    xs: list[float]
    ys: list[float]
    beside: list[list[bool]]
    above: list[list[bool]]


def grid_of(across: list[Segment], down: list[Segment]) -> Grid | None:
    """The grid of a component's lines, None where it has no two cells side by side or far too many."""
    xs = _edges([s.at for s in down], min(s.start for s in across), max(s.end for s in across))
    ys = _edges([s.at for s in across], min(s.start for s in down), max(s.end for s in down))
    if len(xs) < 3 or len(ys) < 2 or len(xs) * len(ys) > MOST_CELLS:
        return None
    beside = [[False] * len(xs) for _ in ys[1:]]
    above = [[False] * (len(xs) - 1) for _ in ys]
    row_middles = [(a + b) / 2 for a, b in pairwise(ys)]
    column_middles = [(a + b) / 2 for a, b in pairwise(xs)]
    for x, start, end in down:
        c = _nearest(xs, x)
        for r in range(bisect_left(row_middles, start), bisect_right(row_middles, end)):
            beside[r][c] = True
    for y, start, end in across:
        r = _nearest(ys, y)
        for c in range(bisect_left(column_middles, start), bisect_right(column_middles, end)):
            above[r][c] = True
    return Grid(xs, ys, beside, above)


def _edges(places: list[float], low: float, high: float) -> list[float]:
    """The distinct places in order, with the outer ends where lines run on beyond the last of them."""
    places.sort()
    edges = [places[0]]
    for place in places[1:]:
        if place - edges[-1] > TOUCH:
            edges.append(place)
    if edges[0] - low > 2 * TOUCH:
        edges.insert(0, low)
    if high - edges[-1] > 2 * TOUCH:
        edges.append(high)
    return edges


def _nearest(edges: list[float], place: float) -> int:
    i = bisect_left(edges, place)
    if i == len(edges) or (i and place - edges[i - 1] < edges[i] - place):
        return i - 1
    return i


def bands(grid: Grid) -> list[Grid]:
    """The grid in parts where stretches without side lines lie between rows that have them.

    Something drawn across the page, such as a watermark, can tie two tables together with what stands
    between them. Grids that are open at the sides throughout stay whole.
    """
    sides = Counter(
        (bars.index(True), len(bars) - 1 - bars[::-1].index(True)) for bars in grid.beside if any(bars)
    )
    if not sides:
        return []
    (left, right), _ = sides.most_common(1)[0]
    overhanging = sum(row[left - 1] for row in grid.above) if left else 0
    closed = [bars[left] or bars[right] for bars in grid.beside]
    if all(closed) or 2 * overhanging > len(grid.ys):
        return [grid]
    parts = []
    for is_closed, group in groupby(range(len(closed)), key=closed.__getitem__):
        if is_closed:
            rows = list(group)
            parts.append(_part(grid, rows[0], rows[-1]))
    return parts


def _part(grid: Grid, first: int, last: int) -> Grid:
    """The rows of a grid from the first to the last one."""
    ys = grid.ys[first : last + 2]
    beside = grid.beside[first : last + 1]
    above = grid.above[first : last + 2]
    return Grid(grid.xs, ys, beside, above)


def grid_table(
    grid: Grid, regions: Regions, lines: Sequence[Line], candidates: Iterable[int]
) -> Table | None:
    """The table that a grid with these regions makes of the candidate lines, None where it is no table."""
    outside = _open_regions(grid, regions)
    if outside and _area_share(grid, regions, outside) > LARGEST_LEAK:
        return None
    cells, barred = _contents(grid, regions, lines, candidates)
    for cell in outside:
        cells.pop(cell, None)
    if any(map(_is_line_numbers, cells.values())) or _has_wide_gap(grid, regions, cells):
        return None
    running = _running_text(cells, regions, lines, grid.xs[-1] - grid.xs[0])
    freed = sum(len(cells.pop(cell)) for cell in running)
    swallowed = sorted({i for pieces in cells.values() for i, _ in pieces})
    if 2 * freed > len(swallowed) and _rows_with_several(cells) < FEWEST_TABLED_ROWS:
        return None  # lines on shades of their own, or a page laid out in boxes
    if barred:
        cut = sum(i in barred and _is_cut(lines[i], grid) for i in swallowed)
        if 4 * cut > len(swallowed):
            return None
    rows = _kept(grid.ys, [(lines[i].y0, lines[i].y1) for i in swallowed])
    columns = _kept(grid.xs, [(run.x0, run.x1) for i in swallowed for run in lines[i].runs])
    edges = (*[grid.xs[c] for c in columns], grid.xs[-1])
    box = _box(grid, [lines[i] for i in swallowed] if freed else [])
    found = _cells(cells, _extents(regions), (rows, columns), lines)
    size = (len(rows), len(columns))
    table = table_of_cells(found, size, box, tuple(swallowed), edges, ruled=True)
    if _is_filled(table.rows):
        return table
    says_something = all(map(any, table.rows))
    return table if says_something and _is_lattice(grid) else None


def _rows_with_several(cells: Contents) -> int:
    """How many rows have text in several cells."""
    in_row = Counter(r for r, _ in cells)
    return sum(count > 1 for count in in_row.values())


def _contents(
    grid: Grid, regions: Regions, lines: Sequence[Line], candidates: Iterable[int]
) -> tuple[Contents, set[int]]:
    """What the candidate lines fill the cells with, and which of the lines have a bar drawn through them."""
    cells: Contents = {}
    barred: set[int] = set()
    for i in candidates:
        line = lines[i]
        r = bisect_right(grid.ys, (line.y0 + line.y1) / 2) - 1
        if any(_bars_through(line, grid, r)):
            barred.add(i)
            for cell, text in _pieces(line, grid, regions, r):
                cells.setdefault(cell, []).append((i, text))
            continue
        c = column_at(grid, (line.x0 + line.x1) / 2)
        if c is not None:
            cells.setdefault(regions[r][c], []).append((i, line.text))
    return cells, barred


def _extents(regions: Regions) -> dict[Region, Region]:
    """For each merged cell its last row and column."""
    last: dict[Region, Region] = {}
    for r, row in enumerate(regions):
        for c, region in enumerate(row):
            _, right = last.get(region, region)
            last[region] = (r, c if c > right else right)  # rows come from top to bottom
    return last


def _cells(
    cells: Contents,
    extents: dict[Region, Region],
    kept: tuple[list[int], list[int]],
    lines: Sequence[Line],
) -> list[TableCell]:
    """The cells with text; what begins in a sliver belongs to the next row or column that counts."""
    rows, columns = kept
    contents: dict[Region, list[tuple[int, str]]] = {}
    spans: dict[Region, tuple[int, int]] = {}
    for region, content in cells.items():
        r, c = region
        row = min(bisect_left(rows, r), len(rows) - 1)
        column = min(bisect_left(columns, c), len(columns) - 1)
        low, right = extents[region]
        height = bisect_right(rows, low) - row
        width = bisect_right(columns, right) - column
        contents.setdefault((row, column), []).extend(content)
        spans[row, column] = (max(1, height), max(1, width))
    texts = {
        place: cell_text([(lines[i], text) for i, text in content]) for place, content in contents.items()
    }
    heads = _head_rows(texts, spans)
    found = []
    for place, content in contents.items():
        row, column = place
        height, width = spans[place]
        box = around([lines[i] for i, _ in content])
        header = row < heads
        found.append(TableCell(row, column, texts[place], height, width, header, 0, box))
    return found


def _head_rows(texts: dict[Region, str], spans: dict[Region, tuple[int, int]]) -> int:
    """How many rows at the top name columns: those above the first amounts, at least the first one.

    A table without amounts has one row of names, or as many as its first cells reach down.
    """
    by_row: dict[int, list[str]] = {}
    for (r, _), text in texts.items():
        by_row.setdefault(r, []).append(text)
    with_amounts = (r for r in sorted(by_row) if any(map(is_amount, by_row[r])))
    reach = max((spans[place][0] for place in texts if place[0] == 0), default=1)
    first = next(with_amounts, reach)
    while first > 1 and len(by_row.get(first - 1, ())) == 1:  # labels between the names and the first amounts
        first -= 1
    return first if first <= MOST_HEAD_ROWS else reach


def _box(grid: Grid, inside: Sequence[Line]) -> Box:
    """The box of the grid, or of the part of it that the lines reach over where some are given."""
    top, bottom = grid.ys[0], grid.ys[-1]
    if inside:
        top = max(top, min(line.y0 for line in inside) - TOUCH)
        bottom = min(bottom, max(line.y1 for line in inside) + TOUCH)
    return Box(grid.xs[0], top, grid.xs[-1], bottom)


def _is_filled(texts: Sequence[Sequence[str]]) -> bool:
    """Whether the cells are a table's: nearly every row says something, and hardly ever all in one column.

    The grid lines of a chart and the strokes of a diagram leave most of their cells empty.
    """
    height, width = len(texts), len(texts[0])
    in_rows = [sum(map(bool, row)) for row in texts]
    in_columns = [sum(map(bool, column)) for column in zip(*texts, strict=True)]
    full_columns = sum(map(bool, in_columns))
    if height == 1 or full_columns == 1:
        return width > 2 and all(in_rows)  # the rest of a row, or a form
    fullest_row, fullest_column = max(in_rows), max(in_columns)
    if width > 2:  # all columns have a header, be it over blank rows
        if fullest_row >= HEADED * width:
            return True
        if full_columns >= HEADED * width and fullest_column > 1:
            return True
    if fullest_column <= 1 or fullest_row <= 1:
        return False
    full_rows, full_cells = sum(map(bool, in_rows)), sum(in_rows)
    if full_rows < MOST * height:
        return False
    if full_cells < max(FEWEST_CELLS, NEARLY_ALL * height * width):
        letters = sum(len(text) for row in texts for text in row)
        if letters < LETTERS_A_CELL * full_cells:
            return False
    if full_rows >= NEARLY_ALL * height or full_cells >= SOME * height * width:
        return True
    return in_columns[0] >= MOST * height and full_columns > 2


def _is_lattice(grid: Grid) -> bool:
    """Whether all the bars between the base cells are drawn, and there are several rows and columns."""
    if len(grid.ys) <= 2 or len(grid.xs) <= 3:
        return False
    return all(map(all, grid.beside)) and all(map(all, grid.above))


def _kept(edges: list[float], spans: list[tuple[float, float]]) -> list[int]:
    """The rows or columns that count: wide ones and those that something stands in.

    Shaded text inside a cell, and frames drawn one by one, leave slivers of white around themselves.
    """
    inhabited = set()
    for start, end in spans:
        band = bisect_right(edges, (start + end) / 2) - 1
        if not 0 <= band < len(edges) - 1:
            continue
        if start > edges[band] - INTO_NEXT and end < edges[band + 1] + INTO_NEXT:
            inhabited.add(band)
    kept = []
    for band, (low, high) in enumerate(pairwise(edges)):
        if band in inhabited or high - low > SLIVER:
            kept.append(band)
    return kept or [0]


def regions_of(grid: Grid) -> Regions:
    """For each base cell the top left base cell of the merged cell that it belongs to."""
    width = len(grid.xs) - 1
    regions: Regions = []
    for r in range(len(grid.ys) - 1):
        row: list[Region] = []
        for c in range(width):
            if c and not grid.beside[r][c]:
                row.append(row[-1])
            elif r and not grid.above[r][c]:
                row.append(regions[-1][c])
            else:
                row.append((r, c))
        regions.append(row)
    return regions


def _open_regions(grid: Grid, regions: Regions) -> set[Region]:
    """The regions that no line fences off from the page around the grid.

    Tables without side lines, and those cut by the page's end, are open along one axis: what leaks along
    both is the ground between the boxes of a drawing.
    """
    leaks_up_or_down = _unfenced(regions[0], grid.above[0]) | _unfenced(regions[-1], grid.above[-1])
    leaks_sideways: set[Region] = set()
    for row, bars in zip(regions, grid.beside, strict=True):
        if not bars[0]:
            leaks_sideways.add(row[0])
        if not bars[-1]:
            leaks_sideways.add(row[-1])
    return leaks_up_or_down & leaks_sideways


def _unfenced(row: Sequence[Region], bars: Sequence[bool]) -> set[Region]:
    """The regions of a row that have no bar along it."""
    return {region for region, bar in zip(row, bars, strict=True) if not bar}


def _area_share(grid: Grid, regions: Regions, chosen: set[Region]) -> float:
    """The share of the grid's area that the chosen regions take."""
    xs, ys = grid.xs, grid.ys
    area = sum(
        (ys[r + 1] - ys[r]) * (xs[c + 1] - xs[c])
        for r, row in enumerate(regions)
        for c, region in enumerate(row)
        if region in chosen
    )
    return area / ((ys[-1] - ys[0]) * (xs[-1] - xs[0]))


def _pieces(line: Line, grid: Grid, regions: Regions, r: int) -> list[tuple[Region, str]]:
    """The cells of row r that a line's runs stand in, each with its text; none where one is outside."""
    pieces: list[tuple[Region, str]] = []
    end = line.x0
    for run in line.runs:
        for x0, x1, text in _split(run, grid, r, line.size):
            c = column_at(grid, (x0 + x1) / 2)
            if c is None:
                return []
            if pieces and pieces[-1][0] == regions[r][c]:
                space = " " if x0 - end > SPACE_GAP * (run.y1 - run.y0) else ""
                region, before = pieces[-1]
                pieces[-1] = (region, before + space + text)
            else:
                pieces.append((regions[r][c], text))
            end = x1
    return pieces


def _bars_through(line: Line, grid: Grid, r: int) -> list[bool]:
    """Which of the places between the ends of a line, in row r, have a bar drawn."""
    margin = min(BAR_MARGIN, BAR_MARGIN_OF_LINE * (line.x1 - line.x0))
    first = bisect_right(grid.xs, line.x0 + margin)
    last = bisect_left(grid.xs, line.x1 - margin)
    return grid.beside[r][first:last]


def _split(run: Run, grid: Grid, r: int, size: float) -> list[tuple[float, float, str]]:
    """The run cut at the bars through it: narrow cells touch like words."""
    if hides_gaps(run, size):
        return _split_by_words(run, grid, r, size)
    parts = []
    x0, text = run.x0, run.text
    first = bisect_right(grid.xs, run.x0 + BAR_MARGIN)
    last = bisect_left(grid.xs, run.x1 - BAR_MARGIN)
    for c in range(first, last):
        if not grid.beside[r][c]:
            continue
        bar = grid.xs[c]
        cut = _space_at(text, (bar - x0) / (run.x1 - x0))
        if cut is not None:
            parts.append((x0, bar, text[:cut].strip()))
            x0, text = bar, text[cut:].strip()
    return [*parts, (x0, run.x1, text)]


def _split_by_words(run: Run, grid: Grid, r: int, size: float) -> list[tuple[float, float, str]]:
    """The run in the words that stand between two bars each."""
    parts: list[tuple[float, float, str]] = []
    last = 0
    for x0, x1, text in words_of_run(run, size):
        at = bisect_right(grid.xs, (x0 + x1) / 2)
        if parts and not any(grid.beside[r][last:at]):
            start, _, before = parts[-1]
            parts[-1] = (start, x1, f"{before} {text}")
        else:
            parts.append((x0, x1, text))
        last = at
    return parts


def _space_at(text: str, share: float) -> int | None:
    """The index of the space nearest to the given share of the text's width, None where none is near."""
    length = text_length(text)
    nearest, least = None, FARTHEST_SPACE * length
    for i, character in enumerate(text):
        if character == " ":
            distance = abs(text_length(text[:i]) - share * length)
            if distance < least or (nearest is None and distance == least):
                nearest, least = i, distance
    return nearest


def _is_cut(line: Line, grid: Grid) -> bool:
    """Whether a drawn bar goes right through a word of the line: nobody rules a table so."""
    r = bisect_right(grid.ys, (line.y0 + line.y1) / 2) - 1
    for run in line.runs:
        margin = max(BAR_MARGIN, BAR_MARGIN_OF_RUN * (run.x1 - run.x0))
        first = bisect_right(grid.xs, run.x0 + margin)
        last = bisect_left(grid.xs, run.x1 - margin)
        if not any(grid.beside[r][first:last]):
            continue
        if len(run.text) > LONGEST_CUT or len(_split(run, grid, r, line.size)) == 1:
            return True
    return False


def column_at(grid: Grid, x: float) -> int | None:
    c = bisect_right(grid.xs, x) - 1
    return c if 0 <= c < len(grid.xs) - 1 else None


def _has_wide_gap(grid: Grid, regions: Regions, cells: Contents) -> bool:
    """Whether one region without text takes much of the grid: the ground between the boxes of a diagram."""
    empty = {region for row in regions for region in row if region not in cells}
    if not 0 < len(empty) < MOST_EMPTY:
        return False
    xs, ys = grid.xs, grid.ys
    areas = dict.fromkeys(empty, 0.0)
    for r, row in enumerate(regions):
        for c, region in enumerate(row):
            if region in areas:
                areas[region] += (ys[r + 1] - ys[r]) * (xs[c + 1] - xs[c])
    whole = (ys[-1] - ys[0]) * (xs[-1] - xs[0])
    return max(areas.values()) / whole > LARGEST_EMPTY


def _is_line_numbers(pieces: list[tuple[int, str]]) -> bool:
    """Whether a cell counts the lines of a listing beside it."""
    numbers = [int(text) for _, text in pieces if text.isdecimal()]
    return len(numbers) >= FEWEST_LINE_NUMBERS and all(b == a + 1 for a, b in pairwise(numbers))


def _running_text(
    cells: Contents,
    regions: Regions,
    lines: Sequence[Line],
    width: float,
) -> list[Region]:
    """The cells that hold lines as wide as the grid, or nearly, with nothing beside them."""
    found = []
    for cell, pieces in cells.items():
        wide = sum(lines[i].x1 - lines[i].x0 > FULL_WIDTH * width for i, _ in pieces)
        most = MOST_FULL_OF_MANY if len(pieces) > MANY_LINES else MOST_FULL
        if wide <= most * len(pieces):
            continue
        r, _ = cell
        if all(region == cell or region not in cells for region in regions[r]):
            found.append(cell)
    return found
