"""Cleans an outline: the headings that it lists, with repaired levels.

- Entries that name no heading of the text are dropped as junk.
- A root above all or nearly all other entries is the document's title.
- A label and the title below it become one heading.
- A level that skips one is moved up; 3.1.1 beside 3.1 moves below it, and 2 below 1 moves beside it.

Each step is counted. None uses the recognised layout, so that a weak layout cannot make its own task easier.
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

NO_PARENT = -1  # of a heading at the top

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
_MAX_LABEL_GAP_PT = 40.0  # from "Chapter 1" down to the title that continues it
_MIN_TITLE_SHARE = 0.9  # of the headings that must lie below the document's title ...
_MIN_BELOW_TITLE = 8  # ... and their number, if some don't


NumberedEntry = tuple[int, OutlineEntry]
"""An entry with its position in the outline."""


class ListedHeading(NamedTuple):
    """A heading that the outline lists; `parent` is an index into the list of headings, -1 the root."""

    entry: int
    title: str
    level: int
    parent: int
    page: int | None
    y: float | None


@dataclass(frozen=True, slots=True)
class ListedHeadings:
    """The headings of an outline in order, and counts of what was dropped or repaired."""

    headings: tuple[ListedHeading, ...]
    lone_root: OutlineEntry | None = None
    junk: int = 0
    amounts: int = 0  # of the junk, cells of tables
    joined: int = 0
    levels_repaired: int = 0
    out_of_order: int = 0


def is_junk(title: str) -> bool:
    """Whether an entry is no heading: blank, a bookmark, a file name, a cover, a table cell, a caption."""
    return (
        not key(title)
        or _JUNK.fullmatch(title) is not None
        or _CAPTION.match(title) is not None
        or _is_amount(title)
    )


def _is_amount(title: str) -> bool:
    return _AMOUNT.fullmatch(title) is not None


def listed_headings(
    outline: Sequence[OutlineEntry], *, last_page: int, mend_by_numbers: bool = True
) -> ListedHeadings:
    """The headings that an outline lists; destinations after the last page are ignored."""
    kept: list[NumberedEntry] = []
    for number, entry in enumerate(outline):
        is_repeat = number > 0 and _repeats(entry, outline[number - 1])
        if not is_repeat and not is_junk(entry.title):
            kept.append((number, entry))
    entries = _join_labels(kept)
    joined = len(kept) - len(entries)
    root = None
    root_level = 0
    index = _find_document_title([entry for _, entry in entries])
    if index is not None:
        root = entries[index][1]
        root_level = root.level - 1
        entries = _remove_document_title(entries, index)
    headings, repaired = _assign_levels(entries, last_page, root_level=root_level, mend=mend_by_numbers)
    return ListedHeadings(
        tuple(headings),
        root,
        junk=len(outline) - len(kept),
        amounts=sum(_is_amount(entry.title) for entry in outline),
        joined=joined,
        levels_repaired=repaired,
        out_of_order=_out_of_order(headings),
    )


def _join_labels(entries: Sequence[NumberedEntry]) -> list[NumberedEntry]:
    """Joins a label alone ("Appendix A") with the unnumbered entries directly below it."""
    joined: list[NumberedEntry] = []
    label_at: OutlineEntry | None = None  # the last piece of a heading that began with a label
    for number, entry in entries:
        if label_at is not None and _continues_label(label_at, entry):
            first, before = joined[-1]
            joined[-1] = first, before._replace(title=f"{before.title} {entry.title}")
            label_at = entry
        else:
            joined.append((number, entry))
            label_at = entry if _is_label(entry.title) else None
    return joined


def _is_label(title: str) -> bool:
    number = parse_number(title)
    is_number_alone = number is not None and number.title_start == len(title)
    return is_number_alone and _LABEL_WORD.match(title) is not None


def _continues_label(before: OutlineEntry, entry: OutlineEntry) -> bool:
    """Whether an entry is directly below another on the page, at its level and without a number."""
    if entry.y is None or before.y is None:
        return False
    is_beside = entry.level == before.level and entry.page == before.page
    is_below = 0 < entry.y - before.y <= _MAX_LABEL_GAP_PT
    return is_beside and is_below and parse_number(entry.title) is None


def _assign_levels(
    entries: Sequence[NumberedEntry], last_page: int, *, root_level: int, mend: bool
) -> tuple[list[ListedHeading], int]:
    """The entries with their parents, and how many levels were repaired."""
    headings: list[ListedHeading] = []
    last_child: dict[int, int] = {}
    number_forms: set[tuple[int, str]] = set()  # of the children of each parent
    branch: list[tuple[float, int]] = []  # (level as listed, index) of the ancestors
    repaired = 0
    for number, entry in entries:
        while branch and branch[-1][0] >= entry.level:
            branch.pop()
        level_above, above = branch[-1] if branch else (root_level, NO_PARENT)
        repaired += entry.level > level_above + 1
        level: float = entry.level
        item = parse_number(entry.title)
        is_first = item is not None and (above, item.form) not in number_forms
        number_above = parse_number(headings[above].title) if branch else None
        # Chapter 2 listed below chapter 1 moves beside it,
        if mend and is_first and continues_parent(item, number_above):
            level, _ = branch.pop()
            repaired += 1
        parent = branch[-1][1] if branch else NO_PARENT
        sibling = last_child.get(parent)
        # and 1.1 listed beside 1 moves below it: half a level deeper, so that 2 is beside 1 again.
        if mend and sibling is not None and _is_below(headings[sibling].title, entry.title):
            branch.append((level, sibling))
            parent, level = sibling, level + 0.5
            repaired += 1
        page, y = entry.page, entry.y
        if page is None or not 1 <= page <= last_page:
            page = y = None
        index = len(headings)
        headings.append(ListedHeading(number, entry.title, len(branch) + 1, parent, page, y))
        last_child[parent] = index
        if item:
            number_forms.add((parent, item.form))
        branch.append((level, index))
    return headings, repaired


def continues_parent(number: ItemNumber | None, above: ItemNumber | None) -> bool:
    """Whether a number follows that of its parent: chapter 2 inside chapter 1.

    Item 7A below Item 7 does not count: some outlines list it so on purpose.
    """
    if number is None or above is None:
        return False
    return len(above.value) == len(number.value) and follows(above, number)


def _is_below(upper_title: str, title: str) -> bool:
    """Whether a title's dotted number continues another's: 3.1.1 and 3.1, A.2 and Appendix A."""
    upper, lower = parse_number(upper_title), parse_number(title)
    return upper is not None and lower is not None and is_dotted_prefix(upper, lower)


def _out_of_order(headings: Sequence[ListedHeading]) -> int:
    """How many headings point to an earlier page than the heading before them."""
    pages = [heading.page for heading in headings if heading.page is not None]
    return sum(later < earlier for earlier, later in pairwise(pages))


def _repeats(entry: OutlineEntry, before: OutlineEntry) -> bool:
    """Whether an entry repeats the title and the destination of the one before."""
    if entry.y is None or (entry.page, entry.y) != (before.page, before.y):
        return False
    return key(entry.title) == key(before.title)


def _find_document_title(entries: Sequence[OutlineEntry]) -> int | None:
    """The index of the entry that is the document's title, None if there is none.

    All or nearly all other entries lie below it, and it has no number. A numbered entry, or one with dotted
    numbers directly below, heads a chapter that was published on its own.
    """
    top_level = min((entry.level for entry in entries), default=0)
    for index, entry in enumerate(entries):
        below = _below(entries, index) if entry.level == top_level else []
        if below and parse_number(entry.title) is None:
            if len(below) == len(entries) - 1:
                return index
            if len(below) >= max(_MIN_BELOW_TITLE, _MIN_TITLE_SHARE * (len(entries) - 1)):
                return None if any(map(_has_dotted_number, _children(below))) else index
    return None


def _below(entries: Sequence[OutlineEntry], index: int) -> list[OutlineEntry]:
    level = entries[index].level
    return list(takewhile(lambda entry: entry.level > level, islice(entries, index + 1, None)))


def _children(below: Sequence[OutlineEntry]) -> Iterator[OutlineEntry]:
    level = min(entry.level for entry in below)
    return (entry for entry in below if entry.level == level)


def _has_dotted_number(entry: OutlineEntry) -> bool:
    number = parse_number(entry.title)
    return number is not None and len(number.value) > 1


def _remove_document_title(entries: Sequence[NumberedEntry], index: int) -> list[NumberedEntry]:
    """Removes the document's title and moves the entries below it up one level."""
    count = len(_below([entry for _, entry in entries], index))
    begin = index + 1
    end = begin + count
    lifted = [(number, entry._replace(level=entry.level - 1)) for number, entry in entries[begin:end]]
    return [*entries[:index], *lifted, *entries[end:]]
