"""Tables without a grid: rows of short texts that stand in columns.

Financial statements have labels at the left and number columns, scientific tables horizontal rules only.
Numbers under numbers are the evidence; between rules that make a frame (booktabs) words will do. Columns
of running text are set aside first.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from held.document import Box
from held.layout.lines import Line
from held.layout.strokes import Segment, Strokes
from held.layout.tables.alignment import (
    Cell,
    CellRow,
    aligned_share,
    cell_rows,
    columns_of,
    first_value_at,
    is_cut_alike,
    is_data,
    is_header,
    is_prose,
    leftmost_but_strays,
    part_close_columns,
    row_height,
    rows_without,
    stands_over,
)
from held.layout.tables.cells import Table, text_length, usual_size
from held.layout.tables.column_names import names_several
from held.layout.tables.foreign_rows import parted_at_text
from held.layout.tables.framed import framed_blocks
from held.layout.tables.lookalikes import is_apart, is_drawn_over, is_no_table, is_numbered
from held.layout.tables.side_by_side import part_columns
from held.layout.tables.structure import structured
from held.layout.tables.values import is_amount, is_value
from held.layout.tables.vertically_centred import in_whole_rows
from held.layout.tolerances import (
    BLOCK_MARGIN_PT,
    MAX_ALIGNED_ROW_GAP_ROWS,
    MAX_CHANCE_LINES_COUNT,
    MAX_COLUMN_INDENT_PT,
    MAX_HEADER_DISTANCE_ROWS,
    MAX_HEADER_GAP_ROWS,
    MAX_LABEL_GAP_ROWS,
    MAX_LABEL_OVER_VALUES_PT,
    MAX_LONE_NAME_OUTDENT_PT,
    MAX_NAME_OUTDENT_PT,
    MAX_NAME_OVERHANG_PT,
    MAX_PARAGRAPH_GAP_PT,
    MAX_PENDING_LABELS_COUNT,
    MAX_ROW_GAP_ROWS,
    MAX_SMALL_PRINT_SIZE_TIMES,
    MAX_TEXT_EDGE_SHIFT_PT,
    MAX_TITLE_OFF_AXIS_PT,
    MIN_ALIGNED_SHARE,
    MIN_DATA_ROWS_COUNT,
    MIN_FILLED_CELLS_SHARE,
    MIN_FILLING_LINE_CHARS,
    MIN_LONE_NAME_INDENT_PT,
    MIN_NAME_BESIDE_LABELS_PT,
    MIN_PROSE_LINE_CHARS,
    MIN_PROSE_LINE_PT,
    MIN_ROWS_BEFORE_NEXT_TABLE_COUNT,
    MIN_RULED_DATA_CELLS_COUNT,
    MIN_RULED_DATA_ROWS_COUNT,
    MIN_STATEMENT_ROWS_COUNT,
    MIN_TITLE_SIZE_TIMES,
    MIN_WORD_ROWS_COUNT,
    SAME_TEXT_EDGE_PT,
    STRAY_VALUE_ROWS,
    STRAY_VALUE_ROWS_SO_FAR,
    TEXT_COLUMN_OVERHANG_PT,
    UNION_MARGIN_PT,
)

LEADERS = ("....", ". . .", "……", "····")


def realigned(parts: Sequence[int], lines: Sequence[Line], strokes: Strokes) -> Table:
    """One table of lines that are known to be one, by their alignment alone."""
    rows = cell_rows(lines, parts)
    return structured(rows, columns_of(rows) or [(0.0, 1.0)], lines, strokes.across)


def aligned_tables(
    lines: Sequence[Line], free: Sequence[int], strokes: Strokes, drawn: Sequence[Box] = ()
) -> list[Table]:
    """The tables that the free lines make by alignment, with the horizontal rules as further evidence.

    `drawn` are the boxes of grids that hold a table, but part neither its rows nor its columns.
    """
    tables: list[Table] = []
    if not _stand_side_by_side(lines, free):
        return tables
    body = usual_size(lines)
    columns = part_columns(lines, free)
    for group in (group for column in columns for group in _beside_prose(lines, column, drawn)):
        rows = part_close_columns(in_whole_rows(cell_rows(lines, group)))
        if sum(len(row.cells) > 1 for row in rows) < 2:
            continue
        blocks = _number_tables(rows, strokes)
        blocks = _merged_blocks(blocks, framed_blocks(rows, strokes, drawn), rows)
        blocks = [part for block in blocks for part in parted_at_text(block)]
        found = [structured(block, columns_of(block), lines, strokes.across) for block in blocks]
        left = rows_without(rows, {i for table in found for i in table.lines})
        tables += [*found, *_word_tables(left, lines, body)]
    return tables


def _merged_blocks(
    numeric: list[list[CellRow]], framed: list[list[CellRow]], rows: list[CellRow]
) -> list[list[CellRow]]:
    """The blocks of both kinds, those that share rows made one: each may see but a part of a table."""
    blocks = list(numeric)
    for block in framed:
        sharing = [other for other in blocks if _share_rows(block, other)]
        blocks = [other for other in blocks if other not in sharing]
        blocks.append(_united([block, *sharing], rows) if sharing else block)
    return sorted(blocks, key=lambda block: block[0].y0)


def _share_rows(block: list[CellRow], other: list[CellRow]) -> bool:
    lines = {i for row in block for cell in row.cells for i in cell.lines}
    return any(i in lines for row in other for cell in row.cells for i in cell.lines)


def _united(blocks: list[list[CellRow]], rows: list[CellRow]) -> list[CellRow]:
    """All that stands on the heights of the blocks and between their outer edges."""
    members = [row for block in blocks for row in block]
    top, bottom = min(row.y0 for row in members), max(row.y1 for row in members)
    left, right = min(row.cells[0].x0 for row in members), max(row.cells[-1].x1 for row in members)
    united = []
    for row in rows:
        if top <= (row.y0 + row.y1) / 2 <= bottom:
            cells = tuple(
                cell
                for cell in row.cells
                if left - UNION_MARGIN_PT <= cell.x0 and cell.x1 <= right + UNION_MARGIN_PT
            )
            if cells:
                united.append(row._replace(cells=cells))
    return united


def _stand_side_by_side(lines: Sequence[Line], free: Sequence[int]) -> bool:
    """Whether a few lines have others at their height: on most pages of running text none has."""
    spans = sorted([(lines[i].y0 + lines[i].y1, lines[i].y0) for i in free])
    return sum(2 * top < middle for (middle, _), (_, top) in pairwise(spans)) > 1


def _beside_prose(lines: Sequence[Line], free: Sequence[int], drawn: Sequence[Box]) -> list[list[int]]:
    """The lines that may be in tables, in groups: where text runs in one column, the others are on their own.

    Running text shows by lines that share both their edges. Its own lines are in no group.
    """
    edges: dict[tuple[int, int], list[int]] = {}
    outside = [i for i in free if not any(_holds(box, lines[i]) for box in drawn)] if drawn else free
    for i in outside:
        line = lines[i]
        if (
            line.x1 - line.x0 > MIN_PROSE_LINE_PT
            and text_length(line.text) > MIN_PROSE_LINE_CHARS
            and not any(mark in line.text for mark in LEADERS)
        ):
            edges.setdefault(
                (round(line.x0 / SAME_TEXT_EDGE_PT), round(line.x1 / SAME_TEXT_EDGE_PT)), []
            ).append(i)
    alike = [members for members in edges.values() if len(members) > MAX_CHANCE_LINES_COUNT]
    labels = _with_values_beside(lines, free) if alike else set[int]()
    # A table repeats its labels: of those without a value beside them different ones count.
    filled = [
        members
        for members in alike
        if len({lines[i].text for i in members if i not in labels}) > MAX_CHANCE_LINES_COUNT
    ]
    columns = _text_columns([lines[members[0]] for members in filled])
    if not columns:
        return [list(free)]
    rest = []
    inside = set(free).difference(outside)
    for i in free:
        if i in inside:
            rest.append(i)
            continue
        column = next((column for column in columns if column.is_filled_by(lines[i])), None)
        if column:
            column.runs.append((lines[i].y0, lines[i].y1))
        else:
            rest.append(i)
    zones = [zone for column in columns for zone in _zones(column.runs)]
    groups: dict[int, list[int]] = {}
    for i in rest:
        middle = (lines[i].y0 + lines[i].y1) / 2
        amid = any(top < middle < bottom for top, bottom in zones)
        own = next((k for k, column in enumerate(columns) if column.holds(lines[i])), -1)
        groups.setdefault(own if amid else -1, []).append(i)
    return list(groups.values())


def _with_values_beside(lines: Sequence[Line], free: Sequence[int]) -> set[int]:
    """The lines at whose height a value stands: labels of a table may share both their edges, too."""
    heights = sorted((lines[i].y0 + lines[i].y1) / 2 for i in free if is_value(lines[i].text))
    return {i for i in free if bisect_left(heights, lines[i].y0) < bisect_right(heights, lines[i].y1)}


def _holds(box: Box, line: Line) -> bool:
    x, y = (line.x0 + line.x1) / 2, (line.y0 + line.y1) / 2
    return box.x0 < x < box.x1 and box.y0 < y < box.y1


class TextColumn(NamedTuple):
    """A column of running text: its edges, and the heights of the lines that fill it."""

    x0: float
    x1: float
    runs: list[tuple[float, float]]

    def is_filled_by(self, line: Line) -> bool:
        """Whether a line reaches from edge to edge, a first line's indent aside."""
        ends_flush = abs(line.x1 - self.x1) < MAX_TEXT_EDGE_SHIFT_PT
        begins_inside = -MAX_TEXT_EDGE_SHIFT_PT < line.x0 - self.x0 < MAX_COLUMN_INDENT_PT
        return ends_flush and begins_inside and text_length(line.text) > MIN_FILLING_LINE_CHARS

    def holds(self, line: Line) -> bool:
        """Whether a line stands between the edges."""
        return self.x0 - TEXT_COLUMN_OVERHANG_PT < line.x0 and line.x1 < self.x1 + TEXT_COLUMN_OVERHANG_PT


def _text_columns(samples: list[Line]) -> list[TextColumn]:
    """The columns that the sample lines fill, each once."""
    columns: list[TextColumn] = []
    for line in samples:
        if not any(column.is_filled_by(line) for column in columns):
            columns.append(TextColumn(line.x0, line.x1, []))
    return columns


def _zones(runs: list[tuple[float, float]]) -> list[tuple[float, float]]:
    """From where to where text runs, with only paragraphs' ends and headings between its lines."""
    zones: list[tuple[float, float]] = []
    for top, bottom in sorted(runs):
        if zones and top - zones[-1][1] < MAX_PARAGRAPH_GAP_PT:
            zones[-1] = (zones[-1][0], bottom)
        else:
            zones.append((top, bottom))
    return zones


def _number_tables(rows: list[CellRow], strokes: Strokes) -> list[list[CellRow]]:
    """The blocks of rows that numbers in columns make tables without any frame."""
    blocks = []
    for block in _number_blocks(rows):
        columns = columns_of(block)
        if len(columns) < 2 or (not _is_statement(block) and is_drawn_over(block, strokes.loose)):
            continue
        if _is_numeric_table(block, columns, _crosses(block, strokes.across)):
            blocks.append(block)
    return blocks


def _is_statement(block: list[CellRow]) -> bool:
    """Whether a block has so many labels with several amounts each that no chart has the like."""
    full = [
        row
        for row in block
        if not is_value(row.cells[0].text) and sum(is_amount(c.text) for c in row.cells) > 1
    ]
    return len(full) >= MIN_STATEMENT_ROWS_COUNT and 2 * len(full) > len(block)


def _number_blocks(rows: list[CellRow]) -> list[list[CellRow]]:
    """Stretches of rows that begin and end with data rows, their header rows added."""
    data = [is_data(row) for row in rows]
    blocks = []
    start = floor = 0
    while start < len(rows):
        if not data[start]:
            start += 1
            continue
        stop = _block_end(rows, data, start)
        if sum(data[start:stop]) > 1:
            first = _header_start(rows, floor, start, stop)
            blocks.append(rows[first:stop])
            floor = stop
        start = stop
    return blocks


def _block_end(rows: list[CellRow], data: list[bool], start: int) -> int:
    """The index after the last data row that the block from `start` reaches."""
    stop = start + 1
    known = _value_spans(rows[start])
    firsts = [first_value_at(rows[start])]
    pending: list[CellRow] = []  # rows without values, which belong to the block if values follow
    far = False  # whether a wide gap stands above the pending rows
    for i in range(start + 1, len(rows)):
        row, before = rows[i], rows[i - 1]
        gap = (row.y0 - before.y1) / row_height(before, row)
        if is_prose(row):
            break
        if data[i]:
            if (far or gap > MAX_ROW_GAP_ROWS) and not (
                gap < MAX_ALIGNED_ROW_GAP_ROWS and _fits(row, known) and not is_header(row)
            ):
                break
            if (
                pending
                and stop - start >= MIN_ROWS_BEFORE_NEXT_TABLE_COUNT
                and (far or is_header(row))
                and not _fits(row, known)
            ):
                break  # another table
            stop, pending, far = i + 1, [], False
            known += _value_spans(row)
            firsts.append(first_value_at(row))
            continue
        # A number in a label may stand further left than the columns begin.
        values_from = leftmost_but_strays(firsts, STRAY_VALUE_ROWS_SO_FAR)
        if gap > MAX_LABEL_GAP_ROWS or len(pending) == MAX_PENDING_LABELS_COUNT:
            break
        if not _may_stand_between(row, rows[start], values_from):
            break
        far = far or gap > MAX_ROW_GAP_ROWS
        if pending and (row.cells[0].x0 > values_from - MAX_NAME_OUTDENT_PT or len(row.cells) > 1):
            break  # names of columns below a label: another table
        pending.append(row)
    return stop


def _value_spans(row: CellRow) -> list[tuple[float, float]]:
    return [(cell.x0, cell.x1) for cell in row.cells[1:] if is_value(cell.text)]


def _fits(row: CellRow, known: list[tuple[float, float]]) -> bool:
    """Whether all values of a row stand under values of the rows above."""
    return all(any(x0 < end and x1 > start for start, end in known) for x0, x1 in _value_spans(row))


def _may_stand_between(row: CellRow, first: CellRow, values_from: float) -> bool:
    """Whether a row without values may stand between others of its table: a label, or names of columns."""
    if len(row.cells) > 1:
        return True
    cell = row.cells[0]
    return (
        cell.x1 < values_from + MAX_LABEL_OVER_VALUES_PT
        and row.size < MIN_TITLE_SIZE_TIMES * first.size
        and not is_numbered(cell.text)
    )


def _header_start(rows: list[CellRow], floor: int, start: int, stop: int) -> int:
    """The index of the block's first header row, from `floor` on: headers stand over the value columns."""
    firsts = sorted(first_value_at(row) for row in rows[start:stop] if len(row.cells) > 1)
    values_from = leftmost_but_strays(firsts, STRAY_VALUE_ROWS)
    usually_from = firsts[len(firsts) // 2]
    left = min(row.cells[0].x0 for row in rows[start:stop])
    right = max(row.cells[-1].x1 for row in rows[start:stop])
    beside_labels = max(row.cells[0].x1 for row in rows[start:stop]) + MIN_NAME_BESIDE_LABELS_PT
    first = start
    for i in range(start - 1, floor - 1, -1):
        if start - i > MAX_HEADER_DISTANCE_ROWS:
            break
        row, below = rows[i], rows[i + 1]
        over_all = (
            len(row.cells) > 2 and row.cells[0].x1 > values_from - MAX_NAME_OUTDENT_PT and is_header(row)
        )
        gap = (MAX_HEADER_GAP_ROWS if over_all else MAX_ROW_GAP_ROWS) * row_height(row, below)
        if below.y0 - row.y1 > gap or is_prose(row) or is_apart(row):
            break
        over_values = any(values_from < cell.x1 < right + MAX_NAME_OVERHANG_PT for cell in row.cells)
        if len(row.cells) > 1:
            names_columns = is_header(row)
        else:  # a title over all the columns reaches further left, and labels stand between
            over_first = max(values_from - MAX_LONE_NAME_OUTDENT_PT, left + MIN_LONE_NAME_INDENT_PT)
            further_right = row.cells[0].x0 > min(over_first, beside_labels)
            further_right = further_right and not _is_over_all(row.cells[0], left, right, usually_from)
            names_columns = first == i + 1 and further_right and (first == start or stands_over(row, below))
            names_columns = names_columns or (further_right and names_several(row.cells[0].text))
        if over_values and names_columns:
            first = i
        elif len(row.cells) > 1 or row.cells[0].x1 > values_from + MAX_LABEL_OVER_VALUES_PT:
            break
    return first


def _is_over_all(cell: Cell, left: float, right: float, values_from: float) -> bool:
    """Whether a cell stands in the middle of labels and values together: a title, no name of columns."""
    off_axis = abs(cell.x0 + cell.x1 - left - right) / 2
    return off_axis < MAX_TITLE_OFF_AXIS_PT and cell.x0 < values_from - MAX_NAME_OUTDENT_PT


def _is_numeric_table(block: list[CellRow], columns: list[tuple[float, float]], ruled: bool) -> bool:
    """Whether the block's value columns hold enough numbers in line to be a table without a frame."""
    data = [row for row in block if is_data(row)]
    fewest = MIN_RULED_DATA_ROWS_COUNT if ruled else MIN_DATA_ROWS_COUNT
    if len(data) < fewest:
        return False
    narrowest = min(len(row.cells) for row in data)
    if len(data) < MIN_DATA_ROWS_COUNT and narrowest < MIN_RULED_DATA_CELLS_COUNT:
        return False
    if is_no_table(block, data, columns):
        return False
    values = [cell for row in data for cell in row.cells[1:]]
    numbers = sum(is_value(cell.text) for cell in values)
    multi = sum(len(row.cells) > 1 for row in block)
    filled = sum(len(row.cells) for row in data)
    if (
        2 * numbers < len(values)
        or 2 * multi < len(block)
        or filled < MIN_FILLED_CELLS_SHARE * len(data) * len(columns)
    ):
        return False
    return aligned_share([cell for cell in values if is_value(cell.text)], columns) >= MIN_ALIGNED_SHARE


def _word_tables(rows: list[CellRow], lines: Sequence[Line], body: float) -> list[Table]:
    """The tables of words without a frame: small print in rows that are all cut the same way."""
    tables = []
    block: list[CellRow] = []
    for row in [*rows, None]:
        if row and block and _goes_on_alike(block[-1], row):
            block.append(row)
            continue
        if (
            len(block) >= MIN_WORD_ROWS_COUNT
            and block[0].size < MAX_SMALL_PRINT_SIZE_TIMES * body
            and _is_wordy(block)
        ):
            columns = columns_of(block)
            if len(columns) == len(block[0].cells) and not is_no_table(block, block, columns):
                tables.append(structured(block, columns, lines))
        block = [row] if row else []
    return tables


def _is_wordy(block: list[CellRow]) -> bool:
    """Whether fewer than half of the cells are values."""
    cells = [cell for row in block for cell in row.cells]
    return 2 * sum(is_value(cell.text) for cell in cells) < len(cells)


def _goes_on_alike(above: CellRow, row: CellRow) -> bool:
    """Whether a row of short texts comes right below one that is set and cut the same way."""
    return (
        row.size == above.size
        and row.y0 - above.y1 < MAX_ROW_GAP_ROWS * row_height(above, row)
        and is_cut_alike(above, row)
        and not is_prose(row)
        and not is_apart(row)
    )


def _crosses(block: list[CellRow], across: Sequence[Segment]) -> bool:
    """Whether a horizontal rule runs through the block or along its upper or lower edge."""
    top, bottom = block[0].y0 - BLOCK_MARGIN_PT, block[-1].y1 + BLOCK_MARGIN_PT
    left, right = min(row.cells[0].x0 for row in block), max(row.cells[-1].x1 for row in block)
    return any(top < s.at < bottom and s.start < right and s.end > left for s in across)
