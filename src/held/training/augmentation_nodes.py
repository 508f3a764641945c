"""A labelled document as a list of nodes that can be taken out, put in and hung elsewhere.

A node knows its parent, not its index: whoever changes the list need not mind the indices of the rest.
Missing headings, which the truth has and the page has not, are nodes without an object, so that what
hangs below them is never taught to hang elsewhere.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from held.corpus.labelled import NO_ENTRY, LabelledDocument, MissingHeading
from held.document import PhysicalObject
from held.hierarchy.matching.nodes import reading_order
from held.metrics import Label
from held.tree import ROOT


@dataclass(eq=False, slots=True)
class Node:
    """An object, or a missing heading, with its label and what it hangs under (None: the root)."""

    item: PhysicalObject | None
    label: Label
    parent: Node | None = None
    entry: int = NO_ENTRY
    missing: MissingHeading | None = None

    @property
    def is_heading(self) -> bool:
        """Whether the node is a true heading, on the page or not."""
        return self.label is Label.HEADING

    @property
    def level(self) -> int:
        """How many nodes stand on the way to the root, this one among them."""
        return 1 if self.parent is None else self.parent.level + 1


def to_nodes(labelled: LabelledDocument) -> list[Node]:
    """The nodes of a document in reading order."""
    objects = [
        Node(item, label, entry=entry)
        for item, label, entry in zip(
            labelled.document.objects, labelled.labels, labelled.entries, strict=True
        )
    ]
    absent = [Node(None, Label.HEADING, entry=lost.entry, missing=lost) for lost in labelled.missing]
    every = [*objects, *absent]
    parents = [*labelled.parents, *(lost.parent for lost in labelled.missing)]
    for node, parent in zip(every, parents, strict=True):
        node.parent = None if parent == ROOT else every[parent]
    return [every[index] for index in reading_order(labelled.missing, len(objects))]


def from_nodes(nodes: Sequence[Node], origin: LabelledDocument) -> LabelledDocument:
    """The document that the nodes make, with the origin's name, group and pages."""
    present = [node for node in nodes if node.item is not None]
    absent = [node for node in nodes if node.item is None]
    index = {id(node): place for place, node in enumerate([*present, *absent])}
    objects_before: dict[int, int] = {}
    count = 0
    for node in nodes:
        objects_before[id(node)] = count
        count += node.item is not None

    def parent_of(node: Node) -> int:
        return ROOT if node.parent is None else index[id(node.parent)]

    missing = tuple(
        _missing_heading(node, before=objects_before[id(node)], parent=parent_of(node)) for node in absent
    )
    return replace(
        origin,
        document=replace(origin.document, objects=tuple(node.item for node in present if node.item)),
        labels=tuple(node.label for node in present),
        parents=tuple(parent_of(node) for node in present),
        entries=tuple(node.entry for node in present),
        missing=missing,
    )


def _missing_heading(node: Node, *, before: int, parent: int) -> MissingHeading:
    """The missing heading of a node at its new place."""
    lost = node.missing or MissingHeading("", None, before, parent, node.entry)
    return lost._replace(before=before, parent=parent)


def without(nodes: Sequence[Node], taken: set[int]) -> list[Node]:
    """The nodes less those whose `id` is taken: what hung below one hangs under the nearest that is left."""
    kept = [node for node in nodes if id(node) not in taken]
    for node in kept:
        while node.parent is not None and id(node.parent) in taken:
            node.parent = node.parent.parent
    return kept


def headings(nodes: Sequence[Node]) -> list[Node]:
    """The true headings that stand on a page."""
    return [node for node in nodes if node.is_heading and node.item is not None]
