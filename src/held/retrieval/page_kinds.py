"""What a page of a report is: a balance sheet, notes, risk factors …, told before any question is asked.

Statements are known by the labels of their rows, of which they have many, and by being mostly numbers;
headings alone would not do, for a contents page and every note that refers to a statement name it, too. The
labels are data (`terms/pages.txt`).
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from functools import cache
from importlib.resources import files
from typing import NamedTuple

import numpy as np

from held.retrieval.bm25 import Floats
from held.retrieval.names import Phrase
from held.retrieval.tokens import tokens

MANY_ROWS = 12  # labels that a statement has at least where all of it is on the page
FEWEST_ROWS = 4  # fewer labels are a mention
DIGITS = 0.25  # the share of numbers among the words of a page that is all statement
UNNAMED = 0.5  # the worth of a page that names the statement nowhere, beside its rows
MENTIONED = 0.7  # of one that names it in its title: an analysis of the statement, the statement of a part
TITLE = 40  # words at the top of a page, where a statement has its title even if that is no heading
SURE = 0.25  # how much of a kind the best page is at least where the document has that kind at all
LIKE_THE_FIRST = 0.8  # how much of a kind a page is that counts as the first of it
LATER = 0.8  # what a page is worth that comes after the first: statements of parts follow those of the whole


_WHOLE = frozenset(tokens("consolidated condensed combined interim audited unaudited 合并"))
"""Words before the name of a statement that is that of the whole."""
_ASIDE = re.compile(r"[(（].*")


class PageWords(NamedTuple):
    """What a page is told by: its words, those of the headings above, and lines that may be its title."""

    text: Sequence[str]
    headings: Sequence[str] = ()
    titles: Sequence[str] = ()


class PageKind(NamedTuple):
    """A kind of page: the headings that name it, and the labels of its rows."""

    name: str
    headings: tuple[Phrase, ...]
    rows: tuple[Phrase, ...]


@cache
def page_kinds() -> tuple[PageKind, ...]:
    """The kinds of pages that are known, in the order in which an index keeps them."""
    text = files("held.retrieval.terms").joinpath("pages.txt").read_text(encoding="utf-8")
    found: dict[str, dict[str, tuple[Phrase, ...]]] = {}
    for line in text.splitlines():
        content = line.split("#")[0].strip()
        if content.startswith("["):
            kind = found.setdefault(content.strip("[]"), {})
        elif content:
            field, _, phrases = content.partition(":")
            kind[field] = tuple(tuple(tokens(phrase)) for phrase in phrases.split("/"))
    return tuple(PageKind(name, of["headings"], of.get("rows", ())) for name, of in found.items())


def kinds_of_pages(pages: Sequence[PageWords]) -> Floats:
    """How much each page is of each kind, from 0 to 1: (pages, kinds)."""
    rows = [_kinds_of_page(page) for page in pages]
    found = np.array(rows, np.float32).reshape(len(rows), len(page_kinds()))
    for column, kind in zip(found.T, page_kinds(), strict=True):
        if kind.rows:
            _compare(column)
    return found


def _compare(column: Floats) -> None:
    """Measures the pages by the best one, and puts the first of them before those that come later."""
    best = column.max(initial=0)
    if best < SURE:
        return
    column /= best
    first = int(np.argmax(column >= LIKE_THE_FIRST))
    column[first + 2 :] *= LATER  # a statement may go on overleaf


def _kinds_of_page(page: PageWords) -> list[float]:
    text, above = _joined(page.text), _joined([*page.headings, *page.text[:TITLE]])
    numbers = sum(word[0].isdigit() for word in page.text) / max(1, len(page.text))
    statement = min(1.0, numbers / DIGITS)
    titles = {tuple(tokens(_ASIDE.sub("", title))) for title in page.titles}
    return [_share(kind, text, above, titles, statement) for kind in page_kinds()]


def _share(kind: PageKind, text: str, above: str, titles: Collection[Phrase], statement: float) -> float:
    headed = any(_joined(phrase) in above for phrase in kind.headings)
    if not kind.rows:
        return float(headed)
    there = sum(_joined(phrase) in text for phrase in kind.rows)
    if there < FEWEST_ROWS:
        return 0.0
    rows = statement * min(1.0, there / MANY_ROWS)
    titled = any(_is_title(title, phrase) for title in titles for phrase in kind.headings)
    return rows * (1.0 if titled else MENTIONED if headed else UNNAMED)


def _is_title(title: Phrase, name: Phrase) -> bool:
    """Whether a title is the name of a statement, with nothing before it but that it is of the whole."""
    before = title[: len(title) - len(name)]
    return title[len(before) :] == name and all(word in _WHOLE or _is_filler(word) for word in before)


def _is_filler(word: str) -> bool:
    """Whether a word is a number, or a pair of Chinese characters over the end of 合并."""
    return word[0].isdigit() or word[0] == "并"


def _joined(words: Sequence[str]) -> str:
    """The words as one string in which a phrase can be found: each between spaces."""
    return f" {' '.join(words)} "
