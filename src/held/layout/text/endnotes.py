"""Notes at the end of a chapter or document, tied to the marks in the text before them.

They stand below a title of their own ("Notes"), numbered on from 1 or from where the last ones ended. Only
where most of them find their mark in the text are they taken for notes: a numbered list may bear the same
title.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from held.document import Kind, PhysicalObject
from held.layout.text.notes import Reference, find_reference, note_name, tie

TITLE = re.compile(
    r"(?:[\dIVX]+\.?\s+)?(?:end\s?notes|notes|notes and references|尾\s?注|注\s?释)[:：]?", re.I
)
NUMBER = re.compile(r"[\[(]?(\d{1,3})[\]).、]?\s*(?=\D)")
LONGEST_TITLE = 24  # characters
BETWEEN = 3  # objects without a number, at most, between two notes: their further paragraphs
FEWEST = 2  # notes
SHARE = 0.5  # of the notes that find their mark
WITH_TEXT = frozenset({Kind.PARAGRAPH, Kind.LIST_ITEM, Kind.FOOTNOTE})


def tie_endnotes(objects: list[PhysicalObject]) -> list[PhysicalObject]:
    """The objects, each note at an end and the mark that refers to it with their common name."""
    titles = [i for i, item in enumerate(objects) if _is_title(item)]
    if not titles:
        return objects
    tied = list(objects)
    taken = {item.note for item in objects if item.note}
    begin, last = 0, 0
    for title in titles:
        notes = _numbered(objects, title + 1, first=1) or _numbered(objects, title + 1, first=last + 1)
        marked = [i for i in range(begin, title) if objects[i].spans]
        found = _references(tied, notes, marked)
        if len(notes) < FEWEST or len(found) < SHARE * len(notes):
            continue
        for number, i in notes:
            reference = find_reference(tied, marked, str(number), i) if i in found else None
            if reference is not None:
                tie(tied, i, reference, note_name(str(number), objects[i].page, taken))
        last, begin = notes[-1]
    return tied


def _is_title(item: PhysicalObject) -> bool:
    if item.kind is not Kind.PARAGRAPH or len(item.text) > LONGEST_TITLE:
        return False
    return TITLE.fullmatch(item.text.strip()) is not None


def _numbered(objects: Sequence[PhysicalObject], start: int, *, first: int) -> list[tuple[int, int]]:
    """The numbers and places of the objects that are numbered one after another from `first` on."""
    notes: list[tuple[int, int]] = []
    between = 0
    for i in range(start, len(objects)):
        number = NUMBER.match(objects[i].text) if objects[i].kind in WITH_TEXT else None
        if number is not None and int(number[1]) == first + len(notes) and not objects[i].note:
            notes.append((int(number[1]), i))
            between = 0
        elif between == BETWEEN:
            break
        else:
            between += 1
    return notes


def _references(
    objects: Sequence[PhysicalObject], notes: Sequence[tuple[int, int]], marked: Sequence[int]
) -> dict[int, Reference]:
    """The first mark in the text for each note, by the note's place."""
    found: dict[int, Reference] = {}
    for number, i in notes:
        reference = find_reference(objects, marked, str(number), i)
        if reference is not None:
            found[i] = reference
    return found
