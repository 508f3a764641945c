"""Scores of a model on labelled documents: each step alone, overall and by domain.

Documents go through the same inference as a user's, not through torch.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple, TypeVar

from held.corpus.store import LabelledDocument, truth
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
    """Builds whole trees: inserts the headings and attaches the body, or inserts all objects for None."""
    if headings is None:
        every_object = [range(len(features)) for features in documents]
        built = insert_objects(step, documents, every_object, strategy)
        return [TreeResult(Prediction.one_step(found.tree), found.inquiries) for found in built]
    built = insert_objects(step, documents, headings, strategy)
    results = []
    for features, own, found in zip(documents, headings, built, strict=True):
        prediction = Prediction(attach_body(found.tree, len(features)), frozenset(own))
        results.append(TreeResult(prediction, found.inquiries))
    return results


_GREEDY = Strategy()
T = TypeVar("T")


def put_or_skip_scores(
    model: Model, documents: Sequence[LabelledDocument], *, strategy: Strategy = _GREEDY, threads: int = 1
) -> dict[str, float]:
    """The scores of a tree step that is given the true headings, overall and by domain.

    A one-step model gets no headings; its paths are counted over all objects.
    """
    step = tree_step(model, threads=threads)
    found = tree_predictions(step, documents, strategy)
    return path_scores(documents, found, every_object=step.every_object)


def tree_predictions(
    step: TreeStep, documents: Sequence[LabelledDocument], strategy: Strategy = _GREEDY
) -> list[Prediction]:
    """The predicted trees, given the true headings unless the step inserts every object."""
    features = [DocumentFeatures(labelled.document) for labelled in documents]
    true_headings = [labelled.headings for labelled in documents]
    found = predict_trees(step, features, None if step.every_object else true_headings, strategy)
    return [result.prediction for result in found]


def path_scores(
    documents: Sequence[LabelledDocument], predictions: Sequence[Prediction], *, every_object: bool = False
) -> dict[str, float]:
    """Paths, parents and TEDS, overall and by domain.

    Paths: the share of headings, or of all objects, with the right path. Parents: the share of found headings
    with the right parent. TEDS: the mean similarity of the heading trees.
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
    """The scores that a document counts for: the overall one, and that of its domain if it has one."""
    return [overall, f"{before}{domain}"] if domain else [overall]


def _ordered(scores: Mapping[str, T]) -> Iterable[tuple[str, T]]:
    """The overall score first, then the domains by name."""
    overall = next(iter(scores), "")
    return sorted(scores.items(), key=lambda item: (item[0] != overall, item[0]))
