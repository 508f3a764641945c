"""Finds tables without a grid: rows of short texts in columns.

Financial statements have labels at the left and number columns; scientific tables have horizontal rules only.
Numbers below numbers are the evidence; between rules (booktabs), or in small print, words will do.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from held.document import Box
from held.layout.strokes import Segment, Strokes
from held.layout.tables.booktabs import find_framed_blocks
from held.layout.tables.cells import Lines, Table, skip_table_on_error, usual_size
from held.layout.tables.columns import (
    Columns,
    aligned_share,
    find_columns,
    split_close_columns,
    words_over_columns,
)
from held.layout.tables.non_tables import (
    find_index_entries,
    is_caption_or_item,
    is_chart,
    is_non_table,
    is_numbered_heading,
    split_at_text,
    split_beside_prose,
)
from held.layout.tables.rows import (
    Cell,
    CellRow,
    Rows,
    build_rows,
    first_value_start,
    has_same_edges,
    is_data,
    is_header,
    is_prose,
    leftmost_but_strays,
    merge_centred_rows,
    row_height,
    row_lines,
    stands_over,
    without_lines,
)
from held.layout.tables.structure import build_table, names_several_columns
from held.layout.tables.words import is_amount, is_value
from held.layout.tolerances import (
    BLOCK_MARGIN_PT,
    MAX_ALIGNED_ROW_GAP_ROWS,
    MAX_HEADER_DISTANCE_ROWS,
    MAX_HEADER_GAP_ROWS,
    MAX_LABEL_GAP_ROWS,
    MAX_LABEL_OVER_VALUES_PT,
    MAX_LONE_NAME_OUTDENT_PT,
    MAX_NAME_OUTDENT_PT,
    MAX_NAME_OVERHANG_PT,
    MAX_PENDING_LABELS_COUNT,
    MAX_ROW_GAP_ROWS,
    MAX_SMALL_PRINT_SIZE_TIMES,
    MAX_TITLE_OFF_AXIS_PT,
    MIN_ALIGNED_SHARE,
    MIN_DATA_ROWS_COUNT,
    MIN_FULL_ROWS_SHARE,
    MIN_LONE_NAME_INDENT_PT,
    MIN_NAME_BESIDE_LABELS_PT,
    MIN_NAMED_VALUES_COUNT,
    MIN_ROWS_BEFORE_NEXT_TABLE_COUNT,
    MIN_RULED_DATA_CELLS_COUNT,
    MIN_RULED_DATA_ROWS_COUNT,
    MIN_STATEMENT_ROWS_COUNT,
    MIN_TITLE_SIZE_TIMES,
    MIN_VALUE_GAP_EM,
    MIN_WORD_ROWS_COUNT,
    STRAY_VALUE_ROWS,
    STRAY_VALUE_ROWS_SO_FAR,
    UNION_MARGIN_PT,
)


def find_borderless_tables(
    lines: Lines, free: Sequence[int], strokes: Strokes, grids: Sequence[Box] = ()
) -> list[Table]:
    """The tables that the free lines form by alignment, with horizontal rules as further evidence.

    `grids` are boxes that hold a table, but whose lines separate neither its rows nor its columns.
    """
    tables: list[Table] = []
    if not _has_neighbours(lines, free):
        return tables
    body_size = usual_size(lines)
    entries = find_index_entries(lines, free)
    if entries:
        free = [i for i in free if i not in entries]
    for group in split_beside_prose(lines, free, grids):
        with skip_table_on_error():
            rows = split_close_columns(merge_centred_rows(build_rows(lines, group)))
            tables += _tables_in_rows(rows, lines, strokes, grids, body_size)
    return tables


def _tables_in_rows(
    rows: Rows, lines: Lines, strokes: Strokes, grids: Sequence[Box], body_size: float
) -> list[Table]:
    tables: list[Table] = []
    if sum(len(row.cells) > 1 for row in rows) < 2:
        return tables
    blocks = _find_number_blocks(rows, lines, strokes)
    blocks = _unite_blocks(blocks, find_framed_blocks(rows, strokes, grids), rows)
    used: set[int] = set()
    for whole in blocks:
        for block in split_at_text(whole, grids):
            used |= row_lines(block)
            with skip_table_on_error():
                tables.append(build_table(block, find_columns(block), lines, strokes.across))
    for block in _find_word_blocks(without_lines(rows, used), body_size):
        with skip_table_on_error():
            tables.append(build_table(block, find_columns(block), lines))
    return tables


def build_from_lines(indices: Sequence[int], lines: Lines, strokes: Strokes) -> Table:
    """One table of lines that are known to be one, by their alignment alone."""
    rows = build_rows(lines, indices)
    return build_table(rows, find_columns(rows) or [(0.0, 1.0)], lines, strokes.across)


def _has_neighbours(lines: Lines, free: Sequence[int]) -> bool:
    """Whether a few lines have others at their height, or measured words: on most pages none has."""
    if sum(bool(lines[i].runs[0].words) for i in free) > 1:
        return True
    spans = sorted([(lines[i].y0 + lines[i].y1, lines[i].y0) for i in free])
    return sum(2 * top < twice_middle for (twice_middle, _), (_, top) in pairwise(spans)) > 1


# --- Blocks that belong to one table ---


def _unite_blocks(numeric: list[Rows], framed: list[Rows], rows: Rows) -> list[Rows]:
    """All blocks, those that share lines united: each kind may find only a part of a table."""
    blocks = list(numeric)
    for block in framed:
        lines = row_lines(block)
        overlapping = [other for other in blocks if not lines.isdisjoint(row_lines(other))]
        blocks = [other for other in blocks if other not in overlapping]
        if overlapping:
            blocks.append(_unite([block, *overlapping], rows))
        elif sum(len(row.cells) > 1 for row in block) > 1:
            blocks.append(block)
    return sorted(blocks, key=lambda block: block[0].y0)


def _unite(blocks: list[Rows], rows: Rows) -> Rows:
    """Everything at the height of the blocks and between their outer edges."""
    members = [row for block in blocks for row in block]
    top, bottom = min(row.y0 for row in members), max(row.y1 for row in members)
    left = min(row.cells[0].x0 for row in members) - UNION_MARGIN_PT
    right = max(row.cells[-1].x1 for row in members) + UNION_MARGIN_PT
    united = []
    for row in rows:
        if top <= row.middle <= bottom:
            cells = tuple(cell for cell in row.cells if left <= cell.x0 and cell.x1 <= right)
            if cells:
                united.append(row._replace(cells=cells))
    return united


# --- Blocks of numbers: a block begins and ends with a data row; header rows are added above ---


def _find_number_blocks(rows: Rows, lines: Lines, strokes: Strokes) -> list[Rows]:
    """The blocks of rows that numbers in columns make tables without any frame."""
    has_data = [is_data(row) for row in rows]
    blocks = []
    start = floor = 0
    while start < len(rows):
        if not has_data[start]:
            start += 1
            continue
        stop = _block_end(rows, has_data, start)
        first = _header_start(rows, lines, floor, start, stop)
        block = rows[first:stop]
        is_table = _is_number_table(block, strokes) or _has_named_values(block)
        if is_table:
            blocks.append(block)
        if is_table or sum(has_data[start:stop]) > 1:
            floor = stop
        start = stop
    return blocks


def _block_end(rows: Rows, has_data: list[bool], start: int) -> int:
    """The index after the last data row of the block that begins at `start`."""
    stop = start + 1
    value_spans = _value_spans(rows[start])
    value_starts = [first_value_start(rows[start])]
    pending: Rows = []  # rows without values, which belong to the block if values follow
    is_far = False  # whether a wide gap stands above the pending rows
    for i in range(start + 1, len(rows)):
        row, before = rows[i], rows[i - 1]
        gap = (row.y0 - before.y1) / row_height(before, row)
        if is_prose(row):
            break
        if has_data[i]:
            is_apart = is_far or gap > MAX_ROW_GAP_ROWS
            fits = not (is_apart or pending) or _stands_below(row, value_spans)
            if is_apart and (gap >= MAX_ALIGNED_ROW_GAP_ROWS or not fits or is_header(row)):
                break
            may_be_next = bool(pending) and stop - start >= MIN_ROWS_BEFORE_NEXT_TABLE_COUNT
            if may_be_next and not fits and (is_far or is_header(row)):
                break  # another table
            stop, pending, is_far = i + 1, [], False
            value_spans += _value_spans(row)
            value_starts.append(first_value_start(row))
            continue
        values_left = leftmost_but_strays(value_starts, STRAY_VALUE_ROWS_SO_FAR)
        if gap > MAX_LABEL_GAP_ROWS or len(pending) == MAX_PENDING_LABELS_COUNT:
            break
        if not _may_stand_between(row, rows[start], values_left):
            break
        is_far = is_far or gap > MAX_ROW_GAP_ROWS
        if pending and (row.cells[0].x0 > values_left - MAX_NAME_OUTDENT_PT or len(row.cells) > 1):
            break  # column names below a label: another table
        pending.append(row)
    return stop


def _value_spans(row: CellRow) -> Columns:
    return [(cell.x0, cell.x1) for cell in row.cells[1:] if is_value(cell.text)]


def _stands_below(row: CellRow, spans: Columns) -> bool:
    """Whether all values of a row stand under values of the rows above."""

    def is_below(x0: float, x1: float) -> bool:
        return any(x0 < end and x1 > start for start, end in spans)

    return all(is_below(x0, x1) for x0, x1 in _value_spans(row))


def _may_stand_between(row: CellRow, first: CellRow, values_left: float) -> bool:
    """Whether a row without values may stand within a table: a label, or names of columns."""
    if len(row.cells) > 1:
        return True
    label = row.cells[0]
    if label.x1 >= values_left + MAX_LABEL_OVER_VALUES_PT:
        return False
    return row.size < MIN_TITLE_SIZE_TIMES * first.size and not is_numbered_heading(label.text)


def _header_start(rows: Rows, lines: Lines, floor: int, start: int, stop: int) -> int:
    """The index of the block's first header row, at least `floor`: headers stand over the value columns."""
    block = rows[start:stop]
    value_starts = sorted(first_value_start(row) for row in block if len(row.cells) > 1)
    values_left = leftmost_but_strays(value_starts, STRAY_VALUE_ROWS)
    usual_values_left = value_starts[len(value_starts) // 2]
    left = min(row.cells[0].x0 for row in block)
    right = max(row.cells[-1].x1 for row in block)
    beside_labels = max(row.cells[0].x1 for row in block) + MIN_NAME_BESIDE_LABELS_PT
    over_first_value = max(values_left - MAX_LONE_NAME_OUTDENT_PT, left + MIN_LONE_NAME_INDENT_PT)
    lone_name_left = min(over_first_value, beside_labels)
    first = start
    for i in range(start - 1, floor - 1, -1):
        if start - i > MAX_HEADER_DISTANCE_ROWS:
            break
        row, below = rows[i], rows[i + 1]
        name = row.cells[0]
        is_over_all = len(row.cells) > 2 and name.x1 > values_left - MAX_NAME_OUTDENT_PT and is_header(row)
        max_gap = MAX_HEADER_GAP_ROWS if is_over_all else MAX_ROW_GAP_ROWS
        if below.y0 - row.y1 > max_gap * row_height(row, below) or is_prose(row) or is_caption_or_item(row):
            break
        if len(row.cells) > 1:
            names_columns = is_header(row)
        elif first == i + 1 and words_over_columns(name, find_columns(block), lines):
            names_columns = True
        elif name.x0 <= lone_name_left or _is_title(name, left, right, usual_values_left):
            names_columns = False
        else:
            is_right_above = first == i + 1 and (first == start or stands_over(row, below))
            names_columns = is_right_above or names_several_columns(name.text)
        is_over_values = any(values_left < cell.x1 < right + MAX_NAME_OVERHANG_PT for cell in row.cells)
        if is_over_values and names_columns:
            first = i
        elif len(row.cells) > 1 or name.x1 > values_left + MAX_LABEL_OVER_VALUES_PT:
            break
    return first


def _is_title(cell: Cell, left: float, right: float, values_left: float) -> bool:
    """Whether a cell stands in the middle of labels and values together, as no name of columns does."""
    off_axis = abs(cell.x0 + cell.x1 - left - right) / 2
    return off_axis < MAX_TITLE_OFF_AXIS_PT and cell.x0 < values_left - MAX_NAME_OUTDENT_PT


# --- Whether a block of numbers is a table ---


def _is_number_table(block: Rows, strokes: Strokes) -> bool:
    """Whether the value columns of a block hold enough aligned numbers to be a table without a frame."""
    columns = find_columns(block)
    if len(columns) < 2 or (not _is_statement(block) and is_chart(block, strokes.loose)):
        return False
    data = [row for row in block if is_data(row)]
    if sum(not is_header(row) for row in data) == 1:
        return False  # `_has_named_values` asks for more
    is_ruled = _is_crossed(block, strokes.across)
    if len(data) < (MIN_RULED_DATA_ROWS_COUNT if is_ruled else MIN_DATA_ROWS_COUNT):
        return False
    fewest_cells = min(len(row.cells) for row in data)
    if len(data) < MIN_DATA_ROWS_COUNT and fewest_cells < MIN_RULED_DATA_CELLS_COUNT:
        return False
    if is_non_table(block, data, columns):
        return False
    values = [cell for row in data for cell in row.cells[1:]]
    numbers = [cell for cell in values if is_value(cell.text)]
    if 2 * len(numbers) < len(values):
        return False
    # Amounts and percentages of one column end at different places, but then each row fills every column.
    labelled = [row for row in data if len(row.cells) == len(columns) and not is_value(row.cells[0].text)]
    is_complete = len(columns) > 2 and len(labelled) >= MIN_FULL_ROWS_SHARE * len(data)
    return is_complete or aligned_share(numbers, columns) >= MIN_ALIGNED_SHARE


def _has_named_values(block: Rows) -> bool:
    """Whether all numbers of a block, be it one row, stand beside a label and below the name of a column."""
    several = [row for row in block if len(row.cells) > 1]
    headers = [row for row in several if is_header(row)]
    data = [row for row in several if not is_header(row)]
    if not data or not headers:
        return False
    for row in data:
        texts = [cell.text for cell in row.cells[1:]]
        if len(texts) < MIN_NAMED_VALUES_COUNT or is_value(row.cells[0].text):
            return False
        if not all(map(is_value, texts)):
            return False
        is_apart = row.cells[1].x0 - row.cells[0].x1 > MIN_VALUE_GAP_EM * row.size
        if not is_apart or not _are_named(row, headers):
            return False
    return not is_non_table(block, data, find_columns(block))


def _are_named(row: CellRow, headers: Rows) -> bool:
    """Whether a name stands over each value of a row, or a row of names has one for each in their order."""
    values = row.cells[1:]
    for header in headers:
        # Each name stands further right than the cell before its value.
        pairs = list(zip(row.cells, header.cells[-len(values) :], strict=False))
        in_order = all(name.x0 > before.x0 and name.x1 > before.x1 for before, name in pairs)
        if len(pairs) == len(values) and in_order:
            return True
    left = row.cells[0].x0 + MIN_LONE_NAME_INDENT_PT
    names = [cell for header in headers for cell in header.cells if cell.x0 > left]
    return all(any(name.x0 < value.x1 and value.x0 < name.x1 for name in names) for value in values)


def _is_statement(block: Rows) -> bool:
    """Whether a block has so many labels with several amounts each that it can't be a chart."""
    full = 0
    for row in block:
        amounts = sum(is_amount(cell.text) for cell in row.cells)
        full += amounts > 1 and not is_value(row.cells[0].text)
    return full >= MIN_STATEMENT_ROWS_COUNT and 2 * full > len(block)


def _is_crossed(block: Rows, rules: Sequence[Segment]) -> bool:
    """Whether a horizontal rule runs through the block or along its upper or lower edge."""
    top, bottom = block[0].y0 - BLOCK_MARGIN_PT, block[-1].y1 + BLOCK_MARGIN_PT
    left = min(row.cells[0].x0 for row in block)
    right = max(row.cells[-1].x1 for row in block)
    at_height = [rule for rule in rules if top < rule.at < bottom]
    return any(rule.start < right and rule.end > left for rule in at_height)


# --- Blocks of words: small print in rows that all have the same edges ---


def _find_word_blocks(rows: Rows, body_size: float) -> Iterator[Rows]:
    """The tables of words without a frame."""
    block: Rows = []
    for row in rows:
        if block and not _continues_words(block[-1], row):
            if _is_word_table(block, body_size):
                yield block
            block = []
        block.append(row)
    if block and _is_word_table(block, body_size):
        yield block


def _continues_words(above: CellRow, row: CellRow) -> bool:
    """Whether a row of short texts comes right below one of the same size and edges."""
    if row.size != above.size or row.y0 - above.y1 >= MAX_ROW_GAP_ROWS * row_height(above, row):
        return False
    return has_same_edges(above, row) and not is_prose(row) and not is_caption_or_item(row)


def _is_word_table(block: Rows, body_size: float) -> bool:
    if len(block) < MIN_WORD_ROWS_COUNT or block[0].size >= MAX_SMALL_PRINT_SIZE_TIMES * body_size:
        return False
    cells = [cell for row in block for cell in row.cells]
    if 2 * sum(is_value(cell.text) for cell in cells) >= len(cells):
        return False
    columns = find_columns(block)
    return len(columns) == len(block[0].cells) and not is_non_table(block, block, columns)
