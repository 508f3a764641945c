"""A line as the pieces that may be cells: its words where they are numbers, all of it where it is text.

A reader of PDFs gives runs, whose boxes are known but not those of their words, and a run may hold several
cells: number columns stand as close as words do. Where a word begins and ends is estimated from the usual
widths of characters, scaled to the run's own width.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from held.document import Run
from held.layout.characters import SPACE_WIDTH_EM, has_hidden_gaps, is_cjk, text_width
from held.layout.lines import Line
from held.layout.tables.values import AFTER_NUMBER, BEFORE_NUMBER, is_value
from held.layout.tolerances import (
    MAX_SAME_WORD_GAP_EM,
    MAX_SHARE_GAP_EM,
    MAX_THOUSANDS_GAP_EM,
    MIN_LEADER_DOTS_COUNT,
    MIN_TRAILING_VALUES_COUNT,
    MIN_VALUE_GAP_EM,
)

# How a line ends whose last word may be a value or a sign: any other is one piece.
ENDS_IN_VALUE = re.compile(
    r"[\d)）%％‰\]$€£¥￥*†x×^–—−‒(-]\s*$|\b(?:bps|pp|ms|n/?[am]\.?|nil|RMB|Rs\.|[KMB])$|不适用$|无$", re.I
)
# The letters that such ends have last: most lines end in another letter, and need no closer look.
ENDING_LETTERS = frozenset("bpsmalkx用无")
WORDS_AND_BLANKS = re.compile(r"\s+|\S+")
VALUE = r"(?:[(+\-–−$€£]*\d[\d.,]*[%)]*|[–—-]|n/?a)"
TRAILING_VALUES = re.compile(rf"(?<=[^\s,]\s){VALUE}(?:\s+{VALUE})*\s*$")  # a year behind a comma ends a date
GROUPS = re.compile(r"(?<!\S)[(+\-–−$€£]*\d{1,3}(?: \d{3})+(?:[.,]\d+)?[%)]*(?!\S)|\S+")
THOUSANDS_BY_COMMA = re.compile(r"\d,\d{3}(?!\d)")
COMMA_BEHIND_GROUPS = re.compile(r"\d \d{3},\d")  # "12 345,678", where commas part decimals
GROUPS_BEFORE = re.compile(r"[(+\-–−$€£]*\d{1,3}(?: \d{3})*")
GROUP_AFTER = re.compile(r"\d{3}(?:[.,]\d+)?[%)]*")
LEADERS = re.compile(r"(?:\s?[.…·_]){4,}\s*|\s*(?:\. ){3,}\.?\s*")
SHARE = re.compile(r"[(（]\d[\d.,]*[%％][)）]|[(（]\d*\.\d+[)）]|±\d[\d.,]*")
LEADER_SIGNS = "._…·"
LONGEST_END = 8  # characters that tell how a line ends


class Word(NamedTuple):
    """A word with its estimated place. `gap` is the space before it, infinite at the line's beginning."""

    x0: float
    x1: float
    text: str
    gap: float


def words_of(line: Line, *, by_comma: bool = False) -> list[Word]:
    """The words of a line from left to right; `by_comma` as in `line_pieces`."""
    words: list[Word] = []
    end = float("-inf")
    for run in line.runs:
        for x0, x1, text in words_of_run(run, line.size, by_comma=by_comma):
            gap = x0 - end
            if words and gap < MAX_SAME_WORD_GAP_EM * line.size:  # a word goes on in another style
                last = words[-1]
                words[-1] = Word(last.x0, x1, last.text + text, last.gap)
            else:
                words.append(Word(x0, x1, text, gap))
            end = x1
    return words


def words_of_run(run: Run, size: float, *, by_comma: bool = False) -> Iterator[tuple[float, float, str]]:
    """The words of a run with their extents; `size` is that of its font."""
    text = run.text
    if " " not in text:
        yield run.x0, run.x1, text
        return
    if has_hidden_gaps(run, size):
        values = TRAILING_VALUES.search(text)
        if values and values.start():
            numbers = _numbers_in(values[0], by_comma)
            yield from _spread(run, text[: values.start()].split(), numbers, size)
            return
    em = (run.x1 - run.x0) / max(text_width(text), 0.1)
    x = run.x0
    for part in WORDS_AND_BLANKS.findall(text):
        end = x + em * text_width(part)
        if not part.isspace():
            yield x, end, part
        x = end


def _numbers_in(text: str, by_comma: bool) -> list[str]:
    """The numbers of a text, groups of digits put together unless commas part them."""
    words = text.split()
    return words if by_comma or "," in text else GROUPS.findall(text)


def _spread(run: Run, label: list[str], values: list[str], size: float) -> Iterator[tuple[float, float, str]]:
    """The words of a run that hides wide gaps: its label is set as usual, its values stand evenly apart."""
    x = run.x0
    for word in label:
        end = x + size * text_width(word)
        yield x, end, word
        x = end + size * SPACE_WIDTH_EM
    gap = (run.x1 - x - size * sum(map(text_width, values))) / len(values)
    for value in values:
        start = x + gap
        x = start + size * text_width(value)
        yield start, x, value


def parts_thousands_by_comma(texts: Iterable[str]) -> bool:
    """Whether numbers of a page are written "12,345", so that "395 416" is two of them."""
    with_commas = [text for text in texts if "," in text and THOUSANDS_BY_COMMA.search(text)]
    return bool(with_commas) and not any(map(COMMA_BEHIND_GROUPS.search, with_commas))


def line_pieces(line: Line, *, by_comma: bool = False) -> list[tuple[float, float, str]]:
    """The pieces of a line that may be cells, each with its extent; mostly the line itself.

    `by_comma`: the numbers around have commas between their thousands, so a space parts two numbers.
    """
    text = line.text
    if _may_have_leaders(text) and LEADERS.search(text):
        return _at_leaders(line, by_comma)
    if is_one_piece(line):
        return [(line.x0, line.x1, text)]
    words = _folded(words_of(line, by_comma=by_comma), line.size, by_comma)
    pieces: list[Word] = []
    first = _first_cell(words, line.size)
    if first == len(words):
        return [(line.x0, line.x1, text)]
    for place, word in enumerate(words):
        if pieces and place < first:
            pieces[-1] = _joined(pieces[-1], word)
        else:
            pieces.append(word)
    return [(piece.x0, piece.x1, piece.text) for piece in pieces]


def is_one_piece(line: Line) -> bool:
    """Whether a line without leaders is one piece for sure: it is a word, or does not end in a value."""
    text = line.text
    if " " not in text and line.runs[0].text == text:
        return True
    if text[-1:].isalpha() and text[-1].casefold() not in ENDING_LETTERS:
        return True
    return not ENDS_IN_VALUE.search(text, max(0, len(text) - LONGEST_END))


def _may_have_leaders(text: str) -> bool:
    """Whether a text has as many dots or the like as leaders: told faster than leaders are found."""
    return sum(map(text.count, LEADER_SIGNS)) >= MIN_LEADER_DOTS_COUNT


def _first_cell(words: list[Word], size: float) -> int:
    """From which of the words on each is a cell of its own: the values that the line ends with."""
    first = len(words)
    while first and _is_value_or_sign(words[first - 1].text):
        first -= 1
    if not 0 < first < len(words):
        return first
    apart = words[first].gap > MIN_VALUE_GAP_EM * size
    # The year of a date is no cell, nor the number of a note, unless others stand behind it.
    if apart or len(words) - first >= MIN_TRAILING_VALUES_COUNT:
        return first
    return len(words)


def _is_value_or_sign(text: str) -> bool:
    return text in BEFORE_NUMBER or is_value(text)


def _folded(words: list[Word], size: float, by_comma: bool) -> list[Word]:
    """The words with signs put to their numbers, and the groups of a number's digits put together."""
    has_commas = by_comma or any("," in word.text and THOUSANDS_BY_COMMA.search(word.text) for word in words)
    folded: list[Word] = []
    for word in words:
        last = folded[-1] if folded else None
        if last is None:
            folded.append(word)
        elif last.text in BEFORE_NUMBER and is_value(word.text):
            folded[-1] = Word(word.x0, word.x1, last.text + word.text, last.gap)
        elif word.text in AFTER_NUMBER and is_value(last.text):
            folded[-1] = Word(last.x0, word.x1, last.text + word.text, last.gap)
        elif (not has_commas and _is_group(last, word, size)) or _is_share(last, word, size):
            folded[-1] = _joined(last, word)
        else:
            folded.append(word)
    return folded


def _is_share(before: Word, word: Word, size: float) -> bool:
    """Whether a word is the share or the error, in brackets, of the number right before it."""
    return (
        word.gap < MAX_SHARE_GAP_EM * size
        and SHARE.fullmatch(word.text) is not None
        and before.text[-1:].isdigit()
    )


def _is_group(before: Word, word: Word, size: float) -> bool:
    """Whether a word goes on with the digits of the number before it."""
    return (
        word.gap < MAX_THOUSANDS_GAP_EM * size
        and GROUP_AFTER.fullmatch(word.text) is not None
        and GROUPS_BEFORE.fullmatch(before.text) is not None
    )


def _joined(a: Word, b: Word) -> Word:
    glued = is_cjk(a.text[-1]) and is_cjk(b.text[0])
    return Word(a.x0, b.x1, a.text + ("" if glued else " ") + b.text, a.gap)


def _at_leaders(line: Line, by_comma: bool) -> list[tuple[float, float, str]]:
    """The pieces before and behind dot leaders, which are no text."""
    joined: list[Word] = []
    behind = led = False
    words = [
        Word(word.x0, word.x1, text, word.gap)
        for word in words_of(line, by_comma=by_comma)
        if (text := word.text.rstrip(LEADER_SIGNS))
    ]
    for word in _folded(words, line.size, by_comma):
        led = led or (bool(joined) and word.x0 - joined[-1].x1 > MIN_VALUE_GAP_EM * line.size)
        behind = behind or (led and _is_value_or_sign(word.text))
        if joined and not behind:
            joined[-1] = _joined(joined[-1], word)
        else:
            joined.append(word)
    return [(word.x0, word.x1, word.text) for word in joined]
