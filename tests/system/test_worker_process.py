"""A worker imports from nowhere else, keeps its limits, and ends when it must."""

import faulthandler
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from held.system import worker_process
from held.system.worker_main import Connection, InvalidMessage, Message
from held.system.worker_process import (
    InvalidAnswer,
    TimeBudget,
    WorkerDied,
    WorkerProcess,
    WorkerSpec,
    WorkerTimeout,
    acquire_worker,
    close_idle_workers,
    release_worker,
)
from tests.waiting import PATIENCE, eventually

Served = Callable[[str], str]
HANG = "time.sleep(3600)"  # for longer than any test waits
ECHO = "while True:\n    value, parts = connection.receive()\n    connection.send(value, *parts)"


def as_it_is(message: Message) -> Message:
    return message


def is_running(process: int) -> bool:
    state = Path(f"/proc/{process}/stat")
    return state.exists() and state.read_text().split(")")[1].split()[0] != "Z"


def test_a_worker_answers_with_data_and_bytes(served: Served) -> None:
    worker = WorkerProcess(WorkerSpec(served(ECHO)))
    worker.send({"a": [1, "ü\ud800"]}, b"", bytes(3_000_000))
    assert worker.receive(as_it_is) == ({"a": [1, "ü\ud800"]}, (b"", bytes(3_000_000)))
    worker.close()


@pytest.mark.parametrize("hostile", ["contextlib.py", "functools.py", "json.py", "held/__init__.py"])
def test_nothing_is_imported_from_the_current_folder(
    served: Served, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, hostile: str
) -> None:
    folder = tmp_path / "hostile"
    (folder / hostile).parent.mkdir(parents=True)
    (folder / hostile).write_text(f"open({str(folder / 'PWNED')!r}, 'w')")
    monkeypatch.chdir(folder)
    monkeypatch.setattr(sys, "path", ["", ".", *sys.path])
    worker = WorkerProcess(WorkerSpec(served("import contextlib, functools, json, held\n" + ECHO)))
    worker.send("hello")
    assert worker.receive(as_it_is) == ("hello", ())
    worker.close()
    assert not (folder / "PWNED").exists()


def test_the_environment_does_not_say_where_to_import_from(
    served: Served, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    worker = WorkerProcess(WorkerSpec(served("connection.send(sys.path)")))
    places, _ = worker.receive(as_it_is)
    worker.close()
    assert str(tmp_path) not in places
    assert all(os.path.isabs(place) for place in places)


def test_a_crash_is_noticed_at_once_and_named(served: Served) -> None:
    worker = WorkerProcess(WorkerSpec(served("os.kill(os.getpid(), 11)"), timeout=60))
    with pytest.raises(WorkerDied, match=r"crashed held \(SIGSEGV\)"):
        worker.receive(as_it_is)
    assert not worker.alive


def test_a_kill_is_told_from_a_crash(served: Served) -> None:
    worker = WorkerProcess(WorkerSpec(served(ECHO)))
    os.kill(worker.pid, signal.SIGKILL)
    with pytest.raises(WorkerDied, match="perhaps there was not enough memory"):
        worker.receive(as_it_is)


def test_a_worker_that_says_nothing_in_time_is_ended(served: Served) -> None:
    worker = WorkerProcess(WorkerSpec(served(HANG), timeout=0.2))
    with pytest.raises(WorkerTimeout, match="took longer than"):
        worker.receive(as_it_is)
    assert not worker.alive


def test_a_worker_that_computes_longer_than_it_may_is_ended(served: Served) -> None:
    worker = WorkerProcess(WorkerSpec(served("while True: pass"), timeout=0.2, cpu_time=True))
    with pytest.raises(WorkerTimeout, match=r"took longer than 0.2 s"):
        worker.receive(as_it_is)
    assert worker.cpu_seconds >= 0.2


def test_seconds_in_which_others_compute_are_not_counted(served: Served) -> None:
    # The worker rests for longer than it may work, as if the machine were busy with others.
    worker = WorkerProcess(
        WorkerSpec(served("time.sleep(1.2)\nconnection.send(1)"), timeout=0.6, cpu_time=True)
    )
    assert worker.receive(as_it_is) == (1, ())
    worker.close()


def test_programs_that_a_process_has_run_count_as_its_own_time() -> None:
    alone = TimeBudget(3600, os.getpid())
    together = TimeBudget(3600, os.getpid(), with_children=True)
    subprocess.run([sys.executable, "-c", "sum(range(10**6))"], check=True)
    assert together.remaining() < alone.remaining()


def test_a_worker_that_rests_for_ever_is_ended_too(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker_process, "WALL_TIME_FACTOR", 10.0)
    worker = WorkerProcess(WorkerSpec(served(HANG), timeout=1.0, cpu_time=True))
    with pytest.raises(WorkerTimeout, match="did not answer within 5 s of the clock"):
        worker.receive(as_it_is, 0.5)


def test_half_a_message_is_no_reason_to_wait_longer(served: Served) -> None:
    worker = WorkerProcess(
        WorkerSpec(served("connection._answers.write(b'ab')\nconnection._answers.flush()\n" + HANG))
    )
    with pytest.raises(WorkerTimeout):
        worker.receive(as_it_is, 0.5)


@pytest.mark.parametrize(
    "said",
    [b"\xff" * 8, b"\2\0\0\0{}", b"\6\0\0\0[1,-1]", b"\x0a\0\0\0[1,[-1]]  ", b"\3\0\0\0[[["],
)
def test_what_is_no_message_is_refused(served: Served, said: bytes) -> None:
    worker = WorkerProcess(
        WorkerSpec(served(f"connection._answers.write({said!r})\nconnection._answers.flush()\n" + HANG))
    )
    with pytest.raises(InvalidAnswer):
        worker.receive(as_it_is, PATIENCE)


def test_what_the_check_refuses_ends_the_child(served: Served) -> None:
    def refuse(message: Message) -> None:
        raise InvalidMessage("not that")

    worker = WorkerProcess(WorkerSpec(served("connection.send(1)\n" + HANG)))
    with pytest.raises(InvalidAnswer, match="not that"):
        worker.receive(refuse)
    assert not worker.alive


def test_memory_ends_where_the_program_says(served: Served) -> None:
    pytest.importorskip("resource")
    body = "try:\n    bytearray(1 << 29)\nexcept MemoryError:\n    connection.send('too much')"
    worker = WorkerProcess(WorkerSpec(served(body), memory=1 << 28))
    assert worker.receive(as_it_is) == ("too much", ())
    worker.close()


def test_what_a_library_prints_is_no_answer(served: Served) -> None:
    worker = WorkerProcess(
        WorkerSpec(served("print('hello', flush=True)\nos.write(1, b'hello')\nconnection.send(1)"))
    )
    assert worker.receive(as_it_is) == (1, ())
    worker.close()


def test_a_group_ends_whole(served: Served) -> None:
    body = "import subprocess\nconnection.send(subprocess.Popen(['sleep', '3600']).pid)\n" + HANG
    worker = WorkerProcess(WorkerSpec(served(body), group=True))
    grandchild, _ = worker.receive(as_it_is)
    assert is_running(grandchild)
    worker.close()
    assert eventually(lambda: not is_running(grandchild))


IN_A_LIBRARY = "import ctypes\nctypes.PyDLL(None).sleep(3600)"  # which keeps Python's lock, as PDFium does
LINUX = pytest.mark.skipif(sys.platform != "linux", reason="elsewhere it ends with the call, or by the alarm")


@pytest.mark.parametrize("group", [True, False])
@pytest.mark.parametrize(
    "work", ["connection.receive()", HANG, "while True: pass", pytest.param(IN_A_LIBRARY, marks=LINUX)]
)
def test_a_worker_ends_when_its_parent_is_gone(served: Served, group: bool, work: str) -> None:
    name = served(f"connection.send(os.getpid())\n{work}")
    assert ends_with_its_parent(f"{name!r}, group={group}")


@LINUX
def test_nothing_that_a_worker_in_the_sandbox_closes_lets_it_outlive_its_parent(served: Served) -> None:
    close_all = """
for descriptor in range(2, 64):
    try: os.close(descriptor)
    except OSError: pass
"""
    name = served(f"connection.send(os.getpid())\nimport ctypes{close_all}{IN_A_LIBRARY}")
    assert ends_with_its_parent(f"{name!r}, sandboxed=True")


def ends_with_its_parent(spec: str) -> bool:
    """Whether a worker, which sends its id, ends when its parent is killed."""
    code = (
        "import sys; sys.path.insert(0, sys.argv[1])\n"
        "from held.system.worker_process import WorkerProcess, WorkerSpec\n"
        f"worker = WorkerProcess(WorkerSpec({spec}))\n"
        "print(worker.receive(lambda message: message[0]), flush=True); input()"
    )
    command = [sys.executable, "-c", code, sys.path[0]]
    started = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert started.stdout is not None
    worker = int(started.stdout.readline())
    started.kill()
    started.communicate()
    return eventually(lambda: not is_running(worker))


def test_a_worker_that_hangs_without_a_parent_ends_itself(served: Served) -> None:
    worker = WorkerProcess(WorkerSpec(served("connection.receive()\n" + HANG), timeout=0.1))
    worker.send(None)
    assert eventually(lambda: not worker.alive)
    worker.close()


def test_waiting_for_work_is_no_silence(monkeypatch: pytest.MonkeyPatch) -> None:
    happened: list[str] = []
    monkeypatch.setattr(faulthandler, "dump_traceback_later", lambda *_, **__: happened.append("alarm set"))
    monkeypatch.setattr(faulthandler, "cancel_dump_traceback_later", lambda: happened.append("alarm off"))
    monkeypatch.setattr("held.system.worker_main.read_message", lambda read: happened.append("waiting"))
    requests, answers = os.pipe()
    Connection(requests, answers, timeout=1).receive()
    os.close(requests)
    os.close(answers)
    assert happened[-3:] == ["alarm off", "waiting", "alarm set"]


def test_a_worker_that_was_given_back_is_borrowed_again(served: Served) -> None:
    spec = WorkerSpec(served(ECHO))
    first = acquire_worker(spec)
    release_worker(first)
    assert acquire_worker(spec) is first
    release_worker(first)
    close_idle_workers()
    assert not first.alive


def test_a_worker_that_died_while_idle_is_not_lent(served: Served) -> None:
    spec = WorkerSpec(served(ECHO))
    first = acquire_worker(spec)
    release_worker(first)
    os.kill(first.pid, signal.SIGKILL)
    assert eventually(lambda: not first.alive)
    second = acquire_worker(spec)
    assert second is not first
    second.close()


def test_a_timeout_of_the_caller_is_neither_the_workers_nor_swallowed(
    served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    # A caller's alarm raises it wherever this process waits.
    def interrupt(*_: object) -> None:
        raise TimeoutError("the caller's own")

    monkeypatch.setattr(worker_process, "_wait_for_input", interrupt)
    worker = WorkerProcess(WorkerSpec(served(HANG), timeout=PATIENCE))
    with pytest.raises(TimeoutError, match="the caller's own"):
        worker.receive(as_it_is)
    assert not worker.alive


@LINUX
def test_a_worker_has_a_session_of_its_own_without_a_terminal(served: Served) -> None:
    worker = WorkerProcess(WorkerSpec(served("connection.send([os.getsid(0), os.getpid()])")))
    (session, process), _ = worker.receive(as_it_is)
    worker.close()
    assert session == process
