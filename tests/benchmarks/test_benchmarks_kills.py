from pathlib import Path

import pytest
from benchmarks.kills import ALL, Work, killed_rounds, write_reports


@pytest.mark.parametrize("work", ALL, ids=lambda work: work.name)
def test_what_is_killed_again_and_again_loses_doubles_and_tears_nothing(work: Work, tmp_path: Path) -> None:
    source = write_reports(tmp_path / "reports", 3)
    told = list(killed_rounds(work, source, tmp_path, kills=3, seed=1))
    assert told == [None] * 3
