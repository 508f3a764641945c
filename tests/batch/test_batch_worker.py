import json
import os
import signal
from pathlib import Path
from typing import Any, TypeGuard

import pytest

from held.batch.request import Options, Task
from held.batch.task import Done, Failed
from held.batch.worker import events, outcome_of, task_from_json, task_to_json
from held.errors import NotAPdfError
from held.exports.formats import ExportOptions
from held.extraction import ExtractOptions, PageRange
from held.system.memory import memory_share
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


def task(source: Path) -> Task:
    return Task(source, str(source), Options(form="outline"))


def outcome(source: Path, timeout: float | None = None) -> Done | Failed:
    (found,) = [event for _, event in events([task(source)], jobs=1, timeout=timeout) if event_is_last(event)]
    return found


def event_is_last(event: object) -> TypeGuard[Done | Failed]:
    return not isinstance(event, ProgressEvent)


ALL_SET = Options(
    "markdown",
    ExtractOptions(pages=PageRange(1, None), fixed=((3, None), (4, "text"), (5, 3)), min_confidence=0.5),
    ExportOptions(images=Path("images"), tables=Path("tables"), max_tokens=7),
)


@pytest.mark.parametrize(
    "sent", [task(Path("a")), Task(Path("a"), "-", ALL_SET, Path("b"), Path("c"), "d", 2, Path("e"))]
)
def test_a_task_comes_to_the_worker_as_it_was_sent(sent: Task) -> None:
    assert task_from_json(json.loads(json.dumps(task_to_json(sent)))) == sent


def test_a_crash_is_an_outcome(report: Path) -> None:
    found = outcome_of(WorkerDied("crashed held (SIGSEGV)"), task(report))
    assert isinstance(found, Failed)
    assert str(found.error) == f"{report}: crashed held (SIGSEGV)"


def test_a_file_that_takes_too_long_is_given_up(hang: Path) -> None:
    found = outcome(hang, timeout=0.2)
    assert isinstance(found, Failed)
    assert str(found.error) == f"{hang}: took longer than 0.2 s (give more with --timeout)"


def test_a_file_that_takes_too_much_memory_is_given_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "huge.json"
    with path.open("wb") as file:
        file.write(b"{")
        file.truncate(1 << 28)
    monkeypatch.setattr("held.batch.worker.memory_share", lambda jobs: 1 << 27)
    found = outcome(path)
    assert isinstance(found, Failed)
    assert found.error.what == "needs more memory than there is"


def test_an_error_keeps_its_kind_on_the_way(tmp_path: Path) -> None:
    (tmp_path / "a.pdf").write_bytes(b"just text")
    found = outcome(tmp_path / "a.pdf")
    assert isinstance(found, Failed)
    assert type(found.error) is NotAPdfError


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
    found = outcome_of(said, task(report))
    assert isinstance(found, Failed)
    assert "makes no sense" in found.error.what


def test_files_that_hang_do_not_keep_the_others(hang: Path, report: Path) -> None:
    # Nobody waits for so long: as soon as the others are done, the run is given up.
    running = events([task(hang), task(report), task(report)], jobs=2, timeout=600)
    outcomes = ((index, event) for index, event in running if event_is_last(event))
    first, second = next(outcomes), next(outcomes)
    assert {first[0], second[0]} == {1, 2}
    assert isinstance(first[1], Done)
    assert isinstance(second[1], Done)


def test_every_worker_has_its_share_of_the_memory() -> None:
    one, two = memory_share(1), memory_share(2)
    assert one is not None
    assert two is not None
    assert one // 2 <= two < one
