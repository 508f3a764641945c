"""Titles at the head of a page that stand there again on the next one: what they head goes on.

A statement over two pages, or a chapter whose pages all bear its title, begins once. Of 14 such titles that
trees took for headings which had not seen their documents, outlines list 2.
"""

from __future__ import annotations

import numpy as np

from held.features.table import SAME_SIZE, Table
from held.features.texts import Floats

REPEATED = 0.14
"""How likely such a title is a heading of its own."""

_FEWEST = 2  # objects below a title, without which there is nothing that could go on


def without_repeated(probabilities: Floats, table: Table, threshold: float) -> Floats:
    """The probabilities of headings, where titles that the page before had are unlikely ones."""
    lowered = probabilities.copy()
    size = table["size"]
    latest: dict[int, int] = {}  # of each look, where nothing larger came after it
    for place in np.flatnonzero(probabilities >= threshold).tolist():
        look = int(table.look[place])
        before = latest.get(look)
        if before is not None and _goes_on(table, before, place):
            lowered[place] = min(lowered[place], REPEATED)
        latest = {own: at for own, at in latest.items() if size[at] >= size[place] - SAME_SIZE}
        latest[look] = place
    return lowered


def _goes_on(table: Table, before: int, place: int) -> bool:
    """Whether an object says at the head of the next page what an earlier one says at its own."""
    on_the_next_page = table["page"][place] == table["page"][before] + 1
    are_heads = table["first_on_page"][before] and table["first_on_page"][place]
    same_words = table.keys[place] and table.keys[place] == table.keys[before]
    return bool(on_the_next_page and are_heads and same_words and place - before > _FEWEST)
