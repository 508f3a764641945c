"""Requests to worker processes: one at a time, or many over a pool of workers.

A worker runs `serve_requests`: it reports progress on a request, then answers it. A worker that is lost loses
only its own request, and one that declares itself unusable is replaced.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from queue import Empty, SimpleQueue
from threading import Thread
from time import monotonic
from typing import Any, NamedTuple, TypeVar

from held import errors
from held.errors import DamagedPdfError, HeldError, UsageError
from held.system.console import StageProgress, ignore_progress, throttle_progress
from held.system.limits import limits
from held.system.worker_main import Connection, InvalidMessage, Message
from held.system.worker_process import (
    MaybeOutOfMemory,
    WorkerLost,
    WorkerOutOfMemory,
    WorkerProcess,
    WorkerSpec,
    WorkerTimeout,
    acquire_worker,
    release_worker,
)

Request = TypeVar("Request")


class ProgressEvent(NamedTuple):
    """The progress of a request within a stage."""

    stage: str
    done: int
    total: int


class Answer(NamedTuple):
    """The answer to a request. A worker whose answer is not `reusable` gets no further request."""

    value: Any
    parts: tuple[bytes, ...] = ()
    reusable: bool = True


Event = tuple[int, ProgressEvent | Answer | WorkerLost]  # with the index of the request
_Events = SimpleQueue[Event | BaseException]


# --- in the parent ---


def run_requests(
    spec: WorkerSpec,
    requests: Sequence[Request],
    *,
    jobs: int,
    seconds: float | None = None,
    encode: Callable[[Request], Any] | None = None,
) -> Iterator[Event]:
    """The progress of all requests and their answers or losses, in the order in which they happen.

    `encode` turns a request into JSON values when its turn comes: ten thousand encoded requests would take
    much memory.
    """
    if jobs < 1:
        raise UsageError(f"jobs cannot be {jobs}", advice="1 or more processes do the work")
    pool = _Pool(spec, requests, seconds, encode)
    pool.start(min(jobs, len(requests)))
    unanswered = len(requests)
    try:
        while unanswered:
            event = pool.events.get()
            if isinstance(event, BaseException):
                raise event
            if not isinstance(event[1], ProgressEvent):
                unanswered -= 1
            yield event
    finally:
        pool.stop()


class _Pool:
    """Threads that each drive one worker."""

    def __init__(
        self,
        spec: WorkerSpec,
        requests: Sequence[Any],
        seconds: float | None,
        encode: Callable[[Any], Any] | None,
    ) -> None:
        self._spec = spec
        self._requests = requests
        self._seconds = seconds
        self._encode = encode
        self._waiting: SimpleQueue[int] = SimpleQueue()
        for index in range(len(requests)):
            self._waiting.put(index)
        self._workers: list[WorkerProcess] = []
        self.events: _Events = SimpleQueue()

    def start(self, threads: int) -> None:
        for _ in range(threads):
            Thread(target=self._drive_worker, daemon=True).start()

    def stop(self) -> None:
        """Drop the waiting requests and kill the workers."""
        with suppress(Empty):
            while True:
                self._waiting.get_nowait()
        for worker in tuple(self._workers):
            worker.kill()

    def _drive_worker(self) -> None:
        """Have one worker answer waiting requests until none is left."""
        worker = None
        try:
            for index, request in self._take_requests():
                if worker is None:
                    worker = WorkerProcess(self._spec)
                    self._workers.append(worker)
                answer = _exchange(worker, request, self._reporter(index), self._seconds)
                if isinstance(answer, WorkerLost) or not answer.reusable:
                    worker.close()
                    self._workers.remove(worker)
                    worker = None
                self.events.put((index, answer))
        except BaseException as error:
            self.events.put(error)
        finally:
            # Only the thread that reads from a worker closes its pipes; others may only kill it.
            if worker is not None:
                worker.close()

    def _take_requests(self) -> Iterator[tuple[int, Any]]:
        with suppress(Empty):
            while True:
                index = self._waiting.get_nowait()
                request = self._requests[index]
                if self._encode is not None:
                    request = self._encode(request)
                yield index, request

    def _reporter(self, index: int) -> StageProgress:
        def report(stage: str, done: int, total: int) -> None:
            self.events.put((index, ProgressEvent(stage, done, total)))

        return report


def run_request(
    spec: WorkerSpec,
    request: Any,
    report: StageProgress = ignore_progress,
    *,
    seconds: float | None = None,
    keep: bool = False,
) -> Answer | WorkerLost:
    """The answer of a new worker process; with `keep`, of an idle one, which is kept for later requests."""
    worker = acquire_worker(spec) if keep else WorkerProcess(spec)
    answer = _exchange(worker, request, report, seconds)
    if keep and isinstance(answer, Answer) and answer.reusable:
        release_worker(worker)
    else:
        worker.close()
    return answer


def _exchange(
    worker: WorkerProcess, request: Any, report: StageProgress, seconds: float | None
) -> Answer | WorkerLost:
    """The answer to a request, which must come within so many seconds. A lost worker is dead afterwards."""
    end = None if seconds is None else monotonic() + seconds
    try:
        worker.send(request)
        while True:
            remaining = None if end is None else max(0.0, end - monotonic())
            event = worker.receive(_check_event, remaining)
            if isinstance(event, Answer):
                return event
            report(*event)
    except WorkerTimeout as loss:
        # Name the limit of the request, not what was left of it.
        return loss if seconds is None else WorkerTimeout(seconds, idle=loss.idle)
    except WorkerLost as loss:
        return loss


def _check_event(message: Message) -> ProgressEvent | Answer:
    match message:
        case ["progress", str(stage), int(done), int(total)], ():
            return ProgressEvent(stage, done, total)
        case ["answer", value, bool(reusable)], parts:
            return Answer(value, parts, reusable)
    raise InvalidMessage("neither progress nor an answer")


# --- in the worker ---


def serve_requests(connection: Connection, answer: Callable[[Any, StageProgress], Answer]) -> None:
    """Answer request after request. The function that a worker runs calls this."""

    def report(stage: str, done: int, total: int) -> None:
        connection.send(("progress", stage, done, total))

    while True:
        request, _ = connection.receive()
        value, parts, reusable = answer(request, throttle_progress(report))
        connection.send(("answer", value, reusable), *parts)


# --- single calls in the sandbox ---
#
# For code that opens an untrusted file once, such as qpdf for bookmarks. Whatever the file does to the
# library, it does to a process that can neither write files nor connect to anything.


def call_in_sandbox(
    serve: str, request: Any, *, seconds: float, action: str, file: str | os.PathLike[str]
) -> Answer:
    """The answer of a sandboxed worker that runs `serve` for at most so many CPU seconds.

    A `HeldError` that the worker raises is raised again here. `action` describes the work in error messages.
    """
    memory = limits().memory
    spec = WorkerSpec(serve, memory=memory, timeout=seconds, cpu_time=True, sandboxed=True)
    answer = run_request(spec, request, seconds=seconds, keep=True)
    if isinstance(answer, WorkerLost):
        advice = "--limit or HELD_LIMITS sets the limits"
        raise DamagedPdfError(f"{action} {_describe_loss(answer)}", file=file, advice=advice)
    if isinstance(answer.value, dict) and "error" in answer.value:
        raise error_from_json(answer.value | {"file": os.fspath(file)})
    return answer


def _describe_loss(loss: WorkerLost) -> str:
    if isinstance(loss, MaybeOutOfMemory):
        return f"crashes the PDF library, or {loss}, the limit"
    if isinstance(loss, WorkerTimeout | WorkerOutOfMemory):
        return f"{loss}, the limit"
    return "crashes the PDF library"


def serve_in_sandbox(connection: Connection, answer: Callable[[Any], Answer]) -> None:
    """Answer the requests of `call_in_sandbox`, with a `HeldError` as plain data."""

    def answer_or_error(request: Any, _: StageProgress) -> Answer:
        try:
            return answer(request)
        except HeldError as error:
            return Answer(error_to_json(error))

    serve_requests(connection, answer_or_error)


def error_to_json(error: HeldError) -> dict[str, Any]:
    """A `HeldError` as plain data."""
    return {
        "error": type(error).__name__,
        "what": error.what,
        "file": error.file,
        "page": error.page,
        "advice": error.advice,
    }


def error_from_json(value: Any) -> HeldError:
    """The error that a worker sent; `InvalidMessage` if it is not a `HeldError`."""
    match value:
        case {
            "error": str(name),
            "what": str(what),
            "file": str() | None as file,
            "page": int() | None as page,
            "advice": str() | None as advice,
        }:
            error_class = getattr(errors, name, None)
            if isinstance(error_class, type) and issubclass(error_class, HeldError):
                return error_class(what, file=file, page=page, advice=advice)
    raise InvalidMessage("not an error of held")
