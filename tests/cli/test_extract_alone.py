"""One file is extracted in the process of the command itself: nothing that a file does may end it."""

import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from held.system.limits import limit_memory
from held.system.worker_process import WorkerProcess, WorkerSpec
from tests.waiting import PATIENCE

Held = Callable[..., Any]


@pytest.fixture
def without_workers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Fails whoever starts a process for a file."""

    def refuse(program: WorkerSpec) -> WorkerProcess:
        raise AssertionError("a process is started for the file")

    monkeypatch.setattr("held.system.worker_pool.WorkerProcess", refuse)


@pytest.mark.usefixtures("without_workers")
def test_one_file_needs_no_process_for_itself(held: Held, report: Path) -> None:
    assert held("extract", report, "--format", "outline").out.startswith("1\t1\t1 Harbours")


@pytest.mark.usefixtures("without_workers")
def test_a_file_that_crashes_pdfium_is_one_line_and_exit_code_1(
    held: Held, report: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("held.reading.reader_process.SERVE", "os:abort")
    result = held("extract", report)
    assert result.code == 1
    assert result.err.startswith(f"held: {report}: opening it crashes the PDF library")
    assert result.err.count("\n") == 1


def data_bytes() -> int:
    """The memory of this process that the limit counts."""
    status = Path("/proc/self/status").read_text()
    (line,) = [line for line in status.splitlines() if line.startswith("VmData")]
    return int(line.split()[1]) << 10


def test_a_file_that_needs_too_much_memory_is_one_line_and_exit_code_1(
    held: Held, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    huge = tmp_path / "huge.json"
    huge.write_bytes(b"{")
    os.truncate(huge, 1 << 28)
    # Less than the file takes, but enough for all else: who gets no memory at all may crash in any library.
    monkeypatch.setattr("held.cli.extract.memory_share", lambda jobs: data_bytes() + (1 << 26))
    result = held("extract", huge)
    assert result.code == 1
    assert "needs more memory than there is" in result.err


def test_the_limit_of_memory_ends_with_the_work() -> None:
    resource = pytest.importorskip("resource")
    before = resource.getrlimit(resource.RLIMIT_DATA)
    with limit_memory(1 << 40):
        assert resource.getrlimit(resource.RLIMIT_DATA)[0] == 1 << 40
    assert resource.getrlimit(resource.RLIMIT_DATA) == before


def test_an_interrupt_is_one_line_and_exit_code_130() -> None:
    command = [sys.executable, "-m", "held", "extract", "-"]
    pipe = subprocess.PIPE
    process = subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe)
    assert process.stdin is not None
    process.stdin.write(b"%PDF-1.7\n" + bytes(1 << 20))  # more than a pipe holds: the command reads it now
    process.stdin.flush()
    process.send_signal(signal.SIGINT)
    out, told = process.communicate(timeout=PATIENCE)
    assert (process.returncode, out, told.decode().strip()) == (130, b"", "held: interrupted")
