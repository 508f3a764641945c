"""A corpus as arrays: all objects of all documents in one row, their texts each once.

Batches are then slices and gathers. The trees stay as they are, with the truth that training needs: headings
that are no object are spliced out, for they cannot be inserted.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from held.corpus.labelled import LabelledDocument, truth
from held.errors import InputError
from held.metrics import Label
from held.models.network_inputs import Floats, Ids, character_ids, format_vectors
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


@dataclass(frozen=True, slots=True)
class TrainingArrays:
    """The objects of a corpus: texts are indices into the distinct `ids`, labels are 1, 0 or -1."""

    documents: tuple[TrainingTree, ...]
    texts: Ids  # (N,)
    formats: Floats  # (N, F)
    labels: NDArray[np.int8]  # (N,)
    ids: NDArray[np.int32]  # (D, T)
    lengths: Ids  # (D,)


def training_arrays(
    documents: Iterable[LabelledDocument], code_points: NDArray[np.int32], *, cut: int
) -> TrainingArrays:
    """The arrays of the documents, in their order."""
    trees: list[TrainingTree] = []
    known: dict[str, int] = {}
    texts: list[int] = []
    formats: list[Floats] = []
    labels: list[int] = []
    for labelled in documents:
        trees.append(_training_tree(labelled, start=len(texts)))
        texts += [known.setdefault(item.text[: 2 * cut], len(known)) for item in labelled.document.objects]
        formats.append(format_vectors(labelled.document))
        labels += [_LABELS[label] for label in labelled.labels]
    if not texts:
        raise InputError(
            "no objects to train on", advice="check the folder and its splits; `held corpus build` fills one"
        )
    ids, lengths = character_ids(list(known), code_points, cut=cut)
    return TrainingArrays(
        tuple(trees),
        np.array(texts, dtype=np.int64),
        np.concatenate(formats),
        np.array(labels, dtype=np.int8),
        ids.astype(np.int32),
        lengths,
    )


def _training_tree(labelled: LabelledDocument, *, start: int) -> TrainingTree:
    known = truth(labelled)
    objects = known.objects or tuple(range(len(known.labels)))
    absent = {node for node, obj in enumerate(objects) if obj is None}
    index = {node: obj for node, obj in enumerate(objects) if obj is not None}
    tree = known.tree.without(absent).renumbered(index.__getitem__)
    unsure = frozenset(index[node] for node in known.pathless | known.unknown if node in index)
    return TrainingTree(labelled.id, start, tree, labelled.headings, unsure)


def data_hash(documents: Sequence[LabelledDocument]) -> str:
    """What names the training data: the documents, the files they came from and their labels."""
    digest = hashlib.sha256()
    for labelled in documents:
        labels = "".join(label.value[0] for label in labelled.labels)
        digest.update(f"{labelled.id} {labelled.source_hash} {labels} {labelled.parents}\n".encode())
    return digest.hexdigest()
