"""Tables between horizontal rules of one length (booktabs), or on shaded bands.

Rules over and under rows with several cells make a frame. The header may stand above the frame: it names
the columns, and labels that lead in the first numbers may stand between.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from held.document import Box
from held.pdf.lines.strokes import Segment, Strokes
from held.pdf.tables.alignment import (
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
from held.pdf.tables.lookalikes import is_apart, is_drawn_over, is_no_table, is_numbered
from held.pdf.tables.values import is_value


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
        if segment.end - segment.start > 60:
            groups.setdefault((round(segment.start / 6), round(segment.end / 6)), []).append(segment)
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
    if 2 * len(singles) > len(rows) or not rows:
        return False
    if height > (2.5 if singles else 4.5) * sum(row.y1 - row.y0 for row in rows):
        return False
    if any(len(b.cells) == 1 and b.y0 - a.y1 > 1.6 * row_height(a, b) for a, b in pairwise(rows)):
        return False
    left = min(row.cells[0].x0 for row in rows)
    if len(rows[0].cells) == 1 and rows[0].cells[0].x0 < left + 3 and is_header(rows[1]):
        return False  # a title and the header of another table
    size = max(row.size for row in rows if len(row.cells) > 1)
    if any(row.size > 1.12 * size for row in singles):
        return False
    wrapped = height < 1.6 * sum(row.y1 - row.y0 for row in rows) and is_data(rows[-1])
    width = max(row.cells[-1].x1 for row in rows) - left
    return wrapped or not any(row.cells[0].x1 - row.cells[0].x0 > 0.6 * width for row in singles)


def _is_subheading(rows: list[CellRow], height: float) -> bool:
    """Whether all that stands between two rules is a label, close to both."""
    if any(len(row.cells) > 1 or is_numbered(row.cells[0].text) for row in rows):
        return False
    return len(rows) < 3 and (not rows or height < 2.2 * sum(row.y1 - row.y0 for row in rows))


def _framed_block(frame: Frame, rows: list[CellRow], loose: Sequence[Box]) -> list[CellRow] | None:
    """The rows of the table in a frame, with those around it that belong to it; None where it is none."""
    block = _rows_within(rows, frame.start, frame.end, frame.top, frame.bottom)
    if 3 * sum(_sticks_out(row, rows) for row in block) > len(block):
        return None  # short rules under the numbers alone, or fraction bars
    block = _without_title(_with_neighbours(block, rows))
    multi = [row for row in block if len(row.cells) > 1]
    if len(multi) < 2 or 2 * len(multi) < len(block) or 4 * sum(map(is_prose, block)) > len(block):
        return None
    columns = columns_of(multi)
    if len(columns) < 2 or is_no_table(block, multi, columns) or is_drawn_over(block, loose):
        return None
    if all(map(is_header, block)) and _goes_on_with_data(block[-1], rows):
        return None  # the frame is the header's alone
    values = [cell for row in multi if not is_header(row) for cell in row.cells[1:]]
    values = values or [cell for row in multi for cell in row.cells[1:]]
    wordy = 2 * sum(is_value(cell.text) for cell in values) < len(values)
    if wordy and (frame.parts < 2 or len(multi) < 0.6 * len(block) or aligned_share(values, columns) < 0.6):
        return None
    return block


def _rows_within(rows: list[CellRow], start: float, end: float, top: float, bottom: float) -> list[CellRow]:
    """What of the rows stands in the given frame."""
    found = []
    for row in rows:
        if top - 2 < (row.y0 + row.y1) / 2 < bottom + 2:
            cells = tuple(cell for cell in row.cells if start - 9 < cell.x0 and cell.x1 < end + 9)
            if cells:
                found.append(row._replace(cells=cells))
    return found


def _sticks_out(row: CellRow, rows: list[CellRow]) -> bool:
    """Whether the row that this is a part of has a label further left, or goes on at the right."""
    whole = next((other for other in rows if other.y0 == row.y0 and other.y1 == row.y1), row)
    right = min((cell.x0 for cell in whole.cells if cell.x0 > row.cells[-1].x1), default=None)
    return whole.cells[0].x1 < row.cells[0].x0 or (right is not None and right - row.cells[-1].x1 < 25)


def _with_neighbours(inside: list[CellRow], rows: list[CellRow]) -> list[CellRow]:
    """The rows with the header right above them, and with such rows around them as are cut the same way."""
    if not inside:
        return inside
    below = [row for row in rows if row.y0 > inside[-1].y1 - 3]
    for row in below:
        if not _follows(inside[-1], row) or not is_cut_alike(inside[-1], row):
            break
        inside = [*inside, row]
    return _with_header(inside, rows)


def _with_header(inside: list[CellRow], rows: list[CellRow]) -> list[CellRow]:
    """The rows with such rows above them as are cut the same way or name the value columns."""
    left, right = min(row.cells[0].x0 for row in inside), max(row.cells[-1].x1 for row in inside)
    values_from = min((first_value_at(row) for row in inside if len(row.cells) > 1), default=right)
    labels: list[CellRow] = []  # between the header and the first numbers
    for row in reversed([row for row in rows if row.y1 < inside[0].y0 + 3]):
        led_in = bool(labels) and labels[0].cells[0].text.endswith((":", "："))
        if not _follows(row, (labels or inside)[0], gap=2.4 if led_in else 1.6) or is_apart(row):
            break
        if row.cells[0].x0 < left - 30 or row.cells[-1].x1 > right + 9:
            break
        over_values = row.cells[0].x0 > values_from - 10
        if len(row.cells) == 1 and not (over_values and is_header(inside[0]) and stands_over(row, inside[0])):
            if len(labels) == 2 or not is_data(inside[0]) or is_header(inside[0]):
                break
            labels = [row, *labels]
        elif (
            is_cut_alike(inside[0], row)
            or ((led_in or not labels) and _has_values_alike(inside[0], row))
            or (is_header(row) and row.cells[-1].x0 > values_from - 10)
        ):
            inside, labels = [row, *labels, *inside], []
        else:
            break
    return inside


def _has_values_alike(row: CellRow, other: CellRow) -> bool:
    """Whether two rows have labels and as many numbers, up to the same right edge."""
    return (
        len(row.cells) == len(other.cells) > 2
        and is_data(row)
        and is_data(other)
        and abs(row.cells[-1].x1 - other.cells[-1].x1) < 6
    )


def _without_title(block: list[CellRow]) -> list[CellRow]:
    """The rows without a title that stands over the labels, above the rows that name the columns."""
    first = next((row for row in block if len(row.cells) > 1), None)
    if first is None or not is_header(first) or is_data(first):
        return block
    left = min(row.cells[0].x0 for row in block)
    while len(block[0].cells) == 1 and block[0].cells[0].x0 < left + 9:
        block = block[1:]
    return block


def _goes_on_with_data(last: CellRow, rows: list[CellRow]) -> bool:
    """Whether numbers with a label of their own come right below a row."""
    below = next((row for row in rows if row.y0 > last.y1 - 3), None)
    return (
        below is not None and _follows(last, below) and is_data(below) and not is_value(below.cells[0].text)
    )


def _follows(row: CellRow, below: CellRow, *, gap: float = 1.6) -> bool:
    """Whether a row comes close below another, neither of them running text."""
    return below.y0 - row.y1 < gap * row_height(row, below) and not is_prose(row) and not is_prose(below)
