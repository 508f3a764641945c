"""The reading order of a first page with authors side by side.

    Ann Example        Bob Sample
    University A     Institute of B
      a@a.edu            b@b.org

Name, institute and address are centred under each other. Read row by row, or in the columns of the text
below, they come out in pieces; so each stack of such lines is one unit with a column of its own.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from held.document import Box, bounding_box
from held.layout.box_geometry import order_by_rows
from held.layout.reading_order import Column, reading_order
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

Boxes = Sequence[Box]
Stack = list[int]  # indices of boxes under each other


def order_first_page(boxes: Boxes, em: float) -> list[Column]:
    """The columns of a document's first page in reading order, each author's lines together."""
    stacks = [_with_all_inside(stack, boxes) for stack in _author_stacks(boxes, em)]
    if not stacks:
        return reading_order(boxes, em)
    stacked = {i for stack in stacks for i in stack}
    end = max(boxes[i].y1 for i in stacked)
    above: list[Stack] = []
    below: list[Stack] = []
    for i, box in enumerate(boxes):
        if i not in stacked:
            (above if box.y1 <= end else below).append([i])
    return _order_units([*above, *stacks], boxes, em) + _order_units(below, boxes, em)


def _with_all_inside(stack: Stack, boxes: Boxes) -> Stack:
    """A stack with the accents and marks that stand in it as lines of their own, from top to bottom."""
    x0, y0, x1, y1 = bounding_box([boxes[i] for i in stack])
    members = {*stack}
    for i, box in enumerate(boxes):
        x, y = (box.x0 + box.x1) / 2, (box.y0 + box.y1) / 2
        if x0 <= x <= x1 and y0 <= y <= y1:
            members.add(i)
    return order_by_rows(boxes, sorted(members))


def _order_units(units: Sequence[Stack], boxes: Boxes, em: float) -> list[Column]:
    """The columns of lines and stacks in reading order, with a column of its own for each stack."""
    unit_boxes = [bounding_box([boxes[i] for i in unit]) for unit in units]
    columns: list[Column] = []
    for column in reading_order(unit_boxes, em):
        is_open = False  # whether the last column takes further lines
        for index in column.members:
            unit, box = units[index], unit_boxes[index]
            if len(unit) > 1:
                columns.append(Column(unit, box.x0, box.x1, column.number))
            elif is_open:
                columns[-1].members.append(unit[0])
            else:
                columns.append(Column([unit[0]], column.x0, column.x1, column.number))
            is_open = len(unit) == 1
    return columns


def _author_stacks(boxes: Boxes, em: float) -> list[Stack]:
    """The stacks of centred lines that have another one beside them, in the upper half of the text."""
    if not boxes:
        return []
    page = bounding_box(boxes)
    lowest = page.y0 + MAX_AUTHOR_DEPTH_SHARE * page.height
    upper = [i for i in range(len(boxes)) if boxes[i].y1 < lowest]
    stacks: list[Stack] = []
    for stack in _centred_stacks(boxes, upper, em):
        parts = _split_at_wide_gaps(boxes, stack, em)
        stacks += [part for part in parts if _is_ragged(boxes, part, em)]
    tops = [boxes[stack[0]].y0 for stack in stacks]
    side_by_side = []
    for stack, top in zip(stacks, tops, strict=True):
        if sum(abs(top - other) < MAX_AUTHOR_TOP_SHIFT_EM * em for other in tops) > 1:
            side_by_side.append(stack)
    return side_by_side


def _centred_stacks(boxes: Boxes, members: Sequence[int], em: float) -> list[Stack]:
    stacks: list[Stack] = []
    for i in sorted(members, key=lambda i: boxes[i].y0):
        for stack in stacks:
            if _is_centred_under(boxes[stack[-1]], boxes[i], em):
                stack.append(i)
                break
        else:
            stacks.append([i])
    return stacks


def _is_centred_under(above: Box, box: Box, em: float) -> bool:
    axis_shift = abs(above.x0 + above.x1 - box.x0 - box.x1) / 2
    if axis_shift >= MAX_AUTHOR_AXIS_SHIFT_EM * em:
        return False
    return -MAX_AUTHOR_LINE_OVERLAP_EM * em < box.y0 - above.y1 < MAX_AUTHOR_LINE_GAP_EM * em


def _split_at_wide_gaps(boxes: Boxes, stack: Stack, em: float) -> list[Stack]:
    """A stack, divided where the gap is clearly wider than its others: there another author begins."""
    gaps = [boxes[i].y0 - boxes[above].y1 for above, i in pairwise(stack)]
    parts = [stack[:1]]
    for i, gap in zip(stack[1:], gaps, strict=True):
        if gap > min(gaps) + MIN_EXTRA_AUTHOR_GAP_EM * em:
            parts.append([])
        parts[-1].append(i)
    return parts


def _is_ragged(boxes: Boxes, stack: Stack, em: float) -> bool:
    """Whether a stack has several lines of different widths."""
    widths = [boxes[i].width for i in stack]
    difference = max(widths) - min(widths)
    return len(stack) >= MIN_AUTHOR_LINES and difference > MIN_AUTHOR_WIDTH_DIFFERENCE_EM * em
