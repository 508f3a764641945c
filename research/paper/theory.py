"""The inquiries that real trees need, by theory: docs/research/inquiries.md."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
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
    return {domain: _means(own) for domain, own in sorted(trees.items())}


def heading_tree(labelled: LabelledDocument) -> Tree:
    """The true tree of the headings that are objects: what a perfect judge would build."""
    known = truth(labelled)
    wanted = set(labelled.headings)
    others = {node for node, obj in enumerate(known.objects or ()) if obj not in wanted}
    return known.tree.without(others)


def _means(trees: Sequence[Tree]) -> dict[str, Any]:
    return {
        "documents": len(trees),
        "headings": round(mean([len(tree.parents()) for tree in trees]), 1),
        "ours": {o: round(mean([expected_inquiries(t, Order(o)) for t in trees]), 1) for o in ORDERS},
        "paper": {o: round(mean([paper_inquiries(t, Order(o)) for t in trees]), 1) for o in ORDERS},
    }
