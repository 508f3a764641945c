"""Emphasis of whole paragraphs, and run-in headings that turned out to be none.

The layout cuts an emphasised start off its paragraph, so that the model can judge it as a heading. Where the
model says no, the reader gets the paragraph back in one piece, as it is printed.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import NamedTuple

from held.document import Kind, Mark, PhysicalObject, Span
from held.hierarchy.hierarchy import Hierarchy
from held.layout.title import title_objects

_MIN_SHARED_HEIGHT_SHARE = 0.5  # of a line: less is the overlap of two lines set close


def emphasised_objects(hierarchy: Hierarchy) -> tuple[PhysicalObject, ...]:
    """The document's objects by their indices, with bold paragraphs marked as bold.

    The start of a paragraph that turned out to be no heading is joined with the paragraph again; the object
    of the start then has no text.
    """
    is_body_bold = hierarchy.document.body.bold
    objects = list(hierarchy.document.objects)
    for index, item in enumerate(objects):
        if item.kind is not Kind.PARAGRAPH or index in hierarchy.headings or not item.text:
            continue
        if item.style.bold and not is_body_bold:
            item = objects[index] = _mark_all(item, Mark.BOLD)
        following = objects[index + 1] if index + 1 < len(objects) else None
        if following is None or index + 1 in hierarchy.headings or not _is_cut_off(item, following):
            continue
        if item.style.italic and not following.style.italic:
            item = _mark_all(item, Mark.ITALIC)
        objects[index] = replace(item, text="", spans=())
        objects[index + 1] = _prepend(item, following)
    return tuple(objects)


def _mark_all(item: PhysicalObject, mark: Mark) -> PhysicalObject:
    others = [span for span in item.spans if span.mark is not mark]
    whole = Span(0, len(item.text), mark)
    return replace(item, spans=tuple(sorted([whole, *others])))


def _is_cut_off(item: PhysicalObject, following: PhysicalObject) -> bool:
    """Whether a paragraph begins on the last line of the object before it, and so was one with it."""
    if following.kind is not Kind.PARAGRAPH or not following.text:
        return False
    if (item.style.bold, item.style.italic) == (following.style.bold, following.style.italic):
        return False
    if (item.page, item.column) != (following.page, following.column) or len(item.parts) > 1:
        return False
    line = item.box.height / max(item.lines, 1)
    if not line or following.box.x0 > item.box.x1:
        return False
    shared = item.box.y1 - following.box.y0
    return _MIN_SHARED_HEIGHT_SHARE * line < shared <= item.box.height + line


def _prepend(head: PhysicalObject, rest: PhysicalObject) -> PhysicalObject:
    start = len(head.text) + 1  # of the rest, after a space
    moved = [span._replace(start=span.start + start, end=span.end + start) for span in rest.spans]
    spans = sorted([*head.spans, *moved])
    return replace(rest, text=f"{head.text} {rest.text}", spans=tuple(spans))


# --- the title above the headings ---
# The title is the only heading of level 1 there, so the sections begin at level 2. The tree itself does not
# change: its levels, paths and JSON are those of the headings alone.


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
