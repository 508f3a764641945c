"""Baselines that give each heading a level: by font size, by style (HEPS), by numbering, by a network (TOC).

Each ranks the headings; a heading becomes a child of the last one before it with a higher rank.
docs/research/baselines.md explains them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from held.document import Document
from held.headings.object_features import ObjectFeatures
from held.hierarchy.insertion import attach_body
from held.metrics import Prediction
from held.models.store import Model
from held.numbering import ItemNumber, follows, is_dotted_prefix, resolve_letters, starts_list
from held.paper.network_inputs import Floats
from held.paper.network_models import WindowLabeller
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
