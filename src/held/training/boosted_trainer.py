"""Trainer of preset `boosted`: LightGBM over the features of both steps, stored as ONNX.

The heading step has an optional second stage, whose features include the first stage's probabilities for
the rest of the document. The tree step also learns from the headings that a heading step finds, mistakes
included; these come from models trained without the document's group. Fine-tuning adds trees to a trained
model and keeps its known titles, so that fifty documents of your own are enough to gain.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, TypeVar

import numpy as np

from held.corpus.store import LabelledDocument, data_hash, labelled_documents
from held.errors import UsageError
from held.headings import Floats
from held.headings.classifier import (
    SECOND_STAGE,
    HeadingClassifier,
    classifier_features,
    headings_at,
    matrix,
    stacked_features,
)
from held.headings.object_features import FEATURES_VERSION
from held.headings.text_features import (
    TITLE_FEATURES,
    WORDING_PART,
    Titles,
    all_titles,
    count_titles,
    hashes_of,
    read_wording,
    title_features,
)
from held.hierarchy.boosted_step import BoostedTreeStep
from held.hierarchy.insertion import Strategy
from held.hierarchy.oracle import Noise
from held.hierarchy.position_features import FEATURES
from held.hierarchy.tree_check import CHECK_PART
from held.models.inference import BoostedTrees, sigmoid
from held.models.store import FEATURES_SETTING, Model, ModelKind, npz_part
from held.training.boosted_data import (
    DocumentHeadings,
    Documents,
    ExampleOptions,
    Headings,
    TrainingDocument,
    TrainingRows,
    assign_folds,
    fit_wording,
    heading_rows,
    position_rows,
    training_document,
    unseen_wordings,
)
from held.training.boosted_export import average_trees, to_onnx
from held.training.boosted_growth import Log, TreeSettings, discard_log, grow, grow_from
from held.training.check_trainer import BuiltTree, built_trees, check_rows, grow_check
from held.training.evaluation import heading_scores, put_or_skip_scores
from held.training.scanned_copies import scan
from held.training.settings import settings_for
from held.training.trainers import TrainingRequest, current_commit

S = TypeVar("S", bound=TreeSettings)
_LOG_EVERY_DOCUMENTS = 100  # read between two lines of the log
_CHECK_FOLDS = 2  # of the trees that the check learns from


# --- Settings ---


@dataclass(frozen=True, slots=True, kw_only=True)
class BoostedHeadings(TreeSettings):
    """The heading step of preset `boosted`.

    folds       cross-validation folds for the headings that the tree step learns from
    keep_long   the share of long body texts to train on
    power       how far long documents are weighed down
    balance     how much more documents of rare domains weigh
    threshold   the probability from which an object is a heading
    second      add the second stage
    """

    folds: int = 2
    keep_long: float = 0.15
    power: float = 0.5
    balance: float = 0.5
    threshold: float = 0.25
    second: bool = False


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
    astray: bool = False  # train on headings under a missing one, under the nearest ancestor that exists
    found: bool = True  # also examples with the headings that a heading step finds
    drawn: float = 0.0  # the share of insertions to train on, drawn by their weights; 0 for all
    check: bool = False  # add the check of finished trees


# --- The heading step, in two stages ---
#
# The second stage sees what the first found of other objects. On its own training documents the first
# stage is too sure of itself, so it is grown once for each fold, and asked about the documents it has
# not seen (out of fold).


def train_headings(
    documents: Documents,
    settings: BoostedHeadings,
    *,
    start: Model | None = None,
    first: Sequence[Floats] | None = None,
    data_hash: str = "",
    commit: str = "",
    log: Log = print,
) -> Model:
    """Trains the heading step; with `start` its trees are kept and new ones added.

    `first` has the probabilities that `first_stage_probabilities` gives; they are computed if a second stage
    needs them.
    """
    _check_enough(documents)
    if start is None:
        titles, further = known_titles(documents)
    else:
        titles = HeadingClassifier(start).titles
        further = [matrix(title_features(hashes_of(d.table), titles)) for d in documents]
    headings = sum(len(d.headings) for d in documents)
    log(f"{headings:,} headings in {len(documents):,} documents")
    names = _first_stage_names(documents[0])
    members = []
    for own in _member_settings(settings):
        rows = _heading_rows(documents, further, own)
        members.append(grow_from(start, rows, own, names=names, log=log))
    parts = {
        "trees.onnx": _average(members),
        "titles.npz": npz_part(asdict(titles)),
    }
    if settings.second and start is None:
        if first is None:
            first = first_stage_probabilities(documents, settings, log=log)
        grown = [_grow_second_stage(documents, further, first, own) for own in _member_settings(settings)]
        parts[SECOND_STAGE] = _average([to_onnx(booster) for booster in grown])
    all_settings = {**asdict(settings), FEATURES_SETTING: FEATURES_VERSION}
    model = Model(ModelKind.HEADINGS, "boosted", parts, all_settings, data_hash, commit)
    if start is None or SECOND_STAGE not in start.parts:
        return model
    # The second stage is fine-tuned on what the new first stage finds.
    classifier = HeadingClassifier(model)
    second_features = []
    for document, own_further in zip(documents, further, strict=True):
        probabilities = classifier.classify(document.table)
        second_features.append(_second_stage_features(document, own_further, probabilities))
    rows = _heading_rows(documents, second_features, settings)
    second = grow_from(start, rows, settings, part=SECOND_STAGE, log=log)
    return replace(model, parts={**parts, SECOND_STAGE: second})


def _member_settings(settings: S) -> list[S]:
    """The settings of each model whose scores are averaged."""
    return [replace(settings, seed=settings.seed + member) for member in range(settings.members)]


def _average(members: Sequence[bytes]) -> bytes:
    """One model whose score is the mean of the members' scores."""
    return average_trees(members) if len(members) > 1 else members[0]


def _first_stage_names(document: TrainingDocument) -> list[str]:
    return [*classifier_features(document.table), *TITLE_FEATURES]


def known_titles(documents: Documents) -> tuple[Titles, list[Floats]]:
    """The titles that the documents use, and each document's features of titles.

    A document's features come from the titles of other groups only: its own would give the label away.
    """
    hashes = [hashes_of(document.table) for document in documents]
    both = list(zip(documents, hashes, strict=True))
    # Copies are left out: they repeat the titles of their originals.
    groups = count_titles((d.group, own, d.labels) for d, own in both if not d.is_copy)
    titles = all_titles(groups.values())
    features = [matrix(title_features(own, titles, groups[d.group])) for d, own in both]
    return titles, features


def out_of_fold_headings(
    documents: Documents,
    settings: BoostedHeadings,
    *,
    first: Sequence[Floats] | None = None,
    log: Log = print,
) -> list[tuple[int, ...]]:
    """The headings that a heading step, trained without a document's group, finds in it."""
    found = out_of_fold_probabilities(documents, settings, first=first, log=log)
    return [headings_at(settings.threshold, probabilities) for probabilities in found]


def out_of_fold_probabilities(
    documents: Documents,
    settings: BoostedHeadings,
    *,
    first: Sequence[Floats] | None = None,
    log: Log = print,
) -> list[Floats]:
    """The heading probabilities of each document by models trained without its group."""
    if first is None:
        first = first_stage_probabilities(documents, settings, log=log)
    if not settings.second:
        return list(first)
    _, further = known_titles(documents)
    second = list(first)
    for fold, inside, outside in _folds(documents, settings):
        log(f"second look, fold {fold + 1} of {settings.folds}")
        trees = _grow_second_stage(
            [documents[i] for i in inside], [further[i] for i in inside], [first[i] for i in inside], settings
        )
        scorer = BoostedTrees(to_onnx(trees))
        for i in outside:
            features = _second_stage_features(documents[i], further[i], first[i])
            second[i] = _probabilities(documents[i], features, scorer)
    return second


def _second_stage_features(document: TrainingDocument, further: Floats, first: Floats) -> Floats:
    """The features of the second stage, beside the document's own."""
    return np.concatenate([further, matrix(stacked_features(document.table, first))], axis=1)


def _grow_second_stage(
    documents: Documents, further: Sequence[Floats], first: Sequence[Floats], settings: BoostedHeadings
) -> Any:
    """The booster of the second stage, given out-of-fold probabilities of the first."""
    features = [_second_stage_features(*each) for each in zip(documents, further, first, strict=True)]
    stacked_names = stacked_features(documents[0].table, first[0])
    names = [*_first_stage_names(documents[0]), *stacked_names]
    return grow(_heading_rows(documents, features, settings), settings, names=names)


def first_stage_probabilities(
    documents: Documents, settings: BoostedHeadings, *, log: Log = print
) -> list[Floats]:
    """The first stage's probabilities of each document by models trained without its group."""
    _, further = known_titles(documents)
    found: list[Floats] = [np.zeros(len(document.labels), np.float32) for document in documents]
    names = _first_stage_names(documents[0])
    for fold, inside, outside in _folds(documents, settings):
        log(f"heading step, fold {fold + 1} of {settings.folds}")
        rows = _heading_rows([documents[i] for i in inside], [further[i] for i in inside], settings)
        scorer = BoostedTrees(to_onnx(grow(rows, settings, names=names)))
        for i in outside:
            found[i] = _probabilities(documents[i], further[i], scorer)
    return found


def _folds(documents: Documents, settings: BoostedHeadings) -> Iterator[tuple[int, list[int], list[int]]]:
    """Each fold with the documents to train on and those to score; a fold without either is left out."""
    fold_of = assign_folds(documents, settings.folds, seed=settings.seed)
    for fold in range(settings.folds):
        inside = np.flatnonzero(fold_of != fold).tolist()
        outside = np.flatnonzero(fold_of == fold).tolist()
        if inside and outside:
            yield fold, inside, outside


def _probabilities(document: TrainingDocument, further: Floats, scorer: BoostedTrees) -> Floats:
    """The probability of each object to be a heading; 0 for objects that are no candidates."""
    candidates = document.table.candidates
    features = np.concatenate([document.features[candidates], further[candidates]], axis=1)
    probabilities = np.zeros(len(document.labels), np.float32)
    probabilities[candidates] = sigmoid(scorer.score(features))
    return probabilities


# --- The tree step ---


def train_put_or_skip(
    documents: Documents,
    settings: BoostedPutOrSkip,
    *,
    found: Sequence[Headings] = (),
    built: Sequence[BuiltTree | None] | None = None,
    start: Model | None = None,
    data_hash: str = "",
    commit: str = "",
    log: Log = print,
) -> Model:
    """Trains the tree step; `found` are the headings that a heading step finds in each document.

    `built` has the trees that `out_of_fold_trees` gives; they are built if the check needs them. Other parts
    of the model to start from stay as they are, the check among them.
    """
    _check_enough(documents)
    if start is None:
        wording = npz_part(fit_wording(documents).arrays)
        taught = with_unseen_wordings(documents)
    else:
        wording = start.parts[WORDING_PART]
        known = read_wording(start.arrays(WORDING_PART))
        taught = [document._replace(wording=known) for document in documents]
    members = []
    for own in _member_settings(settings):
        rows = _all_position_rows(taught, own, found)
        log(f"{len(rows.counts):,} insertions, {len(rows.labels):,} positions")
        members.append(grow_from(start, rows, own, names=FEATURES, compete=True, log=log))
    parts = {
        "trees.onnx": _average(members),
        WORDING_PART: wording,
    }
    if settings.check and start is None:
        if built is None:
            built = out_of_fold_trees(documents, settings, found, log=log)
        weights = settings.outline_weights
        rows = check_rows(taught, built, weights)
        if len(rows.labels):
            parts[CHECK_PART] = grow_check(rows, log=log)
    all_settings = {**asdict(settings), FEATURES_SETTING: FEATURES_VERSION}
    preset = "boosted"
    if start is not None:
        preset = start.preset
        parts = {**start.parts, **parts}
        all_settings = {**start.settings, **all_settings}
    return Model(ModelKind.PUT_OR_SKIP, preset, parts, all_settings, data_hash, commit)


def with_unseen_wordings(documents: Documents) -> list[TrainingDocument]:
    """The documents, each with what titles suggest by a model that was fitted without its group."""
    unseen = unseen_wordings(documents)
    return [document._replace(wording=own) for document, own in zip(documents, unseen, strict=True)]


def out_of_fold_trees(
    documents: Documents,
    settings: BoostedPutOrSkip,
    found: Sequence[Headings],
    *,
    log: Log = print,
) -> list[BuiltTree | None]:
    """The trees of the headings that were found in each document, by tree steps trained without its group.

    If none were looked for, they are the true ones. These tree steps are smaller than the one that ships: one
    set of trees, and fewer of them.
    """
    fold_settings = replace(
        settings,
        members=1,
        trees=settings.trees * 3 // 4,
        learning_rate=settings.learning_rate * 4 / 3,
    )
    found = found or [document.headings for document in documents]
    taught = with_unseen_wordings(documents)
    fold_of = assign_folds(documents, _CHECK_FOLDS, seed=settings.seed)
    trees: list[BuiltTree | None] = [None] * len(documents)
    for fold in range(_CHECK_FOLDS):
        log(f"trees to check, fold {fold + 1} of {_CHECK_FOLDS}")
        inside, outside = (np.flatnonzero(own).tolist() for own in (fold_of != fold, fold_of == fold))
        if not inside or not outside:
            continue
        rows = _all_position_rows([taught[i] for i in inside], fold_settings, [found[i] for i in inside])
        booster = grow(rows, fold_settings, names=FEATURES, compete=True, log=log)
        step = BoostedTreeStep(BoostedTrees(to_onnx(booster)))
        unseen = built_trees(step, [taught[i] for i in outside], [found[i] for i in outside])
        for i, own in zip(outside, unseen, strict=True):
            trees[i] = own
    return trees


def _all_position_rows(
    documents: Documents, settings: BoostedPutOrSkip, found: Sequence[Headings]
) -> TrainingRows:
    """The rows of the tree step: with noise, without noise, and with the headings that were found."""
    true: list[DocumentHeadings] = [(document, document.headings) for document in documents]
    noise = Noise(settings.misplaced, settings.dropped, settings.false)
    options = ExampleOptions(
        noise,
        settings.power,
        settings.unlisted,
        settings.balance,
        settings.astray,
        settings.seed,
        settings.drawn,
        settings.outline_weights,
    )
    # Each pass has a seed of its own, so that the passes draw different noise.
    parts = [
        position_rows(true, replace(options, seed=settings.seed + 1)),
        position_rows(true, replace(options, noise=Noise(), seed=settings.seed + 2)),
    ]
    if settings.found and any(found):
        pairs = list(zip(documents, found, strict=True))
        only_misplaced = Noise(misplaced=settings.misplaced)
        parts.append(position_rows(pairs, replace(options, noise=only_misplaced, seed=settings.seed + 3)))
    return TrainingRows.concatenate(parts)


def _heading_rows(documents: Documents, further: Sequence[Floats], settings: BoostedHeadings) -> TrainingRows:
    return heading_rows(
        documents,
        further,
        keep_long=settings.keep_long,
        power=settings.power,
        balance=settings.balance,
        seed=settings.seed,
        outline_weights=settings.outline_weights,
    )


def _check_enough(documents: Documents) -> None:
    if not any(len(document.headings) for document in documents):
        raise UsageError(
            f"nothing to learn from: of {len(documents)} documents none has a heading",
            advice="build a labelled corpus with `held corpus build`",
        )


# --- A training run, as `held train` starts it ---


def train(request: TrainingRequest) -> Model:
    """Trains the requested model and scores it on split valid."""

    def log(message: str) -> None:
        request.log({"doing": message})

    given: dict[str, Any] = {"preset": request.preset, "config": request.config, "changes": request.changes}
    settings: BoostedHeadings | BoostedPutOrSkip
    if request.kind is ModelKind.HEADINGS:
        settings = settings_for(BoostedHeadings, "headings", **given)
    else:
        settings = settings_for(BoostedPutOrSkip, "put-or-skip", **given)
    train_documents = labelled_documents(request.data, splits=["train"])
    documents = prepare_documents(train_documents, settings, log=log)
    common: dict[str, Any] = {
        "data_hash": data_hash(request.data),
        "commit": current_commit(),
        "log": log,
        "start": request.start,
    }
    if isinstance(settings, BoostedHeadings):
        model = train_headings(documents, settings, **common)
        return replace(model, scores=heading_scores(model, valid_documents(request)))
    found = find_headings_for_training(documents, settings, log)
    model = train_put_or_skip(documents, settings, found=found, **common)
    scores = put_or_skip_scores(model, valid_documents(request), strategy=Strategy(normalise=True))
    return replace(model, scores=scores)


def valid_documents(request: TrainingRequest) -> list[LabelledDocument]:
    """The documents of split valid whose outlines are not guessed."""
    found = labelled_documents(request.data, splits=["valid"])
    return [labelled for labelled in found if not labelled.silver]


def prepare_documents(
    documents: Iterable[LabelledDocument], settings: TreeSettings, *, log: Log = discard_log
) -> list[TrainingDocument]:
    """The documents with their features, some followed by a copy as a scan."""
    prepared: list[TrainingDocument] = []
    for count, labelled in enumerate(documents, start=1):
        prepared.append(training_document(labelled))
        if is_scanned(labelled.id, settings.scanned):
            copy = scan(labelled, seed=settings.seed)
            prepared.append(training_document(copy)._replace(is_copy=True))
        if count % _LOG_EVERY_DOCUMENTS == 0:
            log(f"{count:,} documents read")
    return prepared


def is_scanned(id: str, share: float) -> bool:
    """Whether a document is among the share that is learnt from as a scan as well."""
    return zlib.crc32(f"scan/{id}".encode()) < share * 2**32


def find_headings_for_training(
    documents: Documents, settings: BoostedPutOrSkip, log: Log
) -> Sequence[Headings]:
    """Out-of-fold headings by a heading step with default settings; none if the settings want none."""
    if not settings.found:
        return ()
    heading_settings = BoostedHeadings(seed=settings.seed, threads=settings.threads)
    return out_of_fold_headings(documents, heading_settings, log=log)
