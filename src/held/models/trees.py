"""Boosted trees as arrays, read from the ONNX graph that `held.training.boosted_export` writes.

ONNX Runtime takes longer to load than a short document takes to read. Its trees are a few arrays, and for
some rows numpy goes down all of them at once and adds up the leaves in the same order, to the same bits.

Of protobuf (https://protobuf.dev/programming-guides/encoding) no more is read than such a graph has; any
other graph is left to ONNX Runtime.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]
Integers = NDArray[np.int64]

# The numbers of fields in onnx.proto.
_GRAPH = 7  # of a model
_NODE, _INPUT = 1, 11  # of a graph
_TYPE, _TENSOR, _SHAPE, _DIMENSION = 2, 1, 2, 1  # from an input to the sizes of its tensor
_ATTRIBUTE = 5  # of a node
_NAME = 1  # of an attribute

_VARINT, _BYTES = 0, 2  # how a field is written: a number, or a length and so many bytes
_WAY_BITS = 3  # of a tag, for how; the others are the field's number
_BITS, _GOES_ON = 7, 0x80  # of each byte of a number, and the bit that says that there is a further one
_MOST_BYTES = 9  # of a number of 63 bits
_TYPE_BYTES = 3  # at the end of an attribute: of which type its values are
_FLOAT = np.dtype([("tag", "u1"), ("value", "<f4")])
_SPLIT, _LEAF = b"BRANCH_LEQ", b"LEAF"
_OF_NODES = ("treeids", "nodeids", "featureids", "values", "modes", "truenodeids", "falsenodeids")
_OF_LEAVES = ("treeids", "nodeids", "ids", "weights")
_NAMES = {"n_targets", *(f"nodes_{name}" for name in _OF_NODES), *(f"target_{name}" for name in _OF_LEAVES)}


class TreeArrays(NamedTuple):
    """The nodes of all trees, one tree behind the other.

    From a node a row goes to `below` if its feature is at most the threshold, else to `above`, and both lie
    behind the node. A leaf has itself there; its value counts.
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
        # One after the other, as ONNX Runtime does: `sum` may take another order, and so round otherwise.
        return np.asarray(np.cumsum(self.value[at], axis=0, dtype=np.float32)[-1], np.float32)


def tree_arrays(onnx: bytes) -> TreeArrays | None:
    """The trees of a graph; None where it is not one of ours."""
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
    """The trees that the attributes of a node tell; ValueError or LookupError where they are none of ours."""
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
    """The values of each attribute of a node, as they are written, by its name."""
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
        number, way = tag >> _WAY_BITS, tag & ((1 << _WAY_BITS) - 1)
        if way not in (_VARINT, _BYTES):
            raise ValueError("a field of another kind")
        if way == _BYTES:
            if number == field:
                yield message[at : at + value]
            at += value


def _number(message: memoryview, at: int) -> tuple[int, int]:
    """The number that begins at a byte, and where it ends."""
    number = 0
    for place in range(_MOST_BYTES):
        byte = message[at + place]
        number |= (byte & ~_GOES_ON) << (_BITS * place)
        if byte < _GOES_ON:
            return number, at + place + 1
    raise ValueError("a number without an end")


def _integers(written: memoryview) -> Integers:
    """Integers, each of them written as a tag of one byte and some bytes of seven bits, the lowest first."""
    data = np.frombuffer(written, np.uint8)
    ends = np.flatnonzero(data < _GOES_ON)
    first, last = ends[::2] + 1, ends[1::2]
    longest = int((last - first).max()) + 1
    if longest > _MOST_BYTES:
        raise ValueError("a number without an end")
    numbers = np.zeros(len(last), np.int64)
    for place in range(longest):
        has_byte = first + place <= last
        bits = data[first[has_byte] + place] & ~np.uint8(_GOES_ON)
        numbers[has_byte] |= bits.astype(np.int64) << (_BITS * place)
    return numbers


def _floats(written: memoryview) -> Floats:
    """Floats, each of them written as a tag of one byte and four bytes."""
    return np.ascontiguousarray(np.frombuffer(written, _FLOAT)["value"])
