"""The check: a boosted model that says how probably the parent of a heading in a finished tree is right."""

from __future__ import annotations

import math
import zlib
from collections import Counter
from collections.abc import Callable, Hashable, Sequence
from typing import Any, NamedTuple

import numpy as np
from research.opinion.candidates import DocumentTrees, right_parents

from held.headings import Floats
from held.hierarchy.tree_check import TreeChecker, ancestors
from held.training.boosted_data import TrainingRows
from held.training.boosted_growth import TreeSettings, grow

MAX_OTHERS = 8  # candidates of a document that are learnt from, besides the greedy tree
UNMOVED_SHARE = 0.1  # of their headings with the greedy tree's parent; all others are learnt from
BY_HAND_WEIGHT = 2.0  # of a document whose outline was made by hand and lists every heading
MIN_GAIN = 0.04  # of the expected share of right paths; for less the greedy tree stays

_LONG = 50  # headings; documents weigh by the root of how many times this long they are
_SETTINGS = TreeSettings(trees=150, learning_rate=0.08, features_share=0.3)

PartOf = Callable[[DocumentTrees], Hashable]
"""Which part of the documents one belongs to; it is judged by a check that has not seen this part."""


class Examples(NamedTuple):
    """What is learnt from the trees of a document."""

    trees: DocumentTrees
    features: Floats
    labels: Floats


def find_examples(trees: DocumentTrees) -> Examples:
    """All headings of the greedy tree, and of some others those that have another parent there."""
    checker = TreeChecker(trees.document)
    rng = np.random.default_rng(zlib.crc32(trees.id.encode()))
    greedy, *others = trees.candidates
    drawn = [others[place] for place in rng.permutation(len(others))[:MAX_OTHERS]]
    features, labels = [], []
    for candidate in (greedy, *drawn):
        right = right_parents(trees, candidate.parents)
        is_learnt = right >= 0
        if candidate is not greedy:
            is_moved = np.array(candidate.parents) != np.array(greedy.parents)
            is_learnt &= is_moved | (rng.random(len(right)) < UNMOVED_SHARE)
        features.append(checker.features(*candidate)[is_learnt])
        labels.append(right[is_learnt].astype(np.float32))
    return Examples(trees, np.concatenate(features), np.concatenate(labels))


def train_check(examples: Sequence[Examples]) -> Any:
    """The check as a LightGBM booster; documents of rare kinds and those labelled by hand weigh more."""
    documents = Counter(own.trees.kind for own in examples)
    parts = []
    for own in examples:
        scale = documents[own.trees.kind] * (len(own.trees.weight) / _LONG + 1)
        one = (BY_HAND_WEIGHT if own.trees.by_hand else 1.0) / math.sqrt(scale)
        parts.append(np.full(len(own.labels), one, np.float32))
    weight = np.concatenate(parts)
    rows = TrainingRows(
        np.concatenate([own.features for own in examples]),
        np.concatenate([own.labels for own in examples]),
        weight / weight.mean(),
        np.ones(len(weight), np.int64),
    )
    return grow(rows, _SETTINGS)


def check_trees(check: Any, trees: DocumentTrees) -> list[Floats]:
    """For each candidate the probability that the parent of each of its headings is right."""
    checker = TreeChecker(trees.document)
    return [
        np.asarray(check.predict(checker.features(*candidate)), np.float32) for candidate in trees.candidates
    ]


def cross_check(
    judged: Sequence[DocumentTrees], examples: Sequence[Examples], part_of: PartOf
) -> list[list[Floats]]:
    """The judged documents' trees, each checked by a model that has learnt from the other parts."""
    found: dict[str, list[Floats]] = {}
    for part in sorted({part_of(trees) for trees in judged}, key=str):
        check = train_check([own for own in examples if part_of(own.trees) != part])
        found |= {trees.id: check_trees(check, trees) for trees in judged if part_of(trees) == part}
    return [found[trees.id] for trees in judged]


def expected_paths(parents: Sequence[int], right: Floats, weight: Floats) -> float:
    """The expected share of right paths, if each heading's parent is right with its own probability.

    `weight` counts what lies directly below each heading.
    """
    path = right.astype(np.float64)
    for below, above in ancestors(np.array(parents, np.int64)):
        path[below] *= right[above]
    return float(path @ weight / weight.sum())


def choose_tree(trees: DocumentTrees, right: Sequence[Floats]) -> int:
    """The candidate with the most right paths, by expectation; 0, the greedy tree, if none is clearly ahead.

    The paths of headings count as much as those of all objects.
    """
    gains = []
    for candidate, probability in zip(trees.candidates, right, strict=True):
        of_objects = expected_paths(candidate.parents, probability, trees.weight)
        of_headings = expected_paths(candidate.parents, probability, np.ones_like(trees.weight))
        gains.append((of_objects + of_headings) / 2)
    best = int(np.argmax(gains))
    return best if gains[best] > gains[0] + MIN_GAIN else 0
