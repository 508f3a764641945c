"""Whether rows that stand out are one heading: its lines, or a title and what stands below it."""

from __future__ import annotations

from held.layout.characters import is_cjk
from held.layout.labels import is_chapter_label
from held.layout.rows import Row, first_word_width
from held.layout.text.edges import is_centred_pair, share_axis
from held.layout.text.pitch import Measure
from held.layout.text.words import continues_sentence
from held.layout.tolerances import (
    MAX_ALIGNED_EDGE_SHIFT_PT,
    MAX_COLUMN_AXIS_SHIFT_PT,
    MAX_HANGING_TITLE_SHIFT_EM,
    MAX_HEADING_PITCH_EM,
    MAX_HEADING_PITCH_TIMES,
    MAX_LARGE_HEADING_PITCH_EM,
    MAX_TIGHT_PITCH_TIMES,
    MIN_CENTRED_MARGIN_EM,
    MIN_HANGING_TITLE_INDENT_EM,
    MIN_LARGE_HEADING_SIZE_TIMES,
    MIN_NUMBER_TAB_EM,
    MIN_WIDE_PITCH_TIMES,
    MIN_WIDENED_ROW_TIMES,
)


def is_one_heading(paragraph: list[Row], row: Row, measure: Measure) -> bool:
    """Whether a row that stands out goes on with the heading above it."""
    above = paragraph[-1]
    if row.number is not None and not continues_sentence(above):
        return False
    if above.style.italic != row.style.italic or is_chapter_label([above], measure.body_size):
        return False  # a label is joined with its title later, as a label
    if _leaves_centre(above, row, measure):
        return False
    size = row.style.size
    # Latin letters in Chinese make a row higher, at its foot more than at its head.
    pitch = min(row.line.y1 - above.line.y1, row.line.y0 - above.line.y0)
    usual = measure.usual_pitch(size)
    if pitch > max(MAX_HEADING_PITCH_EM * size, MAX_HEADING_PITCH_TIMES * usual):
        return False
    if _leaves_tabbed_title(paragraph[0], row) and pitch > MIN_WIDE_PITCH_TIMES * usual:
        return False
    if measure.right - above.line.x1 < first_word_width(row):
        return True
    if is_centred_pair(above, row, measure) or continues_sentence(above) or row.text[0].islower():
        return True
    # Chinese fills its lines to the last character: a short one ends, however close the next.
    fills_lines = is_cjk(row.text[0])
    first = paragraph[0]
    if first.number is not None and row.line.x0 - first.line.x0 > MIN_HANGING_TITLE_INDENT_EM * size:
        title = first.line.x0 + first.width * first.number.title_start / len(first.text)
        return abs(row.line.x0 - title) < MAX_HANGING_TITLE_SHIFT_EM * size and not fills_lines
    if pitch < MAX_TIGHT_PITCH_TIMES * usual and not fills_lines:
        return True
    return (
        size > MIN_LARGE_HEADING_SIZE_TIMES * measure.body_size and pitch < MAX_LARGE_HEADING_PITCH_EM * size
    )


def may_end_title(title: Row, row: Row) -> bool:
    """Whether a row may be the last word of a title, though it heads lists elsewhere: "Algorithms"."""
    return (
        title.style == row.style and " " not in row.text and title.width > MIN_WIDENED_ROW_TIMES * row.width
    )


def _leaves_centre(above: Row, row: Row, measure: Measure) -> bool:
    """Whether a row begins at the column's edge below one that stands in its middle: two headings."""
    if (
        row.line.x0 > measure.left + MAX_ALIGNED_EDGE_SHIFT_PT
        or above.line.x0 < row.line.x0 + MIN_CENTRED_MARGIN_EM * row.style.size
    ):
        return False
    margins = above.line.x0 - measure.left, measure.right - above.line.x1
    return abs(margins[0] - margins[1]) < MAX_COLUMN_AXIS_SHIFT_PT and not share_axis(above, row)


def _leaves_tabbed_title(first: Row, row: Row) -> bool:
    """Whether a row begins under the number of a title that stands off it, and so does not hang there."""
    if first.number is None or len(first.line.runs) < 2:
        return False
    number, title, *_ = first.line.runs
    stands_off = title.x0 - number.x1 > MIN_NUMBER_TAB_EM * row.style.size
    return stands_off and abs(row.line.x0 - number.x0) < MAX_ALIGNED_EDGE_SHIFT_PT
