"""The text vectors v_x of the paper: a network reads the first characters of each text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from held.models.inference import session
from held.models.store import Model
from held.paper.networks.inputs import Floats, Ids, character_ids

_TEXTS_AT_ONCE = 32  # more would be padded further, fewer would be more calls


class TextEncoder:
    """The encoder of a model, with the characters that it knows."""

    def __init__(self, model: Model, code_points: NDArray[np.int32], *, threads: int) -> None:
        self._session = session(model.parts["encoder.onnx"], threads=threads)
        self._code_points = code_points
        self._cut: int = model.settings["text_length"]
        self._size: int = model.settings["text_size"]

    def vectors(self, texts: Sequence[str]) -> Floats:
        """The vectors of the texts, (N, size): equal ones are encoded once, those of like length together."""
        distinct = {text: row for row, text in enumerate(dict.fromkeys(texts))}
        ids, lengths = character_ids(list(distinct), self._code_points, cut=self._cut)
        found = np.empty((len(ids), self._size), dtype=np.float32)
        for rows in _by_length(lengths):
            longest = lengths[rows].max()
            inputs = {"ids": ids[rows, :longest], "lengths": lengths[rows]}
            (found[rows],) = self._session.run(None, inputs)
        return found[[distinct[text] for text in texts]]


def _by_length(lengths: Ids) -> Iterator[Ids]:
    """The rows from the shortest to the longest, some at a time."""
    order = np.argsort(lengths, kind="stable")
    for start in range(0, len(order), _TEXTS_AT_ONCE):
        yield order[start : start + _TEXTS_AT_ONCE]
