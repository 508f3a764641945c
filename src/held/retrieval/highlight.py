"""Where a text has the words of a question: what is marked when a hit is shown."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from held.retrieval.tokens import tokens

Span = tuple[int, int]

_FIRST_HAN, _LAST_HAN = "\u3400", "\ufaff"
_HAN = f"{_FIRST_HAN}-\u9fff\uf900-{_LAST_HAN}"
_LETTER = rf"[^\W\d_{_HAN}]"
_HAN_RUN = rf"[{_HAN}]+"
_NUMBER = r"\d+(?:[.,]\d+)*"
_WORD = rf"{_LETTER}+(?:['’]{_LETTER}+)*\d*"  # company's, Q3
_WORDS = re.compile(rf"{_HAN_RUN}|{_NUMBER}|{_WORD}")

_PAIR = 2  # characters
_LEAD = 10  # a stretch begins a tenth of its length before a match, so that the match is read in its sentence
_LONGEST_WORD = 30  # characters that a stretch is moved back at most, to begin with a whole word


def matches(text: str, words: Collection[str]) -> list[Span]:
    """The places of a text that have one of the tokens, from left to right and apart from each other."""
    wanted = frozenset(words)
    spans: list[Span] = []
    for piece in _WORDS.finditer(text):
        found = piece.group()
        if _FIRST_HAN <= found[0] <= _LAST_HAN:
            spans += _pairs(piece, wanted)
        elif not wanted.isdisjoint(tokens(found)):
            spans.append(piece.span())
    return _joined(spans)


def _pairs(run: re.Match[str], wanted: Collection[str]) -> list[Span]:
    """The pairs of neighbouring characters that are wanted; of a run of one character, that one."""
    start, end = run.span()
    # Han is indexed by pairs of neighbours, for nothing tells where a word ends.
    width = min(_PAIR, end - start)
    last = end - width
    found: list[Span] = []
    for left in range(start, last + 1):
        right = left + width
        if run.string[left:right] in wanted:
            found.append((left, right))
    return found


def _joined(spans: list[Span]) -> list[Span]:
    """The spans with those that overlap or touch as one: 公司 and 员工 in 公司员工 are one mark."""
    if not spans:
        return []
    joined: list[Span] = []
    first, last = spans[0]
    for start, end in spans:
        if start > last:
            joined.append((first, last))
            first = start
        last = end
    joined.append((first, last))
    return joined


def marked(text: str, spans: Collection[Span], before: str, after: str) -> str:
    """The text with a mark before and after each span."""
    pieces: list[str] = []
    reached = 0
    for start, end in spans:
        pieces += [text[reached:start], before, text[start:end], after]
        reached = end
    pieces.append(text[reached:])
    return "".join(pieces)


def best_stretch(text: str, spans: Sequence[Span], most: int) -> Span:
    """The stretch of a text, of so many characters at most, that has most of the different words marked."""
    if len(text) <= most:
        return 0, len(text)
    lead = most // _LEAD
    best, most_words = 0, _different(text, spans, 0, most)
    for first, _ in spans:
        start = max(0, first - lead)
        words = _different(text, spans, start, start + most)
        if words > most_words:  # of two alike the earlier one, as a reader meets it first
            best, most_words = start, words
    last_possible = len(text) - most
    begin = _word_start(text, min(best, last_possible))
    end = min(len(text), begin + most)
    return begin, end


def best_lines(text: str, spans: Sequence[Span], within: Span, most: int) -> Span:
    """Of a stretch the neighbouring lines, so many at most, that have most of the different words marked."""
    start, end = within
    ends = [at for at in range(start, end) if text[at] == "\n"]
    starts, ends = [start, *(at + 1 for at in ends)], [*ends, end]
    if len(starts) <= most:
        return within
    windows = list(zip(starts, ends[most - 1 :], strict=False))
    return max(windows, key=lambda window: _different(text, spans, *window))  # the first of those alike


def _word_start(text: str, at: int) -> int:
    """Where the word around a place begins; the place itself where no blank is near."""
    nearest = max(0, at - _LONGEST_WORD)
    blank = text.rfind(" ", nearest, at)
    return at if blank < 0 else blank + 1


def _different(text: str, spans: Sequence[Span], start: int, end: int) -> int:
    """How many different words are marked from one place to another."""
    found: set[str] = set()
    for left, right in spans:
        if start <= left and right <= end:
            found.add(text[left:right].lower())
    return len(found)
