"""Where rows begin and end: whether the next word would have fitted, how first and centred lines stand."""

from __future__ import annotations

from collections.abc import Sequence

from held.layout.lines.marks import CAPTION
from held.layout.lines.rows import Row, first_word_width
from held.layout.text.looks import changes_look
from held.layout.text.pitch import Measure
from held.layout.text.words import FINAL, continues_sentence

EDGE = 2.0  # points by which aligned edges differ
JUSTIFIED_EDGE = 0.8  # points by which the right edges of justified rows differ
JUSTIFIED_WIDTH = 12.0  # ems: a shorter row that ends where its neighbour does may do so by chance
JUSTIFIED_INDENT = 40.0  # points between the left edges of the two
NARROWEST_WORD = 0.5  # of a row's mean character: `first_word_width` is never less
ROWS_AROUND = 8  # above and below that tell the right edge of a narrower text
NARROWER = 0.6  # of the column that a narrower text fills at least
SHORT = 0.4  # of the column: a lead-in, a signature
NEARLY_FULL = 0.75  # of the column
WIDENED = 2.0  # times as wide as the row above
CENTRED_APART = 3.0  # points between the left edges of centred rows, which flush rows share
SAME_AXIS = 3.0  # points between the axes of two centred rows
COLUMN_AXIS = 12.0  # points between their axis and the column's
INDENT = 0.8  # ems
HANGING = 0.5  # ems by which the lines of one hanging paragraph may differ
FURTHER = 1.3  # times the distance above, that tells the begin of something new


def is_full(rows: Sequence[Row], place: int, following: Row, measure: Measure) -> bool:
    """Whether a row goes as far right as it can: the first word of the next would not have fitted."""
    end = rows[place].line.x1
    # Most rows end at the column's edge: no word is narrower than half a character.
    if measure.right - end < NARROWEST_WORD * following.width / len(following.text):
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
    near = [row.line.x1 for row in around if abs(row.line.x0 - left) < EDGE]
    local = max(near)
    column = measure.right - measure.left
    if len(near) > 2 and local - measure.left > NARROWER * column:
        return local
    return measure.right


def _is_justified(rows: Sequence[Row], place: int) -> bool:
    """Whether a row ends exactly where a neighbour does: it is full, whatever the column's edge."""
    row = rows[place]
    if row.width < JUSTIFIED_WIDTH * row.look.size:
        return False
    for other in (place - 1, place + 1):
        if 0 <= other < len(rows):
            line = rows[other].line
            ends_there = abs(line.x1 - row.line.x1) < JUSTIFIED_EDGE
            if ends_there and abs(line.x0 - row.line.x0) < JUSTIFIED_INDENT:
                return True
    return False


def _breaks_off(row: Row, following: Row, measure: Measure) -> bool:
    """Whether a long row ends within a sentence: in ragged text the edge is only about where lines end."""
    if row.text[-1] in FINAL or not following.text[0].islower():
        return False
    return row.width > NEARLY_FULL * (measure.right - measure.left)


def asks_for_more(above: Row, row: Row) -> bool:
    """Whether a row ends in a word that asks for another, and the next one begins at the same edge."""
    if not above.text[-1].isalpha() or not continues_sentence(above):
        return False
    return above.look == row.look and abs(above.line.x0 - row.line.x0) < EDGE


def is_indented(paragraph: list[Row], row: Row, following: Row | None, measure: Measure) -> bool:
    """Whether a row's left edge says that it is a first line."""
    above, em = paragraph[-1], row.look.size
    step = row.line.x0 - above.line.x0
    if step > INDENT * em:
        return len(paragraph) > 1 or not _hangs(above, row, following)
    if step >= -INDENT * em:
        return False
    # A title far in, a first line less far, and the text at the edge: three steps, two paragraphs.
    return len(paragraph) > 1 or (following is not None and row.line.x0 - following.line.x0 > INDENT * em)


def _hangs(first: Row, row: Row, following: Row | None) -> bool:
    """Whether a second line that stands further right hangs under a first line that begins further left."""
    if first.bullet or _goes_on_plain(first, row):
        return True
    marked = first.number is not None or CAPTION.match(first.text) is not None
    if following is None or changes_look(row, following) or row.italic != following.italic:
        return marked
    if _is_further(first, row, following):
        return marked
    if abs(following.line.x0 - row.line.x0) < HANGING * row.look.size:
        return True
    if _is_entry_of_two_rows(first, row, following):
        return True
    return marked and (following.line.x0 > row.line.x0 or following.number is not None or following.bullet)


def _goes_on_plain(first: Row, row: Row) -> bool:
    """Whether a first row begins in bold and goes on without, amid a sentence that a second row ends."""
    is_mixed = first.run_in or (first.look.bold and not first.bold)
    return is_mixed and row.text[0].islower()


def _is_entry_of_two_rows(first: Row, row: Row, following: Row) -> bool:
    """Whether a short second row ends what the first left open, and the third begins where the first did.

    So stand the entries of a bibliography. The first row of a paragraph would reach as far as the others.
    """
    if first.text[-1] in FINAL or abs(following.line.x0 - first.line.x0) > EDGE:
        return False
    return first.line.x1 - row.line.x1 > first_word_width(following)


def _is_further(first: Row, row: Row, following: Row) -> bool:
    """Whether a third row is further from the second than that from the first: it begins something new."""
    pitch = row.line.y1 - first.line.y1
    return following.line.y1 - row.line.y1 > FURTHER * pitch


def share_axis(above: Row, row: Row) -> bool:
    """Whether two rows of one size are centred on the same axis, wherever that is."""
    a, b = above.line, row.line
    if abs(a.x0 - b.x0) < CENTRED_APART or above.look.size != row.look.size:
        return False
    return abs(a.x0 + a.x1 - b.x0 - b.x1) <= 2 * SAME_AXIS


def is_centred_pair(above: Row, row: Row, measure: Measure) -> bool:
    """Whether two rows are centred on the same axis, and the column's, rather than flush left."""
    axis = (above.line.x0 + above.line.x1) / 2
    column_axis = (measure.left + measure.right) / 2
    return abs(axis - column_axis) < COLUMN_AXIS and share_axis(above, row)


def widens(above: Row, row: Row, measure: Measure) -> bool:
    """Whether a nearly full row comes below a short one: if both have one axis, it is by chance."""
    return row.width > NEARLY_FULL * (measure.right - measure.left) and row.width > WIDENED * above.width


def is_right_aligned_pair(above: Row, row: Row, measure: Measure) -> bool:
    """Whether two short rows end at the right edge and begin anywhere."""
    a, b = above.line, row.line
    at_edge = measure.right - a.x1 < EDGE and abs(a.x1 - b.x1) < EDGE
    if not at_edge or abs(a.x0 - b.x0) <= EDGE:
        return False
    return max(above.width, row.width) < SHORT * (measure.right - measure.left)
