"""A part of a document or of its hierarchy: some of its pages, so many levels, headings that are sure."""

from __future__ import annotations

from collections.abc import Collection, Set
from dataclasses import replace
from typing import TYPE_CHECKING

from held.document import Document, PhysicalObject
from held.hierarchy.insertion import hang_rest
from held.tree import ROOT

if TYPE_CHECKING:
    from held.hierarchy.pipeline import Hierarchy


def portion(
    hierarchy: Hierarchy,
    *,
    pages: range | None = None,
    max_depth: int | None = None,
    drop_doubtful: bool = False,
) -> Hierarchy:
    """The part of the hierarchy that is asked for."""
    if drop_doubtful:
        hierarchy = without_doubtful(hierarchy)
    if max_depth is not None:
        hierarchy = no_deeper(hierarchy, max_depth)
    document = hierarchy.document
    if pages is None and hierarchy.names_outside:  # what was a heading above the pages may be none any more
        pages = range(document.first_page, document.first_page + len(document.pages))
    return hierarchy if pages is None else only_pages(hierarchy, pages)


def only_pages(hierarchy: Hierarchy, numbers: range) -> Hierarchy:
    """The hierarchy of these pages, with the headings above them, which stay on their own pages.

    So every level and every path is that of the whole document.
    """
    objects, paths = hierarchy.document.objects, hierarchy.tree.paths()
    inside = {i: part for i, item in enumerate(objects) if (part := _within(item, numbers))}
    wanted = {obj for i in inside for obj in paths[i] if objects[obj].page <= numbers[-1]}
    kept = {obj: inside.get(obj, objects[obj]) for obj in sorted(wanted)}
    place = {ROOT: ROOT, **{obj: number for number, obj in enumerate(kept)}}
    left = _with_headings(hierarchy, place)
    return replace(
        left,
        document=replace(cut(hierarchy.document, numbers), objects=tuple(kept.values())),
        names_outside={o.page: hierarchy.page_name(o.page) for o in kept.values() if o.page not in numbers},
        tree=hierarchy.tree.without(set(range(len(objects))) - kept.keys()).renumber(place.__getitem__),
        headings={place[heading]: p for heading, p in left.headings.items()},
        confidence={place[heading]: p for heading, p in left.confidence.items()},
        alternatives={
            place[heading]: tuple(other._replace(parent=place[other.parent]) for other in others)
            for heading, others in left.alternatives.items()
        },
    )


def no_deeper(hierarchy: Hierarchy, max_depth: int) -> Hierarchy:
    """The hierarchy with headings of at most this level: deeper ones are body of their ancestor there."""
    levels = hierarchy.tree.levels()
    return _with_body(hierarchy, {heading for heading in hierarchy.headings if levels[heading] <= max_depth})


def without_doubtful(hierarchy: Hierarchy) -> Hierarchy:
    """The hierarchy of the headings that are not doubtful.

    The others are body, as what stood right below them is: of the section before them. Headings below them
    move up to their parent.
    """
    return _with_body(hierarchy, hierarchy.headings.keys() - hierarchy.doubtful)


def _with_body(hierarchy: Hierarchy, kept: Set[int]) -> Hierarchy:
    """The hierarchy with these headings alone: all else is body."""
    count = len(hierarchy.document.objects)
    tree = hierarchy.tree.without(set(range(count)) - kept)
    return replace(_with_headings(hierarchy, kept | {ROOT}), tree=hang_rest(tree, count))


def _with_headings(hierarchy: Hierarchy, kept: Collection[int]) -> Hierarchy:
    """The hierarchy with the headings among these alone, and with no others as their alternative parents."""
    return replace(
        hierarchy,
        headings={heading: p for heading, p in hierarchy.headings.items() if heading in kept},
        confidence={heading: p for heading, p in hierarchy.confidence.items() if heading in kept},
        alternatives={
            heading: tuple(other for other in others if other.parent in kept)
            for heading, others in hierarchy.alternatives.items()
            if heading in kept
        },
    )


def cut(whole: Document, numbers: range) -> Document:
    """The document with these pages alone."""
    first, last = numbers[0], numbers[-1]
    inside = slice(first - whole.first_page, last - whole.first_page + 1)
    return replace(
        whole,
        pages=whole.pages[inside],
        objects=tuple(filter(None, (_within(item, numbers) for item in whole.objects))),
        furniture=tuple(filter(None, (_within(item, numbers) for item in whole.furniture))),
        first_page=first,
        lost=tuple(number for number in whole.lost if number in numbers),
    )


def _within(item: PhysicalObject, numbers: range) -> PhysicalObject | None:
    """The object without its parts on other pages, None where it has no others."""
    parts = tuple(part for part in item.parts if part.page in numbers)
    return replace(item, parts=parts) if parts else None
