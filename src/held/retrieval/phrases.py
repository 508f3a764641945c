"""Phrases in quotation marks: which passages have them word for word, in their text or in a heading above."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

import numpy as np

from held.retrieval.bm25 import Bools
from held.retrieval.document_index import DocumentIndex
from held.retrieval.passages import Passage
from held.retrieval.tokens import is_paired, tokens

_APOSTROPHES = str.maketrans("’‘", "''")


def contains_phrases(document: DocumentIndex, phrases: Sequence[str]) -> Bools:
    """Which passages have all of the phrases; case and line ends do not matter."""
    patterns = [_phrase_pattern(phrase) for phrase in phrases]
    count = len(document.passages)
    found = np.zeros(count, np.bool_)
    # Only passages that have all words of the phrases are decoded and read.
    words = {word for phrase in phrases for word in tokens(phrase)}
    has_all = np.ones(count, np.bool_)
    for word in words:
        has_all &= _has_word(document, word)
    for number in np.flatnonzero(has_all).tolist():
        texts = _texts(document.passages[number])
        found[number] = all(any(map(pattern.search, texts)) for pattern in patterns)
    return found


def _has_word(document: DocumentIndex, word: str) -> Bools:
    """Which passages have the word as it is, in themselves or in a heading above them."""
    (counts,) = document.texts.count_matrix([word])
    has_word = np.asarray(counts > 0, np.bool_)
    found = has_word[: len(document.passages)].copy()
    found[document.below[has_word[document.heading]]] = True
    return found


def _texts(passage: Passage) -> list[str]:
    return [_normalise(text) for text in (passage.text, *passage.path)]


def _normalise(text: str) -> str:
    plain = unicodedata.normalize("NFKC", text).lower().translate(_APOSTROPHES)
    return " ".join(plain.split())


def _phrase_pattern(phrase: str) -> re.Pattern[str]:
    """Matches the phrase as whole words; Chinese, Japanese and Korean have no spaces that end a word."""
    plain = _normalise(phrase)
    escaped = re.escape(plain)
    return re.compile(escaped if is_paired(plain) else rf"(?<!\w){escaped}(?!\w)")
