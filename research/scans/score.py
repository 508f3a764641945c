"""Compares a tree with an outline whose titles may be misread: headings and paths."""

from __future__ import annotations

import re
from collections.abc import Sequence
from difflib import SequenceMatcher
from typing import NamedTuple

from held.hierarchy import Hierarchy

MIN_SIMILARITY = 0.75
LEADING_NUMBER = re.compile(
    r"^(?:(?:chapter|part|kapitel|chapitre|item|appendix)\s+)?[\divxlc]+(?:[.\-][\da-z]+)*[.):]?\s+",
    re.IGNORECASE,
)
NO_LETTER = re.compile(r"[\W_]+")


class Heading(NamedTuple):
    """A heading: level and page from 1."""

    level: int
    title: str
    page: int


class Score(NamedTuple):
    """Counts of one document."""

    true: int
    found: int
    headings: int  # true headings that were found
    paths: int  # ... with the right headings above them

    @property
    def heading_f1(self) -> float:
        return _f1(self.headings, self.true, self.found)

    @property
    def path_f1(self) -> float:
        return _f1(self.paths, self.true, self.found)


def _f1(right: int, true: int, found: int) -> float:
    return 2 * right / (true + found) if true + found else 1.0


def headings_of(hierarchy: Hierarchy) -> list[Heading]:
    """The headings of a tree in reading order."""
    levels = hierarchy.tree.levels()
    objects = hierarchy.document.objects
    return [
        Heading(levels[index], objects[index].text, objects[index].page)
        for index in sorted(hierarchy.headings)
    ]


def score(gold: Sequence[Heading], found: Sequence[Heading]) -> Score:
    """Match the headings in reading order, and count those with the right path."""
    match = _match(gold, found)  # index of a found heading: index of the true one
    gold_parents, found_parents = _parents(gold), _parents(found)
    right = 0
    for own, true in match.items():
        path = [match.get(node) for node in _path(own, found_parents)]
        right += path == _path(true, gold_parents)
    return Score(len(gold), len(found), len(match), right)


def _match(gold: Sequence[Heading], found: Sequence[Heading]) -> dict[int, int]:
    candidates = []
    for true, entry in enumerate(gold):
        for own, heading in enumerate(found):
            if abs(heading.page - entry.page) <= 1:
                similarity = _similarity(entry.title, heading.title)
                if similarity >= MIN_SIMILARITY:
                    distance = abs(heading.page - entry.page)
                    candidates.append((distance, -similarity, true, own))
    match: dict[int, int] = {}
    taken: set[int] = set()
    for _, _, true, own in sorted(candidates):
        if own not in match and true not in taken:
            match[own] = true
            taken.add(true)
    return match


def _similarity(one: str, other: str) -> float:
    ways = [(a, b) for a in _keys(one) for b in _keys(other)]
    return max(SequenceMatcher(None, a, b, autojunk=False).ratio() for a, b in ways)


def _keys(title: str) -> set[str]:
    """The title without spaces and signs, with its number and without."""
    joined = " ".join(title.split())
    keys = {NO_LETTER.sub("", text).casefold() for text in (joined, LEADING_NUMBER.sub("", joined))}
    return {key for key in keys if key} or {""}


def _parents(headings: Sequence[Heading]) -> list[int | None]:
    parents: list[int | None] = []
    branch: list[int] = []
    for index, heading in enumerate(headings):
        while branch and headings[branch[-1]].level >= heading.level:
            branch.pop()
        parents.append(branch[-1] if branch else None)
        branch.append(index)
    return parents


def _path(index: int, parents: Sequence[int | None]) -> list[int]:
    path = []
    node = parents[index]
    while node is not None:
        path.append(node)
        node = parents[node]
    return path
