"""Tables between horizontal rules of one length (booktabs), or on shaded bands.

Rules over and under rows with several cells make a frame. The header may stand above the frame: it names
the columns, and labels that lead in the first numbers may stand between.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from held.document import Box
from held.layout.strokes import Segment, Strokes
from held.layout.tables.alignment import (
    CellRow,
    aligned_share,
    columns_of,
    first_value_at,
    is_cut_alike,
    is_data,
    is_header,
    is_prose,
    row_height,
    rows_without,
    stands_over,
)
from held.layout.tables.lookalikes import is_apart, is_drawn_over, is_no_table, is_numbered
from held.layout.tables.values import is_value
from held.layout.tolerances import (
    FRAME_MARGIN_PT,
    FRAME_OVERHANG_PT,
    MAX_FRAMED_LABEL_SHARE,
    MAX_FRAMED_ROW_GAP_ROWS,
    MAX_GAP_BESIDE_FRAME_PT,
    MAX_HEADER_OUTDENT_PT,
    MAX_LABELS_BELOW_NAMES_COUNT,
    MAX_LEAD_IN_GAP_ROWS,
    MAX_NAME_OUTDENT_PT,
    MAX_ROW_TOUCH_PT,
    MAX_RULE_DISTANCE_OF_LABELS_ROWS,
    MAX_RULE_DISTANCE_OF_WRAPPED_ROWS,
    MAX_RULE_DISTANCE_ROWS,
    MAX_RULE_DISTANCE_WITH_LABELS_ROWS,
    MIN_ALIGNED_SHARE,
    MIN_FRAME_RULE_PT,
    MIN_FRAMED_WORD_PARTS_COUNT,
    MIN_FRAMED_WORD_ROWS_SHARE,
    MIN_ROWS_PER_OVERHANGING_ROW_COUNT,
    MIN_ROWS_PER_PROSE_ROW_COUNT,
    MIN_TITLE_SIZE_TIMES,
    SAME_LEFT_EDGE_PT,
    SAME_RIGHT_EDGE_PT,
    SAME_RULE_END_PT,
)

# How high a stretch between two rules may be, in heights of the rows in it.


class Frame(NamedTuple):
    """Where rules of one length stand over and under rows with several cells; `parts` of them, in all."""

    start: float
    end: float
    top: float
    bottom: float
    parts: int


def framed_blocks(rows: list[CellRow], strokes: Strokes, drawn: Sequence[Box] = ()) -> list[list[CellRow]]:
    """The rows of each table in a drawn box or a frame, the widest first, none in two."""
    blocks = []
    for box in drawn:
        block = _with_neighbours(_rows_within(rows, box.x0, box.x1, box.y0, box.y1), rows)
        if sum(len(row.cells) > 1 for row in block) > 1:
            blocks.append(block)
            rows = rows_without(rows, {i for row in block for cell in row.cells for i in cell.lines})
    for frame in _frames(strokes.across, rows):
        framed = _framed_block(frame, rows, strokes.loose)
        if framed:
            blocks.append(framed)
            rows = rows_without(rows, {i for row in framed for cell in row.cells for i in cell.lines})
    return blocks


def _frames(across: Sequence[Segment], rows: list[CellRow]) -> list[Frame]:
    """Where sets of equally long rules frame rows with several cells."""
    groups: dict[tuple[int, int], list[Segment]] = {}
    for segment in across:
        if segment.end - segment.start > MIN_FRAME_RULE_PT:
            ends = (round(segment.start / SAME_RULE_END_PT), round(segment.end / SAME_RULE_END_PT))
            groups.setdefault(ends, []).append(segment)
    frames = []
    for segments in groups.values():
        _, start, end = segments[0]
        top, bottom, parts = 0.0, 0.0, 0
        for upper, lower in pairwise(segments):
            between = _rows_within(rows, start, end, upper.at, lower.at)
            if _is_tabular(between, lower.at - upper.at):
                top, bottom, parts = top if parts else upper.at, lower.at, parts + 1
            elif parts and not _is_subheading(between, lower.at - upper.at):
                frames.append(Frame(start, end, top, bottom, parts))
                parts = 0
        if parts:
            frames.append(Frame(start, end, top, bottom, parts))
    # The widest first: short rules within it stand under groups of columns.
    return sorted(frames, key=lambda frame: (frame.start - frame.end) * (frame.bottom - frame.top))


def _is_tabular(rows: list[CellRow], height: float) -> bool:
    """Whether rows between two rules have several cells, most of them, and no single one looks a heading."""
    singles = [row for row in rows if len(row.cells) == 1]
    if not rows or 2 * len(singles) > len(rows):
        return False
    filled = sum(row.y1 - row.y0 for row in rows)
    highest = MAX_RULE_DISTANCE_WITH_LABELS_ROWS if singles else MAX_RULE_DISTANCE_ROWS
    if height > highest * filled or _has_single_below_gap(rows):
        return False
    left = min(row.cells[0].x0 for row in rows)
    first = rows[0].cells
    if len(first) == 1 and first[0].x0 < left + SAME_LEFT_EDGE_PT and is_header(rows[1]):
        return False  # a title and the header of another table
    size = max(row.size for row in rows if len(row.cells) > 1)
    if any(row.size > MIN_TITLE_SIZE_TIMES * size for row in singles):
        return False
    if height < MAX_RULE_DISTANCE_OF_WRAPPED_ROWS * filled and is_data(rows[-1]):
        return True
    width = max(row.cells[-1].x1 for row in rows) - left
    return not any(row.cells[0].x1 - row.cells[0].x0 > MAX_FRAMED_LABEL_SHARE * width for row in singles)


def _has_single_below_gap(rows: list[CellRow]) -> bool:
    """Whether a row of one cell stands below a wide gap, as a heading does."""
    for above, row in pairwise(rows):
        if len(row.cells) == 1 and row.y0 - above.y1 > MAX_FRAMED_ROW_GAP_ROWS * row_height(above, row):
            return True
    return False


def _is_subheading(rows: list[CellRow], height: float) -> bool:
    """Whether all that stands between two rules is a label, close to both."""
    if any(len(row.cells) > 1 or is_numbered(row.cells[0].text) for row in rows):
        return False
    if not rows:
        return True
    filled = sum(row.y1 - row.y0 for row in rows)
    return len(rows) <= MAX_LABELS_BELOW_NAMES_COUNT and height < MAX_RULE_DISTANCE_OF_LABELS_ROWS * filled


def _framed_block(frame: Frame, rows: list[CellRow], loose: Sequence[Box]) -> list[CellRow] | None:
    """The rows of the table in a frame, with those around it that belong to it; None where it is none."""
    block = _rows_within(rows, frame.start, frame.end, frame.top, frame.bottom)
    if MIN_ROWS_PER_OVERHANGING_ROW_COUNT * sum(_sticks_out(row, rows) for row in block) > len(block):
        return None  # short rules under the numbers alone, or fraction bars
    block = _without_title(_with_neighbours(block, rows))
    multi = [row for row in block if len(row.cells) > 1]
    if (
        len(multi) < 2
        or 2 * len(multi) < len(block)
        or MIN_ROWS_PER_PROSE_ROW_COUNT * sum(map(is_prose, block)) > len(block)
    ):
        return None
    columns = columns_of(multi)
    if len(columns) < 2 or is_no_table(block, multi, columns) or is_drawn_over(block, loose):
        return None
    if all(map(is_header, block)) and _goes_on_with_data(block[-1], rows):
        return None  # the frame is the header's alone
    below_header = [row for row in multi if not is_header(row)] or multi
    values = [cell for row in below_header for cell in row.cells[1:]]
    numbers = sum(is_value(cell.text) for cell in values)
    if 2 * numbers >= len(values):
        return block
    # A table of words needs more than a frame: one with several parts, and columns that are in line.
    if frame.parts < MIN_FRAMED_WORD_PARTS_COUNT or len(multi) < MIN_FRAMED_WORD_ROWS_SHARE * len(block):
        return None
    return block if aligned_share(values, columns) >= MIN_ALIGNED_SHARE else None


def _rows_within(rows: list[CellRow], start: float, end: float, top: float, bottom: float) -> list[CellRow]:
    """What of the rows stands in the given frame."""
    left, right = start - FRAME_OVERHANG_PT, end + FRAME_OVERHANG_PT
    highest, lowest = top - FRAME_MARGIN_PT, bottom + FRAME_MARGIN_PT
    found = []
    for row in rows:
        if highest < (row.y0 + row.y1) / 2 < lowest:
            cells = tuple([cell for cell in row.cells if left < cell.x0 and cell.x1 < right])
            if cells:
                found.append(row._replace(cells=cells))
    return found


def _sticks_out(row: CellRow, rows: list[CellRow]) -> bool:
    """Whether the row that this is a part of has a label further left, or goes on at the right."""
    whole = next((other for other in rows if other.y0 == row.y0 and other.y1 == row.y1), row)
    if whole.cells[0].x1 < row.cells[0].x0:
        return True
    end = row.cells[-1].x1
    following = [cell.x0 for cell in whole.cells if cell.x0 > end]
    return bool(following) and min(following) - end < MAX_GAP_BESIDE_FRAME_PT


def _with_neighbours(inside: list[CellRow], rows: list[CellRow]) -> list[CellRow]:
    """The rows with the header right above them, and with such rows around them as are cut the same way."""
    if not inside:
        return inside
    below = [row for row in rows if row.y0 > inside[-1].y1 - MAX_ROW_TOUCH_PT]
    for row in below:
        if not _follows(inside[-1], row) or not is_cut_alike(inside[-1], row):
            break
        inside = [*inside, row]
    return _with_header(inside, rows)


def _with_header(inside: list[CellRow], rows: list[CellRow]) -> list[CellRow]:
    """The rows with such rows above them as are cut the same way or name the value columns."""
    left = min(row.cells[0].x0 for row in inside) - MAX_HEADER_OUTDENT_PT
    right = max(row.cells[-1].x1 for row in inside)
    multi = [row for row in inside if len(row.cells) > 1]
    values_from = min(map(first_value_at, multi), default=right) - MAX_NAME_OUTDENT_PT
    labels: list[CellRow] = []  # between the header and the first numbers
    for row in reversed([row for row in rows if row.y1 < inside[0].y0 + MAX_ROW_TOUCH_PT]):
        led_in = bool(labels) and labels[0].cells[0].text.endswith((":", "："))
        gap = MAX_LEAD_IN_GAP_ROWS if led_in else MAX_FRAMED_ROW_GAP_ROWS
        if not _follows(row, (labels or inside)[0], gap=gap) or is_apart(row):
            break
        if row.cells[0].x0 < left or row.cells[-1].x1 > right + FRAME_OVERHANG_PT:
            break
        if len(row.cells) == 1 and not _names_group(row, inside[0], values_from):
            if len(labels) == MAX_LABELS_BELOW_NAMES_COUNT or not is_data(inside[0]) or is_header(inside[0]):
                break
            labels = [row, *labels]
        elif (
            is_cut_alike(inside[0], row)
            or ((led_in or not labels) and _has_values_alike(inside[0], row))
            or (is_header(row) and row.cells[-1].x0 > values_from)
        ):
            inside, labels = [row, *labels, *inside], []
        else:
            break
    return inside


def _names_group(row: CellRow, below: CellRow, values_from: float) -> bool:
    """Whether a row of one cell names a group of the columns that the header below it names."""
    return row.cells[0].x0 > values_from and is_header(below) and stands_over(row, below)


def _has_values_alike(row: CellRow, other: CellRow) -> bool:
    """Whether two rows have labels and as many numbers, up to the same right edge."""
    return (
        len(row.cells) == len(other.cells) > 2
        and is_data(row)
        and is_data(other)
        and abs(row.cells[-1].x1 - other.cells[-1].x1) < SAME_RIGHT_EDGE_PT
    )


def _without_title(block: list[CellRow]) -> list[CellRow]:
    """The rows without a title that stands over the labels, above the rows that name the columns."""
    first = next((row for row in block if len(row.cells) > 1), None)
    if first is None or not is_header(first) or is_data(first):
        return block
    left = min(row.cells[0].x0 for row in block)
    while len(block[0].cells) == 1 and block[0].cells[0].x0 < left + FRAME_OVERHANG_PT:
        block = block[1:]
    return block


def _goes_on_with_data(last: CellRow, rows: list[CellRow]) -> bool:
    """Whether numbers with a label of their own come right below a row."""
    below = next((row for row in rows if row.y0 > last.y1 - MAX_ROW_TOUCH_PT), None)
    if below is None or not _follows(last, below):
        return False
    return is_data(below) and not is_value(below.cells[0].text)


def _follows(row: CellRow, below: CellRow, *, gap: float = MAX_FRAMED_ROW_GAP_ROWS) -> bool:
    """Whether a row comes close below another, neither of them running text."""
    if below.y0 - row.y1 >= gap * row_height(row, below):
        return False
    return not is_prose(row) and not is_prose(below)
