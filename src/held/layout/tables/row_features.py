"""Describes the rows of a page in numbers, from which a model tells which rows form tables.

Each row has its shape (cells, numbers, gaps), its wording (does it begin like a list item or a heading?),
what is drawn around it, and the numbers of the two rows above and below. The stretch of rows without wide
white that it stands in adds what only many rows show: values that end below each other, pages that grow as
in printed contents, numbers that count as those of a list.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise
from operator import attrgetter
from typing import NamedTuple

from held.document import Box
from held.layout.strokes import Segment, Strokes
from held.layout.tables.cells import text_length
from held.layout.tables.rows import (
    CAPTION_OR_ITEM,
    LEADERS,
    CellRow,
    Rows,
    first_value_start,
    is_header,
    is_numbered_heading,
    leftmost_but_strays,
    row_height,
)
from held.layout.tables.words import YEAR, is_value
from held.layout.tolerances import (
    BLOCK_MARGIN_PT,
    MAX_CELL_CHARS,
    MAX_LEFT_EDGE_SPREAD_PT,
    MAX_PAGE_NUMBER_CHARS,
    MAX_RIGHT_EDGE_SPREAD_PT,
    MAX_STRETCH_GAP_ROWS,
    MIN_FRAME_SHARE,
    SAME_RULE_END_PT,
    STRAY_VALUE_ROWS,
)
from held.system import lazy_pattern

CENTURIES = ("19", "20")
FAR = 20.0  # rows; no distance counts as longer
NOTHING_DRAWN = (0.0, 0.0, 0, 0, False, 0, FAR, FAR, False)
NEAR_RULES = 40  # rules on each side of a row that may frame it
OFFSETS = (-2, -1, 1, 2)  # the rows around a row that describe it as well
OUTSIDE = -9.0  # what a row beyond the first or last counts as

ENUMERATOR = lazy_pattern(
    r"[^\w\s]|[(（\[]?(?:[A-Za-z]|[ivxIVX]+|[\dA-Z]+(?:[.\-]\d+)*|[一二三四五六七八九十]+)[.)）\]:、]*"
    r"|(?:Section|Chapter|Article|Appendix|Note|Item|Step|Level)\s+[\dA-Z.]+[:.]?|第.{1,4}[章节条]",
)
EQUATION_NUMBER = lazy_pattern(r"[(（][A-Z]?\d*(?:[.\-]\d+)*[a-z]?[)）]")
MATH_SIGN = lazy_pattern(
    r"^[=+∈→⇒≤≥≈∼:;,.]+$|[=∈→]$|^= |[∑∏∫√∂∇∀∃⟨⟩∥∈\uf8e0-\uf8ff\x00-\x1f]| = [A-Za-z(\[{]"
)

SHAPE = (
    "cells values values_after_first years first_is_value long_cells longest first_length last_length "
    "least_gap widest_gap is_one_line is_header"
)
WORDING = "caption heading enumerator equation_number signs sentence leaders colon lower page"
DRAWN = "rule_above rule_below rules_above rules_below in_box loose frame_above frame_below is_framed"
PLACE = (
    "gap_above gap_below aligned_above aligned_below indent outdent width size from_values to_values shift"
)
STRETCH = (
    "rows data_share several_share aligned_share enumerators equations math pages falls counts full widest "
    "strokes rules boxed values_per_row words_per_row share_of_width before after to_data from_data"
)
OWN = f"{SHAPE} {WORDING} {DRAWN} {PLACE}".split()
SHARED = (  # by a row with those above and below it
    "cells values values_after_first years long_cells longest first_length is_header gap_above gap_below "
    "rule_above in_box sentence indent caption aligned_below from_values size"
)
NAMES = [*OWN, *STRETCH.split(), *(f"{name} {offset:+}" for offset in OFFSETS for name in SHARED.split())]

Values = list[list[bool]]  # of each row which of its cells are numbers
Numbers = tuple[float, ...]


class Page(NamedTuple):
    """What the rows of a page, or of a text column, are measured against."""

    rows: Rows
    are_values: Values
    gaps: list[float]  # above each row, in rows
    strokes: Strokes
    heights: list[float]  # of the horizontal rules
    loose: list[Box]  # from top to bottom
    tops: list[float]  # of loose
    highest_loose: float
    boxes: Sequence[Box]
    body_size: float


class Stretch(NamedTuple):
    """Rows without wide white between them: their indices, their edges, and where their numbers begin."""

    first: int
    stop: int
    left: float
    right: float
    values_left: float

    @property
    def width(self) -> float:
        return max(self.right - self.left, 1.0)


def row_features(rows: Rows, strokes: Strokes, boxes: Sequence[Box], body_size: float) -> list[list[float]]:
    """The features of each row; `boxes` are drawn around tables whose cells they do not separate."""
    are_values = [[is_value(cell.text) for cell in row.cells] for row in rows]
    gaps = [FAR, *(min(FAR, (b.y0 - a.y1) / row_height(a, b)) for a, b in pairwise(rows)), FAR]
    loose = sorted(strokes.loose, key=attrgetter("y0"))
    page = Page(
        rows=rows,
        are_values=are_values,
        gaps=gaps,
        strokes=strokes,
        heights=[rule.at for rule in strokes.across],
        loose=loose,
        tops=[box.y0 for box in loose],
        highest_loose=max((box.height for box in loose), default=0.0),
        boxes=boxes,
        body_size=body_size,
    )
    left, right = _edges(rows)
    own: list[Numbers] = []
    shared: list[Numbers] = []
    for stretch in _stretches(page):
        rows_features = [
            (*_shape(page, i), *_wording(rows[i]), *_drawn(page, stretch, i), *_place(page, stretch, i, left))
            for i in range(stretch.first, stretch.stop)
        ]
        own += rows_features
        shared += _stretch_features(page, stretch, rows_features, right - left)
    shared_indices = [OWN.index(name) for name in SHARED.split()]
    around = [[features[i] for i in shared_indices] for features in own]
    beyond = [OUTSIDE] * len(shared_indices)
    found = []
    for i in range(len(rows)):
        features = [*own[i], *shared[i]]
        for offset in OFFSETS:
            features += around[i + offset] if 0 <= i + offset < len(rows) else beyond
        found.append(features)
    return found


def _edges(rows: Rows) -> tuple[float, float]:
    return min(row.cells[0].x0 for row in rows), max(row.cells[-1].x1 for row in rows)


def _stretches(page: Page) -> Iterator[Stretch]:
    first = 0
    for stop in range(1, len(page.rows) + 1):
        if page.gaps[stop] > MAX_STRETCH_GAP_ROWS:
            block = page.rows[first:stop]
            left, right = _edges(block)
            starts = [first_value_start(row) for row in block if len(row.cells) > 1]
            values_left = leftmost_but_strays(starts, STRAY_VALUE_ROWS) if starts else right
            yield Stretch(first, stop, left, right, values_left)
            first = stop


# --- One row ---


def _shape(page: Page, index: int) -> Numbers:
    row, are_values = page.rows[index], page.are_values[index]
    cells = row.cells
    lengths = [text_length(cell.text) for cell in cells]
    gaps = [(b.x0 - a.x1) / max(row.size, 1.0) for a, b in pairwise(cells)] or [-1.0]
    return (
        len(cells),
        sum(are_values),
        sum(are_values[1:]),
        sum(cell.text[:2] in CENTURIES and YEAR.fullmatch(cell.text) is not None for cell in cells),
        are_values[0],
        sum(length > MAX_CELL_CHARS for length in lengths),
        max(lengths),
        lengths[0],
        lengths[-1],
        min(gaps),
        max(gaps),
        cells[0].lines[0] == cells[-1].lines[0],
        is_header(row),
    )


def _wording(row: CellRow) -> Numbers:
    first, last = row.cells[0].text, row.cells[-1].text
    return (
        CAPTION_OR_ITEM.match(first) is not None,
        is_numbered_heading(first),
        ENUMERATOR.fullmatch(first) is not None,
        EQUATION_NUMBER.fullmatch(last) is not None,
        sum(MATH_SIGN.search(cell.text) is not None for cell in row.cells),
        last.endswith((".", "。")),
        any(map(last.__contains__, LEADERS)) or any(map(first.__contains__, LEADERS)),
        last.endswith((":", "：")),
        first[:1].islower(),
        last.isdecimal() and len(last) <= MAX_PAGE_NUMBER_CHARS,
    )


def _drawn(page: Page, stretch: Stretch, index: int) -> Numbers:
    row, across = page.rows[index], page.strokes.across
    if not (across or page.boxes or page.loose):
        return NOTHING_DRAWN
    x0, x1 = row.cells[0].x0, row.cells[-1].x1
    middle = bisect_left(page.heights, row.middle)
    above = page.rows[index - 1].middle if index > stretch.first else row.y0 - row.height
    below = page.rows[index + 1].middle if index + 1 < stretch.stop else row.y1 + row.height
    upper = _lengths_over(across[bisect_left(page.heights, above) : middle], x0, x1)
    lower = _lengths_over(across[middle : bisect_right(page.heights, below)], x0, x1)
    in_box = any(
        box.y0 < row.middle < box.y1 and box.x0 - BLOCK_MARGIN_PT < x0 and x1 < box.x1 + BLOCK_MARGIN_PT
        for box in page.boxes
    )
    loose = sum(
        box.y1 > row.y0 and stretch.left < box.x1 and box.x0 < stretch.right
        for box in page.loose[
            bisect_left(page.tops, row.y0 - page.highest_loose) : bisect_left(page.tops, row.y1)
        ]
    )
    reach = FAR * max(row.height, 1.0)
    first = bisect_left(page.heights, row.middle - reach)
    last = bisect_right(page.heights, row.middle + reach)
    over = _find_frame(across[max(first, middle - NEAR_RULES) : middle][::-1], row, stretch)
    under = _find_frame(across[middle : min(last, middle + NEAR_RULES)], row, stretch)
    is_framed = (
        over is not None
        and under is not None
        and abs(over.start - under.start) < SAME_RULE_END_PT
        and abs(over.end - under.end) < SAME_RULE_END_PT
    )
    return (
        max(upper, default=0.0) / stretch.width,
        max(lower, default=0.0) / stretch.width,
        len(upper),
        len(lower),
        in_box,
        loose,
        (row.y0 - over.at) / max(row.height, 1.0) if over else FAR,
        (under.at - row.y1) / max(row.height, 1.0) if under else FAR,
        is_framed,
    )


def _lengths_over(rules: Sequence[Segment], x0: float, x1: float) -> list[float]:
    """The lengths of the rules that run over a stretch of the x axis."""
    return [rule.end - rule.start for rule in rules if rule.start < x1 and rule.end > x0]


def _find_frame(rules: Sequence[Segment], row: CellRow, stretch: Stretch) -> Segment | None:
    """The first of the rules that runs over most of a row."""
    x0, x1 = row.cells[0].x0, row.cells[-1].x1
    least = MIN_FRAME_SHARE * max(x1 - x0, stretch.width)
    for rule in rules:
        if rule.end - rule.start > least and rule.start < x1 and rule.end > x0:
            return rule
    return None


def _place(page: Page, stretch: Stretch, index: int, page_left: float) -> Numbers:
    row = page.rows[index]
    em = max(row.size, 1.0)
    x0, x1 = row.cells[0].x0, row.cells[-1].x1
    return (
        page.gaps[index],
        page.gaps[index + 1],
        _count_aligned(row, page.rows[index - 1]) if index else 0,
        _count_aligned(row, page.rows[index + 1]) if index + 1 < len(page.rows) else 0,
        (x0 - stretch.left) / em,
        (stretch.right - x1) / em,
        (x1 - x0) / stretch.width,
        row.size / max(page.body_size, 1.0),
        (x0 - stretch.values_left) / em,
        (x1 - stretch.values_left) / em,
        (x0 - page_left) / em,
    )


def _count_aligned(row: CellRow, other: CellRow) -> int:
    """The number of cells that begin or end where a cell of another row does."""
    count = 0
    for x0, x1, *_ in row.cells:
        for y0, y1, *_ in other.cells:
            if -2 < x0 - y0 < 2 or -2 < x1 - y1 < 2:
                count += 1
                break
    return count


# --- Stretches of rows ---


def _stretch_features(
    page: Page, stretch: Stretch, own: Sequence[Numbers], page_width: float
) -> Iterator[Numbers]:
    """The features that the rows of a stretch share, and each row's place among those with numbers."""
    first, stop = stretch.first, stretch.stop
    block = page.rows[first:stop]
    several = [row for row in block if len(row.cells) > 1]
    data = [i for i in range(first, stop) if any(page.are_values[i][1:])]
    values = [
        cell
        for i in data
        for cell, is_number in zip(page.rows[i].cells[1:], page.are_values[i][1:], strict=True)
        if is_number
    ]
    ends = sorted(cell.x1 for cell in values)
    starts = sorted(cell.x0 for cell in values)
    aligned = sum(
        _has_near(ends, cell.x1, MAX_RIGHT_EDGE_SPREAD_PT)
        or _has_near(starts, cell.x0, MAX_LEFT_EDGE_SPREAD_PT)
        for cell in values
    )
    sums = dict(zip(OWN, map(sum, zip(*own, strict=True)), strict=True))
    last_texts = [page.rows[i].cells[-1].text for i in data]
    pages = [int(text) for text in last_texts if text.isdecimal() and len(text) <= MAX_PAGE_NUMBER_CHARS]
    firsts = [row.cells[0].text.rstrip(":.") for row in several]
    numbers = [int(text) for text in firsts if text.isdecimal() and len(text) <= MAX_PAGE_NUMBER_CHARS]
    widest, full = max(Counter(len(row.cells) for row in block).items(), key=lambda item: item[1])
    count, with_several, with_data = len(block), max(len(several), 1), max(len(data), 1)
    shared = (
        count,
        len(data) / count,
        len(several) / count,
        aligned / max(len(values), 1),
        sums["enumerator"] / with_several,
        sums["equation_number"] / with_data,
        sums["signs"] / max(sums["cells"], 1),
        len(pages) / with_data,
        sum(a > b for a, b in pairwise(pages)) / max(len(pages), 1),
        sum(b == a + 1 for a, b in pairwise(numbers)) / with_several,
        full / count,
        widest,
        sums["loose"],
        sums["rules_above"],
        sums["in_box"] / count,
        len(values) / count,
        (sums["cells"] - sums["values"]) / count,
        stretch.width / max(page_width, 1.0),
    )
    for i in range(first, stop):
        below, above = bisect_left(data, i), bisect_right(data, i) - 1
        to_data = data[below] - i if below < len(data) else FAR
        from_data = i - data[above] if above >= 0 else FAR
        yield (*shared, i - first, stop - 1 - i, to_data, from_data)


def _has_near(positions: Sequence[float], position: float, tolerance: float) -> bool:
    """Whether a sorted list has another position near the given one of its own."""
    low, high = position - tolerance, position + tolerance
    return bisect_right(positions, high) - bisect_left(positions, low) > 1
