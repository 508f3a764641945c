"""Every method that HELD is compared with, by name, behind one call.

predict = method("heps")
predict([DocumentFeatures(document)])               # with the headings that the shipped model finds
predict([DocumentFeatures(document)], [headings])   # with given headings
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence

from held.errors import UsageError
from held.headings.object_features import DocumentFeatures, ObjectFeatures
from held.hierarchy.insertion import Strategy, attach_body
from held.hierarchy.steps import TreeStep, find_headings, heading_step, tree_step
from held.metrics import Prediction
from held.models.store import BaselineKind, load_model
from held.paper.level_baselines import by_numbers, by_size, by_style, toc_predictions
from held.paper.pembe import PembeStep
from held.training.validation import predict_trees
from held.tree import Tree

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
