"""A child imports from nowhere else, keeps its limits, and ends when it must."""

import faulthandler
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from held.system.processes import cpu_timeout as patience
from held.system.processes import parent
from held.system.processes.child import Line
from held.system.processes.messages import Garbled, Message
from held.system.processes.parent import (
    Child,
    Died,
    Program,
    SaidNonsense,
    TookTooLong,
    borrowed,
    end_idle_children,
    give_back,
)
from tests.waiting import PATIENCE, eventually

Served = Callable[[str], str]
HANG = "time.sleep(3600)"  # for longer than any test waits
ECHO = "while True:\n    value, parts = line.receive()\n    line.send(value, *parts)"


def as_it_is(message: Message) -> Message:
    return message


def is_running(process: int) -> bool:
    state = Path(f"/proc/{process}/stat")
    return state.exists() and state.read_text().split(")")[1].split()[0] != "Z"


def test_a_child_answers_with_data_and_bytes(served: Served) -> None:
    child = Child(Program(served(ECHO)))
    child.send({"a": [1, "ü\ud800"]}, b"", bytes(3_000_000))
    assert child.receive(as_it_is) == ({"a": [1, "ü\ud800"]}, (b"", bytes(3_000_000)))
    child.end()


@pytest.mark.parametrize("hostile", ["contextlib.py", "functools.py", "json.py", "held/__init__.py"])
def test_nothing_is_imported_from_the_current_folder(
    served: Served, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, hostile: str
) -> None:
    folder = tmp_path / "hostile"
    (folder / hostile).parent.mkdir(parents=True)
    (folder / hostile).write_text(f"open({str(folder / 'PWNED')!r}, 'w')")
    monkeypatch.chdir(folder)
    monkeypatch.setattr(sys, "path", ["", ".", *sys.path])
    child = Child(Program(served("import contextlib, functools, json, held\n" + ECHO)))
    child.send("hello")
    assert child.receive(as_it_is) == ("hello", ())
    child.end()
    assert not (folder / "PWNED").exists()


def test_the_environment_does_not_say_where_to_import_from(
    served: Served, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    child = Child(Program(served("line.send(sys.path)")))
    places, _ = child.receive(as_it_is)
    child.end()
    assert str(tmp_path) not in places
    assert all(os.path.isabs(place) for place in places)


def test_a_crash_is_noticed_at_once_and_named(served: Served) -> None:
    child = Child(Program(served("os.kill(os.getpid(), 11)"), silence=60))
    with pytest.raises(Died, match=r"crashed held \(SIGSEGV\)"):
        child.receive(as_it_is)
    assert not child.alive


def test_a_kill_is_told_from_a_crash(served: Served) -> None:
    child = Child(Program(served(ECHO)))
    os.kill(child.pid, signal.SIGKILL)
    with pytest.raises(Died, match="perhaps there was not enough memory"):
        child.receive(as_it_is)


def test_a_child_that_says_nothing_in_time_is_ended(served: Served) -> None:
    child = Child(Program(served(HANG), silence=0.2))
    with pytest.raises(TookTooLong, match="took longer than"):
        child.receive(as_it_is)
    assert not child.alive


def test_a_child_that_computes_longer_than_it_may_is_ended(served: Served) -> None:
    child = Child(Program(served("while True: pass"), silence=0.2, by_work=True))
    with pytest.raises(TookTooLong, match=r"took longer than 0.2 s"):
        child.receive(as_it_is)
    assert child.seconds_worked >= 0.2


def test_seconds_in_which_others_compute_are_not_counted(served: Served) -> None:
    # The child rests for longer than it may work, as if the machine were busy with others.
    child = Child(Program(served("time.sleep(1.2)\nline.send(1)"), silence=0.6, by_work=True))
    assert child.receive(as_it_is) == (1, ())
    child.end()


def test_a_child_that_rests_for_ever_is_ended_too(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (patience, parent):
        monkeypatch.setattr(module, "PATIENCE", 10.0)
    child = Child(Program(served(HANG), silence=1.0, by_work=True))
    with pytest.raises(TookTooLong, match="did not answer within 5 s of the clock"):
        child.receive(as_it_is, 0.5)


def test_half_a_message_is_no_reason_to_wait_longer(served: Served) -> None:
    child = Child(Program(served("line._answers.write(b'ab')\nline._answers.flush()\n" + HANG)))
    with pytest.raises(TookTooLong):
        child.receive(as_it_is, 0.5)


@pytest.mark.parametrize(
    "said",
    [b"\xff" * 8, b"\2\0\0\0{}", b"\6\0\0\0[1,-1]", b"\x0a\0\0\0[1,[-1]]  ", b"\3\0\0\0[[["],
)
def test_what_is_no_message_is_refused(served: Served, said: bytes) -> None:
    child = Child(Program(served(f"line._answers.write({said!r})\nline._answers.flush()\n" + HANG)))
    with pytest.raises(SaidNonsense):
        child.receive(as_it_is, PATIENCE)


def test_what_the_check_refuses_ends_the_child(served: Served) -> None:
    def refuse(message: Message) -> None:
        raise Garbled("not that")

    child = Child(Program(served("line.send(1)\n" + HANG)))
    with pytest.raises(SaidNonsense, match="not that"):
        child.receive(refuse)
    assert not child.alive


def test_memory_ends_where_the_program_says(served: Served) -> None:
    pytest.importorskip("resource")
    body = "try:\n    bytearray(1 << 29)\nexcept MemoryError:\n    line.send('too much')"
    child = Child(Program(served(body), memory=1 << 28))
    assert child.receive(as_it_is) == ("too much", ())
    child.end()


def test_what_a_library_prints_is_no_answer(served: Served) -> None:
    child = Child(Program(served("print('hello', flush=True)\nos.write(1, b'hello')\nline.send(1)")))
    assert child.receive(as_it_is) == (1, ())
    child.end()


def test_a_group_ends_whole(served: Served) -> None:
    body = "import subprocess\nline.send(subprocess.Popen(['sleep', '3600']).pid)\n" + HANG
    child = Child(Program(served(body), group=True))
    grandchild, _ = child.receive(as_it_is)
    assert is_running(grandchild)
    child.end()
    assert eventually(lambda: not is_running(grandchild))


IN_A_LIBRARY = "import ctypes\nctypes.PyDLL(None).sleep(3600)"  # which keeps Python's lock, as PDFium does
LINUX = pytest.mark.skipif(sys.platform != "linux", reason="elsewhere it ends with the call, or by the alarm")


@pytest.mark.parametrize("group", [True, False])
@pytest.mark.parametrize(
    "work", ["line.receive()", HANG, "while True: pass", pytest.param(IN_A_LIBRARY, marks=LINUX)]
)
def test_a_child_ends_when_its_parent_is_gone(served: Served, group: bool, work: str) -> None:
    body = f"line.send(os.getpid())\n{work}"
    name = served(body)
    code = (
        "import sys; sys.path.insert(0, sys.argv[1])\n"
        "from held.system.processes.parent import Child, Program\n"
        f"child = Child(Program({name!r}, group={group}))\n"
        "print(child.receive(lambda message: message[0]), flush=True); input()"
    )
    command = [sys.executable, "-c", code, sys.path[0]]
    started = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert started.stdout is not None
    child = int(started.stdout.readline())
    started.kill()
    started.communicate()
    assert eventually(lambda: not is_running(child))


def test_a_child_that_hangs_without_a_parent_ends_itself(served: Served) -> None:
    child = Child(Program(served("line.receive()\n" + HANG), silence=0.1))
    child.send(None)
    assert eventually(lambda: not child.alive)
    child.end()


def test_waiting_for_work_is_no_silence(monkeypatch: pytest.MonkeyPatch) -> None:
    happened: list[str] = []
    monkeypatch.setattr(faulthandler, "dump_traceback_later", lambda *_, **__: happened.append("alarm set"))
    monkeypatch.setattr(faulthandler, "cancel_dump_traceback_later", lambda: happened.append("alarm off"))
    monkeypatch.setattr("held.system.processes.child.read_message", lambda read: happened.append("waiting"))
    requests, answers = os.pipe()
    Line(requests, answers, silence=1).receive()
    os.close(requests)
    os.close(answers)
    assert happened[-3:] == ["alarm off", "waiting", "alarm set"]


def test_a_child_that_was_given_back_is_borrowed_again(served: Served) -> None:
    program = Program(served(ECHO))
    first = borrowed(program)
    give_back(first)
    assert borrowed(program) is first
    give_back(first)
    end_idle_children()
    assert not first.alive


def test_a_child_that_died_while_idle_is_not_lent(served: Served) -> None:
    program = Program(served(ECHO))
    first = borrowed(program)
    give_back(first)
    os.kill(first.pid, signal.SIGKILL)
    assert eventually(lambda: not first.alive)
    second = borrowed(program)
    assert second is not first
    second.end()
