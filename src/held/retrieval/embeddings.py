"""Vectors of texts: the word vectors that ship with the package, and embeddings from a function of the user.

With word vectors, a question about planes is near a passage about aircraft. They are trained on headings and
the text below them (`research/retrieval/meanings.py`) and cover common English words and pairs of Chinese
characters. The vector of a text is the sum over its distinct words. So the vector of a section or a page is
the sum over its passages, and everything that does not depend on the question is computed once.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from importlib.resources import as_file, files
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from held.errors import UsageError
from held.retrieval.bm25 import EPSILON, Floats, InvertedIndex
from held.retrieval.passages import Passage

DIMENSIONS = 64
EMBEDDING_WEIGHT = 3.0  # of the user's embeddings in the ranker's sum: as much as the page type
_MAX_BYTE = 127  # of int8; -128 is not used, so that the range is symmetric

Bytes = NDArray[np.int8]
PathLike = str | os.PathLike[str]
Embed = Callable[[Sequence[str]], Any]
"""A function from texts to an array of their vectors: (texts, D)."""


@dataclass(frozen=True)
class WordVectors:
    """Vectors quantized to bytes: the vector of word w is `vectors[w] * scales[w]`."""

    words: tuple[str, ...]
    vectors: Bytes  # (W, D)
    scales: Floats  # (W,)

    @classmethod
    def from_floats(cls, words: Sequence[str], vectors: Floats) -> Self:
        """The words with these vectors."""
        quantized, scales = quantize(vectors)
        return cls(tuple(words), quantized, scales)

    @cached_property
    def number_of(self) -> Mapping[str, int]:
        """The number of each word."""
        return {word: number for number, word in enumerate(self.words)}

    def lookup(self, words: Sequence[str]) -> Floats:
        """The vector of each word, 0 for unknown ones: (words, D)."""
        number_or_minus_one = [self.number_of.get(word, -1) for word in words]
        numbers = np.array(number_or_minus_one, np.int64)
        is_known = numbers >= 0
        known = numbers[is_known]
        dimensions = self.vectors.shape[1]
        found = np.zeros((len(words), dimensions), np.float32)
        found[is_known] = self.vectors[known] * self.scales[known, None]
        return found


def quantize(vectors: Floats) -> tuple[Bytes, Floats]:
    """The vectors as bytes, and the scale of each: a quarter of the memory at no measured loss."""
    largest = np.abs(vectors).max(axis=1, initial=0)
    scales = largest / _MAX_BYTE
    divisors = np.maximum(scales, EPSILON)
    rounded = np.round(vectors / divisors[:, None])
    return rounded.astype(np.int8), np.asarray(scales, np.float32)


@cache
def shipped_word_vectors() -> WordVectors:
    """The word vectors that ship with the package."""
    resource = files("held.retrieval").joinpath("data", "word_vectors.npz")
    with as_file(resource) as path:
        return read_word_vectors(path)


def read_word_vectors(path: PathLike) -> WordVectors:
    """The word vectors in a file."""
    # Pickles can run code; nothing in this file needs them.
    with np.load(path, allow_pickle=False) as arrays:
        words = arrays["words"].tobytes().decode().split("\n")
        return WordVectors(tuple(words), arrays["vectors"], arrays["steps"])


def write_word_vectors(vectors: WordVectors, path: PathLike) -> None:
    """Writes word vectors into a file."""
    # One text of all words: an array of strings would be as wide as the longest of them.
    text = "\n".join(vectors.words)
    words = np.frombuffer(text.encode(), np.uint8)
    np.savez_compressed(path, words=words, vectors=vectors.vectors, steps=vectors.scales)


def text_vectors(index: InvertedIndex, word_vectors: WordVectors) -> Floats:
    """The vector of each text, the sum over its distinct words: (texts, D)."""
    vectors = word_vectors.lookup(index.words)
    return sum_by_group(vectors, index.word_of_posting, index.texts, len(index.lengths))


def sum_by_group(vectors: Floats, which: NDArray[Any], group: NDArray[Any], groups: int) -> Floats:
    """The sum of vectors in each group; vector `which[i]` belongs to group `group[i]`: (groups, D)."""
    # One dimension at a time: all at once would take hundreds of bytes for each word of a document.
    dimensions = vectors.shape[1]
    sums = [np.bincount(group, column[which], groups) for column in vectors.T]
    # With 0 dimensions there is no column to take the number of groups from.
    by_dimension = np.array(sums, np.float32).reshape(dimensions, groups)
    return by_dimension.T


def query_vector(words: Sequence[str], word_vectors: WordVectors) -> Floats:
    """The vector of a question, of length 1; 0 if no word is known."""
    total = word_vectors.lookup(words).sum(axis=0)
    norm = float(np.linalg.norm(total))
    return np.asarray(total / max(norm, EPSILON), np.float32)


def text_to_embed(passage: Passage) -> str:
    """What the user's function embeds of a passage: the nearest heading above it, and its text."""
    nearest_heading = passage.path[-1:]
    return "\n".join([*nearest_heading, passage.text])


def embed_passages(passages: Sequence[Passage], embed: Embed) -> Floats:
    """The user's vectors of passages, each of length 1."""
    texts = [text_to_embed(passage) for passage in passages]
    return embed_texts(texts, embed)


def embed_texts(texts: Sequence[str], embed: Embed) -> Floats:
    """The user's vectors of texts, each of length 1; an error unless there is one for each text."""
    if not texts:
        return np.zeros((0, 0), np.float32)
    vectors = np.asarray(embed(texts), np.float32)
    if vectors.ndim != 2 or len(vectors) != len(texts):
        shape = " x ".join(map(str, vectors.shape))
        problem = f"embed gave {shape} for {len(texts)} texts"
        raise UsageError(problem, advice="it must give one vector for each")
    norms = np.linalg.norm(vectors, axis=1, keepdims=True)
    return np.asarray(vectors / np.maximum(norms, EPSILON), np.float32)


def embedding_similarity(question: str, vectors: Floats, embed: Embed) -> Floats:
    """The cosine of each passage with the question, at least 0, divided by the best of the document."""
    (own,) = embed_texts([question], embed)
    cosines = np.maximum(vectors @ own, 0)
    best = float(cosines.max(initial=0))
    return np.asarray(cosines / max(best, EPSILON), np.float32)
