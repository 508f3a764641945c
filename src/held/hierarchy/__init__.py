"""From headings to the tree of all objects: features, constraints, scorers and put-or-skip insertion.

`Hierarchy` is the result, with its subsets: some pages, some levels, the certain headings.
"""

from __future__ import annotations

import itertools
from collections.abc import Collection, Iterable, Mapping, Set
from dataclasses import dataclass, field, replace

from held.document import Document, PhysicalObject
from held.errors import UsageError
from held.hierarchy.insertion import Alternatives
from held.tree import ROOT, Tree, attach_body

DOUBTFUL_BELOW = 0.5  # certainty, where `min_confidence` is not set
PROBABILITY_DIGITS = 4  # in the output; more digits would suggest a precision that is not there


@dataclass(frozen=True, slots=True)
class Hierarchy:
    """A document's tree over all of its objects.

    document          the objects, in reading order
    tree              the parent of each object; a document without headings has all objects under the root
    headings          for each heading the probability that it is one
    confidence        for each heading the probability that its position is right, if it is a heading
    alternatives      other parents that a heading might have, each with its probability
    calibrated        whether these probabilities were fitted to documents with known trees
    inquiries         how many positions the model scored
    log_probability   of the tree of headings
    min_confidence    headings with less certainty are doubtful
    names_outside     of a subset of pages: the names of earlier pages that hold headings above them
    """

    document: Document
    tree: Tree
    headings: Mapping[int, float]
    confidence: Mapping[int, float]
    inquiries: int
    log_probability: float
    alternatives: Mapping[int, Alternatives] = field(default_factory=dict)
    calibrated: bool = False
    min_confidence: float | None = None
    names_outside: Mapping[int, str] = field(default_factory=dict)

    def certainty(self, heading: int) -> float:
        """The probability that an object is a heading and its position is right."""
        if heading not in self.headings:
            raise UsageError(f"object {heading} is no heading", file=self.document.source)
        return round(self.headings[heading] * self.confidence[heading], PROBABILITY_DIGITS)

    @property
    def doubtful(self) -> frozenset[int]:
        """The headings with a certainty below `min_confidence`, or below 0.5 where that is not set."""
        least = DOUBTFUL_BELOW if self.min_confidence is None else self.min_confidence
        return frozenset(heading for heading in self.headings if self.certainty(heading) < least)

    def page_name(self, page: int) -> str:
        """The name of a page for people: its printed label, or else its number."""
        index = page - self.document.first_page
        if 0 <= index < len(self.document.pages):
            label = self.document.pages[index].label
        else:
            label = self.names_outside.get(page)
        return label or str(page)


# --- Subsets ---


def subset(
    hierarchy: Hierarchy,
    *,
    pages: range | None = None,
    max_depth: int | None = None,
    drop_doubtful: bool = False,
) -> Hierarchy:
    """The hierarchy of some pages, down to some level, without doubtful headings."""
    if drop_doubtful:
        hierarchy = remove_doubtful(hierarchy)
    if max_depth is not None:
        hierarchy = limit_depth(hierarchy, max_depth)
    document = hierarchy.document
    if pages is None and hierarchy.names_outside:
        # The headings above the pages are kept from earlier pages; some may be headings no more.
        pages = range(document.first_page, document.first_page + len(document.pages))
    return hierarchy if pages is None else select_pages(hierarchy, pages)


def select_pages(hierarchy: Hierarchy, numbers: range) -> Hierarchy:
    """The hierarchy of these pages, with the headings above them, which keep their own pages.

    So every level and every path is that of the whole document. Of these four objects, page 7 keeps the first
    and the last two:

        1 Boats        page 3
          1.1 Sails    page 4
          1.2 Oars     page 7
            text       page 7
    """
    objects, paths = hierarchy.document.objects, hierarchy.tree.paths()
    inside: dict[int, PhysicalObject] = {}
    for obj, item in enumerate(objects):
        clipped = _clip(item, numbers)
        if clipped is not None:
            inside[obj] = clipped
    paths_inside = itertools.chain.from_iterable(paths[obj] for obj in inside)
    wanted = {obj for obj in paths_inside if objects[obj].page <= numbers[-1]}
    kept = {obj: inside.get(obj, objects[obj]) for obj in sorted(wanted)}
    new_number = {obj: number for number, obj in enumerate(kept)}
    new_number[ROOT] = ROOT
    dropped = set(range(len(objects))) - kept.keys()
    left = _keep_headings(hierarchy, new_number)
    pages_outside = [o.page for o in kept.values() if o.page not in numbers]
    document = select_document_pages(hierarchy.document, numbers)
    return replace(
        left,
        document=replace(document, objects=tuple(kept.values())),
        names_outside={page: hierarchy.page_name(page) for page in pages_outside},
        tree=hierarchy.tree.without(dropped).renumber(new_number.__getitem__),
        headings={new_number[heading]: p for heading, p in left.headings.items()},
        confidence={new_number[heading]: p for heading, p in left.confidence.items()},
        alternatives=_renumber_alternatives(left.alternatives, new_number),
    )


def _renumber_alternatives(
    alternatives: Mapping[int, Alternatives], new_number: Mapping[int, int]
) -> dict[int, Alternatives]:
    renumbered = {}
    for heading, others in alternatives.items():
        with_new_parents = [other._replace(parent=new_number[other.parent]) for other in others]
        renumbered[new_number[heading]] = tuple(with_new_parents)
    return renumbered


def limit_depth(hierarchy: Hierarchy, max_depth: int) -> Hierarchy:
    """The hierarchy with headings of at most this level; deeper ones become body of the heading above."""
    levels = hierarchy.tree.levels()
    kept = {heading for heading in hierarchy.headings if levels[heading] <= max_depth}
    return _with_body(hierarchy, kept)


def remove_doubtful(hierarchy: Hierarchy) -> Hierarchy:
    """The hierarchy without its doubtful headings.

    A doubtful heading and its body become body of the section before it. The headings below it move up to
    its parent. Without the doubtful B:

        A                A
          B?               text of A, "B" and text of B
            text of B      C
            C
    """
    return _with_body(hierarchy, hierarchy.headings.keys() - hierarchy.doubtful)


def _with_body(hierarchy: Hierarchy, kept: Set[int]) -> Hierarchy:
    """The hierarchy with these headings only; all other objects are body."""
    count = len(hierarchy.document.objects)
    tree = hierarchy.tree.without(set(range(count)) - kept)
    return replace(_keep_headings(hierarchy, kept | {ROOT}), tree=attach_body(tree, count))


def _keep_headings(hierarchy: Hierarchy, kept: Collection[int]) -> Hierarchy:
    """The hierarchy with only these headings, also as alternative parents; its tree is unchanged."""
    alternatives = {
        heading: tuple(other for other in others if other.parent in kept)
        for heading, others in hierarchy.alternatives.items()
        if heading in kept
    }
    return replace(
        hierarchy,
        headings={heading: p for heading, p in hierarchy.headings.items() if heading in kept},
        confidence={heading: p for heading, p in hierarchy.confidence.items() if heading in kept},
        alternatives=alternatives,
    )


# --- Pages of a document ---


def select_document_pages(document: Document, numbers: range) -> Document:
    """The document with these pages only."""
    first, last = numbers[0], numbers[-1]
    begin = first - document.first_page
    end = last - document.first_page + 1
    return replace(
        document,
        pages=document.pages[begin:end],
        objects=_clip_all(document.objects, numbers),
        furniture=_clip_all(document.furniture, numbers),
        first_page=first,
        lost=tuple(filter(numbers.__contains__, document.lost)),
        recognised=tuple(filter(numbers.__contains__, document.recognised)),
    )


def _clip_all(items: Iterable[PhysicalObject], numbers: range) -> tuple[PhysicalObject, ...]:
    clipped = (_clip(item, numbers) for item in items)
    return tuple(item for item in clipped if item is not None)


def _clip(item: PhysicalObject, numbers: range) -> PhysicalObject | None:
    """The object without its parts on other pages; None where no part is left."""
    parts = tuple(part for part in item.parts if part.page in numbers)
    return replace(item, parts=parts) if parts else None
