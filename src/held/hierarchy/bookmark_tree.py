"""The tree that a PDF's own bookmarks give: each is matched to the object it names, the rest hangs below.

The matching is that of the labels, the levels are those of the bookmarks: labels mend a level that the
numbers contradict, but who trusts bookmarks may have set them by hand. Where they are many and good this
beats any model, but many are neither, so it is for those who know their files.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from held.document import Document, Note, OutlineEntry
from held.hierarchy.insertion import Strategy
from held.hierarchy.matching.nodes import OutlineNodes, last_page, match_outline, reading_order, tree_of_nodes
from held.hierarchy.matching.outline import NO_PARENT, listed_headings
from held.hierarchy.matching.trust import doubt
from held.hierarchy.pipeline import BASE, Hierarchy, tree_of
from held.system.progress import Progress
from held.tree import ROOT, Tree

_NO_BOOKMARKS = "there are no bookmarks to trust: the headings are those that the model finds"


def bookmarked_tree(document: Document, outline: Sequence[OutlineEntry]) -> Hierarchy | None:
    """The hierarchy that an outline gives, None where none of its entries is found in the document.

    An entry that names no object is left out, which a note tells: what stands below it hangs higher up.
    """
    found = match_outline(document, outline)
    if not found.headings:
        return None
    certain = dict.fromkeys(sorted(found.headings), 1.0)
    notes = (*document.notes, *_notes(found, document, outline))
    return Hierarchy(
        document=replace(document, notes=notes),
        tree=_tree(found, document, outline),
        headings=certain,
        confidence=certain,
        inquiries=0,
        log_probability=0.0,
    )


def _notes(found: OutlineNodes, document: Document, outline: Sequence[OutlineEntry]) -> Iterator[Note]:
    """What is to be said of the bookmarks."""
    lost, listed = len(found.missing), found.report.headings
    if lost:
        yield Note(None, f"{lost} of {listed} bookmarks name no text, and are left out")
    reason = doubt(found.report, document, outline)
    if reason:
        yield Note(None, f"its bookmarks may be wrong: {reason}")


def _tree(found: OutlineNodes, document: Document, outline: Sequence[OutlineEntry]) -> Tree:
    """The tree with each heading under the one that the outline itself puts it under, lost ones left out."""
    count = len(document.objects)
    parent_of = _parents_as_listed(found, document, outline)
    parents = [parent_of.get(node, parent) for node, parent in enumerate(found.parents)]
    missing = [lost._replace(parent=parent_of[node]) for node, lost in enumerate(found.missing, count)]
    order = reading_order(missing, count)
    lost_nodes = {node for node, item in enumerate(order) if item >= count}
    tree = tree_of_nodes(parents, missing, order)
    return tree.without(lost_nodes).renumber(order.__getitem__)


def _parents_as_listed(
    found: OutlineNodes, document: Document, outline: Sequence[OutlineEntry]
) -> dict[int, int]:
    """The parent of each heading by the levels of the outline, where `found` has them mended by numbers."""
    listed = listed_headings(outline, last_page=last_page(document), mend_by_numbers=False).headings
    node_of = {heading.entry: obj for obj, heading in found.headings.items()}
    for node, lost in enumerate(found.missing, len(document.objects)):
        node_of[lost.entry] = node
    parent_of: dict[int, int] = {}
    for heading in listed:
        is_top = heading.parent == NO_PARENT
        parent_of[node_of[heading.entry]] = ROOT if is_top else node_of[listed[heading.parent].entry]
    return parent_of


def trusted_tree_of(
    document: Document,
    outline: Sequence[OutlineEntry],
    *,
    model: str = "base",
    strategy: Strategy = BASE,
    progress: Progress | None = None,
) -> Hierarchy:
    """The hierarchy that an outline gives; where it gives none, the model's, with a note that says so."""
    bookmarked = bookmarked_tree(document, outline)
    if bookmarked is not None:
        return bookmarked
    noted = replace(document, notes=(*document.notes, Note(None, _NO_BOOKMARKS)))
    return tree_of(noted, model=model, strategy=strategy, progress=progress)
