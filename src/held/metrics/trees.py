"""Compares a predicted tree with the true one: by path, by level, by parent.

A node is right if its ancestors, up to the root, are those of the true tree. A true heading that was not
recognised as an object stays in every denominator, and everything below it is wrong. Where an outline is
incomplete, objects that may be headings are unknown. They are removed before trees are compared; their
children move up to their parents.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum

from held.errors import UsageError
from held.metrics.averages import Matches, Share
from held.tree import ROOT, Tree


class Label(StrEnum):
    """The true role of an object."""

    HEADING = "heading"
    BODY = "body"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Truth:
    """The true tree. Its nodes are numbered from 0 in reading order; each has a label and an object.

    `objects` has None for a heading without an object. If it is left out, node i is object i.
    """

    tree: Tree
    labels: tuple[Label, ...]
    objects: tuple[int | None, ...] | None = None

    def __post_init__(self) -> None:
        if self.tree.objects() != tuple(range(len(self.labels))):
            raise UsageError(f"{len(self.labels)} labels do not fit a tree of {self.tree.size} nodes")
        if self.objects is None:
            return
        if len(self.objects) != len(self.labels):
            raise UsageError(f"{len(self.objects)} objects do not fit {len(self.labels)} labels")

    @property
    def headings(self) -> frozenset[int]:
        """The nodes that are headings."""
        return self._nodes_with(Label.HEADING)

    @property
    def unknown(self) -> frozenset[int]:
        """The nodes that may or may not be headings."""
        return self._nodes_with(Label.UNKNOWN)

    def _nodes_with(self, wanted: Label) -> frozenset[int]:
        return frozenset(node for node, label in enumerate(self.labels) if label is wanted)

    @property
    def pathless(self) -> frozenset[int]:
        """The body nodes between an unknown object and the next heading: their parent is not known.

        If the unknown object is a heading, it is their parent; otherwise the heading before it is.
        """
        pathless = set()
        after_unknown = False
        for node, label in enumerate(self.labels):
            match label:
                case Label.UNKNOWN:
                    after_unknown = True
                case Label.HEADING:
                    after_unknown = False
                case Label.BODY if after_unknown:
                    pathless.add(node)
        return frozenset(pathless)

    def unmasked(self) -> Truth:
        """The truth on the assumption that the outline is complete: every unknown object is body."""
        labels = tuple(Label.BODY if label is Label.UNKNOWN else label for label in self.labels)
        return replace(self, labels=labels)

    def predicted_objects(self, match: Mapping[int, int] | None) -> dict[int, int]:
        """The predicted object of each node that has one; `match` maps true objects to predicted ones."""
        nodes = range(len(self.labels))
        objects: Iterable[int | None] = nodes if self.objects is None else self.objects
        object_of = {node: obj for node, obj in enumerate(objects) if obj is not None}
        if match is None:
            return object_of
        return {node: match[obj] for node, obj in object_of.items() if obj in match}


@dataclass(frozen=True, slots=True)
class Prediction:
    """A predicted tree of objects, and the objects that are predicted to be headings."""

    tree: Tree
    headings: frozenset[int]

    @staticmethod
    def one_step(tree: Tree) -> Prediction:
        """The prediction of a model without a heading step: the inner nodes are the headings."""
        inner = {parent for parent in tree.parents().values() if parent != ROOT}
        return Prediction(tree, frozenset(inner))


def labels_of(headings: Iterable[int], count: int, *, unknown: Iterable[int] = ()) -> tuple[Label, ...]:
    """The labels of `count` objects: body, except for the given ones."""
    labels: list[Label] = [Label.BODY] * count
    for obj in headings:
        labels[obj] = Label.HEADING
    for obj in unknown:
        labels[obj] = Label.UNKNOWN
    return tuple(labels)


def truth_of(parents: Sequence[int], labels: Sequence[Label]) -> Truth:
    """The truth of a document in which every true heading is an object."""
    return Truth(Tree.from_parents(parents), tuple(labels))


def heading_matches(
    truth: Truth, predicted: Collection[int], match: Mapping[int, int] | None = None
) -> Matches:
    """How many headings are true, found, and both.

    Unknown objects count on neither side. A true heading without an object is missed; a predicted heading
    that matches no true object is false.
    """
    object_of = truth.predicted_objects(match)
    found = set(predicted) - _values_of(object_of, truth.unknown)
    both = sum(object_of.get(node) in found for node in truth.headings)
    return Matches(both, len(truth.headings), len(found))


def _values_of(mapping: Mapping[int, int], keys: Iterable[int]) -> set[int]:
    """The values of those keys that the mapping has."""
    return {mapping[key] for key in keys if key in mapping}


_NONE = Share()
_NO_MATCHES = Matches()


@dataclass(frozen=True, slots=True)
class TreeCounts:
    """Counts of one document or, added up, of many.

    paths           objects with the right path, out of those whose path is known: the paper's accuracy
    heading_paths   headings that were found and have the right path, out of all headings
    parents         found headings whose nearest found ancestor is their true parent, out of all found ones
    levels_only     objects at the right level, whatever their path: the accuracy of earlier work
    by_level        right paths by level; a true node counts at its true level, a predicted one at its own
    headings        true and found headings
    left_out        objects without a known path, out of all that are not unknown
    documents       documents in which everything is right
    """

    paths: Share = _NONE
    heading_paths: Share = _NONE
    parents: Share = _NONE
    levels_only: Share = _NONE
    by_level: Mapping[int, Matches] = field(default_factory=dict)
    headings: Matches = _NO_MATCHES
    left_out: Share = _NONE
    documents: Share = _NONE

    def __add__(self, other: TreeCounts) -> TreeCounts:
        by_level = {}
        for level in sorted({*self.by_level, *other.by_level}):
            first = self.by_level.get(level, _NO_MATCHES)
            second = other.by_level.get(level, _NO_MATCHES)
            by_level[level] = first + second
        return TreeCounts(
            self.paths + other.paths,
            self.heading_paths + other.heading_paths,
            self.parents + other.parents,
            self.levels_only + other.levels_only,
            by_level,
            self.headings + other.headings,
            self.left_out + other.left_out,
            self.documents + other.documents,
        )


def compare_trees(truth: Truth, prediction: Prediction, match: Mapping[int, int] | None = None) -> TreeCounts:
    """The counts for one document.

    `match` maps true objects to predicted ones if the objects were recognised separately; without it they
    are the same objects. A true object without a match is wrong; a predicted one without a match counts
    against precision. A heading that was not found is wrong even if its path happens to be right.
    """
    object_of = truth.predicted_objects(match)
    # Objects that may or may not be headings are left out on both sides.
    true_tree = truth.tree.without(truth.unknown)
    predicted_tree = prediction.tree.without(_values_of(object_of, truth.unknown))
    pathless = truth.pathless
    scored = [node for node in true_tree.objects() if node not in pathless]
    right = right_nodes(true_tree, predicted_tree, object_of)
    right_scored = right.intersection(scored)
    found_headings = {}
    for node in truth.headings:
        obj = object_of.get(node)
        if obj is not None and obj in prediction.headings:
            found_headings[node] = obj
    pathless_objects = _values_of(object_of, pathless)
    true_levels = true_tree.levels()
    predicted_levels = predicted_tree.levels()
    by_level = _by_level(
        [true_levels[node] for node in scored],
        [true_levels[node] for node in right_scored],
        [level for obj, level in predicted_levels.items() if obj not in pathless_objects],
    )
    right_levels = 0
    for node in scored:
        predicted_level = predicted_levels.get(object_of.get(node, ROOT))
        right_levels += predicted_level == true_levels[node]
    headings = heading_matches(truth, prediction.headings, match)
    right_headings = right & found_headings.keys()
    total = sum(by_level.values(), start=_NO_MATCHES)
    paths_agree = total.both == total.true == total.found
    headings_agree = headings.both == headings.true == headings.found
    return TreeCounts(
        paths=Share(len(right_scored), len(scored)),
        heading_paths=Share(len(right_headings), len(truth.headings)),
        parents=_right_parents(true_tree, predicted_tree, found_headings),
        levels_only=Share(right_levels, len(scored)),
        by_level=by_level,
        headings=headings,
        left_out=Share(len(pathless), true_tree.size),
        documents=Share(int(paths_agree and headings_agree), 1),
    )


def right_nodes(truth: Tree, predicted: Tree, object_of: Mapping[int, int]) -> set[int]:
    """The true nodes with the same ancestors in the predicted tree.

    `object_of` has the predicted object of each node that has one.
    """
    predicted_parents = predicted.parents()
    right = {ROOT}
    # Parents come before their children, so a node is right if its parent is right and is its parent there.
    for node, parent in truth.parents().items():
        obj = object_of.get(node)
        if parent not in right or obj not in predicted_parents:
            continue
        expected = ROOT if parent == ROOT else object_of.get(parent)
        if predicted_parents[obj] == expected:
            right.add(node)
    return right - {ROOT}


def _right_parents(truth: Tree, predicted: Tree, found_headings: Mapping[int, int]) -> Share:
    """The found headings whose nearest found ancestor is their true parent.

    False headings are ignored, and so are the parent's ancestors: a wrong decision high up counts once. A
    heading whose true parent was not found is wrong.
    """
    found = set(found_headings.values())
    other_objects = {obj for obj in predicted.objects() if obj not in found}
    nearest_found = predicted.without(other_objects).parents()
    true_parents = truth.parents()
    right = 0
    for node, obj in found_headings.items():
        parent = true_parents[node]
        expected = ROOT if parent == ROOT else found_headings.get(parent)
        right += nearest_found[obj] == expected
    return Share(right, len(found_headings))


def _by_level(true: list[int], right: list[int], predicted: list[int]) -> dict[int, Matches]:
    """Matches by level, from lists of levels; a right node has the same level on both sides."""
    right_counts, true_counts, predicted_counts = Counter(right), Counter(true), Counter(predicted)
    matches = {}
    for level in sorted({*right, *true, *predicted}):
        matches[level] = Matches(right_counts[level], true_counts[level], predicted_counts[level])
    return matches


# --- faults ---
#
# Finds the wrong steps of a predicted tree, and the errors that each of them causes.
#
# One wrong heading at a high level spoils the paths of everything below it. A fault is a step that was
# wrong itself, given the tree at that time. A node that is wrong only because of a fault is dragged along.
# Every node with a wrong path is either a fault or dragged by exactly one.


class FaultKind(StrEnum):
    """The kind of a fault. A wrong position is deeper or higher on the branch than the right one."""

    MISSED = "missed heading"  # a heading was predicted to be body
    LOST = "no object"  # the layout recognised no object for a heading
    FALSE = "false heading"  # body, or an object without a match, was predicted to be a heading
    UNDER_SIBLING = "put under a sibling"  # too deep: under an elder sibling
    TOO_DEEP = "put too deep"  # deeper than that
    BESIDE_PARENT = "put beside its parent"  # too high by one level
    TOO_HIGH = "put too high"  # higher than that
    MISLED = "misled by an unknown"  # an unknown object, which is not scored, had closed its parent
    BODY = "body misplaced"  # a body object has the wrong parent, as in one-step trees


@dataclass(frozen=True, slots=True)
class Fault:
    """A wrong step: its true node and its predicted object, and the nodes that it dragged along.

    A false heading without a match has no node, and a heading without an object has no object.
    """

    kind: FaultKind
    node: int | None
    obj: int | None
    dragged: tuple[int, ...] = ()


def faults(truth: Truth, prediction: Prediction, match: Mapping[int, int] | None = None) -> tuple[Fault, ...]:
    """The faults of a predicted tree in reading order.

    Unknown objects, and body without a known path, are left out as in `compare_trees`. A node whose true
    parent was missed is dragged by that fault, wherever it was put. A node whose true parent was on the
    branch is a fault itself if it was put elsewhere; false headings in between are ignored.
    """
    return _FaultFinder(truth, prediction, match).faults()


class _FaultFinder:
    """Goes through the objects in reading order, with the rightmost branch as it was at each step.

    A step is identified by its object; a true node without an object gets a number below ROOT.
    """

    def __init__(self, truth: Truth, prediction: Prediction, match: Mapping[int, int] | None) -> None:
        self._truth = truth
        self._headings = prediction.headings
        object_of = truth.predicted_objects(match)
        predicted_tree = prediction.tree.without(_values_of(object_of, truth.unknown))
        true_tree = truth.tree.without(truth.unknown)
        # A node without a known path cannot be wrong.
        self._right = right_nodes(true_tree, predicted_tree, object_of) | truth.pathless
        self._parents = predicted_tree.parents()
        self._true_parents = true_tree.parents()
        self._step_of = {ROOT: ROOT}
        for node in true_tree.objects():
            self._step_of[node] = object_of.get(node, ROOT - 1 - node)
        self._node_of = {step: node for node, step in self._step_of.items()}
        self._kinds: dict[int, FaultKind] = {}
        self._causes: dict[int, int] = {}  # by wrong step: the fault that it is, or that dragged it
        self._closed_by: dict[int, int] = {}  # by object: the one whose insertion took it off the branch

    def faults(self) -> tuple[Fault, ...]:
        """The faults, each with the nodes that it dragged along."""
        for step in self._node_of:
            if step < ROOT:
                self._blame(step, FaultKind.LOST)
        branch = [ROOT]
        for obj, parent in self._parents.items():
            self._check_step(obj, branch)
            while branch[-1] != parent:
                self._closed_by[branch.pop()] = obj
            branch.append(obj)
        dragged: dict[int, list[int]] = {fault: [] for fault in self._kinds}
        for node, step in self._step_of.items():
            cause = self._causes.get(step, step)
            if cause != step:
                dragged[cause].append(node)
        in_order = sorted(dragged.items(), key=lambda item: self._reading_position(item[0]))
        faults = []
        for step, nodes in in_order:
            fault_object = step if step > ROOT else None
            fault = Fault(self._kinds[step], self._node_of.get(step), fault_object, tuple(nodes))
            faults.append(fault)
        return tuple(faults)

    def _check_step(self, obj: int, branch: list[int]) -> None:
        """Decide whether a step is right, a fault, or dragged along."""
        node = self._node_of.get(obj)
        is_heading = node is not None and self._truth.labels[node] is Label.HEADING
        if is_heading != (obj in self._headings):
            self._blame(obj, FaultKind.MISSED if is_heading else FaultKind.FALSE)
            return
        if node is None or node in self._right:
            return
        true_parent = self._step_of[self._true_parents[node]]
        if self._kinds.get(true_parent) in (FaultKind.MISSED, FaultKind.LOST):
            self._causes[obj] = true_parent
        elif true_parent in branch:
            self._check_position(obj, node, true_parent, branch)
        elif (closer := self._closed_by.get(true_parent)) in self._causes:
            self._causes[obj] = self._causes[closer]
        else:
            self._blame(obj, FaultKind.MISLED)
            self._closed_by[true_parent] = obj  # later nodes are dragged by this one

    def _check_position(self, obj: int, node: int, true_parent: int, branch: list[int]) -> None:
        """Find the cause of a wrong path if the true parent was on the branch."""
        parent = self._parents[obj]
        true_ancestor = self._skip_false_headings(parent)
        if true_ancestor == true_parent:
            # The step was right; the cause is a false heading, or the wrong position of the parent.
            self._causes[obj] = self._causes[parent]
        else:
            position, right = branch.index(true_ancestor), branch.index(true_parent)
            self._blame(obj, self._kind(node, position, right, branch))

    def _kind(self, node: int, position: int, right: int, branch: list[int]) -> FaultKind:
        if self._truth.labels[node] is not Label.HEADING:
            return FaultKind.BODY
        if position > right:
            parent = self._node_of.get(branch[position], ROOT)
            is_sibling = self._true_parents.get(parent) == self._true_parents[node]
            return FaultKind.UNDER_SIBLING if is_sibling else FaultKind.TOO_DEEP
        is_beside_parent = self._skip_false_headings(branch[right - 1]) == branch[position]
        return FaultKind.BESIDE_PARENT if is_beside_parent else FaultKind.TOO_HIGH

    def _skip_false_headings(self, obj: int) -> int:
        """The object itself, or its nearest ancestor that is no false heading."""
        while self._kinds.get(obj) is FaultKind.FALSE:
            obj = self._parents[obj]
        return obj

    def _blame(self, step: int, kind: FaultKind) -> None:
        self._kinds[step] = kind
        self._causes[step] = step

    def _reading_position(self, step: int) -> float:
        """The position in reading order; a node without an object follows the node before it."""
        if step > ROOT:
            return step
        node = self._node_of[step]
        steps_before = [self._step_of.get(other, ROOT) for other in range(node)]
        return max([ROOT, *steps_before]) + 0.5
