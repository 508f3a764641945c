"""Divides the rows of a column into paragraphs.

Nothing here is learned. White space, a change of style, an indent, a bullet or number, or a row that ends so
early that the next word would have fitted begin a new paragraph. A prominent row is never joined to running
text: a heading that is lost here can't be found later.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from held.layout.heading_lines import continues_heading, may_end_title
from held.layout.paragraph_cues import (
    SENTENCE_ENDS,
    ColumnMetrics,
    changes_style,
    is_centred_pair,
    is_far,
    is_full,
    is_indented,
    is_right_aligned_pair,
    keeps_pitch,
    needs_continuation,
    share_axis,
    widens,
)
from held.layout.rows import PAGE_COLUMN_TITLES, Row, is_prominent
from held.layout.rtl import is_rtl
from held.layout.statement_lines import COMPANY, STATEMENT_NOTE
from held.layout.tolerances import (
    ALWAYS_CLOSE_PITCH_EM,
    MAX_FORMULA_NUMBER_INSET_EM,
    MAX_SHORT_ROW_SHARE,
    MIN_ITEM_NUMBER_INDENT_EM,
    MIN_NEARLY_FULL_ROW_SHARE,
    MIN_ROW_BEFORE_REFERENCE_EM,
)
from held.numbering.titles import is_contents_title

DIRECTION_ROWS = 3  # first rows of a column, by which its reading direction is decided
MAX_BOLD_HEADING_CHARS = 80  # of a numbered heading that ends amid a full line
ENDS = SENTENCE_ENDS | frozenset(")）]】”")
DASH_ITEM = "——"  # begins the items of a list in Chinese standards; after half a sentence it is a dash
FORMULA_NUMBER = re.compile(r"[(（](?:[A-Z]{1,2}[.-]?)?\d{1,3}(?:[.-]\d{1,3})*[a-z]?['′]?[)）]")
# Answers in the forms that Chinese reports are: each stands alone.
CHOICE = re.compile(r"(?:[□√☑☐☒✓\uf052\uf0a3\uf0fe]\s*(?:适用|不适用|是|否)|(?:无|不适用)[。.]?$)")


def split_paragraphs(rows: Sequence[Row], metrics: ColumnMetrics) -> list[list[Row]]:
    """The rows of one column, divided into paragraphs."""
    first = rows[:DIRECTION_ROWS]
    rtl_rows = sum(is_rtl(row.text) for row in first)
    if 2 * rtl_rows <= len(first):
        return _split(rows, metrics)
    # Right-to-left lines begin at the right: mirrored, the same rules hold.
    mirrored = [_mirror(row) for row in rows]
    paragraphs = _split(mirrored, ColumnMetrics(mirrored, metrics.body_size, metrics.pitches))
    unmirrored = iter(rows)
    return [[next(unmirrored) for _ in paragraph] for paragraph in paragraphs]


def _mirror(row: Row) -> Row:
    line = row.line
    return replace(row, line=line._replace(x0=-line.x1, x1=-line.x0))


def _split(rows: Sequence[Row], metrics: ColumnMetrics) -> list[list[Row]]:
    paragraphs: list[list[Row]] = []
    for index, row in enumerate(rows):
        if paragraphs and not _begins_paragraph(paragraphs[-1], rows, index, metrics):
            paragraphs[-1].append(row)
        else:
            paragraphs.append([row])
    return paragraphs


def _begins_paragraph(paragraph: list[Row], rows: Sequence[Row], index: int, metrics: ColumnMetrics) -> bool:
    """Whether `rows[index]` begins a new paragraph after the rows of `paragraph`."""
    row = rows[index]
    above = paragraph[-1]
    following = rows[index + 1] if index + 1 < len(rows) else None
    if _always_begins(above, row):
        return True
    full = is_full(rows, index - 1, row, metrics)
    prominent = is_prominent(row, metrics.body_size)
    if prominent and is_contents_title(row.text) and not (full and may_end_title(above, row)):
        return True
    if changes_style(above, row) and not (full and _continues_in_other_style(paragraph, row, metrics)):
        return True
    if is_far(paragraph, row, following, metrics):
        # A heading in italics has as much white above it as below: that is no wide spacing.
        may_be_spaced = full and not row.run_in and row.italic == above.italic
        if not (may_be_spaced and keeps_pitch(rows, index)):
            return True
    are_titles = not full or share_axis(above, row)
    if are_titles and (STATEMENT_NOTE.match(row.text) or COMPANY.search(above.text)):
        return True
    if is_right_aligned_pair(above, row, metrics):
        return True  # a signature, a date: each line by itself
    if _are_code(above, row) and not _is_one_numbered_row(paragraph):
        return False
    if prominent and is_prominent(above, metrics.body_size):
        return not continues_heading(paragraph, row, metrics)
    if not full and not needs_continuation(above, row):
        return widens(above, row, metrics) or not is_centred_pair(above, row, metrics)
    if row.number is not None and _number_begins_item(above, row):
        return True
    return is_indented(paragraph, row, following) or _is_lead_in(above, row, metrics)


def _always_begins(above: Row, row: Row) -> bool:
    """Whether a row begins a paragraph by its words, wherever it stands."""
    if row.bullet or row.text in PAGE_COLUMN_TITLES or CHOICE.match(row.text):
        return True
    if row.text.startswith(DASH_ITEM) and above.text[-1] in SENTENCE_ENDS:
        return True
    # A formula's number alone stands far right of where this row begins.
    leftmost = row.line.x1 - MAX_FORMULA_NUMBER_INSET_EM * row.style.size
    return above.line.x0 > leftmost and FORMULA_NUMBER.fullmatch(above.text) is not None


def _are_code(above: Row, row: Row) -> bool:
    """Whether both rows are monospaced, and the first is no heading in bold."""
    return above.style.mono and row.style.mono and not above.bold


def _is_one_numbered_row(paragraph: list[Row]) -> bool:
    """Whether a paragraph is, so far, one row with a number: perhaps a heading in the font of the text."""
    return len(paragraph) == 1 and paragraph[0].number is not None


def _continues_in_other_style(paragraph: list[Row], row: Row, metrics: ColumnMetrics) -> bool:
    return _continues_run_in(paragraph, row) or _continues_in_colour(paragraph[-1], row, metrics)


def _continues_run_in(paragraph: list[Row], row: Row) -> bool:
    """Whether bold rows begin the paragraph that goes on with this row, and are no heading above it."""
    above = paragraph[-1]
    pitch = row.line.y1 - above.line.y1
    if above.style.size != row.style.size or pitch > ALWAYS_CLOSE_PITCH_EM * row.style.size:
        return False
    if len(paragraph) == 1 and above.bold and row.run_in:
        return True  # a run-in heading of more than a line
    if not _is_bold_sentence(paragraph):
        return False
    return row.text[0].islower() if row.run_in else above.text[-1] in SENTENCE_ENDS


def _is_bold_sentence(paragraph: list[Row]) -> bool:
    """Whether rows are the bold words, too many for a heading, that begin a numbered paragraph."""
    if paragraph[0].number is None or not all(row.style.bold for row in paragraph):
        return False
    return sum(len(row.text) for row in paragraph) > MAX_BOLD_HEADING_CHARS


def _continues_in_colour(above: Row, row: Row, metrics: ColumnMetrics) -> bool:
    """Whether a row differs from the one above only in its colour, amid a sentence: a reference."""
    if above.text[-1] in ENDS or row.number is not None or above.bold or above.italic != row.italic:
        return False
    nearly_full = MIN_NEARLY_FULL_ROW_SHARE * metrics.width
    if above.width < max(MIN_ROW_BEFORE_REFERENCE_EM * above.style.size, nearly_full):
        return False
    return replace(above.style, colour="") == replace(row.style, colour="")


def _is_lead_in(above: Row, row: Row, metrics: ColumnMetrics) -> bool:
    """Whether a row is a short lead-in of its own ("其他说明：") below a finished sentence."""
    is_short = row.width < MAX_SHORT_ROW_SHARE * metrics.width
    return is_short and above.text[-1] in "。！？" and row.text[-1] in ":："


def _number_begins_item(above: Row, row: Row) -> bool:
    """Whether a number at the start of a row begins an item, or only stands there after a line break."""
    is_certain = row.number is not None and not row.number.pattern.begins_sentences
    if above.text[-1] in SENTENCE_ENDS and is_certain:
        return True
    if row.bold != above.bold:
        return True
    return abs(row.line.x0 - above.line.x0) > MIN_ITEM_NUMBER_INDENT_EM * row.style.size
