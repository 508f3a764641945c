"""Finds tables without a grid: stretches of rows that a model takes for those of tables.

Two models of boosted trees, which `research.tables.row_model` trains, look at the rows of a page
(`row_features`): one tells whether a row belongs to a table, the other whether a row of a table is its
first. Numbers below numbers, rules and shades are no rules of their own here, but features among others.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from enum import Enum, auto
from functools import cache
from itertools import pairwise
from operator import itemgetter
from pathlib import Path
from typing import NamedTuple

from held.document import Box
from held.layout.strokes import Strokes
from held.layout.tables.cells import Lines, Table, skip_table_on_error, usual_size
from held.layout.tables.columns import find_columns, split_close_columns
from held.layout.tables.row_features import row_features
from held.layout.tables.rows import Rows, build_rows, merge_centred_rows
from held.layout.tables.running_text import split_beside_prose
from held.layout.tables.structure import build_table
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
