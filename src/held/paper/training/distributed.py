"""Training of one network by several processes.

`torchrun` starts the processes and numbers them. gloo connects CPUs and NCCL connects GPUs, on one machine or
several. Every process draws the same batches and computes its share of each; gradients are averaged.
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
    """The processes of a run: this one's number, and how many there are."""

    rank: int = 0
    size: int = 1

    @property
    def leads(self) -> bool:
        """Whether this process evaluates, writes files and logs."""
        return self.rank == 0

    def share(self, rows: Any) -> Any:
        """This process's part of the rows of a batch."""
        start = len(rows) * self.rank // self.size
        end = len(rows) * (self.rank + 1) // self.size
        return rows[start:end]

    def wrap(self, network: nn.Module) -> nn.Module:
        """The network with its gradients averaged over the processes."""
        return nn.parallel.DistributedDataParallel(network) if self.size > 1 else network

    def total(self, value: float) -> float:
        """The sum of a number over the processes."""
        return float(sum_over_processes(torch.tensor(value, dtype=torch.float64)))

    def broadcast(self, value: float) -> float:
        """The leader's number, in every process."""
        number = torch.tensor(value, dtype=torch.float64)
        if self.size > 1:
            dist.broadcast(number, src=0)
        return float(number)

    def broadcast_object(self, value: T) -> T:
        """The leader's value, in every process."""
        values = [value]
        if self.size > 1:
            dist.broadcast_object_list(values, src=0)
        return values[0]


def join_crew(device: str = "cpu") -> Crew:
    """Join the processes that torchrun started, if any. The connection stays open until the process ends."""
    size = int(os.environ.get("WORLD_SIZE", "1"))
    if device == "cuda":
        torch.cuda.set_device(int(os.environ.get("LOCAL_RANK", "0")))  # "cuda" then means this one
    if size == 1:
        return Crew()
    # The connection is never closed and opened again: torchrun's store keeps addresses under the same names,
    # and a process that reads an address of the earlier connection would wait for ever.
    if not dist.is_initialized():
        # Broadcast numbers stay on the CPU; gradients are on the network's device.
        dist.init_process_group("cpu:gloo,cuda:nccl" if device == "cuda" else "gloo")
        atexit.register(dist.destroy_process_group)
    return Crew(dist.get_rank(), size)


class _Sum(torch.autograd.Function):
    """A sum over processes with a gradient: the value of each process affects the loss of all."""

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


def sum_over_processes(value: Tensor) -> Tensor:
    """The sum of a tensor over all processes."""
    if not (dist.is_available() and dist.is_initialized()):
        return value
    total: Tensor = _Sum.apply(value)  # type: ignore[no-untyped-call]
    return total
