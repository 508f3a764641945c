"""Fits the calibration curves, and measures how well probabilities are calibrated."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from research.calibration.scored_headings import ScoredHeading

from held.models.inference import Calibration, Curve, calibrate, log_odds

Floats = NDArray[np.float64]
_STEPS = 50
_RIDGE = 1e-3  # keeps the curve finite if all headings are right


def fit(headings: Sequence[ScoredHeading]) -> Calibration:
    """The curves of maximum likelihood; that of the tree step is fitted on true headings only."""
    true = [heading for heading in headings if heading.is_heading]
    heading_scores = [heading.heading_score for heading in headings]
    place_scores = [heading.place_score for heading in true]
    return Calibration(
        heading=fit_curve(heading_scores, [heading.is_heading for heading in headings]),
        place=fit_curve(place_scores, [heading.place_is_right for heading in true]),
    )


def fit_curve(scores: Sequence[float], right: Sequence[bool]) -> Curve:
    """The logistic curve of maximum likelihood, by Newton's method."""
    rows = np.array([[1.0, log_odds(score)] for score in scores]).reshape(-1, 2)
    target = np.array(right, np.float64)
    weights = np.zeros(2)
    for _ in range(_STEPS):
        probabilities = 0.5 * (1 + np.tanh(rows @ weights / 2))
        gradient = rows.T @ (target - probabilities) - _RIDGE * weights
        variances = probabilities * (1 - probabilities)
        hessian = (rows * variances[:, None]).T @ rows + _RIDGE * np.eye(2)
        weights += np.linalg.solve(hessian, gradient)
    return float(weights[0]), float(weights[1])


def certainty(heading: ScoredHeading, calibration: Calibration | None) -> float:
    """The probability that an object is a heading at the right position; without curves, from bare scores."""
    if calibration is None:
        return heading.heading_score * heading.place_score
    is_heading = calibrate(calibration.heading, heading.heading_score)
    is_in_place = calibrate(calibration.place, heading.place_score)
    return is_heading * is_in_place


def cross_validate(headings: Sequence[ScoredHeading]) -> Floats:
    """The certainty of each heading, by curves that were fitted on the other half of the documents."""
    curves = [fit([heading for heading in headings if heading.half != half]) for half in (0, 1)]
    return np.array([certainty(heading, curves[heading.half]) for heading in headings])


class Bin(NamedTuple):
    """Headings of about the same certainty: how many, the certainty's mean, and the share that is right."""

    headings: int
    certainty: float
    right: float


def even_bins(certainties: Floats, right: Floats, *, bins: int = 15) -> list[Bin]:
    """The headings in bins of about the same number of headings."""
    parts = np.array_split(np.argsort(certainties), bins)
    return [_bin(certainties, right, part) for part in parts if len(part)]


def wide_bins(certainties: Floats, right: Floats, *, bins: int = 10) -> list[Bin]:
    """The headings in bins of the same width, without the empty ones."""
    which = np.minimum((certainties * bins).astype(int), bins - 1)
    return [_bin(certainties, right, np.flatnonzero(which == k)) for k in np.unique(which)]


def _bin(certainties: Floats, right: Floats, part: NDArray[np.int64]) -> Bin:
    return Bin(len(part), float(certainties[part].mean()), float(right[part].mean()))


def calibration_error(certainties: Floats, right: Floats) -> float:
    """The expected calibration error: the mean distance of certainty and share over bins of equal size."""
    total = 0.0
    for bin_ in even_bins(certainties, right):
        total += bin_.headings * abs(bin_.certainty - bin_.right)
    return total / len(right)


def brier(certainties: Floats, right: Floats) -> float:
    """The Brier score: the mean squared distance of certainty and truth."""
    return float(((certainties - right) ** 2).mean())
