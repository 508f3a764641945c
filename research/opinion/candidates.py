"""Candidate trees of a document: the greedy tree, and others in which one doubtful decision is reversed.

Insertion decides greedily, so one wrong Part drags every chapter after it. A candidate gives one heading
another parent that it might have got, and inserts what follows again.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from research.trees import measure
from research.trees.data import Case

from held.headings import Floats, Ints
from held.hierarchy.boosted_step import BoostedTreeStep, PositionScorer
from held.hierarchy.heading_features import HeadingFeatures, heading_features
from held.hierarchy.insertion import Insertion, build, build_many
from held.hierarchy.tree_check import parent_rows
from held.metrics import Truth
from held.tree import ROOT

MAX_REVERSALS = 20  # decisions of a document that are reversed, one in each candidate
MIN_PROBABILITY = 0.02  # of a parent; less likely ones are not tried
NO_TRUE_PARENT = -2  # the true parent is unknown, or is not among the headings


class Candidate(NamedTuple):
    """A tree of headings as insertion builds it: for each heading, a row each, where it went and how surely.

    parents       the row of the parent, ROOT at the top level
    probability   of the position that was taken
    """

    parents: tuple[int, ...]
    probability: Floats


class Doubt(NamedTuple):
    """A decision that might be reversed: how much depends on it, and the other parent."""

    weight: float
    row: int
    parent: int
    probability: float


class DocumentTrees(NamedTuple):
    """The candidates of one document, the greedy tree first, and what is true of them.

    weight        the objects from each heading up to the next one
    true_parent   the row of each heading's true parent, ROOT, or NO_TRUE_PARENT
    unknown       which headings are neither right nor wrong; they count as if they were not there
    right_paths   of each candidate; empty if they were not counted
    """

    id: str
    kind: str
    group: str
    by_hand: bool
    document: HeadingFeatures
    candidates: tuple[Candidate, ...]
    weight: Floats
    true_parent: Ints
    unknown: NDArray[np.bool_]
    right_paths: tuple[int, ...]
    paths: int


def document_trees(
    case: Case, headings: Sequence[int], step: BoostedTreeStep, *, count_paths: bool
) -> DocumentTrees:
    """The candidate trees of these headings of a case."""
    document = heading_features(case.known.table, headings, step.wording)
    candidates, insertions = candidate_trees(step, document)
    true_parent, unknown = true_parents(case.truth, headings)
    counts = [measure.counts(case, each).paths for each in insertions] if count_paths else []
    return DocumentTrees(
        id=case.known.id,
        kind=measure.kind_by_hand(case) or case.domain,
        group=case.known.group,
        by_hand=case.by_hand,
        document=document,
        candidates=tuple(candidates),
        weight=np.diff(np.array([*headings, len(case.known.labels)], np.float32)),
        true_parent=true_parent,
        unknown=unknown,
        right_paths=tuple(share.right for share in counts),
        paths=counts[0].total if counts else 0,
    )


def candidate_trees(
    step: BoostedTreeStep, document: HeadingFeatures
) -> tuple[list[Candidate], list[Insertion]]:
    """The greedy tree of a document's headings and then other ones, all different."""
    headings = document.headings
    greedy = build(headings, step.scorer_of([document]))
    found = {_candidate(greedy, headings).parents: (_candidate(greedy, headings), greedy)}
    doubts = find_doubts(greedy, headings)[:MAX_REVERSALS]
    if doubts:
        # The same document once for each doubt.
        scorer: PositionScorer = step.scorer_of([document] * len(doubts))
        given = [{headings[doubt.row]: doubt.parent} for doubt in doubts]
        others = build_many([headings] * len(doubts), scorer, parents=given)
        for doubt, other in zip(doubts, others, strict=True):
            candidate = _candidate(other, headings)
            # Insertion is sure of a given parent; what counts is how sure it would have been.
            candidate.probability[doubt.row] = doubt.probability
            found.setdefault(candidate.parents, (candidate, other))
    candidates, insertions = zip(*found.values(), strict=True)
    return list(candidates), list(insertions)


def _candidate(insertion: Insertion, headings: Sequence[int]) -> Candidate:
    probability = np.array([insertion.confidence[heading] for heading in headings], np.float32)
    return Candidate(parent_rows(headings, insertion.tree), probability)


def find_doubts(greedy: Insertion, headings: Sequence[int]) -> list[Doubt]:
    """The decisions of a greedy tree that might be reversed, those that matter most first.

    A decision matters by its probability and by how many headings come before either parent is closed.
    """
    parents = greedy.tree.parents()
    level = {ROOT: 0}
    for heading in headings:
        level[heading] = level[parents[heading]] + 1
    above = [level[parents[heading]] for heading in headings]
    found = []
    for row, heading in enumerate(headings):
        for other in greedy.alternatives.get(heading, ()):
            if other.probability >= MIN_PROBABILITY:
                upper = min(above[row], level[other.parent])
                later = range(row + 1, len(headings))
                end = next((place for place in later if above[place] <= upper), len(headings))
                weight = other.probability * math.sqrt(end - row)
                found.append(Doubt(weight, row, other.parent, other.probability))
    return sorted(found, reverse=True)


def true_parents(truth: Truth, headings: Sequence[int]) -> tuple[Ints, NDArray[np.bool_]]:
    """The row of each heading's true parent, and which headings are unknown."""
    object_of = truth.predicted_objects(None)
    node_of = {obj: node for node, obj in object_of.items()}
    parents = truth.tree.without(truth.unknown).parents()
    row = {heading: place for place, heading in enumerate(headings)}
    found = np.full(len(headings), NO_TRUE_PARENT, np.int64)
    unknown = np.zeros(len(headings), bool)
    for place, heading in enumerate(headings):
        node = node_of.get(heading)
        if node is None or node not in parents:
            unknown[place] = True
        elif parents[node] == ROOT:
            found[place] = ROOT
        else:
            found[place] = row.get(object_of.get(parents[node], ROOT), NO_TRUE_PARENT)
    return found, unknown


def right_parents(trees: DocumentTrees, parents: Sequence[int]) -> Ints:
    """For each heading of a tree 1 if its parent is right, 0 if it is wrong, -1 if that is not known.

    What lies below an unknown heading counts as lying below the nearest known one above it.
    """
    known = np.zeros(len(parents), np.int64)  # the row itself, or the nearest known one above it
    right = np.full(len(parents), -1, np.int64)
    for row, parent in enumerate(parents):
        above = ROOT if parent == ROOT else int(known[parent])
        known[row] = above if trees.unknown[row] else row
        if not trees.unknown[row] and trees.true_parent[row] != NO_TRUE_PARENT:
            right[row] = above == trees.true_parent[row]
    return right
