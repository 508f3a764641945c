"""Features of the numbered lists that objects belong to.

Headings and list items carry the same numbers. What tells them apart is the list: headings stand far apart
with text between them, items follow each other closely or are whole sentences. A list is a chain of objects
whose numbers have one form and count up by one: (二) belongs to the last (一) before it and to the next (三).
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from held.headings.columns import Floats, Ints
from held.headings.object_features import MISSING, ObjectFeatures

_MOST_APART = 8.0  # logarithm of characters; lists of parts and chapters are all alike from there on


def number_lists(objects: ObjectFeatures) -> Ints:
    """The id of each object's list; -1 for an object without a number or without a neighbour in its list."""
    list_of = np.full(len(objects), -1, np.int64)
    latest: dict[tuple[int, tuple[int, ...]], int] = {}  # by form and value
    lists = 0
    for obj, number in enumerate(objects.numbers):
        if number is None or not number.value:
            continue
        form = int(objects.form[obj])
        *outer, last = number.value
        before = latest.pop((form, (*outer, last - 1)), None)
        if before is not None:
            if list_of[before] < 0:
                list_of[before] = lists
                lists += 1
            list_of[obj] = list_of[before]
        latest[form, number.value] = obj
    return list_of


def list_features(objects: ObjectFeatures, traits: Mapping[str, NDArray[np.generic]]) -> dict[str, Floats]:
    """Means of the traits over each object's list, its size, and how far its members are apart."""
    list_of = number_lists(objects)
    is_member = list_of >= 0
    members = np.flatnonzero(is_member)
    ids = list_of[members]
    features = {f"list_{name}": _missing(len(objects)) for name in (*traits, "size", "apart", "closest")}
    features["list_rank"] = _missing(len(objects))
    if not len(members):
        return features
    size = np.bincount(ids)
    features["list_size"][members] = np.log1p(size)[ids]
    for name, values in traits.items():
        total = np.bincount(ids, np.asarray(values[members], np.float64))
        features[f"list_{name}"][members] = (total / size)[ids]
    order = np.argsort(ids, kind="stable")  # members list by list, each list in reading order
    in_order = members[order]
    is_next = ids[order][1:] == ids[order][:-1]
    here, following = in_order[:-1][is_next], in_order[1:][is_next]
    between = objects.before[following] - objects.before[here] - objects["length"][here]
    apart = np.minimum(np.log1p(np.maximum(between, 0)), _MOST_APART)
    list_here = list_of[here]
    mean_apart = np.bincount(list_here, apart, len(size)) / (size - 1)
    closest = np.full(len(size), _MOST_APART)
    np.minimum.at(closest, list_here, apart)
    features["list_apart"][members] = mean_apart[ids]
    features["list_closest"][members] = closest[ids]
    rank = np.arange(len(in_order)) - np.searchsorted(ids[order], ids[order], side="left")
    features["list_rank"][in_order] = (rank + 1) / size[ids[order]]
    return features


def _missing(count: int) -> Floats:
    return np.full(count, MISSING, np.float32)
