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
from held.hierarchy.pipeline import find_headings
from held.models.store import FEATURES_SETTING, AnyKind, BaselineKind, Model, ModelKind
from held.paper.baselines import RuleStep, TocHeadingStep, TocNetwork
from held.paper.network_inputs import FIRST_CHARACTER, VERSION
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
from held.training.evaluation import heading_scores, path_scores, predict_trees, put_or_skip_scores
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


def toc_epoch(arrays: TrainingArrays, settings: TocSettings, number: int) -> Epoch:
    """The windows of an epoch in batches, labelled with depths."""
    depths = np.minimum(arrays.depths, settings.deepest).astype(np.int64)
    return window_epoch(arrays, settings, number, depths)


def toc_scores(model: Model, documents: Sequence[LabelledDocument], *, threads: int = 1) -> dict[str, float]:
    """The share of headings whose path is right, overall and by domain."""
    toc = TocNetwork(model, threads=threads)
    features = [DocumentFeatures(labelled.document) for labelled in documents]
    headings = find_headings(TocHeadingStep(toc), features)
    results = predict_trees(RuleStep(toc.place_by_depth), features, headings, Strategy())
    return path_scores(documents, [result.prediction for result in results])


NetworkSettings = PutOrSkipSettings | HeadingSettings | TocSettings


class _NetworkKind(NamedTuple):
    """The functions that make, feed, score and export a kind of network."""

    settings: type[NetworkSettings]
    network: Callable[[Any, Tensor], nn.Module]
    epoch: Callable[[TrainingArrays, Any, int], Epoch]
    scores: Callable[..., dict[str, float]]
    parts: Callable[[Any, Embeddings, Any], dict[str, bytes]]


_KINDS: dict[AnyKind, _NetworkKind] = {
    ModelKind.HEADINGS: _NetworkKind(HeadingSettings, Headings, heading_epoch, heading_scores, heading_parts),
    ModelKind.PUT_OR_SKIP: _NetworkKind(
        PutOrSkipSettings, PutOrSkip, put_or_skip_epoch, put_or_skip_scores, put_or_skip_parts
    ),
    BaselineKind.TOC: _NetworkKind(TocSettings, Toc, toc_epoch, toc_scores, toc_parts),
}

# The settings that fix the shape of the network: fine-tuning cannot change them.
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
# The settings that may change when a run is resumed: they say how long and where to train.
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
        """The settings and the data that must be the same for a run to be resumed."""
        fixed = {key: value for key, value in plain(self.settings).items() if key not in _FREE}
        return fixed | {"kind": self.kind.value, "data": self.data_hash}

    def network(self) -> nn.Module:
        """A network with random weights from the seed, or with those of the model to start from."""
        network = _KINDS[self.kind].network(self.settings, torch.from_numpy(self.embeddings.vectors))
        if self.start is not None:
            weights = self.start.arrays("weights.npz")
            network.load_state_dict({name: torch.from_numpy(value) for name, value in weights.items()})
        return network

    def epoch(self, number: int) -> Epoch:
        """The batches of an epoch."""
        return _KINDS[self.kind].epoch(self.arrays, self.settings, number)

    def scores(self, network: nn.Module) -> dict[str, float]:
        """The scores on the valid split of the network, exported as it would be shipped."""
        if not self.valid:
            return {}
        measure = _KINDS[self.kind].scores
        return measure(self.model(network), self.valid, threads=self.settings.threads)

    def model(self, network: nn.Module, scores: Mapping[str, float] | None = None) -> Model:
        """The model file's contents."""
        if self.settings.device != "cpu":
            network = copy.deepcopy(network).cpu()  # training continues on the device
        return Model(
            self.kind,
            self.preset,
            _KINDS[self.kind].parts(network, self.embeddings, self.settings),
            plain(self.settings) | {FEATURES_SETTING: VERSION},
            self.data_hash,
            current_commit(),
            dict(scores or {}),
        )


def train(request: TrainingRequest) -> Model | None:
    """Train a model; the result is None in all processes but the leading one."""
    settings = _settings(request)
    check_device(settings.device)
    crew = join_crew(settings.device)
    task = _task(request, settings, crew)
    trained = run_loop(task, request.checkpoints, crew=crew, log=request.log)
    return task.model(trained.network, trained.scores) if crew.leads else None


def check_device(device: str) -> None:
    """Raise an error that says what to do, if the device is unknown or missing."""
    if device not in ("cpu", "cuda"):
        raise UsageError(f"there is no device {device}", advice="use cpu or cuda")
    if device == "cuda" and not torch.cuda.is_available():
        raise UsageError("torch finds no CUDA device", advice="train with --device cpu")


def _task(request: TrainingRequest, settings: NetworkSettings, crew: Crew) -> NetworkTask:
    valid: list[LabelledDocument] = []
    training = _training_documents(request.data, valid)
    documents = (labelled for labelled in training if is_sampled(labelled.id, settings.sample))
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


def _training_documents(folder: Path, valid: list[LabelledDocument]) -> Iterator[LabelledDocument]:
    """Yield the documents of split train, and append those of split valid to the list."""
    count = 0
    for labelled in labelled_documents(folder, splits=("train", "valid")):
        if labelled.split == "valid":
            valid.append(labelled)
        else:
            count += 1
            yield labelled
    if not count:
        advice = "`held corpus build` makes them"
        raise InputError("no labelled documents of split train", file=folder, advice=advice)


def is_sampled(name: str, share: float) -> bool:
    """Whether a document is in a sample of this share. A larger sample contains the smaller ones."""
    return zlib.crc32(name.encode()) < share * 2**32


def _settings(request: TrainingRequest) -> NetworkSettings:
    """The requested settings; the shape is that of the model to start from, if there is one."""
    settings_type = _KINDS[request.kind].settings
    settings = settings_for(
        settings_type,
        request.kind.value,
        preset=request.preset,
        config=request.config,
        changes=request.changes,
    )
    if request.start is None:
        return settings
    if "weights.npz" not in request.start.parts:
        raise UsageError(f"training cannot start from a model of preset {request.start.preset}")
    changed = {change.partition("=")[0].strip() for change in request.changes}
    fixed = sorted(changed & _SHAPE)
    if fixed:
        raise UsageError(f"{', '.join(fixed)} cannot change in an existing network")
    shape = {key: value for key, value in request.start.settings.items() if key in _SHAPE}
    return settings_from(settings_type, plain(settings) | shape)


def _embeddings(
    request: TrainingRequest, settings: NetworkSettings, gathered: TrainingDocuments, crew: Crew
) -> Embeddings:
    """The given embeddings, those of the model to start from, or new ones, stored with the checkpoint."""
    if request.start is not None:
        weights = request.start.arrays("weights.npz")
        code_points = request.start.arrays("learned.npz")["code_points"]
        vectors = weights.get("encoder.embedding.weight")
        if vectors is None:  # the network reads no text
            vectors = torch.zeros(len(code_points) + FIRST_CHARACTER, settings.embedding_size).numpy()
        return Embeddings(code_points, vectors)
    if request.embeddings is not None:
        return _read_fitting_embeddings(request.embeddings, settings)
    path = request.checkpoints / "embeddings.npz"
    if crew.leads and not path.exists():
        defaults = settings_for(EmbeddingSettings, "embeddings", preset=request.preset, config=request.config)
        same_as_network = {
            "size": settings.embedding_size,
            "characters": settings.characters,
            "seed": settings.seed,
        }
        embedding_settings = settings_from(EmbeddingSettings, plain(defaults) | same_as_network)
        write_embeddings(path, learn_embeddings(gathered.distinct, embedding_settings))
    return crew.broadcast_object(_read_fitting_embeddings(path, settings) if crew.leads else None)  # type: ignore[return-value]


def _read_fitting_embeddings(path: Path, settings: NetworkSettings) -> Embeddings:
    """The embeddings in a file; an error if their size is not the network's."""
    embeddings = read_embeddings(path)
    if embeddings.vectors.shape[1] != settings.embedding_size:
        raise UsageError(
            f"embeddings of size {embeddings.vectors.shape[1]}, not {settings.embedding_size}", file=path
        )
    return embeddings


def _spread(documents: list[LabelledDocument], most: int) -> list[LabelledDocument]:
    """At most `most` of the documents, spread evenly over the domains; all of them if `most` is 0."""
    if not most or len(documents) <= most:
        return documents
    ordered = sorted(documents, key=lambda labelled: (labelled.domain, labelled.id))
    return [ordered[index * len(ordered) // most] for index in range(most)]
