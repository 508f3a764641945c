"""Compares two trees of one document: how similar they are, and where the second goes wrong.

Each may be a predicted tree, a labelled document, or a bare outline; if one has no body, only headings are
compared. The first tree is taken as the truth.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import accumulate
from typing import NamedTuple

from held.document import PhysicalObject
from held.metrics.averages import match_objects
from held.metrics.tree_edit_distance import heading_similarity
from held.metrics.trees import Fault, Label, Prediction, TreeCounts, Truth, compare_trees, faults, labels_of
from held.tree import Tree


@dataclass(frozen=True, slots=True)
class Side:
    """One of the two trees: its nodes and their objects.

    absent   the titles of nodes without an object
    whole    whether the objects of the body are nodes as well
    """

    name: str
    truth: Truth
    objects: tuple[PhysicalObject, ...]
    absent: Mapping[int, str]
    whole: bool

    def object_of(self, node: int) -> int | None:
        """The object of a node, None if it has none."""
        return node if self.truth.objects is None else self.truth.objects[node]

    def title(self, node: int) -> str:
        """The text of a node on one line."""
        obj = self.object_of(node)
        if obj is None:
            text = self.absent.get(node, "")
        else:
            text = self.objects[obj].text
        return " ".join(text.split())

    def page(self, node: int) -> int | None:
        """The page of a node, None if it has no object."""
        obj = self.object_of(node)
        return None if obj is None else self.objects[obj].page


class HeadingState(StrEnum):
    """Whether a heading is right, wrong itself, wrong because of another, or not scored."""

    RIGHT = "right"
    FAULT = "fault"
    DRAGGED = "dragged"
    UNKNOWN = "unknown"


class SideHeading(NamedTuple):
    """A heading as one side has it."""

    node: int
    level: int
    page: int | None
    title: str


class Pair(NamedTuple):
    """A heading of either side or of both, with the index of the fault that made it wrong."""

    gold: SideHeading | None
    found: SideHeading | None
    state: HeadingState
    fault: int | None


@dataclass(frozen=True, slots=True)
class Comparison:
    """The result of a comparison; `pairs` are all headings in reading order."""

    gold: Side
    found: Side
    counts: TreeCounts
    unmasked: TreeCounts
    similarity: float
    faults: tuple[Fault, ...]
    pairs: tuple[Pair, ...]

    def heading_of(self, fault: Fault) -> tuple[str, int | None]:
        """The title and the page of the heading that a fault concerns."""
        if fault.node is not None:
            return self.gold.title(fault.node), self.gold.page(fault.node)
        assert fault.obj is not None
        return self.found.title(fault.obj), self.found.page(fault.obj)

    def parents(self, fault: Fault) -> tuple[str | None, str | None]:
        """The titles of the true and of the predicted parent; "" is the root, None if there is none."""
        true = None if fault.node is None else _parent_title(self.gold, fault.node)
        predicted = None if fault.obj is None else _parent_title(self.found, fault.obj)
        return true, predicted

    def dragged_headings(self, fault: Fault) -> list[int]:
        """The headings that are wrong because of a fault."""
        return [node for node in fault.dragged if self.gold.truth.labels[node] is Label.HEADING]


def side_of_tree(
    name: str, tree: Tree, *, headings: Iterable[int], objects: Sequence[PhysicalObject]
) -> Side:
    """A tree of objects as a side, given which of them are headings."""
    truth = Truth(tree, labels_of(headings, len(objects)))
    return Side(name, truth, tuple(objects), {}, whole=True)


def compare(gold: Side, found: Side) -> Comparison:
    """Compare the second side with the first, which is taken as the truth."""
    if not (gold.whole and found.whole):
        gold, found = _without_body(gold), _without_body(found)
    found = _as_prediction(found)
    match = None if _same_objects(gold, found) else match_objects(gold.objects, found.objects)
    prediction = Prediction(found.truth.tree, found.truth.headings)
    wrong = faults(gold.truth, prediction, match)
    return Comparison(
        gold,
        found,
        compare_trees(gold.truth, prediction, match),
        compare_trees(gold.truth.unmasked(), prediction, match),
        heading_similarity(gold.truth, prediction, match),
        wrong,
        tuple(_pairs(gold, found, gold.truth.predicted_objects(match), wrong)),
    )


def _parent_title(side: Side, node: int) -> str:
    parent = side.truth.tree.parents()[node]
    return "" if parent < 0 else side.title(parent)


def _same_objects(gold: Side, found: Side) -> bool:
    """Whether both sides have the same objects, so that there is nothing to match."""
    gold_objects = [(o.page, o.text) for o in gold.objects]
    found_objects = [(o.page, o.text) for o in found.objects]
    return gold_objects == found_objects


def _as_prediction(side: Side) -> Side:
    """The side with one node per object; headings without an object are left out."""
    object_of: dict[int, int] = {}
    absent: set[int] = set()
    for node in range(len(side.truth.labels)):
        obj = side.object_of(node)
        if obj is None:
            absent.add(node)
        else:
            object_of[node] = obj
    tree = side.truth.tree.without(absent).renumber(object_of.__getitem__)
    labels = tuple(side.truth.labels[node] for node in object_of)
    return replace(side, truth=Truth(tree, labels), absent={})


def _without_body(side: Side) -> Side:
    """The side without its body; unknown objects stay, because they are left out later."""
    labels = side.truth.labels
    body = {node for node, label in enumerate(labels) if label is Label.BODY}
    kept = [node for node in range(len(labels)) if node not in body]
    new_number = {node: new for new, node in enumerate(kept)}
    objects: list[PhysicalObject] = []
    numbers: list[int | None] = []  # the object of each kept node, None if it has none
    for node in kept:
        obj = side.object_of(node)
        if obj is None:
            numbers.append(None)
            continue
        numbers.append(len(objects))
        objects.append(side.objects[obj])
    tree = side.truth.tree.without(body).renumber(new_number.__getitem__)
    kept_labels = tuple(labels[node] for node in kept)
    truth = Truth(tree, kept_labels, tuple(numbers))
    absent = {new_number[node]: title for node, title in side.absent.items()}
    return replace(side, truth=truth, objects=tuple(objects), absent=absent, whole=False)


def _pairs(gold: Side, found: Side, object_of: Mapping[int, int], wrong: Sequence[Fault]) -> Iterator[Pair]:
    """The headings of both sides in reading order, paired if they are the same."""
    fault_index = _FaultIndex.build(wrong)
    unpaired = _entries(found)
    matched = {object_of[node] for node in gold.truth.headings if node in object_of}
    unknown = {object_of[node] for node in gold.truth.unknown if node in object_of}

    def pairs_without_gold(objects: Iterable[int]) -> Iterator[Pair]:
        for obj in objects:
            state = HeadingState.UNKNOWN if obj in unknown else HeadingState.FAULT
            yield Pair(None, unpaired.pop(obj), state, fault_index.by_object.get(obj))

    # last_objects[node] is the last found object up to a true node. A true heading that the found side lacks
    # comes after all found headings up to there.
    nodes = range(len(gold.truth.labels))
    objects_of_nodes = (object_of.get(node, -1) for node in nodes)
    last_objects = list(accumulate(objects_of_nodes, max))
    for node, entry in _entries(gold).items():
        obj = object_of.get(node)
        end = last_objects[node] + 1 if obj is None else obj
        before = [other for other in unpaired if other < end and other not in matched]
        yield from pairs_without_gold(before)
        same = None if obj is None else unpaired.pop(obj, None)
        yield Pair(entry, same, fault_index.state(node), fault_index.fault(node))
    yield from pairs_without_gold(list(unpaired))


class _FaultIndex(NamedTuple):
    """The indices of faults: by their node, by the nodes that they dragged along, and by their object."""

    by_node: Mapping[int, int]
    by_dragged_node: Mapping[int, int]
    by_object: Mapping[int, int]

    @staticmethod
    def build(wrong: Sequence[Fault]) -> _FaultIndex:
        by_node: dict[int, int] = {}
        by_dragged_node: dict[int, int] = {}
        by_object: dict[int, int] = {}
        for index, fault in enumerate(wrong):
            if fault.node is not None:
                by_node[fault.node] = index
            if fault.obj is not None:
                by_object[fault.obj] = index
            by_dragged_node.update(dict.fromkeys(fault.dragged, index))
        return _FaultIndex(by_node, by_dragged_node, by_object)

    def state(self, node: int) -> HeadingState:
        if node in self.by_node:
            return HeadingState.FAULT
        return HeadingState.DRAGGED if node in self.by_dragged_node else HeadingState.RIGHT

    def fault(self, node: int) -> int | None:
        return self.by_node.get(node, self.by_dragged_node.get(node))


def _entries(side: Side) -> dict[int, SideHeading]:
    """The headings of a side by node, in reading order."""
    levels = side.truth.tree.levels()
    entries = {}
    for node in sorted(side.truth.headings):
        entries[node] = SideHeading(node, levels[node], side.page(node), side.title(node))
    return entries
