"""Joining the results of two runs: more seeds of a row, and rows that only one of them has."""

from typing import Any

import pytest
from research.paper.join import join_results
from research.paper.plan import question_plan

from held.errors import HeldError

RQ1, RQ5 = question_plan("rq1"), question_plan("rq5")


def scores(accuracy: float, *, f1: float | None = 0.5) -> dict[str, Any]:
    levels = {"1": {"precision": None, "recall": 0.5, "f1": f1}}
    return {
        "documents": 2,
        "accuracy": accuracy,
        "interval": [accuracy, accuracy],
        "seeds": [accuracy],
        "teds": accuracy,
        "by_level": levels,
    }


def result(right: int, model: str, *, row: str = "- Parent", domain: str = "zh_fin") -> dict[str, Any]:
    """A result of one row and one model, with two documents of ten paths each."""
    counts = {"d1": [right, 10], "d2": [right, 10]}
    own = {
        "domains": {domain: scores(right / 10)},
        "runs": 2,
        "inquiries": 10.0 * right,
        "heading_seconds": 0.0,
        "tree_seconds": 1.0,
        "seconds": 1.0,
        "documents": {domain: counts},
    }
    table, plus, seed = model.partition("+")
    models: dict[str, Any] = {f"{table}@{domain}{plus}{seed}": {}}
    same = {"question": "rq5", "labels": {domain: "d"}, "split": "test", "commit": "c", "seconds": 1}
    return {**same, "models": models, "rows": {row: own}, "not_run": []}


def test_another_seed_is_added_to_the_row_and_its_accuracy_is_that_of_all_counts() -> None:
    joined = join_results(result(4, "no-parent-alone"), result(8, "no-parent-alone+1"), RQ5)
    row = joined["rows"]["- Parent"]
    found = row["domains"]["zh_fin"]
    assert (found["accuracy"], found["seeds"]) == (0.6, [0.4, 0.8])
    assert row["documents"]["zh_fin"] == {"d1": (12, 20), "d2": (12, 20)}
    assert row["inquiries"] == 40.0, "costs are those of the stored run"
    assert joined["joined"] == [{"commit": "c", "models": ["no-parent-alone@zh_fin+1"]}]


def test_other_measures_are_means_over_seeds_and_what_one_lacks_is_the_others() -> None:
    stored = result(4, "no-parent-alone")
    stored["rows"]["- Parent"]["domains"]["zh_fin"] = scores(0.4, f1=None)
    joined = join_results(stored, result(8, "no-parent-alone+1"), RQ5)
    found = joined["rows"]["- Parent"]["domains"]["zh_fin"]
    assert found["teds"] == pytest.approx(0.6)
    assert found["by_level"] == {"1": {"precision": None, "recall": 0.5, "f1": 0.5}}


def test_a_third_seed_counts_as_one_of_three() -> None:
    two = join_results(result(4, "no-parent-alone"), result(8, "no-parent-alone+1"), RQ5)
    three = join_results(two, result(9, "no-parent-alone+2"), RQ5)
    found = three["rows"]["- Parent"]["domains"]["zh_fin"]
    assert (found["accuracy"], found["teds"]) == (0.7, 0.7)
    assert len(three["joined"]) == 2


def test_rows_and_domains_that_only_the_other_run_has_are_taken_over() -> None:
    stored = result(4, "no-parent-alone")
    other = join_results(stored, result(9, "no-parent-alone", domain="science"), RQ5)
    assert set(other["rows"]["- Parent"]["domains"]) == {"zh_fin", "science"}
    more = join_results(other, result(9, "no-siblings-alone", row="- Siblings"), RQ5)
    assert set(more["rows"]) == {"- Parent", "- Siblings"}
    assert "no-siblings-alone@zh_fin" not in more["not_run"]
    assert "no-siblings-alone@en_fin" in more["not_run"]


def test_a_run_that_went_on_with_another_domain_joins_that_domain_alone() -> None:
    stored = join_results(result(4, "no-parent-alone"), result(8, "no-parent-alone+1"), RQ5)
    later = result(8, "no-parent-alone+1")
    english = result(2, "no-parent-alone+1", domain="en_fin")
    later["models"] |= english["models"]
    for part in ("domains", "documents"):
        later["rows"]["- Parent"][part] |= english["rows"]["- Parent"][part]
    domains = join_results(stored, later, RQ5)["rows"]["- Parent"]["domains"]
    assert {name: own["seeds"] for name, own in domains.items()} == {"zh_fin": [0.4, 0.8], "en_fin": [0.2]}


def test_what_both_runs_have_stays_as_it_is_stored() -> None:
    stored = result(4, "no-parent-alone")
    assert join_results(stored, result(8, "no-parent-alone"), RQ5) == stored


def test_a_heading_network_that_was_trained_anew_is_another_seed_of_rules() -> None:
    stored, other = (result(right, "heading-alone", row="HEPS") for right in (4, 8))
    stored["models"]["heading-alone@zh_fin"] = {"curve": [[250, 0.1, 0.8]]}
    other["models"]["heading-alone@zh_fin"] = {"curve": [[250, 0.1, 0.9]]}
    joined = join_results(stored, other, RQ1)
    assert joined["rows"]["HEPS"]["domains"]["zh_fin"]["seeds"] == [0.4, 0.8]
    assert "heading-alone@zh_fin again" in joined["models"]
    assert join_results(joined, other, RQ1) == joined


def test_a_heading_network_trained_anew_twice_gets_a_number() -> None:
    runs = [result(right, "heading-alone", row="HEPS") for right in (4, 8, 9)]
    for number, run in enumerate(runs):
        run["models"]["heading-alone@zh_fin"] = {"curve": [[250, 0.1, number]]}
    joined = join_results(join_results(runs[0], runs[1], RQ1), runs[2], RQ1)
    assert joined["rows"]["HEPS"]["domains"]["zh_fin"]["seeds"] == [0.4, 0.8, 0.9]
    name = "heading-alone@zh_fin"
    assert list(joined["models"]) == [name, f"{name} again", f"{name} again 2"]


def test_results_on_other_documents_are_not_joined() -> None:
    other = {**result(8, "no-parent-alone+1"), "labels": {"zh_fin": "e"}}
    with pytest.raises(HeldError, match="other documents"):
        join_results(result(4, "no-parent-alone"), other, RQ5)
