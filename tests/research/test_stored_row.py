"""Measuring a stored row again, with a part of its documents."""

from pathlib import Path

import pytest
from research.paper import results, stored_row
from research.paper.plan import RowPlan
from research.paper.verdicts import COUNTS, HERE

STORED = (results.read(HERE / "rq1" / COUNTS) or {})[stored_row.ROW]


@pytest.mark.parametrize(("change", "code"), [(0, 0), (30, 1)])
def test_a_part_of_the_documents_is_compared_with_its_own_stored_counts(
    change: int,
    code: int,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    name, (right, total) = next(iter(STORED["zh_fin"].items()))

    def count(_row: RowPlan, domain: str, _folder: Path) -> dict[str, tuple[int, int]]:
        return {name: (right - change, total)} if domain == "zh_fin" else {}

    monkeypatch.setattr(stored_row, "counts_of", count)
    monkeypatch.setattr(stored_row, "FILE", tmp_path / "stored_row.json")
    assert stored_row.main(["--data", str(tmp_path), "--work", str(tmp_path / "work")]) == code
    printed = capsys.readouterr().out
    assert f"zh_fin: 1 of {len(STORED['zh_fin'])} test documents" in printed
    assert (name in printed) is bool(change)
    assert not stored_row.FILE.exists(), "the page's figures are those of all documents"
