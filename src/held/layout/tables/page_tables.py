"""Finds the tables of a page: `find_tables` is the entry point of this package.

Candidates come from drawn grids (`grids`, `bordered`) and from aligned rows (`borderless`,
`booktabs`). Precision comes first: a heading inside a table is lost to the tree, while a table that isn't
found only leaves a few odd paragraphs.
"""

from __future__ import annotations

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from itertools import pairwise

from held.document import Box, PageContent, TableCell, bounding_box
from held.layout.characters import is_cjk, text_width
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
    is_undersegmented,
)
from held.layout.tables.borderless import build_from_lines, find_borderless_tables
from held.layout.tables.cells import Lines, Table, join_number, join_texts, skip_table_on_error
from held.layout.tables.grids import (
    Grid,
    build_grid,
    fill_regions,
    find_regions,
    find_ruled_rows,
    split_at_open_rows,
)
from held.layout.tables.non_tables import CAPTION_OR_ITEM, is_numbered_heading
from held.layout.tables.rows import SIGN_ENDS, build_rows
from held.layout.tables.words import BEFORE_NUMBER, is_amount, is_value
from held.layout.tolerances import (
    CELL_PADDING_PT,
    MAX_BAND_BREAK_PT,
    MAX_HEADER_ROWS_COUNT,
    MAX_LABELS_BELOW_HEADER_LINES,
    MAX_NAME_OUTDENT_PT,
    MAX_NAMES_ABOVE_GRID_LINES,
    MAX_STACKED_DISTANCE_PT,
    MAX_STACKED_EDGE_SHIFT_PT,
    MAX_STACKED_WHITE_PT,
    MAX_STROKE_GAP_PT,
    MAX_TABLE_EM_PT,
    MIN_COLUMNS_NAMED_OUTSIDE_COUNT,
    MIN_LONE_ROW_CELLS_COUNT,
    MIN_LONE_ROW_FILLED_COUNT,
    MIN_LONE_ROW_HEIGHT_LINES,
    MIN_PAGE_LINES_COUNT,
    MIN_ROWS_AROUND_CUT_COUNT,
    MIN_ROWS_BESIDE_TEXT_COUNT,
    MIN_SHARED_EDGES_SHARE,
    MIN_SHARED_ROW_EDGES_COUNT,
    MIN_TITLE_SIZE_TIMES,
    SAME_COLUMN_END_PT,
    SAME_DRAWN_EDGE_PT,
    SAME_LABEL_INDENT_PT,
    STACKED_LABEL_REACH_PT,
    TABLE_RULE_MARGIN_PT,
)
from held.system.startup import lazy_pattern

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
    alone, open_boxes = _unite_side_by_side(connected_components(strokes))
    for across, down in alone:
        grid = build_grid(across, down)
        if grid:
            grids += split_at_open_rows(grid)
    grids += find_ruled_rows(strokes, lines, free)
    boxes = [grid.box for grid in grids]
    beside_grids = [i for i in free if not any(lines[i].has_centre_in(box) for box in boxes)]
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
        or is_undersegmented(grid, regions, lines, inside, texts.regions)
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
    if len(rows) < MIN_ROWS_BESIDE_TEXT_COUNT or len(table.columns) < MIN_COLUMNS_NAMED_OUTSIDE_COUNT:
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
    if max(sum(map(bool, row)) for row in rows) < 2:
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


# --- parts of one table ---
#
# Joins the parts of a table that a page break, or a gap, separates.
#
# A page break may also cut a row. The first row of the next page is the rest of the last row only if every
# text in it continues a full line of that row, and a column is empty in it that no other row leaves empty.

SENTENCE_ENDS = "。.；;！!？?：:"  # of a sentence, or of the words before a list
# What begins an item or a sentence of its own.
ITEM_START = lazy_pattern(
    r"[-–—•·●▪■□*☑√]|[(（]?(?:\d{1,2}|[一二三四五六七八九十]+|[a-zA-Z])[)）.、．]|[①-⑳]|[A-Z]"
)


def is_continuation(upper: Table, lower: Table) -> bool:
    """Whether two tables, the last on one page and the first on the next, are one: their columns agree."""
    if upper.ruled != lower.ruled:
        return False
    # Merged cells can hide a few columns on one of the pages.
    few, many = sorted((upper.columns, lower.columns), key=len)
    if upper.ruled:
        return _have_same_edges(few, many)
    if len(few) != len(many) or abs(few[0] - many[0]) > SAME_LABEL_INDENT_PT:
        return False
    # The ends of columns of words depend on the words. A repeated header is as good.
    ends = zip(few[1:], many[1:], strict=True)
    return _repeats_names(upper, lower) or all(abs(a - b) < SAME_COLUMN_END_PT for a, b in ends)


def _have_same_edges(few: tuple[float, ...], many: tuple[float, ...]) -> bool:
    if len(few) <= MIN_SHARED_EDGES_SHARE * len(many):
        return False
    if abs(few[0] - many[0]) >= SAME_DRAWN_EDGE_PT or abs(few[-1] - many[-1]) >= SAME_DRAWN_EDGE_PT:
        return False
    return all(min(abs(edge - other) for other in many) < SAME_DRAWN_EDGE_PT for edge in few)


def _repeats_names(upper: Table, lower: Table) -> bool:
    """Whether both begin with the same row, and one of the first two rows has several names."""
    has_names = any(sum(map(bool, row)) > 1 for row in upper.rows[:2])
    return has_names and upper.rows[:1] == lower.rows[:1]


def join_tables(upper: Table, lower: Table) -> Table:
    """One table of both: the box and lines of the upper part, a repeated header only once."""
    columns = max(upper.columns, lower.columns, key=len)
    above, below = _spread_over(upper, columns), _spread_over(lower, columns)
    first = _count_repeated_rows(above, below)  # row of the lower part that is a row of its own
    if first < len(below.rows) and _are_on_two_pages(above, below):
        completed = _complete_last_row(above, below, first)
        if completed:
            above, first = completed, first + 1
    moved = [
        cell._replace(row=cell.row + len(above.rows) - first, header=False)
        for cell in below.cells
        if cell.row >= first
    ]
    return upper._replace(
        rows=above.rows + below.rows[first:],
        columns=columns,
        cells=(*above.cells, *moved),
    )


def _count_repeated_rows(upper: Table, lower: Table) -> int:
    count = 0
    for above, below in zip(upper.rows, lower.rows, strict=False):
        if above != below:
            break
        count += 1
    return count


def _are_on_two_pages(upper: Table, lower: Table) -> bool:
    # Within one page no row is cut.
    return bool(upper.cells and lower.cells) and upper.cells[-1].page != lower.cells[0].page


def _spread_over(table: Table, columns: tuple[float, ...]) -> Table:
    """The table over more columns, each cell in the one whose left edge is nearest to its own."""
    if len(table.columns) == len(columns):
        return table
    width = len(columns) - 1
    targets = []
    for edge in table.columns[:-1]:
        distances = [abs(column - edge) for column in columns[:-1]]
        targets.append(distances.index(min(distances)))
    rows = []
    for row in table.rows:
        texts = [""] * width
        for column, text in zip(targets, row, strict=True):
            texts[column] = text
        rows.append(tuple(texts))
    targets.append(width)
    cells = []
    for cell in table.cells:
        first = targets[cell.column]
        end = targets[min(cell.column + cell.column_span, len(targets) - 1)]
        cells.append(cell._replace(column=first, column_span=max(1, end - first)))
    return table._replace(rows=tuple(rows), cells=tuple(cells))


def _complete_last_row(upper: Table, lower: Table, index: int) -> Table | None:
    """The upper table with its last row completed by a row of the lower one; None if that isn't its rest."""
    last = _row_cells(upper, len(upper.rows) - 1)
    rest = _row_cells(lower, index)
    if not upper.ruled or not rest or not _leaves_full_column_empty(upper, lower, index):
        return None
    texts = {}
    for column, after in rest.items():
        before = last.get(column)
        text = _whole_text(before, after, upper.columns) if before else None
        if text is None:
            return None
        texts[column] = text
    return _replace_last_row(upper, texts)


def _row_cells(table: Table, row: int) -> dict[int, TableCell]:
    return {cell.column: cell for cell in table.cells if cell.row == row}


def _leaves_full_column_empty(upper: Table, lower: Table, index: int) -> bool:
    """Whether the row is empty in a column that all other rows below the header fill."""
    header = {cell.row for cell in upper.cells if cell.header}
    others = [row for r, row in enumerate(upper.rows) if r not in header]
    others += lower.rows[index + 1 :]
    if len(others) < MIN_ROWS_AROUND_CUT_COUNT:
        return False
    rest = _row_cells(lower, index)
    for column in range(len(upper.columns) - 1):
        if column not in rest and all(row[column] for row in others):
            return True
    return False


def _whole_text(before: TableCell, after: TableCell, columns: tuple[float, ...]) -> str | None:
    """The text of a cell and its rest; None if the one doesn't continue the other."""
    if before.row_span != 1 or after.row_span != 1 or before.column_span != after.column_span:
        return None
    width = columns[before.column + before.column_span] - columns[before.column]
    if not _is_full(before, after.text, width):
        return None
    if is_value(before.text) or is_value(after.text):
        return join_number([before.text, after.text], filled=True)
    if before.text[-1] in SENTENCE_ENDS or ITEM_START.match(after.text):
        return None
    return join_texts([before.text, after.text])


def _is_full(before: TableCell, after: str, width: float) -> bool:
    """Whether the line before has no space for what follows: a Chinese character, or a word."""
    next_piece = after[0] if is_cjk(after[0]) else after.split()[0]
    return before.box.width + MAX_TABLE_EM_PT * text_width(next_piece) > width - CELL_PADDING_PT


def _replace_last_row(table: Table, texts: dict[int, str]) -> Table:
    last = len(table.rows) - 1
    cells = []
    for cell in table.cells:
        if cell.row == last and cell.column in texts:
            cell = cell._replace(text=texts[cell.column])
        cells.append(cell)
    row = tuple(texts.get(column, text) for column, text in enumerate(table.rows[last]))
    return table._replace(rows=(*table.rows[:last], row), cells=tuple(cells))
