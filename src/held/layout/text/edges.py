"""Where rows begin and end: whether the next word would have fitted, how first and centred lines stand."""

from __future__ import annotations

from collections.abc import Sequence

from held.layout.labels import CAPTION
from held.layout.rows import Row, first_word_width
from held.layout.text.looks import changes_look
from held.layout.text.pitch import Measure
from held.layout.text.words import FINAL, continues_sentence
from held.layout.tolerances import (
    MAX_ALIGNED_EDGE_SHIFT_PT,
    MAX_COLUMN_AXIS_SHIFT_PT,
    MAX_HANGING_SHIFT_EM,
    MAX_JUSTIFIED_EDGE_SHIFT_PT,
    MAX_JUSTIFIED_INDENT_PT,
    MAX_SHARED_AXIS_SHIFT_PT,
    MAX_SHORT_ROW_SHARE,
    MIN_CENTRED_EDGE_SHIFT_PT,
    MIN_FIRST_LINE_INDENT_EM,
    MIN_FIRST_WORD_SHARE,
    MIN_JUSTIFIED_WIDTH_EM,
    MIN_NARROW_TEXT_ROWS,
    MIN_NARROW_TEXT_SHARE,
    MIN_NEARLY_FULL_ROW_SHARE,
    MIN_NEW_ITEM_PITCH_TIMES,
    MIN_WIDENED_ROW_TIMES,
)

ROWS_AROUND = 8  # above and below that tell the right edge of a narrower text


def is_full(rows: Sequence[Row], place: int, following: Row, measure: Measure) -> bool:
    """Whether a row goes as far right as it can: the first word of the next would not have fitted."""
    end = rows[place].line.x1
    # Most rows end at the column's edge: no word is narrower than half a character.
    if measure.right - end < MIN_FIRST_WORD_SHARE * following.width / len(following.text):
        return True
    word = first_word_width(following)
    if measure.right - end < word or _is_justified(rows, place):
        return True
    if _breaks_off(rows[place], following, measure):
        return True
    return _right_edge(rows, place, measure) - end < word


def _right_edge(rows: Sequence[Row], place: int, measure: Measure) -> float:
    """Where the lines around end: the column's edge, or that of a narrower text on the same left edge."""
    left = rows[place].line.x0
    around = rows[max(0, place - ROWS_AROUND) : place + ROWS_AROUND]
    near = [row.line.x1 for row in around if abs(row.line.x0 - left) < MAX_ALIGNED_EDGE_SHIFT_PT]
    local = max(near)
    column = measure.right - measure.left
    if len(near) >= MIN_NARROW_TEXT_ROWS and local - measure.left > MIN_NARROW_TEXT_SHARE * column:
        return local
    return measure.right


def _is_justified(rows: Sequence[Row], place: int) -> bool:
    """Whether a row ends exactly where a neighbour does: it is full, whatever the column's edge."""
    row = rows[place]
    if row.width < MIN_JUSTIFIED_WIDTH_EM * row.style.size:
        return False
    for other in (place - 1, place + 1):
        if 0 <= other < len(rows):
            line = rows[other].line
            ends_there = abs(line.x1 - row.line.x1) < MAX_JUSTIFIED_EDGE_SHIFT_PT
            if ends_there and abs(line.x0 - row.line.x0) < MAX_JUSTIFIED_INDENT_PT:
                return True
    return False


def _breaks_off(row: Row, following: Row, measure: Measure) -> bool:
    """Whether a long row ends within a sentence: in ragged text the edge is only about where lines end."""
    if row.text[-1] in FINAL or not following.text[0].islower():
        return False
    return row.width > MIN_NEARLY_FULL_ROW_SHARE * (measure.right - measure.left)


def asks_for_more(above: Row, row: Row) -> bool:
    """Whether a row ends in a word that asks for another, and the next one begins at the same edge."""
    if not above.text[-1].isalpha() or not continues_sentence(above):
        return False
    return above.style == row.style and abs(above.line.x0 - row.line.x0) < MAX_ALIGNED_EDGE_SHIFT_PT


def is_indented(paragraph: list[Row], row: Row, following: Row | None, measure: Measure) -> bool:
    """Whether a row's left edge says that it is a first line."""
    above, em = paragraph[-1], row.style.size
    step = row.line.x0 - above.line.x0
    if step > MIN_FIRST_LINE_INDENT_EM * em:
        return len(paragraph) > 1 or not _hangs(above, row, following)
    if step >= -MIN_FIRST_LINE_INDENT_EM * em:
        return False
    # A title far in, a first line less far, and the text at the edge: three steps, two paragraphs.
    return len(paragraph) > 1 or (
        following is not None and row.line.x0 - following.line.x0 > MIN_FIRST_LINE_INDENT_EM * em
    )


def _hangs(first: Row, row: Row, following: Row | None) -> bool:
    """Whether a second line that stands further right hangs under a first line that begins further left."""
    if first.bullet or _goes_on_plain(first, row):
        return True
    marked = first.number is not None or CAPTION.match(first.text) is not None
    if following is None or changes_look(row, following) or row.italic != following.italic:
        return marked
    if _is_further(first, row, following):
        return marked
    if abs(following.line.x0 - row.line.x0) < MAX_HANGING_SHIFT_EM * row.style.size:
        return True
    if _is_entry_of_two_rows(first, row, following):
        return True
    return marked and (following.line.x0 > row.line.x0 or following.number is not None or following.bullet)


def _goes_on_plain(first: Row, row: Row) -> bool:
    """Whether a first row begins in bold and goes on without, amid a sentence that a second row ends."""
    is_mixed = first.run_in or (first.style.bold and not first.bold)
    return is_mixed and row.text[0].islower()


def _is_entry_of_two_rows(first: Row, row: Row, following: Row) -> bool:
    """Whether a short second row ends what the first left open, and the third begins where the first did.

    So stand the entries of a bibliography. The first row of a paragraph would reach as far as the others.
    """
    if first.text[-1] in FINAL or abs(following.line.x0 - first.line.x0) > MAX_ALIGNED_EDGE_SHIFT_PT:
        return False
    return first.line.x1 - row.line.x1 > first_word_width(following)


def _is_further(first: Row, row: Row, following: Row) -> bool:
    """Whether a third row is further from the second than that from the first: it begins something new."""
    pitch = row.line.y1 - first.line.y1
    return following.line.y1 - row.line.y1 > MIN_NEW_ITEM_PITCH_TIMES * pitch


def share_axis(above: Row, row: Row) -> bool:
    """Whether two rows of one size are centred on the same axis, wherever that is."""
    a, b = above.line, row.line
    if abs(a.x0 - b.x0) < MIN_CENTRED_EDGE_SHIFT_PT or above.style.size != row.style.size:
        return False
    return abs(a.x0 + a.x1 - b.x0 - b.x1) <= 2 * MAX_SHARED_AXIS_SHIFT_PT


def is_centred_pair(above: Row, row: Row, measure: Measure) -> bool:
    """Whether two rows are centred on the same axis, and the column's, rather than flush left."""
    axis = (above.line.x0 + above.line.x1) / 2
    column_axis = (measure.left + measure.right) / 2
    return abs(axis - column_axis) < MAX_COLUMN_AXIS_SHIFT_PT and share_axis(above, row)


def widens(above: Row, row: Row, measure: Measure) -> bool:
    """Whether a nearly full row comes below a short one: if both have one axis, it is by chance."""
    return (
        row.width > MIN_NEARLY_FULL_ROW_SHARE * (measure.right - measure.left)
        and row.width > MIN_WIDENED_ROW_TIMES * above.width
    )


def is_right_aligned_pair(above: Row, row: Row, measure: Measure) -> bool:
    """Whether two short rows end at the right edge and begin anywhere."""
    a, b = above.line, row.line
    at_edge = (
        measure.right - a.x1 < MAX_ALIGNED_EDGE_SHIFT_PT and abs(a.x1 - b.x1) < MAX_ALIGNED_EDGE_SHIFT_PT
    )
    if not at_edge or abs(a.x0 - b.x0) <= MAX_ALIGNED_EDGE_SHIFT_PT:
        return False
    return max(above.width, row.width) < MAX_SHORT_ROW_SHARE * (measure.right - measure.left)
