"""How well the put-or-skip networks know their own training documents, beside documents that they never saw.

    python -m research.paper.fit --data LABELLED --work WORK     # writes research/paper/fit.json

A network that fails on train, too, wants more training; one that knows train and fails on valid wants more
documents. The networks get the true headings, so that insertions alone are measured.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from research.commit import exact_commit
from research.paper import results
from research.paper.cells import SPLITS
from research.paper.plan import ModelPlan, variant_name
from research.paper.train import trained_models

from held.corpus.store import LabelledDocument, labelled_documents
from held.hierarchy.pipeline import tree_step
from held.models.store import BaselineKind, load_model
from held.paper.pembe import PembeStep
from held.training.evaluation import path_scores, tree_predictions

FILE = Path(__file__).parent / "fit.json"
TABLES = ("network-alone", "half-alone", "pembe-alone")
MOST = 40  # documents of a split, evenly from all: reading hundreds takes minutes


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure the trained models of TABLES, and write the result beside what earlier runs measured."""
    commit = exact_commit()
    documents: dict[str, dict[str, list[LabelledDocument]]] = {}
    measured: dict[str, dict[str, Any]] = {}
    for plan, path, folder, labels in trained_models(__doc__, arguments):
        table = variant_name(plan.table, plan.domain)
        if plan.table not in TABLES or table in measured:
            continue  # one seed tells
        if plan.domain not in documents:
            documents[plan.domain] = {split: documents_of(folder, split) for split in SPLITS}
        scores = _scores(plan, path, documents[plan.domain])
        measured[table] = {"model": plan.name, "commit": commit, "labels": labels, "splits": scores}
    known = results.read(FILE) or {"models": {}}
    results.write(FILE, {"models": {**known["models"], **measured}})
    return 0


def documents_of(folder: Path, split: str, most: int = MOST) -> list[LabelledDocument]:
    """At most so many documents of a split with trusted labels, evenly from all."""
    trusted = [labelled for labelled in labelled_documents(folder, splits=[split]) if not labelled.silver]
    if len(trusted) <= most:
        return trusted
    return [trusted[index * len(trusted) // most] for index in range(most)]


def _scores(
    plan: ModelPlan, path: Path, documents: dict[str, list[LabelledDocument]]
) -> dict[str, dict[str, Any]]:
    """The share of headings with the right path, by split."""
    is_pembe = plan.kind == "pembe"
    step = PembeStep(load_model(path, BaselineKind.PEMBE)) if is_pembe else tree_step(path)
    found = {}
    for split, own in documents.items():
        scores = path_scores(own, tree_predictions(step, own))
        found[split] = {"documents": len(own), "paths": round(scores["paths"], 4)}
    return found


if __name__ == "__main__":
    sys.exit(main())
