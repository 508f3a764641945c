"""Keeps running text apart from tables, so that its lines don't become table rows.

`split_beside_prose` drops the lines that fill a column of running text and groups what stands beside them.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from typing import NamedTuple

from held.document import Box
from held.layout.lines import Line
from held.layout.tables.cells import Lines, text_length
from held.layout.tables.rows import LEADERS
from held.layout.tables.words import is_value
from held.layout.tolerances import (
    MAX_CHANCE_LINES_COUNT,
    MAX_COLUMN_INDENT_PT,
    MAX_PARAGRAPH_GAP_PT,
    MAX_TEXT_EDGE_SHIFT_PT,
    MAX_TWIN_WIDTH_SHIFT_SHARE,
    MIN_FILLING_LINE_CHARS,
    MIN_PROSE_LINE_CHARS,
    MIN_PROSE_LINE_PT,
    MIN_RAGGED_LINE_SHARE,
    MIN_TEXT_COLUMN_SHARE,
    SAME_TEXT_EDGE_PT,
    TEXT_COLUMN_OVERHANG_PT,
)

Indices = Sequence[int]  # of lines


class TextColumn(NamedTuple):
    """A column of running text: its edges, and top and bottom of the lines that fill it."""

    x0: float
    x1: float
    filled: list[tuple[float, float]]

    @property
    def width(self) -> float:
        return self.x1 - self.x0

    def is_filled_by(self, line: Line) -> bool:
        """Whether a line reaches from edge to edge, apart from a first line's indent and a ragged end."""
        ragged_end = self.x0 + MIN_RAGGED_LINE_SHARE * self.width
        if not ragged_end < line.x1 < self.x1 + MAX_TEXT_EDGE_SHIFT_PT:
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
    in_grids = {i for i in free if any(lines[i].has_centre_in(grid) for grid in grids)}
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
        middle = lines[i].middle
        if any(top < middle < bottom for top, bottom in zones):
            group = next((k for k, column in enumerate(columns) if column.holds(lines[i])), -1)
        groups.setdefault(group, []).append(i)
    return list(groups.values())


def _find_text_columns(lines: Lines, free: Indices, in_grids: set[int]) -> list[TextColumn]:
    """The columns of running text: many long lines share both their edges."""
    by_left: dict[int, list[int]] = {}
    for i in free:
        if i not in in_grids and _may_be_prose(lines[i]):
            by_left.setdefault(round(lines[i].x0 / SAME_TEXT_EDGE_PT), []).append(i)
    candidates = [members for members in by_left.values() if len(members) > MAX_CHANCE_LINES_COUNT]
    if not candidates:
        return []
    labels = _lines_beside_values(lines, free)
    columns: list[TextColumn] = []
    justified: list[TextColumn] = []
    for members in candidates:
        x0, x1 = lines[members[0]].x0, max(lines[i].x1 for i in members)
        column = TextColumn(x0, x1, [])
        # A table repeats its labels, so only different texts without a value beside them count.
        filling = [i for i in members if i not in labels and column.is_filled_by(lines[i])]
        texts = {lines[i].text for i in filling}
        if len(texts) > MAX_CHANCE_LINES_COUNT and 2 * len(filling) > len(members):
            columns.append(column)
            full = sum(lines[i].x1 > x1 - MAX_TEXT_EDGE_SHIFT_PT for i in filling)
            if full > MAX_CHANCE_LINES_COUNT:
                justified.append(column)
    left, right = min(lines[i].x0 for i in free), max(lines[i].x1 for i in free)
    min_width = MIN_TEXT_COLUMN_SHARE * (right - left)
    wide = [column for column in columns if column.width > min_width or _has_twin(column, columns)]
    return [column for column in columns if column in wide or column in justified]


def _has_twin(column: TextColumn, columns: Sequence[TextColumn]) -> bool:
    """Whether a column of the same width stands beside: a lone narrow one may be the remarks of a table."""
    for other in columns:
        is_beside = other.x0 > column.x1 or other.x1 < column.x0
        if is_beside and abs(other.width - column.width) < MAX_TWIN_WIDTH_SHIFT_SHARE * column.width:
            return True
    return False


def _may_be_prose(line: Line) -> bool:
    if line.x1 - line.x0 <= MIN_PROSE_LINE_PT or text_length(line.text) <= MIN_PROSE_LINE_CHARS:
        return False
    return not any(leaders in line.text for leaders in LEADERS)


def _lines_beside_values(lines: Lines, free: Indices) -> set[int]:
    """The lines with a value at their height: labels of a table may share both their edges, too."""
    heights = sorted(lines[i].middle for i in free if is_value(lines[i].text))
    return {i for i in free if bisect_left(heights, lines[i].y0) < bisect_right(heights, lines[i].y1)}
