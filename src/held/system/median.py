"""The median of some numbers.

Importing Python's `statistics` also imports fractions, decimals and random numbers. That takes as long as the
layout of a page.
"""

from __future__ import annotations

from collections.abc import Iterable


def median(numbers: Iterable[float]) -> float:
    """The median of at least one number, as `statistics.median` computes it."""
    ordered = sorted(numbers)
    middle = len(ordered) // 2
    return ordered[middle] if len(ordered) % 2 else (ordered[middle - 1] + ordered[middle]) / 2
