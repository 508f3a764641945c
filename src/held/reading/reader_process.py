"""Reads pages in separate processes, so that a file that crashes or hangs PDFium loses one page, not the run.

A reader process runs `pdfium_reader`: it opens the file once and sends page after page, within the limits of
`held.system.limits`. If it is lost, a new, careful one continues, which sends each page at once, so that the
first missing page is the one it was lost on. That page is given up if a careful reader exceeds its time, or
if a new one dies on it. When the time for the whole file is used up, the rest is given up.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from queue import SimpleQueue
from threading import Event, Thread
from time import monotonic

from held.reading.raw_page import (
    CATALOGUE,
    CLOSED,
    OPENED,
    PAGE,
    REFUSED,
    UNLOADABLE,
    CannotOpen,
    RawEntry,
    RawMetadata,
    RawPage,
    RawStyle,
    decode_metadata,
    decode_outline,
    decode_page,
    decode_styles,
)
from held.system.limits import Limits
from held.system.worker_main import InvalidMessage, Message
from held.system.worker_process import (
    WALL_TIME_FACTOR,
    MaybeOutOfMemory,
    WorkerLost,
    WorkerOutOfMemory,
    WorkerSpec,
    WorkerTimeout,
    acquire_worker,
    release_worker,
)

SERVE = "held.reading.pdfium_reader:serve"
MAX_LOST_PAGES = 30  # of one reader's share; then the rest is given up, because each costs a process

# an index and its page, or the reason why there is none; all styles of that reader so far
PageResult = tuple[int, RawPage | str, list[RawStyle]]


def start_reader(limits: Limits) -> None:
    """Start a reader process for the next file; it gets ready while this process imports modules."""
    release_worker(acquire_worker(_reader_spec(limits)))


def _reader_spec(limits: Limits) -> WorkerSpec:
    return WorkerSpec(SERVE, memory=limits.memory, timeout=limits.page_seconds, cpu_time=True, sandboxed=True)


@dataclass(frozen=True, slots=True)
class OpenFile:
    """A file that is being read, and its time limits.

    `seconds` is the CPU time of all its readers together, so that their number makes no difference. `spent`
    has what each has used so far. `end` is the wall-clock time at which reading ends in any case.
    """

    path: str
    password: str | None
    limits: Limits
    seconds: float
    end: float
    spent: dict[Reader, float] = field(default_factory=dict)

    @staticmethod
    def start(path: str, password: str | None, limits: Limits, pages: int = 0) -> OpenFile:
        """The file with the time for so many pages, from now on."""
        seconds = limits.seconds_for(pages)
        return OpenFile(path, password, limits, seconds, monotonic() + WALL_TIME_FACTOR * seconds)

    def has_time(self) -> bool:
        return self._seconds_left() > 0

    def answer_seconds(self) -> float:
        """How long the next answer may take."""
        return max(0.0, min(self.limits.page_seconds, self._seconds_left()))

    def _seconds_left(self) -> float:
        spent = sum(tuple(self.spent.values()))  # a copy, because other threads add to it
        return min(self.seconds - spent, self.end - monotonic())

    def reason_to_stop(self) -> str:
        """Why the rest is given up."""
        if self.has_time():
            return "given up, as too many pages before could not be read"
        limit = f"{self.seconds:g} s, the limit for a file of its length"
        return f"given up, as the file takes longer than {limit}"


class Reader:
    """A process that has a PDF open. `sandbox_failure` is the reason why it is not sandboxed, if so."""

    def __init__(self, file: OpenFile, *, careful: bool = False) -> None:
        self._process = acquire_worker(_reader_spec(file.limits))
        self.charge_to(file)
        self.careful = careful
        self.styles: list[RawStyle] = []
        self.pages_read = 0
        try:
            options = (file.password is not None, careful)
            password = (file.password or "").encode()
            self._process.send(options, os.fsencode(file.path), password)
            kind, value, self.sandbox_failure = self._process.receive(_check_opened, file.answer_seconds())
        except BaseException:  # KeyboardInterrupt too: nobody else knows the process
            self.kill()
            raise
        if kind == REFUSED:
            release_worker(self._process)
            raise CannotOpen(value)
        self.page_count: int = value

    def charge_to(self, file: OpenFile) -> None:
        """Count CPU time from now on for this file."""
        self._file = file
        self._cpu_start = self._process.cpu_seconds

    def read_catalogue(self) -> tuple[list[RawEntry], RawMetadata]:
        """The document's outline and metadata."""
        self._process.send("catalogue")
        return self._process.receive(_check_catalogue, self._file.answer_seconds())

    def read_pages(self, indices: Sequence[int]) -> Iterator[tuple[int, RawPage | str]]:
        """Each page as it arrives, or the reason why there is none."""
        self._process.send(list(indices))
        for index in indices:
            page = self._process.receive(self._check_page, self._file.answer_seconds())
            self.pages_read += 1
            self._charge()
            yield index, page if page is not None else "cannot be loaded"

    def _charge(self) -> None:
        self._file.spent[self] = max(0.0, self._process.cpu_seconds - self._cpu_start)

    def _check_page(self, message: Message) -> RawPage | None:
        """The page in a message, None for a page that cannot be loaded."""
        (kind, value, new_styles), parts = message
        self.styles += decode_styles(new_styles)
        if kind not in (PAGE, UNLOADABLE):
            raise InvalidMessage("no page")
        return decode_page(value, parts, len(self.styles)) if kind == PAGE else None

    def release(self) -> None:
        """Close the document and keep the process; it must have answered all requests."""
        try:
            self._process.send(None)
            self._process.receive(_check_closed)
            release_worker(self._process)
        except WorkerLost:
            self.kill()

    def kill(self) -> None:
        """End the process."""
        self._process.close()
        self._charge()


def _check_opened(message: Message) -> tuple[int, int, str | None]:
    """OPENED with the number of pages, or REFUSED with PDFium's error code; and the sandbox failure."""
    (kind, number, sandbox_failure), _ = message
    if kind not in (OPENED, REFUSED) or type(number) is not int or number < 0:
        raise InvalidMessage("neither open nor refused")
    if not isinstance(sandbox_failure, str | None):
        raise InvalidMessage("neither inside nor outside")
    return kind, number, sandbox_failure


def _check_catalogue(message: Message) -> tuple[list[RawEntry], RawMetadata]:
    (kind, entries, metadata), _ = message
    if kind != CATALOGUE:
        raise InvalidMessage("no outline")
    return decode_outline(entries), decode_metadata(metadata)


def _check_closed(message: Message) -> None:
    if message != ([CLOSED], ()):
        raise InvalidMessage("still open")


def read_pages(file: OpenFile, first: Reader, indices: Sequence[int]) -> Iterator[PageResult]:
    """All pages in order, or the reasons why they cannot be read. `first` is released or killed."""
    reader: Reader | None = first
    left = deque(indices)
    lost = 0
    try:
        while left and lost < MAX_LOST_PAGES and file.has_time():
            try:
                if reader is None:
                    reader = Reader(file, careful=True)
                for index, page in reader.read_pages(tuple(left)):
                    left.popleft()
                    yield index, page, reader.styles
            except WorkerLost as loss:
                # Without blame, the next reader tries the page again.
                if _is_next_page_to_blame(reader, loss, len(left)) and file.has_time():
                    lost += 1
                    yield left.popleft(), describe_loss(loss, file.limits), []
                if reader is not None:
                    reader.kill()
                reader = None
        if reader is not None and not left:
            reader.release()
            reader = None
        for index in left:
            yield index, file.reason_to_stop(), []
    finally:
        if reader is not None:
            reader.kill()


def _is_next_page_to_blame(reader: Reader | None, loss: WorkerLost, pages_left: int) -> bool:
    """Whether a reader was lost because of the page that is due, not because of earlier ones."""
    if reader is None:  # lost while opening the file again; counts as a page, so that the attempts end
        return True
    timed_out = isinstance(loss, WorkerTimeout)
    if reader.careful:
        return timed_out or reader.pages_read == 0
    # A reader that is not careful holds pages back; only with one page left it is clear which one hangs.
    return timed_out and pages_left == 1


def describe_loss(loss: WorkerLost, limits: Limits) -> str:
    """Why something was not read, with the limit if one was reached."""
    if isinstance(loss, WorkerTimeout) and loss.idle:
        return f"{loss}, where {limits.page_seconds:g} s of work are the limit for a page"
    if isinstance(loss, WorkerTimeout):
        return f"takes longer than {limits.page_seconds:g} s, the limit for a page"
    if isinstance(loss, MaybeOutOfMemory):
        return f"crashes the PDF library, or {loss}, the limit for a reader"
    if isinstance(loss, WorkerOutOfMemory):
        return f"{loss}, the limit for a reader"
    return "crashes the PDF library"


def read_pages_in_parallel(
    file: OpenFile, first: Reader, indices: Sequence[int], jobs: int
) -> Iterator[PageResult]:
    """The pages in order, read by several readers, each driven by its own thread."""
    queue: SimpleQueue[PageResult | BaseException] = SimpleQueue()
    stop = Event()

    def drive(share: Sequence[int], reader: Reader | None) -> None:
        try:
            for result in read_pages(file, reader or Reader(file), share):
                queue.put(result)
                if stop.is_set():
                    return
        except BaseException as error:
            queue.put(error)

    threads = []
    for job in range(jobs):
        reader = first if job == 0 else None
        # Readers take turns page by page, so that few results wait for their predecessors.
        share = indices[job::jobs]
        threads.append(Thread(target=drive, args=(share, reader), daemon=True))
    for thread in threads:
        thread.start()
    try:
        yield from _sort_results(queue, indices)
    finally:
        stop.set()
        for thread in threads:
            thread.join()


def _sort_results(
    queue: SimpleQueue[PageResult | BaseException], indices: Sequence[int]
) -> Iterator[PageResult]:
    """The results in page order; an error is raised as soon as it arrives."""
    early: dict[int, PageResult] = {}
    for index in indices:
        while index not in early:
            result = queue.get()
            if isinstance(result, BaseException):
                raise result
            early[result[0]] = result
        yield early.pop(index)
