"""Boosted trees in files of their own: the models of the layout."""

from pathlib import Path

import numpy as np
import pytest

from held.layout.tables import borderless
from held.models.inference import BoostedTrees, pack_trees
from held.models.tree_file import PACKED_SUFFIX, load_scorer, native_trees, write_graph
from held.system import NATIVE_VARIABLE

FOLDER = Path(borderless.__file__).parent
GRAPHS = [FOLDER / name for name in (borderless.IN_TABLE_FILE, borderless.BEGINS_FILE)]

each_graph = pytest.mark.parametrize("graph", GRAPHS, ids=lambda path: path.stem)


def some_rows(graph: Path) -> list[list[float]]:
    chance = np.random.default_rng(7)
    rows: list[list[float]] = chance.normal(0, 5, (50, BoostedTrees(graph.read_bytes()).width)).tolist()
    return rows


@each_graph
def test_the_packed_trees_are_those_of_the_graph(graph: Path) -> None:
    if native_trees() is None:
        pytest.skip("the native trees are not built, or switched off")
    assert graph.with_suffix(PACKED_SUFFIX).read_bytes() == pack_trees(graph.read_bytes())


@each_graph
def test_scores_are_the_same_with_and_without_the_native_trees(
    graph: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = some_rows(graph)
    scores = load_scorer(graph)(rows)
    monkeypatch.setenv(NATIVE_VARIABLE, "off")
    assert load_scorer(graph)(rows) == scores


def test_rows_of_another_width_are_refused() -> None:
    if native_trees() is None:
        pytest.skip("the native trees are not built, or switched off")
    with pytest.raises(ValueError, match="3 numbers"):
        load_scorer(GRAPHS[0])([[1.0, 2.0, 3.0]])


def test_a_graph_is_written_with_its_packed_trees(tmp_path: Path) -> None:
    if native_trees() is None:
        pytest.skip("the native trees are not built, or switched off")
    copy = tmp_path / "copy.onnx"
    write_graph(copy, GRAPHS[0].read_bytes())
    rows = some_rows(GRAPHS[0])
    assert load_scorer(copy)(rows) == load_scorer(GRAPHS[0])(rows)
