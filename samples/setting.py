"""Blocks to slices: headings, paragraphs, lists and figures."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from samples.blocks import Block, Figure, Heading, Table, Text, inlines
from samples.canvas import Canvas
from samples.figures import draw_figure, figure_height, figure_text
from samples.lines import Line, Span, TextStyle, break_lines, text_width
from samples.sheet import MEASURE, HeadingStyle
from samples.slices import Book, Note, Slice, draw_line, set_caption
from samples.tables import set_table

_NUMBER = re.compile(r"(\d+(?:\.\d+)*|\([a-z]+\)) (.+)")


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
    return Note(book.record("footnote", f"{mark} {text}"), tuple(break_lines(spans, MEASURE)))


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
        return _set_item(book, block, spans, text, notes, width)
    record = book.record("formula" if block.role == "formula" else "paragraph", text)
    inset = 0.0 if block.role == "right" else 28.0
    lines = break_lines(spans, width - 2 * inset, flush=False)
    place = {"display": 0.0, "formula": 0.5, "right": 1.0}[block.role]
    gap = sheet.paragraph_gap + (0 if block.role == "right" else 4)
    return [
        _line_slice(
            book, line, (record,), inset + (width - 2 * inset - line.width) * place, before=gap * (not i)
        )
        for i, line in enumerate(lines)
    ]


def _set_item(
    book: Book, block: Text, spans: list[Span], text: str, notes: dict[str, Note], width: float
) -> list[Slice]:
    """A list item: its bullet or number hangs out at the left, but a Chinese number stands in the text."""
    sheet = book.sheet
    if sheet.chinese and block.marker:
        record = book.record("list_item", block.marker + text)
        lines = break_lines([Span(block.marker, sheet.body), *spans], width, indent=sheet.first_indent)
        return _line_slices(book, lines, record, indent=sheet.first_indent, notes=notes)
    marker = Span(block.marker, sheet.body) if block.marker else sheet.bullet
    record = book.record("list_item", f"{marker.text} {text}")
    hang = 24.0 if block.marker or sheet.chinese else 16.0
    lines = break_lines(spans, width - hang)
    mark = break_lines([marker], hang, flush=False)[0]
    first, *others = _line_slices(book, lines, record, indent=hang, rest=hang, notes=notes)

    def draw(canvas: Canvas, x: float, y: float) -> None:
        draw_line(canvas, mark, x + 3, y, leading=sheet.leading, size=sheet.body.size)
        first.draw(canvas, x, y)

    return [replace(first, draw=draw, before=3.0), *others]


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


def set_figure(book: Book, figure: Figure, width: float) -> list[Slice]:
    """A figure with its caption below."""
    record = book.record("figure", figure_text(figure))
    height = figure_height(figure)

    def draw(canvas: Canvas, x: float, y: float) -> None:
        draw_figure(canvas, figure, book.sheet, x, y, width)

    shown = Slice(height, draw, (record,), 10.0, keep=True)
    return [shown, set_caption(book, figure.caption, width, before=6.0, after=8.0, keep=False)]
