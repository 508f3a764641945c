"""Tables without a grid: rows of short texts that stand in columns.

Financial statements have labels at the left and number columns, scientific tables horizontal rules only.
Numbers under numbers are the evidence; between rules that make a frame (booktabs) words will do. Columns
of running text, numbered headings, printed contents and equations look similar and are told apart here.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import NamedTuple

from held.document import Box
from held.pdf.grids import THIN, Segment, Strokes, Table, cell_text, text_length
from held.pdf.lines import Line

NUMBER = re.compile(
    r"[(（\[+\-–—−±<>≤≥~≈*†$€£¥￥]*\s*(?:(?:US|HK|R)\$|RMB|CNY|USD|Rs\.?|EUR|GBP)?\s*[(\-–—−]?"
    r"\d[\d,.，．:/\s]*(?:[%％‰x×†*)）\]]|bps|pp|[KMB](?![a-z])|ms|\^)*\s*(?:[(±–-]\s*[\d.,%]+\)?)?"
)
BLANK = re.compile(r"[$€£¥￥]?\s*[-–—−‒*]+[%)]?|n/?[am]\.?|nil|不适用|无", re.IGNORECASE)
BEFORE_NUMBER = frozenset(["$", "€", "£", "¥", "￥", "US$", "HK$", "(", "($", "$(", "Rs.", "RMB"])
AFTER_NUMBER = frozenset([")", "%", ")%", "％", "）"])
ENUMERATOR = re.compile(
    r"[•◦▪●■□–—*·‣➢✓-]|[(（\[]?(?:[A-Za-z]|[ivxIVX]+|[\dA-Z]+(?:[.\-]\d+)*|[一二三四五六七八九十]+)[.)）\]:、]*"
    r"|(?:Section|Chapter|Article|Appendix|Note|Item|Step|Level)\s+[\dA-Z.]+[:.]?|第.{1,4}[章节条]",
)
EQUATION_NUMBER = re.compile(r"[(（][A-Z]?\d*(?:[.\-]\d+)*[a-z]?[)）]")
SIGN = re.compile(r"^[=+∈→⇒≤≥≈∼:;,.]+$|[=∈→]$|^= |[∑∏∫√∂∇∀∃⟨⟩∥∈\uf8e0-\uf8ff\x00-\x1f]| = [A-Za-z(\[{]")
YEAR = re.compile(r"(?:19|20)\d\d(?:年度?)?")
LEADER = re.compile(r"\.{4,}|…{2,}|(?:\. ){3,}|·{4,}")
ROW_GAP = 1.9  # row heights: a wider gap ends a table
PROSE_GAP = 40.0  # points of white that a column of running text may have between paragraphs
MOST_LABELS = 4  # rows in a row with a label alone


class Cell(NamedTuple):
    """Lines of one row that belong together, such as "$" and its amount."""

    x0: float
    x1: float
    text: str
    lines: tuple[int, ...]


class Row(NamedTuple):
    """Cells on one height, left to right. `size` is the font size of the first."""

    y0: float
    y1: float
    cells: tuple[Cell, ...]
    size: float


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
        rows = rows_of(lines, group)
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


def _number_tables(rows: list[Row], lines: Sequence[Line], strokes: Strokes) -> list[Table]:
    """The tables that numbers in columns make without any frame."""
    tables = []
    for block in _number_blocks(rows):
        columns = _columns([row for row in block if len(row.cells) > 1])
        if len(columns) < 2 or _is_drawn_over(block, strokes.loose):
            continue
        if _is_numeric_table(block, columns, _crosses(block, strokes.across)):
            tables.append(_table(block, columns, lines))
    return tables


def _rows_within(rows: list[Row], start: float, end: float, top: float, bottom: float) -> list[Row]:
    """What of the rows stands in the given frame."""
    found = []
    for row in rows:
        if top - 2 < (row.y0 + row.y1) / 2 < bottom + 2:
            cells = tuple(cell for cell in row.cells if start - 9 < cell.x0 and cell.x1 < end + 9)
            if cells:
                found.append(row._replace(cells=cells))
    return found


def _rows_without(rows: list[Row], swallowed: set[int]) -> list[Row]:
    """The rows without the cells of the lines that a table has swallowed."""
    left = (
        row._replace(cells=tuple(cell for cell in row.cells if cell.lines[0] not in swallowed))
        for row in rows
    )
    return [row for row in left if row.cells]


def _sticks_out(row: Row, rows: list[Row]) -> bool:
    """Whether the row that this is a part of has a label further left, or goes on at the right."""
    whole = next((other for other in rows if other.y0 == row.y0 and other.y1 == row.y1), row)
    right = min((cell.x0 for cell in whole.cells if cell.x0 > row.cells[-1].x1), default=None)
    return whole.cells[0].x1 < row.cells[0].x0 or (right is not None and right - row.cells[-1].x1 < 25)


def _with_header(inside: list[Row], rows: list[Row]) -> list[Row]:
    """The rows with the header right above them, which stands over short rules of its own."""
    if not inside or not _is_data(inside[0]):
        return inside
    left, right = inside[0].cells[0].x0, inside[0].cells[-1].x1
    labels: list[Row] = []  # between the header and the first numbers
    for row in reversed([row for row in rows if row.y1 < inside[0].y0 + 3]):
        below = (labels or inside)[0]
        if below.y0 - row.y1 > 1.2 * _height(row, below) or _is_prose(row):
            break
        if row.cells[0].x0 < left - 30 or row.cells[-1].x1 > right + 9:
            break
        if len(row.cells) == 1 and len(labels) < 2:
            labels = [row, *labels]
        elif len(row.cells) > 1 and _is_header(row):
            inside = [row, *labels, *inside]
            labels = []
        else:
            break
    return inside


def _is_header(row: Row) -> bool:
    """Whether a row names columns: it has no numbers but years."""
    return not any(is_value(cell.text) and not YEAR.fullmatch(cell.text) for cell in row.cells)


def _beside_prose(lines: Sequence[Line], free: Sequence[int]) -> list[list[int]]:
    """The lines that may be in tables, in groups: where text runs in one column, the others are on their own.

    Running text shows by lines that share both their edges. Its own lines are in no group.
    """
    edges: dict[tuple[int, int], list[int]] = {}
    for i in free:
        line = lines[i]
        if line.x1 - line.x0 > 90 and text_length(line.text) > 25 and not LEADER.search(line.text):
            edges.setdefault((round(line.x0 / 3), round(line.x1 / 3)), []).append(i)
    justified = [members for members in edges.values() if len(members) > 4]
    if not justified:
        return [list(free)]
    prose = [_Column(members, lines) for members in justified]
    groups: dict[int, list[int]] = {}
    for i in free:
        line = lines[i]
        if any(column.runs_through(line) for column in prose):
            continue
        own = [k for k, column in enumerate(prose) if column.x0 - 9 < line.x0 and line.x1 < column.x1 + 9]
        beside = any(column.is_beside(line) for column in prose)
        groups.setdefault(own[0] if own and beside else -1, []).append(i)
    return list(groups.values())


class _Column:
    """A column of running text: its edges, and the heights at which text runs in it."""

    def __init__(self, members: list[int], lines: Sequence[Line]) -> None:
        first = lines[members[0]]
        self.x0, self.x1 = first.x0, first.x1
        self.zones: list[tuple[float, float]] = []
        for y0, y1 in sorted((lines[i].y0, lines[i].y1) for i in members):
            if self.zones and y0 - self.zones[-1][1] < PROSE_GAP:
                self.zones[-1] = (self.zones[-1][0], y1)
            else:
                self.zones.append((y0, y1))

    def runs_through(self, line: Line) -> bool:
        """Whether a line is one of the column's own: it fills it, a first line's indent aside."""
        return abs(line.x1 - self.x1) < 3 and -3 < line.x0 - self.x0 < 30 and text_length(line.text) > 20

    def is_beside(self, line: Line) -> bool:
        """Whether the column's text runs left or right of the line."""
        if line.x0 < self.x1 and line.x1 > self.x0:
            return False
        middle = (line.y0 + line.y1) / 2
        return any(top < middle < bottom for top, bottom in self.zones)


def rows_of(lines: Sequence[Line], free: Iterable[int]) -> list[Row]:
    """The lines in rows from top to bottom."""
    order = sorted(free, key=lambda i: lines[i].y0 + lines[i].y1)
    rows: list[Row] = []
    members: list[int] = []
    top = bottom = 0.0
    for i in order:
        line = lines[i]
        overlap = min(bottom, line.y1) - max(top, line.y0)
        if members and overlap > 0.5 * min(bottom - top, line.y1 - line.y0):
            members.append(i)
        else:
            if members:
                rows.append(_row(members, lines))
            members, top, bottom = [i], line.y0, line.y1
    if members:
        rows.append(_row(members, lines))
    return rows


def _row(members: list[int], lines: Sequence[Line]) -> Row:
    members.sort(key=lambda i: lines[i].x0)
    cells: list[Cell] = []
    for i in members:
        for x0, x1, text in _number_pieces(lines[i]):
            if cells and (cells[-1].text in BEFORE_NUMBER or text in AFTER_NUMBER):
                last = cells[-1]
                cells[-1] = Cell(last.x0, max(last.x1, x1), last.text + text, (*last.lines, i))
            else:
                cells.append(Cell(x0, x1, text, (i,)))
    top, bottom = min(lines[i].y0 for i in members), max(lines[i].y1 for i in members)
    return Row(top, bottom, tuple(cells), lines[members[0]].size)


def _number_pieces(line: Line) -> list[tuple[float, float, str]]:
    """The numbers of a line that holds nothing else, each with its extent; otherwise the line itself.

    Narrow number columns stand no further apart than words do, so that a line can hold several.
    """
    parts = line.text.split()
    if len(parts) < 2 or not all(part in BEFORE_NUMBER or is_value(part) for part in parts):
        return [(line.x0, line.x1, line.text)]
    digit = min(0.5 * line.size, (line.x1 - line.x0) / (len(line.text)))
    gap = (line.x1 - line.x0 - digit * sum(map(len, parts))) / (len(parts) - 1)
    pieces = []
    x = line.x0
    for part in parts:
        pieces.append((x, x + digit * len(part), part))
        x += digit * len(part) + gap
    return pieces


def is_value(text: str) -> bool:
    """Whether a text is what stands in a number column."""
    return bool(NUMBER.fullmatch(text) or BLANK.fullmatch(text))


def _is_data(row: Row) -> bool:
    """Whether a row has a number beside something else; numbers in a single line may be anything."""
    return (
        row.cells[0].lines[0] != row.cells[-1].lines[0]
        and any(is_value(cell.text) for cell in row.cells[1:])
        and not _is_prose(row)
    )


def _is_prose(row: Row) -> bool:
    """Whether a row looks like lines of running text in columns."""
    return sum(text_length(cell.text) > 28 for cell in row.cells) > 1


def _number_blocks(rows: list[Row]) -> list[list[Row]]:
    """Stretches of rows that begin and end with data rows, their header rows added."""
    data = [_is_data(row) for row in rows]
    blocks = []
    start = 0
    while start < len(rows):
        if not data[start]:
            start += 1
            continue
        stop = _block_end(rows, data, start)
        if sum(data[start:stop]) > 1:
            first = _header_start(rows, start, stop)
            blocks.append(rows[first:stop])
        start = stop
    return blocks


def _block_end(rows: list[Row], data: list[bool], start: int) -> int:
    """The index after the last data row that the block from `start` reaches."""
    stop = start + 1
    values_from = _values_from(rows[start])
    pending = 0
    for i in range(start + 1, len(rows)):
        row, before = rows[i], rows[i - 1]
        if row.y0 - before.y1 > ROW_GAP * _height(before, row) or _is_prose(row):
            break
        if data[i]:
            stop, pending = i + 1, 0
            values_from = min(values_from, _values_from(row))
            continue
        pending += 1
        is_label = (
            len(row.cells) == 1 and row.cells[0].x1 < values_from + 12 and row.size < 1.12 * rows[start].size
        )
        starts_anew = row.cells[0].x0 > rows[start].cells[0].x1 and pending > 1
        if pending > MOST_LABELS or starts_anew or not (is_label or len(row.cells) > 1):
            break
    return stop


def _values_from(row: Row) -> float:
    return next((cell.x0 for cell in row.cells[1:] if is_value(cell.text)), row.cells[-1].x0)


def _height(before: Row, row: Row) -> float:
    return max(min(before.y1 - before.y0, row.y1 - row.y0), 6.0)


def _header_start(rows: list[Row], start: int, stop: int) -> int:
    """The index of the first header row above the block: rows that stand over the value columns."""
    values_from = min(_values_from(row) for row in rows[start:stop] if len(row.cells) > 1)
    left = min(row.cells[0].x0 for row in rows[start:stop])
    right = max(row.cells[-1].x1 for row in rows[start:stop])
    first = start
    for i in range(start - 1, max(start - 8, -1), -1):
        row, below = rows[i], rows[i + 1]
        if below.y0 - row.y1 > ROW_GAP * _height(row, below) or _is_prose(row):
            break
        over_values = [cell for cell in row.cells if cell.x1 > values_from and cell.x1 < right + 15]
        if over_values and (row.cells[0].x0 > max(values_from - 25, left + 25) or len(row.cells) > 1):
            first = i
        elif len(row.cells) > 1 or row.cells[0].x1 > values_from + 12:
            break
    return first


def _columns(rows: list[Row]) -> list[tuple[float, float]]:
    """The x-ranges of the columns that most rows keep to."""
    most = max((len(row.cells) for row in rows), default=0)
    counted = [row for row in rows if len(row.cells) >= 0.6 * most]
    events = sorted(event for row in counted for cell in row.cells for event in ((cell.x0, 1), (cell.x1, -1)))
    noise = max(int(0.12 * len(counted)), len(counted) > 4)  # cells of a header that span columns
    columns: list[tuple[float, float]] = []
    depth, began = 0, 0.0
    for x, change in events:
        if change > 0 and depth == noise:
            began = x
        depth += change
        if change < 0 and depth == noise:
            if columns and began - columns[-1][1] < 2:
                columns[-1] = (columns[-1][0], x)
            elif x - began > 1:
                columns.append((began, x))
    return columns


def _column_of(cell: Cell, columns: list[tuple[float, float]]) -> int:
    """The column that a cell shares most with, or that is nearest."""
    return max(
        range(len(columns)),
        key=lambda c: min(cell.x1, columns[c][1]) - max(cell.x0, columns[c][0]),
    )


def _is_numeric_table(block: list[Row], columns: list[tuple[float, float]], ruled: bool) -> bool:
    """Whether the block's value columns hold enough numbers in line to be a table without a frame."""
    data = [row for row in block if _is_data(row)]
    if len(data) < 3 and not (ruled and len(data) == 2 and min(len(row.cells) for row in data) > 2):
        return False
    if _is_something_else(block, data, columns):
        return False
    values = [cell for row in data for cell in row.cells[1:]]
    numbers = sum(is_value(cell.text) for cell in values)
    multi = sum(len(row.cells) > 1 for row in block)
    filled = sum(len(row.cells) for row in data)
    if 2 * numbers < len(values) or 2 * multi < len(block) or filled < 0.4 * len(data) * len(columns):
        return False
    return _aligned_share([cell for cell in values if is_value(cell.text)], columns) >= 0.6


def _aligned_share(cells: list[Cell], columns: list[tuple[float, float]]) -> float:
    """The share of the cells whose right or left edge or middle stands where others of their column do."""
    by_column: dict[int, list[Cell]] = {}
    for cell in cells:
        by_column.setdefault(_column_of(cell, columns), []).append(cell)
    aligned = sum(
        max(
            _most_alike([cell.x1 for cell in column], 5.0),
            _most_alike([cell.x0 for cell in column], 2.0),
            _most_alike([cell.x0 + cell.x1 for cell in column], 4.0),
        )
        for column in by_column.values()
    )
    return aligned / len(cells) if cells else 0.0


def _most_alike(places: list[float], tolerance: float) -> int:
    """How many of the places lie within the tolerance of each other; a lone one has no company."""
    places.sort()
    best = first = 0
    for last, place in enumerate(places):
        while place - places[first] > tolerance:
            first += 1
        best = max(best, last - first + 1)
    return best if best > 1 else 0


def _is_contents(data: list[Row]) -> bool:
    """Whether the rows are entries of a printed table of contents: a title and a page that never falls."""
    pages = [
        int(row.cells[-1].text)
        for row in data
        if row.cells[-1].text.isdecimal()
        and len(row.cells[-1].text) < 5
        and (len(row.cells) == 2 or _enumerates(row.cells[0].text))
    ]
    if len(pages) <= max(2, 0.6 * len(data)):
        return False
    falls = sum(a > b for a, b in pairwise(pages))
    return 12 * falls < len(pages) and pages[0] < pages[-1]


def _enumerates(text: str) -> bool:
    return bool(ENUMERATOR.fullmatch(text))


def _is_enumeration(data: list[Row], columns: list[tuple[float, float]]) -> bool:
    """Whether the rows are list items, headings with their numbers set apart, or the lines of a listing."""
    if any(is_value(cell.text) for row in data for cell in row.cells[1:]):
        return False
    numbers = [int(row.cells[0].text) for row in data if row.cells[0].text.isdecimal()]
    if len(numbers) > 4 and all(b == a + 1 for a, b in pairwise(numbers)):
        return True
    return len(columns) == 2 and all(len(row.cells) == 2 and _enumerates(row.cells[0].text) for row in data)


def _is_equations(data: list[Row]) -> bool:
    """Whether the only numbers are those of equations at the margin."""
    return all(
        EQUATION_NUMBER.fullmatch(row.cells[-1].text)
        and not any(is_value(cell.text) for cell in row.cells[1:-1])
        for row in data
    )


def _crosses(block: list[Row], across: Sequence[Segment]) -> bool:
    """Whether a horizontal rule runs through the block or along its upper or lower edge."""
    top, bottom = block[0].y0 - 4, block[-1].y1 + 4
    left, right = min(row.cells[0].x0 for row in block), max(row.cells[-1].x1 for row in block)
    return any(top < s.at < bottom and s.start < right and s.end > left for s in across)


def _is_drawn_over(block: list[Row], loose: Sequence[Box]) -> bool:
    """Whether strokes stand among the block's cells as in a chart: upright lines and boxes without text."""
    if not loose:
        return False
    top, bottom = block[0].y0 - 4, block[-1].y1 + 4
    left, right = min(row.cells[0].x0 for row in block) - 4, max(row.cells[-1].x1 for row in block) + 4
    strokes = 0
    for x0, y0, x1, y1 in loose:
        if y0 < bottom and y1 > top and x0 > left and x1 < right and y1 - y0 > THIN:
            strokes += not any(
                y0 < (row.y0 + row.y1) / 2 < y1
                and any(x0 < (cell.x0 + cell.x1) / 2 < x1 for cell in row.cells)
                for row in block
            )
            if strokes > 4:
                return True
    return strokes > 1 and _is_axis(block)


def _is_axis(block: list[Row]) -> bool:
    """Whether the first numbers of the rows go up or down in equal steps, like those along an axis."""
    firsts = [next((cell.text for cell in row.cells if is_value(cell.text)), "") for row in block]
    try:
        values = [float(text.replace(",", "").rstrip("%")) for text in firsts if text]
    except ValueError:
        return False
    steps = [b - a for a, b in pairwise(values)]
    return len(steps) > 1 and steps[0] != 0 and max(steps) - min(steps) < 0.01 * abs(steps[0])


def _frames(across: Sequence[Segment], rows: list[Row]) -> list[Frame]:
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
            if _is_tabular(between, lower):
                top, bottom, parts = top if parts else upper.at, lower.at, parts + 1
            elif parts and not _is_subheading(between, lower.at - upper.at):
                frames.append(Frame(start, end, top, bottom, parts))
                parts = 0
        if parts:
            frames.append(Frame(start, end, top, bottom, parts))
    # The widest first: short rules within it stand under groups of columns.
    return sorted(frames, key=lambda frame: (frame.start - frame.end) * (frame.bottom - frame.top))


def _is_tabular(rows: list[Row], rule: Segment) -> bool:
    """Whether the rows over a rule have several cells, most of them, and none runs across."""
    multi = sum(len(row.cells) > 1 for row in rows)
    if 2 * multi < max(len(rows), 1) or rule.at - rows[0].y0 > 4 * sum(row.y1 - row.y0 for row in rows):
        return False
    width = max(row.cells[-1].x1 for row in rows) - min(row.cells[0].x0 for row in rows)
    size = max(row.size for row in rows if len(row.cells) > 1)
    return not any(
        len(row.cells) == 1 and (row.cells[0].x1 - row.cells[0].x0 > 0.6 * width or row.size > 1.12 * size)
        for row in rows
    )


def _is_subheading(rows: list[Row], height: float) -> bool:
    """Whether all that stands between two rules is a label, close to both."""
    return len(rows) < 3 and (not rows or height < 2.2 * sum(row.y1 - row.y0 for row in rows))


def _framed_table(frame: Frame, rows: list[Row], lines: Sequence[Line], loose: Sequence[Box]) -> Table | None:
    """The table that the rows in a frame make, if they do."""
    block = _rows_within(rows, frame.start, frame.end, frame.top, frame.bottom)
    if 3 * sum(_sticks_out(row, rows) for row in block) > len(block):
        return None  # short rules under the numbers alone, or fraction bars
    block = _with_header(block, rows)
    multi = [row for row in block if len(row.cells) > 1]
    if len(multi) < 2 or 2 * len(multi) < len(block) or 4 * sum(map(_is_prose, block)) > len(block):
        return None
    columns = _columns(multi)
    if len(columns) < 2 or _is_something_else(block, multi, columns) or _is_drawn_over(block, loose):
        return None
    values = [cell for row in multi for cell in row.cells[1:]]
    wordy = 2 * sum(is_value(cell.text) for cell in values) < len(values)
    if wordy and (frame.parts < 2 or len(multi) < 0.6 * len(block) or _aligned_share(values, columns) < 0.6):
        return None
    return _table(block, columns, lines)


def _is_something_else(block: list[Row], data: list[Row], columns: list[tuple[float, float]]) -> bool:
    """Whether rows in columns are contents, a list, a listing or mathematics."""
    return (
        _is_contents(data) or _is_enumeration(data, columns) or _is_equations(data) or _is_mathematics(block)
    )


def _is_mathematics(block: list[Row]) -> bool:
    """Whether many cells are but signs that stand between the terms of a formula."""
    cells = [cell.text for row in block for cell in row.cells]
    return 8 * sum(SIGN.search(text) is not None for text in cells) > len(cells)


def realigned(parts: Sequence[int], lines: Sequence[Line]) -> Table:
    """One table of lines that are known to be one, by their alignment alone."""
    rows = rows_of(lines, parts)
    columns = _columns([row for row in rows if len(row.cells) > 1])
    return _table(rows, columns or [(0.0, 1.0)], lines)


def _table(block: list[Row], columns: list[tuple[float, float]], lines: Sequence[Line]) -> Table:
    """The table of a block; a row without a label goes on with the row above if it has no numbers."""
    texts: list[list[list[tuple[Line, str]]]] = []
    swallowed: dict[int, None] = {}  # an ordered set: a line can hold several cells
    for row in block:
        cells: list[list[tuple[Line, str]]] = [[] for _ in columns]
        for cell in row.cells:
            cells[_column_of(cell, columns)].append((lines[cell.lines[0]], cell.text))
            swallowed.update(dict.fromkeys(cell.lines))
        texts.append(cells)
    box = Box(
        min(lines[i].x0 for i in swallowed),
        min(row.y0 for row in block),
        max(lines[i].x1 for i in swallowed),
        max(row.y1 for row in block),
    )
    edges = (box.x0, *((a[1] + b[0]) / 2 for a, b in pairwise(columns)), box.x1)
    rows = tuple(tuple(cell_text(cell) if cell else "" for cell in cells) for cells in texts)
    return Table(box, rows, tuple(swallowed), edges, False)
