"""What insertion needs: a scorer, which a model provides, and a strategy, which the user chooses.

A scorer is made for some documents, so that it can encode every object once. It is asked in batches: all
positions of an object, all trees of a beam and all documents that are processed together come in one call.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple, Protocol, runtime_checkable

from held.errors import UsageError
from held.tree import Tree


class Question(NamedTuple):
    """Which of these positions of the tree's branch does an object belong at? One inquiry per position."""

    document: int  # which of the scorer's documents
    tree: Tree
    obj: int
    positions: Sequence[int]  # indices into tree.positions

    @staticmethod
    def about(document: int, tree: Tree, obj: int) -> Question:
        """The question about all positions of the branch."""
        return Question(document, tree, obj, range(len(tree.positions)))


class Scorer(Protocol):
    """Scores objects at positions."""

    def score(self, questions: Sequence[Question]) -> Sequence[Sequence[float]]:
        """For each question a probability for each of its positions, in their order."""
        ...


@runtime_checkable
class HasKinds(Protocol):
    """A scorer that knows kinds of objects, so that several objects can be asked about at a time."""

    def kinds(self, document: int) -> Mapping[int, Hashable]:
        """The kind of each object; objects of a kind are mostly at one level."""
        ...


class Order(StrEnum):
    """The traversal order of the positions of a branch.

    TA    all positions; the most probable one is taken
    R2L   from the root; the first one above 0.5 is taken, or else the most probable one
    L2R   from the leaf; the same
    """

    TA = "ta"
    R2L = "r2l"
    L2R = "l2r"


@dataclass(frozen=True, slots=True)
class Strategy:
    """How to search for the tree.

    order       the traversal order of the positions
    width       how many trees a beam keeps; 1 is greedy
    normalise   whether the probabilities of an object's positions are divided by their sum, so that the trees
                of a beam can be compared; the paper does not. It needs all positions, so it has no effect on
                R2L and L2R.
    """

    order: Order = Order.TA
    width: int = 1
    normalise: bool = False

    def __post_init__(self) -> None:
        if self.width < 1:
            message = f"a beam of width {self.width} holds no tree"
            raise UsageError(message, advice="give a width of 1 or more")
        if self.width > 1 and self.order is not Order.TA:
            message = f"a beam cannot go with order {self.order}"
            raise UsageError(message, advice="use order ta, or a width of 1 for greedy")
