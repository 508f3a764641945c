"""What is drawn on a page, as straight lines.

Rules come as strokes, thin rectangles, cell frames and shaded cells. All become horizontal and vertical
lines here, those that touch end to end joined, and lines that cross make a component: a grid, or a drawing.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from held.document import Box, PageContent
from held.layout.tolerances import (
    EDGE_RASTER_PT,
    MAX_OFF_PAGE_PT,
    MAX_SHADE_INSET_PT,
    MAX_SHADE_OVERHANG_PT,
    MAX_STROKE_GAP_PT,
    MAX_STROKE_WIDTH_PT,
    MAX_THICK_STROKE_PT,
    MIN_CELL_EDGES_SHARED_COUNT,
    MIN_LONG_RULE_PT,
    MIN_PAGE_GROUND_SHARE,
    MIN_SHADE_INSET_PT,
    MIN_STROKE_LENGTH_PT,
    MIN_STROKE_LENGTH_TIMES,
    MIN_THICK_STROKE_LENGTH_TIMES,
)

MOST_RULES = 3000  # a page with more is a drawing: only its long rules are looked at
MOST_CROSSINGS = 250_000  # a page whose lines could cross more often is a map or a plan


class Segment(NamedTuple):
    """A straight line: where it stands on the one axis, and from where to where it runs on the other."""

    at: float
    start: float
    end: float


class Strokes(NamedTuple):
    """What is drawn on a page: its straight lines, and upright strokes that fit into no tiling of boxes."""

    across: list[Segment]
    down: list[Segment]
    loose: list[Box]


def find_strokes(page: PageContent) -> Strokes:
    """The horizontal and the vertical lines of a page, those that touch end to end joined, and the rest."""
    rules: Sequence[Box] = page.rules
    if len(rules) > MOST_RULES:
        rules = [rule for rule in rules if max(rule.width, rule.height) > MIN_LONG_RULE_PT][:MOST_RULES]
    across: list[Segment] = []
    down: list[Segment] = []
    loose: list[Box] = []
    boxes: list[Box] = []
    for rule in rules:
        x0, y0, x1, y1 = rule
        width, height = x1 - x0, y1 - y0
        if min(x0, y0, page.width - x1, page.height - y1) < -MAX_OFF_PAGE_PT:
            continue
        is_bar = height <= MAX_THICK_STROKE_PT and width > MIN_THICK_STROKE_LENGTH_TIMES * height
        if height <= MAX_STROKE_WIDTH_PT or is_bar:
            if width > MIN_STROKE_LENGTH_TIMES * height and width > MIN_STROKE_LENGTH_PT:
                across.append(Segment((y0 + y1) / 2, x0, x1))
        elif width <= MAX_STROKE_WIDTH_PT:
            loose.append(rule)
            if height > MIN_STROKE_LENGTH_PT:
                down.append(Segment((x0 + x1) / 2, y0, y1))
        elif width * height < MIN_PAGE_GROUND_SHARE * page.width * page.height:
            boxes.append(rule)
    edges = _edges_of(_without_text_shades(boxes), rules)
    return Strokes(_joined(across + edges.across), _joined(down + edges.down), loose + edges.loose)


def _edges_of(boxes: list[Box], rules: Sequence[Box]) -> Strokes:
    """The sides of boxes that may be cells as lines, and the boxes that are perhaps none."""
    edges = Strokes([], [], [])
    for box, shared in zip(boxes, _shared_edges(boxes, rules), strict=True):
        if shared < MIN_CELL_EDGES_SHARED_COUNT:
            edges.loose.append(box)
        if shared > 1:
            edges.across.extend((Segment(box.y0, box.x0, box.x1), Segment(box.y1, box.x0, box.x1)))
            edges.down.extend((Segment(box.x0, box.y0, box.y1), Segment(box.x1, box.y0, box.y1)))
    return edges


def _without_text_shades(boxes: list[Box]) -> list[Box]:
    """The boxes without the shades of a cell's lines, which stand in another box, a padding inward."""
    by_left: dict[int, list[Box]] = {}
    for box in boxes:
        by_left.setdefault(round(box.x0), []).append(box)
    # Boxes stand under each other: those a padding further left are looked up once for all of a column.
    lefts = sorted(by_left)
    outers = {}
    for x in lefts:
        first = bisect_left(lefts, x - MAX_SHADE_INSET_PT)
        last = bisect_left(lefts, x - MIN_SHADE_INSET_PT)
        outers[x] = [outer for left in lefts[first:last] for outer in by_left[left]]
    return [box for box in boxes if not _is_text_shade(box, outers[round(box.x0)])]


def _is_text_shade(box: Box, outers: Sequence[Box]) -> bool:
    """Whether a box lies in one of those that begin a padding further left, and ends a padding inward."""
    for outer in outers:
        inset = MIN_SHADE_INSET_PT < outer.x1 - box.x1 < MAX_SHADE_INSET_PT
        if inset and outer.y0 < box.y0 + MAX_SHADE_OVERHANG_PT and box.y1 < outer.y1 + MAX_SHADE_OVERHANG_PT:
            return True
    return False


def _shared_edges(boxes: list[Box], rules: Sequence[Box]) -> list[int]:
    """How many edges of each box other rules share: of a cell's most, of a watermark's strokes hardly any."""
    if not boxes:
        return []
    xs = _shared_places([x for x0, _, x1, _ in rules for x in (x0, x1)])
    ys = _shared_places([y for _, y0, _, y1 in rules for y in (y0, y1)])
    return [
        (round(x0 / EDGE_RASTER_PT) in xs)
        + (round(x1 / EDGE_RASTER_PT) in xs)
        + (round(y0 / EDGE_RASTER_PT) in ys)
        + (round(y1 / EDGE_RASTER_PT) in ys)
        for x0, y0, x1, y1 in boxes
    ]


def _shared_places(edges: Sequence[float]) -> set[int]:
    """The places of the raster where several edges stand."""
    counts = Counter([round(edge / EDGE_RASTER_PT) for edge in edges])
    # Two edges that are one to the eye may fall into neighbouring places of the raster.
    return {
        place for place, count in counts.items() if count > 1 or place - 1 in counts or place + 1 in counts
    }


def _joined(segments: list[Segment]) -> list[Segment]:
    """The segments with collinear ones that touch made one."""
    segments.sort()
    joined: list[Segment] = []
    first = 0
    for place, segment in enumerate(segments):
        if segment.at - segments[first].at > MAX_STROKE_GAP_PT:
            joined += _joined_collinear(segments[first:place])
            first = place
    return joined + _joined_collinear(segments[first:])


def _joined_collinear(segments: list[Segment]) -> list[Segment]:
    if len(segments) < 2:
        return segments
    segments.sort(key=lambda segment: segment.start)
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


def connected_components(strokes: Strokes) -> list[tuple[list[Segment], list[Segment]]]:
    """The groups of horizontal and vertical lines that hang together; lone lines are in none."""
    across, down, _ = strokes
    if len(across) * len(down) > MOST_CROSSINGS:
        return []
    leaders = group_representatives(len(across) + len(down), _crossings(across, down))
    groups: dict[int, tuple[list[Segment], list[Segment]]] = {}
    for segment, leader in zip(across, leaders[: len(across)], strict=True):
        groups.setdefault(leader, ([], []))[0].append(segment)
    for segment, leader in zip(down, leaders[len(across) :], strict=True):
        groups.setdefault(leader, ([], []))[1].append(segment)
    return [group for group in groups.values() if group[0] and group[1]]


def _crossings(across: list[Segment], down: list[Segment]) -> Iterator[tuple[int, int]]:
    """Which lines meet, by their numbers: first come the lines across, then those down."""
    places = [segment.at for segment in down]  # sorted, as _joined leaves them
    reaches = [(start - MAX_STROKE_GAP_PT, end + MAX_STROKE_GAP_PT) for _, start, end in down]
    for i, (y, x0, x1) in enumerate(across):
        first, last = (
            bisect_left(places, x0 - MAX_STROKE_GAP_PT),
            bisect_right(places, x1 + MAX_STROKE_GAP_PT),
        )
        for j, (top, bottom) in enumerate(reaches[first:last], len(across) + first):
            if top <= y <= bottom:
                yield i, j


def group_representatives(count: int, touching: Iterable[tuple[int, int]]) -> list[int]:
    """For each of so many things, one that stands for its whole group."""
    leader = list(range(count))
    for one, other in touching:
        leader[_leader_of(other, leader)] = _leader_of(one, leader)
    return [_leader_of(thing, leader) for thing in range(count)]


def _leader_of(thing: int, leader: list[int]) -> int:
    while leader[thing] != thing:
        leader[thing] = leader[leader[thing]]  # halves the way for who comes next
        thing = leader[thing]
    return thing
