"""The verdicts: what one comparison says, what follows from several, and that all rows are planned."""

from pathlib import Path
from typing import Any

import pytest
from research.findings_page import finding_details, verdicts
from research.paper import results
from research.paper.plan import question_plan
from research.paper.train import is_converged
from research.paper.verdicts import (
    RETRIEVAL,
    Comparison,
    Finding,
    Side,
    Verdict,
    compare_rows,
    compare_within_margin,
    findings,
    format_commit,
    judge_finding,
    verdict_of,
)
from research.rq7.layout_noise import ROWS


def row(accuracy: float, interval: tuple[float, float], *seeds: float) -> dict[str, Any]:
    return {"accuracy": accuracy, "interval": list(interval), "seeds": list(seeds)}


ALIKE = {f"d{n}": [50 + n, 100] for n in range(8)}
BETTER = {name: [right + 10, total] for name, (right, total) in ALIKE.items()}


def test_what_is_better_on_every_document_is_for_the_finding() -> None:
    pair = row(0.6, (0.5, 0.7)), row(0.5, (0.4, 0.6))
    assert compare_rows("science", *pair, BETTER, ALIKE).side is Side.FOR
    assert compare_rows("science", *pair, ALIKE, BETTER).side is Side.AGAINST
    assert compare_rows("science", *pair, ALIKE, ALIKE).side is Side.OPEN


def test_a_finding_that_two_rows_are_alike_names_a_margin() -> None:
    pair = row(0.6, (0.5, 0.7)), row(0.5, (0.4, 0.6))
    assert compare_within_margin("own", *pair, BETTER, ALIKE, margin=0.2).side is Side.FOR
    assert compare_within_margin("own", *pair, BETTER, ALIKE, margin=0.02).side is Side.AGAINST
    assert compare_within_margin("own", *pair, ALIKE, BETTER, margin=0.02).side is Side.AGAINST


def test_few_documents_decide_nothing() -> None:
    few = {name: BETTER[name] for name in list(BETTER)[:2]}
    found = compare_rows("en_fin", row(0.6, (0.5, 0.7)), row(0.5, (0.4, 0.6)), few, ALIKE)
    assert found.side is Side.OPEN
    assert found.note == "2 documents"


def test_several_seeds_show_their_range() -> None:
    shown = compare_rows("zh_fin", row(0.6, (0.5, 0.7), 0.55, 0.65), row(0.5, (0.4, 0.6)), BETTER, ALIKE)
    assert (shown.ours, shown.others) == ("0.600 [0.550-0.650, 2 seeds]", "0.500")


def test_a_difference_that_another_seed_may_make_decides_nothing() -> None:
    pair = row(0.6, (0.5, 0.7)), row(0.5, (0.4, 0.6))
    assert compare_rows("zh_fin", *pair, BETTER, ALIKE, seed_range=0.05).side is Side.FOR
    assert compare_rows("zh_fin", *pair, BETTER, ALIKE, seed_range=0.2).side is Side.OPEN
    assert compare_rows("zh_fin", *pair, BETTER, ALIKE, seed_range=None).side is Side.OPEN


def one(side: Side, confound: str = "") -> Comparison:
    return Comparison(side, confound=confound)


@pytest.mark.parametrize(
    ("compared", "verdict"),
    [
        ([], Verdict.NOT_RUN),
        ([one(Side.OPEN)], Verdict.UNDECIDED),
        ([one(Side.FOR), one(Side.OPEN)], Verdict.REPLICATES),
        ([one(Side.AGAINST), one(Side.OPEN)], Verdict.OPPOSITE),
        ([one(Side.FOR), one(Side.AGAINST)], Verdict.UNDECIDED),
        ([one(Side.FOR, "short training"), one(Side.OPEN)], Verdict.CONFOUNDED),
        ([one(Side.FOR, "short training"), one(Side.FOR)], Verdict.REPLICATES),
        ([one(Side.AGAINST, "short training"), one(Side.FOR)], Verdict.REPLICATES),
        ([one(Side.OPEN, "short training")], Verdict.UNDECIDED),
    ],
)
def test_a_verdict_follows_from_the_comparisons(compared: list[Comparison], verdict: Verdict) -> None:
    assert verdict_of(compared) is verdict


def test_a_row_that_loses_while_still_gaining_on_valid_is_a_confound(tmp_path: Path) -> None:
    rows = {
        "2step-HELD": {"zh_fin": row(0.6, (0.5, 0.7), 0.6, 0.61)},
        "1step-HELD": {"zh_fin": row(0.5, (0.4, 0.6))},
    }
    counts = {"2step-HELD": {"zh_fin": BETTER}, "1step-HELD": {"zh_fin": ALIKE}}
    compare = [{"in": "rq3", "better": "2step-HELD", "worse": "1step-HELD"}]
    for converged, verdict in ((True, Verdict.REPLICATES), (False, Verdict.CONFOUNDED)):
        models = {"one-step-alone@zh_fin": {"curve": [[1, 0.1, 0.5]], "converged": converged}}
        write_rows(tmp_path, rows, counts, question="rq3", models=models)
        assert judge_finding(Finding("x", "", compare, ""), tmp_path).verdict is verdict


def test_what_a_finding_presupposes_must_hold(tmp_path: Path) -> None:
    rows = {
        "labelled layout": {"made": row(0.6, (0.5, 0.7))},
        "recognised layout": {"made": row(0.5, (0.4, 0.6))},
        "layout F1": {"made": row(0.8, (0.7, 0.9))},
    }
    counts = {"labelled layout": {"made": BETTER}, "recognised layout": {"made": ALIKE}}
    write_rows(tmp_path, rows, counts, question="rq7")
    needs = {"row": "layout F1", "at_least": 0.95}
    wanted = {"in": "rq7", "better": "labelled layout", "worse": "recognised layout", "domains": ["made"]}
    finding = Finding("x", "", [wanted | {"within": 0.02, "needs": needs}], "")
    assert judge_finding(finding, tmp_path).verdict is Verdict.CONFOUNDED


def test_training_that_ended_by_its_batches_has_not_converged() -> None:
    gaining = [[500, 0.2, 0.8], [1000, 0.1, 0.9]]
    assert not is_converged(gaining, patience=1)
    assert is_converged([*gaining, [1500, 0.1, 0.9], [2000, 0.1, 0.85]], patience=1)


def test_a_commit_with_changed_files_is_shown_as_dirty() -> None:
    assert format_commit("0123456789abcdef+") == "`012345678`, dirty"
    assert format_commit("0123456789abcdef") == "`012345678`"


def test_rows_that_were_not_measured_leave_a_finding_not_run(tmp_path: Path) -> None:
    finding = Finding("x", "", [{"in": "rq1", "better": "a", "worse": "b"}], "")
    assert judge_finding(finding, tmp_path).verdict is Verdict.NOT_RUN
    write_rows(tmp_path, {"a": {}})
    assert judge_finding(finding, tmp_path).verdict is Verdict.NOT_RUN


def test_a_verdict_comes_with_its_figures_and_its_commit(tmp_path: Path) -> None:
    better, worse = row(0.6, (0.5, 0.7)), row(0.5, (0.4, 0.6))
    rows = {"a": {"science": better}, "b": {"science": worse}}
    write_rows(tmp_path, rows, {"a": {"science": BETTER}, "b": {"science": ALIKE}})
    finding = Finding("x", "", [{"in": "rq1", "better": "a", "worse": "b"}], "")
    found = judge_finding(finding, tmp_path)
    assert (found.verdict, found.commits) == (Verdict.REPLICATES, ("`c`",))
    [shown] = found.comparisons
    assert (shown.rows, shown.place, shown.ours, shown.others) == (("a", "b"), "science", "0.600", "0.500")
    assert (shown.difference, shown.interval) == ("+0.100", "+0.100 to +0.100")


def test_what_stands_aside_is_shown_and_does_not_count(tmp_path: Path) -> None:
    rows = {"a": {"science": row(0.6, (0.5, 0.7))}, "b": {"science": row(0.5, (0.4, 0.6))}}
    write_rows(tmp_path, rows, {"a": {"science": BETTER}, "b": {"science": ALIKE}})
    finding = Finding("x", "", [{"in": "rq1", "better": "a", "worse": "b", "aside": "trained longer"}], "")
    found = judge_finding(finding, tmp_path)
    assert found.verdict is Verdict.UNDECIDED
    [shown] = found.comparisons
    assert (shown.aside, shown.side, shown.counts) == ("trained longer", Side.FOR, False)


def write_rows(
    folder: Path,
    rows: dict[str, Any],
    counts: dict[str, Any] | None = None,
    *,
    question: str = "rq1",
    models: dict[str, Any] | None = None,
) -> None:
    own = {name: {"domains": domains} for name, domains in rows.items()}
    results.write(folder / question / "result.json", {"commit": "c", "rows": own, "models": models or {}})
    results.write(folder / question / "documents.json", counts or {})


def test_a_finding_of_costs_looks_at_the_figure_that_it_names(tmp_path: Path) -> None:
    rows = {name: {"domains": {}, "seconds": cost} for name, cost in (("quick", 1.0), ("slow", 2.0))}
    results.write(tmp_path / "rq2" / "result.json", {"commit": "c", "rows": rows})
    compare = [{"in": "rq2", "better": "slow", "worse": "quick", "cost": "seconds"}]
    assert judge_finding(Finding("x", "", compare, ""), tmp_path).verdict is Verdict.OPPOSITE


def test_costs_of_rows_of_different_domains_are_confounded(tmp_path: Path) -> None:
    rows = {"quick": {"domains": {"zh_fin": {}, "en_fin": {}}, "seconds": 1.0}}
    rows["slow"] = {"domains": {"zh_fin": {}}, "seconds": 2.0}
    results.write(tmp_path / "rq2" / "result.json", {"commit": "c", "rows": rows})
    compare = [{"in": "rq2", "better": "quick", "worse": "slow", "cost": "seconds"}]
    assert judge_finding(Finding("x", "", compare, ""), tmp_path).verdict is Verdict.CONFOUNDED


def test_every_row_that_a_finding_compares_is_planned() -> None:
    for finding in findings():
        for wanted in finding.compare:
            if wanted["in"] in RETRIEVAL:
                continue
            rows = [row.name for row in question_plan(wanted["in"]).rows] or list(ROWS)
            assert {wanted["better"], wanted["worse"]} <= set(rows)


def test_the_page_begins_with_a_verdict_for_every_finding(tmp_path: Path) -> None:
    judged = [judge_finding(finding, tmp_path) for finding in findings()]
    summary, _, *table = "\n".join(verdicts(judged)).splitlines()
    assert summary == f"Of {len(judged)} findings: **not run** {len(judged)}."
    rows = [line for line in table[2:] if line]
    assert len(rows) == len(judged)
    assert all("**not run**" in row for row in rows)


def test_the_first_table_has_what_counts_by_side_and_the_details_have_all(tmp_path: Path) -> None:
    rows = {"a": {"science": row(0.6, (0.5, 0.7))}, "b": {"science": row(0.5, (0.4, 0.6))}}
    write_rows(tmp_path, rows, {"a": {"science": BETTER}, "b": {"science": ALIKE}})
    compare = [
        {"in": "rq1", "better": "a", "worse": "b"},
        {"in": "rq1", "better": "b", "worse": "a", "aside": "so"},
    ]
    judged = [judge_finding(Finding("a wins", "0.9 against 0.8", compare, "Luck.", "RQ1"), tmp_path)]
    *_, shown, _ = verdicts(judged)
    assert shown == "| RQ1 | [a wins](#a-wins) |  | **replicates** | science +0.100 | - | - |"
    details = "\n".join(finding_details(judged, "RQ1"))
    assert "### a wins" in details
    assert "| a / b | science | 0.600 | 0.500 | +0.100 | +0.100 to +0.100 | for |" in details
    assert "*aside (so): against*" in details
    assert not list(finding_details(judged, "RQ2"))


def test_every_finding_is_explained_in_a_section_of_the_page(tmp_path: Path) -> None:
    sections = {"RQ1", "RQ2", "RQ3", "RQ4", "RQ5", "RQ6", "RQ7", "5.3", "retrieval"}
    assert {finding.question for finding in findings()} <= sections
