"""The features of the heading step's second look: what the first one said of the rest of the document.

Headings of a level are set alike, so an object whose like are mostly headings is probably one, and one amid
texts that are none is not. Each object is left out of what is said of its like: it shall not hear itself.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from held.headings.object_features import MISSING, ObjectFeatures, shifted
from held.headings.texts import Floats

Ints = NDArray[np.int64]

_SURE = 0.5  # from this probability on the first look found a heading
_STEPS = (-3, -2, -1, 1, 2, 3)  # the neighbours whose answers are seen
_LEAST, _MOST = 1e-4, 1 - 1e-4  # probabilities beyond these say no more


def second_features(table: ObjectFeatures, probabilities: Floats) -> dict[str, Floats]:
    """What is known of each object after the first look, by name."""
    counted = table.candidates
    said = np.where(counted, probabilities, 0).astype(np.float32)
    found = (said >= _SURE).astype(np.float32)
    share_found = _mean(found, counted)
    features = {
        "first": _logit(said),
        "first_document": np.full(len(said), share_found, np.float32),
    }
    for name, ids in _alike(table).items():
        features[f"first_{name}_mean"] = _mean_of_others(ids, said, counted)
        features[f"first_{name}_share"] = _mean_of_others(ids, found, counted)
    listed = (table["in_contents"] > 0).astype(np.float32)
    features["first_listed"] = _share_listed(table.look, found, listed)
    for step in _STEPS:
        features[f"first{step:+d}"] = shifted(said, step)
    features["first_until"] = _until_next(found)
    return features


def _alike(table: ObjectFeatures) -> dict[str, Ints]:
    """What objects can have in common: equal ids are alike."""
    return {
        "look": table.look,
        "group": table.group,
        "pattern": table["pattern"].astype(np.int64),
        "form": _pairs(table.look, table.form),
    }


def _logit(probabilities: Floats) -> Floats:
    bounded = np.clip(probabilities, _LEAST, _MOST)
    odds = bounded / (1 - bounded)
    return np.asarray(np.log(odds), np.float32)


def _mean(values: Floats, counted: NDArray[np.bool_]) -> float:
    return float(values[counted].mean()) if counted.any() else 0.0


def _pairs(first: Ints, second: Ints) -> Ints:
    """A number for each pair of ids, equal where both are."""
    width = int(second.max(initial=0)) + 1
    # Numbers from 0 on without holes: who counts by them needs as much room as there are pairs.
    _, numbers = np.unique(first * width + second, return_inverse=True)
    return np.asarray(numbers, np.int64)


def _mean_of_others(ids: Ints, values: Floats, counted: NDArray[np.bool_]) -> Floats:
    """For each object the mean over the others with its id; MISSING where there are none."""
    if not len(ids):
        return np.zeros(0, np.float32)
    weight = counted.astype(np.float64)
    own = values * weight
    total_of_others = np.bincount(ids, own)[ids] - own
    others = np.bincount(ids, weight)[ids] - weight
    return _ratio(total_of_others, others)


def _share_listed(look: Ints, found: Floats, listed: Floats) -> Floats:
    """For each object the share of the headings found with its look that the printed contents name."""
    if not len(look):
        return np.zeros(0, np.float32)
    headings = np.bincount(look, found)[look]
    named = np.bincount(look, found * listed)[look]
    return _ratio(named, headings)


def _ratio(values: NDArray[Any], counts: NDArray[Any]) -> Floats:
    """The values over their counts; MISSING where nothing was counted."""
    missing = np.full(len(values), MISSING)
    return np.asarray(np.divide(values, counts, out=missing, where=counts > 0), np.float32)


def _until_next(found: Floats) -> Floats:
    """How many objects, as a logarithm, stand between each and the next heading that was found."""
    here = np.arange(len(found))
    places = np.flatnonzero(found)
    following = np.searchsorted(places, here, side="right")
    # After the last heading the document's end is what comes next.
    nearest = np.append(places, len(found))[following]
    return np.asarray(np.log(nearest - here), np.float32)
