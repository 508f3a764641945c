"""An outline as a file of lines, made by `held extract --format outline`, by hand or by another program.

A line is level, page and title between tabs, pages counted from 1; blank lines and those that begin with #
are passed over. What editors and spreadsheets do to such a file is understood: a byte order mark, CRLF,
UTF-16, tabs at the end.
"""

from __future__ import annotations

import codecs
import os
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from held.document import Box, Kind, PageRegion, PhysicalObject
from held.errors import InputError, UsageError
from held.metrics.compare import Side
from held.metrics.truth import Truth, labels_of
from held.tree import Tree

FORM = "write level, page and title with tabs between, such as 2<tab>17<tab>1.1 Boats"
DOUBTFUL = "?"


class Line(NamedTuple):
    """An entry and the line it stands on; level and page from 1. `doubtful` if a fourth column has `?`."""

    number: int
    level: int
    page: int
    title: str
    doubtful: bool = False


def read_outline_file(content: bytes, name: str | os.PathLike[str]) -> list[Line]:
    """The entries of an outline file; `name` is what errors call it."""
    entries = list(_entries(_decoded(content, name), name))
    if not entries:
        raise InputError("has no entries", file=name, advice=FORM)
    return entries


def _decoded(content: bytes, name: str | os.PathLike[str]) -> str:
    if content.startswith(b"%PDF"):
        raise UsageError("is a PDF, not an outline", file=name, advice="give the PDF first, then the outline")
    if content.startswith((b"{", b"[")):
        advice = "`held extract FILE --format outline` makes an outline of the JSON of `held extract`"
        raise UsageError("is JSON, not an outline", file=name, advice=advice)
    wide = content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    try:
        text = content.decode("utf-16" if wide else "utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise _wrong(name, line, "is not UTF-8", "save the file as UTF-8") from None
    if "\0" in text:
        raise InputError("is not a text file, or not in UTF-8", file=name, advice="save it as UTF-8")
    return text


def _entries(text: str, name: str | os.PathLike[str]) -> Iterator[Line]:
    # Not splitlines(), which also splits at form feeds and the like, within a title.
    for number, line in enumerate(text.replace("\r\n", "\n").replace("\r", "\n").split("\n"), 1):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        level, page, *words = _fields(line, name, number)
        doubtful = len(words) > 1 and words[-1] == DOUBTFUL
        yield Line(
            number,
            _counted(level, "level", name, number),
            _counted(page, "page", name, number),
            " ".join(filter(None, words[:-1] if doubtful else words)),
            doubtful,
        )


def _fields(line: str, name: str | os.PathLike[str], number: int) -> list[str]:
    """The columns of a line: at least three."""
    fields = [field.strip() for field in line.rstrip().split("\t")]
    if len(fields) < 3:
        missing = "tabs" if "\t" not in line else "page" if len(fields) < 2 else "title"
        raise _wrong(name, number, f"has no {missing}", FORM)
    return fields


def _counted(text: str, what: str, name: str | os.PathLike[str], number: int) -> int:
    """A number from 1."""
    advice = {"level": FORM, "page": "count pages from 1, whatever number is printed on them"}[what]
    try:
        value = int(text)
    except ValueError:
        raise _wrong(name, number, f"the {what} {text!r} is not a number", advice) from None
    if value < 1:
        raise _wrong(name, number, f"the {what} is {value}, but {what}s count from 1", advice)
    return value


def _wrong(name: str | os.PathLike[str], number: int, what: str, advice: str) -> InputError:
    return InputError(f"line {number}: {what}", file=name, advice=advice)


def side_of_outline(name: str, lines: Sequence[Line]) -> Side:
    """An outline as a side of a comparison; a level that jumps hangs under the entry before it."""
    tree = Tree()
    levels: list[int] = []
    objects: list[PhysicalObject] = []
    nowhere = Box(0, 0, 0, 0)
    for index, line in enumerate(lines):
        while levels and levels[-1] >= line.level:
            levels.pop()
        tree = tree.put(index, len(levels))
        levels.append(line.level)
        objects.append(PhysicalObject(Kind.HEADING, line.title, (PageRegion(line.page, nowhere),)))
    all_headings = labels_of(range(len(lines)), len(lines))
    return Side(name, Truth(tree, all_headings), tuple(objects), {}, whole=False)
