"""Bookmarks written by a process in the sandbox: qpdf opens the whole file, and that may be a hostile one."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from held.document import Note
from held.errors import HeldError
from held.exports import bookmarks
from held.exports.bookmarks import Bookmark
from held.system.limits import limits
from held.system.processes.child import Line
from held.system.processes.pool import Answer
from held.system.processes.private_folder import answer_shut_in, ask_shut_in

SERVE = "held.exports.bookmarking:serve"


def bookmarked(
    pdf: Path, entries: Iterable[Bookmark], *, password: str | None = None, keep: bool = False
) -> tuple[bytes, tuple[Note, ...]]:
    """The PDF with these bookmarks, and what else that changes: see `bookmarks.bookmarked` and `cautions`."""
    request = {
        "pdf": os.path.abspath(pdf),
        "entries": list(entries),
        "password": password,
        "keep": keep,
    }
    doing, seconds = "writing its bookmarks", limits().file_seconds
    answer = ask_shut_in(SERVE, request, seconds=seconds, doing=doing, file=pdf)
    match answer:
        case Answer([*cautions], (content,)):
            return content, tuple(Note(None, str(caution)) for caution in cautions)
    raise HeldError("the answer of the process that writes bookmarks makes no sense", file=pdf)


def serve(line: Line) -> None:
    """Writes the bookmarks that it is asked for."""
    answer_shut_in(line, _answer)


def _answer(request: Any) -> Answer:
    pdf, password = Path(request["pdf"]), request["password"]
    entries = [Bookmark(*entry) for entry in request["entries"]]
    content = bookmarks.bookmarked(pdf, entries, password=password, keep=request["keep"])
    cautions = bookmarks.cautions(pdf, password=password)
    return Answer([note.message for note in cautions], (content,))
