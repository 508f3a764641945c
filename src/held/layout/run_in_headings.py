"""Splits off run-in headings ("**Interest.** We pay …") from the paragraphs that they begin.

A full stop or a wide gap shows one by itself. Without them the document's habit decides: where many
paragraphs begin with different words in the same style and with the same mark behind them, these words are
headings. A single emphasised start is a stressed word.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from held.document import Kind, Run
from held.layout.blocks import Block, Typography, with_rows
from held.layout.characters import is_cjk
from held.layout.labels import is_bare_number
from held.layout.lines import make_line
from held.layout.paragraph_cues import SENTENCE_ENDS
from held.layout.rows import Row, TextStyle, make_row
from held.layout.tolerances import MIN_RUN_IN_GAP_EM
from held.numbering import Use
from held.numbering.captions import caption_end

# Lengths in characters.
MAX_HEADING_CHARS = 80  # a longer emphasised start is a sentence
MIN_HEADING_CHARS = 3
MIN_CJK_HEADING_CHARS = 2
MIN_REST_CHARS = 40  # a shorter rest without an end is the second half of a heading in two fonts
MIN_CJK_REST_CHARS = 15  # Chinese needs half as many characters
MAX_SYMBOL_CHARS = 2  # of a bold symbol in plain text

# The habit of a document.
MIN_HABIT_TITLES = 4  # paragraphs that begin so, with different words
MIN_HABIT_SHARE = 0.6  # of all paragraphs that begin in this style: in the others the sentence goes on
MAX_REPEATS = 2  # of the same words: what comes more often ("Hint:") is a label and no title
SEPARATORS = ":：-–—"  # that may stand between heading and text
LABEL = re.compile(r"[^\W\d]+\s*\d+(?:[.\-]\d+)*")  # "Exercise 4.1", which names no subject


class _Lead(NamedTuple):
    """A paragraph divided behind its emphasised start; `gap` is the white between the two in points."""

    head: list[Row]
    rest: list[Row]
    style: TextStyle
    gap: float

    @property
    def title(self) -> str:
        """The emphasised words without a separator at their end."""
        return " ".join(row.text for row in self.head).rstrip(SEPARATORS + " ")

    @property
    def separator(self) -> str:
        """The separator at the end of the emphasised words, or behind them."""
        end, begin = self.head[-1].text[-1], self.rest[0].text[0]
        if end in SEPARATORS:
            return end
        return begin if begin in SEPARATORS else ""


class _Habit(NamedTuple):
    """How a document sets its run-in headings."""

    bold: bool
    italic: bool
    size: float
    separator: str


def split_run_ins(blocks: list[Block], typography: Typography) -> list[Block]:
    """The blocks, divided behind every run-in heading that a stop or a wide gap shows."""
    split: list[Block] = []
    for block in blocks:
        lead = _find_lead(block, typography)
        if lead is None or not _is_run_in(lead):
            split.append(block)
        else:
            split += [with_rows(block, lead.head), with_rows(block, lead.rest)]
    return split


def split_habitual_run_ins(pages: Sequence[list[Block]], typography: Typography) -> list[list[Block]]:
    """The blocks of all pages, divided behind every run-in heading that the document's habit shows."""
    leads: dict[int, _Lead] = {}
    for blocks in pages:
        for block in blocks:
            lead = _find_lead(block, typography)
            if lead is not None and lead.head[0].number is None and _may_be_title(lead.title):
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


def _may_be_title(text: str) -> bool:
    shortest = MIN_CJK_HEADING_CHARS if text and is_cjk(text[0]) else MIN_HEADING_CHARS
    return shortest <= len(text) <= MAX_HEADING_CHARS and LABEL.fullmatch(text) is None


def _habit_of(lead: _Lead) -> _Habit:
    return _Habit(lead.style.bold, lead.style.italic, lead.style.size, lead.separator)


def _find_habits(leads: Sequence[_Lead]) -> set[_Habit]:
    starts = Counter(_habit_of(lead) for lead in leads)
    titles: dict[_Habit, set[str]] = {}
    sentences: Counter[_Habit] = Counter()
    for lead in leads:
        if _precedes_sentence(lead):
            habit = _habit_of(lead)
            titles.setdefault(habit, set()).add(lead.title)
            sentences[habit] += 1
    habits = set()
    for habit, texts in titles.items():
        if len(texts) >= MIN_HABIT_TITLES and sentences[habit] >= MIN_HABIT_SHARE * starts[habit]:
            habits.add(habit)
    return habits


def _follows_habit(lead: _Lead, habits: set[_Habit], repeats: Counter[str]) -> bool:
    if _habit_of(lead) not in habits or repeats[lead.title] > MAX_REPEATS:
        return False
    return _precedes_sentence(lead)


def _precedes_sentence(lead: _Lead) -> bool:
    """Whether a sentence of its own follows the emphasised words, which are no part of it."""
    title = lead.title
    if not (title[0].isupper() or is_cjk(title[0])) or title.count("(") != title.count(")"):
        return False
    if not lead.separator and not lead.style.bold:
        return False  # words in italics before a sentence may be a name
    first = lead.rest[0].text.lstrip(SEPARATORS + " ")
    is_chinese = is_cjk(first[:1]) and first[0].isalpha()
    if not (is_chinese or first[:1].isupper()):
        return False
    if len(lead.rest) > 1:
        return True
    return len(first) >= (MIN_CJK_REST_CHARS if is_chinese else MIN_REST_CHARS)


def _split_behind_separator(block: Block, lead: _Lead, typography: Typography) -> list[Block]:
    """The heading and the paragraph of a block; the separator between them goes to the heading."""
    head_rows, rest_rows = [*lead.head], [*lead.rest]
    first_runs = rest_rows[0].line.runs
    separator, words = _split_separator(first_runs[0])
    if separator is not None:
        remaining = first_runs[1:] if words is None else (words, *first_runs[1:])
        head_rows[-1] = _row([*head_rows[-1].line.runs, separator], block.page, typography)
        rest_rows[0] = _row(remaining, block.page, typography)
    head, rest = with_rows(block, head_rows), with_rows(block, rest_rows)
    head.gap_below = rest.gap_above = round(rest.box.y0 - head.box.y1, 1)
    return [head, rest]


def _row(runs: Sequence[Run], page: int, typography: Typography) -> Row:
    return make_row(make_line(runs, typography.styles), page, typography.text_styles)


def _split_separator(run: Run) -> tuple[Run | None, Run | None]:
    """A run that begins with a separator, divided behind it; None for a part that is empty."""
    text = run.text.lstrip()  # blanks of every kind: some producers write no-break spaces
    words = text.lstrip(SEPARATORS + " ")
    if words == text:
        return None, run
    if not words:
        return run, None
    # The positions of letters are unknown: take them as equally wide.
    cut = run.x1 - (run.x1 - run.x0) * len(words) / len(run.text)
    separator = run.text[: len(run.text) - len(words)].strip()
    return run._replace(x1=cut, text=separator, words=()), run._replace(x0=cut, text=words, words=())


def _find_lead(block: Block, typography: Typography) -> _Lead | None:
    """A paragraph's emphasised start and the text after it, or None where it has none."""
    if block.kind is not Kind.PARAGRAPH or not block.rows:
        return None
    text_styles = typography.text_styles
    first = block.rows[0]
    style = text_styles[first.line.runs[_number_runs(first)].style]
    if not (style.bold or style.italic) or first.bullet or caption_end(first.text):
        return None
    # The lead may fill the first row and end in the second.
    fills_first = _end_of_lead(first, style, text_styles) == len(first.line.runs)
    index = 1 if fills_first else 0
    row = block.rows[index] if index < len(block.rows) else first
    cut = _end_of_lead(row, style, text_styles)
    if not 0 < cut < len(row.line.runs):
        return None
    head_runs, rest_runs = row.line.runs[:cut], row.line.runs[cut:]
    bold_later = any(text_styles[run.style].bold and len(run.text) > MAX_SYMBOL_CHARS for run in rest_runs)
    if style.bold and bold_later and not head_runs[-1].text.rstrip().endswith((".", "。")):
        return None  # a bold heading with a symbol in it
    head = [*block.rows[:index], _row(head_runs, row.page, typography)]
    rest = [_row(rest_runs, row.page, typography), *block.rows[index + 1 :]]
    return _Lead(head, rest, style, gap=rest_runs[0].x0 - head_runs[-1].x1)


def _number_runs(row: Row) -> int:
    """How many runs at the row's start are its item number, which may have another style than the title."""
    if row.number is None or len(row.line.runs) < 2:
        return 0
    first = row.line.runs[0].text.strip()
    return 1 if first == "§" or is_bare_number(first) else 0


def _end_of_lead(row: Row, lead: TextStyle, text_styles: Sequence[TextStyle]) -> int:
    """The index of the row's first run with words that is not emphasised as the lead is."""
    begin = _number_runs(row)
    for index, run in enumerate(row.line.runs[begin:], start=begin):
        style = text_styles[run.style]
        is_emphasised = style.bold if lead.bold else style.italic
        if not is_emphasised and any(map(str.isalnum, run.text)):
            return index
    return len(row.line.runs)


def _is_run_in(lead: _Lead) -> bool:
    """Whether the emphasised start of a paragraph is a heading rather than a stressed word."""
    head, rest, style, gap = lead
    text = " ".join(row.text for row in head)
    after = rest[0].text
    has_stop = text[-1] in ".。" or after[0] in ".。"
    is_wide = gap > MIN_RUN_IN_GAP_EM * style.size
    is_separate = has_stop or is_wide or text[-1] in ":："
    is_short = len(rest) == 1 and len(after) < MIN_REST_CHARS
    if is_short and not (is_separate and after[-1] in SENTENCE_ENDS):
        return False  # a heading that is set in two fonts
    if not MIN_HEADING_CHARS <= len(text) <= MAX_HEADING_CHARS or len(after) < 2:
        return False
    number = head[0].number
    if number is not None and not text[number.title_start :].strip():
        return False
    if number is not None and number.pattern.use is Use.SECTION:
        return is_separate or (style.bold and not after[0].islower())
    if is_cjk(text[0]):
        return style.bold and has_stop
    return (has_stop or is_wide) and text[0].isupper() and not after[0].islower()
