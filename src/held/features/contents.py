"""What the printed contents and the running heads say of each object: they name the headings."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

import numpy as np

from held.document import Document, Kind
from held.features.skeleton import Entry, page_offset, skeleton_of
from held.features.texts import Floats, key
from held.numbering import ItemNumber, parse

_NAMED_BY = ("in_contents", "contents_level", "contents_place", "in_running_head")
_WHOLE, _TITLE_ALONE = 2, 1  # how an entry names an object: with its number, or without
_FAR = 9.0  # pages: what is further away is not what an entry points to
_UNKNOWN = -9.0  # where an entry has no page label, or names nothing

ENTRY_COLUMNS = ("contents_entry", "contents_parent")
"""Which entry names an object, and which entry lies above that one, from 1: they are equal, or not."""


def contents_columns(
    document: Document, keys: Sequence[str], bare: Sequence[str], numbers: Sequence[ItemNumber | None]
) -> dict[str, Floats]:
    """Columns: how an object is named by the printed contents, at what level, and by running heads.

    `in_contents` tells whether the whole text is an entry or only its title, number aside; `contents_page`
    how many pages the object stands from where the entry points.
    """
    entries = [i for i, o in enumerate(document.objects) if o.kind is Kind.CONTENTS_ENTRY]
    skeleton = skeleton_of(document, entries)
    whole, titles = _entry_titles(document, entries, keys, numbers)
    candidates = _candidates(set(entries), keys, bare, whole, titles)
    pages = [o.page for o in document.objects]
    offset = page_offset(_sure_pages(candidates, skeleton, pages))
    heads = _running_heads(document)
    names = (*_NAMED_BY, *ENTRY_COLUMNS)
    columns: dict[str, Floats] = {name: np.zeros(len(keys), np.float32) for name in names}
    columns["contents_page"] = np.full(len(keys), _UNKNOWN, np.float32)
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
    named = [heads.get(k) or heads.get(title) or 0 for k, title in zip(keys, bare, strict=True)]
    columns["in_running_head"] = np.array(named, np.float32)
    columns["in_running_head"][entries] = 0
    columns["contents_entries"] = np.full(len(keys), np.log1p(len(entries)), np.float32)
    return columns


Places = dict[str, list[int]]


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
        number = numbers[i] or parse(document.objects[i].text)
        title = key(document.objects[i].text[number.title_start :]) if number else keys[i]
        titles.setdefault(title or keys[i], []).append(place)
    return whole, titles


def _candidates(
    entries: Collection[int], keys: Sequence[str], bare: Sequence[str], whole: Places, titles: Places
) -> dict[int, list[int]]:
    """For each object that entries name the places of these."""
    found: dict[int, list[int]] = {}
    for i, (k, title) in enumerate(zip(keys, bare, strict=True)):
        places = whole.get(k) or titles.get(title) or titles.get(k)
        if places and k and i not in entries:
            found[i] = places
    return found


def _sure_pages(
    candidates: Mapping[int, Sequence[int]], skeleton: Sequence[Entry], pages: Sequence[int]
) -> list[tuple[int, int]]:
    """The pages of the objects that one entry alone names, each with that entry's page label."""
    alone = ((pages[i], skeleton[places[0]].label) for i, places in candidates.items() if len(places) == 1)
    return [(page, label) for page, label in alone if label is not None]


def _chosen(
    places: Sequence[int], skeleton: Sequence[Entry], page: int, offset: int | None, latest: int
) -> int:
    """Which of the entries with an object's title names it: that of its page, or else the next in order."""
    for place in places:
        label = skeleton[place].label
        if offset is not None and label is not None and label + offset == page:
            return place
    return next((place for place in places if place > latest), places[0])


def _distance(entry: Entry, page: int, offset: int | None) -> float:
    if offset is None or entry.label is None:
        return _UNKNOWN
    return min(abs(entry.label + offset - page), _FAR)


def _running_heads(document: Document) -> dict[str, int]:
    """On how many pages each text runs at the head or the foot, with and without its number."""
    counts: dict[str, int] = {}
    for o in document.furniture:
        if o.kind not in (Kind.HEADER, Kind.FOOTER):
            continue
        number = parse(o.text)
        names = {key(o.text), key(o.text).strip("0123456789")}
        if number is not None:
            names.add(key(o.text[number.title_start :]))
        for name in names:
            if len(name) > 2:
                counts[name] = counts.get(name, 0) + 1
    return counts
