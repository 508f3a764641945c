"""The training loop: epochs, evaluation, checkpoints and early stopping. `train` reads from top to bottom.

A checkpoint is written atomically and has everything that a run needs to continue. A run that is interrupted
and resumed ends with the same bytes as one that was not.
"""

from __future__ import annotations

import copy
import io
import json
import math
import time
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional

from held.errors import FormatError, HeldError, UsageError
from held.paper.training.distributed import Crew
from held.paper.training.examples import Batch, Epoch, TrainingTask
from held.system.atomic_write import make_folder, remove_stale_drafts, write_file
from held.training.settings import LoopSettings

Weights = Mapping[str, Tensor]
_VERSION = 1


@dataclass(frozen=True, slots=True)
class RunState:
    """The progress of a run: the next batch of the epoch, and the next step counted from the start."""

    epoch: int = 0
    batch: int = 0
    step: int = 0
    loss: float = 0.0  # sum since the last evaluation
    counted: float = 0.0  # sum of the weights since the last evaluation
    best: float = float("-inf")  # score
    waited: int = 0  # evaluations since the best score


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """The state of a run: progress, current and best weights, and the optimiser's state."""

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
    write_file(folder / "checkpoint.pt", content.getvalue(), durable=True)


def read_checkpoint(folder: Path, identity: Mapping[str, Any]) -> Checkpoint | None:
    """The checkpoint in a folder, None if it has none; that of another run is refused."""
    path = folder / "checkpoint.pt"
    if not path.exists():
        return None
    try:
        stored = torch.load(path, weights_only=True, map_location="cpu")
        version, stored_identity = stored["version"], json.loads(stored["identity"])
    except Exception as error:  # torch's unpickler raises errors of many types
        advice = "delete it to start from the beginning"
        raise FormatError(f"not a checkpoint: {error!r}", file=path, advice=advice) from error
    identity = json.loads(json.dumps(identity))  # tuples become lists, as in the stored identity
    if version != _VERSION or stored_identity != identity:
        keys = {*stored_identity, *identity}
        changed = sorted(key for key in keys if stored_identity.get(key) != identity.get(key))
        raise UsageError(
            f"the checkpoint is of another run: {', '.join(changed) or 'version'} differ",
            file=path,
            advice="give the settings of that run to continue it, or another folder with --checkpoints",
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
    """Remove the lines after this step from the metrics log: the resumed run writes them again."""
    path = folder / "metrics.jsonl"
    if not path.exists():
        return
    kept = []
    for line in path.read_text(encoding="utf-8").splitlines():
        try:
            if json.loads(line)["step"] <= step:
                kept.append(line)
        except ValueError:  # an incomplete line, which the run was writing when it was killed
            break
    write_file(path, "".join(f"{line}\n" for line in kept).encode())


Log = Callable[[Mapping[str, Any]], None]
"""Called with each line of the metrics log."""


@dataclass(slots=True)
class _TrainingRun:
    """The state that changes during training."""

    network: nn.Module
    shared: nn.Module  # the same network; with several processes, wrapped to average their gradients
    optimiser: torch.optim.Optimizer
    progress: RunState
    best_weights: Weights
    best_scores: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Trained:
    """The network with its best weights, and their scores on the valid split."""

    network: nn.Module
    scores: Mapping[str, float]


def train(task: TrainingTask, folder: Path, *, crew: Crew, log: Log) -> Trained:
    """Train a network. The checkpoint and the metrics log are written into the folder."""
    settings = task.settings
    torch.set_num_threads(settings.threads)
    run = _start_or_resume(task, folder, crew)
    while not _is_finished(run.progress, settings):
        epoch = task.epoch(run.progress.epoch)
        batches = [rows for rows in epoch.rows if len(rows) >= crew.size]
        for rows in batches[run.progress.batch :]:
            loss = _step(run, epoch, rows, crew, settings)
            progress = run.progress
            if progress.step % settings.log_every == 0:
                _log(folder, crew, log, progress, {"batches": len(batches), "loss": loss})
            if progress.step % settings.evaluate_every == 0:
                _evaluate(run, task, folder, crew, log)
            if progress.step % settings.checkpoint_every == 0:
                _save_checkpoint(run, task, folder, crew)
            if _is_finished(run.progress, settings):
                break
        else:
            run.progress = replace(run.progress, epoch=run.progress.epoch + 1, batch=0)
    if run.progress.counted:  # the weights have changed since the last evaluation
        _evaluate(run, task, folder, crew, log)
    _save_checkpoint(run, task, folder, crew)
    run.network.load_state_dict(dict(run.best_weights))
    return Trained(run.network.eval(), run.best_scores)


def _is_finished(progress: RunState, settings: LoopSettings) -> bool:
    """Whether all batches or epochs are done, or the score has stopped improving."""
    has_all_batches = 0 < settings.batches <= progress.step
    has_all_epochs = progress.epoch >= settings.epochs
    return has_all_batches or has_all_epochs or progress.waited > settings.patience


def _start_or_resume(task: TrainingTask, folder: Path, crew: Crew) -> _TrainingRun:
    """A new run, or the one of the folder's checkpoint."""
    torch.manual_seed(task.settings.seed)
    network = task.network().to(task.settings.device)
    optimiser = torch.optim.Adam(network.parameters(), lr=task.settings.learning_rate)
    make_folder(folder)
    if crew.leads:
        remove_stale_drafts(folder)
    checkpoint = crew.broadcast_object(read_checkpoint(folder, task.identity) if crew.leads else None)
    if checkpoint is None:
        weights = copy.deepcopy(network.state_dict())
        checkpoint = Checkpoint(RunState(), weights, optimiser.state_dict(), weights, {})
    network.load_state_dict(dict(checkpoint.weights))
    optimiser.load_state_dict(dict(checkpoint.optimiser))
    if crew.leads:
        cut_log(folder, step=checkpoint.progress.step)
    return _TrainingRun(
        network,
        crew.wrap(network),
        optimiser,
        checkpoint.progress,
        checkpoint.best_weights,
        checkpoint.best_scores,
    )


def _step(run: _TrainingRun, epoch: Epoch, rows: Any, crew: Crew, settings: LoopSettings) -> float:
    """Do one step of the optimiser, and return the mean loss of the whole batch before it."""
    run.shared.train()
    batch = _move(epoch.make(crew.share(rows)), settings.device)
    with torch.autocast(settings.device, torch.bfloat16, enabled=settings.bfloat16):
        logits = run.shared(batch)
    losses = _losses(logits.float(), batch)
    total, count = crew.total(float(losses.detach())), crew.total(float(batch.weights.sum()))
    if not math.isfinite(total):
        raise _not_finite(run.progress, epoch.documents(rows))
    run.optimiser.zero_grad()
    # torch averages the gradients over the processes; multiplied by their number, they are summed.
    mean_loss = losses * (crew.size / max(1.0, count))
    mean_loss.backward()  # type: ignore[no-untyped-call]
    run.optimiser.step()
    done = run.progress
    run.progress = replace(
        done,
        batch=done.batch + 1,
        step=done.step + 1,
        loss=done.loss + total,
        counted=done.counted + count,
    )
    return total / max(1.0, count)


def _move(batch: Any, device: str) -> Any:
    """The batch, a named tuple of tensors, on a device."""
    return batch._make(tensor.to(device) for tensor in batch)


def _losses(logits: torch.Tensor, batch: Batch) -> torch.Tensor:
    """The weighted sum of the cross-entropies: over classes if each has a logit, otherwise binary."""
    if logits.dim() > batch.labels.dim():
        losses = functional.cross_entropy(logits.flatten(0, -2), batch.labels.flatten(), reduction="none")
        return (losses * batch.weights.flatten()).sum()
    return functional.binary_cross_entropy_with_logits(logits, batch.labels, batch.weights, reduction="sum")


def _not_finite(progress: RunState, documents: list[str]) -> HeldError:
    return HeldError(
        f"the loss is not a number at batch {progress.batch + 1} of epoch {progress.epoch + 1} "
        f"(step {progress.step + 1}), which has {', '.join(documents[:5])}",
        advice="lower learning_rate, or check these documents for infinite values",
    )


def _evaluate(run: _TrainingRun, task: TrainingTask, folder: Path, crew: Crew, log: Log) -> None:
    """Score the weights on the valid split, and keep them if they are the best so far."""
    run.network.eval()
    scores = task.scores(run.network) if crew.leads else {}
    # Without a valid split there are no scores, and the last weights count as the best.
    first_score = next(iter(scores.values()), math.inf)
    score = crew.broadcast(first_score)
    progress = run.progress
    if score > progress.best or score == math.inf:
        run.best_weights, run.best_scores = copy.deepcopy(run.network.state_dict()), scores
        run.progress = replace(progress, best=score, waited=0)
    else:
        run.progress = replace(progress, waited=progress.waited + 1)
    mean_loss = progress.loss / max(1.0, progress.counted)
    _log(folder, crew, log, progress, {"mean_loss": mean_loss, "valid": scores})
    run.progress = replace(run.progress, loss=0.0, counted=0.0)


def _save_checkpoint(run: _TrainingRun, task: TrainingTask, folder: Path, crew: Crew) -> None:
    if crew.leads:
        optimiser = run.optimiser.state_dict()
        state = Checkpoint(
            run.progress, run.network.state_dict(), optimiser, run.best_weights, run.best_scores
        )
        write_checkpoint(folder, state, task.identity)


def _log(folder: Path, crew: Crew, log: Log, progress: RunState, values: Mapping[str, Any]) -> None:
    if crew.leads:
        line = {
            "step": progress.step,
            "epoch": progress.epoch + 1,
            "batch": progress.batch,
            **values,
            "at": round(time.time(), 1),  # seconds since 1970
        }
        append_log(folder, line)
        log(line)
