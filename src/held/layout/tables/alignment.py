"""Lines in rows and columns: what stands at one height, what stands under each other.

Numbers get special care, since they are what unruled tables are made of: "$" and ")" set apart are put
together again, and number columns that stand as close as words are told apart.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet
from itertools import pairwise
from statistics import median
from typing import NamedTuple

from held.layout.lines import Line
from held.layout.tables.cells import text_length
from held.layout.tables.values import AFTER_NUMBER, BEFORE_NUMBER, NOTE_MARK, YEAR, is_amount, is_value
from held.layout.tables.words import line_pieces, parts_thousands_by_comma
from held.layout.tolerances import (
    CUT_GAP_PT,
    LABEL_COLUMN_GAP_PT,
    MAX_CELL_CHARS,
    MAX_HALF_COLUMN_GAP_PT,
    MAX_LEFT_EDGE_SPREAD_PT,
    MAX_MIDDLE_SPREAD_PT,
    MAX_NAME_OFF_CENTRE_PT,
    MAX_NAME_OUTDENT_PT,
    MAX_PIECES_OVER_GUTTER_SHARE,
    MAX_RIGHT_EDGE_SPREAD_PT,
    MAX_ROWS_TWICE_IN_COLUMN_SHARE,
    MIN_BODY_ROWS_COUNT,
    MIN_COLUMN_GAP_PT,
    MIN_CUT_MARGIN_PT,
    MIN_FULL_ROW_CELLS_COUNT,
    MIN_FULL_ROWS_COUNT,
    MIN_FULL_ROWS_SHARE,
    MIN_LABEL_OVERLAP_SHARE,
    MIN_LABEL_WIDTH_PT,
    MIN_NUMBER_START_SPREAD_EM,
    MIN_NUMBERS_BEFORE_WORDS_COUNT,
    MIN_ROW_HEIGHT_PT,
    MIN_TABLE_ROW_OVERLAP_SHARE,
    MIN_WORD_END_SPREAD_EM,
    SAME_CELL_EDGE_PT,
    SAME_NUMBER_END_PT,
    STRAY_COLUMN_REACH_PT,
)

NUMBER_AND_WORDS = re.compile(r"([+\-–−(]?\d[\d,.]*[%％)]?) [^\W\d_].*")
WIDTHS = {",": 0.25, ".": 0.25, "%": 0.75, "％": 1.0, "-": 0.33, "(": 0.3, ")": 0.3}  # ems; digits have 0.51


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
    by_comma = parts_thousands_by_comma([lines[i].text for i in order])
    rows: list[CellRow] = []
    members: list[int] = []
    top = bottom = 0.0
    for i in order:
        line = lines[i]
        overlap = min(bottom, line.y1) - max(top, line.y0)
        if members and overlap > MIN_TABLE_ROW_OVERLAP_SHARE * min(bottom - top, line.y1 - line.y0):
            members.append(i)
        else:
            if members:
                rows.append(_row(members, lines, by_comma))
            members, top, bottom = [i], line.y0, line.y1
    if members:
        rows.append(_row(members, lines, by_comma))
    return _with_values_beside_labels(rows)


def _with_values_beside_labels(rows: list[CellRow]) -> list[CellRow]:
    """The rows with a label and its values made one that stand a little above each other."""
    joined: list[CellRow] = []
    for row in rows:
        above = joined[-1] if joined else None
        shared = above.y1 - row.y0 if above else 0.0
        # Most rows share nothing with the one above: their heights need not be known.
        if (
            above
            and shared > 0
            and shared > MIN_LABEL_OVERLAP_SHARE * row_height(above, row)
            and _complete(above, row)
        ):
            cells = tuple(sorted((*above.cells, *row.cells)))
            joined[-1] = CellRow(min(above.y0, row.y0), max(above.y1, row.y1), cells, above.size)
        else:
            joined.append(row)
    return joined


def _complete(a: CellRow, b: CellRow) -> bool:
    """Whether one of two rows is a label and the other nothing but values, further right."""
    for label, values in ((a, b), (b, a)):
        if (
            len(label.cells) == 1
            and not is_value(label.cells[0].text)
            and values.cells[0].x0 > label.cells[0].x1
        ):
            return all(is_value(cell.text) for cell in values.cells)
    return False


def _row(members: list[int], lines: Sequence[Line], by_comma: bool) -> CellRow:
    members.sort(key=lambda i: lines[i].x0)
    cells: list[Cell] = []
    for i in members:
        pieces = line_pieces(lines[i], by_comma=by_comma)
        if not pieces and cells:  # leaders alone
            cells[-1] = cells[-1]._replace(lines=(*cells[-1].lines, i))
        for x0, x1, text in pieces:
            last = cells[-1] if cells else None
            if last and last.text in BEFORE_NUMBER and is_value(text):
                # The sign may stand at the column's left edge: the number alone tells where the cell is.
                cells[-1] = Cell(x0, x1, last.text + text, (*last.lines, i))
            elif last and text in AFTER_NUMBER and is_value(last.text):
                cells[-1] = Cell(last.x0, max(last.x1, x1), last.text + text, (*last.lines, i))
            else:
                cells.append(Cell(x0, x1, text, (i,)))
    if not cells:
        cells = [Cell(lines[i].x0, lines[i].x1, lines[i].text, (i,)) for i in members]
    top, bottom = min([lines[i].y0 for i in members]), max([lines[i].y1 for i in members])
    return CellRow(top, bottom, tuple(cells), lines[members[0]].size)


def is_data(row: CellRow) -> bool:
    """Whether a row has a number beside something else; numbers in a single line may be anything."""
    in_one_line = row.cells[0].lines[0] == row.cells[-1].lines[0]
    labelled = len(row.cells) > 2 and not is_value(row.cells[0].text)
    return (
        (labelled or not in_one_line)
        and any(is_value(cell.text) for cell in row.cells[1:])
        and not is_prose(row)
    )


def is_prose(row: CellRow) -> bool:
    """Whether a row looks like lines of running text in columns."""
    long = 0
    if len(row.cells) > 1:
        for cell in row.cells:
            # A character counts for two at most: most cells are too short to be looked at.
            if 2 * len(cell.text) > MAX_CELL_CHARS and text_length(cell.text) > MAX_CELL_CHARS:
                long += 1
    return long > 1


def is_header(row: CellRow) -> bool:
    """Whether a row names columns: it has no numbers but years, and marks of notes beside words."""
    numbers = [cell.text for cell in row.cells if is_value(cell.text) and not YEAR.fullmatch(cell.text)]
    return not numbers or (len(numbers) < len(row.cells) and all(map(NOTE_MARK.fullmatch, numbers)))


def is_cut_alike(row: CellRow, other: CellRow) -> bool:
    """Whether two rows have the same cells: each begins or ends, or both, where its counterpart does."""
    return len(row.cells) == len(other.cells) > 1 and all(
        abs(a.x0 - b.x0) < SAME_CELL_EDGE_PT or abs(a.x1 - b.x1) < SAME_CELL_EDGE_PT
        for a, b in zip(row.cells, other.cells, strict=True)
    )


def stands_over(row: CellRow, below: CellRow) -> bool:
    """Whether a lone cell stands right over one of the row below, or over the middle of several."""
    x0, x1, *_ = row.cells[0]
    values = [cell for cell in below.cells if cell.x1 > x0 - MAX_NAME_OUTDENT_PT]
    spans = [(cell.x0, cell.x1) for cell in values]
    spans += [(first.x0, values[-1].x1) for first in values[:1]]
    for a, b in spans:
        if abs(a - x0) < SAME_CELL_EDGE_PT or abs(b - x1) < SAME_CELL_EDGE_PT:
            return True
        if abs(a + b - x0 - x1) / 2 < MAX_NAME_OFF_CENTRE_PT:
            return True
    return False


def rows_without(rows: list[CellRow], swallowed: AbstractSet[int]) -> list[CellRow]:
    """The rows without the cells of the lines that a table has swallowed."""
    if not swallowed:
        return rows
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
        if group and entry[0] - group[0][0] > SAME_NUMBER_END_PT:
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
    if len(group) < MIN_NUMBERS_BEFORE_WORDS_COUNT:
        return rows
    if max(starts) - min(starts) < spread + MIN_NUMBER_START_SPREAD_EM * size:
        return rows
    if max(stops) - min(stops) < MIN_WORD_END_SPREAD_EM * size:
        return rows
    edge = group[0][0] + spread / 2 + CUT_GAP_PT
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
    if not spaces or not cell.x0 + MIN_CUT_MARGIN_PT < edge < cell.x1 - MIN_CUT_MARGIN_PT:
        return [cell]
    place = (edge - cell.x0) / (cell.x1 - cell.x0) * text_length(cell.text)
    cut = min(spaces, key=lambda i: abs(text_length(cell.text[:i]) - place))
    before, after = cell.text[:cut], cell.text[cut + 1 :]
    return [
        Cell(cell.x0, edge - CUT_GAP_PT, before, cell.lines),
        Cell(edge + CUT_GAP_PT, cell.x1, after, cell.lines),
    ]


def first_value_at(row: CellRow) -> float:
    """Where the first number of a row begins, a label aside."""
    return next((cell.x0 for cell in row.cells[1:] if is_value(cell.text)), row.cells[-1].x0)


def leftmost_but_strays(starts: Iterable[float], stray_rows: float) -> float:
    """Where values begin at the left, one in `stray_rows` left out: it may stand in a label."""
    ordered = sorted(starts)
    for rank, start in enumerate(ordered, 1):
        if rank * stray_rows > len(ordered):
            return start
    return ordered[-1]


def row_height(before: CellRow, row: CellRow) -> float:
    """The height of the lower of two rows, points that stand for a line at least."""
    return max(min(before.y1 - before.y0, row.y1 - row.y0), MIN_ROW_HEIGHT_PT)


def columns_of(rows: Sequence[CellRow]) -> list[tuple[float, float]]:
    """The x-ranges of the columns: of the labels at the left, and of what stands beside them.

    Pieces that share a height belong to different columns, so where two of a row fall into one stretch, it is
    parted where fewest pieces reach over.
    """
    body = [row for row in rows if any(is_amount(cell.text) for cell in row.cells)]
    if len(body) < MIN_BODY_ROWS_COUNT:
        body = [row for row in rows if len(row.cells) > 1]
    labelled = [row for row in body if not is_value(row.cells[0].text)]
    beside = [
        _Span(cell.x0, cell.x1, r)
        for r, row in enumerate(body)
        for cell in row.cells[not is_value(row.cells[0].text) :]
    ]
    columns = _without_halves(_parted_stretches(beside, 0), beside)
    columns = _without_stray(columns, beside, labelled)
    regular = _regular_columns(body)
    if regular and len(regular) != len(columns) + bool(labelled):
        return regular
    left = min((row.cells[0].x0 for row in labelled), default=None)
    if left is None or (columns and left > columns[0][0] - MIN_LABEL_WIDTH_PT):
        return columns
    end = max(row.cells[0].x1 for row in labelled)
    return [(left, min(end, columns[0][0] - LABEL_COLUMN_GAP_PT) if columns else end), *columns]


def _regular_columns(body: Sequence[CellRow]) -> list[tuple[float, float]]:
    """The columns by their order, where most rows have a piece in each; [] where they have not."""
    width = max((len(row.cells) for row in body), default=0)
    full = [row for row in body if len(row.cells) == width]
    if (
        len(full) < max(MIN_FULL_ROWS_COUNT, MIN_FULL_ROWS_SHARE * len(body))
        or width < MIN_FULL_ROW_CELLS_COUNT
    ):
        return []
    columns = [
        (median(piece.x0 for piece in pieces), median(piece.x1 for piece in pieces))
        for pieces in zip(*(row.cells for row in full), strict=True)
    ]
    in_order = all(a[1] < b[1] and a[0] < b[0] for a, b in pairwise(columns))
    return columns if in_order else []


def _without_halves(columns: list[tuple[float, float]], beside: list[_Span]) -> list[tuple[float, float]]:
    """The columns with neighbours made one that stand close and in no row together: short and long values."""
    whole: list[tuple[float, float]] = []
    rows_before: set[int] = set()
    across = sorted([((span.x0 + span.x1) / 2, span.row) for span in beside])
    middles = [middle for middle, _ in across]
    for start, end in columns:
        inside = across[bisect_left(middles, start) : bisect_right(middles, end)]
        rows = {row for _, row in inside}
        if whole and start - whole[-1][1] < MAX_HALF_COLUMN_GAP_PT and rows.isdisjoint(rows_before):
            whole[-1] = (whole[-1][0], end)
            rows_before |= rows
        else:
            whole.append((start, end))
            rows_before = rows
    return whole


def _without_stray(
    columns: list[tuple[float, float]], beside: list[_Span], labelled: list[CellRow]
) -> list[tuple[float, float]]:
    """The columns without those at the left that more labels reach over than pieces stand in."""
    while len(columns) > 1:
        start, end = columns[0]
        members = sum(start <= (span.x0 + span.x1) / 2 <= end for span in beside)
        across = sum(
            row.cells[0].x0 < start and row.cells[0].x1 > end - STRAY_COLUMN_REACH_PT for row in labelled
        )
        if across <= members:
            break
        columns = columns[1:]
    return columns


class _Span(NamedTuple):
    x0: float
    x1: float
    row: int


def _parted_stretches(spans: list[_Span], level: int) -> list[tuple[float, float]]:
    """The stretches that more than `level` spans cover, parted further where a row has two spans in one."""
    columns: list[tuple[float, float]] = []
    for start, end in _stretches(spans, level):
        inside = [span for span in spans if start <= (span.x0 + span.x1) / 2 <= end]
        crowded = len(inside) - len({span.row for span in inside})
        if (
            crowded > MAX_ROWS_TWICE_IN_COLUMN_SHARE * len(inside)
            and level < MAX_PIECES_OVER_GUTTER_SHARE * len(inside) + 1
        ):
            parts = _parted_stretches(inside, level + 1)
            columns += parts if len(parts) > 1 else [(start, end)]
        else:
            columns.append((start, end))
    return columns


def _stretches(spans: list[_Span], level: int) -> list[tuple[float, float]]:
    """Where more than `level` spans lie upon each other."""
    events = sorted(event for span in spans for event in ((span.x0, 1), (span.x1, -1)))
    stretches: list[tuple[float, float]] = []
    depth, began = 0, 0.0
    for x, change in events:
        if change > 0 and depth == level:
            began = x
        depth += change
        if change < 0 and depth == level:
            if stretches and began - stretches[-1][1] < MIN_COLUMN_GAP_PT:
                stretches[-1] = (stretches[-1][0], x)
            else:
                stretches.append((began, x))
    return stretches


def column_of(cell: Cell, columns: list[tuple[float, float]]) -> int:
    """The column that a cell shares most with, or that is nearest."""
    x0, x1, *_ = cell
    best, most = 0, float("-inf")
    for column, (start, end) in enumerate(columns):
        shared = (x1 if x1 < end else end) - (x0 if x0 > start else start)
        if shared > most:
            best, most = column, shared
    return best


def aligned_share(cells: list[Cell], columns: list[tuple[float, float]]) -> float:
    """The share of the cells whose right or left edge or middle stands where others of their column do."""
    by_column: dict[int, list[Cell]] = {}
    for cell in cells:
        by_column.setdefault(column_of(cell, columns), []).append(cell)
    aligned = sum(
        max(
            _most_alike([cell.x1 for cell in column], MAX_RIGHT_EDGE_SPREAD_PT),
            _most_alike([cell.x0 for cell in column], MAX_LEFT_EDGE_SPREAD_PT),
            _most_alike([(cell.x0 + cell.x1) / 2 for cell in column], MAX_MIDDLE_SPREAD_PT),
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
