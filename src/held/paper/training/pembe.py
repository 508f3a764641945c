"""`held train pembe`: the logistic regression of the baseline, by scikit-learn.

The objective is convex and has about a hundred weights. A few steps of Newton's method over all tuples reach
its only minimum, so there is no seed, no checkpoint and no early stopping.
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
from held.headings import Floats
from held.headings.object_features import object_features
from held.hierarchy.heading_features import heading_features
from held.hierarchy.oracle import examples
from held.models.store import BaselineKind, Model, npz_part
from held.paper.pembe import FEATURES, PembeStep, Relations
from held.training.boosted_data import object_tree
from held.training.evaluation import path_scores, tree_predictions
from held.training.settings import PembeSettings, plain, settings_for
from held.training.trainers import TrainingRequest, current_commit, document_weights, excluded_headings

Doubles = NDArray[np.float64]
_MIN_DEVIATION = 1e-6  # a feature with a smaller standard deviation counts as constant
_TOLERANCE = 1e-6  # the minimum is reached when the gradient is smaller


class Tuples(NamedTuple):
    """One row per position: its features, its label (1 if the heading belongs there) and its weight."""

    rows: Floats
    labels: Floats
    weights: Floats


def train(request: TrainingRequest) -> Model:
    """Train the requested model; its scores are those on the valid split."""
    settings = settings_for(
        PembeSettings, "pembe", preset=request.preset, config=request.config, changes=request.changes
    )
    tuples = tuples_of(labelled_documents(request.data, splits=["train"]), settings)
    request.log({"doing": f"{len(tuples.labels):,} positions, {int(tuples.labels.sum()):,} headings"})
    model = fit(tuples, settings, preset=request.preset, data_hash=data_hash(request.data))
    valid = list(labelled_documents(request.data, splits=["valid"]))
    predictions = tree_predictions(PembeStep(model), valid)
    return replace(model, scores=path_scores(valid, predictions))


def fit(tuples: Tuples, settings: PembeSettings, *, preset: str = "paper", data_hash: str = "") -> Model:
    """The model of these tuples, without scores."""
    mean, scale = tuples.rows.mean(axis=0), tuples.rows.std(axis=0)
    scale[scale < _MIN_DEVIATION] = 1
    standardised = tuples._replace(rows=(tuples.rows - mean) / scale)
    weights, bias = logistic_regression(standardised, settings)
    parts = {
        "weights": weights.astype(np.float32),
        "bias": np.array([bias], np.float32),
        "mean": mean,
        "scale": scale,
    }
    return Model(
        BaselineKind.PEMBE,
        preset,
        {"weights.npz": npz_part(parts)},
        plain(settings) | {"features": list(FEATURES), "tuples": len(tuples.labels)},
        data_hash,
        current_commit(),
    )


def tuples_of(documents: Iterable[LabelledDocument], settings: PembeSettings) -> Tuples:
    """The positions of every true heading whose parent is known."""
    by_document: list[_DocumentTuples] = []
    for labelled in documents:
        document = _document_tuples(labelled, settings)
        if document is not None:
            by_document.append(document)
    if not by_document:
        raise InputError("no headings to insert", advice="check the labels of the training documents")
    counts = [len(document.labels) for document in by_document]
    weights = np.repeat(document_weights(by_document, settings), counts)
    return Tuples(
        np.concatenate([document.rows for document in by_document]),
        np.concatenate([document.labels for document in by_document]),
        weights.astype(np.float32),
    )


class _DocumentTuples(NamedTuple):
    """The tuples of a document, before they are weighted."""

    domain: str
    headings: tuple[int, ...]
    rows: Floats
    labels: Floats


def _document_tuples(labelled: LabelledDocument, settings: PembeSettings) -> _DocumentTuples | None:
    excluded = excluded_headings(labelled, settings)
    insertions = examples(object_tree(labelled), labelled.headings)
    steps = [step for step in insertions if step.obj not in excluded]
    if not steps:
        return None
    outline = heading_features(object_features(labelled.document), labelled.headings)
    rows = Relations([outline]).features([(0, step.tree, step.obj) for step in steps])
    labels = np.concatenate([step.labels for step in steps]).astype(np.float32)
    return _DocumentTuples(labelled.domain, labelled.headings, rows, labels)


def logistic_regression(tuples: Tuples, settings: PembeSettings) -> tuple[Doubles, float]:
    """The weights and the bias of the logistic regression with an L2 penalty."""
    # scikit-learn's C weights the loss instead of the penalty.
    loss_weight = 1 / settings.penalty if settings.penalty else np.inf
    solver = LogisticRegression(
        C=loss_weight, solver="newton-cholesky", tol=_TOLERANCE, max_iter=settings.steps
    )
    with warnings.catch_warnings():
        warnings.simplefilter("error", ConvergenceWarning)
        try:
            # The minimum is flat, so single precision would not find it.
            solver.fit(tuples.rows.astype(np.float64), tuples.labels, sample_weight=tuples.weights)
        except ConvergenceWarning as warning:
            raise HeldError(
                f"logistic regression found no minimum in {settings.steps} steps",
                advice="give more steps, or a larger penalty",
            ) from warning
    return solver.coef_[0], float(solver.intercept_[0])
