from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from held.models import inference
from held.models.inference import (
    ROWS_FOR_ARRAYS,
    BoostedTrees,
    TreeArrays,
    decode_natively,
    load_trees,
    native_scorer,
    pack_trees,
    session,
    tree_arrays,
    unpack_natively,
)
from held.models.store import ModelKind, load_model
from held.models.tree_file import native_trees
from held.system import NATIVE_VARIABLE

ONNX = {kind: load_model("base", kind).parts["trees.onnx"] for kind in ModelKind}
SHIPPED = ONNX[ModelKind.HEADINGS]


def arrays_of(onnx: bytes) -> TreeArrays:
    found = tree_arrays(onnx)
    assert found is not None
    return found


def rows_at_thresholds(trees: TreeArrays, count: int) -> NDArray[np.float32]:
    """Rows that lie on, below and above the numbers at which trees split, some of them no numbers at all."""
    chance = np.random.default_rng(count)
    shape = (count, trees.width)
    rows = chance.choice(trees.threshold, shape) + chance.choice([-0.1, 0, 0.1], shape)
    strange = chance.choice([np.nan, np.inf, -np.inf], shape)
    return np.where(chance.random(shape) < 0.02, strange, rows).astype(np.float32)


@pytest.mark.parametrize("count", [1, 2, 7, 64, 300])
@pytest.mark.parametrize("kind", list(ModelKind))
def test_arrays_give_every_bit_that_the_runtime_gives(kind: ModelKind, count: int) -> None:
    trees = arrays_of(ONNX[kind])
    rows = rows_at_thresholds(trees, count)
    (expected,) = session(ONNX[kind]).run(None, {"features": rows})
    assert trees.score(rows).tolist() == expected[:, 0].tolist()


@pytest.mark.parametrize("count", [1, 7, 15, 16, 17, 300])
@pytest.mark.parametrize("kind", list(ModelKind))
def test_native_trees_give_every_bit_that_arrays_give(kind: ModelKind, count: int) -> None:
    trees = arrays_of(ONNX[kind])
    score = native_scorer(trees)
    if score is None:
        pytest.skip("the native trees are not built, or switched off")
    rows = rows_at_thresholds(trees, count)
    assert score(rows).tobytes() == trees.score(rows).tobytes()


@pytest.mark.parametrize("kind", list(ModelKind))
def test_trees_decoded_in_c_give_every_bit_that_arrays_give(kind: ModelKind) -> None:
    trees = arrays_of(ONNX[kind])
    decoded = decode_natively(ONNX[kind])
    if decoded is None:
        pytest.skip("the native trees are not built, or switched off")
    width, score = decoded
    rows = rows_at_thresholds(trees, 300)
    assert width == trees.width
    assert score(rows).tobytes() == trees.score(rows).tobytes()


@pytest.mark.parametrize("column", ["roots", "feature", "below", "above"])
@pytest.mark.parametrize("index", [-1, 1 << 30])
def test_native_trees_refuse_what_leads_outside(column: str, index: int) -> None:
    trees = arrays_of(SHIPPED)
    damaged = getattr(trees, column).copy()
    damaged[0] = index
    if native_scorer(trees) is None:
        pytest.skip("the native trees are not built, or switched off")
    with pytest.raises(ValueError, match="outside"):
        native_scorer(trees._replace(**{column: damaged}))


def chain(splits: int) -> TreeArrays:
    """One tree whose splits each have a leaf below and the next split above; leaf k has the value k."""
    nodes = np.arange(2 * splits + 1)
    is_split = (nodes % 2 == 0) & (nodes < 2 * splits)
    return TreeArrays(
        width=1,
        roots=np.zeros(1, np.int64),
        feature=np.zeros(len(nodes), np.int64),
        threshold=(nodes // 2).astype(np.float32),
        below=np.where(is_split, nodes + 1, nodes),
        above=np.where(is_split, nodes + 2, nodes),
        value=(nodes // 2).astype(np.float32),
    )


def test_native_trees_hold_as_many_leaves_as_a_mask_has_bits() -> None:
    score = native_scorer(chain(31))
    if score is None:
        pytest.skip("the native trees are not built, or switched off")
    rows = np.array([[-1], [0], [0.5], [29.5], [30], [31], [np.nan]], np.float32)
    assert score(rows).tolist() == [0, 0, 1, 30, 30, 31, 31]


def test_larger_trees_are_left_to_the_runtime() -> None:
    assert native_scorer(chain(32)) is None


@pytest.mark.parametrize(
    "graph",
    [
        b"",
        b"\xff" * 100,
        SHIPPED[:-100],
        SHIPPED.replace(b"BRANCH_LEQ", b"BRANCH_GTE"),
        SHIPPED.replace(b"n_targets\x18\x01", b"n_targets\x18\x02"),
        SHIPPED.replace(b"target_weights", b"target_weighty"),
    ],
    ids=["nothing", "noise", "cut", "another split", "two targets", "another attribute"],
)
def test_any_other_graph_is_left_to_the_runtime(graph: bytes) -> None:
    assert tree_arrays(graph) is None
    assert decode_natively(graph) is None


@pytest.mark.parametrize("seed", range(40))
def test_a_damaged_graph_is_refused_or_goes_down_to_leaves(seed: int) -> None:
    chance = np.random.default_rng(seed)
    damaged = bytearray(SHIPPED)
    for place in chance.integers(0, len(damaged), 30).tolist():
        damaged[place] = int(chance.integers(256))
    found = tree_arrays(bytes(damaged))
    if found is None:
        assert decode_natively(bytes(damaged)) is None
        return
    rows = np.zeros((3, found.width), np.float32)
    scores = found.score(rows)
    assert len(scores) == 3
    try:
        decoded = decode_natively(bytes(damaged))
    except ValueError:  # a split that leads to itself
        return
    assert decoded is None or decoded[1](rows).tobytes() == scores.tobytes()


def test_trees_without_nodes_are_left_to_the_runtime() -> None:
    native = native_trees()
    if native is None:
        pytest.skip("the native trees are not built, or switched off")
    assert native.decode(3, *[memoryview(b"")] * 10) is None


def packed_trees() -> bytes:
    packed = pack_trees(SHIPPED)
    if packed is None:
        pytest.skip("the native trees are not built, or switched off")
    return packed


def test_packed_trees_give_every_bit_that_the_graph_gives() -> None:
    unpacked = unpack_natively(packed_trees())
    assert unpacked is not None
    width, score = unpacked
    rows = rows_at_thresholds(arrays_of(SHIPPED), 100)
    assert width == rows.shape[1]
    assert score(rows).tobytes() == arrays_of(SHIPPED).score(rows).tobytes()


@pytest.mark.parametrize("kind", list(ModelKind))
def test_the_shipped_graphs_and_their_packed_trees_are_the_same(kind: ModelKind) -> None:
    packed_trees()
    model = load_model("base", kind)
    graphs = [name for name in model.parts if name.endswith(".onnx")]
    assert graphs
    for name in graphs:
        assert model.packed_trees(name) == pack_trees(model.parts[name])


@pytest.mark.parametrize("cut", [0, 3, 11, 12, 13, 500, -1])
def test_packed_trees_that_are_cut_are_left_to_the_graph(cut: int) -> None:
    assert unpack_natively(packed_trees()[:cut]) is None


def test_packed_trees_of_another_order_of_bytes_are_left_to_the_graph() -> None:
    packed = packed_trees()
    assert unpack_natively(packed[3::-1] + packed[4:]) is None


@pytest.mark.parametrize("seed", range(40))
def test_damaged_packed_trees_are_refused_or_score_rows(seed: int) -> None:
    chance = np.random.default_rng(seed)
    damaged = bytearray(packed_trees())
    for place in chance.integers(12, len(damaged), 3).tolist():
        damaged[place] = int(chance.integers(256))
    unpacked = unpack_natively(bytes(damaged))
    if unpacked is not None:
        width, score = unpacked
        assert len(score(np.zeros((3, width), np.float32))) == 3


def test_without_the_native_trees_the_graph_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    model = load_model("base", ModelKind.HEADINGS)
    rows = rows_at_thresholds(arrays_of(SHIPPED), 20)
    expected = load_trees(model, "trees.onnx").score(rows)
    monkeypatch.setenv(NATIVE_VARIABLE, "off")
    assert load_trees(model, "trees.onnx").score(rows).tobytes() == expected.tobytes()


def test_the_runtime_is_loaded_when_there_are_rows_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    loaded: list[bytes] = []

    def load(onnx: bytes) -> Any:
        loaded.append(onnx)
        return session(onnx)

    monkeypatch.setattr(inference, "session", load)
    monkeypatch.setenv(NATIVE_VARIABLE, "off")
    trees = BoostedTrees(SHIPPED)
    rows = rows_at_thresholds(arrays_of(SHIPPED), ROWS_FOR_ARRAYS)
    first = trees.score(rows)
    assert loaded == []
    assert trees.score(rows).tolist() == first.tolist()
    assert loaded == [SHIPPED]
