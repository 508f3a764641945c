"""Training of preset `boosted`: LightGBM over the features of both steps, stored as ONNX.

The tree step learns also from what the heading step gives for documents that it has not seen: those
probabilities come from models trained without the document's group.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np

from held.errors import UsageError
from held.headings.classifier import SECOND_STAGE, HeadingClassifier, headings_at
from held.headings.classifier_features import classifier_features, matrix, stacked_features
from held.headings.columns import Floats
from held.headings.known_titles import (
    TITLE_FEATURES,
    Titles,
    all_titles,
    count_titles,
    hashes_of,
    title_features,
)
from held.headings.object_features import FEATURES_VERSION
from held.hierarchy.insertion.oracle import Noise
from held.hierarchy.position_features import FEATURES
from held.models.inference import BoostedTrees, sigmoid
from held.models.store import FEATURES_SETTING, Model, ModelKind, npz_part
from held.training.boosted_data import (
    Known,
    Lesson,
    Rows,
    Standing,
    folds_of,
    heading_rows,
    put_rows,
)
from held.training.boosted_export import averaged, joined, to_onnx

Say = Callable[[str], None]
_TOLD_EVERY = 50  # trees


def silent(_message: str) -> None:
    """Nobody listens."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TreeSettings:
    """How trees are grown; all regularise, which matters most where documents are few."""

    trees: int = 200
    leaves: int = 31
    learning_rate: float = 0.09
    smallest_leaf: int = 80
    features_share: float = 0.35
    rows_share: float = 0.8
    l2: float = 10.0
    bins: int = 63
    seed: int = 0
    threads: int = 1
    hidden: str = ""  # features that are not used: a regular expression for their names
    augmented: int = 0  # how often each document is learnt from in other clothes, too
    clothed: float = 1.0  # the weight of documents in other clothes, against one in its own
    silver: float = 1.0  # the weight of documents whose outline was guessed; 0 leaves them out


@dataclass(frozen=True, slots=True, kw_only=True)
class BoostedHeadings(TreeSettings):
    """The heading step of preset `boosted`.

    members     models of seeds that follow each other, whose mean score counts: what one of them makes of a
                document of a kind that is rare is much of it chance
    guessed     beside each member one that learns from guessed outlines, too: they go deeper than those that
                authors list, and err more
    folds       models for the headings that the tree step learns from
    keep_long   the share of long body texts that is learnt from
    power       how far long documents are weighed down
    balance     how much more documents of rare domains weigh
    threshold   from what probability on an object is a heading
    """

    members: int = 1
    guessed: bool = False
    folds: int = 2
    keep_long: float = 0.15
    power: float = 0.5
    balance: float = 0.5
    threshold: float = 0.25
    second: bool = False  # a second look, which knows what the first says of the rest of the document


@dataclass(frozen=True, slots=True, kw_only=True)
class BoostedPutOrSkip(TreeSettings):
    """The tree step of preset `boosted`; the three rates are those of `Noise`."""

    trees: int = 450
    learning_rate: float = 0.05
    features_share: float = 0.25
    power: float = 0.5
    misplaced: float = 0.1
    dropped: float = 0.03
    false: float = 0.03
    unlisted: float = 0.3  # the weight of headings that the outline does not list
    balance: float = 0.5  # how much more documents of rare domains weigh
    astray: bool = False  # whether headings under a missing one are taught, under the ancestor that is there
    found: bool = True  # also examples with the headings that a heading step finds
    clean: bool = True  # also examples without any noise
    softmax: bool = True  # positions of an object compete, or are judged one by one
    drawn: float = 0.0  # the share of insertions that is learnt from, drawn by their weights; 0 for all


def train_headings(
    documents: Sequence[Known],
    settings: BoostedHeadings,
    *,
    start: Model | None = None,
    data_hash: str = "",
    commit: str = "",
    say: Say = print,
) -> Model:
    """The model of the heading step; with `start` its trees are kept and further ones added."""
    _check_enough(documents)
    if start is None:
        titles, known = known_titles(documents)
    else:
        titles = HeadingClassifier(start).titles
        known = [matrix(title_features(hashes_of(d.table), titles)) for d in documents]
    say(f"{sum(len(d.headings) for d in documents):,} headings in {len(documents):,} documents")
    names = _heading_names(documents[0])
    grown = [
        grow_onto(start, _rows(documents, known, own), own, names=names, say=say)
        for own in _members(settings)
    ]
    parts = {
        "trees.onnx": averaged(grown) if len(grown) > 1 else grown[0],
        "titles.npz": npz_part(asdict(titles)),
    }
    if settings.second and start is None:
        first = _first_look(documents, known, settings, say=say)
        parts[SECOND_STAGE] = to_onnx(_second_trees(documents, known, first, settings))
    known_as = {**asdict(settings), FEATURES_SETTING: FEATURES_VERSION}
    model = Model(ModelKind.HEADINGS, "boosted", parts, known_as, data_hash, commit)
    if start is None or SECOND_STAGE not in start.parts:
        return model
    judge = HeadingClassifier(model)
    heard = [_heard(d, own, judge.classify(d.table)) for d, own in zip(documents, known, strict=True)]
    second = grow_onto(start, _rows(documents, heard, settings), settings, part=SECOND_STAGE, say=say)
    return replace(model, parts={**parts, SECOND_STAGE: second})


def _members(settings: BoostedHeadings) -> list[BoostedHeadings]:
    """The settings of each model whose mean counts."""
    members = [replace(settings, seed=settings.seed + member) for member in range(settings.members)]
    return members + [replace(own, silver=1.0) for own in members if settings.guessed]


def _heading_names(document: Known) -> list[str]:
    """The names of the first look's features."""
    return [*classifier_features(document.table), *TITLE_FEATURES]


def known_titles(documents: Sequence[Known]) -> tuple[Titles, list[Floats]]:
    """The titles that the documents use, and what each document can know of them from the other groups."""
    hashes = [hashes_of(d.table) for d in documents]
    originals = ((d, h) for d, h in zip(documents, hashes, strict=True) if not d.clothed)
    groups = count_titles((d.group, h, d.labels) for d, h in originals)
    titles = all_titles(groups.values())
    known = (title_features(h, titles, groups[d.group]) for d, h in zip(documents, hashes, strict=True))
    return titles, [matrix(columns) for columns in known]


def unseen_headings(
    documents: Sequence[Known], settings: BoostedHeadings, *, say: Say = print
) -> list[tuple[int, ...]]:
    """The headings that a heading step of these settings finds in documents whose group it has not seen."""
    unseen = unseen_probabilities(documents, known_titles(documents)[1], settings, say=say)
    return [headings_at(settings.threshold, probabilities) for probabilities in unseen]


def unseen_probabilities(
    documents: Sequence[Known], further: Sequence[Floats], settings: BoostedHeadings, *, say: Say = print
) -> list[Floats]:
    """For each document the probabilities by trees that have not seen its group."""
    first = _first_look(documents, further, settings, say=say)
    if not settings.second:
        return first
    fold = folds_of(documents, settings.folds, seed=settings.seed)
    found = list(first)
    for k in range(settings.folds):
        seen = np.flatnonzero(fold != k).tolist()
        if len(seen) in (0, len(documents)):
            continue
        say(f"second look, fold {k + 1} of {settings.folds}")
        own = ([documents[i] for i in seen], [further[i] for i in seen], [first[i] for i in seen])
        trees = BoostedTrees(to_onnx(_second_trees(*own, settings)))
        for i in np.flatnonzero(fold == k).tolist():
            which = documents[i].table.candidates
            heard = _heard(documents[i], further[i], first[i])
            features = np.concatenate([documents[i].features[which], heard[which]], axis=1)
            found[i] = np.zeros_like(first[i])
            found[i][which] = sigmoid(trees.score(features))
    return found


def _heard(document: Known, further: Floats, first: Floats) -> Floats:
    """What the second look sees beside the document's own features."""
    return np.concatenate([further, matrix(stacked_features(document.table, first))], axis=1)


def _second_trees(
    documents: Sequence[Known],
    further: Sequence[Floats],
    first: Sequence[Floats],
    settings: BoostedHeadings,
) -> Any:
    """The booster of the second look, from answers of a first one that has not seen the documents."""
    heard = [_heard(*each) for each in zip(documents, further, first, strict=True)]
    seen = stacked_features(documents[0].table, first[0])
    names = [*_heading_names(documents[0]), *seen]
    return grow(_rows(documents, heard, settings), settings, names=names)


def _first_look(
    documents: Sequence[Known], further: Sequence[Floats], settings: BoostedHeadings, *, say: Say = print
) -> list[Floats]:
    """For each document the probabilities by trees of a first look that have not seen its group."""
    fold = folds_of(documents, settings.folds, seed=settings.seed)
    found: list[Floats] = [np.zeros(len(d.labels), np.float32) for d in documents]
    for k in range(settings.folds):
        seen = np.flatnonzero(fold != k).tolist()
        if len(seen) in (0, len(documents)):
            continue
        say(f"heading step, fold {k + 1} of {settings.folds}")
        rows = _rows([documents[i] for i in seen], [further[i] for i in seen], settings)
        trees = BoostedTrees(to_onnx(grow(rows, settings, names=_heading_names(documents[0]))))
        for i in np.flatnonzero(fold == k).tolist():
            which = documents[i].table.candidates
            features = np.concatenate([documents[i].features[which], further[i][which]], axis=1)
            found[i][which] = sigmoid(trees.score(features))
    return found


def train_put_or_skip(
    documents: Sequence[Known],
    settings: BoostedPutOrSkip,
    *,
    found: Sequence[Sequence[int]] = (),
    start: Model | None = None,
    data_hash: str = "",
    commit: str = "",
    say: Say = print,
) -> Model:
    """The model of the tree step; `found` are headings that a heading step gave, learnt from as well.

    What else the model to start from holds, the networks of preset `attention`, stays as it is.
    """
    _check_enough(documents)
    rows = put_or_skip_rows(documents, settings, found=found)
    say(f"{len(rows.counts):,} insertions, {len(rows.labels):,} positions")
    trees = grow_onto(start, rows, settings, names=FEATURES, compete=settings.softmax, say=say)
    parts = {"trees.onnx": trees}
    known_as = {**asdict(settings), FEATURES_SETTING: FEATURES_VERSION}
    if start is None:
        return Model(ModelKind.PUT_OR_SKIP, "boosted", parts, known_as, data_hash, commit)
    kept = {**start.parts, **parts}
    return Model(ModelKind.PUT_OR_SKIP, start.preset, kept, {**start.settings, **known_as}, data_hash, commit)


def put_or_skip_rows(
    documents: Sequence[Known],
    settings: BoostedPutOrSkip,
    *,
    found: Sequence[Sequence[int]] = (),
) -> Rows:
    """The examples of the tree step: without noise, with noise, and with the headings that were found."""
    true: list[tuple[Known, Sequence[int]]] = [(d, d.headings) for d in documents]
    noise = Noise(settings.misplaced, settings.dropped, settings.false)
    lesson = Lesson(
        noise,
        settings.power,
        settings.unlisted,
        settings.balance,
        settings.astray,
        settings.seed,
        settings.drawn,
        Standing(settings.clothed, settings.silver),
    )
    passes = [(true, noise, 1)]
    if settings.clean:
        passes.append((true, Noise(), 2))
    if settings.found and any(found):
        passes.append(([*zip(documents, found, strict=True)], Noise(misplaced=settings.misplaced), 3))
    parts = [
        put_rows(pairs, replace(lesson, noise=noise, seed=settings.seed + salt))
        for pairs, noise, salt in passes
    ]
    return Rows(*(np.concatenate([getattr(rows, name) for rows in parts]) for name in Rows._fields))


def grow_onto(
    start: Model | None,
    rows: Rows,
    settings: TreeSettings,
    *,
    names: Sequence[str] = (),
    compete: bool = False,
    part: str = "trees.onnx",
    say: Say = silent,
) -> bytes:
    """The trees for the rows as ONNX, after those in a part of the model to start from."""
    if start is None:
        return to_onnx(grow(rows, settings, names=names, compete=compete, say=say))
    old = start.parts[part]
    scores = BoostedTrees(old).score(rows.features)
    return joined(old, to_onnx(grow(rows, settings, names=names, compete=compete, scores=scores, say=say)))


def grow(
    rows: Rows,
    settings: TreeSettings,
    *,
    names: Sequence[str] = (),
    compete: bool = False,
    scores: Floats | None = None,
    say: Say = silent,
) -> Any:
    """The LightGBM booster for the rows; with `compete` those counted together share one softmax.

    `scores` are what other trees give already: the new ones add to them. `names` are those of the features.
    """
    import lightgbm

    parameters: dict[str, Any] = {
        "objective": softmax_objective(rows) if compete else "binary",
        "num_leaves": settings.leaves,
        "learning_rate": settings.learning_rate,
        "min_data_in_leaf": settings.smallest_leaf,
        "feature_fraction": settings.features_share,
        "bagging_fraction": settings.rows_share,
        "bagging_freq": 1,
        "lambda_l2": settings.l2,
        "max_bin": settings.bins,
        "num_threads": settings.threads,
        "seed": settings.seed,
        "deterministic": True,
        "force_row_wise": True,
        "boost_from_average": False,  # ONNX trees start from 0
        "use_missing": False,
        "verbose": -1,
    }
    if settings.hidden:
        parameters["feature_contri"] = [float(not re.search(settings.hidden, name)) for name in names]
    data = lightgbm.Dataset(rows.features, rows.labels, weight=rows.weights, init_score=scores)

    def report(stage: Any) -> None:
        grown = stage.iteration + 1
        if grown % _TOLD_EVERY == 0:
            say(f"{grown} of {settings.trees} trees")

    return lightgbm.train(parameters, data, settings.trees, callbacks=[report])


def softmax_objective(rows: Rows) -> Callable[[Any, Any], tuple[Any, Any]]:
    """The gradients of one cross-entropy for each stretch of rows that compete."""
    starts = np.cumsum(rows.counts) - rows.counts
    stretch = np.repeat(np.arange(len(rows.counts)), rows.counts)

    def gradients(scores: Any, _data: Any) -> tuple[Any, Any]:
        raised = np.exp(scores - np.maximum.reduceat(scores, starts)[stretch])
        probability = raised / np.add.reduceat(raised, starts)[stretch]
        curve = np.maximum(2 * probability * (1 - probability), 1e-6)
        return (probability - rows.labels) * rows.weights, curve * rows.weights

    return gradients


def _rows(documents: Sequence[Known], further: Sequence[Floats], settings: BoostedHeadings) -> Rows:
    return heading_rows(
        documents,
        further,
        keep_long=settings.keep_long,
        power=settings.power,
        balance=settings.balance,
        seed=settings.seed,
        standing=Standing(settings.clothed, settings.silver),
    )


def _check_enough(documents: Sequence[Known]) -> None:
    if not any(len(document.headings) for document in documents):
        raise UsageError(
            f"nothing to learn from: {len(documents)} documents without a heading",
            advice="build a labelled corpus with `held corpus build`",
        )
