"""Finds tables without a grid: stretches of rows that a model takes for those of tables.

Two models of boosted trees, which `research.tables.row_model` trains, look at the rows of a page
(`row_features`): one tells whether a row belongs to a table, the other whether a row of a table is its
first. Numbers below numbers, rules and shades are no rules of their own here, but features among others.
"""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from enum import Enum, auto
from functools import cache
from itertools import pairwise
from operator import itemgetter
from pathlib import Path
from typing import NamedTuple

from held.document import Box
from held.layout.lines import Line
from held.layout.strokes import Strokes
from held.layout.tables.cells import Lines, Table, skip_table_on_error, text_length, usual_size
from held.layout.tables.columns import find_columns, split_close_columns
from held.layout.tables.row_features import row_features
from held.layout.tables.rows import LEADERS, Rows, build_rows, merge_centred_rows
from held.layout.tables.structure import build_table
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
from held.models.tree_file import RowScorer, load_scorer

WHITE_COST = 0.5  # log odds against a table below text: a lone label in white does not end a table
IN_TABLE_FILE, BEGINS_FILE = "rows_in_tables.onnx", "rows_that_begin.onnx"
ONE_COLUMN = [(0.0, 1.0)]


class Label(Enum):
    """Where a row stands."""

    OUTSIDE = auto()
    BEGINS = auto()  # the first row of a table
    CONTINUES = auto()


class RowModel(NamedTuple):
    """The log odds that a row lies in a table, and that a row in a table is its first."""

    in_table: RowScorer
    begins: RowScorer


@cache
def shipped_row_model() -> RowModel:
    """The models that ship with the package."""
    folder = Path(__file__).parent
    return RowModel(load_scorer(folder / IN_TABLE_FILE), load_scorer(folder / BEGINS_FILE))


def find_borderless_tables(
    lines: Lines, free: Sequence[int], strokes: Strokes, boxes: Sequence[Box] = ()
) -> list[Table]:
    """The tables that the free lines form without a grid.

    `boxes` are drawn around tables, but their lines separate neither the rows nor the columns.
    """
    tables: list[Table] = []
    for rows in candidate_rows(lines, free, boxes):
        with skip_table_on_error():
            for block in _find_blocks(rows, strokes, boxes, usual_size(lines)):
                with skip_table_on_error():
                    tables.append(build_from_rows(block, lines, strokes))
    return tables


def candidate_rows(lines: Lines, free: Sequence[int], boxes: Sequence[Box]) -> list[Rows]:
    """The rows in which tables may stand, those of each text column apart; none on most pages."""
    if not _has_neighbours(lines, free):
        return []
    groups = [build_rows(lines, group) for group in split_beside_prose(lines, free, boxes)]
    whole = [split_close_columns(merge_centred_rows(rows)) for rows in groups]
    return [rows for rows in whole if sum(len(row.cells) > 1 for row in rows) > 1]


def _has_neighbours(lines: Lines, free: Sequence[int]) -> bool:
    """Whether a few lines have others at their height, or measured words: on most pages none has."""
    if sum(bool(lines[i].runs[0].words) for i in free) > 1:
        return True
    spans = sorted([(lines[i].y0 + lines[i].y1, lines[i].y0) for i in free])
    return sum(2 * top < twice_middle for (twice_middle, _), (_, top) in pairwise(spans)) > 1


def build_from_lines(indices: Sequence[int], lines: Lines, strokes: Strokes) -> Table:
    """One table of lines that are known to be one, by their alignment alone."""
    return build_from_rows(build_rows(lines, indices), lines, strokes)


def build_from_rows(rows: Rows, lines: Lines, strokes: Strokes) -> Table:
    """One table of rows that are known to be one."""
    return build_table(rows, find_columns(rows) or ONE_COLUMN, lines, strokes.across)


def _find_blocks(rows: Rows, strokes: Strokes, boxes: Sequence[Box], body_size: float) -> list[Rows]:
    """The rows of each table, from top to bottom."""
    model = shipped_row_model()
    features = row_features(rows, strokes, boxes, body_size)
    labels = _label_rows(model.in_table(features), model.begins(features))
    blocks: list[Rows] = []
    for row, label in zip(rows, labels, strict=True):
        if label is Label.BEGINS:
            blocks.append([row])
        elif label is Label.CONTINUES:
            blocks[-1].append(row)
    return [block for block in blocks if sum(len(row.cells) > 1 for row in block) > 1]


def _label_rows(in_table: Sequence[float], begins: Sequence[float]) -> list[Label]:
    """The most likely labels of the rows, from log odds that each lies in a table, and begins it if so.

    A row outside is not followed by one that continues a table. Of all ways to label the rows so far, the
    best that ends with each label is kept.
    """
    outside, first, further = 0.0, -math.inf, -math.inf  # the likelihoods of the best labels so far
    came_from: list[dict[Label, Label]] = []
    for inside, begin in zip(in_table, begins, strict=True):
        in_table_before = Label.BEGINS if first >= further else Label.CONTINUES
        before = Label.OUTSIDE if outside >= max(first, further) else in_table_before
        came_from.append({Label.OUTSIDE: before, Label.BEGINS: before, Label.CONTINUES: in_table_before})
        # A row of a table begins it or continues it: the logarithms of these probabilities.
        begins_it, continues_it = -math.log1p(math.exp(-begin)), -math.log1p(math.exp(begin))
        cost = WHITE_COST if before is Label.OUTSIDE else 0.0
        outside, first, further = (
            max(outside, first, further),
            max(outside, first, further) + inside + begins_it - cost,
            max(first, further) + inside + continues_it,
        )
    label = max(zip((outside, first, further), Label, strict=True), key=itemgetter(0))[1]
    labels = []
    for before_label in reversed(came_from):
        labels.append(label)
        label = before_label[label]
    return labels[::-1]


# --- Running text beside tables, whose lines must not become table rows ---

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
