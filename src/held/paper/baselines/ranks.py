"""From ranks to a tree: what all baselines do that say how high each heading stands, and no more."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from held.tree import Tree


def tree_of_ranks(headings: Sequence[int], ranks: Sequence[Any]) -> Tree:
    """The tree in which each heading hangs under the last one before it that has a lower rank.

    Ranks are anything that can be compared; the root is above all of them.
    """
    tree = Tree()
    above: list[Any] = []  # the ranks along the branch, the root aside
    for heading, rank in zip(headings, ranks, strict=True):
        while above and not above[-1] < rank:
            above.pop()
        tree = tree.put(heading, len(above))
        above.append(rank)
    return tree
