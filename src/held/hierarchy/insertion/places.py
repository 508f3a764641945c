"""Places that are given: a person, or another program, has said under which heading an object stands.

An object with a given place is put there. What comes between it and its parent may not close the parent:
it goes to the parent's positions or deeper ones. Nothing else is decided here: all other objects are
inserted around the given ones as the scorer sees fit.
"""

from __future__ import annotations

import heapq
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from held.errors import UsageError
from held.tree import ROOT, Tree

Parents = Mapping[int, int]
"""The parent of each object whose place is given; ROOT for the top."""


@dataclass(frozen=True, slots=True)
class Places:
    """Which positions each object may go to. `kept_open` has the deepest node that it may not close."""

    parents: Parents = field(default_factory=dict)
    kept_open: Mapping[int, int] = field(default_factory=dict)

    def positions(self, tree: Tree, obj: int) -> range:
        """The positions of the branch that are allowed for the object: all of them where nothing is given."""
        leaf = len(tree.positions)
        parent = self.parents.get(obj)
        if parent is not None:
            position = _position(tree, parent)
            return range(position, position + 1)
        return range(_position(tree, self.kept_open.get(obj, ROOT)), leaf)


NO_PLACES = Places()


def given_places(objects: Sequence[int], parents: Parents) -> Places:
    """The places of the objects to insert, in reading order; a contradiction among them is an error."""
    known = set(objects)
    for obj, parent in parents.items():
        _check(obj, parent, known)
    kept_open = _kept_open(objects, parents)
    for obj, parent in parents.items():
        if parent < kept_open.get(obj, ROOT):
            raise UsageError(
                f"object {obj} cannot stand under {_name(parent)}: "
                f"a later object is given a place under object {kept_open[obj]}, which would be closed",
                advice="give places that fit into one tree in reading order",
            )
    return Places(parents, kept_open)


def _kept_open(objects: Sequence[int], parents: Parents) -> dict[int, int]:
    """For each object the deepest node that a later object is to be put under.

    All nodes that must stay open lie on one branch, so the deepest of them is the last in reading order.
    """
    last_child: dict[int, int] = {}
    for obj, parent in parents.items():
        last_child[parent] = max(obj, last_child.get(parent, obj))
    found: dict[int, int] = {}
    waiting: list[tuple[int, int]] = []  # (-node, its last given child): the latest node first
    for obj in objects:
        while waiting and waiting[0][1] <= obj:
            heapq.heappop(waiting)
        if waiting:
            found[obj] = -waiting[0][0]
        if obj in last_child:
            heapq.heappush(waiting, (-obj, last_child[obj]))
    return found


def _check(obj: int, parent: int, known: set[int]) -> None:
    if obj not in known:
        raise UsageError(f"object {obj} has a place but is not inserted", advice="give places to headings")
    if parent != ROOT and parent not in known:
        raise UsageError(f"object {obj} cannot stand under object {parent}, which is not inserted")
    if parent >= obj:
        raise UsageError(f"object {obj} cannot stand under object {parent}, which does not come before it")


def _name(parent: int) -> str:
    return "the root" if parent == ROOT else f"object {parent}"


def _position(tree: Tree, node: int) -> int:
    position = tree.position_under(node)
    assert position is not None, "what must stay open is on the branch"
    return position
