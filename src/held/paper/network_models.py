"""The published networks in ONNX Runtime: text encoder, heading network and put-or-skip network (3.3).

Training exports them (`held.paper.training.to_onnx`); nothing here needs torch.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from held.document import Document
from held.errors import VersionError
from held.headings.object_features import DocumentFeatures
from held.headings.rules import EXCLUSIONS
from held.models.inference import session
from held.models.store import Model, check_features
from held.paper.network_inputs import (
    VERSION,
    Codes,
    Floats,
    Ids,
    character_ids,
    format_vectors,
    position_sequence,
)
from held.tree import Position

_TEXTS_PER_CALL = 32  # more texts would need more padding, fewer would need more calls


class TextEncoder:
    """The text encoder of a model, with the characters that it knows."""

    def __init__(self, model: Model, code_points: NDArray[np.int32], *, threads: int) -> None:
        self._session = session(model.parts["encoder.onnx"], threads=threads)
        self._code_points = code_points
        self._cut: int = model.settings["text_length"]
        self._size: int = model.settings["text_size"]

    def vectors(self, texts: Sequence[str]) -> Floats:
        """The vectors of the texts, (N, size). Each distinct text is encoded once."""
        row_of_text = {text: row for row, text in enumerate(dict.fromkeys(texts))}
        ids, lengths = character_ids(list(row_of_text), self._code_points, cut=self._cut)
        vectors = np.empty((len(ids), self._size), dtype=np.float32)
        # Texts of similar length share a call, which keeps the padding short.
        for rows in _batches_by_length(lengths):
            longest = lengths[rows].max()
            inputs = {"ids": ids[rows, :longest], "lengths": lengths[rows]}
            (vectors[rows],) = self._session.run(None, inputs)
        rows_of_texts = [row_of_text[text] for text in texts]
        return vectors[rows_of_texts]


def _batches_by_length(lengths: Ids) -> Iterator[Ids]:
    """The row numbers in batches, from the shortest text to the longest."""
    order = np.argsort(lengths, kind="stable")
    for start in range(0, len(order), _TEXTS_PER_CALL):
        yield order[start : start + _TEXTS_PER_CALL]


_WINDOWS_PER_CALL = 16


class Window(NamedTuple):
    """Neighbouring objects: the network reads those from `start` to `end` and labels `first` to `last`."""

    start: int
    first: int
    last: int
    end: int


class WindowLabeller:
    """A network over windows of objects."""

    def __init__(self, model: Model, *, threads: int = 1) -> None:
        check_features(model, VERSION, default=1)
        learned = model.arrays("learned.npz")
        self._encoder = TextEncoder(model, learned["code_points"], threads=threads)
        self._session = session(model.parts["labeller.onnx"], threads=threads)
        self._window: int = model.settings["window"]
        self._margin: int = model.settings["margin"]

    def labels(self, document: Document) -> Floats:
        """The probability of each object, (N,), or its probability of each label, (N, K)."""
        texts = [item.text for item in document.objects]
        vectors = self._encoder.vectors(texts)
        rows = np.concatenate([vectors, format_vectors(document)], axis=1)
        # The output is (batch, object) for one probability, (batch, object, label) for several.
        shape_per_object = self._session.get_outputs()[0].shape[2:]
        labels = np.empty((len(rows), *shape_per_object), dtype=np.float32)
        windows = self._windows(len(rows))
        for start in range(0, len(windows), _WINDOWS_PER_CALL):
            batch = windows[start : start + _WINDOWS_PER_CALL]
            for window, outputs in zip(batch, self._run(rows, batch), strict=True):
                inner = slice(window.first - window.start, window.last - window.start)
                labels[window.first : window.last] = outputs[inner]
        return labels

    def _windows(self, count: int) -> list[Window]:
        """The windows over `count` objects; each object is labelled by exactly one of them."""
        stride = self._window - 2 * self._margin
        windows = []
        for first in range(0, count, stride):
            last = min(count, first + stride)
            start = max(0, first - self._margin)
            end = min(count, first + stride + self._margin)
            windows.append(Window(start, first, last, end))
        return windows

    def _run(self, rows: Floats, windows: Sequence[Window]) -> Floats:
        """The network's output for the objects of each window, (B, W) or (B, W, K)."""
        longest = max(window.end - window.start for window in windows)
        objects = np.zeros((len(windows), longest, rows.shape[1]), dtype=np.float32)
        mask = np.zeros((len(windows), longest), dtype=np.float32)  # 0 for padding
        for index, window in enumerate(windows):
            length = window.end - window.start
            objects[index, :length] = rows[window.start : window.end]
            mask[index, :length] = 1
        (outputs,) = self._session.run(None, {"objects": objects, "mask": mask})
        return np.asarray(outputs, np.float32)


class HeadingNetwork:
    """The heading step: the probability that each object is a heading."""

    def __init__(self, model: Model, *, threads: int = 1) -> None:
        self.threshold = float(model.settings["threshold"])
        self.rules = EXCLUSIONS
        self._labeller = WindowLabeller(model, threads=threads)

    def probabilities(self, documents: Sequence[DocumentFeatures]) -> list[Floats]:
        """For each document the probability that each of its objects is a heading."""
        return [self._labeller.labels(features.document) for features in documents]

    def headings(self, probabilities: Floats) -> tuple[int, ...]:
        """The objects that are headings, in reading order."""
        return tuple(np.flatnonzero(probabilities > self.threshold).tolist())


_GRAPHS = ("project", "ahead", "inquire", "inquiry")
TEXT, FORMAT = "text", "format"
"""The strands: the network reads the text and the format of objects, an ablation only one of them."""


class Graph:
    """A part of the network. Its session starts on first use, because no scorer needs all parts."""

    def __init__(self, onnx: bytes, *, threads: int) -> None:
        self._onnx = onnx
        self._threads = threads

    @cached_property
    def _session(self) -> Any:
        return session(self._onnx, threads=self._threads)

    @cached_property
    def _names(self) -> list[str]:
        return [graph_input.name for graph_input in self._session.get_inputs()]

    def run(self, inputs: Sequence[NDArray[Any]]) -> list[Floats]:
        """The outputs for inputs in the graph's own order."""
        named = dict(zip(self._names, inputs, strict=True))
        outputs: list[Floats] = self._session.run(None, named)
        return outputs


class PutOrSkipNetwork:
    """A put-or-skip model, ready to run."""

    def __init__(self, model: Model, *, threads: int = 1) -> None:
        check_features(model, VERSION, default=1)
        missing = [name for name in _GRAPHS if f"{name}.onnx" not in model.parts]
        if missing:
            raise VersionError(
                "the put-or-skip model was exported by another version of held",
                advice="train it again: `held train put-or-skip --from MODEL` begins at its weights",
            )
        self.settings = model.settings
        self._learned = model.arrays("learned.npz")
        self._graphs = {name: Graph(model.parts[f"{name}.onnx"], threads=threads) for name in _GRAPHS}
        # The settings count both directions of a Bi-LSTM; a state belongs to one direction.
        sizes = {TEXT: model.settings["sequence_size"] // 2, FORMAT: model.settings["format_size"] // 2}
        self.strands = [name for name in sizes if model.settings[name]]
        self.size = sum(sizes[name] for name in self.strands)
        self._encoder: TextEncoder | None = None
        if TEXT in self.strands:
            self._encoder = TextEncoder(model, self._learned["code_points"], threads=threads)

    def sequence(self, position: Position, codes: Codes) -> tuple[int, ...]:
        """The codes that the network reads before an object at this position."""
        return position_sequence(
            position,
            codes,
            max_siblings=self.settings["max_siblings"],
            parent=self.settings["parent"],
            siblings=self.settings["siblings"],
        )

    def run(self, graph: str, *inputs: NDArray[Any]) -> list[Floats]:
        """The outputs of a graph, such as "project", for its inputs in their order."""
        return self._graphs[graph].run(inputs)

    def character_ids(self, texts: Sequence[str]) -> tuple[Ids, Ids]:
        """The ids of the texts' characters, and the lengths."""
        return character_ids(texts, self._learned["code_points"], cut=self.settings["text_length"])

    def gate_inputs(self, texts: Sequence[str], formats: Floats) -> list[Floats]:
        """What each code adds to the LSTM's gates, for the forward and for the backward direction.

        Row 0 is the root, row 1 the empty code, then come the objects with these texts and formats.
        """
        rows = {FORMAT: formats}
        if self._encoder is not None:
            rows[TEXT] = self._encoder.vectors(texts)
        # The vectors of the root and of the empty code were learned.
        by_code = [np.concatenate([self._learned[name], rows[name]]) for name in self.strands]
        return self.run("project", *by_code)
