"""Charts and diagrams of few strokes, found by what stands next to them.

Curves leave no rules, so that a chart may show but grid lines or two axes. Numbers that go up in equal steps
along the strokes tell an axis; a figure's caption tells that what is drawn next to it is the figure.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
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

LONG_TEXT = 45  # characters: running text, not a label

LONGEST_NUMBER = 12  # characters, not included
LEFT_EDGE, RIGHT_EDGE = 0, 2  # where they stand in a box
FIGURE_CAPTION = re.compile(
    r"(?:fig(?:ure|\.)?|chart|exhibit|diagram|graph|scheme)\s*[A-Z]?\d|图表?\s*[\d一二三四五六七八九十]",
    re.IGNORECASE,
)


def axis_charts(strokes: Sequence[Box], lines: Sequence[Line], free: Sequence[int]) -> list[Box]:
    """The boxes of the charts that numbers along their strokes tell."""
    numbers = []
    for i in free:
        text = lines[i].text
        if len(text) < LONGEST_NUMBER and is_value(text):
            numbers.append(lines[i])
    charts = []
    for axis in _axes(numbers):
        plot = _plot(axis, strokes)
        if plot and not _are_underlines(plot, lines):
            charts.append(_frame(bounding_box([axis, *plot]), strokes))
    return [
        chart for chart in charts if chart.width > MIN_FIGURE_SIDE_PT and chart.height > MIN_FIGURE_SIDE_PT
    ]


def _are_underlines(plot: Sequence[Box], lines: Sequence[Line]) -> bool:
    """Whether most strokes underline a text: numbered notes with links look like the grid of a chart."""
    thin = [stroke for stroke in plot if stroke.height <= MAX_STROKE_WIDTH_PT]
    if 2 * len(thin) <= len(plot):
        return False
    # A page has hundreds of lines and a grid tens of strokes: only what is at their height is compared.
    downwards = sorted(lines, key=lambda line: line.y1)
    feet = [line.y1 for line in downwards]
    underlined = 0
    for stroke in thin:
        first, last = (
            bisect_left(feet, stroke.y1 - MAX_TICK_EDGE_SHIFT_PT),
            bisect_right(feet, stroke.y1 + MAX_TICK_EDGE_SHIFT_PT),
        )
        underlined += any(_runs_along(stroke, line) for line in downwards[first:last])
    return 2 * underlined > len(plot)


def _runs_along(stroke: Box, line: Line) -> bool:
    """Whether a stroke at a line's foot begins where the line's text does, and ends with it."""
    return (
        abs(stroke.x0 - line.x0) <= MAX_TICK_EDGE_SHIFT_PT and stroke.x1 <= line.x1 + MAX_TICK_EDGE_SHIFT_PT
    )


def _axes(numbers: list[Line]) -> Iterator[Box]:
    """The boxes of numbers that stand under each other at equal distances and go up in equal steps."""
    scale = [(line, value) for line in numbers if (value := _value(line.text)) is not None]
    for edge in (LEFT_EDGE, RIGHT_EDGE):
        scale.sort(key=lambda tick: (round(tick[0].box[edge] / MAX_TICK_EDGE_SHIFT_PT), tick[0].y0))
        ticks = scale[:1]
        for tick in scale[1:]:
            if not _goes_on([*ticks[-2:], tick], edge):
                if len(ticks) >= MIN_AXIS_TICKS_COUNT:
                    yield bounding_box([line for line, _ in ticks])
                ticks = ticks[-1:] if _goes_on([ticks[-1], tick], edge) else []
            ticks.append(tick)
        if len(ticks) >= MIN_AXIS_TICKS_COUNT:
            yield bounding_box([line for line, _ in ticks])


def _goes_on(ticks: list[tuple[Line, float]], edge: int) -> bool:
    """Whether two or three numbers are neighbours on an axis."""
    steps = []
    distances = []
    for (upper, upper_value), (lower, lower_value) in pairwise(ticks):
        if abs(upper.box[edge] - lower.box[edge]) > MAX_TICK_EDGE_SHIFT_PT or lower.y0 <= upper.y1:
            return False
        steps.append(lower_value - upper_value)
        distances.append(lower.y0 - upper.y0)
    if steps[0] == 0:
        return False
    uneven = max(steps) - min(steps)
    if uneven >= MAX_TICK_STEP_DIFFERENCE_SHARE * abs(steps[0]):
        return False
    return max(distances) - min(distances) < max(
        MAX_TICK_DISTANCE_DIFFERENCE_PT, MAX_TICK_DISTANCE_DIFFERENCE_SHARE * distances[0]
    )


def _value(text: str) -> float | None:
    try:
        return float(text.replace(",", "").strip("$€£¥￥%％ ").replace("−", "-"))
    except ValueError:
        return None


def _plot(axis: Box, strokes: Sequence[Box]) -> list[Box]:
    """The strokes that begin or end at the axis, if they are grid lines or as high as it."""
    margin = MAX_PLOT_BEYOND_AXIS_SHARE * axis.height
    top, bottom = axis.y0 - margin, axis.y1 + margin
    at_axis = []
    for stroke in strokes:
        from_right = -MAX_AXIS_OVERLAP_PT < stroke.x0 - axis.x1 < MAX_AXIS_GAP_PT
        from_left = -MAX_AXIS_OVERLAP_PT < axis.x0 - stroke.x1 < MAX_AXIS_GAP_PT
        if (from_right or from_left) and top < stroke.y0 and stroke.y1 < bottom:
            at_axis.append(stroke)
    wide = [stroke for stroke in at_axis if stroke.width > MIN_GRID_LINE_WIDTH_PT]
    grid_lines = sum(stroke.height <= MAX_STROKE_WIDTH_PT for stroke in wide)
    if grid_lines >= MIN_GRID_LINES_COUNT:
        return at_axis
    upright = any(stroke.height > MIN_AXIS_STROKE_SHARE * axis.height for stroke in at_axis)
    return at_axis if upright and wide else []


def _frame(chart: Box, strokes: Sequence[Box]) -> Box:
    """The chart with the frame that is drawn around it, if one is."""
    largest = MAX_FRAME_AREA_TIMES * chart.width * chart.height
    frames = []
    for stroke in strokes:
        across = stroke.x0 <= chart.x0 and stroke.x1 >= chart.x1
        down = stroke.y0 <= chart.y0 and stroke.y1 >= chart.y1
        if across and down and stroke.width * stroke.height < largest:
            frames.append(stroke)
    return bounding_box([chart, *frames])


def captioned_drawings(
    strokes: Sequence[Box], lines: Sequence[Line], free: Sequence[int], walls: Sequence[Boxed]
) -> list[Box]:
    """The boxes of what is drawn right above a figure's caption, or else right below it."""
    if len(strokes) < MIN_CAPTIONED_STROKES_COUNT:
        return []
    drawings = []
    for i in free:
        if FIGURE_CAPTION.match(lines[i].text):
            caption = lines[i].box
            box = _drawing_at(caption, strokes, walls, is_above=True)
            box = box or _drawing_at(caption, strokes, walls, is_above=False)
            if box:
                drawings.append(box)
    return drawings


def _drawing_at(
    caption: Box, strokes: Sequence[Box], walls: Sequence[Boxed], *, is_above: bool
) -> Box | None:
    """The box of the strokes between a caption and the running text on one side of it, if they are many."""
    top, bottom = room(caption, walls)
    top, bottom = (top, caption.y0) if is_above else (caption.y1, bottom)
    within = [
        s for s in strokes if top - MAX_STROKE_OVERLAP_PT < s.y0 and s.y1 < bottom + MAX_STROKE_OVERLAP_PT
    ]
    parts = [s for s in within if s.x0 < caption.x1 and s.x1 > caption.x0]
    if not parts:
        return None
    box = bounding_box(parts)
    # The parts of a drawing may stand side by side under one caption: grow to the right, then to the left.
    for stroke in sorted(within, key=lambda s: s.x0):
        if 0 <= stroke.x0 - box.x1 < MAX_DRAWING_PARTS_GAP_PT and _side_by_side(stroke, box):
            box, parts = bounding_box([box, stroke]), [*parts, stroke]
    for stroke in sorted(within, key=lambda s: -s.x1):
        if 0 <= box.x0 - stroke.x1 < MAX_DRAWING_PARTS_GAP_PT and _side_by_side(stroke, box):
            box, parts = bounding_box([box, stroke]), [*parts, stroke]
    gap = caption.y0 - box.y1 if is_above else box.y0 - caption.y1
    upright = any(stroke.height > MAX_STROKE_WIDTH_PT for stroke in parts)
    if gap > MAX_DRAWING_CAPTION_GAP_PT or len(parts) < MIN_CAPTIONED_STROKES_COUNT or not upright:
        return None
    return box if min(box.width, box.height) >= MIN_FIGURE_SIDE_PT else None


def _side_by_side(a: Box, b: Box) -> bool:
    return a.y0 < b.y1 and a.y1 > b.y0


def room(box: Box, walls: Sequence[Boxed]) -> tuple[float, float]:
    """From where to where, above and below a box, none of the walls stands."""
    top, bottom = 0.0, float("inf")
    for wall in walls:
        if wall.x0 < box.x1 and wall.x1 > box.x0:
            if wall.y1 <= box.y0 + MAX_OBSTACLE_OVERLAP_PT:
                top = max(top, wall.y1)
            elif wall.y0 >= box.y1 - MAX_OBSTACLE_OVERLAP_PT:
                bottom = min(bottom, wall.y0)
    return top, bottom


def is_text(line: Line) -> bool:
    """Whether a line is running text or a caption, no label."""
    return text_length(line.text) > LONG_TEXT or FIGURE_CAPTION.match(line.text) is not None
