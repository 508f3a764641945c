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
    left, right = sides.most_common(1)[0][0]
    overhanging = sum(row[left - 1] for row in grid.above) if left else 0
    closed = [bars[left] or bars[right] for bars in grid.beside]
    if all(closed) or 2 * overhanging > len(grid.ys):
        return [grid]
    parts = []
    for is_closed, rows in groupby(range(len(closed)), key=closed.__getitem__):
        if is_closed:
            first, *_, last = [*rows] * 2
            parts.append(
                Grid(
                    grid.xs,
                    grid.ys[first : last + 2],
                    grid.beside[first : last + 1],
                    grid.above[first : last + 2],
                )
            )
    return parts


def grid_table(
    grid: Grid, regions: Regions, lines: Sequence[Line], candidates: Iterable[int]
) -> Table | None:
    """The table that a grid with these regions makes of the candidate lines, None where it is no table."""
    outside = _open_regions(grid, regions)
    if outside and _area_share(grid, regions, outside) > 0.35:
        return None
    cells, barred = _contents(grid, regions, lines, candidates)
    for cell in outside:
        cells.pop(cell, None)
    if any(map(_is_line_numbers, cells.values())) or _has_wide_gap(grid, regions, cells):
        return None
    running = _running_text(cells, regions, lines, grid.xs[-1] - grid.xs[0])
    freed = sum(len(cells.pop(cell)) for cell in running)
    swallowed = sorted({i for pieces in cells.values() for i, _ in pieces})
    if 2 * freed > len(swallowed) and sum(n > 1 for n in Counter(r for r, _ in cells).values()) < 3:
        return None  # lines on shades of their own, or a page laid out in boxes
    if barred and 4 * sum(i in barred and _is_cut(lines[i], grid) for i in swallowed) > len(swallowed):
        return None
    rows = _kept(grid.ys, [(lines[i].y0, lines[i].y1) for i in swallowed])
    columns = _kept(grid.xs, [(run.x0, run.x1) for i in swallowed for run in lines[i].runs])
    edges = (*(grid.xs[c] for c in columns), grid.xs[-1])
    box = _box(grid, [lines[i] for i in swallowed] if freed else [])
    found = _cells(cells, _extents(regions), (rows, columns), lines)
    table = table_of_cells(found, (len(rows), len(columns)), box, tuple(swallowed), edges, ruled=True)
    if not _is_filled(table.rows) and not (all(map(any, table.rows)) and _is_lattice(grid)):
        return None
    return table


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
    width = len(texts[0])
    in_rows = [sum(map(bool, row)) for row in texts]
    in_columns = [sum(row[c] != "" for row in texts) for c in range(width)]
    full_columns = sum(map(bool, in_columns))
    if len(texts) == 1 or full_columns == 1:
        return width > 2 and all(in_rows)  # the rest of a row, or a form
    if width > 2 and (max(in_rows) >= 0.8 * width or (full_columns >= 0.8 * width and max(in_columns) > 1)):
        return True  # all columns have a header, be it over blank rows
    full_rows, full_cells = sum(map(bool, in_rows)), sum(in_rows)
    characters = sum(len(text) for row in texts for text in row)
    return (
        max(in_columns) > 1
        and (full_cells >= max(9, 0.9 * len(texts) * width) or characters >= 1.5 * full_cells)
        and max(in_rows) > 1
        and full_rows >= 0.6 * len(texts)
        and (
            full_rows >= 0.9 * len(texts)
            or full_cells >= 0.3 * len(texts) * width
            or (in_columns[0] >= 0.6 * len(texts) and full_columns > 2)
        )
    )


def _is_lattice(grid: Grid) -> bool:
    """Whether all the bars between the base cells are drawn, and there are several rows and columns."""
    return len(grid.ys) > 2 and len(grid.xs) > 3 and all(map(all, grid.beside)) and all(map(all, grid.above))


def _kept(edges: list[float], spans: list[tuple[float, float]]) -> list[int]:
    """The rows or columns that count: wide ones and those that something stands in.

    Shaded text inside a cell, and frames drawn one by one, leave slivers of white around themselves.
    """
    inhabited = set()
    for start, end in spans:
        band = bisect_right(edges, (start + end) / 2) - 1
        if 0 <= band < len(edges) - 1 and start > edges[band] - 2 and end < edges[band + 1] + 2:
            inhabited.add(band)
    bands = range(len(edges) - 1)
    kept = [band for band in bands if band in inhabited or edges[band + 1] - edges[band] > SLIVER]
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
    last = len(grid.ys) - 2
    leaks_up_or_down = {region for c, region in enumerate(regions[0]) if not grid.above[0][c]}
    leaks_up_or_down.update(region for c, region in enumerate(regions[last]) if not grid.above[last + 1][c])
    leaks_sideways = {row[0] for row, bars in zip(regions, grid.beside, strict=True) if not bars[0]}
    leaks_sideways.update(row[-1] for row, bars in zip(regions, grid.beside, strict=True) if not bars[-1])
    return leaks_up_or_down & leaks_sideways


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
                space = " " if x0 - end > 0.17 * (run.y1 - run.y0) else ""
                pieces[-1] = (regions[r][c], pieces[-1][1] + space + text)
            else:
                pieces.append((regions[r][c], text))
            end = x1
    return pieces


def _bars_through(line: Line, grid: Grid, r: int) -> list[bool]:
    """Which of the places between the ends of a line, in row r, have a bar drawn."""
    margin = min(4.0, 0.2 * (line.x1 - line.x0))
    return grid.beside[r][bisect_right(grid.xs, line.x0 + margin) : bisect_left(grid.xs, line.x1 - margin)]


def _split(run: Run, grid: Grid, r: int, size: float) -> list[tuple[float, float, str]]:
    """The run cut at the bars through it: narrow cells touch like words."""
    if hides_gaps(run, size):
        return _split_by_words(run, grid, r, size)
    parts = []
    x0, text = run.x0, run.text
    for c in range(bisect_right(grid.xs, run.x0 + 4), bisect_left(grid.xs, run.x1 - 4)):
        cut = _space_at(text, (grid.xs[c] - x0) / (run.x1 - x0)) if grid.beside[r][c] else None
        if cut is not None:
            parts.append((x0, grid.xs[c], text[:cut].strip()))
            x0, text = grid.xs[c], text[cut:].strip()
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
    spaces = [i for i, character in enumerate(text) if character == " "]
    near = min(spaces, key=lambda i: abs(text_length(text[:i]) - share * text_length(text)), default=None)
    if near is None or abs(text_length(text[:near]) - share * text_length(text)) > 0.25 * text_length(text):
        return None
    return near


def _is_cut(line: Line, grid: Grid) -> bool:
    """Whether a drawn bar goes right through a word of the line: nobody rules a table so."""
    r = bisect_right(grid.ys, (line.y0 + line.y1) / 2) - 1
    for run in line.runs:
        margin = max(4.0, 0.15 * (run.x1 - run.x0))
        first, last = bisect_right(grid.xs, run.x0 + margin), bisect_left(grid.xs, run.x1 - margin)
        if any(grid.beside[r][first:last]) and (
            len(_split(run, grid, r, line.size)) == 1 or len(run.text) > 40
        ):
            return True
    return False


def column_at(grid: Grid, x: float) -> int | None:
    c = bisect_right(grid.xs, x) - 1
    return c if 0 <= c < len(grid.xs) - 1 else None


def _has_wide_gap(grid: Grid, regions: Regions, cells: Contents) -> bool:
    """Whether one region without text takes much of the grid: the ground between the boxes of a diagram."""
    empty = {region for row in regions for region in row if region not in cells}
    if not 0 < len(empty) < 30:
        return False
    xs, ys = grid.xs, grid.ys
    areas = dict.fromkeys(empty, 0.0)
    for r, row in enumerate(regions):
        for c, region in enumerate(row):
            if region in areas:
                areas[region] += (ys[r + 1] - ys[r]) * (xs[c + 1] - xs[c])
    return max(areas.values()) / ((ys[-1] - ys[0]) * (xs[-1] - xs[0])) > 0.4


def _is_line_numbers(pieces: list[tuple[int, str]]) -> bool:
    """Whether a cell counts the lines of a listing beside it."""
    numbers = [int(text) for _, text in pieces if text.isdecimal()]
    return len(numbers) > 4 and all(b == a + 1 for a, b in pairwise(numbers))


def _running_text(
    cells: Contents,
    regions: Regions,
    lines: Sequence[Line],
    width: float,
) -> list[Region]:
    """The cells that hold lines as wide as the grid, or nearly, with nothing beside them."""
    found = []
    for cell, pieces in cells.items():
        wide = sum(lines[i].x1 - lines[i].x0 > 0.8 * width for i, _ in pieces)
        if wide > (0.25 if len(pieces) > 6 else 0.5) * len(pieces):
            beside = {region for region in regions[cell[0]] if region in cells}
            if beside == {cell}:
                found.append(cell)
    return found
