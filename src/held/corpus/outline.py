"""An outline as the headings it lists, without what bookmarks add to them.

Entries that name no heading of the text are junk, a lone root above all others is the document's title, and
a level that jumps is brought next to its parent's. Each step is counted, and none looks at what was
recognised, so that a weak recogniser cannot make its own task easier.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

from held.corpus.titles import key
from held.document import OutlineEntry
from held.numbering import parse

NO_PARENT = -1

_JUNK = re.compile(
    r"""\s*(?:
      ole_link\d* | _(?:toc|hlk|hlt|ref|goback)\w* | bookmark\s?\d+          # marks of word processors
    | untitled.* | (?:front\s|back\s|inside\s)*cover(?:\spage)? | blank\spage | 封[面底] | 空白页
    | .*\.(?:pdf|docx?|xlsx?|pptx?|indd|tex|dvi|ps|html?|rtf)                 # files that were merged
    | (?:page|slide)\s?\d+ | 第\s?\d+\s?页
    | [(\-+$¥]*\d+(?:[,，]\d{3})+(?:\.\d+)?[)%]* | [(\-+$¥]*\d*\.\d{2}[)%]*   # cells of tables
    )\s*""",
    re.IGNORECASE | re.VERBOSE,
)
_CAPTION = re.compile(
    r"\s*(?:(?:figure|fig\.|table)(?:\s?[A-Z]?\d+|\s[A-Z](?=[.:\-])|\s[IVX]+)(?:[.\-]\d+)*(?=[.:\s)]|$)"
    r"|[图圖表]\s?(?:[A-Z]\s?[.\-]?)?\d+(?:[.\-－–]\d+)*(?=[.:：、\s　)）]|[^\W\d]))",
    re.IGNORECASE,
)


class ListedHeading(NamedTuple):
    """A heading that the outline lists; `parent` is its place in the list of them, -1 the root."""

    entry: int
    title: str
    level: int
    parent: int
    page: int | None
    y: float | None


@dataclass(frozen=True, slots=True)
class ListedHeadings:
    """The headings of an outline in its order, and what was left out or mended to get them."""

    headings: tuple[ListedHeading, ...]
    lone_root: OutlineEntry | None = None
    junk: int = 0
    levels_repaired: int = 0
    out_of_order: int = 0


def is_junk(title: str) -> bool:
    """Whether an entry is no heading: blank, a mark, a file's name, the cover, a table's cell, a caption."""
    return not key(title) or _JUNK.fullmatch(title) is not None or _CAPTION.match(title) is not None


def listed_headings(outline: Sequence[OutlineEntry], *, last_page: int) -> ListedHeadings:
    """The headings that an outline lists; a destination after the last page is taken for none."""
    entries = [
        (number, entry)
        for number, entry in enumerate(outline)
        if not is_junk(entry.title) and not (number and _same(entry, outline[number - 1]))
    ]
    junk = len(outline) - len(entries)
    root = _lone_root([entry for _, entry in entries])
    if root is not None:
        entries = entries[1:]
    headings: list[ListedHeading] = []
    branch: list[tuple[int, int]] = []  # (level as listed, place) of the ancestors
    repaired = 0
    for number, entry in entries:
        while branch and branch[-1][0] >= entry.level:
            branch.pop()
        level_before = branch[-1][0] if branch else min(1, entry.level - 1) if root else 0
        repaired += entry.level > level_before + 1
        parent = branch[-1][1] if branch else NO_PARENT
        page = entry.page if entry.page is not None and 1 <= entry.page <= last_page else None
        y = None if page is None else entry.y
        headings.append(ListedHeading(number, entry.title, len(branch) + 1, parent, page, y))
        branch.append((entry.level, len(headings) - 1))
    return ListedHeadings(tuple(headings), root, junk, repaired, _out_of_order(headings))


def _out_of_order(headings: Sequence[ListedHeading]) -> int:
    """How many headings point to a page before that of the heading before them."""
    pages = [heading.page for heading in headings if heading.page is not None]
    return sum(later < earlier for earlier, later in pairwise(pages))


def _same(entry: OutlineEntry, before: OutlineEntry) -> bool:
    """Whether an entry says again what the one before it says."""
    return entry.y is not None and key(entry.title) == key(before.title) and entry[2:] == before[2:]


def _lone_root(entries: Sequence[OutlineEntry]) -> OutlineEntry | None:
    """The only entry of the top level, where all others lie below it and it has no number of its own.

    Such an entry is the title or the name of the document. A numbered one heads a chapter that was
    published alone: its number goes on in those of its sections.
    """
    if len(entries) < 2:
        return None
    top, *others = entries
    numbered = parse(top.title) is not None
    return top if not numbered and all(entry.level > top.level for entry in others) else None
