"""The document as Markdown: headings at their true level, tables as tables, lists as lists.

Markdown knows six levels; a deeper heading is set in bold, with its level kept in front by as many marks
as it has ancestors beyond the sixth. Entries of printed contents are left out: the headings say it all.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from held.document import Kind, PhysicalObject
from held.pipeline import Hierarchy

DEEPEST = 6
SPECIAL = re.compile(r"([\\`*_\[\]<>|])")
STARTS_BLOCK = re.compile(r"^(#+|[-+>]|\d+[.)])(?=\s)")


def markdown(hierarchy: Hierarchy, images: Mapping[int, str] | None = None) -> str:
    """The whole document as Markdown, a blank line between objects; `images` has links to figures."""
    return "\n\n".join(_blocks(hierarchy, images or {})) + "\n"


def _blocks(hierarchy: Hierarchy, images: Mapping[int, str]) -> Iterator[str]:
    levels = hierarchy.tree.levels()
    for index, item in enumerate(hierarchy.document.objects):
        if index in hierarchy.headings:
            yield _heading(" ".join(item.text.split()), levels[index])
        elif index in images:
            yield f"![{item.kind} on page {hierarchy.page_name(item.page)}]({images[index]})"
        elif item.kind is not Kind.CONTENTS_ENTRY:
            yield _body(item)


def _heading(title: str, level: int) -> str:
    if level <= DEEPEST:
        return f"{'#' * level} {_escaped(title)}"
    return f"{'›' * (level - DEEPEST)} **{_escaped(title)}**"


def _body(item: PhysicalObject) -> str:
    match item.kind:
        case Kind.TABLE if item.rows:
            return _table(item.rows)
        case Kind.FIGURE | Kind.TABLE:
            return f"*[{item.kind} on page {item.page}]*"
        case Kind.LIST_ITEM:
            return f"- {_escaped(item.text.lstrip('•●○■▪◆‣∙ '))}"
        case Kind.CAPTION:
            return f"*{_escaped(item.text)}*"
        case _:
            return _escaped(item.text)


def _table(rows: Sequence[Sequence[str]]) -> str:
    """A pipe table whose first row is the head."""
    lines = ["| " + " | ".join(_escaped(" ".join(cell.split())) for cell in row) + " |" for row in rows]
    return "\n".join([lines[0], "|" + " --- |" * len(rows[0]), *lines[1:]])


def _escaped(text: str) -> str:
    """The text with what Markdown would take for its own marks made plain."""
    return STARTS_BLOCK.sub(r"\\\1", SPECIAL.sub(r"\\\1", text))
