"""Keeps columns of running text apart, so that lines side by side in two columns don't become table rows.

`split_at_gutter` separates two columns of text. `split_beside_prose` drops the lines of running text and
groups what stands beside them.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from held.document import Box
from held.layout.lines import Line
from held.layout.tables.cells import Lines, text_length
from held.layout.tables.words import is_value
from held.layout.tolerances import (
    MAX_CHANCE_LINES_COUNT,
    MAX_COLUMN_INDENT_PT,
    MAX_EDGES_COUNT,
    MAX_INDENTED_ROWS_COUNT,
    MAX_LEFT_COLUMN_END_PT,
    MAX_PARAGRAPH_GAP_PT,
    MAX_RIGHT_COLUMN_SHARE,
    MAX_TEXT_EDGE_SHIFT_PT,
    MIN_COLUMN_PROSE_CHARS,
    MIN_COLUMN_PROSE_COUNT,
    MIN_COLUMN_PROSE_SHARE,
    MIN_FILLING_LINE_CHARS,
    MIN_LINES_AT_EDGE_COUNT,
    MIN_PROSE_LINE_CHARS,
    MIN_PROSE_LINE_PT,
    MIN_RIGHT_COLUMN_SHARE,
    MIN_RIGHT_COLUMN_START_PT,
    PROSE_HEIGHT_PT,
    SAME_TEXT_EDGE_PT,
    TEXT_COLUMN_OVERHANG_PT,
)

Indices = Sequence[int]  # of lines
Sides = tuple[list[int], list[int]]  # lines left and right of a gutter

LEADERS = ("....", ". . .", "……", "····")


def split_at_gutter(lines: Lines, free: Indices) -> list[list[int]]:
    """The free lines in groups: each side of a gutter between two text columns is one, all others are one."""
    everything = [list(free)]
    if len(free) < 2 * MIN_LINES_AT_EDGE_COUNT:
        return everything
    for edge in _common_left_edges(lines, free):
        groups: list[list[int]] = []
        for sides in _gutter_stretches(lines, free, edge):
            if _has_prose_on_both_sides(lines, sides):
                groups += sides
        if groups:
            grouped = {i for group in groups for i in group}
            rest = [i for i in free if i not in grouped]
            return [*groups, rest] if rest else groups
    return everything


def _common_left_edges(lines: Lines, free: Indices) -> list[float]:
    """Left edges in the middle of the page that many lines of words share, the most common first."""
    left, right = min(lines[i].x0 for i in free), max(lines[i].x1 for i in free)
    low = left + MIN_RIGHT_COLUMN_SHARE * (right - left)
    high = left + MAX_RIGHT_COLUMN_SHARE * (right - left)
    starts = [lines[i].x0 for i in free if low < lines[i].x0 < high and not is_value(lines[i].text)]
    counted = Counter(round(x / SAME_TEXT_EDGE_PT) for x in starts)
    edges = []
    for rank, (position, count) in enumerate(counted.most_common()):
        if rank < MAX_EDGES_COUNT and count >= MIN_LINES_AT_EDGE_COUNT:
            edges.append(min(x for x in starts if round(x / SAME_TEXT_EDGE_PT) == position))
    return edges


def _gutter_stretches(lines: Lines, free: Indices, edge: float) -> Iterator[Sides]:
    """The lines left and right of an edge, in stretches that no line reaches across.

    A wide table may keep clear of the gutter by chance. Its rows begin far right of the edge, without a label
    there, or go on there with numbers alone. Several such rows end a stretch, too; the names of their columns
    stand right above them.
    """
    sides: Sides = ([], [])
    across: list[int] = []  # lines of the last rows, if all of them may be rows of a wide table
    rows_across = 0
    short: list[int] = []  # lines of the last rows without running text
    for row in _overlapping_rows(lines, free):
        left = [i for i in row if lines[i].x1 < edge + MAX_LEFT_COLUMN_END_PT]
        right = [i for i in row if lines[i].x0 > edge + MIN_RIGHT_COLUMN_START_PT]
        if len(left) + len(right) < len(row):
            yield sides
            sides, across, rows_across, short = ([], []), [], 0, []
            continue
        if left and right and _reaches_across(lines, left, right, edge):
            across += [*short, *row] if not rows_across else row
            rows_across += 1
        else:
            across, rows_across = [], 0
        is_short = all(text_length(lines[i].text) <= MIN_COLUMN_PROSE_CHARS for i in row)
        short = [*short, *row] if is_short else []
        if rows_across > MAX_INDENTED_ROWS_COUNT:
            yield [i for i in sides[0] if i not in across], [i for i in sides[1] if i not in across]
            sides = ([], [])
            continue
        sides[0].extend(left)
        sides[1].extend(right)
    yield sides


def _reaches_across(lines: Lines, left: Indices, right: Indices, edge: float) -> bool:
    """Whether a row may be one of a table over both columns: at the right without a label, or indented."""
    if min(lines[i].x0 for i in right) > edge + MAX_COLUMN_INDENT_PT:
        return True
    has_values = any(is_value(lines[i].text) for i in left) and len(right) > 1
    return has_values and all(is_value(lines[i].text) for i in right)


def _overlapping_rows(lines: Lines, free: Indices) -> Iterator[list[int]]:
    """The lines in rows that overlap vertically, from top to bottom."""
    row: list[int] = []
    bottom = 0.0
    for i in sorted(free, key=lambda i: lines[i].y0 + lines[i].y1):
        if row and lines[i].middle > bottom:
            yield row
            row = []
        if not row:
            bottom = lines[i].y1
        row.append(i)
    if row:
        yield row


def _has_prose_on_both_sides(lines: Lines, sides: Sides) -> bool:
    if min(map(len, sides)) < MIN_COLUMN_PROSE_COUNT:
        return False
    prose = [_count_prose_lines(lines, side) for side in sides]
    return min(prose) > 0 and sum(prose) >= MIN_COLUMN_PROSE_COUNT


def _count_prose_lines(lines: Lines, side: list[int]) -> int:
    """The number of long lines in a column that have nothing beside them."""
    width = max(lines[i].x1 for i in side) - min(lines[i].x0 for i in side)
    heights = Counter(round(lines[i].middle / PROSE_HEIGHT_PT) for i in side)
    count = 0
    for i in side:
        line = lines[i]
        is_alone = heights[round(line.middle / PROSE_HEIGHT_PT)] == 1
        is_wide = line.x1 - line.x0 > MIN_COLUMN_PROSE_SHARE * width
        count += is_alone and is_wide and text_length(line.text) > MIN_COLUMN_PROSE_CHARS
    return count


class TextColumn(NamedTuple):
    """A column of running text: its edges, and top and bottom of the lines that fill it."""

    x0: float
    x1: float
    filled: list[tuple[float, float]]

    def is_filled_by(self, line: Line) -> bool:
        """Whether a line reaches from edge to edge, apart from a first line's indent."""
        if abs(line.x1 - self.x1) >= MAX_TEXT_EDGE_SHIFT_PT:
            return False
        starts_inside = -MAX_TEXT_EDGE_SHIFT_PT < line.x0 - self.x0 < MAX_COLUMN_INDENT_PT
        return starts_inside and text_length(line.text) > MIN_FILLING_LINE_CHARS

    def holds(self, line: Line) -> bool:
        """Whether a line stands between the edges."""
        is_right_of_start = line.x0 > self.x0 - TEXT_COLUMN_OVERHANG_PT
        return is_right_of_start and line.x1 < self.x1 + TEXT_COLUMN_OVERHANG_PT

    def zones(self) -> list[tuple[float, float]]:
        """Where text runs, with only the white of paragraphs and headings between its lines."""
        zones: list[tuple[float, float]] = []
        for top, bottom in sorted(self.filled):
            if zones and top - zones[-1][1] < MAX_PARAGRAPH_GAP_PT:
                zones[-1] = (zones[-1][0], bottom)
            else:
                zones.append((top, bottom))
        return zones


def split_beside_prose(lines: Lines, free: Indices, grids: Sequence[Box]) -> list[list[int]]:
    """The lines that may belong to tables, in groups: where text runs in a column, each column has its own.

    Lines of running text are in no group. Lines in `grids` always may belong to tables.
    """
    in_grids = {i for i in free if any(_holds(box, lines[i]) for box in grids)} if grids else set[int]()
    columns = _find_text_columns(lines, free, in_grids)
    if not columns:
        return [list(free)]
    rest = []
    for i in free:
        filled = None
        if i not in in_grids:
            filled = next((column for column in columns if column.is_filled_by(lines[i])), None)
        if filled:
            filled.filled.append((lines[i].y0, lines[i].y1))
        else:
            rest.append(i)
    zones = [zone for column in columns for zone in column.zones()]
    groups: dict[int, list[int]] = {}
    for i in rest:
        group = -1
        if any(top < lines[i].middle < bottom for top, bottom in zones):
            group = next((k for k, column in enumerate(columns) if column.holds(lines[i])), -1)
        groups.setdefault(group, []).append(i)
    return list(groups.values())


def _holds(box: Box, line: Line) -> bool:
    return box.x0 < (line.x0 + line.x1) / 2 < box.x1 and box.y0 < line.middle < box.y1


def _find_text_columns(lines: Lines, free: Indices, in_grids: set[int]) -> list[TextColumn]:
    """The columns of running text: many long lines share both their edges."""
    by_edges: dict[tuple[int, int], list[int]] = {}
    for i in free:
        if i not in in_grids and _may_be_prose(lines[i]):
            edges = (round(lines[i].x0 / SAME_TEXT_EDGE_PT), round(lines[i].x1 / SAME_TEXT_EDGE_PT))
            by_edges.setdefault(edges, []).append(i)
    candidates = [members for members in by_edges.values() if len(members) > MAX_CHANCE_LINES_COUNT]
    if not candidates:
        return []
    labels = _lines_beside_values(lines, free)
    columns: list[TextColumn] = []
    for members in candidates:
        # A table repeats its labels, so only different texts without a value beside them count.
        texts = {lines[i].text for i in members if i not in labels}
        sample = lines[members[0]]
        if len(texts) > MAX_CHANCE_LINES_COUNT and not any(column.is_filled_by(sample) for column in columns):
            columns.append(TextColumn(sample.x0, sample.x1, []))
    return columns


def _may_be_prose(line: Line) -> bool:
    if line.x1 - line.x0 <= MIN_PROSE_LINE_PT or text_length(line.text) <= MIN_PROSE_LINE_CHARS:
        return False
    return not any(leaders in line.text for leaders in LEADERS)


def _lines_beside_values(lines: Lines, free: Indices) -> set[int]:
    """The lines with a value at their height: labels of a table may share both their edges, too."""
    heights = sorted(lines[i].middle for i in free if is_value(lines[i].text))
    return {i for i in free if bisect_left(heights, lines[i].y0) < bisect_right(heights, lines[i].y1)}
