"""The printed contents as a skeleton of the document: which entry lies under which, and where it points.

What is set further in lies below; at the same edge a part lies above a chapter, bold or large above plain.
A dotted number goes under its prefix whatever the edge says. It is evidence and no rule: contents are
cut to two levels, and set flat where the document is deep.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from held.document import Document
from held.numbering import ItemNumber, is_dotted_prefix, parse_number

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
