"""Rows of a column to paragraphs: where one ends and the next begins.

Nothing here is learned. A break is asked for by white space, a change of look, an indent, a bullet or
number, or a row that ends so early that the next word would have fitted. Headings get the benefit of the
doubt: a row that stands out is never glued to running text.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import pairwise

from held.pdf.contents.words import says_contents
from held.pdf.lines.leftward import reads_leftward
from held.pdf.lines.marks import CAPTION, is_label
from held.pdf.lines.rows import PAGE_HEADS, Row, first_word_width, stands_out
from held.pdf.lines.scripts import is_cjk

TELLING = 3  # first rows of a column that tell which way it reads
SIZE_CHANGE = 0.07  # share by which the size of a new paragraph differs
WIDE_PITCH = 1.28  # times the usual distance of baselines
USUAL_PITCH = 1.3  # font sizes, where the document does not tell
PITCHES = (0.9, 3.0)  # font sizes: what is closer or further apart are no lines of one text
PITCH_RASTER = 2  # places in a point on which distances of baselines are counted as the same

# How far apart the baselines of one paragraph's rows may stand, in font sizes.
SAME_LINE = 0.3  # what is closer stands side by side; what is further above belongs elsewhere
ALWAYS_CLOSE = 1.25
ALWAYS_FAR = 3.2
SPACED = 4.2  # in widely spaced text
SPACED_SAME = 0.04  # share by which the distances of widely spaced text differ
SPACED_AROUND = 2  # rows above, and as many below, that tell it
FOLLOWING_PITCH = 2.3  # beyond, the row below cannot tell that the spacing is usual here

# Where rows begin and end.
NUMBER_EDGE = 6.0  # ems: a formula's number begins no further left of the right edge of the text below
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
CENTRED_MARGIN = 2.0  # ems that a centred row stands off the column's edges, at least
INDENT = 0.8  # ems
HANGING = 0.5  # ems by which the lines of one hanging paragraph may differ
NUMBER_INDENT = 0.5  # ems by which an item's number stands off the text above
FURTHER = 1.3  # times the distance above, that tells the begin of something new

# The rows of one heading.
HEADING_PITCH = 2.0  # font sizes between them, at most,
HEADING_WIDE_PITCH = 1.3  # or times the usual distance
TITLE_INDENT = 0.6  # ems that a second row stands in, to hang under the title past its number,
TITLE_EDGE = 1.5  # and ems by which it misses the title's edge
TAB = 1.5  # ems between a number and its title, from which on the title has an edge of its own
TIGHT = 0.9  # of the usual distance: set closer than any text
LARGE = 1.18  # times the body size: large print close together is one heading
LARGE_PITCH = 1.4  # font sizes
FINAL = frozenset(".!?。！？:：;；")
DASH_ITEM = "——"  # as Chinese standards begin the items of a list; after half a sentence it is a dash
FORMULA_NUMBER = re.compile(r"[(（](?:[A-Z]{1,2}[.-]?)?\d{1,3}(?:[.-]\d{1,3})*[a-z]?['′]?[)）]")
CONNECTORS = re.compile(
    r"(?:[,/&(（、，\-–—]|\b(?:a|an|and|as|at|by|for|from|in|into|of|on|or|the|to|under|with|its|our|und|de|la))$",
    re.I,
)
# Answers in the forms that Chinese reports are: each stands alone.
CHOICE = re.compile(r"(?:[□√☑☐☒✓\uf052\uf0a3\uf0fe]\s*(?:适用|不适用|是|否)|(?:无|不适用)[。.]?$)")
COMPANY = re.compile(
    r"\b(?:inc|incorporated|corp|corporation|company|co|ltd|limited|llc|plc|group|subsidiaries)\.?$", re.I
)
# Financial statements have the company's name above their title and a note on date or unit below it.
STATEMENT_NOTE = re.compile(
    r"\(?(?:in (?:millions|thousands|billions)|amounts in|dollars in|unaudited|expressed in"
    r"|as (?:at|of) [A-Z]|for the (?:fiscal |financial )?(?:year|quarter|period|three|six|nine|years)\b)",
    re.I,
)


class Measure:
    """What is usual in a column and in the document: edges, body size, distance of baselines by size."""

    __slots__ = ("body_size", "left", "pitches", "right")

    def __init__(self, rows: Sequence[Row], body_size: float, pitches: Mapping[float, float]) -> None:
        self.left = min(row.line.x0 for row in rows)
        self.right = max(row.line.x1 for row in rows)
        self.body_size = body_size
        self.pitches = pitches

    def usual_pitch(self, size: float) -> float:
        """The distance of baselines to expect at a size: as seen, and never tighter than the running text."""
        body = self.pitches.get(round(self.body_size, 1), USUAL_PITCH * self.body_size)
        seen = self.pitches.get(round(size, 1), 0.0)
        return max(seen, size / self.body_size * body)


def split_paragraphs(rows: Sequence[Row], measure: Measure) -> list[list[Row]]:
    """The rows of one column cut into paragraphs."""
    first = rows[:TELLING]
    if 2 * sum([reads_leftward(row.text) for row in first]) <= len(first):
        return _split(rows, measure)
    # Where text reads from right to left, lines begin at the right: seen in a mirror, the rules hold.
    mirrored = [_mirrored(row) for row in rows]
    paragraphs = _split(mirrored, Measure(mirrored, measure.body_size, measure.pitches))
    following = iter(rows)
    return [[next(following) for _ in paragraph] for paragraph in paragraphs]


def _mirrored(row: Row) -> Row:
    line = row.line
    return replace(row, line=line._replace(x0=-line.x1, x1=-line.x0))


def _split(rows: Sequence[Row], measure: Measure) -> list[list[Row]]:
    paragraphs: list[list[Row]] = []
    for place, row in enumerate(rows):
        following = rows[place + 1] if place + 1 < len(rows) else None
        if paragraphs and not _breaks(paragraphs[-1], row, following, rows, place, measure):
            paragraphs[-1].append(row)
        else:
            paragraphs.append([row])
    return paragraphs


def _breaks(
    paragraph: list[Row], row: Row, following: Row | None, rows: Sequence[Row], place: int, measure: Measure
) -> bool:
    """Whether `row` begins a new paragraph after the rows of `paragraph`."""
    above = paragraph[-1]
    if row.bullet or row.text in PAGE_HEADS or CHOICE.match(row.text) or _is_formula_number(above, row):
        return True
    if row.text.startswith(DASH_ITEM) and above.text[-1] in FINAL:
        return True
    full = _is_full(rows, place - 1, row, measure)
    if stands_out(row, measure.body_size) and says_contents(row.text) and not (full and _may_end(above, row)):
        return True
    if changes_look(above, row) and not (full and _ends_run_in(paragraph, row)):
        return True
    if _is_far(paragraph, row, following, measure):
        # A heading in italics has as much white above it as below: that is no wide spacing.
        goes_on = full and not row.run_in and row.italic == above.italic
        if not (goes_on and _keeps_pitch(rows, place)):
            return True
    titles = not full or _share_axis(above, row)
    if titles and (STATEMENT_NOTE.match(row.text) or COMPANY.search(above.text)):
        return True
    if _is_right_aligned_pair(above, row, measure):
        return True  # a signature, a date: each line by itself
    if above.look.mono and row.look.mono and not above.bold and not _is_numbered_alone(paragraph):
        return False
    if stands_out(above, measure.body_size) and stands_out(row, measure.body_size):
        return not _is_one_heading(paragraph, row, measure)
    if not full and not _asks_for_more(above, row):
        return _widens(above, row, measure) or not _is_centred_pair(above, row, measure)
    if row.number is not None and _number_starts(above, row):
        return True
    return _is_indented(paragraph, row, following, measure) or _introduces(above, row, measure)


def _may_end(title: Row, row: Row) -> bool:
    """Whether a row may be the last word of a title, though it heads lists elsewhere: "Algorithms"."""
    return title.look == row.look and " " not in row.text and title.width > WIDENED * row.width


def _is_numbered_alone(paragraph: list[Row]) -> bool:
    """Whether a paragraph is, so far, one row with a number: perhaps a heading in the font of the text."""
    return len(paragraph) == 1 and paragraph[0].number is not None


def _is_formula_number(above: Row, row: Row) -> bool:
    """Whether the row above is a formula's number alone, far right of where this one begins."""
    return above.line.x0 > row.line.x1 - NUMBER_EDGE * row.look.size and bool(
        FORMULA_NUMBER.fullmatch(above.text)
    )


def _ends_run_in(paragraph: list[Row], row: Row) -> bool:
    """Whether a bold first row goes on at the start of the next: a run-in heading of more than a line."""
    above = paragraph[-1]
    if len(paragraph) > 1 or not row.run_in or not above.bold:
        return False
    return above.look.size == row.look.size and row.line.y1 - above.line.y1 <= ALWAYS_CLOSE * row.look.size


def _is_full(rows: Sequence[Row], place: int, following: Row, measure: Measure) -> bool:
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


def _breaks_off(row: Row, following: Row, measure: Measure) -> bool:
    """Whether a long row ends within a sentence: in ragged text the edge is only about where lines end."""
    if row.text[-1] in FINAL or not following.text[0].islower():
        return False
    return row.width > NEARLY_FULL * (measure.right - measure.left)


def _keeps_pitch(rows: Sequence[Row], place: int) -> bool:
    """Whether a row is as far from the one above as its neighbours are: widely spaced text."""
    size = rows[place].look.size
    pitch = rows[place].line.y1 - rows[place - 1].line.y1
    if pitch >= SPACED * size:
        return False
    if place > 1 and rows[place - 2].look.size == rows[place - 1].look.size == size:
        before = rows[place - 1].line.y1 - rows[place - 2].line.y1
        if SAME_LINE * size < WIDE_PITCH * before < pitch:
            return False  # the text above is set closer: a lone row between two wide gaps is a heading
    same = 0
    around = rows[max(0, place - SPACED_AROUND) : place + SPACED_AROUND]
    for above, below in pairwise(around):
        if above.look.size == below.look.size == size:
            other = below.line.y1 - above.line.y1
            same += abs(other - pitch) < SPACED_SAME * pitch
    return same > 1  # the row's own distance is one of them


def _introduces(above: Row, row: Row, measure: Measure) -> bool:
    """Whether a row is a short lead-in of its own ("其他说明：") below a finished sentence."""
    short = row.width < SHORT * (measure.right - measure.left)
    return short and above.text[-1] in "。！？" and row.text[-1] in ":："


def _is_far(paragraph: list[Row], row: Row, following: Row | None, measure: Measure) -> bool:
    """Whether the white space above a row is wider than between the lines of a paragraph."""
    above = paragraph[-1]
    pitch = row.line.y1 - above.line.y1
    size = row.look.size
    if pitch < SAME_LINE * size:
        return pitch < -SAME_LINE * size
    if pitch <= ALWAYS_CLOSE * size:
        return False
    if len(paragraph) > 1:
        usual = above.line.y1 - paragraph[-2].line.y1
    else:
        usual = measure.usual_pitch(size)
        # A heading in italics has as much white above it as below, and tells nothing of line spacing.
        tells = following is not None and following.look.size == size and above.italic == row.italic
        if following is not None and tells and pitch < FOLLOWING_PITCH * size:
            # Line spacing may change within a document: what goes on at the same pitch is not far.
            usual = max(usual, following.line.y1 - row.line.y1)
    return pitch > WIDE_PITCH * usual or pitch > ALWAYS_FAR * size


def changes_look(above: Row, row: Row) -> bool:
    """Whether two rows are set so differently that they cannot be one paragraph."""
    if len(row.text) < 2 or len(above.text) < 2:
        return above.bold != row.bold
    a, b = above.look, row.look
    if abs(a.size - b.size) > SIZE_CHANGE * max(a.size, b.size):
        return True
    if above.bold != row.bold and a.bold != b.bold:
        return True
    if above.colour and row.colour and above.colour != row.colour:
        return True
    if a.family == b.family:
        return False
    same_script = is_cjk(above.text[0]) == is_cjk(row.text[0])
    return same_script and _single_font(above, row)


def _single_font(above: Row, row: Row) -> bool:
    """Whether both rows are set in one font each, so that a change of font is no change of script or term."""
    fonts_above = {run.style for run in above.line.runs}
    fonts = {run.style for run in row.line.runs}
    return len(fonts_above) == len(fonts) == 1


def _is_one_heading(paragraph: list[Row], row: Row, measure: Measure) -> bool:
    """Whether a row that stands out goes on with the heading above it."""
    above = paragraph[-1]
    if row.number is not None and not _continues_sentence(above):
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
    if _is_centred_pair(above, row, measure) or _continues_sentence(above) or row.text[0].islower():
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


def _leaves_centre(above: Row, row: Row, measure: Measure) -> bool:
    """Whether a row begins at the column's edge below one that stands in its middle: two headings."""
    if row.line.x0 > measure.left + EDGE or above.line.x0 < row.line.x0 + CENTRED_MARGIN * row.look.size:
        return False
    margins = above.line.x0 - measure.left, measure.right - above.line.x1
    return abs(margins[0] - margins[1]) < COLUMN_AXIS and not _share_axis(above, row)


def _leaves_tabbed_title(first: Row, row: Row) -> bool:
    """Whether a row begins under the number of a title that stands off it, and so does not hang there."""
    if first.number is None or len(first.line.runs) < 2:
        return False
    number, title, *_ = first.line.runs
    stands_off = title.x0 - number.x1 > TAB * row.look.size
    return stands_off and abs(row.line.x0 - number.x0) < EDGE


def _continues_sentence(row: Row) -> bool:
    """Whether a row cannot be the end of a heading."""
    return CONNECTORS.search(row.text) is not None


def _asks_for_more(above: Row, row: Row) -> bool:
    """Whether a row ends in a word that asks for another, and the next one begins at the same edge."""
    if not above.text[-1].isalpha() or not _continues_sentence(above):
        return False
    return above.look == row.look and abs(above.line.x0 - row.line.x0) < EDGE


def _is_centred_pair(above: Row, row: Row, measure: Measure) -> bool:
    """Whether two rows are centred on the same axis, and the column's, rather than flush left."""
    axis = (above.line.x0 + above.line.x1) / 2
    column_axis = (measure.left + measure.right) / 2
    return abs(axis - column_axis) < COLUMN_AXIS and _share_axis(above, row)


def _widens(above: Row, row: Row, measure: Measure) -> bool:
    """Whether a nearly full row comes below a short one: if both have one axis, it is by chance."""
    return row.width > NEARLY_FULL * (measure.right - measure.left) and row.width > WIDENED * above.width


def _share_axis(above: Row, row: Row) -> bool:
    """Whether two rows of one size are centred on the same axis, wherever that is."""
    a, b = above.line, row.line
    if abs(a.x0 - b.x0) < CENTRED_APART or above.look.size != row.look.size:
        return False
    return abs(a.x0 + a.x1 - b.x0 - b.x1) <= 2 * SAME_AXIS


def _is_right_aligned_pair(above: Row, row: Row, measure: Measure) -> bool:
    """Whether two short rows end at the right edge and begin anywhere."""
    a, b = above.line, row.line
    at_edge = measure.right - a.x1 < EDGE and abs(a.x1 - b.x1) < EDGE
    if not at_edge or abs(a.x0 - b.x0) <= EDGE:
        return False
    return max(above.width, row.width) < SHORT * (measure.right - measure.left)


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


def _number_starts(above: Row, row: Row) -> bool:
    """Whether a number at the head of a row starts an item, rather than stands there by the line break."""
    is_sure = row.number is not None and not row.number.pattern.begins_sentences
    if above.text[-1] in FINAL and is_sure:
        return True
    if row.bold != above.bold:
        return True
    return abs(row.line.x0 - above.line.x0) > NUMBER_INDENT * row.look.size


def _is_indented(paragraph: list[Row], row: Row, following: Row | None, measure: Measure) -> bool:
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


def usual_pitches(columns: Sequence[Sequence[Row]]) -> dict[float, float]:
    """The commonest distance of baselines for each font size, over a document's columns."""
    closest, widest = PITCHES
    counts: dict[float, dict[float, int]] = {}
    for rows in columns:
        for above, row in pairwise(rows):
            size = row.look.size
            pitch = row.line.y1 - above.line.y1
            if above.look.size == size and closest * size < pitch < widest * size:
                by_pitch = counts.setdefault(round(size, 1), {})
                key = round(PITCH_RASTER * pitch) / PITCH_RASTER
                by_pitch[key] = by_pitch.get(key, 0) + 1
    usual = {}
    for size, by_pitch in counts.items():
        # Of two that are equally common the closer one: a wider one may be the space between paragraphs.
        usual[size] = max(by_pitch, key=lambda pitch: (by_pitch[pitch], -pitch))
    return usual
