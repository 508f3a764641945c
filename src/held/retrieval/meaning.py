"""What words mean, as small vectors: a question about planes is near to a passage about aircraft.

The vectors are learnt from headings and the text below them (`research/retrieval/meanings.py`) and ship as
`terms/meanings.npz`: common words of many documents, English and pairs of Chinese characters. The vector of a
text is the sum over its different words, so those of a section or page are sums of those of its passages, and
all that does not depend on the question is counted once, when a document is made searchable.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from importlib.resources import as_file, files
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from held.retrieval.bm25 import SMALL, Floats, Postings

DIMENSIONS = 64
_LARGEST = 127  # of a byte

Bytes = NDArray[np.int8]


@dataclass(frozen=True)
class Meanings:
    """Vectors as bytes, each with what a step of its bytes is worth."""

    words: tuple[str, ...]
    vectors: Bytes  # (W, D)
    steps: Floats  # (W,)

    @classmethod
    def of(cls, words: Sequence[str], vectors: Floats) -> Self:
        """The words with their vectors."""
        return cls(tuple(words), *as_bytes(vectors))

    @cached_property
    def number_of(self) -> Mapping[str, int]:
        """The number of each word."""
        return {word: number for number, word in enumerate(self.words)}

    def of_words(self, words: Sequence[str]) -> Floats:
        """The vector of each word, of one that is not known 0: (words, D)."""
        numbers = np.array([self.number_of.get(word, -1) for word in words], np.int64)
        known = numbers >= 0
        found = np.zeros((len(words), self.vectors.shape[1]), np.float32)
        found[known] = self.vectors[numbers[known]] * self.steps[numbers[known], None]
        return found


def as_bytes(vectors: Floats) -> tuple[Bytes, Floats]:
    """The vectors in bytes, and what a step is worth in each: a quarter of the room, and good enough."""
    steps = np.abs(vectors).max(axis=1, initial=0) / _LARGEST
    scaled = vectors / np.maximum(steps, SMALL)[:, None]
    return np.round(scaled).astype(np.int8), np.asarray(steps, np.float32)


@cache
def shipped_meanings() -> Meanings:
    """The vectors that ship with the package."""
    with as_file(files("held.retrieval.terms").joinpath("meanings.npz")) as path:
        return read_meanings(path)


def read_meanings(path: str | os.PathLike[str]) -> Meanings:
    """The vectors in a file."""
    with np.load(path, allow_pickle=False) as parts:
        words = parts["words"].tobytes().decode().split("\n")
        return Meanings(tuple(words), parts["vectors"], parts["steps"])


def write_meanings(meanings: Meanings, path: str | os.PathLike[str]) -> None:
    """Writes the vectors into a file."""
    words = np.frombuffer("\n".join(meanings.words).encode(), np.uint8)
    np.savez_compressed(path, words=words, vectors=meanings.vectors, steps=meanings.steps)


def meanings_of_texts(postings: Postings, meanings: Meanings) -> Floats:
    """The vector of each text, a sum over its different words: (texts, D)."""
    vectors = meanings.of_words(postings.words)
    number = np.repeat(np.arange(len(postings.words)), np.diff(postings.starts))
    return summed(vectors, number, postings.texts, len(postings.lengths))


def summed(vectors: Floats, which: NDArray[Any], group: NDArray[Any], groups: int) -> Floats:
    """For each group the sum of vectors: vector `which[i]` belongs to group `group[i]`: (groups, D)."""
    # Dimension by dimension: all pairs at once would take some hundred bytes for each word of a document.
    sums = [np.bincount(group, column[which], groups) for column in vectors.T]
    return np.array(sums, np.float32).reshape(vectors.shape[1], groups).T


def meaning_of_question(words: Sequence[str], meanings: Meanings) -> Floats:
    """The vector of what is asked for, of length 1; 0 where no word is known."""
    whole = meanings.of_words(words).sum(axis=0)
    return np.asarray(whole / max(float(np.linalg.norm(whole)), SMALL), np.float32)
