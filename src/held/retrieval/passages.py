"""Passages: the leaves of the tree, each with the headings above it. They are what a question is answered by.

Physical objects are smaller than what a reader calls a passage: a caption belongs to its figure, and a table
without rules may have been recognised as dozens of scraps. So neighbours of that sort make one passage.
Entries of the printed contents are no passages: they point to answers and hold none.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from held.document import Kind, PageRegion, PhysicalObject
from held.hierarchy.hierarchy import Hierarchy
from held.retrieval.rows import TableRow, rows_of, unit_in
from held.retrieval.tokens import tokens
from held.tree import ROOT

SCRAP = 20  # words; a text as short as this that ends no sentence does not stand for itself
LONGEST = 300  # words; scraps are joined up to this

_SCRAPS = frozenset({Kind.PARAGRAPH, Kind.LIST_ITEM, Kind.FOOTNOTE})
_SHOWN = frozenset({Kind.FIGURE, Kind.TABLE})
_TICKED = re.compile(r"(?:[□√☐☑☒✓✔■¨þ\s]|不?适用|是|否|yes|no)+", re.IGNORECASE)
_SENTENCE_ENDS = tuple(".!?;。！？；")


@dataclass(frozen=True, slots=True)
class Passage:
    """A leaf of the tree, or several that belong together.

    `path` are the texts of the headings above it, from the top, and `ancestors` their objects. `position`
    counts from 1 among all children of its parent, headings included; `siblings` is how many there are, the
    passage among them. Of several objects `object` and `position` are those of the first. `parts` are their
    places, `rows` the rows of tables in it, and `unit` what the numbers count, where the page says so.
    """

    text: str
    kind: Kind
    page: int
    path: tuple[str, ...] = ()
    object: int = 0
    position: int = 1
    siblings: int = 1
    ancestors: tuple[int, ...] = ()
    pages: tuple[int, ...] = ()
    parts: tuple[PageRegion, ...] = ()
    rows: tuple[TableRow, ...] = ()
    unit: str = ""


def passages(hierarchy: Hierarchy) -> list[Passage]:
    """The passages of a document in reading order."""
    objects = hierarchy.document.objects
    children = hierarchy.tree.children()
    paths = hierarchy.tree.paths()
    found: list[Passage] = []
    for parent, below in children.items():
        ancestors = () if parent == ROOT else paths[parent]
        path = tuple(" ".join(objects[obj].text.split()) for obj in ancestors)
        leaves = [obj for obj in below if not children[obj] and objects[obj].kind is not Kind.CONTENTS_ENTRY]
        place = {obj: position for position, obj in enumerate(below, start=1)}
        for group in _groups(leaves, objects):
            items = [objects[obj] for obj in group]
            passage = Passage(
                text="\n".join(item.text for item in items),
                kind=_kind(items),
                page=items[0].page,
                path=path,
                object=group[0],
                position=place[group[0]],
                siblings=len(below),
                ancestors=ancestors,
                pages=tuple(sorted({part.page for item in items for part in item.parts})),
                parts=tuple(part for item in items for part in item.parts),
                rows=tuple(row for item in items for row in rows_of(item)),
                unit=next((item.table.unit for item in items if item.table and item.table.unit), ""),
            )
            if _says_something(passage):
                found.append(passage)
    return list(_with_units(sorted(found, key=lambda passage: passage.object)))


def _with_units(found: Sequence[Passage]) -> Iterator[Passage]:
    """The passages, each with the unit that it names itself, or that was last named above it on its page."""
    page, unit = 0, ""
    for passage in found:
        if passage.page != page:
            page, unit = passage.page, ""
        unit = passage.unit or unit_in(passage.text) or unit_in(" ".join(passage.path[-1:])) or unit
        yield replace(passage, unit=unit) if unit and passage.rows else passage


def _groups(leaves: Sequence[int], objects: Sequence[PhysicalObject]) -> Iterator[list[int]]:
    """The leaves of one parent, those together that make one passage."""
    group: list[int] = []
    words = 0
    for obj in leaves:
        if group and not (words < LONGEST and _belong(objects[group[-1]], objects[obj], obj - group[-1])):
            yield group
            group, words = [], 0
        group.append(obj)
        words += len(tokens(objects[obj].text))
    if group:
        yield group


def _belong(before: PhysicalObject, after: PhysicalObject, distance: int) -> bool:
    """Whether two leaves make one passage: scraps of a page, what leads into a table, pieces of a table."""
    if distance > 1 or before.parts[-1].page != after.page:
        return False
    if after.kind is Kind.CAPTION:
        return before.kind is Kind.FIGURE
    if after.kind in _SHOWN:
        return before.kind in _SHOWN or before.kind is Kind.CAPTION or _is_scrap(before)
    leads = after.kind in _SCRAPS and _is_lead(before)
    return _is_scrap(before) and (leads or _is_scrap(after))


def _is_lead(item: PhysicalObject) -> bool:
    """Whether a scrap leads into what follows: a title that is no heading, "We sell:", but no ticked box."""
    return any(map(str.isalpha, item.text)) and not _TICKED.fullmatch(item.text)


def _is_scrap(item: PhysicalObject) -> bool:
    return (
        item.kind in _SCRAPS
        and not item.text.rstrip().endswith(_SENTENCE_ENDS)
        and len(tokens(item.text)) < SCRAP
    )


def _says_something(passage: Passage) -> bool:
    """Whether there are words in it: a page number or dollar sign is no passage, nor are boxes ticked."""
    if _TICKED.fullmatch(passage.text):
        return False
    return any(map(str.isalpha, passage.text)) or (passage.kind is Kind.TABLE and bool(passage.text.strip()))


def _kind(items: Sequence[PhysicalObject]) -> Kind:
    """What a passage is: a figure or table where one is in it."""
    return next((item.kind for item in items if item.kind in _SHOWN), items[0].kind)
