"""A part of a hierarchy: some of its pages, or no more than so many levels of it."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from typing import TYPE_CHECKING

from held.cli.inputs import cut
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
