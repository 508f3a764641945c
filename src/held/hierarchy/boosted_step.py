"""The tree step of preset `boosted`: boosted trees score the positions of a heading.

The scores of a branch's positions go through one softmax, after constraints have taken their penalties off.
Further trees, if the model has them, check each heading of the finished tree.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from held.headings import Floats
from held.headings.object_features import FEATURES_VERSION, DocumentFeatures
from held.headings.text_features import WORDING_PART, TitleWording, read_wording
from held.hierarchy.constraints import CONSTRAINTS, Constraint, ConstraintChecker
from held.hierarchy.heading_features import HeadingFeatures, heading_features
from held.hierarchy.insertion import Insertion, Objects, Question
from held.hierarchy.position_features import PositionFeatures, Positions
from held.hierarchy.tree_check import CHECK_PART, TreeChecker, parent_rows
from held.models.inference import BoostedTrees, load_trees, sigmoid, softmax
from held.models.store import Model, check_features


@dataclass(frozen=True, slots=True)
class BoostedTreeStep:
    """The tree step of preset `boosted`."""

    trees: BoostedTrees
    constraints: tuple[Constraint, ...] = CONSTRAINTS
    wording: TitleWording | None = None
    check: BoostedTrees | None = None
    every_object: bool = False
    normalise: bool = True

    def scorer(self, documents: Sequence[DocumentFeatures], objects: Objects) -> PositionScorer:
        """A scorer for these headings of the documents."""
        pairs = zip(documents, objects, strict=True)
        return self.scorer_of([heading_features(own.objects, chosen, self.wording) for own, chosen in pairs])

    def scorer_of(self, documents: Sequence[HeadingFeatures]) -> PositionScorer:
        """A scorer for documents whose headings have these features."""
        return PositionScorer(self, documents)


class PositionScorer:
    """Scores the positions of headings in some documents by boosted trees."""

    def __init__(self, step: BoostedTreeStep, documents: Sequence[HeadingFeatures]) -> None:
        self._trees = step.trees
        self._check = step.check
        self._documents = documents
        self.features = PositionFeatures(documents)
        self._checker = ConstraintChecker(documents, self.features.headings, step.constraints)

    def kinds(self, document: int) -> Mapping[int, int]:
        """The style class of each heading."""
        return self.features.kinds(document)

    def score(self, questions: Sequence[Question]) -> list[list[float]]:
        """For each question a probability for each of its positions; those of a branch add up to 1."""
        at = self.features.positions(questions)
        probabilities = self.probabilities(at).tolist()
        return [
            [probabilities[start + position] for position in question.positions]
            for start, question in zip(at.starts.tolist(), questions, strict=True)
        ]

    def probabilities(self, at: Positions) -> Floats:
        """The probability of each position."""
        features = self.features.features_at(at)
        penalties = self._checker.penalties(at)
        return softmax(self._trees.score(features) - penalties, at.counts)

    def check_places(self, insertions: Sequence[Insertion]) -> list[Mapping[int, float]]:
        """For each heading how probably its parent is right: without a check, as its insertion says."""
        if self._check is None:
            return [insertion.confidence for insertion in insertions]
        return [
            check_tree(self._check, document, insertion)
            for document, insertion in zip(self._documents, insertions, strict=True)
        ]


def check_tree(check: BoostedTrees, document: HeadingFeatures, insertion: Insertion) -> dict[int, float]:
    """For each heading of a finished tree how probably its parent is right."""
    headings = document.headings
    if not headings:
        return {}
    inserted = np.array([insertion.confidence[heading] for heading in headings], np.float32)
    features = TreeChecker(document).features(parent_rows(headings, insertion.tree), inserted)
    return dict(zip(headings, sigmoid(check.score(features)).tolist(), strict=True))


def boosted_tree_step(model: Model, *, threads: int = 1, disabled: Collection[str] = ()) -> BoostedTreeStep:
    """The tree step of a model of preset `boosted`, without the constraints named.

    It runs on one thread, whatever is given.
    """
    check_features(model, FEATURES_VERSION)
    kept = tuple(constraint for constraint in CONSTRAINTS if constraint.name not in disabled)
    wording = read_wording(model.arrays(WORDING_PART))
    check = load_trees(model, CHECK_PART) if CHECK_PART in model.parts else None
    return BoostedTreeStep(load_trees(model, "trees.onnx"), kept, wording, check)
