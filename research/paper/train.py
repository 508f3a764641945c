"""Trains the models of the tables, one `held train` after another, unless they are trained already.

Checkpoints are stored beside the model, so that a killed run can continue. A note beside the model has its
settings and data; with other settings or data it is trained again.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from research.paper import results
from research.paper.plan import ModelPlan, model_plans

from held.corpus.store import LABELLED_SUFFIX
from held.corpus.store import data_hash as hash_documents
from held.errors import HeldError
from held.models.store import load_model, parse_kind


def path_of(plan: ModelPlan, folder: Path) -> Path:
    """The path of a model."""
    return folder / f"{plan.name}.{'npz' if plan.kind == 'embeddings' else 'held'}"


def is_trained(plan: ModelPlan, folder: Path, data_hash: str | None) -> bool:
    """Whether the model is there, of these settings and batches, and of these data; None for any data."""
    note = _note(plan, folder)
    if note is None or not path_of(plan, folder).exists():
        return False
    same = note["plan"] == plan.identity() and data_hash in (None, note["data"])
    return bool(same and note["batches"] >= plan.batches)


class TrainedModel(NamedTuple):
    """A trained model: its plan, its file, the documents of its domain, and the hash of their labels."""

    plan: ModelPlan
    path: Path
    documents: Path
    labels: str


def trained_models(description: str, arguments: Sequence[str] | None) -> Iterator[TrainedModel]:
    """The trained models that the command line of a script of this folder names."""
    parser = argparse.ArgumentParser(description=description.splitlines()[0])
    parser.add_argument("--data", type=Path, required=True, help="folder of labelled documents")
    parser.add_argument("--work", type=Path, required=True, help="folder of the trained models")
    parser.add_argument("--float32", action="store_true", help="models trained without bfloat16")
    options = parser.parse_args(arguments)
    folder = options.work / "models"
    domains: dict[str, tuple[Path, str]] = {}
    for planned in model_plans().values():
        plan = planned.in_float32() if options.float32 else planned
        if plan.domain not in domains:
            own = domain_data(options.data, plan.domain, folder / "data")
            domains[plan.domain] = own, hash_documents(own)
        documents, labels = domains[plan.domain]
        if is_trained(plan, folder, labels):
            yield TrainedModel(plan, path_of(plan, folder), documents, labels)


def facts_of(plan: ModelPlan, folder: Path) -> dict[str, Any]:
    """The training of a model: batches, epochs, CPU seconds, and the curve of its scores on valid."""
    note = _note(plan, folder) or {}
    facts = {name: note.get(name, 0) for name in ("batches", "epochs", "seconds")}
    curve = note.get("curve", [])
    return facts | {"curve": curve, "converged": is_converged(curve, plan.patience)}


def is_converged(curve: Sequence[Sequence[float]], patience: int) -> bool:
    """Whether training ended because valid no longer improved, and not because its batches were done."""
    scores = [score for _, _, score in curve]
    return bool(scores) and len(scores) - 1 - scores.index(max(scores)) > patience


def train(plan: ModelPlan, folder: Path, data: Path, data_hash: str) -> Path:
    """The path of the trained model; its training's messages go to a log beside it."""
    path = path_of(plan, folder)
    if is_trained(plan, folder, data_hash):
        return path
    if plan.is_network and not plan.batches:
        raise HeldError(f"{plan.name} is not trained yet", file=path, advice="run without --trained")
    folder.mkdir(parents=True, exist_ok=True)
    arguments = ["train", plan.kind, "--preset", plan.preset, "--data", str(data), "-o", str(path)]
    log = folder / f"{plan.name}.log"
    before = _children_seconds()
    run = _run_folder(plan, folder, data_hash)
    code = run_held([*arguments, *_settings(plan, folder, data_hash)], log)
    if code:
        raise HeldError(f"training of {plan.name} ended with {code}", advice=f"see {log}")
    note = {
        "plan": plan.identity(),
        "data": data_hash,
        "batches": _batches_in(plan, path),
        "epochs": _epochs_in(run),
        "curve": curve_of(run),
        "seconds": round(_children_seconds() - before, 1),
    }
    results.write(_note_path(plan, folder), note)
    return path


def domain_data(data: Path, domain: str, folder: Path) -> Path:
    """A folder with the labelled documents of one domain, those of `data` themselves."""
    own = folder / domain
    own.mkdir(parents=True, exist_ok=True)
    wanted = {file.name: file for file in data.glob(f"{domain}-*{LABELLED_SUFFIX}")}
    for link in own.iterdir():
        if link.name not in wanted:
            link.unlink()
    for name, file in wanted.items():
        if not (own / name).exists():
            (own / name).unlink(missing_ok=True)
            (own / name).symlink_to(file.resolve())
    return own


def run_held(arguments: Sequence[str], log: Path) -> int:
    """The exit code of a command of `held` in a process of its own, whose messages go to a log."""
    command = [sys.executable, "-m", "held", *arguments]
    with log.open("ab") as talk:
        return subprocess.run(command, stdout=talk, stderr=talk, env=_environment(), check=False).returncode


def _settings(plan: ModelPlan, folder: Path, data_hash: str) -> list[str]:
    changes = [f"--set={change}" for change in plan.changes]
    if not plan.is_network:
        return changes
    # Epochs end nothing: the plan's batches and patience do, the same for every row of a table.
    ends = (f"batches={plan.batches}", "epochs=1000", f"patience={plan.patience}")
    started_from = ["--embeddings", str(folder / f"{plan.characters}.npz")]
    kept = ["--checkpoints", str(_run_folder(plan, folder, data_hash))]
    return [*started_from, *kept, *changes, *(f"--set={change}" for change in ends)]


def _run_folder(plan: ModelPlan, folder: Path, data_hash: str) -> Path:
    """The folder of a run's checkpoints.

    Checkpoints of another run would be refused, so the name has a hash of what identifies the run.
    """
    key = results.key_of({**plan.identity(), "data": data_hash})
    return folder / f"{plan.name}.{key}.run"


def _epochs_in(run: Path) -> int:
    """How many epochs a run has begun, by its metrics; 0 for a model that knows none."""
    log = run / "metrics.jsonl"
    lines = log.read_text(encoding="utf-8").splitlines() if log.exists() else []
    return int(json.loads(lines[-1])["epoch"]) if lines else 0


def curve_of(run: Path) -> list[list[float]]:
    """The batches, the mean loss since the evaluation before, and the score on valid, at each evaluation."""
    log = run / "metrics.jsonl"
    lines = log.read_text(encoding="utf-8").splitlines() if log.exists() else []
    curve = []
    for line in map(json.loads, lines):
        if line.get("valid"):
            score = next(iter(line["valid"].values()))
            curve.append([line["step"], round(line["mean_loss"], 5), round(score, 5)])
    return curve


def _batches_in(plan: ModelPlan, path: Path) -> int:
    if not plan.is_network:
        return 0
    return int(load_model(path, parse_kind(plan.kind)).settings.get("batches", 0))


def _note(plan: ModelPlan, folder: Path) -> dict[str, Any] | None:
    return results.read(_note_path(plan, folder))


def _note_path(plan: ModelPlan, folder: Path) -> Path:
    return folder / f"{plan.name}.trained.json"


def _children_seconds() -> float:
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def _environment() -> Mapping[str, str]:
    return {**os.environ, "OMP_NUM_THREADS": "1"}
