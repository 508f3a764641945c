"""The inquiries that real trees need, by theory: docs/research/inquiries.md."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from held.corpus.store import LabelledDocument, truth
from held.hierarchy.insertion import Order
from held.metrics import mean
from held.paper.inquiries import expected_inquiries, paper_inquiries
from held.tree import Tree

ORDERS = tuple(order.value for order in Order)


def theory_of(documents: Iterable[LabelledDocument]) -> dict[str, Any]:
    """For each domain the means over its documents: headings, and inquiries by both closed forms."""
    trees: dict[str, list[Tree]] = {}
    for labelled in documents:
        if not labelled.silver:
            trees.setdefault(labelled.domain, []).append(heading_tree(labelled))
    return {domain: _means(domain_trees) for domain, domain_trees in sorted(trees.items())}


def heading_tree(labelled: LabelledDocument) -> Tree:
    """The true tree of the headings that are objects: what a perfect scorer would build."""
    true = truth(labelled)
    headings = set(labelled.headings)
    others = {node for node, obj in enumerate(true.objects or ()) if obj not in headings}
    return true.tree.without(others)


def _means(trees: Sequence[Tree]) -> dict[str, Any]:
    return {
        "documents": len(trees),
        "headings": round(mean([len(tree.parents()) for tree in trees]), 1),
        "ours": _mean_inquiries(trees, expected_inquiries),
        "paper": _mean_inquiries(trees, paper_inquiries),
    }


def _mean_inquiries(trees: Sequence[Tree], count: Callable[[Tree, Order], int]) -> dict[str, float]:
    """The mean number of inquiries by traversal order."""
    means = {}
    for order in Order:
        means[order.value] = round(mean([count(tree, order) for tree in trees]), 1)
    return means
