"""Straight lines drawn on a page, and the groups in which they cross.

Rules come as strokes, thin rectangles, cell borders and shaded cells. All of them become horizontal and
vertical lines here; those that touch end to end are joined. Lines that cross form a component: a grid, or a
drawing.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from itertools import accumulate, pairwise
from operator import attrgetter
from typing import NamedTuple

from held.document import Box, PageContent, bounding_box
from held.layout.tolerances import (
    EDGE_RASTER_PT,
    MAX_BAND_BREAK_PT,
    MAX_BAND_GAP_BANDS,
    MAX_BAND_HEIGHT_PT,
    MAX_OFF_PAGE_PT,
    MAX_ROW_BREAK_PT,
    MAX_SHADE_INSET_PT,
    MAX_SHADE_OVERHANG_PT,
    MAX_STROKE_GAP_PT,
    MAX_STROKE_WIDTH_PT,
    MAX_THICK_STROKE_PT,
    MIN_BAND_GAP_BANDS,
    MIN_BAND_HEIGHT_PT,
    MIN_BAND_WIDTH_PT,
    MIN_BROKEN_LINES_COUNT,
    MIN_CELL_EDGES_SHARED_COUNT,
    MIN_FRAME_RULE_PT,
    MIN_LONG_RULE_PT,
    MIN_PAGE_GROUND_SHARE,
    MIN_SHADE_INSET_PT,
    MIN_THICK_STROKE_LENGTH_TIMES,
    SAME_BAND_EDGE_PT,
    SAME_RULE_END_PT,
    STROKE_RASTER_PT,
)

# A page with more rules or crossings is a drawing, a map or a plan; these bound the work on it.
MAX_RULES = 3000
MAX_CROSSINGS = 250_000
MAX_RASTER_CELLS = 120  # across and down the page


class Segment(NamedTuple):
    """A straight line: its position `at` on one axis, and its ends on the other."""

    at: float
    start: float
    end: float


_new_segment = partial(tuple.__new__, Segment)  # from a tuple, in half the time of calling the class


class Strokes(NamedTuple):
    """What is drawn on a page: its straight lines, and strokes and boxes that are perhaps no cell borders."""

    across: list[Segment]
    down: list[Segment]
    loose: list[Box]


def find_strokes(page: PageContent) -> Strokes:
    """The horizontal and vertical lines of a page, joined where they touch end to end, and the rest."""
    rules: Sequence[Box] = page.rules
    if len(rules) > MAX_RULES:
        rules = [rule for rule in rules if max(rule.width, rule.height) > MIN_LONG_RULE_PT]
        rules = rules[:MAX_RULES]
    page_area = page.width * page.height
    across: list[Segment] = []
    down: list[Segment] = []
    loose: list[Box] = []
    boxes: list[Box] = []
    for rule in rules:  # all longer than thick: the reader drops dots and ticks
        x0, y0, x1, y1 = rule
        width, height = x1 - x0, y1 - y0
        if min(x0, y0, page.width - x1, page.height - y1) < -MAX_OFF_PAGE_PT:
            continue
        is_thick = height <= MAX_THICK_STROKE_PT and width > MIN_THICK_STROKE_LENGTH_TIMES * height
        if height <= MAX_STROKE_WIDTH_PT or is_thick:
            across.append(_new_segment(((y0 + y1) / 2, x0, x1)))
        elif width <= MAX_STROKE_WIDTH_PT:
            loose.append(rule)
            down.append(_new_segment(((x0 + x1) / 2, y0, y1)))
        elif width * height < MIN_PAGE_GROUND_SHARE * page_area:
            boxes.append(rule)
    bands, boxes = _separate_bands(_drop_text_shades(boxes))
    for band in bands:
        across += [Segment(band.y0, band.x0, band.x1), Segment(band.y1, band.x0, band.x1)]
    edges = _box_edges(boxes, rules)
    down = _bridge_row_breaks(_join(down))  # the sides of boxes stay: they may be those of a diagram
    return Strokes(_join(across + edges.across), _join(down + edges.down), loose + edges.loose)


def group_long_rules(rules: Iterable[Segment]) -> list[list[Segment]]:
    """The rules long enough to frame a table, in groups that begin and end at the same positions."""
    groups: dict[tuple[int, int], list[Segment]] = {}
    for rule in rules:
        if rule.end - rule.start > MIN_FRAME_RULE_PT:
            ends = (round(rule.start / SAME_RULE_END_PT), round(rule.end / SAME_RULE_END_PT))
            groups.setdefault(ends, []).append(rule)
    return list(groups.values())


# Bands: the shades behind every second row of a table, or behind single rows. They separate rows, but the
# boxes that they are drawn with aren't cells: a shade may leave out columns, or join a label and its values.


def _separate_bands(boxes: list[Box]) -> tuple[list[Box], list[Box]]:
    """The bands of shade that alternate with white, and the boxes that belong to none."""
    by_height: dict[tuple[int, int], list[Box]] = {}
    for box in boxes:
        heights = (round(box.y0 / EDGE_RASTER_PT), round(box.y1 / EDGE_RASTER_PT))
        by_height.setdefault(heights, []).append(box)
    groups = [group for members in by_height.values() for group in _touching_boxes(members)]
    bounds = [bounding_box(group) for group in groups]
    bands = sorted(bounds, key=attrgetter("y0"))
    tops = [band.y0 for band in bands]
    tallest = max((band.height for band in bands), default=0.0)
    alternating = {band for band in bands if _may_be_band(band) and _alternates(band, bands, tops, tallest)}
    rest: list[Box] = []
    for group, band in zip(groups, bounds, strict=True):
        if band not in alternating:
            rest += group
    return [band for band in bands if band in alternating], rest


def _may_be_band(box: Box) -> bool:
    return MIN_BAND_HEIGHT_PT < box.height < MAX_BAND_HEIGHT_PT and box.width >= MIN_BAND_WIDTH_PT


def _touching_boxes(boxes: list[Box]) -> list[list[Box]]:
    """The boxes at one height in groups that stand close to each other."""
    boxes.sort()
    groups = [[boxes[0]]]
    end = boxes[0].x1
    for box in boxes[1:]:
        if box.x0 - end > MAX_BAND_BREAK_PT:
            groups.append([])
        groups[-1].append(box)
        end = max(end, box.x1)
    return groups


def _alternates(band: Box, bands: Sequence[Box], tops: Sequence[float], tallest: float) -> bool:
    """Whether another band of the same width and height stands above or below, white rows between them.

    The bands are sorted by their tops; only those near enough are compared.
    """
    reach = MAX_STROKE_GAP_PT + MAX_BAND_GAP_BANDS * band.height
    first = bisect_left(tops, band.y0 - reach - tallest)
    last = bisect_right(tops, band.y1 + reach)
    touched = aligned = False
    for other in bands[first:last]:
        if other is band or other.x1 < band.x0 or other.x0 > band.x1:
            continue
        gap = max(other.y0 - band.y1, band.y0 - other.y1)
        if -MAX_STROKE_GAP_PT < gap < MAX_STROKE_GAP_PT:
            touched = True
        is_like = abs(other.x0 - band.x0) < SAME_BAND_EDGE_PT and abs(other.x1 - band.x1) < SAME_BAND_EDGE_PT
        if is_like and MIN_BAND_GAP_BANDS * band.height < gap < MAX_BAND_GAP_BANDS * band.height:
            aligned = True
    return aligned and not touched


def _box_edges(boxes: list[Box], rules: Sequence[Box]) -> Strokes:
    """The sides of boxes that may be cells as lines, and the boxes that are perhaps none."""
    edges = Strokes([], [], [])
    for box, shared in zip(boxes, _count_shared_edges(boxes, rules), strict=True):
        if shared < MIN_CELL_EDGES_SHARED_COUNT:
            edges.loose.append(box)
        if shared > 1:
            x0, y0, x1, y1 = box
            edges.across.append(_new_segment((y0, x0, x1)))
            edges.across.append(_new_segment((y1, x0, x1)))
            edges.down.append(_new_segment((x0, y0, y1)))
            edges.down.append(_new_segment((x1, y0, y1)))
    return edges


def _drop_text_shades(boxes: list[Box]) -> list[Box]:
    """The boxes without those that only shade the text of a cell: they lie in the cell's box, inset."""
    by_left: dict[int, list[Box]] = {}
    for box in boxes:
        by_left.setdefault(round(box.x0), []).append(box)
    # Cells of a column begin at one x: the boxes that may be around them are looked up once per column.
    lefts = sorted(by_left)
    outer_boxes = {}
    for x in lefts:
        first = bisect_left(lefts, x - MAX_SHADE_INSET_PT)
        last = bisect_left(lefts, x - MIN_SHADE_INSET_PT)
        outer_boxes[x] = [outer for left in lefts[first:last] for outer in by_left[left]]
    return [box for box in boxes if not _is_text_shade(box, outer_boxes[round(box.x0)])]


def _is_text_shade(box: Box, outer_boxes: Sequence[Box]) -> bool:
    for outer in outer_boxes:
        is_inset = MIN_SHADE_INSET_PT < outer.x1 - box.x1 < MAX_SHADE_INSET_PT
        is_below_top = outer.y0 < box.y0 + MAX_SHADE_OVERHANG_PT
        if is_inset and is_below_top and box.y1 < outer.y1 + MAX_SHADE_OVERHANG_PT:
            return True
    return False


def _count_shared_edges(boxes: list[Box], rules: Sequence[Box]) -> list[int]:
    """How many edges each box shares with other rules: a cell most, the strokes of a watermark hardly any."""
    if not boxes:
        return []
    xs = _shared_positions([x for x0, _, x1, _ in rules for x in (x0, x1)])
    ys = _shared_positions([y for _, y0, _, y1 in rules for y in (y0, y1)])
    counts = []
    for x0, y0, x1, y1 in boxes:
        in_x = (round(x0 / EDGE_RASTER_PT) in xs) + (round(x1 / EDGE_RASTER_PT) in xs)
        in_y = (round(y0 / EDGE_RASTER_PT) in ys) + (round(y1 / EDGE_RASTER_PT) in ys)
        counts.append(in_x + in_y)
    return counts


def _shared_positions(edges: Sequence[float]) -> set[int]:
    """The raster positions at which several edges lie."""
    counts = Counter([round(edge / EDGE_RASTER_PT) for edge in edges])
    shared = set()
    for position, count in counts.items():
        # Two edges that look like one may fall on neighbouring positions of the raster.
        if count > 1 or position - 1 in counts or position + 1 in counts:
            shared.add(position)
    return shared


def _join(segments: list[Segment]) -> list[Segment]:
    """The segments sorted by position, collinear ones that touch joined."""
    segments.sort()
    joined: list[Segment] = []
    first = 0
    for index, segment in enumerate(segments):
        if segment.at - segments[first].at > MAX_STROKE_GAP_PT:
            joined += _join_collinear(segments[first:index])
            first = index
    return joined + _join_collinear(segments[first:])


def _join_collinear(segments: list[Segment]) -> list[Segment]:
    if len(segments) < 2:
        return segments
    segments.sort(key=attrgetter("start"))
    joined = []
    at, start, end = segments[0]
    for segment in segments[1:]:
        if segment.start <= end + MAX_STROKE_GAP_PT:
            end = max(end, segment.end)
        else:
            joined.append(Segment(at, start, end))
            at, start, end = segment
    joined.append(Segment(at, start, end))
    return joined


def _bridge_row_breaks(down: list[Segment]) -> list[Segment]:
    """The vertical lines of a page, whole where all those of a table break off between two of its rows.

    Some writers leave a margin between the lines of one row and those of the next:

        │ Name │ Use  │ Since │
        └──────┴──────┴───────┘   No text fits into the break, and
        │ crop │ cuts │  1.2  │   every line that ends above it goes on.
    """
    breaks: list[tuple[float, float, int]] = []  # the heights of both ends, and the upper line
    for index, (upper, lower) in enumerate(pairwise(down)):
        is_collinear = abs(lower.at - upper.at) < EDGE_RASTER_PT
        if is_collinear and 0 < lower.start - upper.end < MAX_ROW_BREAK_PT:
            breaks.append((upper.end, lower.start, index))
    if len(breaks) < MIN_BROKEN_LINES_COUNT:
        return down
    ends = sorted(segment.end for segment in down)
    bridged: set[int] = set()
    for group in _group_breaks(breaks):
        top = group[0][0]
        all_ends = bisect_right(ends, top + EDGE_RASTER_PT) - bisect_left(ends, top - EDGE_RASTER_PT)
        if MIN_BROKEN_LINES_COUNT <= len(group) == all_ends:
            bridged.update(index for _, _, index in group)
    whole: list[Segment] = []
    for index, segment in enumerate(down):
        if index - 1 in bridged:
            whole[-1] = whole[-1]._replace(end=segment.end)
        else:
            whole.append(segment)
    return whole


def _group_breaks(breaks: list[tuple[float, float, int]]) -> list[list[tuple[float, float, int]]]:
    """The breaks in groups at the same two heights."""
    groups: list[list[tuple[float, float, int]]] = []
    for one in sorted(breaks):
        if not groups or max(one[0] - groups[-1][0][0], abs(one[1] - groups[-1][0][1])) > EDGE_RASTER_PT:
            groups.append([])
        groups[-1].append(one)
    return groups


Component = tuple[list[Segment], list[Segment]]  # horizontal and vertical lines that cross each other


def component_box(component: Component) -> Box:
    """The box around a component."""
    across, down = component
    left = min(min(line.start for line in across), down[0].at)
    right = max(max(line.end for line in across), down[-1].at)
    top = min(min(line.start for line in down), across[0].at)
    bottom = max(max(line.end for line in down), across[-1].at)
    return Box(left, top, right, bottom)


def row_edges(component: Component) -> list[float]:
    """The distinct heights of a component's horizontal lines."""
    edges: list[float] = []
    for line in component[0]:
        if not edges or line.at - edges[-1] > MAX_STROKE_GAP_PT:
            edges.append(line.at)
    return edges


def connected_components(strokes: Strokes) -> list[Component]:
    """The groups of horizontal and vertical lines that cross each other; single lines are in none."""
    across, down, _ = strokes
    if len(across) * len(down) > MAX_CROSSINGS:
        return []
    representatives = group_representatives(len(across) + len(down), _crossings(across, down))
    groups: dict[int, tuple[list[Segment], list[Segment]]] = {}
    for segment, group in zip(across, representatives[: len(across)], strict=True):
        groups.setdefault(group, ([], []))[0].append(segment)
    for segment, group in zip(down, representatives[len(across) :], strict=True):
        groups.setdefault(group, ([], []))[1].append(segment)
    return [group for group in groups.values() if group[0] and group[1]]


def _crossings(across: list[Segment], down: list[Segment]) -> Iterator[tuple[int, int]]:
    """The pairs of lines that meet, by index: horizontal lines are counted first, then vertical ones."""
    xs = [segment.at for segment in down]  # sorted, as `_join` leaves them
    reaches = [(start - MAX_STROKE_GAP_PT, end + MAX_STROKE_GAP_PT) for _, start, end in down]
    for i, (y, x0, x1) in enumerate(across):
        first = bisect_left(xs, x0 - MAX_STROKE_GAP_PT)
        last = bisect_right(xs, x1 + MAX_STROKE_GAP_PT)
        for j, (top, bottom) in enumerate(reaches[first:last], len(across) + first):
            if top <= y <= bottom:
                yield i, j


def group_representatives(count: int, pairs: Iterable[tuple[int, int]]) -> list[int]:
    """For each of `count` things one that represents its group; pairs are in one group (union-find)."""
    parent = list(range(count))
    for one, other in pairs:
        parent[_root(other, parent)] = _root(one, parent)
    return [_root(thing, parent) for thing in range(count)]


def _root(thing: int, parent: list[int]) -> int:
    while parent[thing] != thing:
        parent[thing] = parent[parent[thing]]  # path halving
        thing = parent[thing]
    return thing


# Clusters: strokes that touch or nearly touch, as those of a drawing do.


def cluster_strokes(strokes: Sequence[Box], page: PageContent) -> list[list[Box]]:
    """The strokes in groups that touch or nearly touch, found on a raster: linear in their number."""
    pitch = max(STROKE_RASTER_PT, page.width / MAX_RASTER_CELLS, page.height / MAX_RASTER_CELLS)
    last_column, last_row = int(page.width / pitch), int(page.height / pitch)
    # A row of the raster is an integer with one bit for each cell that a stroke covers.
    raster = [0] * (last_row + 1)
    starts = []
    for x0, y0, x1, y1 in strokes:
        left, top = _to_cell(x0 / pitch, last_column), _to_cell(y0 / pitch, last_row)
        right = max(left, _to_cell(x1 / pitch, last_column))
        bottom = max(top, _to_cell(y1 / pitch, last_row))
        cells = (2 << right) - (1 << left)
        for row in range(top, bottom + 1):
            raster[row] |= cells
        starts.append((top, 1 << left))
    # Covered cells side by side are one piece; pieces that meet from row to row are one group.
    pieces_by_row = [_adjacent_bits(bits) for bits in raster]
    firsts = [0, *accumulate(map(len, pieces_by_row))]  # the number of each row's first piece
    touching = {
        (firsts[row] + i, firsts[row + 1] + k)
        for row, (above, below) in enumerate(pairwise(pieces_by_row))
        for i, upper in enumerate(above)
        for k, lower in enumerate(below)
        if upper & lower
    }
    representatives = group_representatives(firsts[-1], touching)
    groups: dict[int, list[Box]] = {}
    for stroke, (row, cell) in zip(strokes, starts, strict=True):
        own = next(i for i, piece in enumerate(pieces_by_row[row]) if piece & cell)
        groups.setdefault(representatives[firsts[row] + own], []).append(stroke)
    return list(groups.values())


def _to_cell(position: float, last: int) -> int:
    """The raster cell at a position, or the nearest one on the page."""
    return min(max(int(position), 0), last)


def _adjacent_bits(bits: int) -> list[int]:
    """The stretches of ones in a number, from the right: 0b1101 has 0b1 and 0b1100."""
    pieces = []
    while bits:
        lowest = bits & -bits
        piece = bits & ~(bits + lowest)  # adding carries through the ones, up to the next zero
        pieces.append(piece)
        bits ^= piece
    return pieces
