"""Calibration: turns the scores of both steps into probabilities.

A model is over- or underconfident: of its decisions with a score of 0.9, not nine in ten are right. Two
logistic curves over log-odds (Platt scaling), fitted on documents that the model was not trained on, correct
that. They are valid only for these weights, so the file beside the weights has their hashes. Without a file
for these weights, the scores stay as they are.
"""

from __future__ import annotations

import hashlib
import math
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from held.errors import FormatError
from held.models.store import ModelKind, json_part, model_path, step_files
from held.system.atomic_write import write_file
from held.system.bounded_input import read_json_value

CALIBRATION_FORMAT = "held.calibration"
VERSION = 1
_FILE = "calibration.json"
_MIN_SCORE = 1e-6  # scores are kept away from 0 and 1, whose log-odds are infinite

Curve = tuple[float, float]
"""A logistic curve: its constant, and the factor of a score's log-odds."""


@dataclass(frozen=True, slots=True)
class Calibration:
    """The curves of the heading step (is it a heading?) and of the tree step (is its position right?)."""

    heading: Curve
    place: Curve


def calibrate(curve: Curve, score: float) -> float:
    """The probability that belongs to a score."""
    constant, weight = curve
    logit = constant + weight * log_odds(score)
    return 0.5 * (1 + math.tanh(logit / 2))  # the sigmoid, in a form that cannot overflow


def log_odds(score: float) -> float:
    """The log-odds of a score, finite even for 0 and 1."""
    clipped = min(max(score, _MIN_SCORE), 1 - _MIN_SCORE)
    return math.log(clipped / (1 - clipped))


def load_calibration(name: str | os.PathLike[str]) -> Calibration | None:
    """The calibration of a model; None if there is none for exactly its weights."""
    path = _path(name)
    if not path.is_file():
        return None
    try:
        value = read_json_value(path, "model_bytes")
        if value["format"] != CALIBRATION_FORMAT:
            raise ValueError(value["format"])
        if value["version"] != VERSION or value["weights"] != _weights(name):
            return None
        return Calibration(_curve(value["heading"]), _curve(value["place"]))
    except (FormatError, KeyError, TypeError, ValueError, OverflowError) as error:
        raise FormatError(
            f"not a calibration: {getattr(error, 'what', repr(error))}",
            file=path,
            advice="delete it: held works without it",
        ) from error


def save_calibration(name: str | os.PathLike[str], calibration: Calibration) -> Path:
    """Write a calibration beside the model's weights and return the path of its file."""
    path = _path(name)
    value = {
        "format": CALIBRATION_FORMAT,
        "version": VERSION,
        "weights": _weights(name),
        "heading": [round(number, 4) for number in calibration.heading],
        "place": [round(number, 4) for number in calibration.place],
    }
    write_file(path, json_part(value) + b"\n")
    return path


def _path(name: str | os.PathLike[str]) -> Path:
    """The path of a model's calibration: beside the tree step, which every model has."""
    return model_path(name, ModelKind.PUT_OR_SKIP).with_name(_FILE)


def _weights(name: str | os.PathLike[str]) -> dict[str, str]:
    """The sha256 of each step's model file."""
    files = step_files(name)
    return {kind: hashlib.sha256(path.read_bytes()).hexdigest() for kind, path in files.items()}


def _curve(value: Any) -> Curve:
    constant, weight = map(float, value)
    if not (math.isfinite(constant) and math.isfinite(weight)):
        raise ValueError(value)
    return constant, weight
