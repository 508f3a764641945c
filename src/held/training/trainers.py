"""Which trainer a model has, what it is asked for, and how much each document and label weighs."""

from __future__ import annotations

import importlib
import subprocess
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from held.corpus.store import LabelledDocument, truth
from held.errors import UsageError
from held.models.store import PRESETS, AnyKind, BaselineKind, Model, preset_name
from held.system.optional_packages import missing_package

BASELINES: dict[AnyKind, str] = {
    BaselineKind.TOC: "held.paper.training.network_trainer",
    BaselineKind.PEMBE: "held.paper.training.pembe",
}
"""Each baseline has one trainer, whichever preset its settings come from."""


@dataclass(frozen=True, slots=True)
class TrainingRequest:
    """What to train, and from what.

    changes       settings as "key=value", which override those of the preset and of the config file
    start         a model to fine-tune
    checkpoints   the folder that an interrupted run continues from
    log           receives each line of the metrics log, and the current activity as "doing"
    """

    kind: AnyKind
    preset: str
    data: Path
    checkpoints: Path
    config: Path | None = None
    changes: tuple[str, ...] = ()
    start: Model | None = None
    embeddings: Path | None = None
    log: Callable[[Mapping[str, Any]], None] = lambda _line: None


def train_model(request: TrainingRequest) -> Model | None:
    """Trains a model. Returns None in a helper process of a distributed run."""
    preset = preset_name(request.preset)
    if preset not in PRESETS:
        raise UsageError(f"no preset {request.preset}", advice=f"there are {', '.join(PRESETS)}")
    try:
        name = BASELINES.get(request.kind) or PRESETS[preset].trainer
        trainer = importlib.import_module(name)
    except ModuleNotFoundError as error:
        raise missing_package(f"training needs {error.name}", "train") from error
    model: Model | None = trainer.train(request)
    return model


def current_commit() -> str:
    """The git commit of the package; empty if it was installed without one."""
    command = ["git", "-C", str(Path(__file__).parent), "rev-parse", "HEAD"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return done.stdout.strip() if done.returncode == 0 else ""


_MIN_HEADINGS = 5  # shorter documents weigh as if they had so many; else one of 1 heading would dominate
_REFERENCE_HEADINGS = 100  # a document of so many has weight 1


@dataclass(frozen=True, slots=True, kw_only=True)
class WeightSettings:
    """Settings of the weights; by default all headings count alike, as in the paper.

    power     how far long documents are weighed down: with 1 all documents count alike
    balance   how much more documents of rare domains weigh: with 1 all domains count alike
    astray    whether headings under a missing one are trained on, under the nearest ancestor that exists
    """

    power: float = 0.0
    balance: float = 0.0
    astray: bool = True


class WeightedDocument(Protocol):
    """The properties of a document that decide its weight."""

    @property
    def domain(self) -> str: ...

    @property
    def headings(self) -> Sequence[int]: ...


def document_weights(documents: Sequence[WeightedDocument], settings: WeightSettings) -> list[float]:
    """The weight of each document's rows, given all documents of the training set."""
    weight_of_domain = domain_weights(documents, settings.balance)
    weights = []
    for document in documents:
        weight = length_weight(len(document.headings), settings.power)
        weights.append(weight_of_domain[document.domain] * weight)
    return weights


def length_weight(headings: int, power: float) -> float:
    """The weight of a document's rows by its length: with power 0 rows count alike, with 1 documents do."""
    return float((max(headings, _MIN_HEADINGS) / _REFERENCE_HEADINGS) ** -power)


def domain_weights(documents: Sequence[WeightedDocument], balance: float) -> dict[str, float]:
    """The weight of a document of each domain: with a balance of 1 all domains count alike."""
    counts = Counter(document.domain for document in documents)
    mean_count = len(documents) / max(1, len(counts))
    return {domain: (mean_count / count) ** balance for domain, count in counts.items()}


def orphan_headings(labelled: LabelledDocument) -> frozenset[int]:
    """The headings whose parent was not recognised as an object."""
    true = truth(labelled)
    objects = true.objects or ()
    orphans = set()
    for node, parent in true.tree.parents().items():
        if parent >= 0 and objects[parent] is None:
            orphans.add(objects[node])
    return frozenset(labelled.headings).intersection(orphans)


def excluded_headings(labelled: LabelledDocument, settings: WeightSettings) -> frozenset[int]:
    """The headings of a document that are left out of training."""
    return frozenset() if settings.astray else orphan_headings(labelled)
