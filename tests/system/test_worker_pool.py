"""Several workers at work: each loss takes its own request and no other."""

from collections.abc import Callable
from threading import Event
from typing import Any

import pytest

from held.errors import UsageError
from held.system.worker_pool import Answer, ProgressEvent, run_request, run_requests
from held.system.worker_process import WorkerDied, WorkerLost, WorkerProcess, WorkerSpec
from tests.waiting import PATIENCE

Served = Callable[[str], str]
WORK = """
from held.system.worker_pool import Answer, serve_requests
def answer(request, tell):
    tell("counting", 1, 2)
    if request == "crash": os.abort()
    if request == "hang": time.sleep(3600)
    return Answer([request, os.getpid()], reusable=request != "confused")
serve_requests(connection, answer)
"""


def ends(spec: WorkerSpec, requests: list[str], *, jobs: int) -> list[Answer | WorkerLost]:
    found = {
        index: event
        for index, event in run_requests(spec, requests, jobs=jobs, seconds=PATIENCE)
        if not isinstance(event, ProgressEvent)
    }
    return [found[index] for index in range(len(requests))]


@pytest.mark.parametrize("jobs", [1, 3])
def test_every_request_is_answered(served: Served, jobs: int) -> None:
    found = ends(WorkerSpec(served(WORK)), ["a", "b", "c", "d"], jobs=jobs)
    assert [end.value[0] for end in found if isinstance(end, Answer)] == ["a", "b", "c", "d"]


def test_work_that_nobody_is_to_do_is_refused() -> None:
    with pytest.raises(UsageError, match="jobs cannot be 0"):
        next(run_requests(WorkerSpec("nothing:here"), ["a"], jobs=0))


def test_a_request_is_made_plain_when_its_turn_comes(served: Served) -> None:
    first_is_answered = Event()

    def plain(number: int) -> str:
        assert number == 0 or first_is_answered.wait(PATIENCE)
        return str(number)

    found = []
    for _, event in run_requests(WorkerSpec(served(WORK)), [0, 1], jobs=1, encode=plain):
        if isinstance(event, Answer):
            found.append(event.value[0])
            first_is_answered.set()
    assert found == ["0", "1"]


def test_a_crash_and_a_hang_take_no_other_with_them(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    # Only who hangs is waited for in vain: the others may be as slow as the machine is.
    hanging: set[WorkerProcess] = set()
    send, receive = WorkerProcess.send, WorkerProcess.receive

    def noted(worker: WorkerProcess, value: Any, *parts: bytes) -> None:
        hanging.update([worker] if value == "hang" else [])
        send(worker, value, *parts)

    def impatient(worker: WorkerProcess, check: Any, seconds: float | None = None) -> Any:
        return receive(worker, check, 0.1 if worker in hanging else seconds)

    monkeypatch.setattr(WorkerProcess, "send", noted)
    monkeypatch.setattr(WorkerProcess, "receive", impatient)
    found = ends(WorkerSpec(served(WORK)), ["a", "crash", "hang", "b"], jobs=2)
    assert [isinstance(end, Answer) for end in found] == [True, False, False, True]
    assert isinstance(found[1], WorkerDied)


def test_a_worker_is_used_again_unless_it_is_confused(served: Served) -> None:
    found = ends(WorkerSpec(served(WORK)), ["a", "confused", "b"], jobs=1)
    first, second, third = (end.value[1] for end in found if isinstance(end, Answer))
    assert first == second != third


def test_progress_comes_before_the_answer(served: Served) -> None:
    told: list[tuple[str, int, int]] = []
    answer = run_request(WorkerSpec(served(WORK)), "a", lambda *said: told.append(said))
    assert isinstance(answer, Answer)
    assert told == [("counting", 1, 2)]
