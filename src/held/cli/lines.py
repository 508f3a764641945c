"""Objects as lines to read: page, kind, size and weight, text cut to the line."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator

from held.document import Document, Kind, PhysicalObject, Style

_TEXT_COLUMNS = 100
_CELL_INDENT = " " * 28


def object_lines(document: Document) -> Iterator[str]:
    """A line for each object, and one for each row of a table."""
    for item in document.objects:
        head = f"{item.page:>4}  {item.kind.value:<14}  {_setting(item.style):<6}  "
        if item.kind is Kind.TABLE and item.rows:
            yield f"{head}{len(item.rows)} rows"
            yield from (_CELL_INDENT + fit(" | ".join(row)) for row in item.rows)
        else:
            yield (head + fit(item.text) + _extent(item)).rstrip()


def _setting(style: Style) -> str:
    marks = "b" * style.bold + "i" * style.italic
    return f"{style.size:g}{marks}" if style.size else marks


def _extent(item: PhysicalObject) -> str:
    last = item.parts[-1].page
    return f"  (to page {last})" if last != item.page else ""


def fit(text: str, columns: int = _TEXT_COLUMNS) -> str:
    """The text on one line, cut to a number of columns; a Chinese character takes two."""
    text = " ".join(text.split())
    taken = 0
    for place, character in enumerate(text):
        taken += 2 if unicodedata.east_asian_width(character) in "WF" else 1
        if taken > columns:
            return text[: max(place - 1, 0)] + "…"
    return text
