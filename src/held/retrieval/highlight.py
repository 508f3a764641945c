"""Where a text has the words of a question: what is marked when a hit is shown."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from itertools import pairwise

from held.retrieval.tokens import tokens

Span = tuple[int, int]

_HAN = "\u3400-\u9fff\uf900-\ufaff"
_WORDS = re.compile(rf"[{_HAN}]+|\d+(?:[.,]\d+)*|[^\W\d_{_HAN}]+(?:['’][^\W\d_{_HAN}]+)*\d*")


def matches(text: str, words: Collection[str]) -> list[Span]:
    """The places of a text that have one of the tokens, from left to right and apart from each other."""
    wanted = set(words)
    spans: list[Span] = []
    for piece in _WORDS.finditer(text):
        if "\u3400" <= piece[0][0] <= "\ufaff":
            spans += _pairs(piece, wanted)
        elif wanted.intersection(tokens(piece[0])):
            spans.append(piece.span())
    return _joined(spans)


def _pairs(run: re.Match[str], wanted: Collection[str]) -> list[Span]:
    """The pairs of neighbouring characters that are wanted; of a run of one character, that one."""
    start, end = run.span()
    if end - start == 1:
        return [run.span()] if run[0] in wanted else []
    return [(at, at + 2) for at in range(start, end - 1) if run.string[at : at + 2] in wanted]


def _joined(spans: list[Span]) -> list[Span]:
    """The spans with those that overlap as one."""
    joined: list[Span] = []
    for start, end in spans:
        if joined and start < joined[-1][1]:
            joined[-1] = (joined[-1][0], end)
        else:
            joined.append((start, end))
    return joined


def marked(text: str, spans: Collection[Span], before: str, after: str) -> str:
    """The text with a mark before and after each span."""
    edges = [0, *(edge for span in spans for edge in span), len(text)]
    pieces = [text[start:end] for start, end in pairwise(edges)]
    return "".join(f"{before}{piece}{after}" if n % 2 else piece for n, piece in enumerate(pieces))


def best_stretch(text: str, spans: Sequence[Span], most: int) -> Span:
    """The stretch of a text, of so many characters at most, that has most of the different words marked."""
    if len(text) <= most:
        return 0, len(text)
    starts = [0, *(max(0, start - most // 10) for start, _ in spans)]
    start = max(starts, key=lambda at: (_different(text, spans, at, at + most), -at))
    start = min(start, len(text) - most)
    start = text.rfind(" ", 0, start) + 1 if start and " " in text[max(0, start - 30) : start] else start
    return start, min(len(text), start + most)


def _different(text: str, spans: Sequence[Span], start: int, end: int) -> int:
    return len({text[a:b].lower() for a, b in spans if start <= a and b <= end})
