"""How many inquiries a perfect scorer needs: closed forms, explained in docs/research/inquiries.md."""

from __future__ import annotations

from held.hierarchy.insertion.scorer import Order
from held.tree import Tree


def expected_inquiries(tree: Tree, order: Order) -> int:
    """The number of positions that are asked about while this tree is built without an error.

    With n objects of levels d_1..d_n, and d_0 = 0: before object i the branch has d_{i-1} + 1 positions, and
    the right one is the d_i-th from the root. So ta asks about all of them, r2l about d_i of them and l2r
    about d_{i-1} - d_i + 2.
    """
    levels = list(tree.levels().values())
    last = levels[-1] if levels else 0
    if order is Order.TA:
        return len(levels) + sum(levels) - last
    if order is Order.R2L:
        return sum(levels)
    return 2 * len(levels) - last


def paper_inquiries(tree: Tree, order: Order) -> int:
    """What the paper's section 3.6 prints, its sums taken over all nodes with the root."""
    children = tree.children()
    inner = {node: bool(below) for node, below in children.items()}
    descendants = dict.fromkeys(children, 0)
    inner_descendants = dict.fromkeys(children, 0)
    for obj, parent in reversed(tree.parents().items()):
        descendants[parent] += descendants[obj] + 1
        inner_descendants[parent] += inner_descendants[obj] + inner[obj]
    off_branch = len(children) - len(tree.branch)
    if order is Order.TA:
        return sum(descendants.values()) + off_branch
    if order is Order.R2L:
        last_children = sum(
            inner.values()
        )  # every inner node, the root too, has one child without a next sibling
        return sum(descendants.values()) + (len(children) - 1) - last_children
    return sum(inner_descendants.values()) + off_branch
