"""Headings from a structure tree: H1 to H6 by their digit, H by the sections around it.

Tags are no more to be trusted than outlines (whole families of reports swap H1 and H2), so the levels that
contradict the item numbers least are taken, and tags and outline are compared where a file has both.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from held.document import OutlineEntry
from held.hierarchy.matching.outline import NO_PARENT, ListedHeading, listed_headings
from held.hierarchy.matching.titles import bare_key
from held.hierarchy.matching.trust import MOST_CONTRADICTIONS, contradiction
from held.reading.tags import HEADINGS, Tags

_NO_LIMIT = 10**9
_SWAPPED = {1: 2, 2: 1}


class Agreement(NamedTuple):
    """How many titles two outlines share, and how many of these lie under the same title in both."""

    shared: int
    alike: int


def outline_of_tags(tags: Tags) -> tuple[OutlineEntry, ...]:
    """The headings that a file's tags declare, as an outline with the levels that fit their numbers best."""
    declared = tuple(
        OutlineEntry(_level(block.type, block.sections), block.text, block.pages[0], None)
        for block in tags.blocks
        if block.type in HEADINGS and block.pages
    )
    swapped = tuple(entry._replace(level=_SWAPPED.get(entry.level, entry.level)) for entry in declared)
    return min((declared, swapped), key=_misfit)


def _level(type: str, sections: int) -> int:
    return int(type[1:]) if len(type) > 1 else max(sections, 1)


def _misfit(outline: Sequence[OutlineEntry]) -> float:
    """How much an outline's levels contradict its numbers, from 0 to 1."""
    return contradiction(listed_headings(outline, last_page=_NO_LIMIT, mend_by_numbers=False).headings)


def choose(
    outline: Sequence[OutlineEntry], tagged: Sequence[OutlineEntry]
) -> tuple[str, Sequence[OutlineEntry]]:
    """Where labels come from, and the entries: the outline, but the tags if it is none or makes no sense."""
    if not outline or (tagged and _misfit(outline) > MOST_CONTRADICTIONS >= _misfit(tagged)):
        return "tags", tagged
    return "outline", outline


def agreement(outline: Sequence[OutlineEntry], tagged: Sequence[OutlineEntry]) -> Agreement:
    """How far an outline and the tags of the same file agree; titles that repeat are passed over."""
    first, second = _parents_by_title(outline), _parents_by_title(tagged)
    shared = first.keys() & second.keys()
    return Agreement(len(shared), sum(first[title] == second[title] for title in shared))


def _parents_by_title(outline: Sequence[OutlineEntry]) -> dict[str, str]:
    """The title above each title that the outline has once, item numbers aside."""
    headings = listed_headings(outline, last_page=_NO_LIMIT).headings
    found: dict[str, str] = {}
    repeated: set[str] = set()
    for heading in headings:
        title = bare_key(heading.title)
        repeated |= {title} & found.keys()
        found[title] = _title_above(heading, headings)
    return {title: parent for title, parent in found.items() if title not in repeated}


def _title_above(heading: ListedHeading, headings: Sequence[ListedHeading]) -> str:
    return "" if heading.parent == NO_PARENT else bare_key(headings[heading.parent].title)
