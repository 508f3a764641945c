"""The scores of a row by domain: the measures of `held evaluate`.

The counts of several seeds are added up, so that the accuracy is their mean; the scores also list each seed.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from research.paper.methods import Outcome
from research.paper.plan import DOMAINS
from research.paper.subjects import Subject

from held.training.evaluation import (
    Counted,
    count_document,
    inquiries_per_document,
    paths_by_document,
    summarise,
)


class Run(NamedTuple):
    """The outcome of one model of a row for some documents."""

    seed: int
    documents: Sequence[Subject]
    outcome: Outcome


def row_scores(runs: Sequence[Run]) -> dict[str, Any]:
    """The scores of a row by domain, its cost per document, and the counts of each document."""
    counted = [counts for run in runs for counts in _count(run)]
    by_domain: dict[str, list[Counted]] = {}
    for domain in DOMAINS:
        in_domain = [counts for counts in counted if counts.domain == domain]
        if in_domain:
            by_domain[domain] = in_domain
    documents = max(1, sum(len(run.documents) for run in runs))
    heading_seconds = sum(run.outcome.heading_seconds for run in runs) / documents
    tree_seconds = sum(run.outcome.tree_seconds for run in runs) / documents
    return {
        "domains": {domain: summarise(in_domain) for domain, in_domain in by_domain.items()},
        "runs": documents,
        "inquiries": inquiries_per_document(counted),
        "heading_seconds": round(heading_seconds, 4),
        "tree_seconds": round(tree_seconds, 4),
        "seconds": round(heading_seconds + tree_seconds, 4),
        "documents": {domain: _paths(in_domain) for domain, in_domain in by_domain.items()},
    }


def _count(run: Run) -> list[Counted]:
    inquiries: Sequence[int | None] = run.outcome.inquiries or [None] * len(run.documents)
    rows = zip(run.documents, run.outcome.predictions, inquiries, strict=True)
    return [
        count_document(subject.id, subject.domain, subject.truth, prediction, count, run.seed)
        for subject, prediction, count in rows
    ]


def _paths(counted: Sequence[Counted]) -> dict[str, tuple[int, int]]:
    """For each document how many paths are right, and of how many, over all seeds."""
    return {name: (share.right, share.total) for name, share in paths_by_document(counted).items()}


def merge_rows(parts: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """The row of several domains; costs are means over all their documents."""
    total = sum(part["runs"] for part in parts)
    merged: dict[str, Any] = {"domains": {}, "runs": total, "documents": {}}
    for part in parts:
        merged["domains"] |= part["domains"]
        merged["documents"] |= part["documents"]
    for cost in ("inquiries", "heading_seconds", "tree_seconds", "seconds"):
        with_cost = [part for part in parts if part[cost] is not None]
        weighted_sum = sum(part[cost] * part["runs"] for part in with_cost)
        merged[cost] = round(weighted_sum / total, 4) if with_cost else None
    return merged
