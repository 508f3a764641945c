"""Growing boosted trees with LightGBM, also on top of existing ones."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from held.headings import Floats
from held.models.inference import BoostedTrees
from held.models.store import Model
from held.training.boosted_data import OutlineWeights, TrainingRows
from held.training.boosted_export import join_trees, to_onnx

Log = Callable[[str], None]
_LOG_EVERY_TREES = 50  # grown between two lines of the log


def discard_log(_message: str) -> None:
    """A log that drops its messages."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TreeSettings:
    """LightGBM settings; most regularise, which matters most if documents are few."""

    trees: int = 200  # rounds of boosting
    leaves: int = 31  # of a tree at most; the C scorer takes up to 32
    learning_rate: float = 0.09  # of each tree's correction
    smallest_leaf: int = 80  # rows of a leaf at least
    features_share: float = 0.35  # drawn for each tree
    rows_share: float = 0.8  # drawn for each tree
    l2: float = 10.0  # penalty of the leaves' values
    bins: int = 63  # values that a feature is rounded to
    seed: int = 0
    members: int = 1  # models with consecutive seeds, whose scores are averaged
    threads: int = 1  # of LightGBM
    hidden: str = ""  # features to leave out: a regular expression for their names
    scanned: float = 0.0  # the share of the documents to train on as scans as well
    silver: float = 1.0  # the weight of documents whose outline was guessed; 0 leaves them out
    complete: float = 1.0  # the weight of documents of which a person wrote down every heading
    read: float = 1.0  # the weight of documents of which a language model did

    @property
    def outline_weights(self) -> OutlineWeights:
        """How much documents count by where their outline comes from."""
        return OutlineWeights(self.silver, self.complete, self.read)


def grow_from(
    start: Model | None,
    rows: TrainingRows,
    settings: TreeSettings,
    *,
    names: Sequence[str] = (),
    compete: bool = False,
    part: str = "trees.onnx",
    log: Log = discard_log,
) -> bytes:
    """New trees as ONNX, appended to those in a part of the model to start from, if there is one."""
    if start is None:
        return to_onnx(grow(rows, settings, names=names, compete=compete, log=log))
    old = start.parts[part]
    trees = BoostedTrees(old)
    # Features that the model does not know come last: its new trees do without them, too.
    rows = rows._replace(features=np.ascontiguousarray(rows.features[:, : trees.width]))
    scores = trees.score(rows.features)
    grown = grow(rows, settings, names=names[: trees.width], compete=compete, scores=scores, log=log)
    return join_trees(old, to_onnx(grown))


def grow(
    rows: TrainingRows,
    settings: TreeSettings,
    *,
    names: Sequence[str] = (),
    compete: bool = False,
    scores: Floats | None = None,
    log: Log = discard_log,
) -> Any:
    """Trains a LightGBM booster; with `compete`, rows that are counted together share one softmax.

    `scores` are those of existing trees, which the new ones add to. `names` are those of the features.
    """
    import lightgbm

    parameters: dict[str, Any] = {
        "objective": softmax_objective(rows) if compete else "binary",
        "num_leaves": settings.leaves,
        "learning_rate": settings.learning_rate,
        "min_data_in_leaf": settings.smallest_leaf,
        "feature_fraction": settings.features_share,
        "bagging_fraction": settings.rows_share,
        "bagging_freq": 1,
        "lambda_l2": settings.l2,
        "max_bin": settings.bins,
        "num_threads": settings.threads,
        "seed": settings.seed,
        "deterministic": True,
        "force_row_wise": True,
        "boost_from_average": False,  # ONNX trees start from 0
        "use_missing": False,
        "verbose": -1,
    }
    if settings.hidden:
        is_hidden = [re.search(settings.hidden, name) is not None for name in names]
        parameters["feature_contri"] = [0.0 if hidden else 1.0 for hidden in is_hidden]
    data = lightgbm.Dataset(rows.features, rows.labels, weight=rows.weights, init_score=scores)

    def report(stage: Any) -> None:
        grown = stage.iteration + 1
        if grown % _LOG_EVERY_TREES == 0:
            log(f"{grown} of {settings.trees} trees")

    return lightgbm.train(parameters, data, settings.trees, callbacks=[report])


def softmax_objective(rows: TrainingRows) -> Callable[[Any, Any], tuple[Any, Any]]:
    """The gradients of one cross-entropy per segment, that is, per run of rows that compete."""
    starts = np.cumsum(rows.counts) - rows.counts
    segment = np.repeat(np.arange(len(rows.counts)), rows.counts)

    def gradients(scores: Any, _data: Any) -> tuple[Any, Any]:
        # The highest score of a segment is subtracted first, so that no exponential overflows.
        highest = np.maximum.reduceat(scores, starts)[segment]
        raised = np.exp(scores - highest)
        probability = raised / np.add.reduceat(raised, starts)[segment]
        gradient = probability - rows.labels
        hessian = np.maximum(2 * probability * (1 - probability), 1e-6)  # LightGBM divides by it
        return gradient * rows.weights, hessian * rows.weights

    return gradients
