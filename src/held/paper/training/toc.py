"""The network of the baseline `toc`: it labels every object with its absolute depth, 0 for body.

It is the heading network without self-attention and with a logit for each depth (docs/research/baselines.md).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from torch import Tensor, nn

from held.corpus.labelled import LabelledDocument
from held.models.store import Model
from held.paper.baselines.toc import toc_predictions
from held.paper.training.arrays import TrainingArrays
from held.paper.training.epoch import Epoch
from held.paper.training.headings import Convolutions, WindowNetwork
from held.paper.training.windows import window_epoch
from held.training.settings import TocSettings
from held.training.valid import path_scores


class DepthLabeller(Convolutions):
    """Vectors of neighbouring objects to the logits of all depths."""

    def __init__(self, settings: TocSettings) -> None:
        super().__init__(settings)
        self.judge = nn.Linear(self.size, settings.deepest + 1)

    def forward(self, x: Tensor, mask: Tensor) -> Tensor:  # (B, W, C), (B, W)
        logits: Tensor = self.judge(self.convolved(x, mask))
        return logits  # (B, W, deepest + 1)


class Toc(WindowNetwork):
    """The network: windows of objects to the logits of all depths."""

    def __init__(self, settings: TocSettings, vectors: Tensor) -> None:
        super().__init__(settings, vectors, DepthLabeller(settings))


def toc_epoch(arrays: TrainingArrays, settings: TocSettings, number: int) -> Epoch:
    """The windows of an epoch in batches, labelled with depths."""
    return window_epoch(
        arrays, settings, number, np.minimum(arrays.depths, settings.deepest).astype(np.int64)
    )


def toc_scores(model: Model, documents: Sequence[LabelledDocument], *, threads: int = 1) -> dict[str, float]:
    """The share of headings under the right path, found by the labels of depth, overall and by domain."""
    found = toc_predictions(model, [labelled.document for labelled in documents], threads=threads)
    return path_scores(documents, found)
