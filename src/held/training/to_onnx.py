"""The networks as ONNX graphs, cut so that nothing has to be computed twice at inference.

encoder   characters of texts -> text vectors, once per object
project   vectors of objects -> what they add to the gates of the LSTMs of both directions, once per object
ahead     a position's forward state, the next object at the position -> its forward state
begin     objects, the last siblings at their positions -> backward states after both
back      backward states, the next objects towards the parent -> backward states
judge     a position's forward state, the object to insert, its backward states -> probability of put
inquiry   all that one inquiry sees -> probability of put: the whole network, the paper's way
labeller  vectors of neighbouring objects -> probability of heading, or of each depth

A forward state is kept as the cell and as what it adds to the next gates, so that judging an object against a
position needs no product with the recurrent weights in that direction.
"""

from __future__ import annotations

import io
import warnings
from collections.abc import Callable, Mapping, Sequence
from functools import partial

import torch
from torch import Tensor, nn
from torch.nn import functional

from held.models.network_inputs import FORMAT_SIZE
from held.models.store import npz_part
from held.training.embeddings import Embeddings
from held.training.headings import Headings, WindowNetwork
from held.training.put_or_skip import PutOrSkip
from held.training.settings import HeadingSettings, TocSettings, WindowSettings
from held.training.toc import Toc

_OPSET = 17


class _Strands(nn.Module):
    """A part of a put-or-skip network: one direction of all strands, which run side by side.

    Gates and states stand strand by strand, so that one row holds all that is known of an object or position.
    """

    def __init__(self, network: PutOrSkip, direction: str) -> None:
        super().__init__()
        self.network = network
        self.lstms: list[nn.LSTM] = [getattr(lstm, direction) for lstm in network.lstms().values()]
        self.sizes = [lstm.hidden_size for lstm in self.lstms]

    def projected(self, vectors: Sequence[Tensor]) -> Tensor:
        """What objects add to the gates."""
        gates = []
        for x, lstm in zip(vectors, self.lstms, strict=True):
            bias = lstm.get_parameter("bias_ih_l0") + lstm.get_parameter("bias_hh_l0")
            gates.append(functional.linear(x, lstm.get_parameter("weight_ih_l0"), bias))
        return torch.cat(gates, 1)

    def product(self, output: Tensor) -> Tensor:
        """What outputs add to the next gates."""
        outputs = zip(torch.split(output, self.sizes, 1), self.lstms, strict=True)
        return torch.cat([part @ lstm.get_parameter("weight_hh_l0").T for part, lstm in outputs], 1)

    def step(self, gates: Tensor, cell: Tensor | None = None) -> tuple[Tensor, Tensor]:
        """The outputs and the cells after a step, from the sums that go into the gates; the first without."""
        parts = torch.split(gates, [4 * size for size in self.sizes], 1)
        cells = [None] * len(parts) if cell is None else torch.split(cell, self.sizes, 1)
        outputs, after = zip(*map(_step, parts, cells), strict=True)
        return torch.cat(outputs, 1), torch.cat(after, 1)


def _step(gates: Tensor, cell: Tensor | None) -> tuple[Tensor, Tensor]:
    """The output and the cell of an LSTM after a step."""
    enter, forget, new, leave = gates.chunk(4, 1)
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


class _Begin(_Strands):
    """The first step and its product are the object's alone: `of` says whose they are in the second."""

    def forward(self, once: Tensor, of: Tensor, second: Tensor) -> tuple[Tensor, Tensor]:
        output, cell = self.step(once)
        return self.step(self.product(output)[of] + second, cell[of])


class _Back(_Strands):
    def forward(self, output: Tensor, cell: Tensor, x: Tensor) -> tuple[Tensor, Tensor]:
        return self.step(self.product(output) + x, cell)


class _Judge(_Strands):
    def forward(self, added: Tensor, cell: Tensor, x: Tensor, back: Tensor) -> Tensor:
        ahead = self.step(added + x, cell)[0]
        pairs = zip(torch.split(ahead, self.sizes, 1), torch.split(back, self.sizes, 1), strict=True)
        read = torch.cat([direction for strand in pairs for direction in strand], 1)
        return torch.sigmoid(self.network.judge(read)).squeeze(1)


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


def put_or_skip_parts(network: PutOrSkip, embeddings: Embeddings) -> dict[str, bytes]:
    """The parts of a put-or-skip model."""
    lstms = network.lstms()
    size = sum(lstm.ahead.hidden_size for lstm in lstms.values())
    vectors = {name: torch.zeros(2, lstm.ahead.input_size) for name, lstm in lstms.items()}
    gates, state = torch.zeros(2, 4 * size), torch.zeros(2, size)
    ahead = {"added": gates, "cell": state, "x": gates}
    begin = {"once": gates, "of": torch.tensor([0, 0]), "second": gates}
    back = {"output": state, "cell": state, "x": gates}
    learned = {name: vectors.detach().numpy() for name, vectors in network.special.items()}
    parts = {
        "project.onnx": _exported(_Project(network), vectors, ["ahead", "back"]),
        "ahead.onnx": _exported(_Ahead(network, "ahead"), ahead, ["added_after", "cell_after"]),
        "begin.onnx": _exported(_Begin(network, "back"), begin, ["output", "cell"]),
        "back.onnx": _exported(_Back(network, "back"), back, ["output_after", "cell_after"]),
        "judge.onnx": _exported(_Judge(network, "ahead"), ahead | {"back": state}, ["probability"]),
        "inquiry.onnx": _exported(_Inquiry(network), _inquiry_inputs(network), ["probability"]),
        "learned.npz": npz_part({"code_points": embeddings.code_points, **learned}),
        "weights.npz": weights_part(network),
    }
    return parts | ({"encoder.onnx": _encoder(network)} if "text" in lstms else {})


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
        name: {0: "fewer" if name == "once" else "rows"} | ({1: steps[name]} if name in steps else {})
        for name in inputs
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
