"""The methods that HELD is compared with, by name: levels by font size, HEPS, numbering, TOC, Pembe.

    predict = method("heps")
    predict([DocumentFeatures(document)])               # with the headings that the shipped model finds
    predict([DocumentFeatures(document)], [headings])   # with given headings

docs/research/baselines.md has the rules in words.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from held.document import Document
from held.errors import UsageError
from held.headings.object_features import DocumentFeatures, ObjectFeatures
from held.hierarchy.insertion import Strategy, attach_body
from held.hierarchy.steps import TreeStep, find_headings, heading_step, tree_step
from held.metrics import Prediction
from held.models.store import BaselineKind, Model, load_model
from held.numbering import ItemNumber, follows, is_dotted_prefix, resolve_letters, starts_list
from held.paper.network_inputs import Floats
from held.paper.network_models import WindowLabeller
from held.paper.pembe import PembeStep
from held.training.validation import predict_trees
from held.tree import Tree


def tree_of_ranks(headings: Sequence[int], ranks: Sequence[Any]) -> Tree:
    """The tree in which each heading hangs under the last one before it that has a lower rank.

    Ranks are anything that can be compared; the root is above all of them.
    """
    tree = Tree()
    above: list[Any] = []  # the ranks along the branch, the root aside
    for heading, rank in zip(headings, ranks, strict=True):
        while above and not above[-1] < rank:
            above.pop()
        tree = tree.put(heading, len(above))
        above.append(rank)
    return tree


def by_size(table: ObjectFeatures, headings: Sequence[int]) -> Tree:
    """The tree in which larger type is higher."""
    return tree_of_ranks(headings, [-_size(table, heading) for heading in headings])


def by_style(table: ObjectFeatures, headings: Sequence[int]) -> Tree:
    """The tree of HEPS: headings of one style are one list, the more prominent list is higher."""
    first: dict[tuple[int, bool], int] = {}
    ranks = []
    for place, heading in enumerate(headings):
        bold, caps, italic = (bool(table[name][heading]) for name in ("bold", "caps", "italic"))
        style = int(table.style[heading]), caps
        ranks.append((-_size(table, heading), not bold, not caps, italic, first.setdefault(style, place)))
    return tree_of_ranks(headings, ranks)


def by_numbers(table: ObjectFeatures, headings: Sequence[int]) -> Tree:
    """The tree that item numbers make, and the size where they say nothing."""
    numbers = dict(
        zip(headings, resolve_letters(table.numbers[heading] for heading in headings), strict=True)
    )
    tree = Tree()
    for heading in headings:
        branch = tree.branch
        number = numbers[heading]
        place = None if number is None else _place_by_number(number, [numbers.get(x) for x in branch])
        if place is None:
            sizes = [_size(table, x) for x in branch[1:]]
            place = _place_by_size(_size(table, heading), sizes, numbered=number is not None)
        tree = tree.put(heading, place)
    return tree


def _place_by_number(number: ItemNumber, branch: Sequence[ItemNumber | None]) -> int | None:
    """The position that a number asks for on a branch (the root first); None where a list begins."""
    deepest = range(len(branch) - 1, 0, -1)
    above = {place: x for place in deepest if (x := branch[place]) is not None}
    for place, x in above.items():
        if follows(x, number):
            return place - 1
    for place, x in above.items():
        if is_dotted_prefix(x, number):
            return place
    if not starts_list(number):
        for place, x in above.items():
            if x.form == number.form:
                return place - 1
    return None


def _place_by_size(size: int, branch: Sequence[int], *, numbered: bool) -> int:
    """The position under the deepest node that is larger, or for a numbered heading not smaller."""
    for place in range(len(branch), 0, -1):
        if branch[place - 1] > size or (numbered and branch[place - 1] == size):
            return place
    return 0


def _size(table: ObjectFeatures, obj: int) -> int:
    """The size in twentieths of the body's: what differs by less does so by accident."""
    return round(20 * float(table["size"][obj]))


def toc_predictions(
    model: Model,
    documents: Sequence[Document],
    headings: Sequence[Sequence[int]] | None = None,
    *,
    threads: int = 1,
) -> list[Prediction]:
    """The trees of the headings that the network labels itself, or of those that are given."""
    labeller = WindowLabeller(model, threads=threads)
    found = [labeller.labels(document) for document in documents]
    if headings is None:
        return [prediction_of_depths(probabilities) for probabilities in found]
    return [
        prediction_of_depths(probabilities, own) for probabilities, own in zip(found, headings, strict=True)
    ]


def prediction_of_depths(probabilities: Floats, headings: Sequence[int] | None = None) -> Prediction:
    """The tree that the probabilities of all depths, (N, 12), make of the objects.

    A heading that is given has its likeliest depth from 1 on, whatever speaks for body.
    """
    if headings is None:
        headings = np.flatnonzero(probabilities.argmax(1) > 0).tolist()
    depths = 1 + probabilities[list(headings), 1:].argmax(1)
    tree = tree_of_ranks(headings, depths.tolist())
    return Prediction(attach_body(tree, len(probabilities)), frozenset(headings))


Name = str | os.PathLike[str]
Headings = Sequence[Sequence[int]]
Method = Callable[..., list[Prediction]]
"""Called with the features of documents, and the headings of each, or None for those to be found."""
Place = Callable[[Sequence[DocumentFeatures], Headings], list[Prediction]]
"""Puts given headings in place and hangs all else below them."""


def method(name: str, *, model: Name | None = None, finder: Name = "base") -> Method:
    """The method of this name. `model` is that of toc, pembe or held, `finder` the heading step's."""
    if name not in NAMES:
        raise UsageError(f"no baseline {name}", advice=f"there are {', '.join(NAMES)}")
    if name in set(BaselineKind) and model is None:
        raise UsageError(f"{name} needs a model", advice=f"`held train {name}` makes one")
    if name == "toc":
        labeller = load_model(model or "", BaselineKind.TOC)
        return lambda documents, headings=None: toc_predictions(
            labeller, [shown.document for shown in documents], headings
        )
    place = _RULES[name] if name in _RULES else _learned(name, model)
    return lambda documents, headings=None: place(
        documents, _found(documents, finder) if headings is None else headings
    )


def _found(documents: Sequence[DocumentFeatures], finder: Name) -> list[tuple[int, ...]]:
    """The headings that our heading step finds."""
    return find_headings(heading_step(finder), documents)


def _ruled(rule: Callable[[ObjectFeatures, Sequence[int]], Tree]) -> Place:
    """The place of headings by a rule on the table of their document."""

    def place(documents: Sequence[DocumentFeatures], headings: Headings) -> list[Prediction]:
        found = []
        for shown, own in zip(documents, headings, strict=True):
            whole = attach_body(rule(shown.objects, own), len(shown))
            found.append(Prediction(whole, frozenset(own)))
        return found

    return place


def _learned(name: str, model: Name | None) -> Place:
    """The place of headings by insertion: HELD's, or that of the logistic regression."""
    if name == "held":
        return _inserted(tree_step(model or "base"), Strategy(normalise=True))
    return _inserted(PembeStep(load_model(model or "", BaselineKind.PEMBE)), Strategy())


def _inserted(step: TreeStep, strategy: Strategy) -> Place:
    return lambda documents, headings: [
        found.prediction for found in predict_trees(step, documents, headings, strategy)
    ]


_RULES: Mapping[str, Place] = {
    "size": _ruled(by_size),
    "numbers": _ruled(by_numbers),
    "heps": _ruled(by_style),
}
NAMES = (*_RULES, "toc", "pembe", "held")
"""The rows by name."""
