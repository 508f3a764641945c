"""What the printed contents and the running heads say of each object: they name the headings."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from held.document import Document, Kind, PhysicalObject
from held.headings import Floats
from held.headings.text_features import key
from held.numbering import ItemNumber, is_dotted_prefix, parse_number
from held.numbering.titles import without_continuation

# --- The tree of the printed contents ---

NO_PARENT = -1  # of an entry at the top
_MIN_INDENT_PT = 3.0  # between the left edges of two levels of entries
_BOLD_WEIGHS_PT = 0.5  # of size: bold entries of a size stand above plain ones
_SAME_WEIGHT_PT = 0.25  # what differs less is set alike
_EDGE_ROUNDING_PT = 1e-3  # so that an entry at an edge counts as right of it


class TocEntry(NamedTuple):
    """An entry of the printed contents."""

    level: int  # from 0
    parent: int  # the index of the entry above it, NO_PARENT for none
    label: int | None  # its page label, where that counts in digits


class _EntryStyle(NamedTuple):
    """How an entry is set: what those of one level have in common."""

    indent: int  # how many steps it is set in
    weight: float  # points of size, more if it is bold
    caps: bool
    rank: float | None  # of its number's pattern: a part ranks before a chapter

    def lies_under(self, other: _EntryStyle) -> bool:
        """Whether an entry set so lies below one set like the other, if it follows right after it."""
        if self.indent != other.indent:
            return self.indent > other.indent
        if self.rank is not None and other.rank is not None and self.rank != other.rank:
            return self.rank > other.rank
        if abs(self.weight - other.weight) > _SAME_WEIGHT_PT:
            return self.weight < other.weight
        return other.caps and not self.caps


def toc_tree(entries: Sequence[PhysicalObject]) -> list[TocEntry]:
    """The entries of the printed contents, given in reading order, with their levels and parents.

    1 Boats ......... 3     level 0
      1.1 Sails ..... 4     level 1, below entry 0
    2 Harbours ...... 9     level 0
    """
    numbers = [parse_number(entry.text) for entry in entries]
    styles = _entry_styles(entries, numbers)
    tree: list[TocEntry] = []
    branch: list[int] = []  # the entries above the last one, and the last one
    for index, entry in enumerate(entries):
        depth = _number_depth(numbers[index], [numbers[above] for above in branch])
        if depth is None:
            depth = _style_depth(styles[index], [styles[above] for above in branch])
        parent = branch[depth - 1] if depth else NO_PARENT
        branch = [*branch[:depth], index]
        tree.append(TocEntry(depth, parent, _page_label(entry)))
    return tree


def _number_depth(number: ItemNumber | None, branch: Sequence[ItemNumber | None]) -> int | None:
    """How much of the branch stays above a number: 1.2.3 lies below 1.2. None where numbers do not tell."""
    if number is None:
        return None
    for depth in range(len(branch), 0, -1):
        upper = branch[depth - 1]
        if upper is not None and is_dotted_prefix(upper, number):
            return depth
    return None


def _style_depth(style: _EntryStyle, branch: Sequence[_EntryStyle]) -> int:
    """How much of the branch stays above an entry of this style: all above the first one set alike."""
    if style in branch:
        return branch.index(style)
    depth = len(branch)
    while depth and not style.lies_under(branch[depth - 1]):
        depth -= 1
    return depth


def _entry_styles(
    entries: Sequence[PhysicalObject], numbers: Sequence[ItemNumber | None]
) -> list[_EntryStyle]:
    styles = []
    for entry, indent, number in zip(entries, _indents(entries), numbers, strict=True):
        weight = round(entry.style.size + _BOLD_WEIGHS_PT * entry.style.bold, 1)
        rank = None if number is None else number.pattern.rank
        styles.append(_EntryStyle(indent, weight, entry.caps, rank))
    return styles


def _indents(entries: Sequence[PhysicalObject]) -> list[int]:
    """How many steps each entry is set in, from the leftmost edge of its column.

    Left and right pages may have other margins, so each side has an edge of its own.
    """
    sides = [(entry.page % 2, entry.column) for entry in entries]
    lefts = [entry.box.x0 for entry in entries]
    leftmost: dict[tuple[int, int], float] = {}
    for side, left in zip(sides, lefts, strict=True):
        leftmost[side] = min(leftmost.get(side, left), left)
    insets = [left - leftmost[side] for side, left in zip(sides, lefts, strict=True)]
    edges: list[float] = []
    for inset in sorted(insets):
        if not edges or inset - edges[-1] > _MIN_INDENT_PT:
            edges.append(inset)
    edges_left_of = [int(np.searchsorted(edges, inset + _EDGE_ROUNDING_PT)) for inset in insets]
    return [count - 1 for count in edges_left_of]


def _page_label(entry: PhysicalObject) -> int | None:
    """The page label of an entry as a number; none where it is i, ii, iii or A-3."""
    if not entry.rows:
        return None
    first_row = entry.rows[0]
    if len(first_row) < 2:  # a title without a label
        return None
    label = first_row[-1].strip()
    return int(label) if label.isdecimal() else None


def page_offset(pairs: Sequence[tuple[int, int]]) -> int | None:
    """By how much page numbers exceed labels, from pairs of both; None where no two agree."""
    offsets = Counter(page - label for page, label in pairs)
    if not offsets:
        return None
    offset, count = offsets.most_common(1)[0]
    return offset if count >= 2 else None


# --- Which entries name which objects ---

ENTRY_COLUMNS = ("contents_entry", "contents_parent")
"""Which entry names an object, and which entry lies above that one, from 1: they are equal, or not."""

_NAMED_BY = ("in_contents", "contents_level", "contents_place", "in_running_head")
_WHOLE, _TITLE_ALONE = 2, 1  # how an entry names an object: with its number, or without
_MAX_PAGES_AWAY = 9.0  # what is further away is not what an entry points to
_UNKNOWN_DISTANCE = -9.0  # where an entry has no page label, or names nothing

EntriesByText = dict[str, list[int]]
"""The indices of entries in the contents, by text."""


def contents_columns(
    document: Document, keys: Sequence[str], bare: Sequence[str], numbers: Sequence[ItemNumber | None]
) -> dict[str, Floats]:
    """Columns: how an object is named by the printed contents, at what level, and by running heads.

    `in_contents` tells whether the whole text is an entry or only its title, number aside; `contents_page`
    how many pages the object stands from where the entry points.
    """
    objects = document.objects
    entries = [i for i, item in enumerate(objects) if item.kind is Kind.CONTENTS_ENTRY]
    tree = toc_tree([objects[i] for i in entries])
    whole, titles = _entries_by_text(document, entries, keys, numbers)
    candidates = _candidates(set(entries), keys, bare, whole, titles)
    pages = [item.page for item in objects]
    offset = page_offset(_sure_pages(candidates, tree, pages))
    columns = _blank_columns(len(keys))
    latest = -1
    for i, named_by in candidates.items():
        latest = _choose_entry(named_by, tree, pages[i], offset, latest)
        entry = tree[latest]
        columns["in_contents"][i] = _WHOLE if keys[i] in whole else _TITLE_ALONE
        columns["contents_level"][i] = entry.level + 1
        columns["contents_place"][i] = (latest + 1) / len(entries)
        columns["contents_page"][i] = _pages_away(entry, pages[i], offset)
        columns["contents_entry"][i] = latest + 1
        columns["contents_parent"][i] = entry.parent + 1
    columns["in_running_head"] = _in_running_heads(document, keys, bare)
    columns["in_running_head"][entries] = 0
    log_entries = np.log1p(len(entries))
    columns["contents_entries"] = np.full(len(keys), log_entries, np.float32)
    return columns


def _blank_columns(count: int) -> dict[str, Floats]:
    """The columns of so many objects that nothing names."""
    names = (*_NAMED_BY, *ENTRY_COLUMNS)
    columns: dict[str, Floats] = {name: np.zeros(count, np.float32) for name in names}
    columns["contents_page"] = np.full(count, _UNKNOWN_DISTANCE, np.float32)
    return columns


def _entries_by_text(
    document: Document,
    entries: Sequence[int],
    keys: Sequence[str],
    numbers: Sequence[ItemNumber | None],
) -> tuple[EntriesByText, EntriesByText]:
    """The entries by their whole text, and by their title without its number."""
    whole: EntriesByText = {}
    titles: EntriesByText = {}
    for entry, i in enumerate(entries):
        whole.setdefault(keys[i], []).append(entry)
        text = document.objects[i].text
        number = numbers[i] or parse_number(text)
        title = key(text[number.title_start :]) if number else keys[i]
        titles.setdefault(title or keys[i], []).append(entry)
    return whole, titles


def _candidates(
    entries: Collection[int],
    keys: Sequence[str],
    bare: Sequence[str],
    whole: EntriesByText,
    titles: EntriesByText,
) -> dict[int, list[int]]:
    """For each object that entries name the indices of these."""
    candidates: dict[int, list[int]] = {}
    for i, (text, title) in enumerate(zip(keys, bare, strict=True)):
        named_by = whole.get(text) or titles.get(title) or titles.get(text)
        if named_by and text and i not in entries:
            candidates[i] = named_by
    return candidates


def _sure_pages(
    candidates: Mapping[int, Sequence[int]], tree: Sequence[TocEntry], pages: Sequence[int]
) -> list[tuple[int, int]]:
    """The pages of the objects that one entry alone names, each with that entry's page label."""
    pairs = []
    for i, named_by in candidates.items():
        label = tree[named_by[0]].label
        if len(named_by) == 1 and label is not None:
            pairs.append((pages[i], label))
    return pairs


def _choose_entry(
    named_by: Sequence[int], tree: Sequence[TocEntry], page: int, offset: int | None, latest: int
) -> int:
    """Which of the entries with an object's title names it: that of its page, or else the next in order."""
    for index in named_by:
        if _pages_away(tree[index], page, offset) == 0:
            return index
    # Entries stand in the order of what they name: one before the latest is not meant again.
    following = (index for index in named_by if index > latest)
    return next(following, named_by[0])


def _pages_away(entry: TocEntry, page: int, offset: int | None) -> float:
    """How many pages an object stands from where an entry points, up to a bound."""
    if offset is None or entry.label is None:
        return _UNKNOWN_DISTANCE
    return min(abs(entry.label + offset - page), _MAX_PAGES_AWAY)


# --- Running heads ---

_MIN_HEAD_LENGTH = 3  # letters: what is shorter names too much
_HEAD_SEPARATOR = re.compile(r"\s*\|\s*|\s+[–—·•]\s+|\s{3,}")  # between the names in one running head
_DIGITS = "0123456789"  # around a running head: page numbers


def _in_running_heads(document: Document, keys: Sequence[str], bare: Sequence[str]) -> Floats:
    """On how many pages each object's text, or its title, runs at the head or the foot."""
    counts: Counter[str] = Counter()
    for item in _heads_and_feet(document):
        text = key(item.text)
        names = {text, text.strip(_DIGITS)}
        number = parse_number(item.text)
        if number is not None:
            names.add(key(item.text[number.title_start :]))
        counts.update(name for name in names if len(name) >= _MIN_HEAD_LENGTH)
    titles = zip(keys, bare, strict=True)
    pages = [counts[whole] or counts[without_number] for whole, without_number in titles]
    return np.array(pages, np.float32)


def running_head_pages(document: Document) -> dict[str, tuple[int, ...]]:
    """The pages, from 0, at whose head or foot each name runs.

    A line may join several names ("Annual Report | Directors' report"), and a name may be "(continued)".
    """
    pages: dict[str, set[int]] = {}
    for item in _heads_and_feet(document):
        lines = (item.text, *_HEAD_SEPARATOR.split(item.text))
        names = {key(without_continuation(line)).strip(_DIGITS) for line in lines}
        for name in names:
            if len(name) >= _MIN_HEAD_LENGTH:
                pages.setdefault(name, set()).add(item.page - document.first_page)
    return {name: tuple(sorted(own)) for name, own in pages.items()}


def _heads_and_feet(document: Document) -> Iterator[PhysicalObject]:
    return (item for item in document.furniture if item.kind in (Kind.HEADER, Kind.FOOTER))
