"""What the ranker sees of a passage for a question: the features of the paper, and the words behind them.

A node's ancestors are the headings above it. All nodes of a document, passages and headings, are one
collection of texts, so that a word weighs the same in both.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from held.retrieval.bm25 import Floats, Postings, bm25, postings_of
from held.retrieval.passages import Passage
from held.retrieval.tokens import tokens

PAPER = ("BM25", "BM25AncMax", "SameWordAnc", "Pos", "PosRatio")


@dataclass(frozen=True, slots=True)
class Searchable:
    """The passages of one document, ready for questions.

    `postings` has the passages first, then the headings above them. `above[i]` is a heading's text number and
    `below[i]` a passage under it.
    """

    passages: tuple[Passage, ...]
    postings: Postings
    above: NDArray[np.int32]
    below: NDArray[np.int32]
    same_words: Floats


def searchable(passages: Sequence[Passage]) -> Searchable:
    """The passages of one document with all that can be known before the question."""
    headings: dict[int, str] = {}
    for passage in passages:
        headings |= zip(passage.ancestors, passage.path, strict=True)
    number = {heading: len(passages) + place for place, heading in enumerate(headings)}
    words = [tokens(text) for text in chain((p.text for p in passages), headings.values())]
    pairs = [(number[obj], p) for p, passage in enumerate(passages) for obj in passage.ancestors]
    above, below = np.array(pairs, np.int32).reshape(-1, 2).T
    same = [
        len(set(words[p]) & set(chain(*(words[number[obj]] for obj in passage.ancestors))))
        for p, passage in enumerate(passages)
    ]
    return Searchable(tuple(passages), postings_of(words), above, below, np.array(same, np.float32))


def paper_features(query: str, document: Searchable) -> Floats:
    """For each passage the columns `PAPER`."""
    count = len(document.passages)
    scores = bm25(document.postings, tokens(query))
    best_above = np.zeros(count, np.float32)
    np.maximum.at(best_above, document.below, scores[document.above])
    position = np.array([passage.position for passage in document.passages], np.float32)
    siblings = np.array([passage.siblings for passage in document.passages], np.float32)
    columns = (scores[:count], best_above, document.same_words, position, position / siblings)
    return np.stack(columns, axis=1)
