"""What corrections fix, and the document that they make of the recognised one.

Objects have numbers that stay what they are: an object's own is its place in the recognised document, and
the second piece of one that is split gets the next number that is free. So an effect can be kept, left out
and taken back, whatever comes before it in reading order.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, NamedTuple

from held.document import Document, PhysicalObject
from held.errors import UsageError
from held.hierarchy.corrections.pieces import joined, split_at
from held.hierarchy.insertion.places import given_places
from held.hierarchy.overrides import HEADING, TEXT, Fixed, Place, fixed_from
from held.system.json_values import JsonValue
from held.tree import ROOT


class Join(NamedTuple):
    """Two objects that are one: the second becomes part of the first."""

    first: int
    second: int


class Split(NamedTuple):
    """An object that is two: the text from a character on becomes an object with a new number."""

    obj: int
    at: int
    new: int


@dataclass(frozen=True, slots=True)
class Effect:
    """What one correction fixes, by the numbers of objects."""

    places: Mapping[int, Place] = field(default_factory=dict)
    texts: Mapping[int, str] = field(default_factory=dict)
    joins: tuple[Join, ...] = ()
    splits: tuple[Split, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """The effect as a JSON object."""
        return {
            "places": {str(obj): place for obj, place in self.places.items()},
            "texts": {str(obj): text for obj, text in self.texts.items()},
            "joins": [list(join) for join in self.joins],
            "splits": [list(split) for split in self.splits],
        }

    @staticmethod
    def from_json(value: JsonValue) -> Effect:
        """The effect that a JSON object describes."""
        return Effect(
            {int(obj): place for obj, place in value["places"].fields().items()},
            {int(obj): text for obj, text in value["texts"].fields().items()},
            tuple(Join(*join.value) for join in value["joins"].items()),
            tuple(Split(*split.value) for split in value["splits"].items()),
        )


@dataclass(frozen=True)
class Edited:
    """A document after corrections, the number of each of its objects, and the places that are fixed."""

    document: Document
    numbers: tuple[int, ...]
    places: Mapping[int, Place]

    @cached_property
    def index_of(self) -> dict[int, int]:
        """Where the object with a number stands in the document."""
        return {number: index for index, number in enumerate(self.numbers)}

    def fixed(self) -> Fixed:
        """What is fixed, by places in the document; of two that contradict each other the later holds."""
        index_of = self.index_of
        places = {
            index_of[obj]: index_of[place] if isinstance(place, int) else place
            for obj, place in self.places.items()
            if obj in index_of and (not isinstance(place, int) or place in index_of)
        }
        return fixed_from(consistent(places), object_count=len(self.numbers))


def edited(document: Document, effects: Iterable[Effect]) -> Edited:
    """The document after the effects, one after another."""
    objects = dict(enumerate(document.objects))
    places: dict[int, Place] = {}
    for effect in effects:
        objects = _with_pieces(objects, effect)
        for obj, text in effect.texts.items():
            objects[obj] = replace(objects[obj], text=text)
        for obj, place in effect.places.items():
            places.pop(obj, None)  # the latest word stands last
            places[obj] = place
    return Edited(replace(document, objects=tuple(objects.values())), tuple(objects), places)


def _with_pieces(objects: Mapping[int, PhysicalObject], effect: Effect) -> dict[int, PhysicalObject]:
    """The objects by number, in reading order, after joins and splits."""
    found = dict(objects)
    for first, second in effect.joins:
        found[first] = joined(found[first], found.pop(second))
    for obj, at, new in effect.splits:
        before, after = split_at(found[obj], at)
        pieces = {obj: before, new: after}
        found = {n: o for number, item in found.items() for n, o in _replaced(number, item, pieces, obj)}
    return found


def _replaced(
    number: int, item: PhysicalObject, pieces: Mapping[int, PhysicalObject], which: int
) -> Iterable[tuple[int, PhysicalObject]]:
    return pieces.items() if number == which else [(number, item)]


def consistent(places: Mapping[int, Place]) -> dict[int, Place]:
    """The places without those that a later one makes impossible: these stay headings, wherever they fit.

    The places come in the order in which they were said.
    """
    if _fit(places):
        return dict(places)
    kept: dict[int, Place] = {}
    for obj, place in reversed(list(places.items())):
        kept[obj] = place
        if not _fit(kept):
            kept[obj] = HEADING
    return dict(reversed(list(kept.items())))


def _fit(places: Mapping[int, Place]) -> bool:
    """Whether there is a tree in reading order with all of these places."""
    parents = {obj: ROOT if place is None else place for obj, place in places.items() if place not in _WORDS}
    above = {parent for parent in parents.values() if isinstance(parent, int)}
    texts = {obj for obj, place in places.items() if place == TEXT}
    if above & texts:
        return False
    given = {obj: parent for obj, parent in parents.items() if isinstance(parent, int)}
    try:
        given_places(sorted({*given, *above}), given)
    except UsageError:
        return False
    return True


_WORDS = (HEADING, TEXT)
