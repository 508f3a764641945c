"""Finds the wrong steps of a predicted tree, and the errors that each of them causes.

One wrong heading high up spoils the paths of everything below it. A fault is a step that was wrong itself,
given the tree at that time; a node that is wrong only because of a fault is dragged along. Every node with a
wrong path is either a fault or dragged by exactly one.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from held.metrics.trees import Label, Prediction, Truth, right_nodes
from held.tree import ROOT


class FaultKind(StrEnum):
    """The kind of a fault. A wrong position is deeper or higher on the branch than the right one."""

    MISSED = "missed heading"  # a heading that was taken for body
    LOST = "no object"  # no object was recognised
    FALSE = "false heading"  # body, or what is nothing in the truth, taken for a heading
    UNDER_SIBLING = "put under a sibling"  # too deep: under an elder sibling
    TOO_DEEP = "put too deep"  # deeper than that
    BESIDE_PARENT = "put beside its parent"  # too high: where its parent hangs
    TOO_HIGH = "put too high"  # higher than that
    MISLED = "misled by an unknown"  # an unknown object, which is not judged, had closed its parent
    BODY = "body misplaced"  # a body object put elsewhere, as one-step trees can


@dataclass(frozen=True, slots=True)
class Fault:
    """A wrong step: the true node and the predicted object that it concerns, and the nodes it dragged along.

    A false heading that is nothing in the truth has no node, a heading without an object has no object.
    """

    kind: FaultKind
    node: int | None
    obj: int | None
    dragged: tuple[int, ...] = ()


def faults(truth: Truth, prediction: Prediction, match: Mapping[int, int] | None = None) -> tuple[Fault, ...]:
    """The faults of a predicted tree in reading order.

    Unknown objects and body without a known path count as in `compare_trees`. A node whose true parent was
    missed is dragged by that fault, wherever it was put. A node whose true parent was on the branch is a
    fault itself if it was put elsewhere; false headings in between are ignored.
    """
    return _Search(truth, prediction, match).faults()


class _Search:
    """One walk through the predicted tree, with the branch as it was at each step.

    A step is identified by its object; a true node without an object gets a number below ROOT.
    """

    def __init__(self, truth: Truth, prediction: Prediction, match: Mapping[int, int] | None) -> None:
        self._truth = truth
        self._headings = prediction.headings
        found_as = truth.found_as(match)
        shown = prediction.tree.without({found_as[node] for node in truth.unknown if node in found_as})
        known = truth.tree.without(truth.unknown)
        # A node without a known path cannot be wrong.
        self._right = right_nodes(known, shown, found_as) | truth.pathless
        self._parents, self._true_parents = shown.parents(), known.parents()
        self._step_of = {ROOT: ROOT} | {node: found_as.get(node, ROOT - 1 - node) for node in known.objects()}
        self._node_of = {step: node for node, step in self._step_of.items()}
        self._kinds: dict[int, FaultKind] = {}
        self._causes: dict[int, int] = {}  # of each wrong step: the fault that it is, or that dragged it
        self._closed_by: dict[int, int] = {}

    def faults(self) -> tuple[Fault, ...]:
        """The faults, each with what it dragged along."""
        for step in self._node_of:
            if step < ROOT:
                self._blame(step, FaultKind.LOST)
        branch = [ROOT]
        for obj, parent in self._parents.items():
            self._judge(obj, branch)
            while branch[-1] != parent:
                self._closed_by[branch.pop()] = obj
            branch.append(obj)
        dragged: dict[int, list[int]] = {fault: [] for fault in self._kinds}
        for node, step in self._step_of.items():
            fault = self._causes.get(step, step)
            if fault != step:
                dragged[fault].append(node)
        in_order = sorted(dragged.items(), key=lambda item: self._reading_position(item[0]))
        found = []
        for step, nodes in in_order:
            found_obj = step if step > ROOT else None
            found.append(Fault(self._kinds[step], self._node_of.get(step), found_obj, tuple(nodes)))
        return tuple(found)

    def _judge(self, obj: int, branch: list[int]) -> None:
        """Decides whether a step is right, a fault, or dragged along."""
        node = self._node_of.get(obj)
        is_heading = node is not None and self._truth.labels[node] is Label.HEADING
        if is_heading != (obj in self._headings):
            self._blame(obj, FaultKind.MISSED if is_heading else FaultKind.FALSE)
        elif node is not None and node not in self._right:
            wanted = self._step_of[self._true_parents[node]]
            if self._kinds.get(wanted) in (FaultKind.MISSED, FaultKind.LOST):
                self._causes[obj] = wanted
            elif wanted in branch:
                self._judge_position(obj, node, wanted, branch)
            elif (closer := self._closed_by.get(wanted)) in self._causes:
                self._causes[obj] = self._causes[closer]
            else:
                self._blame(obj, FaultKind.MISLED)
                self._closed_by[wanted] = obj  # later nodes are dragged by this one

    def _judge_position(self, obj: int, node: int, wanted: int, branch: list[int]) -> None:
        """The true parent was on the branch: either the step was wrong, or an ancestor."""
        above = self._parents[obj]
        put_under = self._past_false_headings(above)
        if put_under != wanted:
            self._blame(obj, self._kind(node, branch.index(put_under), branch.index(wanted), branch))
        else:
            self._causes[obj] = self._causes[above]  # a false heading, or the parent in its wrong place

    def _kind(self, node: int, position: int, right: int, branch: list[int]) -> FaultKind:
        if self._truth.labels[node] is not Label.HEADING:
            return FaultKind.BODY
        if position > right:
            put_under = self._node_of.get(branch[position], ROOT)
            is_sibling = self._true_parents.get(put_under) == self._true_parents[node]
            return FaultKind.UNDER_SIBLING if is_sibling else FaultKind.TOO_DEEP
        beside = self._past_false_headings(branch[right - 1]) == branch[position]
        return FaultKind.BESIDE_PARENT if beside else FaultKind.TOO_HIGH

    def _past_false_headings(self, obj: int) -> int:
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
        before = [self._step_of[other] for other in range(node) if self._step_of.get(other, ROOT) > ROOT]
        return max(before, default=ROOT) + 0.5
