"""Whether rows that stand out are one heading: its lines, or a title and what stands below it."""

from __future__ import annotations

from held.layout.lines.marks import is_label
from held.layout.lines.rows import Row, first_word_width
from held.layout.lines.scripts import is_cjk
from held.layout.text.edges import COLUMN_AXIS, EDGE, WIDENED, is_centred_pair, share_axis
from held.layout.text.pitch import WIDE_PITCH, Measure
from held.layout.text.words import continues_sentence

HEADING_PITCH = 2.0  # font sizes between them, at most,
HEADING_WIDE_PITCH = 1.3  # or times the usual distance
TITLE_INDENT = 0.6  # ems that a second row stands in, to hang under the title past its number,
TITLE_EDGE = 1.5  # and ems by which it misses the title's edge
TAB = 1.5  # ems between a number and its title, from which on the title has an edge of its own
TIGHT = 0.9  # of the usual distance: set closer than any text
LARGE = 1.18  # times the body size: large print close together is one heading
LARGE_PITCH = 1.4  # font sizes
CENTRED_MARGIN = 2.0  # ems that a centred row stands off the column's edges, at least


def is_one_heading(paragraph: list[Row], row: Row, measure: Measure) -> bool:
    """Whether a row that stands out goes on with the heading above it."""
    above = paragraph[-1]
    if row.number is not None and not continues_sentence(above):
        return False
    if above.look.italic != row.look.italic or is_label([above], measure.body_size):
        return False  # a label is joined with its title later, as a label
    if _leaves_centre(above, row, measure):
        return False
    size = row.look.size
    # Latin letters in Chinese make a row higher, at its foot more than at its head.
    pitch = min(row.line.y1 - above.line.y1, row.line.y0 - above.line.y0)
    usual = measure.usual_pitch(size)
    if pitch > max(HEADING_PITCH * size, HEADING_WIDE_PITCH * usual):
        return False
    if _leaves_tabbed_title(paragraph[0], row) and pitch > WIDE_PITCH * usual:
        return False
    if measure.right - above.line.x1 < first_word_width(row):
        return True
    if is_centred_pair(above, row, measure) or continues_sentence(above) or row.text[0].islower():
        return True
    # Chinese fills its lines to the last character: a short one ends, however close the next.
    fills_lines = is_cjk(row.text[0])
    first = paragraph[0]
    if first.number is not None and row.line.x0 - first.line.x0 > TITLE_INDENT * size:
        title = first.line.x0 + first.width * first.number.title_start / len(first.text)
        return abs(row.line.x0 - title) < TITLE_EDGE * size and not fills_lines
    if pitch < TIGHT * usual and not fills_lines:
        return True
    return size > LARGE * measure.body_size and pitch < LARGE_PITCH * size


def may_end_title(title: Row, row: Row) -> bool:
    """Whether a row may be the last word of a title, though it heads lists elsewhere: "Algorithms"."""
    return title.look == row.look and " " not in row.text and title.width > WIDENED * row.width


def _leaves_centre(above: Row, row: Row, measure: Measure) -> bool:
    """Whether a row begins at the column's edge below one that stands in its middle: two headings."""
    if row.line.x0 > measure.left + EDGE or above.line.x0 < row.line.x0 + CENTRED_MARGIN * row.look.size:
        return False
    margins = above.line.x0 - measure.left, measure.right - above.line.x1
    return abs(margins[0] - margins[1]) < COLUMN_AXIS and not share_axis(above, row)


def _leaves_tabbed_title(first: Row, row: Row) -> bool:
    """Whether a row begins under the number of a title that stands off it, and so does not hang there."""
    if first.number is None or len(first.line.runs) < 2:
        return False
    number, title, *_ = first.line.runs
    stands_off = title.x0 - number.x1 > TAB * row.look.size
    return stands_off and abs(row.line.x0 - number.x0) < EDGE
