"""The published networks in torch: text encoder, heading network, put-or-skip network and TOC labeller."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple, cast

import torch
from torch import Tensor, nn
from torch.nn import functional

from held.paper.network_inputs import FORMAT_SIZE
from held.paper.training.distributed import sum_over_processes
from held.training.settings import HeadingSettings, PutOrSkipSettings, TocSettings, WindowSettings


class BiLstm(nn.Module):
    """A Bi-LSTM whose output is the last state of both directions, side by side."""

    def __init__(self, input_size: int, output_size: int) -> None:
        super().__init__()
        self.ahead = nn.LSTM(input_size, output_size // 2, batch_first=True)
        self.back = nn.LSTM(input_size, output_size // 2, batch_first=True)

    def forward(self, x: Tensor, lengths: Tensor) -> Tensor:
        outputs_ahead, _ = self.ahead(x)
        outputs_back, _ = self.back(reverse_sequences(x, lengths))
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
    """Batch normalisation over the objects of padded windows, without the padding, and over all processes.

    `torch.nn.SyncBatchNorm` runs only on GPUs. This one also adds up the sums of CPU processes, so that
    several processes compute what one would.
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
        x = x.float()  # a variance from sums of bfloat16 would be noise
        mean, variance = self.running_mean, self.running_variance
        if self.training:
            mean, variance = self._moments(x, mask)
        scale = self.weight / torch.sqrt(variance + self.epsilon)
        return (x - mean[:, None]) * scale[:, None] + self.bias[:, None]

    def _moments(self, x: Tensor, mask: Tensor) -> tuple[Tensor, Tensor]:
        """The mean and the variance of each channel; also updates the running averages."""
        masked = x * mask
        over_objects = (0, 2)  # all dimensions but that of the channels
        total = masked.sum(over_objects)
        squares = (masked * x).sum(over_objects)
        count = mask.sum().expand(x.shape[1])
        total, squares, count = sum_over_processes(torch.stack([total, squares, count]))
        mean = total / count
        variance = (squares / count - mean**2).clamp(min=0)  # rounding errors can make it negative
        with torch.no_grad():
            self.running_mean.lerp_(mean, self.momentum)
            self.running_variance.lerp_(variance, self.momentum)
        return mean, variance


def last(x: Tensor, lengths: Tensor) -> Tensor:
    """The last element of each sequence: (B, T, C) -> (B, C)."""
    indices = (lengths - 1).view(-1, 1, 1).expand(-1, 1, x.shape[2])
    return x.gather(1, indices).squeeze(1)


def reverse_sequences(x: Tensor, lengths: Tensor) -> Tensor:
    """Each sequence from its end to its start; the padding after it is arbitrary."""
    ends = lengths.view(-1, 1) - 1  # (B, 1)
    indices = (ends - torch.arange(x.shape[1], device=x.device)).clamp(min=0)  # (B, T)
    indices_per_channel = indices.unsqueeze(2).expand(-1, -1, x.shape[2])
    return x.gather(1, indices_per_channel)


def encode_in_buckets(
    encode: Callable[[Tensor, Tensor], Tensor], x: Tensor, lengths: Tensor, *, edges: Sequence[int]
) -> Tensor:
    """The encodings of padded sequences (B, T, …); sequences of similar length share a call of `encode`.

    That saves most of the computation on padding. `edges` are the upper bounds of the lengths in a bucket.
    """
    bucket = torch.bucketize(lengths, torch.tensor(edges, device=lengths.device))
    rows_of_buckets: list[Tensor] = []
    encodings: list[Tensor] = []
    for number in range(len(edges) + 1):
        rows = torch.nonzero(bucket == number).view(-1)
        if not len(rows):
            continue
        longest = int(lengths[rows].max())
        rows_of_buckets.append(rows)
        encodings.append(encode(x[rows, :longest], lengths[rows]))
    # Sorting by row number restores the order of the input.
    order = torch.argsort(torch.cat(rows_of_buckets))
    return torch.cat(encodings)[order]


def initialise(network: nn.Module, *, seed: int) -> None:
    """Draw the weights as He et al. (2015) do; biases become 0, embeddings stay."""
    generator = torch.Generator().manual_seed(seed)
    for module in network.modules():
        if isinstance(module, nn.LSTM | nn.Linear | nn.Conv1d):
            for name, weight in module.named_parameters(recurse=False):
                if name.startswith("weight"):
                    nn.init.kaiming_uniform_(weight, generator=generator)
                else:
                    nn.init.zeros_(weight)


class HeadingBatch(NamedTuple):
    """Windows of neighbouring objects, padded. `weights` is 0 for padding and for unknown labels."""

    ids: Tensor  # (D, T)
    text_lengths: Tensor  # (D,)
    texts: Tensor  # (B, W) the row of an object's text in `ids`
    formats: Tensor  # (B, W, F)
    mask: Tensor  # (B, W) 1 for objects, 0 for padding
    labels: Tensor  # (B, W) 1 for headings; for the TOC baseline the depth
    weights: Tensor  # (B, W)


class Convolutions(nn.Module):
    """Convolutions over the vectors of neighbouring objects."""

    def __init__(self, settings: WindowSettings) -> None:
        super().__init__()
        sizes = (settings.text_size + FORMAT_SIZE, *settings.channels)
        self.convolutions = nn.ModuleList(
            nn.Conv1d(before, after, kernel, padding=kernel // 2)
            for before, after, kernel in zip(sizes, sizes[1:], settings.kernels, strict=False)
        )
        self.norms = nn.ModuleList(MaskedBatchNorm(size) for size in settings.channels)
        self.size = sizes[-1]

    def convolve(self, x: Tensor, mask: Tensor) -> Tensor:  # (B, W, C), (B, W)
        """The vectors after all layers, (B, W, size)."""
        mask = mask.unsqueeze(1)  # (B, 1, W)
        x = x.transpose(1, 2) * mask
        for convolution, norm in zip(self.convolutions, self.norms, strict=True):
            x = torch.relu(norm(convolution(x), mask)) * mask
        return x.transpose(1, 2)


class SequenceLabeller(Convolutions):
    """From the vectors of neighbouring objects to the logits of heading."""

    def __init__(self, settings: HeadingSettings) -> None:
        super().__init__(settings)
        self.heads = settings.heads
        self.attend = nn.Linear(self.size, 3 * self.size)
        self.judge = nn.Linear(self.size, 1)

    def forward(self, x: Tensor, mask: Tensor) -> Tensor:  # (B, W, C), (B, W)
        x = self.convolve(x, mask)
        logits: Tensor = self.judge(x + self._attention(x, mask))
        return logits.squeeze(2)

    def _attention(self, x: Tensor, mask: Tensor) -> Tensor:
        """Self-attention over the objects of a window."""
        parts = self.attend(x).chunk(3, 2)
        query, key, value = (part.unflatten(2, (self.heads, -1)).transpose(1, 2) for part in parts)
        bias = (1 - mask)[:, None, None, :] * -1e9  # (B, 1, 1, W): nothing attends to padding
        attended = functional.scaled_dot_product_attention(query, key, value, bias)  # (B, H, W, C / H)
        return attended.transpose(1, 2).flatten(2)


class WindowNetwork(nn.Module):
    """A text encoder and a labeller: from windows of objects to the logits of their labels."""

    def __init__(self, settings: WindowSettings, vectors: Tensor, labeller: Convolutions) -> None:
        super().__init__()
        self.encoder = TextEncoder(vectors, settings.text_size)
        self.labeller = labeller
        initialise(self, seed=settings.seed)

    def forward(self, batch: HeadingBatch) -> Tensor:
        encoded = encode_in_buckets(self.encoder, batch.ids, batch.text_lengths, edges=TEXT_EDGES)
        objects = torch.cat([encoded[batch.texts], batch.formats], 2)
        logits: Tensor = self.labeller(objects, batch.mask)
        return logits  # (B, W), or (B, W, K) for K labels


class Headings(WindowNetwork):
    """The heading network: from windows of objects to the logits of heading."""

    def __init__(self, settings: HeadingSettings, vectors: Tensor) -> None:
        super().__init__(settings, vectors, SequenceLabeller(settings))


class DepthLabeller(Convolutions):
    """From the vectors of neighbouring objects to the logits of each depth."""

    def __init__(self, settings: TocSettings) -> None:
        super().__init__(settings)
        self.judge = nn.Linear(self.size, settings.deepest + 1)

    def forward(self, x: Tensor, mask: Tensor) -> Tensor:  # (B, W, C), (B, W)
        logits: Tensor = self.judge(self.convolve(x, mask))
        return logits  # (B, W, deepest + 1)


class Toc(WindowNetwork):
    """The TOC baseline: from windows of objects to the logits of each depth."""

    def __init__(self, settings: TocSettings, vectors: Tensor) -> None:
        super().__init__(settings, vectors, DepthLabeller(settings))


TEXT_EDGES = (8, 16, 32)
_SEQUENCE_EDGES = (3, 6)


class PutOrSkipBatch(NamedTuple):
    """Inquiries about O objects with D distinct texts."""

    ids: Tensor  # (D, T)
    text_lengths: Tensor  # (D,)
    texts: Tensor  # (O,) the row of an object's text in `ids`
    formats: Tensor  # (O, F)
    sequences: Tensor  # (B, L) codes: 0 is the root, 1 the empty code, 2 and above are objects
    lengths: Tensor  # (B,)
    labels: Tensor  # (B,)
    weights: Tensor  # (B,)


class PutOrSkip(nn.Module):
    """The put-or-skip network: from inquiries to the logits of put."""

    def __init__(self, settings: PutOrSkipSettings, vectors: Tensor) -> None:
        super().__init__()
        sizes = {}
        if settings.text:
            self.encoder = TextEncoder(vectors, settings.text_size)
            sizes["text"] = (settings.text_size, settings.sequence_size)
        if settings.format:
            sizes["format"] = (FORMAT_SIZE, settings.format_size)
        self.strands = nn.ModuleDict({name: BiLstm(*size) for name, size in sizes.items()})
        # The root and the empty code are no objects; their vectors are learned.
        self.special = nn.ParameterDict({name: torch.zeros(2, size) for name, (size, _) in sizes.items()})
        output_size = sum(size for _, size in sizes.values())
        self.judge = nn.Sequential(
            nn.Linear(output_size, settings.hidden_size),
            nn.ReLU(),
            nn.Linear(settings.hidden_size, 1),
        )
        initialise(self, seed=settings.seed)
        generator = torch.Generator().manual_seed(settings.seed)
        for vector in self.special.values():
            nn.init.normal_(vector, std=0.1, generator=generator)

    def lstms(self) -> dict[str, BiLstm]:
        """The Bi-LSTM of each strand."""
        return {name: cast(BiLstm, lstm) for name, lstm in self.strands.items()}

    def forward(self, batch: PutOrSkipBatch) -> Tensor:
        rows: dict[str, Tensor] = {"format": batch.formats}
        if "text" in self.strands:
            encoded = encode_in_buckets(self.encoder, batch.ids, batch.text_lengths, edges=TEXT_EDGES)
            rows["text"] = encoded[batch.texts]
        states = []
        for name, lstm in self.lstms().items():
            vectors = torch.cat([self.special[name], rows[name]])  # (2 + O, C), by code
            sequences = vectors[batch.sequences]
            states.append(encode_in_buckets(lstm, sequences, batch.lengths, edges=_SEQUENCE_EDGES))
        logits: Tensor = self.judge(torch.cat(states, 1))
        return logits.squeeze(1)  # (B,)
