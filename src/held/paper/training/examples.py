"""Put/skip tuples as arrays: every position of every object in every training tree, with and without errors.

A tuple is a sequence of codes, as `held.paper.networks.sequences` has them, and a label. Neighbouring tuples
of a document stay together in chunks: they speak of the same objects, whose texts are then encoded once.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from functools import partial
from typing import NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray

from held.errors import InputError
from held.hierarchy.insertion.oracle import Example, Noise, examples, noisy_examples
from held.paper.networks.inputs import Ids
from held.paper.networks.sequences import EMPTY_CODE, FIRST_OBJECT, ROOT_CODE, position_sequence
from held.paper.training.arrays import TrainingArrays, TrainingTree
from held.paper.training.epoch import Epoch, in_batches
from held.paper.training.put_or_skip import PutOrSkipBatch
from held.training.choice import weights_of
from held.training.settings import PutOrSkipSettings
from held.tree import ROOT


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
    weights = np.array(weights_of(arrays.documents, settings), dtype=np.float32)[own_document]
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
