"""What a worker process runs: it opens PDFs and answers for pages and outlines until stdin closes.

Imports are few, and none of them is the standard library's heavy ones: a worker must start fast.
"""

from __future__ import annotations

import faulthandler
import gc
import marshal
import os
import sys
from contextlib import suppress
from time import monotonic

from held.pdf.bookmarks import read_outline
from held.pdf.fields import form_of
from held.pdf.rawpages import CannotLoadPage, CannotOpen, open_document, page_count, read_raw_page

TYPE_CHECKING = False
if TYPE_CHECKING:  # `typing` itself takes time to import
    from typing import Any, BinaryIO

    from held.pdf.pdfium import Handle
    from held.pdf.runs import StyleTable

OPENED, REFUSED, OUTLINE, PAGE, UNLOADABLE, CLOSED = range(6)


def serve() -> None:
    """Opens what stdin names and answers what it asks, file after file."""
    gc.disable()  # all that is made here is plain data without cycles
    requests, answers = sys.stdin.buffer, sys.stdout.buffer
    with suppress(EOFError, BrokenPipeError), open(os.devnull, "w") as nowhere:
        while True:
            path, password, page_seconds = read_message(requests)
            faulthandler.dump_traceback_later(page_seconds, exit=True, file=nowhere)
            try:
                with open_document(path, password) as document, form_of(document) as form:
                    write_message(answers, (OPENED, page_count(document)))
                    _answer(requests, answers, document, form, page_seconds, nowhere.fileno())
                write_message(answers, (CLOSED,))
            except CannotOpen as refusal:
                write_message(answers, (REFUSED, refusal.code))
            faulthandler.cancel_dump_traceback_later()


def _answer(
    requests: BinaryIO,
    answers: BinaryIO,
    document: Handle,
    form: Handle | None,
    page_seconds: float,
    nowhere: int,
) -> None:
    """Answers requests for pages (a list) and for the outline (a word) until None comes."""
    styles: StyleTable = {}
    sent = 0
    while True:
        faulthandler.cancel_dump_traceback_later()
        request = read_message(requests)
        faulthandler.dump_traceback_later(page_seconds, exit=True, file=nowhere)
        armed = monotonic()
        if request is None:
            return
        if request == "outline":
            write_message(answers, (OUTLINE, read_outline(document)))
            continue
        for index in request:
            # Arming the alarm starts a thread, which is too dear for every page.
            if monotonic() - armed > 1.0:
                faulthandler.dump_traceback_later(page_seconds, exit=True, file=nowhere)
                armed = monotonic()
            kind, page = PAGE, None
            try:
                page = read_raw_page(document, form, index, styles)
            except CannotLoadPage:
                kind = UNLOADABLE
            write_message(answers, (kind, page, list(styles)[sent:] if len(styles) > sent else []))
            sent = len(styles)


def write_message(stream: Any, message: Any) -> None:
    """Sends plain data down a pipe."""
    data = marshal.dumps(message)
    stream.write(len(data).to_bytes(4, "little") + data)
    stream.flush()


def read_message(stream: Any) -> Any:
    """The next message of a pipe; `EOFError` if the other side is gone."""
    size = int.from_bytes(_read_exactly(stream, 4), "little")
    return marshal.loads(_read_exactly(stream, size))


def _read_exactly(stream: Any, size: int) -> bytes:
    data: bytes = stream.read(size)
    if len(data) < size:
        raise EOFError
    return data
