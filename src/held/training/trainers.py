"""Which trainer a baseline has, and what a trainer is asked; those of presets are in `held.models.registry`.

A trainer is a module with `train(request) -> Model`. It is imported when it is needed, for each brings heavy
libraries of its own.
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
"""The baselines have one trainer each, whatever the preset that their settings come from."""


def _silent(line: Mapping[str, Any]) -> None:
    """Nobody listens."""


@dataclass(frozen=True, slots=True)
class TrainingRequest:
    """What to train. `start` is a model to fine-tune, `checkpoints` the folder that a run can go on from.

    `changes` are "key=value"; `say` is told each line of the metrics log, or what is being done as "doing".
    """

    kind: AnyKind
    preset: str
    data: Path
    checkpoints: Path
    config: Path | None = None
    changes: tuple[str, ...] = ()
    start: Model | None = None
    embeddings: Path | None = None
    log: Callable[[Mapping[str, Any]], None] = _silent


def train_model(request: TrainingRequest) -> Model | None:
    """The trained model; None in a process that only helped another to train it."""
    preset = preset_name(request.preset)
    if preset not in PRESETS:
        raise UsageError(f"no preset {request.preset}", advice=f"there are {', '.join(PRESETS)}")
    try:
        trainer = importlib.import_module(BASELINES.get(request.kind) or PRESETS[preset].trainer)
    except ModuleNotFoundError as error:
        raise UsageError(
            f"training needs {error.name}", advice="install it with: pip install 'held[train]'"
        ) from error
    model: Model | None = trainer.train(request)
    return model


def current_commit() -> str:
    """The commit that the package runs from; empty where it was installed without one."""
    here = Path(__file__).parent
    done = subprocess.run(
        ["git", "-C", str(here), "rev-parse", "HEAD"], capture_output=True, text=True, check=False
    )
    return done.stdout.strip() if done.returncode == 0 else ""
