"""Every method of the tables by one call: documents and headings in, predictions and their cost out."""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from research.paper.plan import RowPlan
from research.paper.search import SEARCHES
from research.paper.subjects import Given, Subject

from held.headings.object_features import DocumentFeatures
from held.hierarchy.insertion import Order, Question, Scorer, Strategy, attach_body
from held.hierarchy.steps import Objects, TreeStep, find_headings, tree_step
from held.metrics import Prediction
from held.models.store import BaselineKind, load_model
from held.paper.baselines import RuleStep, TocHeadingStep, TocNetwork, baseline_steps
from held.paper.pembe import PembeStep


class Outcome(NamedTuple):
    """What a method gave: a prediction for each document, its inquiries, and what all of them took together.

    Inquiries are None for a method that asks no scorer. Seconds are CPU time, documents advanced together:
    of the tree step, and of the heading step before it.
    """

    predictions: list[Prediction]
    inquiries: list[int] | None
    tree_seconds: float
    heading_seconds: float = 0.0


def outcome(plan: RowPlan, models: Path, documents: Sequence[Subject], given: Given | None) -> Outcome:
    """The outcome of a row; without given headings a method finds its own."""
    started = time.process_time()
    seen = [subject.seen for subject in documents]
    step, own_headings = _step(plan, models, seen)
    headings = own_headings
    if given is not None and not step.every_object:
        headings = [given.headings[subject.id] for subject in documents]
    objects = headings or [range(len(features)) for features in seen]
    asked = OneByOne(step) if plan.one_by_one else step
    strategy = Strategy(Order(plan.order), width=plan.beam, normalise=step.normalise)
    built = SEARCHES[plan.search](objects, asked.scorer(seen, objects), strategy)
    predictions = []
    for features, own, (tree, _) in zip(seen, objects, built, strict=True):
        if step.every_object:
            predictions.append(Prediction.one_step(tree))
        else:
            predictions.append(Prediction(attach_body(tree, len(features)), frozenset(own)))
    seconds = time.process_time() - started
    before = 0.0 if given is None else sum(given.seconds.get(subject.id, 0.0) for subject in documents)
    asks = not isinstance(step, RuleStep)
    return Outcome(predictions, [count for _, count in built] if asks else None, seconds, before)


def _step(
    plan: RowPlan, models: Path, documents: Sequence[DocumentFeatures]
) -> tuple[TreeStep, Objects | None]:
    """The tree step of a row, and the headings that the method finds by itself, if it does."""
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
    """A tree step that makes a call of each inquiry; what it answers stays the same."""

    def __init__(self, step: TreeStep) -> None:
        self._step = step
        self.every_object = step.every_object
        self.normalise = step.normalise

    def scorer(self, documents: Sequence[DocumentFeatures], objects: Objects) -> Scorer:
        return _Single(self._step.scorer(documents, objects))


class _Single:
    """Asks another scorer about one position of one object at a time."""

    def __init__(self, scorer: Scorer) -> None:
        self._scorer = scorer

    def score(self, questions: Sequence[Question]) -> list[list[float]]:
        return [[self._asked(question, at) for at in question.positions] for question in questions]

    def _asked(self, question: Question, position: int) -> float:
        [[answer]] = self._scorer.score([question._replace(positions=(position,))])
        return answer
