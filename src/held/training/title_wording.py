"""Fits what the wording of titles says (`held.headings.title_wording`) to labelled documents.

A document is never described by a model that has seen its group: its own titles would give the labels away.
"""

from __future__ import annotations

from collections import Counter

import numpy as np
from numpy.typing import NDArray

from held.headings.columns import Floats
from held.headings.title_wording import PIECES, WORDING_FEATURES, TitleWording, title_pieces
from held.training.boosted_data import Documents, TrainingDocument, assign_folds
from held.training.trainers import domain_weights, length_weight

_FOLDS = 5
_L2 = 3.0  # of the ridge regression, with documents of 100 headings weighing 1
_MIN_HEADINGS = 8  # of a document: with fewer, levels say little
_COMPLETE_WEIGHT = 3.0  # of documents whose outline lists every heading
_POWER, _BALANCE = 0.5, 0.5  # as in the trees: see `held.training.trainers.WeightSettings`


def fit_wording(documents: Documents) -> TitleWording:
    """What the documents' titles suggest of their sections; copies and short documents are left out."""
    from scipy.sparse import csr_matrix
    from sklearn.linear_model import Ridge

    learnt = [d for d in documents if not d.restyled and len(d.headings) >= _MIN_HEADINGS]
    width = len(WORDING_FEATURES)
    if not learnt:
        return TitleWording(np.zeros((PIECES, width), np.float32), np.zeros(width, np.float32))
    titles = [document.table.bare_keys[h] for document in learnt for h in document.headings]
    pieces = title_pieces(titles)
    shares = np.repeat(1 / np.sqrt(np.maximum(pieces.counts, 1)), pieces.counts)
    bounds = np.concatenate([[0], np.cumsum(pieces.counts)])
    rows = csr_matrix((shares.astype(np.float32), pieces.hashes, bounds), shape=(len(titles), PIECES))
    targets = np.concatenate([_targets(document) for document in learnt])
    weights = np.repeat(_weights(learnt), [len(document.headings) for document in learnt])
    ridge = Ridge(alpha=_L2, solver="sparse_cg", tol=1e-3)
    ridge.fit(rows, targets, sample_weight=weights)
    weights_of_pieces = np.ascontiguousarray(ridge.coef_.T, np.float32)
    return TitleWording(weights_of_pieces, np.asarray(ridge.intercept_, np.float32))


def unseen_wordings(documents: Documents) -> list[TitleWording]:
    """For each document a model that was fitted without its group."""
    fold_of = assign_folds(documents, _FOLDS, seed=2)
    in_folds = list(zip(documents, fold_of.tolist(), strict=True))
    wordings = [fit_wording([d for d, own in in_folds if own != fold]) for fold in range(_FOLDS)]
    return [wordings[fold] for _, fold in in_folds]


def _targets(document: TrainingDocument) -> NDArray[np.float64]:
    """The level of each heading and the logarithm of the headings below it, against the document's means."""
    paths = document.tree.paths()
    headings = document.headings
    levels = [len(paths[heading]) for heading in headings]
    inner = Counter(above for heading in headings for above in paths[heading][:-1])
    logs = np.log1p([inner[heading] for heading in headings])
    targets = np.column_stack([levels, logs]).astype(np.float64)
    return np.asarray(targets - targets.mean(axis=0), np.float64)


def _weights(documents: Documents) -> Floats:
    weight_of_domain = domain_weights(documents, _BALANCE)
    weights = []
    for document in documents:
        weight = weight_of_domain[document.domain] * length_weight(len(document.headings), _POWER)
        weights.append(weight * _COMPLETE_WEIGHT if document.complete else weight)
    return np.array(weights, np.float32)
