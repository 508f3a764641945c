"""The heading step of preset `boosted`: boosted trees that find the headings among the objects."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import numpy as np

from held.headings.classifier_features import classifier_features, matrix, stacked_features
from held.headings.columns import Floats
from held.headings.known_titles import Titles, hashes_of, title_features
from held.headings.object_features import FEATURES_VERSION, DocumentFeatures, ObjectFeatures
from held.headings.rules import RULES
from held.models.inference import BoostedTrees, sigmoid
from held.models.store import Model, check_features

SECOND_STAGE = "second.onnx"
"""The part of a model with the trees of the second stage."""


class HeadingClassifier:
    """Gives the probability that an object is a heading.

    A model may have a second stage, which sees the first stage's probabilities of the whole document.
    """

    def __init__(self, model: Model, *, disabled: Collection[str] = ()) -> None:
        check_features(model, FEATURES_VERSION)
        self.threshold = float(model.settings["threshold"])
        self.rules = tuple(rule for rule in RULES if rule.name not in disabled)
        self.titles = Titles(**model.arrays("titles.npz"))
        self._trees = BoostedTrees(model.parts["trees.onnx"])
        self._second = BoostedTrees(model.parts[SECOND_STAGE]) if SECOND_STAGE in model.parts else None

    def probabilities(self, documents: Sequence[DocumentFeatures]) -> list[Floats]:
        """For each document the probability that each of its objects is a heading, before the rules."""
        return [self.classify(document.objects) for document in documents]

    def classify(self, objects: ObjectFeatures) -> Floats:
        """The probability that each object is a heading; 0 for tables, figures and the like."""
        probabilities = np.zeros(len(objects), np.float32)
        which = objects.candidates
        features = matrix(classifier_features(objects) | title_features(hashes_of(objects), self.titles))
        probabilities[which] = sigmoid(self._trees.score(features[which]))
        if self._second is not None:
            stacked = np.concatenate([features, matrix(stacked_features(objects, probabilities))], axis=1)
            probabilities[which] = sigmoid(self._second.score(stacked[which]))
        return probabilities

    def headings(self, probabilities: Floats) -> tuple[int, ...]:
        """The objects that are headings, in reading order."""
        return headings_at(self.threshold, probabilities)


def heading_step(model: Model, *, threads: int = 1, disabled: Collection[str] = ()) -> HeadingClassifier:
    """The heading step of a model, without the rules named; it runs on one thread."""
    return HeadingClassifier(model, disabled=disabled)


def headings_at(threshold: float, probabilities: Floats) -> tuple[int, ...]:
    """The objects whose probability is at least the threshold, in reading order."""
    return tuple(np.flatnonzero(probabilities >= threshold).tolist())
