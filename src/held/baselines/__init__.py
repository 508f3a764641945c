"""What HELD is compared with, each by the same call, so that a row of a table is one name.

    predictions = row("heps")([seen(document)])             with the headings that our heading step finds
    predictions = row("heps")([seen(document)], [headings]) with headings that are given

docs/baselines.md describes each of them.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import NamedTuple

from held.baselines.pembe import PembeScorer
from held.baselines.rules import by_numbers, by_size, by_style
from held.baselines.toc import toc_predictions
from held.document import Document
from held.errors import UsageError
from held.features import Table, table_of
from held.features.outline import Outline, outline_of
from held.insertion import Scorer, Strategy, build_many, hang_rest
from held.metrics import Prediction
from held.models.boosted import load_headings, load_put_or_skip
from held.models.store import BaselineKind, load_model
from held.tree import Tree

__all__ = ["NAMES", "Row", "Seen", "row", "seen"]


class Seen(NamedTuple):
    """A document and its table, which all rows share."""

    document: Document
    table: Table


Headings = Sequence[Sequence[int]]
Row = Callable[..., list[Prediction]]
"""Called with documents as `seen` gives them, and the headings of each, or None for those to be found."""
Place = Callable[[Sequence[Seen], Headings], Sequence[Tree]]
"""Gives the trees of the headings alone."""


def seen(document: Document) -> Seen:
    """The document as the rows take it."""
    return Seen(document, table_of(document))


def row(
    name: str,
    *,
    model: str | os.PathLike[str] | None = None,
    finder: str | os.PathLike[str] = "base",
) -> Row:
    """The row of this name. `model` is that of toc, pembe or held, `finder` the heading step's."""
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
    return lambda documents, headings=None: _two_step(
        place, documents, _found(documents, finder) if headings is None else headings
    )


def _two_step(place: Place, documents: Sequence[Seen], headings: Headings) -> list[Prediction]:
    """The headings put by a row, all else hung below them."""
    trees = place(documents, headings)
    return [
        Prediction(hang_rest(tree, len(shown.table)), frozenset(own))
        for shown, own, tree in zip(documents, headings, trees, strict=True)
    ]


def _found(documents: Sequence[Seen], finder: str | os.PathLike[str]) -> list[tuple[int, ...]]:
    """The headings that our heading step finds."""
    step = load_headings(os.fspath(finder))
    return [step.headings(step.probabilities(shown.table)) for shown in documents]


def _ruled(rule: Callable[[Table, Sequence[int]], Tree]) -> Place:
    """The place of headings by a rule on the table of their document."""
    return lambda documents, headings: [
        rule(shown.table, own) for shown, own in zip(documents, headings, strict=True)
    ]


def _learned(name: str, model: str | os.PathLike[str] | None) -> Place:
    """The place of headings by insertion: HELD's, or that of the logistic regression."""
    if name == "held":
        return _inserted(load_put_or_skip(os.fspath(model or "base")).scorer, Strategy(normalise=True))
    return _inserted(partial(PembeScorer, load_model(model or "", BaselineKind.PEMBE)), Strategy())


def _inserted(scorer: Callable[[Sequence[Outline]], Scorer], strategy: Strategy) -> Place:
    def place(documents: Sequence[Seen], headings: Headings) -> list[Tree]:
        outlines = [outline_of(shown.table, own) for shown, own in zip(documents, headings, strict=True)]
        return [found.tree for found in build_many(headings, scorer(outlines), strategy)] if outlines else []

    return place


_RULES: Mapping[str, Place] = {
    "size": _ruled(by_size),
    "numbers": _ruled(by_numbers),
    "heps": _ruled(by_style),
}
NAMES = (*_RULES, "toc", "pembe", "held")
"""The rows by name."""
