"""A process that runs commands of `held`: it has everything imported, and forks for each.

Starting Python and importing takes longer than most commands do on a broken file; a fork has all that, and is
else the same: its own process, its own exit code, its own children. Models are not loaded before, as their
library has threads, which no fork has.
"""

from __future__ import annotations

import os
import select
import signal
import sys
from importlib import import_module
from tempfile import TemporaryFile
from time import monotonic
from typing import Any, NamedTuple

from held.system.console import StageProgress, ignore_progress
from held.system.worker_main import Connection
from held.system.worker_pool import Answer, run_request, serve_requests
from held.system.worker_process import WorkerSpec

SERVE = "research.fuzz.commander:serve"
MODULES = (
    "held.hierarchy.pipeline",
    "held.hierarchy.bookmark_tree",
    "held.batch.runner",
    "held.corpus.build",
    "held.retrieval.sqlite_engine",
    "held.exports.html",
    "held.exports.tables",
    "held.exports.draw",
    "PIL.Image",
    "onnxruntime",
)
UNIT = 20 if sys.platform == "darwin" else 10  # of ru_maxrss, to megabytes


class End(NamedTuple):
    """How a command ended: its code, None where it was ended; its stderr; what it and its children took."""

    code: int | None
    said: str
    megabytes: int
    seconds: float  # computed, those of its children too


def run(words: list[str], seconds: float) -> End:
    """The end of `held` with these words, which may take so many seconds of the clock."""
    answer = run_request(WorkerSpec(SERVE, group=True), [words, seconds], ignore_progress, keep=True)
    if not isinstance(answer, Answer):
        return End(None, str(answer), 0, seconds)
    return End(*answer.value)


def serve(line: Connection) -> None:
    """Runs what it is asked for."""
    from held.cli import COMMANDS

    for module in (*MODULES, *(f"held.cli.{name}" for name in COMMANDS)):
        import_module(module)
    serve_requests(line, _answer)


def _answer(request: Any, _: StageProgress) -> Answer:
    words, seconds = request
    with TemporaryFile() as told:
        process = os.fork()
        if not process:
            _become(words, told.fileno())
        code, megabytes, computed = _waited_for(process, seconds)
        told.seek(0)
        return Answer([code, told.read().decode("utf-8", "replace"), megabytes, computed])


def _become(words: list[str], told: int) -> None:
    """Runs a command in this process, which ends with it."""
    from held.cli import main

    code: Any = 1
    try:
        os.setsid()
        nowhere = os.open(os.devnull, os.O_RDWR)
        for descriptor, file in ((0, nowhere), (1, nowhere), (2, told)):
            os.dup2(file, descriptor)
        main(words)
    except SystemExit as end:
        code = end.code
    finally:
        sys.stderr.flush()
        os._exit(code if isinstance(code, int) else 1)


def _waited_for(process: int, seconds: float) -> tuple[int | None, int, float]:
    """The exit code of a process, None if it took too long, the megabytes of its largest process, and CPU."""
    end = monotonic() + seconds
    ended = os.pidfd_open(process)
    try:
        in_time, _, _ = select.select([ended], [], [], max(0.0, end - monotonic()))
    finally:
        os.close(ended)
    if not in_time:
        os.killpg(process, signal.SIGKILL)
    _, status, used = os.wait4(process, 0)
    code = os.waitstatus_to_exitcode(status) if in_time else None
    return code, used.ru_maxrss >> UNIT, used.ru_utime + used.ru_stime
