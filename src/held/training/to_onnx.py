"""The networks as ONNX graphs, cut so that nothing has to be computed twice at inference.

encoder   characters of texts -> text vectors, once per object
prefix    forward states, the next objects of a position -> forward states
judge     forward states, sequences from the object back to the parent -> probability of put
labeller  vectors of neighbouring objects -> probability of heading
"""

from __future__ import annotations

import io
import warnings
from collections.abc import Mapping, Sequence

import torch
from torch import Tensor, nn

from held.models.network_inputs import FORMAT_SIZE
from held.models.store import npz_part
from held.training.embeddings import Embeddings
from held.training.headings import Headings
from held.training.layers import last
from held.training.put_or_skip import PutOrSkip
from held.training.settings import HeadingSettings

_OPSET = 17


class _Prefix(nn.Module):
    """Inputs: each strand's objects, then each strand's h and c."""

    def __init__(self, network: PutOrSkip) -> None:
        super().__init__()
        self.network = network

    def forward(self, *inputs: Tensor) -> tuple[Tensor, ...]:
        lstms = self.network.lstms()
        count = len(lstms)
        states: list[Tensor] = []
        for index, lstm in enumerate(lstms.values()):
            h, c = inputs[count + 2 * index : count + 2 * index + 2]
            states += lstm.ahead(inputs[index], (h, c))[1]
        return tuple(states)


class _Judge(nn.Module):
    """Inputs: each strand's objects from the last to the first, each strand's h and c, the lengths."""

    def __init__(self, network: PutOrSkip) -> None:
        super().__init__()
        self.network = network

    def forward(self, *inputs: Tensor) -> Tensor:
        lstms, lengths = self.network.lstms(), inputs[-1]
        count = len(lstms)
        read: list[Tensor] = []
        for index, lstm in enumerate(lstms.values()):
            x = inputs[index]  # (B, L, C)
            h, c = inputs[count + 2 * index : count + 2 * index + 2]
            blank = torch.zeros_like(h), torch.zeros_like(c)
            read += [lstm.ahead(x[:, :1], (h, c))[0][:, 0], last(lstm.back(x, blank)[0], lengths)]
        return torch.sigmoid(self.network.judge(torch.cat(read, 1))).squeeze(1)


class _Labeller(nn.Module):
    def __init__(self, network: Headings) -> None:
        super().__init__()
        self.labeller = network.labeller

    def forward(self, x: Tensor, mask: Tensor) -> Tensor:
        return torch.sigmoid(self.labeller(x, mask))


def put_or_skip_parts(network: PutOrSkip, embeddings: Embeddings) -> dict[str, bytes]:
    """The parts of a put-or-skip model."""
    lstms = network.lstms()
    names = list(lstms)
    inputs = {name: torch.zeros(2, 3, lstm.ahead.input_size) for name, lstm in lstms.items()}
    for name, lstm in lstms.items():
        for part in ("h", "c"):
            inputs[f"{name}_{part}"] = torch.zeros(1, 2, lstm.ahead.hidden_size)
    states = [name for name in inputs if name not in names]
    lengths = torch.tensor([3, 2])
    learned = {name: vectors.detach().numpy() for name, vectors in network.special.items()}
    parts = {
        "prefix.onnx": _exported(_Prefix(network), inputs, [f"{name}_after" for name in states]),
        "judge.onnx": _exported(_Judge(network), inputs | {"lengths": lengths}, ["probability"]),
        "learned.npz": npz_part({"code_points": embeddings.code_points, **learned}),
        "weights.npz": weights_part(network),
    }
    return parts | ({"encoder.onnx": _encoder(network)} if "text" in names else {})


def heading_parts(network: Headings, embeddings: Embeddings, settings: HeadingSettings) -> dict[str, bytes]:
    """The parts of a heading model."""
    inputs = {"x": torch.zeros(2, 7, settings.text_size + FORMAT_SIZE), "mask": torch.ones(2, 7)}
    return {
        "encoder.onnx": _encoder(network),
        "labeller.onnx": _exported(_Labeller(network), inputs, ["probability"]),
        "learned.npz": npz_part({"code_points": embeddings.code_points}),
        "weights.npz": weights_part(network),
    }


def weights_part(network: nn.Module) -> bytes:
    """All weights under torch's names, for fine-tuning."""
    return npz_part({name: value.detach().numpy() for name, value in network.state_dict().items()})


def _encoder(network: PutOrSkip | Headings) -> bytes:
    inputs = {"ids": torch.zeros(2, 3, dtype=torch.long), "lengths": torch.tensor([3, 2])}
    return _exported(network.encoder, inputs, ["vectors"])


def _exported(network: nn.Module, inputs: Mapping[str, Tensor], outputs: Sequence[str]) -> bytes:
    """The network as ONNX, the first two axes of what it reads free (for states the second)."""
    network.eval()
    axes = {name: {0: "rows", 1: "steps"} for name in inputs}
    axes |= {name: {1: "rows"} for name in inputs if name.endswith(("_h", "_c"))}
    axes["lengths"] = {0: "rows"}
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
            dynamic_axes={name: axes[name] for name in inputs},
            opset_version=_OPSET,
            dynamo=False,
        )
    return content.getvalue()
