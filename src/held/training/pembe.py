"""`held train pembe`: the logistic regression of the baseline, by Newton's method.

The objective is convex and has a hundred weights: a few steps over all tuples at once reach its only minimum,
so that there is nothing to seed, to resume or to stop early.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from held.baselines.pembe import FEATURES, PembeStep, Relations
from held.corpus.labelled import LabelledDocument
from held.corpus.store import data_hash, labelled_documents
from held.errors import HeldError, InputError
from held.features import table_of
from held.features.outline import outline_of
from held.features.texts import Floats
from held.insertion.oracle import examples
from held.models.store import BaselineKind, Model, npz_part
from held.training.boosted_data import object_tree
from held.training.settings import PembeSettings, plain, settings_for
from held.training.trainers import TrainingRequest, current_commit
from held.training.valid import path_scores, tree_predictions

Doubles = NDArray[np.float64]
Say = Callable[[Mapping[str, Any]], None]
_AT_ONCE = 65536


def train(request: TrainingRequest) -> Model:
    """The model that the request asks for, with its scores on valid."""
    settings = settings_for(
        PembeSettings, "pembe", preset=request.preset, config=request.config, changes=request.changes
    )
    rows, labels = tuples_of(labelled_documents(request.data, splits=["train"]))
    mean, scale = rows.mean(axis=0), rows.std(axis=0)
    scale[scale < 1e-6] = 1  # a feature that is always the same
    weights, bias = logistic_regression((rows - mean) / scale, labels, settings, say=request.say)
    parts = {"weights": weights.astype(np.float32), "bias": np.array([bias], np.float32)}
    parts |= {"mean": mean, "scale": scale}
    model = Model(
        BaselineKind.PEMBE,
        request.preset,
        {"weights.npz": npz_part(parts)},
        plain(settings) | {"features": list(FEATURES), "tuples": len(labels)},
        data_hash(request.data),
        current_commit(),
    )
    valid = list(labelled_documents(request.data, splits=["valid"]))
    return replace(model, scores=path_scores(valid, tree_predictions(PembeStep(model), valid)))


def tuples_of(documents: Iterable[LabelledDocument]) -> tuple[Floats, Floats]:
    """The features of every position of every true heading, and 1 where it belongs there."""
    found = list(_tuples(documents))
    if not found:
        raise InputError("no headings to insert", advice="check the labels of the training documents")
    return np.concatenate([rows for rows, _ in found]), np.concatenate([labels for _, labels in found])


def _tuples(documents: Iterable[LabelledDocument]) -> Iterator[tuple[Floats, Floats]]:
    for labelled in documents:
        if labelled.headings:
            outline = outline_of(table_of(labelled.document), labelled.headings)
            steps = list(examples(object_tree(labelled), labelled.headings))
            rows = Relations([outline]).features([(0, step.tree, step.obj) for step in steps])
            yield rows, np.concatenate([step.labels for step in steps]).astype(np.float32)


def logistic_regression(
    rows: Floats, labels: Floats, settings: PembeSettings, *, say: Say
) -> tuple[Doubles, float]:
    """The weights and the bias that make the labels likeliest, the squared weights being held small."""
    weights = np.zeros(rows.shape[1] + 1)
    penalty = np.append(np.full(rows.shape[1], settings.penalty), 0.0)  # the bias is free
    for step in range(1, settings.steps + 1):
        gradient, curvature, loss = _moments(rows, labels, weights)
        move = np.linalg.solve(curvature + np.diag(penalty + 1e-9), gradient + penalty * weights)
        weights -= move
        say({"step": step, "epoch": step, "batch": 0, "batches": 1, "loss": loss / len(labels)})
        if np.abs(move).max() < 1e-6:
            return weights[:-1], float(weights[-1])
    raise HeldError(
        f"logistic regression found no minimum in {settings.steps} steps",
        advice="give more steps, or a larger penalty",
    )


def _moments(rows: Floats, labels: Floats, weights: Doubles) -> tuple[Doubles, Doubles, float]:
    """The gradient, the curvature and the loss at these weights, summed a part at a time."""
    gradient, curvature, loss = np.zeros(len(weights)), np.zeros((len(weights), len(weights))), 0.0
    for start in range(0, len(rows), _AT_ONCE):
        some = rows[start : start + _AT_ONCE]
        x = np.column_stack([some, np.ones(len(some))]).astype(np.float64)
        y = labels[start : start + _AT_ONCE]
        scores = x @ weights
        p = 0.5 * (1 + np.tanh(scores / 2))  # cannot overflow
        gradient += x.T @ (p - y)
        curvature += (x * (p * (1 - p))[:, None]).T @ x
        loss += float(np.logaddexp(0, np.where(y > 0, -scores, scores)).sum())
    return gradient, curvature, loss
