"""Lists in Markdown: nested as their items are indented, numbered as they were.

Markdown counts by itself from the first number of a list, so a number that does not follow begins another
list. Marks that it does not know, such as (a) or ①, stay in the text of a bulleted item.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterator, Sequence
from typing import NamedTuple

from held.document import Kind, PhysicalObject, Span
from held.exports.markdown_text import block, one_line
from held.exports.spans import shifted
from held.exports.symbols import readable
from held.layout.rows import starts_with_bullet
from held.numbering import BULLET, parse_number

SAME_INDENT = 0.75  # of the font size: numbers of one list may be set flush right
USUAL_SIZE = 10.0  # points, where an object does not say how large it is set
TELLING = "☐☒☑□§"  # marks that say something, though they stand where bullets do
OTHER_LIST = "<!-- -->"  # ends a list, where the next item would else become a part of it
_NUMBERED = re.compile(r"(\d{1,9})([.)])\s*(?=[^\d\s])")


class _Item(NamedTuple):
    """An item's mark: its number, or None for a bullet, and what follows the number; then its text."""

    number: int | None
    delimiter: str
    text: str
    spans: tuple[Span, ...] = ()


class _Level(NamedTuple):
    """An item that further ones may follow or hang under: how far it is indented on the page and here."""

    indent: float
    offset: int
    item: _Item


def markdown_list(objects: Sequence[PhysicalObject], notes: Container[str] = ()) -> str:
    """The items as one list, or as many as their numbers ask for; `notes` are those that are printed too."""
    return "\n".join(_lines(objects, notes))


def _lines(objects: Sequence[PhysicalObject], notes: Container[str]) -> Iterator[str]:
    branch: list[_Level] = []
    for item in objects:
        parted = _contents_entry(item) if item.kind is Kind.CONTENTS_ENTRY else _list_item(item)
        if not parted.text:
            continue
        slack = SAME_INDENT * (item.style.size or USUAL_SIZE)
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
        yield " " * offset + mark + block(parted.text, parted.spans, notes)
        branch.append(_Level(item.indent, offset + len(mark), parted))


def _follows(item: _Item, before: _Item) -> bool:
    """Whether an item belongs to the same list as the one before it."""
    if item.number is None or before.number is None:
        return item.number is before.number
    return item.number == before.number + 1 and item.delimiter == before.delimiter


def _list_item(item: PhysicalObject) -> _Item:
    line = one_line(item.text)
    text = line
    number: int | None = None
    delimiter = ""
    if numbered := _NUMBERED.match(line):
        number, delimiter = int(numbered[1]), numbered[2]
        text = line[numbered.end() :]
    elif starts_with_bullet(line) and line[0] not in TELLING:
        text = line[1:].strip()
    # What control characters and blanks are left out of a text moves its spans: these are left out, too.
    spans = shifted(item.spans, len(line) - len(text)) if line == item.text else ()
    return _Item(number, delimiter, text, spans)


def without_bullet(text: str) -> str:
    """The text of an item without its bullet, for forms that draw their own; a mark that tells stays."""
    number = parse_number(text)
    if number is None or number.pattern is not BULLET or readable(text.lstrip()[:1]) in TELLING:
        return text
    return text[number.title_start :]


def _contents_entry(item: PhysicalObject) -> _Item:
    """The entry with its printed page number."""
    return _Item(None, "", one_line(" … ".join(filter(None, entry_columns(item)))))


def entry_columns(entry: PhysicalObject) -> tuple[str, ...]:
    """The title of an entry of printed contents, and the page after it where it is known.

    Files of other engines may have rows without cells: the text is the title then.
    """
    columns = entry.rows[0] if entry.rows else ()
    return tuple(columns) or (entry.text,)
