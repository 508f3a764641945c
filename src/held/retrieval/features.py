"""Features of a passage for a question: how well the words match, at every level of the tree.

The words are counted in the passage with the headings above it, in the headings alone, in the section and on
the page. At the same levels the word vectors are compared, as people don't know the words of a document that
they have not read. Names are compared with the labels of table rows, and a page may be the statement that has
the answer. Everything comes from arrays that are computed once, so a question costs a few array operations.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

import numpy as np

from held.retrieval.aliases import Phrase
from held.retrieval.bm25 import EPSILON, Bools, Floats, Ints, bm25_from_counts, idf
from held.retrieval.definitions import definition_score
from held.retrieval.document_index import DocumentIndex, group_count
from held.retrieval.embeddings import query_vector, shipped_word_vectors
from held.retrieval.page_types import page_types
from held.retrieval.query import Question, without_document_name
from held.retrieval.tokens import content_words, tokens

WORDS = ("fields", "path", "section", "page")
MEANINGS = ("passage meant", "path meant", "section meant", "page meant")
FEATURES = (*WORDS, *MEANINGS, "row", "row asked", "defined", "number", "kind")
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
kind       how much its page is of a type that has the answer: a balance sheet …

All but the last are divided by the best of the document, so that questions are comparable.
"""

HEADING_WEIGHT = 2  # a heading says in few words what much text is about


class Matches(NamedTuple):
    """How well each passage matches: the columns `FEATURES` without the last, undivided, and the last.

    `share` is the share of the question's words, by weight, that the passage and its headings have.
    """

    columns: Floats
    kind: Floats
    share: Floats

    def features(self) -> Floats:
        """The columns `FEATURES` for each passage, all but the last divided by the best of the document."""
        best = self.columns.max(axis=0, initial=0)
        relative = self.columns / np.maximum(best, EPSILON)
        return np.concatenate([relative, self.kind[:, None]], axis=1)


def match_features(question: Question, document: DocumentIndex) -> Floats:
    """The columns `FEATURES` for each passage."""
    return match_passages(question, document).features()


def match_passages(question: Question, document: DocumentIndex) -> Matches:
    """How well each passage matches the question."""
    question = without_document_name(question, document.title_words)
    count = len(document.passages)
    words = list(question.words)
    weights = np.array(list(question.words.values()), np.float32)
    counts = document.texts.count_matrix(words)  # (words, texts)
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
    columns = [
        bm25_from_counts(fields, field_lengths, weights),
        bm25_from_counts(path, path_lengths, weights),
        _group_bm25(own, own_lengths, weights, document.section),
        _group_bm25(own, own_lengths, weights, document.page),
        *vector_similarity(question, document).T,
        _best_row(document, name_similarity),
        _best_row(document, question_similarity),
        _definition_scores(question.term, document),
        question.asks_number * document.texts.has_quantity[:count],
    ]
    word_worth = weights * idf(own)
    total_worth = float(word_worth.sum())
    has_word = (own + path) > 0
    share = word_worth @ has_word / max(total_worth, EPSILON)
    stacked = np.stack(columns, axis=1).astype(np.float32)
    return Matches(stacked, _page_type_match(question, document), share)


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


def contains_any(document: DocumentIndex, words: Iterable[str]) -> Bools:
    """Which passages have one of the words, in themselves or in a heading above them."""
    has_word = np.zeros(len(document.texts.lengths), np.bool_)
    for word in words:
        texts, _ = document.texts.postings(word)
        has_word[texts] = True
    found = has_word[: len(document.passages)].copy()
    is_below_match = has_word[document.heading]
    found[document.below[is_below_match]] = True
    return found
