"""Training examples of the published networks: documents as arrays, windows of objects, insertion tuples.

The batches of an epoch depend only on the seed and the epoch's number. So a resumed run has the same batches,
and the processes of a distributed run agree on them.
"""

from __future__ import annotations

import hashlib
import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple, Protocol

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from held.corpus.store import LabelledDocument, truth
from held.errors import InputError
from held.hierarchy.oracle import Example, Noise, examples, noisy_examples
from held.metrics import Label
from held.paper.network_inputs import (
    EMPTY_CODE,
    FIRST_OBJECT,
    FORMAT_SIZE,
    ROOT_CODE,
    Floats,
    Ids,
    character_ids,
    format_vectors,
    position_sequence,
)
from held.paper.training.networks import HeadingBatch, PutOrSkipBatch
from held.training.settings import LoopSettings, PutOrSkipSettings, WindowSettings
from held.training.trainers import document_weights, orphan_headings
from held.tree import ROOT, Tree

HEADING, BODY, UNKNOWN = 1, 0, -1
_LABELS = {Label.HEADING: HEADING, Label.BODY: BODY, Label.UNKNOWN: UNKNOWN}


class TrainingTree(NamedTuple):
    """The true tree of a document. `start` is the index of its first object among those of the corpus."""

    id: str
    start: int
    tree: Tree
    headings: tuple[int, ...]
    unsure: frozenset[int]  # objects whose place in the tree is not known
    domain: str = ""
    astray: frozenset[int] = frozenset()  # headings whose parent is no object


@dataclass(frozen=True, slots=True)
class TrainingDocuments:
    """The N objects of a corpus as arrays; `texts` are indices into the distinct texts.

    `data_hash` identifies the documents, the files they came from and their labels.
    """

    documents: tuple[TrainingTree, ...]
    distinct: tuple[str, ...]
    texts: Ids  # (N,)
    formats: Floats  # (N, F)
    labels: NDArray[np.int8]  # (N,) HEADING, BODY or UNKNOWN
    depths: NDArray[np.int16]  # (N,) the level of a heading in the true tree, 0 for other objects
    data_hash: str


@dataclass(frozen=True, slots=True)
class TrainingArrays:
    """`TrainingDocuments` with the characters of the D distinct texts as ids."""

    documents: tuple[TrainingTree, ...]
    texts: Ids  # (N,)
    formats: Floats  # (N, F)
    labels: NDArray[np.int8]  # (N,)
    depths: NDArray[np.int16]  # (N,)
    ids: NDArray[np.int32]  # (D, T)
    lengths: Ids  # (D,)


def gather(documents: Iterable[LabelledDocument], *, cut: int) -> TrainingDocuments:
    """The documents as arrays; texts are cut to about `cut` characters. Each document is freed after use."""
    trees: list[TrainingTree] = []
    text_indices: dict[str, int] = {}
    texts: list[int] = []
    formats: list[Floats] = []
    labels: list[int] = []
    depths: list[int] = []
    digest = hashlib.sha256()
    for labelled in documents:
        trees.append(_training_tree(labelled, start=len(texts)))
        for item in labelled.document.objects:
            # White space is folded later, which shortens a text; twice the length is nearly always enough.
            beginning = item.text[: 2 * cut]
            texts.append(text_indices.setdefault(beginning, len(text_indices)))
        formats.append(format_vectors(labelled.document))
        labels += [_LABELS[label] for label in labelled.labels]
        depths += _depths(labelled)
        digest.update(f"{labelled.id} {labelled.source_hash} {labelled.labels} {labelled.parents}\n".encode())
    if not texts:
        raise InputError("no objects to train on", advice="check the training documents")
    return TrainingDocuments(
        tuple(trees),
        tuple(text_indices),
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
    """The level of each heading, 0 for other objects. Headings that are no object count as levels."""
    depths = []
    # `levels` also has those of missing headings, behind those of the objects.
    for level, label in zip(labelled.levels(), labelled.labels, strict=False):
        depths.append(level if label is Label.HEADING else 0)
    return depths


def _training_tree(labelled: LabelledDocument, *, start: int) -> TrainingTree:
    true = truth(labelled)
    objects = true.objects or tuple(range(len(true.labels)))
    missing = {node for node, obj in enumerate(objects) if obj is None}
    object_of = {node: obj for node, obj in enumerate(objects) if obj is not None}
    tree = true.tree.without(missing).renumber(object_of.__getitem__)
    unsure_nodes = true.pathless | true.unknown
    unsure = frozenset(object_of[node] for node in unsure_nodes if node in object_of)
    astray = orphan_headings(labelled)
    return TrainingTree(labelled.id, start, tree, labelled.headings, unsure, labelled.domain, astray)


class Batch(Protocol):
    """What the loss needs of a batch. A weight of 0 leaves a label out."""

    @property
    def labels(self) -> Tensor: ...

    @property
    def weights(self) -> Tensor: ...


@dataclass(frozen=True, slots=True)
class Epoch:
    """The batches of an epoch: their rows, and functions from rows to the batch and to its documents."""

    rows: list[Ids]
    make: Callable[[Ids], Batch]
    documents: Callable[[Ids], list[str]]


def in_batches(rows: Ids, size: int) -> list[Ids]:
    """The rows in batches. A last batch of less than half the size is merged with the one before.

    Otherwise it might have fewer rows than there are processes to share it.
    """
    batches = [rows[start : start + size] for start in range(0, len(rows), size)]
    if len(batches) > 1 and 2 * len(batches[-1]) < size:
        batches[-2:] = [np.concatenate(batches[-2:])]
    return batches


class TrainingTask(Protocol):
    """What the training loop needs: a network, its data and its scores.

    Everything random in an epoch is drawn from the seed and the epoch's number, so that a run can be resumed
    at any batch.
    """

    @property
    def settings(self) -> LoopSettings: ...

    @property
    def identity(self) -> dict[str, Any]:
        """The settings and the data; a checkpoint fits only if they are the same."""
        ...

    def network(self) -> nn.Module:
        """The network before its first step."""
        ...

    def epoch(self, number: int) -> Epoch: ...

    def scores(self, network: nn.Module) -> dict[str, float]:
        """The scores on the valid split, the one to select by first; empty without a valid split."""
        ...


class TrainingWindow(NamedTuple):
    """The objects from `start` to `end` of a corpus, all of one document."""

    document: int
    start: int
    end: int


def heading_epoch(arrays: TrainingArrays, settings: WindowSettings, number: int) -> Epoch:
    """The windows of an epoch in batches, labelled 1 for headings."""
    return window_epoch(arrays, settings, number, _is_heading(arrays))


def window_epoch(
    arrays: TrainingArrays, settings: WindowSettings, number: int, labels: NDArray[Any]
) -> Epoch:
    """The windows of an epoch in batches; documents are cut at other places in each epoch."""
    windows = epoch_windows(arrays, settings, number)
    order = np.random.default_rng([settings.seed, number]).permutation(len(windows))
    weights = document_weights(arrays.documents, settings)

    def document_ids(rows: Ids) -> list[str]:
        return sorted({arrays.documents[windows[row].document].id for row in rows})

    make = partial(window_batch, arrays, windows, labels, weights=weights)
    return Epoch(in_batches(order, settings.batch_size), make, document_ids)


def epoch_windows(arrays: TrainingArrays, settings: WindowSettings, number: int) -> list[TrainingWindow]:
    """Each document cut into windows, the first of which has a random length."""
    starts = [document.start for document in arrays.documents]
    ends = [*starts[1:], len(arrays.texts)]
    windows = []
    for index, (document, end) in enumerate(zip(arrays.documents, ends, strict=True)):
        rng = random.Random(f"{settings.seed} {number} {document.id}")
        is_long = end - document.start > settings.window
        # The first window starts a random distance before the document, so that each epoch cuts elsewhere.
        offset = rng.randrange(settings.window) if is_long else 0
        for start in range(document.start - offset, end, settings.window):
            first = max(start, document.start)
            last = min(start + settings.window, end)
            if first < last:
                windows.append(TrainingWindow(index, first, last))
    return windows


def heading_batch(arrays: TrainingArrays, windows: list[TrainingWindow], rows: Ids) -> HeadingBatch:
    """The batch of these windows, labelled 1 for headings."""
    return window_batch(arrays, windows, _is_heading(arrays), rows)


def _is_heading(arrays: TrainingArrays) -> NDArray[np.float32]:
    return np.asarray(arrays.labels == HEADING, dtype=np.float32)


def window_batch(
    arrays: TrainingArrays,
    windows: list[TrainingWindow],
    labels: NDArray[Any],
    rows: Ids,
    *,
    weights: Sequence[float] | None = None,
) -> HeadingBatch:
    """The batch of these windows with their distinct texts; objects with an unknown label have weight 0.

    `weights` are those of the documents; by default all are 1.
    """
    chosen = [windows[row] for row in rows]
    longest = max(window.end - window.start for window in chosen)
    shape = len(chosen), longest
    objects = np.zeros(shape, dtype=np.int64)
    mask = np.zeros(shape, dtype=np.float32)
    for row, window in enumerate(chosen):
        width = window.end - window.start
        objects[row, :width] = np.arange(window.start, window.end)
        mask[row, :width] = 1
    if weights is None:
        weights = np.ones(len(arrays.documents)).tolist()
    window_weights = np.array([weights[window.document] for window in chosen], dtype=np.float32)
    objects[mask == 0] = chosen[0].start  # padding needs a valid index; the mask hides it
    texts, text_of = np.unique(arrays.texts[objects], return_inverse=True)
    lengths = arrays.lengths[texts]
    is_known = arrays.labels[objects] != UNKNOWN
    return HeadingBatch(
        torch.from_numpy(arrays.ids[texts, : lengths.max()].astype(np.int64)),
        torch.from_numpy(lengths),
        torch.from_numpy(text_of.reshape(shape)),
        torch.from_numpy(arrays.formats[objects].reshape(*shape, FORMAT_SIZE)),
        torch.from_numpy(mask),
        torch.from_numpy(labels[objects]),
        torch.from_numpy(mask * window_weights[:, None] * is_known),
    )


class InsertionTuples(NamedTuple):
    """Sequences of codes that end with the object to insert, and labels: 1 for put, 0 for skip."""

    sequences: NDArray[np.int32]  # (M, L), padded with EMPTY_CODE
    lengths: Ids  # (M,)
    labels: NDArray[np.float32]  # (M,)
    documents: NDArray[np.int32]  # (M,)
    weights: NDArray[np.float32]  # (M,)


def put_or_skip_epoch(arrays: TrainingArrays, settings: PutOrSkipSettings, number: int) -> Epoch:
    """The tuples of an epoch in batches. Chunks of neighbouring tuples are shuffled, not single tuples."""
    tuples = epoch_tuples(arrays, settings, number)
    count = len(tuples.labels)
    chunks = np.array_split(np.arange(count), max(1, round(count / settings.chunk)))
    order = np.random.default_rng([settings.seed, number]).permutation(len(chunks))
    rows = np.concatenate([chunks[chunk] for chunk in order])
    return Epoch(
        in_batches(rows, settings.batch_size),
        partial(put_or_skip_batch, arrays, tuples),
        lambda rows: [arrays.documents[document].id for document in np.unique(tuples.documents[rows])],
    )


def epoch_tuples(arrays: TrainingArrays, settings: PutOrSkipSettings, number: int) -> InsertionTuples:
    """All tuples of an epoch; each epoch has other simulated errors."""
    sequences: list[tuple[int, ...]] = []
    labels: list[bool] = []
    documents: list[int] = []
    for index, document in enumerate(arrays.documents):
        for example in _examples(document, settings, number):
            sequences += _sequences(example, document.start, settings)
            labels += example.labels
            documents += [index] * len(example.labels)
    if not sequences:
        raise InputError("no headings to insert", advice="check the labels of the training documents")
    lengths = np.array([len(sequence) for sequence in sequences], dtype=np.int64)
    table = np.full((len(sequences), int(lengths.max())), EMPTY_CODE, dtype=np.int32)
    is_filled = np.arange(table.shape[1]) < lengths[:, None]
    table[is_filled] = np.concatenate(sequences)
    document_of_row = np.array(documents, dtype=np.int32)
    weights = np.array(document_weights(arrays.documents, settings), dtype=np.float32)
    return InsertionTuples(
        table, lengths, np.array(labels, dtype=np.float32), document_of_row, weights[document_of_row]
    )


def put_or_skip_batch(arrays: TrainingArrays, tuples: InsertionTuples, rows: Ids) -> PutOrSkipBatch:
    """The batch of these tuples, with its distinct objects and texts."""
    lengths = tuples.lengths[rows]
    sequences = tuples.sequences[rows, : lengths.max()]
    # Codes become indices into the batch's objects. The special codes are added so that they keep theirs.
    special = np.arange(FIRST_OBJECT)
    codes, local = np.unique(np.concatenate([special, sequences.ravel()]), return_inverse=True)
    objects = codes[FIRST_OBJECT:] - FIRST_OBJECT
    texts, text_of = np.unique(arrays.texts[objects], return_inverse=True)
    text_lengths = arrays.lengths[texts]
    return PutOrSkipBatch(
        torch.from_numpy(arrays.ids[texts, : text_lengths.max()].astype(np.int64)),
        torch.from_numpy(text_lengths),
        torch.from_numpy(text_of),
        torch.from_numpy(arrays.formats[objects]),
        torch.from_numpy(local[FIRST_OBJECT:].reshape(sequences.shape)),
        torch.from_numpy(lengths),
        torch.from_numpy(tuples.labels[rows]),
        torch.from_numpy(tuples.weights[rows]),
    )


class _Codes(dict[int, int]):
    """The codes of a document's objects, which begin at `start` among those of the corpus."""

    def __init__(self, start: int) -> None:
        super().__init__({ROOT: ROOT_CODE})
        self._offset = FIRST_OBJECT + start

    def __missing__(self, obj: int) -> int:
        return obj + self._offset


def _examples(document: TrainingTree, settings: PutOrSkipSettings, number: int) -> Iterator[Example]:
    """The examples of a document: from its true tree, and from one that was built with errors."""
    rng = random.Random(f"{settings.seed} {number} {document.id}")
    noise = Noise(settings.misplaced, settings.dropped, settings.false)
    passes: list[Iterable[Example]]
    if settings.two_step:
        passes = [examples(document.tree, document.headings)]
        if settings.tolerance:
            passes.append(noisy_examples(document.tree, document.headings, noise=noise, rng=rng))
    else:
        passes = [examples(document.tree)]
        if settings.tolerance:
            passes.append(examples(document.tree, misplaced=noise.misplaced, rng=rng))
    excluded = frozenset() if settings.two_step else document.unsure
    if not settings.astray:
        excluded |= document.astray
    for steps in passes:
        for example in steps:
            if example.obj not in excluded:
                yield example


def _sequences(example: Example, start: int, settings: PutOrSkipSettings) -> Iterator[tuple[int, ...]]:
    """The codes that the network reads at each position of the branch."""
    codes = _Codes(start)
    for position in example.tree.positions:
        before = position_sequence(
            position,
            codes,
            max_siblings=settings.max_siblings,
            parent=settings.parent,
            siblings=settings.siblings,
        )
        yield (*before, codes[example.obj])
