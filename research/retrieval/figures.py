"""Figures of rankings over questions, at passage and at page level, with confidence intervals."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from research.retrieval.data import Case
from research.retrieval.ranking import average_precision, hit_at, recall_at, relevance_by_rank

from held.metrics.averages import bootstrap, mean
from held.retrieval.bm25 import Floats

MEASURES: Mapping[str, Callable[[Sequence[bool]], float]] = {
    "mAP": average_precision,
    "recall@1": lambda ranking: recall_at(ranking, 1),
    "recall@5": lambda ranking: recall_at(ranking, 5),
    "recall@10": lambda ranking: recall_at(ranking, 10),
    "hit@1": lambda ranking: hit_at(ranking, 1),
    "hit@5": lambda ranking: hit_at(ranking, 5),
    "hit@10": lambda ranking: hit_at(ranking, 10),
}

Values = dict[str, list[float]]  # for each measure one figure for each question


def passage_values(cases: Sequence[Case], scores: Sequence[Floats]) -> Values:
    """The figures of each question over passages."""
    return _values([relevance_by_rank(s, case.relevant) for case, s in zip(cases, scores, strict=True)])


def page_values(cases: Sequence[Case], scores: Sequence[Floats]) -> Values:
    """The figures of each question over pages; the scores are those of passages."""
    best = [page_scores(case, s) for case, s in zip(cases, scores, strict=True)]
    return values_of_pages(cases, best)


def values_of_pages(cases: Sequence[Case], scores: Sequence[Floats]) -> Values:
    """The figures of each question over pages, from scores of pages."""
    return _values([relevance_by_rank(s, case.answers) for case, s in zip(cases, scores, strict=True)])


def page_scores(case: Case, scores: Floats) -> Floats:
    """The score of each page: that of its best passage, less than any without one."""
    best = np.full(case.page_count, -np.inf, np.float32)
    for passage, score in zip(case.document.passages, scores, strict=True):
        for page in passage.pages:
            best[page - 1] = max(best[page - 1], score)
    return best


def _values(rankings: Sequence[Sequence[bool]]) -> Values:
    return {name: [measure(ranking) for ranking in rankings] for name, measure in MEASURES.items()}


def summary(
    values: Values, against: Values | None = None, *, which: Sequence[bool] | None = None
) -> dict[str, Any]:
    """Means; that of mAP has a 95 % interval, with `against` also the paired difference.

    `which` picks questions.
    """
    kept = np.flatnonzero(np.ones(len(values["mAP"])) if which is None else which)
    found: dict[str, Any] = {"questions": len(kept)}
    for name, each in values.items():
        mine = np.array(each)[kept]
        if name != "mAP":
            found[name] = {"mean": round(mean(mine.tolist()), 4)}
            continue
        found[name] = _round_values(mine)
        if against is not None:
            found[name]["difference"] = _round_values(mine - np.array(against[name])[kept])
    return found


def _round_values(values: Any) -> dict[str, Any]:
    low, high = bootstrap(values.tolist())
    return {"mean": round(mean(values.tolist()), 4), "interval": [round(low, 4), round(high, 4)]}
