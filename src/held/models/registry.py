"""The registry of presets: the functions that run the models of a preset, and the module that trains them.

A preset is a type of model, such as boosted trees. Every model file names its preset. Functions are given by
name, not imported, because each preset needs other libraries, and those for training are optional.
"""

from __future__ import annotations

import importlib
import os
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

from held.errors import FormatError, HeldError, UsageError, VersionError
from held.models.store import WEIGHTS, BaselineKind, Model, ModelKind, step_files

ModelFile = str | os.PathLike[str]

# Raised by numpy and ONNX Runtime for arrays of wrong sizes, and by insertion for probabilities that are NaN.
_MODEL_ERRORS = (LookupError, TypeError, ValueError, ArithmeticError, RuntimeError)


class Preset(NamedTuple):
    """The parts of a preset, each as "module:function"; None where it has no such step.

    heading_step   (model, *, threads, disabled) -> held.hierarchy.steps.HeadingStep
    tree_step      (model, *, threads, disabled) -> held.hierarchy.steps.TreeStep
    trainer        a module with `train(request)`: see `held.training.trainers`
    """

    heading_step: str | None
    tree_step: str | None
    trainer: str


PRESETS: dict[str, Preset] = {
    "boosted": Preset(
        "held.headings.classifier:heading_step",
        "held.hierarchy.scorers:boosted_tree_step",
        "held.training.boosted_trainer",
    ),
    "paper": Preset(
        "held.paper.network_steps:heading_step",
        "held.paper.network_steps:tree_step",
        "held.paper.training.network_trainer",
    ),
}
BASELINE_RULES = ("size", "numbers", "heps")
"""The baselines of the paper that are rules: the value of `--model` is their name."""
_BASELINE_STEPS = "held.paper.baselines:baseline_steps"
OLD_NAMES = {"base": "boosted"}
"""Earlier names of presets, which model files and commands may still use."""


def preset_name(name: str) -> str:
    """The current name of a preset; an unknown name stays as it is."""
    return OLD_NAMES.get(name, name)


def is_baseline(name: ModelFile) -> bool:
    """Whether this is the name of a rule, or a folder with the trained model of a baseline."""
    return name in BASELINE_RULES or not step_files(name).keys().isdisjoint(BaselineKind)


def make_baseline(name: ModelFile) -> Any:
    """The `held.hierarchy.steps.Steps` of a baseline."""
    return _import(_BASELINE_STEPS)(name)


def make_step(
    model: Model,
    *,
    file: ModelFile | None = None,
    threads: int = 1,
    disabled: Collection[str] = (),
) -> Any:
    """The step of a model, made by its preset.

    A model file may be damaged or hostile, so every error is reported as an error of the model.
    """
    make = _step_maker(model)
    try:
        return make(model, threads=threads, disabled=disabled)
    except (HeldError, ImportError, TimeoutError):  # a timeout is the caller's, not the model's
        raise
    except Exception as error:
        raise _unusable(f"the model for {model.kind}", error, file) from error


def _step_maker(model: Model) -> Callable[..., Any]:
    preset = PRESETS.get(preset_name(model.preset))
    if preset is None:
        raise VersionError(
            f"the model for {model.kind} is of preset {model.preset!r}, which this version does not know",
            advice=f"it knows {', '.join(PRESETS)}: use the version of held that made it",
        )
    path = preset.heading_step if model.kind is ModelKind.HEADINGS else preset.tree_step
    if path is None:
        raise UsageError(f"preset {model.preset} has no model for {model.kind}")
    return _import(path)


def _import(path: str) -> Callable[..., Any]:
    """The function at "module:function"."""
    module, _, name = path.partition(":")
    function: Callable[..., Any] = getattr(importlib.import_module(module), name)
    return function


@contextmanager
def blame_model_errors(folder: ModelFile) -> Iterator[None]:
    """Report errors that a model raises as errors of that model, unless it is a shipped one.

    Arrays that do not fit together, or contain NaN, cause errors only when the model runs.
    """
    try:
        yield
    except _MODEL_ERRORS as error:
        if any(path.is_relative_to(WEIGHTS) for path in step_files(folder).values()):
            raise
        raise _unusable("the model", error, folder) from error


def _unusable(what: str, error: Exception, file: ModelFile | None) -> FormatError:
    first_line = str(error).partition("\n")[0]
    message = f"{what} cannot be used: {type(error).__name__}: {first_line}"
    return FormatError(message, file=file, advice="train it again with `held train`")
