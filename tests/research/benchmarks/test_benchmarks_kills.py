from pathlib import Path

import pytest
from research.benchmarks.kills import ALL, TRAINING, Work, killed_rounds, write_reports

# Training is left to `python -m research.benchmarks.kills` and the tests of the loop: torch starts slowly.
SHORT = [work for work in ALL if work is not TRAINING]


@pytest.mark.parametrize("work", SHORT, ids=lambda work: work.name)
def test_what_is_killed_again_and_again_loses_doubles_and_tears_nothing(work: Work, tmp_path: Path) -> None:
    source = write_reports(tmp_path / "reports", 3)
    # A batch of three changes its folder four times: a run that is to be killed later gets done.
    told = list(killed_rounds(work, source, tmp_path, kills=3, seed=1, most_changes=2))
    assert told == [None] * 3
