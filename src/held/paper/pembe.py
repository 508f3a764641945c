"""The baseline `pembe` at work: logistic regression judges a heading against the positions of the branch.

It sees the parent, the sibling, the grandparent and the second sibling that a position would give the
heading, each through the same features of the pair; docs/research/baselines.md lists them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from held.headings.columns import Floats
from held.headings.object_features import DocumentFeatures
from held.hierarchy.heading_features import IDS, OWN, VALUES, HeadingFeatures, heading_features
from held.hierarchy.insertion import Question
from held.models.inference import sigmoid
from held.models.store import Model
from held.tree import ROOT, Tree

Ints = NDArray[np.int64]

RELATIVES = ("parent", "sibling", "grandparent", "second_sibling")
PAIR = (
    "present",
    "same_look",
    "same_size",
    "smaller",
    "larger",
    "size",
    "bold_alone",
    "its_bold_alone",
    "same_italic",
    "italic_alone",
    "same_caps",
    "caps_alone",
    "same_centring",
    "indent",
    "no_numbers",
    "numbered_alone",
    "its_number_alone",
    "same_form",
    "follows",
    "same_form_alone",
    "under",
    "starts",
    "is_root",
)
"""What is known of a heading and a relative; `its` and `alone` speak of the relative and of one of them."""
FEATURES = (*(f"{relative}_{name}" for relative in RELATIVES for name in PAIR), "depth", "last")

_NOBODY = -2  # the row of a relative that is not there; ROOT is -1
_LOOK, _FORM, _VALUE = (IDS.index(name) for name in ("style", "form", "value"))
_PREFIXES = slice(IDS.index("prefix_1"), IDS.index("prefix_4") + 1)
_OWN_IDS = slice(IDS.index("number"), IDS.index("number_lettered") + 1)
_BEFORE_IDS = slice(IDS.index("predecessor"), IDS.index("predecessor_any") + 1)
_SIZE, _BOLD, _ITALIC, _CAPS, _CENTRED, _INDENT = (
    VALUES.index(name) for name in ("size", "bold", "italic", "caps", "centred", "indent")
)
_STARTS = OWN.index("starts_list")
_MOST_EMS = 4.0  # of an indent: what stands further right is centred or in another column
_SIZE_STEPS = 20  # to the size of the body
_DEPTH = 10  # by which a depth is divided: few headings are deeper


class Relations:
    """The headings of some documents, stacked, so that one call compares those of all of them."""

    def __init__(self, outlines: Sequence[HeadingFeatures]) -> None:
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
            places += [(place / _DEPTH, place == len(found) - 1) for place in range(len(found))]
        rows = np.array(heading, np.int64)
        others = np.array(relatives, np.int64).reshape(-1, len(RELATIVES))
        pairs = [self._pairs(rows, relative) for relative in others.T]
        depth_and_last = np.array(places, np.float32).reshape(-1, 2)
        return np.concatenate([*pairs, depth_and_last], axis=1)

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
        columns = {
            "present": np.ones(len(c)),
            **_sizes(self._values[c], self._values[rows]),
            **_looks(self._values[c], self._values[rows]),
            **_numbers(self._ids[c], self._ids[rows]),
            "same_look": self._ids[c, _LOOK] == self._ids[rows, _LOOK],
            "starts": self._begins[c],
            "is_root": np.zeros(len(c)),
        }
        stacked = np.column_stack([columns[name] for name in PAIR])
        out = stacked.astype(np.float32).reshape(len(c), len(PAIR))
        out[x < 0] = 0
        at_root = x == ROOT
        out[at_root, PAIR.index("present")] = 1
        out[at_root, PAIR.index("is_root")] = 1
        out[at_root, PAIR.index("starts")] = self._begins[c[at_root]]
        return out


Columns = dict[str, NDArray[Any]]


def _sizes(values: Floats, its: Floats) -> Columns:
    """What the sizes of headings and of their relatives say."""
    # Twentieths of the body's size: sizes that differ by less do so by accident.
    steps = np.round(_SIZE_STEPS * values[:, _SIZE])
    its_steps = np.round(_SIZE_STEPS * its[:, _SIZE])
    return {
        "same_size": steps == its_steps,
        "smaller": steps < its_steps,
        "larger": steps > its_steps,
        "size": np.clip(values[:, _SIZE] - its[:, _SIZE], -1, 1),
    }


def _looks(values: Floats, its: Floats) -> Columns:
    """What type and place of headings and of their relatives say."""
    bold, its_bold = values[:, _BOLD] > 0, its[:, _BOLD] > 0
    italic, its_italic = values[:, _ITALIC] > 0, its[:, _ITALIC] > 0
    caps, its_caps = values[:, _CAPS] > 0, its[:, _CAPS] > 0
    indent = values[:, _INDENT] - its[:, _INDENT]
    return {
        "bold_alone": bold & ~its_bold,
        "its_bold_alone": its_bold & ~bold,
        "same_italic": italic == its_italic,
        "italic_alone": italic & ~its_italic,
        "same_caps": caps == its_caps,
        "caps_alone": caps & ~its_caps,
        "same_centring": values[:, _CENTRED] == its[:, _CENTRED],
        "indent": np.clip(indent, -_MOST_EMS, _MOST_EMS) / _MOST_EMS,
    }


def _numbers(ids: Ints, its: Ints) -> Columns:
    """What the item numbers of headings and of their relatives say."""
    number, its_number = ids[:, _FORM] > 0, its[:, _FORM] > 0
    same_form = (ids[:, _FORM] == its[:, _FORM]) & number
    follows = (its[:, _OWN_IDS] == ids[:, _BEFORE_IDS]).any(axis=1)
    return {
        "no_numbers": ~number & ~its_number,
        "numbered_alone": number & ~its_number,
        "its_number_alone": its_number & ~number,
        "same_form": same_form,
        "follows": follows,
        "same_form_alone": same_form & ~follows,
        "under": (ids[:, _PREFIXES] == its[:, _VALUE, None]).any(axis=1),
    }


class PembeStep:
    """The tree step of the baseline: the regression of a model."""

    every_object = False
    normalise = False

    def __init__(self, model: Model) -> None:
        stored = model.arrays("weights.npz")
        # The features were standardised for training; here that is part of the weights.
        self._weights = stored["weights"] / stored["scale"]
        self._bias = float(stored["bias"][0]) - float(stored["mean"] @ self._weights)

    def scorer(self, documents: Sequence[DocumentFeatures], objects: Sequence[Sequence[int]]) -> PembeScorer:
        """A scorer for these headings of the documents."""
        pairs = zip(documents, objects, strict=True)
        outlines = [heading_features(seen.objects, headings) for seen, headings in pairs]
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
