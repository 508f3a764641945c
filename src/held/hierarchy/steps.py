"""The two steps of a model: which objects are headings, and where each heading goes in the tree.

A model folder holds a file for each step, `headings.held` and `put-or-skip.held`, and perhaps a calibration.
Each file names its preset and the features it needs, so the two steps may be of different presets. A one-step
model inserts every object and needs no heading step.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple, Protocol

from held.errors import UsageError
from held.headings.columns import Floats
from held.headings.known_titles import WORDING_PART, TitleWording, read_wording
from held.headings.object_features import FEATURES_VERSION, DocumentFeatures
from held.headings.rules import Rule, apply_rules
from held.hierarchy.constraints import CONSTRAINTS, Constraint, ConstraintChecker
from held.hierarchy.heading_features import HeadingFeatures, heading_features
from held.hierarchy.insertion import Insertion, Question, Scorer, Strategy, build_many
from held.hierarchy.position_features import PositionFeatures, Positions
from held.models.inference import BoostedTrees, Calibration, load_calibration, softmax
from held.models.store import (
    Model,
    ModelKind,
    check_features,
    is_baseline,
    load_model,
    make_baseline,
    make_step,
    model_path,
    step_files,
)

Objects = Sequence[Sequence[int]]
"""Some objects of each document, in reading order."""
Source = str | os.PathLike[str] | Model
"""A model: the name of a shipped one, the path of its file or its folder, or one in memory."""


class HeadingStep(Protocol):
    """Finds the headings among the objects of documents."""

    threshold: float
    rules: tuple[Rule, ...]

    def probabilities(self, documents: Sequence[DocumentFeatures]) -> list[Floats]:
        """For each document the probability that each of its objects is a heading, before the rules."""
        ...

    def headings(self, probabilities: Floats) -> tuple[int, ...]:
        """The headings, in reading order."""
        ...


class TreeStep(Protocol):
    """Makes the scorer that insertion asks where objects belong."""

    @property
    def every_object(self) -> bool:
        """Whether every object is to be inserted (one-step), or the headings only."""
        ...

    @property
    def normalise(self) -> bool:
        """Whether the probabilities of an object's positions are divided by their sum.

        Not for the paper's networks: the paper's joint probability is the product of what they say.
        """
        ...

    def scorer(self, documents: Sequence[DocumentFeatures], objects: Objects) -> Scorer:
        """A scorer for at least one document; of each document these objects will be inserted."""
        ...


class Steps(NamedTuple):
    """The contents of a model folder; `heading` is None for a one-step model without a heading step."""

    heading: HeadingStep | None
    tree: TreeStep
    calibration: Calibration | None


def load_steps(folder: str | os.PathLike[str], *, disabled: Collection[str] = ()) -> Steps:
    """The steps of a model folder, a shipped model or a baseline, without the rules and constraints named."""
    if is_baseline(folder):
        baseline: Steps = make_baseline(folder)
        return baseline
    if Path(folder).is_file():
        raise UsageError("a model file", file=folder, advice="give the folder that holds those of both steps")
    files = step_files(folder)
    tree = tree_step(model_path(folder, ModelKind.PUT_OR_SKIP), disabled=disabled)
    heading = None
    if not tree.every_object or ModelKind.HEADINGS in files:
        heading = heading_step(model_path(folder, ModelKind.HEADINGS), disabled=disabled)
    return Steps(heading, tree, load_calibration(folder))


def heading_step(source: Source, *, threads: int = 1, disabled: Collection[str] = ()) -> HeadingStep:
    """The heading step of a model of any preset, without the rules named."""
    model, file = _load(source, ModelKind.HEADINGS)
    step: HeadingStep = make_step(model, file=file, threads=threads, disabled=disabled)
    return step


def tree_step(source: Source, *, threads: int = 1, disabled: Collection[str] = ()) -> TreeStep:
    """The tree step of a model of any preset, without the constraints named."""
    model, file = _load(source, ModelKind.PUT_OR_SKIP)
    step: TreeStep = make_step(model, file=file, threads=threads, disabled=disabled)
    return step


def _load(source: Source, kind: ModelKind) -> tuple[Model, str | os.PathLike[str] | None]:
    return (source, None) if isinstance(source, Model) else (load_model(source, kind), source)


def score_objects(step: HeadingStep, documents: Sequence[DocumentFeatures]) -> list[Floats]:
    """For each document the probability that each of its objects is a heading, after the rules."""
    probabilities = step.probabilities(documents)
    pairs = zip(documents, probabilities, strict=True)
    return [apply_rules(step.rules, own, document.objects, step.threshold) for document, own in pairs]


def find_headings(step: HeadingStep, documents: Sequence[DocumentFeatures]) -> list[tuple[int, ...]]:
    """The headings of each document."""
    return [step.headings(probabilities) for probabilities in score_objects(step, documents)]


def insert_objects(
    step: TreeStep, documents: Sequence[DocumentFeatures], objects: Objects, strategy: Strategy
) -> list[Insertion]:
    """The trees of these objects of each document."""
    if not documents:
        return []
    return build_many(objects, step.scorer(documents, objects), strategy)


# --- the tree step of preset `boosted` ---
#
# Boosted trees score the positions of a heading. The scores of a branch's positions go through one softmax,
# after constraints have taken their penalties off.

Constraints = tuple[Constraint, ...]


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
