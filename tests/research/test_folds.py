"""Grouped cross-validation: no document is judged by a model that knows its group."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from research.paper.plan import ModelPlan
from research.rq1 import folds
from research.rq1.folds import cross_validated, fold_of, summary

from held.corpus.store import LabelledDocument
from held.hierarchy.steps import TreeStep
from held.training.validation import tree_predictions
from tests.training.small_corpus import PUT_OR_SKIP, small_document

DOCUMENTS = [replace(small_document(seed), group=f"group {seed // 2}") for seed in range(8)]


def test_documents_of_a_group_share_their_fold() -> None:
    assert {fold_of(labelled.group) for labelled in DOCUMENTS} <= set(range(folds.FOLDS))
    assert len({fold_of(f"group {n}") for n in range(40)}) == folds.FOLDS


def test_every_document_is_judged_once_by_a_model_without_its_group(tmp_path: Path) -> None:
    taught: list[set[str]] = []

    def fit(documents: Sequence[LabelledDocument]) -> TreeStep:
        taught.append({labelled.group for labelled in documents})
        return folds.METHODS["pembe"](documents)

    counts = cross_validated(DOCUMENTS, fit, tmp_path)
    assert counts.keys() == {labelled.id for labelled in DOCUMENTS}
    assert all(right == total for right, total in counts.values())
    assert all(len(groups) < 4 for groups in taught)


def test_a_fold_is_measured_once(tmp_path: Path) -> None:
    first = cross_validated(DOCUMENTS, folds.METHODS["pembe"], tmp_path)

    def never(documents: Sequence[LabelledDocument]) -> TreeStep:
        raise AssertionError("it was measured before")

    assert cross_validated(DOCUMENTS, never, tmp_path) == first


def test_the_summary_pairs_the_methods_over_documents() -> None:
    pembe = {f"d{n}": (n, 10) for n in range(5)}
    base = {name: (right + 1, total) for name, (right, total) in pembe.items()}
    found = summary({"pembe": pembe, "base": base})
    assert found["rows"]["base"]["accuracy"] == 0.3
    assert found["rows"]["base"]["over_pembe"] == [0.1, 0.1]


def test_the_network_is_trained_on_documents_of_any_split(monkeypatch: pytest.MonkeyPatch) -> None:
    plan = ModelPlan("n", "put-or-skip", batches=2, changes=PUT_OR_SKIP)
    monkeypatch.setattr(folds, "model_plans", lambda: {folds.NETWORK: plan})
    monkeypatch.setattr(folds, "_CHARACTERS", "[embeddings]\npairs = 100\n")
    step = folds.METHODS["network"]([replace(labelled, split="test") for labelled in DOCUMENTS[:3]])
    assert len(tree_predictions(step, DOCUMENTS[3:5])) == 2
