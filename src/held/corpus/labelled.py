"""A document with its ground truth: which objects are headings, and the parent of each object.

A heading that the outline lists but the layout did not recognise as an object stays in the ground truth as
a `MissingHeading`: failing to recognise a heading must not make the task easier.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from held.document import Document, OutlineEntry
from held.errors import UsageError
from held.hierarchy.matching.nodes import (
    LabelReport,
    MissingHeading,
    match_outline,
    reading_order,
    tree_of_nodes,
)
from held.hierarchy.matching.trust import reason_for_distrust
from held.metrics import Label, Truth
from held.metrics.compare import Side
from held.tree import ROOT

__all__ = [
    "NO_ENTRY",
    "LabelReport",
    "LabelledDocument",
    "MissingHeading",
    "side_of_labelled",
    "truth",
]

NO_ENTRY = -1
_COMPLETE = ("manual",)  # sources that list every heading, so that all other objects are surely none
_GUESSED = ("html-style",)  # sources whose lower levels were guessed from the typography
_NO_REPORT = LabelReport()


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a document comes from, with its split, domain and language."""

    id: str
    split: str = ""
    group: str = ""
    domain: str = ""
    lang: str = ""
    source_hash: str = ""
    suspect: str | None = None  # why the corpus distrusts its outline
    labels_from: str = "outline"


@dataclass(frozen=True, slots=True)
class LabelledDocument:
    """Objects with labels and parents.

    labels    a label for each object
    parents   an index for each object: -1 is the root, i < number of objects is object i, and a larger
              index is `missing[index - number of objects]`
    entries   the entry of the source's outline that each heading comes from, -1 for other objects
    dropped   why the labels cannot be trusted, None if they can; such a document is not trained on
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
    def complete(self) -> bool:
        """Whether the outline lists every heading."""
        return self.labels_from in _COMPLETE

    @property
    def silver(self) -> bool:
        """Whether part of the outline was guessed from the page: good for training, never for scoring."""
        return self.labels_from in _GUESSED

    @property
    def headings(self) -> tuple[int, ...]:
        """The objects that are headings."""
        return tuple(i for i, label in enumerate(self.labels) if label is Label.HEADING)

    def levels(self) -> tuple[int, ...]:
        """The level of each object, then of each missing heading; children of the root have level 1."""
        level_of_node = truth(self).tree.levels()
        order = reading_order(self.missing, len(self.labels))
        levels = [0] * (len(self.labels) + len(self.missing))
        for node, item in enumerate(order):
            levels[item] = level_of_node[node]
        return tuple(levels)


def label_document(document: Document, outline: Sequence[OutlineEntry], origin: Origin) -> LabelledDocument:
    """The document with the labels that follow from its outline."""
    found = match_outline(document, outline, complete=origin.labels_from in _COMPLETE)
    labels = [Label.BODY] * len(document.objects)
    entries = [NO_ENTRY] * len(document.objects)
    for i in found.unknown:
        labels[i] = Label.UNKNOWN
    for i, heading in found.headings.items():
        labels[i] = Label.HEADING
        entries[i] = heading.entry
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
        dropped=origin.suspect or reason_for_distrust(found.report, document, outline),
        report=found.report,
    )


def truth(labelled: LabelledDocument) -> Truth:
    """The ground truth that a prediction is measured against."""
    count = len(labelled.labels)
    order = reading_order(labelled.missing, count)
    tree = tree_of_nodes(labelled.parents, labelled.missing, order)
    labels = [*labelled.labels, *[Label.HEADING] * len(labelled.missing)]
    objects = [item if item < count else None for item in order]
    return Truth(tree, tuple(labels[item] for item in order), tuple(objects))


def side_of_labelled(labelled: LabelledDocument) -> Side:
    """A labelled document as a side of a comparison; headings without an object are nodes of it."""
    true = truth(labelled)
    nodes = [node for node, obj in enumerate(true.objects or ()) if obj is None]
    in_order = sorted(labelled.missing, key=lambda missing: missing.before)
    titles = {node: missing.title for node, missing in zip(nodes, in_order, strict=True)}
    return Side(labelled.id, true, labelled.document.objects, titles, whole=True)
