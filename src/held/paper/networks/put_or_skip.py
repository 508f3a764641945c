"""The put-or-skip network of a model, as graphs that are run apart so that nothing is computed twice.

`encoder` and `project` run once for each object, `ahead` once for each object that is read before others,
`inquire` once for all inquiries of a call; `inquiry` is the whole network, for one inquiry.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from held.errors import VersionError
from held.models.inference import session
from held.models.store import Model, check_features
from held.paper.networks.encoder import TextEncoder
from held.paper.networks.inputs import VERSION, Floats, Ids, character_ids
from held.paper.networks.sequences import Codes, position_sequence
from held.tree import Position

_GRAPHS = ("project", "ahead", "inquire", "inquiry")
TEXT, FORMAT = "text", "format"
"""The strands: what a network reads of objects. An ablation has but one of them."""


class Graph:
    """A part of the network; its session is made when it is first run, for no scorer needs all parts."""

    def __init__(self, onnx: bytes, *, threads: int) -> None:
        self._onnx = onnx
        self._threads = threads

    @cached_property
    def _session(self) -> Any:
        return session(self._onnx, threads=self._threads)

    @cached_property
    def _names(self) -> list[str]:
        return [wanted.name for wanted in self._session.get_inputs()]

    def run(self, inputs: Sequence[NDArray[Any]]) -> list[Floats]:
        """The outputs for inputs in the graph's own order."""
        named = dict(zip(self._names, inputs, strict=True))
        found: list[Floats] = self._session.run(None, named)
        return found


class PutOrSkipNetwork:
    """A put-or-skip model, ready to run."""

    def __init__(self, model: Model, *, threads: int = 1) -> None:
        check_features(model, VERSION, unsaid=1)
        missing = [name for name in _GRAPHS if f"{name}.onnx" not in model.parts]
        if missing:
            raise VersionError(
                "the put-or-skip model was exported by another version of held",
                advice="train it again: `held train put-or-skip --from MODEL` begins at its weights",
            )
        self.settings = model.settings
        self._learned = model.arrays("learned.npz")
        self._graphs = {name: Graph(model.parts[f"{name}.onnx"], threads=threads) for name in _GRAPHS}
        # The sizes count both directions of a Bi-LSTM; a state has one.
        sizes = {TEXT: model.settings["sequence_size"] // 2, FORMAT: model.settings["format_size"] // 2}
        self.strands = [name for name in sizes if model.settings[name]]
        self.size = sum(sizes[name] for name in self.strands)
        self._encoder: TextEncoder | None = None
        if TEXT in self.strands:
            self._encoder = TextEncoder(model, self._learned["code_points"], threads=threads)

    def sequence(self, position: Position, codes: Codes) -> tuple[int, ...]:
        """What the network reads before an object at this position."""
        return position_sequence(
            position,
            codes,
            max_siblings=self.settings["max_siblings"],
            parent=self.settings["parent"],
            siblings=self.settings["siblings"],
        )

    def run(self, graph: str, *inputs: NDArray[Any]) -> list[Floats]:
        """What a graph gives for its inputs in their order."""
        return self._graphs[graph].run(inputs)

    def character_ids(self, texts: Sequence[str]) -> tuple[Ids, Ids]:
        """The ids of the texts' characters, and the lengths."""
        return character_ids(texts, self._learned["code_points"], cut=self.settings["text_length"])

    def added_to_gates(self, texts: Sequence[str], formats: Floats) -> list[Floats]:
        """What each code adds to the gates, ahead and back: the root, the empty slot, then the objects."""
        rows = {FORMAT: formats}
        if self._encoder is not None:
            rows[TEXT] = self._encoder.vectors(texts)
        # The root and the empty slot have learned vectors, and the first codes.
        by_code = [np.concatenate([self._learned[name], rows[name]]) for name in self.strands]
        return self.run("project", *by_code)
