"""The paper's questions: plans that fit together, results that are compared, a quick run from end to end."""

import re
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

sys.path.append(str(Path(__file__).parents[1] / "training"))

from experiments.paper import results
from experiments.paper.measure import Run, row_scores
from experiments.paper.methods import Outcome
from experiments.paper.plan import QUESTIONS, model_plans, needed, question_plan, quick_plans
from experiments.paper.subjects import Subject
from experiments.report import VARIANTS, write_report
from experiments.run import main

from held.cli import held
from held.document import Document, Kind, PageSize, PhysicalObject
from held.features.comparisons import PAIR, SHORT
from held.features.outline import OWN
from held.features.pairs import CHAIN, FEATURES, KIN, NEXT
from held.metrics import Label, Prediction, Truth
from held.models.seen import Seen
from held.training import to_onnx
from held.training.boosted import BoostedPutOrSkip
from held.training.settings import PembeSettings, PutOrSkipSettings, settings_for
from held.tree import Tree
from tests.training.exports import remembered
from tests.training.small_corpus import BODY, PLACE, write_small_corpus

ROW = {"domains": {"science": {"accuracy": 0.9}}, "inquiries": 12.0, "seconds": 0.5}


GIVEN_AWAY = {f"previous_{name}" for name in SHORT} | {f"branch_{name}" for name in CHAIN}
"""Hidden with the parent and with the siblings: at the leaf and one above it they are the same headings."""


def prediction_of(tree: str) -> Prediction:
    return Prediction(Tree.parse(tree), frozenset({0, 1}))


def subject_of(tree: str) -> Subject:
    """A document of two headings."""
    objects = tuple(PhysicalObject(Kind.PARAGRAPH, text, PLACE, BODY) for text in "ab")
    document = Document("d", (PageSize(600, 800),), objects, body=BODY)
    known = Truth(Tree.parse(tree), (Label.HEADING, Label.HEADING))
    return Subject("d", "science", Seen(document), known, (0, 1))


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
    assert set(plan.models()) <= set(model_plans())


def test_all_rows_of_put_or_skip_have_the_same_budget() -> None:
    plans = [plan for plan in model_plans().values() if plan.kind == "put-or-skip"]
    networks = [plan for plan in plans if plan.preset == "paper" and not plan.domain]
    assert {plan.batches for plan in networks} == {20_000}
    assert {plan.with_budget(0.5).batches for plan in networks} == {10_000}
    assert not any("trees" in change for plan in plans for change in plan.changes)


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
    row = next(row for row in question_plan("fair").rows if row.model == "base-alone")
    variants = row.variants(model_plans())
    assert len({(plan.domain, plan.seed) for plan in variants}) == len(variants) == 12
    assert "seed=2" in model_plans()["base-alone@zh_fin+2"].changes


def test_a_network_of_one_domain_starts_from_characters_of_that_domain() -> None:
    names = [plan.name for plan in needed(["network-alone@zh_fin"], model_plans())]
    assert names == ["characters-alone@zh_fin", "network-alone@zh_fin"]


def test_boosted_trees_need_no_characters_and_know_no_share_of_the_budget() -> None:
    plans = model_plans()
    assert [plan.name for plan in needed(["base-no-parent"], plans)] == ["base-no-parent"]
    assert plans["base-no-parent"].with_budget(0.0) == plans["base-no-parent"]


def hidden_in(name: str) -> set[str]:
    """The features that a model of preset `base` must do without."""
    changes = model_plans()[name].changes
    settings = settings_for(BoostedPutOrSkip, "put-or-skip", preset="base", changes=changes)
    return {feature for feature in FEATURES if settings.hidden and re.search(settings.hidden, feature)}


def test_without_the_parent_nothing_tells_of_it_or_of_what_is_above_it() -> None:
    parents = {f"parent_{name}" for name in PAIR} | {f"above_{name}" for name in CHAIN}
    assert hidden_in("base-no-parent") == parents | set(KIN) | GIVEN_AWAY


def test_without_siblings_nothing_tells_of_them_or_of_what_is_below_them() -> None:
    lasts = {f"last_{name}" for name in PAIR} | {f"closed_{name}" for name in CHAIN}
    others = {f"{which}_{name}" for which in ("first", "second") for name in SHORT}
    places = {"children", "next_follows_last", "next_like_last"}
    inside = {"parent_seen_inside"} & set(FEATURES)
    assert hidden_in("base-no-siblings") == lasts | others | places | inside | GIVEN_AWAY


@pytest.mark.parametrize("name", ["base-no-parent", "base-no-siblings"])
def test_the_object_itself_and_the_next_heading_are_never_hidden(name: str) -> None:
    assert not hidden_in(name) & {*OWN, *NEXT}


def test_without_tolerance_there_is_no_error_to_learn_from() -> None:
    changes = model_plans()["base-no-tolerance"].changes
    settings = settings_for(BoostedPutOrSkip, "put-or-skip", preset="base", changes=changes)
    assert (settings.misplaced, settings.dropped, settings.false, settings.found) == (0, 0, 0, False)


def test_a_quick_plan_keeps_the_ablation() -> None:
    plans = quick_plans()
    assert "siblings=false" in plans["no-siblings"].changes
    assert [change for change in plans["one-step"].changes if "sample" in change] == ["sample=1.0"]
    assert plans["full"].batches < 100
    assert "found=false" in plans["base-no-tolerance"].changes


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


@pytest.mark.parametrize("name", ["fair", "rq4"])
def test_what_a_quick_run_expects_is_of_its_rows(name: str) -> None:
    plan = question_plan(name)
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
    found = row_scores([Run(0, documents, right), Run(1, documents, wrong)])
    own = found["domains"]["science"]
    assert (own["seeds"], own["accuracy"], own["documents"]) == ([1.0, 0.5], 0.75, 1)
    assert found["documents"] == {"science": {subject.id: (3, 4)}}
    assert (own["inquiries"], found["seconds"]) == (3.0, 1.0)


def test_an_expectation_is_for_the_same_training() -> None:
    result = result_of({"a": ROW})
    expected = results.expectation(result)
    assert results.is_expected_of(result, expected)
    assert not results.is_expected_of({**result, "models": {"full": {"batches": 9}}}, expected)


def test_the_page_shows_our_figure_beside_the_papers(tmp_path: Path) -> None:
    results.write(tmp_path / "rq2" / "result.json", result_of({"ta": ROW}))
    page = write_report(tmp_path, tmp_path / "docs").read_text(encoding="utf-8")
    assert "| ta | 0.9000 (0.9578) | 12 (2168.35) | 0.5000 (42.58) |" in page
    assert (tmp_path / "docs" / "images" / "rq2-cost.svg").exists()


def test_every_variant_of_the_one_table_is_a_row_of_its_question() -> None:
    wanted = [(name, row) for _, name, *rows in VARIANTS for row in rows if row]
    assert all(row in {plan.name for plan in question_plan(name).rows} for name, row in wanted)


def test_the_one_table_has_the_variants_that_were_measured(tmp_path: Path) -> None:
    results.write(tmp_path / "rq2" / "result.json", result_of({"ta": ROW}))
    results.write(tmp_path / "rq5" / "result.json", result_of({"base - Parent": ROW}, "rq5"))
    page = write_report(tmp_path, tmp_path / "docs").read_text(encoding="utf-8")
    table = page[page.index("## Every variant in one table") :]
    assert [line.split(" | ")[0] for line in table.splitlines() if line.startswith("| ")][2:4] == [
        "| the network, ta",
        "| base, without parent",
    ]


@pytest.mark.parametrize("name", ["rq4", "rq5"])
def test_every_network_of_an_ablation_has_base_beside_it(name: str) -> None:
    rows = {row.name: row for row in question_plan(name).rows}
    beside = {row.beside: row for row in rows.values() if row.beside}
    assert beside.keys() == {row.name for row in rows.values() if row.method == "network"}
    assert all(rows[network].headings == base.headings for network, base in beside.items())


def test_the_page_shows_base_beside_the_network(tmp_path: Path) -> None:
    better = {**ROW, "domains": {"zh_fin": {"accuracy": 0.95}}}
    worse = {**ROW, "domains": {"zh_fin": {"accuracy": 0.5}}}
    rows = {"without tolerance": worse, "base without tolerance": better}
    results.write(tmp_path / "rq4" / "result.json", result_of(rows, "rq4"))
    page = write_report(tmp_path, tmp_path / "docs").read_text(encoding="utf-8")
    assert "| accuracy | zh_fin | base |" in page
    assert "| without tolerance | 0.5000 (0.9725) | 0.9500 |" in page


def run_here(arguments: Sequence[str], log: Path) -> int:
    """What `run_held` does, without a process of its own, which would first import torch for seconds."""
    held(arguments, standalone_mode=False)
    return 0


def test_a_quick_run_trains_measures_writes_and_measures_nothing_twice(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("experiments.paper.plan.QUICK_BATCHES", 4)
    monkeypatch.setattr("experiments.paper.train.run_held", run_here)
    monkeypatch.setattr(to_onnx, "_exported", remembered(to_onnx._exported))
    data = write_small_corpus(tmp_path / "labelled")
    call = ["rq4", "--quick", "--data", str(data), "--work", str(tmp_path / "work")]
    assert main(call) == 0
    first = capsys.readouterr()
    assert "to train: characters, full, no-tolerance, base-no-tolerance; to measure: 8 rows" in first.err
    assert "8 OK, 0 off or missing" in first.out
    assert (tmp_path / "work" / "quick" / "results.md").exists()
    assert main(call) == 0
    assert "to train: nothing; to measure: 0 rows" in (again := capsys.readouterr().err)
    assert "without tolerance" not in again
