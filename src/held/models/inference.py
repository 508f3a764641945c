"""Running models: ONNX Runtime sessions, and boosted trees as arrays.

ONNX Runtime takes longer to load than a hundred pages take to lay out. The trees that
`held.training.boosted_export` writes are a few arrays, which `_trees.c` descends. Where it was not built,
numpy does so for a few hundred rows and ONNX Runtime for more. All add up the leaves in the same order, to
the same bits.

Of protobuf (https://protobuf.dev/programming-guides/encoding) no more is parsed than such a graph has. Any
other graph is left to ONNX Runtime.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from held.errors import VersionError
from held.models.store import OUTDATED

Floats = NDArray[np.float32]
Integers = NDArray[np.int64]
Places = NDArray[np.int32]  # indices, as `_trees.c` takes them

NATIVE_VARIABLE = "HELD_NATIVE"  # "off" leaves native code unused, as in held.reading.native
_INTERFACE_VERSION = 1  # of _trees.c
_ONLY_ERRORS = 3  # severity of log messages; the runtime's warnings are of no use to users
# Features lie column by column; more rows than the cache holds take several times as long to turn into rows.
_ROWS_PER_CALL = 2048
# Rows that numpy scores before ONNX Runtime is loaded. Loading takes as long as twice as many rows, but a
# long document pays for both.
ROWS_FOR_ARRAYS = 300

# The numbers of fields in onnx.proto.
_GRAPH = 7  # of a model
_NODE, _INPUT = 1, 11  # of a graph
_TYPE, _TENSOR, _SHAPE, _DIMENSION = 2, 1, 2, 1  # from an input to the sizes of its tensor
_ATTRIBUTE = 5  # of a node
_NAME = 1  # of an attribute

_VARINT, _BYTES = 0, 2  # how a field is written: a number, or a length and so many bytes
_WIRE_TYPE_BITS = 3  # of a tag, for how; the others are the field's number
_BITS, _CONTINUES = 7, 0x80  # of each byte of a number, and the bit that says that there is a further one
_MOST_BYTES = 9  # of a number of 63 bits
_TYPE_BYTES = 3  # at the end of an attribute: of which type its values are
_FLOAT = np.dtype([("tag", "u1"), ("value", "<f4")])
_SPLIT, _LEAF = b"BRANCH_LEQ", b"LEAF"
_OF_NODES = ("treeids", "nodeids", "featureids", "values", "modes", "truenodeids", "falsenodeids")
_OF_LEAVES = ("treeids", "nodeids", "ids", "weights")
_NAMES = {"n_targets", *(f"nodes_{name}" for name in _OF_NODES), *(f"target_{name}" for name in _OF_LEAVES)}


def session(onnx: bytes, *, threads: int = 1) -> Any:
    """A session that runs a graph on the CPU.

    One thread is the default: for the few rows of an object more threads cost more than they gain.
    """
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.log_severity_level = _ONLY_ERRORS
    return onnxruntime.InferenceSession(onnx, options, providers=["CPUExecutionProvider"])


class BoostedTrees:
    """Boosted trees that give a score for each row of features."""

    def __init__(self, onnx: bytes) -> None:
        self._onnx = onnx
        self._arrays = tree_arrays(onnx)
        self._score = native_scorer(self._arrays) if self._arrays else None
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
            message = f"the trees of a model know {self.width} features, not {rows.shape[1]}"
            raise VersionError(message, advice=OUTDATED)
        if self._score is not None:
            return self._score(rows)
        if self._arrays and len(rows) <= self._rows_for_arrays:
            self._rows_for_arrays -= len(rows)
            return self._arrays.score(rows)
        starts = range(0, len(rows), _ROWS_PER_CALL)
        return np.concatenate([self._run(rows[start : start + _ROWS_PER_CALL]) for start in starts])

    def _run(self, rows: Floats) -> Floats:
        (scores,) = self._session.run(None, {"features": np.ascontiguousarray(rows, np.float32)})
        return np.asarray(scores[:, 0], np.float32)


def sigmoid(scores: Floats) -> Floats:
    """The probabilities of raw scores."""
    return np.asarray(0.5 * (1 + np.tanh(scores / 2)), np.float32)  # cannot overflow


def softmax(scores: Floats, counts: Integers) -> Floats:
    """The scores as probabilities that add up to 1 within each group of `counts` rows."""
    starts = np.cumsum(counts) - counts
    # The highest score of each group is subtracted first, so that no exponential overflows.
    highest = np.repeat(np.maximum.reduceat(scores, starts), counts)
    raised = np.exp(scores - highest)
    total = np.repeat(np.add.reduceat(raised, starts), counts)
    return np.asarray(raised / total, np.float32)


class TreeArrays(NamedTuple):
    """The nodes of all trees, one tree after another.

    From a node a row goes to `below` if its feature is at most the threshold, else to `above`; both come
    after the node. A leaf has itself as both.
    """

    width: int  # features of a row
    roots: Integers  # (T,)
    feature: Integers  # (M,)
    threshold: Floats  # (M,)
    below: Integers  # (M,)
    above: Integers  # (M,)
    value: Floats  # (M,)

    def score(self, rows: Floats) -> Floats:
        """The sum of all trees for each row."""
        features = np.ascontiguousarray(rows, np.float32).ravel()
        starts = self.width * np.arange(len(rows))
        at = np.repeat(self.roots[:, None], len(rows), axis=1)  # (T, N)
        while True:
            is_below = features[starts + self.feature[at]] <= self.threshold[at]
            after = np.where(is_below, self.below[at], self.above[at])
            if np.array_equal(after, at):  # all are at leaves
                break
            at = after
        # In the order of ONNX Runtime: `sum` may take another order, and so round differently.
        return np.asarray(np.cumsum(self.value[at], axis=0, dtype=np.float32)[-1], np.float32)


def native_scorer(arrays: TreeArrays) -> Callable[[Floats], Floats] | None:
    """`TreeArrays.score` in C; None where it was not built or is switched off."""
    if os.environ.get(NATIVE_VARIABLE) == "off":
        return None
    try:
        from held.models import _trees
    except ImportError:
        return None
    if _trees.INTERFACE_VERSION != _INTERFACE_VERSION:
        return None  # an older file that was left beside the source
    places = [
        column.astype(np.int32) for column in (arrays.roots, arrays.feature, arrays.below, arrays.above)
    ]
    roots, feature, below, above = places
    trees = _trees.prepare(arrays.width, roots, feature, arrays.threshold, below, above, arrays.value)

    def score(rows: Floats) -> Floats:
        scores = _trees.score(trees, np.ascontiguousarray(rows, np.float32))
        return np.frombuffer(scores, np.float32)

    return score


def tree_arrays(onnx: bytes) -> TreeArrays | None:
    """The trees of a graph; None for a graph that `held.training.boosted_export` did not write."""
    try:
        graph = _first(memoryview(onnx), _GRAPH)
        shape = graph
        for field in (_INPUT, _TYPE, _TENSOR, _SHAPE):
            shape = _first(shape, field)
        _, features = _all(shape, _DIMENSION)  # the first is the number of rows, which is open
        return _arrays(_attributes(_first(graph, _NODE)), width=int(_integers(features)[0]))
    except (ValueError, LookupError):
        return None


def _arrays(found: dict[str, memoryview], *, width: int) -> TreeArrays:
    """The trees in the attributes of a node; ValueError or LookupError for trees of another kind."""
    tree, number = _integers(found["nodes_treeids"]), _integers(found["nodes_nodeids"])
    roots = np.flatnonzero(number == 0)
    itself = np.arange(len(tree))
    start = roots[tree]
    leaves = roots[_integers(found["target_treeids"])] + _integers(found["target_nodeids"])
    below = start + _integers(found["nodes_truenodeids"])
    above = start + _integers(found["nodes_falsenodeids"])
    below[leaves] = above[leaves] = leaves
    feature = _integers(found["nodes_featureids"])
    value = np.zeros(len(tree), np.float32)
    value[leaves] = _floats(found["target_weights"])
    modes = bytes(found["nodes_modes"])
    is_ours = (
        _integers(found["n_targets"]).tolist() == [1]
        and np.array_equal(start + number, itself)
        and bool((np.minimum(below, above) >= itself).all())
        and max(below.max(), above.max()) < len(tree)
        and 0 <= feature.min() <= feature.max() < width
        and (modes.count(_LEAF), modes.count(_SPLIT)) == (len(leaves), len(tree) - len(leaves))
    )
    if not is_ours:
        raise ValueError("other trees")
    return TreeArrays(width, roots, feature, _floats(found["nodes_values"]), below, above, value)


def _attributes(node: memoryview) -> dict[str, memoryview]:
    """The encoded values of each attribute of a node, by name."""
    found = {}
    for attribute in _all(node, _ATTRIBUTE):
        name = _first(attribute, _NAME)
        behind_name = 2 + len(name)  # its tag and its length are a byte each
        found[bytes(name).decode()] = attribute[behind_name:-_TYPE_BYTES]
    if found.keys() != _NAMES:
        raise ValueError("other attributes")
    return found


def _first(message: memoryview, field: int) -> memoryview:
    """The first message, or text, that a message has in a field."""
    return next(_all(message, field), None) or memoryview(b"")


def _all(message: memoryview, field: int) -> Iterator[memoryview]:
    """The messages, or texts, that a message has in a field."""
    at = 0
    while at < len(message):
        tag, at = _number(message, at)
        value, at = _number(message, at)
        number, wire_type = tag >> _WIRE_TYPE_BITS, tag & ((1 << _WIRE_TYPE_BITS) - 1)
        if wire_type not in (_VARINT, _BYTES):
            raise ValueError("a field of another kind")
        if wire_type == _BYTES:
            if number == field:
                yield message[at : at + value]
            at += value


def _number(message: memoryview, at: int) -> tuple[int, int]:
    """The number that begins at a byte, and where it ends."""
    number = 0
    for place in range(_MOST_BYTES):
        byte = message[at + place]
        number |= (byte & ~_CONTINUES) << (_BITS * place)
        if byte < _CONTINUES:
            return number, at + place + 1
    raise ValueError("a number without an end")


def _integers(written: memoryview) -> Integers:
    """Integers, each of them written as a tag of one byte and some bytes of seven bits, the lowest first."""
    data = np.frombuffer(written, np.uint8)
    ends = np.flatnonzero(data < _CONTINUES)
    first, last = ends[::2] + 1, ends[1::2]
    longest = int((last - first).max()) + 1
    if longest > _MOST_BYTES:
        raise ValueError("a number without an end")
    numbers = np.zeros(len(last), np.int64)
    for place in range(longest):
        has_byte = first + place <= last
        bits = data[first[has_byte] + place] & ~np.uint8(_CONTINUES)
        numbers[has_byte] |= bits.astype(np.int64) << (_BITS * place)
    return numbers


def _floats(written: memoryview) -> Floats:
    """Floats, each of them written as a tag of one byte and four bytes."""
    return np.ascontiguousarray(np.frombuffer(written, _FLOAT)["value"])
