"""The tree steps of the presets `boosted` and `attention`: they score the positions of a heading.

`boosted` has boosted trees over the features of positions. `attention` has the same trees, and networks that
read all headings of a document together. Each gives probabilities over the positions of a branch; their
logarithms are mixed. The mixture was fitted: networks count less where the trees are certain.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any, NamedTuple

import numpy as np

from held.headings.columns import Floats, Ints
from held.headings.object_features import FEATURES_VERSION, DocumentFeatures
from held.hierarchy.attention import Network, Shape, read_windows
from held.hierarchy.constraints import CONSTRAINTS, Constraint, ConstraintChecker
from held.hierarchy.heading_features import HeadingFeatures, heading_features
from held.hierarchy.insertion import Question
from held.hierarchy.position_features import PositionFeatures, Positions
from held.models.inference import BoostedTrees, softmax
from held.models.store import Model, check_features

Constraints = tuple[Constraint, ...]
Objects = Sequence[Sequence[int]]

_MIN_PROBABILITY = 1e-6  # so that the logarithm of one judge cannot outweigh the other


@dataclass(frozen=True, slots=True)
class BoostedTreeStep:
    """The tree step of preset `boosted`."""

    trees: BoostedTrees
    constraints: Constraints = CONSTRAINTS
    every_object: bool = False

    def scorer(self, documents: Sequence[DocumentFeatures], objects: Objects) -> PositionScorer:
        """A scorer for these headings of the documents."""
        return self.scorer_of(_heading_features(documents, objects))

    def scorer_of(self, documents: Sequence[HeadingFeatures]) -> PositionScorer:
        """A scorer for documents whose headings have these features."""
        return PositionScorer(self, documents)


class Mixture(NamedTuple):
    """The networks' share: sigmoid(usual + sure * log-odds of the trees' best position)."""

    usual: float = 0.0
    sure: float = 0.0

    def weights(self, best: Floats) -> Floats:
        """The networks' share, given the highest probability that the trees give any position."""
        likely = np.clip(best, _MIN_PROBABILITY, 1 - _MIN_PROBABILITY)
        odds = np.log(likely) - np.log1p(-likely)
        return np.asarray(1 / (1 + np.exp(-(self.usual + self.sure * odds))), np.float32)

    def mix(self, trees: Floats, networks: Floats, counts: Ints) -> Floats:
        """One distribution of two, for branches of `counts` positions each."""
        starts = np.cumsum(counts) - counts
        share = np.repeat(self.weights(np.maximum.reduceat(trees, starts)), counts)
        logs = (1 - share) * np.log(np.maximum(trees, _MIN_PROBABILITY))
        logs += share * np.log(np.maximum(networks, _MIN_PROBABILITY))
        return softmax(logs, counts)


@dataclass(frozen=True, slots=True)
class AttentionTreeStep:
    """The tree step of preset `attention`: boosted trees, networks (averaged), and how both mix."""

    boosted: BoostedTreeStep
    networks: tuple[Network, ...]
    mixture: Mixture
    every_object: bool = False

    def scorer(self, documents: Sequence[DocumentFeatures], objects: Objects) -> MixedScorer:
        """A scorer for these headings of the documents."""
        return self.scorer_of(_heading_features(documents, objects))

    def scorer_of(self, documents: Sequence[HeadingFeatures]) -> MixedScorer:
        """A scorer for documents whose headings have these features."""
        return MixedScorer(self, documents)


def _heading_features(documents: Sequence[DocumentFeatures], objects: Objects) -> list[HeadingFeatures]:
    pairs = zip(documents, objects, strict=True)
    return [heading_features(document.objects, headings) for document, headings in pairs]


class PositionScorer:
    """Scores the positions of headings in some documents by boosted trees."""

    def __init__(self, step: BoostedTreeStep, documents: Sequence[HeadingFeatures]) -> None:
        self._trees = step.trees
        self.features = PositionFeatures(documents)
        self._checker = ConstraintChecker(documents, self.features.headings, step.constraints)

    def kinds(self, document: int) -> Mapping[int, int]:
        """The style class of each heading."""
        return self.features.kinds(document)

    def score(self, questions: Sequence[Question]) -> list[list[float]]:
        """For each question a probability for each of its positions; those of a branch add up to 1."""
        at = self.features.positions(questions)
        probabilities = self.probabilities(at).tolist()
        return [
            [probabilities[start + position] for position in question.positions]
            for start, question in zip(at.starts.tolist(), questions, strict=True)
        ]

    def probabilities(self, at: Positions) -> Floats:
        """The probability of each position."""
        features, penalties = self._features(at)
        return self._tree_probabilities(at, features, penalties)

    def _features(self, at: Positions) -> tuple[Floats, Floats]:
        features = self.features.features_at(at)
        return features, self._checker.penalties(at, features)

    def _tree_probabilities(self, at: Positions, features: Floats, penalties: Floats) -> Floats:
        return softmax(self._trees.score(self._known(features)) - penalties, at.counts)

    def _known(self, features: Floats) -> Floats:
        """The features that the trees were trained on: new ones come last."""
        return np.ascontiguousarray(features[:, : self._trees.width])


class MixedScorer(PositionScorer):
    """Scores the positions of headings in some documents by boosted trees and networks."""

    def __init__(self, step: AttentionTreeStep, documents: Sequence[HeadingFeatures]) -> None:
        super().__init__(step.boosted, documents)
        self._networks, self._mixture = step.networks, step.mixture
        windows = [read_windows(document) for document in documents]
        self._sides = [network.sides(documents, windows) for network in step.networks]

    def probabilities(self, at: Positions) -> Floats:
        """The probability of each position."""
        return self._mixture.mix(*self.both_probabilities(at), at.counts)

    def both_probabilities(self, at: Positions) -> tuple[Floats, Floats]:
        """The probability of each position by the trees, and by the networks."""
        features, penalties = self._features(at)
        trees = self._tree_probabilities(at, features, penalties)
        parent, sibling = at.nodes["parent"], at.nodes["last"]
        by_network = []
        for network, sides in zip(self._networks, self._sides, strict=True):
            scores = network.score(sides, at.obj, parent, sibling, self._known(features))
            by_network.append(softmax(scores - penalties, at.counts))
        return trees, np.asarray(np.mean(by_network, axis=0), np.float32)


def boosted_tree_step(model: Model, *, threads: int = 1, disabled: Collection[str] = ()) -> BoostedTreeStep:
    """The tree step of a model of preset `boosted`, without the constraints named.

    It runs on one thread, whatever is given.
    """
    check_features(model, FEATURES_VERSION)
    kept = tuple(constraint for constraint in CONSTRAINTS if constraint.name not in disabled)
    return BoostedTreeStep(BoostedTrees(model.parts["trees.onnx"]), kept)


def attention_tree_step(
    model: Model, *, threads: int = 1, disabled: Collection[str] = ()
) -> AttentionTreeStep:
    """The tree step of a model of preset `attention`, without the constraints named."""
    boosted = boosted_tree_step(model, disabled=disabled)
    settings = model.settings
    shape = Shape(**{field.name: int(settings[field.name]) for field in fields(Shape)})
    networks = tuple(
        Network(shape, _as_floats(model.arrays(f"network-{member}.npz")))
        for member in range(int(settings["members"]))
    )
    mixture = Mixture(**{name: float(value) for name, value in model.arrays("mixture.npz").items()})
    return AttentionTreeStep(boosted, networks, mixture)


def _as_floats(arrays: Mapping[str, Any]) -> dict[str, Floats]:
    """The arrays as float32; they are stored in half the width."""
    return {name: np.asarray(values, np.float32) for name, values in arrays.items()}
