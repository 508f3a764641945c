"""The two steps of a model: which objects are headings, and where each heading goes in the tree.

A model folder holds a file for each step, `headings.held` and `put-or-skip.held`, and perhaps a calibration.
Each file names its preset and the features it needs, so the two steps may be of different presets. A one-step
model inserts every object and needs no heading step.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import NamedTuple, Protocol

from held.errors import UsageError
from held.headings.columns import Floats
from held.headings.object_features import DocumentFeatures
from held.headings.rules import Rule, apply_rules
from held.hierarchy.insertion import Insertion, Scorer, Strategy, build_many
from held.models.calibration import Calibration, load_calibration
from held.models.registry import is_baseline, make_baseline, make_step
from held.models.store import Model, ModelKind, load_model, model_path, step_files

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
