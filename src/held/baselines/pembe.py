"""The baseline `pembe` at work: logistic regression judges a heading against the positions of the branch.

It sees the parent, the sibling, the grandparent and the second sibling that a position would give the
heading, each through the same features of the pair; docs/baselines.md lists them.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from held.features.outline import IDS, OWN, VALUES, Outline, outline_of
from held.features.texts import Floats
from held.insertion import Question
from held.models.boosted import sigmoid
from held.models.seen import Seen
from held.models.store import Model
from held.tree import ROOT, Tree

Ints = NDArray[np.int64]

RELATIVES = ("parent", "sibling", "grandparent", "second_sibling")
PAIR = (
    *("present", "same_look", "same_size", "smaller", "larger", "size", "bold_alone", "its_bold_alone"),
    *("same_italic", "italic_alone", "same_caps", "caps_alone", "same_centring", "indent", "no_numbers"),
    *("numbered_alone", "its_number_alone", "same_form", "follows", "same_form_alone", "under", "starts"),
    "is_root",
)
FEATURES = (*(f"{relative}_{name}" for relative in RELATIVES for name in PAIR), "depth", "last")

_NOBODY = -2
_LOOK, _FORM, _VALUE = (IDS.index(name) for name in ("look", "form", "value"))
_PREFIXES = slice(IDS.index("prefix_1"), IDS.index("prefix_4") + 1)
_OWN_IDS = slice(IDS.index("own"), IDS.index("own_lettered") + 1)
_BEFORE_IDS = slice(IDS.index("before"), IDS.index("before_any") + 1)
_SIZE, _BOLD, _ITALIC, _CAPS, _CENTRED, _INDENT = (
    VALUES.index(name) for name in ("size", "bold", "italic", "caps", "centred", "indent")
)
_STARTS = OWN.index("starts_list")
_MOST_EMS = 4.0


class Relations:
    """The headings of some documents, stacked, so that one call compares those of all of them."""

    def __init__(self, outlines: Sequence[Outline]) -> None:
        self._outlines = outlines
        counts = [len(outline.headings) for outline in outlines]
        self._starts = np.concatenate([[0], np.cumsum(counts)]).astype(int).tolist()
        self._ids = np.concatenate([outline.ids for outline in outlines])
        self._values = np.concatenate([outline.values for outline in outlines])
        self._begins = np.concatenate([outline.own[:, _STARTS] for outline in outlines]) > 0

    def features(self, asked: Sequence[tuple[int, Tree, int]]) -> Floats:
        """A row of FEATURES for each position of each branch, for (document, tree, heading)."""
        heading: list[int] = []
        relatives: list[tuple[int, int, int, int]] = []
        places: list[tuple[float, bool]] = []
        for document, tree, obj in asked:
            found = self._relatives(document, tree)
            heading += [self._row(document, obj)] * len(found)
            relatives += found
            places += [(place / 10, place == len(found) - 1) for place in range(len(found))]
        c = np.array(heading, np.int64)
        others = np.array(relatives, np.int64).reshape(-1, len(RELATIVES))
        pairs = [self._pairs(c, others[:, column]) for column in range(len(RELATIVES))]
        return np.concatenate([*pairs, np.array(places, np.float32).reshape(-1, 2)], axis=1)

    def _row(self, document: int, obj: int) -> int:
        return ROOT if obj == ROOT else self._starts[document] + self._outlines[document].row(obj)

    def _relatives(self, document: int, tree: Tree) -> list[tuple[int, int, int, int]]:
        """The rows of the four relatives at each position; ROOT for the root, _NOBODY where there is none."""
        found = []
        grandparent = _NOBODY
        for position in tree.positions:
            parent = self._row(document, position.parent)
            siblings = [self._row(document, obj) for obj in reversed(position.siblings(2))]
            last, second = (*siblings, _NOBODY, _NOBODY)[:2]
            found.append((parent, last, grandparent, second))
            grandparent = parent
        return found

    def _pairs(self, c: Ints, x: Ints) -> Floats:
        """PAIR for each heading of row c and relative of row x."""
        rows = np.maximum(x, 0)  # who is no heading has no features but those set at the end
        ids, its_ids, values, its = self._ids[c], self._ids[rows], self._values[c], self._values[rows]
        smaller, larger = _compared(values[:, _SIZE], its[:, _SIZE])
        number, its_number = ids[:, _FORM] > 0, its_ids[:, _FORM] > 0
        same_form = (ids[:, _FORM] == its_ids[:, _FORM]) & number
        follows = (its_ids[:, _OWN_IDS] == ids[:, _BEFORE_IDS]).any(axis=1)
        bold, italic, caps = (values[:, column] > 0 for column in (_BOLD, _ITALIC, _CAPS))
        its_bold, its_italic, its_caps = (its[:, column] > 0 for column in (_BOLD, _ITALIC, _CAPS))
        indent = np.clip(values[:, _INDENT] - its[:, _INDENT], -_MOST_EMS, _MOST_EMS) / _MOST_EMS
        columns = (
            *(np.ones(len(c)), ids[:, _LOOK] == its_ids[:, _LOOK], ~smaller & ~larger, smaller, larger),
            np.clip(values[:, _SIZE] - its[:, _SIZE], -1, 1),
            *(bold & ~its_bold, its_bold & ~bold, italic == its_italic, italic & ~its_italic),
            *(caps == its_caps, caps & ~its_caps, values[:, _CENTRED] == its[:, _CENTRED], indent),
            *(~number & ~its_number, number & ~its_number, its_number & ~number, same_form, follows),
            *(same_form & ~follows, (ids[:, _PREFIXES] == its_ids[:, _VALUE, None]).any(axis=1)),
            *(self._begins[c], np.zeros(len(c))),
        )
        out = np.column_stack(columns).astype(np.float32).reshape(len(c), len(PAIR))
        out[x < 0] = 0
        at_root = x == ROOT
        out[at_root, PAIR.index("present")] = out[at_root, PAIR.index("is_root")] = 1
        out[at_root, PAIR.index("starts")] = self._begins[c[at_root]]
        return out


def _compared(size: Floats, its: Floats) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Where the first size is smaller, and where it is larger, in twentieths of the body's."""
    difference = np.round(20 * size) - np.round(20 * its)
    return difference < 0, difference > 0


class PembeStep:
    """The tree step of the baseline: the regression of a model."""

    every_object = False

    def __init__(self, model: Model) -> None:
        stored = model.arrays("weights.npz")
        # The features were standardised for training; here that is part of the weights.
        self._weights = stored["weights"] / stored["scale"]
        self._bias = float(stored["bias"][0]) - float(stored["mean"] @ self._weights)

    def scorer(self, documents: Sequence[Seen], objects: Sequence[Sequence[int]]) -> PembeScorer:
        """A scorer for these headings of the documents."""
        pairs = zip(documents, objects, strict=True)
        outlines = [outline_of(seen.table, headings) for seen, headings in pairs]
        return PembeScorer(Relations(outlines), self._weights, self._bias)


class PembeScorer:
    """A scorer for some documents."""

    def __init__(self, relations: Relations, weights: Floats, bias: float) -> None:
        self._relations = relations
        self._weights = weights
        self._bias = bias

    def score(self, questions: Sequence[Question]) -> list[list[float]]:
        """For each question a probability for each of its positions."""
        rows = self._relations.features([question[:3] for question in questions])
        probabilities = sigmoid(rows @ self._weights + self._bias).tolist()
        answers, start = [], 0
        for question in questions:
            answers.append([probabilities[start + position] for position in question.positions])
            start += len(question.tree.positions)
        return answers
