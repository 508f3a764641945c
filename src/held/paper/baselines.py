"""The methods that HELD is compared with: levels by font size, HEPS, numbering, TOC and Pembe.

Each is a pair of steps like those of any model, so that `held extract`, `held evaluate` and the library can
run it by its name, or by the folder of its trained model:

    held extract report.pdf --model heps         # rules; headings found by the shipped model
    held extract report.pdf --model FOLDER       # a folder with toc.held or pembe.held

The scorer of a rule gives 1 to the position where it puts a heading, and 0 to the others.
docs/research/baselines.md describes the rules.
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
from held.hierarchy.insertion import Objects, Question
from held.hierarchy.pipeline import Steps, heading_step
from held.models.store import BASELINE_RULES, MODEL_SUFFIX, BaselineKind, Model, ModelKind, load_model
from held.numbering import ItemNumber, follows, is_dotted_prefix, resolve_letters, starts_list
from held.paper.network_inputs import Floats
from held.paper.network_models import WindowLabeller
from held.paper.pembe import PembeStep

Place = Callable[[Sequence[int], int], int]
"""The position where a heading goes, given the branch (the root first) and the heading."""
PlaceRule = Callable[[DocumentFeatures, Sequence[int]], Place]
"""Makes the `Place` function of one document from its features and its headings."""


def baseline_steps(name: str | os.PathLike[str]) -> Steps:
    """The steps of a baseline: a rule by its name, or the trained model in a folder.

    Rules and Pembe only place headings. The heading step is the folder's heading model if it has one,
    otherwise the shipped model.
    """
    if name in BASELINE_RULES:
        return Steps(heading_step("base"), RuleStep(_RULES[str(name)]), None)
    if (Path(name) / f"{BaselineKind.TOC}{MODEL_SUFFIX}").is_file():
        toc = TocNetwork(load_model(name, BaselineKind.TOC))
        return Steps(TocHeadingStep(toc), RuleStep(toc.place_by_depth), None)
    heading_model = Path(name) / f"{ModelKind.HEADINGS}{MODEL_SUFFIX}"
    finder = heading_step(heading_model if heading_model.is_file() else "base")
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
    """Put a heading under the last one on the branch that has a lower rank; the root is above all."""

    def place(branch: Sequence[int], heading: int) -> int:
        position = len(branch) - 1
        while position > 0 and not ranks[branch[position]] < ranks[heading]:
            position -= 1
        return position

    return place


def by_size(features: DocumentFeatures, headings: Sequence[int]) -> Place:
    """Put headings in larger type above those in smaller type."""
    return place_by_rank({heading: -_size(features.objects, heading) for heading in headings})


def by_style(features: DocumentFeatures, headings: Sequence[int]) -> Place:
    """HEPS: headings of one style are one level, and the more prominent style is the higher level."""
    table = features.objects
    first_use: dict[tuple[int, bool], int] = {}
    ranks = {}
    for order, heading in enumerate(headings):
        bold = bool(table["bold"][heading])
        caps = bool(table["caps"][heading])
        italic = bool(table["italic"][heading])
        style = int(table.style[heading]), caps
        # Equally prominent styles rank by which one comes first in the document.
        first_of_style = first_use.setdefault(style, order)
        ranks[heading] = (-_size(table, heading), not bold, not caps, italic, first_of_style)
    return place_by_rank(ranks)


def by_numbers(features: DocumentFeatures, headings: Sequence[int]) -> Place:
    """Place headings by their item numbers, and by size where the numbers do not decide."""
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
    """The position that a number implies on a branch (the root first); None for the first of a list."""
    above: list[tuple[int, ItemNumber]] = []  # the numbered headings of the branch, deepest first
    for position in range(len(branch) - 1, 0, -1):
        number_above = branch[position]
        if number_above is not None:
            above.append((position, number_above))
    for position, number_above in above:
        if follows(number_above, number):
            return position - 1
    for position, number_above in above:
        if is_dotted_prefix(number_above, number):
            return position
    if not starts_list(number):
        for position, number_above in above:
            if number_above.form == number.form:
                return position - 1
    return None


def _place_by_size(size: int, branch: Sequence[int], *, numbered: bool) -> int:
    """The position under the deepest node of larger type; for a numbered heading, equal type is enough."""
    for position in range(len(branch), 0, -1):
        above = branch[position - 1]
        if above > size or (numbered and above == size):
            return position
    return 0


def _size(table: ObjectFeatures, obj: int) -> int:
    """The font size in twentieths of the body's size; smaller differences are accidents of the PDF."""
    return round(20 * float(table["size"][obj]))


_RULES: Mapping[str, PlaceRule] = {"size": by_size, "numbers": by_numbers, "heps": by_style}


class TocNetwork:
    """The network that labels every object with its depth, 0 for body."""

    def __init__(self, model: Model, *, threads: int = 1) -> None:
        self._labeller = WindowLabeller(model, threads=threads)
        # The heading step and the tree step run on the same documents, one step after the other.
        self._cache: list[tuple[Document, Floats]] = []

    def label_documents(self, documents: Sequence[DocumentFeatures]) -> list[Floats]:
        """The probability of each depth for the objects of each document, (N, deepest + 1)."""
        labels = [self.label(features.document) for features in documents]
        self._cache = [
            (features.document, probabilities)
            for features, probabilities in zip(documents, labels, strict=True)
        ]
        return labels

    def label(self, document: Document) -> Floats:
        """The probability of each depth for the objects of a document."""
        for cached, probabilities in self._cache:
            if cached is document:
                return probabilities
        return self._labeller.labels(document)

    def place_by_depth(self, features: DocumentFeatures, headings: Sequence[int]) -> Place:
        """Put a heading under the last one of a lower depth."""
        probabilities = self.label(features.document)
        return place_by_rank(likeliest_depths(probabilities, headings))


def likeliest_depths(probabilities: Floats, headings: Sequence[int]) -> dict[int, int]:
    """The likeliest depth of each heading, at least 1, even if body (0) is likelier."""
    depths = 1 + probabilities[list(headings), 1:].argmax(1)
    return dict(zip(headings, depths.tolist(), strict=True))


def heading_probabilities(probabilities: Floats) -> Floats:
    """The probability of the best depth against that of body: above 0.5 if the depth is likelier."""
    body = probabilities[:, 0]
    best_depth = probabilities[:, 1:].max(1)
    return np.asarray(best_depth / (body + best_depth), np.float32)


class TocHeadingStep:
    """The heading step of TOC: an object with a depth is a heading."""

    threshold = 0.5
    rules: tuple[Rule, ...] = ()

    def __init__(self, toc: TocNetwork) -> None:
        self._toc = toc

    def probabilities(self, documents: Sequence[DocumentFeatures]) -> list[Floats]:
        """For each document the probability that each of its objects is a heading."""
        return [heading_probabilities(depths) for depths in self._toc.label_documents(documents)]

    def headings(self, probabilities: Floats) -> tuple[int, ...]:
        """The objects that are headings, in reading order."""
        return tuple(np.flatnonzero(probabilities > self.threshold).tolist())
