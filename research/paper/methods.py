"""Runs any method of the tables: from documents and headings to predictions and their cost."""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from research.paper.plan import RowPlan
from research.paper.search import SEARCHES
from research.paper.subjects import GivenHeadings, Subject

from held.headings.object_features import DocumentFeatures
from held.hierarchy.insertion import Objects, Order, Question, Scorer, Strategy
from held.hierarchy.pipeline import TreeStep, find_headings, tree_step
from held.metrics import Prediction
from held.models.store import BaselineKind, load_model
from held.paper.baselines import RuleStep, TocHeadingStep, TocNetwork, baseline_steps
from held.paper.pembe import PembeStep
from held.tree import attach_body


class Outcome(NamedTuple):
    """The result of a method: a prediction and the inquiries of each document, and the seconds of all.

    Inquiries are None for a method without a scorer. Seconds are CPU time, with documents in batches.
    """

    predictions: list[Prediction]
    inquiries: list[int] | None
    tree_seconds: float
    heading_seconds: float = 0.0


def outcome(
    plan: RowPlan, models: Path, documents: Sequence[Subject], given: GivenHeadings | None
) -> Outcome:
    """Run the method of a row; without given headings, the method finds them itself."""
    started = time.process_time()
    all_features = [subject.features for subject in documents]
    step, headings = _step(plan, models, all_features)
    if given is not None and not step.every_object:
        headings = [given.headings[subject.id] for subject in documents]
    objects = headings or [range(len(features)) for features in all_features]
    scoring_step = OneByOne(step) if plan.one_by_one else step
    strategy = Strategy(Order(plan.order), width=plan.beam, normalise=step.normalise)
    build = SEARCHES[plan.search]
    built = build(objects, scoring_step.scorer(all_features, objects), strategy)
    predictions = []
    for features, chosen, (tree, _) in zip(all_features, objects, built, strict=True):
        if step.every_object:
            predictions.append(Prediction.one_step(tree))
        else:
            predictions.append(Prediction(attach_body(tree, len(features)), frozenset(chosen)))
    seconds = time.process_time() - started
    heading_seconds = 0.0
    if given is not None:
        heading_seconds = sum(given.seconds.get(subject.id, 0.0) for subject in documents)
    has_scorer = not isinstance(step, RuleStep)
    inquiries = [count for _, count in built] if has_scorer else None
    return Outcome(predictions, inquiries, seconds, heading_seconds)


def _step(
    plan: RowPlan, models: Path, documents: Sequence[DocumentFeatures]
) -> tuple[TreeStep, Objects | None]:
    """The tree step of a row, and the headings if the method finds them itself."""
    model = models / f"{plan.model}.held"
    if plan.method == "pembe":
        return PembeStep(load_model(model, BaselineKind.PEMBE)), None
    if plan.method == "toc":
        toc = TocNetwork(load_model(model, BaselineKind.TOC))
        return RuleStep(toc.place_by_depth), find_headings(TocHeadingStep(toc), documents)
    if plan.method in ("network", "one-step", "base"):
        return tree_step("base" if plan.model is None else model), None
    return baseline_steps(plan.method).tree, None


class OneByOne:
    """A tree step that makes one call per inquiry; its scores stay the same."""

    def __init__(self, step: TreeStep) -> None:
        self._step = step
        self.every_object = step.every_object
        self.normalise = step.normalise

    def scorer(self, documents: Sequence[DocumentFeatures], objects: Objects) -> Scorer:
        return _OneByOneScorer(self._step.scorer(documents, objects))


class _OneByOneScorer:
    """Calls another scorer for one position of one object at a time."""

    def __init__(self, scorer: Scorer) -> None:
        self._scorer = scorer

    def score(self, questions: Sequence[Question]) -> list[list[float]]:
        return [self._score_question(question) for question in questions]

    def _score_question(self, question: Question) -> list[float]:
        return [self._score_position(question, position) for position in question.positions]

    def _score_position(self, question: Question, position: int) -> float:
        [[answer]] = self._scorer.score([question._replace(positions=(position,))])
        return answer
