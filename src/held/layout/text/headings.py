"""Assembles headings: a number with the title beside it, a label with the title below it.

These joins matter more than any choice of model: what is not one object here cannot become one
heading later.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence

from held.document import Style
from held.layout.labels import CAPTION, is_bare_mark, is_caption_label, is_chapter_label
from held.layout.lines import Line, join_side_by_side
from held.layout.rows import Row, is_prominent
from held.layout.text.blocks import Block, with_rows
from held.layout.tolerances import (
    MAX_CAPTION_LABEL_GAP_EM,
    MAX_COLUMN_AXIS_SHIFT_PT,
    MAX_FLUSH_TITLE_INDENT_PT,
    MAX_FORMULA_NUMBER_GAP_EM,
    MAX_LABEL_GAP_EM,
    MAX_LABEL_ROWS,
    MAX_NUMBER_TITLE_GAP_EM,
    MAX_NUMBER_TITLE_OVERLAP_EM,
    MAX_NUMBER_TITLE_TOP_SHIFT_EM,
    MAX_TITLE_ROWS,
    MIN_CENTRED_LABEL_INDENT_EM,
    MIN_FLUSH_TITLE_MARGIN_SHARE,
    MIN_LABEL_GAP_EM,
    MIN_NUMBER_TITLE_OVERLAP_SHARE,
)


def join_numbers(lines: Sequence[Line], styles: Sequence[Style]) -> list[Line]:
    """The lines, each number, bullet or caption's label alone joined with the line at its right."""
    candidates = [i for i, line in enumerate(lines) if is_bare_mark(line.text) or is_caption_label(line.text)]
    if not candidates:
        return list(lines)
    order = sorted(range(len(lines)), key=lambda i: lines[i].y0)
    tops = [lines[i].y0 for i in order]
    joined: list[Line | None] = list(lines)
    for i in candidates:
        a = lines[i]
        reach = MAX_NUMBER_TITLE_TOP_SHIFT_EM * a.size
        near = order[bisect_left(tops, a.y0 - reach) : bisect_left(tops, a.y0 + reach)]
        # What was joined with another number is no longer the line that it was.
        waiting = [j for j in near if joined[j] is lines[j] and j != i]
        right = [j for j in waiting if _stands_right(a, lines[j])]
        if not right or joined[i] is not a:
            continue
        if a.text[0] in "(（" and _ends_a_row(a, [lines[j] for j in near]):
            continue
        j = min(right, key=lambda j: lines[j].x0)
        joined[i], joined[j] = join_side_by_side([a, lines[j]], styles), None
    return [line for line in joined if line is not None]


def _stands_right(a: Line, b: Line) -> bool:
    overlap = min(a.y1, b.y1) - max(a.y0, b.y0)
    lower = min(a.y1 - a.y0, b.y1 - b.y0)
    if overlap < MIN_NUMBER_TITLE_OVERLAP_SHARE * lower:
        return False
    if not any(character.isalpha() for character in b.text):
        return False
    return -MAX_NUMBER_TITLE_OVERLAP_EM * a.size < b.x0 - a.x1 < MAX_NUMBER_TITLE_GAP_EM * max(a.size, b.size)


def _ends_a_row(a: Line, near: Sequence[Line]) -> bool:
    """Whether something stands close to the left of a line, as a formula does before its number."""
    beside = [b for b in near if min(a.y1, b.y1) > max(a.y0, b.y0)]
    return any(0 < a.x0 - b.x1 < MAX_FORMULA_NUMBER_GAP_EM * a.size for b in beside)


def join_labels(blocks: list[Block], body_size: float) -> list[Block]:
    """The blocks with every label line ("Chapter 3", "第三章") joined to the title below it."""
    joined: list[Block] = []
    for block in blocks:
        if joined and _is_label_of(joined[-1], block, body_size):
            label_rows = len(joined[-1].rows)
            joined[-1] = with_rows(joined[-1], joined[-1].rows + block.rows)
            joined[-1].label_rows = label_rows
        else:
            joined.append(block)
    return joined


def _is_label_of(label: Block, title: Block, body_size: float) -> bool:
    """Whether `label` is the number of the heading `title` which follows it."""
    if not 1 <= len(label.rows) <= MAX_LABEL_ROWS or label.page != title.page:
        return False
    if not 1 <= len(title.rows) <= MAX_TITLE_ROWS:
        return False
    head, first = label.rows[-1], title.rows[0]
    if first.number is not None or first.bullet:
        return False
    if len(label.rows) == 1 and is_caption_label(head.text):
        return (
            head.style == first.style
            and first.line.y0 - head.line.y1 < MAX_CAPTION_LABEL_GAP_EM * head.style.size
        )
    if not is_chapter_label(label.rows, body_size):
        return False
    if CAPTION.match(first.text) or not any(c.isalpha() for c in first.text):
        return False
    if _is_centred_alone(head, first, title):
        return False
    size = max(head.style.size, first.style.size)
    if not MIN_LABEL_GAP_EM * size < first.line.y0 - head.line.y1 < MAX_LABEL_GAP_EM * size:
        return False
    return is_prominent(first, body_size) or (head.style == first.style and first.text.isupper())


def _is_centred_alone(head: Row, first: Row, title: Block) -> bool:
    """Whether a label stands in the middle of its column, and what follows begins at the column's left edge.

    "PART I" over the first heading of the part is no label of that heading.
    """
    middle = (title.column_x0 + title.column_x1) / 2
    axis = (head.line.x0 + head.line.x1) / 2
    indent = head.line.x0 - title.column_x0
    is_centred = (
        abs(axis - middle) < MAX_COLUMN_AXIS_SHIFT_PT
        and indent > MIN_CENTRED_LABEL_INDENT_EM * head.style.size
    )
    is_flush = first.line.x0 - title.column_x0 < MAX_FLUSH_TITLE_INDENT_PT
    return is_centred and is_flush and title.column_x1 - first.line.x1 > MIN_FLUSH_TITLE_MARGIN_SHARE * indent
