"""Trainer of the check: boosted trees that say whether a heading of a finished tree has the right parent.

On the documents that it learnt from, the tree step hardly errs. So the check learns from trees that tree
steps build of documents whose group they have not seen, from headings that were found likewise.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from held.headings import Floats, Ints
from held.hierarchy.boosted_step import BoostedTreeStep
from held.hierarchy.heading_features import heading_features
from held.hierarchy.insertion import Insertion, Strategy, build_many
from held.hierarchy.tree_check import CHECK_FEATURES, TreeChecker, parent_rows
from held.training.boosted_data import (
    Documents,
    Headings,
    OutlineWeights,
    TrainingDocument,
    TrainingRows,
)
from held.training.boosted_export import average_trees, to_onnx
from held.training.boosted_growth import Log, TreeSettings, discard_log, grow
from held.training.trainers import domain_weights, length_weight
from held.tree import ROOT

MIN_HEADINGS = 3  # of a tree to learn from
UNKNOWN = -1  # whether a heading's parent is right
_POWER, _BALANCE = 0.5, 0.5  # as in the trees: see `held.training.trainers.WeightSettings`
_TOGETHER = 32  # documents whose headings are inserted together
_MEMBERS = 3  # sets of trees with consecutive seeds, whose scores are averaged
_SETTINGS = TreeSettings(trees=150, learning_rate=0.08, features_share=0.3)


class BuiltTree(NamedTuple):
    """A document's headings, a row each, in a tree that was built by models that don't know its group."""

    headings: tuple[int, ...]
    parents: tuple[int, ...]  # as rows, ROOT at the top level
    probability: Floats  # of each insertion


def built_trees(
    step: BoostedTreeStep, documents: Documents, headings: Sequence[Headings]
) -> list[BuiltTree | None]:
    """The tree that a step builds of each document's headings; None where these are too few."""
    found: list[BuiltTree | None] = [None] * len(documents)
    large = [place for place, own in enumerate(headings) if len(own) >= MIN_HEADINGS]
    for start in range(0, len(large), _TOGETHER):
        places = large[start : start + _TOGETHER]
        features = [
            heading_features(documents[place].table, headings[place], documents[place].wording)
            for place in places
        ]
        insertions = build_many(
            [headings[place] for place in places], step.scorer_of(features), Strategy(normalise=True)
        )
        for place, insertion in zip(places, insertions, strict=True):
            found[place] = _built_tree(headings[place], insertion)
    return found


def _built_tree(headings: Headings, insertion: Insertion) -> BuiltTree:
    probability = np.array([insertion.confidence[heading] for heading in headings], np.float32)
    return BuiltTree(tuple(headings), parent_rows(headings, insertion.tree), probability)


def right_places(document: TrainingDocument, built: BuiltTree) -> Ints:
    """For each heading of a tree 1 if it is right below its true parent, 0 if not, UNKNOWN for other objects.

    A heading below an unknown object counts as lying below the nearest other one above it. One whose true
    parent is no object, or was not found, can't be right.
    """
    headings, labels = built.headings, document.labels
    body = set(np.flatnonzero(labels != 1).tolist())
    true_parents = document.tree.without(body).parents()
    above = np.full(len(headings), ROOT)  # the object itself, or the nearest known one above it
    right = np.full(len(headings), UNKNOWN, np.int64)
    for row, (heading, parent_row) in enumerate(zip(headings, built.parents, strict=True)):
        parent = ROOT if parent_row == ROOT else int(above[parent_row])
        above[row] = parent if labels[heading] == UNKNOWN else heading
        if labels[heading] == 1:
            right[row] = parent == true_parents[heading] and heading not in document.astray
    return right


def check_features(document: TrainingDocument, built: BuiltTree) -> Floats:
    """A row of CHECK_FEATURES for each heading of a document's tree."""
    features = heading_features(document.table, built.headings, document.wording)
    return TreeChecker(features).features(built.parents, built.probability)


def check_weights(documents: Documents, weights: OutlineWeights) -> list[float]:
    """How much each heading of each document counts; 0 leaves a document out."""
    weight_of_domain = domain_weights(documents, _BALANCE)
    return [
        weight_of_domain[document.domain]
        * weights.weight(document)
        * length_weight(len(document.headings), _POWER)
        for document in documents
    ]


def check_rows(
    documents: Documents, trees: Sequence[BuiltTree | None], weights: OutlineWeights
) -> TrainingRows:
    """A row of CHECK_FEATURES for each true heading of the trees."""
    none = np.zeros((0, len(CHECK_FEATURES)), np.float32)
    parts = [labelled_rows(none, np.zeros(0, np.int64), 1.0)]
    for document, built, weight in zip(documents, trees, check_weights(documents, weights), strict=True):
        if built is not None and weight:
            features = check_features(document, built)
            parts.append(labelled_rows(features, right_places(document, built), weight))
    return TrainingRows.concatenate(parts)


def labelled_rows(features: Floats, right: Ints, weight: float) -> TrainingRows:
    """The rows of those headings of which it is known whether their parent is right."""
    known = right != UNKNOWN
    count = int(known.sum())
    return TrainingRows(
        features[known],
        right[known].astype(np.float32),
        np.full(count, weight, np.float32),
        np.ones(count, np.int64),
    )


def grow_check(rows: TrainingRows, *, log: Log = discard_log) -> bytes:
    """The trees of the check, as ONNX."""
    log(f"check of {len(rows.labels):,} headings, {rows.labels.mean():.1%} with the right parent")
    weights = rows.weights / rows.weights.mean()
    seeds = [replace(_SETTINGS, seed=member) for member in range(_MEMBERS)]
    grown = [grow(rows._replace(weights=weights), own, names=CHECK_FEATURES) for own in seeds]
    return average_trees([to_onnx(booster) for booster in grown])
