"""The figures of a page: bitmaps, and charts and diagrams drawn with lines and boxes.

What is drawn close together is one figure. Text decides what a drawing is: short texts among the strokes
belong to a diagram, running text on a panel or in a frame does not. Grounds that fill the page, icons and
rules between paragraphs are no figures.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet
from itertools import pairwise
from typing import NamedTuple

from held.document import Box, Boxed, PageContent, around
from held.pdf.figures.charts import LONG_TEXT, SMALLEST, axis_charts, captioned_drawings, is_text, room
from held.pdf.lines.lines import Line
from held.pdf.lines.strokes import THIN
from held.pdf.tables.alignment import is_value
from held.pdf.tables.cells import Table, text_length, usual_size
from held.pdf.tables.lookalikes import is_numbered

PITCH = 8.0  # points: the raster on which neighbouring strokes meet
FEWEST_STROKES = 6
LARGEST_ICON = 2500.0  # square points
GROUND = 0.55  # share of the page: a larger bitmap under text is its ground
LARGE = 1.3  # times the body size: no label
OVERHANG = 5.0  # points by which a label may stick out of its figure
TICK_GAP = 16.0  # points between an axis and the numbers along it
SLACK = 20.0  # points by which a label along an axis may reach beyond its end
SMALL = 0.95  # times the body size: no running text
MOST_TIERS = 4  # of labels around a drawing
CAPTION = re.compile(
    r"(?:fig(?:ure|\.)?|table|chart|exhibit|diagram|graph|scheme|plate|source|note)s?\s*:?\s*[\dA-Z(]"
    r"|图\s*[\d一二三四五六七八九十A-Z]|表\s*[\d一二三四五六七八九十A-Z]|图表|资料来源|数据来源|注[:：]",
    re.IGNORECASE,
)


class Figure(NamedTuple):
    """A figure on one page. `lines` are the indices of the lines inside it: axis labels and the like."""

    box: Box
    lines: tuple[int, ...]


def find_figures(
    page: PageContent,
    lines: Sequence[Line],
    *,
    taken: AbstractSet[int] = frozenset(),
    tables: Sequence[Table] = (),
) -> list[Figure]:
    """The figures of a page from top to bottom; lines in `taken` are known to be something else."""
    if not page.images and len(page.rules) < 3:
        return []
    blocked = [table.box for table in tables]
    free = [i for i in range(len(lines)) if i not in taken]
    boxes = _pictures(page, lines, blocked)
    margins = [Box(0.0, lines[i].y0 - 6, page.width, lines[i].y1 + 6) for i in taken]  # with their rules
    walls: list[Boxed] = [*filter(is_text, lines), *blocked, *margins]
    drawn = _drawings(page, lines, free, blocked, walls)
    body = usual_size(lines)
    turned = _turned(page, lines) if drawn else []
    figures = []
    for box in sorted(_merged(boxes + drawn, 0.0), key=lambda box: box.y0):
        inside: list[int] = []
        if not _is_ground(box, page):
            box, inside = _with_labels(box, lines, free, body)
            if any(_holds(box, drawing) for drawing in drawn):
                heights = room(box, walls)
                box, inside = _with_surroundings(box, lines, inside, free, body, heights)
                box = around([box, *(run for run in turned if _is_turned_label(run, box, heights))])
        figures.append(Figure(box, tuple(inside)))
        free = [i for i in free if i not in inside]
    return figures


def _pictures(page: PageContent, lines: Sequence[Line], blocked: Sequence[Box]) -> list[Box]:
    """The boxes of the page's bitmaps, slices of one picture together."""
    grounded = sum(len(line.text) for line in lines) > 200
    images = [
        Box(max(x0, 0.0), max(y0, 0.0), min(x1, page.width), min(y1, page.height))
        for x0, y0, x1, y1 in page.images
        if not (grounded and _is_ground(Box(x0, y0, x1, y1), page))
    ]
    return [
        box
        for box in _merged(images, 3.0)
        if box.width > SMALLEST
        and box.height > SMALLEST
        and box.width * box.height > LARGEST_ICON
        and not any(_holds(outer, box) for outer in blocked)
        and _long_texts(box, lines) < 2
    ]


def _is_ground(box: Box, page: PageContent) -> bool:
    """Whether a box fills so much of the page that text on it is the page's, not the figure's."""
    return box.width * box.height > GROUND * page.width * page.height


def _drawings(
    page: PageContent,
    lines: Sequence[Line],
    free: Sequence[int],
    blocked: Sequence[Box],
    walls: Sequence[Boxed],
) -> list[Box]:
    """The boxes of charts and diagrams: strokes that are neither table nor frame."""
    half = 0.5 * page.width * page.height
    blocked = [Box(x0 - 5, y0 - 5, x1 + 5, y1 + 5) for x0, y0, x1, y1 in blocked]  # with the rules around
    strokes = [
        rule
        for rule in page.rules
        if rule.width * rule.height < half and rule.width < 0.95 * page.width and not _in_any(rule, blocked)
    ]
    told = axis_charts(strokes, lines, free) + captioned_drawings(strokes, lines, free, walls)
    found = [box for box in told if _long_texts(box, lines) < 3 and not _is_listing(box, lines)]
    if len(strokes) >= FEWEST_STROKES and sum(stroke.height > THIN for stroke in strokes) > 2:
        found += [
            around(cluster)
            for cluster in _clusters(strokes, page)
            if len(cluster) >= FEWEST_STROKES and _is_drawing(cluster, lines, set(free))
        ]
    return found


def _is_listing(box: Box, lines: Sequence[Line]) -> bool:
    """Whether a frame holds text, line under line."""
    return _is_panel([line for line in lines if _centre_in(line, box)])


def _clusters(strokes: Sequence[Box], page: PageContent) -> list[list[Box]]:
    """The strokes in groups that touch or nearly touch, by way of a raster: linear in their number."""
    import numpy as np

    pitch = max(PITCH, page.width / 120, page.height / 120)
    across, down = int(page.width / pitch) + 1, int(page.height / pitch) + 1
    corners = (np.array(strokes) / pitch).astype(np.intp)
    x0, x1 = corners[:, 0].clip(0, across - 1), corners[:, 2].clip(0, across - 1)
    y0, y1 = corners[:, 1].clip(0, down - 1), corners[:, 3].clip(0, down - 1)
    changes = np.zeros((down + 1, across + 1), np.intp)
    for ys, xs, change in ((y0, x0, 1), (y1 + 1, x1 + 1, 1), (y0, x1 + 1, -1), (y1 + 1, x0, -1)):
        np.add.at(changes, (ys, xs), change)
    covered = changes.cumsum(0).cumsum(1) > 0  # the last row and column stay empty
    starts = covered & ~np.roll(covered, 1, axis=1)
    runs = starts.ravel().cumsum().reshape(starts.shape) * covered  # numbered from 1 along the rows
    touching = covered[:-1] & covered[1:]
    parent = list(range(int(runs.max()) + 1))

    def root(i: int) -> int:
        while parent[i] != i:
            parent[i] = parent[parent[i]]
            i = parent[i]
        return i

    for upper, lower in set(zip(runs[:-1][touching].tolist(), runs[1:][touching].tolist(), strict=True)):
        parent[root(lower)] = root(upper)
    groups: dict[int, list[Box]] = {}
    for stroke, run in zip(strokes, runs[y0, x0].tolist(), strict=True):
        groups.setdefault(root(run), []).append(stroke)
    return list(groups.values())


def _is_drawing(cluster: list[Box], lines: Sequence[Line], free: AbstractSet[int]) -> bool:
    """Whether strokes make a chart or a diagram rather than underlines, a frame or shades behind text."""
    box = around(cluster)
    if box.width < SMALLEST or box.height < SMALLEST or box.width * box.height < LARGEST_ICON:
        return False
    if sum(stroke.height > THIN for stroke in cluster) < 0.3 * len(cluster):
        return False
    if len({int(s.x0 / 4) for s in cluster}) < 4 or len({int(s.y0 / 4) for s in cluster}) < 4:
        return False
    inner = [
        s
        for s in cluster
        if s.width < 0.9 * box.width  # the shades of a listing's lines go through
        and min(s.x0 + s.x1 - 2 * box.x0, 2 * box.x1 - s.x0 - s.x1) > 8
        and min(s.y0 + s.y1 - 2 * box.y0, 2 * box.y1 - s.y0 - s.y1) > 8
    ]
    if len(inner) < 3:
        return False
    content = around(inner)
    if content.width * content.height < 0.25 * box.width * box.height:
        return False  # a framed note with an icon
    inside = [i for i, line in enumerate(lines) if _centre_in(line, box)]
    if 2 * sum(i not in free for i in inside) > len(inside) or _long_texts(box, lines) > 1:
        return False
    return not _is_panel([lines[i] for i in inside])


def _is_panel(lines: list[Line]) -> bool:
    """Whether lines stand under each other like those of a paragraph, again and again."""
    lines = sorted(
        (line for line in lines if text_length(line.text) > 18), key=lambda line: (line.x0, line.y0)
    )
    stacked = sum(abs(a.x0 - b.x0) < 1.5 and 0 < b.y0 - a.y0 < 1.8 * a.size for a, b in pairwise(lines))
    return stacked > 5


def _long_texts(box: Box, lines: Sequence[Line]) -> int:
    """How many lines of running text the box holds or cuts."""
    return sum(
        line.y1 > box.y0 + 2
        and line.y0 < box.y1 - 2
        and line.x1 > box.x0 + 2
        and line.x0 < box.x1 - 2
        and text_length(line.text) > LONG_TEXT
        for line in lines
    )


def _with_labels(box: Box, lines: Sequence[Line], free: Sequence[int], body: float) -> tuple[Box, list[int]]:
    """The box with the numbers along its axes, and the lines that belong to it."""
    near = Box(box.x0 - TICK_GAP, box.y0 - TICK_GAP, box.x1 + TICK_GAP, box.y1 + TICK_GAP)
    ticks = [
        i for i in free if _centre_in(lines[i], near) and is_value(lines[i].text) and lines[i].size <= body
    ]
    box = around([box, *(lines[i].box for i in ticks)]) if len(ticks) > 2 else box
    within = [i for i in free if _centre_in(lines[i], box)]
    if len(within) < 5 and any(lines[i].size > LARGE * body for i in within):
        return box, []  # the title of a chapter on its picture
    inside = [
        i
        for i in within
        if lines[i].x0 > box.x0 - OVERHANG
        and lines[i].x1 < box.x1 + OVERHANG
        and lines[i].size <= LARGE * body
        and not CAPTION.match(lines[i].text)
    ]
    return box, inside


def _with_surroundings(
    box: Box,
    lines: Sequence[Line],
    inside: list[int],
    free: Sequence[int],
    body: float,
    heights: tuple[float, float],
) -> tuple[Box, list[int]]:
    """A drawing with the labels right at its edges: names along an axis, the axis' title, a legend.

    A label stands side by side with others, or is set as those inside are; it stays within the heights
    between running text, captions and tables.
    """
    top, bottom = heights
    outside = [
        i
        for i in free
        if i not in inside
        and top <= lines[i].y0
        and lines[i].y1 <= bottom
        and lines[i].size <= body
        and text_length(lines[i].text) <= LONG_TEXT
        and not CAPTION.match(lines[i].text)
        and not is_numbered(lines[i].text)
    ]
    for _ in range(MOST_TIERS):
        styles = {lines[i].style for i in inside}
        near = [i for i in outside if _is_at_edge(lines[i], box)]
        labels = [
            i
            for i in near
            if (lines[i].style in styles and lines[i].size < SMALL * body) or _has_company(i, near, lines)
        ]
        if not labels:
            break
        inside = [*inside, *labels]
        outside = [i for i in outside if i not in labels]
        box = around([box, *(lines[i].box for i in labels)])
    return box, inside


def _is_at_edge(line: Line, box: Box) -> bool:
    """Whether a line stands within the breadth or the height of a box, and close to it."""
    across = max(box.x0 - line.x1, line.x0 - box.x1)
    down = max(box.y0 - line.y1, line.y0 - box.y1)
    if down > 0:
        return down < TICK_GAP and box.x0 - SLACK < line.x0 and line.x1 < box.x1 + SLACK
    return across < TICK_GAP


def _has_company(i: int, near: Sequence[int], lines: Sequence[Line]) -> bool:
    """Whether another text stands at the same height."""
    return any(abs(lines[k].y0 - lines[i].y0) < 2 and k != i for k in near)


def _turned(page: PageContent, lines: Sequence[Line]) -> list[Box]:
    """The boxes of the texts that run upwards or aslant: they are in no line, and higher than a word is."""
    upright = {run for line in lines for run in line.runs}
    return [
        Box(*run[:4])
        for run in page.runs
        if len(run.text) > 3 and run.y1 - run.y0 > 0.6 * (run.x1 - run.x0) and run not in upright
    ]


def _is_turned_label(run: Box, box: Box, heights: tuple[float, float]) -> bool:
    """Whether a turned text stands at the edge of a drawing: the middle of it, since it may lean out."""
    middle = (run.x0 + run.x1) / 2
    return (
        box.x0 - SLACK < middle < box.x1 + SLACK
        and max(heights[0], box.y0 - SLACK) <= run.y0 < box.y1 + SLACK
        and run.y1 <= heights[1]
    )


def _merged(boxes: Iterable[Box], gap: float) -> list[Box]:
    """The boxes, those that overlap or stand no further apart than the gap made one."""
    done: list[Box] = []
    active: list[Box] = []  # those that reach down to the box at hand
    for box in sorted(boxes, key=lambda box: box.y0):
        done += (other for other in active if other.y1 + gap < box.y0)
        active = [other for other in active if other.y1 + gap >= box.y0]
        while True:
            near = [other for other in active if other.x0 - gap <= box.x1 and box.x0 - gap <= other.x1]
            if not near:
                break
            box = around([box, *near])
            active = [other for other in active if other not in near]
        active.append(box)
    return done + active


def _centre_in(line: Line, box: Box) -> bool:
    return box.x0 < (line.x0 + line.x1) / 2 < box.x1 and box.y0 < (line.y0 + line.y1) / 2 < box.y1


def _holds(outer: Box, box: Box) -> bool:
    x, y = (box.x0 + box.x1) / 2, (box.y0 + box.y1) / 2
    return outer.x0 - 2 <= x <= outer.x1 + 2 and outer.y0 - 2 <= y <= outer.y1 + 2


def _in_any(box: Box, outers: Sequence[Box]) -> bool:
    return any(_holds(outer, box) for outer in outers)
