"""Titles that stand twice: what they head begins once.

A statement over two pages, or a chapter whose pages all bear its title, goes on at the head of the next page.
Of 14 such titles that trees took for headings which had not seen their documents, outlines list 2. And a page
may say "Part 1" alone before the next one says "Part 1: Aims": of such numbers outlines list none.
"""

from __future__ import annotations

import numpy as np

from held.headings.object_features import SAME_SIZE, ObjectFeatures
from held.headings.texts import Floats

REPEATED = 0.14
"""How likely such a title is a heading of its own."""

_FEWEST = 2  # objects below a title, without which there is nothing that could go on


def without_repeated(probabilities: Floats, table: ObjectFeatures, threshold: float) -> Floats:
    """The probabilities of headings, where titles that stand twice are likely ones once."""
    lowered = probabilities.copy()
    size = table["size"]
    latest: dict[int, int] = {}  # of each look, where nothing larger came after it
    for place in np.flatnonzero(probabilities >= threshold).tolist():
        look = int(table.look[place])
        before = latest.get(look)
        if _announces_the_next(table, place) or (before is not None and _goes_on(table, before, place)):
            lowered[place] = min(lowered[place], REPEATED)
        latest = {own: at for own, at in latest.items() if size[at] >= size[place] - SAME_SIZE}
        latest[look] = place
    return lowered


def _goes_on(table: ObjectFeatures, before: int, place: int) -> bool:
    """Whether an object says at the head of the next page what an earlier one says at its own."""
    on_the_next_page = table["page"][place] == table["page"][before] + 1
    are_heads = table["first_on_page"][before] and table["first_on_page"][place]
    same_words = table.keys[place] and table.keys[place] == table.keys[before]
    return bool(on_the_next_page and are_heads and same_words and place - before > _FEWEST)


def _announces_the_next(table: ObjectFeatures, place: int) -> bool:
    """Whether an object is a number alone, and the next one begins with the same number and has a title."""
    if table.numbers[place] is None or table.bare_keys[place] != table.keys[place] or place + 1 == len(table):
        return False
    own, below = table.keys[place], table.keys[place + 1]
    same_number = table.numbers[place + 1] is not None and table.bare_keys[place + 1] != below
    return bool(own and same_number and below == own + table.bare_keys[place + 1])
