"""Item numbers as sequences over the whole document: what comes before a number, and what after it.

The numbers of headings run on over long distances, those of list items from one object to the next.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from held.headings.texts import Floats
from held.numbering import ItemNumber

_FAR = 12.0  # stands for a number that is nowhere: more than the logarithm of any distance

Value = tuple[int, ...]
Mark = tuple[object, ...]
"""What a list of numbers has in common (form, perhaps look), and at its end the value."""


def sequence_columns(
    numbers: Sequence[ItemNumber | None], look: NDArray[np.int64], form: NDArray[np.int64]
) -> dict[str, Floats]:
    """Columns: how far away the number before and the number after are, by form and also by look."""
    values = [_value(number) for number in numbers]
    any_look: list[Mark | None] = []
    same_look: list[Mark | None] = []
    for value, own_form, own_look in zip(values, form.tolist(), look.tolist(), strict=True):
        any_look.append(None if value is None else (own_form, value))
        same_look.append(None if value is None else (own_form, own_look, value))
    forwards = range(len(numbers))
    backwards = forwards[::-1]
    known = {value for value in values if value is not None}
    return {
        "before_any": _distances(any_look, forwards, -1),
        "after_any": _distances(any_look, backwards, 1),
        "before_same": _distances(same_look, forwards, -1),
        "after_same": _distances(same_look, backwards, 1),
        "parent_number": _flags([_has_parent(value, known) for value in values]),
        "child_number": _flags([_has_child(value, known) for value in values]),
    }


def _value(number: ItemNumber | None) -> Value | None:
    """The number's value, None where there is nothing to count."""
    return None if number is None or not number.value else number.value


def _has_parent(value: Value | None, known: set[Value]) -> bool:
    """Whether the document has the number that this one lies under: 1.2 for 1.2.3."""
    return value is not None and len(value) > 1 and value[:-1] in known


def _has_child(value: Value | None, known: set[Value]) -> bool:
    """Whether the document has the first number under this one: 1.2.1 for 1.2."""
    return value is not None and (*value, 1) in known


def _distances(marks: Sequence[Mark | None], order: Sequence[int], step: int) -> Floats:
    """The logarithm of the distance to the nearest earlier mark in this order whose number is a step away."""
    latest: dict[Mark, int] = {}
    found = np.full(len(marks), _FAR, np.float32)
    for i in order:
        mark = marks[i]
        if mark is None:
            continue
        *rest, value = mark
        assert isinstance(value, tuple)
        wanted = (*value[:-1], value[-1] + step)
        nearest = latest.get((*rest, wanted))
        if nearest is not None:
            found[i] = np.log(abs(i - nearest))
        latest[mark] = i
    return found


def _flags(values: Sequence[bool]) -> Floats:
    return np.array(values, np.float32)
