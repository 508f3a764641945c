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
    return [
        Section(" ".join(headings.get(members[0], ())), " ".join(words[p] for p in members))
        for members in members_of_sections(document)
    ]


def members_of_sections(document: Searchable) -> list[list[int]]:
    """The passages of each section, those of a long one in several rows."""
    found = []
    for _, group in groupby(range(len(document.passages)), lambda p: document.passages[p].ancestors):
        members = list(group)
        found += [members[start : start + LONGEST] for start in range(0, len(members), LONGEST)]
    return found


def _words_of_texts(document: Searchable) -> list[str]:
    """For each text its words, a word as often as it stands there."""
    postings = document.postings
    numbers = np.repeat(np.arange(len(postings.words)), np.diff(postings.starts))
    order = np.argsort(postings.texts, kind="stable")
    numbers, counts = numbers[order], postings.counts[order]
    ends = np.searchsorted(postings.texts[order], np.arange(1, len(postings.lengths) + 1))
    return [
        _written(postings.words, n, c)
        for n, c in zip(np.split(numbers, ends[:-1]), np.split(counts, ends[:-1]), strict=True)
    ]


def _written(words: tuple[str, ...], numbers: NDArray[np.int64], counts: NDArray[np.int32]) -> str:
    return " ".join(words[number] for number in np.repeat(numbers, counts).tolist())
