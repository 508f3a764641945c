"""The reading order of boxes on a page, by recursive horizontal and vertical cuts (like XY-cut).

The page is divided from top to bottom into zones, and each zone from left to right into columns. A zone is a
stretch of the page whose gutters run through from its top to its bottom, so a full-width block ends one zone
and begins another. Columns may have zones of their own.

    +-------------------+
    | title             |   zone 1: one column                reading order:
    +---------+---------+                                     title, a b c d, table, e f
    | a       | c       |   zone 2: a gutter, two columns
    | b       | d       |
    +---------+---------+
    | wide table        |   zone 3
    +---------+---------+
    | e       | f       |   zone 4
    +---------+---------+

Side notes and rows of separate pieces (a line with a wide gap, labels of a chart) have gutters too but are no
columns of text: they are read in the order of their tops.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

from held.document import Box, bounding_box
from held.layout.tolerances import (
    MAX_BLOCK_LINE_GAP_EM,
    MAX_COLUMN_TOP_SHIFT_LINES,
    MAX_END_LABEL_HEIGHT_EM,
    MAX_END_LABEL_SHARE,
    MAX_END_LABEL_SHIFT_EM,
    MAX_PLAIN_ZONE_BOXES_COUNT,
    MAX_PLAIN_ZONE_ROWS,
    MAX_SIDE_COLUMN_SHARE,
    MAX_SIDE_TITLE_DROP_EM,
    MAX_TAIL_TITLE_SHARE,
    MAX_TERM_WIDTH_SHARE,
    MIN_COLUMN_LINES,
    MIN_END_LABEL_GAP_EM,
    MIN_EQUAL_COLUMN_SHARE,
    MIN_EXPLAINED_TERMS_SHARE,
    MIN_FILLED_COLUMN_SHARE,
    MIN_FULL_LINE_SHARE,
    MIN_FULL_LINE_TIMES,
    MIN_FULL_LINES,
    MIN_GUTTER_EM,
    MIN_HEAD_EDGE_DISTANCE_EM,
    MIN_HEAD_ROWS,
    MIN_INNER_COLUMN_LINES,
    MIN_LABELLED_LINES_SHARE,
    MIN_LINES_BEFORE_SHORT_COLUMN,
    MIN_LONGEST_COLUMN_LINES,
    MIN_OVERLAPPED_HEIGHT_TIMES,
    MIN_RAGGED_END_EM,
    MIN_ROW_OVERLAP_SHARE,
    MIN_SIDE_TITLE_WIDTH_EM,
    MIN_TERMS,
    MIN_TERMS_SHARE,
    MIN_WRAPPED_LINE_SHARE,
    MIN_ZONE_GAP_TIMES,
)

# --- boxes ---


Boxes = Sequence[Box]
Members = Sequence[int]  # indices of boxes
Interval = tuple[float, float]


class Band(NamedTuple):
    """A horizontal stretch of the page: its boxes, and the x intervals that they leave free.

    The first and the last free interval reach to infinity; those between them are gutters if wide enough.
    """

    members: list[int]
    free: list[Interval]


def overlapping_groups(boxes: Boxes) -> list[list[int]]:
    """The boxes in groups that overlap vertically, directly or through others, from top to bottom.

    Boxes count with two thirds of their height, since those of tightly set lines overlap.
    """
    order = sorted(range(len(boxes)), key=lambda i: (boxes[i].y0, boxes[i].x0))
    groups: list[list[int]] = []
    end = -math.inf
    for i in order:
        top, bottom = boxes[i].y0, boxes[i].y1
        margin = (bottom - top) / MIN_OVERLAPPED_HEIGHT_TIMES
        if top + margin < end:
            groups[-1].append(i)
            end = max(end, bottom - margin)
        else:
            groups.append([i])
            end = bottom - margin
    return groups


def free_intervals(boxes: Boxes, members: Members) -> list[Interval]:
    """The x intervals that no member covers, from -inf to inf."""
    free: list[Interval] = []
    edge = -math.inf
    for x0, x1 in sorted((boxes[i].x0, boxes[i].x1) for i in members):
        if x0 > edge:
            free.append((edge, x0))
        edge = max(edge, x1)
    free.append((edge, math.inf))
    return free


def intersect(a: list[Interval], b: list[Interval], min_width: float) -> list[Interval]:
    """The common intervals of two sorted lists that are at least `min_width` wide."""
    common = []
    i = j = 0
    while i < len(a) and j < len(b):
        a_low, a_high = a[i]
        b_low, b_high = b[j]
        low, high = max(a_low, b_low), min(a_high, b_high)
        if high - low >= min_width:
            common.append((low, high))
        if a_high < b_high:
            i += 1
        else:
            j += 1
    return common


def gutters_in(free: list[Interval], min_gutter: float) -> list[Interval]:
    """The free intervals between boxes that are at least `min_gutter` wide."""
    between_boxes = free[1:-1]
    return [interval for interval in between_boxes if interval[1] - interval[0] >= min_gutter]


def order_by_rows(boxes: Boxes, members: Members) -> list[int]:
    """The members from top to bottom, those of one row from left to right."""
    ordered: list[int] = []
    for row in rows_of(boxes, members):
        ordered += sorted(row, key=lambda i: boxes[i].x0)
    return ordered


def rows_of(boxes: Boxes, members: Members) -> list[list[int]]:
    """The members in rows that share a baseline, from top to bottom."""
    by_middle = sorted(members, key=lambda i: boxes[i].y0 + boxes[i].y1)
    rows: list[list[int]] = []
    first_of_row: Box | None = None
    for i in by_middle:
        box = boxes[i]
        if first_of_row is not None and _share_row(first_of_row, box):
            rows[-1].append(i)
        else:
            rows.append([i])
            first_of_row = box
    return rows


def _share_row(a: Box, b: Box) -> bool:
    _, a_top, _, a_bottom = a
    _, b_top, _, b_bottom = b
    overlap = min(a_bottom, b_bottom) - max(a_top, b_top)
    lower_height = min(a_bottom - a_top, b_bottom - b_top)
    return overlap > MIN_ROW_OVERLAP_SHARE * lower_height


class Column(NamedTuple):
    """Boxes that are read from top to bottom; `number` counts from 1 in a zone, 0 is the full width."""

    members: list[int]
    x0: float
    x1: float
    number: int


def reading_order(boxes: Boxes, em: float) -> list[Column]:
    """The columns of a page in reading order; `em` is the size of its running text."""
    if not boxes:
        return []
    groups = overlapping_groups(boxes)
    if len(groups) == len(boxes):  # nothing stands beside anything else
        return [_column(boxes, [member for group in groups for member in group], 0)]
    bands = [Band(group, free_intervals(boxes, group)) for group in groups]
    min_gutter = MIN_GUTTER_EM * em
    zones = _merge_bands(boxes, bands, min_gutter)
    zones = _cut_tails(boxes, zones, min_gutter)
    zones = _cut_heads(boxes, zones, em)
    zones = _merge_plain_zones(boxes, zones)
    columns: list[Column] = []
    for zone in zones:
        columns += _columns(boxes, zone, em)
    return columns


@dataclass(slots=True)
class _Zone:
    """Bands below each other; `free` are the x intervals that all of them leave free."""

    bands: list[Band]
    free: list[Interval]

    def keep(self, bands: list[Band], min_gutter: float) -> None:
        """Replace the bands."""
        self.bands = bands
        self.free = bands[0].free
        for band in bands[1:]:
            self.free = intersect(self.free, band.free, min_gutter)


# --- Zones ---


def _merge_bands(boxes: Boxes, bands: list[Band], min_gutter: float) -> list[Band]:
    """The zones of a page: bands joined as long as their common gutters last."""
    zones: list[_Zone] = []
    for band in bands:
        common = _common_free(zones[-1].free, band.free, min_gutter) if zones else None
        if common is None:
            zones.append(_Zone([band], band.free))
        else:
            zones[-1].bands.append(band)
            zones[-1].free = common
    for upper, lower in pairwise(zones):
        start = _first_band_of_next(boxes, upper, lower, min_gutter)
        kept, moved = upper.bands[:start], upper.bands[start:]
        if moved:
            lower.keep(moved + lower.bands, min_gutter)
            upper.keep(kept, min_gutter)
    merged = []
    for zone in zones:
        members = [i for band in zone.bands for i in band.members]
        merged.append(Band(members, zone.free))
    return merged


def _common_free(a: list[Interval], b: list[Interval], min_gutter: float) -> list[Interval] | None:
    """What two bands leave free together, or None if they are not in one zone.

    A band without gutters must leave all gutters of the other free. Of two bands with gutters, one may lose
    those that only it has: the pieces of a formula in a column.
    """
    free = intersect(a, b, min_gutter)
    common_gutters = len(gutters_in(free, min_gutter))
    gutters_of_a = len(gutters_in(a, min_gutter))
    gutters_of_b = len(gutters_in(b, min_gutter))
    if gutters_of_a and gutters_of_b:
        needed = min(gutters_of_a, gutters_of_b)
    else:
        needed = max(gutters_of_a, gutters_of_b)
    return free if common_gutters >= needed else None


def _first_band_of_next(boxes: Boxes, upper: _Zone, lower: _Zone, min_gutter: float) -> int:
    """The index of the band of `upper` with which `lower` should begin; one too high if with none of these.

    A zone takes bands as long as its gutters allow, and so may take the first lines of the columns below it:
    the title of their first section leaves the gutter between an abstract and its keywords free, too. The
    widest gap shows where the zone ends.
    """
    bands = upper.bands
    needed_gutters = len(gutters_in(lower.free, min_gutter))
    if not needed_gutters:
        return len(bands)
    below = min(boxes[i].y0 for i in lower.bands[0].members)
    tops = [min(boxes[i].y0 for i in band.members) for band in bands]
    bottoms = [max(boxes[i].y1 for i in band.members) for band in bands]
    start = len(bands)
    widest = max(MIN_ZONE_GAP_TIMES * min_gutter, below - bottoms[-1])
    for index in range(len(bands) - 1, 0, -1):
        common = intersect(lower.free, bands[index].free, min_gutter)
        if len(gutters_in(common, min_gutter)) < needed_gutters:
            break
        gap = tops[index] - bottoms[index - 1]
        if gap > widest:
            start, widest = index, gap
    return start


def _cut_tails(boxes: Boxes, zones: list[Band], min_gutter: float) -> list[Band]:
    """The zones without the titles at their foot that belong to the full-width text below.

    Such a title is narrow and stands at the left, below the end of the sidebar or column to the right.
    """
    cut: list[Band] = []
    for zone in zones[:-1]:
        gutters = gutters_in(zone.free, min_gutter)
        tail = _tail(boxes, zone.members, gutters[0][0]) if gutters else []
        if tail:
            body = [i for i in zone.members if i not in tail]
            cut += [Band(body, zone.free), Band(tail, free_intervals(boxes, tail))]
        else:
            cut.append(zone)
    return cut + zones[-1:]


def _tail(boxes: Boxes, members: Members, gutter: float) -> list[int]:
    """The narrow boxes at the foot of a zone, from the lowest up, below all that is right of the gutter."""
    right_end = max(boxes[i].y1 for i in members if boxes[i].x0 > gutter)
    left = min(boxes[i].x0 for i in members)
    widest = MAX_TAIL_TITLE_SHARE * (gutter - left)
    upwards = sorted(members, key=lambda i: -boxes[i].y0)
    tail: list[int] = []
    for i in upwards:
        box = boxes[i]
        if box.y0 < right_end or box.x1 - left > widest:
            break
        tail.append(i)
    return tail


def _cut_heads(boxes: Boxes, zones: list[Band], em: float) -> list[Band]:
    """The zones without the rows above their columns that belong to no column: names of authors.

    These are short and centred, so that no line begins or ends where its column does.
    """
    cut: list[Band] = []
    for zone in zones:
        cuts = _column_cuts(zone, em)
        rows = rows_of(boxes, zone.members) if cuts else []
        edges = _column_edges(boxes, _sides(boxes, zone.members, cuts))
        most_rows = len(rows) - MIN_LONGEST_COLUMN_LINES
        head = 0
        while head < most_rows and _is_off_edges(boxes, rows[head], edges, em):
            head += 1
        above = [i for row in rows[:head] for i in row]
        below = [i for row in rows[head:] for i in row]
        if head < MIN_HEAD_ROWS or not _are_columns_of_text(boxes, _sides(boxes, below, cuts)):
            cut.append(zone)
        else:
            cut.append(Band(above, free_intervals(boxes, above)))
            cut.append(Band(below, zone.free))
    return cut


def _column_edges(boxes: Boxes, sides: Sequence[Members]) -> list[float]:
    """Where columns begin, most of their lines at least, and where they end."""
    edges: list[float] = []
    for side in sides:
        starts = Counter([round(boxes[i].x0) for i in side])
        usual_start = max(starts, key=lambda x: (starts[x], -x), default=0)
        edges.append(usual_start)
        if side:
            edges.append(max(boxes[i].x1 for i in side))
    return edges


def _is_off_edges(boxes: Boxes, row: Members, edges: Sequence[float], em: float) -> bool:
    """Whether no piece of a row begins or ends where a column does."""
    nearest = MIN_HEAD_EDGE_DISTANCE_EM * em
    for i in row:
        x0, _, x1, _ = boxes[i]
        if any(abs(x0 - edge) <= nearest or abs(x1 - edge) <= nearest for edge in edges):
            return False
    return True


def _merge_plain_zones(boxes: Boxes, zones: list[Band]) -> list[Band]:
    """The zones, those of one or two rows made plain: a line with a wide gap is no pair of columns."""
    merged: list[Band] = []
    for zone in zones:
        if not _is_plain(boxes, zone):
            merged.append(zone)
        elif merged and not merged[-1].free:
            merged[-1] = Band(merged[-1].members + zone.members, [])
        else:
            merged.append(Band(zone.members, []))
    return merged


def _is_plain(boxes: Boxes, zone: Band) -> bool:
    if len(zone.free) <= 2:
        return True  # only the margins are free
    if len(zone.members) > MAX_PLAIN_ZONE_BOXES_COUNT:
        return False
    return len(rows_of(boxes, zone.members)) <= MAX_PLAIN_ZONE_ROWS


# --- Columns of a zone ---


def _column_cuts(zone: Band, em: float) -> list[float]:
    """The middles of a zone's gutters."""
    gutters = gutters_in(zone.free, MIN_GUTTER_EM * em)
    return [(left + right) / 2 for left, right in gutters]


def _sides(boxes: Boxes, members: Members, cuts: Sequence[float]) -> list[list[int]]:
    """The members by the side of the cuts on which they stand, from left to right; cuts are sorted."""
    sides: list[list[int]] = [[] for _ in range(len(cuts) + 1)]
    for i in members:
        x0, _, x1, _ = boxes[i]
        middle = (x0 + x1) / 2
        sides[bisect_left(cuts, middle)].append(i)
    return sides


def _columns(boxes: Boxes, zone: Band, em: float) -> list[Column]:
    """The columns of a zone: one after another, or row by row where they have no running text."""
    cuts = _column_cuts(zone, em)
    if not cuts:
        return [_column(boxes, order_by_rows(boxes, zone.members), 0)]
    sides = _sides(boxes, zone.members, cuts)
    if _are_terms(boxes, sides, em) or _are_end_labels(boxes, sides, em):
        return [_column(boxes, order_by_rows(boxes, zone.members), 0)]
    text_sides = _count_text_sides(boxes, sides)
    columns: list[Column] = []
    for number, side in enumerate(sides[:text_sides], start=1):
        inner = _inner_columns(boxes, side, em)
        if len(inner) > 1:
            columns += [column._replace(number=number) for column in inner]
        else:
            columns.append(_column(boxes, order_by_rows(boxes, side), number))
    if text_sides < len(sides):
        rest = _read_across(boxes, sides[text_sides:], em)
        columns += [column._replace(number=column.number + text_sides) for column in rest]
    return columns


def _are_terms(boxes: Boxes, sides: list[list[int]], em: float) -> bool:
    """Whether two sides are a list of terms, such as abbreviations, each beside its explanation."""
    if len(sides) != 2:
        return False
    terms, texts = sides
    if len(terms) < MIN_TERMS or len(terms) < MIN_TERMS_SHARE * len(texts):
        return False
    widest_term = max(boxes[i].width for i in terms)
    widest_text = max(boxes[i].width for i in texts)
    if widest_term > MAX_TERM_WIDTH_SHARE * widest_text:
        return False
    beside: list[int] = []  # explanations on the line of a term
    for row in rows_of(boxes, [*terms, *texts]):
        explanations = [i for i in row if i in texts]
        if len(row) == 2 and len(explanations) == 1:
            beside += explanations
    if len(beside) < MIN_EXPLAINED_TERMS_SHARE * len(terms):
        return False
    # Running text ends at an edge: an abstract beside its keywords, or text beside names in the margin.
    full_width = MIN_FULL_LINE_SHARE * widest_text
    ends = [boxes[i].x1 for i in beside if boxes[i].width > full_width]
    return 2 * _most_at_one_edge(ends, em) <= len(beside)


def _are_end_labels(boxes: Boxes, sides: list[list[int]], em: float) -> bool:
    """Whether the right one of two sides has labels at the ends of lines: "[Function]", a formula's number.

    to_amount value              [Function]
        Converts value to an amount.
    to_date value                [Function]
    """
    if len(sides) != 2:
        return False
    lines, labels = sides
    right = max(boxes[i].x1 for i in labels)
    left = min(boxes[i].x0 for i in lines)
    widest = MAX_END_LABEL_SHARE * (right - left)
    for i in labels:
        is_small = em <= boxes[i].width <= widest and boxes[i].height < MAX_END_LABEL_HEIGHT_EM * em
        if not is_small or right - boxes[i].x1 > MAX_END_LABEL_SHIFT_EM * em:
            return False
    labelled: list[int] = []  # lines with a label
    gaps: list[float] = []
    full_width = MIN_WRAPPED_LINE_SHARE * max(boxes[i].width for i in lines)
    above: int | None = None  # the line of the row above, if it may go on
    for row in rows_of(boxes, [*lines, *labels]):
        own = [i for i in row if i not in labels]
        if len(row) - len(own) > 1:
            return False
        if above is not None and own == row and _goes_on(boxes[above], boxes[own[0]], em):
            return False  # a label would tear the words of an entry, or the column's edge its lines
        above = max(own, key=lambda i: boxes[i].x1, default=None)
        if above is not None and own == row and boxes[above].width < full_width:
            above = None
        if above is not None and own != row:
            labelled.append(above)
            gaps += [boxes[i].x0 - boxes[above].x1 for i in row if i in labels]
    if len(labelled) < MIN_LABELLED_LINES_SHARE * len(labels):
        return False
    if sorted(gaps)[len(gaps) // 2] < MIN_END_LABEL_GAP_EM * em:
        return False
    # Lines beside notes in the margin end at the edge of their text.
    return 2 * _most_at_one_edge([boxes[i].x1 for i in labelled], em) <= max(2, len(labelled))


def _goes_on(above: Box, below: Box, em: float) -> bool:
    """Whether a line may continue the one above it: close below it, at its left edge."""
    is_close = below.y0 - above.y1 < MAX_BLOCK_LINE_GAP_EM * em
    return is_close and abs(below.x0 - above.x0) < MAX_END_LABEL_SHIFT_EM * em


def _most_at_one_edge(ends: Sequence[float], em: float) -> int:
    """How many lines end at the same edge, at the one where most do."""
    reach = MIN_RAGGED_END_EM * em
    return max((sum(abs(end - edge) < reach for end in ends) for edge in ends), default=0)


def _inner_columns(boxes: Boxes, side: list[int], em: float) -> list[Column]:
    """The columns within one side of a zone; none where the side is all there is."""
    if len(side) == len(boxes):
        return []
    inner = []
    for column in reading_order([boxes[i] for i in side], em):
        members = [side[position] for position in column.members]
        inner.append(column._replace(members=members))
    return inner


def _count_text_sides(boxes: Boxes, sides: list[list[int]]) -> int:
    """How many sides from the left are columns of text: all, some beside the labels of a chart, or none."""
    if _are_columns_of_text(boxes, sides):
        return len(sides)
    for count in range(len(sides) - 1, 1, -1):
        texts = sides[:count]
        shortest = min(len(side) for side in texts)
        if shortest < MIN_LINES_BEFORE_SHORT_COLUMN:
            continue
        widths = [_extent(boxes, side).width for side in texts]
        are_equal = min(widths) >= MIN_EQUAL_COLUMN_SHARE * max(widths)
        if are_equal and _are_columns_of_text(boxes, texts):
            return count
    return 0


def _extent(boxes: Boxes, members: Members) -> Box:
    return bounding_box([boxes[i] for i in members])


def _are_columns_of_text(boxes: Boxes, sides: list[list[int]]) -> bool:
    """Whether the sides of a zone are columns of running text rather than pieces of rows."""
    most = max(len(side) for side in sides)
    if most < MIN_LONGEST_COLUMN_LINES:
        return False
    for side in sides:
        is_sparse = len(side) < max(MIN_COLUMN_LINES, MAX_SIDE_COLUMN_SHARE * most)
        if is_sparse and not _is_short_last_column(boxes, side, sides):
            return False
    return all(_is_filled([boxes[i] for i in side]) for side in sides)


def _is_short_last_column(boxes: Boxes, side: Members, sides: Sequence[Members]) -> bool:
    """Whether a short side is the last column, begun with the others and as wide: no note beside the text."""
    others = [other for other in sides if other is not side]
    longest = max(len(other) for other in others)
    if not side or side is not sides[-1] or longest < MIN_LINES_BEFORE_SHORT_COLUMN:
        return False
    column = _extent(boxes, side)
    other_columns = [_extent(boxes, other) for other in others if other]
    widest = max(other.width for other in other_columns)
    narrower, wider = sorted((column.width, widest))
    if narrower < MIN_EQUAL_COLUMN_SHARE * wider:
        return False
    line_height = max(boxes[i].height for i in side)
    top = min(other.y0 for other in other_columns)
    return abs(column.y0 - top) < MAX_COLUMN_TOP_SHIFT_LINES * line_height


def _is_filled(column: Boxes) -> bool:
    """Whether the median line of a column fills it, or many lines do among the pieces of formulas.

    Short pieces are labels, cells, a list of names.
    """
    widths = sorted(box.width for box in column)
    extent = max(box.x1 for box in column) - min(box.x0 for box in column)
    median = widths[len(widths) // 2]
    if median >= MIN_FILLED_COLUMN_SHARE * extent:
        return True
    full_lines = 0
    for box in column:
        narrowest = max(MIN_FULL_LINE_SHARE * extent, MIN_FULL_LINE_TIMES * box.height)
        full_lines += box.width >= narrowest
    return full_lines >= MIN_FULL_LINES


# --- Sides that are read across ---


def _read_across(boxes: Boxes, sides: list[list[int]], em: float) -> list[Column]:
    """The columns of sides that are read across, each stack of lines in the order of its top.

    A stack has no wide gap, so a side heading of two lines stays whole and comes before the text beside it.
    A side with columns of its own, beside a picture or the labels of a chart, is read as one.
    """
    units: list[list[Column]] = []  # columns that are read without a break
    for number, side in enumerate(sides, start=1):
        inner = _inner_columns(boxes, side, em)
        if _has_columns_of_text(boxes, inner):
            units.append([column._replace(number=number) for column in inner])
        else:
            stacks = _stacks(boxes, side, em)
            units += [[_column(boxes, stack, number)] for stack in stacks]

    def position(unit: list[Column]) -> tuple[int, int]:
        first = unit[0]
        top = min(boxes[i].y0 for column in unit for i in column.members)
        # A title in the margin is larger than the first line beside it, and its top may be lower.
        width = first.x1 - first.x0
        if first.number == 1 and width > MIN_SIDE_TITLE_WIDTH_EM * em:
            top -= MAX_SIDE_TITLE_DROP_EM * em
        # Tops on one baseline differ a little between fonts: compare them on a half-em grid.
        return round(2 * top / em), first.number

    units.sort(key=position)
    return [column for unit in units for column in unit]


def _has_columns_of_text(boxes: Boxes, columns: Sequence[Column]) -> bool:
    """Whether two columns or more have several lines that fill them and are equally wide.

    Formulas with words beside them, and pieces of code, stand in columns, too.
    """
    widths = []
    for column in columns:
        lines = [boxes[i] for i in column.members]
        if column.number and len(lines) >= MIN_INNER_COLUMN_LINES and _is_filled(lines):
            widths.append(bounding_box(lines).width)
    return len(widths) > 1 and min(widths) >= MIN_EQUAL_COLUMN_SHARE * max(widths)


def _stacks(boxes: Boxes, side: Members, em: float) -> list[list[int]]:
    """The lines of a side in stacks without a wide gap."""
    stacks: list[list[int]] = []
    end = -math.inf
    for i in order_by_rows(boxes, side):
        box = boxes[i]
        if box.y0 - end <= MAX_BLOCK_LINE_GAP_EM * em:
            stacks[-1].append(i)
        else:
            stacks.append([i])
        end = box.y1
    return stacks


def _column(boxes: Boxes, members: list[int], number: int) -> Column:
    left = min(boxes[i].x0 for i in members)
    right = max(boxes[i].x1 for i in members)
    return Column(members, left, right, number)
