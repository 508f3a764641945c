"""Exports LightGBM's trees to ONNX, so that they run without LightGBM and give the same scores.

Features are 32-bit floats while LightGBM's thresholds are doubles. Each threshold is rounded down to a
32-bit float, so that every comparison `x <= threshold` has the same result.
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
    """One model with the trees of both; its score is the sum of theirs."""
    import onnx

    one, other = (onnx.load_from_string(model).graph for model in (first, second))
    trees, new_trees = _attributes(one), _attributes(other)
    # Tree numbers of the second model follow those of the first.
    offset = max(trees["nodes_treeids"], default=-1) + 1
    attributes: dict[str, list[Any]] = {}
    for name in sorted(trees.keys() - {"n_targets"}):
        added = new_trees[name]
        if name.endswith("_treeids"):
            added = [tree + offset for tree in added]
        attributes[name] = [*trees[name], *added]
    return _model(attributes, _feature_count(one))


def average_trees(models: Sequence[bytes]) -> bytes:
    """One model with the trees of all; its score is the mean of theirs."""
    weight = 1 / len(models)
    first, *others = (_scale(model, weight) for model in models)
    return reduce(join_trees, others, first)


def _scale(model: bytes, factor: float) -> bytes:
    """The model with its scores multiplied by a factor."""
    import onnx

    graph = onnx.load_from_string(model).graph
    attributes = _attributes(graph)
    attributes["target_weights"] = [factor * weight for weight in attributes["target_weights"]]
    del attributes["n_targets"]
    return _model(attributes, _feature_count(graph))


def _feature_count(graph: Any) -> int:
    return int(graph.input[0].type.tensor_type.shape.dim[1].dim_value)


def _attributes(graph: Any) -> dict[str, Any]:
    """The attributes of the tree ensemble by name."""
    import onnx

    (ensemble,) = graph.node  # the only node of the graph
    return {found.name: onnx.helper.get_attribute_value(found) for found in ensemble.attribute}


def _model(attributes: dict[str, list[Any]], features: int) -> bytes:
    from onnx import TensorProto, helper

    all_attributes: dict[str, Any] = {"n_targets": 1, **attributes}
    node = helper.make_node(
        "TreeEnsembleRegressor", ["features"], ["score"], domain="ai.onnx.ml", **all_attributes
    )
    inputs = helper.make_tensor_value_info("features", TensorProto.FLOAT, [None, features])
    outputs = helper.make_tensor_value_info("score", TensorProto.FLOAT, [None, 1])
    graph = helper.make_graph([node], "trees", [inputs], [outputs])
    opsets = [helper.make_opsetid("ai.onnx.ml", 3), helper.make_opsetid("", 17)]
    model = helper.make_model(graph, opset_imports=opsets, producer_name="held")
    model.ir_version = 8
    return bytes(model.SerializeToString())


def _add_tree(
    tree: int, root: dict[str, Any], nodes: dict[str, list[Any]], leaves: dict[str, list[Any]]
) -> None:
    """Adds a tree's nodes, numbered breadth first from its root."""
    waiting = [root]
    count = 1
    for number, node in enumerate(waiting):  # `waiting` grows during the loop
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
    if float(nearest) > threshold:
        nearest = np.nextafter(nearest, np.float32(-np.inf))
    return float(nearest)
