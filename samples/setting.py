"""Blocks to slices: pieces of a known height that the pagination puts one below the other.

A slice knows which objects it shows, so that the truth about the pages falls out of setting them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace

from samples.blocks import Block, Figure, Heading, Rows, Table, Text, inlines
from samples.canvas import Canvas
from samples.figures import draw_figure, figure_height, figure_text
from samples.lines import Line, Span, TextStyle, break_lines, text_width
from samples.sheet import HeadingStyle, Sheet

Draw = Callable[[Canvas, float, float], None]

_NUMBER = re.compile(r"(\d+(?:\.\d+)*|\([a-z]+\)) (.+)")


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


def set_blocks(book: Book, blocks: Iterable[Block], width: float, *, small: bool = False) -> list[Slice]:
    """The slices of blocks that stand in a column."""
    slices: list[Slice] = []
    for block in blocks:
        if isinstance(block, Heading):
            slices += set_heading(book, block, width)
        elif isinstance(block, Text):
            slices += set_text(book, block, width, small=small)
        elif isinstance(block, Table):
            slices += set_table(book, block, width)
        elif isinstance(block, Figure):
            slices += set_figure(book, block, width)
        else:
            raise TypeError(f"{type(block).__name__} cannot stand in a column")
    return slices


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


def set_heading(book: Book, heading: Heading, width: float) -> list[Slice]:
    """A heading as one slice that stays with what follows, or run into its paragraph."""
    form = book.sheet.front if heading.front else book.sheet.headings[heading.level]
    record = book.record("heading", heading.text, level=heading.level, run_in=bool(heading.run_in))
    if heading.run_in:
        return _run_in(book, heading, record, form, width)
    number, title = _split_number(heading.title) if form.tab else ("", heading.title)
    tab = max(form.tab, text_width(number, form.style) + 7) if number else 0.0
    lines = break_lines([Span(title, form.style)], width - form.indent - tab, flush=False)
    label = break_lines([Span(heading.label, book.sheet.label)], width) if heading.label else []
    label_height = 30.0 if label else 0.0

    def draw(canvas: Canvas, x: float, y: float) -> None:
        for line in label:
            draw_line(canvas, line, x, y, leading=22, size=book.sheet.label.size)
            canvas.rectangle(x, y - 14, 56, 4, fill=book.sheet.accent)
        top = y + label_height
        if number:
            mark = break_lines([Span(number, form.style)], width)[0]
            draw_line(canvas, mark, x + form.indent, top, leading=form.leading, size=form.style.size)
        for row, line in enumerate(lines):
            shift = (width - line.width) / 2 if form.centred else form.indent + tab
            draw_line(
                canvas, line, x + shift, top + row * form.leading, leading=form.leading, size=form.style.size
            )

    height = label_height + len(lines) * form.leading + form.after
    return [Slice(height, draw, (record,), form.before, keep=True, new_page=form.new_page)]


def _split_number(title: str) -> tuple[str, str]:
    match = _NUMBER.fullmatch(title)
    return (match[1], match[2]) if match else ("", title)


def _run_in(book: Book, heading: Heading, record: int, form: HeadingStyle, width: float) -> list[Slice]:
    start = [Span(heading.title if book.sheet.chinese else heading.title + " ", book.sheet.bold)]
    spans, text, notes = _spans(book, heading.run_in, book.sheet.body)
    paragraph = book.record("paragraph", text)
    lines = break_lines(start + spans, width, indent=form.indent)
    slices = _line_slices(book, lines, paragraph, indent=form.indent, notes=notes)
    return [replace(slices[0], records=(record, paragraph)), *slices[1:]]


def _spans(book: Book, text: str, base: TextStyle) -> tuple[list[Span], str, dict[str, Note]]:
    """The styled stretches of a paragraph, its text as printed, and its footnotes by mark."""
    sheet = book.sheet
    styles = {"plain": base, "bold": sheet.bold, "italic": sheet.italic}
    if base is sheet.small:
        styles |= {"bold": sheet.small_bold, "italic": base}
    spans: list[Span] = []
    notes: dict[str, Note] = {}
    for inline in inlines(text):
        if inline.kind == "note":
            book.notes += 1
            mark = str(book.notes)
            notes[mark] = _note(book, mark, inline.text)
            spans.append(Span(mark, sheet.mark))
        else:
            spans.append(Span(inline.text, styles[inline.kind]))
    return spans, "".join(span.text for span in spans), notes


def _note(book: Book, mark: str, text: str) -> Note:
    small, raised = book.sheet.small, replace(book.sheet.mark, size=6, rise=2.6)
    spans = [Span(mark, raised), Span(" " + text, small)]
    return Note(book.record("footnote", f"{mark} {text}"), tuple(break_lines(spans, 451)))


def set_text(book: Book, block: Text, width: float, *, small: bool = False) -> list[Slice]:
    """The lines of a paragraph, list item, displayed line or formula."""
    sheet = book.sheet
    base = sheet.small if small else sheet.italic if block.role in ("display", "formula") else sheet.body
    spans, text, notes = _spans(book, block.text, base)
    if block.role == "body":
        record = book.record("paragraph", text)
        indent = 0.0 if small else sheet.first_indent
        lines = break_lines(spans, width, indent=indent)
        return _line_slices(book, lines, record, indent=indent, notes=notes, small=small)
    if block.role == "item":
        return _set_item(book, block, spans, text, notes, width, small=small)
    record = book.record("formula" if block.role == "formula" else "paragraph", text)
    inset = 0.0 if block.role == "right" else 28.0
    lines = break_lines(spans, width - 2 * inset, flush=False)
    place = {"display": 0.0, "formula": 0.5, "right": 1.0}[block.role]
    gap = 1.0 if block.role == "right" else sheet.paragraph_gap + 4
    return [
        _line_slice(
            book, line, (record,), inset + (width - 2 * inset - line.width) * place, before=gap * (not i)
        )
        for i, line in enumerate(lines)
    ]


def _set_item(
    book: Book,
    block: Text,
    spans: list[Span],
    text: str,
    notes: dict[str, Note],
    width: float,
    *,
    small: bool,
) -> list[Slice]:
    base = book.sheet.small if small else book.sheet.body
    space = "" if book.sheet.chinese and block.marker != "•" else " "
    record = book.record("list_item", block.marker + space + text)
    if not space:
        indent = book.sheet.first_indent
        lines = break_lines([Span(block.marker, base), *spans], width, indent=indent)
        return _line_slices(book, lines, record, indent=indent, notes=notes, small=small)
    hang = 12.0 if small else 16.0 if block.marker == "•" else 24.0
    lines = break_lines(spans, width - hang)
    marker = break_lines([Span(block.marker, base)], hang, flush=False)[0]
    slices = _line_slices(book, lines, record, indent=hang, rest=hang, notes=notes, small=small)
    first = slices[0].draw
    leading = book.sheet.small_leading if small else book.sheet.leading

    def draw(canvas: Canvas, x: float, y: float) -> None:
        draw_line(
            canvas,
            marker,
            x + (hang - 12.0 if block.marker == "•" else 2.0),
            y,
            leading=leading,
            size=base.size,
        )
        first(canvas, x, y)

    return [replace(slices[0], draw=draw, before=3.0), *slices[1:]]


def _line_slices(
    book: Book,
    lines: Sequence[Line],
    record: int,
    *,
    indent: float = 0.0,
    rest: float = 0.0,
    notes: dict[str, Note] | None = None,
    small: bool = False,
) -> list[Slice]:
    """The lines of a paragraph; in English no page ends after its first line or before its last."""
    slices = []
    held_together = () if book.sheet.chinese or len(lines) == 1 else (0, len(lines) - 2)
    for number, line in enumerate(lines):
        keep = number in held_together
        before = 0.0 if number else book.sheet.paragraph_gap
        found = tuple(notes[mark] for mark in line.raised) if notes else ()
        shift = rest if number else indent
        slices.append(
            _line_slice(book, line, (record,), shift, before=before, keep=keep, notes=found, small=small)
        )
    return slices


def _line_slice(
    book: Book,
    line: Line,
    records: tuple[int, ...],
    shift: float,
    *,
    before: float = 0.0,
    keep: bool = False,
    notes: tuple[Note, ...] = (),
    small: bool = False,
) -> Slice:
    style = book.sheet.small if small else book.sheet.body
    leading = book.sheet.small_leading if small else book.sheet.leading

    def draw(canvas: Canvas, x: float, y: float) -> None:
        draw_line(canvas, line, x + shift, y, leading=leading, size=style.size)

    return Slice(leading, draw, records, before, keep, notes)


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


def set_figure(book: Book, figure: Figure, width: float) -> list[Slice]:
    """A figure with its caption below."""
    record = book.record("figure", figure_text(figure))
    height = figure_height(figure)

    def draw(canvas: Canvas, x: float, y: float) -> None:
        draw_figure(canvas, figure, book.sheet, x, y, width)

    shown = Slice(height, draw, (record,), 10.0, keep=True)
    return [shown, set_caption(book, figure.caption, width, before=6.0, after=8.0, keep=False)]


@dataclass(frozen=True, slots=True)
class _Row:
    cells: tuple[tuple[Line, ...], ...]
    height: float
    bold: bool
    head: bool
    last: bool


def set_table(book: Book, table: Table, width: float) -> list[Slice]:
    """A table row by row, its caption above; the header row is repeated where it goes on over the page."""
    slices: list[Slice] = []
    if table.caption:
        slices.append(set_caption(book, table.caption, width, before=10.0, after=2.0, keep=True))
    record = book.record("table", "\n".join("\t".join(row) for row in table.rows), rows=table.rows)
    total = sum(weight for _, weight in table.columns)
    widths = [weight / total * width for _, weight in table.columns]
    rows = [_set_row(book, table, number, widths) for number in range(len(table.rows))]
    header = _row_slice(book, table, rows[0], widths, record, keep=True, before=0.0 if slices else 8.0)
    slices.append(header)
    for number, row in enumerate(rows[1:], start=1):
        keep = number in (1, len(rows) - 2) and len(rows) > 2
        part = _row_slice(book, table, row, widths, record, keep=keep)
        slices.append(replace(part, header=replace(header, before=0.0) if number > 1 else None))
    slices.append(Slice(8.0, lambda canvas, x, y: None))
    return slices


def _set_row(book: Book, table: Table, number: int, widths: Sequence[float]) -> _Row:
    bold = number == 0 or number in table.bold
    style = book.sheet.small_bold if bold else book.sheet.small
    cells = tuple(
        tuple(break_lines([Span(cell, style)], width - 8, flush=False))
        for cell, width in zip(table.rows[number], widths, strict=True)
    )
    height = max(map(len, cells)) * book.sheet.small_leading + (7.0 if table.style == "ruled" else 4.6)
    return _Row(cells, height, bold, number == 0, number == len(table.rows) - 1)


def _row_slice(
    book: Book,
    table: Table,
    row: _Row,
    widths: Sequence[float],
    record: int,
    *,
    keep: bool,
    before: float = 0.0,
) -> Slice:
    sheet = book.sheet
    leading = sheet.small_leading

    def draw(canvas: Canvas, x: float, y: float) -> None:
        _draw_row_rules(canvas, sheet, table.style, row, widths, x, y)
        left = x
        for lines, (align, _), width in zip(row.cells, table.columns, widths, strict=True):
            top = y + (row.height - len(lines) * leading) / 2
            for line in lines:
                free = width - 8 - line.width
                shift = 4 + {"l": 0.0, "c": free / 2, "r": free}[align]
                draw_line(canvas, line, left + shift, top, leading=leading, size=sheet.small.size)
                top += leading
            left += width

    return Slice(row.height, draw, (record,), before, keep)


def _draw_row_rules(
    canvas: Canvas, sheet: Sheet, style: str, row: _Row, widths: Sequence[float], x: float, y: float
) -> None:
    total = sum(widths)
    if style == "ruled":
        if row.head:
            canvas.rectangle(x, y, total, row.height, fill=sheet.tint)
        edges = [x + sum(widths[:i]) for i in range(len(widths) + 1)]
        for edge in edges:
            canvas.rectangle(edge - 0.25, y, 0.5, row.height, fill="4a4a4a")
        canvas.rectangle(x, y - 0.25, total, 0.5, fill="4a4a4a")
        canvas.rectangle(x, y + row.height - 0.25, total, 0.5, fill="4a4a4a")
    elif style == "lined":
        bottom = y + row.height
        if row.head:
            canvas.path([(x, y), (x + total, y)], colour=sheet.accent, weight=1.0)
        if row.head or row.last:
            canvas.path(
                [(x, bottom), (x + total, bottom)], colour=sheet.accent, weight=1.0 if row.last else 0.6
            )
        elif row.bold:
            canvas.path([(x, y), (x + total, y)], colour="9aa5a8", weight=0.4)
