"""The features of the heading step: an object, its neighbours, and what is usual for its look."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from held.document import Kind
from held.features.contents import ENTRY_COLUMNS
from held.features.table import KINDS, Table, shifted
from held.features.texts import Floats

Ints = NDArray[np.int64]

_PARAGRAPH = KINDS.index(Kind.PARAGRAPH)
_TABLE = KINDS.index(Kind.TABLE)
_FIGURE = KINDS.index(Kind.FIGURE)
_NEAR = ("log_length", "bold", "kind", "pattern", "last", "in_contents", "lines", "centred", "first_lower")
_FAR = ("log_length", "bold", "kind", "in_contents")
# Columns that are names or measures of the whole, and where an entry points, which no model has learnt from.
_UNSEEN = frozenset({"length", "page", "contents_page", *ENTRY_COLUMNS})
_BOLD_ENLARGES = 0.05  # of the body size: bold text looks larger than it is ...
_BOLD_BREAKS_TIES = 0.02  # ... and is the larger one of two of a size
_AS_LARGE = 0.01  # of the body size: a smaller difference cannot be seen


def heading_features(table: Table) -> dict[str, Floats]:
    """The features of each object, by name."""
    features = {name: column for name, column in table.columns.items() if name not in _UNSEEN}
    features |= _document_features(table)
    features |= _group_features(table, table.look, "look")
    features |= _group_features(table, table.group, "group")
    features |= _neighbour_features(table)
    features |= _distance_features(table)
    features["size_rank"] = _size_rank(table)
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
    next_kind = shifted(table["kind"], 1)
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
        is_next = abs(step) == 1
        for name in _NEAR if is_next else _FAR:
            features[f"{name}{step:+d}"] = shifted(table[name], step)
        features[f"size_over{step:+d}"] = table["size"] - shifted(table["size"], step, 1.0)
        features[f"same_look{step:+d}"] = _same_as(table.look, step)
        if is_next:
            features |= _next_features(table, step)
    features["gap_ratio"] = np.clip(table["gap_above"] - table["gap_below"], -10, 10)
    return features


def _next_features(table: Table, step: int) -> dict[str, Floats]:
    """What is seen only of the objects right before and right after."""
    same_page = shifted(table["page"], step) == table["page"]
    kinds = shifted(table["kind"], step)
    is_drawn = (kinds == _TABLE) | (kinds == _FIGURE)
    return {
        f"same_group{step:+d}": _same_as(table.group, step),
        f"same_page{step:+d}": same_page.astype(np.float32),
        f"left_of{step:+d}": table["left"] - shifted(table["left"], step, 0),
        f"drawn{step:+d}": is_drawn.astype(np.float32),
    }


def _distance_features(table: Table) -> dict[str, Floats]:
    """How much text stands between this object and the next ones of its look, or as large."""
    before = table.before
    end = before[-1] + table["length"][-1] if len(table) else 0.0
    rank = table["size"] + _BOLD_ENLARGES * table["bold"]
    next_alike = np.full(len(table), end, np.float64)
    next_as_large = np.full(len(table), end, np.float64)
    latest: dict[int, float] = {}  # where the nearest object of each look begins
    waiting: list[tuple[float, float]] = []  # ranks, the largest first, and where the nearest of each begins
    for i in range(len(table) - 1, -1, -1):
        look, start = int(table.look[i]), float(before[i])
        next_alike[i] = latest.get(look, end)
        latest[look] = start
        while waiting and waiting[-1][0] < rank[i] - _AS_LARGE:
            waiting.pop()
        if waiting:
            next_as_large[i] = waiting[-1][1]
        waiting.append((float(rank[i]), start))
    own_end = before + table["length"]
    until_alike = np.maximum(0, next_alike - own_end)
    until_as_large = np.maximum(0, next_as_large - own_end)
    return {
        "until_alike": np.log1p(until_alike).astype(np.float32),
        "until_as_large": np.log1p(until_as_large).astype(np.float32),
    }


def _size_rank(table: Table) -> Floats:
    """The share of the document's candidates that are set larger, or as large and bolder."""
    weight = np.round(table["size"] + _BOLD_BREAKS_TIES * table["bold"], 3)
    ordered = np.sort(weight[table.candidates])
    if not len(ordered):
        return np.zeros(len(table), np.float32)
    not_larger = np.searchsorted(ordered, weight, side="right")
    return (1 - not_larger / len(ordered)).astype(np.float32)


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


def _pages_of(table: Table, ids: Ints) -> Floats:
    """For each object on how many pages its group begins."""
    if not len(ids):
        return np.zeros(0, np.float32)
    # With counts, for without them numpy imports its masked arrays, which takes longer than a short document.
    pairs, _ = np.unique(np.stack([ids, table["page"].astype(np.int64)]), axis=1, return_counts=True)
    return np.bincount(pairs[0], minlength=ids.max() + 1)[ids].astype(np.float32)


def _same_as(ids: Ints, step: int) -> Floats:
    """Whether each id is that of the object a step away; no id is -1."""
    others = shifted(ids.astype(np.float32), step, -1.0).astype(np.int64)
    return np.asarray(others == ids, np.float32)
