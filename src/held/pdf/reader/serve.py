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
from functools import partial
from time import monotonic

from held.pdf.reader.bookmarks import read_outline
from held.pdf.reader.fields import form_of
from held.pdf.reader.rawpages import CannotLoadPage, CannotOpen, open_document, page_count, read_raw_page

TYPE_CHECKING = False
if TYPE_CHECKING:  # `typing` itself takes time to import
    from collections.abc import Callable
    from typing import Any, BinaryIO

    from held.pdf.reader.pdfium import Handle
    from held.pdf.reader.runs import StyleTable

OPENED, REFUSED, OUTLINE, PAGE, UNLOADABLE, CLOSED = range(6)
BUFFER_BYTES = 1 << 18
SECONDS_BETWEEN_FLUSHES = 0.2  # waking the reader for every page costs more than telling it late
SECONDS_BETWEEN_ALARMS = 1.0  # setting the alarm starts a thread, which is too dear for every page


def serve() -> None:
    """Opens what stdin names and answers what it asks, file after file."""
    gc.disable()  # all that is made here is plain data without cycles
    requests = sys.stdin.buffer
    with (
        suppress(EOFError, BrokenPipeError),
        open(os.devnull, "w") as nowhere,
        open(sys.stdout.fileno(), "wb", buffering=BUFFER_BYTES, closefd=False) as answers,
    ):
        while True:
            path, password, page_seconds, careful = read_message(requests)
            set_alarm = partial(faulthandler.dump_traceback_later, page_seconds, exit=True, file=nowhere)
            set_alarm()
            try:
                with open_document(path, password) as document, form_of(document) as form:
                    write_message(answers, (OPENED, page_count(document)))
                    _answer(requests, answers, document, form, set_alarm, careful)
                write_message(answers, (CLOSED,))
            except CannotOpen as refusal:
                write_message(answers, (REFUSED, refusal.code))
            faulthandler.cancel_dump_traceback_later()


def _answer(
    requests: BinaryIO,
    answers: BinaryIO,
    document: Handle,
    form: Handle | None,
    set_alarm: Callable[[], object],
    careful: bool,
) -> None:
    """Answers requests for pages (a list) and for the outline (a word) until None comes.

    `careful` sends each page at once, so that whoever waits knows which page was the last.
    """
    styles: StyleTable = {}
    sent = 0
    while True:
        answers.flush()
        faulthandler.cancel_dump_traceback_later()
        request = read_message(requests)
        set_alarm()
        flushed = alarmed = monotonic()
        if request is None:
            return
        if request == "outline":
            write_message(answers, (OUTLINE, read_outline(document)), flush=False)
            continue
        for index in request:
            now = monotonic()
            if now - alarmed > SECONDS_BETWEEN_ALARMS:
                set_alarm()
                alarmed = now
            kind, page = PAGE, None
            try:
                page = read_raw_page(document, form, index, styles)
            except CannotLoadPage:
                kind = UNLOADABLE
            due = careful or now - flushed > SECONDS_BETWEEN_FLUSHES
            new_styles = list(styles)[sent:] if len(styles) > sent else []
            write_message(answers, (kind, page, new_styles), flush=due)
            flushed = now if due else flushed
            sent = len(styles)


def write_message(stream: Any, message: Any, *, flush: bool = True) -> None:
    """Sends plain data down a pipe."""
    data = marshal.dumps(message)
    stream.write(len(data).to_bytes(4, "little") + data)
    if flush:
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
