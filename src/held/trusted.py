"""The tree that a PDF's own bookmarks give: each is matched to the object it names, the rest hangs below.

The matching is that of the labels, the levels are those of the bookmarks: labels mend a level that the
numbers contradict, but who trusts bookmarks may have set them by hand. Where they are many and good this
beats any model, but many are neither, so it is for those who know their files.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from held.corpus.labelled import NO_ENTRY, LabelledDocument, truth
from held.corpus.labels import Origin, label_document
from held.document import Document, Note, OutlineEntry
from held.insertion import Strategy
from held.matching.outline import NO_PARENT, listed_headings
from held.pipeline import BASE, Hierarchy, tree_of
from held.progress import Progress
from held.tree import ROOT

_NO_BOOKMARKS = "there are no bookmarks to trust: the headings are those that the model finds"


def bookmarked_tree(document: Document, outline: Sequence[OutlineEntry]) -> Hierarchy | None:
    """The hierarchy that an outline gives, None where none of its entries is found in the document.

    An entry that names no object is left out, which a note tells: what stands below it hangs higher up.
    """
    labelled = _with_levels_as_listed(label_document(document, outline, Origin(document.source)), outline)
    headings = labelled.headings
    if not headings:
        return None
    true = truth(labelled)
    object_of = {node: obj for node, obj in enumerate(true.objects or ()) if obj is not None}
    lost = set(range(true.tree.size)) - set(object_of)
    certain = dict.fromkeys(headings, 1.0)
    notes = [*document.notes]
    if labelled.missing:
        listed = labelled.report.headings
        notes.append(
            Note(None, f"{len(labelled.missing)} of {listed} bookmarks name no text, and are left out")
        )
    if labelled.dropped:
        notes.append(Note(None, f"its bookmarks may be wrong: {labelled.dropped}"))
    return Hierarchy(
        document=replace(document, notes=tuple(notes)),
        tree=true.tree.without(lost).renumbered(object_of.__getitem__),
        headings=certain,
        confidence=certain,
        inquiries=0,
        log_probability=0.0,
    )


def _with_levels_as_listed(labelled: LabelledDocument, outline: Sequence[OutlineEntry]) -> LabelledDocument:
    """The labels with each heading under the one that the outline itself puts it under."""
    document = labelled.document
    last_page = document.first_page + len(document.pages) - 1
    listed = listed_headings(outline, last_page=last_page, mend_by_numbers=False).headings
    entries = (*labelled.entries, *(lost.entry for lost in labelled.missing))
    node_of = {entry: node for node, entry in enumerate(entries) if entry != NO_ENTRY}
    parent_of = {
        node_of[heading.entry]: ROOT if heading.parent == NO_PARENT else node_of[listed[heading.parent].entry]
        for heading in listed
    }
    count = len(labelled.parents)
    return replace(
        labelled,
        parents=tuple(parent_of.get(node, parent) for node, parent in enumerate(labelled.parents)),
        missing=tuple(
            lost._replace(parent=parent_of[node]) for node, lost in enumerate(labelled.missing, count)
        ),
    )


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
