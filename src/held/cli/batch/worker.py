"""A process that carries out tasks, one after another, and that may crash, hang or run out of memory alone.

It is a plain subprocess with pipes, for the reasons in `held.pdf.reader.workers`, in a session of its own,
so that it can be killed together with the process that reads pages for it. It ends itself when its parent
is gone.
"""

from __future__ import annotations

import os
import pickle
import queue
import signal
import subprocess
import sys
import threading
from contextlib import suppress
from time import monotonic

from held.cli.batch.memory import memory_limited
from held.cli.batch.request import Task
from held.cli.batch.task import Failed, Outcome, Tell, carry_out
from held.errors import HeldError
from held.pdf.reader.serve import read_message, write_message

SECONDS_BETWEEN_PROGRESS = 0.1


class Worker:
    """A worker process as its parent sees it."""

    def __init__(self, memory: int | None = None) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-S", "-c", f"from held.cli.batch.worker import serve; serve({memory})"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
            start_new_session=True,
        )
        self.pid = self._process.pid
        self.alive = True

    def run(self, task: Task, tell: Tell, *, timeout: float | None = None) -> Outcome:
        """What becomes of the task; the worker may be dead afterwards."""
        out_of_time = threading.Event()

        def end() -> None:
            out_of_time.set()
            self.kill()

        timer = threading.Timer(timeout, end) if timeout else None
        try:
            if timer:
                timer.start()
            return self._answer(task, tell)
        except (EOFError, OSError):
            self.kill()
            if out_of_time.is_set():
                advice = "give more with --timeout"
                return Failed(HeldError(f"took longer than {timeout:g} s", file=task.name, advice=advice))
            return Failed(HeldError(_cause_of_death(self._process.wait()), file=task.name))
        finally:
            if timer:
                timer.cancel()
                timer.join()  # else it might fire into the next task

    def _answer(self, task: Task, tell: Tell) -> Outcome:
        write_message(self._process.stdin, pickle.dumps(task))
        while True:
            message = read_message(self._process.stdout)
            if isinstance(message, bytes):
                outcome: Outcome = pickle.loads(message)
                return outcome
            tell(*message)

    def kill(self) -> None:
        """Ends the process, and the one that reads pages for it."""
        self.alive = False
        with suppress(ProcessLookupError, PermissionError):
            if hasattr(os, "killpg"):
                os.killpg(self.pid, signal.SIGKILL)
            else:
                self._process.kill()
        self._process.wait()

    def end(self) -> None:
        """Ends the process for good; nobody may be waiting for its answer."""
        self.kill()
        with suppress(OSError):
            self._process.communicate()


def _cause_of_death(code: int) -> str:
    if code == -getattr(signal, "SIGKILL", 9):
        return "was killed while at work: perhaps there was not enough memory"
    if code < 0:
        return f"crashed held ({signal.Signals(-code).name})"
    return f"ended held with exit code {code}"


def serve(memory: int | None = None) -> None:
    """Carries out what stdin asks for until it closes: what a worker process runs."""
    _be_the_first_to_end()
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what a library prints must not get between the answers
    tasks: queue.SimpleQueue[Task] = queue.SimpleQueue()
    threading.Thread(target=_listen, args=(tasks,), daemon=True).start()
    with memory_limited(memory):
        while True:
            outcome = carry_out(tasks.get(), paced(lambda *message: write_message(answers, message)))
            write_message(answers, pickle.dumps(outcome))


def paced(tell: Tell) -> Tell:
    """Tells progress on, but not more often than anyone can see it."""
    told_at, told_stage = 0.0, ""

    def tell_at_times(stage: str, done: int, total: int) -> None:
        nonlocal told_at, told_stage
        now = monotonic()
        if stage != told_stage or done == total or now - told_at > SECONDS_BETWEEN_PROGRESS:
            told_at, told_stage = now, stage
            tell(stage, done, total)

    return tell_at_times


def _listen(tasks: queue.SimpleQueue[Task]) -> None:
    """Hands on what stdin asks for; when it closes the parent is gone, and all is ended at once."""
    try:
        while True:
            tasks.put(pickle.loads(read_message(sys.stdin.buffer)))
    finally:
        if hasattr(os, "killpg") and os.getpgrp() == os.getpid():
            os.killpg(0, signal.SIGKILL)
        os._exit(0)


def _be_the_first_to_end() -> None:
    """Has the system end this process before any other where memory is short."""
    with suppress(OSError), open("/proc/self/oom_score_adj", "w") as score:
        score.write("1000")
