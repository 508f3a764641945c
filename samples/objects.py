"""The blocks of a report as HTML, and what is true of each object in it.

Every object is an element with an id, so that the typesetter's own boxes tell on which pages it is.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from html import escape

from samples.blocks import (
    Beside,
    Block,
    Columns,
    Directive,
    Figure,
    Heading,
    Rows,
    Table,
    Text,
    inlines,
)
from samples.figures import figure_svg, figure_text, river

_NUMBER = re.compile(r"(\d+(?:\.\d+)*|\([a-z]+\)) (.+)")
_ALIGN = {"l": "left", "c": "center", "r": "right"}


@dataclass
class Record:
    """What is true of an object; `pages` is filled in once the pages are set."""

    kind: str
    text: str
    level: int = 0
    rows: Rows = ()
    run_in: bool = False
    in_front: bool = False
    heading: Record | None = None  # that an entry of the contents lists
    pages: list[int] = field(default_factory=list)


class Book:
    """A report in the making: its objects, and the HTML that shows them."""

    def __init__(self, *, chinese: bool, contents_levels: int) -> None:
        self.chinese = chinese
        self.records: list[Record] = []
        self._contents_levels = contents_levels
        self._notes = 0
        self._in_front = True
        self._contents_at: int | None = None
        self._parts: list[str] = []

    def add(self, blocks: Iterable[Block]) -> None:
        """Sets blocks below those that are there."""
        self._parts += [self._block(block) for block in blocks]

    def html(self) -> str:
        """The whole body, the printed contents in their place."""
        contents = "".join(self._contents_entries())
        return "".join(self._parts).replace(CONTENTS, contents) + "</div>"

    # --- blocks ---

    def _block(self, block: Block) -> str:
        match block:
            case Heading():
                return self._heading(block)
            case Text():
                return self._text(block)
            case Table():
                return self._table(block)
            case Figure():
                return self._figure(block)
            case Columns():
                return f'<div class="columns">{self._blocks(block.blocks)}</div>'
            case Beside():
                main = self._blocks(block.main)
                return f'<div class="beside"><div>{main}</div><aside>{self._blocks(block.side)}</aside></div>'
            case Directive():
                return self._directive(block)

    def _blocks(self, blocks: Iterable[Block]) -> str:
        return "".join(self._block(block) for block in blocks)

    def _heading(self, heading: Heading) -> str:
        record = Record("heading", heading.text, heading.level, run_in=bool(heading.run_in))
        place = self._id(record)
        if heading.run_in:
            paragraph = Record("paragraph", "")
            second = self._id(paragraph)
            text = self._inline(heading.run_in, paragraph)
            gap = "" if self.chinese else " "
            title = f"<b {place}>{escape(heading.title)}</b>"
            return f'<p class="run-in">{title}{gap}<span {second}>{text}</span></p>'
        label = f'<span class="label">{escape(heading.label)}</span> ' if heading.label else ""
        number = _NUMBER.fullmatch(heading.title)
        title = escape(heading.title)
        if number and not self.chinese:
            title = f'<span class="number">{escape(number[1])}</span> {escape(number[2])}'
        kind = "front" if heading.front else "numbered" if number else "plain"
        return f'<h{heading.level} class="{kind}" {place}>{label}{title}</h{heading.level}>'

    def _text(self, block: Text) -> str:
        if block.role == "item":
            return self._item(block)
        record = Record("formula" if block.role == "formula" else "paragraph", "")
        place = self._id(record)
        return f'<p class="{block.role}" {place}>{self._inline(block.text, record)}</p>'

    def _item(self, block: Text) -> str:
        """A list item: its mark hangs out at the left, but a Chinese number stands in the text."""
        record = Record("list_item", "")
        place = self._id(record)
        text = self._inline(block.text, record)
        if self.chinese and block.marker:
            record.text = block.marker + record.text
            return f'<p class="body" {place}>{escape(block.marker)}{text}</p>'
        mark = block.marker or ("●" if self.chinese else "•")
        record.text = f"{mark} {record.text}"
        kind = "counted" if block.marker else "bulleted"
        return f'<p class="item {kind}" {place}><span class="mark">{escape(mark)}</span>{text}</p>'

    def _inline(self, text: str, record: Record) -> str:
        """The HTML of a paragraph's text; what is printed goes into its record, marks of footnotes too."""
        parts: list[str] = []
        for inline in inlines(text):
            if inline.kind == "note":
                self._notes += 1
                note = Record("footnote", f"{self._notes} {inline.text}")
                record.text += str(self._notes)
                called = f'<span class="note" {self._id(note)}>{escape(inline.text)}</span>'
                # No line begins with the mark of a footnote.
                before = parts.pop()
                parts += [before[:-1], f'<span class="unbroken">{before[-1]}{called}</span>']
                continue
            record.text += inline.text
            tag = {"plain": "", "bold": "b", "italic": "i"}[inline.kind]
            shown = escape(inline.text)
            parts.append(f"<{tag}>{shown}</{tag}>" if tag else shown)
        return "".join(parts)

    def _caption(self, caption: str, where: str) -> str:
        return f'<p class="caption {where}" {self._id(Record("caption", caption))}>{escape(caption)}</p>'

    def _table(self, table: Table) -> str:
        caption = self._caption(table.caption, "above") if table.caption else ""
        cells = "\n".join("\t".join(row) for row in table.rows)
        place = self._id(Record("table", cells, rows=table.rows))
        total = sum(weight for _, weight in table.columns)
        widths = "".join(f'<col style="width:{weight / total:.2%}">' for _, weight in table.columns)
        head, *rows = (self._row(table, number) for number in range(len(table.rows)))
        body = f"<thead>{head}</thead><tbody>{''.join(rows)}</tbody>"
        return f'{caption}<table class="{table.style}" {place}><colgroup>{widths}</colgroup>{body}</table>'

    def _row(self, table: Table, number: int) -> str:
        cells = [
            f'<td style="text-align:{_ALIGN[align]}">{escape(cell)}</td>'
            for cell, (align, _) in zip(table.rows[number], table.columns, strict=True)
        ]
        kind = ' class="strong"' if number in table.bold else ""
        return f"<tr{kind}>{''.join(cells)}</tr>"

    def _figure(self, figure: Figure) -> str:
        place = self._id(Record("figure", figure_text(figure)))
        shown = (
            f'<img src="{river()}">' if figure.name == "river" else figure_svg(figure, chinese=self.chinese)
        )
        return f"<figure><div {place}>{shown}</div>{self._caption(figure.caption, 'below')}</figure>"

    def _directive(self, directive: Directive) -> str:
        match directive.name:
            case "newpage":
                return '<div class="new-page"></div>'
            case "main":
                self._in_front = False
                return '</div><div class="main">'
            case "contents":
                self._contents_at = len(self.records)
                return CONTENTS
            case "cover":
                lines = [row[0] for row in directive.rows]
                shown = "".join(
                    f"<p {self._id(Record('paragraph', line))}>{escape(line)}</p>" for line in lines
                )
                cover = f'<section class="cover">{shown}<img src="{river()}"></section>'
                return cover + '<div class="front-matter">'
        raise ValueError(f"unknown directive: {directive.name}")

    # --- the printed contents ---

    def _contents_entries(self) -> Iterable[str]:
        """An entry for every heading that is listed; they are objects of their own, in their place."""
        if self._contents_at is None:
            return
        listed = [
            (number, record)
            for number, record in enumerate(self.records)
            if record.kind == "heading"
            and number >= self._contents_at
            and record.level <= self._contents_levels
            and not record.run_in
        ]
        for number, heading in listed:
            entry = Record("contents_entry", heading.text, heading.level, heading=heading)
            where = "in-front" if heading.in_front else "in-main"
            place = self._id(entry)
            entry.in_front = True
            link = f'<a class="{where}" href="#o{number}">{escape(heading.text)}</a>'
            yield f'<p class="entry level-{heading.level}" {place}>{link}</p>'

    @property
    def order(self) -> list[int]:
        """The records in reading order; a footnote comes after all that begins on its page."""
        at = self._contents_at or 0
        entries = [n for n, record in enumerate(self.records) if record.kind == "contents_entry"]
        others = [n for n, record in enumerate(self.records) if record.kind != "contents_entry"]
        before = [n for n in others if n < at]
        numbers = [*before, *entries, *others[len(before) :]]
        place = {number: index for index, number in enumerate(numbers)}

        def key(number: int) -> tuple[int, bool, int]:
            record = self.records[number]
            return record.pages[0], record.kind == "footnote", place[number]

        return sorted(numbers, key=key)

    def _id(self, record: Record) -> str:
        """The attribute that ties an element to its record."""
        record.in_front = self._in_front
        self.records.append(record)
        return f'id="o{len(self.records) - 1}"'


CONTENTS = "<!-- contents -->"
