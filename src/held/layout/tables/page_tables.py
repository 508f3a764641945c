"""Finds the tables of a page: `find_tables` is the entry point of this package.

Candidates come from drawn grids (`grids`, `bordered`) and from aligned rows (`borderless`). Precision comes
first: a heading inside a table is lost to the tree, while a table that isn't found only leaves a few odd
paragraphs.
"""

from __future__ import annotations

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from itertools import pairwise

from held.document import Box, PageContent, bounding_box
from held.layout.lines import Line
from held.layout.strokes import (
    Component,
    Segment,
    Strokes,
    component_box,
    connected_components,
    find_strokes,
    group_representatives,
    row_edges,
)
from held.layout.tables.bordered import (
    add_implied_bars,
    add_implied_rows,
    build_grid_table,
)
from held.layout.tables.borderless import build_from_lines, find_borderless_tables
from held.layout.tables.cells import (
    Lines,
    Table,
    is_continuation,
    join_broken_number,
    join_tables,
    skip_table_on_error,
)
from held.layout.tables.grids import (
    Grid,
    Region,
    Regions,
    RegionTexts,
    add_names_above,
    build_grid,
    fill_regions,
    find_regions,
    find_ruled_rows,
    split_at_open_rows,
)
from held.layout.tables.rows import CAPTION_OR_ITEM, SIGN_ENDS, Cell, build_rows, is_numbered_heading
from held.layout.tables.words import BEFORE_NUMBER, is_amount, is_one_piece, is_value, line_pieces
from held.layout.tolerances import (
    MAX_BAND_BREAK_PT,
    MAX_HEADER_ROWS_COUNT,
    MAX_LABELS_BELOW_HEADER_LINES,
    MAX_NAME_OUTDENT_PT,
    MAX_NAMES_ABOVE_GRID_LINES,
    MAX_SIDE_BY_SIDE_SHARE,
    MAX_STACKED_DISTANCE_PT,
    MAX_STACKED_EDGE_SHIFT_PT,
    MAX_STACKED_OVERLAP_PT,
    MAX_STACKED_VALUES_COUNT,
    MAX_STACKED_WHITE_PT,
    MAX_STROKE_GAP_PT,
    MIN_LONE_ROW_CELLS_COUNT,
    MIN_LONE_ROW_FILLED_COUNT,
    MIN_LONE_ROW_HEIGHT_LINES,
    MIN_PAGE_LINES_COUNT,
    MIN_PIECE_GAP_PT,
    MIN_ROWS_BESIDE_TEXT_COUNT,
    MIN_SHARED_ROW_EDGES_COUNT,
    MIN_TITLE_SIZE_TIMES,
    SAME_DRAWN_EDGE_PT,
    STACKED_LABEL_REACH_PT,
    TABLE_RULE_MARGIN_PT,
)
from held.system import lazy_pattern

TYPED_RULE_STARTS = frozenset("-=_–—")
TYPED_RULE = lazy_pattern(r"[-=_–—]{4,}(?:[ +|]+[-=_–—]{2,})*")  # hyphens in a typewritten table
UNIT = lazy_pattern(r"[(（]?(?:金额|数量|货币)?单位\s*[:：]")  # of all values, at the right above a grid


def find_tables(page: PageContent, lines: Lines, *, taken: AbstractSet[int] = frozenset()) -> list[Table]:
    """The tables of a page from top to bottom; lines in `taken` belong to something else."""
    free = [i for i in range(len(lines)) if i not in taken]
    if len(free) < MIN_PAGE_LINES_COUNT:
        return []
    strokes = find_strokes(page)
    may_be_typed = [i for i in free if lines[i].text[:1] in TYPED_RULE_STARTS]
    typed_rules = [i for i in may_be_typed if TYPED_RULE.fullmatch(lines[i].text)]
    if typed_rules:
        typed = [Segment(lines[i].middle, lines[i].x0, lines[i].x1) for i in typed_rules]
        strokes = strokes._replace(across=sorted(strokes.across + typed))
        free = [i for i in free if i not in typed_rules]
    tables, reserve, open_boxes = _find_grid_tables(strokes, lines, free)
    free = _without_tables(free, tables)
    # A rule between two tables isn't the frame of a third.
    rules = [rule for rule in strokes.across if not any(_is_rule_of(table.box, rule) for table in tables)]
    tables += find_borderless_tables(lines, free, strokes._replace(across=rules), open_boxes)
    left = set(_without_tables(free, tables))
    tables += [table for table in reserve if left.issuperset(table.lines)]
    free = _without_tables(free, tables)
    tables.sort(key=lambda table: table.box.y0)
    merged = _merge_stacked_tables(tables, lines, free, strokes)
    return [_add_typed_rules(table, typed_rules, lines) for table in merged] if typed_rules else merged


def _add_typed_rules(table: Table, rules: Sequence[int], lines: Lines) -> Table:
    """The table with the lines that are typed rules of it: they are no text of the page."""
    box = table.box
    reach = TABLE_RULE_MARGIN_PT
    inside = [i for i in rules if box.y0 - reach < lines[i].middle < box.y1 + reach and lines[i].x0 < box.x1]
    return table._replace(lines=(*table.lines, *inside))


def _without_tables(free: list[int], tables: list[Table]) -> list[int]:
    used = {i for table in tables for i in table.lines}
    return [i for i in free if i not in used] if used else free


def _is_rule_of(box: Box, rule: Segment) -> bool:
    if not box.y0 - TABLE_RULE_MARGIN_PT < rule.at < box.y1 + TABLE_RULE_MARGIN_PT:
        return False
    return box.x0 - TABLE_RULE_MARGIN_PT < rule.start


def _is_rest_of_table(table: Table, lines: Lines) -> bool:
    """Whether a grid of one row is the rest of a table, not words on shades of their own."""
    cells = table.rows[0]
    filled = sum(map(bool, cells))
    if filled < MIN_LONE_ROW_FILLED_COUNT and len(cells) < MIN_LONE_ROW_CELLS_COUNT:
        return False
    line_height = max(lines[i].y1 - lines[i].y0 for i in table.lines)
    return table.box.height > MIN_LONE_ROW_HEIGHT_LINES * line_height


# --- Tables with drawn cells ---


def _find_grid_tables(
    strokes: Strokes, lines: Lines, free: list[int]
) -> tuple[list[Table], list[Table], list[Box]]:
    """The tables of the page's grids, those to take if no better table has their lines, and open boxes.

    An open box holds a table whose rows or columns its drawn lines do not separate.
    """
    tables: list[Table] = []
    reserve: list[Table] = []
    grids: list[Grid] = []
    components = connected_components(strokes)
    crossed = {rule for across, _ in components for rule in across}
    lone_rules = [rule for rule in strokes.across if rule not in crossed]
    alone, open_boxes = _unite_side_by_side(components)
    for across, down in alone:
        grid = build_grid(across, down)
        if grid:
            grids += split_at_open_rows(grid)
    outside = _lines_outside(grids, lines, free)
    grids = [add_names_above(grid, lone_rules, lines, outside) for grid in grids]
    grids += find_ruled_rows(strokes, lines, free)
    beside_grids = _lines_outside(grids, lines, free)
    for grid in grids:
        with skip_table_on_error():
            table, is_open = _find_grid_table(grid, lines, free)
            if table and not is_open and _is_header_alone(table, lines, beside_grids):
                is_open = True
            if table and is_open:
                open_boxes.append(table.box)
                reserve.append(table)
            elif table and len(table.rows) > 1:
                tables.append(table)
                free = _without_tables(free, [table])
            elif table and _is_rest_of_table(table, lines):
                reserve.append(table)
    return tables, reserve, open_boxes


def _lines_outside(grids: list[Grid], lines: Lines, free: list[int]) -> list[int]:
    """The free lines whose centres lie in no grid."""
    boxes = [grid.box for grid in grids]
    return [i for i in free if not any(lines[i].has_centre_in(box) for box in boxes)] if boxes else free


def _unite_side_by_side(components: list[Component]) -> tuple[list[Component], list[Box]]:
    """The components that stand alone, and a box around each row of them that share horizontal edges.

    Such components are the shaded cells of one table, with white between its columns.
    """
    boxes = [component_box(component) for component in components]
    # Most pages have few components, but a plan may have hundreds: only neighbours are compared.
    order = sorted(range(len(components)), key=lambda i: (round(boxes[i].y0), boxes[i].x0))
    pairs = [(i, j) for i, j in pairwise(order) if _are_side_by_side(components[i], components[j])]
    members: dict[int, list[int]] = {}
    for i, group in enumerate(group_representatives(len(components), pairs)):
        members.setdefault(group, []).append(i)
    alone = [components[group[0]] for group in members.values() if len(group) == 1]
    united = [bounding_box([boxes[i] for i in group]) for group in members.values() if len(group) > 1]
    return alone, united


def _are_side_by_side(one: Component, other: Component) -> bool:
    """Whether two components share most of their horizontal edges, with a little white between them."""
    gap = component_box(other).x0 - component_box(one).x1
    if not 0 < gap < MAX_BAND_BREAK_PT:
        return False
    ys, other_ys = row_edges(one), row_edges(other)
    shared = sum(any(abs(y - z) < MAX_STROKE_GAP_PT for z in other_ys) for y in ys)
    # The boxes of a diagram may share the edges of a row, and the arrows between them a third height.
    return shared >= MIN_SHARED_ROW_EDGES_COUNT and 2 * shared > max(len(ys), len(other_ys))


def _find_grid_table(grid: Grid, lines: Lines, free: list[int]) -> tuple[Table | None, bool]:
    """The table of a grid, and whether the grid leaves its rows or columns open."""
    inside = _lines_inside(grid, lines, free)
    regions = find_regions(grid)
    implied = add_implied_bars(grid, regions, lines, inside)
    if implied is not grid:
        grid, regions = implied, find_regions(implied)
    with_rows = add_implied_rows(grid, regions, lines, inside)
    if with_rows is not grid:
        grid, regions = with_rows, find_regions(with_rows)
    texts = fill_regions(grid, regions, lines, inside)
    table = build_grid_table(grid, regions, lines, texts)
    if table is None:
        return None, False
    is_open = (
        _has_sign_cells(table)
        or _is_undersegmented(grid, regions, lines, inside, texts.regions)
        or _is_named_outside(table, lines, free)
    )
    return table, is_open


def _lines_inside(grid: Grid, lines: Lines, free: list[int]) -> list[int]:
    """The free lines whose middle lies in the grid."""
    # Comparing sums saves a division for each of a page's lines and grids.
    top, bottom = 2 * grid.ys[0], 2 * grid.ys[-1]
    left, right = 2 * grid.xs[0], 2 * grid.xs[-1]
    inside = []
    for i in free:
        line = lines[i]
        if top < line.y0 + line.y1 < bottom and left < line.x0 + line.x1 < right:
            inside.append(i)
    return inside


def _has_sign_cells(table: Table) -> bool:
    """Whether signs such as "$" have drawn cells of their own, apart from their numbers."""
    for row in table.rows:
        texts = [text for text in row if text]
        for text, after in pairwise([*texts, ""]):
            if text[-1] not in SIGN_ENDS:
                continue
            signs = text.split()
            if not BEFORE_NUMBER.issuperset(signs):
                continue
            # The sign of the next column may have come into the cell of the number: "$", "12 $", "10".
            number, _, sign = after.rpartition(" ")
            if len(signs) > 1 or is_amount(number if sign in BEFORE_NUMBER else after):
                return True
    return False


def _is_named_outside(table: Table, lines: Lines, free: list[int]) -> bool:
    """Whether a grid of labels and amounts has its column names outside, right above it."""
    rows = table.rows
    if len(rows) < MIN_ROWS_BESIDE_TEXT_COUNT:
        return False
    with_amounts = sum(any(map(is_amount, row[1:])) for row in rows)
    if 2 * with_amounts < len(rows):
        return False
    first = next((r for r, row in enumerate(rows) if sum(map(bool, row)) > 1), None)
    if first is None or first >= MAX_HEADER_ROWS_COUNT or not any(map(is_amount, rows[first])):
        return False  # it has names of its own
    sample = lines[table.lines[0]]
    max_gap = MAX_NAMES_ABOVE_GRID_LINES * (sample.y1 - sample.y0)
    values_left = table.columns[1] - MAX_NAME_OUTDENT_PT
    for i in free:
        line = lines[i]
        is_right_above = 0 <= table.box.y0 - line.y1 < max_gap
        is_name = not (UNIT.match(line.text) or CAPTION_OR_ITEM.match(line.text))
        if is_right_above and values_left < line.x0 < table.box.x1 and is_name:
            return True
    return False


def _is_header_alone(table: Table, lines: Lines, beside_grids: list[int]) -> bool:
    """Whether a grid holds names alone, such as a shaded header, and a row of values stands right below."""
    rows = table.rows
    if len(rows) > MAX_HEADER_ROWS_COUNT or any(is_amount(text) for row in rows for text in row):
        return False
    sample = lines[table.lines[0]]
    max_gap = MAX_LABELS_BELOW_HEADER_LINES * (sample.y1 - sample.y0)
    box = table.box
    below = []
    for i in beside_grids:
        line = lines[i]
        is_right_below = -TABLE_RULE_MARGIN_PT < line.y0 - box.y1 < max_gap
        if is_right_below and box.x0 - SAME_DRAWN_EDGE_PT < line.x0 and line.x1 < box.x1 + SAME_DRAWN_EDGE_PT:
            below.append(i)
    return any(len(row.cells) > 1 and is_value(row.cells[-1].text) for row in build_rows(lines, below))


# --- Undersegmented grids: a cell holds several columns side by side, or several rows in a stack ---


def _is_undersegmented(
    grid: Grid, regions: Regions, lines: Lines, inside: Sequence[int], texts: RegionTexts
) -> bool:
    """Whether many drawn cells hold several pieces of a row, or some hold rows of values."""
    if _are_simple_cells(texts, lines):
        return False
    by_region: dict[Region, list[tuple[float, Cell]]] = {}  # pieces with the top of their row
    pieces_count = 0
    for row in build_rows(lines, inside):
        r = grid.row_at(row.middle)
        for cell in row.cells:
            c = grid.column_at(cell.middle)
            if c is not None and 0 <= r < len(regions):
                by_region.setdefault(regions[r][c], []).append((row.y0, cell))
                pieces_count += 1
    in_column: dict[tuple[int, int], list[tuple[float, Cell]]] = {}
    for (r, c), pieces in by_region.items():
        in_column.setdefault((c, regions[r].count((r, c))), []).extend(pieces)
    side_by_side = stacked = 0
    for region, pieces in by_region.items():
        if len(pieces) == 1:
            continue
        value_tops = [top for top, cell in pieces if is_value(cell.text)]
        rows_of_values = len(set(value_tops))
        if len(value_tops) > rows_of_values or _has_value_beside_text(pieces):
            width = regions[region[0]].count(region)
            side_by_side += len(pieces) * _has_gutter(pieces, in_column[region[1], width])
        if rows_of_values > MAX_STACKED_VALUES_COUNT:
            stacked += not _is_broken_number(region, grid, regions, lines, texts)
    return side_by_side > MAX_SIDE_BY_SIDE_SHARE * pieces_count or stacked > 1


def _has_gutter(pieces: Sequence[tuple[float, Cell]], in_column: Sequence[tuple[float, Cell]]) -> bool:
    """Whether white between pieces of a cell goes on through its column; in justified text it does not."""
    for (top, left), (other_top, right) in pairwise(pieces):
        if top == other_top:
            middle = (left.x1 + right.x0) / 2
            crossing = {y for y, cell in in_column if cell.x0 < middle < cell.x1}
            beside = {y for y, cell in in_column if cell.x0 >= middle}
            if len(crossing) < len(beside):
                return True
    return False


def _is_broken_number(region: Region, grid: Grid, regions: Regions, lines: Lines, texts: RegionTexts) -> bool:
    pieces = [(lines[i], text) for i, text in texts.get(region, ())]
    row, first = region
    columns = regions[row].count(region)
    width = grid.xs[first + columns] - grid.xs[first]
    return bool(pieces) and join_broken_number(pieces, width) is not None


def _are_simple_cells(texts: RegionTexts, lines: Lines) -> bool:
    """Whether every line is one piece, no two of a cell stand at one height, and none stacks many values.

    Most drawn tables are so, and this test is much cheaper than to build rows.
    """
    for pieces in texts.values():
        for i, text in pieces:
            if text in BEFORE_NUMBER or not _is_single_piece(lines[i]):
                return False
        if len(pieces) > 1 and _may_hold_several([lines[i] for i, _ in pieces]):
            return False
    return True


def _is_single_piece(line: Line) -> bool:
    return is_one_piece(line) or line_pieces(line) == [(line.x0, line.x1, line.text)]


def _may_hold_several(cell_lines: Lines) -> bool:
    """Whether lines of a cell stand at one height, or more of them are values than one cell stacks."""
    downwards = sorted(cell_lines, key=lambda line: line.y0)
    for upper, lower in pairwise(downwards):
        if lower.y0 < upper.y1 - MAX_STACKED_OVERLAP_PT:
            return True
    return sum(is_value(line.text) for line in cell_lines) > MAX_STACKED_VALUES_COUNT


def _has_value_beside_text(pieces: Sequence[tuple[float, Cell]]) -> bool:
    for (top, left), (other_top, right) in pairwise(pieces):
        if top == other_top and right.x0 - left.x1 > MIN_PIECE_GAP_PT and is_value(right.text):
            return True
    return False


# --- Tables right upon each other, such as a drawn header over rows without a grid ---


def _merge_stacked_tables(
    tables: Sequence[Table], lines: Lines, free: list[int], strokes: Strokes
) -> list[Table]:
    merged: list[Table] = []
    for table in tables:
        whole = None
        if merged:
            with skip_table_on_error():
                whole = _merge_if_stacked(merged[-1], table, lines, free, strokes)
        if whole:
            merged[-1] = whole
        else:
            merged.append(table)
    return merged


def _merge_if_stacked(
    upper: Table, lower: Table, lines: Lines, free: list[int], strokes: Strokes
) -> Table | None:
    """One table of both, None if they are two."""
    labels = _labels_between(upper, lower, lines, free)
    if labels is None:
        return None
    box = bounding_box([upper.box, lower.box])
    if not upper.ruled or not lower.ruled:
        whole = build_from_lines([*upper.lines, *labels, *lower.lines], lines, strokes)
        return whole._replace(box=box, ruled=upper.ruled or lower.ruled)
    if labels or not is_continuation(upper, lower):
        return None
    return join_tables(upper, lower)._replace(box=box, lines=upper.lines + lower.lines)


def _labels_between(upper: Table, lower: Table, lines: Lines, free: list[int]) -> list[int] | None:
    """The label between a drawn header and rows without a grid, if any; None if more separates the two."""
    above, below = upper.box, lower.box
    distance = below.y0 - above.y1
    edge_shift = max(abs(above.x0 - below.x0), abs(above.x1 - below.x1))
    if edge_shift > MAX_STACKED_EDGE_SHIFT_PT or distance > MAX_STACKED_DISTANCE_PT:
        return None
    top, bottom = above.y1 - STACKED_LABEL_REACH_PT, below.y0 + STACKED_LABEL_REACH_PT
    between = [i for i in free if top < lines[i].middle < bottom]
    is_header_over_rows = upper.ruled and not lower.ruled
    if len(between) > is_header_over_rows:
        return None
    min_title_size = MIN_TITLE_SIZE_TIMES * lines[lower.lines[0]].size
    if any(lines[i].size > min_title_size or is_numbered_heading(lines[i].text) for i in between):
        return None
    white = distance - sum(lines[i].y1 - lines[i].y0 for i in between)
    return between if white < MAX_STACKED_WHITE_PT else None
