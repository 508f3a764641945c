"""`held train pembe`: the logistic regression of the baseline, by scikit-learn.

The objective is convex and has a hundred weights: a few steps of Newton's method over all tuples at once
reach its only minimum, so that there is nothing to seed, to resume or to stop early.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Iterator
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LogisticRegression

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
_STILL = 1e-6  # the spread below which a feature is taken to be always the same
_TOLERANCE = 1e-6  # of the gradient, at which the minimum counts as reached


def train(request: TrainingRequest) -> Model:
    """The model that the request asks for, with its scores on valid."""
    settings = settings_for(
        PembeSettings, "pembe", preset=request.preset, config=request.config, changes=request.changes
    )
    rows, labels = tuples_of(labelled_documents(request.data, splits=["train"]))
    request.say({"doing": f"{len(labels):,} positions, {int(labels.sum()):,} headings"})
    mean, scale = rows.mean(axis=0), rows.std(axis=0)
    scale[scale < _STILL] = 1
    weights, bias = logistic_regression((rows - mean) / scale, labels, settings)
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


def logistic_regression(rows: Floats, labels: Floats, settings: PembeSettings) -> tuple[Doubles, float]:
    """The weights and the bias that make the labels likeliest, the squared weights being held small."""
    # scikit-learn weighs the loss instead of the squared weights; doubles, for the minimum is flat.
    loss_weight = 1 / settings.penalty if settings.penalty else np.inf
    solver = LogisticRegression(
        C=loss_weight, solver="newton-cholesky", tol=_TOLERANCE, max_iter=settings.steps
    )
    with warnings.catch_warnings():
        warnings.simplefilter("error", ConvergenceWarning)
        try:
            solver.fit(rows.astype(np.float64), labels)
        except ConvergenceWarning as warning:
            raise HeldError(
                f"logistic regression found no minimum in {settings.steps} steps",
                advice="give more steps, or a larger penalty",
            ) from warning
    return solver.coef_[0], float(solver.intercept_[0])
