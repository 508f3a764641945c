"""What the printed contents and the running heads say of each object: they name the headings."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from held.document import Document, Kind
from held.features.texts import Floats, key
from held.numbering import ItemNumber, parse

_STEP = 3.0  # points between the left edges of two levels of entries
_NAMED_BY = ("in_contents", "contents_level", "contents_place", "in_running_head")
_WHOLE, _TITLE_ALONE = 2, 1  # how an entry names an object: with its number, or without


def contents_columns(
    document: Document, keys: Sequence[str], bare: Sequence[str], numbers: Sequence[ItemNumber | None]
) -> dict[str, Floats]:
    """Columns: how an object is named by the printed contents, at what level, and by running heads.

    `in_contents` tells whether the whole text is an entry or only its title, number aside.
    """
    entries = [i for i, o in enumerate(document.objects) if o.kind is Kind.CONTENTS_ENTRY]
    is_entry = np.zeros(len(keys), np.float32)
    is_entry[entries] = 1
    levels = _levels(document, entries)
    whole: dict[str, list[int]] = {}
    titles: dict[str, list[int]] = {}
    for place, i in enumerate(entries):
        whole.setdefault(keys[i], []).append(place)
        number = numbers[i] or parse(document.objects[i].text)
        title = key(document.objects[i].text[number.title_start :]) if number else keys[i]
        titles.setdefault(title or keys[i], []).append(place)
    heads = _running_heads(document)
    columns: dict[str, Floats] = {name: np.zeros(len(keys), np.float32) for name in _NAMED_BY}
    latest = -1
    for i, (k, title) in enumerate(zip(keys, bare, strict=True)):
        if is_entry[i] or not k:
            continue
        places = whole.get(k) or titles.get(title) or titles.get(k)
        if places:
            # Titles that stand twice are named in the order of the contents.
            latest = next((p for p in places if p > latest), places[0])
            columns["in_contents"][i] = _WHOLE if k in whole else _TITLE_ALONE
            columns["contents_level"][i] = levels[latest] + 1
            columns["contents_place"][i] = (latest + 1) / len(entries)
        columns["in_running_head"][i] = heads.get(k) or heads.get(title) or 0
    columns["contents_entries"] = np.full(len(keys), np.log1p(len(entries)), np.float32)
    return columns


def _levels(document: Document, entries: Sequence[int]) -> list[int]:
    """The level of each entry, from 0, by how far it is set in from its page's leftmost entry."""
    leftmost: dict[tuple[int, int], float] = {}
    for i in entries:
        o = document.objects[i]
        place = (o.page, o.column)
        leftmost[place] = min(leftmost.get(place, o.box.x0), o.box.x0)
    insets = [
        document.objects[i].box.x0 - leftmost[document.objects[i].page, document.objects[i].column]
        for i in entries
    ]
    steps: list[float] = []
    for inset in sorted(insets):
        if not steps or inset - steps[-1] > _STEP:
            steps.append(inset)
    return [int(np.searchsorted(steps, inset + 1e-3)) - 1 for inset in insets]


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
