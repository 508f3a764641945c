"""`held train pembe`: the logistic regression of the baseline, by scikit-learn.

The objective is convex and has a hundred weights: a few steps of Newton's method over all tuples at once
reach its only minimum, so that there is nothing to seed, to resume or to stop early.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterable
from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LogisticRegression

from held.corpus.store import LabelledDocument, data_hash, labelled_documents
from held.errors import HeldError, InputError
from held.headings.columns import Floats
from held.headings.object_features import object_features
from held.hierarchy.heading_features import heading_features
from held.hierarchy.insertion.oracle import examples
from held.models.store import BaselineKind, Model, npz_part
from held.paper.pembe import FEATURES, PembeStep, Relations
from held.training.boosted_data import object_tree
from held.training.settings import PembeSettings, plain, settings_for
from held.training.trainers import TrainingRequest, current_commit, document_weights, excluded_headings
from held.training.validation import path_scores, tree_predictions

Doubles = NDArray[np.float64]
_STILL = 1e-6  # the spread below which a feature is taken to be always the same
_TOLERANCE = 1e-6  # of the gradient, at which the minimum counts as reached


class Tuples(NamedTuple):
    """The features of each position, 1 where the heading belongs there, and how much the row counts."""

    rows: Floats
    labels: Floats
    weights: Floats


def train(request: TrainingRequest) -> Model:
    """The model that the request asks for, with its scores on valid."""
    settings = settings_for(
        PembeSettings, "pembe", preset=request.preset, config=request.config, changes=request.changes
    )
    tuples = tuples_of(labelled_documents(request.data, splits=["train"]), settings)
    request.log({"doing": f"{len(tuples.labels):,} positions, {int(tuples.labels.sum()):,} headings"})
    model = fitted(tuples, settings, preset=request.preset, data_hash=data_hash(request.data))
    valid = list(labelled_documents(request.data, splits=["valid"]))
    return replace(model, scores=path_scores(valid, tree_predictions(PembeStep(model), valid)))


def fitted(tuples: Tuples, settings: PembeSettings, *, preset: str = "paper", data_hash: str = "") -> Model:
    """The model of these tuples, without scores."""
    mean, scale = tuples.rows.mean(axis=0), tuples.rows.std(axis=0)
    scale[scale < _STILL] = 1
    standardised = tuples._replace(rows=(tuples.rows - mean) / scale)
    weights, bias = logistic_regression(standardised, settings)
    parts = {"weights": weights.astype(np.float32), "bias": np.array([bias], np.float32)}
    parts |= {"mean": mean, "scale": scale}
    return Model(
        BaselineKind.PEMBE,
        preset,
        {"weights.npz": npz_part(parts)},
        plain(settings) | {"features": list(FEATURES), "tuples": len(tuples.labels)},
        data_hash,
        current_commit(),
    )


def tuples_of(documents: Iterable[LabelledDocument], settings: PembeSettings) -> Tuples:
    """The positions of every true heading whose place can be taught."""
    found = [taught for labelled in documents if (taught := _taught(labelled, settings)) is not None]
    if not found:
        raise InputError("no headings to insert", advice="check the labels of the training documents")
    counts = [len(taught.labels) for taught in found]
    return Tuples(
        np.concatenate([taught.rows for taught in found]),
        np.concatenate([taught.labels for taught in found]),
        np.repeat(document_weights(found, settings), counts).astype(np.float32),
    )


class _Taught(NamedTuple):
    """What a document teaches, before it is weighed against the others."""

    domain: str
    headings: tuple[int, ...]
    rows: Floats
    labels: Floats


def _taught(labelled: LabelledDocument, settings: PembeSettings) -> _Taught | None:
    left_out = excluded_headings(labelled, settings)
    each = examples(object_tree(labelled), labelled.headings)
    steps = [step for step in each if step.obj not in left_out]
    if not steps:
        return None
    outline = heading_features(object_features(labelled.document), labelled.headings)
    rows = Relations([outline]).features([(0, step.tree, step.obj) for step in steps])
    labels = np.concatenate([step.labels for step in steps]).astype(np.float32)
    return _Taught(labelled.domain, labelled.headings, rows, labels)


def logistic_regression(tuples: Tuples, settings: PembeSettings) -> tuple[Doubles, float]:
    """The weights and the bias that make the labels likeliest, the squared weights being held small."""
    # scikit-learn weighs the loss instead of the squared weights; doubles, for the minimum is flat.
    loss_weight = 1 / settings.penalty if settings.penalty else np.inf
    solver = LogisticRegression(
        C=loss_weight, solver="newton-cholesky", tol=_TOLERANCE, max_iter=settings.steps
    )
    with warnings.catch_warnings():
        warnings.simplefilter("error", ConvergenceWarning)
        try:
            solver.fit(tuples.rows.astype(np.float64), tuples.labels, sample_weight=tuples.weights)
        except ConvergenceWarning as warning:
            raise HeldError(
                f"logistic regression found no minimum in {settings.steps} steps",
                advice="give more steps, or a larger penalty",
            ) from warning
    return solver.coef_[0], float(solver.intercept_[0])
