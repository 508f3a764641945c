"""Counts that add up over documents, bootstrap intervals of their ratios, and exact matches of objects.

Two objects match if they begin on the same page and have the same text, apart from white space and Unicode
compatibility forms (NFKC).
"""

from __future__ import annotations

import math
import unicodedata
from collections import defaultdict, deque
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from held.document import Kind, PhysicalObject

_RESAMPLES = 2000  # of a bootstrap
_CONFIDENCE = 0.95  # of its interval


@dataclass(frozen=True, slots=True)
class Share:
    """A number of right items out of a total."""

    right: int = 0
    total: int = 0

    def __add__(self, other: Share) -> Share:
        return Share(self.right + other.right, self.total + other.total)

    @property
    def value(self) -> float:
        """The share from 0 to 1; nan if the total is 0."""
        return _ratio(self.right, self.total)


@dataclass(frozen=True, slots=True)
class Matches:
    """How many true and found items there are, and how many are the same."""

    both: int = 0
    true: int = 0
    found: int = 0

    def __add__(self, other: Matches) -> Matches:
        return Matches(self.both + other.both, self.true + other.true, self.found + other.found)

    @property
    def precision(self) -> float:
        """The share of the found items that are true; nan if nothing was found."""
        return _ratio(self.both, self.found)

    @property
    def recall(self) -> float:
        """The share of the true items that were found; nan if there are none."""
        return _ratio(self.both, self.true)

    @property
    def f1(self) -> float:
        """The harmonic mean of both; 0 if one side is empty, nan if both are."""
        return _ratio(2 * self.both, self.true + self.found)


class Interval(NamedTuple):
    """The bounds of a confidence interval."""

    low: float
    high: float


def mean(values: Sequence[float]) -> float:
    """The mean over documents, such as of seconds or inquiries; nan if there are none."""
    return _ratio(math.fsum(values), len(values))


def bootstrap(
    numerators: Sequence[float],
    denominators: Sequence[float] | None = None,
) -> Interval:
    """The bootstrap confidence interval (percentile method) of a ratio of sums over documents.

    Every micro average is such a ratio: accuracy is right / total, F1 is 2 both / (true + found), a mean has
    no denominators. Resamples with a zero denominator are left out; nan without documents.
    """
    above = np.asarray(numerators, dtype=np.float64)
    below = np.ones_like(above) if denominators is None else np.asarray(denominators, dtype=np.float64)
    if above.shape != below.shape:
        raise ValueError(f"{above.size} numerators and {below.size} denominators")
    if above.size == 0:
        return Interval(math.nan, math.nan)
    documents = _draw_documents(above.size)
    sums_above = above[documents].sum(axis=1)
    sums_below = below[documents].sum(axis=1)
    is_defined = sums_below > 0
    ratios = sums_above[is_defined] / sums_below[is_defined]
    return _percentile_interval(ratios)


def paired_bootstrap(ours: Sequence[Share], others: Sequence[Share]) -> Interval:
    """The bootstrap confidence interval of the difference of two micro averages over the same documents.

    Each resample contains the same documents for both, so that a document that is hard for both cancels out.
    An interval above 0 means that ours is better.
    """
    if len(ours) != len(others):
        raise ValueError(f"{len(ours)} documents against {len(others)}")
    counts = []
    for our, other in zip(ours, others, strict=True):
        counts.append((our.right, our.total, other.right, other.total))
    if not counts:
        return Interval(math.nan, math.nan)
    documents = _draw_documents(len(counts))
    sums = np.array(counts)[documents].sum(axis=1).astype(np.float64)
    right, total, other_right, other_total = sums.T
    is_defined = (total > 0) & (other_total > 0)
    with np.errstate(divide="ignore", invalid="ignore"):
        difference = right / total - other_right / other_total
    return _percentile_interval(difference[is_defined])


def _draw_documents(count: int) -> NDArray[np.int64]:
    """The documents of each resample, drawn with replacement; always the same ones."""
    return np.random.default_rng(0).integers(count, size=(_RESAMPLES, count))


def _percentile_interval(values: NDArray[np.float64]) -> Interval:
    if not values.size:
        return Interval(math.nan, math.nan)
    tail = (1 - _CONFIDENCE) / 2
    low, high = np.quantile(values, [tail, 1 - tail])
    return Interval(float(low), float(high))


def _ratio(numerator: float, denominator: float) -> float:
    return numerator / denominator if denominator else math.nan


KindOf = Callable[[PhysicalObject], Kind]


def reading_kind(obj: PhysicalObject) -> Kind:
    """The kind of an object; headings count as paragraphs, because the layout does not distinguish them."""
    return Kind.PARAGRAPH if obj.kind is Kind.HEADING else obj.kind


def match_objects(
    true: Sequence[PhysicalObject], found: Sequence[PhysicalObject], *, kind_of: KindOf | None = None
) -> dict[int, int]:
    """The index of the matching found object for each true object that has one.

    With `kind_of` the kinds must agree, too. Equal objects of a page, such as figures without text, are
    matched in order.
    """
    unmatched: defaultdict[Hashable, deque[int]] = defaultdict(deque)
    for index, obj in enumerate(found):
        unmatched[_key(obj, kind_of)].append(index)
    matches = {}
    for index, obj in enumerate(true):
        candidates = unmatched.get(_key(obj, kind_of))
        if candidates:
            matches[index] = candidates.popleft()
    return matches


def layout_matches(
    true: Sequence[PhysicalObject], found: Sequence[PhysicalObject], *, kind_of: KindOf = reading_kind
) -> dict[Kind, Matches]:
    """Exact matches for each kind that occurs; their sum is the micro average over all kinds."""
    counts: defaultdict[Kind, Matches] = defaultdict(Matches)
    for obj in true:
        counts[kind_of(obj)] += Matches(true=1)
    for obj in found:
        counts[kind_of(obj)] += Matches(found=1)
    for index in match_objects(true, found, kind_of=kind_of):
        counts[kind_of(true[index])] += Matches(both=1)
    return dict(counts)


def _key(obj: PhysicalObject, kind_of: KindOf | None) -> Hashable:
    text = "".join(unicodedata.normalize("NFKC", obj.text).split())
    return (obj.page, text, kind_of(obj) if kind_of else None)
