"""An outline as the headings it lists, without what bookmarks add to them.

Entries that name no heading of the text are junk, a lone root above all others is the document's title, a
label and the title below it are one heading, a level that jumps is brought next to its parent's, and 3.1.1
beside 3.1 is put below it. Each step is counted, and none looks at what was recognised, so that a weak
recogniser cannot make its own task easier.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

from held.corpus.titles import key
from held.document import OutlineEntry
from held.numbering import is_dotted_prefix, parse

NO_PARENT = -1

_JUNK = re.compile(
    r"""\s*(?:
      ole_link\d* | _(?:toc|hlk|hlt|ref|goback)\w* | bookmark\s?\d+          # marks of word processors
    | untitled.* | (?:front\s|back\s|inside\s)*cover(?:\spage)? | blank\spage | 封[面底] | 空白页
    | .*\.(?:pdf|docx?|xlsx?|pptx?|indd|tex|dvi|ps|html?|rtf)                 # files that were merged
    | (?:page|slide)\s?\d+ | 第\s?\d+\s?页
    )\s*""",
    re.IGNORECASE | re.VERBOSE,
)
_AMOUNT = re.compile(r"\s*[(\-+$¥]*(?:\d+(?:[,，]\d{3})+(?:\.\d+)?|\d*\.\d{2})[)%]*\s*")
_CAPTION = re.compile(
    r"\s*(?:(?:figure|fig\.|table)(?:\s?[A-Z]?\d+|\s[A-Z](?=[.:\-])|\s[IVX]+)(?:[.\-]\d+)*(?=[.:\s)]|$)"
    r"|[图圖表]\s?(?:[A-Z]\s?[.\-]?)?\d+(?:[.\-－–]\d+)*(?=[.:：、\s　)）]|[^\W\d]))",
    re.IGNORECASE,
)


_LABEL_WORD = re.compile(r"\s*(?:chapter|part|appendix|annex|section|book|附|第)", re.IGNORECASE)
_MOST_APART_PT = 40.0


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
    amounts: int = 0  # of the junk, cells of tables
    joined: int = 0
    levels_repaired: int = 0
    out_of_order: int = 0


def is_junk(title: str) -> bool:
    """Whether an entry is no heading: blank, a mark, a file's name, the cover, a table's cell, a caption."""
    return (
        not key(title)
        or _JUNK.fullmatch(title) is not None
        or _CAPTION.match(title) is not None
        or _is_amount(title)
    )


def _is_amount(title: str) -> bool:
    """Whether a title is a number as tables have them."""
    return _AMOUNT.fullmatch(title) is not None


def listed_headings(
    outline: Sequence[OutlineEntry], *, last_page: int, mend_by_numbers: bool = True
) -> ListedHeadings:
    """The headings that an outline lists; a destination after the last page is taken for none."""
    kept = [
        (number, entry)
        for number, entry in enumerate(outline)
        if not is_junk(entry.title) and not (number and _same(entry, outline[number - 1]))
    ]
    entries = _with_titles(kept)
    root = _lone_root([entry for _, entry in entries])
    headings, repaired = _levelled(
        entries[1:] if root else entries,
        last_page,
        root_level=root.level if root else 0,
        mend=mend_by_numbers,
    )
    return ListedHeadings(
        tuple(headings),
        root,
        junk=len(outline) - len(kept),
        amounts=sum(_is_amount(entry.title) for entry in outline),
        joined=len(kept) - len(entries),
        levels_repaired=repaired,
        out_of_order=_out_of_order(headings),
    )


def _with_titles(entries: Sequence[tuple[int, OutlineEntry]]) -> list[tuple[int, OutlineEntry]]:
    """The entries, with a label alone ("Appendix A") and the unnumbered entries right below it as one."""
    joined: list[tuple[int, OutlineEntry]] = []
    label_at: OutlineEntry | None = None  # the last piece of a heading that began with a label
    for number, entry in entries:
        if label_at is not None and _goes_on(label_at, entry):
            first, before = joined[-1]
            joined[-1] = first, before._replace(title=f"{before.title} {entry.title}")
            label_at = entry
        else:
            joined.append((number, entry))
            label_at = entry if _is_label(entry.title) else None
    return joined


def _is_label(title: str) -> bool:
    number = parse(title)
    return number is not None and number.title_start == len(title) and _LABEL_WORD.match(title) is not None


def _goes_on(before: OutlineEntry, entry: OutlineEntry) -> bool:
    """Whether an entry stands right below another, at its level and without a number."""
    return (
        entry.level == before.level
        and entry.page == before.page
        and entry.y is not None
        and before.y is not None
        and 0 < entry.y - before.y <= _MOST_APART_PT
        and parse(entry.title) is None
    )


def _levelled(
    entries: Sequence[tuple[int, OutlineEntry]], last_page: int, *, root_level: int, mend: bool
) -> tuple[list[ListedHeading], int]:
    """The entries with their parents, and how many of them had a level that had to be mended."""
    headings: list[ListedHeading] = []
    last_child: dict[int, int] = {}
    branch: list[tuple[float, int]] = []  # (level as listed, place) of the ancestors
    repaired = 0
    for number, entry in entries:
        while branch and branch[-1][0] >= entry.level:
            branch.pop()
        repaired += entry.level > (branch[-1][0] if branch else root_level) + 1
        parent = branch[-1][1] if branch else NO_PARENT
        level: float = entry.level
        sibling = last_child.get(parent)
        if mend and sibling is not None and _lies_below(headings[sibling].title, entry.title):
            branch.append((level, sibling))
            parent, level = sibling, level + 0.5
            repaired += 1
        page = entry.page if entry.page is not None and 1 <= entry.page <= last_page else None
        y = None if page is None else entry.y
        headings.append(ListedHeading(number, entry.title, len(branch) + 1, parent, page, y))
        last_child[parent] = len(headings) - 1
        branch.append((level, len(headings) - 1))
    return headings, repaired


def _lies_below(upper_title: str, title: str) -> bool:
    """Whether a title's dotted number continues another's: 3.1.1 and 3.1, A.2 and Appendix A."""
    upper, lower = parse(upper_title), parse(title)
    return upper is not None and lower is not None and is_dotted_prefix(upper, lower)


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
