"""Footnotes and the marks in the text that refer to them.

A reference is a raised mark that a footnote of the same page begins with; several may stand together
("2, 3"). Where numbers start anew on each page or in each chapter, a note's name gets its page, so that it
is its own in the document.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import NamedTuple

from held.document import Kind, Mark, PhysicalObject, Span

NOTE_MARK = re.compile(r"[\[(]?(\d{1,3}|[a-z](?=[\s).])|[*†‡§¶]{1,3}|[①-⑳])[\])]?")
BEFORE_MARK = re.compile(
    r"(?:[A-Za-z\u00c0-\u024f]{2}|[’'][a-z]|\d{2}|[.,;:!?)”’\"'\]%，。；：！？）】」』》]|[\u2e80-\uffef])\s*$"
)
BETWEEN_MARKS = re.compile(r"[\s,，、;]+")
SIGNS = {"*": "star", "†": "dagger", "‡": "ddagger", "§": "section", "¶": "par"}


class Reference(NamedTuple):
    """A mark in the text: the object that it stands in, which of its spans holds it, and where it stands."""

    owner: int
    span: int
    start: int
    end: int


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
        reference = find_reference(tied, on_page.get(item.page, ()), mark[1], i)
        if reference is not None:
            tie(tied, i, reference, note_name(mark[1], item.page, taken))
    return tied


def find_reference(
    objects: Sequence[PhysicalObject], places: Iterable[int], mark: str, note: int
) -> Reference | None:
    """The first of the objects' spans at these places that refers to the note with this mark."""
    for place in places:
        item = objects[place]
        if place == note or item.kind is Kind.FOOTNOTE:
            continue
        for index, span in enumerate(item.spans):
            where = None if span.note else _mark_in(span, item.text, mark)
            if where is not None:
                return Reference(place, index, *where)
    return None


def tie(objects: list[PhysicalObject], note: int, reference: Reference, name: str) -> None:
    """Gives a note and the span that refers to it their common name; other marks of the span stay."""
    owner = objects[reference.owner]
    spans = list(owner.spans)
    span = spans[reference.span]
    before = span._replace(end=_end_without_comma(owner.text, span.start, reference.start))
    after = span._replace(start=_start_without_comma(owner.text, reference.end, span.end))
    own = Span(reference.start, reference.end, span.mark, name)
    spans[reference.span : reference.span + 1] = [
        piece for piece in (before, own, after) if piece.start < piece.end
    ]
    objects[reference.owner] = replace(owner, spans=tuple(spans))
    objects[note] = replace(objects[note], note=name, kind=Kind.FOOTNOTE)


def _end_without_comma(text: str, start: int, end: int) -> int:
    return start + len(text[start:end].rstrip(" ,，、;"))


def _start_without_comma(text: str, start: int, end: int) -> int:
    return end - len(text[start:end].lstrip(" ,，、;"))


def _mark_in(span: Span, text: str, mark: str) -> tuple[int, int] | None:
    """Where a span has the mark, behind a word or a stop: behind a single letter it is an exponent."""
    if span.mark is not Mark.SUPERSCRIPT:
        return None
    words = text[span.start : span.end]
    if mark not in words or mark not in BETWEEN_MARKS.split(words):
        return None
    if BEFORE_MARK.search(text[: span.start]) is None:
        return None
    alone = re.search(rf"(?<![^\s,，、;]){re.escape(mark)}(?![^\s,，、;])", words)
    return None if alone is None else (span.start + alone.start(), span.start + alone.end())


def note_name(mark: str, page: int, taken: set[str]) -> str:
    """The mark as a name that no other note has; it is taken from now on."""
    name = "".join(SIGNS.get(character, character) for character in mark)
    if name in taken:
        name = f"{name}-p{page}"
    count = 2
    unique = name
    while unique in taken:
        unique = f"{name}-{count}"
        count += 1
    taken.add(unique)
    return unique
