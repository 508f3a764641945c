"""What the printed contents and the running heads say of each object: they name the headings."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from held.document import Document, Kind
from held.headings import Floats
from held.headings.text_features import key
from held.numbering import ItemNumber, is_dotted_prefix, parse_number
from held.numbering.titles import without_continuation

NO_ENTRY = -1
_STEP = 3.0  # points between the left edges of two levels of entries
_BOLD_WEIGHS = 0.5  # points of size: bold entries of a size stand above plain ones
_SAME_WEIGHT = 0.25  # points: what differs less is set alike


class Entry(NamedTuple):
    """An entry of the printed contents."""

    level: int  # from 0
    parent: int  # the place of the entry above it, NO_ENTRY for none
    label: int | None  # its page label, where that counts in digits


class _Setting(NamedTuple):
    """How an entry is set: what those of one level have in common."""

    step: int
    weight: float
    caps: bool
    rank: float | None

    def lies_under(self, other: _Setting) -> bool:
        """Whether an entry set so lies below one set like the other, if it follows right after it."""
        if self.step != other.step:
            return self.step > other.step
        if self.rank is not None and other.rank is not None and self.rank != other.rank:
            return self.rank > other.rank
        if abs(self.weight - other.weight) > _SAME_WEIGHT:
            return self.weight < other.weight
        return other.caps and not self.caps


def skeleton_of(document: Document, entries: Sequence[int]) -> list[Entry]:
    """The entries, which are objects of the document in reading order, as a skeleton."""
    numbers = [parse_number(document.objects[i].text) for i in entries]
    settings = _settings(document, entries, numbers)
    found: list[Entry] = []
    branch: list[int] = []  # the places of the entries above, and the last one
    for place, (setting, number) in enumerate(zip(settings, numbers, strict=True)):
        above = _above(setting, number, branch, settings, numbers)
        branch = [*above, place]
        parent = above[-1] if above else NO_ENTRY
        found.append(Entry(len(above), parent, _label(document.objects[entries[place]].rows)))
    return found


def _above(
    setting: _Setting,
    number: ItemNumber | None,
    branch: Sequence[int],
    settings: Sequence[_Setting],
    numbers: Sequence[ItemNumber | None],
) -> Sequence[int]:
    """What of the branch stays above an entry."""
    for depth in range(len(branch) - 1, -1, -1):
        upper = numbers[branch[depth]]
        if number is not None and upper is not None and is_dotted_prefix(upper, number):
            return branch[: depth + 1]
    for depth, place in enumerate(branch):
        if settings[place] == setting:
            return branch[:depth]
    depth = len(branch)
    while depth and not setting.lies_under(settings[branch[depth - 1]]):
        depth -= 1
    return branch[:depth]


def _settings(
    document: Document, entries: Sequence[int], numbers: Sequence[ItemNumber | None]
) -> list[_Setting]:
    steps = _steps(document, entries)
    found = []
    for i, step, number in zip(entries, steps, numbers, strict=True):
        o = document.objects[i]
        weight = round(o.style.size + _BOLD_WEIGHS * o.style.bold, 1)
        found.append(_Setting(step, weight, o.caps, None if number is None else number.pattern.rank))
    return found


def _steps(document: Document, entries: Sequence[int]) -> list[int]:
    """How many steps each entry is set in, from the leftmost edge of its column.

    Left and right pages may have other margins, so each side has an edge of its own.
    """
    boxes = [document.objects[i].box for i in entries]
    sides = [(document.objects[i].page % 2, document.objects[i].column) for i in entries]
    leftmost: dict[tuple[int, int], float] = {}
    for side, box in zip(sides, boxes, strict=True):
        leftmost[side] = min(leftmost.get(side, box.x0), box.x0)
    insets = [box.x0 - leftmost[side] for side, box in zip(sides, boxes, strict=True)]
    edges: list[float] = []
    for inset in sorted(insets):
        if not edges or inset - edges[-1] > _STEP:
            edges.append(inset)
    return [int(np.searchsorted(edges, inset + 1e-3)) - 1 for inset in insets]


def _label(rows: Sequence[Sequence[str]]) -> int | None:
    """The page label of an entry as a number; none where it is i, ii, iii or A-3."""
    label = rows[0][-1].strip() if rows and len(rows[0]) > 1 else ""
    return int(label) if label.isdecimal() else None


def page_offset(pairs: Sequence[tuple[int, int]]) -> int | None:
    """By how much page numbers exceed labels, from pairs of both; None where no two agree."""
    common = Counter(page - label for page, label in pairs).most_common(1)
    if not common or common[0][1] < 2:
        return None
    return common[0][0]


_NAMED_BY = ("in_contents", "contents_level", "contents_place", "in_running_head")
_WHOLE, _TITLE_ALONE = 2, 1  # how an entry names an object: with its number, or without
_FAR = 9.0  # pages: what is further away is not what an entry points to
_SHORTEST_HEAD = 3  # letters: what is shorter names too much
_HEAD_SEPARATOR = re.compile(r"\s*\|\s*|\s+[–—·•]\s+|\s{3,}")  # between the names in one running head
_UNKNOWN = -9.0  # where an entry has no page label, or names nothing

Places = dict[str, list[int]]
"""Where entries stand in the contents, by text."""

ENTRY_COLUMNS = ("contents_entry", "contents_parent")
"""Which entry names an object, and which entry lies above that one, from 1: they are equal, or not."""


def contents_columns(
    document: Document, keys: Sequence[str], bare: Sequence[str], numbers: Sequence[ItemNumber | None]
) -> dict[str, Floats]:
    """Columns: how an object is named by the printed contents, at what level, and by running heads.

    `in_contents` tells whether the whole text is an entry or only its title, number aside; `contents_page`
    how many pages the object stands from where the entry points.
    """
    objects = document.objects
    entries = [i for i, item in enumerate(objects) if item.kind is Kind.CONTENTS_ENTRY]
    skeleton = skeleton_of(document, entries)
    whole, titles = _entry_titles(document, entries, keys, numbers)
    candidates = _candidates(set(entries), keys, bare, whole, titles)
    pages = [item.page for item in objects]
    offset = page_offset(_sure_pages(candidates, skeleton, pages))
    columns = _blank_columns(len(keys))
    latest = -1
    for i, places in candidates.items():
        latest = _chosen(places, skeleton, pages[i], offset, latest)
        entry = skeleton[latest]
        columns["in_contents"][i] = _WHOLE if keys[i] in whole else _TITLE_ALONE
        columns["contents_level"][i] = entry.level + 1
        columns["contents_place"][i] = (latest + 1) / len(entries)
        columns["contents_page"][i] = _distance(entry, pages[i], offset)
        columns["contents_entry"][i] = latest + 1
        columns["contents_parent"][i] = entry.parent + 1
    columns["in_running_head"] = _in_running_heads(document, keys, bare)
    columns["in_running_head"][entries] = 0
    columns["contents_entries"] = np.full(len(keys), np.log1p(len(entries)), np.float32)
    return columns


def _blank_columns(count: int) -> dict[str, Floats]:
    """The columns of so many objects that nothing names."""
    names = (*_NAMED_BY, *ENTRY_COLUMNS)
    columns: dict[str, Floats] = {name: np.zeros(count, np.float32) for name in names}
    columns["contents_page"] = np.full(count, _UNKNOWN, np.float32)
    return columns


def _entry_titles(
    document: Document,
    entries: Sequence[int],
    keys: Sequence[str],
    numbers: Sequence[ItemNumber | None],
) -> tuple[Places, Places]:
    """The places of the entries by their whole text, and by their title without its number."""
    whole: Places = {}
    titles: Places = {}
    for place, i in enumerate(entries):
        whole.setdefault(keys[i], []).append(place)
        text = document.objects[i].text
        number = numbers[i] or parse_number(text)
        title = key(text[number.title_start :]) if number else keys[i]
        titles.setdefault(title or keys[i], []).append(place)
    return whole, titles


def _candidates(
    entries: Collection[int], keys: Sequence[str], bare: Sequence[str], whole: Places, titles: Places
) -> dict[int, list[int]]:
    """For each object that entries name the places of these."""
    found: dict[int, list[int]] = {}
    for i, (whole_text, title) in enumerate(zip(keys, bare, strict=True)):
        places = whole.get(whole_text) or titles.get(title) or titles.get(whole_text)
        if places and whole_text and i not in entries:
            found[i] = places
    return found


def _sure_pages(
    candidates: Mapping[int, Sequence[int]], skeleton: Sequence[Entry], pages: Sequence[int]
) -> list[tuple[int, int]]:
    """The pages of the objects that one entry alone names, each with that entry's page label."""
    found = []
    for i, places in candidates.items():
        label = skeleton[places[0]].label
        if len(places) == 1 and label is not None:
            found.append((pages[i], label))
    return found


def _chosen(
    places: Sequence[int], skeleton: Sequence[Entry], page: int, offset: int | None, latest: int
) -> int:
    """Which of the entries with an object's title names it: that of its page, or else the next in order."""
    for place in places:
        label = skeleton[place].label
        if offset is not None and label is not None and label + offset == page:
            return place
    # Entries stand in the order of what they name: one before the latest is not meant again.
    following = (place for place in places if place > latest)
    return next(following, places[0])


def _distance(entry: Entry, page: int, offset: int | None) -> float:
    if offset is None or entry.label is None:
        return _UNKNOWN
    return min(abs(entry.label + offset - page), _FAR)


def _in_running_heads(document: Document, keys: Sequence[str], bare: Sequence[str]) -> Floats:
    """On how many pages each object's text, or its title, runs at the head or the foot."""
    heads = _running_heads(document)
    pages = [heads.get(text) or heads.get(title) or 0 for text, title in zip(keys, bare, strict=True)]
    return np.array(pages, np.float32)


def _running_heads(document: Document) -> dict[str, int]:
    """On how many pages each text runs at the head or the foot, with and without its number."""
    counts: dict[str, int] = {}
    for item in document.furniture:
        if item.kind not in (Kind.HEADER, Kind.FOOTER):
            continue
        text = key(item.text)
        without_page_number = text.strip("0123456789")
        names = {text, without_page_number}
        number = parse_number(item.text)
        if number is not None:
            names.add(key(item.text[number.title_start :]))
        for name in names:
            if len(name) >= _SHORTEST_HEAD:
                counts[name] = counts.get(name, 0) + 1
    return counts


def running_head_pages(document: Document) -> dict[str, tuple[int, ...]]:
    """The pages, from 0, at whose head or foot each name runs.

    A line may join several names ("Annual Report | Directors' report"), and a name may be "(continued)".
    """
    pages: dict[str, set[int]] = {}
    for item in document.furniture:
        if item.kind not in (Kind.HEADER, Kind.FOOTER):
            continue
        lines = (item.text, *_HEAD_SEPARATOR.split(item.text))
        for name in {key(without_continuation(line)).strip("0123456789") for line in lines}:
            if len(name) >= _SHORTEST_HEAD:
                pages.setdefault(name, set()).add(item.page - document.first_page)
    return {name: tuple(sorted(own)) for name, own in pages.items()}
