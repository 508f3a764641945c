"""Whole trees of documents, as the metrics judge them: for trainers, baselines and experiments.

Apart from the steps themselves, so that a product that measures nothing loads no metrics.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from held.headings.object_features import DocumentFeatures
from held.hierarchy.insertion import Strategy, attach_body
from held.hierarchy.steps import Objects, TreeStep, insert_objects
from held.metrics import Prediction


class Placed(NamedTuple):
    """The tree of a whole document, and how many inquiries it took."""

    prediction: Prediction
    inquiries: int


def placed(
    step: TreeStep, documents: Sequence[DocumentFeatures], headings: Objects | None, strategy: Strategy
) -> list[Placed]:
    """The trees of all objects: the headings are inserted and the rest hung below; for None, all inserted."""
    if headings is None:
        everything = [range(len(seen)) for seen in documents]
        built = insert_objects(step, documents, everything, strategy)
        return [Placed(Prediction.one_step(found.tree), found.inquiries) for found in built]
    built = insert_objects(step, documents, headings, strategy)
    whole = []
    for seen, own, found in zip(documents, headings, built, strict=True):
        prediction = Prediction(attach_body(found.tree, len(seen)), frozenset(own))
        whole.append(Placed(prediction, found.inquiries))
    return whole
