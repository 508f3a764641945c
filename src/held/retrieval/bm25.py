"""An inverted index over the texts of one document, and BM25 on it. A query costs only its words' postings.

BM25 is Lucene's variant: idf = ln(1 + (N - n + 0.5) / (n + 0.5)); a word that the query has twice counts
twice.
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
EPSILON = 1e-9  # avoids a division by 0 for empty texts

_NUMBER = re.compile(r"(?!(?:19|20)\d\d$)\d[\d.]*\d")  # a quantity: no year, no single digit

Floats = NDArray[np.float32]
Ints = NDArray[np.int32]
Bools = NDArray[np.bool_]


@dataclass(frozen=True)
class InvertedIndex:
    """Which texts have which words.

    The postings of word w are the entries from starts[w] up to starts[w + 1]: it occurs `counts[i]` times in
    text `texts[i]`. `lengths` has the number of words of each text.
    """

    words: tuple[str, ...]
    starts: Ints  # (W + 1,)
    texts: Ints  # (P,)
    counts: Ints  # (P,)
    lengths: Ints  # (N,)

    @cached_property
    def number_of(self) -> Mapping[str, int]:
        """The number of each word."""
        return {word: number for number, word in enumerate(self.words)}

    @cached_property
    def has_quantity(self) -> Bools:
        """Which texts have a number that is a quantity."""
        is_quantity = np.array([bool(_NUMBER.fullmatch(word)) for word in self.words], np.bool_)
        postings_per_word = np.diff(self.starts)
        found = np.zeros(len(self.lengths), np.bool_)
        found[self.texts[np.repeat(is_quantity, postings_per_word)]] = True
        return found

    def postings(self, word: str) -> tuple[Ints, Ints]:
        """The texts that have the word, and how often each has it."""
        number = self.number_of.get(word)
        if number is None:
            return self.texts[:0], self.counts[:0]
        own = slice(self.starts[number], self.starts[number + 1])
        return self.texts[own], self.counts[own]

    def count_matrix(self, words: Sequence[str]) -> Floats:
        """How often each text has each of the words: (words, texts)."""
        matrix = np.zeros((len(words), len(self.lengths)), np.float32)
        for row, word in zip(matrix, words, strict=True):
            texts, counts = self.postings(word)
            row[texts] = counts
        return matrix


def build_inverted_index(texts: Sequence[Sequence[str]]) -> InvertedIndex:
    """The inverted index of texts that are given as tokens."""
    numbers: dict[str, int] = {}
    word_of_token: list[int] = []
    text_of_token: list[int] = []
    for text_number, text in enumerate(texts):
        word_of_token += [numbers.setdefault(word, len(numbers)) for word in text]
        text_of_token += [text_number] * len(text)
    # One number for each (word, text) pair, so that a single sort groups and counts them.
    text_count = max(1, len(texts))
    pairs = np.array(word_of_token, np.int64) * text_count + np.array(text_of_token, np.int64)
    pairs, counts = np.unique(pairs, return_counts=True)
    word_of_posting, text_of_posting = np.divmod(pairs, text_count)
    starts = np.searchsorted(word_of_posting, np.arange(len(numbers) + 1))
    return InvertedIndex(
        tuple(numbers),
        starts.astype(np.int32),
        text_of_posting.astype(np.int32),
        counts.astype(np.int32),
        np.array([len(text) for text in texts], np.int32),
    )


def bm25(index: InvertedIndex, query: Sequence[str], *, k1: float = K1, b: float = B) -> Floats:
    """The score of each text for the query's tokens."""
    repetitions = Counter(query)
    weights = np.array(list(repetitions.values()), np.float32)
    counts = index.count_matrix(list(repetitions))
    return bm25_from_counts(counts, index.lengths, weights, k1=k1, b=b)


def bm25_from_counts(
    counts: Floats, lengths: NDArray[Any], weights: Floats, *, k1: float = K1, b: float = B
) -> Floats:
    """The score of each text, from how often it has each of the words: (words, texts)."""
    mean_length = lengths.mean() if len(lengths) else 0.0
    damping = k1 * (1 - b + b * lengths / max(mean_length, EPSILON))
    # The damping of an empty text may be 0; its counts are 0, too.
    saturated = counts / np.maximum(counts + damping, EPSILON)
    return np.asarray((weights * idf(counts)) @ saturated, np.float32)


def idf(counts: Floats) -> Floats:
    """The inverse document frequency of each word: the fewer texts have it, the higher."""
    having = (counts > 0).sum(axis=1)
    return np.asarray(np.log(1 + (counts.shape[1] - having + 0.5) / (having + 0.5)), np.float32)
