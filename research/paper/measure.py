"""What a row is worth, by domain: the paper's measures, the older one, and intervals over documents.

A row that has several seeds is the sum over them: its accuracy is their mean, and each seed's stands beside.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

from research.paper.methods import Outcome
from research.paper.plan import DOMAINS
from research.paper.subjects import Subject

from held.metrics import Share, TreeCounts, bootstrap, compare_trees, heading_similarity, mean

Counts = dict[str, tuple[int, int]]
"""For each document how many paths are right, and of how many, over all seeds."""


class Run(NamedTuple):
    """What one model of a row gave for some documents."""

    seed: int
    documents: Sequence[Subject]
    outcome: Outcome


class _Judged(NamedTuple):
    """What was counted in one document with one seed."""

    seed: int
    id: str
    domain: str
    counts: TreeCounts
    unmasked: Share
    similarity: float
    inquiries: int | None


def row_scores(runs: Sequence[Run]) -> dict[str, Any]:
    """The scores of a row by domain, what it costs for a document, and the counts of each document."""
    judged = [one for run in runs for one in _judged(run)]
    by_domain = {name: [one for one in judged if one.domain == name] for name in DOMAINS}
    each = sum(len(run.documents) for run in runs)
    return {
        "domains": {name: _domain_scores(own) for name, own in by_domain.items() if own},
        "inquiries": _per_document([one.inquiries for one in judged]),
        "seconds": round(sum(run.outcome.seconds for run in runs) / each, 4),
        "documents": {name: _counts(own) for name, own in by_domain.items() if own},
    }


def _judged(run: Run) -> list[_Judged]:
    inquiries: Sequence[int | None] = run.outcome.inquiries or [None] * len(run.documents)
    return [
        _Judged(
            run.seed,
            subject.id,
            subject.domain,
            compare_trees(subject.truth, prediction),
            compare_trees(subject.truth.unmasked(), prediction).paths,
            heading_similarity(subject.truth, prediction),
            asked,
        )
        for subject, prediction, asked in zip(run.documents, run.outcome.predictions, inquiries, strict=True)
    ]


def _domain_scores(judged: Sequence[_Judged]) -> dict[str, Any]:
    total = sum((one.counts for one in judged), start=TreeCounts())
    counts = _counts(judged).values()
    low, high = bootstrap([right for right, _ in counts], [total for _, total in counts])
    return {
        "documents": len(counts),
        "accuracy": _rounded(total.paths.value),
        "interval": [_rounded(low), _rounded(high)],
        "seeds": _by_seed(judged),
        "of_headings": _rounded(total.heading_paths.value),
        "level_only": _rounded(total.levels_only.value),
        "heading_f1": _rounded(total.headings.f1),
        "entirely_right": _rounded(total.documents.value),
        "left_out": _rounded(total.left_out.value),
        "f1_by_level": {str(level): _rounded(found.f1) for level, found in total.by_level.items()},
        "unmasked": _rounded(sum((one.unmasked for one in judged), start=Share()).value),
        "teds": _rounded(mean([one.similarity for one in judged])),
        "inquiries": _per_document([one.inquiries for one in judged]),
    }


def _by_seed(judged: Sequence[_Judged]) -> list[float | None]:
    """The accuracy of each seed."""
    paths: dict[int, Share] = {}
    for one in judged:
        paths[one.seed] = paths.get(one.seed, Share()) + one.counts.paths
    return [_rounded(share.value) for share in paths.values()]


def _counts(judged: Sequence[_Judged]) -> Counts:
    sums: dict[str, Share] = {}
    for one in judged:
        sums[one.id] = sums.get(one.id, Share()) + one.counts.paths
    return {name: (share.right, share.total) for name, share in sums.items()}


def _per_document(inquiries: Sequence[int | None]) -> float | None:
    asked = [count for count in inquiries if count is not None]
    return round(mean(asked), 1) if asked else None


def _rounded(value: float) -> float | None:
    """The value to four digits; None, which JSON has, for nan, which it has not."""
    return None if math.isnan(value) else round(value, 4)
