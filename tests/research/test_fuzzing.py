"""A short run of the fuzzer, and that it would notice."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from contextlib import suppress
from io import BytesIO
from pathlib import Path
from typing import Any
from xml.etree import ElementTree
from zipfile import ZipFile

import pytest
from research.fuzz import archives, commander, mutants, parsers, slow, trial
from research.fuzz.smaller import smaller

from held.errors import HeldError, InputError
from held.system.worker_process import close_idle_workers
from tests.waiting import PATIENCE

SEEDS = range(12)
ROOT = Path(__file__).parents[2]


def test_broken_files_end_in_a_result_or_an_error_of_ours(tmp_path: Path) -> None:
    # In processes of their own, as the memory that is counted is that of a whole process: the one that runs
    # this suite holds what all tests before have loaded.
    results = tmp_path / "rows.jsonl"
    words = f"-m research.fuzz --seeds {len(SEEDS)} --commands-every 0 --jobs 2 --results".split()
    ended = subprocess.run(
        [sys.executable, *words, str(results)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    rows = [json.loads(line) for line in results.read_text(encoding="utf-8").splitlines()]
    assert {row["seed"]: row["found"] for row in rows} == {seed: [] for seed in SEEDS}
    assert any(row["read"] for row in rows)
    assert all(row["megabytes"] > 0 for row in rows)
    assert ended.returncode == 0, ended.stderr


def test_what_takes_too_much_memory_is_a_finding(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trial, "MEMORY", 1 << 20)
    assert [found.split()[0] for found in trial.trial(0).found] == ["took"]


def test_a_seed_always_gives_the_same_file() -> None:
    assert mutants.pdf_mutant(3) == mutants.pdf_mutant(3)
    assert len({mutants.pdf_mutant(seed) for seed in SEEDS}) == len(SEEDS)


def test_a_file_that_takes_longer_than_allowed_is_stopped_and_counted(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(slow, "SECONDS", 0.001)  # less than it takes to import what reads it
    (timing,) = slow.measure([(0, 1)])
    assert timing.seconds >= slow.SECONDS


@pytest.mark.parametrize("change", mutants.CHANGES, ids=lambda change: change.__name__.strip("_"))
def test_every_change_by_structure_leaves_a_file_that_can_be_saved(change: Any) -> None:
    import pikepdf

    source = mutants.bases()["made"]
    saved = set()
    for seed in range(8):
        with pikepdf.open(BytesIO(source)) as pdf:
            change(pdf, random.Random(seed))
            saved.add(mutants.save(pdf))
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
        trial.check_call("it", call, found)
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
        close_idle_workers()
    assert [end.code for end in ends] == [0, 1, 2]
    assert all(end.megabytes > 0 for end in ends)
    assert "Traceback" not in "".join(end.stderr for end in ends)


@pytest.mark.parametrize("kind", ["tree", "scan"])
def test_trees_and_scans_end_in_a_result_or_an_error_of_ours(kind: str) -> None:
    try:
        outcomes = [trial.trial(seed, kind) for seed in range(6)]
    finally:
        close_idle_workers()
    # A fork of a large test process starts with its memory, so memory is not judged here.
    faults = [fault for outcome in outcomes for fault in outcome.found if "MB" not in fault]
    assert (len(outcomes), faults) == (6, [])


def test_a_sheet_that_other_programs_refuse_is_noticed() -> None:
    twice = archives_of({"xl/workbook.xml": '<w xmlns="x"><sheet name="A"/><sheet name="a"/></w>'})
    with pytest.raises(AssertionError, match="two sheets have one name"):
        archives.check_xlsx(twice)
    with pytest.raises(ElementTree.ParseError):
        archives.check_archive(archives_of({"a.xml": "<p>&</p>"}))


def archives_of(parts: dict[str, str]) -> bytes:
    content = BytesIO()
    with ZipFile(content, "w") as archive:
        for name, text in parts.items():
            archive.writestr(name, text)
    return content.getvalue()


@pytest.mark.parametrize("name", parsers.PARSERS)
def test_every_parser_takes_its_seeds(name: str) -> None:
    for seed in parsers.seeds_of(name):
        with suppress(HeldError):
            parsers.PARSERS[name](seed)
