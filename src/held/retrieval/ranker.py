"""Ranks the passages of a document: a weighted sum of features, and the probability that a page answers.

The weights are fixed. Boosted trees and weights learnt from questions were compared with them by leaving
companies out, and brought no lasting gain (docs/research/retrieval.md). A score orders the passages of one
document. The probability comes from a logistic curve over evidence that is comparable between documents: the
share of the question's words, the best row, the similarity of word vectors, and the lead over other pages.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields

import numpy as np

from held.retrieval.bm25 import Floats
from held.retrieval.document_index import DocumentIndex, group_count, index_passages
from held.retrieval.embeddings import EMBEDDING_WEIGHT
from held.retrieval.features import FEATURES, MEANINGS, Matches, match_passages
from held.retrieval.passages import Passage
from held.retrieval.query import Question, parse_question

WEIGHTS: Mapping[str, float] = {
    "fields": 1.0,
    "path": 1.0,
    "section": 1.0,
    "page": 1.0,
    "passage meant": 1.0,  # similarity counts as much as the words themselves
    "path meant": 1.0,
    "section meant": 1.0,
    "page meant": 1.0,
    "row": 1.0,
    "row asked": 0.5,  # the whole question is seldom a label
    "defined": 6.0,  # a definition beats any page that only uses the term
    "number": 2.0,  # as much as matching headings
    "kind": 3.0,  # a statement that has the answer is worth as much as all words together
}
"""Chosen by hand on questions about filings of split train and on our own; not fitted."""

# One passage has most words of a short question; those of a long one are spread over a page.
SHORT_QUESTION_WORDS = 6
SHORT_WEIGHTS: Mapping[str, float] = {**WEIGHTS, "page": 0.0, "path meant": 2.0}

_RARE_FEATURES = ("defined", "number", "kind")  # most questions don't ask for them
_FIELDS = FEATURES.index("fields")
_ROW = FEATURES.index("row")
_MEANT = [FEATURES.index(name) for name in MEANINGS]


@dataclass(frozen=True, slots=True)
class CalibrationCurve:
    """A logistic curve: the weight of each kind of evidence; research/retrieval/calibrate.py fits it.

    share   share of the question's words          meant   mean similarity of word vectors at all levels
    words   their BM25, undivided                  agreed  weighted mean of the features
    row     similarity of the best row             ahead   lead of the score over the best other page
    kind    match of the page type
    """

    constant: float
    share: float
    words: float
    row: float
    kind: float
    meant: float
    agreed: float
    ahead: float


CURVE = CalibrationCurve(
    constant=-5.02, share=2.2, words=0.32, row=1.35, kind=0.76, meant=2.37, agreed=1.7, ahead=0.51
)
EVIDENCE = tuple(field.name for field in fields(CalibrationCurve))[1:]


@dataclass(frozen=True, slots=True)
class Ranking:
    """The score of each passage in its document, and the probability that its page answers."""

    scores: Floats
    probabilities: Floats


def feature_weights(question: Question) -> Mapping[str, float]:
    """The weight of each feature for a question."""
    return SHORT_WEIGHTS if len(question.own_words) <= SHORT_QUESTION_WORDS else WEIGHTS


def rank_passages(question: Question, document: DocumentIndex, similarity: Floats | None = None) -> Ranking:
    """The ranking of a document's passages; `similarity` is that of the user's embeddings, if any."""
    matches = match_passages(question, document)
    scores = weighted_sum(question, matches)
    if similarity is not None:
        scores = scores + EMBEDDING_WEIGHT * similarity
    evidence = collect_evidence(question, matches, scores, document)
    return Ranking(scores, _probabilities(evidence))


def score_passages(query: str | Question, document: DocumentIndex | Sequence[Passage]) -> Floats:
    """The score of each passage of one document."""
    index = document if isinstance(document, DocumentIndex) else index_passages(document)
    question = parse_question(query) if isinstance(query, str) else query
    return rank_passages(question, index).scores


def weighted_sum(question: Question, matches: Matches) -> Floats:
    """The score of each passage from the features alone."""
    weight_of = feature_weights(question)
    weights = [weight_of[name] for name in FEATURES]
    return np.asarray(matches.features() @ weights, np.float32)


def collect_evidence(question: Question, matches: Matches, scores: Floats, document: DocumentIndex) -> Floats:
    """The columns `EVIDENCE` for each passage."""
    weight_of = feature_weights(question)
    weights = [0.0 if name in _RARE_FEATURES else weight_of[name] for name in FEATURES]
    weighted = matches.features() @ weights
    columns = {
        "share": matches.share,
        "words": matches.columns[:, _FIELDS],
        "row": matches.columns[:, _ROW],
        "kind": matches.kind,
        "meant": matches.columns[:, _MEANT].mean(axis=1),
        "agreed": weighted / sum(weights),
        "ahead": scores - _best_of_other_pages(scores, document),
    }
    ordered = [columns[name] for name in EVIDENCE]
    return np.stack(ordered, axis=1).astype(np.float32)


def _best_of_other_pages(scores: Floats, document: DocumentIndex) -> Floats:
    """The best score on any page but the passage's own; 0 if there is no other page."""
    if not len(scores):
        return scores
    by_page = np.zeros(group_count(document.page), np.float32)
    np.maximum.at(by_page, document.page, scores)
    # The best other page is the best page, or the second best for passages of the best one.
    first = int(np.argmax(by_page))
    others = np.delete(by_page, first)
    second = float(others.max(initial=0.0))
    best_other = np.where(document.page == first, second, by_page[first])
    return best_other.astype(np.float32)


def _probabilities(evidence: Floats) -> Floats:
    weights = np.array([getattr(CURVE, name) for name in EVIDENCE], np.float32)
    log_odds = CURVE.constant + evidence @ weights
    return np.asarray(1 / (1 + np.exp(-log_odds)), np.float32)
