"""What other documents tell of a title: whether they used it as a heading, and what its wording says.

Known titles are "References", "管理层讨论与分析", "Item 1A. Risk Factors". Each title is counted once for
each group of documents, as a heading and as running text. Titles are kept as hashes: the table is small, and
none of anybody's text ships with it.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from held.headings.columns import Floats, Ints
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


# --- wording of titles ---
#
# What the wording of a title says of its section: how deep it lies and how many headings it holds.
#
# "Directors' report" and "Notes to the financial statements" hold many headings in any report, "Dividends"
# holds none. Style and numbers do not tell that where a report sets both alike. A linear model over short
# pieces of titles learns it from other documents. Pieces are hashed, so the model is a small table of
# numbers, and a title that nobody has used before still shares pieces with those that somebody has.

PIECE_BITS = 15
PIECES = 1 << PIECE_BITS
"""The number of hashes of pieces, that is, of rows of the table."""
WORDING_PART = "wording.npz"
"""The part of a model with such a table."""
WORDING_FEATURES = ("wording_level", "wording_inner")
"""The level that a title suggests, against the mean level of its document's headings; and the logarithm of
the number of headings below it, likewise."""

_MAX_TITLE_LENGTH = 80  # characters; what follows says little
_PIECE_LENGTH = 5  # characters of a piece in scripts with letters: about a word's stem
_CJK_PIECE_LENGTH = 2  # characters of a piece in Chinese, Japanese and Korean: about a word
_FIRST_CJK = 0x2E80
_START, _END = "\x02", "\x03"  # around each title, so that its first and last pieces are told from others
_MULTIPLIER = np.uint32(0x9E3779B1)  # spreads similar pieces over the table (Knuth's multiplicative hashing)
_BASE = np.uint32(31)


class Pieces(NamedTuple):
    """The hashed pieces of some titles, one title after another, and the number of pieces of each."""

    hashes: Ints
    counts: Ints


@dataclass(frozen=True, slots=True)
class TitleWording:
    """A linear model: a row of weights for each hash, a column for each of WORDING_FEATURES."""

    weights: NDArray[np.float32]
    intercepts: NDArray[np.float32]

    @property
    def arrays(self) -> dict[str, NDArray[Any]]:
        """The model as arrays to store; half precision is enough."""
        return {"weights": self.weights.astype(np.float16), "intercepts": self.intercepts}

    def features(self, titles: Sequence[str]) -> Floats:
        """WORDING_FEATURES of each title, given as `key` gives it, without its number."""
        scores = np.tile(self.intercepts, (len(titles), 1)).astype(np.float32)
        pieces = title_pieces(titles)
        has_pieces = pieces.counts > 0
        if has_pieces.any():
            starts = (np.cumsum(pieces.counts) - pieces.counts)[has_pieces]
            sums = np.add.reduceat(self.weights[pieces.hashes], starts, axis=0)
            scores[has_pieces] += sums / np.sqrt(pieces.counts[has_pieces])[:, None]
        return scores


def read_wording(arrays: Mapping[str, NDArray[Any]]) -> TitleWording:
    """The model in the arrays of a file."""
    width = len(WORDING_FEATURES)
    weights = np.asarray(arrays["weights"], np.float32)
    intercepts = np.asarray(arrays["intercepts"], np.float32)
    if weights.shape != (PIECES, width) or intercepts.shape != (width,):
        raise ValueError("the table of its wording has another shape")
    return TitleWording(weights, intercepts)


def title_pieces(titles: Sequence[str]) -> Pieces:
    """The pieces of titles: each title as a whole, and each run of a few characters in it."""
    framed = [f"{_START}{title[:_MAX_TITLE_LENGTH]}{_END}" if title else "" for title in titles]
    lengths = np.array([len(title) for title in framed], np.int64)
    codes = np.frombuffer("".join(framed).encode("utf-32-le", "surrogatepass"), np.uint32)
    title_of = np.repeat(np.arange(len(titles)), lengths)
    end = np.cumsum(lengths)[title_of]
    is_cjk = codes >= _FIRST_CJK
    runs = []
    for length, is_kind in ((_PIECE_LENGTH, ~is_cjk), (_CJK_PIECE_LENGTH, is_cjk)):
        begins = np.flatnonzero(is_kind & (np.arange(len(codes)) + length <= end))
        runs.append((title_of[begins], _hash(codes, begins, length)))
    whole = np.array([_hash_whole(title) for title in titles if title], np.int64)
    runs.append((np.flatnonzero(lengths), whole))
    owner = np.concatenate([title for title, _ in runs])
    hashes = np.concatenate([hashed for _, hashed in runs])
    # A piece counts once in a title.
    distinct, _ = np.unique(owner * PIECES + hashes, return_counts=True)
    counts = np.bincount(distinct // PIECES, minlength=len(titles))
    return Pieces(distinct % PIECES, counts.astype(np.int64))


def _hash(codes: NDArray[np.uint32], begins: Ints, length: int) -> Ints:
    """The hashes of the runs of `length` characters that begin there."""
    hashed = np.zeros(len(begins), np.uint32)
    for offset in range(length):
        hashed = hashed * _BASE + codes[begins + offset]
    spread = (hashed * _MULTIPLIER) >> np.uint32(32 - PIECE_BITS)
    return spread.astype(np.int64)


def _hash_whole(title: str) -> int:
    return zlib.crc32(title.encode("utf-8", "surrogatepass")) % PIECES
