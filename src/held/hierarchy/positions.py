"""The positions of a branch as arrays: those of many objects, in many documents, one after another."""

from __future__ import annotations

from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from held.headings.columns import Columns
from held.tree import Position, Tree

Ints = NDArray[np.int64]
_T = TypeVar("_T", bound=np.generic)


class Ask(NamedTuple):
    """An object to compare with all positions of a tree's branch."""

    document: int
    tree: Tree
    obj: int


class Place(NamedTuple):
    """The rows of a position's parent and of its last, first and last but one child, -1 for none."""

    parent: int
    last: int = -1
    first: int = -1
    second: int = -1
    children: int = 0  # how many there are


PLACES = Columns(Place._fields)


class Positions(NamedTuple):
    """The positions of all asks, one after another: N of them, of B branches.

    Rows count over all documents, and -1 is no heading.
    """

    obj: Ints  # (N,) the row of the object that is asked about
    places: NDArray[np.void]  # (N,) with the fields of Place
    starts: Ints  # (B,) where each branch begins ...
    counts: Ints  # (B,) ... and how many positions it has

    @property
    def ends(self) -> Ints:
        return self.starts + self.counts - 1

    def spread(self, by_branch: NDArray[_T]) -> NDArray[_T]:
        """What holds for each branch, for each of its positions."""
        return np.repeat(by_branch, self.counts, axis=0)

    def above(self, marks: NDArray[Any]) -> NDArray[Any]:
        """What is marked up the branch, the position's own parent with it, counted or summed."""
        # Sums over a branch are differences of sums over all branches.
        running = np.cumsum(marks, axis=0)
        return np.asarray(running - self.spread(running[self.starts] - marks[self.starts]))

    def closed(self, marks: NDArray[Any]) -> NDArray[Any]:
        """What is marked further down the branch, counted or summed: what a put at each position closes."""
        running = np.cumsum(marks)
        return np.asarray(self.spread(running[self.ends]) - running)


def place_of(position: Position, rows: dict[int, int], start: int) -> Place:
    """The place of a position among the rows of its document, which begin at `start`."""
    parent = -1 if position.parent < 0 else start + rows[position.parent]
    if position.first_child is None:
        return Place(parent)
    kin = position.siblings(2)
    return Place(
        parent,
        last=start + rows[kin[-1]],
        first=start + rows[position.first_child],
        second=start + rows[kin[0]] if len(kin) == 2 else -1,
        children=position.child_count,
    )
