"""From the scores of both steps to probabilities that can be taken at their word.

A model is surer, or less sure, than it should be: of its decisions at 0.9 some other share than nine in ten
is right. Two logistic curves over log-odds, fitted on documents that the model was not trained on, mend that.
They hold for these weights alone, so the file beside the weights names them by hash; where it is absent or
names others, the scores stay as they are.
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
_LEAST = 1e-6  # a score of 0 or 1 has no log-odds

Curve = tuple[float, float]
"""A logistic curve: its constant, and the weight of a score's log-odds."""


@dataclass(frozen=True, slots=True)
class Calibration:
    """The curves of both steps: over the score that an object is a heading, and over that of its position."""

    heading: Curve
    place: Curve


def calibrate(curve: Curve, score: float) -> float:
    """The probability that a curve gives to a score."""
    constant, weight = curve
    return 0.5 * (1 + math.tanh((constant + weight * log_odds(score)) / 2))  # cannot overflow


def log_odds(score: float) -> float:
    """The log-odds of a score, finite even for 0 and 1."""
    clipped = min(max(score, _LEAST), 1 - _LEAST)
    return math.log(clipped / (1 - clipped))


def load_calibration(name: str | os.PathLike[str]) -> Calibration | None:
    """The calibration of a model's weights; None where there is none for exactly these."""
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
            advice="delete it: held works without",
        ) from error


def save_calibration(name: str | os.PathLike[str], calibration: Calibration) -> Path:
    """The path of the file, beside the model's weights, that now holds their calibration."""
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
    """Where the calibration of a model is: beside the tree step, which every model has."""
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
