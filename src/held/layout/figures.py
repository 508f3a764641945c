"""The figures of a page: bitmaps, and charts and diagrams drawn with lines and boxes.

What is drawn close together is one figure. Text decides what a drawing is: short texts among the strokes
belong to a diagram, running text on a panel or in a frame does not. Page backgrounds, icons and rules between
paragraphs are no figures.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from collections.abc import Set as AbstractSet
from functools import cache, partial
from itertools import pairwise
from typing import NamedTuple

from held.document import Box, Boxed, PageContent, bounding_box
from held.layout.charts import (
    MAX_LABEL_CHARS,
    clear_heights,
    find_axis_charts,
    find_captioned_drawings,
    is_running_text,
)
from held.layout.lines import Line
from held.layout.strokes import cluster_strokes
from held.layout.tables.cells import Table, text_length, usual_size
from held.layout.tables.rows import is_numbered_heading
from held.layout.tables.words import is_value
from held.layout.tolerances import (
    DRAWING_TABLE_MARGIN_PT,
    FURNITURE_RULE_MARGIN_PT,
    MAX_CENTRE_OUTSIDE_PT,
    MAX_CHART_TEXT_LINES,
    MAX_FIGURE_PAGE_SHARE,
    MAX_ICON_AREA_PT2,
    MAX_INNER_STROKE_WIDTH_SHARE,
    MAX_LABEL_BEYOND_AXIS_PT,
    MAX_LABEL_OVERHANG_PT,
    MAX_LABEL_ROW_SHIFT_PT,
    MAX_LABEL_SIZE_TIMES,
    MAX_PANEL_EDGE_SHIFT_PT,
    MAX_PANEL_PITCH_EM,
    MAX_PICTURE_SLICE_GAP_PT,
    MAX_PICTURE_TEXT_LINES,
    MAX_SMALL_LABEL_SIZE_TIMES,
    MAX_STROKE_LENGTH_SHARE,
    MAX_STROKE_PAGE_SHARE,
    MAX_STROKE_WIDTH_PT,
    MAX_TICK_GAP_PT,
    MIN_AXIS_TICKS_COUNT,
    MIN_DRAWING_STROKES_COUNT,
    MIN_FIGURE_RULES_COUNT,
    MIN_FIGURE_SIDE_PT,
    MIN_INNER_AREA_SHARE,
    MIN_INNER_STROKE_INSET_PT,
    MIN_INNER_STROKES_COUNT,
    MIN_LINE_IN_BOX_PT,
    MIN_PANEL_LINES,
    MIN_PICTURE_LABELS_COUNT,
    MIN_STROKE_POSITIONS_COUNT,
    MIN_TURNED_HEIGHT_TIMES,
    MIN_UPRIGHT_STROKES_SHARE,
    STROKE_POSITION_PT,
)
from held.numbering.titles import caption_end
from held.system import lazy_pattern

LABEL_TIERS = 4  # rows of labels around a drawing
BACKGROUND_TEXT_CHARS = 200  # on a page: a bitmap that fills the page is then the background of the text
MIN_PANEL_LINE_CHARS = 19  # shorter lines may be labels
MIN_TURNED_CHARS = 4
CAPTION = lazy_pattern(
    r"(?:fig(?:ure|\.)?|table|chart|exhibit|diagram|graph|scheme|plate|source|note)s?\s*:?\s*[\dA-Z(]"
    r"|图\s*[\d一二三四五六七八九十A-Z]|表\s*[\d一二三四五六七八九十A-Z]|图表|资料来源|数据来源|注[:：]",
    re.IGNORECASE,
)

Boxes = Sequence[Box]
Lines = Sequence[Line]
Heights = tuple[float, float]  # the y of a top and a bottom


class Figure(NamedTuple):
    """A figure on one page. `lines` are the indices of the lines inside it: axis labels and the like."""

    box: Box
    lines: tuple[int, ...]


def find_figures(
    page: PageContent,
    lines: Lines,
    *,
    taken: AbstractSet[int] = frozenset(),
    tables: Sequence[Table] = (),
) -> list[Figure]:
    """The figures of a page from top to bottom; lines in `taken` belong to something else."""
    if not page.images and len(page.rules) < MIN_FIGURE_RULES_COUNT:
        return []
    table_boxes = [table.box for table in tables]
    free = [i for i in range(len(lines)) if i not in taken]
    pictures = _find_pictures(page, lines, table_boxes)
    strokes = _strokes_outside(table_boxes, page)
    # Only when needed: few pages have drawings.
    find_obstacles = cache(partial(_obstacles, page, lines, taken, table_boxes))
    drawings = _find_drawings(page, lines, free, strokes, find_obstacles) if strokes else []
    body_size = usual_size(lines)
    rotated = _rotated_texts(page, lines) if drawings else []
    figures = []
    for box in sorted(_merge_boxes(pictures + drawings, 0.0), key=lambda box: box.y0):
        inside: list[int] = []
        if not _is_background(box, page):
            box, inside = _with_labels(box, lines, free, body_size)
            if any(_holds_centre((box,), drawing) for drawing in drawings):
                heights = clear_heights(box, find_obstacles())
                box, inside = _with_surrounding_labels(box, lines, inside, free, body_size, heights)
                labels = [run for run in rotated if _is_rotated_label(run, box, heights)]
                box = bounding_box([box, *labels])
        figures.append(Figure(box, tuple(inside)))
        free = [i for i in free if i not in inside]
    return figures


# --- Bitmaps ---


def _find_pictures(page: PageContent, lines: Lines, table_boxes: Boxes) -> list[Box]:
    """The boxes of the page's bitmaps, slices of one picture together."""
    has_text = sum(len(line.text) for line in lines) > BACKGROUND_TEXT_CHARS
    images = []
    for image in page.images:
        if has_text and _is_background(image, page):
            continue
        x0, y0, x1, y1 = image
        images.append(Box(max(x0, 0.0), max(y0, 0.0), min(x1, page.width), min(y1, page.height)))
    pictures = []
    for box in _merge_boxes(images, MAX_PICTURE_SLICE_GAP_PT):
        if min(box.width, box.height) <= MIN_FIGURE_SIDE_PT or box.width * box.height <= MAX_ICON_AREA_PT2:
            continue
        is_in_table = _holds_centre(table_boxes, box)
        if not is_in_table and _count_text_lines(box, lines) <= MAX_PICTURE_TEXT_LINES:
            pictures.append(box)
    return pictures


def _is_background(box: Box, page: PageContent) -> bool:
    """Whether a box fills so much of the page that text on it is the page's, not the figure's."""
    return box.width * box.height > MAX_FIGURE_PAGE_SHARE * page.width * page.height


def _merge_boxes(boxes: Iterable[Box], gap: float) -> list[Box]:
    """The boxes, those that overlap or stand no further apart than the gap merged."""
    done: list[Box] = []
    active: list[Box] = []  # those that reach down to the current box
    for box in sorted(boxes, key=lambda box: box.y0):
        done += (other for other in active if other.y1 + gap < box.y0)
        active = [other for other in active if other.y1 + gap >= box.y0]
        while True:
            near = [other for other in active if other.x0 - gap <= box.x1 and box.x0 - gap <= other.x1]
            if not near:
                break
            box = bounding_box([box, *near])
            active = [other for other in active if other not in near]
        active.append(box)
    return done + active


# --- Drawings ---


def _strokes_outside(table_boxes: Boxes, page: PageContent) -> list[Box]:
    """The strokes of a page that belong to no table and are no background or rule between texts."""
    largest = MAX_STROKE_PAGE_SHARE * page.width * page.height
    longest = MAX_STROKE_LENGTH_SHARE * page.width
    grown = [_grow(table, DRAWING_TABLE_MARGIN_PT) for table in table_boxes]
    strokes = []
    for rule in page.rules:
        is_small = rule.width * rule.height < largest and rule.width < longest
        if is_small and not _holds_centre(grown, rule):
            strokes.append(rule)
    return strokes


def _obstacles(page: PageContent, lines: Lines, taken: AbstractSet[int], table_boxes: Boxes) -> list[Boxed]:
    """What no drawing extends over: running text, tables, and the lines that are something else."""
    obstacles: list[Boxed] = [line for line in lines if is_running_text(line)]
    obstacles += table_boxes
    for i in taken:
        top = lines[i].y0 - FURNITURE_RULE_MARGIN_PT
        bottom = lines[i].y1 + FURNITURE_RULE_MARGIN_PT
        obstacles.append(Box(0.0, top, page.width, bottom))
    return obstacles


def _find_drawings(
    page: PageContent,
    lines: Lines,
    free: Sequence[int],
    strokes: Boxes,
    find_obstacles: Callable[[], Sequence[Boxed]],
) -> list[Box]:
    """The boxes of charts and diagrams: strokes that are neither table nor frame."""
    charts = find_axis_charts(strokes, lines, free)
    charts += find_captioned_drawings(strokes, lines, free, find_obstacles)
    drawings = [box for box in charts if not _is_text_frame(box, lines)]
    upright = sum(stroke.height > MAX_STROKE_WIDTH_PT for stroke in strokes)
    if len(strokes) < MIN_DRAWING_STROKES_COUNT or upright < MIN_INNER_STROKES_COUNT:
        return drawings
    free_lines = set(free)
    clusters = cluster_strokes(strokes, page)
    large = [cluster for cluster in clusters if len(cluster) >= MIN_DRAWING_STROKES_COUNT]
    drawn = [cluster for cluster in large if _is_drawing(cluster, lines, free_lines)]
    return drawings + [bounding_box(cluster) for cluster in drawn]


def _is_text_frame(box: Box, lines: Lines) -> bool:
    """Whether a frame contains running text, line under line."""
    if _count_text_lines(box, lines) > MAX_CHART_TEXT_LINES:
        return True
    return _is_panel([line for line in lines if line.has_centre_in(box)])


def _is_drawing(cluster: list[Box], lines: Lines, free: AbstractSet[int]) -> bool:
    """Whether strokes make a chart or a diagram rather than underlines, a frame or shades behind text."""
    box = bounding_box(cluster)
    area = box.width * box.height
    if min(box.width, box.height) < MIN_FIGURE_SIDE_PT or area < MAX_ICON_AREA_PT2:
        return False
    upright = sum(stroke.height > MAX_STROKE_WIDTH_PT for stroke in cluster)
    if upright < MIN_UPRIGHT_STROKES_SHARE * len(cluster):
        return False
    lefts = {int(stroke.x0 / STROKE_POSITION_PT) for stroke in cluster}
    tops = {int(stroke.y0 / STROKE_POSITION_PT) for stroke in cluster}
    if min(len(lefts), len(tops)) < MIN_STROKE_POSITIONS_COUNT:
        return False
    inner = [stroke for stroke in cluster if _is_inner(stroke, box)]
    if len(inner) < MIN_INNER_STROKES_COUNT:
        return False
    content = bounding_box(inner)
    if content.width * content.height < MIN_INNER_AREA_SHARE * box.width * box.height:
        return False
    inside = [i for i, line in enumerate(lines) if line.has_centre_in(box)]
    taken = sum(i not in free for i in inside)
    if 2 * taken > len(inside) or _count_text_lines(box, lines) > MAX_PICTURE_TEXT_LINES:
        return False
    return not _is_panel([lines[i] for i in inside])


def _is_inner(stroke: Box, frame: Box) -> bool:
    """Whether a stroke is part of what a frame contains, not of the frame itself."""
    if stroke.width >= MAX_INNER_STROKE_WIDTH_SHARE * frame.width:
        return False
    # Twice the middle is compared: the sum of both edges.
    across = stroke.x0 + stroke.x1
    if min(across - 2 * frame.x0, 2 * frame.x1 - stroke.x0 - stroke.x1) <= 2 * MIN_INNER_STROKE_INSET_PT:
        return False
    down = stroke.y0 + stroke.y1
    return min(down - 2 * frame.y0, 2 * frame.y1 - stroke.y0 - stroke.y1) > 2 * MIN_INNER_STROKE_INSET_PT


def _is_panel(lines: list[Line]) -> bool:
    """Whether lines stand under each other like those of a paragraph, again and again."""
    texts = [line for line in lines if text_length(line.text) >= MIN_PANEL_LINE_CHARS]
    texts.sort(key=lambda line: (line.x0, line.y0))
    stacked = 0
    for above, below in pairwise(texts):
        pitch = below.y0 - above.y0
        is_aligned = abs(above.x0 - below.x0) < MAX_PANEL_EDGE_SHIFT_PT
        stacked += is_aligned and 0 < pitch < MAX_PANEL_PITCH_EM * above.size
    return stacked >= MIN_PANEL_LINES


def _count_text_lines(box: Box, lines: Lines) -> int:
    """The number of lines of running text that the box contains or cuts."""
    left, top, right, bottom = _grow(box, -MIN_LINE_IN_BOX_PT)
    count = 0
    for line in lines:
        if line.y1 > top and line.y0 < bottom and line.x1 > left and line.x0 < right:
            count += text_length(line.text) > MAX_LABEL_CHARS
    return count


# --- Labels ---


def _with_labels(box: Box, lines: Lines, free: Sequence[int], body_size: float) -> tuple[Box, list[int]]:
    """The box with the numbers along its axes, and the lines that belong to it."""
    near = _grow(box, MAX_TICK_GAP_PT)
    ticks = []
    for i in free:
        line = lines[i]
        if line.has_centre_in(near) and is_value(line.text) and line.size <= body_size:
            ticks.append(line)
    if len(ticks) >= MIN_AXIS_TICKS_COUNT:
        box = bounding_box([box, *ticks])
    within = [i for i in free if lines[i].has_centre_in(box)]
    largest = MAX_LABEL_SIZE_TIMES * body_size
    if len(within) < MIN_PICTURE_LABELS_COUNT and any(lines[i].size > largest for i in within):
        return box, []  # the title of a chapter on its picture
    inside = []
    for i in within:
        line = lines[i]
        fits = line.x0 > box.x0 - MAX_LABEL_OVERHANG_PT and line.x1 < box.x1 + MAX_LABEL_OVERHANG_PT
        if fits and line.size <= largest and not _is_caption(line.text):
            inside.append(i)
    return box, inside


def _with_surrounding_labels(
    box: Box, lines: Lines, inside: list[int], free: Sequence[int], body_size: float, heights: Heights
) -> tuple[Box, list[int]]:
    """A drawing with the labels right at its edges: names along an axis, the axis' title, a legend.

    A label stands side by side with others, or is set as those inside are; it stays within the heights
    between running text, captions and tables.
    """
    top, bottom = heights
    outside = []
    for i in free:
        line = lines[i]
        is_within = top <= line.y0 and line.y1 <= bottom
        if i not in inside and is_within and line.size <= body_size and _may_be_label(line.text):
            outside.append(i)
    for _ in range(LABEL_TIERS):
        styles = {lines[i].style for i in inside}
        near = [i for i in outside if _is_at_edge(lines[i], box)]
        labels = []
        for i in near:
            same_style = lines[i].style in styles and lines[i].size < MAX_SMALL_LABEL_SIZE_TIMES * body_size
            if same_style or _has_neighbour(i, near, lines):
                labels.append(i)
        if not labels:
            break
        inside = [*inside, *labels]
        outside = [i for i in outside if i not in labels]
        box = bounding_box([box, *(lines[i] for i in labels)])
    return box, inside


def _is_caption(text: str) -> bool:
    return CAPTION.match(text) is not None or caption_end(text) > 0


def _may_be_label(text: str) -> bool:
    """Whether a text outside a drawing can belong to it: no running text, caption or numbered heading."""
    return text_length(text) <= MAX_LABEL_CHARS and not _is_caption(text) and not is_numbered_heading(text)


def _is_at_edge(line: Line, box: Box) -> bool:
    """Whether a line stands within the width or the height of a box, and close to it."""
    across = max(box.x0 - line.x1, line.x0 - box.x1)
    down = max(box.y0 - line.y1, line.y0 - box.y1)
    if down > 0:
        leftmost, rightmost = box.x0 - MAX_LABEL_BEYOND_AXIS_PT, box.x1 + MAX_LABEL_BEYOND_AXIS_PT
        return down < MAX_TICK_GAP_PT and leftmost < line.x0 and line.x1 < rightmost
    return across < MAX_TICK_GAP_PT


def _has_neighbour(i: int, near: Sequence[int], lines: Lines) -> bool:
    """Whether another text stands at the same height."""
    top = lines[i].y0
    return any(abs(lines[k].y0 - top) < MAX_LABEL_ROW_SHIFT_PT and k != i for k in near)


def _rotated_texts(page: PageContent, lines: Lines) -> list[Box]:
    """The boxes of texts that run upwards or aslant: they are in no line, and higher than a word is."""
    upright = {run for line in lines for run in line.runs}
    rotated = []
    for run in page.runs:
        x0, y0, x1, y1, _, text, _ = run
        is_high = y1 - y0 > MIN_TURNED_HEIGHT_TIMES * (x1 - x0)
        if len(text) >= MIN_TURNED_CHARS and is_high and run not in upright:
            rotated.append(Box(x0, y0, x1, y1))
    return rotated


def _is_rotated_label(run: Box, box: Box, heights: Heights) -> bool:
    """Whether a rotated text stands at the edge of a drawing; its middle counts, since it may lean out."""
    top, bottom = heights
    near = _grow(box, MAX_LABEL_BEYOND_AXIS_PT)
    middle = (run.x0 + run.x1) / 2
    if not near.x0 < middle < near.x1 or run.y1 > bottom:
        return False
    return max(top, near.y0) <= run.y0 < near.y1


# --- Boxes ---


def _grow(box: Box, by: float) -> Box:
    return Box(box.x0 - by, box.y0 - by, box.x1 + by, box.y1 + by)


def _holds_centre(outers: Boxes, box: Box) -> bool:
    """Whether the centre of a box lies in one of the outer boxes, or hardly outside."""
    x0, y0, x1, y1 = box
    x, y = (x0 + x1) / 2, (y0 + y1) / 2
    for left, top, right, bottom in outers:
        within_width = left - MAX_CENTRE_OUTSIDE_PT <= x <= right + MAX_CENTRE_OUTSIDE_PT
        if within_width and top - MAX_CENTRE_OUTSIDE_PT <= y <= bottom + MAX_CENTRE_OUTSIDE_PT:
            return True
    return False
