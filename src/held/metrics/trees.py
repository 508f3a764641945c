"""Compares a predicted tree with the true one: by path, by level, by parent.

A node is right if its ancestors, up to the root, are those of the true tree. A true heading that was not
recognised as an object stays in every denominator, and everything below it is wrong. Where an outline is
incomplete, objects that may be headings are unknown. They are removed before trees are compared; their
children move up to their parents.
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
    """The true tree. Its nodes are numbered from 0 in reading order; each has a label and an object.

    `objects` has None for a heading without an object. If it is left out, node i is object i.
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
        """The body nodes between an unknown object and the next heading: their parent is not known.

        If the unknown object is a heading, it is their parent; otherwise the heading before it is.
        """
        pathless = set()
        after_unknown = False
        for node, label in enumerate(self.labels):
            if label is Label.BODY and after_unknown:
                pathless.add(node)
            after_unknown = label is Label.UNKNOWN or (after_unknown and label is Label.BODY)
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
    masked = {object_of[node] for node in truth.unknown if node in object_of}
    found = set(predicted) - masked
    both = sum(object_of.get(node) in found for node in truth.headings)
    return Matches(both, len(truth.headings), len(found))


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
    unknown = {object_of[node] for node in truth.unknown if node in object_of}
    true_tree = truth.tree.without(truth.unknown)
    predicted_tree = prediction.tree.without(unknown)
    pathless = truth.pathless
    scored = [node for node in true_tree.objects() if node not in pathless]
    right = right_nodes(true_tree, predicted_tree, object_of)
    right_scored = right.intersection(scored)
    found_headings = {
        node: object_of[node] for node in truth.headings if object_of.get(node) in prediction.headings
    }
    pathless_objects = {object_of[node] for node in pathless if node in object_of}
    true_levels, predicted_levels = true_tree.levels(), predicted_tree.levels()
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
    total = sum(by_level.values(), start=_NO_MATCHES)
    paths_agree = total.both == total.true == total.found
    headings_agree = headings.both == headings.true == headings.found
    return TreeCounts(
        paths=Share(len(right_scored), len(scored)),
        heading_paths=Share(len(right & found_headings.keys()), len(truth.headings)),
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
        expected = ROOT if parent == ROOT else object_of.get(parent)
        if obj in predicted_parents and parent in right and predicted_parents[obj] == expected:
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
    counts: dict[int, Matches] = {}
    for levels, count in ((right, Matches(both=1)), (true, Matches(true=1)), (predicted, Matches(found=1))):
        for level in levels:
            counts[level] = counts.get(level, _NO_MATCHES) + count
    return dict(sorted(counts.items()))
