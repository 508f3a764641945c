"""Faults counted by kind, on a made corpus with the weights that ship in place of those of trials."""

import json
import shutil
from dataclasses import replace
from pathlib import Path

import pytest
from research.errors.evidence import EVIDENCE, count_insertions, evidence_table
from research.errors.run import count_faults, main
from research.trees.trials import kept_trials

from held.corpus.store import LabelledDocument, write_labelled
from held.hierarchy.boosted_step import BoostedTreeStep
from held.hierarchy.pipeline import tree_step
from held.metrics import Label
from held.models.store import WEIGHTS
from held.training.boosted_data import training_document
from tests.research.test_trees_tables import labelled


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("corpus")
    for name in ("a", "b"):
        write_labelled(folder, by_hand(labelled(name)))
    # A document whose outline leaves out a chapter, which is found all the same.
    odd = labelled("c", chapters=4)
    labels = (*odd.labels[:-5], *[Label.BODY] * 5)
    last = max(i for i, label in enumerate(labels) if label is Label.HEADING)
    write_labelled(folder, by_hand(replace(odd, labels=labels, parents=(*odd.parents[:-5], *[last] * 5))))
    write_labelled(folder, labelled("d"))
    return folder


def by_hand(document: LabelledDocument) -> LabelledDocument:
    return replace(document, domain="books", labels_from="manual")


@pytest.fixture
def trials(tmp_path: Path) -> Path:
    """Two trials, which have judged documents in common, with the weights that ship."""
    for name, judged in (("fold_1", "ab"), ("left_out", "abcd")):
        shutil.copytree(WEIGHTS / "base", tmp_path / "models" / f"{name}_-_as_shipped")
        stored = {"both by document": {id: [1, 1, 1, 1] for id in judged}}
        (tmp_path / f"{name}_-_as_shipped.json").write_text(json.dumps(stored))
    return tmp_path


def test_each_document_is_judged_by_the_first_trial_that_left_it_out(trials: Path) -> None:
    found = [(models.name, ids) for models, ids in kept_trials(trials)]
    assert found == [("fold_1_-_as_shipped", ["a", "b"]), ("left_out_-_as_shipped", ["c", "d"])]


def test_results_have_ids_and_counts_and_no_text(corpus: Path, trials: Path, tmp_path: Path) -> None:
    page = tmp_path / "errors.md"
    page.write_text("# Errors\n<!-- faults -->\nold\n<!-- end of faults -->\nRest.\n")
    result_file = tmp_path / "result.json"
    arguments = ["--data", str(corpus), "--trials", str(trials), "--result", str(result_file)]
    assert main([*arguments, "--page", str(page)]) == 0
    written = result_file.read_text("utf-8")
    result = json.loads(written)
    assert result["kinds"]["law books"]["documents"] == 3
    assert result["kinds"]["law books"]["kinds"]["false heading"]["faults"] >= 1
    assert "Chapter of things" not in written
    assert "false heading" in page.read_text("utf-8")
    assert "old" not in page.read_text("utf-8")


def test_faults_in_a_kind_of_documents_are_summed_the_costliest_first() -> None:
    fault = {"dragged_headings": 2, "dragged_body": 1, "numbered": True}
    faults = [{"kind": "put too deep", **fault}, *[{"kind": "missed heading", **fault}] * 2]
    found = count_faults([{"kind": "law books", "headings": 9, "faults": faults}], "law books")
    assert list(found["kinds"]) == ["missed heading", "put too deep"]
    assert found["kinds"]["missed heading"]["dragged_headings"] == 4
    assert found["kinds"]["missed heading"]["documents"] == 1
    assert count_faults([], "law books") == {}


def test_insertions_that_contradict_what_is_printed_are_counted() -> None:
    step = tree_step("base")
    assert isinstance(step, BoostedTreeStep)
    counts = count_insertions(training_document(labelled("a")), step)
    assert counts["insertions"] == 12
    assert counts["closes a numbered list that goes on: true"] == 0
    lines = evidence_table({"law books": counts}).splitlines()
    assert len(lines) == 4 + len(EVIDENCE)
