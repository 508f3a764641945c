"""How many inquiries a perfect scorer needs: closed forms, derived in docs/research/inquiries.md."""

from __future__ import annotations

from held.hierarchy.insertion import Order
from held.tree import Tree


def expected_inquiries(tree: Tree, order: Order) -> int:
    """The number of inquiries for building this tree without an error.

    Let d_1..d_n be the levels of the n objects, and d_0 = 0. Before object i the branch has d_{i-1} + 1
    positions, and the right one is the d_i-th from the root. So `ta` makes d_{i-1} + 1 inquiries for
    object i, `r2l` makes d_i, and `l2r` makes d_{i-1} - d_i + 2.
    """
    levels = list(tree.levels().values())
    last = levels[-1] if levels else 0
    if order is Order.TA:
        return len(levels) + sum(levels) - last
    if order is Order.R2L:
        return sum(levels)
    return 2 * len(levels) - last


def paper_inquiries(tree: Tree, order: Order) -> int:
    """The number that the formulas of the paper's section 3.6 give, summed over all nodes and the root."""
    children = tree.children()
    is_inner = {node: bool(below) for node, below in children.items()}
    descendants = dict.fromkeys(children, 0)
    inner_descendants = dict.fromkeys(children, 0)
    # Objects come in pre-order, so the reversed order counts children before their parents.
    for obj, parent in reversed(tree.parents().items()):
        descendants[parent] += descendants[obj] + 1
        inner_descendants[parent] += inner_descendants[obj] + is_inner[obj]
    off_branch = len(children) - len(tree.branch)
    if order is Order.TA:
        return sum(descendants.values()) + off_branch
    if order is Order.R2L:
        # Every inner node, the root included, has exactly one child without a next sibling.
        last_children = sum(is_inner.values())
        objects = len(children) - 1
        return sum(descendants.values()) + objects - last_children
    return sum(inner_descendants.values()) + off_branch
