"""Whole trees of documents, as the metrics judge them: for trainers, baselines and experiments.

Apart from the steps themselves, so that a product that measures nothing loads no metrics.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from held.hierarchy.document_features import Seen
from held.hierarchy.insertion import Strategy, hang_rest
from held.hierarchy.steps import Objects, TreeStep, insertions
from held.metrics import Prediction


class Placed(NamedTuple):
    """The tree of a whole document, and how many inquiries it took."""

    prediction: Prediction
    inquiries: int


def placed(
    step: TreeStep, documents: Sequence[Seen], headings: Objects | None, strategy: Strategy
) -> list[Placed]:
    """The trees of all objects: the headings are inserted and the rest hung below; for None, all inserted."""
    if headings is None:
        everything = [range(len(seen)) for seen in documents]
        built = insertions(step, documents, everything, strategy)
        return [Placed(Prediction.one_step(found.tree), found.inquiries) for found in built]
    built = insertions(step, documents, headings, strategy)
    whole = []
    for seen, own, found in zip(documents, headings, built, strict=True):
        prediction = Prediction(hang_rest(found.tree, len(seen)), frozenset(own))
        whole.append(Placed(prediction, found.inquiries))
    return whole
