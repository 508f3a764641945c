"""A part of a document or of its hierarchy: some of its pages, or no more than so many levels."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from typing import TYPE_CHECKING

from held.document import Document, PhysicalObject
from held.insertion import hang_rest
from held.tree import ROOT

if TYPE_CHECKING:
    from held.pipeline import Hierarchy


def only_pages(hierarchy: Hierarchy, numbers: range) -> Hierarchy:
    """The hierarchy of these pages; what hung under a heading on other pages hangs higher up."""
    objects = hierarchy.document.objects
    kept = [i for i, item in enumerate(objects) if any(part.page in numbers for part in item.parts)]
    place = {ROOT: ROOT, **{obj: number for number, obj in enumerate(kept)}}
    left = _with_headings(hierarchy, place)
    return replace(
        left,
        document=cut(hierarchy.document, numbers),
        tree=hierarchy.tree.without(set(range(len(objects))) - set(kept)).renumbered(place.__getitem__),
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
    kept = {heading for heading in hierarchy.headings if levels[heading] <= max_depth}
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
        objects=_within(whole.objects, first, last),
        furniture=_within(whole.furniture, first, last),
        first_page=first,
    )


def _within(objects: tuple[PhysicalObject, ...], first: int, last: int) -> tuple[PhysicalObject, ...]:
    """The objects that stand on these pages, without their parts on others."""
    cut_off = (
        replace(item, parts=tuple(part for part in item.parts if first <= part.page <= last))
        for item in objects
    )
    return tuple(item for item in cut_off if item.parts)
