"""A document with its truth: which objects are headings, and the parent of each object.

A heading that the outline lists but the layout did not recognise as an object stays in the truth as a
`MissingHeading`, so that nothing gets easier by failing to find it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from held.document import Document, OutlineEntry
from held.errors import UsageError
from held.hierarchy.matching.nodes import (
    LabelReport,
    MissingHeading,
    OutlineNodes,
    match_outline,
    reading_order,
    tree_of_nodes,
)
from held.hierarchy.matching.trust import doubt
from held.metrics import Label, Truth
from held.metrics.compare import Side
from held.tree import ROOT


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a document comes from, and what is known of it beside its content."""

    id: str
    split: str = ""
    group: str = ""
    domain: str = ""
    lang: str = ""
    source_hash: str = ""
    suspect: str | None = None  # why its outline is known to be wrong
    labels_from: str = "outline"


def label_document(document: Document, outline: Sequence[OutlineEntry], origin: Origin) -> LabelledDocument:
    """The document with the labels that its outline gives."""
    found = match_outline(document, outline)
    labels: list[Label] = []
    entries: list[int] = []
    for i in range(len(document.objects)):
        heading = found.headings.get(i)
        labels.append(_label(i, found))
        entries.append(NO_ENTRY if heading is None else heading.entry)
    return LabelledDocument(
        id=origin.id,
        document=document,
        labels=tuple(labels),
        parents=found.parents,
        entries=tuple(entries),
        missing=found.missing,
        split=origin.split,
        group=origin.group,
        domain=origin.domain,
        lang=origin.lang,
        source_hash=origin.source_hash,
        labels_from=origin.labels_from,
        dropped=origin.suspect or doubt(found.report, document, outline),
        report=found.report,
    )


def _label(i: int, found: OutlineNodes) -> Label:
    if i in found.headings:
        return Label.HEADING
    return Label.UNKNOWN if i in found.unknown else Label.BODY


__all__ = [
    "NO_ENTRY",
    "LabelReport",
    "LabelledDocument",
    "MissingHeading",
    "side_of_labelled",
    "truth",
]

NO_ENTRY = -1
_GUESSED = ("html-style",)  # levels below parts and items follow from the typographic strength of lines
_NO_REPORT = LabelReport()


@dataclass(frozen=True, slots=True)
class LabelledDocument:
    """Objects with labels and parents.

    `parents` has an index for each object: -1 the root, below the number of objects the parent object, and
    from there on `missing[index - number of objects]`. `entries` has the outline entry that a heading came
    from, counted from 0 in the source's outline; -1 for other objects. `dropped` says why the labels
    cannot be trusted: such a document is for figures over all documents only.
    """

    id: str
    document: Document
    labels: tuple[Label, ...]
    parents: tuple[int, ...]
    entries: tuple[int, ...]
    missing: tuple[MissingHeading, ...] = ()
    split: str = ""
    group: str = ""
    domain: str = ""
    lang: str = ""
    source_hash: str = ""
    labels_from: str = "outline"  # or "tags", or what the corpus says
    dropped: str | None = None
    report: LabelReport = _NO_REPORT

    def __post_init__(self) -> None:
        count = len(self.document.objects)
        if not count == len(self.labels) == len(self.parents) == len(self.entries):
            raise UsageError(f"labels, parents and entries do not fit {count} objects", file=self.id)
        nodes = count + len(self.missing)
        if not all(ROOT <= parent < nodes for parent in self.parents):
            raise UsageError(f"a parent is none of {nodes} nodes", file=self.id)

    @property
    def silver(self) -> bool:
        """Whether part of the outline was guessed from the page: to be learnt from, never to be scored."""
        return self.labels_from in _GUESSED

    @property
    def headings(self) -> tuple[int, ...]:
        """The objects that are headings."""
        return tuple(i for i, label in enumerate(self.labels) if label is Label.HEADING)

    def levels(self) -> tuple[int, ...]:
        """The level of each object, then of each missing heading: 1 right under the root."""
        found = truth(self).tree.levels()
        levels = [0] * (len(self.labels) + len(self.missing))
        for node, item in enumerate(reading_order(self.missing, len(self.labels))):
            levels[item] = found[node]
        return tuple(levels)


def truth(labelled: LabelledDocument) -> Truth:
    """The truth that a prediction is measured against."""
    count = len(labelled.labels)
    order = reading_order(labelled.missing, count)
    labels = (*labelled.labels, *(Label.HEADING for _ in labelled.missing))
    return Truth(
        tree_of_nodes(labelled.parents, labelled.missing, order),
        tuple(labels[item] for item in order),
        tuple(item if item < count else None for item in order),
    )


def side_of_labelled(labelled: LabelledDocument) -> Side:
    """A labelled document as a side of a comparison; headings without an object are nodes of it."""
    known = truth(labelled)
    nodes = [node for node, obj in enumerate(known.objects or ()) if obj is None]
    titles = sorted(labelled.missing, key=lambda missing: missing.before)
    absent = {node: missing.title for node, missing in zip(nodes, titles, strict=True)}
    return Side(labelled.id, known, labelled.document.objects, absent, whole=True)
