"""Reading in processes of their own, so that a file that crashes or hangs PDFium costs one page, not the run.

A worker is a bare interpreter that runs `held.pdf.reader.serve`: it opens the file once and sends page after
page. When it dies, a fresh one goes on, which sends every page at once, so that the page that it dies on
is the first that does not come. If a fresh worker dies on its first page, that page is given up. Workers
end themselves when a page takes too long. They are plain subprocesses, not `multiprocessing`, which needs
a guarded main module in the caller's code. One worker that did its work well is kept for the next file, as
starting one costs as much CPU time as reading ten pages.
"""

from __future__ import annotations

import atexit
import os
import subprocess
import sys
from collections import deque
from collections.abc import Iterator, Sequence
from typing import Any

from held.pdf.reader.bookmarks import RawEntry
from held.pdf.reader.rawpages import CannotOpen, RawPage
from held.pdf.reader.runs import RawStyle
from held.pdf.reader.serve import PAGE, REFUSED, read_message, write_message

PAGE_SECONDS = 60.0
MOST_LOST_PAGES = 30  # of one worker's share: then the rest is given up, as each costs a process or a minute
# Without `site`, which is dear: the places to import from are given.
COMMAND = [sys.executable, "-S", "-c", "from held.pdf.reader.serve import serve; serve()"]

# an index with its page, or why there is none; the styles that the worker has met so far
PageResult = tuple[int, RawPage | str, list[RawStyle]]

_idle: list[subprocess.Popen[bytes]] = []
if hasattr(os, "register_at_fork"):  # two processes cannot share one worker
    os.register_at_fork(after_in_child=_idle.clear)


class Crashed(Exception):
    """A worker died, or ended itself because a page took too long."""


class Worker:
    """A process that has a PDF open."""

    def __init__(self, path: str, password: str | None, *, careful: bool = False) -> None:
        self._process = _idle.pop() if _idle else _start()
        self.careful = careful
        self.styles: list[RawStyle] = []
        self.pages_read = 0
        try:
            encoded = password.encode() if password else None
            self._send((os.fsencode(path), encoded, PAGE_SECONDS, careful))
            kind, value = self._receive()
        except BaseException:
            self.kill()
            raise
        if kind == REFUSED:
            self._keep()
            raise CannotOpen(value)
        self.page_count: int = value

    def outline(self) -> list[RawEntry]:
        """The document's outline."""
        self._send("outline")
        entries: list[RawEntry] = self._receive()[1]
        return entries

    def pages(self, indices: Sequence[int]) -> Iterator[tuple[int, RawPage | str]]:
        """Each page as it comes, or why there is none."""
        self._send(list(indices))
        for index in indices:
            kind, value, new_styles = self._receive()
            self.styles += new_styles
            self.pages_read += 1
            yield index, value if kind == PAGE else "cannot be loaded"

    def release(self) -> None:
        """Closes the document; only for a worker that has answered all that it was asked."""
        try:
            self._send(None)
            self._receive()
            self._keep()
        except Crashed:
            self.kill()

    def kill(self) -> None:
        """Ends the process."""
        self._process.kill()
        self._process.communicate()

    def _keep(self) -> None:
        if _idle:
            self.kill()
        else:
            _idle.append(self._process)

    def _send(self, message: Any) -> None:
        try:
            write_message(self._process.stdin, message)
        except OSError:
            raise Crashed from None

    def _receive(self) -> Any:
        try:
            return read_message(self._process.stdout)
        except EOFError:
            raise Crashed from None


@atexit.register
def end_idle_worker() -> None:
    """Ends the process that waits for the next file."""
    while _idle:
        process = _idle.pop()
        process.kill()
        process.communicate()


def _start() -> subprocess.Popen[bytes]:
    """A fresh worker process; it ends by itself when this process does."""
    return subprocess.Popen(
        COMMAND,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
    )


def read_pages(
    path: str, password: str | None, first: Worker, indices: Sequence[int]
) -> Iterator[PageResult]:
    """All the pages asked for, in order; those that no worker survives come as a reason. Ends `first`."""
    worker: Worker | None = first
    left = deque(indices)
    lost = 0
    try:
        while left and lost < MOST_LOST_PAGES:
            if worker is None:
                worker = Worker(path, password, careful=True)
            try:
                for index, page in worker.pages(tuple(left)):
                    left.popleft()
                    yield index, page, worker.styles
            except Crashed:
                worker.kill()
                if worker.careful and worker.pages_read == 0:
                    lost += 1
                    yield left.popleft(), "crashes or stalls the PDF library", []
                worker = None
        if worker is not None and not left:
            worker.release()
            worker = None
        for index in left:
            yield index, "given up, as too many pages crash the PDF library", []
    finally:
        if worker is not None:
            worker.kill()
