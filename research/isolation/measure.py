"""Heading isolation of one document: is each outline title the whole text of exactly one object?

The denominator is the number of outline entries that are not junk and whose title is found (see `pagetext`)
on the page of their destination, or on the next page if it is not on that page at all. An entry is isolated
if exactly one object on that page has the title as its whole text, compared as in
`held.hierarchy.matching.titles`. If several entries of a page share a title, there must be as many objects.
An object with the item number is preferred to one without it. Contents entries, tables, figures and
furniture do not count. The raised mark of a note at the end of a title is ignored.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from research.isolation.pagetext import is_found, is_on_page, page_texts

from held.document import Document, Kind, Mark, OutlineEntry, Pages, PhysicalObject
from held.hierarchy.matching.titles import bare_key, close_key, key, plain
from held.numbering import is_loose_number

_NO_HEADING_KINDS = frozenset({Kind.CONTENTS_ENTRY, Kind.TABLE, Kind.FIGURE})
_MOST_PIECES = 5
_JUNK = re.compile(
    r"\s*(?:ole_link\d*|_(?:toc|hlk|ref|goback)\w*|untitled.*|cover|front cover|back cover"
    r"|\S*\.(?:pdf|docx?|xlsx?|pptx?|indd|tex|dvi|ps|html?|rtf))\s*",
    re.IGNORECASE,
)


def is_junk(title: str) -> bool:
    """Whether an outline entry is no heading: blank, a Word bookmark, a file name, the cover."""
    return not key(title) or _JUNK.fullmatch(title) is not None


@dataclass(frozen=True, slots=True)
class Miss:
    """An entry that was not isolated, with the objects that hold its title."""

    title: str
    page: int
    category: str
    objects: tuple[tuple[str, str], ...]  # (kind, text)


@dataclass(frozen=True, slots=True)
class Isolation:
    """The counts of one document. `number_apart`: isolated, but without the item number of the title."""

    entries: int = 0
    on_page: int = 0
    found: int = 0
    isolated: int = 0
    number_apart: int = 0
    misses: tuple[Miss, ...] = field(default=())


@dataclass(frozen=True, slots=True)
class _Keyed:
    """An object with its keys, computed once."""

    object: PhysicalObject
    key: str
    bare: str


def isolation(pages: Pages, document: Document) -> Isolation:
    """The number of outline titles that are one object each, and the other titles by category."""
    entries = [entry for entry in pages.outline if not is_junk(entry.title)]
    on_page, placed = _place(pages, entries)
    alike = Counter((page, key(title)) for title, page in placed)
    titles_of_page: dict[int, set[str]] = {}
    for title, page in placed:
        titles_of_page.setdefault(page, set()).add(key(title))
    objects, furniture = _by_page(document.objects), _by_page(document.furniture)
    with_marks = _by_page([item for item in document.objects if _without_mark(item) != item.text], marks=True)
    misses: list[Miss] = []
    number_apart = 0
    for title, page in placed:
        here = objects.get(page, ())
        others = titles_of_page[page] - {key(title)}
        matches = _matches(title, here, others) or _matches(title, with_marks.get(page, ()), others)
        if len(matches) != alike[page, key(title)]:
            misses.append(_explain(title, page, here, furniture.get(page, ()), others))
        elif key(title) != bare_key(title) and all(match.key == bare_key(title) for match in matches):
            number_apart += 1
    return Isolation(
        len(entries), on_page, len(placed), len(placed) - len(misses), number_apart, tuple(misses)
    )


def _place(pages: Pages, entries: Sequence[OutlineEntry]) -> tuple[int, list[tuple[str, int]]]:
    """How many titles occur on their page, and each found title with the page where it stands."""
    placed: list[tuple[str, int]] = []
    on_page = 0
    texts = {
        number: page_texts(pages.pages[number - pages.first_page].runs)
        for entry in entries
        if entry.page is not None
        for number in (entry.page, entry.page + 1)
        if 0 <= number - pages.first_page < len(pages.pages)
    }
    for entry in entries:
        for number in () if entry.page is None else (entry.page, entry.page + 1):
            if number in texts and is_on_page(entry.title, texts[number]):
                on_page += 1
                if is_found(entry.title, texts[number]):
                    placed.append((entry.title, number))
                break
    return on_page, placed


def _by_page(objects: Sequence[PhysicalObject], *, marks: bool = False) -> Mapping[int, list[_Keyed]]:
    pages: dict[int, list[_Keyed]] = {}
    for item in objects:
        text = item.text if marks else _without_mark(item)
        keyed = _Keyed(item, key(text), bare_key(text))
        for number in {part.page for part in item.parts}:
            pages.setdefault(number, []).append(keyed)
    return pages


def _without_mark(item: PhysicalObject) -> str:
    """The object's text without the raised mark of a note at its end."""
    for span in item.spans:
        if span.mark is Mark.SUPERSCRIPT and span.end == len(item.text):
            return item.text[: span.start].rstrip() or item.text
    return item.text


def _matches(title: str, objects: Sequence[_Keyed], others: set[str]) -> list[_Keyed]:
    """The objects that are the title: by full key or, if there is none, item number aside.

    One that is the title to the last dot goes before all, and one that differs only by having or lacking
    the number before one whose number is another. What is another title of the page is not this one.
    """
    able = [item for item in objects if item.object.kind not in _NO_HEADING_KINDS and item.key not in others]
    full, bare = key(title), bare_key(title)
    return (
        [item for item in able if item.key == full and close_key(item.object.text) == close_key(title)]
        or [item for item in able if item.key == full]
        or [item for item in able if full == item.bare or item.key == bare]
        or [item for item in able if item.bare == bare]
    )


def _explain(
    title: str, page: int, objects: Sequence[_Keyed], furniture: Sequence[_Keyed], others: set[str]
) -> Miss:
    """The category of an error with a title, and the objects that show it."""
    matches = _matches(title, objects, others)
    if matches:
        category = "more than one object" if len(matches) > 1 else "fewer objects than entries"
        return _miss(title, page, category, matches)
    if pieces := _pieces(title, objects):
        apart = is_loose_number(plain(pieces[0].object.text)) and len(pieces) == 2
        return _miss(title, page, "number is another object" if apart else "split over objects", pieces)
    bare = bare_key(title)
    holders = [item for item in objects if bare in item.key]
    if holders:
        holder = min(holders, key=lambda item: _distance(title, item))
        if holder.object.kind in _NO_HEADING_KINDS:
            return _miss(title, page, f"in a {holder.object.kind.value}", [holder])
        return _miss(title, page, _glue(title, holder, others), [holder])
    if hidden := [item for item in furniture if bare in item.key]:
        return _miss(title, page, f"in furniture ({hidden[0].object.kind.value})", hidden[:1])
    touching = [item for item in objects if item.key and item.bare in bare and len(item.bare) > 3]
    figures = [item for item in objects if item.object.kind is Kind.FIGURE]
    if figures and not touching:
        return _miss(title, page, "in no object, perhaps in a figure", figures)
    return _miss(title, page, "in no object", touching)


def _distance(title: str, holder: _Keyed) -> tuple[bool, bool, bool]:
    """How unlikely it is that an object swallowed the title: least for one with its number, at its start."""
    return (
        key(title) not in holder.key,
        holder.object.kind in _NO_HEADING_KINDS,
        not holder.bare.startswith(bare_key(title)),
    )


def _glue(title: str, holder: _Keyed, others: set[str]) -> str:
    """The category of an object that is longer than the title."""
    bare = bare_key(title)
    text = holder.key
    at = text.find(bare)
    before, after = text[:at], text[at + len(bare) :]
    starts = holder.bare.startswith(bare) or text.startswith(key(title))
    if starts and any(after.endswith(other) for other in others):
        return "glued to the next heading"
    if starts and holder.object.lines <= 3:
        return "title goes on: cut in the outline, or glued to a short text"
    if starts:
        return "glued to the paragraph below"
    if text.endswith(bare):
        glued = any(other in before for other in others)
        return "glued to the heading before" if glued else "glued to text before"
    return "within a longer object"


def _pieces(title: str, objects: Sequence[_Keyed]) -> list[_Keyed]:
    """Consecutive objects that make up the title together."""
    wanted = {key(title), bare_key(title)}
    for first in range(len(objects)):
        joined = ""
        for last in range(first, min(first + _MOST_PIECES, len(objects))):
            joined += " " + objects[last].object.text
            keys = {key(joined), bare_key(joined)}
            if last > first and wanted & keys:
                return list(objects[first : last + 1])
            if not any(piece in text for piece in keys for text in wanted):
                break
    return []


def _miss(title: str, page: int, category: str, objects: Sequence[_Keyed]) -> Miss:
    shown = tuple((item.object.kind.value, item.object.text) for item in objects[:4])
    return Miss(title, page, category, shown)
