"""Reading in processes of their own, so that a file that crashes or hangs PDFium costs one page, not the run.

A worker runs `held.reading.worker_main`: it opens the file once and sends page after page, within the limits
of `held.system.limits`. When it is lost, a fresh one goes on, which is careful: it sends every page at
once, so that the page it is lost on is the first that does not come. A page that a
careful worker takes too long over, or that a fresh one dies on, is given up;
when the file has taken its time, so is the rest.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from time import monotonic

from held.reading.raw import (
    CLOSED,
    OPENED,
    OUTLINE,
    PAGE,
    REFUSED,
    UNLOADABLE,
    CannotOpen,
    RawEntry,
    RawPage,
    RawStyle,
)
from held.reading.wire import entries_from, page_from, styles_from
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

MOST_LOST_PAGES = 30  # of one worker's share: then the rest is given up, as each costs a process
SERVE = "held.reading.worker_main:serve"

# an index with its page, or why there is none; the styles that the worker has met so far
PageResult = tuple[int, RawPage | str, list[RawStyle]]


@dataclass(frozen=True, slots=True)
class OpenFile:
    """A file that is being read, and how far that may go.

    `seconds` are those that its workers may work, all together, so that their number changes nothing, and
    `worked` has those of each so far; `end` is when the clock ends it in any case.
    """

    path: str
    password: str | None
    limits: Limits
    seconds: float
    end: float
    worked: dict[Worker, float] = field(default_factory=dict)

    @staticmethod
    def now(path: str, password: str | None, limits: Limits, pages: int = 0) -> OpenFile:
        """The file with the time of so many pages, from now on."""
        seconds = limits.seconds_for(pages)
        return OpenFile(path, password, limits, seconds, monotonic() + WALL_TIME_FACTOR * seconds)

    def has_time(self) -> bool:
        return self._left() > 0

    def seconds_left(self) -> float:
        """How long the next answer may take."""
        return max(0.0, min(self.limits.page_seconds, self._left()))

    def _left(self) -> float:
        # A copy: other threads add theirs.
        worked = sum(tuple(self.worked.values()))
        return min(self.seconds - worked, self.end - monotonic())

    def given_up_because(self) -> str:
        """Why the rest is not read."""
        if self.has_time():
            return "given up, as too many pages before could not be read"
        return (
            f"given up, as the file takes longer than {self.seconds:g} s, the limit for a file of its length"
        )


def reader(limits: Limits) -> WorkerSpec:
    """What reads pages, within the limits."""
    return WorkerSpec(SERVE, memory=limits.memory, timeout=limits.page_seconds, cpu_time=True, sandboxed=True)


def start_early(limits: Limits) -> None:
    """Starts a reader that the next file finds waiting: it gets ready while this process imports."""
    release_worker(acquire_worker(reader(limits)))


class Worker:
    """A process that has a PDF open. `outside_because` says why it is in no sandbox, where it is in none."""

    def __init__(self, file: OpenFile, *, careful: bool = False) -> None:
        limits = file.limits
        self._child = acquire_worker(reader(limits))
        self.begin(file)
        self.careful = careful
        self.styles: list[RawStyle] = []
        self.pages_read = 0
        try:
            password = file.password
            self._child.send(
                (password is not None, careful), os.fsencode(file.path), (password or "").encode()
            )
            kind, value, self.outside_because = self._child.receive(_opened, file.seconds_left())
        except BaseException:
            self.kill()
            raise
        if kind == REFUSED:
            release_worker(self._child)
            raise CannotOpen(value)
        self.page_count: int = value

    def begin(self, file: OpenFile) -> None:
        """Lays what is worked from now on to this account of the file."""
        self._file = file
        self._worked_before = self._child.cpu_seconds

    def outline(self) -> list[RawEntry]:
        """The document's outline."""
        self._child.send("outline")
        return self._child.receive(_outline, self._file.seconds_left())

    def pages(self, indices: Sequence[int]) -> Iterator[tuple[int, RawPage | str]]:
        """Each page as it comes, or why there is none."""
        self._child.send(list(indices))
        for index in indices:
            page = self._child.receive(self._page, self._file.seconds_left())
            self.pages_read += 1
            self._account()
            yield index, page if page is not None else "cannot be loaded"

    def _account(self) -> None:
        """Tells the file's account what was worked by now."""
        self._file.worked[self] = max(0.0, self._child.cpu_seconds - self._worked_before)

    def _page(self, message: Message) -> RawPage | None:
        """The page in a message, None where there is one that cannot be loaded."""
        (kind, value, new_styles), parts = message
        self.styles += styles_from(new_styles)
        if kind not in (PAGE, UNLOADABLE):
            raise InvalidMessage("no page")
        return page_from(value, parts, len(self.styles)) if kind == PAGE else None

    def release(self) -> None:
        """Closes the document; only for a worker that has answered all that it was asked."""
        try:
            self._child.send(None)
            self._child.receive(_closed)
            release_worker(self._child)
        except WorkerLost:
            self.kill()

    def kill(self) -> None:
        """Ends the process."""
        self._child.close()
        self._account()


def _opened(message: Message) -> tuple[int, int, str | None]:
    """That the file is open, with its pages, or that it is refused, with PDFium's reason."""
    (kind, number, outside_because), _ = message
    if kind not in (OPENED, REFUSED) or type(number) is not int or number < 0:
        raise InvalidMessage("neither open nor refused")
    if not isinstance(outside_because, str | None):
        raise InvalidMessage("neither inside nor outside")
    return kind, number, outside_because


def _outline(message: Message) -> list[RawEntry]:
    (kind, entries), _ = message
    if kind != OUTLINE:
        raise InvalidMessage("no outline")
    return entries_from(entries)


def _closed(message: Message) -> None:
    if message != ([CLOSED], ()):
        raise InvalidMessage("still open")


def read_pages(file: OpenFile, first: Worker, indices: Sequence[int]) -> Iterator[PageResult]:
    """All the pages asked for, in order; those that no worker survives come as a reason. Ends `first`."""
    worker: Worker | None = first
    left = deque(indices)
    lost = 0
    try:
        while left and lost < MOST_LOST_PAGES and file.has_time():
            try:
                if worker is None:
                    worker = Worker(file, careful=True)
                for index, page in worker.pages(tuple(left)):
                    left.popleft()
                    yield index, page, worker.styles
            except WorkerLost as loss:
                if _is_to_blame(worker, loss, len(left)) and file.has_time():
                    lost += 1
                    yield left.popleft(), reason_of(loss, file.limits), []
                if worker is not None:
                    worker.kill()
                worker = None
        if worker is not None and not left:
            worker.release()
            worker = None
        for index in left:
            yield index, file.given_up_because(), []
    finally:
        if worker is not None:
            worker.kill()


def _is_to_blame(worker: Worker | None, loss: WorkerLost, left: int) -> bool:
    """Whether the next page is what a worker was lost on, and not one before, or what it had read by then."""
    if worker is None:  # lost over opening the file again: each try costs a page, so that they end
        return True
    took_its_limit = isinstance(loss, WorkerTimeout)
    if worker.careful:
        return took_its_limit or worker.pages_read == 0
    return took_its_limit and left == 1


def reason_of(loss: WorkerLost, limits: Limits) -> str:
    """Why something was not read, with the limit where it was one."""
    if isinstance(loss, WorkerTimeout) and loss.idle:
        return f"{loss}, where {limits.page_seconds:g} s of work are the limit for a page"
    if isinstance(loss, WorkerTimeout):
        return f"takes longer than {limits.page_seconds:g} s, the limit for a page"
    if isinstance(loss, MaybeOutOfMemory):
        return f"crashes the PDF library, or {loss}, the limit for a reader"
    if isinstance(loss, WorkerOutOfMemory):
        return f"{loss}, the limit for a reader"
    return "crashes the PDF library"
