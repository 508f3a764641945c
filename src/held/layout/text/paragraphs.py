"""Rows of a column to paragraphs: where one ends and the next begins.

Nothing here is learned. A break is asked for by white space, a change of look, an indent, a bullet or
number, or a row that ends so early that the next word would have fitted. Headings get the benefit of the
doubt: a row that stands out is never glued to running text.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from held.layout.rows import PAGE_COLUMN_TITLES, Row, is_prominent
from held.layout.rtl import is_rtl
from held.layout.text.edges import (
    asks_for_more,
    is_centred_pair,
    is_full,
    is_indented,
    is_right_aligned_pair,
    share_axis,
    widens,
)
from held.layout.text.looks import changes_look
from held.layout.text.pitch import Measure, is_far, keeps_pitch
from held.layout.text.titles import is_one_heading, may_end_title
from held.layout.text.words import FINAL
from held.layout.tolerances import (
    ALWAYS_CLOSE_PITCH_EM,
    MAX_FORMULA_NUMBER_INSET_EM,
    MAX_SHORT_ROW_SHARE,
    MIN_ITEM_NUMBER_INDENT_EM,
    MIN_NEARLY_FULL_ROW_SHARE,
    MIN_ROW_BEFORE_REFERENCE_EM,
)
from held.numbering.titles import is_contents_title

TELLING = 3  # first rows of a column that tell which way it reads
LONGEST = 80  # characters of a numbered heading that ends amid a full line
ENDS = FINAL | frozenset(")）]】”")
DASH_ITEM = "——"  # as Chinese standards begin the items of a list; after half a sentence it is a dash
FORMULA_NUMBER = re.compile(r"[(（](?:[A-Z]{1,2}[.-]?)?\d{1,3}(?:[.-]\d{1,3})*[a-z]?['′]?[)）]")
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


def split_paragraphs(rows: Sequence[Row], measure: Measure) -> list[list[Row]]:
    """The rows of one column cut into paragraphs."""
    first = rows[:TELLING]
    if 2 * sum([is_rtl(row.text) for row in first]) <= len(first):
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
    if _always_begins(above, row):
        return True
    full = is_full(rows, place - 1, row, measure)
    if _heads_contents(row, measure) and not (full and may_end_title(above, row)):
        return True
    if changes_look(above, row) and not (full and _goes_on_in_another_look(paragraph, row, measure)):
        return True
    if is_far(paragraph, row, following, measure):
        # A heading in italics has as much white above it as below: that is no wide spacing.
        goes_on = full and not row.run_in and row.italic == above.italic
        if not (goes_on and keeps_pitch(rows, place)):
            return True
    titles = not full or share_axis(above, row)
    if titles and (STATEMENT_NOTE.match(row.text) or COMPANY.search(above.text)):
        return True
    if is_right_aligned_pair(above, row, measure):
        return True  # a signature, a date: each line by itself
    if _are_code(above, row) and not _is_numbered_alone(paragraph):
        return False
    if is_prominent(above, measure.body_size) and is_prominent(row, measure.body_size):
        return not is_one_heading(paragraph, row, measure)
    if not full and not asks_for_more(above, row):
        return widens(above, row, measure) or not is_centred_pair(above, row, measure)
    if row.number is not None and _number_starts(above, row):
        return True
    return is_indented(paragraph, row, following, measure) or _introduces(above, row, measure)


def _always_begins(above: Row, row: Row) -> bool:
    """Whether a row begins a paragraph by what it says, wherever it stands."""
    if row.bullet or row.text in PAGE_COLUMN_TITLES or CHOICE.match(row.text):
        return True
    if row.text.startswith(DASH_ITEM) and above.text[-1] in FINAL:
        return True
    return _is_formula_number(above, row)


def _heads_contents(row: Row, measure: Measure) -> bool:
    """Whether a row is the heading of a printed list of contents."""
    return is_prominent(row, measure.body_size) and is_contents_title(row.text)


def _are_code(above: Row, row: Row) -> bool:
    """Whether both rows are set in letters of one width, as code is, and the first is no heading in bold."""
    return above.style.mono and row.style.mono and not above.bold


def _is_numbered_alone(paragraph: list[Row]) -> bool:
    """Whether a paragraph is, so far, one row with a number: perhaps a heading in the font of the text."""
    return len(paragraph) == 1 and paragraph[0].number is not None


def _is_formula_number(above: Row, row: Row) -> bool:
    """Whether the row above is a formula's number alone, far right of where this one begins."""
    return above.line.x0 > row.line.x1 - MAX_FORMULA_NUMBER_INSET_EM * row.style.size and bool(
        FORMULA_NUMBER.fullmatch(above.text)
    )


def _goes_on_in_another_look(paragraph: list[Row], row: Row, measure: Measure) -> bool:
    return _ends_run_in(paragraph, row) or _goes_on_in_colour(paragraph[-1], row, measure)


def _ends_run_in(paragraph: list[Row], row: Row) -> bool:
    """Whether bold rows begin the paragraph that goes on with this row, and are no heading above it."""
    above = paragraph[-1]
    if (
        above.style.size != row.style.size
        or row.line.y1 - above.line.y1 > ALWAYS_CLOSE_PITCH_EM * row.style.size
    ):
        return False
    if len(paragraph) == 1 and above.bold and row.run_in:
        return True  # a run-in heading of more than a line
    if not _is_bold_sentence(paragraph):
        return False
    return row.text[0].islower() if row.run_in else above.text[-1] in FINAL


def _is_bold_sentence(paragraph: list[Row]) -> bool:
    """Whether rows are the bold words, too many for a heading, that begin a numbered paragraph."""
    if paragraph[0].number is None or not all(row.style.bold for row in paragraph):
        return False
    return sum(len(row.text) for row in paragraph) > LONGEST


def _goes_on_in_colour(above: Row, row: Row, measure: Measure) -> bool:
    """Whether a row differs from the one above in nothing but its colour, amid a sentence: a reference."""
    if above.text[-1] in ENDS or row.number is not None or above.bold or above.italic != row.italic:
        return False
    if above.width < max(
        MIN_ROW_BEFORE_REFERENCE_EM * above.style.size,
        MIN_NEARLY_FULL_ROW_SHARE * (measure.right - measure.left),
    ):
        return False
    return replace(above.style, colour="") == replace(row.style, colour="")


def _introduces(above: Row, row: Row, measure: Measure) -> bool:
    """Whether a row is a short lead-in of its own ("其他说明：") below a finished sentence."""
    short = row.width < MAX_SHORT_ROW_SHARE * (measure.right - measure.left)
    return short and above.text[-1] in "。！？" and row.text[-1] in ":："


def _number_starts(above: Row, row: Row) -> bool:
    """Whether a number at the head of a row starts an item, rather than stands there by the line break."""
    is_sure = row.number is not None and not row.number.pattern.begins_sentences
    if above.text[-1] in FINAL and is_sure:
        return True
    if row.bold != above.bold:
        return True
    return abs(row.line.x0 - above.line.x0) > MIN_ITEM_NUMBER_INDENT_EM * row.style.size
