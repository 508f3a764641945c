"""The sections of a document as bags of words: the rows of the full-text index."""

from __future__ import annotations

from itertools import groupby
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from held.retrieval.features import Searchable

LONGEST = 30  # passages; a longer section is several rows


class Section(NamedTuple):
    """The words of the headings above a section, and those of its passages, in no order."""

    path: str
    body: str


def sections(document: Searchable) -> list[Section]:
    """The sections of a document.

    They come from its postings, which an index keeps, so the same ones come when they are to be taken out.
    """
    words = _words_of_texts(document)
    headings: dict[int, list[str]] = {}
    for heading, passage in zip(document.above.tolist(), document.below.tolist(), strict=True):
        headings.setdefault(passage, []).append(words[heading])
    found = []
    for members in members_of_sections(document):
        path = " ".join(headings.get(members[0], ()))  # all members stand below the same headings
        body = " ".join(words[passage] for passage in members)
        found.append(Section(path, body))
    return found


def members_of_sections(document: Searchable) -> list[list[int]]:
    """The passages of each section, those of a long one in several rows."""
    found: list[list[int]] = []
    passages = document.passages
    by_section = groupby(range(len(passages)), lambda place: passages[place].ancestors)
    for _, group in by_section:
        members = list(group)
        found += [members[start : start + LONGEST] for start in range(0, len(members), LONGEST)]
    return found


def _words_of_texts(document: Searchable) -> list[str]:
    """For each text its words, a word as often as it stands there."""
    postings = document.postings
    texts_with_word = np.diff(postings.starts)
    words = np.repeat(np.arange(len(postings.words)), texts_with_word)  # of each posting
    # Postings come word by word; sorted by text, and stably, the words of a text stand together in order.
    order = np.argsort(postings.texts, kind="stable")
    text_count = len(postings.lengths)
    ends = np.searchsorted(postings.texts[order], np.arange(1, text_count + 1))
    words_of_texts = np.split(words[order], ends[:-1])
    counts_of_texts = np.split(postings.counts[order], ends[:-1])
    pairs = zip(words_of_texts, counts_of_texts, strict=True)
    return [_written(postings.words, words, counts) for words, counts in pairs]


def _written(words: tuple[str, ...], numbers: NDArray[np.int64], counts: NDArray[np.int32]) -> str:
    return " ".join(words[number] for number in np.repeat(numbers, counts).tolist())
