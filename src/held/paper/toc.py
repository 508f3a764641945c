"""The baseline `toc` at work: a network labels every object with its depth, 0 for body.

docs/research/baselines.md describes it.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from held.document import Document
from held.hierarchy.insertion import attach_body
from held.metrics import Prediction
from held.models.store import Model
from held.paper.network_inputs import Floats
from held.paper.network_models import WindowLabeller
from held.paper.rank_trees import tree_of_ranks


def toc_predictions(
    model: Model,
    documents: Sequence[Document],
    headings: Sequence[Sequence[int]] | None = None,
    *,
    threads: int = 1,
) -> list[Prediction]:
    """The trees of the headings that the network labels itself, or of those that are given."""
    labeller = WindowLabeller(model, threads=threads)
    found = [labeller.labels(document) for document in documents]
    if headings is None:
        return [prediction_of_depths(probabilities) for probabilities in found]
    return [
        prediction_of_depths(probabilities, own) for probabilities, own in zip(found, headings, strict=True)
    ]


def prediction_of_depths(probabilities: Floats, headings: Sequence[int] | None = None) -> Prediction:
    """The tree that the probabilities of all depths, (N, 12), make of the objects.

    A heading that is given has its likeliest depth from 1 on, whatever speaks for body.
    """
    if headings is None:
        headings = np.flatnonzero(probabilities.argmax(1) > 0).tolist()
    depths = 1 + probabilities[list(headings), 1:].argmax(1)
    tree = tree_of_ranks(headings, depths.tolist())
    return Prediction(attach_body(tree, len(probabilities)), frozenset(headings))
