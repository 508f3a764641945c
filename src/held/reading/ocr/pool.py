"""Has pages drawn and recognised by worker processes, several at a time, within limits.

A page that crashes its process, or takes too long, costs that page: a new process goes on with the next one.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from queue import Empty, SimpleQueue
from threading import Event, Thread
from typing import Any, TypeVar

from held.reading.ocr.engines import ENGINES
from held.reading.ocr.page_text import RecognisedPage, page_from_json
from held.system.limits import Limits
from held.system.worker_main import InvalidMessage, Message
from held.system.worker_process import (
    WorkerLost,
    WorkerOutOfMemory,
    WorkerProcess,
    WorkerSpec,
    WorkerTimeout,
    acquire_worker,
    release_worker,
)

SERVE = "held.reading.ocr.worker:serve"
MAX_LOST_PAGES = 30  # then the rest is given up, because each costs a process
RESOLUTION_DPI = 300.0

Result = TypeVar("Result")
LayerWord = tuple[float, float, float, float, str, float, float]
"""The sides of a word's box in points, its text, and the left and right side of the run it belongs to."""
LayerLines = list[list[LayerWord]]


@dataclass(frozen=True, slots=True)
class Unreadable:
    """Why a page could not be recognised."""

    reason: str


@dataclass(frozen=True, slots=True)
class ScannedFile:
    """A PDF whose pages are recognised."""

    path: str
    password: str | None
    limits: Limits


@dataclass(frozen=True, slots=True)
class Reading:
    """How pages are read: the name of the engine, and the languages it looks for."""

    engine: str
    languages: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """A name for a folder of the cache."""
        return "-".join((self.engine, "+".join(self.languages) or "any", f"{RESOLUTION_DPI:g}dpi"))


def read_pages(
    file: ScannedFile, indices: Sequence[int], reading: Reading, *, jobs: int
) -> Iterator[tuple[int, RecognisedPage | Unreadable]]:
    """The recognised pages as they are done, or the reasons why they are not."""
    engine = ENGINES[reading.engine]
    request = {
        "do": "read",
        "engine": engine.factory,
        "name": engine.name,
        "languages": reading.languages,
        "dpi": RESOLUTION_DPI,
    }
    return _ask(file, indices, lambda _: request, page_from_json, jobs=jobs, programs=engine.is_program)


def measure_layers(
    file: ScannedFile, layers: Mapping[int, LayerLines], *, jobs: int
) -> Iterator[tuple[int, RecognisedPage | Unreadable]]:
    """The words of existing text layers by page index, with the measures of their ink."""

    def request(index: int) -> dict[str, Any]:
        return {"do": "measure", "lines": layers[index], "dpi": RESOLUTION_DPI}

    return _ask(file, list(layers), request, page_from_json, jobs=jobs, programs=False)


def check_for_text(
    file: ScannedFile, indices: Sequence[int], *, jobs: int
) -> Iterator[tuple[int, bool | Unreadable]]:
    """Which pages look as if there were text on them, as they are done."""
    return _ask(file, indices, lambda _: {"do": "check"}, bool, jobs=jobs, programs=False)


def _ask(
    file: ScannedFile,
    indices: Sequence[int],
    request: Callable[[int], dict[str, Any]],
    check: Callable[[Any], Result],
    *,
    jobs: int,
    programs: bool,
) -> Iterator[tuple[int, Result | Unreadable]]:
    waiting: SimpleQueue[int] = SimpleQueue()
    for index in indices:
        waiting.put(index)
    results: SimpleQueue[tuple[int, Result | Unreadable] | BaseException] = SimpleQueue()
    stop = Event()
    lost: list[int] = []

    def drive() -> None:
        try:
            with _Worker(file, programs=programs) as worker:
                while not stop.is_set():
                    index = waiting.get_nowait()
                    if len(lost) >= MAX_LOST_PAGES:
                        result: Result | Unreadable = Unreadable("given up, as too many pages before failed")
                    else:
                        whole = request(index) | {"page": index, "pixels": file.limits.ocr_pixels}
                        result = worker.ask(whole, check)
                        if isinstance(result, Unreadable):
                            lost.append(index)
                    results.put((index, result))
        except Empty:
            return
        except BaseException as error:
            results.put(error)

    threads = [Thread(target=drive, daemon=True) for _ in range(min(jobs, len(indices)))]
    for thread in threads:
        thread.start()
    try:
        for _ in indices:
            result = results.get()
            if isinstance(result, BaseException):
                raise result
            yield result
    finally:
        stop.set()
        for thread in threads:
            thread.join()


class _Worker:
    """A process that has the file open, replaced by a new one when it is lost."""

    def __init__(self, file: ScannedFile, *, programs: bool) -> None:
        self._file = file
        self._programs = programs
        self._process: WorkerProcess | None = None

    def ask(self, request: Any, check: Callable[[Any], Result]) -> Result | Unreadable:
        """The checked answer, or the reason why there is none."""

        def check_answer(message: Message) -> Result | Unreadable:
            (kind, value), _ = message
            if kind == "done":
                return check(value)
            if kind == "failed" and isinstance(value, str):
                return Unreadable(value)
            raise InvalidMessage("no answer")

        try:
            if self._process is None:
                refusal = self._open()
                if refusal is not None:
                    return refusal
            assert self._process is not None
            self._process.send(request)
            return self._process.receive(check_answer)
        except WorkerLost as loss:
            self._process = None
            return Unreadable(_describe_loss(loss, self._file.limits))

    def _open(self) -> Unreadable | None:
        limits = self._file.limits
        spec = WorkerSpec(
            SERVE,
            memory=limits.ocr_memory,
            timeout=limits.ocr_seconds,
            cpu_time=True,
            group=True,
            sandboxed=True,
            programs=self._programs,
        )
        process = acquire_worker(spec)
        process.send((self._file.path, self._file.password))
        refusal = process.receive(_check_opened)
        if refusal is None:
            self._process = process
        else:
            release_worker(process)
        return refusal

    def __enter__(self) -> _Worker:
        return self

    def __exit__(self, *error: object) -> None:
        process, self._process = self._process, None
        if process is None:
            return
        try:
            process.send(None)
            release_worker(process)
        except WorkerLost:
            process.close()


def _check_opened(message: Message) -> Unreadable | None:
    (kind, value), _ = message
    if kind == "opened":
        return None
    if kind == "failed" and isinstance(value, str):
        return Unreadable(value)
    raise InvalidMessage("neither open nor refused")


def _describe_loss(loss: WorkerLost, limits: Limits) -> str:
    if isinstance(loss, WorkerTimeout):
        return f"takes longer than {limits.ocr_seconds:g} s to recognise, the limit for a page"
    if isinstance(loss, WorkerOutOfMemory):
        return f"{loss}, the limit for recognising text"
    return "crashes the process that recognises text"


def job_count(jobs: int | None) -> int:
    """How many processes recognise pages: `jobs`, or one for each core."""
    return max(1, jobs if jobs is not None else os.cpu_count() or 1)
