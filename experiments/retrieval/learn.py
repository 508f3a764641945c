"""Ranking learnt from the questions themselves, by cross-validation over companies.

Nothing that is learnt here is kept: FinanceBench is for measuring only.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from experiments.retrieval.data import Case
from numpy.typing import NDArray

from held.retrieval.bm25 import Floats


@dataclass(frozen=True, slots=True, kw_only=True)
class Learning:
    """How trees are grown. `rising` are the features that can only raise a score; the rest is LightGBM's."""

    objective: str = "binary"  # pointwise, as in the paper; "lambdarank" compares passages of one question
    trees: int = 100
    leaves: int = 7
    learning_rate: float = 0.05
    smallest_leaf: int = 200
    l2: float = 10.0
    folds: int = 10
    seed: int = 0
    rising: tuple[str, ...] = ("BM25", "BM25AncMax")


def folds_of(cases: Sequence[Case], learning: Learning) -> NDArray[np.int64]:
    """The fold of each case; cases of one company share it."""
    companies = sorted({case.question.company for case in cases})
    drawn = np.random.default_rng(learning.seed).permutation(len(companies)) % learning.folds
    fold_of = dict(zip(companies, drawn, strict=True))
    return np.array([fold_of[case.question.company] for case in cases])


def unseen_scores(
    cases: Sequence[Case], features: Sequence[Floats], names: Sequence[str], learning: Learning
) -> list[Floats]:
    """For each case the scores by trees that have seen no question about its company."""
    fold = folds_of(cases, learning)
    scores: list[Floats] = [np.zeros(0, np.float32)] * len(cases)
    for k in np.unique(fold):
        seen = np.flatnonzero(fold != k).tolist()
        booster = _grown([features[i] for i in seen], [cases[i].relevant for i in seen], names, learning)
        for i in np.flatnonzero(fold == k).tolist():
            scores[i] = booster.predict(features[i])
    return scores


def _grown(
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


def ties_by(scores: Floats, second: Floats) -> Floats:
    """Scores in the same order, equal ones in the order of the second: trees give many passages one score."""
    places = np.empty(len(scores), np.float32)
    places[np.lexsort((-second, -scores))] = -np.arange(len(scores), dtype=np.float32)
    return places
