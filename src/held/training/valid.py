"""What a model is worth on documents whose truth is known: each step alone, overall and by domain.

The documents go through the inference that users get, not through torch.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TypeVar

import numpy as np

from held.baselines.toc import toc_predictions
from held.corpus.labelled import LabelledDocument, truth
from held.insertion import Strategy, build_many, two_step_many
from held.metrics import Matches, Prediction, Share, compare_trees, heading_matches
from held.models.networks import PutOrSkipNetwork, PutOrSkipScorer, heading_probabilities
from held.models.store import Model

_GREEDY = Strategy()
T = TypeVar("T")


def put_or_skip_scores(
    model: Model, documents: Sequence[LabelledDocument], *, strategy: Strategy = _GREEDY, threads: int = 1
) -> dict[str, float]:
    """The share of headings under the right path, the true headings given, overall and by domain."""
    found = _trees(model, documents, strategy, threads=threads)
    return path_scores(documents, found, every_object=not model.settings["two_step"])


def toc_scores(model: Model, documents: Sequence[LabelledDocument], *, threads: int = 1) -> dict[str, float]:
    """The share of headings under the right path, found by the labels of depth, overall and by domain."""
    found = toc_predictions(model, [labelled.document for labelled in documents], threads=threads)
    return path_scores(documents, found)


def path_scores(
    documents: Sequence[LabelledDocument], predictions: Sequence[Prediction], *, every_object: bool = False
) -> dict[str, float]:
    """The share of headings, or of all objects, under the right path, overall and by domain."""
    shares: dict[str, Share] = {}
    for labelled, prediction in zip(documents, predictions, strict=True):
        counts = compare_trees(truth(labelled), prediction)
        for name in ("paths", f"paths {labelled.domain}"):
            share = counts.paths if every_object else counts.heading_paths
            shares[name] = shares.get(name, Share()) + share
    return {name: share.value for name, share in _ordered(shares)}


def heading_scores(
    model: Model, documents: Sequence[LabelledDocument], *, threads: int = 1
) -> dict[str, float]:
    """F1, precision and recall of the headings at the model's threshold, overall and by domain."""
    found = heading_probabilities(model, [labelled.document for labelled in documents], threads=threads)
    matches: dict[str, Matches] = {}
    for labelled, probabilities in zip(documents, found, strict=True):
        predicted = np.flatnonzero(probabilities > model.settings["threshold"]).tolist()
        for name in ("all", labelled.domain):
            matches[name] = matches.get(name, Matches()) + heading_matches(truth(labelled), predicted)
    scores = {}
    for name, counted in _ordered(matches):
        scores[f"F1 {name}"] = counted.f1 if counted.both else 0.0  # 0, not nan, where nothing was found
        scores[f"precision {name}"] = counted.precision if counted.found else 0.0
        scores[f"recall {name}"] = counted.recall if counted.true else 0.0
    return scores


def _trees(
    model: Model, documents: Sequence[LabelledDocument], strategy: Strategy, *, threads: int
) -> list[Prediction]:
    """The predicted trees: of the true headings and what hangs below them, or of all objects."""
    network = PutOrSkipNetwork(model, threads=threads)
    shown = [labelled.document for labelled in documents]
    if model.settings["two_step"]:
        headings = [labelled.headings for labelled in documents]
        scorer = PutOrSkipScorer(network, shown, headings)
        counts = [len(document.objects) for document in shown]
        built = two_step_many(headings, counts, scorer, strategy)
        return [Prediction(b.tree, frozenset(own)) for b, own in zip(built, headings, strict=True)]
    everything = [range(len(document.objects)) for document in shown]
    scorer = PutOrSkipScorer(network, shown)
    return [Prediction.one_step(b.tree) for b in build_many(everything, scorer, strategy)]


def _ordered(scores: Mapping[str, T]) -> Iterable[tuple[str, T]]:
    """What was measured over all documents first, then the domains by name."""
    first = next(iter(scores))
    return sorted(scores.items(), key=lambda item: (item[0] != first, item[0]))
