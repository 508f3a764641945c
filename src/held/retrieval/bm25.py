"""BM25 over the texts of one document, as arrays: a question costs its own words' postings and no more.

The form is that of Lucene: idf = ln(1 + (N - n + 0.5) / (n + 0.5)), a word asked for twice counts twice.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

K1 = 1.5
B = 0.75

Floats = NDArray[np.float32]


@dataclass(frozen=True)
class Postings:
    """Which texts have which words: word w stands `counts[i]` times in `texts[i]`,
    for i from starts[w] up to starts[w + 1].

    `lengths` has the number of words of each text.
    """

    words: tuple[str, ...]
    starts: NDArray[np.int32]  # (W + 1,)
    texts: NDArray[np.int32]  # (P,)
    counts: NDArray[np.int32]  # (P,)
    lengths: NDArray[np.int32]  # (N,)

    @cached_property
    def number_of(self) -> Mapping[str, int]:
        """The number of each word."""
        return {word: number for number, word in enumerate(self.words)}

    def having(self, word: str) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
        """The texts that have the word, and how often each has it."""
        number = self.number_of.get(word)
        if number is None:
            return self.texts[:0], self.counts[:0]
        stretch = slice(self.starts[number], self.starts[number + 1])
        return self.texts[stretch], self.counts[stretch]

    def idf(self, word: str) -> float:
        """How much the word tells: more, the fewer texts have it."""
        having = len(self.having(word)[0])
        return math.log(1 + (len(self.lengths) - having + 0.5) / (having + 0.5))


def postings_of(texts: Sequence[Sequence[str]]) -> Postings:
    """The postings of texts that are given as tokens."""
    numbers: dict[str, int] = {}
    words, owners = [], []
    for owner, text in enumerate(texts):
        words += [numbers.setdefault(word, len(numbers)) for word in text]
        owners += [owner] * len(text)
    pairs = np.array(words, np.int64) * max(1, len(texts)) + np.array(owners, np.int64)
    pairs, counts = np.unique(pairs, return_counts=True)
    number, owner_of = np.divmod(pairs, max(1, len(texts)))
    return Postings(
        tuple(numbers),
        np.searchsorted(number, np.arange(len(numbers) + 1)).astype(np.int32),
        owner_of.astype(np.int32),
        counts.astype(np.int32),
        np.array([len(text) for text in texts], np.int32),
    )


def bm25(postings: Postings, query: Sequence[str], *, k1: float = K1, b: float = B) -> Floats:
    """The score of each text for the query's tokens."""
    scores = np.zeros(len(postings.lengths), np.float64)
    mean = postings.lengths.mean() if len(postings.lengths) else 0.0
    damping = k1 * (1 - b + b * postings.lengths / max(mean, 1e-9))
    for word, times in Counter(query).items():
        texts, counts = postings.having(word)
        scores[texts] += times * postings.idf(word) * counts / (counts + damping[texts])
    return scores.astype(np.float32)
