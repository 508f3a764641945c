"""The true tree, the predicted tree, and how much of the latter is right: by path, by level, by parent.

A node is right if its chain of ancestors up to the root equals that of the truth. A true heading that was not
recognised as an object stays in every denominator, and everything below it is wrong. Where an outline is
incomplete, objects that may be headings are unknown: they are spliced out before chains are compared.
"""

from __future__ import annotations

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
        """The body nodes between an unknown and the next heading: their parent is not known."""
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
        nodes = range(len(self.labels))
        objects: Iterable[int | None] = nodes if self.objects is None else self.objects
        object_of = {node: obj for node, obj in enumerate(objects) if obj is not None}
        if match is None:
            return object_of
        return {node: match[obj] for node, obj in object_of.items() if obj in match}


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
    """How many headings are true and found.

    Unknown objects count on neither side. A true heading without an object is missed; a predicted one that
    matches no true object is false.
    """
    found_as = truth.found_as(match)
    masked = {found_as[node] for node in truth.unknown if node in found_as}
    found = set(predicted) - masked
    both = sum(found_as.get(node) in found for node in truth.headings)
    return Matches(both, len(truth.headings), len(found))


_NONE = Share()
_NO_MATCHES = Matches()


@dataclass(frozen=True, slots=True)
class TreeCounts:
    """Counts of one document or, added up, of many.

    paths           objects with the right path, of those whose path is known: the paper's accuracy
    heading_paths   headings that were found as headings and have the right path, of all headings
    parents         found headings whose nearest found ancestor is their true parent, of all found headings
    levels_only     objects at the right level, whatever their path: the older accuracy
    by_level        right paths by level: a true node counts at its true level, a predicted one at its own
    headings        the heading step
    left_out        objects without a known path, of all that are not unknown
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
        levels = sorted({*self.by_level, *other.by_level})
        return TreeCounts(
            self.paths + other.paths,
            self.heading_paths + other.heading_paths,
            self.parents + other.parents,
            self.levels_only + other.levels_only,
            {k: self.by_level.get(k, _NO_MATCHES) + other.by_level.get(k, _NO_MATCHES) for k in levels},
            self.headings + other.headings,
            self.left_out + other.left_out,
            self.documents + other.documents,
        )


def compare_trees(truth: Truth, prediction: Prediction, match: Mapping[int, int] | None = None) -> TreeCounts:
    """The counts for one document.

    `match` maps true objects to predicted ones where these were recognised apart from the truth; without it
    they are the same objects. A true object that matches none is wrong; a predicted one that matches none
    counts against precision. A heading that was not found counts as wrong among the headings even if its
    path happens to be right.
    """
    found_as = truth.found_as(match)
    # What may be a heading is judged on neither side.
    unknown = {found_as[node] for node in truth.unknown if node in found_as}
    known = truth.tree.without(truth.unknown)
    shown = prediction.tree.without(unknown)
    pathless = truth.pathless
    judged = [node for node in known.objects() if node not in pathless]
    right = right_nodes(known, shown, found_as)
    right_judged = right.intersection(judged)
    found_headings = {node for node in truth.headings if found_as.get(node) in prediction.headings}
    found_pathless = {found_as[node] for node in pathless if node in found_as}
    true_levels, shown_levels = known.levels(), shown.levels()
    by_level = _by_level(
        [true_levels[node] for node in judged],
        [true_levels[node] for node in right_judged],
        [level for obj, level in shown_levels.items() if obj not in found_pathless],
    )
    found_levels = {node: shown_levels.get(found_as.get(node, ROOT)) for node in judged}
    right_levels = [node for node in judged if found_levels[node] == true_levels[node]]
    headings = heading_matches(truth, prediction.headings, match)
    total = sum(by_level.values(), start=_NO_MATCHES)
    paths_agree = total.both == total.true == total.found
    headings_agree = headings.both == headings.true == headings.found
    return TreeCounts(
        paths=Share(len(right_judged), len(judged)),
        heading_paths=Share(len(right & found_headings), len(truth.headings)),
        parents=_right_parents(known, shown, {node: found_as[node] for node in found_headings}),
        levels_only=Share(len(right_levels), len(judged)),
        by_level=by_level,
        headings=headings,
        left_out=Share(len(pathless), known.size),
        documents=Share(int(paths_agree and headings_agree), 1),
    )


def right_nodes(truth: Tree, shown: Tree, found_as: Mapping[int, int]) -> set[int]:
    """The true nodes whose chain of ancestors is the same in the predicted tree."""
    shown_parents = shown.parents()
    right = {ROOT}
    for node, parent in truth.parents().items():
        found = found_as.get(node)
        expected = ROOT if parent == ROOT else found_as.get(parent)
        if found in shown_parents and parent in right and shown_parents[found] == expected:
            right.add(node)
    return right - {ROOT}


def _right_parents(truth: Tree, shown: Tree, found_as: Mapping[int, int]) -> Share:
    """Of the found headings those whose nearest found ancestor is their true parent.

    False headings are ignored, and so are the parent's ancestors: a wrong decision high up counts once. A
    heading whose true parent was not found is wrong.
    """
    found = set(found_as.values())
    nearest = shown.without({obj for obj in shown.objects() if obj not in found}).parents()
    true_parents = truth.parents()
    right = 0
    for node, obj in found_as.items():
        parent = true_parents[node]
        expected = ROOT if parent == ROOT else found_as.get(parent)
        right += nearest[obj] == expected
    return Share(right, len(found_as))


def _by_level(true: list[int], right: list[int], shown: list[int]) -> dict[int, Matches]:
    """Precision and recall counts by level; a right path has the same level on both sides."""
    counts: dict[int, Matches] = {}
    for levels, one in ((right, Matches(both=1)), (true, Matches(true=1)), (shown, Matches(found=1))):
        for level in levels:
            counts[level] = counts.get(level, _NO_MATCHES) + one
    return dict(sorted(counts.items()))
