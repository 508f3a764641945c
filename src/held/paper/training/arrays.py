"""A corpus as arrays: all objects of all documents in one row, their texts each once.

Batches are then slices and gathers. The trees stay as they are, with the truth that training needs: headings
that are no object are spliced out, for they cannot be inserted.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from held.corpus.labelled import LabelledDocument, truth
from held.errors import InputError
from held.metrics import Label
from held.paper.networks.inputs import Floats, Ids, character_ids, format_vectors
from held.training.choice import astray_headings
from held.tree import Tree

HEADING, BODY, UNKNOWN = 1, 0, -1
_LABELS = {Label.HEADING: HEADING, Label.BODY: BODY, Label.UNKNOWN: UNKNOWN}


class TrainingTree(NamedTuple):
    """A document's truth. `start` is where its objects begin among those of the corpus."""

    id: str
    start: int
    tree: Tree
    headings: tuple[int, ...]
    unsure: frozenset[int]  # objects whose place in the tree is not known
    domain: str = ""
    astray: frozenset[int] = frozenset()  # headings whose parent is no object


@dataclass(frozen=True, slots=True)
class TrainingDocuments:
    """The objects of a corpus: its distinct texts, which of them each object has, labels 1, 0 or -1.

    `data_hash` names the documents, the files they came from and their labels.
    """

    documents: tuple[TrainingTree, ...]
    distinct: tuple[str, ...]
    texts: Ids  # (N,)
    formats: Floats  # (N, F)
    labels: NDArray[np.int8]  # (N,)
    depths: NDArray[np.int16]  # (N,) the level of a heading in the true tree, 0 for other objects
    data_hash: str


@dataclass(frozen=True, slots=True)
class TrainingArrays:
    """The same with the characters of the distinct texts as ids."""

    documents: tuple[TrainingTree, ...]
    texts: Ids  # (N,)
    formats: Floats  # (N, F)
    labels: NDArray[np.int8]  # (N,)
    depths: NDArray[np.int16]  # (N,)
    ids: NDArray[np.int32]  # (D, T)
    lengths: Ids  # (D,)


def gather(documents: Iterable[LabelledDocument], *, cut: int) -> TrainingDocuments:
    """What training needs of the documents, in their order; they themselves are not kept."""
    trees: list[TrainingTree] = []
    known: dict[str, int] = {}
    texts: list[int] = []
    formats: list[Floats] = []
    labels: list[int] = []
    depths: list[int] = []
    digest = hashlib.sha256()
    for labelled in documents:
        trees.append(_training_tree(labelled, start=len(texts)))
        # Folded white space only shortens a text, so twice the length is enough for most.
        texts += [known.setdefault(item.text[: 2 * cut], len(known)) for item in labelled.document.objects]
        formats.append(format_vectors(labelled.document))
        labels += [_LABELS[label] for label in labelled.labels]
        depths += _depths(labelled)
        digest.update(f"{labelled.id} {labelled.source_hash} {labelled.labels} {labelled.parents}\n".encode())
    if not texts:
        raise InputError("no objects to train on", advice="check the training documents")
    return TrainingDocuments(
        tuple(trees),
        tuple(known),
        np.array(texts, dtype=np.int64),
        np.concatenate(formats),
        np.array(labels, dtype=np.int8),
        np.array(depths, dtype=np.int16),
        digest.hexdigest(),
    )


def training_arrays(
    gathered: TrainingDocuments, code_points: NDArray[np.int32], *, cut: int
) -> TrainingArrays:
    """The documents with their texts as ids."""
    ids, lengths = character_ids(gathered.distinct, code_points, cut=cut)
    return TrainingArrays(
        gathered.documents,
        gathered.texts,
        gathered.formats,
        gathered.labels,
        gathered.depths,
        ids.astype(np.int32),
        lengths,
    )


def _depths(labelled: LabelledDocument) -> list[int]:
    """The level of each heading, those that are no object counted; 0 for what is no heading."""
    return [
        level if label is Label.HEADING else 0
        for level, label in zip(labelled.levels(), labelled.labels, strict=False)
    ]


def _training_tree(labelled: LabelledDocument, *, start: int) -> TrainingTree:
    known = truth(labelled)
    objects = known.objects or tuple(range(len(known.labels)))
    absent = {node for node, obj in enumerate(objects) if obj is None}
    index = {node: obj for node, obj in enumerate(objects) if obj is not None}
    tree = known.tree.without(absent).renumber(index.__getitem__)
    unsure = frozenset(index[node] for node in known.pathless | known.unknown if node in index)
    astray = astray_headings(labelled)
    return TrainingTree(labelled.id, start, tree, labelled.headings, unsure, labelled.domain, astray)
