"""Titles that other documents have used: "References", "管理层讨论与分析", "Item 1A. Risk Factors".

Each title is counted once for each group of documents, as a heading and as running text. Titles are kept as
hashes: the table is small, and none of anybody's text ships with it.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from held.headings.columns import Floats
from held.headings.object_features import ObjectFeatures

Hashes = NDArray[np.uint32]
Counts = NDArray[np.int64]

TITLE_FEATURES = ("title_as_heading", "title_as_text", "title_share")
_LONGEST = 100  # letters; what is longer is seldom said twice
_FEWEST = 2  # groups that must have used a title before it counts as known
_NO_TITLE = 0  # in place of a hash
_HEADING, _TEXT = 1, 0  # labels of objects; what is neither is unknown


@dataclass(frozen=True, slots=True)
class Titles:
    """Known titles: sorted hashes, and how many groups have each as a heading and as text."""

    hashes: Hashes
    headings: Counts
    texts: Counts

    def __post_init__(self) -> None:
        # A model file is input: its arrays need not fit together.
        if not len(self.hashes) == len(self.headings) == len(self.texts):
            raise ValueError("its titles and their counts differ in number")


_NO_TITLES = Titles(np.zeros(0, np.uint32), np.zeros(0, np.int64), np.zeros(0, np.int64))


def hashes_of(table: ObjectFeatures) -> Hashes:
    """The hash of each object's title, number aside; 0 where it is too long or no candidate."""
    hashes = np.zeros(len(table), np.uint32)
    for place in np.flatnonzero(table.candidates).tolist():
        title = table.bare_keys[place]
        if 0 < len(title) <= _LONGEST:
            hashes[place] = hash_of(title)
    return hashes


def hash_of(title: str) -> int:
    """The hash of a title, as `key` gives it."""
    return zlib.crc32(title.encode())


def title_features(hashes: Hashes, titles: Titles, own: Titles | None = None) -> dict[str, Floats]:
    """How widely each title is used as a heading and as text, `own` uses aside."""
    headings, texts = _look_up(hashes, titles)
    if own is not None:
        own_headings, own_texts = _look_up(hashes, own)
        headings, texts = headings - own_headings, texts - own_texts
    is_title = hashes > 0
    known = is_title & (headings + texts >= _FEWEST)
    headings = headings * known
    texts = texts * known
    # Half a use is added to both sides, so that a title nobody knows has the share of one half.
    share = (headings + 0.5) / (headings + texts + 1)
    columns = (np.log1p(headings), np.log1p(texts), share)
    named = zip(TITLE_FEATURES, columns, strict=True)
    return {name: column.astype(np.float32) for name, column in named}


def count_titles(documents: Iterable[tuple[str, Hashes, NDArray[np.int8]]]) -> dict[str, Titles]:
    """The titles of each group, each counted once, from groups, hashes and labels of documents."""
    headings: dict[str, set[int]] = {}
    texts: dict[str, set[int]] = {}
    for group, hashes, labels in documents:
        as_headings = hashes[labels == _HEADING]
        as_texts = hashes[labels == _TEXT]
        headings.setdefault(group, set()).update(as_headings.tolist())
        texts.setdefault(group, set()).update(as_texts.tolist())
    return {group: _once(headings[group], texts[group]) for group in headings}


def all_titles(groups: Iterable[Titles]) -> Titles:
    """The counts of all groups together; titles that are not known to enough of them are left out."""
    found = [_NO_TITLES, *groups]
    hashes = np.concatenate([titles.hashes for titles in found])
    known, place = np.unique(hashes, return_inverse=True)
    headings = _summed([titles.headings for titles in found], place, len(known))
    texts = _summed([titles.texts for titles in found], place, len(known))
    kept = headings + texts >= _FEWEST
    return Titles(known[kept], headings[kept], texts[kept])


def _summed(counts: Sequence[Counts], place: Counts, size: int) -> Counts:
    """The counts of all groups, added up at the place of each title."""
    every_count = np.concatenate(counts)
    return np.bincount(place, every_count, size).astype(np.int64)


def _once(headings: set[int], texts: set[int]) -> Titles:
    """The titles of one group, each a heading once at most, and a text once at most."""
    hashes = sorted((headings | texts) - {_NO_TITLE})
    as_heading = [title in headings for title in hashes]
    as_text = [title in texts for title in hashes]
    return Titles(np.array(hashes, np.uint32), np.array(as_heading, np.int64), np.array(as_text, np.int64))


def _look_up(hashes: Hashes, titles: Titles) -> tuple[Counts, Counts]:
    """For each hash how many groups have it as a heading and as text."""
    if not len(titles.hashes):
        nothing = np.zeros(len(hashes), np.int64)
        return nothing, nothing
    place = np.searchsorted(titles.hashes, hashes)
    # A hash above all others would be looked for behind the end: the last one is not it either.
    place = np.minimum(place, len(titles.hashes) - 1)
    found = titles.hashes[place] == hashes
    return titles.headings[place] * found, titles.texts[place] * found
