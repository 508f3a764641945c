"""The order in which passages answer a question: a sum of how well they match; and how sure that is.

The sum is fixed. Boosted trees and weights learnt from questions were measured against it by leaving
companies out, and brought nothing that held up (docs/research/retrieval.md). A score says which passage comes
first in one document; the probability that its page answers is read off a curve, from what does not depend on
the document: how much of the question is there, how like a name its best row is, how near its meaning is
to that of the question, and how far it is ahead of the other pages.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields

import numpy as np

from held.retrieval import hybrid
from held.retrieval.bm25 import Floats
from held.retrieval.features import FEATURES, MEANINGS, Matches, Searchable, matches_of, searchable
from held.retrieval.passages import Passage
from held.retrieval.query import Question, understood

WEIGHTS: Mapping[str, float] = {
    "fields": 1.0,
    "path": 1.0,
    "section": 1.0,
    "page": 1.0,
    "passage meant": 1.0,  # a meaning counts as much as the words themselves
    "path meant": 1.0,
    "section meant": 1.0,
    "page meant": 1.0,
    "row": 1.0,
    "row asked": 0.5,  # the whole question is seldom a label
    "defined": 6.0,  # who asks what a word means wants no other page, however much that says the word
    "number": 2.0,  # as much as headings that match
    "kind": 3.0,  # a statement that has what is asked for is worth as much as all words together
}
"""Chosen on questions about filings of split train and on our own, in whole and half numbers, not fitted."""

SHORT = (
    6  # words; one passage has most of a shorter question's, while those of a long one are all over a page
)
SHORT_WEIGHTS: Mapping[str, float] = {**WEIGHTS, "page": 0.0, "path meant": 2.0}
"""For a short question: what its words say less, the meaning of the headings says more."""

_SELDOM = ("defined", "number", "kind")  # matches that most questions do not ask for
_WORDS = FEATURES.index("fields")
_ROW = FEATURES.index("row")
_MEANT = [FEATURES.index(name) for name in MEANINGS]


@dataclass(frozen=True, slots=True)
class Curve:
    """A logistic curve: what each sign of an answer is worth; research/retrieval/calibrate.py fits it.

    `share` is that of the question's words, `words` their BM25, `row` and `kind` are the features of these
    names, `meant` is how near the meaning is at all sizes, `agreed` how far the passage is the best of its
    document in every way, and `ahead` how far it is before other pages.
    """

    constant: float
    share: float
    words: float
    row: float
    kind: float
    meant: float
    agreed: float
    ahead: float


CURVE = Curve(constant=-5.02, share=2.2, words=0.32, row=1.35, kind=0.76, meant=2.37, agreed=1.7, ahead=0.51)

SIGNS = tuple(field.name for field in fields(Curve))[1:]


@dataclass(frozen=True, slots=True)
class Ranking:
    """For each passage its score in its document, and the probability that its page answers."""

    scores: Floats
    probabilities: Floats


def weights_for(question: Question) -> Mapping[str, float]:
    """What each match is worth for a question."""
    return SHORT_WEIGHTS if len(question.asked) <= SHORT else WEIGHTS


def ranking(question: Question, document: Searchable, likeness: Floats | None = None) -> Ranking:
    """How the passages of a document answer a question; `likeness` is that of vectors, where given."""
    matches = matches_of(question, document)
    scores = scores_of(question, matches)
    if likeness is not None:
        scores = scores + hybrid.WEIGHT * likeness
    return Ranking(scores, _probabilities(signs_of(question, matches, scores, document)))


def scores_of(question: Question, matches: Matches) -> Floats:
    """The sum for each passage."""
    weights = weights_for(question)
    return np.asarray(matches.features() @ [weights[name] for name in FEATURES], np.float32)


def signs_of(question: Question, matches: Matches, scores: Floats, document: Searchable) -> Floats:
    """For each passage what tells whether its page answers: the columns of `Curve` after the constant."""
    weights = weights_for(question)
    everything = sum(weight for name, weight in weights.items() if name not in _SELDOM)
    columns = {
        "share": matches.share,
        "words": matches.columns[:, _WORDS],
        "row": matches.columns[:, _ROW],
        "kind": matches.kind,
        "meant": matches.columns[:, _MEANT].mean(axis=1),
        "agreed": matches.features()
        @ [weights[name] * (name not in _SELDOM) for name in FEATURES]
        / everything,
        "ahead": scores - _best_of_other_pages(scores, document),
    }
    return np.stack([columns[name] for name in SIGNS], axis=1).astype(np.float32)


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
    worth = np.array([getattr(CURVE, name) for name in SIGNS], np.float32)
    return np.asarray(1 / (1 + np.exp(-(CURVE.constant + signs @ worth))), np.float32)


def rank(query: str | Question, document: Searchable | Sequence[Passage]) -> Floats:
    """A score for each passage of one document: the higher, the sooner it should be read."""
    ready = document if isinstance(document, Searchable) else searchable(document)
    question = understood(query) if isinstance(query, str) else query
    return ranking(question, ready).scores
