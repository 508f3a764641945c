"""A labelled document as a list of nodes that can be removed, inserted and moved.

A node refers to its parent, not to an index, so that a change of the list does not affect the other nodes.
A missing heading, which the ground truth has and the page has not, is a node without an object: its children
keep their true parent.
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
    """An object, or a missing heading, with its label and its parent (None: the root)."""

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
        """The depth in the tree; children of the root have level 1."""
        return 1 if self.parent is None else self.parent.level + 1


def to_nodes(labelled: LabelledDocument) -> list[Node]:
    """The nodes of a document in reading order."""
    objects = labelled.document.objects
    every: list[Node] = []
    for item, label, entry in zip(objects, labelled.labels, labelled.entries, strict=True):
        every.append(Node(item, label, entry=entry))
    every += [Node(None, Label.HEADING, entry=lost.entry, missing=lost) for lost in labelled.missing]
    parents = [*labelled.parents, *(missing.parent for missing in labelled.missing)]
    for node, parent in zip(every, parents, strict=True):
        node.parent = None if parent == ROOT else every[parent]
    return [every[index] for index in reading_order(labelled.missing, len(objects))]


def from_nodes(nodes: Sequence[Node], original: LabelledDocument) -> LabelledDocument:
    """The document of the nodes, with the id, group and pages of the original."""
    present = [node for node in nodes if node.item is not None]
    absent = [node for node in nodes if node.item is None]
    index = {id(node): i for i, node in enumerate([*present, *absent])}
    objects_before: dict[int, int] = {}
    count = 0
    for node in nodes:
        objects_before[id(node)] = count
        count += node.item is not None

    def parent_of(node: Node) -> int:
        return ROOT if node.parent is None else index[id(node.parent)]

    missing = []
    for node in absent:
        before, parent = objects_before[id(node)], parent_of(node)
        heading = node.missing or MissingHeading("", None, before, parent, node.entry)
        missing.append(heading._replace(before=before, parent=parent))
    return replace(
        original,
        document=replace(original.document, objects=tuple(node.item for node in present if node.item)),
        labels=tuple(node.label for node in present),
        parents=tuple(parent_of(node) for node in present),
        entries=tuple(node.entry for node in present),
        missing=tuple(missing),
    )


def remove_nodes(nodes: Sequence[Node], removed: set[int]) -> list[Node]:
    """Removes the nodes with these `id`s; their children move to the nearest ancestor that remains."""
    kept = [node for node in nodes if id(node) not in removed]
    for node in kept:
        while node.parent is not None and id(node.parent) in removed:
            node.parent = node.parent.parent
    return kept


def headings(nodes: Sequence[Node]) -> list[Node]:
    """The true headings that are objects on a page."""
    return [node for node in nodes if node.is_heading and node.item is not None]
