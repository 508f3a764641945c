"""Divides the rows of a column into paragraphs and headings.

Nothing here is learned. White space, a change of style, an indent, a bullet or number, or a row that ends so
early that the next word would have fitted begin a new paragraph. A prominent row is never joined to running
text: a heading that is lost here can't be found later.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import replace

from held.document import Run, Style
from held.layout.blocks import Block, with_rows
from held.layout.characters import is_cjk, is_rtl
from held.layout.lines import Line, join_side_by_side
from held.layout.paragraph_cues import (
    COMPANY,
    SENTENCE_ENDS,
    STATEMENT_NOTE,
    ColumnMetrics,
    changes_style,
    continues_sentence,
    is_bare_mark,
    is_caption_label,
    is_centred_pair,
    is_chapter_label,
    is_far,
    is_full,
    is_indented,
    is_right_aligned_pair,
    keeps_pitch,
    needs_continuation,
    share_axis,
    widens,
)
from held.layout.rows import PAGE_COLUMN_TITLES, Row, first_word_width, is_prominent
from held.layout.tables.page_tables import UNIT
from held.layout.tolerances import (
    ALWAYS_CLOSE_PITCH_EM,
    MAX_ALIGNED_EDGE_SHIFT_PT,
    MAX_CAPTION_LABEL_GAP_EM,
    MAX_COLUMN_AXIS_SHIFT_PT,
    MAX_COLUMN_END_SHIFT_PT,
    MAX_DROP_CAP_GAP_EM,
    MAX_DROP_CAP_LINE_SHIFT_EM,
    MAX_FLUSH_TITLE_INDENT_PT,
    MAX_FORMULA_NUMBER_GAP_EM,
    MAX_FORMULA_NUMBER_INSET_EM,
    MAX_HANGING_TITLE_SHIFT_EM,
    MAX_HEADING_PITCH_EM,
    MAX_HEADING_PITCH_TIMES,
    MAX_LABEL_GAP_EM,
    MAX_LABEL_ROWS,
    MAX_LARGE_HEADING_PITCH_EM,
    MAX_NUMBER_TITLE_GAP_EM,
    MAX_NUMBER_TITLE_OVERLAP_EM,
    MAX_NUMBER_TITLE_TOP_SHIFT_EM,
    MAX_SHORT_ROW_SHARE,
    MAX_TERM_WIDTH_SHARE,
    MAX_TIGHT_PITCH_TIMES,
    MAX_TITLE_ROWS,
    MIN_CENTRED_LABEL_INDENT_EM,
    MIN_CENTRED_MARGIN_EM,
    MIN_DROP_CAP_LINES_COUNT,
    MIN_DROP_CAP_SIZE_TIMES,
    MIN_END_LABEL_GAP_EM,
    MIN_FLUSH_TITLE_MARGIN_SHARE,
    MIN_HANGING_TITLE_INDENT_EM,
    MIN_ITEM_NUMBER_INDENT_EM,
    MIN_LABEL_GAP_EM,
    MIN_LARGE_HEADING_SIZE_TIMES,
    MIN_LINES_AT_COLUMN_END_COUNT,
    MIN_NEARLY_FULL_ROW_SHARE,
    MIN_NUMBER_TAB_EM,
    MIN_PAGE_COLUMN_GAP_EM,
    MIN_ROW_BEFORE_REFERENCE_EM,
    MIN_ROW_OVERLAP_SHARE,
    MIN_WIDE_PITCH_TIMES,
    MIN_WIDENED_ROW_TIMES,
)
from held.numbering import CITATION, ItemNumber, follows, starts_list
from held.numbering.titles import caption_end, is_contents_title

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
    mirrored_metrics = ColumnMetrics(mirrored, metrics.body_size, metrics.pitches)
    paragraphs: list[list[Row]] = []
    start = 0
    for paragraph in _split(mirrored, mirrored_metrics):
        end = start + len(paragraph)
        paragraphs.append(list(rows[start:end]))
        start = end
    return paragraphs


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
    if _ends_in_label(above, row):
        return True
    if _continues_entry(paragraph, row) and not is_far(paragraph, row, following, metrics):
        return False
    full = is_full(rows, index - 1, row, metrics)
    prominent = is_prominent(row, metrics.body_size)
    if prominent and is_contents_title(row.text) and not (full and may_end_title(above, row)):
        return True
    if changes_style(above, row):
        goes_on = (
            _continues_run_in(paragraph, row)
            or _continues_in_bold(paragraph, row)
            or _continues_in_colour(above, row, metrics)
        )
        if not (full and goes_on):
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
    # A lone numbered row may be a heading in the font of the text.
    may_be_heading = above.bold or (len(paragraph) == 1 and above.number is not None)
    if above.style.mono and row.style.mono and not may_be_heading:
        return False  # code
    if prominent and is_prominent(above, metrics.body_size):
        return not continues_heading(paragraph, row, metrics)
    if not full and not needs_continuation(above, row):
        return widens(above, row, metrics) or not is_centred_pair(above, row, metrics)
    if row.number is not None and _number_begins_item(paragraph, row, row.number):
        return True
    return is_indented(paragraph, row, following) or _is_lead_in(above, row, metrics)


def _continues_entry(paragraph: list[Row], row: Row) -> bool:
    """Whether a row hangs under the text of an entry, whose lines end anywhere and may begin with names.

    Entries are those of a bibliography, and terms with their explanations behind a tab.
    """
    first = paragraph[0]
    if row.bold or row.style.size != first.style.size:
        return False
    left = row.line.x0
    if first.number is None:
        text = _explanation(first)
        if text is None or abs(left - text.x0) >= MAX_ALIGNED_EDGE_SHIFT_PT:
            return False
        return not changes_style(first, row)
    begins_entry = row.number is not None and row.number.pattern is CITATION
    if first.number.pattern is not CITATION or begins_entry:
        return False
    indent = left - first.line.x0
    return indent > MIN_HANGING_TITLE_INDENT_EM * row.style.size


def _always_begins(above: Row, row: Row) -> bool:
    """Whether a row begins a paragraph by its words, wherever it stands."""
    text = row.text
    if row.bullet or text in PAGE_COLUMN_TITLES or CHOICE.match(text) or UNIT.match(text):
        return True
    if text.startswith(DASH_ITEM) and above.text[-1] in SENTENCE_ENDS:
        return True
    if _are_terms(above, row):
        return True
    # A formula's number alone stands far right of where this row begins.
    leftmost = row.line.x1 - MAX_FORMULA_NUMBER_INSET_EM * row.style.size
    return above.line.x0 > leftmost and FORMULA_NUMBER.fullmatch(above.text) is not None


def _ends_in_label(row: Row, below: Row) -> bool:
    """Whether a row ends in a label at the right edge, in brackets or above another such label.

    to_amount value              [Function]
    to_date value                [Function]
    """
    label = _end_label(row)
    if label is None:
        return False
    if label.text[0] in "[(" and label.text.rstrip()[-1] in "])":
        return True
    label_below = _end_label(below)
    return label_below is not None and abs(label.x1 - label_below.x1) < MAX_ALIGNED_EDGE_SHIFT_PT


def _end_label(row: Row) -> Run | None:
    """The short text at the end of a row, behind a wide gap; None without one."""
    runs = row.line.runs
    if len(runs) < 2:
        return None
    before, label = runs[-2:]
    gap = label.x0 - before.x1
    is_short = label.x1 - label.x0 < MAX_TERM_WIDTH_SHARE * row.width
    return label if is_short and gap > MIN_END_LABEL_GAP_EM * row.style.size else None


def _are_terms(above: Row, row: Row) -> bool:
    """Whether two rows are each a term and, behind the same tab, its explanation."""
    text, next_text = _explanation(above), _explanation(row)
    if text is None or next_text is None:
        return False
    return abs(text.x0 - next_text.x0) < MAX_ALIGNED_EDGE_SHIFT_PT


def _explanation(row: Row) -> Run | None:
    """What stands behind the first word or words of a row and a tab; None without one."""
    runs = row.line.runs
    if len(runs) < 2:
        return None
    term, text = runs[:2]
    tab = text.x0 - term.x1
    return text if tab > MIN_PAGE_COLUMN_GAP_EM * row.style.size else None


def _continues_run_in(paragraph: list[Row], row: Row) -> bool:
    """Whether bold rows begin the paragraph that goes on with this row, and are no heading above it."""
    above = paragraph[-1]
    size = row.style.size
    pitch = row.line.y1 - above.line.y1
    if above.style.size != size or pitch > ALWAYS_CLOSE_PITCH_EM * size:
        return False
    if len(paragraph) == 1 and above.bold and row.run_in:
        return True  # a run-in heading of more than a line
    if not _is_bold_sentence(paragraph):
        return False
    return row.text[0].islower() if row.run_in else above.text[-1] in SENTENCE_ENDS


def _continues_in_bold(paragraph: list[Row], row: Row) -> bool:
    """Whether a row in bold type goes on with a sentence, or a row goes on behind such a row."""
    above = paragraph[-1]
    if row.number is not None or above.text[-1] in ENDS or above.style.size != row.style.size:
        return False
    if above.bold:
        begins_plain = len(paragraph) > 1 and not paragraph[0].bold
        return begins_plain and row.text[0].islower()
    has_begun = above.line.runs[-1].style == row.line.runs[0].style
    return has_begun or (above.text[-1].isalpha() and continues_sentence(above))


def _is_bold_sentence(paragraph: list[Row]) -> bool:
    """Whether rows are the bold words, too many for a heading, that begin a numbered paragraph."""
    if paragraph[0].number is None:
        return False
    length = sum(len(row.text) for row in paragraph)
    is_bold = all(row.style.bold for row in paragraph)
    return is_bold and length > MAX_BOLD_HEADING_CHARS


def _continues_in_colour(above: Row, row: Row, metrics: ColumnMetrics) -> bool:
    """Whether a row differs from the one above only in its colour, amid a sentence: a reference."""
    if above.text[-1] in ENDS or row.number is not None:
        return False
    if above.bold or above.italic != row.italic:
        return False
    nearly_full = MIN_NEARLY_FULL_ROW_SHARE * metrics.width
    if above.width < max(MIN_ROW_BEFORE_REFERENCE_EM * above.style.size, nearly_full):
        return False
    return above.style._replace(colour="") == row.style._replace(colour="")


def _is_lead_in(above: Row, row: Row, metrics: ColumnMetrics) -> bool:
    """Whether a row is a short lead-in of its own ("其他说明：") below a finished sentence."""
    if row.width >= MAX_SHORT_ROW_SHARE * metrics.width:
        return False
    return row.text[-1] in ":：" and above.text[-1] in "。！？"


def _number_begins_item(paragraph: list[Row], row: Row, number: ItemNumber) -> bool:
    """Whether a number at the start of a row begins an item, or only stands there after a line break."""
    above = paragraph[-1]
    is_certain = not number.pattern.begins_sentences
    if is_certain and above.text[-1] in SENTENCE_ENDS:
        return True
    if is_certain and _goes_on_counting(paragraph, row, number):
        return True
    if row.bold != above.bold:
        return True
    indent = row.line.x0 - above.line.x0
    return abs(indent) > MIN_ITEM_NUMBER_INDENT_EM * row.style.size


def _goes_on_counting(paragraph: list[Row], row: Row, number: ItemNumber) -> bool:
    """Whether a number is the next after that of the paragraph, or the first below it: "2. …", "a) …".

    A capital behind it tells it from a reference after a line break: "see (a) above".
    """
    first = paragraph[0].number
    if first is None:
        return False
    initial = row.text[number.title_start :][:1]
    if not initial.isalnum() or initial.islower():
        return False
    if follows(first, number):
        return True
    return starts_list(number) and number.form != first.form


# --- Headings ---
#
# Joins the lines of one heading: a number and its title, a label and its title, the rows of a long title.
#
#     2.1   Methods      CHAPTER 3             2.1 A title that is too
#                        The title below       long for one line
#
# What is not one object here can't become one heading later.


# --- A number and the title beside it ---


def join_numbers(lines: Sequence[Line], styles: Sequence[Style]) -> list[Line]:
    """The lines, each lone number, bullet or caption label joined with the line at its right."""
    marks = [i for i, line in enumerate(lines) if is_bare_mark(line.text) or is_caption_label(line.text)]
    if not marks:
        return list(lines)
    by_top = sorted(range(len(lines)), key=lambda i: lines[i].y0)
    tops = [lines[i].y0 for i in by_top]
    joined: list[Line | None] = list(lines)
    for i in marks:
        mark = lines[i]
        if joined[i] is not mark:
            continue  # it is the title of another mark
        reach = MAX_NUMBER_TITLE_TOP_SHIFT_EM * mark.size
        first = bisect_left(tops, mark.y0 - reach)
        last = bisect_left(tops, mark.y0 + reach)
        near = by_top[first:last]
        # A line that was joined with another number is not available any more.
        available = [j for j in near if joined[j] is lines[j] and j != i]
        beside = [j for j in available if _is_beside(mark, lines[j])]
        if not beside or _numbers_formula(mark, [lines[j] for j in near], lines):
            continue
        nearest = min(beside, key=lambda j: lines[j].x0)
        joined[i] = join_side_by_side([mark, lines[nearest]], styles)
        joined[nearest] = None
    return [line for line in joined if line is not None]


def _is_beside(mark: Line, title: Line) -> bool:
    """Whether a title stands on the line of a mark, at its right."""
    overlap = min(mark.y1, title.y1) - max(mark.y0, title.y0)
    lower_height = min(mark.y1 - mark.y0, title.y1 - title.y0)
    if overlap < MIN_ROW_OVERLAP_SHARE * lower_height:
        return False
    if not any(map(str.isalpha, title.text)):
        return False
    gap = title.x0 - mark.x1
    narrowest = -MAX_NUMBER_TITLE_OVERLAP_EM * mark.size
    widest = MAX_NUMBER_TITLE_GAP_EM * max(mark.size, title.size)
    return narrowest < gap < widest


def _numbers_formula(mark: Line, near: Sequence[Line], lines: Sequence[Line]) -> bool:
    """Whether a mark in brackets is the number of an equation, in front of the next column's text."""
    if mark.text[0] not in "(（":
        return False
    return _ends_formula(mark, near) or _ends_column(mark, lines)


def _ends_formula(number: Line, near: Sequence[Line]) -> bool:
    """Whether something stands close to the left of a number, as a formula does."""
    widest_gap = MAX_FORMULA_NUMBER_GAP_EM * number.size
    for line in near:
        shares_height = min(number.y1, line.y1) > max(number.y0, line.y0)
        gap = number.x0 - line.x1
        if shares_height and 0 < gap < widest_gap:
            return True
    return False


def _ends_column(number: Line, lines: Sequence[Line]) -> bool:
    """Whether a number stands at the right edge of a column of text: the line at its right is of the next."""
    ends = 0
    for line in lines:
        ends_there = abs(line.x1 - number.x1) < MAX_COLUMN_END_SHIFT_PT
        ends += line.x0 < number.x0 and ends_there
    return ends >= MIN_LINES_AT_COLUMN_END_COUNT


# --- A label and the title below it ---


def join_labels(blocks: list[Block], body_size: float) -> list[Block]:
    """The blocks with every label ("Chapter 3", "第三章") joined to the title below it."""
    joined: list[Block] = []
    for block in blocks:
        if joined and _is_label_of(joined[-1], block, body_size):
            label = joined[-1]
            joined[-1] = with_rows(label, label.rows + block.rows)
            joined[-1].label_rows = len(label.rows)
        else:
            joined.append(block)
    return joined


def _is_label_of(label: Block, title: Block, body_size: float) -> bool:
    """Whether `label` is the number of the heading `title` which follows it."""
    if not 1 <= len(label.rows) <= MAX_LABEL_ROWS:
        return False
    if not 1 <= len(title.rows) <= MAX_TITLE_ROWS:
        return False
    head, first = label.rows[-1], title.rows[0]
    if first.number is not None or first.bullet:
        return False
    gap = first.line.y0 - head.line.y1
    is_same_style = head.style == first.style
    if len(label.rows) == 1 and is_caption_label(head.text):
        # The title may go on in small capitals behind its first letter.
        begins_alike = is_same_style or head.line.runs[-1].style == first.line.runs[0].style
        return begins_alike and gap < MAX_CAPTION_LABEL_GAP_EM * head.style.size
    if not is_chapter_label(label.rows, body_size):
        return False
    if caption_end(first.text) or not any(map(str.isalpha, first.text)):
        return False
    if _is_centred_above_flush(head, first, title):
        return False
    size = max(head.style.size, first.style.size)
    if not MIN_LABEL_GAP_EM * size < gap < MAX_LABEL_GAP_EM * size:
        return False
    return is_prominent(first, body_size) or (is_same_style and first.text.isupper())


def _is_centred_above_flush(head: Row, first: Row, title: Block) -> bool:
    """Whether a label stands in the middle of its column, and what follows begins at the left edge.

    "PART I" over the first heading of the part is not the label of that heading.
    """
    left, right = title.column_x0, title.column_x1
    if abs(head.line.axis - (left + right) / 2) >= MAX_COLUMN_AXIS_SHIFT_PT:
        return False
    indent = head.line.x0 - left
    if indent <= MIN_CENTRED_LABEL_INDENT_EM * head.style.size:
        return False
    if first.line.x0 - left >= MAX_FLUSH_TITLE_INDENT_PT:
        return False
    return right - first.line.x1 > MIN_FLUSH_TITLE_MARGIN_SHARE * indent


# --- The rows of one title ---


def continues_heading(paragraph: list[Row], row: Row, metrics: ColumnMetrics) -> bool:
    """Whether a prominent row goes on with the heading above it."""
    first, above = paragraph[0], paragraph[-1]
    if row.number is not None and not continues_sentence(above):
        return False
    if above.style.italic != row.style.italic and not _is_large_pair(above, row, metrics):
        return False
    if is_chapter_label([above], metrics.body_size):
        return False  # `join_labels` joins it with its title
    if _leaves_centre(above, row, metrics):
        return False
    size = row.style.size
    # Latin letters in Chinese make a row higher, at its foot more than at its head.
    pitch = min(row.line.y1 - above.line.y1, row.line.y0 - above.line.y0)
    usual = metrics.usual_pitch(size)
    if pitch > max(MAX_HEADING_PITCH_EM * size, MAX_HEADING_PITCH_TIMES * usual):
        return False
    if _leaves_tabbed_title(first, row) and pitch > MIN_WIDE_PITCH_TIMES * usual:
        return False
    free = metrics.right_of(above.line) - above.line.x1
    if free < first_word_width(row):
        return True
    if is_centred_pair(above, row, metrics) or continues_sentence(above) or row.text[0].islower():
        return True
    # Chinese fills its lines to the last character: a short line ends, however close the next.
    fills_lines = is_cjk(row.text[0])
    left = row.line.x0
    if first.number is not None and left - first.line.x0 > MIN_HANGING_TITLE_INDENT_EM * size:
        misses_edge = abs(left - _title_edge(first)) >= MAX_HANGING_TITLE_SHIFT_EM * size
        return not misses_edge and not fills_lines
    if pitch < MAX_TIGHT_PITCH_TIMES * usual and not fills_lines:
        return True
    is_large = size > MIN_LARGE_HEADING_SIZE_TIMES * metrics.body_size
    return is_large and pitch < MAX_LARGE_HEADING_PITCH_EM * size


def _is_large_pair(above: Row, row: Row, metrics: ColumnMetrics) -> bool:
    """Whether two rows are large print of one size, close together: italics there are words of one title."""
    size = row.style.size
    if size <= MIN_LARGE_HEADING_SIZE_TIMES * metrics.body_size or above.style.size != size:
        return False
    pitch = row.line.y1 - above.line.y1
    return pitch < MAX_LARGE_HEADING_PITCH_EM * size


def _title_edge(first: Row) -> float:
    """Where the title begins in a row that has a number."""
    number_length = first.number.title_start if first.number is not None else 0
    number_run, *title_runs = first.line.runs
    if title_runs and len(number_run.text.strip()) <= number_length:
        return title_runs[0].x0
    # Letters have no positions of their own: take them as equally wide.
    return first.line.x0 + first.width * number_length / len(first.text)


def may_end_title(title: Row, row: Row) -> bool:
    """Whether a row may be the last word of a title, though it heads lists elsewhere: "Algorithms"."""
    if title.style != row.style or " " in row.text:
        return False
    return title.width > MIN_WIDENED_ROW_TIMES * row.width


def _leaves_centre(above: Row, row: Row, metrics: ColumnMetrics) -> bool:
    """Whether a row begins at the column's edge below one that stands in its middle: two headings."""
    left = row.line.x0
    if left > metrics.left + MAX_ALIGNED_EDGE_SHIFT_PT:
        return False
    if above.line.x0 < left + MIN_CENTRED_MARGIN_EM * row.style.size:
        return False
    left_margin = above.line.x0 - metrics.left
    right_margin = metrics.right - above.line.x1
    is_centred = abs(left_margin - right_margin) < MAX_COLUMN_AXIS_SHIFT_PT
    return is_centred and not share_axis(above, row)


def _leaves_tabbed_title(first: Row, row: Row) -> bool:
    """Whether a row begins under the number of a title with a tab between both, and so does not hang."""
    runs = first.line.runs
    if first.number is None or len(runs) < 2:
        return False
    number, title = runs[:2]
    tab = title.x0 - number.x1
    if tab <= MIN_NUMBER_TAB_EM * row.style.size:
        return False
    return abs(row.line.x0 - number.x0) < MAX_ALIGNED_EDGE_SHIFT_PT


# --- Drop caps: the large first letter of a paragraph, which reaches over several of its lines ---
#
#     T he year under      the letter is a line of its own, and what stands beside it is indented
#       review was …
#     exceptional
#
# Left alone, the letter looks like a title, the first word loses its letter, and the indented lines look
# like a paragraph of their own.

_QUOTES = "\"'“‘«„"


def join_drop_caps(lines: list[Line]) -> list[Line]:
    """The lines of a page, each drop cap joined to the first of the lines beside it.

    The lines beside a drop cap begin at its left edge afterwards, as those below it do.
    """
    caps = [i for i, line in enumerate(lines) if _is_large_letter(line.text)]
    if not caps:
        return lines
    joined = list(lines)
    dropped = set()
    for cap in caps:
        letter = lines[cap]
        beside = _lines_beside(letter, lines)
        if len(beside) < MIN_DROP_CAP_LINES_COUNT or not lines[beside[0]].text[:1].isalpha():
            continue
        dropped.add(cap)
        for i in beside:
            joined[i] = _begin_at(joined[i], letter.x0)
        first = beside[0]
        joined[first] = _put_before(joined[first], letter.text)
    return [line for i, line in enumerate(joined) if i not in dropped]


def _is_large_letter(text: str) -> bool:
    """Whether a text is one capital letter, perhaps after a quotation mark."""
    letter = text.lstrip(_QUOTES)
    return len(letter) == 1 and letter.isupper()


def _lines_beside(cap: Line, lines: Sequence[Line]) -> list[int]:
    """The lines right of a letter, over its height, that are much smaller; the highest one first."""
    found = []
    for i, line in enumerate(lines):
        is_smaller = line.size * MIN_DROP_CAP_SIZE_TIMES <= cap.size
        # Glyphs of a large letter may reach below the baseline of its last line: middles are compared.
        if is_smaller and cap.y0 <= line.middle <= cap.y1 and _touches(cap, line):
            found.append(i)
    found.sort(key=lambda i: lines[i].y0)
    return found


def _touches(cap: Line, line: Line) -> bool:
    gap = line.x0 - cap.x1
    em = line.size
    return -MAX_DROP_CAP_LINE_SHIFT_EM * em <= gap <= MAX_DROP_CAP_GAP_EM * em


def _begin_at(line: Line, x0: float) -> Line:
    first, *others = line.runs
    first = first._replace(x0=x0)
    return line._replace(x0=x0, runs=(first, *others))


def _put_before(line: Line, letter: str) -> Line:
    first, *others = line.runs
    first = first._replace(text=f"{letter}{first.text}")
    return line._replace(text=f"{letter}{line.text}", runs=(first, *others))
