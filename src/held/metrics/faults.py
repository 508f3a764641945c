"""Finds the wrong steps of a predicted tree, and the errors that each of them causes.

One wrong heading at a high level spoils the paths of everything below it. A fault is a step that was wrong
itself, given the tree at that time. A node that is wrong only because of a fault is dragged along. Every node
with a wrong path is either a fault or dragged by exactly one.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from held.metrics.trees import Label, Prediction, Truth, right_nodes
from held.tree import ROOT


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
        unknown = {object_of[node] for node in truth.unknown if node in object_of}
        predicted_tree = prediction.tree.without(unknown)
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
