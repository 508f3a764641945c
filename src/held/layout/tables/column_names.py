"""The names above the columns of a table: taken apart where one piece holds several, and what each names.

A producer may set the names of all columns as one piece of text. Years end a name each; else the words go to
the columns that have room for them. A name stands for the columns over which the rule under it runs, or over
whose middle it stands.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import combinations, pairwise

from held.layout.characters import has_hidden_gaps, text_width
from held.layout.lines import Line
from held.layout.strokes import Segment
from held.layout.tables.alignment import Cell, CellRow, column_of
from held.layout.tables.values import YEAR
from held.layout.tolerances import (
    MAX_FLUSH_SHIFT_PT,
    MAX_NAME_BEYOND_RULE_PT,
    MAX_NAME_OFF_CENTRE_PT,
    MAX_NAME_WORDS_COUNT,
    MAX_RULE_BELOW_NAME_PT,
    MAX_RULE_INTO_NAME_PT,
    MIN_HIDDEN_GAPS_WIDTH_TIMES,
    MIN_NAME_GAP_EM,
    MIN_NAME_OVERLAP_PT,
    MIN_NAMED_COLUMN_SHARE,
    MIN_NAMES_WIDTH_TIMES,
    MIN_SPANNING_NAME_PT,
    MIN_YEARS_COUNT,
)

Columns = list[tuple[float, float]]

YEAR_WORD = re.compile(r"\b(?:19|20)\d\d\b")


def names_several(text: str) -> bool:
    """Whether a text holds the names of several columns: as many dates or years."""
    return len(YEAR_WORD.findall(text)) > 1


def names_apart(row: CellRow, columns: Columns) -> list[Cell]:
    """The pieces of a row of names, those cut that hold the names of neighbouring columns side by side."""
    pieces: list[Cell] = []
    for cell in row.cells:
        pieces += _names_by_years(cell, columns) or _names_by_room(cell, columns, row.size) or [cell]
    return pieces


def behind_blanks(row: CellRow, lines: Sequence[Line]) -> CellRow:
    """The row of names, each word that a blank as wide as a column leads in its place: at its run's end."""
    cells = tuple(_behind_blank(cell, lines[cell.lines[0]]) for cell in row.cells)
    return row._replace(cells=cells)


def _behind_blank(cell: Cell, line: Line) -> Cell:
    run = line.runs[0]
    is_led = run.text[:1] == " " and run.text.strip() == cell.text
    if not is_led or " " in cell.text or not has_hidden_gaps(run, line.size):
        return cell
    return cell._replace(x0=run.x1 - line.size * text_width(run.text.lstrip()), x1=run.x1)


def years_in_order(pieces: Sequence[Cell], columns: Columns) -> list[Cell]:
    """The pieces of a row that is a year for each column of values, each year over its own; [] of any other.

    Where they seem to stand may mislead: the places of words within a run are guesses, and a long label can
    make its column reach over the first values. Their order cannot.
    """
    values = columns[1:]
    labels, years = pieces[: -len(values)], pieces[-len(values) :]
    if not MIN_YEARS_COUNT <= len(values) == len(years) or len(labels) > 1:
        return []
    if not all(YEAR.fullmatch(year.text) for year in years):
        return []
    if not labels and years[0].x0 < sum(columns[0]) / 2:
        return []  # the first column has a year, too
    return [*labels, *map(_over_column, years, values)]


def _over_column(name: Cell, column: tuple[float, float]) -> Cell:
    """The name where it stands, if that is over the column, or else in the column's middle."""
    start, end = column
    if name.x0 < end and name.x1 > start:
        return name
    half = (name.x1 - name.x0) / 2
    middle = (start + end) / 2
    return name._replace(x0=middle - half, x1=middle + half)


def _names_by_years(cell: Cell, columns: Columns) -> list[Cell]:
    """The names in a piece that ends each of them with a year; none where they are not one a column."""
    covered = [
        c
        for c, (x0, x1) in enumerate(columns)
        if cell.x0 - MIN_NAME_OVERLAP_PT < (x0 + x1) / 2 < cell.x1 + MIN_NAME_OVERLAP_PT
    ]
    parts = _parts_with_years(cell.text) if len(covered) > 1 else []
    if len(parts) != len(covered):
        return []
    em = (cell.x1 - cell.x0) / text_width(cell.text)
    x = cell.x0
    names = []
    for part in parts:
        names.append(Cell(x, x + em * text_width(part), part, cell.lines))
        x += em * text_width(f"{part} ")
    return names


def _names_by_room(cell: Cell, columns: Columns, size: float) -> list[Cell]:
    """The names in a piece that is wider than its words: the gaps between them are those of the columns.

    Of all ways to deal the words out to the columns that one is taken which leaves the most room in the
    tightest of them, then in the next; none where the words have no room, or are too few or too many.
    """
    over = [c for c in columns if min(c[1], cell.x1) - max(c[0], cell.x0) > MIN_NAME_OVERLAP_PT]
    words = cell.text.split()
    if not 1 < len(over) <= len(words) <= MAX_NAME_WORDS_COUNT:
        return []
    if cell.x1 - cell.x0 < size * _least_width(cell, over):
        return []
    ways = [_dealt(words, cuts) for cuts in combinations(range(1, len(words)), len(over) - 1)]
    best = max(ways, key=lambda way: _room(way, over, cell, size))
    if _room(best, over, cell, size)[0] <= 0:
        return []
    starts = [cell.x0, *(x0 for x0, _ in over[1:])]
    return [
        Cell(x, x + size * text_width(name), name, cell.lines) for x, name in zip(starts, best, strict=True)
    ]


def _least_width(cell: Cell, columns: Columns) -> float:
    """How wide a piece is, in ems, if it holds a name for each column; one for all stands in their middle."""
    text = text_width(cell.text)
    left, right = columns[0][0], columns[-1][1]
    if abs(cell.x0 - left) < MAX_FLUSH_SHIFT_PT or abs(cell.x1 - right) < MAX_FLUSH_SHIFT_PT:
        return text + MIN_NAME_GAP_EM * (len(columns) - 1)
    is_amid = (
        left < cell.x0 and cell.x1 < right and abs(cell.x0 + cell.x1 - left - right) / 2 < MAX_FLUSH_SHIFT_PT
    )
    # As many words as there are columns are a name each.
    is_one = is_amid and len(cell.text.split()) > len(columns)
    return (MIN_NAMES_WIDTH_TIMES if is_one else MIN_HIDDEN_GAPS_WIDTH_TIMES) * text + 1


def _dealt(words: Sequence[str], cuts: Sequence[int]) -> list[str]:
    return [" ".join(words[start:end]) for start, end in pairwise([0, *cuts, len(words)])]


def _room(names: Sequence[str], columns: Columns, cell: Cell, size: float) -> list[float]:
    """How many points the names have to spare, set flush with their columns; the tightest comes first."""
    lefts = [cell.x0, *(x0 for x0, _ in columns[1:]), cell.x1 + size]
    rights = [cell.x0 - size, *(x1 for _, x1 in columns[:-1]), cell.x1]
    is_left = abs(cell.x0 - columns[0][0]) < MAX_FLUSH_SHIFT_PT
    is_right = abs(cell.x1 - columns[-1][1]) < MAX_FLUSH_SHIFT_PT
    sides = [lefts] * (is_left or not is_right) + [rights] * (is_right or not is_left)
    return max(_spare(names, edges, size) for edges in sides)


def _spare(names: Sequence[str], edges: Sequence[float], size: float) -> list[float]:
    cells = zip(names, pairwise(edges), strict=True)
    return sorted(end - start - size * text_width(name) for name, (start, end) in cells)


def _parts_with_years(text: str) -> list[str]:
    """The text cut behind each of its years; [] where something stands behind the last."""
    ends = [match.end() for match in YEAR_WORD.finditer(text)]
    if not ends or text[ends[-1] :].strip():
        return []
    return [text[start:end].strip() for start, end in pairwise([0, *ends])]


def _named_by_rule(
    cell: Cell, row: CellRow, columns: Columns, across: Sequence[Segment]
) -> tuple[int, int] | None:
    """The columns over which the rule right under a name runs, if it runs under the name alone."""
    for rule in across:
        is_right_below = -MAX_RULE_INTO_NAME_PT < rule.at - row.y1 < MAX_RULE_BELOW_NAME_PT
        if (
            is_right_below
            and rule.start - MAX_NAME_BEYOND_RULE_PT < cell.x0
            and cell.x1 < rule.end + MAX_NAME_BEYOND_RULE_PT
        ):
            others = [c for c in row.cells if c.x0 < rule.end and c.x1 > rule.start]
            covered = [c for c, (x0, x1) in enumerate(columns) if rule.start < (x0 + x1) / 2 < rule.end]
            if covered[:1] == [0] and cell.x0 > columns[0][0] + MAX_RULE_BELOW_NAME_PT:
                covered = []  # the rule under the whole header
            if len(others) == 1 and covered:
                return covered[0], covered[-1]
    return None


def _named(cell: Cell, columns: Columns) -> tuple[int, int]:
    """The columns that a name stands over: those it reaches over, as far as its middle is theirs."""
    near = column_of(cell, columns)
    if near == 0:
        return 0, 0
    over = [
        c
        for c, (x0, x1) in enumerate(columns)
        if c and min(cell.x1, x1) - max(cell.x0, x0) > MIN_NAMED_COLUMN_SHARE * (x1 - x0)
    ]
    if not over:
        return near, near
    return over[0], over[-1]


def columns_named(
    pieces: Sequence[Cell], row: CellRow, columns: Columns, named: Columns, across: Sequence[Segment]
) -> list[tuple[int, int]]:
    """The first and the last column that each name stands for; `across` are the page's horizontal rules.

    `named` are the columns as wide as the names below say, which may stand aside of the values.
    """
    spans = [_named_by_rule(cell, row, columns, across) or _named(cell, columns) for cell in pieces]
    return [
        max(by_values, by_names, key=lambda span: span[1] - span[0])
        for by_values, by_names in zip(
            _parted(spans, pieces, columns), _parted(spans, pieces, named), strict=True
        )
    ]


def _parted(spans: list[tuple[int, int]], pieces: Sequence[Cell], columns: Columns) -> list[tuple[int, int]]:
    """The spans widened to both sides as far as their names stay in the middle."""
    parted = []
    for place, (first, last) in enumerate(spans):
        low = spans[place - 1][1] + 1 if place else 1
        high = spans[place + 1][0] - 1 if place + 1 < len(spans) else len(columns) - 1
        parted.append(_centred(pieces[place], (first, last), (low, high), columns))
    return parted


def _centred(cell: Cell, span: tuple[int, int], room: tuple[int, int], columns: Columns) -> tuple[int, int]:
    """The widest span within the room over whose middle a name stands, the given one if none is."""
    first, last = span
    if first == 0 or cell.x1 - cell.x0 < MIN_SPANNING_NAME_PT:
        return span
    middle = (cell.x0 + cell.x1) / 2
    best = span
    for low in range(min(first, room[0]), first + 1):
        for high in range(last, max(last, room[1]) + 1):
            off = abs((columns[low][0] + columns[high][1]) / 2 - middle)
            wider = high - low > best[1] - best[0]
            if wider and off < MAX_NAME_OFF_CENTRE_PT:
                best = low, high
    return best
