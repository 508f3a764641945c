"""What an epoch is to the training loop: rows for each batch, and how rows become a batch."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from torch import Tensor, nn

from held.paper.networks.inputs import Ids
from held.training.settings import LoopSettings


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
