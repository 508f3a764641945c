"""Corrections of a heading tree: the operations a person can do, and the effect of each on a tree.

A correction is what the person did, {"op": "promote", "object": 41}. Its effect is what that means for this
tree, {41: 12}: object 41 goes under object 12. The log stores the effect, so a later model does not change
what the correction means.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from held.document import PhysicalObject
from held.errors import UsageError
from held.hierarchy.edited_hierarchy import EditedHierarchy, Effect, Join, Split, split_object
from held.hierarchy.overrides import HEADING, TEXT, Override
from held.system.bounded_json import JsonValue

STYLE_OPERATIONS = frozenset({"promote", "demote", "move", "delete", "mark"})
"""The operations that can be done to all objects of one style at once."""

_MAX_HEADING_LINES = 2  # longer objects are running text
_SENTENCE_ENDS = frozenset(".。;；,，!！")


@dataclass(frozen=True, slots=True)
class Correction:
    """What a person did. Which of the optional fields are read depends on `op`.

    With `same_style` (JSON: "alike") the operation applies to all objects in the style of this one.
    """

    op: str
    obj: int
    under: int | None = None
    other: int | None = None
    at: int | None = None
    text: str | None = None
    same_style: bool = False

    def to_json(self) -> dict[str, Any]:
        """The correction as a JSON object, without the fields that are not set."""
        fields = {"op": self.op, "object": self.obj, "with": self.other, "at": self.at, "text": self.text}
        written = {name: value for name, value in fields.items() if value is not None}
        if self.op == "move":
            written["under"] = self.under  # null means the top level
        if self.same_style:
            written["alike"] = True
        return written

    @staticmethod
    def from_json(value: JsonValue) -> Correction:
        """The correction that a JSON object describes."""
        op = value["op"].text()
        if op not in OPERATIONS:
            value["op"].fail(f"one of {', '.join(OPERATIONS)}")
        text = value.get("text", None)
        same_style = value.get("alike", False)
        return Correction(
            op,
            value["object"].integer(),
            under=_optional_number(value, "under"),
            other=_optional_number(value, "with"),
            at=_optional_number(value, "at"),
            text=None if text.value is None else text.text(),
            same_style=same_style.flag(),
        )


def _optional_number(value: JsonValue, name: str) -> int | None:
    field = value.get(name, None)
    return None if field.value is None else field.integer()


def effect_of(correction: Correction, tree: EditedHierarchy) -> Effect:
    """What a correction changes in this tree; an error if it can't be done."""
    for number in (correction.obj, correction.under, correction.other):
        if number is not None and number not in tree.edited.index_of:
            raise UsageError(f"there is no object {number}")
    operation = OPERATIONS[correction.op]
    effect = operation(correction, tree)
    if correction.same_style and correction.op in STYLE_OPERATIONS:
        override = effect.overrides[correction.obj]
        others = same_style_overrides(correction.obj, override, tree)
        # The person's own object comes last: if two overrides contradict each other, the later one wins.
        effect = replace(effect, overrides={**others, **effect.overrides})
    return effect


def same_style_overrides(number: int, override: Override, tree: EditedHierarchy) -> dict[int, Override]:
    """The overrides that the other objects of a style get with this one; those that change nothing are out.

    A heading goes under the nearest heading before it that has the style of this one's parent.
    """
    others = tree.same_style(number)
    if override == HEADING:
        unmarked = [other for other in others if other not in tree.parents]
        chosen = _without_running_text(number, unmarked, tree)
        return dict.fromkeys(chosen, HEADING)
    headings = [other for other in others if other in tree.parents]
    if override == TEXT:
        return dict.fromkeys(headings, TEXT)
    changed: dict[int, Override] = {}
    for heading in headings:
        parent = override
        if isinstance(override, int):
            parent = _last_heading_before(heading, tree, style=tree.style(override))
            if parent is None:
                continue
        if parent != tree.parents[heading]:
            changed[heading] = parent
    return changed


def _last_heading_before(number: int, tree: EditedHierarchy, *, style: int) -> int | None:
    last = None
    for heading in tree.parents:  # in reading order
        if heading == number:
            break
        if tree.style(heading) == style:
            last = heading
    return last


def _without_running_text(number: int, others: Sequence[int], tree: EditedHierarchy) -> Sequence[int]:
    """The other objects; if some are running text, only those with the shape of this one."""
    items = {other: tree.item(other) for other in others}
    if all(item.lines <= _MAX_HEADING_LINES for item in items.values()):
        return others
    shape = _shape(tree.item(number))
    return [other for other, item in items.items() if _shape(item) == shape]


def _shape(item: PhysicalObject) -> tuple[bool, bool]:
    """Whether a text has one line, and whether it ends like a sentence.

    Headings in the type of running text differ from it only in this.
    """
    last_character = item.text.rstrip()[-1:]
    return item.lines == 1, last_character in _SENTENCE_ENDS


def _promote(correction: Correction, tree: EditedHierarchy) -> Effect:
    parent = _require_heading(correction.obj, tree)
    if parent is None:
        raise UsageError("the heading is at the top already")
    grandparent = tree.parents[parent]
    return Effect({correction.obj: grandparent})


def _demote(correction: Correction, tree: EditedHierarchy) -> Effect:
    parent = _require_heading(correction.obj, tree)
    siblings = [heading for heading, above in tree.parents.items() if above == parent]
    position = siblings.index(correction.obj)
    if position == 0:
        raise UsageError("there is no heading before it at its level that it could go under")
    return Effect({correction.obj: siblings[position - 1]})


def _move(correction: Correction, tree: EditedHierarchy) -> Effect:
    under = correction.under
    _require_heading(correction.obj, tree)
    if under is not None:
        _require_heading(under, tree)
        index_of = tree.edited.index_of
        if index_of[under] >= index_of[correction.obj]:
            raise UsageError("a heading can only go under one that comes before it")
    return Effect({correction.obj: under})


def _confirm(correction: Correction, tree: EditedHierarchy) -> Effect:
    # The override is the parent that the heading has: it stays, whatever is corrected around it.
    parent = _require_heading(correction.obj, tree)
    return Effect({correction.obj: parent})


def _delete(correction: Correction, tree: EditedHierarchy) -> Effect:
    _require_heading(correction.obj, tree)
    return Effect({correction.obj: TEXT})


def _mark(correction: Correction, tree: EditedHierarchy) -> Effect:
    if correction.obj in tree.parents:
        raise UsageError("it is a heading already")
    return Effect({correction.obj: HEADING})


def _join(correction: Correction, tree: EditedHierarchy) -> Effect:
    """Joins the object and the next one in reading order into one heading."""
    numbers = tree.edited.numbers
    next_index = tree.edited.index_of[correction.obj] + 1
    following = numbers[next_index] if next_index < len(numbers) else None
    if following is None or correction.other not in (None, following):
        raise UsageError("only an object and the next one in reading order can be joined")
    join = Join(correction.obj, following)
    return Effect(_keep_as_heading(correction.obj, tree), joins=(join,))


def _split(correction: Correction, tree: EditedHierarchy) -> Effect:
    """Splits a run-in heading from its text."""
    if correction.at is None:
        raise UsageError("a split needs the character `at` which the second piece begins")
    split_object(tree.item(correction.obj), correction.at)  # an error if one half is empty
    new = max(tree.edited.numbers) + 1
    overrides = _keep_as_heading(correction.obj, tree)
    overrides[new] = TEXT
    split = Split(correction.obj, correction.at, new)
    return Effect(overrides, splits=(split,))


def _keep_as_heading(number: int, tree: EditedHierarchy) -> dict[int, Override]:
    # A correction that gave it a parent stays in force; one that made it text does not.
    override = tree.edited.overrides.get(number, HEADING)
    return {number: HEADING if override == TEXT else override}


def _rename(correction: Correction, tree: EditedHierarchy) -> Effect:
    words = (correction.text or "").split()
    title = " ".join(words)
    if not title:
        raise UsageError("a title can't be blank", advice="delete the heading if it is not one")
    if any("\ud800" <= character <= "\udfff" for character in title):
        raise UsageError("the title has half a character", advice="type it again")
    return Effect(texts={correction.obj: title})


def _require_heading(number: int, tree: EditedHierarchy) -> int | None:
    """The parent of a heading, None at the top level; an error if the object is not a heading."""
    if number not in tree.parents:
        raise UsageError(f"object {number} is not a heading", advice="mark it as one first")
    return tree.parents[number]


OPERATIONS: Mapping[str, Callable[[Correction, EditedHierarchy], Effect]] = {
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
