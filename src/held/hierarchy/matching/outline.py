"""An outline as the headings it lists, without what bookmarks add to them.

Entries that name no heading of the text are junk, a root above all or nearly all others is the document's
title, a label and the title below it are one heading, a level that jumps is brought next to its parent's,
3.1.1 beside 3.1 is put below it, and 2 below 1 beside it. Each step is counted, and none looks at what was
recognised, so that a weak recogniser cannot make its own task easier.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice, pairwise, takewhile
from typing import NamedTuple

from held.document import OutlineEntry
from held.hierarchy.matching.titles import key
from held.numbering import ItemNumber, follows, is_dotted_prefix, parse_number

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
_NEARLY_ALL = 0.9  # of the headings lie below the document's title ...
_ENOUGH = 8  # ... and so many, where some do not


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
    place = _title_at([entry for _, entry in entries])
    root = None if place is None else entries[place][1]
    headings, repaired = _levelled(
        entries if place is None else _without_title(entries, place),
        last_page,
        root_level=root.level - 1 if root else 0,
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
    number = parse_number(title)
    return number is not None and number.title_start == len(title) and _LABEL_WORD.match(title) is not None


def _goes_on(before: OutlineEntry, entry: OutlineEntry) -> bool:
    """Whether an entry stands right below another, at its level and without a number."""
    return (
        entry.level == before.level
        and entry.page == before.page
        and entry.y is not None
        and before.y is not None
        and 0 < entry.y - before.y <= _MOST_APART_PT
        and parse_number(entry.title) is None
    )


def _levelled(
    entries: Sequence[tuple[int, OutlineEntry]], last_page: int, *, root_level: int, mend: bool
) -> tuple[list[ListedHeading], int]:
    """The entries with their parents, and how many of them had a level that had to be mended."""
    headings: list[ListedHeading] = []
    last_child: dict[int, int] = {}
    forms: set[tuple[int, str]] = set()  # which forms of numbers the children of a parent have
    branch: list[tuple[float, int]] = []  # (level as listed, place) of the ancestors
    repaired = 0
    for number, entry in entries:
        while branch and branch[-1][0] >= entry.level:
            branch.pop()
        repaired += entry.level > (branch[-1][0] if branch else root_level) + 1
        level: float = entry.level
        item = parse_number(entry.title)
        above = branch[-1][1] if branch else NO_PARENT
        is_first = item is not None and (above, item.form) not in forms
        # Chapter 2 listed below chapter 1 stands beside it,
        if mend and branch and is_first and is_inside_its_list(item, parse_number(headings[above].title)):
            level, _ = branch.pop()
            repaired += 1
        parent = branch[-1][1] if branch else NO_PARENT
        sibling = last_child.get(parent)
        # and 1.1 listed beside 1 lies below it: half a level deeper, so that 2 is beside 1 again.
        if mend and sibling is not None and _lies_below(headings[sibling].title, entry.title):
            branch.append((level, sibling))
            parent, level = sibling, level + 0.5
            repaired += 1
        page = entry.page if entry.page is not None and 1 <= entry.page <= last_page else None
        y = None if page is None else entry.y
        headings.append(ListedHeading(number, entry.title, len(branch) + 1, parent, page, y))
        last_child[parent] = len(headings) - 1
        forms |= {(parent, item.form)} if item else set()
        branch.append((level, len(headings) - 1))
    return headings, repaired


def is_inside_its_list(number: ItemNumber | None, above: ItemNumber | None) -> bool:
    """Whether a number goes on from that of the heading above it: chapter 2 inside chapter 1.

    Item 7A below Item 7 does not: some outlines list it so.
    """
    if number is None or above is None:
        return False
    return len(above.value) == len(number.value) and follows(above, number)


def _lies_below(upper_title: str, title: str) -> bool:
    """Whether a title's dotted number continues another's: 3.1.1 and 3.1, A.2 and Appendix A."""
    upper, lower = parse_number(upper_title), parse_number(title)
    return upper is not None and lower is not None and is_dotted_prefix(upper, lower)


def _out_of_order(headings: Sequence[ListedHeading]) -> int:
    """How many headings point to a page before that of the heading before them."""
    pages = [heading.page for heading in headings if heading.page is not None]
    return sum(later < earlier for earlier, later in pairwise(pages))


def _same(entry: OutlineEntry, before: OutlineEntry) -> bool:
    """Whether an entry says again what the one before it says."""
    return entry.y is not None and key(entry.title) == key(before.title) and entry[2:] == before[2:]


def _title_at(entries: Sequence[OutlineEntry]) -> int | None:
    """Where the entry is that is the title or the name of the document, if one is.

    All others lie below it, or nearly all, and it has no number of its own. A numbered one heads a chapter
    that was published alone: its number goes on in those of its sections. So do dotted numbers right below.
    """
    top_level = min((entry.level for entry in entries), default=0)
    for place, entry in enumerate(entries):
        below = _below(entries, place) if entry.level == top_level else []
        if below and parse_number(entry.title) is None:
            if len(below) == len(entries) - 1:
                return place
            if len(below) >= max(_ENOUGH, _NEARLY_ALL * (len(entries) - 1)):
                return None if any(map(_has_dotted_number, _children(below))) else place
    return None


def _below(entries: Sequence[OutlineEntry], place: int) -> list[OutlineEntry]:
    """The entries below one."""
    level = entries[place].level
    return list(takewhile(lambda entry: entry.level > level, islice(entries, place + 1, None)))


def _children(below: Sequence[OutlineEntry]) -> Iterator[OutlineEntry]:
    """Of the entries below one, those right below it."""
    level = min(entry.level for entry in below)
    return (entry for entry in below if entry.level == level)


def _has_dotted_number(entry: OutlineEntry) -> bool:
    number = parse_number(entry.title)
    return number is not None and len(number.value) > 1


def _without_title(entries: Sequence[tuple[int, OutlineEntry]], place: int) -> list[tuple[int, OutlineEntry]]:
    """The entries without the document's title, those below it a level higher."""
    count = len(_below([entry for _, entry in entries], place))
    lifted = [
        (number, entry._replace(level=entry.level - 1)) for number, entry in entries[place + 1 :][:count]
    ]
    return [*entries[:place], *lifted, *entries[place + 1 + count :]]
