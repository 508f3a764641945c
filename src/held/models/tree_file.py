"""Boosted trees in files of their own, scored without numpy where `_trees.c` was built.

The layout asks small models on most pages. Importing numpy takes as long as the layout of twenty pages, and
`held objects` needs it for nothing else.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Sequence
from itertools import chain
from pathlib import Path
from typing import Any

from held.system import compiled_module

PACKED_SUFFIX = ".trees"  # of the file beside a graph that has its trees as `_trees.c` packs them
_INTERFACE_VERSION = 3  # of _trees.c

Rows = Sequence[Sequence[float]]
RowScorer = Callable[[Rows], list[float]]


def native_trees() -> Any:
    """The compiled module; None where it was not built or is switched off."""
    return compiled_module("held.models._trees", _INTERFACE_VERSION)


def load_scorer(graph: Path) -> RowScorer:
    """The function that gives the raw score of each row, for the graph in this file."""
    native = native_trees()
    unpacked = None if native is None else native.unpack(graph.with_suffix(PACKED_SUFFIX).read_bytes())
    return _numpy_scorer(graph) if unpacked is None else _native_scorer(native, *unpacked)


def _native_scorer(native: Any, width: int, trees: object) -> RowScorer:
    def score(rows: Rows) -> list[float]:
        # In 32 bits, as numpy rounds them.
        numbers = array("f", chain.from_iterable(rows))
        if len(numbers) != width * len(rows):
            raise ValueError(f"rows of {len(numbers)} numbers for {width} features")
        scores = array("f")
        scores.frombytes(native.score(trees, numbers))
        return scores.tolist()

    return score


def _numpy_scorer(graph: Path) -> RowScorer:
    import numpy as np

    from held.models.inference import BoostedTrees

    trees = BoostedTrees(graph.read_bytes())

    def score(rows: Rows) -> list[float]:
        scores: list[float] = trees.score(np.array(rows, np.float32)).tolist()
        return scores

    return score


def write_graph(path: Path, onnx: bytes) -> None:
    """Write a graph, and its packed trees beside it."""
    from held.models.inference import pack_trees

    packed = pack_trees(onnx)
    if packed is None:
        raise RuntimeError("the trees of the graph cannot be packed: is held.models._trees built?")
    path.write_bytes(onnx)
    path.with_suffix(PACKED_SUFFIX).write_bytes(packed)
