"""The put-or-skip network of the paper's section 3.3.

An inquiry is a sequence of objects: the parent, the siblings (or an empty slot), the object to insert. One
Bi-LSTM reads their text vectors, another their format vectors; a feed-forward network judges both. Each is a
strand of its own, so that the ablations are networks without it.
"""

from __future__ import annotations

from typing import NamedTuple, cast

import torch
from torch import Tensor, nn

from held.paper.networks.inputs import FORMAT_SIZE
from held.paper.training.layers import BiLstm, TextEncoder, in_buckets, initialise
from held.training.settings import PutOrSkipSettings

TEXT_EDGES = (8, 16, 32)
_SEQUENCE_EDGES = (3, 6)


class PutOrSkipBatch(NamedTuple):
    """Inquiries about some objects. Each text stands once; 0 in a sequence is the root, 1 an empty slot."""

    ids: Tensor  # (D, T)
    text_lengths: Tensor  # (D,)
    texts: Tensor  # (O,) which text an object has
    formats: Tensor  # (O, F)
    sequences: Tensor  # (B, L) 2 and above: objects
    lengths: Tensor  # (B,)
    labels: Tensor  # (B,)
    weights: Tensor  # (B,)


class PutOrSkip(nn.Module):
    """The network: inquiries to the logits of put."""

    def __init__(self, settings: PutOrSkipSettings, vectors: Tensor) -> None:
        super().__init__()
        sizes = {}
        if settings.text:
            self.encoder = TextEncoder(vectors, settings.text_size)
            sizes["text"] = (settings.text_size, settings.sequence_size)
        if settings.format:
            sizes["format"] = (FORMAT_SIZE, settings.format_size)
        self.strands = nn.ModuleDict({name: BiLstm(*size) for name, size in sizes.items()})
        # The root and an empty slot are no objects: what stands for them is learned.
        self.special = nn.ParameterDict({name: torch.zeros(2, size) for name, (size, _) in sizes.items()})
        self.judge = nn.Sequential(
            nn.Linear(sum(size for _, size in sizes.values()), settings.hidden_size),
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
            encoded = in_buckets(self.encoder, batch.ids, batch.text_lengths, edges=TEXT_EDGES)
            rows["text"] = encoded[batch.texts]
        read = []
        for name, lstm in self.lstms().items():
            table = torch.cat([self.special[name], rows[name]])  # (2 + O, C)
            read.append(in_buckets(lstm, table[batch.sequences], batch.lengths, edges=_SEQUENCE_EDGES))
        logits: Tensor = self.judge(torch.cat(read, 1))
        return logits.squeeze(1)  # (B,)
