"""The heading network of the paper's sections 3.5.2 and 4.5.

Each object is its text vector and its format vector; nine convolutions over the sequence of objects, some of
width one (network in network), each with batch normalisation and ReLU; self-attention; one logit per object.
"""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor, nn
from torch.nn import functional

from held.paper.networks.inputs import FORMAT_SIZE
from held.paper.training.layers import MaskedBatchNorm, TextEncoder, in_buckets, initialise
from held.paper.training.put_or_skip import TEXT_EDGES
from held.training.settings import HeadingSettings, WindowSettings


class HeadingBatch(NamedTuple):
    """Windows of neighbouring objects, padded. `weights` is 0 for padding and for unknown labels."""

    ids: Tensor  # (D, T)
    text_lengths: Tensor  # (D,)
    texts: Tensor  # (B, W) which text an object has
    formats: Tensor  # (B, W, F)
    mask: Tensor  # (B, W) 1 for objects
    labels: Tensor  # (B, W) 1 for headings; for the baseline that labels depths, the depth
    weights: Tensor  # (B, W)


class Convolutions(nn.Module):
    """Vectors of neighbouring objects to vectors that know their neighbours."""

    def __init__(self, settings: WindowSettings) -> None:
        super().__init__()
        sizes = (settings.text_size + FORMAT_SIZE, *settings.channels)
        self.convolutions = nn.ModuleList(
            nn.Conv1d(before, after, kernel, padding=kernel // 2)
            for before, after, kernel in zip(sizes, sizes[1:], settings.kernels, strict=False)
        )
        self.norms = nn.ModuleList(MaskedBatchNorm(size) for size in settings.channels)
        self.size = sizes[-1]

    def convolved(self, x: Tensor, mask: Tensor) -> Tensor:  # (B, W, C), (B, W)
        """The vectors after all layers, (B, W, size)."""
        real = mask.unsqueeze(1)  # (B, 1, W)
        x = x.transpose(1, 2) * real
        for convolution, norm in zip(self.convolutions, self.norms, strict=True):
            x = torch.relu(norm(convolution(x), real)) * real
        return x.transpose(1, 2)


class SequenceLabeller(Convolutions):
    """Vectors of neighbouring objects to the logits of heading."""

    def __init__(self, settings: HeadingSettings) -> None:
        super().__init__(settings)
        self.heads = settings.heads
        self.attend = nn.Linear(self.size, 3 * self.size)
        self.judge = nn.Linear(self.size, 1)

    def forward(self, x: Tensor, mask: Tensor) -> Tensor:  # (B, W, C), (B, W)
        x = self.convolved(x, mask)
        logits: Tensor = self.judge(x + self._attention(x, mask))
        return logits.squeeze(2)

    def _attention(self, x: Tensor, mask: Tensor) -> Tensor:
        """What each object takes from the others of its window."""
        query, key, value = (
            part.unflatten(2, (self.heads, -1)).transpose(1, 2) for part in self.attend(x).chunk(3, 2)
        )
        hidden = (1 - mask)[:, None, None, :] * -1e9  # (B, 1, 1, W)
        found = functional.scaled_dot_product_attention(query, key, value, hidden)  # (B, H, W, C / H)
        return found.transpose(1, 2).flatten(2)


class WindowNetwork(nn.Module):
    """Windows of objects to what the labeller says of them."""

    def __init__(self, settings: WindowSettings, vectors: Tensor, labeller: Convolutions) -> None:
        super().__init__()
        self.encoder = TextEncoder(vectors, settings.text_size)
        self.labeller = labeller
        initialise(self, seed=settings.seed)

    def forward(self, batch: HeadingBatch) -> Tensor:
        encoded = in_buckets(self.encoder, batch.ids, batch.text_lengths, edges=TEXT_EDGES)
        logits: Tensor = self.labeller(torch.cat([encoded[batch.texts], batch.formats], 2), batch.mask)
        return logits  # (B, W), or (B, W, K) for K labels


class Headings(WindowNetwork):
    """The network: windows of objects to the logits of heading."""

    def __init__(self, settings: HeadingSettings, vectors: Tensor) -> None:
        super().__init__(settings, vectors, SequenceLabeller(settings))
