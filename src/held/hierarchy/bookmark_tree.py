"""The tree of a PDF's own bookmarks: each bookmark is matched to the object it names.

Matching is the one that makes training labels. Levels are those of the bookmarks, even where the numbering
contradicts them: the bookmarks may have been set by hand. Good bookmarks beat any model, but many are not
good, so users ask for them explicitly.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from held.document import Document, Note, OutlineEntry
from held.hierarchy import Hierarchy
from held.hierarchy.matching.nodes import (
    OutlineNodes,
    last_page,
    match_outline,
    reading_order,
    reason_for_distrust,
    tree_of_nodes,
)
from held.hierarchy.matching.outline import NO_PARENT, listed_headings
from held.hierarchy.pipeline import DEFAULT_OPTIONS, TreeOptions, build_tree
from held.system.console import Progress
from held.tree import ROOT, Tree

Bookmarks = Sequence[OutlineEntry]

_NO_BOOKMARKS = "there are no bookmarks to trust: the headings are those that the model finds"


def tree_from_bookmarks(document: Document, bookmarks: Bookmarks) -> Hierarchy | None:
    """The hierarchy that bookmarks give; None where none of them is found in the document.

    A bookmark that names no object is left out, and a note says so. Bookmarks below it move up.
    """
    found = match_outline(document, bookmarks)
    if not found.headings:
        return None
    certain = dict.fromkeys(sorted(found.headings), 1.0)
    notes = (*document.notes, *_notes(found, document, bookmarks))
    return Hierarchy(
        document=replace(document, notes=notes),
        tree=_tree(found, document, bookmarks),
        headings=certain,
        confidence=certain,
        inquiries=0,
        log_probability=0.0,
    )


def tree_from_bookmarks_or_model(
    document: Document,
    bookmarks: Bookmarks,
    options: TreeOptions = DEFAULT_OPTIONS,
    *,
    progress: Progress | None = None,
) -> Hierarchy:
    """The hierarchy that bookmarks give; where they give none, the model's, with a note that says so."""
    hierarchy = tree_from_bookmarks(document, bookmarks)
    if hierarchy is not None:
        return hierarchy
    noted = replace(document, notes=(*document.notes, Note(None, _NO_BOOKMARKS)))
    return build_tree(noted, options, progress=progress)


def _notes(found: OutlineNodes, document: Document, bookmarks: Bookmarks) -> Iterator[Note]:
    lost, listed = len(found.missing), found.report.headings
    if lost:
        yield Note(None, f"{lost} of {listed} bookmarks name no text, and are left out")
    reason = reason_for_distrust(found.report, document, bookmarks)
    if reason:
        yield Note(None, f"its bookmarks may be wrong: {reason}")


def _tree(found: OutlineNodes, document: Document, bookmarks: Bookmarks) -> Tree:
    """The tree with each heading under the parent that its bookmark has, without missing headings."""
    count = len(document.objects)
    parent_of = _bookmark_parents(found, document, bookmarks)
    parents = [parent_of.get(node, parent) for node, parent in enumerate(found.parents)]
    missing = [lost._replace(parent=parent_of[node]) for node, lost in enumerate(found.missing, count)]
    order = reading_order(missing, count)
    lost_nodes = {node for node, item in enumerate(order) if item >= count}
    tree = tree_of_nodes(parents, missing, order)
    return tree.without(lost_nodes).renumber(order.__getitem__)


def _bookmark_parents(found: OutlineNodes, document: Document, bookmarks: Bookmarks) -> dict[int, int]:
    """The parent of each heading by the bookmarks' own levels; in `found` numbers changed some."""
    listed = listed_headings(bookmarks, last_page=last_page(document), mend_by_numbers=False).headings
    node_of = {heading.entry: obj for obj, heading in found.headings.items()}
    for node, lost in enumerate(found.missing, len(document.objects)):
        node_of[lost.entry] = node
    parent_of: dict[int, int] = {}
    for heading in listed:
        is_top = heading.parent == NO_PARENT
        parent_of[node_of[heading.entry]] = ROOT if is_top else node_of[listed[heading.parent].entry]
    return parent_of
