"""Trains what the tables need, one `held train` after another; what is trained already is left alone.

Each run keeps its checkpoints beside its model, so a run that was killed goes on where it was.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from experiments.paper.plan import ModelPlan

from held.errors import HeldError
from held.models.store import kind_named, load_model

CHARACTERS = "characters.npz"


def path_of(plan: ModelPlan, folder: Path) -> Path:
    """Where a model is kept."""
    return folder / (CHARACTERS if plan.kind == "embeddings" else f"{plan.name}.held")


def is_trained(plan: ModelPlan, folder: Path) -> bool:
    """Whether the model is there, with as many batches as planned."""
    path = path_of(plan, folder)
    if not path.exists():
        return False
    return not plan.is_network or batches_of(plan, folder) >= plan.batches


def batches_of(plan: ModelPlan, folder: Path) -> int:
    """How many batches a model was trained with; 0 for one that knows no batches."""
    model = load_model(path_of(plan, folder), kind_named(plan.kind))
    return int(model.settings.get("batches", 0))


def train(plan: ModelPlan, folder: Path, data: Path) -> Path:
    """The path of the trained model; its training's messages go to a log beside it."""
    path = path_of(plan, folder)
    if is_trained(plan, folder):
        return path
    if plan.is_network and not plan.batches:
        raise HeldError(f"{plan.name} is not trained yet", file=path, advice="run without --trained")
    folder.mkdir(parents=True, exist_ok=True)
    arguments = ["train", plan.kind, "--preset", plan.preset, "--data", str(data), "-o", str(path)]
    log = path.with_suffix(".log")
    code = run_held([*arguments, *_settings(plan, folder)], log)
    if code:
        raise HeldError(f"training of {plan.name} ended with {code}", advice=f"see {log}")
    return path


def run_held(arguments: Sequence[str], log: Path) -> int:
    """The exit code of a command of `held` in a process of its own, whose messages go to a log."""
    command = [sys.executable, "-m", "held", *arguments]
    with log.open("ab") as talk:
        return subprocess.run(command, stdout=talk, stderr=talk, env=_environment(), check=False).returncode


def _settings(plan: ModelPlan, folder: Path) -> list[str]:
    changes = [f"--set={change}" for change in plan.changes]
    if not plan.is_network:
        return changes
    # The budget alone says when a run ends, so that every row has the same.
    ends = (f"batches={plan.batches}", "epochs=1000", "patience=1000")
    return ["--embeddings", str(folder / CHARACTERS), *changes, *(f"--set={change}" for change in ends)]


def _environment() -> Mapping[str, str]:
    return {**os.environ, "OMP_NUM_THREADS": "1"}
