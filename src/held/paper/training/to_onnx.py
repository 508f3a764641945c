"""Exports the networks as ONNX graphs, cut so that inference computes nothing twice.

encoder   characters of texts -> text vectors, once per object
project   vectors of objects -> what they add to the gates of the LSTMs of both directions, once per object
ahead     forward states, the next object after each -> the forward states after these objects
inquire   forward states and sequences of positions, objects to insert -> probabilities of put
inquiry   everything that one inquiry reads -> probability of put: the whole network, as in the paper
labeller  vectors of neighbouring objects -> probability of heading, or of each depth

A forward state is stored as its cell and as what it adds to the next gates, so that scoring an object at a
position needs no product with the recurrent weights of that direction.
"""

from __future__ import annotations

import io
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial

import torch
from torch import Tensor, nn
from torch.nn import functional

from held.models.store import npz_part
from held.paper.network_inputs import FORMAT_SIZE, longest_sequence
from held.paper.training.embeddings import Embeddings
from held.paper.training.networks import Headings, PutOrSkip, Toc, WindowNetwork
from held.training.settings import HeadingSettings, PutOrSkipSettings, TocSettings, WindowSettings, plain

_OPSET = 17
_GATES = 4  # of an LSTM: input, forget, cell, output
# Inputs whose number of rows is independent of the number of inquiries.
_ROWS = ("known_added", "known_cells", "known_ahead", "known_back", "once")
# The names of the second dimension, for inputs in which it varies.
_STEPS = {"ids": "characters", "sequence": "steps", "objects": "window", "mask": "window"}


class _Strands(nn.Module):
    """One direction of a put-or-skip network: the LSTMs of all strands, run as one LSTM.

    The gates of one kind are next to each other, so that one operation computes them for all strands.
    """

    def __init__(self, network: PutOrSkip, direction: str) -> None:
        super().__init__()
        self.network = network
        self.lstms: list[nn.LSTM] = [getattr(lstm, direction) for lstm in network.lstms().values()]
        self.sizes = [lstm.hidden_size for lstm in self.lstms]

    def project(self, vectors: Sequence[Tensor]) -> Tensor:
        """What objects add to the gates."""
        strands = []
        for x, lstm in zip(vectors, self.lstms, strict=True):
            bias = lstm.get_parameter("bias_ih_l0") + lstm.get_parameter("bias_hh_l0")
            strands.append(functional.linear(x, lstm.get_parameter("weight_ih_l0"), bias))
        return self._group_gates(strands)

    def product(self, output: Tensor) -> Tensor:
        """What outputs add to the next gates."""
        strands = []
        for part, lstm in zip(torch.split(output, self.sizes, 1), self.lstms, strict=True):
            strands.append(part @ lstm.get_parameter("weight_hh_l0").T)
        return self._group_gates(strands)

    def _group_gates(self, strands: Iterable[Tensor]) -> Tensor:
        """The gates of the strands, (B, 4 H) each, grouped by kind."""
        by_kind = [strand.view(-1, _GATES, strand.shape[1] // _GATES) for strand in strands]
        return torch.cat(by_kind, 2).flatten(1)

    def step(self, gates: Tensor, cell: Tensor | None = None) -> tuple[Tensor, Tensor]:
        """The output and the cell after a step, from the inputs of the gates; the first step has no cell."""
        input_gate, forget_gate, candidate, output_gate = gates.chunk(_GATES, 1)
        added = torch.sigmoid(input_gate) * torch.tanh(candidate)
        after = added if cell is None else torch.sigmoid(forget_gate) * cell + added
        return torch.sigmoid(output_gate) * torch.tanh(after), after


class _Project(nn.Module):
    def __init__(self, network: PutOrSkip) -> None:
        super().__init__()
        self.ahead, self.back = _Strands(network, "ahead"), _Strands(network, "back")

    def forward(self, *vectors: Tensor) -> tuple[Tensor, Tensor]:
        return self.ahead.project(vectors), self.back.project(vectors)


class _Ahead(_Strands):
    def forward(self, added: Tensor, cell: Tensor, x: Tensor) -> tuple[Tensor, Tensor]:
        output, cell = self.step(added + x, cell)
        return self.product(output), cell


class _Inquire(nn.Module):
    """Probabilities of put for many inquiries. The inputs, in their order:

    added, cells     of each known forward state: what it adds to the next gates, and its cell
    ahead, back      of each object: what it adds to the gates, in both directions
    asked, states    of each inquiry: its object and its forward state, the longest sequence first
    once, of         the distinct objects of the inquiries, and the index of each inquiry's object in them
    reads            of each inquiry: the codes of its sequence, from last to first
    counts           counts[k] is the number of sequences with more than k codes
    """

    def __init__(self, network: PutOrSkip, longest: int) -> None:
        super().__init__()
        self.ahead, self.back = _Strands(network, "ahead"), _Strands(network, "back")
        self.judge = network.judge
        self.longest = longest

    def forward(self, *inputs: Tensor) -> Tensor:
        added, cells, x_ahead, x_back, asked, states, once, of, reads, counts = inputs
        ahead, _ = self.ahead.step(added[states] + x_ahead[asked], cells[states])
        # The first backward step reads only the object, so it is computed once per distinct object.
        output, cell = self.back.step(x_back[once])
        gates = self.back.product(output)[of] + x_back[reads[: counts[0], 0]]
        output, cell = self.back.step(gates, cell[of])
        # The sequences are sorted by length, so those that end at a step are the last rows.
        ended = []
        for step in range(1, self.longest):
            count = counts[step]
            ended.append(output[count:])
            gates = self.back.product(output[:count]) + x_back[reads[:count, step]]
            output, cell = self.back.step(gates, cell[:count])
        back = torch.cat([output, *reversed(ended)])
        # The trained network has the strands in order, each with its forward and then its backward state.
        outputs: list[Tensor] = []
        strands_ahead = torch.split(ahead, self.back.sizes, 1)
        strands_back = torch.split(back, self.back.sizes, 1)
        for strand_ahead, strand_back in zip(strands_ahead, strands_back, strict=True):
            outputs += [strand_ahead, strand_back]
        return torch.sigmoid(self.judge(torch.cat(outputs, 1))).squeeze(1)


class _Inquiry(nn.Module):
    """The whole network for one inquiry.

    The inputs are the sequence's codes, then the texts and their lengths if the network reads text, then the
    formats if it reads those.
    """

    def __init__(self, network: PutOrSkip) -> None:
        super().__init__()
        self.network = network

    def forward(self, sequence: Tensor, *inputs: Tensor) -> Tensor:
        rows = dict(zip(reversed(self.network.lstms()), reversed(inputs), strict=False))
        if "text" in rows:
            rows["text"] = self.network.encoder(inputs[0], inputs[1])
        states: list[Tensor] = []
        for name, lstm in self.network.lstms().items():
            vectors = torch.cat([self.network.special[name], rows[name]])  # by code
            x = vectors[sequence]  # (1, L, C)
            outputs_ahead, _ = lstm.ahead(x)
            outputs_back, _ = lstm.back(x.flip(1))
            states += [outputs_ahead[:, -1], outputs_back[:, -1]]
        return torch.sigmoid(self.network.judge(torch.cat(states, 1))).squeeze(1)


class _Labeller(nn.Module):
    def __init__(self, network: WindowNetwork, probabilities: Callable[[Tensor], Tensor]) -> None:
        super().__init__()
        self.labeller = network.labeller
        self.probabilities = probabilities

    def forward(self, x: Tensor, mask: Tensor) -> Tensor:
        return self.probabilities(self.labeller(x, mask))


def put_or_skip_parts(
    network: PutOrSkip, embeddings: Embeddings, settings: PutOrSkipSettings
) -> dict[str, bytes]:
    """The parts of a put-or-skip model."""
    lstms = network.lstms()
    size = sum(lstm.ahead.hidden_size for lstm in lstms.values())
    vectors = {name: torch.zeros(2, lstm.ahead.input_size) for name, lstm in lstms.items()}
    gates, state = torch.zeros(2, _GATES * size), torch.zeros(2, size)
    ahead = {"added": gates, "cell": state, "x": gates}
    longest = longest_sequence(plain(settings))
    learned = {name: vectors.detach().numpy() for name, vectors in network.special.items()}
    parts = {
        "project.onnx": _export(_Project(network), vectors, ["ahead", "back"]),
        "ahead.onnx": _export(_Ahead(network, "ahead"), ahead, ["added_after", "cell_after"]),
        "inquire.onnx": _export(
            _Inquire(network, longest), _inquire_inputs(gates, state, longest), ["probability"]
        ),
        "inquiry.onnx": _export(_Inquiry(network), _inquiry_inputs(network), ["probability"]),
        "learned.npz": npz_part({"code_points": embeddings.code_points, **learned}),
        "weights.npz": weights_part(network),
    }
    if "text" in lstms:
        parts["encoder.onnx"] = _encoder(network)
    return parts


def _inquire_inputs(gates: Tensor, state: Tensor, longest: int) -> dict[str, Tensor]:
    """Example inputs for the exporter: two inquiries about each of two objects."""
    four = torch.tensor([0, 0, 1, 1])
    return {
        "known_added": gates,
        "known_cells": state,
        "known_ahead": gates,
        "known_back": gates,
        "asked": four,
        "states": four,
        "once": torch.tensor([0, 1]),
        "of": four,
        "reads": torch.zeros(4, longest, dtype=torch.long),
        "counts": torch.tensor([4, *range(3, 0, -1), *[0] * longest][:longest]),
    }


def _inquiry_inputs(network: PutOrSkip) -> dict[str, Tensor]:
    inputs = {"sequence": torch.tensor([[0, 1, 2, 3]])}
    if "text" in network.lstms():
        inputs |= {"ids": torch.zeros(2, 3, dtype=torch.long), "lengths": torch.tensor([3, 2])}
    if "format" in network.lstms():
        inputs["formats"] = torch.zeros(2, FORMAT_SIZE)
    return inputs


def heading_parts(network: Headings, embeddings: Embeddings, settings: HeadingSettings) -> dict[str, bytes]:
    """The parts of a heading model."""
    return _window_parts(network, _Labeller(network, torch.sigmoid), embeddings, settings)


def toc_parts(network: Toc, embeddings: Embeddings, settings: TocSettings) -> dict[str, bytes]:
    """The parts of a model that labels depths."""
    return _window_parts(network, _Labeller(network, partial(torch.softmax, dim=2)), embeddings, settings)


def _window_parts(
    network: WindowNetwork, labeller: nn.Module, embeddings: Embeddings, settings: WindowSettings
) -> dict[str, bytes]:
    inputs = {"objects": torch.zeros(2, 7, settings.text_size + FORMAT_SIZE), "mask": torch.ones(2, 7)}
    return {
        "encoder.onnx": _encoder(network),
        "labeller.onnx": _export(labeller, inputs, ["probability"]),
        "learned.npz": npz_part({"code_points": embeddings.code_points}),
        "weights.npz": weights_part(network),
    }


def weights_part(network: nn.Module) -> bytes:
    """All weights under torch's names, for fine-tuning."""
    return npz_part({name: value.detach().numpy() for name, value in network.state_dict().items()})


def _encoder(network: PutOrSkip | WindowNetwork) -> bytes:
    inputs = {"ids": torch.zeros(2, 3, dtype=torch.long), "lengths": torch.tensor([3, 2])}
    return _export(network.encoder, inputs, ["vectors"])


def _export(network: nn.Module, inputs: Mapping[str, Tensor], outputs: Sequence[str]) -> bytes:
    """The network as ONNX. The number of rows, and of steps if an input has them, is left open."""
    network.eval()
    axes: dict[str, dict[int, str]] = {}
    for name in inputs:
        if name == "counts":  # has one number per step, and the steps are unrolled
            continue
        axes[name] = {0: name if name in _ROWS else "rows"}
        if name in _STEPS:
            axes[name][1] = _STEPS[name]
    content = io.BytesIO()
    with warnings.catch_warnings(), torch.no_grad():
        # torch warns that this exporter, which traces, is deprecated. The new one needs another package.
        warnings.simplefilter("ignore")
        torch.onnx.export(
            network,
            tuple(inputs.values()),
            content,  # type: ignore[arg-type]  # it takes any file object
            input_names=list(inputs),
            output_names=list(outputs),
            dynamic_axes=axes,
            opset_version=_OPSET,
            dynamo=False,
        )
    return content.getvalue()
