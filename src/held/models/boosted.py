"""Preset `base` at work: boosted trees that find headings, and boosted trees that put them in place.

The trees run in onnxruntime on one thread: for the few rows of one object that is several times faster than
arrays, and threads would cost more than they bring.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from held.errors import VersionError
from held.features import VERSION, Table
from held.features.headings import heading_features, matrix
from held.features.kinship import Kinship
from held.features.outline import Outline
from held.features.pairs import Ask, Outlines
from held.features.texts import Floats
from held.features.titles import Titles, hashes_of, title_features
from held.insertion import Question
from held.models.store import Model, ModelKind, load_model

_ADVICE = "train it anew with `held train`, or use the weights that ship with this version"


class Trees:
    """Boosted trees that give a score for each row of features."""

    def __init__(self, onnx: bytes) -> None:
        import onnxruntime

        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        options.log_severity_level = 3
        self._session = onnxruntime.InferenceSession(onnx, options, providers=["CPUExecutionProvider"])
        self.width: int = self._session.get_inputs()[0].shape[1]

    def score(self, rows: Floats) -> Floats:
        """The raw score of each row."""
        if not len(rows):
            return np.zeros(0, np.float32)
        if rows.shape[1] != self.width:
            raise VersionError(
                f"the trees of a model know {self.width} features, not {rows.shape[1]}", advice=_ADVICE
            )
        (scores,) = self._session.run(None, {"features": np.ascontiguousarray(rows, np.float32)})
        return np.asarray(scores[:, 0], np.float32)


class HeadingModel:
    """Says how likely each object is a heading."""

    def __init__(self, model: Model) -> None:
        _check_version(model)
        self.threshold = float(model.settings["threshold"])
        self._trees = Trees(model.parts["trees.onnx"])
        self.titles = Titles(**model.arrays("titles.npz"))

    def probabilities(self, table: Table) -> Floats:
        """For each object the probability that it is a heading: 0 for tables, figures and the like."""
        probabilities = np.zeros(len(table), np.float32)
        which = table.candidates
        features = heading_features(table) | title_features(hashes_of(table), self.titles)
        probabilities[which] = sigmoid(self._trees.score(matrix(features)[which]))
        return probabilities

    def headings(self, probabilities: Floats) -> tuple[int, ...]:
        """The objects that are headings, in reading order."""
        return tuple(np.flatnonzero(probabilities >= self.threshold).tolist())


@dataclass(frozen=True, slots=True)
class PutOrSkipModel:
    """The trees of the tree step and what they know of titles; `scorer` makes them serve some documents."""

    trees: Trees
    kinship: Kinship

    @staticmethod
    def of(model: Model) -> PutOrSkipModel:
        """The tree step that a model file holds."""
        _check_version(model)
        return PutOrSkipModel(Trees(model.parts["trees.onnx"]), Kinship(**model.arrays("kinship.npz")))

    def scorer(self, outlines: Sequence[Outline]) -> PutOrSkip:
        """A scorer for the documents with these outlines."""
        return PutOrSkip(self.trees, Outlines(outlines, self.kinship))


class PutOrSkip:
    """A scorer for some documents: the probabilities of an object's positions add up to 1."""

    def __init__(self, trees: Trees, outlines: Outlines) -> None:
        self._trees = trees
        self._outlines = outlines

    def kinds(self, document: int) -> Mapping[int, int]:
        """The class of each heading: its look and the pattern of its number."""
        return self._outlines.classes(document)

    def score(self, questions: Sequence[Question]) -> list[list[float]]:
        """For each question a probability for each of its positions."""
        asks = [Ask(question.document, question.tree, question.obj) for question in questions]
        rows, counts = self._outlines.features(asks)
        probabilities = softmax(self._trees.score(rows), counts).tolist()
        starts = (np.cumsum(counts) - counts).tolist()
        return [
            [probabilities[start + position] for position in question.positions]
            for start, question in zip(starts, questions, strict=True)
        ]


def load_headings(name: str = "base") -> HeadingModel:
    """The heading step with shipped or given weights."""
    return HeadingModel(load_model(name, ModelKind.HEADINGS))


def load_put_or_skip(name: str = "base") -> PutOrSkipModel:
    """The tree step with shipped or given weights."""
    return PutOrSkipModel.of(load_model(name, ModelKind.PUT_OR_SKIP))


def sigmoid(scores: Floats) -> Floats:
    """The probabilities of raw scores."""
    return np.asarray(0.5 * (1 + np.tanh(scores / 2)), np.float32)  # cannot overflow


def softmax(scores: Floats, counts: NDArray[np.int64]) -> Floats:
    """The scores as probabilities that add up to 1 within each stretch of `counts` rows."""
    starts = np.cumsum(counts) - counts
    raised = np.exp(scores - np.repeat(np.maximum.reduceat(scores, starts), counts))
    return np.asarray(raised / np.repeat(np.add.reduceat(raised, starts), counts), np.float32)


def _check_version(model: Model) -> None:
    known = model.settings.get("features")
    if known != VERSION:
        raise VersionError(
            f"the model for {model.kind} was trained on features of version {known!r}, not {VERSION}",
            advice=_ADVICE,
        )
