"""From documents to trees: score the headings, insert them, attach the body.

    build_trees(documents)
      score_headings    which objects are headings, with a probability each
      insert_headings   where each heading goes in the tree
      complete_tree     body objects below their headings, calibrated probabilities

A model has two steps, one for the headings and one for the tree. Its folder holds a file for each,
`headings.held` and `put-or-skip.held`, and perhaps a calibration. Each file names its preset and the features
it needs, so the two steps may be of different presets. A one-step model inserts every object and needs no
heading step.

Documents are processed together, so that one call of a model serves all of them. Training libraries (torch,
LightGBM) are not needed here.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cache
from pathlib import Path
from typing import NamedTuple, Protocol, runtime_checkable

from held.document import Document, Kind, Pages
from held.errors import UsageError
from held.headings import Floats
from held.headings.object_features import DocumentFeatures
from held.headings.rules import Rule, apply_rules
from held.hierarchy import PROBABILITY_DIGITS, Hierarchy
from held.hierarchy.insertion import (
    NO_OVERRIDES,
    Alternative,
    Alternatives,
    HasKinds,
    Insertion,
    Objects,
    Overrides,
    Question,
    Scorer,
    Strategy,
    build_many,
)
from held.models.inference import Calibration, calibrate, load_calibration
from held.models.store import (
    Model,
    ModelKind,
    blame_model_errors,
    is_baseline,
    load_model,
    make_baseline,
    make_step,
    model_path,
    step_files,
)
from held.system.console import Progress
from held.tree import ROOT, attach_body

Documents = Sequence[Document | Pages]
HeadingScores = Mapping[int, float]
"""The headings of a document in reading order, each with its score."""

DEFAULT_STRATEGY = Strategy(normalise=True)
MIN_ALTERNATIVE = 0.05  # probability; less likely alternatives are not reported
# Of headings that no classifier scored: the document marks them, or a one-step model found them.
_GIVEN_SCORE = 1.0


class HeadingSource(StrEnum):
    """Where the headings come from.

    FOUND    the model finds them
    GIVEN    the document marks them, as documents of other engines do
    AUTO     those that the document marks; where it marks none, those that the model finds
    """

    AUTO = "auto"
    FOUND = "found"
    GIVEN = "given"


@dataclass(frozen=True, slots=True)
class TreeOptions:
    """How trees are built.

    model      the name of a shipped model, or the folder of another
    strategy   traversal order and beam width of the insertion; whether it normalises, the model says
    headings   where the headings come from
    disabled   names of heading rules and placement constraints that are switched off, for ablations
    """

    model: str = "base"
    strategy: Strategy = DEFAULT_STRATEGY
    headings: HeadingSource = HeadingSource.AUTO
    disabled: frozenset[str] = frozenset()


DEFAULT_OPTIONS = TreeOptions()


# --- From documents to trees ---


class ScoredHeadings(NamedTuple):
    """A document after the heading step.

    `scores` is None where the tree step inserts every object and finds the headings by itself.
    """

    features: DocumentFeatures
    scores: HeadingScores | None


class HeadingTree(NamedTuple):
    """A document after the tree step: its headings with their scores, and the tree of the headings.

    `places` has for each heading how probably its parent is right, before calibration.
    """

    document: Document
    headings: HeadingScores
    insertion: Insertion
    places: Mapping[int, float]
    calibration: Calibration | None
    overrides: Overrides = NO_OVERRIDES


def build_tree(
    document: Document | Pages,
    options: TreeOptions = DEFAULT_OPTIONS,
    *,
    overrides: Overrides = NO_OVERRIDES,
    progress: Progress | None = None,
) -> Hierarchy:
    """The hierarchy of one document."""
    return build_trees([document], options, overrides=[overrides], progress=progress)[0]


def build_trees(
    documents: Documents,
    options: TreeOptions = DEFAULT_OPTIONS,
    *,
    overrides: Sequence[Overrides] = (),
    progress: Progress | None = None,
) -> list[Hierarchy]:
    """The hierarchies of several documents.

    `overrides` has the user's corrections for each document. `progress` is called with the number of headings
    inserted so far and the number of all headings.
    """
    scored = score_headings(documents, options)
    trees = insert_headings(scored, options, overrides=overrides, progress=progress)
    return [complete_tree(tree) for tree in trees]


# --- The heading step ---


def score_headings(documents: Documents, options: TreeOptions = DEFAULT_OPTIONS) -> list[ScoredHeadings]:
    """The features and the headings of each document; overrides of positions do not change them."""
    features = [DocumentFeatures(_recognise(document)) for document in documents]
    scored = [ScoredHeadings(own, _given_headings(own.document, options.headings)) for own in features]
    steps = _steps(options.model, options.disabled)
    if steps.heading is None or steps.tree.every_object:
        return scored
    unknown = [index for index, own in enumerate(scored) if own.scores is None]
    with blame_model_errors(options.model):
        probabilities = score_objects(steps.heading, [features[index] for index in unknown])
        for index, own in zip(unknown, probabilities, strict=True):
            scores = {obj: float(own[obj]) for obj in steps.heading.headings(own)}
            scored[index] = ScoredHeadings(features[index], scores)
    return scored


def _given_headings(document: Document, source: HeadingSource) -> HeadingScores | None:
    """The headings that the document marks; None where the model is to find them."""
    if source is HeadingSource.FOUND:
        return None
    given = [obj for obj, item in enumerate(document.objects) if item.kind is Kind.HEADING]
    if source is HeadingSource.AUTO and not given:
        return None
    return dict.fromkeys(given, _GIVEN_SCORE)


# --- The tree step ---


def insert_headings(
    documents: Sequence[ScoredHeadings],
    options: TreeOptions = DEFAULT_OPTIONS,
    *,
    overrides: Sequence[Overrides] = (),
    progress: Progress | None = None,
) -> list[HeadingTree]:
    """The trees of the headings; `overrides` and `progress` as in `build_trees`."""
    if not documents:
        return []
    steps = _steps(options.model, options.disabled)
    features = [document.features for document in documents]
    overrides = overrides or [NO_OVERRIDES] * len(documents)
    scores = [
        _apply_overrides(own, document.scores) for own, document in zip(overrides, documents, strict=True)
    ]
    objects = [
        range(len(document)) if own is None else tuple(own)
        for own, document in zip(scores, features, strict=True)
    ]
    parents = [own.parents for own in overrides]
    with blame_model_errors(options.model):
        scorer = step_scorer = steps.tree.scorer(features, objects)
        if progress is not None:
            scorer = _ProgressScorer(step_scorer, progress, sum(map(len, objects)))
        strategy = replace(options.strategy, normalise=steps.tree.normalise)
        if any(parents):
            from held.hierarchy.overrides import insert_with_overrides  # only after a user's corrections

            insertions = insert_with_overrides(objects, scorer, strategy, parents)
        else:
            insertions = build_many(objects, scorer, strategy)
        places: list[Mapping[int, float]] = [insertion.confidence for insertion in insertions]
        if isinstance(step_scorer, ChecksPlaces):
            places = step_scorer.check_places(insertions)
    trees = []
    for document, own, insertion, checked, override in zip(
        documents, scores, insertions, places, overrides, strict=True
    ):
        headings = _inner_nodes(insertion) if own is None else own
        whole = document.features.document
        trees.append(HeadingTree(whole, headings, insertion, checked, steps.calibration, override))
    return trees


def _apply_overrides(overrides: Overrides, scores: HeadingScores | None) -> HeadingScores | None:
    if scores is not None:
        return overrides.apply_to(scores, score=_GIVEN_SCORE)
    if overrides != NO_OVERRIDES:
        raise UsageError(
            "a model that inserts every object cannot keep headings in fixed places",
            advice="use one with a heading step, such as base",
        )
    return None


def _inner_nodes(insertion: Insertion) -> HeadingScores:
    """Where every object was inserted, the headings are the objects that have others below them."""
    inner = set(insertion.tree.parents().values()) - {ROOT}
    return dict.fromkeys(sorted(inner), _GIVEN_SCORE)


class _ProgressScorer:
    """Passes questions on to a scorer, and reports how many of all objects were asked about."""

    def __init__(self, scorer: Scorer, progress: Progress, total: int) -> None:
        self._scorer, self._progress, self._total = scorer, progress, total
        self._asked: set[tuple[int, int]] = set()
        progress(0, total)
        if isinstance(scorer, HasKinds):  # so that this scorer has them, too
            self.kinds = scorer.kinds

    def score(self, questions: Sequence[Question]) -> Sequence[Sequence[float]]:
        """The probabilities of the scorer itself."""
        self._asked.update((question.document, question.obj) for question in questions)
        self._progress(len(self._asked), self._total)
        return self._scorer.score(questions)


# --- The whole tree ---


def complete_tree(tree: HeadingTree) -> Hierarchy:
    """The tree of all objects, with calibrated probabilities where the model has a calibration."""
    document, scores, insertion, places, calibration, overrides = tree
    positions = {heading: p for heading, p in places.items() if heading in scores}
    positions |= dict.fromkeys(overrides.parents, _GIVEN_SCORE)
    headings: Mapping[int, float] = scores
    confidence: Mapping[int, float] = positions
    if calibration is not None:
        headings = {
            heading: score if score == _GIVEN_SCORE else calibrate(calibration.heading, score)
            for heading, score in scores.items()
        }
        confidence = {
            heading: score if heading in overrides.parents else calibrate(calibration.place, score)
            for heading, score in positions.items()
        }
    alternatives: dict[int, Alternatives] = {}
    for heading, others in insertion.alternatives.items():
        if heading in scores:
            candidates = _heading_parents(others, scores)
            likely = likely_alternatives(candidates, insertion.confidence[heading], confidence[heading])
            if likely:
                alternatives[heading] = likely
    return Hierarchy(
        document,
        attach_body(insertion.tree, len(document.objects)),
        {heading: round(p, PROBABILITY_DIGITS) for heading, p in headings.items()},
        {heading: round(p, PROBABILITY_DIGITS) for heading, p in confidence.items()},
        insertion.inquiries,
        round(insertion.log_probability, PROBABILITY_DIGITS),
        alternatives,
        calibrated=calibration is not None,
    )


def _heading_parents(others: Alternatives, headings: Collection[int]) -> Alternatives:
    """The alternatives whose parent is the root or a heading; other objects head no section."""
    return tuple(other for other in others if other.parent == ROOT or other.parent in headings)


def likely_alternatives(others: Alternatives, score: float, probability: float) -> Alternatives:
    """The alternatives that are likely enough to report.

    The check and the calibration moved the chosen position from the `score` of its insertion to
    `probability`; the others share what is left: after a score of 0.6 and a probability of 0.8, an
    alternative of 0.4 becomes 0.2.
    """
    scale = (1 - probability) / (1 - score) if score < 1 else 0.0
    scaled = (Alternative(parent, round(p * scale, PROBABILITY_DIGITS)) for parent, p in others)
    return tuple(other for other in scaled if other.probability >= MIN_ALTERNATIVE)


def _recognise(document: Document | Pages) -> Document:
    if isinstance(document, Document):
        return document
    from held.layout.recognise import recognise

    return recognise(document)


@cache
def _steps(model: str, disabled: frozenset[str] = frozenset()) -> Steps:
    """The steps of a model, loaded once."""
    return load_steps(model, disabled=disabled)


# --- The two steps of a model ---

ModelSource = str | os.PathLike[str] | Model
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


@runtime_checkable
class ChecksPlaces(Protocol):
    """A scorer that looks at finished trees, too."""

    def check_places(self, insertions: Sequence[Insertion]) -> list[Mapping[int, float]]:
        """For the tree of each of its documents how probably the parent of each heading is right."""
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


def heading_step(source: ModelSource, *, threads: int = 1, disabled: Collection[str] = ()) -> HeadingStep:
    """The heading step of a model of any preset, without the rules named."""
    model, file = _load(source, ModelKind.HEADINGS)
    step: HeadingStep = make_step(model, file=file, threads=threads, disabled=disabled)
    return step


def tree_step(source: ModelSource, *, threads: int = 1, disabled: Collection[str] = ()) -> TreeStep:
    """The tree step of a model of any preset, without the constraints named."""
    model, file = _load(source, ModelKind.PUT_OR_SKIP)
    step: TreeStep = make_step(model, file=file, threads=threads, disabled=disabled)
    return step


def _load(source: ModelSource, kind: ModelKind) -> tuple[Model, str | os.PathLike[str] | None]:
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
