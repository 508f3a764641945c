"""The networks as ONNX graphs, cut so that nothing has to be computed twice at inference.

encoder   characters of texts -> text vectors, once per object
project   vectors of objects -> what they add to the gates of the LSTMs of both directions, once per object
ahead     positions' forward states, the next object at each -> their forward states
inquire   positions' forward states and sequences, the objects to insert -> probabilities of put
inquiry   all that one inquiry sees -> probability of put: the whole network, the paper's way
labeller  vectors of neighbouring objects -> probability of heading, or of each depth

A forward state is kept as the cell and as what it adds to the next gates, so that judging an object against a
position needs no product with the recurrent weights in that direction.
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
_GATES = 4  # of an LSTM: enter, forget, new, leave
_ROWS = ("known_added", "known_cells", "known_ahead", "known_back", "once")  # inputs with rows of their own


class _Strands(nn.Module):
    """One direction of a put-or-skip network: the LSTMs of all strands, which run side by side.

    Their gates stand together by kind, so that a step is taken for all of them at once.
    """

    def __init__(self, network: PutOrSkip, direction: str) -> None:
        super().__init__()
        self.network = network
        self.lstms: list[nn.LSTM] = [getattr(lstm, direction) for lstm in network.lstms().values()]
        self.sizes = [lstm.hidden_size for lstm in self.lstms]

    def projected(self, vectors: Sequence[Tensor]) -> Tensor:
        """What objects add to the gates."""
        return self._gates(
            functional.linear(
                x,
                lstm.get_parameter("weight_ih_l0"),
                lstm.get_parameter("bias_ih_l0") + lstm.get_parameter("bias_hh_l0"),
            )
            for x, lstm in zip(vectors, self.lstms, strict=True)
        )

    def product(self, output: Tensor) -> Tensor:
        """What outputs add to the next gates."""
        outputs = zip(torch.split(output, self.sizes, 1), self.lstms, strict=True)
        return self._gates(part @ lstm.get_parameter("weight_hh_l0").T for part, lstm in outputs)

    def _gates(self, strands: Iterable[Tensor]) -> Tensor:
        """The gates of the strands, (B, 4 H) each, by kind."""
        by_kind = [strand.view(-1, _GATES, strand.shape[1] // _GATES) for strand in strands]
        return torch.cat(by_kind, 2).flatten(1)

    def step(self, gates: Tensor, cell: Tensor | None = None) -> tuple[Tensor, Tensor]:
        """The outputs and the cells after a step, from the sums that go into the gates; the first without."""
        enter, forget, new, leave = gates.chunk(_GATES, 1)
        entered = torch.sigmoid(enter) * torch.tanh(new)
        after = entered if cell is None else torch.sigmoid(forget) * cell + entered
        return torch.sigmoid(leave) * torch.tanh(after), after


class _Project(nn.Module):
    def __init__(self, network: PutOrSkip) -> None:
        super().__init__()
        self.ahead, self.back = _Strands(network, "ahead"), _Strands(network, "back")

    def forward(self, *vectors: Tensor) -> tuple[Tensor, Tensor]:
        return self.ahead.projected(vectors), self.back.projected(vectors)


class _Ahead(_Strands):
    def forward(self, added: Tensor, cell: Tensor, x: Tensor) -> tuple[Tensor, Tensor]:
        output, cell = self.step(added + x, cell)
        return self.product(output), cell


class _Inquire(nn.Module):
    """Inputs: what forward states add to the gates, and their cells; what objects add, in both directions.
    For each inquiry its object and its forward state, the longest sequence first; the objects without
    repeats, and which of them each inquiry is about; the sequences, from the last code to the first, and how
    many of them are longer than each number of steps.
    """

    def __init__(self, network: PutOrSkip, longest: int) -> None:
        super().__init__()
        self.ahead, self.back = _Strands(network, "ahead"), _Strands(network, "back")
        self.judge = network.judge
        self.longest = longest

    def forward(self, *inputs: Tensor) -> Tensor:
        added, cells, x_ahead, x_back, asked, states, once, of, reads, counts = inputs
        ahead, _ = self.ahead.step(added[states] + x_ahead[asked], cells[states])
        # The first step and its product are the object's alone.
        output, cell = self.back.step(x_back[once])
        output, cell = self.back.step(self.back.product(output)[of] + x_back[reads[: counts[0], 0]], cell[of])
        ended = []
        for step in range(1, self.longest):
            count = counts[step]
            ended.append(output[count:])
            gates = self.back.product(output[:count]) + x_back[reads[:count, step]]
            output, cell = self.back.step(gates, cell[:count])
        back = torch.cat([output, *reversed(ended)])
        both = [torch.split(direction, self.back.sizes, 1) for direction in (ahead, back)]
        read = torch.cat([direction for strand in zip(*both, strict=True) for direction in strand], 1)
        return torch.sigmoid(self.judge(read)).squeeze(1)


class _Inquiry(nn.Module):
    """Inputs: the sequence's codes, texts and their lengths, formats, where the network has them."""

    def __init__(self, network: PutOrSkip) -> None:
        super().__init__()
        self.network = network

    def forward(self, sequence: Tensor, *inputs: Tensor) -> Tensor:
        rows = dict(zip(reversed(self.network.lstms()), reversed(inputs), strict=False))
        if "text" in rows:
            rows["text"] = self.network.encoder(inputs[0], inputs[1])
        read: list[Tensor] = []
        for name, lstm in self.network.lstms().items():
            x = torch.cat([self.network.special[name], rows[name]])[sequence]  # (1, L, C)
            read += [lstm.ahead(x)[0][:, -1], lstm.back(x.flip(1))[0][:, -1]]
        return torch.sigmoid(self.network.judge(torch.cat(read, 1))).squeeze(1)


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
        "project.onnx": _exported(_Project(network), vectors, ["ahead", "back"]),
        "ahead.onnx": _exported(_Ahead(network, "ahead"), ahead, ["added_after", "cell_after"]),
        "inquire.onnx": _exported(
            _Inquire(network, longest), _inquire_inputs(gates, state, longest), ["probability"]
        ),
        "inquiry.onnx": _exported(_Inquiry(network), _inquiry_inputs(network), ["probability"]),
        "learned.npz": npz_part({"code_points": embeddings.code_points, **learned}),
        "weights.npz": weights_part(network),
    }
    return parts | ({"encoder.onnx": _encoder(network)} if "text" in lstms else {})


def _inquire_inputs(gates: Tensor, state: Tensor, longest: int) -> dict[str, Tensor]:
    """Two inquiries about each of two objects, in all forms that the rows of an input can have."""
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
        "labeller.onnx": _exported(labeller, inputs, ["probability"]),
        "learned.npz": npz_part({"code_points": embeddings.code_points}),
        "weights.npz": weights_part(network),
    }


def weights_part(network: nn.Module) -> bytes:
    """All weights under torch's names, for fine-tuning."""
    return npz_part({name: value.detach().numpy() for name, value in network.state_dict().items()})


def _encoder(network: PutOrSkip | WindowNetwork) -> bytes:
    inputs = {"ids": torch.zeros(2, 3, dtype=torch.long), "lengths": torch.tensor([3, 2])}
    return _exported(network.encoder, inputs, ["vectors"])


def _exported(network: nn.Module, inputs: Mapping[str, Tensor], outputs: Sequence[str]) -> bytes:
    """The network as ONNX; rows, and steps where there are some, may be as many as one likes."""
    network.eval()
    steps = {"ids": "characters", "sequence": "steps", "objects": "window", "mask": "window"}
    axes = {
        name: {0: name if name in _ROWS else "rows"} | ({1: steps[name]} if name in steps else {})
        for name in inputs
        if name != "counts"
    }
    content = io.BytesIO()
    with warnings.catch_warnings(), torch.no_grad():
        # The exporter by tracing is said to be of yesterday; the new one needs another package.
        warnings.simplefilter("ignore")
        torch.onnx.export(
            network,
            tuple(inputs.values()),
            content,  # type: ignore[arg-type]  # it takes what can be written to
            input_names=list(inputs),
            output_names=list(outputs),
            dynamic_axes=axes,
            opset_version=_OPSET,
            dynamo=False,
        )
    return content.getvalue()
