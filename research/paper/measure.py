"""What a row is worth, by domain: the measures of `held evaluate`, summed over seeds.

A row that has several seeds is the sum over them: its accuracy is their mean, and each seed's stands beside.
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
    """What one model of a row gave for some documents."""

    seed: int
    documents: Sequence[Subject]
    outcome: Outcome


def row_scores(runs: Sequence[Run]) -> dict[str, Any]:
    """The scores of a row by domain, what it costs for a document, and the counts of each document."""
    counted = [one for run in runs for one in _count(run)]
    by_domain = {name: [one for one in counted if one.domain == name] for name in DOMAINS}
    present = {name: own for name, own in by_domain.items() if own}
    each = max(1, sum(len(run.documents) for run in runs))
    heading_seconds = sum(run.outcome.heading_seconds for run in runs) / each
    tree_seconds = sum(run.outcome.tree_seconds for run in runs) / each
    return {
        "domains": {name: summarise(own) for name, own in present.items()},
        "runs": each,
        "inquiries": inquiries_per_document(counted),
        "heading_seconds": round(heading_seconds, 4),
        "tree_seconds": round(tree_seconds, 4),
        "seconds": round(heading_seconds + tree_seconds, 4),
        "documents": {name: _paths(own) for name, own in present.items()},
    }


def _count(run: Run) -> list[Counted]:
    inquiries: Sequence[int | None] = run.outcome.inquiries or [None] * len(run.documents)
    rows = zip(run.documents, run.outcome.predictions, inquiries, strict=True)
    return [
        count_document(subject.id, subject.domain, subject.truth, prediction, asked, run.seed)
        for subject, prediction, asked in rows
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
        known = [part for part in parts if part[cost] is not None]
        weighed = sum(part[cost] * part["runs"] for part in known)
        merged[cost] = round(weighed / total, 4) if known else None
    return merged
