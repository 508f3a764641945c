"""Runs the trainer of a model.

A trainer is a module with `train(request) -> Model`; `held.models.registry` names that of each preset. It is
imported only when needed, because each trainer imports heavy libraries.
"""

from __future__ import annotations

import importlib
import subprocess
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from held.errors import UsageError
from held.models.registry import PRESETS, preset_name
from held.models.store import AnyKind, BaselineKind, Model

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
        raise UsageError(
            f"training needs {error.name}", advice="install it with: pip install 'held[train]'"
        ) from error
    model: Model | None = trainer.train(request)
    return model


def current_commit() -> str:
    """The git commit of the package; empty if it was installed without one."""
    command = ["git", "-C", str(Path(__file__).parent), "rev-parse", "HEAD"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return done.stdout.strip() if done.returncode == 0 else ""
