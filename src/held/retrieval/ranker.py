"""Ranks the passages of a document: a weighted sum of features, and the probability that a page answers.

The weights are fixed. Boosted trees and weights learnt from questions were compared with them by leaving
companies out, and brought no lasting gain (docs/research/retrieval.md). A score orders the passages of one
document. The probability comes from a logistic curve over evidence that is comparable between documents: the
share of the question's words, the best row, the similarity of word vectors, and the lead over other pages.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from itertools import combinations

import numpy as np

from held.retrieval.bm25 import EPSILON, Bools, Floats, Ints, bm25_from_counts, idf
from held.retrieval.definitions import definition_score
from held.retrieval.document_index import DocumentIndex, group_count, index_passages
from held.retrieval.embeddings import EMBEDDING_WEIGHT, query_vector, shipped_word_vectors
from held.retrieval.page_types import page_types
from held.retrieval.passages import Passage
from held.retrieval.query import Phrase, Question, parse_question, without_document_name
from held.retrieval.tokens import content_words, tokens

# --- features of a passage for a question ---
# The words are counted in the passage with the headings above it, in the headings alone, in the section and
# on the page. At the same levels the word vectors are compared, as people don't know the words of a document
# that they have not read. Everything comes from arrays that are computed once for a document.

WORDS = ("fields", "path", "section", "page")
MEANINGS = ("passage meant", "path meant", "section meant", "page meant")
FEATURES = (*WORDS, *MEANINGS, "row", "row asked", "number", "defined", "share", "near", "title", "kind")
ABSOLUTE = ("defined", "share", "near", "title", "kind")
"""The columns of `match_features`.

fields     BM25F: the words in the passage, and in the headings above it, which count twice
path       the words in the headings alone
section    the words in all passages right under its heading, as one text
page       the words in all passages of its page, as one text
... meant  the cosine of the word vectors of the passage, the headings, the section, the page and the question
row        the row whose label is most similar to a name in the question
row asked  the row whose label is most similar to the question itself
defined    how surely the passage defines the term that the question asks about
number     whether it has a number, if the question asks for one
share      the share of the question's words, by their worth, that the passage and its headings have
near       how near to each other the question's words stand in the passage
title      how similar the most similar heading above it is to the question
kind       how much its page is of a type that has the answer: a balance sheet …

All but the last five, `ABSOLUTE`, are divided by the best of the document, so that questions are comparable.
"""

HEADING_WEIGHT = 2  # a heading says in few words what much text is about
MIN_TITLE_SIMILARITY = 0.4  # of a title that answers; others only count as headings
TITLE_DECAY = 0.5  # for each level between a passage and the heading that is similar to the question
SHARE_POWER = 3  # all words of the question are worth much more than most: 0.8 of them count as 0.5
NEAR_WORDS = 10  # two words that stand further apart have little to do with each other
MAX_NEAR_PASSAGES = 60  # that are read for words that stand near each other: those that have most of them
MAX_NEAR_CHARACTERS = 4_000  # of a passage that are read; only long tables have more
LATER_PASSAGE = 0.9  # for passages after the first of their section, which often answers


def match_features(question: Question, document: DocumentIndex) -> Floats:
    """The columns `FEATURES` for each passage."""
    return _comparable(match_passages(question, document))


def _comparable(matches: Floats) -> Floats:
    """The columns of `match_passages`, all but `ABSOLUTE` divided by the best of the document."""
    best = matches.max(axis=0, initial=0)
    best[-len(ABSOLUTE) :] = 1
    found = np.asarray(matches / np.maximum(best, EPSILON), np.float32)
    found[:, _SHARE] **= SHARE_POWER
    return found


def match_passages(question: Question, document: DocumentIndex) -> Floats:
    """How well each passage matches the question: the columns `FEATURES`, undivided."""
    question = without_document_name(question, document.title_words)
    count = len(document.passages)
    words = list(question.words)
    weights = np.array(list(question.words.values()), np.float32)
    counts = document.texts.count_matrix(words, document.language)  # (words, texts)
    lengths = document.texts.lengths.astype(np.float32)
    # The passages come first among the texts, then the headings.
    own, own_lengths = counts[:, :count], lengths[:count]
    heading_counts = counts[:, document.heading]
    heading_lengths = lengths[document.heading]
    path = _sum_counts(heading_counts, document.below, count)
    path_lengths = np.bincount(document.below, heading_lengths, count)
    fields = own + HEADING_WEIGHT * path
    field_lengths = own_lengths + HEADING_WEIGHT * path_lengths
    name_similarity = row_similarity(document, question.phrases)
    question_similarity = row_similarity(document, {question.own_words: 1.0})
    is_own = np.array([word in question.own_words for word in words], np.bool_)
    word_worth = is_own * weights * idf(own)
    total_worth = float(word_worth.sum())
    has_word = (own + path) > 0
    share = word_worth @ has_word / max(total_worth, EPSILON)
    columns = [
        bm25_from_counts(fields, field_lengths, weights),
        bm25_from_counts(path, path_lengths, weights),
        _group_bm25(own, own_lengths, weights, document.section),
        _group_bm25(own, own_lengths, weights, document.page),
        *vector_similarity(question, document).T,
        _best_row(document, name_similarity),
        _best_row(document, question_similarity),
        question.asks_number * document.texts.has_quantity[:count],
        _definition_scores(question.term, document),
        share,
        _nearness(document, words, word_worth, share),
        _title_similarity(question, document, words, counts),
        _page_type_match(question, document),
    ]
    return np.stack(columns, axis=1).astype(np.float32)


def _title_similarity(
    question: Question, document: DocumentIndex, words: Sequence[str], counts: Floats
) -> Floats:
    """The similarity of the question and the headings above each passage.

    It is the Dice coefficient of their words, weighed by their worth: 1 if they are the same, 0.5 if half of
    the question is half of the title. A heading further up counts less, as it says less about a passage.
    """
    count = len(document.passages)
    is_own = np.array([word in question.own_words for word in words], np.bool_)
    weights = np.array([question.words[word] for word in words], np.float32)
    word_worth = is_own * weights * idf(counts)
    shared = word_worth @ (counts[:, count:] > 0)  # (headings,)
    heading_worth = document.texts.text_worth[count:]
    both_worth = word_worth.sum() + heading_worth
    dice = 2 * shared / np.maximum(both_worth, EPSILON)
    dice[dice < MIN_TITLE_SIMILARITY] = 0
    # The nearest heading of a passage comes last among its pairs.
    ends = np.searchsorted(document.below, document.below, side="right")
    levels = ends - np.arange(len(ends)) - 1
    similarity = dice[document.heading - count] * TITLE_DECAY**levels
    found = np.zeros(count, np.float32)
    np.maximum.at(found, document.below, similarity)
    _, first = np.unique(document.section, return_index=True)
    is_later = np.ones(count, np.bool_)
    is_later[first] = False
    return np.where(is_later, LATER_PASSAGE * found, found)


def _nearness(document: DocumentIndex, words: Sequence[str], word_worth: Floats, share: Floats) -> Floats:
    """How near to each other the words of the question stand in each passage, from 0 to 1.

    Each pair of words counts by its worth: 1 if the words are neighbours somewhere in the passage, 0 if they
    are `NEAR_WORDS` apart everywhere. Only the passages with most of the words are read.
    """
    found = np.zeros(len(document.passages), np.float32)
    own = np.flatnonzero(word_worth > 0).tolist()
    pair_worth: dict[tuple[int, int], float] = {}
    for first, second in combinations(own, 2):
        pair_worth[first, second] = float(word_worth[first] + word_worth[second])
    if not pair_worth:
        return found
    word_of_form: dict[str, int] = {}
    for word in own:
        forms = document.texts.forms(words[word], document.language)
        word_of_form |= dict.fromkeys(forms, word)
    candidates = np.flatnonzero(share > word_worth.max() / word_worth.sum())
    best_first = candidates[np.argsort(-share[candidates], kind="stable")]
    total = sum(pair_worth.values())
    for number in best_first[:MAX_NEAR_PASSAGES].tolist():
        text_words = tokens(document.passages[number].text[:MAX_NEAR_CHARACTERS])
        closeness = _pair_closeness(text_words, word_of_form)
        weighted = [pair_worth[pair] * value for pair, value in closeness.items()]
        found[number] = sum(weighted) / total
    return found


def _pair_closeness(text_words: Sequence[str], form_of: Mapping[str, int]) -> dict[tuple[int, int], float]:
    """For each pair of wanted words how near they stand at their nearest: 1 for neighbours."""
    closeness: dict[tuple[int, int], float] = {}
    last_at: dict[int, int] = {}
    for place, word in enumerate(text_words):
        wanted = form_of.get(word)
        if wanted is None:
            continue
        for other, at in last_at.items():
            if other != wanted:
                pair = (min(wanted, other), max(wanted, other))
                value = 1 - (place - at - 1) / NEAR_WORDS
                closeness[pair] = max(closeness.get(pair, 0.0), value)
        last_at[wanted] = place
    return closeness


def _definition_scores(term: str, document: DocumentIndex) -> Floats:
    scores = np.zeros(len(document.passages), np.float32)
    if not term:
        return scores
    # A definition contains its term, so only passages with all words of it are decoded and read.
    words = content_words(tokens(term))
    has_words = [contains_any(document, [word]) for word in words]
    has_all = np.logical_and.reduce(has_words)
    for number in np.flatnonzero(has_all).tolist():
        scores[number] = definition_score(document.passages[number], term)
    return scores


def vector_similarity(question: Question, document: DocumentIndex) -> Floats:
    """The columns `MEANINGS` for each passage: cosines, at least 0."""
    query = query_vector(question.own_words, shipped_word_vectors())
    count = len(document.passages)
    # Dot products add up like the vectors, so those of sections and pages are sums over their passages.
    products = (document.vectors @ query) * document.vector_scales  # (texts,)
    own = products[:count]
    path = np.bincount(document.below, products[document.heading], count)
    by_section = np.bincount(document.section, own)
    by_page = np.bincount(document.page, own)
    columns = [own, path, by_section[document.section], by_page[document.page]]
    norms = np.maximum(document.vector_norms, EPSILON)
    cosines = np.stack(columns, axis=1) / norms
    return np.asarray(np.maximum(cosines, 0), np.float32)


def row_similarity(document: DocumentIndex, phrases: Mapping[Phrase, float]) -> Floats:
    """The similarity of each row's label to the nearest phrase: Dice coefficient times its weight."""
    words = sorted({word for phrase in phrases for word in phrase})
    has_word = np.minimum(document.labels.count_matrix(words), 1)  # (words, rows)
    number = {word: index for index, word in enumerate(words)}
    best = np.zeros(len(document.row_owner), np.float32)
    for phrase, weight in phrases.items():
        distinct = {number[word] for word in phrase}
        shared = has_word[list(distinct)].sum(axis=0)
        lengths = len(distinct) + document.labels.lengths
        dice = 2 * shared / np.maximum(lengths, 1)
        np.maximum(best, weight * dice, out=best)
    return best


def _best_row(document: DocumentIndex, similarity: Floats) -> Floats:
    """The similarity of each passage's best row, 0 without rows."""
    best = np.zeros(len(document.passages), np.float32)
    np.maximum.at(best, document.row_owner, similarity)
    return best


def _page_type_match(question: Question, document: DocumentIndex) -> Floats:
    """How much the page of each passage is of a type that the question asks for."""
    match = np.zeros(len(document.passages), np.float32)
    for column, page_type in enumerate(page_types()):
        if page_type.name in question.page_types:
            np.maximum(match, document.page_types[:, column], out=match)
    return match


def _sum_counts(counts: Floats, group: Ints, groups: int) -> Floats:
    sums = [np.bincount(group, row, groups) for row in counts]
    return np.array(sums, np.float32).reshape(len(counts), groups)


def _group_bm25(counts: Floats, lengths: Floats, weights: Floats, group: Ints) -> Floats:
    """The BM25 score of each passage's group, as one text."""
    groups = group_count(group)
    group_counts = _sum_counts(counts, group, groups)
    group_lengths = np.bincount(group, lengths, groups)
    return bm25_from_counts(group_counts, group_lengths, weights)[group]


def contains_any(document: DocumentIndex, words: Iterable[str], *, exact: bool = False) -> Bools:
    """Which passages have one of the words, in themselves or in a heading above them.

    Other forms of a word count as well, unless it must be `exact`.
    """
    language = None if exact else document.language
    counts = document.texts.count_matrix(list(words), language)
    has_word = np.asarray(counts.any(axis=0), np.bool_)
    found = has_word[: len(document.passages)].copy()
    is_below_match = has_word[document.heading]
    found[document.below[is_below_match]] = True
    return found


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
    "number": 2.0,  # as much as matching headings
    "defined": 6.0,  # a definition beats any page that only uses the term
    "share": 3.0,  # a passage with all words of the question comes before one that repeats some
    "near": 1.0,  # words that belong together stand together
    "title": 4.0,  # a section whose title is the question comes before any text that has its words
    "kind": 3.0,  # a statement that has the answer is worth as much as all words together
}
"""Chosen by hand on questions about filings of split train and on our own; not fitted."""

# One passage has most words of a short question; those of a long one are spread over a page.
SHORT_QUESTION_WORDS = 6
SHORT_WEIGHTS: Mapping[str, float] = {**WEIGHTS, "page": 0.0, "path meant": 2.0}

_RARE_FEATURES = ("defined", "number", "share", "near", "title", "kind")  # most questions don't ask for them
_FIELDS = FEATURES.index("fields")
_ROW = FEATURES.index("row")
_SHARE = FEATURES.index("share")
_KIND = FEATURES.index("kind")
_MEANT = [FEATURES.index(name) for name in MEANINGS]


@dataclass(frozen=True, slots=True)
class CalibrationCurve:
    """A logistic curve: the weight of each kind of evidence; research/retrieval/calibrate.py fits it.

    share   share of the question's words          meant   mean similarity of word vectors at all levels
    words   their BM25, undivided                  agreed  weighted mean of the features
    row     similarity of the best row             ahead   lead of the score over the best other page
    kind    match of the page type
    unknown share of the question's words that the document has and that have no vector: `meant` misses them
    """

    constant: float
    share: float
    words: float
    row: float
    kind: float
    meant: float
    agreed: float
    ahead: float
    unknown: float


CURVE = CalibrationCurve(
    constant=-5.05,
    share=1.58,
    words=0.4,
    row=0.48,
    kind=0.75,
    meant=2.16,
    agreed=1.66,
    ahead=0.39,
    unknown=1.92,
)
EVIDENCE = tuple(field.name for field in fields(CalibrationCurve))[1:]


@dataclass(frozen=True, slots=True)
class Ranking:
    """The score of each passage in its document, and the probability that its page answers.

    `points` are what each of `FEATURES` brings to the score of each passage: (passages, features).
    """

    scores: Floats
    probabilities: Floats
    points: Floats


def feature_weights(question: Question) -> Mapping[str, float]:
    """The weight of each feature for a question."""
    weights = dict(SHORT_WEIGHTS if len(question.own_words) <= SHORT_QUESTION_WORDS else WEIGHTS)
    for name in MEANINGS:
        weights[name] *= _known_share(question)
    return weights


def _known_share(question: Question) -> float:
    """The share of the question's words that have a vector; names and numbers need none.

    Vectors of half the words say half as much: most words have one only in English and Chinese.
    """
    words = _common_words(question)
    if not words:
        return 1.0
    known = shipped_word_vectors().number_of
    return sum(word in known for word in words) / len(words)


def _unknown_share(question: Question, document: DocumentIndex) -> float:
    """The share of the question's words that the document has and that have no vector."""
    words = _common_words(question)
    known = shipped_word_vectors().number_of
    texts, language = document.texts, document.language
    without_vector = [word for word in words if word not in known]
    missed = [word for word in without_vector if texts.forms(word, language)]
    return len(missed) / max(1, len(words))


def _common_words(question: Question) -> list[str]:
    """The question's words without names and numbers."""
    return [word for word in question.own_words if word.isalpha() and word not in question.proper_nouns]


def rank_passages(question: Question, document: DocumentIndex, similarity: Floats | None = None) -> Ranking:
    """The ranking of a document's passages; `similarity` is that of the user's embeddings, if any."""
    matches = match_passages(question, document)
    weight_of = feature_weights(question)
    weights = np.array([weight_of[name] for name in FEATURES], np.float32)
    points = _comparable(matches) * weights
    scores = document.prominence * points.sum(axis=1)
    if similarity is not None:
        scores = scores + EMBEDDING_WEIGHT * similarity
    evidence = collect_evidence(question, matches, scores, document)
    return Ranking(scores, _probabilities(evidence), points)


def score_passages(query: str | Question, document: DocumentIndex | Sequence[Passage]) -> Floats:
    """The score of each passage of one document."""
    index = document if isinstance(document, DocumentIndex) else index_passages(document)
    question = parse_question(query) if isinstance(query, str) else query
    return rank_passages(question, index).scores


def collect_evidence(question: Question, matches: Floats, scores: Floats, document: DocumentIndex) -> Floats:
    """The columns `EVIDENCE` for each passage."""
    weight_of = feature_weights(question)
    weights = [0.0 if name in _RARE_FEATURES else weight_of[name] for name in FEATURES]
    weighted = _comparable(matches) @ weights
    columns = {
        "share": matches[:, _SHARE],
        "words": matches[:, _FIELDS],
        "row": matches[:, _ROW],
        "kind": matches[:, _KIND],
        "meant": matches[:, _MEANT].mean(axis=1),
        "agreed": weighted / sum(weights),
        "ahead": scores - _best_of_other_pages(scores, document),
        "unknown": np.full(len(scores), _unknown_share(question, document), np.float32),
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
    probabilities = 1 / (1 + np.exp(-log_odds))
    return np.asarray(probabilities, np.float32)
