"""The parent's side of a worker process: started in isolation, answered within a time limit, killed reliably.

A worker is a plain subprocess with pipes. `multiprocessing` would need a guarded main module in the caller's
code. A worker that finished its work is kept for the next request, because starting one costs as much CPU
time as reading ten pages.

Time limits can count CPU seconds instead of wall-clock seconds: on a busy machine a second of work takes
several seconds, and no good page may be lost to that. A worker that waits instead of computing, for a disk or
for ever, is stopped after `WALL_TIME_FACTOR` times as many wall-clock seconds.
"""

from __future__ import annotations

import atexit
import os
import select
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from time import monotonic
from typing import Any, NamedTuple, TypeVar

from held.system.limits import format_bytes, peak_memory
from held.system.worker_main import (
    NO_LIFELINE,
    NO_SANDBOX,
    OUT_OF_MEMORY,
    OUT_OF_TIME,
    SANDBOX,
    SANDBOX_WITH_PROGRAMS,
    InvalidMessage,
    Message,
    close_lifeline,
    encode_message,
    open_lifeline,
    read_message,
)

Checked = TypeVar("Checked")

READ_BYTES = 1 << 20  # at a time
MAX_POLL_MS = 1 << 30  # twelve days; `poll` takes no larger number
OWN_TIMEOUT_FACTOR = 2.0  # a worker stops itself only if its parent has not done so long before

WALL_TIME_FACTOR = 10.0  # wall-clock seconds allowed per CPU second: a machine may be that busy
HAS_CPU_CLOCKS = sys.platform.startswith("linux")  # elsewhere, wall-clock time counts
# clock_getcpuclockid(3) encodes the process id, and in the lower three bits that all its threads count.
_CLOCK_BITS, _ALL_THREADS = 3, 2

# A worker that dies with this share of its memory limit in use ran out of memory: a library that grows a
# buffer requests twice its present size.
NEAR_MEMORY_LIMIT = 0.5

# -I: neither the current folder nor the environment says where to import from. -S: no `site`, which is slow.
FLAGS = ("-I", "-S", f"-Xutf8={sys.flags.utf8_mode}", *(["-B"] if sys.dont_write_bytecode else []))
# The interpreter's own path, which is that of the standard library, stays in front.
# The collector works as seldom as in the command line, which has the same threshold.
BOOT = (
    "import gc, sys; gc.set_threshold(50_000); "
    "own = sys.path; own += [entry for entry in sys.argv[7:] if entry not in own]; "
    "from held.system.worker_main import main; main(*sys.argv[1:7])"
)
PACKAGE_FOLDER = os.fspath(Path(__file__).parents[2])  # contains the package `held`


class WorkerSpec(NamedTuple):
    """The function that a worker runs, and its limits.

    serve      the function that serves, as `module:function`; it takes a `worker_main.Connection`
    memory     the bytes it may use, None for the same as its parent
    timeout    the seconds it may work without sending anything, None for no limit
    cpu_time   whether time limits count CPU seconds instead of wall-clock seconds
    group      whether it has child processes, which must end with it
    sandboxed  whether it reads untrusted bytes and therefore runs in the sandbox
    programs   whether it may start programs in its sandbox, which they inherit
    """

    serve: str
    memory: int | None = None
    timeout: float | None = None
    cpu_time: bool = False
    group: bool = False
    sandboxed: bool = False
    programs: bool = False


class WorkerLost(Exception):
    """A worker can no longer be used; the message gives the reason."""


class WorkerDied(WorkerLost):
    """The worker ended, by itself or by a signal."""


class WorkerOutOfMemory(WorkerDied):
    """The worker ended because it reached its memory limit."""

    def __init__(self, memory: int) -> None:
        super().__init__(f"needs more than {format_bytes(memory)} of memory")


class MaybeOutOfMemory(WorkerOutOfMemory):
    """The worker ended by itself or at its memory limit: the system does not say which."""


class WorkerTimeout(WorkerLost):
    """The worker did not answer in time; `idle` if it spent that time waiting, not computing."""

    def __init__(self, seconds: float, *, idle: bool = False) -> None:
        if idle:
            reason = f"did not answer within {WALL_TIME_FACTOR * seconds:g} s of the clock"
        else:
            reason = f"took longer than {seconds:g} s"
        super().__init__(reason)
        self.idle = idle


class _BudgetUsedUp(Exception):
    """The time for an answer is over. Not a `TimeoutError`: that may be the caller's own, from an alarm."""


class InvalidAnswer(WorkerLost):
    """The worker sent something other than it was asked for."""


class WorkerProcess:
    """A running worker. After a `WorkerLost` it is dead."""

    def __init__(self, spec: WorkerSpec) -> None:
        self.spec = spec
        self._memory_before = peak_memory()
        worker_end, self._lifeline = open_lifeline()
        try:
            self._process = _start(spec, worker_end)
        except BaseException:
            close_lifeline(self._lifeline)
            raise
        finally:
            close_lifeline(worker_end)
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._requests, self._answers = self._process.stdin, self._process.stdout
        self._buffer = bytearray()
        self._peak_memory = 0  # bytes; known once the process is dead
        self._cpu_seconds = 0.0  # known once the process is dead
        self.pid = self._process.pid

    def send(self, value: Any, *parts: bytes) -> None:
        """Send a message to the worker."""
        try:
            self._requests.write(encode_message(value, parts))
            self._requests.flush()
        except TimeoutError:  # the caller's own
            self.close()
            raise
        except OSError:
            raise self._death() from None

    def receive(self, check: Callable[[Message], Checked], seconds: float | None = None) -> Checked:
        """The result of `check` for the worker's next message, which is untrusted data.

        The message must arrive within so many seconds; the default is the timeout of the `WorkerSpec`.
        """
        if seconds is None:
            seconds = self.spec.timeout
        budget = None
        if seconds is not None:
            process = self.pid if self.spec.cpu_time else None
            budget = TimeBudget(seconds, process, with_children=self.spec.group)
        try:
            return check(read_message(lambda size: self._read(size, budget)))
        except _BudgetUsedUp:
            assert seconds is not None
            assert budget is not None
            idle = budget.has_cpu_time_left()  # before the process, and its clock, are gone
            self.close()
            raise WorkerTimeout(seconds, idle=idle) from None
        except TimeoutError:  # the caller's own
            self.close()
            raise
        except (EOFError, OSError):
            raise self._death() from None
        except (InvalidMessage, ValueError, TypeError, LookupError, OverflowError) as error:
            self.close()
            raise InvalidAnswer(f"an answer that makes no sense: {error}") from error

    def kill(self) -> None:
        """Kill the process, and those that it has started."""
        if self._process.returncode is not None:
            return  # its process id may belong to another process by now
        with suppress(ProcessLookupError, PermissionError):
            if self.spec.group and hasattr(os, "killpg"):
                os.killpg(self.pid, signal.SIGKILL)
            elif hasattr(os, "wait4"):
                # Not `Popen.kill`: it reaps a dead process and discards its resource usage.
                os.kill(self.pid, signal.SIGKILL)
            else:
                self._process.kill()
        self._reap()

    def close(self) -> None:
        """Kill the process and close the pipes; no other thread may be waiting for its answer."""
        self.kill()
        for pipe in (self._requests, self._answers):
            with suppress(OSError):  # closing flushes, and nobody reads any more
                pipe.close()
        close_lifeline(self._lifeline)
        self._lifeline = NO_LIFELINE

    @property
    def alive(self) -> bool:
        """Whether the process runs."""
        return self._process.poll() is None

    @property
    def cpu_seconds(self) -> float:
        """CPU time so far. Use differences only: without CPU clocks this is the wall-clock time."""
        return cpu_seconds(self.pid) if self._process.returncode is None else self._cpu_seconds

    def _death(self) -> WorkerLost:
        """The reason why the process ended; one that only closed its pipe is ended now."""
        self.close()
        limit = self.spec.memory
        code = self._process.returncode
        if code == OUT_OF_TIME and self.spec.timeout is not None:
            return WorkerTimeout(self.spec.timeout)
        # A library that gets no more memory mostly aborts, so the exit code alone does not tell.
        if limit and code == OUT_OF_MEMORY:
            return WorkerOutOfMemory(limit)
        if limit and self._peak_memory > NEAR_MEMORY_LIMIT * limit:
            # The peak includes the moment between fork and exec, when the worker was a copy of this process.
            if self._peak_memory > self._memory_before:
                return WorkerOutOfMemory(limit)
            return MaybeOutOfMemory(limit)
        return WorkerDied(_describe_exit(code))

    def _reap(self) -> None:
        """Wait for the end of the process, and record its memory and CPU time where the system has them."""
        if not HAS_CPU_CLOCKS:
            self._cpu_seconds = cpu_seconds(self.pid)
        if not hasattr(os, "wait4"):
            self._process.wait()
            return
        with suppress(ChildProcessError):  # another thread was faster
            _, status, usage = os.wait4(self.pid, 0)
            self._process.returncode = os.waitstatus_to_exitcode(status)
            self._peak_memory = peak_memory(usage)
            if HAS_CPU_CLOCKS:
                self._cpu_seconds = usage.ru_utime + usage.ru_stime
        self._process.wait()

    def _read(self, size: int, budget: TimeBudget | None) -> bytes:
        """The worker's next bytes; `EOFError` if it is gone, `_BudgetUsedUp` if they come too late."""
        pipe = self._answers.fileno()
        while len(self._buffer) < size:
            if budget is not None:
                _wait_for_input(pipe, budget)
            piece = os.read(pipe, READ_BYTES)
            if not piece:
                raise EOFError
            self._buffer += piece
        data = bytes(self._buffer[:size])
        del self._buffer[:size]
        return data


def _start(spec: WorkerSpec, lifeline: int) -> subprocess.Popen[bytes]:
    own_timeout = 0.0
    if spec.timeout is not None:
        own_timeout = OWN_TIMEOUT_FACTOR * spec.timeout
        if spec.cpu_time:
            own_timeout *= WALL_TIME_FACTOR
    limits = (spec.memory or 0, own_timeout)
    sandbox = NO_SANDBOX
    if spec.sandboxed:
        sandbox = SANDBOX_WITH_PROGRAMS if spec.programs else SANDBOX
    flags = (int(spec.group), sandbox)
    arguments = [str(argument) for argument in (spec.serve, *limits, *flags, lifeline)]
    return subprocess.Popen(
        [sys.executable, *FLAGS, "-c", BOOT, *arguments, *import_path()],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        pass_fds=() if lifeline == NO_LIFELINE else (lifeline,),
        # A session of its own: no controlling terminal, whose input a hostile file could fake, and no
        # interrupt from the keyboard, which the parent handles for all.
        start_new_session=True,
    )


def import_path() -> list[str]:
    """The import path of workers: this package's folder, then the absolute entries of `sys.path`.

    An empty or relative entry means a folder below the current one, which may contain anything.
    """
    absolute = [entry for entry in sys.path if os.path.isabs(entry)]
    return [PACKAGE_FOLDER, *absolute]


def _describe_exit(code: int) -> str:
    if code == -getattr(signal, "SIGKILL", 9):
        return "was killed while at work: perhaps there was not enough memory"
    if code < 0:
        return f"crashed held ({signal.Signals(-code).name})"
    return f"ended held with exit code {code}"


# --- time limits ---


def cpu_seconds(process: int) -> float:
    """CPU time of a process; on systems without CPU clocks, the wall-clock time."""
    if sys.platform == "win32" or not HAS_CPU_CLOCKS:  # Windows does not even have the function
        return monotonic()
    return time.clock_gettime(~process << _CLOCK_BITS | _ALL_THREADS)


def children_seconds(process: int) -> float:
    """CPU time of the children that a process has waited for; 0 on systems without /proc."""
    try:
        fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    cutime, cstime = fields[13:15]  # proc(5): fields 16 and 17, in clock ticks
    return (int(cutime) + int(cstime)) / os.sysconf("SC_CLK_TCK")


class TimeBudget:
    """So many seconds from now: CPU seconds of a process, or wall-clock seconds if none is given.

    With children, the programs that the process has run count, too. One that runs does not count yet.
    """

    def __init__(self, seconds: float, process: int | None = None, *, with_children: bool = False) -> None:
        self._seconds = seconds
        self._process = process
        self._with_children = with_children
        factor = 1.0 if process is None else WALL_TIME_FACTOR
        self._end = monotonic() + seconds * factor
        self._cpu_start = self._cpu_time()

    def remaining(self) -> float:
        """The seconds to wait before asking again; 0 if the budget is used up."""
        remaining = self._end - monotonic()
        if self._process is not None:
            remaining = min(remaining, self._cpu_remaining())
        return max(0.0, remaining)

    def has_cpu_time_left(self) -> bool:
        """Whether CPU time is counted and not used up."""
        return self._process is not None and self._cpu_remaining() > 0

    def _cpu_remaining(self) -> float:
        return self._seconds - (self._cpu_time() - self._cpu_start)

    def _cpu_time(self) -> float:
        if self._process is None:
            return 0.0
        try:
            own = cpu_seconds(self._process)
        except OSError:  # the process is gone, which its pipe reports
            return 0.0
        return own + children_seconds(self._process) if self._with_children else own


def _wait_for_input(pipe: int, budget: TimeBudget) -> None:
    """Wait until the pipe has data; `_BudgetUsedUp` when its time is over."""
    if not hasattr(select, "poll"):
        return  # the worker's own timeout ends it, only later
    poll = select.poll()
    poll.register(pipe, select.POLLIN)
    if poll.poll(0):  # the usual case, which needs no clock
        return
    while milliseconds := budget.remaining() * 1000:
        if poll.poll(min(milliseconds, MAX_POLL_MS)):
            return
    raise _BudgetUsedUp


# --- idle workers: at most one of each kind waits for the next request ---

_idle: dict[WorkerSpec, WorkerProcess] = {}
if hasattr(os, "register_at_fork"):  # two processes cannot share one worker
    os.register_at_fork(after_in_child=_idle.clear)


def acquire_worker(spec: WorkerSpec) -> WorkerProcess:
    """The idle worker of this kind, or a new one."""
    idle = _idle.pop(spec, None)
    if idle is not None and idle.alive:
        return idle
    if idle is not None:
        idle.close()
    return WorkerProcess(spec)


def release_worker(worker: WorkerProcess) -> None:
    """Keep a worker that has answered all requests, or close it if another one is idle already."""
    if _idle.setdefault(worker.spec, worker) is not worker:
        worker.close()


def idle_workers() -> tuple[WorkerProcess, ...]:
    """The workers that wait for a request."""
    return tuple(_idle.values())


@atexit.register
def close_idle_workers() -> None:
    """Close the workers that wait for a request."""
    while _idle:
        _, worker = _idle.popitem()
        worker.close()
