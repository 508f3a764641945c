"""Reading in processes of their own, so that a file that crashes or hangs PDFium costs one page, not the run.

A worker runs `held.pdf.reader.serve`: it opens the file once and sends page after page. When it dies, or
takes too long over a page, a fresh one goes on, which sends every page at once, so that the page that it
dies on is the first that does not come. If a fresh worker dies on its first page, that page is given up.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Iterator, Sequence

from held.pdf.reader.bookmarks import RawEntry
from held.pdf.reader.rawpages import CannotOpen, RawPage
from held.pdf.reader.runs import RawStyle
from held.pdf.reader.serve import CLOSED, OPENED, OUTLINE, PAGE, REFUSED, UNLOADABLE
from held.pdf.reader.wire import entries_from, page_from, styles_from
from held.processes.messages import Garbled, Message
from held.processes.parent import Lost, Program, borrowed, give_back

PAGE_SECONDS = 60.0
MOST_LOST_PAGES = 30  # of one worker's share: then the rest is given up, as each costs a process or a minute
SERVE = "held.pdf.reader.serve:serve"

# an index with its page, or why there is none; the styles that the worker has met so far
PageResult = tuple[int, RawPage | str, list[RawStyle]]


class Worker:
    """A process that has a PDF open."""

    def __init__(self, path: str, password: str | None, *, careful: bool = False) -> None:
        self._child = borrowed(Program(SERVE, silence=PAGE_SECONDS))
        self.careful = careful
        self.styles: list[RawStyle] = []
        self.pages_read = 0
        try:
            self._child.send((password is not None, careful), os.fsencode(path), (password or "").encode())
            kind, value = self._child.receive(_opened)
        except BaseException:
            self.kill()
            raise
        if kind == REFUSED:
            give_back(self._child)
            raise CannotOpen(value)
        self.page_count: int = value

    def outline(self) -> list[RawEntry]:
        """The document's outline."""
        self._child.send("outline")
        return self._child.receive(_outline)

    def pages(self, indices: Sequence[int]) -> Iterator[tuple[int, RawPage | str]]:
        """Each page as it comes, or why there is none."""
        self._child.send(list(indices))
        for index in indices:
            page = self._child.receive(self._page)
            self.pages_read += 1
            yield index, page if page is not None else "cannot be loaded"

    def _page(self, message: Message) -> RawPage | None:
        """The page in a message, None where there is one that cannot be loaded."""
        (kind, value, new_styles), parts = message
        self.styles += styles_from(new_styles)
        if kind not in (PAGE, UNLOADABLE):
            raise Garbled("no page")
        return page_from(value, parts, len(self.styles)) if kind == PAGE else None

    def release(self) -> None:
        """Closes the document; only for a worker that has answered all that it was asked."""
        try:
            self._child.send(None)
            self._child.receive(_closed)
            give_back(self._child)
        except Lost:
            self.kill()

    def kill(self) -> None:
        """Ends the process."""
        self._child.end()


def _opened(message: Message) -> tuple[int, int]:
    """That the file is open, with its pages, or that it is refused, with PDFium's reason."""
    (kind, number), _ = message
    if kind not in (OPENED, REFUSED) or type(number) is not int or number < 0:
        raise Garbled("neither open nor refused")
    return kind, number


def _outline(message: Message) -> list[RawEntry]:
    (kind, entries), _ = message
    if kind != OUTLINE:
        raise Garbled("no outline")
    return entries_from(entries)


def _closed(message: Message) -> None:
    if message != ([CLOSED], ()):
        raise Garbled("still open")


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
            except Lost:
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
