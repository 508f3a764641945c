"""The retrieval features of the paper, for comparison: the shipped ranker does not use them."""

from __future__ import annotations

import numpy as np

from held.retrieval.bm25 import Floats, bm25
from held.retrieval.document_index import DocumentIndex
from held.retrieval.passages import Passage
from held.retrieval.tokens import tokens

PAPER_FEATURES = ("BM25", "BM25AncMax", "SameWordAnc", "Pos", "PosRatio")
"""BM25 of the passage; the highest BM25 of a heading above it; the number of words that it shares with these
headings; its position among its siblings, counted from 1; that position over the number of siblings."""


def paper_features(query: str, document: DocumentIndex) -> Floats:
    """The columns `PAPER_FEATURES` for each passage."""
    count = len(document.passages)
    scores = bm25(document.texts, tokens(query))
    best_heading = np.zeros(count, np.float32)
    np.maximum.at(best_heading, document.below, scores[document.heading])
    rows = [(_shared_words(p), p.position, p.position / p.siblings) for p in document.passages]
    facts = np.array(rows, np.float32).reshape(count, 3)
    return np.concatenate([scores[:count, None], best_heading[:, None], facts], axis=1)


def _shared_words(passage: Passage) -> int:
    heading_words = {word for heading in passage.path for word in tokens(heading)}
    return len(heading_words.intersection(tokens(passage.text)))
