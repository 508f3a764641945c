"""Every method of the tables by one call: subjects and headings in, predictions and their cost out."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

from experiments.paper.plan import RowPlan
from experiments.paper.subjects import Headings, Subject

from held.baselines import Seen
from held.baselines import row as baseline
from held.features.outline import outline_of
from held.insertion import Insertion, Order, Strategy, build_many, two_step_many
from held.metrics import Prediction
from held.models.boosted import load_put_or_skip
from held.models.networks import PutOrSkipNetwork, PutOrSkipScorer
from held.models.store import ModelKind, load_model


class Outcome(NamedTuple):
    """What a method gave: a prediction for each subject, and what all of them took together.

    Inquiries are None for a method that makes none. Seconds are CPU time, the documents advanced together;
    the heading step and the features of `base`, computed once for all rows, are not in it.
    """

    predictions: list[Prediction]
    inquiries: int | None
    seconds: float


Method = Callable[[RowPlan, Path, Sequence[Subject], Headings | None], tuple[list[Prediction], int | None]]


def outcome(plan: RowPlan, models: Path, documents: Sequence[Subject], headings: Headings | None) -> Outcome:
    """The outcome of a row."""
    method = METHODS.get(plan.method, _baseline)
    start = time.process_time()
    predictions, inquiries = method(plan, models, documents, headings)
    return Outcome(predictions, inquiries, time.process_time() - start)


def _network(
    plan: RowPlan, models: Path, documents: Sequence[Subject], headings: Headings | None
) -> tuple[list[Prediction], int | None]:
    assert headings is not None
    shown = [subject.document for subject in documents]
    scorer = PutOrSkipScorer(_put_or_skip(plan, models), shown, headings)
    counts = [len(document.objects) for document in shown]
    strategy = Strategy(Order(plan.order), width=plan.beam)
    return _predictions(two_step_many(headings, counts, scorer, strategy), headings)


def _one_step(
    plan: RowPlan, models: Path, documents: Sequence[Subject], headings: Headings | None
) -> tuple[list[Prediction], int | None]:
    shown = [subject.document for subject in documents]
    scorer = PutOrSkipScorer(_put_or_skip(plan, models), shown)
    everything = [range(len(document.objects)) for document in shown]
    built = build_many(everything, scorer, Strategy(Order(plan.order), width=plan.beam))
    return [Prediction.one_step(found.tree) for found in built], sum(found.inquiries for found in built)


def _base(
    plan: RowPlan, models: Path, documents: Sequence[Subject], headings: Headings | None
) -> tuple[list[Prediction], int | None]:
    assert headings is not None
    pairs = zip(documents, headings, strict=True)
    outlines = [outline_of(subject.table, own) for subject, own in pairs]
    strategy = Strategy(Order(plan.order), width=plan.beam, normalise=True)
    weights = "base" if plan.model is None else str(models / f"{plan.model}.held")
    scorer = load_put_or_skip(weights).scorer(outlines)
    counts = [len(subject.document.objects) for subject in documents]
    return _predictions(two_step_many(headings, counts, scorer, strategy), headings)


def _baseline(
    plan: RowPlan, models: Path, documents: Sequence[Subject], headings: Headings | None
) -> tuple[list[Prediction], int | None]:
    model = None if plan.model is None else models / f"{plan.model}.held"
    method = baseline(plan.method, model=model)
    return list(method([Seen(subject.document, subject.table) for subject in documents], headings)), None


def _put_or_skip(plan: RowPlan, models: Path) -> PutOrSkipNetwork:
    return PutOrSkipNetwork(load_model(models / f"{plan.model}.held", ModelKind.PUT_OR_SKIP))


def _predictions(built: Sequence[Insertion], headings: Headings) -> tuple[list[Prediction], int | None]:
    pairs = zip(built, headings, strict=True)
    predictions = [Prediction(found.tree, frozenset(own)) for found, own in pairs]
    return predictions, sum(found.inquiries for found in built)


METHODS: dict[str, Method] = {"network": _network, "one-step": _one_step, "base": _base}
