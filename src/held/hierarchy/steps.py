"""The one way from a model to the two steps: which objects are headings, and where each goes in the tree.

A model folder holds a file for each step, `headings.held` and `put-or-skip.held`, and perhaps a calibration.
Each file says of which preset it is and which features it needs, so the steps may be of different presets.
A one-step model inserts every object and needs no heading step.
"""

from __future__ import annotations

import importlib
import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from held.errors import FormatError, HeldError, UsageError, VersionError
from held.headings.object_features import DocumentFeatures
from held.hierarchy.insertion import Insertion, Scorer, Strategy, build_many
from held.models.calibration import Calibration, load_calibration
from held.models.presets import PRESETS
from held.models.store import WEIGHTS, Model, ModelKind, load_model, model_path, step_files

Floats = NDArray[np.float32]
Objects = Sequence[Sequence[int]]
"""Some objects of each document, in reading order."""
Source = str | os.PathLike[str] | Model
"""A model: the name of a shipped one, the path of its file or its folder, or one in memory."""
# What numpy and ONNX Runtime raise over arrays of other sizes, and insertion over answers that are NaN.
_FAULTS_OF_PARTS = (LookupError, TypeError, ValueError, ArithmeticError, RuntimeError)


class HeadingStep(Protocol):
    """Finds the headings among the objects of documents."""

    def probabilities(self, documents: Sequence[DocumentFeatures]) -> list[Floats]:
        """For each document the probability that each of its objects is a heading."""
        ...

    def headings(self, probabilities: Floats) -> tuple[int, ...]:
        """The objects of a document that are headings, in reading order."""
        ...


class TreeStep(Protocol):
    """Judges where objects belong; insertion builds the trees from what it says."""

    @property
    def every_object(self) -> bool:
        """Whether every object is to be inserted (one-step), or the headings alone."""
        ...

    def scorer(self, documents: Sequence[DocumentFeatures], objects: Objects) -> Scorer:
        """A scorer for at least one document; of each these objects will be asked about."""
        ...


class Steps(NamedTuple):
    """What a model folder holds; `heading` is None for a one-step model without a heading step."""

    heading: HeadingStep | None
    tree: TreeStep
    calibration: Calibration | None


def load_steps(folder: str | os.PathLike[str]) -> Steps:
    """All that a model folder, or a shipped model, holds."""
    if Path(folder).is_file():
        raise UsageError("a model file", file=folder, advice="give the folder that holds those of both steps")
    files = step_files(folder)
    tree = tree_step(model_path(folder, ModelKind.PUT_OR_SKIP))
    needs_headings = not tree.every_object
    heading = None
    if needs_headings or ModelKind.HEADINGS in files:
        heading = heading_step(model_path(folder, ModelKind.HEADINGS))
    return Steps(heading, tree, load_calibration(folder))


def heading_step(source: Source, *, threads: int = 1) -> HeadingStep:
    """The heading step of a model, whatever its preset."""
    model = _model(source, ModelKind.HEADINGS)
    step: HeadingStep = _made("heading_step", model, source, threads)
    return step


def tree_step(source: Source, *, threads: int = 1) -> TreeStep:
    """The tree step of a model, whatever its preset."""
    model = _model(source, ModelKind.PUT_OR_SKIP)
    step: TreeStep = _made("tree_step", model, source, threads)
    return step


def find_headings(step: HeadingStep, documents: Sequence[DocumentFeatures]) -> list[tuple[int, ...]]:
    """The headings that a heading step finds in each document."""
    return [step.headings(probabilities) for probabilities in step.probabilities(documents)]


def insert_objects(
    step: TreeStep, documents: Sequence[DocumentFeatures], objects: Objects, strategy: Strategy
) -> list[Insertion]:
    """The trees of these objects of each document."""
    if not documents:
        return []
    return build_many(objects, step.scorer(documents, objects), strategy)


@contextmanager
def blame_model_errors(folder: str | os.PathLike[str]) -> Iterator[None]:
    """Lays what goes wrong while a model is asked to the model, unless it is one of ours.

    Its parts are a stranger's: whether all sizes fit, and all numbers are numbers, only asking it can tell.
    """
    try:
        yield
    except _FAULTS_OF_PARTS as error:
        if model_path(folder, ModelKind.PUT_OR_SKIP).is_relative_to(WEIGHTS):
            raise
        raise _useless("the model", error, folder) from error


def _useless(what: str, error: Exception, file: str | os.PathLike[str] | None) -> FormatError:
    first_line = str(error).partition("\n")[0]
    told = f"{what} cannot be used: {type(error).__name__}: {first_line}"
    return FormatError(told, file=file, advice="train it anew with `held train`")


def _model(source: Source, kind: ModelKind) -> Model:
    return source if isinstance(source, Model) else load_model(source, kind)


def _made(step: str, model: Model, source: Source, threads: int) -> Any:
    """A step of a model; its parts are a stranger's, and anything may be wrong with them."""
    make = _made_by(step, model)
    try:
        return make(model, threads=threads)
    except (HeldError, ImportError):
        raise
    except Exception as error:
        file = None if isinstance(source, Model) else source
        raise _useless(f"the model for {model.kind}", error, file) from error


def _made_by(step: str, model: Model) -> Callable[..., Any]:
    """The function that makes a step of a model, from the module that runs the model's preset."""
    if model.preset not in PRESETS:
        raise VersionError(
            f"the model for {model.kind} is of preset {model.preset!r}, which this version does not know",
            advice=f"it knows {', '.join(PRESETS)}: use the version of held that made it",
        )
    runner = importlib.import_module(PRESETS[model.preset].runner)
    maker: Callable[..., Any] | None = getattr(runner, step, None)
    if maker is None:
        raise UsageError(f"preset {model.preset} has no model for {model.kind}")
    return maker
