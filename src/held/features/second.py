"""The features of the heading step's second look: what the first one said of the rest of the document.

Headings of a level are set alike, so an object whose like are mostly headings is probably one, and one amid
texts that are none is not. Each object is left out of what is said of its like: it shall not hear itself.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from held.features.table import MISSING, Table, shifted
from held.features.texts import Floats

_SURE = 0.5  # from this probability on the first look found a heading
_STEPS = (-3, -2, -1, 1, 2, 3)  # the neighbours whose answers are seen
_LEAST, _MOST = 1e-4, 1 - 1e-4  # probabilities beyond these say no more


def second_features(table: Table, probabilities: Floats) -> dict[str, Floats]:
    """What is known of each object after the first look, by name."""
    counted = table.candidates
    p = np.where(counted, probabilities, 0).astype(np.float32)
    found = (p >= _SURE).astype(np.float32)
    features = {"first": _logit(p), "first_document": np.full(len(p), _mean(found, counted), np.float32)}
    alike = {
        "look": table.look,
        "group": table.group,
        "pattern": table["pattern"].astype(np.int64),
        "form": _pairs(table.look, table.form),
    }
    for name, ids in alike.items():
        features[f"first_{name}_mean"] = _others(ids, p, counted)
        features[f"first_{name}_share"] = _others(ids, found, counted)
    listed = (table["in_contents"] > 0).astype(np.float32)
    features["first_listed"] = _share_listed(table.look, found, listed)
    for step in _STEPS:
        features[f"first{step:+d}"] = shifted(p, step)
    features["first_until"] = _until_next(found)
    return features


def _logit(p: Floats) -> Floats:
    held = np.clip(p, _LEAST, _MOST)
    return np.asarray(np.log(held / (1 - held)), np.float32)


def _mean(values: Floats, counted: NDArray[np.bool_]) -> float:
    return float(values[counted].mean()) if counted.any() else 0.0


def _pairs(first: NDArray[np.int64], second: NDArray[np.int64]) -> NDArray[np.int64]:
    """A number for each pair of ids, equal where both are."""
    width = int(second.max(initial=0)) + 1
    found: NDArray[np.int64] = np.unique(first * width + second, return_inverse=True)[1].astype(np.int64)
    return found


def _others(ids: NDArray[np.int64], values: Floats, counted: NDArray[np.bool_]) -> Floats:
    """For each object the mean over the others with its id; MISSING where there are none."""
    if not len(ids):
        return np.zeros(0, np.float32)
    weight = counted.astype(np.float64)
    total = np.bincount(ids, values * weight)[ids] - values * weight
    others = np.bincount(ids, weight)[ids] - weight
    means = np.divide(total, others, out=np.full(len(ids), MISSING), where=others > 0)
    return np.asarray(means, np.float32)


def _share_listed(look: NDArray[np.int64], found: Floats, listed: Floats) -> Floats:
    """For each object the share of the headings found with its look that the printed contents name."""
    if not len(look):
        return np.zeros(0, np.float32)
    headings = np.bincount(look, found)[look]
    named = np.bincount(look, found * listed)[look]
    share = np.divide(named, headings, out=np.full(len(look), MISSING), where=headings > 0)
    return np.asarray(share, np.float32)


def _until_next(found: Floats) -> Floats:
    """How many objects, as a logarithm, stand between each and the next heading that was found."""
    places = np.flatnonzero(found)
    after = np.append(places, len(found))
    nearest = after[np.searchsorted(places, np.arange(len(found)), side="right")]
    return np.asarray(np.log(nearest - np.arange(len(found))), np.float32)
