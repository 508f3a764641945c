"""Numbers that remember the threshold they come from and notice decisions that another value would flip.

A `TrackedFloat` stands for `offset + slope * threshold`. Whenever it is compared, the comparison is repeated
with the threshold changed by each factor; a different answer is recorded as a *flip* under the threshold's
name. One pass over a document thus tells for every threshold whether a change can alter anything there:

    gap < MAX_GAP_EM * size        # recorded as a flip of MAX_GAP_EM x 0.75 where gap lies in between

What leaves arithmetic (`round`, `int`, use as a dictionary key) is recorded as *opaque*: a change may matter,
and only running the mutant can tell.
"""

from __future__ import annotations

import operator
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

FACTORS = (0.75, 1.25, 4.0)
"""The changes of every threshold: a quarter down, a quarter up, four times."""

OPAQUE = 0.0
"""Stands in for a factor where any change may matter."""

Flips = dict[tuple[str, float], Counter[str]]
"""For each threshold and factor the subjects (documents or tests) where decisions flip, and how many do."""


class Recorder:
    """Collects the flips of the subject at hand."""

    def __init__(self) -> None:
        self.flips: Flips = {}
        self._subject = ""

    @contextmanager
    def subject(self, name: str) -> Iterator[None]:
        """Records what happens inside under the name of a document or test."""
        before, self._subject = self._subject, name
        try:
            yield
        finally:
            self._subject = before

    def record(self, threshold: str, factor: float) -> None:
        """Notes that the subject at hand depends on a threshold."""
        self.flips.setdefault((threshold, factor), Counter())[self._subject] += 1


RECORDER = Recorder()


def changed_value(value: float, factor: float) -> float:
    """A threshold times a factor; counts stay whole numbers and change by at least one."""
    if not isinstance(value, int):
        return value * factor
    changed = round(value * factor)
    if changed != value:
        return changed
    return value + 1 if factor > 1 else value - 1


class _Comparisons:
    """The six comparisons, all by way of `_compare`."""

    __slots__ = ()

    def _compare(self, other: Any, compare: Callable[[float, float], bool]) -> Any:
        raise NotImplementedError

    def __lt__(self, other: float) -> Any:
        return self._compare(other, operator.lt)

    def __le__(self, other: float) -> Any:
        return self._compare(other, operator.le)

    def __gt__(self, other: float) -> Any:
        return self._compare(other, operator.gt)

    def __ge__(self, other: float) -> Any:
        return self._compare(other, operator.ge)

    def __eq__(self, other: object) -> Any:
        return self._compare(other, operator.eq)

    def __ne__(self, other: object) -> Any:
        return self._compare(other, operator.ne)


class TrackedFloat(_Comparisons, float):
    """A float that depends linearly on one threshold."""

    __slots__ = ("name", "offset", "slope", "threshold")

    name: str
    threshold: float
    slope: float
    offset: float

    @classmethod
    def of(cls, name: str, threshold: float, slope: float = 1.0, offset: float = 0.0) -> TrackedFloat:
        """The number `offset + slope * threshold`."""
        tracked = cls(offset + slope * threshold)
        tracked.name, tracked.threshold = name, threshold
        tracked.slope, tracked.offset = slope, offset
        return tracked

    def _derived(self, value: float, slope: float, offset: float) -> TrackedFloat:
        derived = TrackedFloat(value)
        derived.name, derived.threshold = self.name, self.threshold
        derived.slope, derived.offset = slope, offset
        return derived

    def _opaque(self) -> float:
        RECORDER.record(self.name, OPAQUE)
        return float.__add__(self, 0.0)

    def _compare(self, other: Any, compare: Callable[[float, float], bool]) -> Any:
        if not isinstance(other, (int, float)):
            return NotImplemented
        value, bound = float.__add__(self, 0.0), float(other)
        answer = compare(value, bound)
        for factor in FACTORS:
            changed = self.offset + self.slope * changed_value(self.threshold, factor)
            if compare(changed, bound) is not answer:
                RECORDER.record(self.name, factor)
        return answer

    def __hash__(self) -> int:
        return hash(self._opaque())

    def __bool__(self) -> bool:
        return float.__ne__(self, 0.0)

    def __add__(self, other: float) -> Any:
        if not isinstance(other, (int, float)):
            return NotImplemented
        return self._derived(float.__add__(self, other), self.slope, self.offset + other)

    __radd__ = __add__

    def __sub__(self, other: float) -> Any:
        if not isinstance(other, (int, float)):
            return NotImplemented
        return self._derived(float.__sub__(self, other), self.slope, self.offset - other)

    def __rsub__(self, other: float) -> Any:
        if not isinstance(other, (int, float)):
            return NotImplemented
        return self._derived(float.__rsub__(self, other), -self.slope, other - self.offset)

    def __mul__(self, other: float) -> Any:
        if not isinstance(other, (int, float)):
            return NotImplemented
        factor = float(other)
        return self._derived(float.__mul__(self, factor), self.slope * factor, self.offset * factor)

    __rmul__ = __mul__

    def __truediv__(self, other: float) -> Any:
        if not isinstance(other, (int, float)):
            return NotImplemented
        divisor = float(other)
        return self._derived(float.__truediv__(self, divisor), self.slope / divisor, self.offset / divisor)

    def __neg__(self) -> Any:
        return self._derived(float.__neg__(self), -self.slope, -self.offset)

    # Not linear in the threshold: the value is handed out plain, and any change may matter.

    def __rtruediv__(self, other: float) -> Any:
        return other / self._opaque()

    def __floordiv__(self, other: float) -> Any:
        return self._opaque() // other

    def __rfloordiv__(self, other: float) -> Any:
        return other // self._opaque()

    def __mod__(self, other: float) -> Any:
        return self._opaque() % other

    def __rmod__(self, other: float) -> Any:
        return other % self._opaque()

    def __pow__(self, other: Any, modulus: None = None) -> Any:
        return self._opaque() ** other

    def __abs__(self) -> Any:
        return abs(self._opaque())

    def __round__(self, digits: Any = None) -> Any:
        return round(self._opaque(), digits)

    def __int__(self) -> int:
        return int(self._opaque())

    def __trunc__(self) -> int:
        return int(self._opaque())

    def __floor__(self) -> int:
        return self._opaque().__floor__()

    def __ceil__(self) -> int:
        return self._opaque().__ceil__()

    def __float__(self) -> float:
        return self._opaque()


class TrackedInt(_Comparisons, int):
    """A count that notices comparisons; arithmetic with it is opaque."""

    name: str

    @classmethod
    def of(cls, name: str, threshold: int) -> TrackedInt:
        """The threshold itself."""
        found = cls(threshold)
        found.name = name
        return found

    def _opaque(self) -> int:
        RECORDER.record(self.name, OPAQUE)
        return int.__add__(self, 0)

    def _compare(self, other: Any, compare: Callable[[float, float], bool]) -> Any:
        if not isinstance(other, (int, float)):
            return NotImplemented
        value, bound = int.__add__(self, 0), other + 0
        answer = compare(value, bound)
        for factor in FACTORS:
            if compare(changed_value(value, factor), bound) is not answer:
                RECORDER.record(self.name, factor)
        return answer

    def __hash__(self) -> int:
        return hash(self._opaque())

    def __add__(self, other: Any) -> Any:
        return self._opaque() + other

    __radd__ = __add__

    def __sub__(self, other: Any) -> Any:
        return self._opaque() - other

    def __rsub__(self, other: Any) -> Any:
        return other - self._opaque()

    def __mul__(self, other: Any) -> Any:
        return self._opaque() * other

    __rmul__ = __mul__

    def __truediv__(self, other: Any) -> Any:
        return self._opaque() / other

    def __rtruediv__(self, other: Any) -> Any:
        return other / self._opaque()

    def __floordiv__(self, other: Any) -> Any:
        return self._opaque() // other

    def __rfloordiv__(self, other: Any) -> Any:
        return other // self._opaque()

    def __neg__(self) -> Any:
        return -self._opaque()


def tracked(thresholds: Mapping[str, float]) -> dict[str, Any]:
    """The thresholds as tracking numbers."""
    return {
        name: TrackedInt.of(name, value) if isinstance(value, int) else TrackedFloat.of(name, value)
        for name, value in thresholds.items()
    }
