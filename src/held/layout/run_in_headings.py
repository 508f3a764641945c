"""Splits off run-in headings ("**Interest.** We pay …") from the paragraphs that they begin.

A full stop or a wide gap shows one by itself. Without them the document's habit decides: where many
paragraphs begin with different words in the same style and with the same mark behind them, these words are
headings. A single emphasised start is a stressed word.

Bold and italic type emphasise, and so does an underline. Files that name their fonts F1 and F2 don't say
which of them is bold: there another font than that of the text counts as well, but only by habit.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from held.document import Kind, Run
from held.layout.blocks import Block, Typography, with_rows
from held.layout.characters import is_cjk, text_width
from held.layout.lines import Line, make_line
from held.layout.paragraph_cues import SENTENCE_ENDS, is_bare_number
from held.layout.rows import Row, Strokes, make_row
from held.layout.tolerances import (
    MAX_UNDERLINE_OVERHANG_PT,
    MIN_RUN_IN_GAP_EM,
    MIN_UNDERLINE_DEPTH_SHARE,
)
from held.numbering import Use, parse_number
from held.numbering.titles import caption_end

# Lengths in characters.
MAX_HEADING_CHARS = 80  # a longer emphasised start is a sentence
MIN_HEADING_CHARS = 3
MIN_CJK_HEADING_CHARS = 2
MIN_REST_CHARS = 40  # a shorter rest without an end is the second half of a heading in two fonts
MIN_CJK_REST_CHARS = 15  # Chinese needs half as many characters
MAX_SYMBOL_CHARS = 2  # of a bold symbol in plain text

# The habit of a document.
MIN_HABIT_TITLES = 3  # paragraphs that begin so, with different words and a separator behind them ...
MIN_UNMARKED_HABIT_TITLES = 4  # ... and without one
MIN_HABIT_SHARE = 0.6  # of all paragraphs that begin in this style: in the others the sentence goes on
MAX_REPEATS = 2  # of the same words: what comes more often ("Hint:") is a label and no title
SEPARATORS = ":：-–—"  # that may stand between heading and text
STOPS = ".。"  # that may end a heading
LEAD_KINDS = frozenset({Kind.PARAGRAPH, Kind.LIST_ITEM})
WORD = re.compile(r"\S+")
LABEL = re.compile(r"[^\W\d]+\s*\d+(?:[.\-]\d+)*")  # "Exercise 4.1", which names no subject


class _Emphasis(NamedTuple):
    """How words differ from the text around them; `font` counts where no other sign does."""

    bold: bool = False
    italic: bool = False
    underlined: bool = False
    font: str = ""


class _Lead(NamedTuple):
    """A paragraph divided behind its emphasised start; `gap` is the white between the two in points."""

    head: list[Row]
    rest: list[Row]
    emphasis: _Emphasis
    size: float
    gap: float

    @property
    def title(self) -> str:
        """The emphasised words without the item number before them and a separator at their end."""
        words = " ".join(row.text for row in self.head)
        number = self.head[0].number
        if number is not None:
            words = words[number.title_start :]
        return words.strip(SEPARATORS + " ")

    @property
    def separator(self) -> str:
        """The separator at the end of the emphasised words, or behind them."""
        marks = SEPARATORS + STOPS
        end = self.head[-1].text[-1]
        if end in marks:
            return end
        begin = self.rest[0].text[0]
        return begin if begin in marks else ""


class _Habit(NamedTuple):
    """How a document sets its run-in headings; `is_item`: in bold, behind the number of a list."""

    emphasis: _Emphasis
    size: float
    separator: str
    is_item: bool


def split_run_ins(blocks: list[Block], typography: Typography) -> list[Block]:
    """The blocks, divided behind every run-in heading that a stop or a wide gap shows."""
    split: list[Block] = []
    for block in blocks:
        lead = _find_lead(block, typography)
        if lead is None or not _is_run_in(lead):
            split.append(block)
        else:
            split += _split_behind_separator(block, lead, typography)
    return split


def split_habitual_run_ins(
    pages: Sequence[list[Block]], strokes: Sequence[Strokes], typography: Typography
) -> list[list[Block]]:
    """The blocks of all pages, divided behind every run-in heading that the document's habit shows.

    `strokes` are those of each page that may underline words.
    """
    leads: dict[int, _Lead] = {}
    for blocks, on_page in zip(pages, strokes, strict=True):
        for block in blocks:
            lead = _find_lead(block, typography, on_page)
            if lead is not None and _may_be_title(lead.title) and _can_number_titles(lead):
                leads[id(block)] = lead
    habits = _find_habits(list(leads.values()))
    if not habits:
        return list(pages)
    repeats = Counter(lead.title for lead in leads.values())
    split: list[list[Block]] = []
    for blocks in pages:
        pieces: list[Block] = []
        for block in blocks:
            lead = leads.get(id(block))
            if lead is None or not _follows_habit(lead, habits, repeats):
                pieces.append(block)
            else:
                pieces += _split_behind_separator(block, lead, typography)
        split.append(pieces)
    return split


def _may_have_number(lead: _Lead) -> bool:
    """Whether a lead has no number, or one behind which its emphasis shows a title.

    In lists bold words name the items ("1. **Speed:** It takes …"); in italics or with an underline they are
    titles: "(a) *Leases.* The company …".
    """
    number = lead.head[0].number
    if number is None:
        return True
    is_light = lead.emphasis.underlined or _is_light_italic(lead.emphasis)
    return is_light and number.pattern.use is Use.LIST


def _can_number_titles(lead: _Lead) -> bool:
    """Whether a lead has no number, or one that both titles and the items of lists have."""
    number = lead.head[0].number
    return number is None or number.pattern.use is Use.LIST


def _is_light_italic(emphasis: _Emphasis) -> bool:
    return emphasis.italic and not emphasis.bold


def _may_be_title(text: str) -> bool:
    shortest = MIN_CJK_HEADING_CHARS if text and is_cjk(text[0]) else MIN_HEADING_CHARS
    has_title_length = shortest <= len(text) <= MAX_HEADING_CHARS
    return has_title_length and LABEL.fullmatch(text) is None


def _habit_of(lead: _Lead) -> _Habit:
    is_item = not _may_have_number(lead)
    return _Habit(lead.emphasis, lead.size, lead.separator, is_item)


def _find_habits(leads: Sequence[_Lead]) -> set[_Habit]:
    """The ways in which enough paragraphs begin with different words before a sentence of its own."""
    starts: Counter[_Habit] = Counter()
    starts_before_sentence: Counter[_Habit] = Counter()
    titles: dict[_Habit, set[str]] = {}
    for lead in leads:
        habit = _habit_of(lead)
        starts[habit] += 1
        if _precedes_sentence(lead):
            starts_before_sentence[habit] += 1
            titles.setdefault(habit, set()).add(lead.title)
    habits = set()
    for habit, texts in titles.items():
        least = MIN_HABIT_TITLES if habit.separator else MIN_UNMARKED_HABIT_TITLES
        usual = MIN_HABIT_SHARE * starts[habit]
        if len(texts) >= least and starts_before_sentence[habit] >= usual:
            habits.add(habit)
    return habits


def _follows_habit(lead: _Lead, habits: set[_Habit], repeats: Counter[str]) -> bool:
    if _habit_of(lead) not in habits or repeats[lead.title] > MAX_REPEATS:
        return False
    return _precedes_sentence(lead)


def _precedes_sentence(lead: _Lead) -> bool:
    """Whether a sentence of its own follows the emphasised words, which are no part of it."""
    title, separator = lead.title, lead.separator
    if not _may_have_number(lead) and not title.isupper():
        return False  # the bold name of an item; in capitals it is the title of a clause
    if not title[0].isupper() and not is_cjk(title[0]):
        return False
    if title.count("(") != title.count(")"):
        return False
    if not separator and not lead.emphasis.bold:
        return False  # words in italics before a sentence may be a name
    if lead.emphasis.font and separator in STOPS:
        return False  # names of authors in a bibliography
    first = lead.rest[0].text.lstrip(SEPARATORS + STOPS + " ")
    is_chinese = is_cjk(first[:1]) and first[0].isalpha()
    if not is_chinese and not first[:1].isupper():
        return False
    shortest = MIN_CJK_REST_CHARS if is_chinese else MIN_REST_CHARS
    return len(lead.rest) > 1 or len(first) >= shortest


def _split_behind_separator(block: Block, lead: _Lead, typography: Typography) -> list[Block]:
    """The heading and the paragraph of a block; the separator between them goes to the heading."""
    head_rows, rest_rows = [*lead.head], [*lead.rest]
    rest_run, *other_runs = rest_rows[0].line.runs
    separator, words = _split_separator(rest_run)
    if separator is not None:
        head_runs = [*head_rows[-1].line.runs, separator]
        rest_runs = other_runs if words is None else [words, *other_runs]
        head_rows[-1] = _row(head_runs, block.page, typography)
        rest_rows[0] = _row(rest_runs, block.page, typography)
    head = with_rows(block, head_rows)
    rest = with_rows(block, rest_rows)
    head.kind = rest.kind = Kind.PARAGRAPH
    head.gap_below = rest.gap_above = round(rest.box.y0 - head.box.y1, 1)
    return [head, rest]


def _row(runs: Sequence[Run], page: int, typography: Typography) -> Row:
    line = make_line(runs, typography.styles)
    return make_row(line, page, typography.text_styles)


def _split_separator(run: Run) -> tuple[Run | None, Run | None]:
    """A run that begins with a separator, divided behind it; None for a part that is empty."""
    text = run.text.lstrip()  # blanks of every kind: some producers write no-break spaces
    words = text.lstrip(SEPARATORS + STOPS + " ")
    if words == text:
        return None, run
    if not words:
        return run, None
    # The positions of letters are unknown: take them as equally wide.
    cut = run.x1 - (run.x1 - run.x0) * len(words) / len(run.text)
    start = len(run.text) - len(words)
    separator_run = run._replace(x1=cut, text=run.text[:start].strip(), words=())
    words_run = run._replace(x0=cut, text=words, words=())
    return separator_run, words_run


def _find_lead(block: Block, typography: Typography, strokes: Strokes | None = None) -> _Lead | None:
    """A paragraph's emphasised start and the text after it, or None where it has none.

    With `strokes`, those of the page, underlines and fonts count as emphasis, too.
    """
    if block.kind not in LEAD_KINDS or not block.rows:
        return None
    first = block.rows[0]
    if first.bullet or caption_end(first.text):
        return None
    start = first.line.runs[_number_runs(first)]
    style = typography.text_styles[start.style]
    if style.bold or style.italic:
        return _lead_in_style(block, _Emphasis(bold=style.bold, italic=style.italic), typography)
    if strokes is None:
        return None
    end = _underline_end(first.line, start, strokes) if strokes.boxes else None
    if end is not None:
        return _underlined_lead(block, end, typography)
    font = typography.styles[start.style].font
    if len(first.line.runs) == 1 or style.mono or style.mathematical or font == typography.body_font:
        return None
    return _lead_in_style(block, _Emphasis(font=font), typography)


def _lead_in_style(block: Block, emphasis: _Emphasis, typography: Typography) -> _Lead | None:
    """The lead whose runs have an emphasis that the runs behind it don't have."""
    text_styles = typography.text_styles
    first = block.rows[0]
    # The lead may fill the first row and end in the second.
    fills_first = _end_of_lead(first, emphasis, typography) == len(first.line.runs)
    index = 1 if fills_first and len(block.rows) > 1 else 0
    row = block.rows[index]
    runs = row.line.runs
    end = _end_of_lead(row, emphasis, typography)
    head_runs, rest_runs = runs[:end], runs[end:]
    if not head_runs or not rest_runs:
        return None
    if emphasis.bold and not head_runs[-1].text.rstrip().endswith((".", "。")):
        bold_later = [run.text for run in rest_runs if text_styles[run.style].bold]
        if any(len(text) > MAX_SYMBOL_CHARS for text in bold_later):
            return None  # a bold heading with a symbol in it
    head = [*block.rows[:index], _row(head_runs, row.page, typography)]
    rest = [_row(rest_runs, row.page, typography), *block.rows[index + 1 :]]
    start = first.line.runs[_number_runs(first)]
    size = text_styles[start.style].size
    gap = rest_runs[0].x0 - head_runs[-1].x1
    return _Lead(head, rest, emphasis, size, gap)


def _underline_end(line: Line, start: Run, strokes: Strokes) -> float | None:
    """Where the underline ends that begins with a line's title; None without one."""
    highest = line.y0 + MIN_UNDERLINE_DEPTH_SHARE * (line.y1 - line.y0)
    lowest = line.y1 + MAX_UNDERLINE_OVERHANG_PT
    first = bisect_right(strokes.middles, highest)
    last = bisect_left(strokes.middles, lowest)
    if first >= last:
        return None
    number = parse_number(start.text)
    # The number has no stroke; its width is an estimate.
    indent = 0.0
    largest_shift = MAX_UNDERLINE_OVERHANG_PT
    if number is not None:
        indent = _x_behind(start, number.title_start) - start.x0
        largest_shift += line.size
    end = None
    for stroke in sorted(strokes.boxes[first:last]):
        if end is None:
            if abs(stroke.x0 - start.x0 - indent) < largest_shift:
                end = stroke.x1
        elif stroke.x0 - end < MAX_UNDERLINE_OVERHANG_PT:
            end = max(end, stroke.x1)
    return end


def _x_behind(run: Run, count: int) -> float:
    """About where the first characters of a run end."""
    text = run.text
    share = text_width(text[:count]) / text_width(text)
    return run.x0 + share * (run.x1 - run.x0)


def _underlined_lead(block: Block, end: float, typography: Typography) -> _Lead | None:
    """The lead above an underline that ends at `end`, in the first row."""
    row = block.rows[0]
    runs = row.line.runs
    head_runs = [run for run in runs if run.x1 < end + MAX_UNDERLINE_OVERHANG_PT]
    rest_runs = list(runs[len(head_runs) :])
    if not rest_runs:
        return None
    if rest_runs[0].x0 < end - MAX_UNDERLINE_OVERHANG_PT:
        head_run, rest_run = _split_at_word(rest_runs[0], end)
        head_runs.append(head_run)
        rest_runs[0] = rest_run
    if not head_runs or not rest_runs[0].text.strip():
        return None
    head = [_row(head_runs, row.page, typography)]
    rest = [_row(rest_runs, row.page, typography), *block.rows[1:]]
    gap = rest_runs[0].x0 - head_runs[-1].x1
    return _Lead(head, rest, _Emphasis(underlined=True), row.style.size, gap)


def _split_at_word(run: Run, x: float) -> tuple[Run, Run]:
    """A run, divided between two words as near to `x` as possible."""
    text = run.text
    word_ends = [word.end() for word in WORD.finditer(text)]
    cut = min(word_ends, key=lambda end: abs(_x_behind(run, end) - x))
    middle = _x_behind(run, cut)
    head = run._replace(x1=middle, text=text[:cut], words=())
    rest = run._replace(x0=middle, text=text[cut:].lstrip(), words=())
    return head, rest


def _number_runs(row: Row) -> int:
    """How many runs at the row's start are its item number, which may have another style than the title."""
    if row.number is None or len(row.line.runs) < 2:
        return 0
    first = row.line.runs[0].text.strip()
    return 1 if is_bare_number(first) else 0


def _end_of_lead(row: Row, emphasis: _Emphasis, typography: Typography) -> int:
    """The index of the row's first run with words that is not emphasised as the lead is."""
    begin = _number_runs(row)
    for index, run in enumerate(row.line.runs[begin:], start=begin):
        style = typography.text_styles[run.style]
        if emphasis.font:
            is_emphasised = typography.styles[run.style].font == emphasis.font
        else:
            is_emphasised = style.bold if emphasis.bold else style.italic
        if not is_emphasised and any(map(str.isalnum, run.text)):
            return index
    return len(row.line.runs)


def _is_run_in(lead: _Lead) -> bool:
    """Whether the emphasised start of a paragraph is a heading rather than a stressed word."""
    head, rest, emphasis, size, gap = lead
    text = " ".join(row.text for row in head)
    after = rest[0].text
    has_stop = text[-1] in STOPS or after[0] in STOPS
    is_wide = gap > MIN_RUN_IN_GAP_EM * size
    is_separate = has_stop or is_wide or text[-1] in ":："
    is_short = len(rest) == 1 and len(after) < MIN_REST_CHARS
    if is_short and not (is_separate and after[-1] in SENTENCE_ENDS):
        return False  # a heading that is set in two fonts
    if not MIN_HEADING_CHARS <= len(text) <= MAX_HEADING_CHARS or len(after) < 2:
        return False
    title = lead.title
    if not title:
        return False  # a number, a bullet or a stop alone
    goes_on = after[0].islower()
    number = head[0].number
    if number is not None and number.pattern.use is Use.SECTION:
        return is_separate or (emphasis.bold and not goes_on)
    initial = title[0] if _may_have_number(lead) else text[0]
    if is_cjk(initial):
        return emphasis.bold and has_stop
    return (has_stop or is_wide) and initial.isupper() and not goes_on
