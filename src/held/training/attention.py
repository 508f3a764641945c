"""The network of preset `attention` in torch: `held.hierarchy.attention` runs it in numpy.

The names of its weights are those that the numpy network asks for.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from held.headings.columns import Floats
from held.hierarchy.attention import RELATIONS, Network, Shape, normalised, relations, windows
from held.hierarchy.heading_features import OWN, HeadingFeatures
from held.hierarchy.position_features import FEATURES

_PATTERN = OWN.index("pattern")
_PATTERNS = 64  # more than there are patterns of item numbers


class Usual(NamedTuple):
    """What is usual of headings and of positions, and how far both deviate."""

    own_mean: Floats
    own_scale: Floats
    row_mean: Floats
    row_scale: Floats


class Window(NamedTuple):
    """A stretch of headings within the wider one that it is read in, and how those stand to each other."""

    start: int
    end: int
    low: int
    high: int
    related: Tensor  # (W, W, RELATIONS)


class Layer(nn.Module):
    """Attention that is biased by relations, and a small network for each heading, both with a residual."""

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
        """The headings of a window, each having read the others: (W, width)."""
        count, width = x.shape
        each = width // self.heads
        inside = self.qkv(self.norm_1(x)).view(count, 3, self.heads, each)
        q, k, v = inside.permute(1, 2, 0, 3)  # (heads, W, each) of each
        bias = self.relate(related).permute(2, 0, 1)  # (heads, W, W)
        likeness = q @ k.transpose(1, 2) / math.sqrt(each)
        attention = functional.softmax(likeness + bias, dim=2)
        taken = (attention @ v).transpose(0, 1).reshape(count, width)
        x = x + self.dropout(self.out(taken))
        between = functional.relu(self.widen(self.norm_2(x)))
        read: Tensor = x + self.dropout(self.narrow(between))
        return read


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

    def __init__(self, shape: Shape, usual: Usual, *, dropout: float, rows_hidden: float) -> None:
        super().__init__()
        self.shape, self.usual, self.rows_hidden = shape, usual, rows_hidden
        self.embed = nn.Linear(len(OWN), shape.width)
        self.pattern = nn.Embedding(_PATTERNS, shape.width)
        nn.init.normal_(self.pattern.weight, std=0.1)
        self.layers = nn.ModuleList(Layer(shape, dropout) for _ in range(shape.layers))
        self.last = nn.LayerNorm(shape.width)
        self.scorer = Scorer(shape)
        self.dropout = nn.Dropout(dropout)

    def encodings(self, outline: HeadingFeatures, read: Sequence[Window]) -> Tensor:
        """A row for each heading: (N, width)."""
        seen = normalised(outline.own, self.usual.own_mean, self.usual.own_scale)
        own = torch.from_numpy(seen)
        pattern = torch.from_numpy(outline.own[:, _PATTERN].astype(np.int64))
        encoded = []
        for window in read:
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
        seen = normalised(rows, self.usual.row_mean, self.usual.row_scale)
        features = scorer.rows(torch.from_numpy(seen))
        # Now and then the encodings must do alone: the features of pairs would say it all.
        if self.training and float(torch.rand(())) < self.rows_hidden:
            features = torch.zeros_like(features)
        sides = scorer.heading(encoded)[obj] + parents[parent] + siblings[sibling]
        hidden = functional.relu(sides + features)
        scores: Tensor = scorer.last(self.dropout(hidden))[:, 0]
        return scores

    def arrays(self) -> dict[str, Floats]:
        """The weights by name, with what is usual."""
        weights = {name: value.detach().numpy().copy() for name, value in self.state_dict().items()}
        return {**weights, **self.usual._asdict()}

    def frozen(self) -> Network:
        """The network as it runs without torch."""
        return Network(self.shape, self.arrays())


def windows_of(outline: HeadingFeatures) -> list[Window]:
    """The windows that a document is read in."""
    found = []
    for start, end, low, high in windows(len(outline.headings)):
        related = torch.from_numpy(relations(outline, low, high))
        found.append(Window(start, end, low, high, related))
    return found


def stretch_losses(scores: Tensor, right: Tensor, counts: Tensor) -> Tensor:
    """The cross-entropy of each stretch of scores; `right` are the places of the right ones."""
    stretch = torch.repeat_interleave(torch.arange(len(counts)), counts)  # of each score
    # Exponentials are taken below the highest score of a stretch, so that none is infinite.
    lowest = torch.full((len(counts),), -torch.inf)
    highest = lowest.scatter_reduce(0, stretch, scores.detach(), "amax")
    raised = torch.exp(scores - highest[stretch])
    total = torch.zeros(len(counts)).scatter_add(0, stretch, raised)
    return torch.log(total) + highest - scores[right]


def halved(arrays: Mapping[str, Floats]) -> dict[str, np.ndarray[tuple[int, ...], np.dtype[np.float16]]]:
    """The arrays in half the width, as they are stored."""
    return {name: values.astype(np.float16) for name, values in arrays.items()}
