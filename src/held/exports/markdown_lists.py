"""Lists in Markdown: nested as their items are indented, numbered as they were.

Markdown counts by itself from the first number of a list, so a number that does not follow begins another
list. Marks that it does not know, such as (a) or ①, stay in the text of a bulleted item.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from held.document import Kind, PhysicalObject
from held.exports.markdown_text import block, one_line
from held.pdf.lines.rows import starts_with_bullet

SAME_INDENT = 0.75  # of the font size: numbers of one list may be set flush right
TELLING = "☐☒☑□§"  # marks that say something, though they stand where bullets do
OTHER_LIST = "<!-- -->"  # ends a list, where the next item would else become a part of it
_NUMBERED = re.compile(r"(\d{1,9})([.)])\s*(?=[^\d\s])")


class _Item(NamedTuple):
    """An item's mark: its number, or None for a bullet, and what follows the number; then its text."""

    number: int | None
    delimiter: str
    text: str


class _Level(NamedTuple):
    """An item that further ones may follow or hang under: how far it is indented on the page and here."""

    indent: float
    offset: int
    item: _Item


def markdown_list(objects: Sequence[PhysicalObject]) -> str:
    """The items as one list, or as many as their numbers ask for."""
    return "\n".join(_lines(objects))


def _lines(objects: Sequence[PhysicalObject]) -> Iterator[str]:
    branch: list[_Level] = []
    for item in objects:
        parted = _contents_entry(item) if item.kind is Kind.CONTENTS_ENTRY else _list_item(item.text)
        if not parted.text:
            continue
        slack = SAME_INDENT * (item.style.size or 10.0)
        began = not branch
        before: _Item | None = None
        while branch and branch[-1].indent >= item.indent - slack:
            before = branch.pop().item
        offset = branch[-1].offset if branch else 0
        if before and not _follows(parted, before):
            yield " " * offset + OTHER_LIST
        elif not before and not began and parted.number not in (None, 1):
            yield ""  # else it would be taken for a part of the text above
        mark = "- " if parted.number is None else f"{parted.number}{parted.delimiter} "
        yield " " * offset + mark + block(parted.text)
        branch.append(_Level(item.indent, offset + len(mark), parted))


def _follows(item: _Item, before: _Item) -> bool:
    """Whether an item belongs to the same list as the one before it."""
    if item.number is None or before.number is None:
        return item.number is before.number
    return item.number == before.number + 1 and item.delimiter == before.delimiter


def _list_item(text: str) -> _Item:
    text = one_line(text)
    if numbered := _NUMBERED.match(text):
        return _Item(int(numbered[1]), numbered[2], text[numbered.end() :])
    if starts_with_bullet(text) and text[0] not in TELLING:
        text = text[1:].strip()
    return _Item(None, "", text)


def _contents_entry(item: PhysicalObject) -> _Item:
    """The entry with its printed page number."""
    return _Item(None, "", one_line(" … ".join(filter(None, item.rows[0])) if item.rows else item.text))
