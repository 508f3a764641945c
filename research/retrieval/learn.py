"""Ranking learnt from the questions themselves, by cross-validation: one company is left out at a time.

Nothing that is learnt here is kept: FinanceBench is for measuring only.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from research.retrieval.data import Case

from held.retrieval.bm25 import Floats

SMALL = 0.003  # what large weights cost, so that a hundred questions do not make them infinite


@dataclass(frozen=True, slots=True, kw_only=True)
class Learning:
    """How trees are grown.

    `others` is the share of the passages that do not answer that is learnt from, drawn once; `rising` are the
    features that can only raise a score.
    """

    objective: str = "binary"  # pointwise, as in the paper; "lambdarank" compares passages of one question
    trees: int = 100
    leaves: int = 4
    learning_rate: float = 0.05
    smallest_leaf: int = 100
    others: float = 0.3
    l2: float = 10.0
    seed: int = 0
    rising: tuple[str, ...] = ("BM25", "BM25AncMax")


def unseen_scores(
    cases: Sequence[Case], features: Sequence[Floats], names: Sequence[str], learning: Learning
) -> list[Floats]:
    """For each case the scores by trees that have seen no question about its company."""
    company = np.array([case.question.company for case in cases])
    rng = np.random.default_rng(learning.seed)
    drawn = [case.relevant | (rng.random(len(case.relevant)) < learning.others) for case in cases]
    rows = [table[kept] for table, kept in zip(features, drawn, strict=True)]
    answers = [case.relevant[kept] for case, kept in zip(cases, drawn, strict=True)]
    scores: list[Floats] = [np.zeros(0, np.float32)] * len(cases)
    for left_out in sorted(set(company.tolist())):
        seen = np.flatnonzero(company != left_out).tolist()
        booster = grow_trees([rows[i] for i in seen], [answers[i] for i in seen], names, learning)
        for i in np.flatnonzero(company == left_out).tolist():
            scores[i] = booster.predict(features[i])
    return scores


def grow_trees(
    features: Sequence[Floats], relevant: Sequence[Any], names: Sequence[str], learning: Learning
) -> Any:
    import lightgbm

    parameters = {
        "objective": learning.objective,
        "num_leaves": learning.leaves,
        "learning_rate": learning.learning_rate,
        "min_data_in_leaf": learning.smallest_leaf,
        "lambda_l2": learning.l2,
        "monotone_constraints": [int(name in learning.rising) for name in names],
        "bagging_fraction": 0.8,
        "bagging_freq": 1,
        "max_bin": 63,
        "num_threads": 1,
        "seed": learning.seed,
        "deterministic": True,
        "force_row_wise": True,
        "verbose": -1,
    }
    groups = [len(rows) for rows in features] if learning.objective == "lambdarank" else None
    data = lightgbm.Dataset(
        np.concatenate(features), np.concatenate(relevant).astype(np.float32), group=groups
    )
    return lightgbm.train(parameters, data, learning.trees)


def unseen_weights(cases: Sequence[Case], features: Sequence[Floats]) -> list[Floats]:
    """For each case the scores by a sum whose weights were learnt without its company.

    The weights, none below 0, make it likely that a page which answers comes first: softmax over pages, whose
    features are the best of their passages.
    """
    company = np.array([case.question.company for case in cases])
    pages = [_best_of_pages(case, table) for case, table in zip(cases, features, strict=True)]
    scores: list[Floats] = [np.zeros(0, np.float32)] * len(cases)
    for left_out in sorted(set(company.tolist())):
        seen = np.flatnonzero(company != left_out).tolist()
        weights = likely_weights([pages[i] for i in seen], [cases[i].answers for i in seen])
        for i in np.flatnonzero(company == left_out).tolist():
            scores[i] = np.asarray(features[i] @ weights, np.float32)
    return scores


def _best_of_pages(case: Case, table: Floats) -> Floats:
    best = np.zeros((case.page_count, table.shape[1]), np.float32)
    for passage, row in zip(case.document.passages, table, strict=True):
        for page in passage.pages:
            best[page - 1] = np.maximum(best[page - 1], row)
    return best


def likely_weights(pages: Sequence[Floats], answers: Sequence[Any]) -> Any:
    """Weights, none below 0, that make it likely that a page which answers comes first."""
    from scipy.optimize import minimize  # type: ignore[import-untyped,unused-ignore]

    width = pages[0].shape[1]

    def loss(weights: Any) -> tuple[float, Any]:
        total, slope = SMALL * weights @ weights, 2 * SMALL * weights
        for table, right in zip(pages, answers, strict=True):
            raised = np.exp(table @ weights - (table @ weights).max())
            share = raised / raised.sum()
            sure = share[right].sum()
            total -= np.log(sure + 1e-12) / len(pages)
            slope = slope - table.T @ (np.where(right, share / sure, 0) - share) / len(pages)
        return total, slope

    return minimize(loss, np.ones(width), jac=True, method="L-BFGS-B", bounds=[(0, None)] * width).x


def ties_by(scores: Floats, second: Floats) -> Floats:
    """Scores in the same order, equal ones in the order of the second: trees give many passages one score."""
    places = np.empty(len(scores), np.float32)
    places[np.lexsort((-second, -scores))] = -np.arange(len(scores), dtype=np.float32)
    return places
