"""Finds and marks the words of a question in a text, and the part of a text that has most of them."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from held.retrieval.tokens import HAN, is_han, tokens

Span = tuple[int, int]

_LETTER = rf"[^\W\d_{HAN}]"
_HAN_RUN = rf"[{HAN}]+"
_NUMBER = r"\d+(?:[.,]\d+)*"
_WORD = rf"{_LETTER}+(?:['’]{_LETTER}+)*\d*"  # company's, Q3
_WORDS = re.compile(rf"{_HAN_RUN}|{_NUMBER}|{_WORD}")

_PAIR = 2  # characters: Chinese has no spaces, so its tokens are pairs
_LEAD_FRACTION = 10  # an excerpt starts a tenth of its length before a match, to show the match in context
_MAX_WORD_CHARACTERS = 30  # that an excerpt is moved back, to start with a whole word


def find_matches(text: str, words: Collection[str]) -> list[Span]:
    """The spans of a text that have one of the tokens, from left to right, without overlaps."""
    wanted = frozenset(words)
    spans: list[Span] = []
    for match in _WORDS.finditer(text):
        word = match.group()
        if is_han(word[0]):
            spans += _matching_pairs(match, wanted)
        elif not wanted.isdisjoint(tokens(word)):
            spans.append(match.span())
    return _merge(spans)


def _matching_pairs(run: re.Match[str], wanted: Collection[str]) -> list[Span]:
    """The wanted pairs of neighbouring Chinese characters, as `tokens` makes them."""
    start, end = run.span()
    width = min(_PAIR, end - start)
    last = end - width
    found: list[Span] = []
    for left in range(start, last + 1):
        right = left + width
        if run.string[left:right] in wanted:
            found.append((left, right))
    return found


def _merge(spans: list[Span]) -> list[Span]:
    """Merges spans that overlap or touch: 公司 and 员工 in 公司员工 are one mark."""
    merged: list[Span] = []
    last_end = -1
    for start, end in spans:
        if start <= last_end:
            start, _ = merged.pop()
        merged.append((start, end))
        last_end = end
    return merged


def mark_spans(text: str, spans: Collection[Span], before: str, after: str) -> str:
    """The text with marks before and after each span."""
    pieces: list[str] = []
    done = 0
    for start, end in spans:
        unmarked, marked = text[done:start], text[start:end]
        pieces += [unmarked, before, marked, after]
        done = end
    rest = text[done:]
    return "".join([*pieces, rest])


def best_excerpt(text: str, spans: Sequence[Span], max_characters: int) -> Span:
    """The excerpt of at most so many characters that has most different marked words."""
    if len(text) <= max_characters:
        return 0, len(text)
    lead = max_characters // _LEAD_FRACTION
    best = 0
    most_words = _distinct_words(text, spans, 0, max_characters)
    for first, _ in spans:
        start = max(0, first - lead)
        end = start + max_characters
        words = _distinct_words(text, spans, start, end)
        if words > most_words:  # the earlier one wins a tie
            best, most_words = start, words
    last_start = len(text) - max_characters
    start = _word_start(text, min(best, last_start))
    end = start + max_characters
    return start, min(len(text), end)


def best_lines(text: str, spans: Sequence[Span], within: Span, max_lines: int) -> Span:
    """The neighbouring lines of a part, at most so many, that have most different marked words."""
    start, end = within
    starts, ends = [start], []
    for at in range(start, end):
        if text[at] == "\n":
            ends.append(at)
            starts.append(at + 1)
    ends.append(end)
    if len(starts) <= max_lines:
        return within
    # A window ends with the line that is `max_lines - 1` lines below its first.
    windows = zip(starts, ends[max_lines - 1 :], strict=False)
    # Of windows that have equally many words, `max` returns the first.
    return max(windows, key=lambda window: _distinct_words(text, spans, *window))


def _word_start(text: str, at: int) -> int:
    """The start of the word at a position; the position itself if no space is near."""
    nearest = max(0, at - _MAX_WORD_CHARACTERS)
    space = text.rfind(" ", nearest, at)
    return at if space < 0 else space + 1


def _distinct_words(text: str, spans: Sequence[Span], start: int, end: int) -> int:
    found: set[str] = set()
    for left, right in spans:
        if start <= left and right <= end:
            found.add(text[left:right].lower())
    return len(found)
