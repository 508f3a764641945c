"""What a row is worth, by domain: the paper's measures, the older one, and intervals over documents."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from experiments.paper.methods import Outcome
from experiments.paper.plan import DOMAINS
from experiments.paper.subjects import Subject

from held.metrics import TreeCounts, bootstrap, compare_trees, heading_similarity, mean


def row_scores(documents: Sequence[Subject], found: Outcome) -> dict[str, Any]:
    """The scores of a row by domain, and inquiries and seconds for a document."""
    counted = [
        compare_trees(subject.truth, prediction)
        for subject, prediction in zip(documents, found.predictions, strict=True)
    ]
    unmasked = [
        compare_trees(subject.truth.unmasked(), prediction).paths
        for subject, prediction in zip(documents, found.predictions, strict=True)
    ]
    domains = {}
    for domain in DOMAINS:
        places = [place for place, subject in enumerate(documents) if subject.domain == domain]
        if places:
            own = [counted[place] for place in places]
            similarities = [
                heading_similarity(documents[place].truth, found.predictions[place]) for place in places
            ]
            right = sum(unmasked[place].right for place in places)
            total = sum(unmasked[place].total for place in places)
            domains[domain] = _domain_scores(own) | {
                "unmasked": _rounded(right / total if total else math.nan),
                "teds": _rounded(mean(similarities)),
            }
    count = len(documents)
    return {
        "domains": domains,
        "inquiries": None if found.inquiries is None else round(found.inquiries / count, 1),
        "seconds": round(found.seconds / count, 4),
    }


def _domain_scores(counted: Sequence[TreeCounts]) -> dict[str, Any]:
    total = sum(counted, start=TreeCounts())
    low, high = bootstrap([c.paths.right for c in counted], [c.paths.total for c in counted])
    return {
        "documents": len(counted),
        "accuracy": _rounded(total.paths.value),
        "interval": [_rounded(low), _rounded(high)],
        "of_headings": _rounded(total.heading_paths.value),
        "level_only": _rounded(total.levels_only.value),
        "heading_f1": _rounded(total.headings.f1),
        "entirely_right": _rounded(total.documents.value),
        "left_out": _rounded(total.left_out.value),
        "f1_by_level": {str(level): _rounded(found.f1) for level, found in total.by_level.items()},
    }


def _rounded(value: float) -> float | None:
    """The value to four digits; None, which JSON has, for nan, which it has not."""
    return None if math.isnan(value) else round(value, 4)
