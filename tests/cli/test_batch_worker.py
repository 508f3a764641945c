import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from held.cli.batch.memory import memory_share
from held.cli.batch.request import Options, Task
from held.cli.batch.run import events
from held.cli.batch.task import Done, Failed
from held.cli.batch.worker import Worker


def told(stage: str, done: int, total: int) -> None:
    pass


@pytest.fixture
def hang(tmp_path: Path) -> Path:
    """A file that never answers."""
    path = tmp_path / "hang.pdf"
    os.mkfifo(path)
    return path


def is_running(process: int) -> bool:
    state = Path(f"/proc/{process}/stat")
    return state.exists() and state.read_text().split(")")[1].split()[0] != "Z"


def eventually(holds: Callable[[], bool]) -> bool:
    end = time.monotonic() + 20
    while not holds() and time.monotonic() < end:
        time.sleep(0.05)
    return holds()


def task(source: Path) -> Task:
    return Task(source, str(source), Options(form="outline"))


def outcome_when_killed(source: Path, how: signal.Signals) -> str:
    worker = Worker()
    threading.Timer(0.2, lambda: os.kill(worker.pid, how)).start()
    outcome = worker.run(task(source), told)
    assert isinstance(outcome, Failed)
    assert not worker.alive
    return str(outcome.error)


def test_a_crash_is_an_outcome(hang: Path) -> None:
    assert outcome_when_killed(hang, signal.SIGSEGV) == f"{hang}: crashed held (SIGSEGV)"


def test_a_kill_is_an_outcome(hang: Path) -> None:
    assert "perhaps there was not enough memory" in outcome_when_killed(hang, signal.SIGKILL)


def test_a_file_that_takes_too_long_is_given_up(hang: Path) -> None:
    outcome = Worker().run(task(hang), told, timeout=0.2)
    assert isinstance(outcome, Failed)
    assert str(outcome.error) == f"{hang}: took longer than 0.2 s (give more with --timeout)"


def test_a_file_that_takes_too_much_memory_is_given_up(tmp_path: Path) -> None:
    path = tmp_path / "huge.json"
    with path.open("wb") as file:
        file.write(b"{")
        file.truncate(1 << 28)
    worker = Worker(1 << 27)
    outcome = worker.run(task(path), told)
    worker.kill()
    assert isinstance(outcome, Failed)
    assert outcome.error.what == "needs more memory than there is"


def test_a_worker_does_one_file_after_another(report: Path) -> None:
    worker = Worker()
    outcomes = [worker.run(task(report), told) for _ in range(2)]
    worker.kill()
    assert [isinstance(outcome, Done) and outcome.counts.pages for outcome in outcomes] == [2, 2]


def test_a_worker_ends_when_its_parent_is_gone(hang: Path) -> None:
    code = (
        "import sys; from pathlib import Path; from held.cli.batch.worker import Worker\n"
        "from held.cli.batch.request import Options, Task\n"
        "worker = Worker(); print(worker.pid, flush=True)\n"
        "worker.run(Task(Path(sys.argv[1]), 'hang', Options()), print)"
    )
    parent = subprocess.Popen([sys.executable, "-c", code, hang], stdout=subprocess.PIPE)
    assert parent.stdout is not None
    worker = int(parent.stdout.readline())
    parent.kill()
    parent.communicate()
    assert eventually(lambda: not is_running(worker))


def test_files_that_hang_do_not_keep_the_others(hang: Path, report: Path) -> None:
    found = dict(events([task(hang), task(report), task(report)], jobs=2, timeout=15))
    assert [type(found[index]) for index in range(3)] == [Failed, Done, Done]


def test_every_worker_has_its_share_of_the_memory() -> None:
    one, two = memory_share(1), memory_share(2)
    assert one is not None
    assert two is not None
    assert one // 2 <= two < one
