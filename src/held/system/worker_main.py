"""The worker's side of a worker process: its entry point, and the messages it exchanges with its parent.

A message is a JSON value and any number of byte strings, which carry the bulk, such as the runs of a page or
a PNG. It consists of four bytes with the length of the JSON, the JSON (the value and the lengths of the byte
strings), and the byte strings. Decoding a message runs no code and builds only plain data, whatever the
sender wrote: that is why it is neither pickle nor marshal.

The module imports little and nothing slow from the standard library, because a worker must start fast.
"""

from __future__ import annotations

import faulthandler
import json
import os
import select
import sys
from _thread import start_new_thread
from contextlib import suppress
from time import monotonic

TYPE_CHECKING = False
if TYPE_CHECKING:  # importing `typing` takes time
    from collections.abc import Callable, Sequence
    from typing import Any

Message = tuple["Any", tuple[bytes, ...]]  # a value and the byte strings beside it

LENGTH_BYTES = 4  # of the number before a message
# Far above any honest message: all pages of a book take some hundred megabytes, and each is one message.
MAX_JSON_BYTES = 1 << 28
MAX_PART_BYTES = 1 << 31

BUFFER_BYTES = 1 << 18  # written at a time
SECONDS_BETWEEN_ALARMS = 1.0  # setting the alarm starts a thread, which is too slow for every message
STDERR = 2  # the parent redirects it to the null device
SIGKILL = 9  # importing `signal` takes time
OUT_OF_MEMORY = 77  # exit code of a worker whose request for memory was refused
OUT_OF_TIME = 78  # exit code of a worker that has spent its time waiting for a program
SANDBOX_VARIABLE = "HELD_SANDBOX"  # "off" disables the sandbox, to measure its cost
HIGHEST_OOM_SCORE = "1000"  # when memory is short, Linux kills the process with the highest score first
NO_SANDBOX, SANDBOX, SANDBOX_WITH_PROGRAMS = range(3)  # the sandbox that a worker enters
NO_LIFELINE = -1  # instead of a file descriptor, on systems without F_SETSIG

# One encoder for all messages: `json.dumps` with options creates a new one for each call.
_encode_json = json.JSONEncoder(separators=(",", ":"), check_circular=False).encode


class InvalidMessage(Exception):
    """The bytes are not a message, or not the message that was expected."""


def encode_message(value: Any, parts: Sequence[bytes] = ()) -> bytes:
    """A message as bytes."""
    sizes = [len(part) for part in parts]
    text = _encode_json((value, sizes)).encode("ascii")
    length = len(text).to_bytes(LENGTH_BYTES, "little")
    return b"".join((length, text, *parts))


def read_message(read: Callable[[int], bytes]) -> Message:
    """The next message, or `InvalidMessage`; `read(n)` must return the next n bytes."""
    length = int.from_bytes(read(LENGTH_BYTES), "little")
    if length > MAX_JSON_BYTES:
        raise InvalidMessage(f"a message of {length} bytes")
    try:
        value, sizes = json.loads(read(length))
    except (ValueError, TypeError, RecursionError) as error:
        raise InvalidMessage("no message") from error
    if not isinstance(sizes, list) or not all(type(size) is int and size >= 0 for size in sizes):
        raise InvalidMessage("parts without lengths")
    if sum(sizes) > MAX_PART_BYTES:
        raise InvalidMessage(f"parts of {sum(sizes)} bytes")
    return value, tuple([read(size) for size in sizes])


class Connection:
    """The worker's end of the pipes to its parent.

    A worker that has work and sends nothing for `timeout` seconds exits. Its parent would have killed it
    earlier, so the parent must be gone, on a system that does not report that at once. Waiting for work has
    no time limit. `sandbox_failure` is the reason why a worker could not enter the sandbox, None if it did.
    """

    sandbox_failure: str | None = None

    def __init__(self, requests: int, answers: int, timeout: float | None = None) -> None:
        self._requests = os.fdopen(requests, "rb", closefd=False)
        self._answers = os.fdopen(answers, "wb", buffering=BUFFER_BYTES, closefd=False)
        self._timeout = timeout
        self._alarm_set_at = 0.0

    def receive(self) -> Message:
        """The parent's next message; `EOFError` if the parent is gone."""
        self.flush()
        self._cancel_alarm()
        message = self._next_message()
        self._set_alarm()
        return message

    def send(self, value: Any, *parts: bytes, flush: bool = True) -> None:
        """Send a message now, or, without `flush`, together with later ones."""
        self._answers.write(encode_message(value, parts))
        if flush:
            self.flush()
        elif monotonic() - self._alarm_set_at > SECONDS_BETWEEN_ALARMS:
            self._set_alarm()

    def flush(self) -> None:
        """Send all buffered messages. No alarm runs meanwhile: a slow parent is not a missing one."""
        self._cancel_alarm()
        self._answers.flush()
        self._set_alarm()

    def _next_message(self) -> Message:
        return read_message(self._read)

    def _read(self, size: int) -> bytes:
        data = self._requests.read(size)
        if len(data) < size:
            raise EOFError
        return data

    def _set_alarm(self) -> None:
        if self._timeout is not None:
            faulthandler.dump_traceback_later(self._timeout, exit=True, file=STDERR)
            self._alarm_set_at = monotonic()

    def _cancel_alarm(self) -> None:
        if self._timeout is not None:
            faulthandler.cancel_dump_traceback_later()


class WatchedConnection(Connection):
    """A connection with a listening thread: when the parent is gone, the whole process group ends at once.

    For workers that compute for long without sending anything, and that may have child processes.
    """

    def __init__(self, requests: int, answers: int, timeout: float | None = None) -> None:
        super().__init__(requests, answers, timeout)
        from queue import SimpleQueue
        from threading import Thread

        self._waiting: SimpleQueue[Message] = SimpleQueue()
        Thread(target=self._listen, daemon=True).start()

    def _next_message(self) -> Message:
        return self._waiting.get()

    def _listen(self) -> None:
        try:
            while True:
                self._waiting.put(read_message(self._read))
        finally:
            leads_group = hasattr(os, "killpg") and os.getpgrp() == os.getpid()
            if leads_group:
                os.killpg(0, SIGKILL)
            os._exit(0)


def main(serve: str, memory: str, timeout: str, group: str, sandboxed: str, lifeline: str) -> None:
    """Run the function that `serve` names (`module:function`) until the parent is gone."""
    has_group = bool(int(group))
    attach_lifeline(int(lifeline), group=has_group)
    _raise_oom_score()
    _limit_memory(int(memory))
    answers = os.dup(1)
    os.dup2(STDERR, 1)  # output that a library prints must not get between the answers
    module_name, _, function_name = serve.partition(":")
    __import__(module_name)
    function = getattr(sys.modules[module_name], function_name)
    kind = int(sandboxed)
    sandbox_failure = None
    if kind != NO_SANDBOX:
        sandbox_failure = _enter_sandbox(programs=kind == SANDBOX_WITH_PROGRAMS, lifeline=int(lifeline))
    # Only now, because the sandbox applies to threads that start after it.
    connection_class = WatchedConnection if has_group else Connection
    connection = connection_class(0, answers, float(timeout) or None)
    connection.sandbox_failure = sandbox_failure
    if not has_group and hasattr(select, "poll"):
        start_new_thread(_exit_with_parent, ())
    try:
        with suppress(EOFError, BrokenPipeError):
            function(connection)
    except MemoryError:
        os._exit(OUT_OF_MEMORY)
    # Without cleanup: nobody receives what is still in a buffer.
    os._exit(0)


def _exit_with_parent() -> None:
    """Exit when the parent's end of the pipe is closed and Python's global lock is free.

    Calls of PDFium hold the lock, for speed. A worker that hangs in one of them is ended by its lifeline, or
    by the alarm on systems without one.
    """
    parent = select.poll()
    parent.register(0, 0)  # no events but "closed", which is always reported
    with suppress(OSError):
        while not parent.poll():
            pass
    os._exit(0)


def _raise_oom_score() -> None:
    with suppress(OSError), open("/proc/self/oom_score_adj", "w") as score:
        score.write(HIGHEST_OOM_SCORE)


def _enter_sandbox(*, programs: bool, lifeline: int) -> str | None:
    """Give up unneeded rights for good; the result is None, or why that was not possible."""
    if os.environ.get(SANDBOX_VARIABLE) == "off":
        return None
    from held.system import sandbox

    kept = sandbox.NO_DESCRIPTOR if lifeline == NO_LIFELINE else lifeline
    return sandbox.enter(programs=programs, lifeline=kept)


def _limit_memory(limit: int) -> None:
    """Limit this process's memory to so many bytes where the system supports it; 0 is no limit.

    This lowers the hard limit too, so that code in this process cannot raise it again. Stacks count apart.
    """
    if limit == 0:
        return
    with suppress(ImportError, ValueError, OSError):
        import resource

        for kind in (resource.RLIMIT_DATA, resource.RLIMIT_STACK):
            earlier = [value for value in resource.getrlimit(kind) if value != resource.RLIM_INFINITY]
            lower = min([limit, *earlier])
            resource.setrlimit(kind, (lower, lower))


# --- the lifeline: ends a worker as soon as its parent is gone, even during a call of PDFium ---
#
# The worker has the reading end of a pipe to which nobody ever writes, and asks Linux for a signal when
# something happens there. The only thing that can happen is that the parent's end closes, together with the
# parent, however that ended. The signal also ends a process inside a PDFium call, where no Python code runs.
# PR_SET_PDEATHSIG needs no pipe, but it follows the thread that started the worker, and our threads end
# earlier than the workers they start.


def open_lifeline() -> tuple[int, int]:
    """The worker's end and the parent's end, both `NO_LIFELINE` on systems other than Linux."""
    if sys.platform != "linux":
        return NO_LIFELINE, NO_LIFELINE
    reading, writing = os.pipe()
    return _above_standard_streams(reading), _above_standard_streams(writing)


def _above_standard_streams(end: int) -> int:
    """The file descriptor, or a copy of it with a number that no standard stream has.

    A process that was started with its standard streams closed gets their numbers for other files. A worker
    has streams of its own under these numbers.
    """
    if end > STDERR:
        return end
    import fcntl

    moved = fcntl.fcntl(end, fcntl.F_DUPFD_CLOEXEC, STDERR + 1)
    os.close(end)
    return moved


def close_lifeline(end: int) -> None:
    """Close one end."""
    if end != NO_LIFELINE:
        os.close(end)


def attach_lifeline(end: int, *, group: bool) -> None:
    """Have this process, or its whole group, killed when the other end closes."""
    if end == NO_LIFELINE:
        return
    import fcntl

    owner = -os.getpgrp() if group else os.getpid()
    fcntl.fcntl(end, fcntl.F_SETOWN, owner)
    fcntl.fcntl(end, fcntl.F_SETSIG, SIGKILL)
    flags = fcntl.fcntl(end, fcntl.F_GETFL)
    fcntl.fcntl(end, fcntl.F_SETFL, flags | os.O_ASYNC)
