"""Lines to read on a terminal: objects with page, kind, size and text, and the tree in colour."""

from __future__ import annotations

import os
import re
import unicodedata
from collections.abc import Iterator
from typing import TextIO

import click

from held.document import Document, Kind, PhysicalObject, Style
from held.system.console import printable_line

_TEXT_COLUMNS = 100
_CELL_INDENT = " " * 28
_LEVEL_COLOURS = ("bright_cyan", "bright_green", "bright_yellow", "bright_magenta", "bright_blue")
_TREE_LINE = re.compile(r"((?:  )*)(.*?)(  \(\S*\)(?: \?)?)")


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
    marks = "b" * style.bold + "i" * style.italic + "u" * style.underlined
    return f"{style.size:g}{marks}" if style.size else marks


def _extent(item: PhysicalObject) -> str:
    last = item.parts[-1].page
    return f"  (to page {last})" if last != item.page else ""


def fit(text: str, columns: int = _TEXT_COLUMNS) -> str:
    """The text on one line, cut to a number of columns; a Chinese character takes two."""
    text = printable_line(" ".join(text.split()))
    taken = 0
    for place, character in enumerate(text):
        taken += 2 if unicodedata.east_asian_width(character) in "WF" else 1
        if taken > columns:
            return text[: max(place - 1, 0)] + "…"
    return text


def wants_colour(stream: TextIO) -> bool:
    """Whether lines on a stream are coloured: on a terminal, or as NO_COLOR and FORCE_COLOR say."""
    if os.environ.get("NO_COLOR"):
        return False
    return bool(os.environ.get("FORCE_COLOR")) or stream.isatty()


def coloured_tree(tree: bytes) -> bytes:
    """The lines of an indented tree, with a colour for each level and the pages in grey."""
    return b"".join(_coloured(line).encode() + b"\n" for line in tree.decode().splitlines())


def _coloured(line: str) -> str:
    parts = _TREE_LINE.fullmatch(line)
    if parts is None:
        return line
    indent, title, page = parts.groups()
    level = len(indent) // 2
    colour = _LEVEL_COLOURS[level % len(_LEVEL_COLOURS)]
    return indent + click.style(title, fg=colour, bold=level == 0) + click.style(page, fg="bright_black")
