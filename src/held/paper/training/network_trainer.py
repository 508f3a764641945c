"""Trains the published networks and the TOC baseline: settings, data, loop, export, scores on valid."""

from __future__ import annotations

import copy
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch
from torch import Tensor, nn

from held.corpus.store import LabelledDocument, labelled_documents
from held.errors import InputError, UsageError
from held.headings.object_features import DocumentFeatures
from held.hierarchy.insertion import Strategy
from held.hierarchy.steps import find_headings
from held.models.store import FEATURES_SETTING, AnyKind, BaselineKind, Model, ModelKind
from held.paper.baselines import RuleStep, TocHeadingStep, TocNetwork
from held.paper.network_inputs import VERSION
from held.paper.training.distributed import Crew, join_crew
from held.paper.training.embeddings import Embeddings, learn_embeddings, read_embeddings, write_embeddings
from held.paper.training.examples import (
    Epoch,
    TrainingArrays,
    TrainingDocuments,
    gather,
    heading_epoch,
    put_or_skip_epoch,
    training_arrays,
    window_epoch,
)
from held.paper.training.loop import train as run_loop
from held.paper.training.networks import Headings, PutOrSkip, Toc
from held.paper.training.to_onnx import heading_parts, put_or_skip_parts, toc_parts
from held.training.settings import (
    EmbeddingSettings,
    HeadingSettings,
    PutOrSkipSettings,
    TocSettings,
    plain,
    settings_for,
    settings_from,
)
from held.training.trainers import TrainingRequest, current_commit
from held.training.validation import heading_scores, path_scores, predict_trees, put_or_skip_scores


def toc_epoch(arrays: TrainingArrays, settings: TocSettings, number: int) -> Epoch:
    """The windows of an epoch in batches, labelled with depths."""
    return window_epoch(
        arrays, settings, number, np.minimum(arrays.depths, settings.deepest).astype(np.int64)
    )


def toc_scores(model: Model, documents: Sequence[LabelledDocument], *, threads: int = 1) -> dict[str, float]:
    """The share of headings under the right path, found by the labels of depth, overall and by domain."""
    toc = TocNetwork(model, threads=threads)
    features = [DocumentFeatures(labelled.document) for labelled in documents]
    headings = find_headings(TocHeadingStep(toc), features)
    found = predict_trees(RuleStep(toc.place_by_depth), features, headings, Strategy())
    return path_scores(documents, [result.prediction for result in found])


NetworkSettings = PutOrSkipSettings | HeadingSettings | TocSettings


class _Way(NamedTuple):
    """How a kind of network is made, fed, measured and exported."""

    settings: type[NetworkSettings]
    network: Callable[[Any, Tensor], nn.Module]
    epoch: Callable[[TrainingArrays, Any, int], Epoch]
    scores: Callable[..., dict[str, float]]
    parts: Callable[[Any, Embeddings, Any], dict[str, bytes]]


_WAYS: dict[AnyKind, _Way] = {
    ModelKind.HEADINGS: _Way(HeadingSettings, Headings, heading_epoch, heading_scores, heading_parts),
    ModelKind.PUT_OR_SKIP: _Way(
        PutOrSkipSettings, PutOrSkip, put_or_skip_epoch, put_or_skip_scores, put_or_skip_parts
    ),
    BaselineKind.TOC: _Way(TocSettings, Toc, toc_epoch, toc_scores, toc_parts),
}

# What makes the network: it cannot change when one is fine-tuned.
_SHAPE = frozenset(
    {
        "text_size",
        "embedding_size",
        "text_length",
        "sequence_size",
        "format_size",
        "hidden_size",
        "max_siblings",
        "parent",
        "siblings",
        "text",
        "format",
        "kernels",
        "channels",
        "heads",
        "deepest",
    }
)
# What only says how long, or on how much, to train: a run goes on though it changes.
_FREE = frozenset({"threads", "device", "epochs", "batches", "checkpoint_every", "log_every"})


@dataclass(frozen=True, slots=True)
class NetworkTask:
    """One of the networks, its data and its settings."""

    kind: AnyKind
    preset: str
    settings: NetworkSettings
    arrays: TrainingArrays
    data_hash: str
    embeddings: Embeddings
    valid: tuple[LabelledDocument, ...]
    start: Model | None = None

    @property
    def identity(self) -> dict[str, Any]:
        """The settings and the data, without what only says how long or on how many threads to train."""
        same = {key: value for key, value in plain(self.settings).items() if key not in _FREE}
        return same | {"kind": self.kind.value, "data": self.data_hash}

    def network(self) -> nn.Module:
        """A network with weights drawn by the seed, or with those of the model to start from."""
        network = _WAYS[self.kind].network(self.settings, torch.from_numpy(self.embeddings.vectors))
        if self.start is not None:
            weights = self.start.arrays("weights.npz")
            network.load_state_dict({name: torch.from_numpy(value) for name, value in weights.items()})
        return network

    def epoch(self, number: int) -> Epoch:
        """The batches of an epoch."""
        return _WAYS[self.kind].epoch(self.arrays, self.settings, number)

    def scores(self, network: nn.Module) -> dict[str, float]:
        """What the network, exported as it would be shipped, is worth on valid."""
        if not self.valid:
            return {}
        measure = _WAYS[self.kind].scores
        return measure(self.model(network), self.valid, threads=self.settings.threads)

    def model(self, network: nn.Module, scores: Mapping[str, float] | None = None) -> Model:
        """The model file's contents."""
        if self.settings.device != "cpu":
            network = copy.deepcopy(network).cpu()  # training goes on where it is
        return Model(
            self.kind,
            self.preset,
            _WAYS[self.kind].parts(network, self.embeddings, self.settings),
            plain(self.settings) | {FEATURES_SETTING: VERSION},
            self.data_hash,
            current_commit(),
            dict(scores or {}),
        )


def train(request: TrainingRequest) -> Model | None:
    """The trained model; None in the processes that help the one that leads."""
    settings = _settings(request)
    check_device(settings.device)
    crew = join_crew(settings.device)
    task = _task(request, settings, crew)
    trained = run_loop(task, request.checkpoints, crew=crew, log=request.log)
    return task.model(trained.network, trained.scores) if crew.leads else None


def check_device(device: str) -> None:
    """Raise an error that says what to do, if the device is unknown or missing."""
    if device not in ("cpu", "cuda"):
        raise UsageError(f"no device {device}", advice="there are cpu and cuda")
    if device == "cuda" and not torch.cuda.is_available():
        raise UsageError("torch finds no CUDA device", advice="train with --device cpu")


def _task(request: TrainingRequest, settings: NetworkSettings, crew: Crew) -> NetworkTask:
    valid: list[LabelledDocument] = []
    documents = (
        labelled for labelled in _trained_on(request.data, valid) if drawn(labelled.id, settings.sample)
    )
    gathered = gather(documents, cut=settings.text_length)
    embeddings = _embeddings(request, settings, gathered, crew)
    arrays = training_arrays(gathered, embeddings.code_points, cut=settings.text_length)
    return NetworkTask(
        request.kind,
        request.preset,
        settings,
        arrays,
        gathered.data_hash,
        embeddings,
        tuple(_spread(valid, settings.valid_documents)),
        request.start,
    )


def _trained_on(folder: Path, valid: list[LabelledDocument]) -> Iterator[LabelledDocument]:
    """The documents of split train; those of split valid are added to the list on the way."""
    found = 0
    for labelled in labelled_documents(folder, splits=("train", "valid")):
        if labelled.split == "valid":
            valid.append(labelled)
        else:
            found += 1
            yield labelled
    if not found:
        advice = "`held corpus build` makes them"
        raise InputError("no labelled documents of split train", file=folder, advice=advice)


def drawn(name: str, share: float) -> bool:
    """Whether a document is of the sample: the same ones for every seed, more of them for a larger share."""
    return zlib.crc32(name.encode()) < share * 2**32


def _settings(request: TrainingRequest) -> NetworkSettings:
    """The settings asked for; a model to start from keeps its shape."""
    form = _WAYS[request.kind].settings
    settings = settings_for(
        form, request.kind.value, preset=request.preset, config=request.config, changes=request.changes
    )
    if request.start is None:
        return settings
    if "weights.npz" not in request.start.parts:
        raise UsageError(f"a model of preset {request.start.preset} cannot start a network")
    asked = {change.partition("=")[0].strip() for change in request.changes} & _SHAPE
    if asked:
        raise UsageError(f"{', '.join(sorted(asked))} cannot change in a network that is there already")
    shape = {key: value for key, value in request.start.settings.items() if key in _SHAPE}
    return settings_from(form, plain(settings) | shape)


def _embeddings(
    request: TrainingRequest, settings: NetworkSettings, gathered: TrainingDocuments, crew: Crew
) -> Embeddings:
    """The embeddings given, those of the model to start from, or new ones that the run keeps."""
    if request.start is not None:
        weights = request.start.arrays("weights.npz")
        learned = request.start.arrays("learned.npz")["code_points"]
        vectors = weights.get("encoder.embedding.weight")
        unused = torch.zeros(len(learned) + 2, settings.embedding_size).numpy()
        return Embeddings(learned, unused if vectors is None else vectors)
    if request.embeddings is not None:
        return _fitting(read_embeddings(request.embeddings), settings, request.embeddings)
    path = request.checkpoints / "embeddings.npz"
    if crew.leads and not path.exists():
        wanted = {"size": settings.embedding_size, "characters": settings.characters}
        own = settings_for(EmbeddingSettings, "embeddings", preset=request.preset, config=request.config)
        own = settings_from(EmbeddingSettings, plain(own) | wanted | {"seed": settings.seed})
        write_embeddings(path, learn_embeddings(gathered.distinct, own))
    return crew.agree_on(_fitting(read_embeddings(path), settings, path) if crew.leads else None)  # type: ignore[return-value]


def _fitting(embeddings: Embeddings, settings: NetworkSettings, path: Path) -> Embeddings:
    if embeddings.vectors.shape[1] != settings.embedding_size:
        raise UsageError(
            f"embeddings of size {embeddings.vectors.shape[1]}, not {settings.embedding_size}", file=path
        )
    return embeddings


def _spread(documents: list[LabelledDocument], most: int) -> list[LabelledDocument]:
    """So many of the documents at most, evenly from all domains; 0 for all of them."""
    if not most or len(documents) <= most:
        return documents
    ordered = sorted(documents, key=lambda labelled: (labelled.domain, labelled.id))
    return [ordered[index * len(ordered) // most] for index in range(most)]
