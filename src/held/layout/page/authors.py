"""The order of a first page: authors who stand side by side, each with what is said of them.

Name, institute and address are centred under each other. Read by rows or by columns of the text below they
come out in pieces; so each stack of such lines is taken for one thing and has a column of its own.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from held.document import Box, bounding_box
from held.layout.page.order import Column, by_rows, reading_order
from held.layout.tolerances import (
    MAX_AUTHOR_AXIS_SHIFT_EM,
    MAX_AUTHOR_DEPTH_SHARE,
    MAX_AUTHOR_LINE_GAP_EM,
    MAX_AUTHOR_LINE_OVERLAP_EM,
    MAX_AUTHOR_TOP_SHIFT_EM,
    MIN_AUTHOR_LINES,
    MIN_AUTHOR_WIDTH_DIFFERENCE_EM,
    MIN_EXTRA_AUTHOR_GAP_EM,
)


def first_page_order(boxes: Sequence[Box], em: float) -> list[Column]:
    """The columns of a document's first page in reading order, each author's lines together."""
    stacks = [_with_all_inside(stack, boxes) for stack in _author_stacks(boxes, em)]
    if not stacks:
        return reading_order(boxes, em)
    stacked = {i for stack in stacks for i in stack}
    end = max(boxes[i].y1 for i in stacked)
    others = [i for i in range(len(boxes)) if i not in stacked]
    above = [[i] for i in others if boxes[i].y1 <= end]
    below = [[i] for i in others if boxes[i].y1 > end]
    return _in_order([*above, *stacks], boxes, em) + _in_order(below, boxes, em)


def _with_all_inside(stack: list[int], boxes: Sequence[Box]) -> list[int]:
    """A stack with the accents and marks that stand in it as lines of their own, from top to bottom."""
    x0, y0, x1, y1 = bounding_box([boxes[i] for i in stack])
    inside = []
    for i, box in enumerate(boxes):
        x, y = (box.x0 + box.x1) / 2, (box.y0 + box.y1) / 2
        if x0 <= x <= x1 and y0 <= y <= y1:
            inside.append(i)
    return by_rows(boxes, sorted({*stack, *inside}))


def _in_order(units: Sequence[list[int]], boxes: Sequence[Box], em: float) -> list[Column]:
    """The columns of lines and stacks in reading order."""
    whole = [bounding_box([boxes[i] for i in unit]) for unit in units]
    return [part for column in reading_order(whole, em) for part in _apart(column, units, whole)]


def _apart(column: Column, units: Sequence[list[int]], boxes: Sequence[Box]) -> list[Column]:
    """A column of lines and stacks, with a column of its own for each stack."""
    parts: list[Column] = []
    is_open = False  # whether the last part takes further lines
    for place in column.members:
        unit = units[place]
        if len(unit) == 1 and is_open:
            parts[-1].members.append(unit[0])
        elif len(unit) == 1:
            parts.append(Column([unit[0]], column.x0, column.x1, column.number))
        else:
            parts.append(Column(unit, boxes[place].x0, boxes[place].x1, column.number))
        is_open = len(unit) == 1
    return parts


def _author_stacks(boxes: Sequence[Box], em: float) -> list[list[int]]:
    """The stacks of centred lines that have another one beside them, in the upper half of the text."""
    lowest = (
        min(box.y0 for box in boxes) + MAX_AUTHOR_DEPTH_SHARE * bounding_box(boxes).height if boxes else 0.0
    )
    upper = [i for i in range(len(boxes)) if boxes[i].y1 < lowest]
    parts = [part for stack in _stacks(boxes, upper, em) for part in _parted(boxes, stack, em)]
    stacks = [stack for stack in parts if _is_ragged(boxes, stack, em)]
    tops = [boxes[stack[0]].y0 for stack in stacks]
    return [
        stack
        for stack, top in zip(stacks, tops, strict=True)
        if sum(abs(top - other) < MAX_AUTHOR_TOP_SHIFT_EM * em for other in tops) > 1
    ]


def _stacks(boxes: Sequence[Box], members: Sequence[int], em: float) -> list[list[int]]:
    """The lines that are centred right under each other."""
    stacks: list[list[int]] = []
    for i in sorted(members, key=lambda i: boxes[i].y0):
        under = (stack for stack in stacks if _is_under(boxes[stack[-1]], boxes[i], em))
        stack = next(under, None)
        if stack is None:
            stacks.append([i])
        else:
            stack.append(i)
    return stacks


def _parted(boxes: Sequence[Box], stack: list[int], em: float) -> list[list[int]]:
    """A stack cut where clearly more white is than between its other lines: there another author begins."""
    gaps = [boxes[i].y0 - boxes[above].y1 for above, i in pairwise(stack)]
    parts = [stack[:1]]
    for i, gap in zip(stack[1:], gaps, strict=True):
        if gap > min(gaps) + MIN_EXTRA_AUTHOR_GAP_EM * em:
            parts.append([])
        parts[-1].append(i)
    return parts


def _is_under(above: Box, box: Box, em: float) -> bool:
    off_axis = abs(above.x0 + above.x1 - box.x0 - box.x1) / 2
    return (
        off_axis < MAX_AUTHOR_AXIS_SHIFT_EM * em
        and -MAX_AUTHOR_LINE_OVERLAP_EM * em < box.y0 - above.y1 < MAX_AUTHOR_LINE_GAP_EM * em
    )


def _is_ragged(boxes: Sequence[Box], stack: Sequence[int], em: float) -> bool:
    """Whether a stack has several lines, which differ in width."""
    widths = [boxes[i].width for i in stack]
    return len(stack) >= MIN_AUTHOR_LINES and max(widths) - min(widths) > MIN_AUTHOR_WIDTH_DIFFERENCE_EM * em
