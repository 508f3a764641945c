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

from held.retrieval.tokens import all_stopwords, compound_part, fold, is_same_word

START_LETTERS = 3  # that all forms of a word share
K1 = 1.5  # how much repetitions of a word still count
B = 0.75  # how much long texts are discounted: 0 not at all, 1 in full
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
        found = np.zeros(len(self.lengths), np.bool_)
        for word in self.words:
            if _NUMBER.fullmatch(word):
                texts, _ = self.postings(word)
                found[texts] = True
        return found

    @cached_property
    def words_by_start(self) -> Mapping[str, list[str]]:
        """The words by their first letters, without accents: where other forms of a word are found."""
        found: dict[str, list[str]] = {}
        for word in self.words:
            if len(word) > START_LETTERS and word.isalpha():
                found.setdefault(fold(word)[:START_LETTERS], []).append(word)
        return found

    @cached_property
    def word_idf(self) -> Floats:
        """The inverse document frequency of each word: (W,)."""
        having = np.diff(self.starts)
        return np.asarray(_idf(having, len(self.lengths)), np.float32)

    @cached_property
    def text_worth(self) -> Floats:
        """The sum of the inverse document frequencies of each text's words: (N,).

        Numbers and the stopwords of all languages are left out: "3 How to start" is worth as much as "start".
        """
        ignored = all_stopwords()
        is_number = [word[:1].isdigit() for word in self.words]
        is_stopword = [fold(word) in ignored for word in self.words]
        is_content = ~(np.array(is_number, bool) | np.array(is_stopword, bool))
        worth = np.where(is_content, self.word_idf, 0)
        sums = np.bincount(self.texts, worth[self.word_of_posting], len(self.lengths))
        return sums.astype(np.float32)

    def forms(self, word: str, language: str) -> list[str]:
        """The words that differ from a word in their ending alone, and the word itself if there is one.

        English has few endings beside the plural, which tokens don't have: other forms are only looked for
        if the word itself does not occur.
        """
        known = [word] if word in self.number_of else []
        is_enough = known and language in ("en", "zh", "")
        if is_enough or len(word) <= START_LETTERS or not word.isalpha():
            return known
        start = fold(word)[:START_LETTERS]
        alike = self.words_by_start.get(start, ())
        forms = [other for other in alike if is_same_word(word, other, language)]
        if part := compound_part(word, language):
            forms += [other for other in self.words if part in other and other not in forms]
        return known + [form for form in forms if form != word]

    @property
    def word_of_posting(self) -> NDArray[np.int64]:
        """The number of each posting's word: (P,)."""
        word_numbers = np.arange(len(self.words))
        postings_per_word = np.diff(self.starts)
        return np.repeat(word_numbers, postings_per_word)

    def postings(self, word: str) -> tuple[Ints, Ints]:
        """The texts that have the word, and how often each has it."""
        number = self.number_of.get(word)
        if number is None:
            return self.texts[:0], self.counts[:0]
        own = slice(self.starts[number], self.starts[number + 1])
        return self.texts[own], self.counts[own]

    def count_matrix(self, words: Sequence[str], language: str | None = None) -> Floats:
        """How often each text has each of the words, in any form if a language is given: (words, texts)."""
        matrix = np.zeros((len(words), len(self.lengths)), np.float32)
        for row, word in zip(matrix, words, strict=True):
            forms = [word] if language is None else self.forms(word, language)
            for form in forms:
                texts, counts = self.postings(form)
                row[texts] += counts
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
    token_words = np.array(word_of_token, np.int64)
    token_texts = np.array(text_of_token, np.int64)
    pairs = token_words * text_count + token_texts
    pairs, counts = np.unique(pairs, return_counts=True)
    word_of_posting, text_of_posting = np.divmod(pairs, text_count)
    word_numbers = np.arange(len(numbers) + 1)
    starts = np.searchsorted(word_of_posting, word_numbers)
    lengths = [len(text) for text in texts]
    return InvertedIndex(
        tuple(numbers),
        starts.astype(np.int32),
        text_of_posting.astype(np.int32),
        counts.astype(np.int32),
        np.array(lengths, np.int32),
    )


def bm25(index: InvertedIndex, query: Sequence[str], *, k1: float = K1, b: float = B) -> Floats:
    """The score of each text for the query's tokens."""
    repetitions = Counter(query)
    words = list(repetitions)
    weights = np.array(list(repetitions.values()), np.float32)
    counts = index.count_matrix(words)
    return bm25_from_counts(counts, index.lengths, weights, k1=k1, b=b)


def bm25_from_counts(
    counts: Floats, lengths: NDArray[Any], weights: Floats, *, k1: float = K1, b: float = B
) -> Floats:
    """The score of each text, from how often it has each of the words: (words, texts)."""
    mean_length = lengths.mean() if len(lengths) else 0.0
    relative_lengths = b * lengths / max(mean_length, EPSILON)
    damping = k1 * (1 - b + relative_lengths)
    # The damping of an empty text may be 0; its counts are 0, too.
    saturated = counts / np.maximum(counts + damping, EPSILON)
    word_worth = weights * idf(counts)
    return np.asarray(word_worth @ saturated, np.float32)


def idf(counts: Floats) -> Floats:
    """The inverse document frequency of each word: the fewer texts have it, the higher."""
    having = (counts > 0).sum(axis=1)
    return np.asarray(_idf(having, counts.shape[1]), np.float32)


def _idf(having: NDArray[Any], texts: int) -> NDArray[Any]:
    """The inverse document frequency of words that so many of the texts have."""
    odds = (texts - having + 0.5) / (having + 0.5)
    return np.asarray(np.log(1 + odds))
