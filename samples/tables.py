"""Tables to slices, one for each row: ruled with a grid, lined with a few rules, or open with none."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from samples.blocks import Table
from samples.canvas import Canvas
from samples.lines import Line, Span, break_lines
from samples.sheet import Sheet
from samples.slices import Book, Slice, draw_line, set_caption


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
