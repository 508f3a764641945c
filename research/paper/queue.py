"""Trains the models of the tables one after another, in the order of models.toml, until a budget is spent.

    python -m research.paper.queue --data LABELLED --work WORK --cpu-hours 2

Trained models are skipped, and an interrupted run continues from its checkpoint. `WORK/queue.jsonl` has a
line for each model: its CPU seconds, its best score on valid, and its batches.
"""

from __future__ import annotations

import argparse
import json
import resource
import sys
from collections.abc import Sequence
from pathlib import Path

from research.paper.plan import ModelPlan, training_order
from research.paper.train import domain_data, facts_of, is_trained, train

from held.corpus.store import data_hash


def main(arguments: Sequence[str] | None = None) -> int:
    """Exit code: 0 if all models are trained, 1 if the budget ended before."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, required=True, help="folder of labelled documents")
    parser.add_argument("--work", type=Path, required=True, help="folder for models and checkpoints")
    parser.add_argument("--budget", type=float, default=1.0, help="train with this share of the batches")
    parser.add_argument("--cpu-hours", type=float, default=25.0, help="begins no model after so many")
    parser.add_argument("--float32", action="store_true", help="faster on processors without bfloat16")
    options = parser.parse_args(arguments)
    models = options.work / "models"
    hashes: dict[str, str] = {}
    for planned in training_order():
        plan = planned.with_budget(options.budget)
        plan = plan.in_float32() if options.float32 else plan
        data = domain_data(options.data, plan.domain, models / "data")
        if plan.domain not in hashes:
            hashes[plan.domain] = data_hash(data)
        if is_trained(plan, models, hashes[plan.domain]):
            continue
        if _cpu_seconds() > 3600 * options.cpu_hours:
            print(f"the budget is spent before {plan.name}", file=sys.stderr)
            return 1
        train(plan, models, data, hashes[plan.domain])
        _note(plan, models, options.work / "queue.jsonl")
    return 0


def _note(plan: ModelPlan, models: Path, log: Path) -> None:
    """Add a line about a model that was trained."""
    facts = facts_of(plan, models)
    curve = facts.pop("curve")
    best = max(curve, key=lambda point: point[2], default=None)
    line = {"model": plan.name, **facts, "evaluations": len(curve), "best": best}
    with log.open("a", encoding="utf-8") as file:
        file.write(json.dumps(line) + "\n")


def _cpu_seconds() -> float:
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


if __name__ == "__main__":
    sys.exit(main())
