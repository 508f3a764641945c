"""A run's state on disk: written whole or not at all, and enough to go on as if nothing had happened."""

from __future__ import annotations

import io
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from held.errors import FormatError, UsageError
from held.system.atomic_write import write_file

Weights = Mapping[str, Tensor]
_VERSION = 1


@dataclass(frozen=True, slots=True)
class RunState:
    """How far a run is. `batch` counts within the epoch, `step` from the start; both are the next to do."""

    epoch: int = 0
    batch: int = 0
    step: int = 0
    loss: float = 0.0  # summed since the last evaluation
    counted: float = 0.0
    best: float = float("-inf")
    waited: int = 0  # evaluations without gain


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """All that a run is: its progress, the weights now and at their best, and the optimiser's state."""

    progress: RunState
    weights: Weights
    optimiser: Mapping[str, Any]
    best_weights: Weights
    best_scores: Mapping[str, float]


def write_checkpoint(folder: Path, checkpoint: Checkpoint, identity: Mapping[str, Any]) -> None:
    """Write the checkpoint of a run with this identity."""
    value = {
        "version": _VERSION,
        "identity": json.dumps(identity, sort_keys=True),
        "progress": asdict(checkpoint.progress),
        "weights": dict(checkpoint.weights),
        "optimiser": dict(checkpoint.optimiser),
        "best_weights": dict(checkpoint.best_weights),
        "best_scores": dict(checkpoint.best_scores),
    }
    content = io.BytesIO()
    torch.save(value, content)
    write_file(folder / "checkpoint.pt", content.getvalue(), durable=True)  # the run goes on from there


def read_checkpoint(folder: Path, identity: Mapping[str, Any]) -> Checkpoint | None:
    """The checkpoint in a folder, None where there is none; another run's is refused."""
    path = folder / "checkpoint.pt"
    if not path.exists():
        return None
    try:
        stored = torch.load(path, weights_only=True)
        version, made_by = stored["version"], json.loads(stored["identity"])
    except Exception as error:  # torch raises whatever its unpickler meets
        raise FormatError(f"no checkpoint: {error!r}", file=path, advice="delete it to start anew") from error
    wanted = json.loads(json.dumps(identity))
    if version != _VERSION or made_by != wanted:
        changed = sorted(key for key in {*made_by, *wanted} if made_by.get(key) != wanted.get(key))
        raise UsageError(
            f"the checkpoint is of another run: {', '.join(changed) or 'version'} differ",
            file=path,
            advice="give the settings of that run to go on, or another folder with --checkpoints",
        )
    return Checkpoint(
        RunState(**stored["progress"]),
        stored["weights"],
        stored["optimiser"],
        stored["best_weights"],
        stored["best_scores"],
    )


def append_log(folder: Path, line: Mapping[str, Any]) -> None:
    """Add a line to the metrics log."""
    with (folder / "metrics.jsonl").open("a", encoding="utf-8") as log:
        log.write(json.dumps(line) + "\n")


def cut_log(folder: Path, *, step: int) -> None:
    """Leave out of the metrics log what will be done again: all after this step."""
    path = folder / "metrics.jsonl"
    if not path.exists():
        return
    kept = []
    for line in path.read_text(encoding="utf-8").splitlines():
        try:
            if json.loads(line)["step"] <= step:
                kept.append(line)
        except ValueError:  # the line at which the run was killed
            break
    write_file(path, "".join(f"{line}\n" for line in kept).encode())
