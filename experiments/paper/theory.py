"""What theory says of the inquiries that real trees need: docs/inquiries.md, on the trees of a split."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from experiments.paper.subjects import Subject

from held.insertion import Order
from held.insertion.inquiries import expected_inquiries, paper_inquiries
from held.metrics import mean
from held.tree import Tree

ORDERS = tuple(order.value for order in Order)


def theory_of(documents: Sequence[Subject]) -> dict[str, Any]:
    """For each domain the means over its documents: headings, and inquiries by both closed forms."""
    domains = sorted({subject.domain for subject in documents})
    return {
        domain: _means([heading_tree(subject) for subject in documents if subject.domain == domain])
        for domain in domains
    }


def heading_tree(subject: Subject) -> Tree:
    """The true tree of the headings that are objects: what a perfect judge would build."""
    objects = subject.truth.objects or tuple(range(len(subject.truth.labels)))
    wanted = set(subject.true_headings)
    others = {node for node, obj in enumerate(objects) if obj not in wanted}
    return subject.truth.tree.without(others)


def _means(trees: Sequence[Tree]) -> dict[str, Any]:
    return {
        "documents": len(trees),
        "headings": round(mean([len(tree.parents()) for tree in trees]), 1),
        "ours": {o: round(mean([expected_inquiries(t, Order(o)) for t in trees]), 1) for o in ORDERS},
        "paper": {o: round(mean([paper_inquiries(t, Order(o)) for t in trees]), 1) for o in ORDERS},
    }
