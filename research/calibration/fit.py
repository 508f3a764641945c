"""Fitting the curves, and measuring whether probabilities can be taken at their word."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from research.calibration.judged import Judged

from held.models.calibration import Calibration, Curve, calibrate, log_odds

Floats = NDArray[np.float64]
_STEPS = 50
_RIDGE = 1e-3  # keeps the curve finite where all are right


def fit(judged: Sequence[Judged]) -> Calibration:
    """The curves that make what was seen of both steps most likely; the place is judged of true headings."""
    true = [one for one in judged if one.is_heading]
    return Calibration(
        heading=_curve([one.heading_score for one in judged], [one.is_heading for one in judged]),
        place=_curve([one.place_score for one in true], [one.place_is_right for one in true]),
    )


def _curve(scores: Sequence[float], right: Sequence[bool]) -> Curve:
    """The logistic curve of most likelihood, by Newton's method."""
    rows = np.array([[1.0, log_odds(score)] for score in scores]).reshape(-1, 2)
    target = np.array(right, np.float64)
    weights = np.zeros(2)
    for _ in range(_STEPS):
        p = 0.5 * (1 + np.tanh(rows @ weights / 2))
        slope = rows.T @ (target - p) - _RIDGE * weights
        bend = (rows * (p * (1 - p))[:, None]).T @ rows + _RIDGE * np.eye(2)
        weights += np.linalg.solve(bend, slope)
    return float(weights[0]), float(weights[1])


def certainty(one: Judged, calibration: Calibration | None) -> float:
    """The probability that a heading is one and stands in its place; the product of scores without curves."""
    if calibration is None:
        return one.heading_score * one.place_score
    return calibrate(calibration.heading, one.heading_score) * calibrate(calibration.place, one.place_score)


def cross_wise(judged: Sequence[Judged]) -> Floats:
    """The certainty of each heading, from curves that were fitted on the half it is not in."""
    curves = [fit([one for one in judged if one.half != half]) for half in (0, 1)]
    return np.array([certainty(one, curves[one.half]) for one in judged])


class Bin(NamedTuple):
    """Headings of about the same certainty: how many, the certainty's mean, and the share that is right."""

    headings: int
    certainty: float
    right: float


def even_bins(certainties: Floats, right: Floats, *, bins: int = 15) -> list[Bin]:
    """The headings in bins of about as many each."""
    return [
        _bin(certainties, right, part) for part in np.array_split(np.argsort(certainties), bins) if len(part)
    ]


def wide_bins(certainties: Floats, right: Floats, *, bins: int = 10) -> list[Bin]:
    """The headings in bins of the same width, without the empty ones."""
    which = np.minimum((certainties * bins).astype(int), bins - 1)
    return [_bin(certainties, right, np.flatnonzero(which == k)) for k in np.unique(which)]


def _bin(certainties: Floats, right: Floats, part: NDArray[np.int64]) -> Bin:
    return Bin(len(part), float(certainties[part].mean()), float(right[part].mean()))


def calibration_error(certainties: Floats, right: Floats) -> float:
    """The expected calibration error: how far certainty and share lie apart, over bins of as many each."""
    return sum(b.headings * abs(b.certainty - b.right) for b in even_bins(certainties, right)) / len(right)


def brier(certainties: Floats, right: Floats) -> float:
    """The mean squared distance from what is right."""
    return float(((certainties - right) ** 2).mean())
