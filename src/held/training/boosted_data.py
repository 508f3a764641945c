"""Training rows of preset `boosted`: features with labels and weights, and the model of titles' wording.

Unknown objects give no rows, neither for headings nor for positions. Documents differ in length by a factor
of a thousand, so rows of long documents weigh less.
"""

from __future__ import annotations

import random
import zlib
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from held.corpus.store import LabelledDocument, truth
from held.headings import Floats
from held.headings.classifier import classifier_features, matrix
from held.headings.object_features import ObjectFeatures, object_features
from held.headings.text_features import PIECES, WORDING_FEATURES, TitleWording, title_pieces
from held.hierarchy.heading_features import heading_features
from held.hierarchy.insertion import Question
from held.hierarchy.oracle import Example, Misplace, Noise, anywhere_else, examples, noisy_headings
from held.hierarchy.position_features import PositionFeatures
from held.metrics import Label
from held.training.trainers import domain_weights, length_weight, orphan_headings
from held.tree import Tree

LONG = 120  # characters; longer objects are hardly ever headings, so only a share of them is kept
_LABEL_VALUES = {Label.HEADING: 1, Label.BODY: 0, Label.UNKNOWN: -1}

Headings = Sequence[int]


class TrainingDocument(NamedTuple):
    """A labelled document with its features, computed once.

    `tree` holds all objects, each under its true parent; an object under a missing heading hangs under the
    nearest ancestor that is an object. `astray` are the headings among these.
    """

    id: str
    group: str
    domain: str
    table: ObjectFeatures
    features: Floats
    labels: NDArray[np.int8]  # 1 heading, 0 body, -1 unknown
    tree: Tree
    astray: frozenset[int]
    is_copy: bool = False  # another document as a scan
    silver: bool = False  # part of its outline is a guess
    complete: bool = False  # its outline lists every heading
    by_hand: bool = False  # a person wrote that complete outline, not a language model
    wording: TitleWording | None = None  # what titles suggest, learnt without the document's group

    @property
    def headings(self) -> tuple[int, ...]:
        """The true headings that are objects."""
        return tuple(np.flatnonzero(self.labels == 1).tolist())


Documents = Sequence[TrainingDocument]
DocumentHeadings = tuple[TrainingDocument, Headings]
"""A document, and the headings to insert: the true ones, or those that a heading step found."""


class TrainingRows(NamedTuple):
    """Features with labels and weights; `counts` has the number of rows that compete with each other."""

    features: Floats
    labels: Floats
    weights: Floats
    counts: NDArray[np.int64]

    @staticmethod
    def concatenate(parts: Sequence[TrainingRows]) -> TrainingRows:
        """The rows of all parts as one."""
        return TrainingRows(*map(np.concatenate, zip(*parts, strict=True)))


class OutlineWeights(NamedTuple):
    """How much documents with guessed and with complete outlines count, against 1 for all others.

    silver     part of the outline was guessed
    complete   a person wrote the outline, with every heading
    read       a language model did
    """

    silver: float = 1.0
    complete: float = 1.0
    read: float = 1.0

    def weight(self, document: TrainingDocument) -> float:
        """The weight of a document; 0 leaves it out."""
        if document.silver:
            return self.silver
        if document.by_hand:
            return self.complete
        return self.read if document.complete else 1.0


EQUAL_WEIGHTS = OutlineWeights()


def training_document(labelled: LabelledDocument) -> TrainingDocument:
    """The labelled document with its features."""
    table = object_features(labelled.document)
    labels = [_LABEL_VALUES[label] for label in labelled.labels]
    return TrainingDocument(
        labelled.id,
        labelled.group,
        labelled.domain,
        table,
        matrix(classifier_features(table)),
        np.array(labels, np.int8),
        object_tree(labelled),
        orphan_headings(labelled),
        silver=labelled.silver,
        complete=labelled.complete,
        by_hand=labelled.by_hand,
    )


def object_tree(labelled: LabelledDocument) -> Tree:
    """The true tree of the objects: missing headings are spliced out."""
    true = truth(labelled)
    objects = true.objects or ()
    missing = {node for node, obj in enumerate(objects) if obj is None}
    return true.tree.without(missing).renumber(lambda node: objects[node] or 0)


def assign_folds(documents: Documents, count: int, *, seed: int = 0) -> NDArray[np.int64]:
    """The fold of each document; documents of one group share a fold."""
    hashes = [zlib.crc32(f"{seed}/{document.group}".encode()) for document in documents]
    return np.array([value % count for value in hashes], np.int64)


def heading_rows(
    documents: Documents,
    further: Sequence[Floats],
    *,
    keep_long: float,
    power: float,
    balance: float,
    seed: int,
    outline_weights: OutlineWeights = EQUAL_WEIGHTS,
) -> TrainingRows:
    """A row for each candidate, with the further features of its document.

    Only a share `keep_long` of the long body texts is kept, weighted up to stand for all of them.
    """
    parts = []
    weight_of_domain = domain_weights(documents, balance)
    rng = np.random.default_rng(seed)
    for document, own_further in zip(documents, further, strict=True):
        outline_weight = outline_weights.weight(document)
        if not outline_weight:
            continue
        is_long_body = (document.table["length"] > LONG) & (document.labels == 0)
        is_left_out = is_long_body & (rng.random(len(is_long_body)) >= keep_long)
        is_labelled = document.labels >= 0
        kept = document.table.candidates & is_labelled & ~is_left_out
        features = np.concatenate([document.features[kept], own_further[kept]], axis=1)
        weight = length_weight(len(document.headings), power)
        weight *= weight_of_domain[document.domain] * outline_weight
        weights = np.where(is_long_body[kept], weight / keep_long, weight)
        labels = document.labels[kept].astype(np.float32)
        counts = np.array([len(labels)], np.int64)
        parts.append(TrainingRows(features, labels, weights.astype(np.float32), counts))
    return TrainingRows.concatenate(parts)


@dataclass(frozen=True, slots=True)
class ExampleOptions:
    """Which insertions of a document are examples, under which noise, and how much they count.

    power      how far long documents are weighed down
    unlisted   the weight of unknown objects below the listed levels: they are taught to hang under the last
               listed heading, where otherwise they might close a section too early
    balance    how much more documents of rare domains weigh: with 1 all domains count alike
    astray     whether a heading under a missing one is an example, under the nearest ancestor that exists
    drawn      the share of insertions to use, 0 for all; those of long documents, which weigh less each, are
               drawn less often and weigh more instead
    """

    noise: Noise
    power: float
    unlisted: float
    balance: float
    astray: bool
    seed: int
    drawn: float = 0.0
    outline_weights: OutlineWeights = EQUAL_WEIGHTS


class PositionExamples(NamedTuple):
    """The headings to insert, and an example with its weight for each insertion that is trained on."""

    headings: tuple[int, ...]
    examples: list[Example]
    weights: Floats

    def questions(self) -> list[Question]:
        """The insertions as questions to a scorer."""
        return [Question.about(0, example.tree, example.obj) for example in self.examples]


def position_rows(documents: Sequence[DocumentHeadings], options: ExampleOptions) -> TrainingRows:
    """A row for each position of each inserted object, in trees with earlier errors."""
    weight_of_domain = domain_weights([document for document, _ in documents], options.balance)
    parts: list[TrainingRows] = []
    for document, headings in documents:
        weight = weight_of_domain[document.domain] * options.outline_weights.weight(document)
        if not weight:
            continue
        rows = _position_rows(document, headings, options)
        if rows is not None:
            parts.append(rows._replace(weights=rows.weights * np.float32(weight)))
    return TrainingRows.concatenate(parts)


def position_examples(
    document: TrainingDocument,
    headings: Headings,
    options: ExampleOptions,
    rng: random.Random,
    *,
    misplace: Misplace = anywhere_else,
) -> PositionExamples | None:
    """The examples of a document whose given headings are inserted; None if there are none."""
    noisy = noisy_headings(headings, len(document.labels), noise=options.noise, rng=rng)
    inserted = tuple(obj for obj in noisy if document.table.candidates[obj])
    usable = (document.labels >= 0) | (options.unlisted > 0) & _is_below_listed(document)
    if not options.astray:
        usable[list(document.astray)] = False
    every = examples(document.tree, inserted, misplaced=options.noise.misplaced, rng=rng, misplace=misplace)
    kept = [example for example in every if usable[example.obj]]
    if not kept:
        return None
    is_unlisted = document.labels[[example.obj for example in kept]] < 0
    weights = np.where(is_unlisted, options.unlisted, 1.0)
    weights *= length_weight(len(document.headings), options.power)
    return PositionExamples(inserted, kept, weights.astype(np.float32))


def _position_rows(
    document: TrainingDocument, headings: Headings, options: ExampleOptions
) -> TrainingRows | None:
    rng = random.Random(f"{options.seed}/{document.id}")
    found = position_examples(document, headings, options, rng)
    if found is not None and options.drawn:
        found = _draw_examples(found, options.drawn, rng)
    if found is None:
        return None
    outline = heading_features(document.table, found.headings, document.wording)
    features, counts = PositionFeatures([outline]).features(found.questions())
    labels = np.concatenate([example.labels for example in found.examples])
    return TrainingRows(features, labels.astype(np.float32), np.repeat(found.weights, counts), counts)


def _draw_examples(found: PositionExamples, share: float, rng: random.Random) -> PositionExamples | None:
    """A share of the examples, drawn by their weights; each one then weighs what it stands for."""
    chances = np.minimum(1, found.weights * share)
    kept = [i for i, chance in enumerate(chances.tolist()) if rng.random() < chance]
    if not kept:
        return None
    weights = (found.weights / chances)[kept]
    return PositionExamples(found.headings, [found.examples[i] for i in kept], weights)


def _is_below_listed(document: TrainingDocument) -> NDArray[np.bool_]:
    """Which objects, if they are headings that the outline does not list, are below the listed levels.

    An object in a style that no listed heading has; also one without a number, unless its title usually
    heads a chapter (References, Appendix).
    """
    listed_styles = document.table.style[list(document.headings)]
    is_listed_style = np.isin(document.table.style, listed_styles)
    is_plain = (document.table["pattern"] == 0) & (document.table["heading_word"] == 0)
    return np.asarray(~is_listed_style | is_plain, bool)


# --- wording of titles ---
#
# Fits what the wording of titles says (`held.headings.text_features`) to labelled documents.
#
# A document is never described by a model that has seen its group: its own titles would give the labels
# away.

_FOLDS = 5  # a model for a document is fitted to four fifths of the others
_L2 = 3.0  # of the ridge regression, with documents of 100 headings weighing 1
_MIN_HEADINGS = 8  # of a document: with fewer, levels say little
_COMPLETE_WEIGHT = 3.0  # of documents whose outline lists every heading
_POWER, _BALANCE = 0.5, 0.5  # as in the trees: see `held.training.trainers.WeightSettings`


def fit_wording(documents: Documents) -> TitleWording:
    """What the documents' titles suggest of their sections; copies and short documents are left out."""
    from scipy.sparse import csr_matrix
    from sklearn.linear_model import Ridge

    learnt = [d for d in documents if not d.is_copy and len(d.headings) >= _MIN_HEADINGS]
    width = len(WORDING_FEATURES)
    if not learnt:
        return TitleWording(np.zeros((PIECES, width), np.float32), np.zeros(width, np.float32))
    titles = [document.table.bare_keys[h] for document in learnt for h in document.headings]
    pieces = title_pieces(titles)
    share_of_title = 1 / np.sqrt(np.maximum(pieces.counts, 1))  # of each piece: rows have length 1
    shares = np.repeat(share_of_title, pieces.counts).astype(np.float32)
    bounds = np.concatenate([[0], np.cumsum(pieces.counts)])
    rows = csr_matrix((shares, pieces.hashes, bounds), shape=(len(titles), PIECES))
    targets = np.concatenate([_targets(document) for document in learnt])
    weights = np.repeat(_weights(learnt), [len(document.headings) for document in learnt])
    ridge = Ridge(alpha=_L2, solver="sparse_cg", tol=1e-3)
    ridge.fit(rows, targets, sample_weight=weights)
    weights_of_pieces = np.ascontiguousarray(ridge.coef_.T, np.float32)
    return TitleWording(weights_of_pieces, np.asarray(ridge.intercept_, np.float32))


def unseen_wordings(documents: Documents) -> list[TitleWording]:
    """For each document a model that was fitted without its group."""
    fold_of = assign_folds(documents, _FOLDS, seed=2)
    in_folds = list(zip(documents, fold_of.tolist(), strict=True))
    wordings = []
    for fold in range(_FOLDS):
        others = [document for document, own_fold in in_folds if own_fold != fold]
        wordings.append(fit_wording(others))
    return [wordings[fold] for _, fold in in_folds]


def _targets(document: TrainingDocument) -> NDArray[np.float64]:
    """The level of each heading and the logarithm of the headings below it, against the document's means."""
    paths = document.tree.paths()
    headings = document.headings
    levels = [len(paths[heading]) for heading in headings]
    inner = Counter(above for heading in headings for above in paths[heading][:-1])
    logs = np.log1p([inner[heading] for heading in headings])
    targets = np.column_stack([levels, logs]).astype(np.float64)
    return np.asarray(targets - targets.mean(axis=0), np.float64)


def _weights(documents: Documents) -> Floats:
    weight_of_domain = domain_weights(documents, _BALANCE)
    weights = []
    for document in documents:
        weight = weight_of_domain[document.domain] * length_weight(len(document.headings), _POWER)
        weights.append(weight * _COMPLETE_WEIGHT if document.complete else weight)
    return np.array(weights, np.float32)
