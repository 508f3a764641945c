"""The features of the heading step: an object, its neighbours, and what is usual for its look.

The second pass sees in addition what the first one thought of the object, of its neighbours and of all
objects that are set or numbered alike.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np
from numpy.typing import NDArray

from held.features.table import KINDS, MISSING, Table
from held.features.texts import Floats

Ints = NDArray[np.int64]

_PARAGRAPH = [kind.value for kind in KINDS].index("paragraph")
_TABLE = [kind.value for kind in KINDS].index("table")
_FIGURE = [kind.value for kind in KINDS].index("figure")
_NEAR = ("log_length", "bold", "kind", "pattern", "last", "in_contents", "lines", "centred", "first_lower")
_FAR = ("log_length", "bold", "kind", "in_contents")


def first_pass(table: Table) -> dict[str, Floats]:
    """The features of each object, by name."""
    features = {name: column for name, column in table.columns.items() if name not in ("length", "page")}
    features |= _document_features(table)
    features |= _group_features(table, table.look, "look")
    features |= _group_features(table, table.group, "group")
    features |= _neighbour_features(table)
    features |= _distance_features(table)
    features["size_rank"] = _size_rank(table)
    return features


def second_pass(table: Table, probability: Floats) -> dict[str, Floats]:
    """The further features that the probabilities of the first pass give."""
    p = np.where(table.candidates, probability, 0).astype(np.float32)
    features: dict[str, Floats] = {"first": p}
    for step in (-3, -2, -1, 1, 2, 3):
        features[f"first{step:+d}"] = _shifted(p, step)
    for name, ids in (("look", table.look), ("group", table.group), ("form", table.form)):
        share = _mean_of(ids, p, table.candidates)
        features[f"first_{name}"] = share
        features[f"first_over_{name}"] = p - share
        features[f"first_most_{name}"] = _most_of(ids, p)
    by_text = np.unique(np.array(table.keys, dtype=object).astype(str), return_inverse=True)[1]
    features["first_text"] = _most_of(by_text, p)
    likely = p > 0.5
    features["first_document"] = np.full(len(p), likely.mean() if len(p) else 0, np.float32)
    features["since_heading"] = _log_since(table, likely)
    features["until_heading"] = _log_since(table, likely, backwards=True)
    features |= _number_neighbours(table, p)
    return features


def matrix(features: Mapping[str, Floats]) -> Floats:
    """The features as a matrix: a row for each object, a column for each name."""
    return np.column_stack(list(features.values())).astype(np.float32, copy=False)


def _document_features(table: Table) -> dict[str, Floats]:
    """What holds for the whole document, the same for each object."""
    count = len(table)
    values = {
        "document_objects": np.log1p(count),
        "document_pages": np.log1p(table["page"].max(initial=0)),
        "document_cjk": _mean(table["cjk_share"]),
        "document_numbered": _mean(table["pattern"] > 0),
        "document_bold": _mean(table["bold"]),
        "document_contents": _mean(table["in_contents"] > 0),
    }
    return {name: np.full(count, value, np.float32) for name, value in values.items()}


def _mean(values: NDArray[np.generic]) -> float:
    return float(values.mean()) if len(values) else 0.0


def _group_features(table: Table, ids: Ints, name: str) -> dict[str, Floats]:
    """What is usual for the objects that share a look or a group."""
    one = table.candidates
    size = _sum_of(ids, one.astype(np.float32))
    characters = _sum_of(ids, np.where(one, table["length"], 0))
    total = max(1.0, float(table["length"][one].sum()))
    next_kind = _shifted(table["kind"], 1)
    usual: dict[str, NDArray[np.generic]] = {
        "long": table["log_length"],
        "stop": table["last"] == 1,
        "contents": table["in_contents"] > 0,
        "numbered": table["pattern"] > 0,
        "one_line": table["lines"] == 1,
        "gap": np.clip(table["gap_above"], -1, 10),
        "alone": np.append(True, ids[1:] != ids[:-1])[: len(ids)],
        "before_text": next_kind == _PARAGRAPH,
        "lower": table["first_lower"],
        "running": table["in_running_head"] > 0,
        "in_sequence": (table["before_same"] < 12) | (table["after_same"] < 12),
    }
    features = {f"{name}_{key}": _mean_of(ids, value, one) for key, value in usual.items()}
    features[f"{name}_count"] = np.log1p(size)
    features[f"{name}_share"] = size / np.float32(max(1, int(one.sum())))
    features[f"{name}_characters"] = characters / np.float32(total)
    features[f"{name}_pages"] = _ratio(_pages_of(table, ids), size)
    return features


def _neighbour_features(table: Table) -> dict[str, Floats]:
    """The neighbours up to three objects away, and how the object differs from them."""
    features: dict[str, Floats] = {}
    for step in (-3, -2, -1, 1, 2, 3):
        near = abs(step) == 1
        for name in _NEAR if near else _FAR:
            features[f"{name}{step:+d}"] = _shifted(table[name], step)
        features[f"size_over{step:+d}"] = table["size"] - _shifted(table["size"], step, 1.0)
        features[f"same_look{step:+d}"] = (_shifted_ids(table.look, step) == table.look).astype(np.float32)
        if near:
            features[f"same_group{step:+d}"] = (_shifted_ids(table.group, step) == table.group).astype(
                np.float32
            )
            features[f"same_page{step:+d}"] = (_shifted(table["page"], step) == table["page"]).astype(
                np.float32
            )
            features[f"left_of{step:+d}"] = table["left"] - _shifted(table["left"], step, 0)
            kinds = _shifted(table["kind"], step)
            features[f"drawn{step:+d}"] = ((kinds == _TABLE) | (kinds == _FIGURE)).astype(np.float32)
    features["gap_ratio"] = np.clip(table["gap_above"] - table["gap_below"], -10, 10)
    return features


def _distance_features(table: Table) -> dict[str, Floats]:
    """How much text stands between this object and the next ones of its look, or as large."""
    before = table.before
    end = before[-1] + table["length"][-1] if len(table) else 0.0
    rank = table["size"] + 0.05 * table["bold"]
    next_alike = np.full(len(table), end, np.float64)
    next_as_large = np.full(len(table), end, np.float64)
    latest: dict[int, float] = {}
    waiting: list[tuple[float, float]] = []
    for i in range(len(table) - 1, -1, -1):
        look = int(table.look[i])
        next_alike[i] = latest.get(look, end)
        latest[look] = float(before[i])
        while waiting and waiting[-1][0] < rank[i] - 0.01:
            waiting.pop()
        if waiting:
            next_as_large[i] = waiting[-1][1]
        waiting.append((float(rank[i]), float(before[i])))
    own = before + table["length"]
    return {
        "until_alike": np.log1p(np.maximum(0, next_alike - own)).astype(np.float32),
        "until_as_large": np.log1p(np.maximum(0, next_as_large - own)).astype(np.float32),
    }


def _size_rank(table: Table) -> Floats:
    """The share of the document's candidates that are set larger, or as large and bolder."""
    weight = np.round(table["size"] + 0.02 * table["bold"], 3)
    ordered = np.sort(weight[table.candidates])
    if not len(ordered):
        return np.zeros(len(table), np.float32)
    return (1 - np.searchsorted(ordered, weight, side="right") / len(ordered)).astype(np.float32)


def _number_neighbours(table: Table, p: Floats) -> dict[str, Floats]:
    """The probabilities of the objects with the number before and the number after, alike in form."""
    marks = [
        None if n is None or not n.value else (int(table.form[i]), n.value)
        for i, n in enumerate(table.numbers)
    ]
    return {
        "first_before": _at_neighbour(marks, p, range(len(p)), -1),
        "first_after": _at_neighbour(marks, p, range(len(p) - 1, -1, -1), 1),
    }


def _at_neighbour(
    marks: list[tuple[int, tuple[int, ...]] | None], p: Floats, order: range, step: int
) -> Floats:
    found = np.full(len(p), MISSING, np.float32)
    latest: dict[tuple[int, tuple[int, ...]], float] = {}
    for i in order:
        mark = marks[i]
        if mark is not None:
            form, value = mark
            found[i] = latest.get((form, (*value[:-1], value[-1] + step)), MISSING)
            latest[mark] = float(p[i])
    return found


def _log_since(table: Table, marked: NDArray[np.bool_], *, backwards: bool = False) -> Floats:
    """The logarithm of the characters since the last marked object, or until the next one."""
    flip: Callable[[Floats], Floats] = (lambda a: a[::-1]) if backwards else (lambda a: a)
    length = flip(table["length"]).astype(np.float64)
    before = np.concatenate([[0], np.cumsum(length)[:-1]]) if len(length) else length
    is_marked = marked[::-1] if backwards else marked
    start = np.where(is_marked, before + length, 0)
    latest = np.maximum.accumulate(np.concatenate([[0], start[:-1]])) if len(start) else start
    return flip(np.log1p(np.maximum(0, before - latest)).astype(np.float32))


def _sum_of(ids: Ints, values: NDArray[np.generic]) -> Floats:
    """For each object the sum over its group."""
    return np.bincount(ids, values)[ids].astype(np.float32) if len(ids) else np.zeros(0, np.float32)


def _mean_of(ids: Ints, values: NDArray[np.generic], counted: NDArray[np.bool_]) -> Floats:
    """For each object the mean over the counted members of its group."""
    weight = counted.astype(np.float32)
    return _ratio(_sum_of(ids, np.asarray(values, np.float32) * weight), _sum_of(ids, weight))


def _ratio(values: Floats, counts: Floats) -> Floats:
    """The values over their counts; over 1 where nothing was counted."""
    return np.divide(values, np.maximum(counts, 1)).astype(np.float32)


def _most_of(ids: Ints, values: Floats) -> Floats:
    """For each object the highest value in its group."""
    most = np.zeros(ids.max(initial=0) + 1, np.float32)
    np.maximum.at(most, ids, values)
    return most[ids]


def _pages_of(table: Table, ids: Ints) -> Floats:
    """For each object on how many pages its group begins."""
    if not len(ids):
        return np.zeros(0, np.float32)
    pairs = np.unique(np.stack([ids, table["page"].astype(np.int64)]), axis=1)
    return np.bincount(pairs[0], minlength=ids.max() + 1)[ids].astype(np.float32)


def _shifted(values: Floats, step: int, fill: float = MISSING) -> Floats:
    """The values of the objects that stand a step away."""
    out = np.full(len(values), fill, np.float32)
    if 0 < step < len(values):
        out[:-step] = values[step:]
    elif -len(values) < step < 0:
        out[-step:] = values[:step]
    return out


def _shifted_ids(ids: Ints, step: int) -> Ints:
    return _shifted(ids.astype(np.float32), step, -1.0).astype(np.int64)
