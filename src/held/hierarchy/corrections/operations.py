"""The operations by name: what a correction fixes, given what lies on the desk.

A correction is what a person did, {"op": "promote", "object": 41}; its effect is what that means for this
tree, {41: 12}. The effect is kept, so that a later change of the model changes no correction.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from held.document import PhysicalObject
from held.errors import UsageError
from held.hierarchy.corrections.desk import Laid
from held.hierarchy.corrections.effects import Effect, Join, Split
from held.hierarchy.corrections.pieces import split_at
from held.hierarchy.overrides import HEADING, TEXT, Place
from held.system.json_values import JsonValue

ALIKE = frozenset({"promote", "demote", "move", "delete", "mark"})
"""The operations that can be done to all objects of a look at once."""


@dataclass(frozen=True, slots=True)
class Correction:
    """What a person did. Which of the other fields are read depends on `op`."""

    op: str
    obj: int
    under: int | None = None
    other: int | None = None
    at: int | None = None
    text: str | None = None
    alike: bool = False

    def to_json(self) -> dict[str, Any]:
        """The correction as a JSON object."""
        fields = {"op": self.op, "object": self.obj, "with": self.other, "at": self.at, "text": self.text}
        said = {name: value for name, value in fields.items() if value is not None}
        under = {"under": self.under} if self.op == "move" else {}
        return {**said, **under, **({"alike": True} if self.alike else {})}

    @staticmethod
    def from_json(value: JsonValue) -> Correction:
        """The correction that a JSON object describes."""
        op = value["op"].text()
        if op not in OPERATIONS:
            value["op"].fail(f"one of {', '.join(OPERATIONS)}")
        under, other, at, text = (value.get(name, None) for name in ("under", "with", "at", "text"))
        return Correction(
            op,
            value["object"].whole(),
            None if under.value is None else under.whole(),
            None if other.value is None else other.whole(),
            None if at.value is None else at.whole(),
            None if text.value is None else text.text(),
            value.get("alike", False).flag(),
        )


def resolved(correction: Correction, laid: Laid) -> Effect:
    """What a correction fixes in the document that lies on the desk."""
    for number in (correction.obj, correction.under, correction.other):
        if number is not None and number not in laid.edited.index_of:
            raise UsageError(f"there is no object {number}")
    effect = OPERATIONS[correction.op](correction, laid)
    if correction.alike and correction.op in ALIKE:
        alike = places_alike(correction.obj, effect.places[correction.obj], laid)
        effect = replace(effect, places={**alike, **effect.places})
    return effect


def places_alike(number: int, place: Place, laid: Laid) -> dict[int, Place]:
    """What the place of an object would mean for all others of its look: those that it changes.

    Headings go under the nearest heading before them that looks like this one's parent.
    """
    others = laid.alike(number)
    if place == HEADING:
        unmarked = [other for other in others if other not in laid.parents]
        return dict.fromkeys(_without_running_text(number, unmarked, laid), HEADING)
    headings = [other for other in others if other in laid.parents]
    if place == TEXT:
        return dict.fromkeys(headings, TEXT)
    found = {other: _like(place, other, laid) for other in headings}
    return {other: new for other, new in found.items() if new is not _NOWHERE and new != laid.parents[other]}


_NOWHERE = "nowhere"
_MOST_LINES = 2  # of a heading: what is longer is running text
_SENTENCE_ENDS = frozenset(".。;；,，!！")


def _without_running_text(number: int, others: list[int], laid: Laid) -> list[int]:
    """The others, without those that differ in shape where some of them are running text."""
    if all(laid.item(other).lines <= _MOST_LINES for other in others):
        return others
    shape = _shape(laid.item(number))
    return [other for other in others if _shape(laid.item(other)) == shape]


def _shape(item: PhysicalObject) -> tuple[bool, bool]:
    """Whether a text stands on one line, and whether it ends as sentences do.

    Headings that are set like running text differ from it in this alone.
    """
    return item.lines == 1, item.text.rstrip()[-1:] in _SENTENCE_ENDS


def _like(parent: Place, number: int, laid: Laid) -> Place:
    """The nearest heading before an object that looks like the parent, the top where that is the top."""
    if not isinstance(parent, int):
        return parent
    look = laid.look(parent)
    index_of = laid.edited.index_of
    before = [h for h in laid.parents if index_of[h] < index_of[number] and laid.look(h) == look]
    return before[-1] if before else _NOWHERE


def _promote(correction: Correction, laid: Laid) -> Effect:
    parent = _parent(correction.obj, laid)
    if parent is None:
        raise UsageError("the heading stands at the top already")
    return Effect({correction.obj: laid.parents[parent]})


def _demote(correction: Correction, laid: Laid) -> Effect:
    parent = _parent(correction.obj, laid)
    index_of = laid.edited.index_of
    elder = [
        heading
        for heading, above in laid.parents.items()
        if above == parent and index_of[heading] < index_of[correction.obj]
    ]
    if not elder:
        raise UsageError("there is no heading before it at its level that it could go under")
    return Effect({correction.obj: elder[-1]})


def _move(correction: Correction, laid: Laid) -> Effect:
    under = correction.under
    _parent(correction.obj, laid)
    if under is not None:
        _parent(under, laid)
        if laid.edited.index_of[under] >= laid.edited.index_of[correction.obj]:
            raise UsageError("a heading can only go under one that comes before it")
    return Effect({correction.obj: under})


def _confirm(correction: Correction, laid: Laid) -> Effect:
    return Effect({correction.obj: _parent(correction.obj, laid)})


def _delete(correction: Correction, laid: Laid) -> Effect:
    _parent(correction.obj, laid)
    return Effect({correction.obj: TEXT})


def _mark(correction: Correction, laid: Laid) -> Effect:
    if correction.obj in laid.parents:
        raise UsageError("it is a heading already")
    return Effect({correction.obj: HEADING})


def _join(correction: Correction, laid: Laid) -> Effect:
    """The object and the one that follows it in reading order become one heading."""
    index = laid.edited.index_of[correction.obj]
    following = laid.edited.numbers[index + 1 : index + 2]
    other = following[0] if correction.other is None and following else correction.other
    if other is None or (other,) != following:
        raise UsageError("only an object and the next one in reading order can be joined")
    place = laid.edited.places.get(correction.obj, HEADING)
    kept = HEADING if place == TEXT else place
    return Effect(places={correction.obj: kept}, joins=(Join(correction.obj, other),))


def _split(correction: Correction, laid: Laid) -> Effect:
    if correction.at is None:
        raise UsageError("a split needs the character `at` which the second piece begins")
    split_at(laid.item(correction.obj), correction.at)
    new = max(laid.edited.numbers) + 1
    place = laid.edited.places.get(correction.obj, HEADING)
    kept = HEADING if place == TEXT else place
    return Effect(
        places={correction.obj: kept, new: TEXT},
        splits=(Split(correction.obj, correction.at, new),),
    )


def _rename(correction: Correction, laid: Laid) -> Effect:
    title = " ".join((correction.text or "").split())
    if not title:
        raise UsageError("a title cannot be blank", advice="delete the heading if it is none")
    return Effect(texts={correction.obj: title})


OPERATIONS: Mapping[str, Callable[[Correction, Laid], Effect]] = {
    "promote": _promote,
    "demote": _demote,
    "move": _move,
    "delete": _delete,
    "mark": _mark,
    "confirm": _confirm,
    "join": _join,
    "split": _split,
    "rename": _rename,
}


def _parent(number: int, laid: Laid) -> int | None:
    if number not in laid.parents:
        raise UsageError(f"object {number} is no heading", advice="mark it as one first")
    return laid.parents[number]
