"""What a child process runs first: it limits itself, then serves what its parent asks for.

Imports are few, and none of them is the standard library's heavy ones: a child must start fast.
"""

from __future__ import annotations

import faulthandler
import os
import select
import sys
from _thread import start_new_thread
from contextlib import suppress
from time import monotonic

from held.system.processes import lifeline
from held.system.processes.messages import packed, read_message

TYPE_CHECKING = False
if TYPE_CHECKING:  # `typing` itself takes time to import
    from collections.abc import Callable
    from typing import Any

    from held.system.processes.messages import Message

BUFFER_BYTES = 1 << 18
SECONDS_BETWEEN_ALARMS = 1.0  # setting the alarm starts a thread, which is too dear for every message
NOWHERE = 2  # standard error, which the parent has lead to nothing
OUT_OF_MEMORY = 77  # the exit code of a process that was refused more memory
SANDBOX = "HELD_SANDBOX"  # the environment variable that switches the sandbox off, to measure what it costs
FIRST_TO_END = "1000"  # the highest score: where memory is short, the system ends this process first


class Line:
    """The child's end of the pipes to its parent.

    A child that has work and says nothing for `silence` seconds ends itself: its parent, who would end
    it by then, must be gone, on a system that does not tell so at once. Waiting for work may take for ever.
    `outside_because` says why a process that should be in the sandbox is not, in words.
    """

    outside_because: str | None = None

    def __init__(self, requests: int, answers: int, silence: float | None = None) -> None:
        self._requests = os.fdopen(requests, "rb", closefd=False)
        self._answers = os.fdopen(answers, "wb", buffering=BUFFER_BYTES, closefd=False)
        self._silence = silence
        self._alarmed = 0.0

    def receive(self) -> Message:
        """What the parent says next; `EOFError` if it is gone."""
        self.flush()
        self._cancel_alarm()
        message = read_message(self._read)
        self._set_alarm()
        return message

    def send(self, value: Any, *parts: bytes, flush: bool = True) -> None:
        """Says something to the parent, at once or with what is said next."""
        self._answers.write(packed(value, parts))
        if flush:
            self.flush()
        elif monotonic() - self._alarmed > SECONDS_BETWEEN_ALARMS:
            self._set_alarm()

    def flush(self) -> None:
        """Says all that is waiting. A parent that is slow to listen is not gone."""
        self._cancel_alarm()
        self._answers.flush()
        self._set_alarm()

    def _read(self, size: int) -> bytes:
        data = self._requests.read(size)
        if len(data) < size:
            raise EOFError
        return data

    def _set_alarm(self) -> None:
        if self._silence is not None:
            faulthandler.dump_traceback_later(self._silence, exit=True, file=NOWHERE)
            self._alarmed = monotonic()

    def _cancel_alarm(self) -> None:
        if self._silence is not None:
            faulthandler.cancel_dump_traceback_later()


class WatchedLine(Line):
    """A line that is listened to at work, too: when the parent is gone, the whole group ends at once.

    For children that work long without a word, and that may have children of their own.
    """

    def __init__(self, requests: int, answers: int, silence: float | None = None) -> None:
        super().__init__(requests, answers, silence)
        from queue import SimpleQueue
        from threading import Thread

        self._waiting: SimpleQueue[Message] = SimpleQueue()
        Thread(target=self._listen, daemon=True).start()

    def receive(self) -> Message:
        """What the parent says next."""
        self.flush()
        self._cancel_alarm()
        message = self._waiting.get()
        self._set_alarm()
        return message

    def _listen(self) -> None:
        try:
            while True:
                self._waiting.put(read_message(self._read))
        finally:
            if hasattr(os, "killpg") and os.getpgrp() == os.getpid():
                os.killpg(0, 9)  # SIGKILL; `signal` takes time to import
            os._exit(0)


def main(program: str, memory: str, silence: str, watched: str, shut_in: str, end: str) -> None:
    """Serves with the function that `program` names (`module:function`), until the parent is gone."""
    lifeline.hold(int(end), group=bool(int(watched)))
    _be_the_first_to_end()
    _limit_memory(int(memory))
    answers = os.dup(1)
    os.dup2(2, 1)  # what a library prints must not get between the answers
    module, _, function = program.partition(":")
    serve: Callable[[Line], None] = getattr(_imported(module), function)
    outside_because = _shut_in() if int(shut_in) else None
    # Threads are in the sandbox only if they were started there.
    line = (WatchedLine if int(watched) else Line)(0, answers, float(silence) or None)
    line.outside_because = outside_because
    if not int(watched) and hasattr(select, "poll"):
        start_new_thread(_end_with_the_parent, ())
    try:
        with suppress(EOFError, BrokenPipeError):
            serve(line)
    except MemoryError:
        os._exit(OUT_OF_MEMORY)
    # Nothing is left to tidy up, and what is still in a buffer has nobody to go to.
    os._exit(0)


def _end_with_the_parent() -> None:
    """Ends this process when the parent's end of the pipe is closed, and Python's lock is free.

    Calls of PDFium hold the lock, for speed: what hangs in one of them is ended by its lifeline, or by the
    alarm on systems that have none.
    """
    parent = select.poll()
    parent.register(0, 0)  # what it says is not ours to wait for: that it is gone is always told
    with suppress(OSError):
        while not parent.poll():
            pass
    os._exit(0)


def _imported(module: str) -> Any:
    __import__(module)
    return sys.modules[module]


def _be_the_first_to_end() -> None:
    with suppress(OSError), open("/proc/self/oom_score_adj", "w") as score:
        score.write(FIRST_TO_END)


def _shut_in() -> str | None:
    """Gives up what reading needs not, for good; None, or why that was not possible."""
    if os.environ.get(SANDBOX) == "off":
        return None
    from held.system.processes import sandbox

    return sandbox.enter()


def _limit_memory(most: int) -> None:
    """Has memory end at so many bytes for this process, where the system can do that; 0 is no limit.

    The hard limit goes with it: what runs here later cannot raise it again.
    """
    if most == 0:
        return
    with suppress(ImportError, ValueError, OSError):
        import resource

        before = resource.getrlimit(resource.RLIMIT_DATA)
        most = min([most, *(limit for limit in before if limit != resource.RLIM_INFINITY)])
        resource.setrlimit(resource.RLIMIT_DATA, (most, most))
