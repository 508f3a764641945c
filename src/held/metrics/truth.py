"""What is true of a document, and what was predicted.

The true tree has a node for each object and for each heading that is known to be there but was recognised
as no object: such a heading stays in every denominator, and all below it is wrong. Where an outline is
incomplete, objects that may be headings are unknown: they are no part of the comparison.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from held.errors import UsageError
from held.tree import ROOT, Tree


class Label(StrEnum):
    """What a true object is."""

    HEADING = "heading"
    BODY = "body"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Truth:
    """The true tree, whose nodes count from 0 in reading order, each with its label and its object.

    `objects` gives None for a heading without an object; left out, node i is object i.
    """

    tree: Tree
    labels: tuple[Label, ...]
    objects: tuple[int | None, ...] | None = None

    def __post_init__(self) -> None:
        if self.tree.objects() != tuple(range(len(self.labels))):
            raise UsageError(f"{len(self.labels)} labels do not fit a tree of {self.tree.size} nodes")
        if self.objects is not None and len(self.objects) != len(self.labels):
            raise UsageError(f"{len(self.objects)} objects do not fit {len(self.labels)} labels")

    @property
    def headings(self) -> frozenset[int]:
        """The nodes that are headings."""
        return frozenset(node for node, label in enumerate(self.labels) if label is Label.HEADING)

    @property
    def unknown(self) -> frozenset[int]:
        """The nodes that may or may not be headings."""
        return frozenset(node for node, label in enumerate(self.labels) if label is Label.UNKNOWN)

    @property
    def pathless(self) -> frozenset[int]:
        """The body nodes between an unknown and the next heading: what they hang under is not known."""
        found = set()
        after_unknown = False
        for node, label in enumerate(self.labels):
            if label is Label.BODY and after_unknown:
                found.add(node)
            after_unknown = label is Label.UNKNOWN or (after_unknown and label is Label.BODY)
        return frozenset(found)

    def unmasked(self) -> Truth:
        """The truth if the outline is believed to be complete: every unknown object is body."""
        labels = tuple(Label.BODY if label is Label.UNKNOWN else label for label in self.labels)
        return replace(self, labels=labels)

    def found_as(self, match: Mapping[int, int] | None) -> dict[int, int]:
        """The predicted object of each node that has one; `match` maps true objects to predicted ones."""
        objects: Iterable[int | None] = range(len(self.labels)) if self.objects is None else self.objects
        pairs = ((node, obj) for node, obj in enumerate(objects) if obj is not None)
        if match is None:
            return dict(pairs)
        return {node: match[obj] for node, obj in pairs if obj in match}


@dataclass(frozen=True, slots=True)
class Prediction:
    """A predicted tree of objects, and which of them are taken for headings."""

    tree: Tree
    headings: frozenset[int]

    @staticmethod
    def one_step(tree: Tree) -> Prediction:
        """The prediction of a tree without a heading step: its inner nodes are headings."""
        inner = {parent for parent in tree.parents().values() if parent != ROOT}
        return Prediction(tree, frozenset(inner))


def labels_of(headings: Iterable[int], count: int, *, unknown: Iterable[int] = ()) -> tuple[Label, ...]:
    """The labels of so many objects, all body but for these."""
    labels: list[Label] = [Label.BODY] * count
    for obj in headings:
        labels[obj] = Label.HEADING
    for obj in unknown:
        labels[obj] = Label.UNKNOWN
    return tuple(labels)


def truth_of(parents: Sequence[int], labels: Sequence[Label]) -> Truth:
    """The truth of a document in which every true heading is an object."""
    return Truth(Tree.from_parents(parents), tuple(labels))
