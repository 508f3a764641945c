"""A short run of the fuzzer, and that it would notice."""

from __future__ import annotations

import random
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from benchmarks.fuzz import commander, mutants, trial
from benchmarks.fuzz.smaller import smaller

from held.errors import InputError
from held.processes.parent import end_idle_children
from tests.waiting import PATIENCE

SEEDS = range(12)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_broken_file_ends_in_a_result_or_an_error_of_ours(seed: int) -> None:
    assert trial.trial(seed).found == ()


def test_a_seed_always_gives_the_same_file() -> None:
    assert mutants.pdf_mutant(3) == mutants.pdf_mutant(3)
    assert len({mutants.pdf_mutant(seed) for seed in SEEDS}) == len(SEEDS)


@pytest.mark.parametrize("change", mutants.CHANGES, ids=lambda change: change.__name__.strip("_"))
def test_every_change_by_structure_leaves_a_file_that_can_be_saved(change: Any) -> None:
    import pikepdf

    source = mutants.bases()["made"]
    saved = set()
    for seed in range(8):
        with pikepdf.open(BytesIO(source)) as pdf:
            change(pdf, random.Random(seed))
            saved.add(mutants._saved(pdf))
    assert saved - {source}


def test_broken_json_is_json_and_the_same_for_a_seed() -> None:
    value = {"a": [1, 2, {"b": "c"}], "d": {"e": [3.5]}}
    found = [mutants.json_mutant(seed, value) for seed in range(30)]
    assert found == [mutants.json_mutant(seed, value) for seed in range(30)]
    assert sum(one != value for one in found) > 20


def test_a_fault_is_found_and_an_error_of_ours_is_not() -> None:
    found: list[str] = []

    def fault() -> None:
        raise KeyError("x")

    def refusal() -> None:
        raise InputError("no")

    def ugly() -> None:
        raise InputError("no\x1b[31m")

    for call in (fault, refusal, ugly):
        trial.tried("it", call, found)
    assert [one.split(":")[1].split(" in ")[0] for one in found] == [
        " KeyError",
        " an error that is not one plain line",
    ]


def test_a_finding_is_cut_down_to_what_matters() -> None:
    assert smaller(b"abcXdefYghi" * 5, lambda content: b"X" in content and b"Y" in content) == b"XY"


def test_commands_run_in_forks_with_their_own_ends(tmp_path: Path) -> None:
    try:
        ends = [
            commander.run(words, PATIENCE) for words in (["schema", "tree"], ["extract", "-"], ["schema"])
        ]
    finally:
        end_idle_children()
    assert [end.code for end in ends] == [0, 1, 2]
    assert all(end.megabytes > 0 for end in ends)
    assert "Traceback" not in "".join(end.said for end in ends)
