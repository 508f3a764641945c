"""The layers that both networks are made of.

Sequences are padded and run in buckets of like length, never packed: packed sequences are many times slower
on CPU. Both directions of a Bi-LSTM end at a sequence's own last element, so padding changes nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import torch
from torch import Tensor, nn

from held.paper.training.distributed import summed_over_processes


class BiLstm(nn.Module):
    """A Bi-LSTM that gives the last states of both directions, side by side."""

    def __init__(self, input_size: int, output_size: int) -> None:
        super().__init__()
        self.ahead = nn.LSTM(input_size, output_size // 2, batch_first=True)
        self.back = nn.LSTM(input_size, output_size // 2, batch_first=True)

    def forward(self, x: Tensor, lengths: Tensor) -> Tensor:
        outputs_ahead, _ = self.ahead(x)
        outputs_back, _ = self.back(turned(x, lengths))
        return torch.cat([last(outputs_ahead, lengths), last(outputs_back, lengths)], 1)


class TextEncoder(nn.Module):
    """Characters to the text vector v_x: embedding and Bi-LSTM."""

    def __init__(self, vectors: Tensor, text_size: int) -> None:
        super().__init__()
        self.embedding = nn.Embedding(len(vectors), vectors.shape[1], _weight=vectors.clone())
        self.lstm = BiLstm(vectors.shape[1], text_size)

    def forward(self, ids: Tensor, lengths: Tensor) -> Tensor:
        result: Tensor = self.lstm(self.embedding(ids), lengths)  # (B, T) -> (B, text_size)
        return result


class MaskedBatchNorm(nn.Module):
    """Batch normalisation over the real objects of padded windows, and over all processes.

    The one that torch synchronises runs on GPUs alone. Here the sums are added up over the processes, so that
    several of them compute what one would.
    """

    running_mean: Tensor
    running_variance: Tensor

    def __init__(self, channels: int, *, momentum: float = 0.1, epsilon: float = 1e-5) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.ones(channels))
        self.bias = nn.Parameter(torch.zeros(channels))
        self.register_buffer("running_mean", torch.zeros(channels))
        self.register_buffer("running_variance", torch.ones(channels))
        self.momentum, self.epsilon = momentum, epsilon

    def forward(self, x: Tensor, mask: Tensor) -> Tensor:  # (B, C, T), (B, 1, T)
        mean, variance = self.running_mean, self.running_variance
        if self.training:
            mean, variance = self._moments(x, mask)
        scale = self.weight / torch.sqrt(variance + self.epsilon)
        return (x - mean[:, None]) * scale[:, None] + self.bias[:, None]

    def _moments(self, x: Tensor, mask: Tensor) -> tuple[Tensor, Tensor]:
        """The mean and the variance of each channel, kept as running averages too."""
        real = x * mask
        over_objects = (0, 2)  # of all windows; a channel is left
        sums = [real.sum(over_objects), (real * x).sum(over_objects), mask.sum().expand(x.shape[1])]
        total, squares, count = summed_over_processes(torch.stack(sums))
        mean = total / count
        variance = (squares / count - mean**2).clamp(min=0)  # rounding may bring it below 0
        with torch.no_grad():
            self.running_mean.lerp_(mean, self.momentum)
            self.running_variance.lerp_(variance, self.momentum)
        return mean, variance


def last(x: Tensor, lengths: Tensor) -> Tensor:
    """The element at the end of each sequence: (B, T, C) -> (B, C)."""
    place = (lengths - 1).view(-1, 1, 1).expand(-1, 1, x.shape[2])
    return x.gather(1, place).squeeze(1)


def turned(x: Tensor, lengths: Tensor) -> Tensor:
    """Each sequence from its end to its start; what stands behind it does not matter."""
    ends = lengths.view(-1, 1) - 1  # (B, 1)
    places = (ends - torch.arange(x.shape[1])).clamp(min=0)  # (B, T)
    of_each_channel = places.unsqueeze(2).expand(-1, -1, x.shape[2])
    return x.gather(1, of_each_channel)


def in_buckets(
    encode: Callable[[Tensor, Tensor], Tensor], x: Tensor, lengths: Tensor, *, edges: Sequence[int]
) -> Tensor:
    """What `encode` gives for padded sequences (B, T, …), run by length so that padding stays small."""
    bucket = torch.bucketize(lengths, torch.tensor(edges))
    rows_of_buckets: list[Tensor] = []
    found: list[Tensor] = []
    for number in range(len(edges) + 1):
        rows = torch.nonzero(bucket == number).view(-1)
        if not len(rows):
            continue
        longest = int(lengths[rows].max())
        rows_of_buckets.append(rows)
        found.append(encode(x[rows, :longest], lengths[rows]))
    # Sorting the rows by number brings what was found back into their order.
    in_order = torch.argsort(torch.cat(rows_of_buckets))
    return torch.cat(found)[in_order]


def initialise(network: nn.Module, *, seed: int) -> None:
    """Draw the weights as He et al. (2015) do; biases and embeddings stay."""
    generator = torch.Generator().manual_seed(seed)
    for module in network.modules():
        if isinstance(module, nn.LSTM | nn.Linear | nn.Conv1d):
            for name, weight in module.named_parameters(recurse=False):
                if name.startswith("weight"):
                    nn.init.kaiming_uniform_(weight, generator=generator)
                else:
                    nn.init.zeros_(weight)
