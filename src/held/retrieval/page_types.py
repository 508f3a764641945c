"""What is known of pages and passages before any question: page types, and prominence.

A page's types say how much it is a balance sheet, notes, risk factors …
A statement is recognised by the labels of its rows, of which it has many, and by being mostly numbers.
Headings alone would not do: a contents page and every note that refers to a statement name it, too. The
labels are data (`data/page_types.txt`).
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from functools import cache
from typing import NamedTuple

import numpy as np

from held.document import Kind
from held.retrieval.bm25 import Floats
from held.retrieval.passages import Passage
from held.retrieval.query import Phrase
from held.retrieval.tokens import fold, language_words, read_data, tokens

FULL_STATEMENT_ROWS = 12  # labels on a page that has the whole statement
MIN_STATEMENT_ROWS = 4  # fewer labels are a mention
FULL_STATEMENT_DIGITS = 0.25  # share of numbers among the words of a page that is all statement
UNNAMED_FACTOR = 0.5  # for a page with the rows that names the statement nowhere
MENTIONED_FACTOR = 0.7  # for a page that only mentions it: an analysis, or the statement of a part
TOP_WORDS = 40  # of a page, where a statement has its title even if it is not a heading
MIN_BEST_SCORE = 0.25  # of the best page, if the document has this page type at all
FIRST_PAGE_SCORE = 0.8  # of a page that counts as the first of its type, relative to the best
LATER_FACTOR = 0.8  # for pages after the first: statements of parts follow those of the whole

# Words before the name of a statement that cover the whole company.
_WHOLE_COMPANY = frozenset(tokens("consolidated condensed combined interim audited unaudited 合并"))
_BRACKETS = re.compile(r"[(（].*")


class PageWords(NamedTuple):
    """The words of a page, of the headings above it, and the lines that may be its title."""

    text: Sequence[str]
    headings: Sequence[str] = ()
    titles: Sequence[str] = ()


class PageType(NamedTuple):
    """A type of page: the headings that name it, and the labels of its rows."""

    name: str
    headings: tuple[Phrase, ...]
    rows: tuple[Phrase, ...]


@cache
def page_types() -> tuple[PageType, ...]:
    """All page types, in the order in which an index stores them."""
    fields_by_type: dict[str, dict[str, tuple[Phrase, ...]]] = {}
    for line in read_data("page_types.txt").splitlines():
        content = line.split("#")[0].strip()
        if content.startswith("["):
            fields = fields_by_type.setdefault(content.strip("[]"), {})
        elif content:
            field, _, names = content.partition(":")
            phrases = [tuple(tokens(name)) for name in names.split("/")]
            fields[field] = tuple(phrases)
    return tuple(
        PageType(name, fields["headings"], fields.get("rows", ())) for name, fields in fields_by_type.items()
    )


def score_page_types(pages: Sequence[PageWords]) -> Floats:
    """How much each page is of each type, from 0 to 1: (pages, types)."""
    rows = [_score_page(page) for page in pages]
    shape = len(rows), len(page_types())
    scores = np.array(rows, np.float32).reshape(shape)  # also without pages
    for column, page_type in zip(scores.T, page_types(), strict=True):
        if page_type.rows:
            _compare_pages(column)
    return scores


def _compare_pages(column: Floats) -> None:
    """Divides the scores by the best one, and lowers those of pages after the first, in place."""
    best = column.max(initial=0)
    if best < MIN_BEST_SCORE:
        return
    column /= best
    first = int(np.argmax(column >= FIRST_PAGE_SCORE))
    column[first + 2 :] *= LATER_FACTOR  # a statement may continue on the next page


def _score_page(page: PageWords) -> list[float]:
    text = _pad(page.text)  # one text, so that each of a hundred phrases costs one search
    top = _pad([*page.headings, *page.text[:TOP_WORDS]])
    number_count = sum(word[0].isdigit() for word in page.text)
    digits = number_count / max(1, len(page.text))
    numeric = min(1.0, digits / FULL_STATEMENT_DIGITS)
    titles: set[Phrase] = set()
    for title in page.titles:
        unbracketed = _BRACKETS.sub("", title)  # "(in millions)"
        titles.add(tuple(tokens(unbracketed)))
    return [_score(page_type, text, top, titles, numeric) for page_type in page_types()]


def _score(page_type: PageType, text: str, top: str, titles: Collection[Phrase], numeric: float) -> float:
    is_named = any(_pad(phrase) in top for phrase in page_type.headings)
    if not page_type.rows:
        return float(is_named)
    row_count = sum(_pad(phrase) in text for phrase in page_type.rows)
    if row_count < MIN_STATEMENT_ROWS:
        return 0.0
    rows = numeric * min(1.0, row_count / FULL_STATEMENT_ROWS)
    for phrase in page_type.headings:
        if any(_is_title(title, phrase) for title in titles):
            return rows
    return rows * (MENTIONED_FACTOR if is_named else UNNAMED_FACTOR)


def _is_title(title: Phrase, name: Phrase) -> bool:
    """Whether a title is the name of a statement, preceded by at most "consolidated" and the like."""
    before = title[: len(title) - len(name)]
    return title[len(before) :] == name and all(map(_covers_whole_company, before))


def _covers_whole_company(word: str) -> bool:
    # "并" starts a pair of characters that crosses the end of 合并.
    return word in _WHOLE_COMPANY or word[0].isdigit() or word[0] == "并"


def _pad(words: Sequence[str]) -> str:
    """The words with spaces around each, so that a phrase can be found as a substring."""
    return f" {' '.join(words)} "


# --- prominence of a passage ---
#
# How much a passage may answer by itself: notes, captions, references, contents and indexes weigh less.
#
# They repeat the words of what they point to, often more densely than the passage that answers.

BACK_MATTER = 0.5  # factor for references, contents and indexes
NOTE = 0.7  # for footnotes, and for captions without what they describe
MIN_LIST_LINES = 4  # fewer lines that end in a page number are no index
LIST_SHARE = 0.6  # of the lines of an index that end in a page number

_KINDS = {Kind.FOOTNOTE: NOTE, Kind.CAPTION: NOTE, Kind.FIGURE: NOTE}
_SECTION_NUMBER = re.compile(r"^[\W\d_]+|^[a-z][.)]\s+|[\W_]+$")
_LEADER = re.compile(r"(?:[.·…]\s?){5,}\s*\d")
_ENTRY = re.compile(r"^\D{2,60}[\s,.]\d{1,4}(?:[,–-]\s*\d{1,4})*,?$")
_BEFORE_PAGES = re.compile(r"\t(?=[\d, –-]+(?:[\t\n]|$))")  # between an entry and the cell of its pages
# A numbered or bracketed start, a year, and a word that only references have.
_REFERENCE = re.compile(r"^\s*(?:\[?\d{1,3}[\].)]?\s|\[[A-Z]\w{1,12}\]).*\b(?:19|20)\d\d\b", re.DOTALL)
_CITATION = re.compile(
    r"https?://|\bdoi\b|\barxiv\b|\bpp?\.\s?\d|\bvol\.|\bin proc|\bjournal\b|\buniversity press\b|\bisbn\b",
    re.IGNORECASE,
)


def prominence(passage: Passage) -> float:
    """The factor for a passage's score: 1 for text and tables, less for what points elsewhere."""
    if any(is_back_matter(title) for title in passage.path):
        return BACK_MATTER
    # A table of numbers may look like an index; one below a letter of the alphabet is one.
    may_be_list = passage.kind is not Kind.TABLE or (passage.path and len(passage.path[-1]) == 1)
    if may_be_list and (_is_list_of_pages(passage.text) or _is_reference(passage.text)):
        return BACK_MATTER
    return _KINDS.get(passage.kind, 1.0)


def is_back_matter(title: str) -> bool:
    """Whether a section of this title holds references, contents or an index."""
    return _bare_title(title) in _titles()


def _bare_title(title: str) -> str:
    return _SECTION_NUMBER.sub("", fold(title.lower()).strip())


@cache
def _titles() -> frozenset[str]:
    return frozenset().union(*(words.back_matter for words in language_words().values()))


def _is_list_of_pages(text: str) -> bool:
    """Whether a text is of contents or an index: entries, each with the number of its page."""
    lines = re.split(r"[\n\t]", _BEFORE_PAGES.sub(" ", text))
    if len(_LEADER.findall(text)) >= MIN_LIST_LINES:
        return True
    entries = sum(_ENTRY.match(line.strip()) is not None for line in lines)
    return entries >= MIN_LIST_LINES and entries >= LIST_SHARE * len(lines)


def _is_reference(text: str) -> bool:
    return bool(_REFERENCE.match(text) and _CITATION.search(text))
