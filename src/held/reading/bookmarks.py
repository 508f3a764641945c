"""A PDF's outline: its bookmarks in order, with level and destination.

Outlines come broken: entries that are their own descendants, thousands deep, or without a destination.
What can be read is read, and nothing is visited twice.
"""

from __future__ import annotations

from ctypes import byref, c_ulong

from held.reading.pdfium import Floats4, Handle, library, utf16_text
from held.reading.raw import RawEntry

# level from 1, title, page from 0 or -1, x and y of the destination in PDF space, None where it has none

MOST_ENTRIES = 100_000
GO_TO = 1
X_AT = {1: 0, 4: 0, 8: 0}  # view: which of its numbers is x (XYZ, FitV, FitBV)
Y_AT = {1: 1, 3: 0, 5: 3, 7: 0}  # and which is y, the top (XYZ, FitH, FitR, FitBH)


def read_outline(document: Handle) -> list[RawEntry]:
    """The entries in reading order."""
    entries: list[RawEntry] = []
    seen: set[Handle] = set()
    waiting = [(library.FPDFBookmark_GetFirstChild(document, None), 1)]
    while waiting and len(entries) < MOST_ENTRIES:
        bookmark, level = waiting.pop()
        if bookmark is None or bookmark in seen:
            continue
        seen.add(bookmark)
        entries.append((level, _title(bookmark), *_destination(document, bookmark)))
        waiting.append((library.FPDFBookmark_GetNextSibling(document, bookmark), level))
        waiting.append((library.FPDFBookmark_GetFirstChild(document, bookmark), level + 1))
    return entries


def _title(bookmark: Handle) -> str:
    title = utf16_text(lambda buffer, size: library.FPDFBookmark_GetTitle(bookmark, buffer, size))
    return title.replace("\x00", " ").strip()


def _destination(document: Handle, bookmark: Handle) -> tuple[int, float | None, float | None]:
    """The page that a bookmark leads to, and the place on it."""
    destination = library.FPDFBookmark_GetDest(document, bookmark)
    if not destination:
        action = library.FPDFBookmark_GetAction(bookmark)
        if action and library.FPDFAction_GetType(action) == GO_TO:
            destination = library.FPDFAction_GetDest(document, action)
    if not destination:
        return -1, None, None
    page = library.FPDFDest_GetDestPageIndex(document, destination)
    count, numbers = c_ulong(), Floats4()
    view = library.FPDFDest_GetView(destination, byref(count), byref(numbers))
    given = dict(enumerate(numbers[: count.value]))
    return page, given.get(X_AT.get(view, -1)), given.get(Y_AT.get(view, -1))
