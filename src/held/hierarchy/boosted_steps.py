"""Preset `base` at work: boosted trees that find headings, and boosted trees that put them in place.

The trees run in ONNX Runtime, which is several times faster than arrays, but only once there are rows enough
to pay for loading it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from held.errors import VersionError
from held.headings.column_heads import without_column_heads
from held.headings.features import classifier_features, matrix
from held.headings.listed import with_listed
from held.headings.object_features import FEATURES_VERSION, DocumentFeatures, ObjectFeatures
from held.headings.repeated import without_repeated
from held.headings.stacked_features import second_features
from held.headings.texts import Floats
from held.headings.titles import Titles, hashes_of, title_features
from held.hierarchy.heading_features import HeadingFeatures, heading_features
from held.hierarchy.insertion import Question
from held.hierarchy.pairs import PositionFeatures
from held.hierarchy.positions import Ask
from held.models.runtime import session
from held.models.store import OUTDATED, Model, check_features
from held.models.trees import tree_arrays

# Rows that are scored at once: features lie column by column, and more of them than a cache holds take
# several times as long to be turned into rows.
_AT_ONCE = 2048
# Rows in all that are scored by arrays, before ONNX Runtime is loaded. To load it takes as long as twice as
# many, but a long document pays for both.
ROWS_FOR_ARRAYS = 300
SECOND = "second.onnx"
"""The part of a model with the trees of the heading step's second look."""


class Trees:
    """Boosted trees that give a score for each row of features."""

    def __init__(self, onnx: bytes) -> None:
        self._onnx = onnx
        self._arrays = tree_arrays(onnx)
        self._rows_for_arrays = ROWS_FOR_ARRAYS if self._arrays else 0
        self.width: int = self._arrays.width if self._arrays else self._session.get_inputs()[0].shape[1]

    @cached_property
    def _session(self) -> Any:
        return session(self._onnx)

    def score(self, rows: Floats) -> Floats:
        """The raw score of each row."""
        if not len(rows):
            return np.zeros(0, np.float32)
        if rows.shape[1] != self.width:
            raise VersionError(
                f"the trees of a model know {self.width} features, not {rows.shape[1]}", advice=OUTDATED
            )
        if self._arrays and len(rows) <= self._rows_for_arrays:
            self._rows_for_arrays -= len(rows)
            return self._arrays.score(rows)
        pieces = [self._scored(rows[start : start + _AT_ONCE]) for start in range(0, len(rows), _AT_ONCE)]
        return np.concatenate(pieces)

    def _scored(self, rows: Floats) -> Floats:
        (scores,) = self._session.run(None, {"features": np.ascontiguousarray(rows, np.float32)})
        return np.asarray(scores[:, 0], np.float32)


class HeadingTrees:
    """The heading step: says how likely each object is a heading.

    A second look, where the model has one, knows what the first says of all other objects of the document.
    """

    def __init__(self, model: Model) -> None:
        check_features(model, FEATURES_VERSION)
        self.threshold = float(model.settings["threshold"])
        self._trees = Trees(model.parts["trees.onnx"])
        self._second = Trees(model.parts[SECOND]) if SECOND in model.parts else None
        self.titles = Titles(**model.arrays("titles.npz"))

    def probabilities(self, documents: Sequence[DocumentFeatures]) -> list[Floats]:
        """For each document the probability that each of its objects is a heading."""
        return [self.judged(seen.objects) for seen in documents]

    def judged(self, table: ObjectFeatures) -> Floats:
        """The probability that each object of a table is a heading: 0 for tables, figures and the like."""
        probabilities = np.zeros(len(table), np.float32)
        which = table.candidates
        features = matrix(classifier_features(table) | title_features(hashes_of(table), self.titles))
        probabilities[which] = sigmoid(self._trees.score(features[which]))
        if self._second is not None:
            heard = np.concatenate([features, matrix(second_features(table, probabilities))], axis=1)
            probabilities[which] = sigmoid(self._second.score(heard[which]))
        probabilities = without_column_heads(probabilities, table)
        probabilities = without_repeated(probabilities, table, self.threshold)
        return with_listed(probabilities, table, self.threshold)

    def headings(self, probabilities: Floats) -> tuple[int, ...]:
        """The objects that are headings, in reading order."""
        return headings_at(self.threshold, probabilities)


@dataclass(frozen=True, slots=True)
class PutOrSkipTrees:
    """The tree step: its trees; `scorer` makes them serve some documents."""

    trees: Trees
    every_object: bool = False

    @staticmethod
    def of(model: Model) -> PutOrSkipTrees:
        """The tree step that a model holds."""
        check_features(model, FEATURES_VERSION)
        return PutOrSkipTrees(Trees(model.parts["trees.onnx"]))

    def scorer(self, documents: Sequence[DocumentFeatures], objects: Sequence[Sequence[int]]) -> PutOrSkip:
        """A scorer for these headings of the documents."""
        return self.scorer_of(
            [
                heading_features(seen.objects, headings)
                for seen, headings in zip(documents, objects, strict=True)
            ]
        )

    def scorer_of(self, outlines: Sequence[HeadingFeatures]) -> PutOrSkip:
        """A scorer for the documents with these outlines."""
        return PutOrSkip(self.trees, PositionFeatures(outlines))


class PutOrSkip:
    """A scorer for some documents: the probabilities of an object's positions add up to 1."""

    def __init__(self, trees: Trees, outlines: PositionFeatures) -> None:
        self._trees = trees
        self._outlines = outlines

    def kinds(self, document: int) -> Mapping[int, int]:
        """The class of each heading: its look and the pattern of its number."""
        return self._outlines.classes(document)

    def score(self, questions: Sequence[Question]) -> list[list[float]]:
        """For each question a probability for each of its positions."""
        asks = [Ask(question.document, question.tree, question.obj) for question in questions]
        at = self._outlines.positions(asks)
        rows = self._outlines.features_at(at)
        scores = self._trees.score(rows) - self._outlines.penalties(at, rows)
        probabilities = softmax(scores, at.counts).tolist()
        starts = at.starts.tolist()
        return [
            [probabilities[start + position] for position in question.positions]
            for start, question in zip(starts, questions, strict=True)
        ]


def heading_step(model: Model, *, threads: int = 1) -> HeadingTrees:
    """The heading step of a model; it runs on one thread, whatever is given."""
    return HeadingTrees(model)


def tree_step(model: Model, *, threads: int = 1) -> PutOrSkipTrees:
    """The tree step of a model; it runs on one thread, whatever is given."""
    return PutOrSkipTrees.of(model)


def headings_at(threshold: float, probabilities: Floats) -> tuple[int, ...]:
    """The objects that are headings at least with the probability of the threshold, in reading order."""
    return tuple(np.flatnonzero(probabilities >= threshold).tolist())


def sigmoid(scores: Floats) -> Floats:
    """The probabilities of raw scores."""
    return np.asarray(0.5 * (1 + np.tanh(scores / 2)), np.float32)  # cannot overflow


def softmax(scores: Floats, counts: NDArray[np.int64]) -> Floats:
    """The scores as probabilities that add up to 1 within each stretch of `counts` rows."""
    starts = np.cumsum(counts) - counts
    # The highest of each stretch is taken off first: the exponential of what is left cannot overflow.
    highest = np.repeat(np.maximum.reduceat(scores, starts), counts)
    raised = np.exp(scores - highest)
    total = np.repeat(np.add.reduceat(raised, starts), counts)
    return np.asarray(raised / total, np.float32)
