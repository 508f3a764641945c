"""The headings alone: as lines for scripts, as an indented tree for people, and read back from a file.

A line of an outline is level, page and title, separated by tabs; levels and pages count from 1. The file may
come from `held extract --format outline`, from an editor or from another program: a byte order mark, CRLF,
UTF-16 and trailing tabs are accepted. Blank lines and lines that begin with # are ignored.
"""

from __future__ import annotations

import codecs
import os
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple, NoReturn

from held.errors import InputError, UsageError
from held.system.console import printable_line

if TYPE_CHECKING:
    from held.hierarchy import Hierarchy

EXAMPLE_ADVICE = "write level, page and title with tabs between, such as 2<tab>17<tab>1.1 Boats"
DOUBTFUL = "?"


class Heading(NamedTuple):
    """A heading: the index of its object, its level and page from 1, and its title on one line."""

    object_index: int
    level: int
    page: int
    title: str


class OutlineLine(NamedTuple):
    """An entry of an outline file and its line number; `doubtful` if its fourth column is `?`."""

    number: int
    level: int
    page: int
    title: str
    doubtful: bool = False


def headings_of(hierarchy: Hierarchy) -> Iterator[Heading]:
    """The headings in reading order."""
    levels = hierarchy.tree.levels()
    for index in sorted(hierarchy.headings):
        item = hierarchy.document.objects[index]
        title = printable_line(item.title)
        yield Heading(index, levels[index], item.page, title)


def nest_levels(levels: Sequence[int]) -> tuple[list[int], list[int | None]]:
    """The depth of each entry, from 1, and the index of its parent, None at the top.

    Levels 1 3 2 become depths 1 2 2: both later entries are children of the first.
    """
    depths: list[int] = []
    parents: list[int | None] = []
    branch: list[int] = []
    for index, level in enumerate(levels):
        while branch and levels[branch[-1]] >= level:
            branch.pop()
        parents.append(branch[-1] if branch else None)
        branch.append(index)
        depths.append(len(branch))
    return depths, parents


def to_outline(hierarchy: Hierarchy) -> str:
    """One line per heading: level, page and title, separated by tabs.

    If a minimum confidence was given, doubtful headings have a fourth column, `?`.
    """
    marked = hierarchy.doubtful if hierarchy.min_confidence is not None else frozenset()
    lines = []
    for index, level, page, title in headings_of(hierarchy):
        doubt = f"\t{DOUBTFUL}" if index in marked else ""
        lines.append(f"{level}\t{page}\t{title}{doubt}\n")
    return "".join(lines)


def to_tree_text(hierarchy: Hierarchy) -> str:
    """The headings indented by level, with their pages; doubtful ones end in `?`."""
    doubtful = hierarchy.doubtful
    lines = []
    for index, level, page, title in headings_of(hierarchy):
        indent = "  " * (level - 1)
        page_name = printable_line(hierarchy.page_name(page))
        doubt = f" {DOUBTFUL}" if index in doubtful else ""
        lines.append(f"{indent}{title}  ({page_name}){doubt}\n")
    return "".join(lines)


def read_outline(content: bytes, name: str | os.PathLike[str]) -> list[OutlineLine]:
    """The entries of an outline file; error messages call it `name`."""
    entries = []
    # Not splitlines(), which also splits at form feeds and the like within a title.
    lines = _decode(content, name).replace("\r\n", "\n").replace("\r", "\n").split("\n")
    for number, line in enumerate(lines, start=1):
        if line.strip() and not line.lstrip().startswith("#"):
            entries.append(_parse_line(line, number, name))
    if not entries:
        raise InputError("has no entries", file=name, advice=EXAMPLE_ADVICE)
    return entries


def _decode(content: bytes, name: str | os.PathLike[str]) -> str:
    if content.startswith(b"%PDF"):
        raise UsageError("is a PDF, not an outline", file=name, advice="give the PDF first, then the outline")
    if content.startswith((b"{", b"[")):
        advice = "`held extract FILE --format outline` makes an outline of the JSON of `held extract`"
        raise UsageError("is JSON, not an outline", file=name, advice=advice)
    is_utf16 = content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    try:
        text = content.decode("utf-16" if is_utf16 else "utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        _refuse(name, line, "is not UTF-8", "save the file as UTF-8")
    if "\0" in text:
        raise InputError("is not a text file, or not in UTF-8", file=name, advice="save it as UTF-8")
    return text


def _parse_line(line: str, number: int, name: str | os.PathLike[str]) -> OutlineLine:
    fields = [field.strip() for field in line.rstrip().split("\t")]  # editors may add tabs at the end
    if len(fields) < 3:
        missing = "title"
        if len(fields) < 2:
            missing = "page" if "\t" in line else "tabs"
        _refuse(name, number, f"has no {missing}", EXAMPLE_ADVICE)
    level = _parse_count(fields[0], "level", EXAMPLE_ADVICE, number, name)
    page_advice = "count pages from 1, whatever number is printed on them"
    page = _parse_count(fields[1], "page", page_advice, number, name)
    words = fields[2:]  # a tab within a title counts as a space
    doubtful = len(words) > 1 and words[-1] == DOUBTFUL
    if doubtful:
        words.pop()
    title = " ".join(word for word in words if word)
    return OutlineLine(number, level, page, title, doubtful)


def _parse_count(text: str, what: str, advice: str, line: int, name: str | os.PathLike[str]) -> int:
    """A number from 1."""
    try:
        value = int(text)
    except ValueError:
        _refuse(name, line, f"the {what} {text!r} is not a number", advice)
    if value < 1:
        _refuse(name, line, f"the {what} is {value}, but {what}s count from 1", advice)
    return value


def _refuse(name: str | os.PathLike[str], line: int, problem: str, advice: str) -> NoReturn:
    raise InputError(f"line {line}: {problem}", file=name, advice=advice) from None
