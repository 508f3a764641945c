"""The heading classifier: features of each object in its neighbourhood, boosted trees, then the rules.

With two stages, the second sees what the first found of the other objects of a style, of the neighbours and
of the numbers before and after. A heading's own score is left out of its neighbourhood features.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from held.document import Kind
from held.headings import Floats, Ints
from held.headings.object_features import (
    FEATURES_VERSION,
    KINDS,
    MISSING,
    SAME_SIZE,
    DocumentFeatures,
    ObjectFeatures,
    list_features,
    shift,
)
from held.headings.rules import RULES
from held.headings.text_features import Titles, hashes_of, title_features
from held.headings.toc_features import ENTRY_COLUMNS
from held.models.inference import load_trees, sigmoid
from held.models.store import Model, check_features
from held.system import median

_PARAGRAPH = KINDS.index(Kind.PARAGRAPH)
_TABLE = KINDS.index(Kind.TABLE)
_FIGURE = KINDS.index(Kind.FIGURE)
_LIST_ITEM = KINDS.index(Kind.LIST_ITEM)
_STOP, _COLON, _COMMA = 1, 2, 3  # values of the feature `last`, the last character
_NEAR = (
    "log_length",
    "bold",
    "kind",
    "pattern",
    "last",
    "in_contents",
    "lines",
    "centred",
    "first_lower",
    "underlined",
)
_FAR = ("log_length", "bold", "kind", "in_contents")
# Columns that are ids, or that grow with the document.
_NOT_FEATURES = frozenset({"length", "page", *ENTRY_COLUMNS})
_BOLD_ENLARGES = 0.05  # of the body size: bold text looks larger than it is ...
_BOLD_BREAKS_TIES = 0.02  # ... and is the larger one of two of a size
_IN_SEQUENCE = 12  # objects: a number whose neighbour in its list is nearer belongs to that list
_GAPS = (-1, 10)  # lines: a larger gap says no more than this one, nor a deeper overlap
_MOST_GAP_DIFFERENCE = 10  # lines

# The second stage.
_FOUND_FROM = 0.5  # probability of the first stage
_STEPS = (-3, -2, -1, 1, 2, 3)  # to the neighbours whose probabilities are features
_MIN_PROBABILITY, _MAX_PROBABILITY = 1e-4, 1 - 1e-4  # keep log-odds finite


# --- Features of the first stage ---
#
# An object is described by itself, by the objects of its style, by its list, by its neighbours and by
# the page. "How many objects have this style, and how long are they?" tells more than the size alone.


def classifier_features(objects: ObjectFeatures) -> dict[str, Floats]:
    """The features of each object, by name."""
    own = objects.columns
    features = {name: own[name] for name in own if name not in _NOT_FEATURES}
    features |= _document_features(objects)
    features |= _group_features(objects, objects.style, "look")
    features |= _group_features(objects, objects.group, "group")
    features |= _neighbour_features(objects)
    features |= _gap_features(objects)
    features |= _distance_features(objects)
    features |= _page_features(objects)
    features |= list_features(objects, _list_traits(objects))
    features["size_rank"] = _size_rank(objects)
    return features


def matrix(features: Mapping[str, Floats]) -> Floats:
    """The features as a matrix: a row for each object, a column for each name."""
    return np.column_stack(list(features.values())).astype(np.float32, copy=False)


def _document_features(objects: ObjectFeatures) -> dict[str, Floats]:
    """Features of the whole document, the same for each object."""
    count = len(objects)
    values = {
        "document_objects": np.log1p(count),
        "document_pages": np.log1p(objects["page"].max(initial=0)),
        "document_cjk": _mean(objects["cjk_share"]),
        "document_numbered": _mean(objects["pattern"] > 0),
        "document_bold": _mean(objects["bold"]),
        "document_underlined": _mean(objects["underlined"]),
        "document_contents": _mean(objects["in_contents"] > 0),
    }
    return {name: np.full(count, value, np.float32) for name, value in values.items()}


def _mean(values: NDArray[np.generic]) -> float:
    return float(values.mean()) if len(values) else 0.0


def _group_features(objects: ObjectFeatures, ids: Ints, name: str) -> dict[str, Floats]:
    """Means over the objects that share a style or a group."""
    counted = objects.candidates
    features: dict[str, Floats] = {}
    for trait, values in _traits(objects, ids).items():
        features[f"{name}_{trait}"] = _mean_of(ids, values, counted)
    size = _sum_of(ids, counted.astype(np.float32))
    characters = _sum_of(ids, np.where(counted, objects["length"], 0))
    candidate_lengths = objects["length"][counted]
    all_candidates = max(1, len(candidate_lengths))
    all_characters = max(1.0, float(candidate_lengths.sum()))
    features[f"{name}_count"] = np.log1p(size)
    features[f"{name}_share"] = size / np.float32(all_candidates)
    features[f"{name}_characters"] = characters / np.float32(all_characters)
    features[f"{name}_pages"] = _ratio(_pages_of(objects, ids), size)
    return features


def _traits(objects: ObjectFeatures, ids: Ints) -> dict[str, NDArray[np.generic]]:
    """The values whose means describe a style or a group."""
    near_before = objects["before_same"] < _IN_SEQUENCE
    near_after = objects["after_same"] < _IN_SEQUENCE
    kind_below = shift(objects["kind"], 1)
    return {
        "long": objects["log_length"],
        "stop": objects["last"] == _STOP,
        "contents": objects["in_contents"] > 0,
        "numbered": objects["pattern"] > 0,
        "one_line": objects["lines"] == 1,
        "gap": np.clip(objects["gap_above"], *_GAPS),
        "alone": _begins_anew(ids),
        "before_text": kind_below == _PARAGRAPH,
        "lower": objects["first_lower"],
        "running": objects["in_running_head"] > 0,
        "in_sequence": near_before | near_after,
        "colon": objects["last"] == _COLON,
        "title_case": objects["title_case"],
        "before_drawn": _is_drawn(kind_below),
        "before_item": kind_below == _LIST_ITEM,
        "next_long": np.maximum(0, shift(objects["log_length"], 1)),
        "until": _until_next_of(objects, ids),
        "opens_page": objects["first_on_page"],
        "after_short_page": _after_short_page(objects),
        "repeats": objects["repeats"] > 1,
    }


def _list_traits(objects: ObjectFeatures) -> dict[str, NDArray[np.generic]]:
    """The values whose means describe a list of numbers."""
    kind_below = shift(objects["kind"], 1)
    return {
        "long": objects["log_length"],
        "stop": objects["last"] == _STOP,
        "colon": objects["last"] == _COLON,
        "comma": objects["last"] == _COMMA,
        "one_line": objects["lines"] == 1,
        "bold": objects["bold"],
        "gap": np.clip(objects["gap_above"], *_GAPS),
        "contents": objects["in_contents"] > 0,
        "lower": objects["first_lower"],
        "before_text": kind_below == _PARAGRAPH,
        "before_drawn": _is_drawn(kind_below),
        "next_numbered": shift(objects["pattern"], 1) > 0,
        "next_long": np.maximum(0, shift(objects["log_length"], 1)),
    }


def _is_drawn(kinds: Floats) -> NDArray[np.bool_]:
    return np.asarray((kinds == _TABLE) | (kinds == _FIGURE), bool)


def _until_next_of(objects: ObjectFeatures, ids: Ints) -> Floats:
    """The amount of text, as a logarithm, between each object and the next of its group, or the end.

    With ids [0 1 0] the next object of 0 is 2, and 1 and 2 have none.
    """
    # Sorted by group, and within a group in reading order, each object stands before the next of its group.
    order = np.argsort(ids, kind="stable")
    here, following = order[:-1], order[1:]
    is_same_group = ids[following] == ids[here]
    starts = objects.before.astype(np.float64)
    until = np.full(len(ids), _end_of(objects))
    until[here[is_same_group]] = starts[following[is_same_group]]
    between = np.maximum(0, until - starts - objects["length"])
    return np.log1p(between).astype(np.float32)


def _after_short_page(objects: ObjectFeatures) -> Floats:
    """How much of the page before stays empty at its foot, for objects that begin a page; else 0."""
    bottom_before = shift(objects["bottom"], -1, 1.0)
    empty = np.clip(1 - bottom_before, 0, 1)
    begins_page = objects["first_on_page"] > 0
    return np.asarray(np.where(begins_page, empty, 0), np.float32)


def _page_features(objects: ObjectFeatures) -> dict[str, Floats]:
    """What else stands on an object's page."""
    page = (np.cumsum(objects["first_on_page"]) - 1).astype(np.int64)
    others = np.bincount(page)[page] - 1
    text = np.bincount(page, objects["length"])[page] - objects["length"]
    return {
        "page_objects": np.log1p(others).astype(np.float32),
        "page_text": np.log1p(text).astype(np.float32),
        "after_short_page": _after_short_page(objects),
    }


def _begins_anew(ids: Ints) -> NDArray[np.bool_]:
    """Whether the object before each is of another group; the first has none before it."""
    changes = ids[1:] != ids[:-1]
    # The slice is for a document without objects: it has no first one either.
    return np.append(True, changes)[: len(ids)]


def _neighbour_features(objects: ObjectFeatures) -> dict[str, Floats]:
    """The neighbours up to three objects away, and how the object differs from them."""
    features: dict[str, Floats] = {}
    for step in (-3, -2, -1, 1, 2, 3):
        is_next = abs(step) == 1
        for name in _NEAR if is_next else _FAR:
            features[f"{name}{step:+d}"] = shift(objects[name], step)
        # Before the first object and after the last one stands body text, whose size is 1.
        neighbour_size = shift(objects["size"], step, 1.0)
        features[f"size_over{step:+d}"] = objects["size"] - neighbour_size
        features[f"same_look{step:+d}"] = _same_as(objects.style, step)
        if is_next:
            features |= _next_features(objects, step)
    gap_difference = objects["gap_above"] - objects["gap_below"]
    features["gap_ratio"] = np.clip(gap_difference, -_MOST_GAP_DIFFERENCE, _MOST_GAP_DIFFERENCE)
    return features


def _next_features(objects: ObjectFeatures, step: int) -> dict[str, Floats]:
    """Further features of the objects right before and right after."""
    same_page = shift(objects["page"], step) == objects["page"]
    left = objects["left"] - shift(objects["left"], step, 0)
    is_drawn = _is_drawn(shift(objects["kind"], step))
    values = {
        "same_group": _same_as(objects.group, step),
        "same_page": same_page.astype(np.float32),
        "left_of": left,
        "drawn": is_drawn.astype(np.float32),
    }
    return {f"{name}{step:+d}": column for name, column in values.items()}


def _gap_features(objects: ObjectFeatures) -> dict[str, Floats]:
    """The white space above and below, relative to the document's median, and the median itself.

    Where a heading is set like the text, only white space distinguishes it.
    """
    features: dict[str, Floats] = {}
    for name in ("gap_above", "gap_below"):
        gaps = objects[name]
        known = gaps > MISSING
        counted = gaps[known & objects.candidates]
        # numpy's median imports a further package, which takes long for a short file.
        usual = np.float32(median(counted.tolist()) if len(counted) else 0)
        over = np.clip(gaps - usual, -_MOST_GAP_DIFFERENCE, _MOST_GAP_DIFFERENCE)
        features[f"{name}_over"] = np.where(known, over, np.float32(MISSING))
        features[f"usual_{name}"] = np.full(len(objects), usual)
    return features


def _distance_features(objects: ObjectFeatures) -> dict[str, Floats]:
    """The amount of text up to the next object of the same style, and up to the next as large."""
    ends = objects.before + objects["length"]
    until_as_large = np.maximum(0, _next_as_large(objects) - ends)
    return {
        "until_alike": _until_next_of(objects, objects.style),
        "until_as_large": np.log1p(until_as_large).astype(np.float32),
    }


def _end_of(objects: ObjectFeatures) -> float:
    """Where the text of a document ends, in characters."""
    if not len(objects):
        return 0.0
    last_start, last_length = objects.before[-1], objects["length"][-1]
    return float(last_start + last_length)


def _next_as_large(objects: ObjectFeatures) -> NDArray[np.float64]:
    """For each object the offset of the next one that looks as large, or of the document's end."""
    rank = objects["size"] + _BOLD_ENLARGES * objects["bold"]
    places = np.full(len(objects), _end_of(objects), np.float64)
    # Going backwards, a smaller object after a larger one is never found again. So the stack holds ranks that
    # grow towards its bottom, each with its offset, and one pass is enough.
    waiting: list[tuple[float, float]] = []
    ranks = rank.tolist()
    lowest_alike = (rank - SAME_SIZE).tolist()
    offsets = objects.before.tolist()
    for i in reversed(range(len(objects))):
        while waiting and waiting[-1][0] < lowest_alike[i]:
            waiting.pop()
        if waiting:
            _, places[i] = waiting[-1]
        waiting.append((ranks[i], offsets[i]))
    return places


def _size_rank(objects: ObjectFeatures) -> Floats:
    """The share of the document's candidates that are set larger, or as large and bolder."""
    weight = np.round(objects["size"] + _BOLD_BREAKS_TIES * objects["bold"], 3)
    ordered = np.sort(weight[objects.candidates])
    if not len(ordered):
        return np.zeros(len(objects), np.float32)
    not_larger = np.searchsorted(ordered, weight, side="right")
    return (1 - not_larger / len(ordered)).astype(np.float32)


# --- Sums and means by group ---
#
# `ids` has the group of each object: with ids [0 1 0] and values [1 5 3] the sums are [4 5 4].


def _sum_of(ids: Ints, values: NDArray[np.generic]) -> Floats:
    """For each object the sum over its group."""
    sums = np.bincount(ids, values)
    return sums[ids].astype(np.float32)


def _mean_of(ids: Ints, values: NDArray[np.generic], counted: NDArray[np.bool_]) -> Floats:
    """For each object the mean over the counted members of its group."""
    weight = counted.astype(np.float32)
    weighted = np.asarray(values, np.float32) * weight
    return _ratio(_sum_of(ids, weighted), _sum_of(ids, weight))


def _ratio(values: Floats, counts: Floats) -> Floats:
    """The values over their counts; over 1 where nothing was counted."""
    return np.divide(values, np.maximum(counts, 1)).astype(np.float32)


def _pages_of(objects: ObjectFeatures, ids: Ints) -> Floats:
    """For each object on how many pages its group begins."""
    pages = objects["page"].astype(np.int64)
    # Without `return_counts` numpy imports its masked arrays, which takes longer than a short document.
    pairs, _ = np.unique(np.stack([ids, pages]), axis=1, return_counts=True)
    groups, _ = pairs
    pages_of_group = np.bincount(groups)
    return pages_of_group[ids].astype(np.float32)


def _same_as(ids: Ints, step: int) -> Floats:
    """Whether each id is that of the object a step away; no id is -1."""
    others = shift(ids.astype(np.float32), step, -1.0).astype(np.int64)
    return np.asarray(others == ids, np.float32)


# --- Features of the second stage: what the first one found of other objects ---


def stacked_features(objects: ObjectFeatures, probabilities: Floats) -> dict[str, Floats]:
    """The features of the second stage, given the probabilities of the first, by name."""
    counted = objects.candidates
    said = np.where(counted, probabilities, 0).astype(np.float32)
    found = (said >= _FOUND_FROM).astype(np.float32)
    share_found = _mean(found[counted])
    features = {
        "first": _logit(said),
        "first_document": np.full(len(said), share_found, np.float32),
    }
    for name, ids in _alike(objects).items():
        features[f"first_{name}_mean"] = _mean_of_others(ids, said, counted)
        features[f"first_{name}_share"] = _mean_of_others(ids, found, counted)
    listed = (objects["in_contents"] > 0).astype(np.float32)
    features["first_listed"] = _share_listed(objects.style, found, listed)
    for step in _STEPS:
        features[f"first{step:+d}"] = shift(said, step)
    features["first_until"] = _until_next(found)
    return features


def _alike(objects: ObjectFeatures) -> dict[str, Ints]:
    """Ids by which objects are alike."""
    return {
        "look": objects.style,
        "group": objects.group,
        "pattern": objects["pattern"].astype(np.int64),
        "form": _pairs(objects.style, objects.form),
    }


def _logit(probabilities: Floats) -> Floats:
    bounded = np.clip(probabilities, _MIN_PROBABILITY, _MAX_PROBABILITY)
    odds = bounded / (1 - bounded)
    return np.asarray(np.log(odds), np.float32)


def _pairs(first: Ints, second: Ints) -> Ints:
    """A number for each pair of ids, equal where both are."""
    width = int(second.max(initial=0)) + 1
    # Numbered from 0 without gaps, so that counts by number stay as small as the number of pairs.
    _, numbers = np.unique(first * width + second, return_inverse=True)
    return np.asarray(numbers, np.int64)


def _mean_of_others(ids: Ints, values: Floats, counted: NDArray[np.bool_]) -> Floats:
    """For each object the mean over the others with its id; MISSING where there are none."""
    weight = counted.astype(np.float64)
    own = values * weight
    total_of_others = np.bincount(ids, own)[ids] - own
    others = np.bincount(ids, weight)[ids] - weight
    return _ratio_or_missing(total_of_others, others)


def _share_listed(look: Ints, found: Floats, listed: Floats) -> Floats:
    """For each object the share of the headings found with its look that the printed contents name."""
    headings = np.bincount(look, found)[look]
    named = np.bincount(look, found * listed)[look]
    return _ratio_or_missing(named, headings)


def _ratio_or_missing(values: NDArray[Any], counts: NDArray[Any]) -> Floats:
    """The values over their counts; MISSING where nothing was counted."""
    ratio = np.full(len(values), MISSING)
    np.divide(values, counts, out=ratio, where=counts > 0)
    return np.asarray(ratio, np.float32)


def _until_next(found: Floats) -> Floats:
    """How many objects, as a logarithm, stand between each and the next heading that was found."""
    here = np.arange(len(found))
    places = np.flatnonzero(found)
    following = np.searchsorted(places, here, side="right")
    # After the last heading the document's end is what comes next.
    nearest = np.append(places, len(found))[following]
    return np.asarray(np.log(nearest - here), np.float32)


SECOND_STAGE = "second.onnx"
"""The part of a model with the trees of the second stage."""


# --- The classifier ---


class HeadingClassifier:
    """Gives the probability that an object is a heading.

    A model may have a second stage, which sees the first stage's probabilities of the whole document.
    """

    def __init__(self, model: Model, *, disabled: Collection[str] = ()) -> None:
        check_features(model, FEATURES_VERSION)
        self.threshold = float(model.settings["threshold"])
        self.rules = tuple(rule for rule in RULES if rule.name not in disabled)
        self.titles = Titles(**model.arrays("titles.npz"))
        self._trees = load_trees(model, "trees.onnx")
        self._second = load_trees(model, SECOND_STAGE) if SECOND_STAGE in model.parts else None

    def probabilities(self, documents: Sequence[DocumentFeatures]) -> list[Floats]:
        """For each document the probability that each of its objects is a heading, before the rules."""
        return [self.classify(document.objects) for document in documents]

    def classify(self, objects: ObjectFeatures) -> Floats:
        """The probability that each object is a heading; 0 for tables, figures and the like."""
        probabilities = np.zeros(len(objects), np.float32)
        which = objects.candidates
        features = matrix(classifier_features(objects) | title_features(hashes_of(objects), self.titles))
        probabilities[which] = sigmoid(self._trees.score(features[which]))
        if self._second is not None:
            stacked = np.concatenate([features, matrix(stacked_features(objects, probabilities))], axis=1)
            probabilities[which] = sigmoid(self._second.score(stacked[which]))
        return probabilities

    def headings(self, probabilities: Floats) -> tuple[int, ...]:
        """The objects that are headings, in reading order."""
        return headings_at(self.threshold, probabilities)


def heading_step(model: Model, *, threads: int = 1, disabled: Collection[str] = ()) -> HeadingClassifier:
    """The heading step of a model, without the rules named; it runs on one thread."""
    return HeadingClassifier(model, disabled=disabled)


def headings_at(threshold: float, probabilities: Floats) -> tuple[int, ...]:
    """The objects whose probability is at least the threshold, in reading order."""
    return tuple(np.flatnonzero(probabilities >= threshold).tolist())
