"""What a worker process runs: it opens PDFs and answers for pages and outlines until its parent is gone.

Imports are few, and none of them is the standard library's heavy ones: a worker must start fast.
"""

from __future__ import annotations

import gc
from time import monotonic

from held.reading.bookmarks import read_outline
from held.reading.form_fields import form_of
from held.reading.raw import (
    CLOSED,
    OPENED,
    OUTLINE,
    PAGE,
    REFUSED,
    UNLOADABLE,
    CannotLoadPage,
    CannotOpen,
)
from held.reading.raw_pages import open_document, page_count, read_raw_page
from held.reading.wire import page_parts

TYPE_CHECKING = False
if TYPE_CHECKING:  # `typing` itself takes time to import
    from held.reading.pdfium import Handle
    from held.reading.raw import StyleTable
    from held.system.worker_main import Connection

SECONDS_BETWEEN_FLUSHES = 0.2  # waking the reader for every page costs more than telling it late


def serve(line: Connection) -> None:
    """Opens what it is told and answers what it is asked, file after file."""
    gc.disable()  # all that is made here is plain data without cycles
    while True:
        (has_password, careful), (path, password) = line.receive()
        try:
            key = password if has_password else None
            with open_document(path, key) as document, form_of(document) as form:
                line.send((OPENED, page_count(document), line.sandbox_failure))
                _answer(line, document, form, careful)
            line.send((CLOSED,))
        except CannotOpen as refusal:
            line.send((REFUSED, refusal.code, line.sandbox_failure))


def _answer(line: Connection, document: Handle, form: Handle | None, careful: bool) -> None:
    """Answers requests for pages (a list) and for the outline (a word) until None comes.

    `careful` sends each page at once, so that whoever waits knows which page was the last.
    """
    styles: StyleTable = {}
    sent = 0
    while True:
        request, _ = line.receive()
        if request is None:
            return
        if request == "outline":
            line.send((OUTLINE, read_outline(document)), flush=False)
            continue
        flushed = monotonic()
        for index in request:
            now = monotonic()
            due = careful or now - flushed > SECONDS_BETWEEN_FLUSHES
            flushed = now if due else flushed
            try:
                value, parts = page_parts(read_raw_page(document, form, index, styles))
            except CannotLoadPage:
                line.send((UNLOADABLE, None, ()), flush=due)
                continue
            new_styles = list(styles)[sent:] if len(styles) > sent else ()
            sent = len(styles)
            line.send((PAGE, value, new_styles), *parts, flush=due)
