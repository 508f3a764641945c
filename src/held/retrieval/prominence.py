"""How much a passage may answer by itself: notes, captions, references, contents and indexes weigh less.

They repeat the words of what they point to, often more densely than the passage that answers.
"""

from __future__ import annotations

import re
from functools import cache

from held.document import Kind
from held.retrieval.languages import fold, language_words
from held.retrieval.passages import Passage

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
