"""A child process as its parent sees it: started safely, talked to with a clock running, ended for good.

It is a plain subprocess with pipes, not `multiprocessing`, which needs a guarded main module in the caller's
code. A child that did its work well is kept for the next, as starting one costs as much CPU time as
reading ten pages.
"""

from __future__ import annotations

import atexit
import os
import select
import signal
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from held.system.limits import amount
from held.system.processes import lifeline
from held.system.processes.child import OUT_OF_MEMORY
from held.system.processes.cpu_timeout import PATIENCE, TELLS_WORK, Allowance, seconds_worked
from held.system.processes.messages import Garbled, Message, packed, read_message

Checked = TypeVar("Checked")

BYTES_AT_ONCE = 1 << 20
MOST_MILLISECONDS = 1 << 30  # of one wait, twelve days: `poll` takes no larger number
GRACE = 2.0  # of the silence that the parent bears: a child ends itself only when nobody else does

# A process that ends with so much of its memory taken ended for want of more: a library that lets a buffer
# grow asks for twice what it has.
NEAR_THE_LIMIT = 0.5
MAXRSS_UNIT = 1 if sys.platform == "darwin" else 1 << 10  # getrusage(2)

# Isolated (-I): neither the current folder nor the environment says where to import from. Without `site`
# (-S), which is dear. The standard library, which the interpreter finds itself, comes before all others.
FLAGS = ("-I", "-S", f"-Xutf8={sys.flags.utf8_mode}", *(["-B"] if sys.dont_write_bytecode else []))
BOOT = (
    "import sys; own = sys.path; own += [place for place in sys.argv[7:] if place not in own]; "
    "from held.system.processes.child import main; main(*sys.argv[1:7])"
)
HOME = os.fspath(Path(__file__).parents[3])  # where this very package is


@dataclass(frozen=True, slots=True)
class Program:
    """What a child runs, and how far it may go.

    serve    the function that serves, as `module:function`; it takes a `held.system.processes.child.Line`
    memory   the bytes it may take, None for what its parent may
    silence  the seconds it may work without a word, None for ever
    by_work  whether its seconds are those that it works, not those that pass (see `patience`)
    group    whether it has children of its own, which must end with it
    shut_in  whether it reads bytes of strangers, and so is put into the sandbox
    """

    serve: str
    memory: int | None = None
    silence: float | None = None
    by_work: bool = False
    group: bool = False
    shut_in: bool = False


class Lost(Exception):
    """A child is of no use any more: why, in words for people."""


class Died(Lost):
    """It ended, by itself or by a signal."""


class RanOutOfMemory(Died):
    """It ended where its memory did."""

    def __init__(self, memory: int) -> None:
        super().__init__(f"needs more than {amount(memory)} of memory")


class MayHaveRunOut(RanOutOfMemory):
    """It ended by itself, or where its memory did: the system could not tell."""


class TookTooLong(Lost):
    """It did not answer in time: it worked too long, or was waited for in vain."""

    def __init__(self, seconds: float, *, in_vain: bool = False) -> None:
        waited = f"did not answer within {PATIENCE * seconds:g} s of the clock"
        super().__init__(waited if in_vain else f"took longer than {seconds:g} s")
        self.in_vain = in_vain


class SaidNonsense(Lost):
    """What it said is not what it was asked for."""


class Child:
    """A process that serves. After a `Lost` it is dead."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self._memory_before = most_memory_so_far()
        its_end, self._lifeline = lifeline.pipe()
        try:
            self._process = _started(program, its_end)
        except BaseException:
            lifeline.close(self._lifeline)
            raise
        finally:
            lifeline.close(its_end)
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._requests, self._answers = self._process.stdin, self._process.stdout
        self._read_already = bytearray()
        self._most_memory = 0  # bytes that it had at its height, once it is dead
        self._worked = 0.0  # seconds, once it is dead
        self.pid = self._process.pid

    def send(self, value: Any, *parts: bytes) -> None:
        """Says something to the child."""
        try:
            self._requests.write(packed(value, parts))
            self._requests.flush()
        except OSError:
            raise self._died() from None

    def receive(self, check: Callable[[Message], Checked], seconds: float | None = None) -> Checked:
        """What `check` makes of the child's next message, which is a stranger's: it refuses what is wrong.

        The message must come within so many seconds; where none are given, within `Program.silence`.
        """
        seconds = self.program.silence if seconds is None else seconds
        process = self.pid if self.program.by_work else None
        allowance = None if seconds is None else Allowance(seconds, process)
        try:
            return check(read_message(lambda size: self._read(size, allowance)))
        except TimeoutError:
            assert seconds is not None
            assert allowance is not None
            raise self._lost(TookTooLong(seconds, in_vain=allowance.waited_in_vain())) from None
        except (EOFError, OSError):
            raise self._died() from None
        except (Garbled, ValueError, TypeError, LookupError, OverflowError) as error:
            raise self._lost(SaidNonsense(f"an answer that makes no sense: {error}")) from error

    def kill(self) -> None:
        """Ends the process, and those that it has started."""
        if self._process.returncode is not None:
            return  # its number may be another's by now
        with suppress(ProcessLookupError, PermissionError):
            if self.program.group and hasattr(os, "killpg"):
                os.killpg(self.pid, signal.SIGKILL)
            elif hasattr(os, "wait4"):
                # Not `Popen.kill`, which reaps a dead process and forgets what memory it took.
                os.kill(self.pid, signal.SIGKILL)
            else:
                self._process.kill()
        self._reap()

    def end(self) -> None:
        """Ends the process and closes the pipes; nobody may be waiting for its answer."""
        self.kill()
        for pipe in (self._requests, self._answers):
            with suppress(OSError):  # what it was not told is told to nobody
                pipe.close()
        lifeline.close(self._lifeline)
        self._lifeline = lifeline.NONE

    @property
    def alive(self) -> bool:
        """Whether the process runs."""
        return self._process.poll() is None

    @property
    def seconds_worked(self) -> float:
        """How long the process has worked in its life; only differences mean anything on every system."""
        return seconds_worked(self.pid) if self._process.returncode is None else self._worked

    def _lost(self, how: Lost) -> Lost:
        self.end()
        return how

    def _died(self) -> Lost:
        """Why the process ended; one that only closed its pipe is ended now."""
        self.end()
        memory = self.program.memory
        code = self._process.returncode
        # What a library does that gets no more memory is its own affair: mostly it aborts.
        if memory and code == OUT_OF_MEMORY:
            return RanOutOfMemory(memory)
        if memory and self._most_memory > NEAR_THE_LIMIT * memory:
            # Until its program began it was a copy of this process, and what it took then counts, too.
            is_its_own = self._most_memory > self._memory_before
            return RanOutOfMemory(memory) if is_its_own else MayHaveRunOut(memory)
        return Died(_cause_of_death(code))

    def _reap(self) -> None:
        """Waits for the end of the process, and keeps what memory and time it took where the system tells."""
        if not TELLS_WORK:
            self._worked = seconds_worked(self.pid)
        if not hasattr(os, "wait4"):
            self._process.wait()
            return
        with suppress(ChildProcessError):  # another thread was faster
            _, status, used = os.wait4(self.pid, 0)
            self._process.returncode = os.waitstatus_to_exitcode(status)
            self._most_memory = used.ru_maxrss * MAXRSS_UNIT
            if TELLS_WORK:
                self._worked = used.ru_utime + used.ru_stime
        self._process.wait()

    def _read(self, size: int, allowance: Allowance | None) -> bytes:
        """The next bytes of the child; `EOFError` if it is gone, `TimeoutError` if they come too late."""
        buffer = self._read_already
        while len(buffer) < size:
            if allowance is not None:
                _wait_for(self._answers.fileno(), allowance)
            piece = os.read(self._answers.fileno(), BYTES_AT_ONCE)
            if not piece:
                raise EOFError
            buffer += piece
        data = bytes(buffer[:size])
        del buffer[:size]
        return data


def most_memory_so_far() -> int:
    """The most memory that this process has taken, in bytes; 0 where the system does not tell."""
    try:
        import resource
    except ImportError:
        return 0
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * MAXRSS_UNIT


def _started(program: Program, lifeline_end: int) -> subprocess.Popen[bytes]:
    """A fresh process of a program; it ends by itself when this process does."""
    silence = 0.0 if program.silence is None else GRACE * program.silence
    silence *= PATIENCE if program.by_work else 1.0
    flags = (int(program.group), int(program.shut_in))
    arguments = (program.serve, program.memory or 0, silence, *flags, lifeline_end)
    return subprocess.Popen(
        [sys.executable, *FLAGS, "-c", BOOT, *map(str, arguments), *import_places()],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        pass_fds=() if lifeline_end == lifeline.NONE else (lifeline_end,),
        start_new_session=program.group,
    )


def import_places() -> list[str]:
    """Where children import from: this package, then where this process does, if that is a place of its own.

    An empty or relative entry means whatever folder is the current one, and that may hold anything.
    """
    return [HOME, *(place for place in sys.path if os.path.isabs(place))]


def _wait_for(pipe: int, allowance: Allowance) -> None:
    """Waits until there is something to read, as long as is allowed."""
    if not hasattr(select, "poll"):
        return  # the child ends itself when its time is over, only later
    waiting = select.poll()
    waiting.register(pipe, select.POLLIN)
    if waiting.poll(0):  # mostly: what is there already costs no look at clocks
        return
    while milliseconds := allowance.left() * 1000:
        if waiting.poll(min(milliseconds, MOST_MILLISECONDS)):
            return
    raise TimeoutError


def _cause_of_death(code: int) -> str:
    if code == -getattr(signal, "SIGKILL", 9):
        return "was killed while at work: perhaps there was not enough memory"
    if code < 0:
        return f"crashed held ({signal.Signals(-code).name})"
    return f"ended held with exit code {code}"


# Children that wait for the next request, by their programs: one of each is enough.
_idle: dict[Program, Child] = {}
if hasattr(os, "register_at_fork"):  # two processes cannot share one child
    os.register_at_fork(after_in_child=_idle.clear)


def borrowed(program: Program) -> Child:
    """A child that runs the program: the one that waits for work, or a fresh one."""
    kept = _idle.pop(program, None)
    if kept is not None and kept.alive:
        return kept
    if kept is not None:
        kept.end()
    return Child(program)


def give_back(child: Child) -> None:
    """Keeps a child that has answered all that it was asked, or ends it where another waits already."""
    if _idle.setdefault(child.program, child) is not child:
        child.end()


def idle_children() -> tuple[Child, ...]:
    """The processes that wait for work."""
    return tuple(_idle.values())


@atexit.register
def end_idle_children() -> None:
    """Ends the processes that wait for work."""
    while _idle:
        _, child = _idle.popitem()
        child.end()
