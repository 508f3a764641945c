"""Cues for paragraph breaks: how a row relates to the rows around it, and short lines that are no titles.

Four kinds of cues: the words at its end, a change of style, the pitch (distance of baselines), and its left
and right edges. `paragraphs` weighs them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise

from held.document import Box
from held.layout.characters import is_cjk
from held.layout.lines import Line
from held.layout.rows import BULLETS, Row, first_word_width, is_prominent
from held.layout.tolerances import (
    ALWAYS_CLOSE_PITCH_EM,
    ALWAYS_FAR_PITCH_EM,
    DEFAULT_PITCH_EM,
    MAX_ALIGNED_EDGE_SHIFT_PT,
    MAX_COLUMN_AXIS_SHIFT_PT,
    MAX_CONFIRMED_PITCH_EM,
    MAX_FIRST_LINE_INDENT_EM,
    MAX_HANGING_SHIFT_EM,
    MAX_JUSTIFIED_EDGE_SHIFT_PT,
    MAX_JUSTIFIED_INDENT_PT,
    MAX_SAME_LINE_SHIFT_EM,
    MAX_SHARED_AXIS_SHIFT_PT,
    MAX_SHORT_ROW_SHARE,
    MAX_TEXT_PITCH_EM,
    MAX_TEXT_SIZE_CHANGE_SHARE,
    MAX_WIDELY_SPACED_DIFFERENCE_SHARE,
    MAX_WIDELY_SPACED_PITCH_EM,
    MIN_CENTRED_EDGE_SHIFT_PT,
    MIN_CHAPTER_NUMBER_SIZE_TIMES,
    MIN_FIRST_LINE_INDENT_EM,
    MIN_FIRST_WORD_SHARE,
    MIN_JUSTIFIED_WIDTH_EM,
    MIN_NARROW_TEXT_ROWS,
    MIN_NARROW_TEXT_SHARE,
    MIN_NEARLY_FULL_ROW_SHARE,
    MIN_NEW_ITEM_PITCH_TIMES,
    MIN_TEXT_PITCH_EM,
    MIN_WIDE_PITCH_TIMES,
    MIN_WIDENED_ROW_TIMES,
)
from held.numbering import BULLET, parse_number
from held.numbering.titles import caption_end

SENTENCE_ENDS = frozenset(".!?。！？:：;；؟؛।")
CONNECTORS = re.compile(
    r"(?:[,/&(（、，\-–—]|\b(?:a|an|and|as|at|by|for|from|in|into|of|on|or|the|to|under|with|its|our|und|de|la))$",
    re.I,
)
ENDS_IN_WORD = re.compile(r"[\w,/’'”´–-]$")
BEGINS_WITH_WORD = re.compile(r"[^\W\d_]{2,}(?![\w(])")  # not with a letter of a formula, or with code
PITCHES_PER_POINT = 2  # pitches are counted in steps of half a point
ROWS_AROUND = 8  # above and below, from which the right edge of a narrower text is taken
SPACED_ROWS_AROUND = 2  # above and below, which show that a text is widely spaced

Rows = Sequence[Row]


class ColumnMetrics:
    """The edges of a column's text, and the document's body size and usual pitch at each font size."""

    __slots__ = ("_figures", "body_size", "left", "pitches", "right")

    def __init__(
        self, rows: Rows, body_size: float, pitches: Mapping[float, float], figures: Iterable[Box] = ()
    ) -> None:
        self.left = min(row.line.x0 for row in rows)
        self.right = max(row.line.x1 for row in rows)
        self.body_size = body_size
        self.pitches = pitches
        # Text runs around a figure, but across a picture behind it.
        self._figures = [box for box in figures if not any(_overlaps(row.line, box) for row in rows)]

    def right_of(self, line: Line) -> float:
        """Where a line has to end: at the column's right edge, or at a figure before it."""
        if not self._figures:  # as in most columns
            return self.right
        return min([self.right, *(box.x0 for box in self.figures_beside(line) if box.x0 >= line.x1)])

    def figures_beside(self, line: Line) -> list[Box]:
        return [box for box in self._figures if box.y0 < line.middle < box.y1]

    @property
    def width(self) -> float:
        return self.right - self.left

    def usual_pitch(self, size: float) -> float:
        """The pitch to expect at a size: as measured, and never tighter than that of the running text."""
        body = self.pitches.get(round(self.body_size, 1), DEFAULT_PITCH_EM * self.body_size)
        measured = self.pitches.get(round(size, 1), 0.0)
        return max(measured, size / self.body_size * body)


def _overlaps(line: Line, box: Box) -> bool:
    return box.y0 < line.middle < box.y1 and line.x0 < box.x1 and box.x0 < line.x1


# --- Words ---


def continues_sentence(row: Row) -> bool:
    """Whether a row ends in a word or sign that can't end a heading: "and", a comma."""
    return CONNECTORS.search(row.text) is not None


def needs_continuation(above: Row, row: Row) -> bool:
    """Whether a row ends in a connecting word, and the next one begins at the same edge."""
    if not above.text[-1].isalpha() or not continues_sentence(above):
        return False
    edge_shift = abs(above.line.x0 - row.line.x0)
    return above.style == row.style and edge_shift < MAX_ALIGNED_EDGE_SHIFT_PT


# --- Style ---


def changes_style(above: Row, row: Row) -> bool:
    """Whether two rows are set so differently that they can't be one paragraph."""
    if len(row.text) < 2 or len(above.text) < 2:
        return above.bold != row.bold
    a, b = above.words_style, row.words_style
    if abs(a.size - b.size) > MAX_TEXT_SIZE_CHANGE_SHARE * max(a.size, b.size):
        return not _begins_in_small_capitals(above, row)
    if above.bold != row.bold and a.bold != b.bold:
        return True
    if above.colour and row.colour and above.colour != row.colour:
        return True
    if a.family == b.family:
        return False
    # A font may change with the script or for a term: that counts only between rows of one font each.
    same_script = is_cjk(above.text[0]) == is_cjk(row.text[0])
    return same_script and _has_one_font(above) and _has_one_font(row)


def _begins_in_small_capitals(above: Row, row: Row) -> bool:
    """Whether a row begins in capitals of a smaller size, and ends in the style in which the next goes on."""
    runs = above.line.runs
    if above.style.size >= row.style.size or runs[-1].style != row.line.runs[0].style:
        return False
    return "".join([run.text for run in runs if run.style == above.line.style]).isupper()


def _has_one_font(row: Row) -> bool:
    return len({run.style for run in row.line.runs}) == 1


# --- Pitch ---


def usual_pitches(columns: Sequence[Rows]) -> dict[float, float]:
    """The most frequent pitch at each font size, over all columns of a document."""
    counts: dict[float, dict[float, int]] = {}
    for rows in columns:
        for above, row in pairwise(rows):
            size = row.style.size
            pitch = row.line.y1 - above.line.y1
            is_of_text = MIN_TEXT_PITCH_EM * size < pitch < MAX_TEXT_PITCH_EM * size
            if is_of_text and above.style.size == size:
                by_pitch = counts.setdefault(round(size, 1), {})
                rounded = round(PITCHES_PER_POINT * pitch) / PITCHES_PER_POINT
                by_pitch[rounded] = by_pitch.get(rounded, 0) + 1
    usual = {}
    for size, by_pitch in counts.items():
        # Of two equally frequent ones the closer: a wider one may be the space between paragraphs.
        usual[size] = max(by_pitch, key=lambda pitch: (by_pitch[pitch], -pitch))
    return usual


def is_far(paragraph: list[Row], row: Row, following: Row | None, metrics: ColumnMetrics) -> bool:
    """Whether the white space above a row is wider than between the lines of a paragraph."""
    above = paragraph[-1]
    pitch = row.line.y1 - above.line.y1
    size = row.style.size
    if pitch < MAX_SAME_LINE_SHIFT_EM * size:
        return pitch < -MAX_SAME_LINE_SHIFT_EM * size
    if pitch <= ALWAYS_CLOSE_PITCH_EM * size:
        return False
    if len(paragraph) > 1:
        usual = above.line.y1 - paragraph[-2].line.y1
    else:
        usual = metrics.usual_pitch(size)
        # A heading in italics has as much white above it as below, and says nothing about line spacing.
        is_evidence = above.italic == row.italic and pitch < MAX_CONFIRMED_PITCH_EM * size
        if is_evidence and following is not None and following.style.size == size:
            # Line spacing may change within a document: what goes on at the same pitch is not far.
            usual = max(usual, following.line.y1 - row.line.y1)
    return pitch > MIN_WIDE_PITCH_TIMES * usual or pitch > ALWAYS_FAR_PITCH_EM * size


def keeps_pitch(rows: Rows, index: int) -> bool:
    """Whether a row is as far from the one above as its neighbours are: widely spaced text."""
    row, above = rows[index], rows[index - 1]
    size = row.style.size
    pitch = row.line.y1 - above.line.y1
    if pitch >= MAX_WIDELY_SPACED_PITCH_EM * size:
        return False
    if index > 1:
        second_above = rows[index - 2]
        pitch_above = above.line.y1 - second_above.line.y1
        is_one_size = second_above.style.size == above.style.size == size
        if is_one_size and MAX_SAME_LINE_SHIFT_EM * size < MIN_WIDE_PITCH_TIMES * pitch_above < pitch:
            return False  # the text above is set closer: a lone row between two wide gaps is a heading
    same = 0
    around = rows[max(0, index - SPACED_ROWS_AROUND) : index + SPACED_ROWS_AROUND]
    for upper, lower in pairwise(around):
        if upper.style.size == lower.style.size == size:
            other = lower.line.y1 - upper.line.y1
            same += abs(other - pitch) < MAX_WIDELY_SPACED_DIFFERENCE_SHARE * pitch
    return same > 1  # the row's own pitch is one of them


# --- Edges ---


def is_full(rows: Rows, index: int, following: Row, metrics: ColumnMetrics) -> bool:
    """Whether a row goes as far right as it can: the first word of the next would not have fitted."""
    row = rows[index]
    end = row.line.x1
    free = metrics.right_of(row.line) - end
    # Most rows end at the column's edge or where a neighbour ends: these tests spare them measuring the word.
    character_width = following.width / len(following.text)
    if free < MIN_FIRST_WORD_SHARE * character_width:
        return True
    if _is_justified(rows, index) or _breaks_off(row, following, metrics):
        return True
    word = first_word_width(following)
    if free < word:
        return True
    outdent = row.line.x0 - following.line.x0
    stands_apart = outdent > MAX_FIRST_LINE_INDENT_EM * row.style.size
    if stands_apart and not metrics.figures_beside(row.line):
        return False  # the lines on its left edge are as far from the text as it is
    return _right_edge(rows, index, metrics) - end < word


def _right_edge(rows: Rows, index: int, metrics: ColumnMetrics) -> float:
    """The right edge of the lines around: the column's, or that of a narrower text on the same left edge."""
    row = rows[index].line
    left, right = row.x0, metrics.right_of(row)
    around = rows[max(0, index - ROWS_AROUND) : index + ROWS_AROUND]
    lines = [row.line for row in around]
    ends = [line.x1 for line in lines if abs(line.x0 - left) < MAX_ALIGNED_EDGE_SHIFT_PT]
    local_edge = max(ends)
    is_wide = local_edge - metrics.left > MIN_NARROW_TEXT_SHARE * (right - metrics.left)
    if is_wide and len(ends) >= MIN_NARROW_TEXT_ROWS:
        return min(local_edge, right)
    return right


def _is_justified(rows: Rows, index: int) -> bool:
    """Whether a row ends exactly where a neighbour does: it is full, whatever the column's edge."""
    row = rows[index]
    if row.width < MIN_JUSTIFIED_WIDTH_EM * row.style.size:
        return False
    left, right = row.line.x0, row.line.x1
    for neighbour in (index - 1, index + 1):
        if 0 <= neighbour < len(rows):
            line = rows[neighbour].line
            same_end = abs(line.x1 - right) < MAX_JUSTIFIED_EDGE_SHIFT_PT
            if same_end and abs(line.x0 - left) < MAX_JUSTIFIED_INDENT_PT:
                return True
    return False


def _breaks_off(row: Row, following: Row, metrics: ColumnMetrics) -> bool:
    """Whether a long row ends within a sentence: in ragged text, lines end only roughly at the edge."""
    available = metrics.right_of(row.line) - metrics.left
    if row.width <= MIN_NEARLY_FULL_ROW_SHARE * available:
        return False
    return row.text[-1] not in SENTENCE_ENDS and following.text[0].islower()


def is_indented(paragraph: list[Row], row: Row, following: Row | None) -> bool:
    """Whether a row's left edge shows that it is a first line."""
    above = paragraph[-1]
    left = row.line.x0
    indent = left - above.line.x0
    min_indent = MIN_FIRST_LINE_INDENT_EM * row.style.size
    if indent > min_indent:
        return len(paragraph) > 1 or not _hangs(above, row, following)
    if indent >= -min_indent:
        return False
    if len(paragraph) > 1:
        return True
    # A title far in, a first line less far, and the text at the edge: three steps, two paragraphs.
    return following is not None and left - following.line.x0 > min_indent


def _hangs(first: Row, row: Row, following: Row | None) -> bool:
    """Whether a second line further right hangs under the first, as in a list or a bibliography."""
    if first.bullet or _continues_in_plain(first, row) or _continues_words(first, row):
        return True
    has_mark = first.number is not None or caption_end(first.text) > 0
    if following is None or changes_style(row, following) or row.italic != following.italic:
        return has_mark
    pitch = row.line.y1 - first.line.y1
    next_pitch = following.line.y1 - row.line.y1
    if next_pitch > MIN_NEW_ITEM_PITCH_TIMES * pitch:
        return has_mark  # the third row begins something new
    left, next_left = row.line.x0, following.line.x0
    if abs(next_left - left) < MAX_HANGING_SHIFT_EM * row.style.size:
        return True
    if _is_entry_of_two_rows(first, row, following):
        return True
    starts_item = following.number is not None or following.bullet
    return has_mark and (next_left > left or starts_item)


def _continues_words(first: Row, row: Row) -> bool:
    """Whether a second row, further right, goes on with the words of the first: an entry of two rows.

    Further in are displayed formulas, which may begin with a word.
    """
    if not (ENDS_IN_WORD.search(first.text) and row.text[0].islower() and BEGINS_WITH_WORD.match(row.text)):
        return False
    return row.line.x0 - first.line.x0 < MAX_FIRST_LINE_INDENT_EM * row.style.size


def _continues_in_plain(first: Row, row: Row) -> bool:
    """Whether a first row begins in bold and goes on without, in a sentence that the second row continues."""
    if not row.text[0].islower():
        return False
    return first.run_in or (first.style.bold and not first.bold)


def _is_entry_of_two_rows(first: Row, row: Row, following: Row) -> bool:
    """Whether a short second row ends an entry of a bibliography, and the third row begins the next.

    The first row of a paragraph would reach as far right as the others do.
    """
    if first.text[-1] in SENTENCE_ENDS:
        return False
    edge_shift = following.line.x0 - first.line.x0
    if abs(edge_shift) > MAX_ALIGNED_EDGE_SHIFT_PT:
        return False
    free = first.line.x1 - row.line.x1
    return free > first_word_width(following)


def share_axis(above: Row, row: Row) -> bool:
    """Whether two rows of one size are centred on the same axis, wherever that is."""
    a, b = above.line, row.line
    if above.style.size != row.style.size or abs(a.x0 - b.x0) < MIN_CENTRED_EDGE_SHIFT_PT:
        return False
    axis_shift = abs(a.x0 + a.x1 - b.x0 - b.x1) / 2
    return axis_shift <= MAX_SHARED_AXIS_SHIFT_PT


def is_centred_pair(above: Row, row: Row, metrics: ColumnMetrics) -> bool:
    """Whether two rows are centred on the axis of their column, rather than flush left."""
    column_axis = (metrics.left + metrics.right) / 2
    axis_shift = abs(above.line.axis - column_axis)
    return axis_shift < MAX_COLUMN_AXIS_SHIFT_PT and share_axis(above, row)


def widens(above: Row, row: Row, metrics: ColumnMetrics) -> bool:
    """Whether a nearly full row comes below a short one: a shared axis is then a coincidence."""
    width = row.width
    is_nearly_full = width > MIN_NEARLY_FULL_ROW_SHARE * metrics.width
    return is_nearly_full and width > MIN_WIDENED_ROW_TIMES * above.width


def is_right_aligned_pair(above: Row, row: Row, metrics: ColumnMetrics) -> bool:
    """Whether two short rows end at the right edge and begin anywhere."""
    a, b = above.line, row.line
    if metrics.right - a.x1 >= MAX_ALIGNED_EDGE_SHIFT_PT:
        return False
    if abs(a.x1 - b.x1) >= MAX_ALIGNED_EDGE_SHIFT_PT or abs(a.x0 - b.x0) <= MAX_ALIGNED_EDGE_SHIFT_PT:
        return False
    wider = max(above.width, row.width)
    return wider < MAX_SHORT_ROW_SHARE * metrics.width


# --- Lines around the title of a financial statement ---
#
# The company stands above it; period, date or unit below it.
#
#     Example Corporation
#     Statement of cash flows
#     for the year ended 30 June 2022
#     (in thousands)
#
# They name no section. On the pages of one report they repeat below or above different titles.


COMPANY = re.compile(
    r"\b(?:inc|incorporated|corp|corporation|company|co|ltd|limited|llc|plc|group|subsidiaries)\.?$", re.I
)
STATEMENT_NOTE = re.compile(
    r"\(?(?:in (?:\S+ ){0,2}(?:millions|thousands|billions)|unaudited|expressed in"
    r"|(?:all )?(?:amounts|figures|dollars) (?:are )?(?:(?:expressed|stated|presented) )?in\b"
    r"|as (?:at|of) \w|for the (?:\w+ ){0,5}(?:years?|quarter|period|three|six|nine)\b)",
    re.I,
)
REMARK = re.compile(r"[(（].*[)）]")
YEAR = re.compile(r"\b(?:19|20)\d\d\b")
MAX_DATE_WORDS = 4  # of "30 June 2022": a longer line that names a year is a subtitle


def is_date_or_remark(text: str) -> bool:
    """Whether a text names a year or stands in brackets."""
    is_in_brackets = REMARK.fullmatch(text) is not None
    return is_in_brackets or YEAR.search(text) is not None


def is_date(text: str) -> bool:
    """Whether a text is a date, or the period or unit of a statement, and nothing else."""
    if STATEMENT_NOTE.match(text):
        return True
    return YEAR.search(text) is not None and len(text.split()) <= MAX_DATE_WORDS


# --- Labels: item numbers that stand alone, labels of chapters and captions ---


APPENDIX_NATURE = re.compile(r"\s*[（(](?:规范性|资料性|normative|informative).{0,4}[)）]$", re.I)
BARE_NUMBER = re.compile(r"[0-9]{1,2}|[IVXivx]{1,6}|[A-Z]")
MAX_MARK_LENGTH = 16  # characters: "Subsection 12.3.4"
MAX_LABEL_LENGTH = 24  # characters: "Appendix A (informative)"
LABEL_END = " .:：|—–-"  # may stand between a label and its title


def is_bare_mark(text: str) -> bool:
    """Whether a text is an item number or a bullet and nothing else."""
    if len(text) == 1:
        return text in BULLETS or is_bare_number(text)
    return len(text) <= MAX_MARK_LENGTH and is_bare_number(text)


def is_bare_number(text: str) -> bool:
    """Whether a text is an item number and nothing else."""
    # Behind most numbers a title is expected: "X" stands for it.
    with_title = f"{text} X" if text[-1:].isalnum() else text
    number = parse_number(with_title)
    if number is None or number.pattern is BULLET:
        return False
    return number.title_start > len(text) or not text[number.title_start :].strip()


def is_caption_label(text: str) -> bool:
    """Whether a text is "Table 3.4" and nothing else."""
    if len(text) > MAX_MARK_LENGTH:
        return False
    end = caption_end(text)
    return end > 0 and not text[end:].strip(LABEL_END)


def is_chapter_label(rows: Sequence[Row], body_size: float) -> bool:
    """Whether rows are a chapter's or part's label without its title; the number may stand below its word."""
    row = rows[0]
    if len(row.text) > MAX_LABEL_LENGTH and len(row.text.rstrip(LABEL_END)) > MAX_LABEL_LENGTH:
        return False
    text = " ".join(each.text for each in rows).rstrip(LABEL_END)
    if not text or len(text) > MAX_LABEL_LENGTH:
        return False
    if BARE_NUMBER.fullmatch(text):
        return row.style.size > MIN_CHAPTER_NUMBER_SIZE_TIMES * body_size
    text = APPENDIX_NATURE.sub("", text)
    number = parse_number(text + " X")
    if text.lower().startswith("exhibit"):
        return False  # the line below names the company
    if number is None or not number.pattern.stands_above_title or number.title_start < len(text):
        return False
    return is_prominent(row, body_size) or row.style.size >= body_size
