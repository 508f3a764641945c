"""What models are worth on labelled documents: `held evaluate`, and the tables of research/.

Every measure is a sum of counts over documents, so that domains, levels and seeds add up. Models that are
evaluated on the same documents are compared by a paired bootstrap over these.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple, TypeVar

from held.corpus.store import LabelledDocument, truth
from held.headings.object_features import DocumentFeatures
from held.hierarchy.insertion import Objects, Scorer, Strategy, build_many
from held.hierarchy.pipeline import (
    Steps,
    TreeStep,
    find_headings,
    heading_step,
    load_steps,
    tree_step,
)
from held.metrics import (
    Interval,
    Matches,
    Prediction,
    Share,
    TreeCounts,
    Truth,
    bootstrap,
    compare_trees,
    heading_matches,
    heading_similarity,
    mean,
    paired_bootstrap,
)
from held.models.store import Model
from held.tree import Tree, attach_body

_TOGETHER = 32  # documents: their features are in memory at a time

Built = tuple[Tree, int]
"""A tree and the inquiries that it took."""
Build = Callable[[Objects, Scorer, Strategy], list[Built]]
"""A search for the trees of some documents."""


def build_by_strategy(objects: Objects, scorer: Scorer, strategy: Strategy) -> list[Built]:
    """The trees by greedy insertion or by a beam."""
    return [(built.tree, built.inquiries) for built in build_many(objects, scorer, strategy)]


class Counted(NamedTuple):
    """What was counted in one document."""

    id: str
    domain: str
    counts: TreeCounts
    unmasked: Share  # paths, taking an incomplete outline for complete
    similarity: float
    inquiries: int | None
    seed: int = 0


def count_document(
    id: str, domain: str, true: Truth, prediction: Prediction, inquiries: int | None = None, seed: int = 0
) -> Counted:
    """The counts of a document whose tree was predicted."""
    unmasked = compare_trees(true.unmasked(), prediction).paths
    similarity = heading_similarity(true, prediction)
    return Counted(id, domain, compare_trees(true, prediction), unmasked, similarity, inquiries, seed)


@dataclass(frozen=True, slots=True)
class Evaluation:
    """A model on labelled documents; the CPU seconds are of all documents together."""

    model: str
    documents: tuple[Counted, ...]
    heading_seconds: float
    tree_seconds: float

    def to_json(self) -> dict[str, Any]:
        """All measures, overall and by domain."""
        count = max(1, len(self.documents))
        domains = sorted({one.domain for one in self.documents})
        return {
            "model": self.model,
            "seconds": {
                "headings": round(self.heading_seconds / count, 4),
                "tree": round(self.tree_seconds / count, 4),
            },
            "all": summarise(self.documents),
            "domains": {
                domain: summarise([one for one in self.documents if one.domain == domain])
                for domain in domains
            },
        }


def evaluate(
    model: str,
    documents: Sequence[LabelledDocument],
    *,
    strategy: Strategy = Strategy(),  # noqa: B008 (frozen)
    true_headings: bool = False,
    build: Build = build_by_strategy,
) -> Evaluation:
    """A model, or a baseline, on documents; with true headings the tree step alone is judged."""
    steps = load_steps(model)
    counted: list[Counted] = []
    seconds = [0.0, 0.0]
    strategy = replace(strategy, normalise=steps.tree.normalise)
    for start in range(0, len(documents), _TOGETHER):
        some = documents[start : start + _TOGETHER]
        started = time.process_time()
        features = [DocumentFeatures(labelled.document) for labelled in some]
        headings = _headings(steps, some, features, true_headings=true_headings)
        found = time.process_time()
        results = predict_trees(steps.tree, features, headings, strategy, build=build)
        seconds[0] += found - started
        seconds[1] += time.process_time() - found
        for labelled, result in zip(some, results, strict=True):
            own = count_document(labelled.id, labelled.domain, truth(labelled), *result)
            counted.append(own)
    return Evaluation(model, tuple(counted), *seconds)


def _headings(
    steps: Steps,
    documents: Sequence[LabelledDocument],
    features: Sequence[DocumentFeatures],
    *,
    true_headings: bool,
) -> Objects | None:
    """The headings that are inserted; None for a model that inserts every object."""
    if steps.tree.every_object or steps.heading is None:
        return None
    if true_headings:
        return [labelled.headings for labelled in documents]
    return find_headings(steps.heading, features)


def summarise(counted: Sequence[Counted]) -> dict[str, Any]:
    """The measures of some documents; None where nothing was counted.

    accuracy    share of objects whose whole path is right, with its 95 % interval over documents
    unmasked    the same, if whatever an incomplete outline does not list counts as body
    parents     share of found headings with the right parent
    teds        similarity of the heading trees, the mean over documents
    """
    total = sum((one.counts for one in counted), start=TreeCounts())
    paths = paths_by_document(counted).values()
    interval = bootstrap([share.right for share in paths], [share.total for share in paths])
    unmasked = sum((one.unmasked for one in counted), start=Share())
    return {
        "documents": len(paths),
        "accuracy": _round(total.paths.value),
        "interval": [_round(bound) for bound in interval],
        "seeds": _by_seed(counted),
        "unmasked": _round(unmasked.value),
        "of_headings": _round(total.heading_paths.value),
        "parents": _round(total.parents.value),
        "level_only": _round(total.levels_only.value),
        "heading_precision": _round(total.headings.precision),
        "heading_recall": _round(total.headings.recall),
        "heading_f1": _round(total.headings.f1),
        "by_level": {str(level): _matches(found) for level, found in sorted(total.by_level.items())},
        "teds": _round(mean([one.similarity for one in counted])),
        "entirely_right": _round(total.documents.value),
        "left_out": _round(total.left_out.value),
        "inquiries": inquiries_per_document(counted),
    }


def _matches(found: Matches) -> dict[str, float | None]:
    return {
        "precision": _round(found.precision),
        "recall": _round(found.recall),
        "f1": _round(found.f1),
    }


def _by_seed(counted: Sequence[Counted]) -> list[float | None]:
    """The accuracy of each seed."""
    paths: dict[int, Share] = {}
    for one in counted:
        paths[one.seed] = paths.get(one.seed, Share()) + one.counts.paths
    return [_round(share.value) for share in paths.values()]


def paths_by_document(counted: Sequence[Counted]) -> dict[str, Share]:
    """For each document how many paths are right, and of how many, over all seeds."""
    sums: dict[str, Share] = {}
    for one in counted:
        sums[one.id] = sums.get(one.id, Share()) + one.counts.paths
    return sums


def inquiries_per_document(counted: Sequence[Counted]) -> float | None:
    """The mean number of inquiries; None for methods that make none."""
    asked = [one.inquiries for one in counted if one.inquiries is not None]
    return round(mean(asked), 1) if asked else None


def difference(ours: Evaluation, other: Evaluation) -> tuple[float, Interval]:
    """How much more accurate one model is than another on the same documents, with its 95 % interval."""
    our_paths = paths_by_document(ours.documents)
    other_paths = paths_by_document(other.documents)
    shared = [name for name in our_paths if name in other_paths]
    our_shares = [our_paths[name] for name in shared]
    other_shares = [other_paths[name] for name in shared]
    our_total = sum(our_shares, start=Share())
    other_total = sum(other_shares, start=Share())
    return our_total.value - other_total.value, paired_bootstrap(our_shares, other_shares)


def _round(value: float) -> float | None:
    """The value to four digits; None, which JSON has, for nan, which it has not."""
    return None if math.isnan(value) else round(value, 4)


# --- scores of each step alone ---
#
# Scores of a model on labelled documents: each step alone, overall and by domain.
#
# Documents go through the same inference as a user's, not through torch.


class TreeResult(NamedTuple):
    """The tree of a whole document, and how many inquiries it took."""

    prediction: Prediction
    inquiries: int


def predict_trees(
    step: TreeStep,
    documents: Sequence[DocumentFeatures],
    headings: Objects | None,
    strategy: Strategy,
    *,
    build: Build = build_by_strategy,
) -> list[TreeResult]:
    """Builds whole trees: inserts the headings and attaches the body, or inserts all objects for None."""
    if not documents:
        return []
    objects = headings or [range(len(features)) for features in documents]
    built = build(objects, step.scorer(documents, objects), strategy)
    results = []
    for features, inserted, (tree, inquiries) in zip(documents, objects, built, strict=True):
        if headings is None:
            prediction = Prediction.one_step(tree)
        else:
            prediction = Prediction(attach_body(tree, len(features)), frozenset(inserted))
        results.append(TreeResult(prediction, inquiries))
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
        **{name: share.value for name, share in _overall_first(shares)},
        **{name: share.value for name, share in _overall_first(parents)},
        **{name: mean(values) for name, values in _overall_first(similarities)},
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
    for name, counted in _overall_first(matches):
        scores[f"F1 {name}"] = counted.f1 if counted.both else 0.0  # 0, not nan, where nothing was found
        scores[f"precision {name}"] = counted.precision if counted.found else 0.0
        scores[f"recall {name}"] = counted.recall if counted.true else 0.0
    return scores


def _names(overall: str, before: str, domain: str) -> list[str]:
    """The scores that a document counts for: the overall one, and that of its domain if it has one."""
    return [overall, f"{before}{domain}"] if domain else [overall]


def _overall_first(scores: Mapping[str, T]) -> Iterable[tuple[str, T]]:
    """The overall score first, then the domains by name."""
    overall = next(iter(scores), "")
    return sorted(scores.items(), key=lambda item: (item[0] != overall, item[0]))
