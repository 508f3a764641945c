"""Training examples of the published networks: documents as arrays, windows of objects, insertion tuples.

An epoch is a list of batches drawn from a seed and the epoch's number, so that a resumed run draws the same
batches and each process of a distributed run takes its share of them.
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
from held.hierarchy.insertion.oracle import Example, Noise, examples, noisy_examples
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
    astray = orphan_headings(labelled)
    return TrainingTree(labelled.id, start, tree, labelled.headings, unsure, labelled.domain, astray)


class Batch(Protocol):
    """What every batch has. `weights` are 0 where the loss must not look."""

    @property
    def labels(self) -> Tensor: ...

    @property
    def weights(self) -> Tensor: ...


@dataclass(frozen=True, slots=True)
class Epoch:
    """The batches of an epoch: which rows each has, how to make it, and which documents it comes from."""

    rows: list[Ids]
    make: Callable[[Ids], Batch]
    documents: Callable[[Ids], list[str]]


def in_batches(rows: Ids, size: int) -> list[Ids]:
    """The rows in batches; a last one of less than half goes with the one before.

    So every batch can be shared by half as many processes as it has rows.
    """
    batches = [rows[start : start + size] for start in range(0, len(rows), size)]
    if len(batches) > 1 and 2 * len(batches[-1]) < size:
        batches[-2:] = [np.concatenate(batches[-2:])]
    return batches


class Task(Protocol):
    """What the loop needs to know of the thing that is trained.

    Whatever is random in an epoch comes from the seed and the epoch's number alone, so that a run can be
    taken up anywhere.
    """

    @property
    def settings(self) -> LoopSettings: ...

    @property
    def identity(self) -> dict[str, Any]:
        """What must be the same for a checkpoint to fit: settings and data."""
        ...

    def network(self) -> nn.Module:
        """The network before its first step."""
        ...

    def epoch(self, number: int) -> Epoch: ...

    def scores(self, network: nn.Module) -> dict[str, float]:
        """What the network is worth on valid, the measure to choose by first; nothing without valid."""
        ...


class Window(NamedTuple):
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
    """The windows of an epoch in batches; where documents are cut changes from epoch to epoch."""
    windows = epoch_windows(arrays, settings, number)
    order = np.random.default_rng([settings.seed, number]).permutation(len(windows))
    return Epoch(
        in_batches(order, settings.batch_size),
        partial(window_batch, arrays, windows, labels, weights=document_weights(arrays.documents, settings)),
        lambda rows: sorted({arrays.documents[windows[row].document].id for row in rows}),
    )


def epoch_windows(arrays: TrainingArrays, settings: WindowSettings, number: int) -> list[Window]:
    """Each document cut into windows, the first of which is short by chance."""
    starts = [document.start for document in arrays.documents]
    ends = [*starts[1:], len(arrays.texts)]
    windows = []
    for index, (document, end) in enumerate(zip(arrays.documents, ends, strict=True)):
        rng = random.Random(f"{settings.seed} {number} {document.id}")
        is_long = end - document.start > settings.window
        # The first window begins before the document, by chance, so that every epoch cuts at other places.
        cut = document.start - rng.randrange(settings.window) if is_long else document.start
        for start in range(cut, end, settings.window):
            first = max(start, document.start)
            last = min(start + settings.window, end)
            if first < last:
                windows.append(Window(index, first, last))
    return windows


def heading_batch(arrays: TrainingArrays, windows: list[Window], rows: Ids) -> HeadingBatch:
    """The batch of these windows, labelled 1 for headings."""
    return window_batch(arrays, windows, _is_heading(arrays), rows)


def _is_heading(arrays: TrainingArrays) -> NDArray[np.float32]:
    return np.asarray(arrays.labels == HEADING, dtype=np.float32)


def window_batch(
    arrays: TrainingArrays,
    windows: list[Window],
    labels: NDArray[Any],
    rows: Ids,
    *,
    weights: Sequence[float] | None = None,
) -> HeadingBatch:
    """The batch of these windows, each text in it once; objects with an unknown label do not count.

    `weights` say how much the objects of each document count; without them all count alike.
    """
    chosen = [windows[row] for row in rows]
    shape = len(chosen), max(window.end - window.start for window in chosen)
    objects = np.zeros(shape, dtype=np.int64)
    mask = np.zeros(shape, dtype=np.float32)
    for row, window in enumerate(chosen):
        width = window.end - window.start
        objects[row, :width] = np.arange(window.start, window.end)
        mask[row, :width] = 1
    counts = np.ones(len(chosen)) if weights is None else [weights[window.document] for window in chosen]
    weighed = mask * np.asarray(counts, dtype=np.float32)[:, None]
    objects[mask == 0] = chosen[0].start  # any object will do where the mask hides it
    texts, text_of = np.unique(arrays.texts[objects], return_inverse=True)
    lengths = arrays.lengths[texts]
    return HeadingBatch(
        torch.from_numpy(arrays.ids[texts, : lengths.max()].astype(np.int64)),
        torch.from_numpy(lengths),
        torch.from_numpy(text_of.reshape(shape)),
        torch.from_numpy(arrays.formats[objects].reshape(*shape, FORMAT_SIZE)),
        torch.from_numpy(mask),
        torch.from_numpy(labels[objects]),
        torch.from_numpy(weighed * (arrays.labels[objects] != UNKNOWN)),
    )


class Tuples(NamedTuple):
    """Sequences of codes, the object to insert last; label 1 for put and 0 for skip."""

    sequences: NDArray[np.int32]  # (M, L), filled with empty slots
    lengths: Ids  # (M,)
    labels: NDArray[np.float32]  # (M,)
    documents: NDArray[np.int32]  # (M,)
    weights: NDArray[np.float32]  # (M,)


def put_or_skip_epoch(arrays: TrainingArrays, settings: PutOrSkipSettings, number: int) -> Epoch:
    """The tuples of an epoch in batches of chunks, drawn by the seed and the epoch's number."""
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


def epoch_tuples(arrays: TrainingArrays, settings: PutOrSkipSettings, number: int) -> Tuples:
    """All tuples of an epoch; the errors in it are others than in the next."""
    sequences: list[tuple[int, ...]] = []
    labels: list[bool] = []
    documents: list[int] = []
    for index, document in enumerate(arrays.documents):
        for example in _examples(document, settings, number):
            own = [*_sequences(example, document.start, settings)]
            sequences += own
            labels += example.labels
            documents += [index] * len(own)
    if not sequences:
        raise InputError("no headings to insert", advice="check the labels of the training documents")
    lengths = np.array([len(sequence) for sequence in sequences], dtype=np.int64)
    table = np.full((len(sequences), int(lengths.max())), EMPTY_CODE, dtype=np.int32)
    table[np.arange(table.shape[1]) < lengths[:, None]] = np.concatenate(sequences)
    own_document = np.array(documents, dtype=np.int32)
    weights = np.array(document_weights(arrays.documents, settings), dtype=np.float32)[own_document]
    return Tuples(table, lengths, np.array(labels, dtype=np.float32), own_document, weights)


def put_or_skip_batch(arrays: TrainingArrays, tuples: Tuples, rows: Ids) -> PutOrSkipBatch:
    """The batch of these tuples: each of its objects and each of their texts stands in it once."""
    lengths = tuples.lengths[rows]
    sequences = tuples.sequences[rows, : lengths.max()]
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
    """The examples of a document: from its true tree, and from one that grew with errors."""
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
    left_out = frozenset() if settings.two_step else document.unsure
    if not settings.astray:
        left_out |= document.astray
    for found in passes:
        for example in found:
            if example.obj not in left_out:
                yield example


def _sequences(example: Example, start: int, settings: PutOrSkipSettings) -> Iterator[tuple[int, ...]]:
    """What the network reads at each position of the branch."""
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
