"""Measures which printed contents the layout finds, by the outline of the PDF.

An entry of the outline is printed in the contents if a line of an earlier page reads like its title, and
three other lines of that page read like titles, too. It is found if the layout has a contents entry with the
title.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import NamedTuple

from held.document import Pages
from held.hierarchy.matching.outline import ListedHeading, listed_headings
from held.layout.furniture import find_furniture, find_overlays
from held.layout.lines import Line, build_lines
from held.layout.printed_contents import find_contents
from held.layout.rotated_text import apply_rotation

LOWEST_LEVEL = 2  # of the headings that are looked for: longer lists are seldom printed whole
FEWEST_ON_PAGE = 4  # titles that make a page one of contents
MOST = 0.5  # share of the headings that a list names, for the document to count as one that prints it
COVERED = 0.8  # share of the printed entries that are found, for a list to count as found
_SHORTEST = 3  # letters: shorter titles stand everywhere
_BROKEN = 0.5  # share of a title that its first line has
_NO_LETTERS = re.compile(r"[\W\d_]+")


class Coverage(NamedTuple):
    """How many headings of the upper levels a document has, how many its contents print, and are found."""

    headings: int
    printed: int
    found: int

    @property
    def prints_most(self) -> bool:
        """Whether the document prints a list that names most of its upper headings."""
        return self.printed >= max(FEWEST_ON_PAGE, MOST * self.headings)

    @property
    def is_covered(self) -> bool:
        """Whether most of what is printed is found."""
        return self.found >= COVERED * self.printed


def coverage(pages: Pages) -> Coverage:
    """How many entries of the outline the printed contents have, and how many of these the layout finds."""
    pages = apply_rotation(pages)
    listed = listed_headings(pages.outline, last_page=len(pages.pages)).headings
    upper = [heading for heading in listed if heading.level <= LOWEST_LEVEL and heading.page is not None]
    titles = {index: letters(heading.title) for index, heading in enumerate(upper)}
    title_of = {index: title for index, title in titles.items() if len(title) >= _SHORTEST}
    lines = [build_lines(page, pages.styles) for page in pages.pages]
    printed = _printed_headings(lines, upper, title_of)
    found = find_contents(pages, lines, find_furniture(pages, lines, find_overlays(pages, lines)))
    entries = [letters(entry.title) for on_page in found for entry in on_page]
    known = {index for index in printed if any(_reads_like(title_of[index], entry) for entry in entries)}
    return Coverage(len(title_of), len(printed), len(known))


def letters(text: str) -> str:
    """The letters of a text, small."""
    return _NO_LETTERS.sub("", text).casefold()


def _printed_headings(
    lines: Sequence[Sequence[Line]], headings: Sequence[ListedHeading], title_of: Mapping[int, str]
) -> set[int]:
    """The headings that a page before their own prints among others."""
    printed: set[int] = set()
    for number, on_page in enumerate(lines, start=1):
        later = [index for index in title_of if (headings[index].page or 0) > number]
        named = _named_on_page(later, title_of, {letters(line.text) for line in on_page})
        if len({title_of[index] for index in named}) >= FEWEST_ON_PAGE:
            printed |= named
    return printed


def _named_on_page(indices: Iterable[int], title_of: Mapping[int, str], texts: Collection[str]) -> set[int]:
    return {index for index in indices if any(_reads_like(title_of[index], text) for text in texts)}


def _reads_like(title: str, text: str) -> bool:
    """Whether a text is the title, perhaps with a label before or after it, or cut where the line breaks."""
    if len(text) < _SHORTEST:
        return False
    if title in text:
        return len(text) <= len(title) + max(8, len(title))
    return title.startswith(text) and len(text) >= _BROKEN * len(title)
