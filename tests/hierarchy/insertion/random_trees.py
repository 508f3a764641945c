"""Random trees, for properties."""

from __future__ import annotations

from hypothesis import strategies as st

from held.tree import Tree


def grown(choices: list[int]) -> Tree:
    """The tree that puts each next object at a position drawn by a number."""
    tree = Tree()
    for obj, choice in enumerate(choices):
        tree = tree.put(obj, choice % len(tree.positions))
    return tree


def trees(*, most: int) -> st.SearchStrategy[Tree]:
    """Trees of so many objects at the most."""
    return st.lists(st.integers(0, 10_000), max_size=most).map(grown)


TREES = trees(most=40)
