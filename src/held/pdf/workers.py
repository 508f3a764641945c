"""Reading in processes of their own, so that a file that crashes or hangs PDFium costs one page, not the run.

A worker is a bare interpreter that runs `serve`: it opens the file once and sends page after page, so when
it dies, the page it died on is the first that did not come. That page is tried again at the start of a
fresh worker; if that dies too, the page is given up. Workers end themselves when a page takes too long.
Plain subprocesses are used, not `multiprocessing`: they need no guarded main module in the caller's code.
"""

from __future__ import annotations

import faulthandler
import gc
import marshal
import os
import struct
import subprocess
import sys
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import suppress
from time import monotonic
from typing import Any, BinaryIO

from held.pdf.bookmarks import RawEntry, read_outline
from held.pdf.fields import form_of
from held.pdf.pdfium import Handle
from held.pdf.rawpages import (
    CannotLoadPage,
    CannotOpen,
    RawPage,
    open_document,
    page_count,
    read_raw_page,
)
from held.pdf.runs import RawStyle, StyleTable

PAGE_SECONDS = 60.0
MOST_LOST_PAGES = 30  # of one worker's share: then the rest is given up, as each costs a process or a minute
COMMAND = [sys.executable, "-c", "from held.pdf.workers import serve; serve()"]

OPENED, REFUSED, OUTLINE, PAGE, UNLOADABLE, DONE = range(6)
# an index with its page, or why there is none; the styles that the worker has met so far
PageResult = tuple[int, RawPage | str, list[RawStyle]]


class Crashed(Exception):
    """A worker died, or ended itself because a page took too long."""


class Worker:
    """A process that has a PDF open."""

    def __init__(self, path: str, password: str | None) -> None:
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
        self._process = subprocess.Popen(
            COMMAND,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=environment,
        )
        self.styles: list[RawStyle] = []
        self.pages_read = 0
        try:
            self._send((os.fsencode(path), password.encode() if password else None, PAGE_SECONDS))
            kind, value = self._receive()
        except BaseException:
            self.close()
            raise
        if kind == REFUSED:
            self.close()
            raise CannotOpen(value)
        self.page_count: int = value

    def outline(self) -> list[RawEntry]:
        """The document's outline."""
        self._send(None)
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

    def close(self) -> None:
        """Ends the process."""
        self._process.kill()
        self._process.communicate()

    def _send(self, message: Any) -> None:
        try:
            _write(self._process.stdin, message)
        except OSError:
            raise Crashed from None

    def _receive(self) -> Any:
        try:
            return _read(self._process.stdout)
        except EOFError:
            raise Crashed from None


def read_pages(
    path: str, password: str | None, first: Worker, indices: Sequence[int]
) -> Iterator[PageResult]:
    """All the pages asked for, in order; those that no worker survives come as a reason. Closes `first`."""
    worker: Worker | None = first
    left = deque(indices)
    lost = 0
    try:
        while left and lost < MOST_LOST_PAGES:
            if worker is None:
                worker = Worker(path, password)
            try:
                for index, page in worker.pages(tuple(left)):
                    left.popleft()
                    yield index, page, worker.styles
            except Crashed:
                worker.close()
                if worker.pages_read == 0:
                    lost += 1
                    yield left.popleft(), "crashes or stalls the PDF library", []
                worker = None
        for index in left:
            yield index, "given up, as too many pages crash the PDF library", []
    finally:
        if worker is not None:
            worker.close()


def serve() -> None:
    """The worker's side: answers what stdin asks until it closes."""
    gc.disable()  # all that is made here is plain data without cycles
    requests, answers = sys.stdin.buffer, sys.stdout.buffer
    with suppress(EOFError, BrokenPipeError), open(os.devnull, "w") as nowhere:
        path, password, page_seconds = _read(requests)
        faulthandler.dump_traceback_later(page_seconds, exit=True, file=nowhere)
        try:
            with open_document(path, password) as document, form_of(document) as form:
                _write(answers, (OPENED, page_count(document)))
                _answer(requests, answers, document, form, page_seconds, nowhere.fileno())
        except CannotOpen as refusal:
            _write(answers, (REFUSED, refusal.code))


def _answer(
    requests: BinaryIO,
    answers: BinaryIO,
    document: Handle,
    form: Handle | None,
    page_seconds: float,
    nowhere: int,
) -> None:
    """Answers requests for pages (a list) and for the outline (None)."""
    styles: StyleTable = {}
    sent = 0
    armed = 0.0
    while True:
        faulthandler.cancel_dump_traceback_later()
        request = _read(requests)
        armed = 0.0
        for index in [None] if request is None else request:
            # Arming starts a thread, which is too dear for every page.
            if monotonic() - armed > 1.0:
                faulthandler.dump_traceback_later(page_seconds, exit=True, file=nowhere)
                armed = monotonic()
            if index is None:
                _write(answers, (OUTLINE, read_outline(document)))
                continue
            try:
                kind, page = PAGE, read_raw_page(document, form, index, styles)
            except CannotLoadPage:
                kind, page = UNLOADABLE, None
            _write(answers, (kind, page, list(styles)[sent:] if len(styles) > sent else []))
            sent = len(styles)


def _write(stream: Any, message: Any) -> None:
    data = marshal.dumps(message)
    stream.write(struct.pack("<I", len(data)) + data)
    stream.flush()


def _read(stream: Any) -> Any:
    head = stream.read(4)
    if len(head) < 4:
        raise EOFError
    size = struct.unpack("<I", head)[0]
    data = stream.read(size)
    if len(data) < size:
        raise EOFError
    return marshal.loads(data)
