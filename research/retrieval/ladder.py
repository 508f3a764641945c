"""What each step of the ranking is worth: pages found for questions, one company left out at a time.

Only questions of split train are looked at. A step that learns weights learns them from the other
companies; the fixed sum, which ships, learns nothing. LambdaMART over the same features shows what more
learning would bring.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from research.retrieval.data import Case, cases_of, questions_in
from research.retrieval.figures import page_scores
from research.retrieval.learn import Learning, unseen_scores, unseen_weights
from research.retrieval.ranking import recall_at, relevance_by_rank
from research.retrieval.tables import page_bm25

from held.retrieval.bm25 import Floats, bm25_from_counts, build_inverted_index
from held.retrieval.query import Question, parse_question
from held.retrieval.ranker import (
    FEATURES,
    MEANINGS,
    SHORT_WEIGHTS,
    WEIGHTS,
    WORDS,
    match_features,
    score_passages,
)
from held.retrieval.tokens import tokens

STEPS = (
    ("+ heading path as a field, section", WORDS),
    ("+ primary statements", (*WORDS, "kind")),
    ("+ best row", (*WORDS, "row", "row asked", "kind")),
    ("+ meanings", (*WORDS, *MEANINGS, "row", "row asked", "kind")),
    ("+ definitions and numbers", FEATURES),
)
LAMBDAMART = Learning(objective="lambdarank", leaves=7, smallest_leaf=60, rising=FEATURES)
IN_CORPUS = ("ADOBE_2015", "ADOBE_2016", "ADOBE_2017", "ADOBE_2022", "JPMORGAN_2021Q1")
"""Filings that are train documents of the corpus, too: the models of the tree have seen them."""


def measure(options: argparse.Namespace) -> dict[str, Any]:
    """For each step recall@1, 5, 10 and MRR over pages."""
    questions = [question for question in questions_in(options.data) if question.split == options.split]
    cases = cases_of(questions, options.data, options.cache)
    asked = [parse_question(case.question.text) for case in cases]
    rows: dict[str, list[Floats]] = {
        "page BM25": list(map(page_bm25, cases)),
        "BM25, question cleaned": [
            _pages(case, dict.fromkeys(q.own_words, 1.0)) for case, q in _both(cases, asked)
        ],
        "+ names of metrics": [_pages(case, dict(question.words)) for case, question in _both(cases, asked)],
    }
    tables = [match_features(question, case.document) for case, question in _both(cases, asked)]
    for name, columns in STEPS:
        kept = [FEATURES.index(column) for column in columns]
        learnt = unseen_weights(cases, [table[:, kept] for table in tables])
        rows[f"{name}, weights learnt"] = list(map(page_scores, cases, learnt))
    trees = unseen_scores(cases, tables, FEATURES, LAMBDAMART)
    rows["LambdaMART over the same features"] = list(map(page_scores, cases, trees))
    shipped = [score_passages(question, case.document) for case, question in _both(cases, asked)]
    rows["fixed sum (ships)"] = list(map(page_scores, cases, shipped))
    plain = [replace(question, phrases={}, page_types=frozenset()) for question in asked]
    unnamed = [score_passages(question, case.document) for case, question in _both(cases, plain)]
    rows["fixed sum, without names"] = list(map(page_scores, cases, unnamed))
    words = np.array([0.0 if name in MEANINGS else WEIGHTS[name] for name in FEATURES], np.float32)
    rows["fixed sum, without meanings"] = [
        page_scores(case, table @ words) for case, table in zip(cases, tables, strict=True)
    ]
    others = [not case.question.document.startswith(IN_CORPUS) for case in cases]
    return {
        "questions": len(cases),
        "companies": len({case.question.company for case in cases}),
        "weights": dict(WEIGHTS),
        "weights for short questions": dict(SHORT_WEIGHTS),
        "rows": {name: _figures(cases, scores) for name, scores in rows.items()},
        "without filings of the corpus": {
            "questions": sum(others),
            "fixed sum (ships)": _figures(cases, rows["fixed sum (ships)"], others),
        },
    }


def _both(cases: Sequence[Case], asked: Sequence[Question]) -> list[tuple[Case, Question]]:
    return list(zip(cases, asked, strict=True))


def _pages(case: Case, words: dict[str, float]) -> Floats:
    """BM25 of pages for weighed words."""
    postings = build_inverted_index([tokens(text) for text in case.page_texts])
    weights = np.array(list(words.values()), np.float32)
    return bm25_from_counts(postings.count_matrix(list(words)), postings.lengths, weights)


def _figures(
    cases: Sequence[Case], scores: Sequence[Floats], which: Sequence[bool] | None = None
) -> dict[str, float]:
    chosen = [True] * len(cases) if which is None else which
    pairs = zip(cases, scores, chosen, strict=True)
    rankings = [relevance_by_rank(found, case.answers) for case, found, kept in pairs if kept]
    figures = {f"recall@{k}": np.mean([recall_at(ranking, k) for ranking in rankings]) for k in (1, 5, 10)}
    figures["MRR"] = np.mean([1 / (ranking.index(True) + 1) for ranking in rankings])
    return {name: round(float(value), 3) for name, value in figures.items()}
