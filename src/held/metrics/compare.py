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
from held.metrics.faults import Fault, faults
from held.metrics.tree_edit_distance import heading_similarity
from held.metrics.trees import Label, Prediction, TreeCounts, Truth, compare_trees, labels_of
from held.tree import Tree


@dataclass(frozen=True, slots=True)
class Side:
    """A tree to compare: its nodes and their objects.

    absent   the titles of nodes without an object
    whole    whether the objects of the body are nodes, too
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
        text = self.absent.get(node, "") if obj is None else self.objects[obj].text
        return " ".join(text.split())

    def page(self, node: int) -> int | None:
        """The page of a node, None if it has no object."""
        obj = self.object_of(node)
        return None if obj is None else self.objects[obj].page


class State(StrEnum):
    """Whether a heading is right, wrong itself, wrong because of another, or not judged."""

    RIGHT = "right"
    FAULT = "fault"
    DRAGGED = "dragged"
    UNKNOWN = "unknown"


class Entry(NamedTuple):
    """A heading as one side has it."""

    node: int
    level: int
    page: int | None
    title: str


class Pair(NamedTuple):
    """A heading of either side or of both, with the index of the fault that made it wrong."""

    gold: Entry | None
    found: Entry | None
    state: State
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
        return (
            None if fault.node is None else _parent_title(self.gold, fault.node),
            None if fault.obj is None else _parent_title(self.found, fault.obj),
        )

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
    """Compares the second side with the first, which is taken as the truth."""
    if not (gold.whole and found.whole):
        gold, found = _headings_alone(gold), _headings_alone(found)
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
        tuple(_pairs(gold, found, gold.truth.found_as(match), wrong)),
    )


def _parent_title(side: Side, node: int) -> str:
    parent = side.truth.tree.parents()[node]
    return "" if parent < 0 else side.title(parent)


def _same_objects(gold: Side, found: Side) -> bool:
    """Whether both sides have the same objects, so that there is nothing to match."""
    return [(o.page, o.text) for o in gold.objects] == [(o.page, o.text) for o in found.objects]


def _as_prediction(side: Side) -> Side:
    """The side with one node per object; headings without an object are spliced out."""
    numbers: dict[int, int] = {}
    absent: set[int] = set()
    for node in range(len(side.truth.labels)):
        obj = side.object_of(node)
        if obj is None:
            absent.add(node)
        else:
            numbers[node] = obj
    tree = side.truth.tree.without(absent).renumber(numbers.__getitem__)
    labels = tuple(side.truth.labels[node] for node in numbers)
    return replace(side, truth=Truth(tree, labels), absent={})


def _headings_alone(side: Side) -> Side:
    """The side without its body; unknown objects stay, because they are masked later."""
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


def _pairs(gold: Side, found: Side, found_as: Mapping[int, int], wrong: Sequence[Fault]) -> Iterator[Pair]:
    """The headings of both sides in reading order, paired if they are the same."""
    blame = _Blame.of(wrong)
    theirs = _entries(found)  # the ones not yet paired
    matched = {found_as[node] for node in gold.truth.headings if node in found_as}
    unknown = {found_as[node] for node in gold.truth.unknown if node in found_as}

    def alone(objects: Iterable[int]) -> Iterator[Pair]:
        for obj in objects:
            state = State.UNKNOWN if obj in unknown else State.FAULT
            yield Pair(None, theirs.pop(obj), state, blame.false.get(obj))

    # The last found object up to each true node: a true heading that the other side lacks comes after all
    # found headings up to there.
    objects_of_nodes = (found_as.get(node, -1) for node in range(len(gold.truth.labels)))
    reached = list(accumulate(objects_of_nodes, max))
    for node, entry in _entries(gold).items():
        obj = found_as.get(node)
        before = reached[node] + 1 if obj is None else obj
        yield from alone([other for other in theirs if other < before and other not in matched])
        same = None if obj is None else theirs.pop(obj, None)
        yield Pair(entry, same, blame.state(node), blame.fault(node))
    yield from alone(list(theirs))


class _Blame(NamedTuple):
    """The numbers of faults: by the node that is wrong, by what it dragged along, by the false heading."""

    at_fault: Mapping[int, int]
    dragged: Mapping[int, int]
    false: Mapping[int, int]

    @staticmethod
    def of(wrong: Sequence[Fault]) -> _Blame:
        at_fault: dict[int, int] = {}
        dragged: dict[int, int] = {}
        false: dict[int, int] = {}
        for number, fault in enumerate(wrong):
            if fault.node is not None:
                at_fault[fault.node] = number
            if fault.obj is not None:
                false[fault.obj] = number
            dragged.update(dict.fromkeys(fault.dragged, number))
        return _Blame(at_fault, dragged, false)

    def state(self, node: int) -> State:
        if node in self.at_fault:
            return State.FAULT
        return State.DRAGGED if node in self.dragged else State.RIGHT

    def fault(self, node: int) -> int | None:
        return self.at_fault.get(node, self.dragged.get(node))


def _entries(side: Side) -> dict[int, Entry]:
    """The headings of a side by node, in reading order."""
    levels = side.truth.tree.levels()
    entries = {}
    for node in sorted(side.truth.headings):
        entries[node] = Entry(node, levels[node], side.page(node), side.title(node))
    return entries
