"""The methods that HELD is compared with: levels by font size, HEPS, numbering, TOC and Pembe.

Each is a pair of steps like those of any model, so that `held extract`, `held evaluate` and the library run
it by its name, or by the folder of its trained model:

    held extract report.pdf --model heps         # rules; headings found by the shipped model
    held extract report.pdf --model FOLDER       # a folder with toc.held or pembe.held

A rule is a scorer that is sure: 1 at the position where it puts a heading and 0 elsewhere.
docs/research/baselines.md has the rules in words.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from held.document import Document
from held.headings.object_features import DocumentFeatures, ObjectFeatures
from held.headings.rules import Rule
from held.hierarchy.insertion import Question
from held.hierarchy.steps import Objects, Steps, heading_step
from held.models.registry import BASELINE_RULES
from held.models.store import SUFFIX, BaselineKind, Model, ModelKind, load_model
from held.numbering import ItemNumber, follows, is_dotted_prefix, resolve_letters, starts_list
from held.paper.network_inputs import Floats
from held.paper.network_models import WindowLabeller
from held.paper.pembe import PembeStep

Place = Callable[[Sequence[int], int], int]
"""The position where a heading goes, given the branch (the root first) and the heading."""
PlaceRule = Callable[[DocumentFeatures, Sequence[int]], Place]
"""How the headings of one document are placed."""


def baseline_steps(name: str | os.PathLike[str]) -> Steps:
    """The steps of a baseline: of a rule by its name, or of the trained model in a folder.

    Rules and Pembe only place headings. The headings are found by the folder's own heading model if it has
    one, else by the shipped one.
    """
    if name in BASELINE_RULES:
        return Steps(heading_step("base"), RuleStep(_RULES[str(name)]), None)
    if (Path(name) / f"{BaselineKind.TOC}{SUFFIX}").is_file():
        toc = TocNetwork(load_model(name, BaselineKind.TOC))
        return Steps(TocHeadingStep(toc), RuleStep(toc.place_by_depth), None)
    own_headings = Path(name) / f"{ModelKind.HEADINGS}{SUFFIX}"
    finder = heading_step(own_headings if own_headings.is_file() else "base")
    return Steps(finder, PembeStep(load_model(name, BaselineKind.PEMBE)), None)


class RuleStep:
    """A tree step that places headings by a rule."""

    every_object = False
    normalise = False

    def __init__(self, rule: PlaceRule) -> None:
        self._rule = rule

    def scorer(self, documents: Sequence[DocumentFeatures], objects: Objects) -> RuleScorer:
        """A scorer for these headings of the documents."""
        pairs = zip(documents, objects, strict=True)
        return RuleScorer([self._rule(features, headings) for features, headings in pairs])


class RuleScorer:
    """Scores 1 where a rule puts a heading, and 0 elsewhere."""

    def __init__(self, places: Sequence[Place]) -> None:
        self._places = places

    def score(self, questions: Sequence[Question]) -> list[list[float]]:
        """For each question a probability for each of its positions."""
        answers = []
        for document, tree, obj, positions in questions:
            chosen = self._places[document](tree.branch, obj)
            answers.append([float(position == chosen) for position in positions])
        return answers


def place_by_rank(ranks: Mapping[int, Any]) -> Place:
    """A heading goes under the last one on the branch that has a lower rank; the root is above all."""

    def place(branch: Sequence[int], heading: int) -> int:
        position = len(branch) - 1
        while position > 0 and not ranks[branch[position]] < ranks[heading]:
            position -= 1
        return position

    return place


def by_size(features: DocumentFeatures, headings: Sequence[int]) -> Place:
    """Larger type is higher."""
    return place_by_rank({heading: -_size(features.objects, heading) for heading in headings})


def by_style(features: DocumentFeatures, headings: Sequence[int]) -> Place:
    """HEPS: headings of one style are one list, the more prominent list is higher."""
    table = features.objects
    first: dict[tuple[int, bool], int] = {}
    ranks = {}
    for order, heading in enumerate(headings):
        bold, caps, italic = (bool(table[name][heading]) for name in ("bold", "caps", "italic"))
        style = int(table.style[heading]), caps
        first_of_style = first.setdefault(style, order)
        ranks[heading] = (-_size(table, heading), not bold, not caps, italic, first_of_style)
    return place_by_rank(ranks)


def by_numbers(features: DocumentFeatures, headings: Sequence[int]) -> Place:
    """The tree that item numbers make, and the size where they say nothing."""
    table = features.objects
    in_order = resolve_letters(table.numbers[heading] for heading in headings)
    numbers = dict(zip(headings, in_order, strict=True))

    def place(branch: Sequence[int], heading: int) -> int:
        number = numbers[heading]
        if number is not None:
            position = _place_by_number(number, [numbers.get(node) for node in branch])
            if position is not None:
                return position
        sizes = [_size(table, node) for node in branch[1:]]
        return _place_by_size(_size(table, heading), sizes, numbered=number is not None)

    return place


def _place_by_number(number: ItemNumber, branch: Sequence[ItemNumber | None]) -> int | None:
    """The position that a number asks for on a branch (the root first); None where a list begins."""
    deepest_first = range(len(branch) - 1, 0, -1)
    above = {position: own for position in deepest_first if (own := branch[position]) is not None}
    for position, own in above.items():
        if follows(own, number):
            return position - 1
    for position, own in above.items():
        if is_dotted_prefix(own, number):
            return position
    if not starts_list(number):
        for position, own in above.items():
            if own.form == number.form:
                return position - 1
    return None


def _place_by_size(size: int, branch: Sequence[int], *, numbered: bool) -> int:
    """The position under the deepest node that is larger, or for a numbered heading not smaller."""
    for position in range(len(branch), 0, -1):
        above = branch[position - 1]
        if above > size or (numbered and above == size):
            return position
    return 0


def _size(table: ObjectFeatures, obj: int) -> int:
    """The size in twentieths of the body's: what differs by less does so by accident."""
    return round(20 * float(table["size"][obj]))


_RULES: Mapping[str, PlaceRule] = {"size": by_size, "numbers": by_numbers, "heps": by_style}


class TocNetwork:
    """The network that labels every object with its depth, 0 for body."""

    def __init__(self, model: Model, *, threads: int = 1) -> None:
        self._labeller = WindowLabeller(model, threads=threads)
        # Both steps ask about the same documents, one step after the other.
        self._labelled: list[tuple[Document, Floats]] = []

    def label_together(self, documents: Sequence[DocumentFeatures]) -> list[Floats]:
        """The probabilities of all depths, (N, deepest + 1), of each document."""
        found = [self.label(features.document) for features in documents]
        asked = [features.document for features in documents]
        self._labelled = list(zip(asked, found, strict=True))
        return found

    def label(self, document: Document) -> Floats:
        """The probabilities of all depths for the objects of a document."""
        for known, probabilities in self._labelled:
            if known is document:
                return probabilities
        return self._labeller.labels(document)

    def place_by_depth(self, features: DocumentFeatures, headings: Sequence[int]) -> Place:
        """A heading goes under the last one of a lower depth."""
        return place_by_rank(likeliest_depths(self.label(features.document), headings))


def likeliest_depths(probabilities: Floats, headings: Sequence[int]) -> dict[int, int]:
    """The likeliest depth of each heading from 1 on, even where body is likelier."""
    depths = 1 + probabilities[list(headings), 1:].argmax(1)
    return dict(zip(headings, depths.tolist(), strict=True))


def heading_probabilities(probabilities: Floats) -> Floats:
    """How likely the best depth of each object is against body: above 0.5 where it is the likelier."""
    body, best_depth = probabilities[:, 0], probabilities[:, 1:].max(1)
    return np.asarray(best_depth / (body + best_depth), np.float32)


class TocHeadingStep:
    """The heading step of TOC: what has a depth is a heading."""

    threshold = 0.5
    rules: tuple[Rule, ...] = ()

    def __init__(self, toc: TocNetwork) -> None:
        self._toc = toc

    def probabilities(self, documents: Sequence[DocumentFeatures]) -> list[Floats]:
        """For each document the probability that each of its objects is a heading."""
        return [heading_probabilities(depths) for depths in self._toc.label_together(documents)]

    def headings(self, probabilities: Floats) -> tuple[int, ...]:
        """The objects that are headings, in reading order."""
        return tuple(np.flatnonzero(probabilities > self.threshold).tolist())
