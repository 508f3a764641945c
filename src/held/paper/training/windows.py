"""Windows of neighbouring objects: the heading network's training rows."""

from __future__ import annotations

import random
from collections.abc import Sequence
from functools import partial
from typing import Any, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray

from held.paper.networks.inputs import FORMAT_SIZE, Ids
from held.paper.training.arrays import HEADING, UNKNOWN, TrainingArrays
from held.paper.training.epoch import Epoch, in_batches
from held.paper.training.headings import HeadingBatch
from held.training.choice import weights_of
from held.training.settings import WindowSettings


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
        partial(window_batch, arrays, windows, labels, weights=weights_of(arrays.documents, settings)),
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
