"""Item numbers as sequences over the whole document: what comes before a number, and what after it.

The numbers of headings run on over long distances, those of list items from one object to the next.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from held.features.texts import Floats
from held.numbering import ItemNumber

_FAR = 12.0


def sequence_columns(
    numbers: Sequence[ItemNumber | None], look: NDArray[np.int64], form: NDArray[np.int64]
) -> dict[str, Floats]:
    """Columns: how far away the number before and the number after are, by form and also by look."""
    count = len(numbers)
    values = [None if n is None or not n.value else n.value for n in numbers]
    any_look = [None if v is None else (int(form[i]), v) for i, v in enumerate(values)]
    same_look = [None if v is None else (int(form[i]), int(look[i]), v) for i, v in enumerate(values)]
    columns = {
        "before_any": _distances(any_look, range(count), -1),
        "after_any": _distances(any_look, range(count - 1, -1, -1), 1),
        "before_same": _distances(same_look, range(count), -1),
        "after_same": _distances(same_look, range(count - 1, -1, -1), 1),
    }
    dotted = {v for v in values if v is not None and len(v) > 1}
    plain = {v for v in values if v is not None}
    columns["parent_number"] = _flags(v is not None and len(v) > 1 and v[:-1] in plain for v in values)
    columns["child_number"] = _flags(v is not None and (*v, 1) in dotted for v in values)
    return columns


def _distances(marks: Sequence[tuple[object, ...] | None], order: Sequence[int], step: int) -> Floats:
    """The logarithm of the distance to the nearest earlier mark in this order whose number is a step away."""
    latest: dict[tuple[object, ...], int] = {}
    found = np.full(len(marks), _FAR, np.float32)
    for i in order:
        mark = marks[i]
        if mark is None:
            continue
        *rest, value = mark
        assert isinstance(value, tuple)
        nearest = latest.get((*rest, (*value[:-1], value[-1] + step)))
        if nearest is not None:
            found[i] = np.log(abs(i - nearest))
        latest[mark] = i
    return found


def _flags(values: object) -> Floats:
    return np.fromiter(values, np.float32)  # type: ignore[call-overload,no-any-return]
