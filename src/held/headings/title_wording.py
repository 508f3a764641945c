"""What the wording of a title says of its section: how deep it lies and how many headings it holds.

"Directors' report" and "Notes to the financial statements" hold many headings in any report, "Dividends"
holds none. Style and numbers do not tell that where a report sets both alike. A linear model over short
pieces of titles learns it from other documents. Pieces are hashed, so the model is a small table of numbers,
and a title that nobody has used before still shares pieces with those that somebody has.
"""

from __future__ import annotations

import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from held.headings.columns import Floats, Ints

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
