"""From documents to trees: score the headings, insert them, attach the body.

    build_trees(documents)
      score_headings    which objects are headings, with a probability each
      insert_headings   where each heading goes in the tree
      complete_tree     body objects below their headings, calibrated probabilities

Documents are processed together, so that one call of a model serves all of them. Training libraries (torch,
LightGBM) are not needed here.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cache
from typing import NamedTuple

from held.document import Document, Kind, Pages
from held.errors import UsageError
from held.headings.object_features import DocumentFeatures
from held.hierarchy.hierarchy import DIGITS, Hierarchy
from held.hierarchy.insertion import (
    Alternative,
    Alternatives,
    Insertion,
    Question,
    Scorer,
    Strategy,
    attach_body,
    insert_with_overrides,
)
from held.hierarchy.insertion.overrides import NO_OVERRIDES, Overrides
from held.hierarchy.insertion.scorer import HasKinds
from held.hierarchy.steps import Steps, load_steps, score_objects
from held.models.inference import Calibration, calibrate
from held.models.store import blame_model_errors
from held.system.console import Progress
from held.tree import ROOT

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


class ScoredHeadings(NamedTuple):
    """A document after the heading step.

    `scores` is None where the tree step inserts every object and finds the headings by itself.
    """

    features: DocumentFeatures
    scores: HeadingScores | None


class HeadingTree(NamedTuple):
    """A document after the tree step: its headings with their scores, and the tree of the headings."""

    document: Document
    headings: HeadingScores
    insertion: Insertion
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
    steps = _steps(options.model, options.disabled)
    scores: list[HeadingScores | None] = [_given_headings(own.document, options.headings) for own in features]
    if steps.heading is not None and not steps.tree.every_object:
        unknown = [index for index, given in enumerate(scores) if given is None]
        with blame_model_errors(options.model):
            probabilities = score_objects(steps.heading, [features[index] for index in unknown])
            for index, own in zip(unknown, probabilities, strict=True):
                scores[index] = {obj: float(own[obj]) for obj in steps.heading.headings(own)}
    return [ScoredHeadings(own, found) for own, found in zip(features, scores, strict=True)]


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
        scorer = steps.tree.scorer(features, objects)
        if progress is not None:
            scorer = _ProgressScorer(scorer, progress, sum(map(len, objects)))
        strategy = replace(options.strategy, normalise=steps.tree.normalise)
        insertions = insert_with_overrides(objects, scorer, strategy, parents)
    trees = []
    for document, own, insertion, override in zip(features, scores, insertions, overrides, strict=True):
        headings = _inner_nodes(insertion) if own is None else own
        trees.append(HeadingTree(document.document, headings, insertion, steps.calibration, override))
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
    document, scores, insertion, calibration, overrides = tree
    positions = {heading: p for heading, p in insertion.confidence.items() if heading in scores}
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
            likely = likely_alternatives(candidates, positions[heading], confidence[heading])
            if likely:
                alternatives[heading] = likely
    return Hierarchy(
        document,
        attach_body(insertion.tree, len(document.objects)),
        {heading: round(p, DIGITS) for heading, p in headings.items()},
        {heading: round(p, DIGITS) for heading, p in confidence.items()},
        insertion.inquiries,
        round(insertion.log_probability, DIGITS),
        alternatives,
        calibrated=calibration is not None,
    )


def _heading_parents(others: Alternatives, headings: Collection[int]) -> Alternatives:
    """The alternatives whose parent is the root or a heading; other objects head no section."""
    return tuple(other for other in others if other.parent == ROOT or other.parent in headings)


def likely_alternatives(others: Alternatives, score: float, probability: float) -> Alternatives:
    """The alternatives that are likely enough to report.

    Calibration moved the chosen position from `score` to `probability`; the others share what is left:
    after a score of 0.6 and a probability of 0.8, an alternative of 0.4 becomes 0.2.
    """
    scale = (1 - probability) / (1 - score) if score < 1 else 0.0
    scaled = (Alternative(parent, round(p * scale, DIGITS)) for parent, p in others)
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
