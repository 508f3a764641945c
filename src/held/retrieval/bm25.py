"""BM25 over the texts of one document, as arrays: a question costs its own words' postings and no more.

The form is that of Lucene: idf = ln(1 + (N - n + 0.5) / (n + 0.5)), a word asked for twice counts twice.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

K1 = 1.5
B = 0.75
SMALL = 1e-9  # keeps what is empty, or like nothing, from being divided by 0

_NUMBER = re.compile(r"(?!(?:19|20)\d\d$)\d[\d.]*\d")

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

    @cached_property
    def with_number(self) -> NDArray[np.bool_]:
        """Which texts have a number that counts something: no year, no single digit."""
        telling = np.array([bool(_NUMBER.fullmatch(word)) for word in self.words], np.bool_)
        found = np.zeros(len(self.lengths), np.bool_)
        found[self.texts[np.repeat(telling, np.diff(self.starts))]] = True
        return found

    def having(self, word: str) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
        """The texts that have the word, and how often each has it."""
        number = self.number_of.get(word)
        if number is None:
            return self.texts[:0], self.counts[:0]
        stretch = slice(self.starts[number], self.starts[number + 1])
        return self.texts[stretch], self.counts[stretch]

    def counts_of(self, words: Sequence[str]) -> Floats:
        """How often each text has each of the words: (words, texts)."""
        found = np.zeros((len(words), len(self.lengths)), np.float32)
        for row, word in zip(found, words, strict=True):
            texts, counts = self.having(word)
            row[texts] = counts
        return found


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
    times = Counter(query)
    weights = np.array(list(times.values()), np.float32)
    return bm25_of_counts(postings.counts_of(list(times)), postings.lengths, weights, k1=k1, b=b)


def bm25_of_counts(
    counts: Floats, lengths: NDArray[Any], weights: Floats, *, k1: float = K1, b: float = B
) -> Floats:
    """The score of each text, from how often it has each of the words: (words, texts)."""
    mean = lengths.mean() if len(lengths) else 0.0
    damping = k1 * (1 - b + b * lengths / max(mean, SMALL))
    # A text without words has a damping that may be 0; it has no counts either.
    return np.asarray((weights * idf(counts)) @ (counts / np.maximum(counts + damping, SMALL)), np.float32)


def idf(counts: Floats) -> Floats:
    """How much each word tells: more, the fewer texts have it."""
    having = (counts > 0).sum(axis=1)
    return np.asarray(np.log(1 + (counts.shape[1] - having + 0.5) / (having + 0.5)), np.float32)
