"""The paper's questions: plans that fit together, results that are compared, a quick run from end to end."""

import sys
from pathlib import Path
from typing import Any

import pytest

sys.path.append(str(Path(__file__).parents[1] / "training"))

from experiments.paper import results
from experiments.paper.plan import QUESTIONS, model_plans, question_plan, quick_plans
from experiments.plots import Point, bars, points
from experiments.report import write_report
from experiments.run import main
from small_corpus import write_small_corpus

ROW = {"domains": {"science": {"accuracy": 0.9}}, "inquiries": 12.0, "seconds": 0.5}


def result_of(rows: dict[str, Any], name: str = "rq2") -> dict[str, Any]:
    return {
        "question": name, "split": "test", "data": "d", "commit": "c", "models": {}, "rows": rows,
    }  # fmt: skip


@pytest.mark.parametrize("name", QUESTIONS)
def test_every_row_of_the_papers_figures_is_a_row_of_ours(name: str) -> None:
    plan = question_plan(name)
    if name != "rq7":  # its rows are measured by its own code
        assert set(plan.paper) <= {row.name for row in plan.rows}
    assert set(plan.models()) <= set(model_plans())


def test_all_rows_of_put_or_skip_have_the_same_budget() -> None:
    plans = [plan for plan in model_plans().values() if plan.kind == "put-or-skip"]
    assert {plan.batches for plan in plans} == {20_000}
    assert {plan.with_budget(0.5).batches for plan in plans} == {10_000}


def test_a_quick_plan_keeps_the_ablation() -> None:
    plans = quick_plans()
    assert "siblings=false" in plans["no-siblings"].changes
    assert [change for change in plans["one-step"].changes if "sample" in change] == ["sample=1.0"]
    assert plans["full"].batches < 100


def test_a_row_is_ok_off_or_missing() -> None:
    expected = results.expectation(result_of({"a": ROW, "b": ROW, "c": ROW}))
    near = {**ROW, "domains": {"science": {"accuracy": 0.905}}}
    far = {**ROW, "domains": {"science": {"accuracy": 0.8}}}
    found = results.verdicts(result_of({"a": near, "b": far}), expected)
    assert found == {"a": results.OK, "b": results.OFF, "c": results.MISSING}


def test_an_expectation_is_for_the_same_training() -> None:
    result = result_of({"a": ROW})
    expected = results.expectation(result)
    assert results.is_expected_of(result, expected)
    assert not results.is_expected_of({**result, "models": {"full": {"batches": 9}}}, expected)


def test_plots_leave_out_what_has_no_value_and_escape_names() -> None:
    drawn = bars("<t>", {"g": {"a": 0.5, "b": None}}) + points(
        "p", [Point("a&b", 1, 2)], x_name="x", y_name="y"
    )
    assert drawn.count("<rect") == 3  # one bar, and a legend for each series
    assert "&lt;t&gt;" in drawn
    assert "a&amp;b" in drawn


def test_the_page_shows_our_figure_beside_the_papers(tmp_path: Path) -> None:
    results.write(tmp_path / "rq2" / "result.json", result_of({"ta": ROW}))
    page = write_report(tmp_path, tmp_path / "docs").read_text(encoding="utf-8")
    assert "| ta | 0.9000 (0.9578) | 12 (2168.35) | 0.5000 (42.58) |" in page
    assert (tmp_path / "docs" / "images" / "rq2-cost.svg").exists()


def test_a_quick_run_trains_measures_writes_and_measures_nothing_twice(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("experiments.paper.plan.QUICK_BATCHES", 4)
    data = write_small_corpus(tmp_path / "labelled")
    call = ["rq4", "--quick", "--data", str(data), "--work", str(tmp_path / "work")]
    assert main(call) == 0
    first = capsys.readouterr()
    assert "to train: characters, full, no-tolerance; to measure: 4 rows" in first.err
    assert "4 OK, 0 off or missing" in first.out
    assert (tmp_path / "work" / "quick" / "results.md").exists()
    assert main(call) == 0
    assert "to train: nothing" in (again := capsys.readouterr().err)
    assert "without tolerance" not in again
