"""Which heading to look at next: the most doubtful, and the most costly if it is wrong.

A heading in a wrong place gives all headings below it a wrong path, so what a look at it is worth is its
doubt times how many paths hang on it.
"""

from __future__ import annotations

from held.hierarchy.corrections.desk import Laid
from held.tree import ROOT


def by_cost_of_doubt(laid: Laid) -> list[int]:
    """The doubtful headings that nobody has fixed, by number, the most costly first."""
    hierarchy = laid.hierarchy
    below = _headings_below(laid)
    numbers = laid.edited.numbers
    worth = {
        numbers[heading]: (1 - hierarchy.certainty(heading)) * (1 + below[heading])
        for heading in hierarchy.doubtful
        if numbers[heading] not in laid.edited.places
    }
    return sorted(worth, key=lambda number: (-worth[number], number))


def _headings_below(laid: Laid) -> dict[int, int]:
    """How many headings stand below each heading, at whatever level."""
    parents = laid.hierarchy.tree.parents()
    below = dict.fromkeys(laid.hierarchy.headings, 0)
    for heading in sorted(below, reverse=True):
        parent = parents[heading]
        if parent != ROOT:
            below[parent] += below[heading] + 1
    return below
