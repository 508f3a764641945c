"""The tree step of preset `boosted`: boosted trees score the positions of a heading.

The scores of a branch's positions go through one softmax, after constraints have taken their penalties off.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from held.headings.columns import Floats
from held.headings.object_features import FEATURES_VERSION, DocumentFeatures
from held.headings.title_wording import WORDING_PART, TitleWording, read_wording
from held.hierarchy.constraints import CONSTRAINTS, Constraint, ConstraintChecker
from held.hierarchy.heading_features import HeadingFeatures, heading_features
from held.hierarchy.insertion import Question
from held.hierarchy.position_features import PositionFeatures, Positions
from held.models.inference import BoostedTrees, softmax
from held.models.store import Model, check_features

Constraints = tuple[Constraint, ...]
Objects = Sequence[Sequence[int]]


@dataclass(frozen=True, slots=True)
class BoostedTreeStep:
    """The tree step of preset `boosted`."""

    trees: BoostedTrees
    constraints: Constraints = CONSTRAINTS
    wording: TitleWording | None = None
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


def boosted_tree_step(model: Model, *, threads: int = 1, disabled: Collection[str] = ()) -> BoostedTreeStep:
    """The tree step of a model of preset `boosted`, without the constraints named.

    It runs on one thread, whatever is given.
    """
    check_features(model, FEATURES_VERSION)
    kept = tuple(constraint for constraint in CONSTRAINTS if constraint.name not in disabled)
    wording = read_wording(model.arrays(WORDING_PART))
    return BoostedTreeStep(BoostedTrees(model.parts["trees.onnx"]), kept, wording)
