"""Labels and parents of a document's objects, from the headings that its outline lists."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from held.corpus.labelled import NO_ENTRY, LabelledDocument
from held.document import Document, OutlineEntry
from held.hierarchy.matching.nodes import OutlineNodes, match_outline
from held.hierarchy.matching.trust import doubt
from held.metrics import Label


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
