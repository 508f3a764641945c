import json
import os
import signal
from pathlib import Path
from typing import Any

import pytest

from held.batch.runner import (
    WorkerTraceback,
    format_trace,
    read_answer,
    run_task,
    run_tasks,
    task_from_json,
    task_to_json,
)
from held.errors import HeldError, NotAPdfError, UnexpectedError
from held.exports.formats import ExportOptions
from held.extraction import ExtractOptions, PageRange
from held.file_task import FileTask, TaskOptions, TaskResult
from held.system.console import ignore_progress
from held.system.limits import memory_share
from held.system.worker_pool import Answer, ProgressEvent
from held.system.worker_process import WorkerDied, WorkerProcess


@pytest.fixture
def hang(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A file that never answers: whoever gets it is stopped."""
    path = tmp_path / "hang.pdf"
    path.touch()
    send = WorkerProcess.send

    def send_and_stop(child: WorkerProcess, value: Any, *parts: bytes) -> None:
        send(child, value, *parts)
        if path.name in json.dumps(value):
            os.kill(child.pid, signal.SIGSTOP)

    monkeypatch.setattr(WorkerProcess, "send", send_and_stop)
    return path


def task(source: Path) -> FileTask:
    return FileTask(source, str(source), TaskOptions(format="outline"))


ALL_SET = TaskOptions(
    "markdown",
    ExtractOptions(pages=PageRange(1, None), fixed=((3, None), (4, "text"), (5, 3)), min_confidence=0.5),
    ExportOptions(images=Path("images"), tables=Path("tables"), max_tokens=7, target=Path("b")),
)


@pytest.mark.parametrize("sent", [task(Path("a")), FileTask(Path("a"), "-", ALL_SET, "b", "d", 2)])
def test_a_task_comes_to_the_worker_as_it_was_sent(sent: FileTask) -> None:
    assert task_from_json(json.loads(json.dumps(task_to_json(sent)))) == sent


def test_a_crash_is_an_error_of_the_file(report: Path) -> None:
    error = read_answer(WorkerDied("crashed held (SIGSEGV)"), task(report))
    assert str(error) == f"{report}: crashed held (SIGSEGV)"


def test_a_file_that_takes_too_long_is_given_up(hang: Path) -> None:
    with pytest.raises(HeldError) as error:
        run_task(task(hang), ignore_progress, timeout=0.2)
    assert str(error.value) == f"{hang}: took longer than 0.2 s (give more with --timeout)"


def test_a_file_that_takes_too_much_memory_is_given_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "huge.json"
    with path.open("wb") as file:
        file.write(b"{")
        file.truncate(1 << 28)
    monkeypatch.setattr("held.batch.runner.memory_share", lambda jobs: 1 << 27)
    with pytest.raises(UnexpectedError, match="needs more memory than there is"):
        run_task(task(path), ignore_progress)


def test_an_error_keeps_its_type_on_the_way(tmp_path: Path) -> None:
    (tmp_path / "a.pdf").write_bytes(b"just text")
    with pytest.raises(NotAPdfError):
        run_task(task(tmp_path / "a.pdf"), ignore_progress)


def test_the_traceback_of_a_worker_is_the_cause_of_its_error(report: Path) -> None:
    value = {"error": "UnexpectedError", "what": "w", "file": None, "page": None, "advice": None}
    error = read_answer(Answer(value | {"trace": "Traceback: here"}), task(report))
    assert isinstance(error, UnexpectedError)
    assert isinstance(error.__cause__, WorkerTraceback)
    assert format_trace(error) == "Traceback: here"


def test_an_error_of_the_file_has_no_traceback() -> None:
    assert format_trace(NotAPdfError("is not a PDF")) is None


@pytest.mark.parametrize(
    "said",
    [
        Answer(None),
        Answer({"kind": "os.system", "what": "", "file": None, "page": None, "advice": None, "trace": None}),
        Answer({"source_hash": 7}, (b"",)),
        Answer({}, (b"", b"")),
    ],
)
def test_a_worker_that_lies_is_not_believed(said: Answer, report: Path) -> None:
    error = read_answer(said, task(report))
    assert isinstance(error, HeldError)
    assert "makes no sense" in error.what


def test_files_that_hang_do_not_keep_the_others(hang: Path, report: Path) -> None:
    # Nobody waits for so long: as soon as the others are done, the run is given up.
    running = run_tasks([task(hang), task(report), task(report)], jobs=2, timeout=600)
    ended = ((index, event) for index, event in running if not isinstance(event, ProgressEvent))
    first, second = next(ended), next(ended)
    assert {first[0], second[0]} == {1, 2}
    assert isinstance(first[1], TaskResult)
    assert isinstance(second[1], TaskResult)


def test_every_worker_has_its_share_of_the_memory() -> None:
    one, two = memory_share(1), memory_share(2)
    assert one is not None
    assert two is not None
    assert one // 2 <= two < one
