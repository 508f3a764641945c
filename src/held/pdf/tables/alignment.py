"""Lines in rows and columns: what stands at one height, what stands under each other.

Numbers get special care, since they are what unruled tables are made of: "$" and ")" set apart are put
together again, and number columns that stand as close as words are told apart.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet
from itertools import pairwise
from typing import NamedTuple

from held.document import Box
from held.pdf.lines.lines import Line
from held.pdf.tables.cells import Table, cell_text, text_length

NUMBER = re.compile(
    r"[(（\[+\-–—−±<>≤≥~≈*†$€£¥￥]*\s*(?:(?:US|HK|R)\$|RMB|CNY|USD|Rs\.?|EUR|GBP)?\s*[(\-–—−]?"
    r"\d[\d,.，．:/\s]*(?:[%％‰x×†*)）\]]|bps|pp|[KMB](?![a-z])|ms|\^)*\s*(?:[(±–-]\s*[\d.,%]+\)?)?"
)
BLANK = re.compile(r"[$€£¥￥]?\s*[-–—−‒*]+[%)]?|n/?[am]\.?|nil|不适用|无", re.IGNORECASE)
BEFORE_NUMBER = frozenset(["$", "€", "£", "¥", "￥", "US$", "HK$", "(", "($", "$(", "Rs.", "RMB"])
AFTER_NUMBER = frozenset([")", "%", ")%", "％", "）"])
YEAR = re.compile(r"(?:19|20)\d\d(?:年度?)?")
NUMBER_AND_WORDS = re.compile(r"([+\-–−(]?\d[\d,.]*[%％)]?) [^\W\d_].*")
WIDTHS = {",": 0.25, ".": 0.25, "%": 0.75, "％": 1.0, "-": 0.33, "(": 0.3, ")": 0.3}  # ems; digits have 0.51
NOTE_MARK = re.compile(r"[(（]\d[)）]")


class Cell(NamedTuple):
    """Lines of one row that belong together, such as "$" and its amount."""

    x0: float
    x1: float
    text: str
    lines: tuple[int, ...]


class CellRow(NamedTuple):
    """Cells on one height, left to right. `size` is the font size of the first."""

    y0: float
    y1: float
    cells: tuple[Cell, ...]
    size: float


def cell_rows(lines: Sequence[Line], free: Iterable[int]) -> list[CellRow]:
    """The lines in rows from top to bottom."""
    order = sorted(free, key=lambda i: lines[i].y0 + lines[i].y1)
    rows: list[CellRow] = []
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


def _row(members: list[int], lines: Sequence[Line]) -> CellRow:
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
    return CellRow(top, bottom, tuple(cells), lines[members[0]].size)


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
    if text.endswith(",") or ", " in text:  # pages in an index
        return False
    return bool(NUMBER.fullmatch(text) or BLANK.fullmatch(text))


def is_data(row: CellRow) -> bool:
    """Whether a row has a number beside something else; numbers in a single line may be anything."""
    return (
        row.cells[0].lines[0] != row.cells[-1].lines[0]
        and any(is_value(cell.text) for cell in row.cells[1:])
        and not is_prose(row)
    )


def is_prose(row: CellRow) -> bool:
    """Whether a row looks like lines of running text in columns."""
    return sum(text_length(cell.text) > 28 for cell in row.cells) > 1


def is_header(row: CellRow) -> bool:
    """Whether a row names columns: it has no numbers but years, and marks of notes beside words."""
    numbers = [cell.text for cell in row.cells if is_value(cell.text) and not YEAR.fullmatch(cell.text)]
    return not numbers or (len(numbers) < len(row.cells) and all(map(NOTE_MARK.fullmatch, numbers)))


def is_cut_alike(row: CellRow, other: CellRow) -> bool:
    """Whether two rows have the same cells: each begins or ends, or both, where its counterpart does."""
    return len(row.cells) == len(other.cells) > 1 and all(
        abs(a.x0 - b.x0) < 3 or abs(a.x1 - b.x1) < 3 for a, b in zip(row.cells, other.cells, strict=True)
    )


def stands_over(row: CellRow, below: CellRow) -> bool:
    """Whether a lone cell stands right over one of the row below, or over the middle of several."""
    x0, x1, *_ = row.cells[0]
    values = [cell for cell in below.cells if cell.x1 > x0 - 10]
    spans = [(cell.x0, cell.x1) for cell in values]
    spans += [(first.x0, values[-1].x1) for first in values[:1]]
    return any(abs(a + b - x0 - x1) < 12 or abs(a - x0) < 3 or abs(b - x1) < 3 for a, b in spans)


def rows_without(rows: list[CellRow], swallowed: AbstractSet[int]) -> list[CellRow]:
    """The rows without the cells of the lines that a table has swallowed."""
    left = (
        row._replace(cells=tuple(cell for cell in row.cells if cell.lines[0] not in swallowed))
        for row in rows
    )
    return [row for row in left if row.cells]


def part_close_columns(rows: list[CellRow]) -> list[CellRow]:
    """The rows with cells cut in two where numbers end at one edge and words begin right behind it.

    A column of words may stand as close to one of numbers as a word to the next. What tells them from
    numbers with units is that the numbers begin at different places and the words end at different ones.
    """
    ends = sorted(
        (end, r, cell)
        for r, row in enumerate(rows)
        for cell in row.cells
        if (end := _number_end(cell, row.size)) is not None
    )
    group: list[tuple[float, int, Cell]] = []
    for entry in [*ends, (float("inf"), 0, Cell(0, 0, "", ()))]:
        if group and entry[0] - group[0][0] > 3:
            rows = _parted(rows, group)
            group = []
        group.append(entry)
    return rows


def _number_end(cell: Cell, size: float) -> float | None:
    """Where the number ends that a cell begins with, if words follow it."""
    match = NUMBER_AND_WORDS.fullmatch(cell.text)
    return match and cell.x0 + size * sum(WIDTHS.get(character, 0.51) for character in match[1])


def _parted(rows: list[CellRow], group: list[tuple[float, int, Cell]]) -> list[CellRow]:
    """The rows with the cells across the edge where the group's numbers end cut in two."""
    size = rows[group[0][1]].size
    starts, stops = [cell.x0 for *_, cell in group], [cell.x1 for *_, cell in group]
    spread = group[-1][0] - group[0][0]
    if len(group) < 3 or max(starts) - min(starts) < spread + 0.3 * size or max(stops) - min(stops) < size:
        return rows
    edge = group[0][0] + spread / 2 + 1
    first, last = min(r for _, r, _ in group), max(r for _, r, _ in group)
    parted = list(rows)
    for r in range(max(first - 1, 0), last + 1):
        if len(rows[r].cells) > 1:
            cells = (piece for cell in rows[r].cells for piece in _cut(cell, edge))
            parted[r] = rows[r]._replace(cells=tuple(cells))
    return parted


def _cut(cell: Cell, edge: float) -> list[Cell]:
    """The cell, in two at the space nearest to the edge if it reaches over it."""
    spaces = [i for i, character in enumerate(cell.text) if character == " "]
    if not spaces or not cell.x0 + 4 < edge < cell.x1 - 4:
        return [cell]
    place = (edge - cell.x0) / (cell.x1 - cell.x0) * text_length(cell.text)
    cut = min(spaces, key=lambda i: abs(text_length(cell.text[:i]) - place))
    before, after = cell.text[:cut], cell.text[cut + 1 :]
    return [Cell(cell.x0, edge - 1, before, cell.lines), Cell(edge + 1, cell.x1, after, cell.lines)]


def first_value_at(row: CellRow) -> float:
    """Where the first number of a row begins, a label aside."""
    return next((cell.x0 for cell in row.cells[1:] if is_value(cell.text)), row.cells[-1].x0)


def row_height(before: CellRow, row: CellRow) -> float:
    """The height of the lower of two rows, points that stand for a line at least."""
    return max(min(before.y1 - before.y0, row.y1 - row.y0), 6.0)


def columns_of(rows: list[CellRow]) -> list[tuple[float, float]]:
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


def aligned_share(cells: list[Cell], columns: list[tuple[float, float]]) -> float:
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


def realigned(parts: Sequence[int], lines: Sequence[Line]) -> Table:
    """One table of lines that are known to be one, by their alignment alone."""
    rows = cell_rows(lines, parts)
    columns = columns_of([row for row in rows if len(row.cells) > 1])
    return table_of(rows, columns or [(0.0, 1.0)], lines)


def table_of(block: list[CellRow], columns: list[tuple[float, float]], lines: Sequence[Line]) -> Table:
    """The table of the rows, each cell in the column that it shares most with."""
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
