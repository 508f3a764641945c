"""Many files on the command line: the broken ones are told, the others come out, a killed run goes on."""

import json
import os
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from held.batch.sinks import RUN_JOURNAL

Held = Callable[..., Any]
GOOD = 9
REASONS = {"broken.pdf": "damaged", "locked.pdf": "password", "scan.PDF": "it is a scan"}


def results(folder: Path) -> dict[str, bytes]:
    """The files of an output folder by name, without the journal."""
    paths = (path for path in folder.rglob("*") if path.is_file() and path.name != RUN_JOURNAL)
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in paths}


def extract(held: Held, library: Path, out: Path, *more: object) -> Any:
    """The result of the command, and its summary."""
    summary = out.with_name("summary.json")
    result = held("extract", library, "-o", out, "--format", "outline", "--summary", summary, *more)
    return result, json.loads(summary.read_text("utf-8"))


def test_broken_files_are_told_and_the_others_come_out(held: Held, library: Path, tmp_path: Path) -> None:
    result, summary = extract(held, library, tmp_path / "out", "--jobs", 2)
    assert result.code == 1
    assert set(results(tmp_path / "out")) == {f"year {n % 3}/report-{n}.tsv" for n in range(GOOD)}
    assert (summary["done"], summary["failed"], summary["pages"]) == (GOOD, 3, 2 * GOOD)
    failed = {Path(file["source"]).name: file["reason"] for file in summary["files"] if file["reason"]}
    assert failed.keys() == REASONS.keys()
    assert all(
        REASONS[name] in reason and f"{name}: {reason}" in result.err for name, reason in failed.items()
    )
    assert f"held: {GOOD} files done, 3 failed; 18 pages in" in result.err


# The command, which sends itself a signal between the third row of its journal and the file that it tells of.
STOPPING = """
import os, sys
from held.cli import main
from held.system.atomic_write import Journal
how, add = int(sys.argv.pop(1)), Journal.add
def add_and_stop(journal, row):
    add(journal, row)
    if len(journal.rows) == 3: os.kill(os.getpid(), how)
Journal.add = add_and_stop
main()
"""


def stopped(library: Path, out: Path, how: signal.Signals) -> tuple[int, str]:
    """Exit code and stderr of a run that got a signal at its third file."""
    arguments = ["extract", str(library), "-o", str(out), "--format", "outline", "--jobs", "1"]
    arguments += ["--summary", str(out.with_name("stopped.json"))]
    command = [sys.executable, "-c", STOPPING, str(int(how)), *arguments]
    run = subprocess.run(command, stderr=subprocess.PIPE, encoding="utf-8", check=False)
    return run.returncode, run.stderr


def test_a_killed_run_goes_on_where_it_stopped(held: Held, library: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    stopped(library, out, signal.SIGKILL)
    before = {path: path.stat().st_mtime_ns for path in out.rglob("*.tsv")}
    assert len(before) == 2
    result, summary = extract(held, library, out, "--resume")
    assert (result.code, summary["skipped"], summary["done"]) == (1, len(before), GOOD - len(before))
    assert all(path.stat().st_mtime_ns == written for path, written in before.items())
    assert len(results(out)) == GOOD


def test_an_interrupted_run_says_how_to_go_on(library: Path, tmp_path: Path) -> None:
    code, told = stopped(library, tmp_path / "out", signal.SIGINT)
    assert code == 130
    assert "held: the same command with --resume continues where this one stopped" in told


def test_an_interrupted_run_leaves_its_summary(library: Path, tmp_path: Path) -> None:
    _, told = stopped(library, tmp_path / "out", signal.SIGINT)
    summary = json.loads((tmp_path / "stopped.json").read_text("utf-8"))
    by_outcome = Counter(file["outcome"] for file in summary["files"])
    assert by_outcome["done"] == summary["done"] == len(results(tmp_path / "out"))
    assert by_outcome["unfinished"] == summary["unfinished"] > 0
    assert by_outcome.total() == GOOD + 3
    assert f"{summary['unfinished']} unfinished" in told


def test_nothing_is_done_again(held: Held, library: Path, tmp_path: Path) -> None:
    extract(held, library, tmp_path / "out")
    _, summary = extract(held, library, tmp_path / "out", "--resume")
    assert (summary["skipped"], summary["done"], summary["failed"]) == (GOOD, 0, 3)


def test_the_password_and_other_options_make_up_for_what_failed(
    held: Held, library: Path, tmp_path: Path
) -> None:
    extract(held, library, tmp_path / "out")
    _, summary = extract(held, library, tmp_path / "out", "--resume", "--password", "harbour")
    assert (summary["skipped"], summary["done"], summary["failed"]) == (GOOD, 1, 2)


def test_results_do_not_depend_on_how_many_work(held: Held, library: Path, tmp_path: Path) -> None:
    for jobs in (1, 3):
        held("extract", library, "-o", tmp_path / str(jobs), "--jobs", jobs)
    assert results(tmp_path / "1") == results(tmp_path / "3") != {}


def test_a_missing_file_fails_alone(held: Held, report: Path, tmp_path: Path) -> None:
    result = held("extract", report, tmp_path / "none.pdf", "-o", tmp_path / "out")
    assert result.code == 1
    assert f"held: failed: {tmp_path / 'none.pdf'}: cannot be read: No such file" in result.err
    assert set(results(tmp_path / "out")) == {"report.json"}


def test_all_done_is_exit_code_0(held: Held, report: Path, tmp_path: Path) -> None:
    result = held("extract", report.parent, "-o", tmp_path / "out")
    assert (result.code, result.out) == (0, "")
    assert result.err.startswith("held: 1 file done; 2 pages in ")


def test_quiet_says_nothing_but_errors(held: Held, report: Path, tmp_path: Path) -> None:
    result = held("extract", report, tmp_path / "none.pdf", "-o", tmp_path / "out", "-q")
    assert [line.split(":")[1] for line in result.err.splitlines()] == [" failed"]


def test_verbose_tells_each_file(held: Held, report: Path, tmp_path: Path) -> None:
    result = held("extract", report.parent, "-o", tmp_path / "out", "-v")
    assert f"held: done: {tmp_path / 'out' / 'report.json'}: 2 pages in " in result.err


@pytest.mark.parametrize(
    "arguments", [("{0}", "{0}"), ("{0}", "-", "-o", "{1}"), ("{0}", "{0}", "-o", "{0}"), ("{1}", "-o", "-")]
)
def test_several_files_need_a_folder(
    held: Held, report: Path, tmp_path: Path, arguments: tuple[str, ...]
) -> None:
    result = held("extract", *(argument.format(report, tmp_path) for argument in arguments))
    assert (result.code, result.out) == (2, "")


def test_one_file_into_a_folder_keeps_its_name(held: Held, report: Path, tmp_path: Path) -> None:
    assert held("extract", report, "-o", f"{tmp_path / 'out'}/", "--format", "markdown").code == 0
    assert set(results(tmp_path / "out")) == {"report.md"}


def test_a_folder_that_cannot_be_made_is_one_line(held: Held, report: Path, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    result = held("extract", report, report, "-o", tmp_path / "file" / "out")
    assert (result.code, result.err.count("\n")) == (1, 1)


def test_no_process_stays_behind(held: Held, library: Path, tmp_path: Path) -> None:
    extract(held, library, tmp_path / "out", "--jobs", 2)
    children = Path(f"/proc/self/task/{os.getpid()}/children")
    if not children.exists():
        pytest.skip("this system does not list a process's children")
    assert not [pid for pid in children.read_text().split() if b"held.batch" in command_of(pid)]


def command_of(pid: str) -> bytes:
    """What a process was called with; nothing where it has just ended."""
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return b""
