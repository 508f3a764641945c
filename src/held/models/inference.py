"""Running models: ONNX Runtime sessions, boosted trees as arrays, and calibration of the scores.

Loading ONNX Runtime takes longer than the layout of a hundred pages. The graphs that
`held.training.boosted_export` writes contain boosted trees as a few arrays, and `_trees.c` evaluates these.
Where it was not built, numpy evaluates a few hundred rows and ONNX Runtime more. All three add up the leaves
in the same order, so that the scores have the same bits.

The parser reads only as much of protobuf (https://protobuf.dev/programming-guides/encoding) as such a graph
needs. Any other graph is left to ONNX Runtime.
"""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Iterator
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from held.errors import FormatError, VersionError
from held.models.store import OUTDATED, Model, ModelKind, is_shipped, json_part, model_path, step_files
from held.models.tree_file import native_trees
from held.system.bounded_json import file_sha256, read_json_value

Floats = NDArray[np.float32]
Integers = NDArray[np.int64]
NativeTrees = tuple[int, Callable[[Floats], Floats]]  # the number of features, and the scores of rows

_ONLY_ERRORS = 3  # severity of log messages; the runtime's warnings are of no use to users
# Features are stored by column. Transposing more rows than fit the processor's cache takes much longer.
_ROWS_PER_CALL = 2048
# Rows that numpy scores before ONNX Runtime is loaded. Loading costs as much as scoring twice as many, but a
# long document pays for both.
ROWS_FOR_ARRAYS = 300

# The numbers of fields in onnx.proto.
_GRAPH = 7  # of a model
_NODE, _INPUT = 1, 11  # of a graph
_TYPE, _TENSOR, _SHAPE, _DIMENSION = 2, 1, 2, 1  # from an input to the sizes of its tensor
_ATTRIBUTE = 5  # of a node
_NAME = 1  # of an attribute

# The encoding of protobuf.
_VARINT, _BYTES = 0, 2  # wire types: a number, or a length followed by so many bytes
_WIRE_TYPE_BITS = 3  # the lowest bits of a tag; the others are the number of the field
_BITS, _CONTINUES = 7, 0x80  # payload of each byte of a varint, and the bit that announces another byte
_MAX_VARINT_BYTES = 9  # for 63 bits
_TYPE_BYTES = 3  # at the end of an attribute: the type of its values
_FLOAT = np.dtype([("tag", "u1"), ("value", "<f4")])

# The attributes of the node TreeEnsembleRegressor (ONNX-ML).
_SPLIT, _LEAF = b"BRANCH_LEQ", b"LEAF"
_NODE_ATTRIBUTES = ("treeids", "nodeids", "featureids", "values", "modes", "truenodeids", "falsenodeids")
_LEAF_ATTRIBUTES = ("treeids", "nodeids", "ids", "weights")
_ATTRIBUTES = {
    "n_targets",
    *(f"nodes_{name}" for name in _NODE_ATTRIBUTES),
    *(f"target_{name}" for name in _LEAF_ATTRIBUTES),
}
# In the order in which `_trees.c` takes them.
_DECODED = (
    *(f"nodes_{name}" for name in _NODE_ATTRIBUTES),
    *(f"target_{name}" for name in _LEAF_ATTRIBUTES if name != "ids"),
)


def session(onnx: bytes, *, threads: int = 1) -> Any:
    """A session that runs a graph on the CPU.

    The default is one thread: with the few rows of an object, more threads cost more than they gain.
    """
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.log_severity_level = _ONLY_ERRORS
    return onnxruntime.InferenceSession(onnx, options, providers=["CPUExecutionProvider"])


class BoostedTrees:
    """Boosted trees: a score for each row of features."""

    width: int
    _score: Callable[[Floats], Floats] | None

    def __init__(self, onnx: bytes, *, native: NativeTrees | None = None) -> None:
        """`native` are the trees of the graph where they are at hand."""
        self._onnx = onnx
        self._arrays: TreeArrays | None = None
        native = native or decode_natively(onnx)
        if native is not None:
            self.width, self._score = native
            return
        self._arrays = tree_arrays(onnx)
        if self._arrays:
            self._score = native_scorer(self._arrays)
            self._rows_for_arrays = ROWS_FOR_ARRAYS
            self.width = self._arrays.width
        else:
            self._score = None
            self._rows_for_arrays = 0
            (features,) = self._session.get_inputs()
            self.width = features.shape[1]

    @cached_property
    def _session(self) -> Any:
        return session(self._onnx)

    def score(self, rows: Floats) -> Floats:
        """The raw score of each row."""
        if not len(rows):
            return np.zeros(0, np.float32)
        if rows.shape[1] != self.width:
            message = f"the trees of a model need {self.width} features, not {rows.shape[1]}"
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


def load_trees(model: Model, part: str) -> BoostedTrees:
    """The boosted trees of a graph among the parts of a model."""
    packed = model.packed_trees(part)
    native = None if packed is None else unpack_natively(packed)
    return BoostedTrees(b"" if native else model.parts[part], native=native)


def sigmoid(scores: Floats) -> Floats:
    """The probabilities of raw scores."""
    # The sigmoid, in a form that cannot overflow.
    probabilities = 0.5 * (1 + np.tanh(scores / 2))
    return np.asarray(probabilities, np.float32)


def softmax(scores: Floats, counts: Integers) -> Floats:
    """The scores as probabilities that add up to 1 within each group of `counts` rows."""
    starts = np.cumsum(counts) - counts
    # The highest score of each group is subtracted first, so that no exponential overflows.
    highest = np.repeat(np.maximum.reduceat(scores, starts), counts)
    raised = np.exp(scores - highest)
    total = np.repeat(np.add.reduceat(raised, starts), counts)
    return np.asarray(raised / total, np.float32)


class TreeArrays(NamedTuple):
    """The M nodes of all T trees, one tree after another.

    At a node, a row continues with `below` if its feature is at most the threshold, otherwise with `above`.
    Both come after the node; a leaf refers to itself.
    """

    width: int  # number of features
    roots: Integers  # (T,)
    feature: Integers  # (M,)
    threshold: Floats  # (M,)
    below: Integers  # (M,)
    above: Integers  # (M,)
    value: Floats  # (M,)

    def score(self, rows: Floats) -> Floats:
        """The sum of all trees for each row."""
        features = np.ascontiguousarray(rows, np.float32).ravel()
        row_starts = self.width * np.arange(len(rows))
        nodes = np.repeat(self.roots[:, None], len(rows), axis=1)  # (T, N)
        while True:
            is_below = features[row_starts + self.feature[nodes]] <= self.threshold[nodes]
            following = np.where(is_below, self.below[nodes], self.above[nodes])
            if np.array_equal(following, nodes):  # all rows have reached leaves
                break
            nodes = following
        # `cumsum` adds in the order of ONNX Runtime; `sum` may use another one, and round differently.
        sums = np.cumsum(self.value[nodes], axis=0, dtype=np.float32)
        return np.asarray(sums[-1], np.float32)


def native_scorer(arrays: TreeArrays) -> Callable[[Floats], Floats] | None:
    """`TreeArrays.score` in C; None if it was not built, is switched off, or cannot hold trees this large."""
    native = native_trees()
    if native is None:
        return None
    trees = native.prepare(
        arrays.width,
        arrays.roots.astype(np.int32),
        arrays.feature.astype(np.int32),
        arrays.threshold,
        arrays.below.astype(np.int32),
        arrays.above.astype(np.int32),
        arrays.value,
    )
    return None if trees is None else _scorer(native, trees)


def decode_natively(onnx: bytes) -> NativeTrees | None:
    """The number of features of a graph's trees, and `native_scorer`, without the arrays.

    Their numbers are decoded in C as well, in a tenth of the time. None where that is not possible.
    """
    decoded = _decode(onnx)
    if decoded is None:
        return None
    native, width, trees = decoded
    return width, _scorer(native, trees)


def pack_trees(onnx: bytes) -> bytes | None:
    """The trees of a graph as `unpack_natively` reads them, in a fifth of the time that decoding takes.

    None where `decode_natively` gives None.
    """
    decoded = _decode(onnx)
    if decoded is None:
        return None
    native, _, trees = decoded
    packed: bytes = native.pack(trees)
    return packed


def unpack_natively(packed: bytes) -> NativeTrees | None:
    """What `decode_natively` returns, from packed trees."""
    native = native_trees()
    unpacked = None if native is None else native.unpack(packed)
    if unpacked is None:
        return None
    width, trees = unpacked
    return width, _scorer(native, trees)


def _decode(onnx: bytes) -> tuple[Any, int, object] | None:
    """The native module, the number of features of a graph's trees, and the trees."""
    native = native_trees()
    if native is None:
        return None
    try:
        attributes, width = _graph(onnx)
        if _integers(attributes["n_targets"]).tolist() != [1]:
            return None
    except (ValueError, LookupError):
        return None
    trees = native.decode(width, *[attributes[name] for name in _DECODED])
    return None if trees is None else (native, width, trees)


def _scorer(native: Any, trees: object) -> Callable[[Floats], Floats]:
    def score(rows: Floats) -> Floats:
        scores = native.score(trees, np.ascontiguousarray(rows, np.float32))
        return np.frombuffer(scores, np.float32)

    return score


def tree_arrays(onnx: bytes) -> TreeArrays | None:
    """The trees of a graph; None for a graph that `held.training.boosted_export` did not write."""
    try:
        attributes, width = _graph(onnx)
        return _arrays(attributes, width=width)
    except (ValueError, LookupError):
        return None


def _graph(onnx: bytes) -> tuple[dict[str, memoryview], int]:
    """The encoded attributes of a graph's first node, and its number of features."""
    graph = _first_field(memoryview(onnx), _GRAPH)
    shape = graph
    for field in (_INPUT, _TYPE, _TENSOR, _SHAPE):
        shape = _first_field(shape, field)
    _, features = _fields(shape, _DIMENSION)  # the first dimension is the number of rows, which is open
    attributes = _attributes(_first_field(graph, _NODE))
    return attributes, int(_integers(features)[0])


def _arrays(attributes: dict[str, memoryview], *, width: int) -> TreeArrays:
    """The trees in the attributes of a node; a ValueError or LookupError for trees of another kind."""
    tree_ids = _integers(attributes["nodes_treeids"])
    ids_in_tree = _integers(attributes["nodes_nodeids"])
    nodes = np.arange(len(tree_ids))
    roots = np.flatnonzero(ids_in_tree == 0)
    # Ids count from the root of their tree; here nodes are numbered over all trees.
    root_of_node = roots[tree_ids]
    leaves = roots[_integers(attributes["target_treeids"])] + _integers(attributes["target_nodeids"])
    below = root_of_node + _integers(attributes["nodes_truenodeids"])
    above = root_of_node + _integers(attributes["nodes_falsenodeids"])
    below[leaves] = above[leaves] = leaves
    feature = _integers(attributes["nodes_featureids"])
    value = np.zeros(len(nodes), np.float32)
    value[leaves] = _floats(attributes["target_weights"])
    modes = bytes(attributes["nodes_modes"])
    splits = len(nodes) - len(leaves)
    is_ours = (
        _integers(attributes["n_targets"]).tolist() == [1]
        and np.array_equal(root_of_node + ids_in_tree, nodes)
        and bool((np.minimum(below, above) >= nodes).all())
        and max(below.max(), above.max()) < len(nodes)
        and 0 <= feature.min() <= feature.max() < width
        and (modes.count(_LEAF), modes.count(_SPLIT)) == (len(leaves), splits)
    )
    if not is_ours:
        raise ValueError("other trees")
    return TreeArrays(width, roots, feature, _floats(attributes["nodes_values"]), below, above, value)


def _attributes(node: memoryview) -> dict[str, memoryview]:
    """The encoded values of each attribute of a node, by name."""
    attributes = {}
    for attribute in _fields(node, _ATTRIBUTE):
        name = _first_field(attribute, _NAME)
        name_end = 2 + len(name)  # the tag and the length of the name are a byte each
        attributes[bytes(name).decode()] = attribute[name_end:-_TYPE_BYTES]
    if attributes.keys() != _ATTRIBUTES:
        raise ValueError("other attributes")
    return attributes


def _first_field(message: memoryview, field: int) -> memoryview:
    """The first value that a message has in a field, empty if it has none."""
    return next(_fields(message, field), None) or memoryview(b"")


def _fields(message: memoryview, field: int) -> Iterator[memoryview]:
    """The values, messages or texts, that a message has in a field."""
    position = 0
    while position < len(message):
        tag, position = _varint(message, position)
        value, position = _varint(message, position)
        number, wire_type = divmod(tag, 1 << _WIRE_TYPE_BITS)
        if wire_type not in (_VARINT, _BYTES):
            raise ValueError("a field of another kind")
        if wire_type == _BYTES:
            length = value
            if number == field:
                yield message[position : position + length]
            position += length


def _varint(message: memoryview, start: int) -> tuple[int, int]:
    """The number that starts at a byte, and the index of the byte after it."""
    number = 0
    for index in range(_MAX_VARINT_BYTES):
        byte = message[start + index]
        number |= (byte & ~_CONTINUES) << (_BITS * index)
        if byte < _CONTINUES:
            return number, start + index + 1
    raise ValueError("a number without an end")


def _integers(encoded: memoryview) -> Integers:
    """Decode integers, each a tag of one byte and a varint (seven bits per byte, the lowest first)."""
    data = np.frombuffer(encoded, np.uint8)
    if len(data) % 2 == 0 and data.max(initial=0) < _CONTINUES:  # each number is one byte
        return data[1::2].astype(np.int64)
    # Tags end with their only byte, varints with the first byte below 0x80: tag, varint, tag, varint …
    ends = np.flatnonzero(data < _CONTINUES)
    first, last = ends[::2] + 1, ends[1::2]
    longest = int((last - first).max()) + 1
    if longest > _MAX_VARINT_BYTES:
        raise ValueError("a number without an end")
    payload = data & ~np.uint8(_CONTINUES)
    numbers = payload[first].astype(np.int64)
    longer = np.arange(len(last))
    for index in range(1, longest):
        longer = longer[last[longer] >= first[longer] + index]
        next_bits = payload[first[longer] + index].astype(np.int64)
        numbers[longer] |= next_bits << (_BITS * index)
    return numbers


def _floats(encoded: memoryview) -> Floats:
    """Decode floats, each a tag of one byte and four bytes."""
    return np.ascontiguousarray(np.frombuffer(encoded, _FLOAT)["value"])


# --- calibration ---
#
# Turns the scores of both steps into probabilities.
#
# A model is over- or underconfident: of its decisions with a score of 0.9, not nine in ten are right. Two
# logistic curves over log-odds (Platt scaling), fitted on documents that the model was not trained on,
# correct that. They are valid only for these weights, so the file beside the weights has their hashes.
# Without a file for these weights, the scores stay as they are.

CALIBRATION_FORMAT = "held.calibration"
CALIBRATION_VERSION = 1  # of the file format
_FILE = "calibration.json"
_MIN_SCORE = 1e-6  # scores are kept away from 0 and 1, whose log-odds are infinite

Curve = tuple[float, float]
"""A logistic curve: its constant, and the factor of a score's log-odds."""


class Calibration(NamedTuple):
    """The curves of the heading step (is it a heading?) and of the tree step (is its position right?)."""

    heading: Curve
    place: Curve


def calibrate(curve: Curve, score: float) -> float:
    """The probability that belongs to a score."""
    constant, weight = curve
    logit = constant + weight * log_odds(score)
    return 0.5 * (1 + math.tanh(logit / 2))  # the sigmoid, in a form that cannot overflow


def log_odds(score: float) -> float:
    """The log-odds of a score, finite even for 0 and 1."""
    clipped = min(max(score, _MIN_SCORE), 1 - _MIN_SCORE)
    return math.log(clipped / (1 - clipped))


def load_calibration(name: str | os.PathLike[str]) -> Calibration | None:
    """The calibration of a model; None if there is none for exactly its weights."""
    path = _path(name)
    if not path.is_file():
        return None
    try:
        value = read_json_value(path, "model_bytes")
        if value["format"] != CALIBRATION_FORMAT:
            raise ValueError(value["format"])
        if value["version"] != CALIBRATION_VERSION:
            return None
        if not is_shipped(path) and value["weights"] != _weights(name):
            return None
        return Calibration(_curve(value["heading"]), _curve(value["place"]))
    except (FormatError, KeyError, TypeError, ValueError, OverflowError) as error:
        raise FormatError(
            f"not a calibration: {getattr(error, 'what', repr(error))}",
            file=path,
            advice="delete it: held works without it",
        ) from error


def save_calibration(name: str | os.PathLike[str], calibration: Calibration) -> Path:
    """Write a calibration beside the model's weights and return the path of its file."""
    path = _path(name)
    value = {
        "format": CALIBRATION_FORMAT,
        "version": CALIBRATION_VERSION,
        "weights": _weights(name),
        "heading": [round(number, 4) for number in calibration.heading],
        "place": [round(number, 4) for number in calibration.place],
    }
    from held.system.atomic_write import write_file  # only training writes model files

    write_file(path, json_part(value) + b"\n")
    return path


def _path(name: str | os.PathLike[str]) -> Path:
    """The path of a model's calibration: beside the tree step, which every model has."""
    return model_path(name, ModelKind.PUT_OR_SKIP).with_name(_FILE)


def _weights(name: str | os.PathLike[str]) -> dict[str, str]:
    """The sha256 of each step's model file."""
    files = step_files(name)
    return {kind: file_sha256(path) for kind, path in files.items()}


def _curve(value: Any) -> Curve:
    constant, weight = map(float, value)
    if not (math.isfinite(constant) and math.isfinite(weight)):
        raise ValueError(value)
    return constant, weight
