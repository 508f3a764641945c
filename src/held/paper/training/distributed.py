"""Several processes that train one network: what they are, and how they add up.

`torchrun` starts them and says who is who; gloo connects CPUs and NCCL GPUs, on one machine or several. Every
process plans the same batches and takes its share, and gradients are those of the whole batch.
"""

from __future__ import annotations

import atexit
import os
from dataclasses import dataclass
from typing import Any, TypeVar

import torch
import torch.distributed as dist
from torch import Tensor, nn

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Crew:
    """Which process this is, of how many."""

    rank: int = 0
    size: int = 1

    @property
    def leads(self) -> bool:
        """Whether this process evaluates, writes and talks."""
        return self.rank == 0

    def share(self, rows: Any) -> Any:
        """This process's part of the rows of a batch."""
        start, end = (len(rows) * r // self.size for r in (self.rank, self.rank + 1))
        return rows[start:end]

    def wrap(self, network: nn.Module) -> nn.Module:
        """The network, its gradients averaged over the processes."""
        return nn.parallel.DistributedDataParallel(network) if self.size > 1 else network

    def total(self, value: float) -> float:
        """The sum of a number over the processes."""
        return float(summed_over_processes(torch.tensor(value, dtype=torch.float64)))

    def agree(self, value: float) -> float:
        """The leader's number, in every process."""
        told = torch.tensor(value, dtype=torch.float64)
        if self.size > 1:
            dist.broadcast(told, src=0)
        return float(told)

    def agree_on(self, value: T) -> T:
        """The leader's value, in every process."""
        told = [value]
        if self.size > 1:
            dist.broadcast_object_list(told, src=0)
        return told[0]


def join_crew(device: str = "cpu") -> Crew:
    """The crew that torchrun started, or a crew of one; the connection is kept while the process lives."""
    size = int(os.environ.get("WORLD_SIZE", "1"))
    if device == "cuda":
        torch.cuda.set_device(int(os.environ.get("LOCAL_RANK", "0")))  # "cuda" then means this one
    if size == 1:
        return Crew()
    # Never left and joined anew: where a process listens is kept under the same names in torchrun's store,
    # and who reads there the address of the connection before waits for ever.
    if not dist.is_initialized():
        # Numbers that processes agree on stay on the CPU; gradients are where the network is.
        dist.init_process_group("cpu:gloo,cuda:nccl" if device == "cuda" else "gloo")
        atexit.register(dist.destroy_process_group)
    return Crew(dist.get_rank(), size)


class _Sum(torch.autograd.Function):
    """A sum over processes that gradients pass: each process's value moves the loss of all."""

    @staticmethod
    def forward(ctx: Any, value: Tensor) -> Tensor:
        total = value.clone()
        dist.all_reduce(total)
        return total

    @staticmethod
    def backward(ctx: Any, gradient: Tensor) -> Tensor:
        total = gradient.clone()
        dist.all_reduce(total)
        return total


def summed_over_processes(value: Tensor) -> Tensor:
    """The sum of a tensor over all processes; itself where there is one."""
    if not (dist.is_available() and dist.is_initialized()):
        return value
    total: Tensor = _Sum.apply(value)  # type: ignore[no-untyped-call]
    return total
