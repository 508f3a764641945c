"""Overrides: what a person or a program has decided about a document's headings before its tree is built.

They are written as one mapping, {object: override}. An override is the object of the parent heading, None for
the top level, "heading" for a heading at any position, or "text" for an object that is no heading.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from held.errors import UsageError
from held.tree import ROOT

HEADING = "heading"
TEXT = "text"
Override = int | str | None
OverrideMap = Mapping[int, Override]

_ADVICE = 'a place is the object of the heading above, None for the top, "heading" or "text"'


@dataclass(frozen=True, slots=True)
class Overrides:
    """The headings with a given parent (ROOT for the top level), other headings, and texts."""

    parents: Mapping[int, int] = field(default_factory=dict)
    headings: frozenset[int] = frozenset()
    texts: frozenset[int] = frozenset()

    def apply_to(self, found: Mapping[int, float], *, score: float) -> dict[int, float]:
        """The headings found, without the texts and with the given headings at `score`, in reading order."""
        given = {*self.parents, *self.headings}
        scores = {**found, **dict.fromkeys(given, score)}
        return {heading: scores[heading] for heading in sorted(scores) if heading not in self.texts}


NO_OVERRIDES = Overrides()


def parse_overrides(overrides: OverrideMap, *, object_count: int) -> Overrides:
    """The overrides of a document with so many objects; a given parent is a heading, too."""
    parents: dict[int, int] = {}
    by_word: dict[str, set[int]] = {HEADING: set(), TEXT: set()}
    for obj, override in overrides.items():
        if isinstance(override, int):
            parents[obj] = override
        elif override is None:
            parents[obj] = ROOT
        elif override in by_word:
            by_word[override].add(obj)
        else:
            raise UsageError(f"object {obj} cannot be fixed at {override!r}", advice=_ADVICE)
    above = {parent for parent in parents.values() if parent != ROOT}
    texts = by_word[TEXT]
    for obj in {*overrides, *above}:
        if not 0 <= obj < object_count:
            raise UsageError(f"there is no object {obj}: the document has {object_count}")
    if above & texts:
        raise UsageError(f"object {min(above & texts)} is fixed as text, but has a heading below it")
    return Overrides(parents, frozenset(by_word[HEADING] | above), frozenset(texts))
