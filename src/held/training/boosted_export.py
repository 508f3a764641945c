"""LightGBM's trees as an ONNX graph, so that they run without LightGBM and give the same numbers.

Features are 32-bit floats while LightGBM's thresholds are doubles: each is rounded down to the nearest
32-bit float, which decides every `x <= threshold` as before.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from typing import Any

import numpy as np

_ATTRIBUTES = ("treeids", "nodeids", "featureids", "values", "modes", "truenodeids", "falsenodeids")


def to_onnx(booster: Any) -> bytes:
    """The booster's raw scores as an ONNX model: `features` (N, F) in, `score` (N, 1) out."""
    nodes: dict[str, list[Any]] = {f"nodes_{name}": [] for name in _ATTRIBUTES}
    leaves: dict[str, list[Any]] = {"target_treeids": [], "target_nodeids": [], "target_weights": []}
    dump = booster.dump_model()
    for tree, info in enumerate(dump["tree_info"]):
        _add_tree(tree, info["tree_structure"], nodes, leaves)
    leaves["target_ids"] = [0] * len(leaves["target_nodeids"])
    return _model({**nodes, **leaves}, len(dump["feature_names"]))


def join_trees(first: bytes, second: bytes) -> bytes:
    """The trees of both models as one: it gives the sum of their scores."""
    import onnx

    one, other = (onnx.load_from_string(model).graph for model in (first, second))
    trees, further = _attributes(one), _attributes(other)
    # The trees of the second are numbered on from those of the first.
    offset = max(trees["nodes_treeids"], default=-1) + 1
    attributes: dict[str, list[Any]] = {}
    for name in sorted(trees.keys() - {"n_targets"}):
        added = further[name]
        if name.endswith("_treeids"):
            added = [tree + offset for tree in added]
        attributes[name] = [*trees[name], *added]
    return _model(attributes, _width(one))


def average_trees(models: Sequence[bytes]) -> bytes:
    """The trees of all models as one: it gives the mean of their scores."""
    first, *others = (_scaled(model, 1 / len(models)) for model in models)
    return reduce(join_trees, others, first)


def _scaled(model: bytes, share: float) -> bytes:
    """The model with a share of its scores."""
    import onnx

    graph = onnx.load_from_string(model).graph
    attributes = _attributes(graph)
    attributes["target_weights"] = [share * weight for weight in attributes["target_weights"]]
    return _model({name: values for name, values in attributes.items() if name != "n_targets"}, _width(graph))


def _width(graph: Any) -> int:
    """How many features a graph takes."""
    return int(graph.input[0].type.tensor_type.shape.dim[1].dim_value)


def _attributes(graph: Any) -> dict[str, Any]:
    """The attributes of the only node of a graph, the ensemble, by their names."""
    import onnx

    (ensemble,) = graph.node
    return {found.name: onnx.helper.get_attribute_value(found) for found in ensemble.attribute}


def _model(attributes: dict[str, list[Any]], features: int) -> bytes:
    """The ONNX model of an ensemble with these attributes."""
    from onnx import TensorProto, helper

    everything: dict[str, Any] = {"n_targets": 1, **attributes}
    node = helper.make_node(
        "TreeEnsembleRegressor", ["features"], ["score"], domain="ai.onnx.ml", **everything
    )
    graph = helper.make_graph(
        [node],
        "trees",
        [helper.make_tensor_value_info("features", TensorProto.FLOAT, [None, features])],
        [helper.make_tensor_value_info("score", TensorProto.FLOAT, [None, 1])],
    )
    opsets = [helper.make_opsetid("ai.onnx.ml", 3), helper.make_opsetid("", 17)]
    model = helper.make_model(graph, opset_imports=opsets, producer_name="held")
    model.ir_version = 8
    return bytes(model.SerializeToString())


def _add_tree(
    tree: int, root: dict[str, Any], nodes: dict[str, list[Any]], leaves: dict[str, list[Any]]
) -> None:
    """Adds a tree's nodes, numbered from its root on."""
    waiting = [root]
    count = 1
    for number, node in enumerate(waiting):  # grows while it is gone through: breadth first
        if "leaf_value" in node:
            row = (tree, number, 0, 0.0, "LEAF", 0, 0)
            leaves["target_treeids"].append(tree)
            leaves["target_nodeids"].append(number)
            leaves["target_weights"].append(float(node["leaf_value"]))
        else:
            if node["decision_type"] != "<=" or node["missing_type"] != "None":
                raise ValueError(f"a split {node['decision_type']} with missing {node['missing_type']}")
            threshold = round_down(node["threshold"])
            row = (tree, number, node["split_feature"], threshold, "BRANCH_LEQ", count, count + 1)
            waiting += [node["left_child"], node["right_child"]]
            count += 2
        for name, value in zip(_ATTRIBUTES, row, strict=True):
            nodes[f"nodes_{name}"].append(value)


def round_down(threshold: float) -> float:
    """The largest 32-bit float that is not above the threshold."""
    nearest = np.float32(threshold)
    return float(nearest if float(nearest) <= threshold else np.nextafter(nearest, np.float32(-np.inf)))
