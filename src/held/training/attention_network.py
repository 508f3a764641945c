"""The network of preset `attention` in torch; `held.hierarchy.attention` runs it in numpy.

The weights have the names that the numpy network expects.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from held.headings.columns import Floats
from held.hierarchy.attention import RELATIONS, Network, Shape, normalised, relations, windows
from held.hierarchy.heading_features import OWN, HeadingFeatures
from held.hierarchy.position_features import FEATURES

_PATTERN = OWN.index("pattern")
_PATTERNS = 64  # more than there are patterns of item numbers


class FeatureScales(NamedTuple):
    """Mean and standard deviation of the features of headings (own) and of positions (row)."""

    own_mean: Floats
    own_scale: Floats
    row_mean: Floats
    row_scale: Floats


class Window(NamedTuple):
    """The headings start..end to encode, and the wider range low..high that attention sees."""

    start: int
    end: int
    low: int
    high: int
    related: Tensor  # the relations of each pair: (W, W, RELATIONS)


class Layer(nn.Module):
    """A transformer layer: attention biased by relations, then a feed-forward network, both residual."""

    def __init__(self, shape: Shape, dropout: float) -> None:
        super().__init__()
        self.heads = shape.heads
        self.norm_1 = nn.LayerNorm(shape.width)
        self.qkv = nn.Linear(shape.width, 3 * shape.width)
        self.relate = nn.Linear(len(RELATIONS), shape.heads, bias=False)
        self.out = nn.Linear(shape.width, shape.width)
        self.norm_2 = nn.LayerNorm(shape.width)
        self.widen = nn.Linear(shape.width, shape.between)
        self.narrow = nn.Linear(shape.between, shape.width)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x: Tensor, related: Tensor) -> Tensor:
        """The encodings of a window's headings after attention to each other: (W, width)."""
        count, width = x.shape
        each = width // self.heads
        inside = self.qkv(self.norm_1(x)).view(count, 3, self.heads, each)
        q, k, v = inside.permute(1, 2, 0, 3)  # (heads, W, each) of each
        bias = self.relate(related).permute(2, 0, 1)  # (heads, W, W)
        similarity = q @ k.transpose(1, 2) / math.sqrt(each)
        attention = functional.softmax(similarity + bias, dim=2)
        mixed = (attention @ v).transpose(0, 1).reshape(count, width)
        x = x + self.dropout(self.out(mixed))
        between = functional.relu(self.widen(self.norm_2(x)))
        encoded: Tensor = x + self.dropout(self.narrow(between))
        return encoded


class Scorer(nn.Module):
    """The layers that score a position from its three headings and its features."""

    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self.heading = nn.Linear(shape.width, shape.scorer)
        self.parent = nn.Linear(shape.width, shape.scorer)
        self.sibling = nn.Linear(shape.width, shape.scorer)
        self.rows = nn.Linear(len(FEATURES), shape.scorer)
        self.last = nn.Linear(shape.scorer, 1)
        self.root = nn.Parameter(torch.zeros(shape.scorer))
        self.nobody = nn.Parameter(torch.zeros(shape.scorer))


class AttentionNetwork(nn.Module):
    """All headings of a document in, a score for each position out."""

    def __init__(self, shape: Shape, scales: FeatureScales, *, dropout: float, rows_hidden: float) -> None:
        super().__init__()
        self.shape, self.scales, self.rows_hidden = shape, scales, rows_hidden
        self.embed = nn.Linear(len(OWN), shape.width)
        self.pattern = nn.Embedding(_PATTERNS, shape.width)
        nn.init.normal_(self.pattern.weight, std=0.1)
        self.layers = nn.ModuleList(Layer(shape, dropout) for _ in range(shape.layers))
        self.last = nn.LayerNorm(shape.width)
        self.scorer = Scorer(shape)
        self.dropout = nn.Dropout(dropout)

    def encodings(self, outline: HeadingFeatures, every: Sequence[Window]) -> Tensor:
        """The encoding of each heading: (N, width)."""
        scaled = normalised(outline.own, self.scales.own_mean, self.scales.own_scale)
        own = torch.from_numpy(scaled)
        pattern = torch.from_numpy(outline.own[:, _PATTERN].astype(np.int64))
        encoded = []
        for window in every:
            span = slice(window.low, window.high)
            x = self.embed(own[span]) + self.pattern(pattern[span])
            for layer in self.layers:
                x = layer(x, window.related)
            inner = slice(window.start - window.low, window.end - window.low)
            encoded.append(self.last(x)[inner])
        return torch.cat(encoded)

    def forward(self, encoded: Tensor, obj: Tensor, parent: Tensor, sibling: Tensor, rows: Floats) -> Tensor:
        """The score of each position: (N,)."""
        scorer = self.scorer
        parents = torch.cat([scorer.parent(encoded), scorer.root[None]])
        siblings = torch.cat([scorer.sibling(encoded), scorer.nobody[None]])
        scaled = normalised(rows, self.scales.row_mean, self.scales.row_scale)
        features = scorer.rows(torch.from_numpy(scaled))
        # Sometimes the features of pairs are hidden; otherwise the network would rely on them alone.
        if self.training and float(torch.rand(())) < self.rows_hidden:
            features = torch.zeros_like(features)
        sides = scorer.heading(encoded)[obj] + parents[parent] + siblings[sibling]
        hidden = functional.relu(sides + features)
        scores: Tensor = scorer.last(self.dropout(hidden))[:, 0]
        return scores

    def arrays(self) -> dict[str, Floats]:
        """The weights and the feature scales by name."""
        weights = {name: value.detach().numpy().copy() for name, value in self.state_dict().items()}
        return {**weights, **self.scales._asdict()}

    def to_numpy(self) -> Network:
        """The network as it runs without torch."""
        return Network(self.shape, self.arrays())


def attention_windows(outline: HeadingFeatures) -> list[Window]:
    """The windows of a document: attention over all headings at once would be too much memory."""
    found = []
    for start, end, low, high in windows(len(outline.headings)):
        related = torch.from_numpy(relations(outline, low, high))
        found.append(Window(start, end, low, high, related))
    return found


def segment_losses(scores: Tensor, right: Tensor, counts: Tensor) -> Tensor:
    """The cross-entropy of each segment of competing scores; `right` are the indices of the right ones."""
    segment = torch.repeat_interleave(torch.arange(len(counts)), counts)  # of each score
    # The highest score of a segment is subtracted first, so that no exponential overflows.
    lowest = torch.full((len(counts),), -torch.inf)
    highest = lowest.scatter_reduce(0, segment, scores.detach(), "amax")
    raised = torch.exp(scores - highest[segment])
    total = torch.zeros(len(counts)).scatter_add(0, segment, raised)
    return torch.log(total) + highest - scores[right]


def to_half_precision(arrays: Mapping[str, Floats]) -> dict[str, NDArray[np.float16]]:
    """The arrays as 16-bit floats, which is how they are stored."""
    return {name: values.astype(np.float16) for name, values in arrays.items()}
