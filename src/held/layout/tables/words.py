"""Splits a line into the pieces that may be table cells, and recognises the values among them.

A run may hold several cells: number columns can stand as close as words do. The reader measures the words of
such runs. Stored documents have runs only: there the extent of a word is estimated from usual character
widths, scaled to the width of the run.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import NamedTuple

from held.document import Run
from held.layout.characters import SPACE_WIDTH_EM, has_hidden_gaps, is_cjk, text_width
from held.layout.lines import Line
from held.layout.tolerances import (
    MAX_HEADER_CELL_CHARS,
    MAX_SAME_WORD_GAP_EM,
    MAX_SHARE_GAP_EM,
    MAX_THOUSANDS_GAP_EM,
    MIN_LEADER_DOTS_COUNT,
    MIN_TRAILING_VALUES_COUNT,
    MIN_VALUE_GAP_EM,
)
from held.system import lazy_pattern

Piece = tuple[float, float, str]  # left and right edge, text

NUMBER = re.compile(
    r"[(（\[+\-–—−±<>≤≥~≈*†$€£¥￥]*\s*(?:(?:US|HK|R)\$|RMB|CNY|USD|Rs\.?|EUR|GBP)?\s*[(\-–—−]?"
    r"\d(?:[\d,.，．:/\s]|['’](?=\d{3})|(?<=\d)[eE][-+−](?=\d))*(?:[%％‰x×†*)）\]]|bps|pp|\s?pts?|[KMB](?![a-z])|ms|\^)*\s*(?:[(±–—-]\s*[\d.,%]+\)?)?"
)
BLANK = re.compile(r"[$€£¥￥]?\s*[-–—−‒*]+[%)]?|n/?[am]\.?|nil|不适用|无", re.IGNORECASE)
# The letters with which one of the two can begin: currencies, "n/a", "nil", "不适用", "无".
VALUE_START_LETTERS = frozenset("UHRCEGNn不无")
BEFORE_NUMBER = frozenset(["$", "€", "£", "¥", "￥", "US$", "HK$", "(", "($", "$(", "Rs.", "RMB"])
AFTER_NUMBER = frozenset([")", "%", ")%", "％", "）"])
YEAR = re.compile(r"(?:19|20)\d\d(?:年度?|\s?[-–/]\s?(?:19|20)?\d\d)?")  # or two years, "2021/22"
NOTE_MARK = re.compile(r"[(（]\d[)）]")
COLUMN_NAME = lazy_pattern(r".*(?:19|20)\d\d.*|.*[$€£¥￥].*|.*['’]?000|Notes?", re.I)  # year, unit, reference

# A line whose last word is neither a value nor a sign is one piece.
ENDS_IN_VALUE = re.compile(
    r"[\d)）%％‰\]$€£¥￥*†x×^–—−‒(-]\s*$|\b(?:bps|pp|ms|pts?|n/?[am]\.?|nil|RMB|Rs\.|[KMB])$|不适用$|无$",
    re.IGNORECASE,
)
VALUE_END_CHARS = 8  # the expression above needs no more characters of a line
# Letters that can end a value. Most lines end in another letter and need no search.
VALUE_END_LETTERS = frozenset("bpsmaltkx用无")

WORDS_AND_BLANKS = re.compile(r"\s+|\S+")
VALUE = r"(?:[(+\-–−$€£]*\d[\d.,'’]*[%)]*|[–—-]|n/?a)"
# A year after a comma ends a date.
TRAILING_VALUES = lazy_pattern(rf"(?<=[^\s,]\s){VALUE}(?:\s+{VALUE})*\s*$")
GROUPED_NUMBER = lazy_pattern(r"(?<!\S)[(+\-–−$€£]*\d{1,3}(?: \d{3})+(?:[.,]\d+)?[%)]*(?!\S)|\S+")
COMMA_THOUSANDS = re.compile(r"\d,\d{3}(?!\d)")
DECIMAL_COMMA = lazy_pattern(r"\d \d{3},\d")  # "12 345,678"
LEADING_GROUPS = lazy_pattern(r"[(+\-–−$€£]*\d{1,3}(?: \d{3})*")
NEXT_GROUP = lazy_pattern(r"\d{3}(?:[.,]\d+)?[%)]*")
SHARE = lazy_pattern(r"[(（]\d[\d.,]*[%％][)）]|[(（]\d*\.\d+[)）]|±\d[\d.,]*")
LEADERS = lazy_pattern(r"(?:\s?[.…·_]){4,}\s*|\s*(?:\. ){3,}\.?\s*")
LEADER_DOTS = "._…·"
MIN_TEXT_WIDTH_EM = 0.1  # guards a division


# Rows, columns and headers all test the same cells. A page has fewer different texts than this.
@lru_cache(maxsize=4096)
def is_value(text: str) -> bool:
    """Whether a text can stand in a number column: a number, or what stands for none."""
    if text[:1].isalpha() and text[0] not in VALUE_START_LETTERS:
        return False
    if text.endswith(",") or ", " in text:  # pages in an index
        return False
    return bool(NUMBER.fullmatch(text) or BLANK.fullmatch(text))


def is_amount(text: str) -> bool:
    """Whether a text is a value other than a year. Headers contain years, but no amounts."""
    return is_value(text) and not YEAR.fullmatch(text)


def may_name_columns(texts: Iterable[str]) -> bool:
    """Whether short texts may be names of columns: years and units are among them."""
    names = list(texts)
    if any(len(name) > MAX_HEADER_CELL_CHARS for name in names):
        return False
    return any(COLUMN_NAME.fullmatch(name) for name in names)


class Word(NamedTuple):
    """A word with its estimated extent. `gap` is the white before it, infinite at the start of a line."""

    x0: float
    x1: float
    text: str
    gap: float


def line_words(line: Line, *, comma_thousands: bool = False) -> list[Word]:
    """The words of a line from left to right; `comma_thousands` as in `line_pieces`."""
    words: list[Word] = []
    end = float("-inf")
    for run in line.runs:
        for x0, x1, text in run_words(run, line.size, comma_thousands=comma_thousands):
            gap = x0 - end
            if words and gap < MAX_SAME_WORD_GAP_EM * line.size:  # the word changes its style
                last = words[-1]
                words[-1] = Word(last.x0, x1, last.text + text, last.gap)
            else:
                words.append(Word(x0, x1, text, gap))
            end = x1
    return words


def run_words(run: Run, size: float, *, comma_thousands: bool = False) -> Iterator[Piece]:
    """The words of a run with their extents, estimated if not measured; `size` is the font size."""
    text = run.text
    if " " not in text:
        yield run.x0, run.x1, text
        return
    words = text.split()
    if run.words and len(run.words) == len(words):  # the reader takes fewer characters for white space
        for box, word in zip(run.words, words, strict=True):
            yield box.x0, box.x1, word
        return
    if has_hidden_gaps(run, size):
        values = TRAILING_VALUES.search(text)
        if values and values.start():
            label = text[: values.start()].split()
            by_space = comma_thousands or "," in values[0]
            numbers = values[0].split() if by_space else GROUPED_NUMBER.findall(values[0])
            yield from _spread_values(run, label, numbers, size)
            return
    em = (run.x1 - run.x0) / max(text_width(text), MIN_TEXT_WIDTH_EM)
    x = run.x0
    for part in WORDS_AND_BLANKS.findall(text):
        end = x + em * text_width(part)
        if not part.isspace():
            yield x, end, part
        x = end


def _spread_values(run: Run, label: list[str], values: list[str], size: float) -> Iterator[Piece]:
    """Places the words of a run with hidden gaps: the label as usual, the values evenly spaced after it."""
    x = run.x0
    for word in label:
        end = x + size * text_width(word)
        yield x, end, word
        x = end + size * SPACE_WIDTH_EM
    values_width = size * sum(map(text_width, values))
    gap = (run.x1 - x - values_width) / len(values)
    for value in values:
        start = x + gap
        x = start + size * text_width(value)
        yield start, x, value


def uses_comma_thousands(texts: Iterable[str]) -> bool:
    """Whether a page writes "12,345", so that "395 416" must be two numbers."""
    with_commas = [text for text in texts if "," in text and COMMA_THOUSANDS.search(text)]
    return bool(with_commas) and not any(map(DECIMAL_COMMA.search, with_commas))


def line_pieces(line: Line, *, comma_thousands: bool = False) -> list[Piece]:
    """The pieces of a line that may be cells, mostly the line itself.

    `comma_thousands`: numbers nearby have commas between thousands, so a space separates two numbers.
    """
    text = line.text
    whole: Piece = (line.x0, line.x1, text)
    if _has_leaders(text):
        return _pieces_around_leaders(line, comma_thousands)
    if is_one_piece(line):
        return [whole]
    words = _merge_number_parts(line_words(line, comma_thousands=comma_thousands), line.size, comma_thousands)
    first = _first_cell(words, line.size)
    if first == len(words):
        return [whole]
    pieces: list[Word] = []
    for index, word in enumerate(words):
        if pieces and index < first:
            pieces[-1] = _join_words(pieces[-1], word)
        else:
            pieces.append(word)
    return [(piece.x0, piece.x1, piece.text) for piece in pieces]


def is_one_piece(line: Line) -> bool:
    """Whether a line without leaders is certainly one piece: a single word, or no value at its end."""
    text = line.text
    if " " not in text and line.runs[0].text == text:
        return True
    if text[-1:].isalpha() and text[-1].casefold() not in VALUE_END_LETTERS:
        return True
    return not ENDS_IN_VALUE.search(text, max(0, len(text) - VALUE_END_CHARS))


def _has_leaders(text: str) -> bool:
    # Counting dots is much faster than the search.
    dots = sum(map(text.count, LEADER_DOTS))
    return dots >= MIN_LEADER_DOTS_COUNT and LEADERS.search(text) is not None


def _first_cell(words: list[Word], size: float) -> int:
    """The index of the first value at the end of a line; the number of words if there is no cell."""
    first = len(words)
    while first and _is_value_or_sign(words[first - 1].text):
        first -= 1
    if not 0 < first < len(words):
        return first
    is_apart = words[first].gap > MIN_VALUE_GAP_EM * size
    # A lone number close to the text is the year of a date or the number of a note.
    if is_apart or len(words) - first >= MIN_TRAILING_VALUES_COUNT:
        return first
    return len(words)


def _is_value_or_sign(text: str) -> bool:
    return text in BEFORE_NUMBER or is_value(text)


def _merge_number_parts(words: list[Word], size: float, comma_thousands: bool) -> list[Word]:
    """Joins signs to their numbers, and groups of digits to one number: "$ 12 345 %"."""
    if not comma_thousands:
        comma_thousands = any("," in word.text and COMMA_THOUSANDS.search(word.text) for word in words)
    merged = words[:1]
    for word in words[1:]:
        last = merged[-1]
        if last.text in BEFORE_NUMBER and is_value(word.text):
            merged[-1] = Word(word.x0, word.x1, last.text + word.text, last.gap)
        elif word.text in AFTER_NUMBER and is_value(last.text):
            merged[-1] = Word(last.x0, word.x1, last.text + word.text, last.gap)
        elif (not comma_thousands and _is_next_group(last, word, size)) or _is_share(last, word, size):
            merged[-1] = _join_words(last, word)
        else:
            merged.append(word)
    return merged


def _is_share(before: Word, word: Word, size: float) -> bool:
    """Whether a word is the share or error of the number before it: "101 (20.4%)"."""
    if word.gap >= MAX_SHARE_GAP_EM * size or not before.text[-1:].isdigit():
        return False
    return SHARE.fullmatch(word.text) is not None


def _is_next_group(before: Word, word: Word, size: float) -> bool:
    if word.gap >= MAX_THOUSANDS_GAP_EM * size or not NEXT_GROUP.fullmatch(word.text):
        return False
    return LEADING_GROUPS.fullmatch(before.text) is not None


def _join_words(a: Word, b: Word) -> Word:
    is_glued = is_cjk(a.text[-1]) and is_cjk(b.text[0])
    space = "" if is_glued else " "
    return Word(a.x0, b.x1, a.text + space + b.text, a.gap)


def _pieces_around_leaders(line: Line, comma_thousands: bool) -> list[Piece]:
    """The pieces before and after dot leaders, without the dots."""
    words = []
    for word in line_words(line, comma_thousands=comma_thousands):
        text = word.text.rstrip(LEADER_DOTS)
        if text:
            words.append(word._replace(text=text))
    joined: list[Word] = []
    after_leaders = in_values = False
    for word in _merge_number_parts(words, line.size, comma_thousands):
        if joined and word.x0 - joined[-1].x1 > MIN_VALUE_GAP_EM * line.size:
            after_leaders = True
        if after_leaders and _is_value_or_sign(word.text):
            in_values = True
        if joined and not in_values:
            joined[-1] = _join_words(joined[-1], word)
        else:
            joined.append(word)
    return [(word.x0, word.x1, word.text) for word in joined]
