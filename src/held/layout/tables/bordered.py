"""Turns drawn grids into tables if their cells are filled as those of a table are.

A grid with text in several rows and columns is a table. A frame around a page, a paragraph or a listing has a
single cell and is none; nor are charts and diagrams, most of whose cells are empty.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import pairwise

from held.document import Box, TableCell, bounding_box
from held.layout.lines import Line
from held.layout.tables.cells import Lines, Table, cell_text, make_table
from held.layout.tables.grids import (
    Grid,
    GridTexts,
    Region,
    Regions,
    RegionTexts,
    has_bar_through_word,
    open_regions,
    region_areas,
)
from held.layout.tables.words import BEFORE_NUMBER, is_amount, is_value
from held.layout.tolerances import (
    MANY_CELL_LINES_COUNT,
    MAX_BAND_OVERHANG_PT,
    MAX_CUT_LINES_SHARE,
    MAX_EMPTY_CELL_SHARE,
    MAX_HEADER_ROWS_COUNT,
    MAX_LABEL_IN_STACK_SHARE,
    MAX_OPEN_AREA_SHARE,
    MAX_RUNNING_LINES_OF_MANY_SHARE,
    MAX_RUNNING_LINES_SHARE,
    MAX_SLIVER_PT,
    MAX_STROKE_GAP_PT,
    MIN_ALIGNED_COLUMNS_SHARE,
    MIN_CELL_CHARS,
    MIN_CUT_MARGIN_PT,
    MIN_FILLED_GRID_SHARE,
    MIN_FILLED_ROWS_SHARE,
    MIN_FORM_BLANKS_COUNT,
    MIN_FULL_GRID_CELLS_COUNT,
    MIN_FULL_GRID_SHARE,
    MIN_LATTICE_COLUMNS_COUNT,
    MIN_LATTICE_ROWS_COUNT,
    MIN_LINE_NUMBERS_COUNT,
    MIN_NAMED_COLUMNS_SHARE,
    MIN_ROWS_AMONG_TEXT_COUNT,
    MIN_RUNNING_TEXT_SHARE,
    MIN_STACKED_ROWS_COUNT,
)


def build_grid_table(grid: Grid, regions: Regions, lines: Lines, texts: GridTexts) -> Table | None:
    """The table of a grid with these texts in its regions, None if it is no table."""
    outside = set() if _is_open_around_rows(grid) else open_regions(grid, regions)
    if outside:
        open_area = sum(region_areas(grid, regions, outside).values())
        if open_area / grid.area > MAX_OPEN_AREA_SHARE:
            return None
    filled = {region: pieces for region, pieces in texts.regions.items() if region not in outside}
    if any(map(_is_line_numbers, filled.values())) or _has_large_blank(grid, regions, filled):
        return None
    prose = _find_running_text(filled, regions, lines, grid.width)
    prose_lines = sum(len(filled.pop(region)) for region in prose)
    indices = sorted({i for pieces in filled.values() for i, _ in pieces})
    if 2 * prose_lines > len(indices) and _count_tabular_rows(filled) < MIN_ROWS_AMONG_TEXT_COUNT:
        return None  # lines on shades of their own, or a page laid out in boxes
    if texts.barred:
        cut = sum(i in texts.barred and has_bar_through_word(lines[i], grid) for i in indices)
        if cut > MAX_CUT_LINES_SHARE * len(indices):
            return None
    table = _build_cells(grid, regions, filled, lines, indices)
    if prose_lines:
        table = table._replace(box=_box_around(grid, [lines[i] for i in indices]))
    if _is_filled(table.rows):
        return table
    has_text_in_each_row = all(map(any, table.rows))
    return table if has_text_in_each_row and _is_lattice(grid) else None


def _is_open_around_rows(grid: Grid) -> bool:
    """Whether several rows stand around bars between columns, open at both sides, and above or below.

    A table that goes on overleaf is closed below, where its first part ends. Then all its inner bars are
    drawn, as they are in no drawing.
    """
    has_sides = any(bars[0] or bars[-1] for bars in grid.beside)
    closed_ends = any(grid.above[0]) + any(grid.above[-1])
    if has_sides or closed_ends == 2 or len(grid.ys) <= MIN_STACKED_ROWS_COUNT:
        return False
    return not closed_ends or _has_all_inner_bars(grid)


def _has_all_inner_bars(grid: Grid) -> bool:
    return all(map(all, grid.above[1:-1])) and all(all(bars[1:-1]) for bars in grid.beside)


def _is_line_numbers(pieces: list[tuple[int, str]]) -> bool:
    """Whether a cell counts the lines of a listing beside it."""
    numbers = [int(text) for _, text in pieces if text.isdecimal()]
    return len(numbers) >= MIN_LINE_NUMBERS_COUNT and all(b == a + 1 for a, b in pairwise(numbers))


def _has_large_blank(grid: Grid, regions: Regions, filled: RegionTexts) -> bool:
    """Whether one empty region takes much of the grid: the ground between the boxes of a diagram."""
    empty = {region for row in regions for region in row if region not in filled}
    if not 0 < len(empty) < MIN_FORM_BLANKS_COUNT:
        return False
    largest = max(region_areas(grid, regions, empty).values())
    return largest / grid.area > MAX_EMPTY_CELL_SHARE


def _find_running_text(filled: RegionTexts, regions: Regions, lines: Lines, width: float) -> list[Region]:
    """The regions with lines nearly as wide as the grid and nothing beside them."""
    found = []
    for region, pieces in filled.items():
        wide = sum(lines[i].x1 - lines[i].x0 > MIN_RUNNING_TEXT_SHARE * width for i, _ in pieces)
        has_many = len(pieces) > MANY_CELL_LINES_COUNT
        max_share = MAX_RUNNING_LINES_OF_MANY_SHARE if has_many else MAX_RUNNING_LINES_SHARE
        if wide <= max_share * len(pieces):
            continue
        row = regions[region[0]]
        if all(other == region or other not in filled for other in row):
            found.append(region)
    return found


def _count_tabular_rows(filled: RegionTexts) -> int:
    """The number of rows with text in several cells."""
    cells_in_row = Counter(r for r, _ in filled)
    return sum(count > 1 for count in cells_in_row.values())


# --- Cells: rows and columns that are mere slivers between frames are dropped ---


def _build_cells(
    grid: Grid, regions: Regions, filled: RegionTexts, lines: Lines, indices: Sequence[int]
) -> Table:
    inside = [lines[i] for i in indices]
    # The boxes of some fonts are much higher than their letters, and than the rows.
    heights = ((line.middle - line.size / 2, line.middle + line.size / 2) for line in inside)
    rows = _drop_slivers(grid.ys, heights)
    columns = _drop_slivers(grid.xs, ((run.x0, run.x1) for line in inside for run in line.runs))
    last = _last_base_cells(regions)
    pieces: RegionTexts = {}
    spans: dict[Region, tuple[int, int]] = {}
    widths: dict[Region, float] = {}
    region_of: dict[Region, Region] = {}
    for region, content in filled.items():
        r, c = region
        # What begins in a sliver belongs to the next row or column.
        row = min(bisect_left(rows, r), len(rows) - 1)
        column = min(bisect_left(columns, c), len(columns) - 1)
        bottom, right = last[region]
        row_span = bisect_right(rows, bottom) - row
        column_span = bisect_right(columns, right) - column
        pieces.setdefault((row, column), []).extend(content)
        spans[row, column] = (max(1, row_span), max(1, column_span))
        widths[row, column] = grid.xs[right + 1] - grid.xs[c]
        region_of[row, column] = region
    texts = {}
    for position, content in pieces.items():
        texts[position] = cell_text([(lines[i], text) for i, text in content], widths[position])
    _move_signs(texts)
    header_rows = _count_header_rows(texts, spans)
    cells = []
    for (row, column), content in pieces.items():
        row_span, column_span = spans[row, column]
        first, (_, right) = columns[column], last[region_of[row, column]]
        box = _clip(bounding_box([lines[i] for i, _ in content]), grid.xs[first], grid.xs[right + 1])
        is_header = row < header_rows
        cells.append(TableCell(row, column, texts[row, column], row_span, column_span, is_header, 0, box))
    edges = (*[grid.xs[c] for c in columns], grid.xs[-1])
    shape = (len(rows), len(columns))
    return make_table(cells, shape, _box_around(grid, []), tuple(indices), edges, ruled=True)


def _clip(box: Box, left: float, right: float) -> Box:
    """The part of a cell's lines between its bars: a line may go on in the next cell."""
    x0, x1 = max(box.x0, left), min(box.x1, right)
    return box._replace(x0=x0, x1=x1) if x0 < x1 else box


def _move_signs(texts: dict[Region, str]) -> None:
    """Moves the sign behind a number to the number in the next cell: the sign may stand on the bar."""
    for row, column in sorted(texts, reverse=True):
        number, _, sign = texts[row, column].rpartition(" ")
        following = texts.get((row, column + 1), "")
        if sign in BEFORE_NUMBER and is_amount(number) and is_amount(following):
            texts[row, column] = number
            texts[row, column + 1] = f"{sign} {following}"


def _drop_slivers(edges: list[float], extents: Iterable[tuple[float, float]]) -> list[int]:
    """The rows or columns that are wide, or that contain something.

    Shaded text inside a cell, and frames drawn one by one, leave slivers of white around themselves.
    """
    bands = range(len(edges) - 1)
    slivers = {band for band in bands if edges[band + 1] - edges[band] <= MAX_SLIVER_PT}
    if slivers:  # most grids have none
        for start, end in extents:
            band = bisect_right(edges, (start + end) / 2) - 1
            if band in slivers:
                # A shade inside a cell may cut it into slivers, which hold its text together.
                first = next(b for b in range(band, -2, -1) if b - 1 not in slivers)
                last = next(b for b in range(band, len(edges)) if b + 1 not in slivers)
                low, high = edges[first] - MAX_BAND_OVERHANG_PT, edges[last + 1] + MAX_BAND_OVERHANG_PT
                if start > low and end < high:
                    slivers.discard(band)
    return [band for band in bands if band not in slivers] or [0]


def _last_base_cells(regions: Regions) -> dict[Region, Region]:
    """For each region its last row and column."""
    last: dict[Region, Region] = {}
    for r, row in enumerate(regions):
        for c, region in enumerate(row):
            _, right = last.get(region, region)
            last[region] = (r, c if c > right else right)
    return last


def _count_header_rows(texts: dict[Region, str], spans: dict[Region, tuple[int, int]]) -> int:
    """The number of rows above the first amounts, at least one.

    A table with few amounts or none has one header row, or as many as its first cells span.
    """
    by_row: dict[int, list[str]] = {}
    for (r, _), text in texts.items():
        by_row.setdefault(r, []).append(text)
    rows_with_amounts = [r for r, row in by_row.items() if any(map(is_amount, row))]
    first_row_spans = [spans[r, c][0] for r, c in texts if r == 0]
    first_span = max(first_row_spans, default=1)
    first = min(rows_with_amounts, default=first_span)
    several = [r for r, row in by_row.items() if len(row) > 1]
    labelled = [r for r in several if r >= first_span and (r, 0) in texts]
    if 2 * len(rows_with_amounts) < len(labelled):
        first = min(first, first_span)
    # Labels may stand between the header and the first amounts.
    while first > 1 and len(by_row.get(first - 1, ())) == 1:
        first -= 1
    return first if first <= MAX_HEADER_ROWS_COUNT else first_span


def _box_around(grid: Grid, inside: Sequence[Line]) -> Box:
    """The box of the grid, or of the part of it that the given lines cover."""
    top, bottom = grid.ys[0], grid.ys[-1]
    if inside:
        top = max(top, min(line.y0 for line in inside) - MAX_STROKE_GAP_PT)
        bottom = min(bottom, max(line.y1 for line in inside) + MAX_STROKE_GAP_PT)
    return Box(grid.xs[0], top, grid.xs[-1], bottom)


# --- Whether a grid is a table ---


def _is_filled(texts: Sequence[Sequence[str]]) -> bool:
    """Whether the cells are a table's: nearly every row has text, and hardly ever all in one column.

    The grid lines of a chart and the strokes of a diagram leave most of their cells empty.
    """
    height, width = len(texts), len(texts[0])
    in_rows = [sum(map(bool, row)) for row in texts]
    in_columns = [sum(map(bool, column)) for column in zip(*texts, strict=True)]
    filled_rows, filled_columns = sum(map(bool, in_rows)), sum(map(bool, in_columns))
    if height == 1 or filled_columns == 1:
        is_rest = 2 * filled_columns >= width or filled_columns == 1 < height
        return width > 2 and all(in_rows) and is_rest  # the rest of a row, or a form
    if width > 2 and max(in_rows) >= MIN_NAMED_COLUMNS_SHARE * width:
        return True  # all columns have a name, perhaps over blank rows
    if max(in_columns) <= 1 or max(in_rows) <= 1 or filled_rows < MIN_FILLED_ROWS_SHARE * height:
        return False
    if sum(count > 1 for count in in_columns) < MIN_ALIGNED_COLUMNS_SHARE * width:
        return False  # the boxes of a diagram, each in columns of its own
    cells = height * width
    filled_cells = sum(in_rows)
    if filled_cells < MIN_FULL_GRID_CELLS_COUNT or filled_cells < MIN_FULL_GRID_SHARE * cells:
        characters = sum(len(text) for row in texts for text in row)
        if characters < MIN_CELL_CHARS * filled_cells:
            return False
    if filled_rows >= MIN_FULL_GRID_SHARE * height or filled_cells >= MIN_FILLED_GRID_SHARE * cells:
        return True
    return in_columns[0] >= MIN_FILLED_ROWS_SHARE * height and filled_columns > 2


def _is_lattice(grid: Grid) -> bool:
    """Whether all bars between the base cells are drawn, and there are several rows and columns."""
    if len(grid.ys) - 1 < MIN_LATTICE_ROWS_COUNT or len(grid.xs) - 1 < MIN_LATTICE_COLUMNS_COUNT:
        return False
    return all(map(all, grid.beside)) and all(map(all, grid.above))


# --- Bars that a grid leaves out: between names of groups of columns, and between the rows of its body ---


def add_implied_bars(grid: Grid, regions: Regions, lines: Lines, inside: Sequence[int]) -> Grid:
    """The grid with bars between texts that stand side by side in one cell over several columns.

    A header often leaves out the bars between the names of groups of columns.
    """
    by_region: dict[Region, list[Line]] = {}
    for i in inside:
        line = lines[i]
        r, c = grid.row_at(line.middle), grid.column_at(line.axis)
        if c is not None:
            by_region.setdefault(regions[r][c], []).append(line)
    beside = grid.beside
    for (first, c), members in by_region.items():
        width = regions[first].count((first, c))
        if width == 1 or len(members) == 1:
            continue
        edges = _edges_between(members, grid.xs[c + 1 : c + width], c + 1)
        if edges:
            beside = [list(bars) for bars in beside]
            for r, row in enumerate(regions):
                if row[c] == (first, c):
                    for edge in edges:
                        beside[r][edge] = True
    return grid if beside is grid.beside else grid._replace(beside=beside)


def _edges_between(members: list[Line], xs: Sequence[float], first: int) -> list[int]:
    """The indices of the column edges between texts side by side; [] if some have no edge between them."""
    members = sorted(members, key=lambda line: line.x0)
    edges = []
    end = members[0].x1
    for line in members[1:]:
        if line.x0 > end:
            middle = (end + line.x0) / 2
            low, high = end - MAX_BAND_OVERHANG_PT, line.x0 + MAX_BAND_OVERHANG_PT
            between = [k for k, x in enumerate(xs) if low < x < high]
            if not between:
                return []
            edges.append(first + min(between, key=lambda k: abs(xs[k] - middle)))
        end = max(end, line.x1)
    return edges


def add_implied_rows(grid: Grid, regions: Regions, lines: Lines, inside: Sequence[int]) -> Grid:
    """The grid with bars between the rows of those drawn cells that hold several rows each.

    LaTeX tables often rule off the header alone; the body is one drawn row of cells with a line for each row:

        +------+-------+
        | name | value |     Each line of the first column has another one at its height.
        +------+-------+
        | a    | 1     |
        | b    | 2     |
        | c    | 3     |
        +------+-------+
    """
    in_band: dict[int, list[Line]] = {}
    for i in inside:
        in_band.setdefault(grid.row_at(lines[i].middle), []).append(lines[i])
    cuts = {r: _rows_of_band(grid, regions, r, members) for r, members in in_band.items()}
    rows_in_stacks = sum(len(found) + 1 for found in cuts.values() if found)
    if rows_in_stacks <= sum(not found for found in cuts.values()):
        return grid
    drawn = [True] * (len(grid.xs) - 1)
    ys = [grid.ys[0]]
    beside: list[list[bool]] = []
    above = [grid.above[0]]
    for r, bars in enumerate(grid.beside):
        inner = cuts.get(r, [])
        ys += [*inner, grid.ys[r + 1]]
        beside += [bars] * (len(inner) + 1)
        above += [drawn] * len(inner)
        above.append(grid.above[r + 1])
    return Grid(grid.xs, ys, beside, above)


def _rows_of_band(grid: Grid, regions: Regions, r: int, members: list[Line]) -> list[float]:
    """The heights between the rows that stand in one drawn row of cells; [] if it is a row itself."""
    if len(members) < MIN_STACKED_ROWS_COUNT or len(set(regions[r])) == 1:
        return []
    if any(region[0] != r for region in regions[r]) or (
        r + 1 < len(regions) and _is_merged_below(regions, r)
    ):
        return []  # a cell over several drawn rows
    rows: list[list[Line]] = []
    for line in sorted(members, key=lambda line: line.middle):
        if rows and line.y0 < rows[-1][0].middle < line.y1:
            rows[-1].append(line)
        else:
            rows.append([line])
    rows = [sorted(row, key=lambda line: line.x0) for row in rows]
    if len(rows) < MIN_STACKED_ROWS_COUNT:
        return []
    columns = [{c for line in row for c in _columns_of(line, grid, r)} for row in rows]
    if not all(0 in filled and len(filled) > 1 for filled in columns):
        return []
    if 2 * sum(is_value(row[0].text) for row in rows) > len(rows):
        return []  # the numbers of a listing's lines, or those along the axis of a chart
    has_values = all(any(is_value(line.text) for line in row) for row in rows)
    if not has_values and (len(rows) == MIN_STACKED_ROWS_COUNT or _is_wrapped(rows, grid)):
        return []  # a label and a text in three lines each are as likely
    return [
        (max(line.y1 for line in upper) + min(line.y0 for line in lower)) / 2
        for upper, lower in pairwise(rows)
    ]


def _is_wrapped(rows: list[list[Line]], grid: Grid) -> bool:
    """Whether most lines of the first column fill it, as those of a text in several lines do."""
    left, right = grid.xs[:2]
    full_end = left + MAX_LABEL_IN_STACK_SHARE * (right - left)
    but_last = [line for row in rows[:-1] for line in row]
    labels = [line for line in but_last if line.x0 < right]
    full = [line for line in labels if line.x1 > full_end]
    return 2 * len(full) > len(labels)


def _is_merged_below(regions: Regions, r: int) -> bool:
    """Whether a cell goes on from a drawn row into the next one."""
    return any(above == below for above, below in zip(regions[r], regions[r + 1], strict=True))


def _columns_of(line: Line, grid: Grid, r: int) -> set[int]:
    """The columns of a row between whose drawn bars a line stands."""
    first = grid.column_at(line.x0 + MIN_CUT_MARGIN_PT)
    last = grid.column_at(line.x1 - MIN_CUT_MARGIN_PT)
    if first is None or last is None:
        return set()
    return {c for c in range(first, last + 1) if c == first or grid.beside[r][c]}
