"""The document's title above its headings, for the formats that people read.

The title is the only heading of level 1 there, so the sections begin at level 2. The tree itself does not
change: its levels, paths and JSON are those of the headings alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from held.hierarchy.hierarchy import Hierarchy
from held.layout.title import title_objects


class TitledLevels(NamedTuple):
    """The title, "" if there is none; the objects that print it; and the levels of the other headings."""

    title: str
    printed: frozenset[int]
    levels: Mapping[int, int]


def titled_levels(hierarchy: Hierarchy, *, no_title: bool = False) -> TitledLevels:
    """The title with the levels below it; without a title, the levels of the tree."""
    title = hierarchy.document.metadata.title
    if no_title or not title:
        return TitledLevels("", frozenset(), hierarchy.tree.levels())
    printed = frozenset(title_objects(hierarchy.document.objects, title))
    paths = hierarchy.tree.paths()
    levels = {}
    for heading in hierarchy.headings:
        if heading not in printed:
            # A title that is a heading as well counts once: as the title.
            above = [index for index in paths[heading] if index not in printed]
            levels[heading] = len(above) + 1
    return TitledLevels(title, printed, levels)
