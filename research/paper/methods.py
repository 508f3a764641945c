"""Every method of the tables by one call: subjects and headings in, predictions and their cost out."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import NamedTuple

from research.paper.plan import RowPlan
from research.paper.subjects import Headings, Subject

from held.headings.object_features import DocumentFeatures
from held.hierarchy.insertion import Order, Question, Scorer, Strategy
from held.hierarchy.steps import Objects, TreeStep, tree_step
from held.metrics import Prediction
from held.models.store import BaselineKind, load_model
from held.paper.baselines import method as baseline
from held.paper.pembe import PembeStep
from held.training.validation import TreeResult, predict_trees


class Outcome(NamedTuple):
    """What a method gave: a prediction for each subject, its inquiries, and what all of them took together.

    Inquiries are None for a method that makes none. Seconds are CPU time, the documents advanced together;
    the heading step and the features of `base`, computed once for all rows, are not in it.
    """

    predictions: list[Prediction]
    inquiries: list[int] | None
    seconds: float


Found = tuple[list[Prediction], list[int] | None]
Method = Callable[[RowPlan, Path, Sequence[Subject], Headings | None], Found]


def outcome(plan: RowPlan, models: Path, documents: Sequence[Subject], headings: Headings | None) -> Outcome:
    """The outcome of a row."""
    method = METHODS.get(plan.method, _baseline)
    start = time.process_time()
    predictions, inquiries = method(plan, models, documents, headings)
    return Outcome(predictions, inquiries, time.process_time() - start)


def _held(
    plan: RowPlan,
    models: Path,
    documents: Sequence[Subject],
    headings: Headings | None,
    *,
    normalise: bool = False,
) -> Found:
    """HELD with whatever model the plan names, the shipped one where it names none."""
    step = tree_step("base" if plan.model is None else models / f"{plan.model}.held")
    asked = OneByOne(step) if plan.one_by_one else step
    return _inserted(plan, asked, documents, headings, normalise=normalise)


def _pembe(plan: RowPlan, models: Path, documents: Sequence[Subject], headings: Headings | None) -> Found:
    """Tree generation with logistic regression: the paper's insertion with another judge."""
    step = PembeStep(load_model(models / f"{plan.model}.held", BaselineKind.PEMBE))
    return _inserted(plan, step, documents, headings)


def _inserted(
    plan: RowPlan,
    step: TreeStep,
    documents: Sequence[Subject],
    headings: Headings | None,
    *,
    normalise: bool = False,
) -> Found:
    strategy = Strategy(Order(plan.order), width=plan.beam, normalise=normalise)
    shown = [subject.seen for subject in documents]
    found: list[TreeResult] = predict_trees(step, shown, None if step.every_object else headings, strategy)
    return [each.prediction for each in found], [each.inquiries for each in found]


class OneByOne:
    """A tree step that makes a call of each inquiry; what it answers stays the same."""

    def __init__(self, step: TreeStep) -> None:
        self._step = step

    @property
    def every_object(self) -> bool:
        return self._step.every_object

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


def _baseline(plan: RowPlan, models: Path, documents: Sequence[Subject], headings: Headings | None) -> Found:
    model = None if plan.model is None else models / f"{plan.model}.held"
    method = baseline(plan.method, model=model)
    return list(method([subject.seen for subject in documents], headings)), None


METHODS: dict[str, Method] = {
    "network": _held,  # adds up logarithms as the paper prints it
    "one-step": _held,
    "base": partial(_held, normalise=True),
    "pembe": _pembe,
}
