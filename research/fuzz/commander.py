"""A process that imports everything and forks for each command of `held`.

Starting Python and importing takes longer than most commands take on a broken file. A fork has everything
imported, and its own exit code and children. Models are not loaded before the fork, because ONNX Runtime
starts threads, which a fork does not copy.
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
    """How a command ended: its exit code, None if it was killed; its stderr; its memory and CPU time."""

    code: int | None
    stderr: str
    megabytes: int
    seconds: float  # CPU time, with that of its children


def run(words: list[str], seconds: float) -> End:
    """Run `held` with these arguments for at most so many wall-clock seconds."""
    answer = run_request(WorkerSpec(SERVE, group=True), [words, seconds], ignore_progress, keep=True)
    if not isinstance(answer, Answer):
        return End(None, str(answer), 0, seconds)
    return End(*answer.value)


def serve(line: Connection) -> None:
    """Run the requested commands, one after another."""
    from held.cli import COMMANDS

    for module in (*MODULES, *(f"held.cli.{name}" for name in COMMANDS)):
        import_module(module)
    serve_requests(line, _answer)


def _answer(request: Any, _: StageProgress) -> Answer:
    words, seconds = request
    with TemporaryFile() as stderr:
        process = os.fork()
        if not process:
            _run_command(words, stderr.fileno())
        code, megabytes, computed = _wait_for(process, seconds)
        stderr.seek(0)
        return Answer([code, stderr.read().decode("utf-8", "replace"), megabytes, computed])


def _run_command(words: list[str], stderr: int) -> None:
    """Runs a command in this process, which ends with it."""
    from held.cli import main

    code: Any = 1
    try:
        os.setsid()
        nowhere = os.open(os.devnull, os.O_RDWR)
        for descriptor, file in ((0, nowhere), (1, nowhere), (2, stderr)):
            os.dup2(file, descriptor)
        main(words)
    except SystemExit as end:
        code = end.code
    finally:
        sys.stderr.flush()
        os._exit(code if isinstance(code, int) else 1)


def _wait_for(process: int, seconds: float) -> tuple[int | None, int, float]:
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
