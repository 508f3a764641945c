"""Slices: pieces of a known height that the pagination puts one below the other.

A slice knows which objects it shows, so that the truth about the pages falls out of placing it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from samples.blocks import Rows
from samples.canvas import Canvas
from samples.lines import Line, Span, TextStyle, break_lines, text_width
from samples.sheet import Sheet

Draw = Callable[[Canvas, float, float], None]


@dataclass
class Record:
    """What is true of an object: `pages` fills up as its slices are placed."""

    kind: str
    text: str
    level: int = 0
    rows: Rows = ()
    run_in: bool = False
    pages: list[int] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Note:
    """A footnote: its object and its lines."""

    record: int
    lines: tuple[Line, ...]


@dataclass(frozen=True, slots=True)
class Slice:
    """What stays in one piece: `keep` binds it to the next, `header` is repeated above it on a new page."""

    height: float
    draw: Draw
    records: tuple[int, ...] = ()
    before: float = 0.0
    keep: bool = False
    notes: tuple[Note, ...] = ()
    header: Slice | None = None
    new_page: bool = False


@dataclass
class Book:
    """A report in the making: its sheet, its objects, the footnotes so far."""

    sheet: Sheet
    records: list[Record] = field(default_factory=list)
    notes: int = 0

    def record(self, kind: str, text: str, *, level: int = 0, rows: Rows = (), run_in: bool = False) -> int:
        """The number of a new object."""
        self.records.append(Record(kind, text, level, rows, run_in))
        return len(self.records) - 1


def draw_line(canvas: Canvas, line: Line, x: float, y: float, *, leading: float, size: float) -> None:
    """Draw a line in a strip of height `leading` whose top is at y."""
    canvas.faces |= line.faces
    canvas.text(x, y + leading / 2 + size * 0.34, line.body)


def draw_label(canvas: Canvas, text: str, style: TextStyle, x: float, baseline: float) -> float:
    """The width of a short text that is set from x on."""
    for line in break_lines([Span(text, style)], 10_000, flush=False):
        canvas.faces |= line.faces
        canvas.text(x, baseline, line.body)
    return text_width(text, style)


def set_caption(book: Book, caption: str, width: float, *, before: float, after: float, keep: bool) -> Slice:
    """A caption in one slice."""
    record = book.record("caption", caption)
    style, leading = book.sheet.caption, book.sheet.small_leading
    lines = break_lines([Span(caption, style)], width, flush=False)

    def draw(canvas: Canvas, x: float, y: float) -> None:
        for row, line in enumerate(lines):
            shift = (width - line.width) / 2 if book.sheet.chinese else 0.0
            draw_line(canvas, line, x + shift, y + row * leading, leading=leading, size=style.size)

    return Slice(len(lines) * leading + after, draw, (record,), before, keep)
