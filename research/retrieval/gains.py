"""What each of our features is worth, on the questions of split train: all of them, and all but some.

The sum is the one that ships, with the weights of what is left out set to 0: nothing is learnt.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from research.retrieval.data import Case, cases_of, questions_in
from research.retrieval.figures import page_values, passage_values, summary

from held.paper.ranker import PAPER_FEATURES, paper_features
from held.retrieval.bm25 import Floats
from held.retrieval.query import Question, parse_question
from held.retrieval.ranker import FEATURES, MEANINGS, WEIGHTS, feature_weights, match_features

WITHOUT: dict[str, tuple[str, ...]] = {
    "nothing left out": (),
    "without the path": ("path",),
    "without section": ("section",),
    "without page": ("page",),
    "without rows": ("row", "row asked"),
    "without kinds of pages": ("kind",),
    "without meanings": MEANINGS,
    "without definitions and numbers": ("defined", "number"),
    "matches of words alone": (*MEANINGS, "row", "row asked", "defined", "number", "kind"),
    "nothing of the tree": ("path", "section", "path meant", "section meant"),
}


def measure(options: argparse.Namespace) -> dict[str, Any]:
    """The figures without each group of features, and without names."""
    questions = [question for question in questions_in(options.data) if question.split == "train"]
    cases = cases_of(questions, options.data, options.cache)
    asked = [parse_question(case.question.text) for case in cases]
    bm25 = PAPER_FEATURES.index("BM25")
    first = [paper_features(case.question.text, case.document)[:, bm25] for case in cases]
    tables = [match_features(q, case.document) for q, case in zip(asked, cases, strict=True)]
    plain = [replace(question, phrases={}, page_types=frozenset()) for question in asked]
    unnamed = [match_features(q, case.document) for q, case in zip(plain, cases, strict=True)]
    against = (passage_values(cases, first), page_values(cases, first))
    rows: dict[str, Any] = {"BM25": _figures(cases, first, None)}
    for name, out in WITHOUT.items():
        rows[name] = _figures(cases, _sum_features(asked, tables, out), against)
    rows["without names"] = _figures(cases, _sum_features(asked, unnamed, ()), against)
    return {"questions": len(cases), "rows": rows, "weights": dict(WEIGHTS)}


def _sum_features(asked: Sequence[Question], tables: Sequence[Floats], out: Sequence[str]) -> list[Floats]:
    return [table @ _weights(question, out) for question, table in zip(asked, tables, strict=True)]


def _weights(question: Question, out: Sequence[str]) -> Floats:
    weights = feature_weights(question)
    return np.array([0.0 if name in out else weights[name] for name in FEATURES], np.float32)


def _figures(cases: Sequence[Case], scores: list[Floats], against: Any) -> dict[str, Any]:
    passages, pages = against or (None, None)
    return {
        "passages": summary(passage_values(cases, scores), passages),
        "pages": summary(page_values(cases, scores), pages),
    }


def markdown(found: dict[str, Any]) -> str:
    """The gains as a table."""
    lines = ["| | passages: mAP | recall@10 | pages: mAP | recall@10 |", "| --- " * 5 + "|"]
    for name, row in found["rows"].items():
        cells = [
            f"{row[level][m]['mean']:.3f}" for level in ("passages", "pages") for m in ("mAP", "recall@10")
        ]
        lines.append(f"| {name} | {' | '.join(cells)} |")
    return "\n".join(lines)
