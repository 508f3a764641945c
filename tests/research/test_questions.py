"""The paper's questions: plans that fit together, results that are compared, a quick run from end to end."""

import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

sys.path.append(str(Path(__file__).parents[1] / "training"))

from research.paper import results
from research.paper.measure import count_run, merge_rows, row_scores
from research.paper.methods import OneByOne, Outcome, outcome
from research.paper.plan import (
    QUESTIONS,
    RowPlan,
    model_plans,
    plans_needed,
    question_plan,
    quick_plans,
    training_order,
)
from research.paper.subjects import Subject, headings_for
from research.paper.train import is_trained, path_of
from research.report import write_report
from research.run import main

from held.cli import held
from held.corpus.store import truth, write_labelled
from held.document import Document, Kind, PageSize, PhysicalObject
from held.headings.object_features import DocumentFeatures
from held.hierarchy.insertion import Objects, Question, Scorer, Strategy
from held.hierarchy.pipeline import TreeOptions, build_tree, insert_objects
from held.metrics import Label, Prediction, Truth
from held.models.store import ModelKind, save_model
from held.paper.training import to_onnx
from held.training.boosted_trainer import BoostedPutOrSkip
from held.training.settings import PembeSettings, PutOrSkipSettings, settings_for
from held.tree import Tree
from tests.training.exports import remembered
from tests.training.small_corpus import BODY, PLACE, small_document, untrained

ROW = {
    "domains": {"science": {"accuracy": 0.9, "unmasked": 0.8}},
    "inquiries": 12.0,
    "heading_seconds": 0.1,
    "tree_seconds": 0.4,
    "seconds": 0.5,
}


def prediction_of(tree: str) -> Prediction:
    return Prediction(Tree.parse(tree), frozenset({0, 1}))


def subject_of(tree: str) -> Subject:
    """A document of two headings."""
    objects = tuple(PhysicalObject(Kind.PARAGRAPH, text, PLACE, BODY) for text in "ab")
    document = Document("d", (PageSize(600, 800),), objects, body=BODY)
    known = Truth(Tree.parse(tree), (Label.HEADING, Label.HEADING))
    return Subject("d", "science", DocumentFeatures(document), known, (0, 1))


def result_of(rows: dict[str, Any], name: str = "rq2") -> dict[str, Any]:
    return {
        "question": name,
        "split": "test",
        "data": "d",
        "commit": "c",
        "models": {},
        "rows": rows,
    }


@pytest.mark.parametrize("name", QUESTIONS)
def test_every_row_of_the_papers_figures_is_a_row_of_ours(name: str) -> None:
    plan = question_plan(name)
    if name != "rq7":  # its rows are measured by its own code
        assert set(plan.paper) <= {row.name for row in plan.rows}
    assert plan.models(model_plans()) or not any(row.model for row in plan.rows)


def test_the_ablations_have_the_budget_and_the_settings_of_the_network_but_for_one() -> None:
    plans = model_plans()
    whole = plans["network-alone@zh_fin"]
    for table, change in (("no-parent", "parent=false"), ("no-siblings", "siblings=false")):
        plan = plans[f"{table}-alone@zh_fin"]
        assert plan.batches == whole.batches
        assert set(plan.changes) - set(whole.changes) == {change}
    assert whole.with_budget(0.5).batches == whole.batches / 2


def test_the_methods_that_are_compared_make_the_same_choice_of_what_is_learnt_from() -> None:
    plans = model_plans()
    base = settings_for(BoostedPutOrSkip, "put-or-skip", preset="base")
    pembe = settings_for(PembeSettings, "pembe", preset="paper", changes=plans["pembe-alone@en_fin"].changes)
    network = settings_for(
        PutOrSkipSettings, "put-or-skip", preset="paper", changes=plans["network-alone@en_fin"].changes
    )
    chosen = {(each.power, each.balance, each.astray) for each in (base, pembe, network)}
    assert chosen == {(0.5, 0.5, False)}


def test_a_table_stands_for_a_model_of_each_domain_and_seed() -> None:
    row = next(row for row in question_plan("rq1").rows if row.model == "network-alone")
    variants = row.variants(model_plans())
    assert len({(plan.domain, plan.seed) for plan in variants}) == len(variants) == 9
    assert "seed=2" in model_plans()["network-alone@zh_fin+2"].changes


def test_what_is_asked_one_by_one_is_measured_with_one_seed() -> None:
    plans = model_plans()
    [row] = [row for row in question_plan("rq2").rows if row.name == "2step-HELD (ta), one by one"]
    assert {plan.seed for plan in row.variants(plans)} == {0}
    assert {plan.seed for plan in replace(row, one_by_one=False).variants(plans)} == {0, 1, 2}


class Counting:
    """A step that puts every object into the first position, and counts how it is asked."""

    every_object = normalise = False

    def __init__(self) -> None:
        self.calls: list[int] = []

    def scorer(self, documents: Sequence[DocumentFeatures], objects: Objects) -> Scorer:
        return self

    def score(self, questions: Sequence[Question]) -> list[list[float]]:
        self.calls.append(sum(len(question.positions) for question in questions))
        return [[1.0 if at == 0 else 0.0 for at in question.positions] for question in questions]


def test_one_by_one_every_inquiry_is_a_call_and_the_tree_is_the_same() -> None:
    shown = [subject_of("0 1").features]
    together, single = Counting(), Counting()
    [expected] = insert_objects(together, shown, [(0, 1)], Strategy())
    [found] = insert_objects(OneByOne(single), shown, [(0, 1)], Strategy())
    assert found.tree == expected.tree
    assert max(together.calls) > 1
    assert single.calls == [1] * found.inquiries


def test_the_beam_of_rq6_is_the_beam_of_extract(tmp_path: Path) -> None:
    for kind in ModelKind:
        save_model(tmp_path / f"{kind}.held", untrained(kind))
    labelled = small_document(3)
    marked = tuple(
        replace(item, kind=Kind.HEADING) if obj in labelled.headings else item
        for obj, item in enumerate(labelled.document.objects)
    )
    document = replace(labelled.document, objects=marked)
    subject = Subject("d", "science", DocumentFeatures(document), truth(labelled), labelled.headings)
    trees = {}
    for width in (1, 3):
        row = RowPlan("beam", "network", "true", "put-or-skip", beam=width)
        [measured] = outcome(row, tmp_path, [subject], headings_for("true", [subject])).predictions
        options = TreeOptions(model=str(tmp_path), strategy=Strategy(width=width))
        trees[width] = build_tree(document, options).tree
        assert measured.tree == trees[width]
    assert trees[1] != trees[3]


def test_a_question_of_some_domains_takes_the_models_of_these_domains_alone() -> None:
    plan = question_plan("rq3")
    names = plan.models(model_plans())
    assert "network-alone@science" in model_plans()
    assert {name.partition("@")[2].partition("+")[0] for name in names} == set(plan.domains)


def test_a_network_of_one_domain_starts_from_characters_of_that_domain() -> None:
    names = [plan.name for plan in plans_needed(["network-alone@zh_fin"], model_plans())]
    assert names == ["characters-alone@zh_fin", "network-alone@zh_fin"]


def test_the_regression_needs_no_characters_and_knows_no_share_of_the_budget() -> None:
    plans = model_plans()
    assert [plan.name for plan in plans_needed(["pembe-alone@zh_fin"], plans)] == ["pembe-alone@zh_fin"]
    assert plans["pembe-alone@zh_fin"].with_budget(0.0) == plans["pembe-alone@zh_fin"]


def test_a_plan_in_32_bits_is_the_same_but_for_its_products() -> None:
    plan = model_plans()["network-alone@zh_fin"]
    exact = plan.in_float32()
    assert set(plan.changes) ^ set(exact.changes) == {"bfloat16=true", "bfloat16=false"}
    assert replace(exact, changes=plan.changes) == plan


def test_a_quick_plan_keeps_the_ablation_and_one_seed() -> None:
    plans = quick_plans()
    assert "siblings=false" in plans["no-siblings-alone@zh_fin"].changes
    assert plans["network-alone@zh_fin"].batches < 100
    assert not any(plan.seed for plan in plans.values())


def test_a_row_is_ok_off_or_missing() -> None:
    expected = results.expectation(result_of({"a": ROW, "b": ROW, "c": ROW}))
    near = {**ROW, "domains": {"science": {"accuracy": 0.905}}}
    far = {**ROW, "domains": {"science": {"accuracy": 0.8}}}
    found = results.verdicts(result_of({"a": near, "b": far}), expected)
    assert found == {"a": results.OK, "b": results.OFF, "c": results.MISSING}


def quick_row(right: int, total: int) -> dict[str, Any]:
    return {"documents": {"science": {"d": [right, total]}}}


def test_a_quick_row_is_off_below_its_least_and_missing_if_it_was_not_measured() -> None:
    rows = {"a": quick_row(9, 10), "b": quick_row(3, 10), "c": quick_row(0, 10)}
    found = results.quick_verdicts({"rows": rows}, ["a", "b", "c", "d"], {"a": 0.8, "b": 0.8})
    assert found == {"a": results.OK, "b": results.OFF, "c": results.OK, "d": results.MISSING}


def test_what_a_quick_run_expects_is_of_its_rows() -> None:
    plan = question_plan("rq1")
    assert plan.quick
    assert set(plan.quick) <= {row.name for row in plan.rows}


def test_the_counts_of_documents_are_a_file_of_their_own(tmp_path: Path) -> None:
    result = result_of({"a": {**ROW, "documents": {"science": {"d": (1, 2)}}}})
    kept = results.write_counts(tmp_path / "documents.json", result)
    assert kept["rows"] == {"a": ROW}
    assert results.read(tmp_path / "documents.json") == {"a": {"science": {"d": [1, 2]}}}


def test_several_seeds_are_one_row_with_their_mean_and_each_of_them() -> None:
    (subject,) = documents = [subject_of("0 1")]
    right, wrong = (Outcome([prediction_of(tree)], [3], 1.0) for tree in ("0 1", "(0 1)"))
    found = row_scores([count_run(documents, right), count_run(documents, wrong, seed=1)])
    own = found["domains"]["science"]
    assert (own["seeds"], own["accuracy"], own["documents"]) == ([1.0, 0.5], 0.75, 1)
    assert found["documents"] == {"science": {subject.id: (3, 4)}}
    assert (own["inquiries"], found["seconds"]) == (3.0, 1.0)


def test_domains_are_one_row_whose_costs_are_means_over_documents() -> None:
    small, large = ({**ROW, "domains": {name: {}}, "documents": {name: {}}} for name in ("zh_fin", "en_fin"))
    merged = merge_rows([{**small, "runs": 1}, {**large, "runs": 3, "seconds": 1.5, "inquiries": None}])
    assert list(merged["domains"]) == list(merged["documents"]) == ["zh_fin", "en_fin"]
    assert merged["seconds"] == 1.25


def test_an_expectation_is_for_the_same_training() -> None:
    result = result_of({"a": ROW})
    expected = results.expectation(result)
    assert results.is_expected_of(result, expected)
    assert not results.is_expected_of({**result, "models": {"full": {"batches": 9}}}, expected)


def test_the_page_shows_our_figure_beside_the_papers(tmp_path: Path) -> None:
    results.write(tmp_path / "rq2" / "result.json", result_of({"2step-HELD (ta)": ROW}))
    page = write_report(tmp_path, tmp_path / "docs").read_text(encoding="utf-8")
    costs = "12 (2168.35) | 0.1000 | 0.4000 | 0.5000 (42.58)"
    assert f"| 2step-HELD (ta) | 0.9000 / 0.8000 (0.9578) | {costs} |" in page
    assert (tmp_path / "docs" / "images" / "rq2-cost.svg").exists()


def test_f1_by_level_stands_beside_the_papers_and_missing_rows_are_named(tmp_path: Path) -> None:
    own = {"accuracy": 0.9, "by_level": {"1": {"f1": 0.95}}, "documents": 3}
    result = result_of({"- Parent": {**ROW, "domains": {"zh_fin": own}}}, "rq5")
    results.write(tmp_path / "rq5" / "result.json", result)
    page = write_report(tmp_path, tmp_path / "docs").read_text(encoding="utf-8")
    assert "| - Parent | 0.9000 | 0.950 (0.989) |" in page
    assert "| RQ5, F1 by level, zh_fin | 2step-HELD, - Siblings |" in page


def test_a_row_of_one_domain_is_not_called_missing_in_the_others(tmp_path: Path) -> None:
    domains = {name: {"accuracy": 0.9, "unmasked": 0.8} for name in ("zh_fin", "science")}
    result = result_of({"2step-HELD (ta)": {**ROW, "domains": domains}}, "rq4")
    results.write(tmp_path / "rq4" / "result.json", result)
    page = write_report(tmp_path, tmp_path / "docs").read_text(encoding="utf-8")
    assert "| learning rate 1e-3, true headings | not run | - |" in page


def test_the_page_says_how_well_a_network_knows_what_it_was_trained_on(tmp_path: Path) -> None:
    splits = {"train": 0.9, "valid": 0.5, "test": 0.4}
    own = {split: {"documents": 7, "paths": paths} for split, paths in splits.items()}
    model = {"model": "network-alone@en_fin+1", "commit": "c", "labels": "d", "splits": own}
    fit = {"models": {"network-alone@en_fin": model}}
    results.write(tmp_path / "paper" / "fit.json", fit)
    results.write(tmp_path / "rq4" / "result.json", result_of({}, "rq4"))
    page = write_report(tmp_path, tmp_path / "docs").read_text(encoding="utf-8")
    assert "| network-alone@en_fin+1 | 0.9000 (7) | 0.5000 (7) | 0.4000 (7) |" in page


def test_every_kind_of_network_has_its_curves(tmp_path: Path) -> None:
    facts = {"set": ["learning_rate=5e-4"], "epochs": 1, "curve": [[250, 0.1, 0.5]], "converged": True}
    names = ("network-alone@science+1", "heading-alone@zh_fin", "toc-alone@en_fin")
    result = {**result_of({}, "rq5"), "models": dict.fromkeys(names, facts)}
    results.write(tmp_path / "rq5" / "result.json", result)
    write_report(tmp_path, tmp_path / "docs")
    drawn = {path.name for path in (tmp_path / "docs" / "images").glob("curves*")}
    assert drawn == {"curves-science.svg", "curves-headings-zh_fin.svg", "curves-toc-en_fin.svg"}


def test_the_corpus_stands_beside_the_papers(tmp_path: Path) -> None:
    spread = {"least": 1, "lower_quartile": 2, "median": 3, "upper_quartile": 4, "most": 5}
    own = {
        "documents": 2,
        "pages": 30,
        "objects": 500,
        "headings": 40,
        "objects_per_document": {"histogram": [{"from": 0, "to": None, "documents": 2}]},
        "headings_by_level": {"1": 10, "2": 30},
        "headings_per_document_by_level": {"1": spread, "2": spread},
        "patterns_by_level": {"1": {"0": 10}, "2": {"3": 30}},
    }
    results.write(tmp_path / "statistics.json", {"corpora": {"all": own, "zh_fin": own}})
    cells = {"data": "d", "domains": {"zh_fin": {"train": {"documents": 1, "groups": 1}}}}
    results.write(tmp_path / "cells.json", cells)
    page = write_report(tmp_path, tmp_path / "docs").read_text(encoding="utf-8")
    assert "| 1 (830) | - (100) | - (100) | 15 | 250 | 20 | 2 (11) |" in page


def test_the_queue_trains_every_planned_model_after_its_embeddings() -> None:
    order = [plan.name for plan in training_order()]
    assert len(order) == len(set(order)) == len(model_plans())
    assert order.index("characters-alone@en_fin") < order.index("network-alone@en_fin")


def write_papers(folder: Path) -> Path:
    """Small documents under names that say of what domain they are, as `held corpus build` gives them."""
    folder.mkdir()
    for seed in range(8):
        labelled = small_document(seed, split="train" if seed < 6 else "valid")
        write_labelled(folder, replace(labelled, id=f"science-{labelled.id}", domain="science"))
    return folder


def test_a_model_of_other_labels_counts_only_where_it_is_asked_for(tmp_path: Path) -> None:
    plan = model_plans()["pembe-alone@science"]
    path_of(plan, tmp_path).write_bytes(b"")
    note = {"plan": plan.identity(), "data": "of before", "batches": 0}
    results.write(tmp_path / f"{plan.name}.trained.json", note)
    assert not is_trained(plan, tmp_path, "of today")
    assert is_trained(plan, tmp_path, None)


def run_here(arguments: Sequence[str], log: Path) -> int:
    """What `run_held` does, without a process of its own, which would first import torch for seconds."""
    held(arguments, standalone_mode=False)
    return 0


def test_a_quick_run_trains_measures_writes_and_measures_nothing_twice(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("research.paper.plan.QUICK_BATCHES", 4)
    monkeypatch.setattr("research.paper.train.run_held", run_here)
    monkeypatch.setattr(to_onnx, "_export", remembered(to_onnx._export))
    data = write_papers(tmp_path / "labelled")
    call = ["rq2", "--quick", "--data", str(data), "--work", str(tmp_path / "work")]
    call += ["--train", "pembe-alone@science", "heading-alone@science", "network-alone@science"]
    assert main(call) == 0
    first = capsys.readouterr()
    trained = "pembe-alone@science, characters-alone@science, heading-alone@science, network-alone@science"
    assert f"to train: {trained}; to measure: 15 cells" in first.err
    assert "15 OK, 0 off or missing" in first.out
    assert (tmp_path / "work" / "quick" / "results.md").exists()
    assert main(call) == 0
    assert "to train: nothing; to measure: 0 cells" in (again := capsys.readouterr().err)
    assert "Pembe" not in again
