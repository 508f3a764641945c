"""How well headings are found."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from held.metrics.averages import Matches
from held.metrics.truth import Truth


def heading_matches(
    truth: Truth, predicted: Collection[int], match: Mapping[int, int] | None = None
) -> Matches:
    """How many headings are true and found.

    Unknown objects count on neither side. A true heading without an object is missed; a predicted one that
    matches no true object is false.
    """
    found_as = truth.found_as(match)
    masked = {found_as[node] for node in truth.unknown if node in found_as}
    found = set(predicted) - masked
    both = sum(found_as.get(node) in found for node in truth.headings)
    return Matches(both, len(truth.headings), len(found))
