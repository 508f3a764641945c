"""The baseline `pembe`: logistic regression scores the positions of a heading on the branch.

A position gives the heading a parent, a grandparent and up to two elder siblings. The features compare the
heading with each of these relatives in the same way; docs/research/baselines.md lists them.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from typing import Any

import numpy as np
from numpy.typing import NDArray

from held.headings import Floats
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
"""The features of a heading and a relative. `bold_alone`: only the heading is bold; `its_bold_alone`: only
the relative is."""
FEATURES = (*(f"{relative}_{name}" for relative in RELATIVES for name in PAIR), "depth", "last")

_NO_RELATIVE = -2  # the row of a missing relative; ROOT is -1
_STYLE, _FORM, _VALUE = (IDS.index(name) for name in ("style", "form", "value"))
_PREFIXES = slice(IDS.index("prefix_1"), IDS.index("prefix_4") + 1)
_OWN_IDS = slice(IDS.index("number"), IDS.index("number_lettered") + 1)
_BEFORE_IDS = slice(IDS.index("predecessor"), IDS.index("predecessor_any") + 1)
_SIZE, _BOLD, _ITALIC, _CAPS, _CENTRED, _INDENT = (
    VALUES.index(name) for name in ("size", "bold", "italic", "caps", "centred", "indent")
)
_STARTS = OWN.index("starts_list")
_MAX_INDENT_EM = 4.0  # a heading further right is centred or in another column
_SIZE_STEPS = 20  # per body size: sizes that differ by less are equal
_MAX_DEPTH = 10  # brings depths to about 0 to 1; few headings are deeper


class Relations:
    """The headings of several documents, stacked, so that one call compares those of all documents."""

    def __init__(self, outlines: Sequence[HeadingFeatures]) -> None:
        self._outlines = outlines
        counts = [len(outline.headings) for outline in outlines]
        self._starts = [0, *accumulate(counts)]
        self._ids = np.concatenate([outline.ids for outline in outlines])
        self._values = np.concatenate([outline.values for outline in outlines])
        self._begins = np.concatenate([outline.own[:, _STARTS] for outline in outlines]) > 0

    def features(self, inquiries: Sequence[tuple[int, Tree, int]]) -> Floats:
        """A row of FEATURES for each position of each branch; an inquiry is (document, tree, heading)."""
        heading_rows: list[int] = []
        relative_rows: list[tuple[int, int, int, int]] = []
        depths: list[tuple[float, bool]] = []
        for document, tree, obj in inquiries:
            relatives = self._relatives(document, tree)
            heading_rows += [self._row(document, obj)] * len(relatives)
            relative_rows += relatives
            for depth in range(len(relatives)):
                is_last = depth == len(relatives) - 1
                depths.append((depth / _MAX_DEPTH, is_last))
        headings = np.array(heading_rows, np.int64)
        others = np.array(relative_rows, np.int64).reshape(-1, len(RELATIVES))
        pairs = [self._pairs(headings, relative) for relative in others.T]
        depth_and_last = np.array(depths, np.float32).reshape(-1, 2)
        return np.concatenate([*pairs, depth_and_last], axis=1)

    def _row(self, document: int, obj: int) -> int:
        if obj == ROOT:
            return ROOT
        row_in_document = self._outlines[document].row(obj)
        return self._starts[document] + row_in_document

    def _relatives(self, document: int, tree: Tree) -> list[tuple[int, int, int, int]]:
        """The rows of the four relatives at each position, in the order of RELATIVES."""
        rows = []
        grandparent = _NO_RELATIVE
        for position in tree.positions:
            parent = self._row(document, position.parent)
            siblings = [self._row(document, obj) for obj in reversed(position.siblings(2))]
            last, second = (*siblings, _NO_RELATIVE, _NO_RELATIVE)[:2]
            rows.append((parent, last, grandparent, second))
            grandparent = parent
        return rows

    def _pairs(self, headings: Ints, relatives: Ints) -> Floats:
        """The features PAIR of each heading and its relative, both given as rows."""
        # The root and missing relatives have no row of their own; their features are overwritten below.
        rows = np.maximum(relatives, 0)
        columns = {
            "present": np.ones(len(headings)),
            **_sizes(self._values[headings], self._values[rows]),
            **_looks(self._values[headings], self._values[rows]),
            **_numbers(self._ids[headings], self._ids[rows]),
            "same_look": self._ids[headings, _STYLE] == self._ids[rows, _STYLE],
            "starts": self._begins[headings],
            "is_root": np.zeros(len(headings)),
        }
        stacked = np.column_stack([columns[name] for name in PAIR])
        pairs = stacked.astype(np.float32).reshape(len(headings), len(PAIR))
        pairs[relatives < 0] = 0
        is_root = relatives == ROOT
        pairs[is_root, PAIR.index("present")] = 1
        pairs[is_root, PAIR.index("is_root")] = 1
        pairs[is_root, PAIR.index("starts")] = self._begins[headings[is_root]]
        return pairs


Columns = dict[str, NDArray[Any]]


def _sizes(values: Floats, its: Floats) -> Columns:
    """Features of the font sizes; `its` are the values of the relatives."""
    steps = np.round(_SIZE_STEPS * values[:, _SIZE])
    its_steps = np.round(_SIZE_STEPS * its[:, _SIZE])
    return {
        "same_size": steps == its_steps,
        "smaller": steps < its_steps,
        "larger": steps > its_steps,
        "size": np.clip(values[:, _SIZE] - its[:, _SIZE], -1, 1),
    }


def _looks(values: Floats, its: Floats) -> Columns:
    """Features of the typeface and of the position on the page."""
    flags = [_BOLD, _ITALIC, _CAPS]
    bold, italic, caps = values[:, flags].T > 0
    its_bold, its_italic, its_caps = its[:, flags].T > 0
    indent = values[:, _INDENT] - its[:, _INDENT]
    return {
        "bold_alone": bold & ~its_bold,
        "its_bold_alone": its_bold & ~bold,
        "same_italic": italic == its_italic,
        "italic_alone": italic & ~its_italic,
        "same_caps": caps == its_caps,
        "caps_alone": caps & ~its_caps,
        "same_centring": values[:, _CENTRED] == its[:, _CENTRED],
        "indent": np.clip(indent, -_MAX_INDENT_EM, _MAX_INDENT_EM) / _MAX_INDENT_EM,
    }


def _numbers(ids: Ints, its: Ints) -> Columns:
    """Features of the item numbers."""
    form, its_form = ids[:, _FORM], its[:, _FORM]
    has_number = form > 0
    it_has_number = its_form > 0
    same_form = (form == its_form) & has_number
    follows = (its[:, _OWN_IDS] == ids[:, _BEFORE_IDS]).any(axis=1)
    return {
        "no_numbers": ~has_number & ~it_has_number,
        "numbered_alone": has_number & ~it_has_number,
        "its_number_alone": it_has_number & ~has_number,
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
        # Training standardised the features. Here the weights do it: w (x - mean) / scale + bias.
        self._weights = stored["weights"] / stored["scale"]
        mean_score = float(stored["mean"] @ self._weights)
        self._bias = float(stored["bias"][0]) - mean_score

    def scorer(self, documents: Sequence[DocumentFeatures], objects: Sequence[Sequence[int]]) -> PembeScorer:
        """A scorer for these headings of the documents."""
        pairs = zip(documents, objects, strict=True)
        outlines = [heading_features(features.objects, headings) for features, headings in pairs]
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
