"""Counts that add up over documents, and how sure one can be of their ratio."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np


@dataclass(frozen=True, slots=True)
class Share:
    """So many of so many."""

    right: int = 0
    total: int = 0

    def __add__(self, other: Share) -> Share:
        return Share(self.right + other.right, self.total + other.total)

    @property
    def value(self) -> float:
        """The share; nan of nothing."""
        return _ratio(self.right, self.total)


@dataclass(frozen=True, slots=True)
class Matches:
    """How many of the true and of the found things are the same."""

    both: int = 0
    true: int = 0
    found: int = 0

    def __add__(self, other: Matches) -> Matches:
        return Matches(self.both + other.both, self.true + other.true, self.found + other.found)

    @property
    def precision(self) -> float:
        """The share of the found ones that are true; nan where nothing was found."""
        return _ratio(self.both, self.found)

    @property
    def recall(self) -> float:
        """The share of the true ones that were found; nan where there are none."""
        return _ratio(self.both, self.true)

    @property
    def f1(self) -> float:
        """The harmonic mean of both; 0 where only one side is empty, nan where both are."""
        return _ratio(2 * self.both, self.true + self.found)


class Interval(NamedTuple):
    """The bounds of a confidence interval."""

    low: float
    high: float


def mean(values: Sequence[float]) -> float:
    """The mean over documents (for seconds, inquiries, similarities); nan of nothing."""
    return _ratio(math.fsum(values), len(values))


def bootstrap(
    numerators: Sequence[float],
    denominators: Sequence[float] | None = None,
    *,
    confidence: float = 0.95,
    resamples: int = 2000,
    seed: int = 0,
) -> Interval:
    """The confidence interval of a ratio of sums over documents, drawn anew from the documents.

    Every micro average is such a ratio: accuracy is right / total, F1 is 2 both / (true + found), a mean has
    no denominators. Percentile method; draws without anything to judge are left out; nan without documents.
    """
    above = np.asarray(numerators, dtype=np.float64)
    below = np.ones_like(above) if denominators is None else np.asarray(denominators, dtype=np.float64)
    if above.shape != below.shape:
        raise ValueError(f"{above.size} numerators and {below.size} denominators")
    if above.size == 0:
        return Interval(math.nan, math.nan)
    drawn = np.random.default_rng(seed).integers(above.size, size=(resamples, above.size))
    sums_above, sums_below = above[drawn].sum(axis=1), below[drawn].sum(axis=1)
    kept = sums_below > 0
    if not kept.any():
        return Interval(math.nan, math.nan)
    tail = (1 - confidence) / 2
    low, high = np.quantile(sums_above[kept] / sums_below[kept], [tail, 1 - tail])
    return Interval(float(low), float(high))


def paired_bootstrap(
    ours: Sequence[Share],
    others: Sequence[Share],
    *,
    confidence: float = 0.95,
    resamples: int = 2000,
    seed: int = 0,
) -> Interval:
    """The confidence interval of the difference of two micro averages over the same documents.

    Both are drawn together, so that a document that is hard for both moves neither end. Above 0: ours is
    better.
    """
    if len(ours) != len(others):
        raise ValueError(f"{len(ours)} documents against {len(others)}")
    counts = np.array([(a.right, a.total, b.right, b.total) for a, b in zip(ours, others, strict=True)])
    if not len(counts):
        return Interval(math.nan, math.nan)
    drawn = np.random.default_rng(seed).integers(len(counts), size=(resamples, len(counts)))
    right, total, other_right, other_total = counts[drawn].sum(axis=1).astype(np.float64).T
    kept = (total > 0) & (other_total > 0)
    if not kept.any():
        return Interval(math.nan, math.nan)
    differences = right[kept] / total[kept] - other_right[kept] / other_total[kept]
    tail = (1 - confidence) / 2
    low, high = np.quantile(differences, [tail, 1 - tail])
    return Interval(float(low), float(high))


def _ratio(numerator: float, denominator: float) -> float:
    return numerator / denominator if denominator else math.nan
