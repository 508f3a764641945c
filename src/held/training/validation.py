"""Scores of a model on labelled documents: each step alone, overall and by domain.

Documents go through the same inference that users get, not through torch.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple, TypeVar

from held.corpus.labelled import LabelledDocument, truth
from held.headings.object_features import DocumentFeatures
from held.hierarchy.insertion import Strategy, attach_body
from held.hierarchy.steps import Objects, TreeStep, find_headings, heading_step, insert_objects, tree_step
from held.metrics import Matches, Prediction, Share, compare_trees, heading_matches, heading_similarity, mean
from held.models.store import Model


class TreeResult(NamedTuple):
    """The tree of a whole document, and how many inquiries it took."""

    prediction: Prediction
    inquiries: int


def predict_trees(
    step: TreeStep, documents: Sequence[DocumentFeatures], headings: Objects | None, strategy: Strategy
) -> list[TreeResult]:
    """The trees of all objects: the headings are inserted and the rest hung below; for None, all inserted."""
    if headings is None:
        everything = [range(len(seen)) for seen in documents]
        built = insert_objects(step, documents, everything, strategy)
        return [TreeResult(Prediction.one_step(found.tree), found.inquiries) for found in built]
    built = insert_objects(step, documents, headings, strategy)
    whole = []
    for seen, own, found in zip(documents, headings, built, strict=True):
        prediction = Prediction(attach_body(found.tree, len(seen)), frozenset(own))
        whole.append(TreeResult(prediction, found.inquiries))
    return whole


_GREEDY = Strategy()
T = TypeVar("T")


def put_or_skip_scores(
    model: Model, documents: Sequence[LabelledDocument], *, strategy: Strategy = _GREEDY, threads: int = 1
) -> dict[str, float]:
    """The share of headings under the right path, the true headings given, overall and by domain.

    Of a one-step model it is the share of all objects, for it is given none.
    """
    step = tree_step(model, threads=threads)
    found = tree_predictions(step, documents, strategy)
    return path_scores(documents, found, every_object=step.every_object)


def tree_predictions(
    step: TreeStep, documents: Sequence[LabelledDocument], strategy: Strategy = _GREEDY
) -> list[Prediction]:
    """The predicted trees: of the true headings and what hangs below them, or of all objects."""
    shown = [DocumentFeatures(labelled.document) for labelled in documents]
    true_headings = [labelled.headings for labelled in documents]
    found = predict_trees(step, shown, None if step.every_object else true_headings, strategy)
    return [each.prediction for each in found]


def path_scores(
    documents: Sequence[LabelledDocument], predictions: Sequence[Prediction], *, every_object: bool = False
) -> dict[str, float]:
    """Paths, parents and TEDS, overall and by domain.

    Paths are the share of headings, or of all objects, under the right one; parents the share of found
    headings under the right one; TEDS is the mean similarity of the trees of headings.
    """
    shares: dict[str, Share] = {}
    parents: dict[str, Share] = {}
    similarities: dict[str, list[float]] = {}
    for labelled, prediction in zip(documents, predictions, strict=True):
        true = truth(labelled)
        counts = compare_trees(true, prediction)
        share = counts.paths if every_object else counts.heading_paths
        for name in _names("paths", "paths ", labelled.domain):
            shares[name] = shares.get(name, Share()) + share
        for name in _names("parents", "parents ", labelled.domain):
            parents[name] = parents.get(name, Share()) + counts.parents
        for name in _names("TEDS", "TEDS ", labelled.domain):
            similarities.setdefault(name, []).append(heading_similarity(true, prediction))
    return {
        **{name: share.value for name, share in _ordered(shares)},
        **{name: share.value for name, share in _ordered(parents)},
        **{name: mean(values) for name, values in _ordered(similarities)},
    }


def heading_scores(
    model: Model, documents: Sequence[LabelledDocument], *, threads: int = 1
) -> dict[str, float]:
    """F1, precision and recall of the headings at the model's threshold, overall and by domain."""
    step = heading_step(model, threads=threads)
    found = find_headings(step, [DocumentFeatures(labelled.document) for labelled in documents])
    matches: dict[str, Matches] = {}
    for labelled, predicted in zip(documents, found, strict=True):
        for name in _names("all", "", labelled.domain):
            matches[name] = matches.get(name, Matches()) + heading_matches(truth(labelled), predicted)
    scores = {}
    for name, counted in _ordered(matches):
        scores[f"F1 {name}"] = counted.f1 if counted.both else 0.0  # 0, not nan, where nothing was found
        scores[f"precision {name}"] = counted.precision if counted.found else 0.0
        scores[f"recall {name}"] = counted.recall if counted.true else 0.0
    return scores


def _names(overall: str, before: str, domain: str) -> list[str]:
    """What a document is counted under: all of them, and its domain where it has one."""
    return [overall, f"{before}{domain}"] if domain else [overall]


def _ordered(scores: Mapping[str, T]) -> Iterable[tuple[str, T]]:
    """What was measured over all documents first, then the domains by name."""
    overall = next(iter(scores), "")
    return sorted(scores.items(), key=lambda item: (item[0] != overall, item[0]))
