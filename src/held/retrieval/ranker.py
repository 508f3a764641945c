"""The order in which passages answer a question: a sum of how well they match; and how sure that is.

The sum is fixed. Boosted trees and weights learnt from questions were measured against it by leaving
companies out, and brought nothing that held up (docs/retrieval.md). A score says which passage comes first
in one document; the probability that its page answers is read off a curve, from what does not depend on the
document: how much of the question is there, how like a name its best row is, and how far it is ahead of the
other pages.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from held.retrieval import hybrid
from held.retrieval.bm25 import Floats
from held.retrieval.features import FEATURES, Matches, Searchable, matches_of, searchable
from held.retrieval.passages import Passage
from held.retrieval.query import Question, understood

WEIGHTS: Mapping[str, float] = {
    "fields": 1.0,
    "path": 1.0,
    "section": 1.0,
    "page": 1.0,
    "row": 1.0,
    "row asked": 0.5,  # the whole question is seldom a label
    "kind": 3.0,  # a statement that has what is asked for is worth as much as all words together
}
"""Chosen on questions about filings of split train, and in whole and half numbers, not fitted."""

_SUM = np.array([WEIGHTS[name] for name in FEATURES], np.float32)
_ROW = FEATURES.index("row")


@dataclass(frozen=True, slots=True)
class Curve:
    """A logistic curve: what each sign of an answer is worth; experiments/retrieval/calibrate.py fits it."""

    constant: float
    share: float
    row: float
    kind: float
    ahead: float


CURVE = Curve(constant=-2.22, share=0.87, row=1.05, kind=0.85, ahead=0.41)


@dataclass(frozen=True, slots=True)
class Ranking:
    """For each passage its score in its document, and the probability that its page answers."""

    scores: Floats
    probabilities: Floats


def ranking(question: Question, document: Searchable, likeness: Floats | None = None) -> Ranking:
    """How the passages of a document answer a question; `likeness` is that of vectors, where given."""
    matches = matches_of(question, document)
    scores = np.asarray(matches.features() @ _SUM, np.float32)
    if likeness is not None:
        scores = scores + hybrid.WEIGHT * likeness
    return Ranking(scores, _probabilities(signs_of(matches, scores, document)))


def signs_of(matches: Matches, scores: Floats, document: Searchable) -> Floats:
    """For each passage what tells whether its page answers: the columns of `Curve` after the constant."""
    ahead = scores - _best_of_other_pages(scores, document)
    return np.stack([matches.share, matches.columns[:, _ROW], matches.kind, ahead], axis=1)


def _best_of_other_pages(scores: Floats, document: Searchable) -> Floats:
    """For each passage the best score on any page but its own; 0 where there is no other."""
    if not len(scores):
        return scores
    pages = np.zeros(int(document.page.max()) + 1, np.float32)
    np.maximum.at(pages, document.page, scores)
    first = int(np.argmax(pages))
    second = float(np.max(np.delete(pages, first), initial=0.0))
    return np.where(document.page == first, second, pages[first]).astype(np.float32)


def _probabilities(signs: Floats) -> Floats:
    worth = np.array([CURVE.share, CURVE.row, CURVE.kind, CURVE.ahead], np.float32)
    return np.asarray(1 / (1 + np.exp(-(CURVE.constant + signs @ worth))), np.float32)


def rank(query: str | Question, document: Searchable | Sequence[Passage]) -> Floats:
    """A score for each passage of one document: the higher, the sooner it should be read."""
    ready = document if isinstance(document, Searchable) else searchable(document)
    question = understood(query) if isinstance(query, str) else query
    return ranking(question, ready).scores
