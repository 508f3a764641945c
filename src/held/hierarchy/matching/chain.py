"""The best choice of one span of places for each of several askers, in order and without overlap.

The askers are the entries of an outline, the places are objects of the document, and each asker has some
candidates with a score. This is the longest increasing subsequence with weights: a tree of prefix maxima
makes it fast for any number of candidates.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple


class Candidate(NamedTuple):
    """A span of places, both ends included, and what it is worth."""

    first: int
    last: int
    score: float


@dataclass(frozen=True, slots=True, eq=False)
class _Link:
    """A chain by its last choice."""

    total: float
    asker: int
    choice: int
    before: _Link | None


def best_chain(candidates: Sequence[Sequence[Candidate]]) -> list[int | None]:
    """For each asker which of its candidates it gets, None for none, so that the scores add up to most.

    A candidate that is worth nothing is never taken. What a later asker gets lies after what an earlier
    one got.
    """
    size = 1 + max((candidate.last for row in candidates for candidate in row), default=-1)
    best: list[_Link | None] = [None] * (size + 1)
    for asker, row in enumerate(candidates):
        links = []
        for choice, candidate in enumerate(row):
            if candidate.score <= 0.0:
                continue
            before = _best_before(best, candidate.first)
            total = candidate.score + (before.total if before else 0.0)
            links.append((candidate.last, _Link(total, asker, choice, before)))
        for last, link in links:
            _offer(best, last, link)
    chosen: list[int | None] = [None] * len(candidates)
    end = _best_before(best, size)
    while end is not None:
        chosen[end.asker] = end.choice
        end = end.before
    return chosen


def _best_before(best: Sequence[_Link | None], place: int) -> _Link | None:
    """The best chain that ends before a place."""
    found: _Link | None = None
    while place > 0:
        link = best[place]
        if link is not None and (found is None or link.total > found.total):
            found = link
        place -= place & -place
    return found


def _offer(best: list[_Link | None], place: int, link: _Link) -> None:
    """Let a chain that ends at a place be known to all places after it."""
    place += 1
    while place < len(best):
        known = best[place]
        if known is None or link.total > known.total:
            best[place] = link
        place += place & -place
