"""What a PDF is on its way from PDFium: plain tuples of numbers and text, and the reasons to refuse it.

Both sides know them, the process that reads and the one that asks, which needs no PDFium for that.
Imports are few: a worker must start fast.
"""

from __future__ import annotations

PER_POINT = 10  # raw lengths are whole tenths of a point
ABSURD = 1e6  # points: coordinates beyond are damage, not layout

RawRun = tuple[int, int, int, int, int, str]
RawStyle = tuple[str, float, str, bool, bool, int, bool]
StyleTable = dict[RawStyle, int]
RawBox = tuple[int, int, int, int]
RawEntry = tuple[int, str, int, float | None, float | None]
PageBox = tuple[float, float, float, float]  # left, bottom, right, top in PDF space
Measures = tuple[int, int, int, int, int]  # width, height, left and top in PDF space; rotation in degrees
# measures, label, runs, rules, images, fields, how many small strokes are drawn
RawPage = tuple[Measures, str, list[RawRun], list[RawBox], list[RawBox], list[RawRun], int]

LETTER: PageBox = (0.0, 0.0, 612.0, 792.0)  # for pages whose box is damaged

# Two of PDFium's reasons to refuse a file.
ERROR_PASSWORD = 4
ERROR_SECURITY = 5

# What a worker's answers begin with.
OPENED, REFUSED, OUTLINE, PAGE, UNLOADABLE, CLOSED = range(6)


class CannotOpen(Exception):
    """PDFium refuses a file; `code` is PDFium's reason."""

    def __init__(self, code: int) -> None:
        super().__init__(code)
        self.code = code


class CannotLoadPage(Exception):
    """PDFium finds no page there, or one that it cannot load."""
