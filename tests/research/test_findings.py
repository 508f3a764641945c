"""The verdicts: what one comparison says, what follows from several, and that all rows are planned."""

from pathlib import Path
from typing import Any

import pytest
from research.findings_page import DECODING, decoding, folds, verdicts
from research.paper import results
from research.paper.plan import question_plan
from research.paper.verdicts import (
    ELSEWHERE,
    Finding,
    Side,
    Verdict,
    commit_shown,
    compared_rows,
    findings,
    judged,
    verdict_of,
)
from research.rq7.layout_noise import ROWS


def row(accuracy: float, interval: tuple[float, float], *seeds: float) -> dict[str, Any]:
    return {"accuracy": accuracy, "interval": list(interval), "seeds": list(seeds)}


ALIKE = {f"d{n}": [50 + n, 100] for n in range(8)}
BETTER = {name: [right + 10, total] for name, (right, total) in ALIKE.items()}


def test_what_is_better_on_every_document_is_for_the_finding() -> None:
    pair = row(0.6, (0.5, 0.7)), row(0.5, (0.4, 0.6))
    assert compared_rows("science", *pair, BETTER, ALIKE).side is Side.FOR
    assert compared_rows("science", *pair, ALIKE, BETTER).side is Side.AGAINST
    assert compared_rows("science", *pair, ALIKE, ALIKE).side is Side.OPEN


def test_a_small_difference_is_for_a_finding_that_it_is_small() -> None:
    pair = row(0.6, (0.5, 0.7)), row(0.5, (0.4, 0.6))
    assert compared_rows("own", *pair, BETTER, ALIKE, at_most=0.2).side is Side.FOR
    assert compared_rows("own", *pair, BETTER, ALIKE, at_most=0.02).side is Side.AGAINST


def test_what_is_hardly_worse_is_for_a_finding_that_it_is_as_good() -> None:
    pair = row(0.5, (0.4, 0.6)), row(0.5, (0.4, 0.6))
    assert compared_rows("own", *pair, ALIKE, ALIKE, at_least=-0.02).side is Side.FOR
    assert compared_rows("own", *pair, ALIKE, BETTER, at_least=-0.02).side is Side.AGAINST


def test_few_documents_decide_nothing() -> None:
    few = {name: BETTER[name] for name in list(BETTER)[:2]}
    found = compared_rows("en_fin", row(0.6, (0.5, 0.7)), row(0.5, (0.4, 0.6)), few, ALIKE)
    assert found.side is Side.OPEN
    assert found.figures.endswith("2 documents")


def test_several_seeds_show_their_range() -> None:
    shown = compared_rows("zh_fin", row(0.6, (0.5, 0.7), 0.55, 0.65), row(0.5, (0.4, 0.6)), BETTER, ALIKE)
    assert "0.600 [0.550-0.650, 2 seeds] against 0.500" in shown.figures


def test_rows_whose_seeds_overlap_decide_nothing() -> None:
    ours, others = row(0.6, (0.5, 0.7), 0.5, 0.7), row(0.5, (0.4, 0.6), 0.45, 0.55)
    assert compared_rows("zh_fin", ours, others, BETTER, ALIKE).side is Side.OPEN
    apart = row(0.5, (0.4, 0.6), 0.45, 0.49)
    assert compared_rows("zh_fin", ours, apart, BETTER, ALIKE).side is Side.FOR


@pytest.mark.parametrize(
    ("sides", "verdict"),
    [
        ([], Verdict.NOT_RUN),
        ([Side.OPEN], Verdict.UNDECIDED),
        ([Side.FOR, Side.OPEN], Verdict.REPLICATES),
        ([Side.AGAINST, Side.OPEN], Verdict.OPPOSITE),
        ([Side.FOR, Side.AGAINST], Verdict.UNDECIDED),
    ],
)
def test_domains_that_disagree_decide_nothing(sides: list[Side], verdict: Verdict) -> None:
    assert verdict_of(sides) is verdict


def test_a_commit_with_changed_files_is_shown_as_dirty() -> None:
    assert commit_shown("0123456789abcdef+") == "`012345678`, dirty"
    assert commit_shown("0123456789abcdef") == "`012345678`"


def test_rows_that_were_not_measured_leave_a_finding_not_run(tmp_path: Path) -> None:
    finding = Finding("x", "", [{"in": "rq1", "better": "a", "worse": "b"}], "")
    assert judged(finding, tmp_path).verdict is Verdict.NOT_RUN
    write_rows(tmp_path, {"a": {}})
    assert judged(finding, tmp_path).verdict is Verdict.NOT_RUN


def test_a_verdict_comes_with_its_figures_and_its_commit(tmp_path: Path) -> None:
    better, worse = row(0.6, (0.5, 0.7)), row(0.5, (0.4, 0.6))
    rows = {"a": {"science": better}, "b": {"science": worse}}
    write_rows(tmp_path, rows, {"a": {"science": BETTER}, "b": {"science": ALIKE}})
    finding = Finding("x", "", [{"in": "rq1", "better": "a", "worse": "b"}], "")
    found = judged(finding, tmp_path)
    assert (found.verdict, found.commits) == (Verdict.REPLICATES, ("`c`",))
    assert found.figures == ["science 0.600 against 0.500: +0.100 (+0.100 to +0.100)"]


def test_what_stands_aside_is_shown_and_does_not_count(tmp_path: Path) -> None:
    rows = {"a": {"science": row(0.6, (0.5, 0.7))}, "b": {"science": row(0.5, (0.4, 0.6))}}
    write_rows(tmp_path, rows, {"a": {"science": BETTER}, "b": {"science": ALIKE}})
    finding = Finding("x", "", [{"in": "rq1", "better": "a", "worse": "b", "aside": "trained longer"}], "")
    found = judged(finding, tmp_path)
    assert found.verdict is Verdict.UNDECIDED
    assert found.figures == ["*trained longer: science 0.600 against 0.500: +0.100 (+0.100 to +0.100)*"]


def write_rows(folder: Path, rows: dict[str, Any], counts: dict[str, Any] | None = None) -> None:
    own = {name: {"domains": domains} for name, domains in rows.items()}
    results.write(folder / "rq1" / "result.json", {"commit": "c", "rows": own})
    results.write(folder / "rq1" / "documents.json", counts or {})


def test_a_finding_of_costs_looks_at_the_figure_that_it_names(tmp_path: Path) -> None:
    rows = {name: {"domains": {}, "seconds": cost} for name, cost in (("quick", 1.0), ("slow", 2.0))}
    results.write(tmp_path / "rq2" / "result.json", {"commit": "c", "rows": rows})
    compare = [{"in": "rq2", "better": "slow", "worse": "quick", "cost": "seconds"}]
    assert judged(Finding("x", "", compare, ""), tmp_path).verdict is Verdict.OPPOSITE


def test_every_row_that_a_finding_compares_is_planned() -> None:
    for finding in findings():
        for wanted in finding.compare:
            if wanted["in"] in ELSEWHERE:
                continue
            rows = [row.name for row in question_plan(wanted["in"]).rows] or list(ROWS)
            assert {wanted["better"], wanted["worse"]} <= set(rows)


def test_the_page_begins_with_a_verdict_for_every_finding(tmp_path: Path) -> None:
    summary, _, *table = "\n".join(verdicts(tmp_path)).splitlines()
    assert summary.startswith(f"- **undecided: not run** ({len(findings())}): ")
    assert all("**undecided: not run**" in line for line in table[2:])
    assert len(table) == 2 + len(findings())


def test_a_method_that_was_not_cross_validated_is_named_not_run(tmp_path: Path) -> None:
    own = {"documents": 40, "groups": 15, "rows": {"pembe": row(0.9, (0.8, 0.95))}}
    results.write(tmp_path / "rq1" / "folds.json", {"commit": "c", "folds": 5, "domains": {"zh_fin": own}})
    page = "\n".join(folds(tmp_path))
    assert "| zh_fin | 40 | 15 | 0.9000 (0.800 - 0.950) | not run | not run | not run | not run |" in page


def test_cross_validation_speaks_for_a_finding_by_the_interval_of_the_difference(tmp_path: Path) -> None:
    ours = row(0.9, (0.8, 0.95)) | {"over_pembe": [0.02, 0.2]}
    own = {"documents": 40, "groups": 15, "rows": {"pembe": row(0.8, (0.7, 0.9)), "network": ours}}
    results.write(tmp_path / "rq1" / "folds.json", {"commit": "c", "folds": 5, "domains": {"zh_fin": own}})
    found = judged(Finding("x", "", [{"in": "folds", "better": "network"}], ""), tmp_path)
    assert (found.verdict, found.commits) == (Verdict.REPLICATES, ("`c`",))
    assert found.figures == ["zh_fin 0.900 against 0.800: +0.100 (+0.020 to +0.200), folds over 40 documents"]


def test_ways_to_search_are_shown_with_found_and_with_true_headings(tmp_path: Path) -> None:
    ways = {"greedy": {"paths": {"zh_fin": 0.5}, "inquiries": 7.0}}
    results.write(tmp_path / DECODING, {"found": ways, "given": ways, "commit": "abc"})
    page = list(decoding(tmp_path))
    assert "| greedy | 0.5000 | 7.0 |" in page
    assert "| greedy, true headings | 0.5000 | 7.0 |" in page
