"""Preset `attentive` at work: boosted trees and a network that sees the whole document judge each position.

Both give probabilities over the positions of a branch, and their logarithms are mixed. How much the network
counts was learnt: the less, the surer the trees are. The heading step is that of preset `base`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from held.headings.object_features import FEATURES_VERSION, DocumentFeatures
from held.headings.texts import Floats
from held.hierarchy.attention import Network, Shape, readings_of
from held.hierarchy.boosted_steps import PutOrSkipTrees, softmax
from held.hierarchy.heading_features import HeadingFeatures, heading_features
from held.hierarchy.insertion import Question
from held.hierarchy.pairs import PositionFeatures
from held.hierarchy.positions import Ask, Positions
from held.models.store import Model, check_features

_LEAST = 1e-6  # a probability below it is taken for it: a logarithm must not sink the other judge's


class Mixture(NamedTuple):
    """How much the network counts: sigmoid(usual + sure * log-odds of the trees' best position)."""

    usual: float = 0.0
    sure: float = 0.0

    def weights(self, best: Floats) -> Floats:
        """The network's part, given the highest probability that the trees give any position."""
        likely = np.clip(best, _LEAST, 1 - _LEAST)
        odds = np.log(likely) - np.log1p(-likely)
        return np.asarray(1 / (1 + np.exp(-(self.usual + self.sure * odds))), np.float32)

    def mixed(self, trees: Floats, network: Floats, counts: NDArray[np.int64]) -> Floats:
        """The probabilities of both judges as one; both add up to 1 within each stretch of `counts` rows."""
        starts = np.cumsum(counts) - counts
        part = np.repeat(self.weights(np.maximum.reduceat(trees, starts)), counts)
        logs = (1 - part) * np.log(np.maximum(trees, _LEAST))
        logs += part * np.log(np.maximum(network, _LEAST))
        return softmax(logs, counts)


@dataclass(frozen=True, slots=True)
class AttentiveStep:
    """The tree step: boosted trees, networks whose probabilities are averaged, and how both mix."""

    boosted: PutOrSkipTrees
    networks: tuple[Network, ...]
    mixture: Mixture
    every_object: bool = False

    @staticmethod
    def of(model: Model) -> AttentiveStep:
        """The tree step that a model holds."""
        check_features(model, FEATURES_VERSION)
        settings = model.settings
        shape = Shape(**{field.name: int(settings[field.name]) for field in fields(Shape)})
        networks = tuple(
            Network(shape, _as_floats(model.arrays(f"network-{member}.npz")))
            for member in range(int(settings["members"]))
        )
        mixture = Mixture(**{name: float(value) for name, value in model.arrays("mixture.npz").items()})
        return AttentiveStep(PutOrSkipTrees.of(model), networks, mixture)

    def scorer(
        self, documents: Sequence[DocumentFeatures], objects: Sequence[Sequence[int]]
    ) -> AttentiveScorer:
        """A scorer for these headings of the documents."""
        return self.scorer_of(
            [
                heading_features(seen.objects, headings)
                for seen, headings in zip(documents, objects, strict=True)
            ]
        )

    def scorer_of(self, outlines: Sequence[HeadingFeatures]) -> AttentiveScorer:
        """A scorer for the documents with these outlines."""
        return AttentiveScorer(self, outlines)


class AttentiveScorer:
    """A scorer for some documents: the probabilities of an object's positions add up to 1."""

    def __init__(self, step: AttentiveStep, outlines: Sequence[HeadingFeatures]) -> None:
        self._step = step
        self._outlines = PositionFeatures(outlines)
        readings = [readings_of(outline) for outline in outlines]
        self._sides = [network.sides(outlines, readings) for network in step.networks]

    def kinds(self, document: int) -> Mapping[int, int]:
        """The class of each heading: its look and the pattern of its number."""
        return self._outlines.classes(document)

    def score(self, questions: Sequence[Question]) -> list[list[float]]:
        """For each question a probability for each of its positions."""
        at = self.positions([Ask(asked.document, asked.tree, asked.obj) for asked in questions])
        trees, network = self.judged(at)
        probabilities = self._step.mixture.mixed(trees, network, at.counts).tolist()
        return [
            [probabilities[start + position] for position in question.positions]
            for start, question in zip(at.starts.tolist(), questions, strict=True)
        ]

    def positions(self, asks: Sequence[Ask]) -> Positions:
        """The positions that are asked about."""
        return self._outlines.positions(asks)

    def judged(self, at: Positions) -> tuple[Floats, Floats]:
        """The probabilities of the positions by the trees, and by the networks."""
        rows = self._outlines.features_at(at)
        penalties = self._outlines.penalties(at, rows)
        trees = softmax(self._step.boosted.trees.score(rows) - penalties, at.counts)
        parent, sibling = at.places["parent"], at.places["last"]
        judged = [
            softmax(network.score(sides, at.obj, parent, sibling, rows) - penalties, at.counts)
            for network, sides in zip(self._step.networks, self._sides, strict=True)
        ]
        return trees, np.asarray(np.mean(judged, axis=0), np.float32)


def tree_step(model: Model, *, threads: int = 1) -> AttentiveStep:
    """The tree step of a model; its trees run on one thread, whatever is given."""
    return AttentiveStep.of(model)


def _as_floats(arrays: Mapping[str, Any]) -> dict[str, Floats]:
    """The arrays as they are computed with: they are stored in half the width."""
    return {name: np.asarray(values, np.float32) for name, values in arrays.items()}
