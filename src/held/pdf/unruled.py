"""Tables without a grid: rows of short texts that stand in columns.

Financial statements have labels at the left and number columns, scientific tables horizontal rules only.
Numbers under numbers are the evidence; between rules that make a frame (booktabs) words will do. Columns
of running text are set aside first.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from held.document import Box
from held.pdf.alignment import (
    CellRow,
    aligned_share,
    cell_rows,
    columns_of,
    is_data,
    is_header,
    is_prose,
    is_value,
    table_of,
)
from held.pdf.cells import Table, text_length
from held.pdf.lines import Line
from held.pdf.lookalikes import is_drawn_over, is_no_table, is_numbered
from held.pdf.strokes import Segment, Strokes

LEADERS = ("....", ". . .", "……", "····")
ROW_GAP = 1.9  # row heights: a wider gap ends a table
PROSE_GAP = 60.0  # points of white that a column of running text may have between paragraphs
MOST_LABELS = 4  # rows in a row with a label alone


class Frame(NamedTuple):
    """Where rules of one length stand over and under rows with several cells; `parts` of them, in all."""

    start: float
    end: float
    top: float
    bottom: float
    parts: int


def aligned_tables(lines: Sequence[Line], free: Sequence[int], strokes: Strokes) -> list[Table]:
    """The tables that the free lines make by alignment, with the horizontal rules as further evidence."""
    tables: list[Table] = []
    if not _stand_side_by_side(lines, free):
        return tables
    for group in _beside_prose(lines, free):
        rows = cell_rows(lines, group)
        if sum(len(row.cells) > 1 for row in rows) < 2:
            continue
        for frame in _frames(strokes.across, rows):
            table = _framed_table(frame, rows, lines, strokes.loose)
            if table:
                tables.append(table)
                rows = _rows_without(rows, set(table.lines))
        tables += _number_tables(rows, lines, strokes)
    return tables


def _stand_side_by_side(lines: Sequence[Line], free: Sequence[int]) -> bool:
    """Whether a few lines have others at their height: on most pages of running text none has."""
    spans = sorted([(lines[i].y0 + lines[i].y1, lines[i].y0) for i in free])
    return sum(2 * top < middle for (middle, _), (_, top) in pairwise(spans)) > 1


def _beside_prose(lines: Sequence[Line], free: Sequence[int]) -> list[list[int]]:
    """The lines that may be in tables, in groups: where text runs in one column, the others are on their own.

    Running text shows by lines that share both their edges. Its own lines are in no group.
    """
    edges: dict[tuple[int, int], list[int]] = {}
    for i in free:
        line = lines[i]
        if (
            line.x1 - line.x0 > 90
            and text_length(line.text) > 25
            and not any(mark in line.text for mark in LEADERS)
        ):
            edges.setdefault((round(line.x0 / 3), round(line.x1 / 3)), []).append(i)
    columns = _text_columns([lines[members[0]] for members in edges.values() if len(members) > 4])
    if not columns:
        return [list(free)]
    rest = []
    for i in free:
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


class TextColumn(NamedTuple):
    """A column of running text: its edges, and the heights of the lines that fill it."""

    x0: float
    x1: float
    runs: list[tuple[float, float]]

    def is_filled_by(self, line: Line) -> bool:
        """Whether a line reaches from edge to edge, a first line's indent aside."""
        return abs(line.x1 - self.x1) < 3 and -3 < line.x0 - self.x0 < 30 and text_length(line.text) > 20

    def holds(self, line: Line) -> bool:
        """Whether a line stands between the edges."""
        return self.x0 - 9 < line.x0 and line.x1 < self.x1 + 9


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
        if zones and top - zones[-1][1] < PROSE_GAP:
            zones[-1] = (zones[-1][0], bottom)
        else:
            zones.append((top, bottom))
    return zones


def _number_tables(rows: list[CellRow], lines: Sequence[Line], strokes: Strokes) -> list[Table]:
    """The tables that numbers in columns make without any frame."""
    tables = []
    for block in _number_blocks(rows):
        columns = columns_of([row for row in block if len(row.cells) > 1])
        if len(columns) < 2 or is_drawn_over(block, strokes.loose):
            continue
        if _is_numeric_table(block, columns, _crosses(block, strokes.across)):
            tables.append(table_of(block, columns, lines))
    return tables


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
    values_from = _values_from(rows[start])
    pending = 0
    for i in range(start + 1, len(rows)):
        row, before = rows[i], rows[i - 1]
        if row.y0 - before.y1 > ROW_GAP * _height(before, row) or is_prose(row):
            break
        if data[i]:
            stop, pending = i + 1, 0
            values_from = min(values_from, _values_from(row))
            continue
        pending += 1
        is_label = (
            len(row.cells) == 1
            and row.cells[0].x1 < values_from + 12
            and row.size < 1.12 * rows[start].size
            and not is_numbered(row.cells[0].text)
        )
        starts_anew = row.cells[0].x0 > rows[start].cells[0].x1 and pending > 1
        if pending > MOST_LABELS or starts_anew or not (is_label or len(row.cells) > 1):
            break
    return stop


def _values_from(row: CellRow) -> float:
    return next((cell.x0 for cell in row.cells[1:] if is_value(cell.text)), row.cells[-1].x0)


def _height(before: CellRow, row: CellRow) -> float:
    return max(min(before.y1 - before.y0, row.y1 - row.y0), 6.0)


def _header_start(rows: list[CellRow], floor: int, start: int, stop: int) -> int:
    """The index of the block's first header row, from `floor` on: headers stand over the value columns."""
    values_from = min(_values_from(row) for row in rows[start:stop] if len(row.cells) > 1)
    left = min(row.cells[0].x0 for row in rows[start:stop])
    right = max(row.cells[-1].x1 for row in rows[start:stop])
    first = start
    for i in range(start - 1, max(start - 8, floor - 1), -1):
        row, below = rows[i], rows[i + 1]
        if below.y0 - row.y1 > ROW_GAP * _height(row, below) or is_prose(row):
            break
        over_values = any(values_from < cell.x1 < right + 15 for cell in row.cells)
        if len(row.cells) > 1:
            names_columns = is_header(row)
        else:  # a title over all the columns reaches further left, and labels stand between
            names_columns = first == i + 1 and row.cells[0].x0 > max(values_from - 25, left + 25)
        if over_values and names_columns:
            first = i
        elif len(row.cells) > 1 or row.cells[0].x1 > values_from + 12:
            break
    return first


def _is_numeric_table(block: list[CellRow], columns: list[tuple[float, float]], ruled: bool) -> bool:
    """Whether the block's value columns hold enough numbers in line to be a table without a frame."""
    data = [row for row in block if is_data(row)]
    if len(data) < 3 and not (ruled and len(data) == 2 and min(len(row.cells) for row in data) > 2):
        return False
    if is_no_table(block, data, columns):
        return False
    values = [cell for row in data for cell in row.cells[1:]]
    numbers = sum(is_value(cell.text) for cell in values)
    multi = sum(len(row.cells) > 1 for row in block)
    filled = sum(len(row.cells) for row in data)
    if 2 * numbers < len(values) or 2 * multi < len(block) or filled < 0.4 * len(data) * len(columns):
        return False
    return aligned_share([cell for cell in values if is_value(cell.text)], columns) >= 0.6


def _crosses(block: list[CellRow], across: Sequence[Segment]) -> bool:
    """Whether a horizontal rule runs through the block or along its upper or lower edge."""
    top, bottom = block[0].y0 - 4, block[-1].y1 + 4
    left, right = min(row.cells[0].x0 for row in block), max(row.cells[-1].x1 for row in block)
    return any(top < s.at < bottom and s.start < right and s.end > left for s in across)


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
    if any(len(b.cells) == 1 and b.y0 - a.y1 > 1.6 * _height(a, b) for a, b in pairwise(rows)):
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


def _framed_table(
    frame: Frame, rows: list[CellRow], lines: Sequence[Line], loose: Sequence[Box]
) -> Table | None:
    """The table that the rows in a frame make, if they do."""
    block = _rows_within(rows, frame.start, frame.end, frame.top, frame.bottom)
    if 3 * sum(_sticks_out(row, rows) for row in block) > len(block):
        return None  # short rules under the numbers alone, or fraction bars
    block = _with_neighbours(block, rows)
    multi = [row for row in block if len(row.cells) > 1]
    if len(multi) < 2 or 2 * len(multi) < len(block) or 4 * sum(map(is_prose, block)) > len(block):
        return None
    columns = columns_of(multi)
    if len(columns) < 2 or is_no_table(block, multi, columns) or is_drawn_over(block, loose):
        return None
    values = [cell for row in multi for cell in row.cells[1:]]
    wordy = 2 * sum(is_value(cell.text) for cell in values) < len(values)
    if wordy and (frame.parts < 2 or len(multi) < 0.6 * len(block) or aligned_share(values, columns) < 0.6):
        return None
    return table_of(block, columns, lines)


def _rows_within(rows: list[CellRow], start: float, end: float, top: float, bottom: float) -> list[CellRow]:
    """What of the rows stands in the given frame."""
    found = []
    for row in rows:
        if top - 2 < (row.y0 + row.y1) / 2 < bottom + 2:
            cells = tuple(cell for cell in row.cells if start - 9 < cell.x0 and cell.x1 < end + 9)
            if cells:
                found.append(row._replace(cells=cells))
    return found


def _rows_without(rows: list[CellRow], swallowed: set[int]) -> list[CellRow]:
    """The rows without the cells of the lines that a table has swallowed."""
    left = (
        row._replace(cells=tuple(cell for cell in row.cells if cell.lines[0] not in swallowed))
        for row in rows
    )
    return [row for row in left if row.cells]


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
        if not _follows(inside[-1], row) or not _is_cut_alike(inside[-1], row):
            break
        inside = [*inside, row]
    labels: list[CellRow] = []  # between the header and the first numbers
    left, right = inside[0].cells[0].x0, inside[0].cells[-1].x1
    for row in reversed([row for row in rows if row.y1 < inside[0].y0 + 3]):
        if not _follows(row, (labels or inside)[0]):
            break
        if row.cells[0].x0 < left - 30 or row.cells[-1].x1 > right + 9:
            break
        if len(row.cells) == 1 and len(labels) < 2 and is_data(inside[0]):
            labels = [row, *labels]
        elif _is_cut_alike(inside[0], row) or (len(row.cells) > 1 and is_data(inside[0]) and is_header(row)):
            inside = [row, *labels, *inside]
            labels = []
        else:
            break
    return inside


def _follows(row: CellRow, below: CellRow) -> bool:
    """Whether a row comes close below another, neither of them running text."""
    return below.y0 - row.y1 < 1.6 * _height(row, below) and not is_prose(row) and not is_prose(below)


def _is_cut_alike(row: CellRow, other: CellRow) -> bool:
    """Whether two rows have the same cells: each begins or ends, or both, where its counterpart does."""
    return len(row.cells) == len(other.cells) > 1 and all(
        abs(a.x0 - b.x0) < 3 or abs(a.x1 - b.x1) < 3 for a, b in zip(row.cells, other.cells, strict=True)
    )
