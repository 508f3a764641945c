"""The case studies: what is judged on the sample reports, and the section that is written of it."""

import json
from pathlib import Path
from typing import Any

import pytest
from research.case_page import case_studies
from research.cases import DRAGGED, FAULT, RIGHT, SHOWN, main, sample
from research.twin_trees import Mark, Twin, twins

from held.metrics import Prediction, compare_trees


@pytest.fixture(scope="module")
def result(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("cases") / "cases.json"
    main(["--result", str(path)])
    return path


@pytest.fixture(scope="module")
def documents(result: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(result.read_text("utf-8"))["documents"]
    return found


def test_the_true_tree_of_a_sample_is_right_by_itself() -> None:
    subject = sample("report-en")
    prediction = Prediction(subject.truth.tree, frozenset(subject.true_headings))
    assert compare_trees(subject.truth, prediction).paths.value == 1
    assert max(subject.truth.tree.levels().values()) > 5


def test_without_trained_models_the_rules_and_base_are_judged(documents: dict[str, Any]) -> None:
    rules = ["HEPS", "font-size rank", "numbering, then size", "base, as it ships"]
    for document in documents.values():
        assert [row["method"] for row in document["true headings"]] == rules
        assert [row["method"] for row in document["found headings"]] == rules


def test_with_true_headings_every_fault_is_an_insertion(documents: dict[str, Any]) -> None:
    rows = [row for document in documents.values() for row in document["true headings"]]
    kinds = {row[which]["kind"] for row in rows if row["faults"] for which in ("first", "worst")}
    assert kinds
    assert all(kind.startswith("put ") for kind in kinds)


def test_a_method_without_faults_has_all_paths_right(documents: dict[str, Any]) -> None:
    for document in documents.values():
        for row in document["true headings"]:
            assert (row["accuracy"] == 1) == (row["faults"] == 0) == (row["first"] is None)


def test_the_case_is_the_fault_that_drags_most(documents: dict[str, Any]) -> None:
    def dragged(fault: dict[str, Any]) -> int:
        return int(fault["dragged_headings"] + fault["dragged_others"])

    for document in documents.values():
        worst = [row["worst"] for row in document["true headings"] if row["worst"]]
        assert dragged(document["case"]) == max(map(dragged, worst)) > 0


def test_a_branch_shows_the_fault_once_and_counts_what_it_leaves_out(documents: dict[str, Any]) -> None:
    case = documents["report-zh"]["case"]
    states = [node["state"] for node in case["branch"]]
    assert states.count(FAULT) == 1
    assert states[0] == RIGHT
    assert len(states) == SHOWN
    left_out = sum(node["left_out"] for node in case["branch"])
    assert states.count(DRAGGED) + left_out >= case["dragged_headings"]


def test_the_section_has_a_table_and_a_figure_for_each_report(result: Path, tmp_path: Path) -> None:
    page = "\n".join(case_studies(result, tmp_path))
    assert page.startswith("## Case studies")
    for name in ("report-en", "report-zh"):
        assert f"(images/case-{name}.svg)" in page
        assert "the wrong insertion" in (tmp_path / f"case-{name}.svg").read_text("utf-8")
    assert page.count("| base, as it ships |") == 4


def test_without_a_result_there_is_no_section(tmp_path: Path) -> None:
    assert list(case_studies(tmp_path / "cases.json", tmp_path)) == []


def test_two_trees_show_a_node_in_both_and_its_text_cannot_be_markup() -> None:
    drawn = twins("T", ("true", "found"), [Twin("a <b>", (1, 2), Mark("wrong", "#c34"), ("", "too deep"))])
    assert drawn.count("a &lt;b&gt;") == 2
    assert drawn.count("too deep") == 1


def test_a_name_too_long_for_its_half_is_cut() -> None:
    drawn = twins("T", ("true", "found"), [Twin("很长的标题" * 20, (1, 7))])
    assert "…" in drawn
    assert "很长的标题" * 7 not in drawn
