"""The text of a report as blocks, and the light markup that it is written in.

    # … ######        heading of level 1 … 6;  `# Label | Title` has a label line above its title,
                      `# Title. || text` runs into the paragraph
    #! Title          a level-1 heading of the front matter
    - text            bulleted item;  `+ (1) text` numbered item
    > text            displayed line;  `= text` formula;  `>> text` line set to the right
    !table STYLE COLUMNS | caption     rows follow, cells parted by |, a row that begins with * is bold
    !chart KIND | caption              rows follow;  `!image NAME | caption` a bitmap
    !columns … !end   two columns;  `!beside … !sidebar … !end` text with a tinted box at its side
    !cover !contents !newpage !main
Blocks are parted by blank lines. Inline: *italic*, **bold**, ^[footnote].
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

Rows = tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading; `run_in` is the paragraph that goes on after it on the same line."""

    level: int
    title: str
    label: str = ""
    run_in: str = ""
    front: bool = False

    @property
    def text(self) -> str:
        """The full text as it is read: label, number and title."""
        return f"{self.label} {self.title}".strip()


@dataclass(frozen=True, slots=True)
class Text:
    """A paragraph, list item, formula …; `role` says which, `marker` is a numbered item's number."""

    role: str
    text: str
    marker: str = ""


@dataclass(frozen=True, slots=True)
class Table:
    """`style` is ruled, lined or open; `columns` has one alignment and weight for each column."""

    style: str
    columns: tuple[tuple[str, float], ...]
    caption: str
    rows: Rows
    bold: frozenset[int]


@dataclass(frozen=True, slots=True)
class Figure:
    """A drawn chart or a bitmap with its caption."""

    name: str
    caption: str
    rows: Rows = ()


@dataclass(frozen=True, slots=True)
class Columns:
    """Blocks set in two columns."""

    blocks: tuple[Block, ...]


@dataclass(frozen=True, slots=True)
class Beside:
    """Blocks with a sidebar at their right."""

    main: tuple[Block, ...]
    side: tuple[Block, ...]


@dataclass(frozen=True, slots=True)
class Directive:
    """cover, contents, newpage or main, with the lines that belong to it."""

    name: str
    rows: Rows = ()


Block = Heading | Text | Table | Figure | Columns | Beside | Directive


def parse(source: str) -> tuple[Block, ...]:
    """The blocks of a report's text."""
    chunks = [chunk.strip("\n") for chunk in re.split(r"\n\s*\n", source) if chunk.strip()]
    return tuple(_blocks(iter(chunks)))


def _blocks(chunks: Iterator[str], *ends: str) -> Iterator[Block]:
    for chunk in chunks:
        if chunk in ends:
            return
        if chunk == "!columns":
            yield Columns(tuple(_blocks(chunks, "!end")))
        elif chunk == "!beside":
            yield Beside(tuple(_blocks(chunks, "!sidebar")), tuple(_blocks(chunks, "!end")))
        elif chunk.startswith("!"):
            yield _directive(chunk)
        elif chunk.startswith("#"):
            yield from (_heading(line) for line in chunk.splitlines())
        elif chunk.startswith(("- ", "+ ", "> ", ">> ", "= ")):
            yield from (_marked(line) for line in chunk.splitlines())
        else:
            yield Text("body", chunk.replace("\n", " "))


def _heading(line: str) -> Heading:
    marks, _, text = line.partition(" ")
    text, _, run_in = text.partition(" || ")
    label, found, title = text.partition(" | ")
    if not found:
        label, title = "", text
    return Heading(marks.count("#"), title, label, run_in, front=marks.endswith("!"))


def _marked(line: str) -> Text:
    mark, _, text = line.partition(" ")
    if mark == "-":
        return Text("item", text)
    if mark == "+":
        marker, text = _split_marker(text)
        return Text("item", text, marker)
    return Text({">": "display", ">>": "right", "=": "formula"}[mark], text)


def _split_marker(text: str) -> tuple[str, str]:
    """A numbered item's number and its text; in Chinese no space parts them."""
    match = re.match(r"(?:([^、）\s]{1,4}[、）])|(\S+) )", text)
    assert match, f"no number: {text}"
    return match[1] or match[2], text[match.end() :]


def _directive(chunk: str) -> Block:
    first, *lines = chunk.splitlines()
    command, _, caption = first.partition("|")
    name, *arguments = command.removeprefix("!").split()
    bold = frozenset(number for number, line in enumerate(lines) if line.startswith("*"))
    rows = tuple(tuple(cell.strip() for cell in line.lstrip("*").split("|")) for line in lines)
    if name == "table":
        columns = tuple((column[0], float(column[1:])) for column in arguments[1:])
        return Table(arguments[0], columns, caption.strip(), rows, bold)
    if name in ("chart", "image"):
        return Figure(arguments[0], caption.strip(), rows)
    return Directive(name, rows)


@dataclass(frozen=True, slots=True)
class Inline:
    """A stretch of a paragraph: plain, bold, italic or note (the text of a footnote called here)."""

    kind: str
    text: str


_INLINE = re.compile(r"\^\[(?P<note>[^\]]+)\]|\*\*(?P<bold>[^*]+)\*\*|\*(?P<italic>[^*]+)\*")


def inlines(text: str) -> list[Inline]:
    """The stretches of a paragraph's text."""
    found: list[Inline] = []
    end = 0
    for match in _INLINE.finditer(text):
        if match.start() > end:
            found.append(Inline("plain", text[end : match.start()]))
        found.append(Inline(str(match.lastgroup), match[str(match.lastgroup)]))
        end = match.end()
    if end < len(text):
        found.append(Inline("plain", text[end:]))
    return found
