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
    """What was counted in some documents with one model of a row, and the CPU seconds of all of them."""

    counted: Sequence[Counted]
    heading_seconds: float
    tree_seconds: float


def count_run(documents: Sequence[Subject], outcome: Outcome, seed: int = 0) -> Run:
    """Compare the trees of a model with the true ones."""
    inquiries: Sequence[int | None] = outcome.inquiries or [None] * len(documents)
    rows = zip(documents, outcome.predictions, inquiries, strict=True)
    counted = [
        count_document(subject.id, subject.domain, subject.truth, prediction, count, seed)
        for subject, prediction, count in rows
    ]
    return Run(counted, outcome.heading_seconds, outcome.tree_seconds)


def row_scores(runs: Sequence[Run]) -> dict[str, Any]:
    """The scores of a row by domain, its cost per document, and the counts of each document."""
    counted = [counts for run in runs for counts in run.counted]
    by_domain: dict[str, list[Counted]] = {}
    for domain in DOMAINS:
        in_domain = [counts for counts in counted if counts.domain == domain]
        if in_domain:
            by_domain[domain] = in_domain
    documents = max(1, len(counted))
    heading_seconds = sum(run.heading_seconds for run in runs) / documents
    tree_seconds = sum(run.tree_seconds for run in runs) / documents
    return {
        "domains": {domain: summarise(in_domain) for domain, in_domain in by_domain.items()},
        "runs": documents,
        "inquiries": inquiries_per_document(counted),
        "heading_seconds": round(heading_seconds, 4),
        "tree_seconds": round(tree_seconds, 4),
        "seconds": round(heading_seconds + tree_seconds, 4),
        "documents": {domain: _paths(in_domain) for domain, in_domain in by_domain.items()},
    }


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
