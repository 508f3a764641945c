"""Networks that judge every object among its neighbours: how likely it is a heading, or how deep it stands.

A document is judged in windows that overlap, each object where it is away from the window's edges: so the
cost grows with the length of the document, not with its square.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from held.document import Document
from held.headings.object_features import DocumentFeatures
from held.headings.rules import EXCLUSIONS
from held.models.inference import session
from held.models.store import Model, check_features
from held.paper.networks.encoder import TextEncoder
from held.paper.networks.inputs import VERSION, Floats, format_vectors

_WINDOWS_AT_ONCE = 16


class Window(NamedTuple):
    """Neighbouring objects: `start` to `end` are shown to the network, `first` to `last` are judged."""

    start: int
    first: int
    last: int
    end: int


class WindowLabeller:
    """A network over windows of objects."""

    def __init__(self, model: Model, *, threads: int = 1) -> None:
        check_features(model, VERSION, unsaid=1)
        learned = model.arrays("learned.npz")
        self._encoder = TextEncoder(model, learned["code_points"], threads=threads)
        self._session = session(model.parts["labeller.onnx"], threads=threads)
        self._window: int = model.settings["window"]
        self._margin: int = model.settings["margin"]

    def labels(self, document: Document) -> Floats:
        """What the network says of each object: a probability, or one for each label."""
        texts = [item.text for item in document.objects]
        vectors = self._encoder.vectors(texts)
        rows = np.concatenate([vectors, format_vectors(document)], axis=1)
        # (batch, object) for a probability, (batch, object, label) for several
        of_each_object = self._session.get_outputs()[0].shape[2:]
        found = np.empty((len(rows), *of_each_object), dtype=np.float32)
        windows = self._windows(len(rows))
        for place in range(0, len(windows), _WINDOWS_AT_ONCE):
            some = windows[place : place + _WINDOWS_AT_ONCE]
            for window, judged in zip(some, self._judged(rows, some), strict=True):
                inner = slice(window.first - window.start, window.last - window.start)
                found[window.first : window.last] = judged[inner]
        return found

    def _windows(self, count: int) -> list[Window]:
        """The windows that judge each of so many objects once."""
        stride = self._window - 2 * self._margin
        found = []
        for first in range(0, count, stride):
            last = min(count, first + stride)
            start = max(0, first - self._margin)
            end = min(count, first + stride + self._margin)
            found.append(Window(start, first, last, end))
        return found

    def _judged(self, rows: Floats, windows: Sequence[Window]) -> Floats:
        """What the network says of the objects of each window, (B, W) or (B, W, K)."""
        longest = max(window.end - window.start for window in windows)
        objects = np.zeros((len(windows), longest, rows.shape[1]), dtype=np.float32)
        mask = np.zeros((len(windows), longest), dtype=np.float32)
        for place, window in enumerate(windows):
            length = window.end - window.start
            objects[place, :length] = rows[window.start : window.end]
            mask[place, :length] = 1
        (judged,) = self._session.run(None, {"objects": objects, "mask": mask})
        return np.asarray(judged, np.float32)


class HeadingNetwork:
    """The heading step: says how likely each object is a heading."""

    def __init__(self, model: Model, *, threads: int = 1) -> None:
        self.threshold = float(model.settings["threshold"])
        self.rules = EXCLUSIONS
        self._labeller = WindowLabeller(model, threads=threads)

    def probabilities(self, documents: Sequence[DocumentFeatures]) -> list[Floats]:
        """For each document the probability that each of its objects is a heading."""
        return [self._labeller.labels(seen.document) for seen in documents]

    def headings(self, probabilities: Floats) -> tuple[int, ...]:
        """The objects that are headings, in reading order."""
        return tuple(np.flatnonzero(probabilities > self.threshold).tolist())
