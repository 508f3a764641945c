"""Footnotes and the marks in the text that refer to them.

A reference is a raised mark that a footnote of the same page begins with. Where numbers start anew on each
page or in each chapter, a note's name gets its page, so that it is its own in the document.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from held.document import Kind, Mark, PhysicalObject, Span

NOTE_MARK = re.compile(r"[\[(]?(\d{1,3}|[a-z](?=[\s).])|[*†‡§¶]{1,3}|[①-⑳])[\])]?")
BEFORE_MARK = re.compile(
    r"(?:[A-Za-z\u00c0-\u024f]{2}|\d{2}|[.,;:!?)”’\"'\]%，。；：！？）】」』》]|[\u2e80-\uffef])\s*$"
)
SIGNS = {"*": "star", "†": "dagger", "‡": "ddagger", "§": "section", "¶": "par"}


def tie_notes(objects: Sequence[PhysicalObject]) -> list[PhysicalObject]:
    """The objects, each footnote that the text refers to with its name, and the references with the same."""
    tied = list(objects)
    on_page: dict[int, list[int]] = {}
    for i, item in enumerate(objects):
        if item.spans:
            for page in {part.page for part in item.parts}:
                on_page.setdefault(page, []).append(i)
    taken: set[str] = set()
    for i, item in enumerate(objects):
        mark = NOTE_MARK.match(item.text) if item.kind is Kind.FOOTNOTE else None
        if mark is None:
            continue
        place = _reference(tied, on_page.get(item.page, ()), mark[1], i)
        if place is None:
            continue
        name = _name(mark[1], item.page, taken)
        taken.add(name)
        owner, index = place
        spans = list(tied[owner].spans)
        spans[index] = spans[index]._replace(note=name)
        tied[owner] = replace(tied[owner], spans=tuple(spans))
        tied[i] = replace(tied[i], note=name)
    return tied


def _reference(
    objects: Sequence[PhysicalObject], places: Sequence[int], mark: str, footnote: int
) -> tuple[int, int] | None:
    """The object and the span of it that refer to the footnote with this mark, the first one of its page."""
    for place in places:
        if place == footnote or objects[place].kind is Kind.FOOTNOTE:
            continue
        item = objects[place]
        for index, span in enumerate(item.spans):
            if not span.note and _refers(span, item.text, mark):
                return place, index
    return None


def _refers(span: Span, text: str, mark: str) -> bool:
    """Whether a span is the mark behind a word or a stop: behind a single letter it is an exponent."""
    if span.mark is not Mark.SUPERSCRIPT or text[span.start : span.end].strip(" ,") != mark:
        return False
    return BEFORE_MARK.search(text[: span.start]) is not None


def _name(mark: str, page: int, taken: set[str]) -> str:
    """The mark as a name that no other note has."""
    name = "".join(SIGNS.get(character, character) for character in mark)
    if name in taken:
        name = f"{name}-p{page}"
    count = 2
    unique = name
    while unique in taken:
        unique = f"{name}-{count}"
        count += 1
    return unique
