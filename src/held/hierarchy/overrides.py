"""What is known of a document's headings before its tree is built: what a person, or a program, has said.

It is written as one mapping, {object: place}. A place is the object of the heading above, None for the top,
"heading" for a heading that may stand anywhere, "text" for what is no heading.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from held.errors import UsageError
from held.tree import ROOT

HEADING = "heading"
TEXT = "text"
Place = int | str | None
FixedPlaces = Mapping[int, Place]


@dataclass(frozen=True, slots=True)
class Fixed:
    """Headings with a given parent (ROOT for the top), other headings, and objects that are none."""

    parents: Mapping[int, int] = field(default_factory=dict)
    headings: frozenset[int] = frozenset()
    texts: frozenset[int] = frozenset()

    def headings_among(self, found: Mapping[int, float], *, score: float) -> dict[int, float]:
        """The headings that were found, with those that are given at this score, in reading order."""
        given = {*self.parents, *self.headings}
        scores = {**found, **dict.fromkeys(given, score)}
        return {heading: scores[heading] for heading in sorted(scores) if heading not in self.texts}


NOTHING_FIXED = Fixed()


def fixed_from(places: FixedPlaces, *, object_count: int) -> Fixed:
    """What a mapping of places says of a document with so many objects; what is above a heading is one."""
    parents: dict[int, int] = {}
    by_word: dict[str, set[int]] = {HEADING: set(), TEXT: set()}
    for obj, place in places.items():
        if isinstance(place, int):
            parents[obj] = place
        elif place is None:
            parents[obj] = ROOT
        elif place in by_word:
            by_word[place].add(obj)
        else:
            raise UsageError(f"object {obj} cannot be fixed at {place!r}", advice=_ADVICE)
    above = {parent for parent in parents.values() if parent != ROOT}
    texts = by_word[TEXT]
    for obj in {*places, *above}:
        if not 0 <= obj < object_count:
            raise UsageError(f"there is no object {obj}: the document has {object_count}")
    if above & texts:
        raise UsageError(f"object {min(above & texts)} is fixed as text, but has a heading below it")
    return Fixed(parents, frozenset(by_word[HEADING] | above), frozenset(texts))


_ADVICE = 'a place is the object of the heading above, None for the top, "heading" or "text"'
