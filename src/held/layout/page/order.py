"""Boxes on a page to reading order: zones from top to bottom, columns from left to right in each.

A zone is a stretch of the page whose gutters run through from its top to its bottom, so a full-width block
between columns ends one zone and begins another. Side notes and rows of separate pieces have gutters too
but are no columns of text: they are read where they stand.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from held.document import Box, bounding_box
from held.layout.tolerances import (
    MAX_COLUMN_TOP_SHIFT_LINES,
    MAX_PLAIN_ZONE_BOXES_COUNT,
    MAX_PLAIN_ZONE_ROWS,
    MAX_SIDE_COLUMN_SHARE,
    MAX_SIDE_TITLE_DROP_EM,
    MAX_STACK_GAP_EM,
    MAX_TAIL_TITLE_SHARE,
    MIN_COLUMN_LINES,
    MIN_EQUAL_COLUMN_SHARE,
    MIN_FILLED_COLUMN_SHARE,
    MIN_FULL_LINE_SHARE,
    MIN_FULL_LINE_TIMES,
    MIN_FULL_LINES,
    MIN_GUTTER_EM,
    MIN_HEAD_EDGE_DISTANCE_EM,
    MIN_HEAD_ROWS,
    MIN_LINES_BEFORE_SHORT_COLUMN,
    MIN_LONGEST_COLUMN_LINES,
    MIN_OVERLAPPED_HEIGHT_TIMES,
    MIN_PICTURE_HEIGHT_EM,
    MIN_ROW_OVERLAP_SHARE,
    MIN_SIDE_TITLE_WIDTH_EM,
    MIN_ZONE_GAP_TIMES,
)

Interval = tuple[float, float]


class Column(NamedTuple):
    """Boxes that are read from top to bottom; `number` counts from 1 in a zone, 0 is the full width."""

    members: list[int]
    x0: float
    x1: float
    number: int


class _Band(NamedTuple):
    """Boxes that overlap vertically, directly or through others, and the free intervals beside them."""

    members: list[int]
    free: list[Interval]


def reading_order(boxes: Sequence[Box], em: float) -> list[Column]:
    """The columns of a page in reading order; `em` is the size of its running text."""
    if not boxes:
        return []
    groups = _bands(boxes)
    if all(len(group) == 1 for group in groups):
        return [_column(boxes, [group[0] for group in groups], 0)]
    bands = [_Band(group, _free(boxes, group)) for group in groups]
    least = MIN_GUTTER_EM * em
    zones = _tails_cut(boxes, _zones(boxes, bands, least), least)
    zones = _heads_cut(boxes, zones, em)
    return [column for zone in _plain_joined(boxes, zones) for column in _columns(boxes, zone, em)]


def _bands(boxes: Sequence[Box]) -> list[list[int]]:
    """The boxes swept from top to bottom into vertically disjoint bands.

    Boxes are taken at two thirds of their height, since those of tightly set lines overlap.
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


def _free(boxes: Sequence[Box], members: list[int]) -> list[Interval]:
    """The x intervals that no member covers, from -inf to inf."""
    free: list[Interval] = []
    edge = -math.inf
    for x0, x1 in sorted((boxes[i].x0, boxes[i].x1) for i in members):
        if x0 > edge:
            free.append((edge, x0))
        edge = max(edge, x1)
    free.append((edge, math.inf))
    return free


def _intersection(a: list[Interval], b: list[Interval], least: float) -> list[Interval]:
    """The common intervals of two lists that are at least `least` wide."""
    common = []
    i = j = 0
    while i < len(a) and j < len(b):
        low, high = max(a[i][0], b[j][0]), min(a[i][1], b[j][1])
        if high - low >= least:
            common.append((low, high))
        if a[i][1] < b[j][1]:
            i += 1
        else:
            j += 1
    return common


def _gutters(free: list[Interval], least: float) -> int:
    return sum(1 for low, high in free[1:-1] if high - low >= least)


def _zones(boxes: Sequence[Box], bands: list[_Band], least: float) -> list[_Band]:
    """Bands joined as long as their common gutters last.

    A band in which nothing stands side by side may not cost the other its gutters; of two bands with
    gutters, one may lose those that are only its own (the pieces of a formula in a column).
    """
    zones: list[list[_Band]] = []
    free: list[list[Interval]] = []
    for band in bands:
        common = _common_free(free[-1], band.free, least) if zones else None
        if common is None:
            zones.append([band])
            free.append(band.free)
        else:
            zones[-1].append(band)
            free[-1] = common
    for upper, lower in pairwise(range(len(zones))):
        below = min(boxes[i].y0 for i in zones[lower][0].members)
        start = _first_of_below(boxes, zones[upper], free[lower], below, least)
        if start < len(zones[upper]):
            moved = zones[upper][start:]
            del zones[upper][start:]
            zones[lower][:0] = moved
            free[lower] = _free_of_all(zones[lower], least)
            free[upper] = _free_of_all(zones[upper], least)
    return [
        _Band([i for band in zone for i in band.members], own) for zone, own in zip(zones, free, strict=True)
    ]


def _common_free(a: list[Interval], b: list[Interval], least: float) -> list[Interval] | None:
    """What two bands leave free together, None if they are no bands of one zone."""
    free = _intersection(a, b, least)
    fewer, more = sorted((_gutters(a, least), _gutters(b, least)))
    needed = fewer or more
    return free if _gutters(free, least) >= needed else None


def _free_of_all(bands: Sequence[_Band], least: float) -> list[Interval]:
    free = bands[0].free
    for band in bands[1:]:
        free = _intersection(free, band.free, least)
    return free


def _first_of_below(
    boxes: Sequence[Box], bands: Sequence[_Band], free: list[Interval], below: float, least: float
) -> int:
    """The first of a zone's last bands that belongs to the zone below: behind the widest gap above it.

    `free` is what the zone below leaves free, and `below` its top.

    A zone goes on as far as its gutters allow, and so may take the first lines of the columns below it: the
    title of their first section leaves the gutter of an abstract beside its keywords free, too.
    """
    gutters = _gutters(free, least)
    if not gutters:
        return len(bands)
    tops = [min(boxes[i].y0 for i in band.members) for band in bands]
    bottoms = [max(boxes[i].y1 for i in band.members) for band in bands]
    best, widest = len(bands), max(MIN_ZONE_GAP_TIMES * least, below - bottoms[-1])
    for place in range(len(bands) - 1, 0, -1):
        common = _intersection(free, bands[place].free, least)
        if _gutters(common, least) < gutters:
            break
        gap = tops[place] - bottoms[place - 1]
        if gap > widest:
            best, widest = place, gap
    return best


def _heads_cut(boxes: Sequence[Box], zones: list[_Band], em: float) -> list[_Band]:
    """The zones without the rows above their columns that belong to no column: names of authors.

    These are short and centred, so that no line begins or ends where its column does.
    """
    cut: list[_Band] = []
    for zone in zones:
        cuts = [(low + high) / 2 for low, high in zone.free[1:-1] if high - low >= MIN_GUTTER_EM * em]
        rows = _rows(boxes, zone.members) if cuts else []
        sides = _sides(boxes, zone.members, cuts)
        edges = [_usual_left(boxes, side) for side in sides]
        edges += [max(boxes[i].x1 for i in side) for side in sides if side]
        head = 0
        while head < len(rows) - MIN_LONGEST_COLUMN_LINES and _is_off_edges(boxes, rows[head], edges, em):
            head += 1
        above = [i for row in rows[:head] for i in row]
        below = [i for row in rows[head:] for i in row]
        if head < MIN_HEAD_ROWS or not _are_columns_of_text(boxes, _sides(boxes, below, cuts)):
            cut.append(zone)
            continue
        cut += [_Band(above, _free(boxes, above)), _Band(below, zone.free)]
    return cut


def _usual_left(boxes: Sequence[Box], side: Sequence[int]) -> float:
    """Where most lines of a column begin."""
    counts = Counter(round(boxes[i].x0) for i in side)
    return max(counts, key=lambda x: (counts[x], -x), default=0)


def _is_off_edges(boxes: Sequence[Box], row: Sequence[int], edges: Sequence[float], em: float) -> bool:
    """Whether no piece of a row begins or ends where a column does."""
    ends = [end for i in row for end in (boxes[i].x0, boxes[i].x1)]
    return all(abs(end - edge) > MIN_HEAD_EDGE_DISTANCE_EM * em for end in ends for edge in edges)


def _tails_cut(boxes: Sequence[Box], zones: list[_Band], least: float) -> list[_Band]:
    """The zones without the titles at their foot that belong to the full-width text below.

    Such a title is narrow and stands at the left, below the end of the sidebar or column to the right.
    """
    cut: list[_Band] = []
    for place, zone in enumerate(zones):
        cut.append(zone)
        if place + 1 == len(zones) or not _gutters(zone.free, least):
            continue
        gutter = next(low for low, high in zone.free[1:-1] if high - low >= least)
        right_end = max(boxes[i].y1 for i in zone.members if boxes[i].x0 > gutter)
        left = min(boxes[i].x0 for i in zone.members)
        tail: list[int] = []
        widest = MAX_TAIL_TITLE_SHARE * (gutter - left)
        for i in sorted(zone.members, key=lambda i: -boxes[i].y0):
            if boxes[i].y0 < right_end or boxes[i].x1 - left > widest:
                break
            tail.append(i)
        if tail:
            body = [i for i in zone.members if i not in tail]
            cut[-1:] = [_Band(body, zone.free), _Band(tail, _free(boxes, tail))]
    return cut


def _plain_joined(boxes: Sequence[Box], zones: list[_Band]) -> list[_Band]:
    """The zones with those of one or two rows made plain: a line with a wide gap is no pair of columns."""
    joined: list[_Band] = []
    for zone in zones:
        # The free intervals left and right of everything are no gutters.
        plain = len(zone.free) <= 2 or _rows_within(boxes, zone.members, MAX_PLAIN_ZONE_ROWS)
        if plain:
            zone = _Band(zone.members, [])
            if joined and not joined[-1].free:
                joined[-1] = _Band(joined[-1].members + zone.members, [])
                continue
        joined.append(zone)
    return joined


def _rows_within(boxes: Sequence[Box], members: list[int], most: int) -> bool:
    if len(members) > MAX_PLAIN_ZONE_BOXES_COUNT:
        return False
    rows = _rows(boxes, members)
    return len(rows) <= most


def _columns(boxes: Sequence[Box], zone: _Band, em: float) -> list[Column]:
    """The columns of a zone: as they stand side by side, or row by row where they hold no running text."""
    least = MIN_GUTTER_EM * em
    cuts = [(low + high) / 2 for low, high in zone.free[1:-1] if high - low >= least]
    if not cuts:
        return [_column(boxes, by_rows(boxes, zone.members), 0)]
    sides = _sides(boxes, zone.members, cuts)
    texts = _leading_texts(boxes, sides)
    columns: list[Column] = []
    for number, side in enumerate(sides[:texts], start=1):
        inner = _within(boxes, side, em)
        if len(inner) > 1:
            columns += [column._replace(number=number) for column in inner]
        else:
            columns.append(_column(boxes, by_rows(boxes, side), number))
    if texts < len(sides):
        beside = _side_by_side(boxes, sides[texts:], em)
        columns += [column._replace(number=column.number + texts) for column in beside]
    return columns


def _within(boxes: Sequence[Box], side: list[int], em: float) -> list[Column]:
    """The columns within one side of a zone; none where the side is all there is."""
    if len(side) == len(boxes):
        return []
    inner = reading_order([boxes[i] for i in side], em)
    return [column._replace(members=[side[i] for i in column.members]) for column in inner]


def _leading_texts(boxes: Sequence[Box], sides: list[list[int]]) -> int:
    """How many sides from the left are columns of text: all, some beside the labels of a chart, or none."""
    if _are_columns_of_text(boxes, sides):
        return len(sides)
    for count in range(len(sides) - 1, 1, -1):
        texts = sides[:count]
        long = min(map(len, texts)) >= MIN_LINES_BEFORE_SHORT_COLUMN
        if long and _are_equally_wide(boxes, texts) and _are_columns_of_text(boxes, texts):
            return count
    return 0


def _are_equally_wide(boxes: Sequence[Box], sides: Sequence[Sequence[int]]) -> bool:
    widths = [bounding_box([boxes[i] for i in side]).width for side in sides]
    return min(widths) >= MIN_EQUAL_COLUMN_SHARE * max(widths)


def _sides(boxes: Sequence[Box], members: Sequence[int], cuts: Sequence[float]) -> list[list[int]]:
    """The members by the column that they stand in, from left to right."""
    sides: list[list[int]] = [[] for _ in range(len(cuts) + 1)]
    for i in members:
        middle = (boxes[i].x0 + boxes[i].x1) / 2
        sides[sum(1 for cut in cuts if middle > cut)].append(i)
    return sides


def _are_columns_of_text(boxes: Sequence[Box], sides: list[list[int]]) -> bool:
    """Whether the sides of a zone are columns of running text rather than pieces of rows."""
    most = max(len(side) for side in sides)
    if most < MIN_LONGEST_COLUMN_LINES:
        return False
    for side in sides:
        is_sparse = len(side) < max(MIN_COLUMN_LINES, MAX_SIDE_COLUMN_SHARE * most)
        if is_sparse and not _ended_early(boxes, side, sides):
            return False
    return all(_is_filled([boxes[i] for i in side]) for side in sides)


def _ended_early(boxes: Sequence[Box], side: Sequence[int], sides: Sequence[Sequence[int]]) -> bool:
    """Whether a short side is the last column, begun with the others and as wide: no note beside the text."""
    others = [other for other in sides if other is not side]
    if not side or side is not sides[-1] or max(map(len, others)) < MIN_LINES_BEFORE_SHORT_COLUMN:
        return False
    column = bounding_box([boxes[i] for i in side])
    columns = [bounding_box([boxes[i] for i in other]) for other in others if other]
    widest = max(other.width for other in columns)
    if min(column.width, widest) < MIN_EQUAL_COLUMN_SHARE * max(column.width, widest):
        return False
    line = max(boxes[i].y1 - boxes[i].y0 for i in side)
    top = min(other.y0 for other in columns)
    return abs(column.y0 - top) < MAX_COLUMN_TOP_SHIFT_LINES * line


def _is_filled(column: Sequence[Box]) -> bool:
    """Whether the median line of a column fills it, or many lines do among the pieces of formulas.

    Short pieces are labels, cells, a list of names.
    """
    widths = sorted(box.x1 - box.x0 for box in column)
    extent = max(box.x1 for box in column) - min(box.x0 for box in column)
    if widths[len(widths) // 2] >= MIN_FILLED_COLUMN_SHARE * extent:
        return True
    full = [
        box
        for box in column
        if box.width >= max(MIN_FULL_LINE_SHARE * extent, MIN_FULL_LINE_TIMES * box.height)
    ]
    return len(full) >= MIN_FULL_LINES


def _side_by_side(boxes: Sequence[Box], sides: list[list[int]], em: float) -> list[Column]:
    """Columns of a zone that is read across: each block of a side where its top stands.

    A block is a stack of lines without a wide gap, so a side heading of two lines stays whole and comes
    before the text beside it. A side that has columns of its own, beside a picture, is read as one block.
    """
    blocks: list[list[Column]] = []
    is_beside_picture = any(_is_picture(boxes, side, em) for side in sides)
    for number, side in enumerate(sides, start=1):
        inner = _within(boxes, side, em) if is_beside_picture else []
        if _has_columns_of_text(boxes, inner):
            blocks.append([column._replace(number=number) for column in inner])
        else:
            blocks += [[_column(boxes, stack, number)] for stack in _stacks(boxes, side, em)]

    def place(block: list[Column]) -> tuple[int, int]:
        top = min(boxes[i].y0 for column in block for i in column.members)
        # A title in the margin is larger than the first line beside it, and its top may be lower.
        lead = MAX_SIDE_TITLE_DROP_EM * em if block[0].number == 1 and _is_wide(block, em) else 0.0
        # Tops on one baseline differ a little between fonts: compare them on a half-em grid.
        return round(2 * (top - lead) / em), block[0].number

    return [column for block in sorted(blocks, key=place) for column in block]


def _is_wide(block: Sequence[Column], em: float) -> bool:
    """Whether a block has words rather than a sign: the width of a word at least."""
    return block[0].x1 - block[0].x0 > MIN_SIDE_TITLE_WIDTH_EM * em


def _is_picture(boxes: Sequence[Box], side: list[int], em: float) -> bool:
    """Whether one tall box is all that stands on a side: the lines beside it may well be in columns."""
    return len(side) == 1 and boxes[side[0]].height > MIN_PICTURE_HEIGHT_EM * em


def _has_columns_of_text(boxes: Sequence[Box], columns: Sequence[Column]) -> bool:
    """Whether two of the columns or more hold several lines that fill them."""
    beside = [column for column in columns if column.number and len(column.members) >= MIN_COLUMN_LINES]
    filled = [column for column in beside if _is_filled([boxes[i] for i in column.members])]
    return len(filled) > 1


def _stacks(boxes: Sequence[Box], side: list[int], em: float) -> list[list[int]]:
    """The lines of a side in stacks without a wide gap."""
    stacks: list[list[int]] = []
    for i in by_rows(boxes, side):
        if stacks and boxes[i].y0 - boxes[stacks[-1][-1]].y1 <= MAX_STACK_GAP_EM * em:
            stacks[-1].append(i)
        else:
            stacks.append([i])
    return stacks


def by_rows(boxes: Sequence[Box], members: list[int]) -> list[int]:
    """The members from top to bottom, those of one row from left to right."""
    return [i for row in _rows(boxes, members) for i in sorted(row, key=lambda i: boxes[i].x0)]


def _rows(boxes: Sequence[Box], members: list[int]) -> list[list[int]]:
    """The members in rows that share a baseline, from top to bottom."""
    order = sorted(members, key=lambda i: boxes[i].y0 + boxes[i].y1)
    rows: list[list[int]] = []
    for i in order:
        if rows:
            last = boxes[rows[-1][0]]
            box = boxes[i]
            overlap = min(last.y1, box.y1) - max(last.y0, box.y0)
            lower = min(last.y1 - last.y0, box.y1 - box.y0)
            if overlap > MIN_ROW_OVERLAP_SHARE * lower:
                rows[-1].append(i)
                continue
        rows.append([i])
    return rows


def _column(boxes: Sequence[Box], members: list[int], number: int) -> Column:
    x0 = min(boxes[i].x0 for i in members)
    x1 = max(boxes[i].x1 for i in members)
    return Column(members, x0, x1, number)
