"""Doubt: which tables may be wrong, and why.

Each entry of `EVIDENCE` measures one sign of a wrong table as a number from 0 to 1: text that goes on below
the table, a figure over it, empty cells, columns without a name. A logistic model weighs the
signs (`doubt.json`, written by `python -m research.tables.doubt`). Its weights are not negative, so that no
sign can make a table look better. The reasons given for a doubtful table are the signs that weigh most.
"""

from __future__ import annotations

import json
import math
import re
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from itertools import accumulate, pairwise
from pathlib import Path
from typing import NamedTuple

from held.document import Box, Document, Kind, PageContent, PhysicalObject, TableCell
from held.layout.lines import Line
from held.layout.tables.logical_grid import EMPTY_STRUCTURE, Grid, grid_of
from held.layout.tolerances import (
    EM_OF_LINE_HEIGHT_SHARE,
    MAX_ALIGNMENT_SHIFT_EM,
    MAX_NEXT_ROW_GAP_EM,
    MAX_SAME_TABLE_ROW_SHIFT_PT,
    MIN_COLUMN_WHITE_EM,
    MIN_HIDDEN_COLUMN_GAP_EM,
    MIN_RULE_LENGTH_EM,
    TABLE_EDGE_PT,
)
from held.system import median

MAX_REASONS = 3  # of a doubtful table
NO_REASON = "its rows and columns are hard to tell"
LAST_NUMBER = re.compile(r"\s[-+(]?\d[\d.,]*%?\)?$")  # at the end of a text
TWO_LETTERS = re.compile(r"[^\W\d_]{2}")


@dataclass(frozen=True)
class Surroundings:
    """What stands on a table's page: lines of text without furniture, drawn rules, figures."""

    lines: Sequence[Line]
    rules: Sequence[Box]
    figures: Sequence[Box]

    @cached_property
    def middles(self) -> list[float]:
        """The heights of the lines, which all tables of the page ask for."""
        return [line.middle for line in self.lines]


class Word(NamedTuple):
    """A word on the page: its height, and its left and right edge."""

    middle: float
    x0: float
    x1: float


class TableView:
    """A table with its surroundings, and what several kinds of evidence need of both."""

    def __init__(self, item: PhysicalObject, pages: Mapping[int, Surroundings]) -> None:
        self.item = item
        self.pages = pages
        self.grid: Grid = grid_of(item)
        self.cells = self.grid.cells
        self.texts = self.grid.texts()
        self.head = self.grid.head
        self.body = self.texts[self.head :]
        heights = [cell.box.height for cell in self.cells if cell.box.height > 0]
        self.em = EM_OF_LINE_HEIGHT_SHARE * median(heights) if heights else 1.0

    @cached_property
    def row_boxes(self) -> list[tuple[int, Box]]:
        """The page and box of each row, of cells that lie in one row."""
        members: dict[tuple[int, int], list[TableCell]] = defaultdict(list)
        for cell in self.cells:
            if cell.row_span == 1:
                members[cell.page, cell.row].append(cell)
        boxes = []
        for (page, _), cells in members.items():
            top = min([cell.box.y0 for cell in cells])
            bottom = max([cell.box.y1 for cell in cells])
            boxes.append((page, Box(cells[0].box.x0, top, cells[-1].box.x1, bottom)))
        return boxes

    @cached_property
    def outside(self) -> dict[int, list[Line]]:
        """The lines of its pages that lie in none of its boxes."""
        found: dict[int, list[Line]] = {}
        for page, on_page in self.pages.items():
            boxes = [_grow(part.box, TABLE_EDGE_PT) for part in self.item.parts if part.page == page]
            found[page] = []
            for line, down in zip(on_page.lines, on_page.middles, strict=True):
                across = line.axis
                for x0, y0, x1, y1 in boxes:
                    if y0 <= down <= y1 and x0 <= across <= x1:
                        break
                else:
                    found[page].append(line)
        return found

    @cached_property
    def words_in_cells(self) -> dict[int, list[Word]]:
        """The measured words, or runs, in each cell, by its index."""
        held: dict[int, list[Word]] = defaultdict(list)
        for part in self.item.parts:
            on_page = self.pages.get(part.page)
            boxes = [(i, cell.box) for i, cell in enumerate(self.cells) if cell.page == part.page]
            boxes.sort(key=lambda entry: entry[1].y0)
            tops = [box.y0 for _, box in boxes]
            tallest = max([box.y1 - box.y0 for _, box in boxes], default=0.0)
            for line in on_page.lines if on_page else ():
                if not line.has_centre_in(part.box):
                    continue
                low = bisect_left(tops, line.middle - tallest)
                near = boxes[low : bisect_right(tops, line.middle)]
                for x0, x1 in _extents(line):
                    word = Word(line.middle, x0, x1)
                    index = next((i for i, box in near if _is_inside(word, box)), None)
                    if index is not None:
                        held[index].append(word)
        return held

    @cached_property
    def columns_covered(self) -> list[int]:
        """The number of columns that cells cover in each row; no two cells cover the same position."""
        counts = [0] * self.grid.height
        for cell in self.cells:
            for row in range(cell.row, cell.row + cell.row_span):
                counts[row] += cell.column_span
        return counts


def _is_inside(word: Word, box: Box) -> bool:
    across = (word.x0 + word.x1) / 2
    return box.x0 - TABLE_EDGE_PT <= across <= box.x1 + TABLE_EDGE_PT and word.middle <= box.y1


def _extents(line: Line) -> list[tuple[float, float]]:
    """The left and right edges of a line's words, or of runs without measured words."""
    found = []
    for run in line.runs:
        found += [(word.x0, word.x1) for word in run.words] or [(run.x0, run.x1)]
    return found or [(line.x0, line.x1)]


def _grow(box: Box, by: float) -> Box:
    return Box(box.x0 - by, box.y0 - by, box.x1 + by, box.y1 + by)


# --- Evidence around the table ---


def _row_below(view: TableView) -> float:
    """Whether the text right below the table is set in columns too."""
    gaps = [
        lower.y0 - upper.y0
        for (_, upper), (_, lower) in zip(view.row_boxes, view.row_boxes[1:], strict=False)
    ]
    pitch = median([gap for gap in gaps if gap > 0] or [0.0])
    distance = max(pitch, MAX_NEXT_ROW_GAP_EM * view.em)
    part = view.item.parts[-1]
    near = []
    for line in view.outside.get(part.page, ()):
        gap = line.y0 - part.box.y1
        if -view.em < gap < distance and line.x0 < part.box.x1 and line.x1 > part.box.x0:
            near.append(line)
    for line in near:
        if any(
            abs(other.middle - line.middle) < MAX_SAME_TABLE_ROW_SHIFT_PT for other in near if other != line
        ):
            return 1.0
    return 0.0


def _figure_over(view: TableView) -> float:
    """Whether a figure overlaps the table."""
    for part in view.item.parts:
        on_page = view.pages.get(part.page)
        for figure in on_page.figures if on_page else ():
            width = min(part.box.x1, figure.x1) - max(part.box.x0, figure.x0)
            height = min(part.box.y1, figure.y1) - max(part.box.y0, figure.y0)
            if min(width, height) > TABLE_EDGE_PT:
                return 1.0
    return 0.0


def _not_drawn(view: TableView) -> float:
    """The share of rows and columns without drawn rules between them."""
    across = down = 0
    for part in view.item.parts:
        on_page = view.pages.get(part.page)
        left, top, right, bottom = _grow(part.box, 2 * view.em)
        least = MIN_RULE_LENGTH_EM * view.em
        for x0, y0, x1, y1 in on_page.rules if on_page else ():
            if left <= x0 and x1 <= right and top <= y0 and y1 <= bottom:
                width, height = x1 - x0, y1 - y0
                across += width > height and width > least
                down += width <= height and height > least
    rows_drawn = min(1.0, across / max(1, view.grid.height))
    columns_drawn = min(1.0, down / max(1, view.grid.width))
    return 1.0 - (rows_drawn + columns_drawn) / 2


# --- Evidence inside the table ---


def _gaps_in_cells(view: TableView) -> float:
    """The share of rows with a cell whose words stand as far apart as columns do."""
    rows = set()
    for index, words in view.words_in_cells.items():
        words.sort()
        for left, right in pairwise(words):
            is_level = right.middle - left.middle < MAX_SAME_TABLE_ROW_SHIFT_PT
            if is_level and right.x0 - left.x1 > MIN_HIDDEN_COLUMN_GAP_EM * view.em:
                rows.add(view.cells[index].row)
    return len(rows) / max(1, view.grid.height)


def _empty_cells(view: TableView) -> float:
    """The share of positions below the header that no cell covers, in rows with several texts."""
    counts = [count for count in view.columns_covered[view.head :] if count > 1]
    positions = len(counts) * view.grid.width
    return (positions - sum(counts)) / max(1, positions)


def _unlabelled_rows(view: TableView) -> float:
    """The share of rows below the header that have nothing in the first column."""
    labelled = {
        row for cell in view.cells if cell.column == 0 for row in range(cell.row, cell.row + cell.row_span)
    }
    rows = range(view.head, view.grid.height)
    return sum(row not in labelled for row in rows) / max(1, len(rows))


def _numbers_in_texts(view: TableView) -> float:
    """The share of cells below the header whose words end in a number: it may be a cell of its own."""
    body = [cell.text for cell in view.cells if cell.row >= view.head]
    return sum(map(_ends_in_number_behind_word, body)) / max(1, len(body))


def _ends_in_number_behind_word(text: str) -> bool:
    # Two expressions: one for both compares every word of a long text with everything behind it.
    number = LAST_NUMBER.search(text)
    return number is not None and TWO_LETTERS.search(text, 0, number.start()) is not None


def _columns_without_white(view: TableView) -> float:
    """The share of columns that no white from top to bottom separates from the next one."""
    extents: dict[int, list[tuple[float, float]]] = defaultdict(list)
    for index, words in view.words_in_cells.items():
        cell = view.cells[index]
        if cell.row >= view.head and cell.column_span == 1:
            extents[cell.page] += [(word.x0, word.x1) for word in words]
    gutters = 0
    for on_page in extents.values():
        on_page.sort()
        ends = accumulate((x1 for _, x1 in on_page), max)
        starts = [x0 for x0, _ in on_page[1:]]
        white = [start - end for start, end in zip(starts, ends, strict=False)]
        gutters = max(gutters, sum(gap > MIN_COLUMN_WHITE_EM * view.em for gap in white))
    return max(0, view.grid.width - 1 - gutters) / max(1, view.grid.width)


def _unnamed_columns(view: TableView) -> float:
    """The share of columns but the first that no header cell covers."""
    named: set[int] = set()
    for cell in view.cells:
        if cell.row < view.head:
            named.update(range(cell.column, cell.column + cell.column_span))
    columns = range(1, view.grid.width)
    return sum(column not in named for column in columns) / max(1, len(columns))


def _no_header(view: TableView) -> float:
    return float(view.head == 0)


def _deep_header(view: TableView) -> float:
    return float(view.head > 1)


def _misplaced_names(view: TableView) -> float:
    """The share of header cells that stand over columns they do not span, or not over their own."""
    extents: dict[tuple[int, int], list[float]] = {}
    for cell in view.cells:
        if cell.row >= view.head and cell.column_span == 1:
            left, _, right, _ = cell.box
            extent = extents.setdefault((cell.page, cell.column), [left, right])
            if left < extent[0]:
                extent[0] = left
            if right > extent[1]:
                extent[1] = right
    names = [cell for cell in view.cells if cell.row < view.head]
    misplaced = 0
    for name in names:
        own = range(name.column, name.column + name.column_span)
        under = []
        for (page, column), (left, right) in extents.items():
            shared = min(name.box.x1, right) - max(name.box.x0, left)
            if page == name.page and shared > MAX_ALIGNMENT_SHIFT_EM * view.em:
                under.append(column)
        misplaced += any(column not in own for column in under)
    return misplaced / max(1, len(names))


class Evidence(NamedTuple):
    """A sign that a table may be wrong: a name, the reason that users see, and how strong it is, 0 to 1.

    Signs without a reason tell how often such tables are wrong, not what is wrong with this one.
    """

    name: str
    reason: str
    measure: Callable[[TableView], float]


EVIDENCE = (
    Evidence("row_below", "the text right below it is set in columns too", _row_below),
    Evidence("figure_over", "a figure overlaps it", _figure_over),
    Evidence("gaps_in_cells", "a cell may hold those of several columns", _gaps_in_cells),
    Evidence("not_drawn", "", _not_drawn),
    Evidence("empty_cells", "many cells are empty", _empty_cells),
    Evidence("unlabelled_rows", "rows have nothing in the first column", _unlabelled_rows),
    Evidence("numbers_in_texts", "a number stands in the cell of a text", _numbers_in_texts),
    Evidence("columns_without_white", "no white separates some columns", _columns_without_white),
    Evidence("unnamed_columns", "a column has no name", _unnamed_columns),
    Evidence("no_header", "it has no header", _no_header),
    Evidence("deep_header", "", _deep_header),
    Evidence("misplaced_names", "a column name stands over other columns", _misplaced_names),
)


# --- The verdict ---


class DoubtModel(NamedTuple):
    """A logistic model over the evidence; tables with at least `threshold` probability are doubtful."""

    weights: Mapping[str, float]
    bias: float
    threshold: float


def measure_evidence(view: TableView, weights: Mapping[str, float] | None = None) -> dict[str, float]:
    """The strength of the evidence, by name: of all of it, or of what has a weight."""
    measured = {}
    for evidence in EVIDENCE:
        # Most of the time goes into measuring, so what the model ignores is left out.
        if weights is None or weights.get(evidence.name):
            measured[evidence.name] = evidence.measure(view)
    return measured


def error_probability(measured: Mapping[str, float], model: DoubtModel) -> float:
    """The model's probability that the table is wrong."""
    score = model.bias + sum(weight * measured[name] for name, weight in model.weights.items() if weight)
    return 1 / (1 + math.exp(-score))


def find_doubts(view: TableView, model: DoubtModel | None = None) -> tuple[str, ...]:
    """The reasons to doubt a table, strongest first; none if it is probably right."""
    model = model or shipped_model()
    measured = measure_evidence(view, model.weights)
    if error_probability(measured, model) < model.threshold:
        return ()
    shares = [(model.weights[e.name] * measured[e.name], e.reason) for e in EVIDENCE if e.name in measured]
    reasons = [
        reason for share, reason in sorted(shares, key=lambda share: -share[0]) if share > 0 and reason
    ]
    return tuple(reasons[:MAX_REASONS]) or (NO_REASON,)


@cache
def shipped_model() -> DoubtModel:
    """The model that ships with the package."""
    stored = json.loads(Path(__file__).with_name("doubt.json").read_text("utf-8"))
    return DoubtModel(stored["weights"], stored["bias"], stored["threshold"])


def find_surroundings(
    document: Document, pages: Sequence[PageContent], lines: Sequence[Sequence[Line]]
) -> dict[int, Surroundings]:
    """What stands on each page, by its number; `lines` are those of each page without furniture."""
    figures: dict[int, list[Box]] = defaultdict(list)
    for item in document.objects:
        if item.kind is Kind.FIGURE:
            for part in item.parts:
                figures[part.page].append(part.box)
    found = {}
    for number, (page, on_page) in enumerate(zip(pages, lines, strict=True), start=document.first_page):
        found[number] = Surroundings(on_page, page.rules, figures[number])
    return found


def mark_doubtful_tables(
    document: Document, pages: Sequence[PageContent], lines: Sequence[Sequence[Line]]
) -> Document:
    """The document with doubt and its reasons in each table."""
    surroundings = find_surroundings(document, pages, lines)
    objects = [_mark(item, surroundings) if item.kind is Kind.TABLE else item for item in document.objects]
    return replace(document, objects=tuple(objects))


def _mark(item: PhysicalObject, surroundings: Mapping[int, Surroundings]) -> PhysicalObject:
    if not item.rows:
        return item
    table = item.table or EMPTY_STRUCTURE
    own = {part.page for part in item.parts if part.page in surroundings}
    view = TableView(item, {page: surroundings[page] for page in own})
    doubts = find_doubts(view)
    return replace(item, table=replace(table, doubtful=bool(doubts), doubts=doubts))
