"""What a scorer is: the one thing that insertion needs from a model.

A scorer is made for some documents, so that it can encode every object once and keep what it knows of a
branch between steps. It is asked in batches: all positions of an object, all candidates of a beam and all
documents that are advanced together come in one call. One question is a batch of one.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import NamedTuple, Protocol, runtime_checkable

from held.tree import Tree


class Question(NamedTuple):
    """Does this object belong at these positions of the tree's branch? One inquiry for each position."""

    document: int  # which of the scorer's documents
    tree: Tree
    obj: int
    positions: Sequence[int]  # indices into tree.positions

    @staticmethod
    def about(document: int, tree: Tree, obj: int) -> Question:
        """The question about all positions of the branch."""
        return Question(document, tree, obj, range(len(tree.positions)))


class Scorer(Protocol):
    """Judges objects against positions."""

    def score(self, questions: Sequence[Question]) -> Sequence[Sequence[float]]:
        """For each question a probability for each of its positions, in their order."""
        ...


@runtime_checkable
class HasKinds(Protocol):
    """What a scorer may offer besides, so that it is asked about several objects of a document at a time."""

    def kinds(self, document: int) -> Mapping[int, Hashable]:
        """The kind of each object: those of a kind mostly stand at one level."""
        ...
