"""Charts and diagrams of few strokes, found by what stands next to them.

Curves leave no rules, so a chart may consist of grid lines or two axes only. Numbers in equal steps along the
strokes show an axis; a figure's caption shows that the drawing next to it is the figure.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise

from held.document import Box, Boxed, bounding_box
from held.layout.lines import Line
from held.layout.tables.cells import text_length
from held.layout.tables.words import is_value
from held.layout.tolerances import (
    MAX_AXIS_GAP_PT,
    MAX_AXIS_OVERLAP_PT,
    MAX_DRAWING_CAPTION_GAP_PT,
    MAX_DRAWING_PARTS_GAP_PT,
    MAX_FRAME_AREA_TIMES,
    MAX_OBSTACLE_OVERLAP_PT,
    MAX_PLOT_BEYOND_AXIS_SHARE,
    MAX_STROKE_OVERLAP_PT,
    MAX_STROKE_WIDTH_PT,
    MAX_TICK_DISTANCE_DIFFERENCE_PT,
    MAX_TICK_DISTANCE_DIFFERENCE_SHARE,
    MAX_TICK_EDGE_SHIFT_PT,
    MAX_TICK_STEP_DIFFERENCE_SHARE,
    MIN_AXIS_STROKE_SHARE,
    MIN_AXIS_TICKS_COUNT,
    MIN_CAPTIONED_STROKES_COUNT,
    MIN_FIGURE_SIDE_PT,
    MIN_GRID_LINE_WIDTH_PT,
    MIN_GRID_LINES_COUNT,
)
from held.numbering.titles import is_figure_caption
from held.system import lazy_pattern

MAX_LABEL_CHARS = 45  # longer lines are running text
MAX_NUMBER_CHARS = 11  # of a number along an axis
LEFT_EDGE, RIGHT_EDGE = 0, 2  # their indices in a box
FIGURE_CAPTION = lazy_pattern(
    r"(?:fig(?:ure|\.)?|chart|exhibit|diagram|graph|scheme)\s*[A-Z]?\d|图表?\s*[\d一二三四五六七八九十]",
    re.IGNORECASE,
)

Boxes = Sequence[Box]
Lines = Sequence[Line]
Tick = tuple[Line, float]  # a number along an axis, and its value


# --- Charts with an axis ---


def _is_figure_caption(text: str) -> bool:
    return FIGURE_CAPTION.match(text) is not None or is_figure_caption(text)


def find_axis_charts(strokes: Boxes, lines: Lines, free: Sequence[int]) -> list[Box]:
    """The boxes of the charts that numbers along their strokes show; `free` are indices of lines."""
    ticks = []
    for i in free:
        text = lines[i].text
        value = _value(text) if len(text) <= MAX_NUMBER_CHARS and is_value(text) else None
        if value is not None:
            ticks.append((lines[i], value))
    charts = []
    for axis in _find_axes(ticks):
        plot = _plot(axis, strokes)
        if plot and not _are_underlines(plot, lines):
            charts.append(_with_frame(bounding_box([axis, *plot]), strokes))
    return [chart for chart in charts if min(chart.width, chart.height) > MIN_FIGURE_SIDE_PT]


def _value(text: str) -> float | None:
    try:
        return float(text.replace(",", "").strip("$€£¥￥%％ ").replace("−", "-"))
    except ValueError:
        return None


def _find_axes(ticks: list[Tick]) -> Iterator[Box]:
    """The boxes of numbers that stand under each other at equal distances and go up in equal steps."""
    for edge in (LEFT_EDGE, RIGHT_EDGE):
        ticks.sort(key=lambda tick: (round(tick[0].box[edge] / MAX_TICK_EDGE_SHIFT_PT), tick[0].y0))
        axis = ticks[:1]
        for tick in ticks[1:]:
            if not _are_neighbours([*axis[-2:], tick], edge):
                if len(axis) >= MIN_AXIS_TICKS_COUNT:
                    yield bounding_box([line for line, _ in axis])
                axis = axis[-1:] if _are_neighbours([axis[-1], tick], edge) else []
            axis.append(tick)
        if len(axis) >= MIN_AXIS_TICKS_COUNT:
            yield bounding_box([line for line, _ in axis])


def _are_neighbours(ticks: list[Tick], edge: int) -> bool:
    """Whether two or three numbers are neighbours on an axis."""
    steps = []
    distances = []
    for (upper, upper_value), (lower, lower_value) in pairwise(ticks):
        shift = abs(upper.box[edge] - lower.box[edge])
        if shift > MAX_TICK_EDGE_SHIFT_PT or lower.y0 <= upper.y1:
            return False
        steps.append(lower_value - upper_value)
        distances.append(lower.y0 - upper.y0)
    if steps[0] == 0:
        return False
    step_difference = max(steps) - min(steps)
    if step_difference >= MAX_TICK_STEP_DIFFERENCE_SHARE * abs(steps[0]):
        return False
    relative = MAX_TICK_DISTANCE_DIFFERENCE_SHARE * distances[0]
    return max(distances) - min(distances) < max(MAX_TICK_DISTANCE_DIFFERENCE_PT, relative)


def _plot(axis: Box, strokes: Boxes) -> list[Box]:
    """The strokes that begin or end at the axis, if they are grid lines or as high as it."""
    margin = MAX_PLOT_BEYOND_AXIS_SHARE * axis.height
    top, bottom = axis.y0 - margin, axis.y1 + margin
    at_axis = []
    for stroke in strokes:
        is_right = -MAX_AXIS_OVERLAP_PT < stroke.x0 - axis.x1 < MAX_AXIS_GAP_PT
        is_left = -MAX_AXIS_OVERLAP_PT < axis.x0 - stroke.x1 < MAX_AXIS_GAP_PT
        if (is_right or is_left) and top < stroke.y0 and stroke.y1 < bottom:
            at_axis.append(stroke)
    wide = [stroke for stroke in at_axis if stroke.width > MIN_GRID_LINE_WIDTH_PT]
    grid_lines = sum(stroke.height <= MAX_STROKE_WIDTH_PT for stroke in wide)
    if grid_lines >= MIN_GRID_LINES_COUNT:
        return at_axis
    has_axis = any(stroke.height > MIN_AXIS_STROKE_SHARE * axis.height for stroke in at_axis)
    return at_axis if has_axis and wide else []


def _are_underlines(plot: Boxes, lines: Lines) -> bool:
    """Whether most strokes underline a text: numbered notes with links look like the grid of a chart."""
    thin = [stroke for stroke in plot if stroke.height <= MAX_STROKE_WIDTH_PT]
    if 2 * len(thin) <= len(plot):
        return False
    # A page has hundreds of lines and a grid tens of strokes: compare only what is at one height.
    by_foot = sorted(lines, key=lambda line: line.y1)
    feet = [line.y1 for line in by_foot]
    underlines = 0
    for stroke in thin:
        first = bisect_left(feet, stroke.y1 - MAX_TICK_EDGE_SHIFT_PT)
        last = bisect_right(feet, stroke.y1 + MAX_TICK_EDGE_SHIFT_PT)
        underlines += any(_runs_along(stroke, line) for line in by_foot[first:last])
    return 2 * underlines > len(plot)


def _runs_along(stroke: Box, line: Line) -> bool:
    """Whether a stroke at a line's foot begins where the line's text does, and ends with it."""
    same_start = abs(stroke.x0 - line.x0) <= MAX_TICK_EDGE_SHIFT_PT
    return same_start and stroke.x1 <= line.x1 + MAX_TICK_EDGE_SHIFT_PT


def _with_frame(chart: Box, strokes: Boxes) -> Box:
    """The box of a chart with the frame that is drawn around it, if one is."""
    largest = MAX_FRAME_AREA_TIMES * chart.width * chart.height
    frames = []
    for stroke in strokes:
        spans_width = stroke.x0 <= chart.x0 and stroke.x1 >= chart.x1
        spans_height = stroke.y0 <= chart.y0 and stroke.y1 >= chart.y1
        if spans_width and spans_height and stroke.width * stroke.height < largest:
            frames.append(stroke)
    return bounding_box([chart, *frames])


# --- Drawings with a caption ---


def find_captioned_drawings(
    strokes: Boxes, lines: Lines, free: Sequence[int], find_obstacles: Callable[[], Sequence[Boxed]]
) -> list[Box]:
    """The boxes of what is drawn right above a figure's caption, or else right below it.

    `find_obstacles` returns what no drawing extends over.
    """
    if len(strokes) < MIN_CAPTIONED_STROKES_COUNT:
        return []
    drawings = []
    for i in free:
        if _is_figure_caption(lines[i].text):
            caption = lines[i].box
            box = _drawing_at(caption, strokes, find_obstacles(), is_above=True)
            box = box or _drawing_at(caption, strokes, find_obstacles(), is_above=False)
            if box:
                drawings.append(box)
    return drawings


def _drawing_at(caption: Box, strokes: Boxes, obstacles: Sequence[Boxed], *, is_above: bool) -> Box | None:
    """The box of the strokes between a caption and the running text on one side of it, if they are many."""
    top, bottom = clear_heights(caption, obstacles)
    top, bottom = (top, caption.y0) if is_above else (caption.y1, bottom)
    top -= MAX_STROKE_OVERLAP_PT
    bottom += MAX_STROKE_OVERLAP_PT
    within = [s for s in strokes if top < s.y0 and s.y1 < bottom]
    parts = [s for s in within if s.x0 < caption.x1 and s.x1 > caption.x0]
    if not parts:
        return None
    box = bounding_box(parts)
    # The parts of a drawing may stand side by side under one caption: grow to the right, then to the left.
    for stroke in sorted(within, key=lambda s: s.x0):
        if 0 <= stroke.x0 - box.x1 < MAX_DRAWING_PARTS_GAP_PT and _overlap_in_height(stroke, box):
            box, parts = bounding_box([box, stroke]), [*parts, stroke]
    for stroke in sorted(within, key=lambda s: -s.x1):
        if 0 <= box.x0 - stroke.x1 < MAX_DRAWING_PARTS_GAP_PT and _overlap_in_height(stroke, box):
            box, parts = bounding_box([box, stroke]), [*parts, stroke]
    gap = caption.y0 - box.y1 if is_above else box.y0 - caption.y1
    if gap > MAX_DRAWING_CAPTION_GAP_PT or len(parts) < MIN_CAPTIONED_STROKES_COUNT:
        return None
    if all(stroke.height <= MAX_STROKE_WIDTH_PT for stroke in parts):
        return None  # rules between texts
    return box if min(box.width, box.height) >= MIN_FIGURE_SIDE_PT else None


def _overlap_in_height(a: Box, b: Box) -> bool:
    return a.y0 < b.y1 and a.y1 > b.y0


def clear_heights(box: Box, obstacles: Sequence[Boxed]) -> tuple[float, float]:
    """How far a box could grow up and down before it meets an obstacle: the y of both ends."""
    top, bottom = 0.0, float("inf")
    for obstacle in obstacles:
        if obstacle.x0 < box.x1 and obstacle.x1 > box.x0:
            if obstacle.y1 <= box.y0 + MAX_OBSTACLE_OVERLAP_PT:
                top = max(top, obstacle.y1)
            elif obstacle.y0 >= box.y1 - MAX_OBSTACLE_OVERLAP_PT:
                bottom = min(bottom, obstacle.y0)
    return top, bottom


def is_running_text(line: Line) -> bool:
    """Whether a line is running text or a caption, no label."""
    return text_length(line.text) > MAX_LABEL_CHARS or _is_figure_caption(line.text)
