"""How well the put-or-skip networks know their own training documents, beside documents that they never saw.

    python -m research.paper.fit --data LABELLED --work WORK     # writes research/paper/fit.json

A network that fails on train, too, wants more training; one that knows train and fails on valid wants more
documents. The networks get the true headings, so that insertions alone are measured.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from research.commit import exact_commit
from research.paper import results
from research.paper.cells import SPLITS
from research.paper.plan import ModelPlan, model_plans
from research.paper.train import path_of, trained_models

from held.corpus.store import LabelledDocument, data_hash, labelled_documents
from held.hierarchy.pipeline import tree_step
from held.models.store import BaselineKind, load_model
from held.paper.pembe import PembeStep
from held.training.evaluation import path_scores, tree_predictions

FILE = Path(__file__).parent / "fit.json"
TABLES = ("network-alone", "half-alone", "pembe-alone")
MOST = 40  # documents of a split, evenly from all: reading hundreds takes minutes


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure the trained models of TABLES and write the result."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, required=True, help="folder of labelled documents")
    parser.add_argument("--work", type=Path, required=True, help="folder of the trained models")
    parser.add_argument("--float32", action="store_true", help="models trained without bfloat16")
    options = parser.parse_args(arguments)
    models = options.work / "models"
    commit = exact_commit()
    plans = [plan.in_float32() if options.float32 else plan for plan in model_plans().values()]
    plans = [plan for plan in plans if plan.table in TABLES]
    documents: dict[str, dict[str, list[LabelledDocument]]] = {}
    rows = {}
    measured: set[tuple[str, str]] = set()
    for plan, folder in trained_models(plans, options.data, models):
        if (plan.table, plan.domain) in measured:
            continue  # one seed tells
        measured.add((plan.table, plan.domain))
        if plan.domain not in documents:
            documents[plan.domain] = {split: documents_of(folder, split) for split in SPLITS}
        rows[plan.name] = _scores(plan, models, documents[plan.domain])
    results.write(FILE, {"commit": commit, "data": data_hash(options.data), "models": rows})
    return 0


def documents_of(folder: Path, split: str, most: int = MOST) -> list[LabelledDocument]:
    """At most so many documents of a split with trusted labels, evenly from all."""
    trusted = [labelled for labelled in labelled_documents(folder, splits=[split]) if not labelled.silver]
    if len(trusted) <= most:
        return trusted
    return [trusted[index * len(trusted) // most] for index in range(most)]


def _scores(
    plan: ModelPlan, models: Path, documents: dict[str, list[LabelledDocument]]
) -> dict[str, dict[str, Any]]:
    """The share of headings with the right path, by split."""
    path = path_of(plan, models)
    is_pembe = plan.kind == "pembe"
    step = PembeStep(load_model(path, BaselineKind.PEMBE)) if is_pembe else tree_step(path)
    found = {}
    for split, own in documents.items():
        scores = path_scores(own, tree_predictions(step, own))
        found[split] = {"documents": len(own), "paths": round(scores["paths"], 4)}
    return found


if __name__ == "__main__":
    sys.exit(main())
