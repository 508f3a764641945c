"""What the boosted trees of preset `boosted` learn from: rows of features with labels and weights.

Unknown objects are no examples, neither of headings nor of places. Documents differ in length by a factor of
a thousand, so the rows of long ones weigh less.
"""

from __future__ import annotations

import random
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from held.corpus.labelled import LabelledDocument, truth
from held.headings.classifier_features import classifier_features, matrix
from held.headings.columns import Floats
from held.headings.object_features import ObjectFeatures, object_features
from held.hierarchy.heading_features import heading_features
from held.hierarchy.insertion import Question
from held.hierarchy.insertion.oracle import (
    Example,
    Misplace,
    Noise,
    anywhere_else,
    examples,
    noisy_headings,
)
from held.hierarchy.position_features import PositionFeatures
from held.metrics import Label
from held.training.example_weights import astray_headings, document_weight, rarity
from held.tree import Tree

LONG = 120  # characters; objects above it are hardly ever headings, and only a share of them is kept


class Known(NamedTuple):
    """A labelled document, prepared once: its table, its heading features, and its truth.

    `tree` holds all objects, each under its true parent; where that is a missing heading, under the nearest
    ancestor that is an object. `astray` are the headings among those: their place cannot be taught.
    """

    id: str
    group: str
    domain: str
    table: ObjectFeatures
    features: Floats
    labels: NDArray[np.int8]  # 1 heading, 0 body, -1 unknown
    tree: Tree
    astray: frozenset[int]
    clothed: bool = False  # a copy in other clothes: its titles and places are known from the original
    silver: bool = False  # part of its outline is a guess

    @property
    def headings(self) -> tuple[int, ...]:
        """The true headings that are objects."""
        return tuple(np.flatnonzero(self.labels == 1).tolist())


class Rows(NamedTuple):
    """Features with labels and weights; `counts` has the number of rows that compete with each other."""

    features: Floats
    labels: Floats
    weights: Floats
    counts: NDArray[np.int64]


class Standing(NamedTuple):
    """How much documents count that are less than a document in its own clothes with a true outline."""

    clothed: float = 1.0
    silver: float = 1.0

    def of(self, document: Known) -> float:
        """The weight of a document; 0 leaves it out."""
        clothes = self.clothed if document.clothed else 1.0
        outline = self.silver if document.silver else 1.0
        return clothes * outline


AS_ALL = Standing()


def known_of(labelled: LabelledDocument) -> Known:
    """The labelled document as training needs it."""
    table = object_features(labelled.document)
    value = {Label.HEADING: 1, Label.BODY: 0, Label.UNKNOWN: -1}
    labels = np.array([value[label] for label in labelled.labels], np.int8)
    features = matrix(classifier_features(table))
    tree, astray = object_tree(labelled), astray_headings(labelled)
    return Known(
        labelled.id,
        labelled.group,
        labelled.domain,
        table,
        features,
        labels,
        tree,
        astray,
        silver=labelled.silver,
    )


def object_tree(labelled: LabelledDocument) -> Tree:
    """The true tree of the objects: what hangs under a missing heading hangs under its nearest ancestor."""
    found = truth(labelled)
    objects = found.objects or ()
    missing = {node for node, obj in enumerate(objects) if obj is None}
    return found.tree.without(missing).renumber(lambda node: objects[node] or 0)


def folds_of(documents: Sequence[Known], count: int, *, seed: int = 0) -> NDArray[np.int64]:
    """The fold of each document; those of one group share it."""
    return np.array([zlib.crc32(f"{seed}/{d.group}".encode()) % count for d in documents], np.int64)


def heading_rows(
    documents: Sequence[Known],
    further: Sequence[Floats],
    *,
    keep_long: float,
    power: float,
    balance: float,
    seed: int,
    standing: Standing = AS_ALL,
) -> Rows:
    """The candidates of the documents with further features for each.

    Of long texts only a share is taken, weighted up to stand for all of them.
    """
    features, labels, weights = [], [], []
    rare_domains = rarity(documents, balance)
    rng = np.random.default_rng(seed)
    for place, document in enumerate(documents):
        if not standing.of(document):
            continue
        rare = (document.table["length"] > LONG) & (document.labels == 0)
        drawn = rng.random(len(rare)) < keep_long
        kept = document.table.candidates & (document.labels >= 0) & (~rare | drawn)
        features.append(np.concatenate([document.features[kept], further[place][kept]], axis=1))
        labels.append(document.labels[kept].astype(np.float32))
        weight = document_weight(int((document.labels == 1).sum()), power)
        weight *= rare_domains[document.domain] * standing.of(document)
        weights.append(np.where(rare[kept], weight / keep_long, weight).astype(np.float32))
    counts = np.array([len(found) for found in labels], np.int64)
    return Rows(np.concatenate(features), np.concatenate(labels), np.concatenate(weights), counts)


@dataclass(frozen=True, slots=True)
class Lesson:
    """What of a document the tree step is taught: under which noise, and how much it counts.

    `unlisted` is the weight of headings that the outline does not list but that stand below those it lists:
    taught to hang under the last listed one, where otherwise they might close sections that go on. `balance`
    says how much more documents of rare domains weigh: with 1 all domains count alike. `astray` says whether
    what hangs under a missing heading is taught to hang under the ancestor that is there. `drawn` is the
    share of insertions that is learnt from, 0 for all: those of long documents, which weigh less each, are
    drawn less often and weigh more instead.
    """

    noise: Noise
    power: float
    unlisted: float
    balance: float
    astray: bool
    seed: int
    drawn: float = 0.0
    standing: Standing = AS_ALL


def put_rows(documents: Sequence[tuple[Known, Sequence[int]]], lesson: Lesson) -> Rows:
    """All positions of all objects, under earlier errors; the second of a pair are the headings to insert."""
    weight = rarity([known for known, _ in documents], lesson.balance)
    kept: list[Rows] = []
    for known, shown in documents:
        counts = weight[known.domain] * lesson.standing.of(known)
        if not counts:
            continue
        rows = _put_rows(known, shown, lesson)
        if rows is not None:
            kept.append(rows._replace(weights=rows.weights * np.float32(counts)))
    return Rows(*(np.concatenate([getattr(rows, name) for rows in kept]) for name in Rows._fields))


class Taught(NamedTuple):
    """The headings that a document is shown with, and an example with its weight for each that is taught."""

    shown: tuple[int, ...]
    examples: list[Example]
    weights: Floats


def taught(
    known: Known,
    headings: Sequence[int],
    lesson: Lesson,
    rng: random.Random,
    *,
    misplace: Misplace = anywhere_else,
) -> Taught | None:
    """What a document teaches, given the headings that were found; None where that is nothing."""
    shown = _shown(known, headings, lesson.noise, rng)
    teachable = (known.labels >= 0) | (lesson.unlisted > 0) & _lower(known)
    if not lesson.astray:
        teachable[list(known.astray)] = False
    each = examples(known.tree, shown, misplaced=lesson.noise.misplaced, rng=rng, misplace=misplace)
    kept = [example for example in each if teachable[example.obj]]
    if not kept:
        return None
    unlisted = known.labels[[example.obj for example in kept]] < 0
    weights = np.where(unlisted, lesson.unlisted, 1.0) * document_weight(len(known.headings), lesson.power)
    return Taught(shown, kept, weights.astype(np.float32))


def _put_rows(known: Known, headings: Sequence[int], lesson: Lesson) -> Rows | None:
    rng = random.Random(f"{lesson.seed}/{known.id}")
    found = taught(known, headings, lesson, rng)
    if found is not None and lesson.drawn:
        found = _drawn(found, lesson.drawn, rng)
    if found is None:
        return None
    outlines = PositionFeatures([heading_features(known.table, found.shown)])
    features, counts = outlines.features(
        [Question.about(0, example.tree, example.obj) for example in found.examples]
    )
    labels = np.concatenate([example.labels for example in found.examples]).astype(np.float32)
    return Rows(features, labels, np.repeat(found.weights, counts), counts)


def _drawn(found: Taught, share: float, rng: random.Random) -> Taught | None:
    """A share of the examples, drawn by their weights, which say then what each stands for."""
    chances = np.minimum(1, found.weights * share)
    kept = [i for i, chance in enumerate(chances.tolist()) if rng.random() < chance]
    if not kept:
        return None
    return Taught(found.shown, [found.examples[i] for i in kept], (found.weights / chances)[kept])


def _lower(known: Known) -> NDArray[np.bool_]:
    """Which objects, if they are headings that the outline does not list, stand below those it lists.

    Those that are set like none of the listed ones; of the others those without a number, unless their title
    is one that heads a chapter (References, Appendix).
    """
    listed = np.isin(known.table.style, known.table.style[list(known.headings)])
    plain = (known.table["pattern"] == 0) & (known.table["heading_word"] == 0)
    return np.asarray(~listed | plain, bool)


def _shown(known: Known, headings: Sequence[int], noise: Noise, rng: random.Random) -> tuple[int, ...]:
    """The headings with some dropped and some candidates of the body among them."""
    noisy = noisy_headings(headings, len(known.labels), noise=noise, rng=rng)
    return tuple(obj for obj in noisy if known.table.candidates[obj])
