"""What a command costs: CPU time and memory of all processes that it starts, those it leaves behind, too."""

from __future__ import annotations

import ctypes
import os
import signal
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Event, Thread, Timer
from typing import NamedTuple

from research.benchmarks.reading import process_tree, resident

_PR_SET_CHILD_SUBREAPER = 36
_FIRST_LOOK, _LAST_LOOK = 0.02, 0.5  # seconds between looks at memory: looking costs time, too
_LESS_OFTEN = 1.1


class Cost(NamedTuple):
    """The price of a run. `error` is the last line that a failed command wrote."""

    seconds: float
    peak_mb: float
    error: str | None


def run(command: Sequence[str], *, folder: Path, timeout: float) -> Cost:
    """The cost of a command that is run in a folder, with one thread for whoever asks OpenMP."""
    # Without this, the time of workers that their parent does not wait for would be nobody's.
    ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    messages = folder / "messages.txt"
    with messages.open("wb") as file, _peak() as peak:
        process = subprocess.Popen(
            command,
            cwd=folder,
            stdin=subprocess.DEVNULL,
            stdout=file,
            stderr=file,
            start_new_session=True,
            env=_environment(),
        )
        end = Timer(timeout, _kill, (process.pid,))
        end.start()
        seconds = _reap(process)
        end.cancel()
    error = None if process.returncode == 0 else _reason(process.returncode, messages)
    return Cost(round(seconds, 3), round(max(peak), 1), error)


def _environment() -> dict[str, str]:
    """Ours without what we tell Python: a tool finds its own modules, and compiles them once."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    return {**kept, "OMP_NUM_THREADS": "1"}


def _reap(process: subprocess.Popen[bytes]) -> float:
    """CPU seconds of the process and its descendants."""
    seconds = 0.0
    while True:
        try:
            pid, status, usage = os.wait4(-1, 0)
        except ChildProcessError:
            return seconds
        seconds += usage.ru_utime + usage.ru_stime
        if pid == process.pid:
            process.returncode = os.waitstatus_to_exitcode(status)
            _kill(pid)  # what it left running


def _kill(group: int) -> None:
    with suppress(ProcessLookupError):
        os.killpg(group, signal.SIGKILL)


@contextmanager
def _peak() -> Iterator[list[float]]:
    """The megabytes of all descendants together, looked at again and again; whole when the block ends."""
    seen, ended = [0.0], Event()
    # A child that has not begun its own program yet shows our memory; on a busy machine it is seen so.
    own = command_line(os.getpid())

    def watch() -> None:
        pause = _FIRST_LOOK
        while not ended.wait(pause):
            pause = min(pause * _LESS_OFTEN, _LAST_LOOK)
            started = [pid for pid in process_tree(os.getpid())[1:] if command_line(pid) != own]
            seen.append(sum(map(resident, started)))

    watcher = Thread(target=watch)
    watcher.start()
    try:
        yield seen
    finally:
        ended.set()
        watcher.join()


def command_line(pid: int) -> bytes:
    """The command of a process; empty if it has ended."""
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return b""


def _reason(code: int, messages: Path) -> str:
    lines = messages.read_text(encoding="utf-8", errors="replace").strip().splitlines()
    return f"exit code {code}: {lines[-1][:200] if lines else 'no message'}"
