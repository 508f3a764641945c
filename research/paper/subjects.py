"""The documents that the tables are measured on, and the headings that the methods are given."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from held.corpus.store import labelled_documents, truth
from held.document import Document
from held.headings.object_features import DocumentFeatures, ObjectFeatures
from held.hierarchy.steps import find_headings, heading_step
from held.metrics import Truth


@dataclass(frozen=True, slots=True)
class Subject:
    """A document as the models see it, and what is true of it."""

    id: str
    domain: str
    seen: DocumentFeatures
    truth: Truth
    true_headings: tuple[int, ...]

    @property
    def document(self) -> Document:
        return self.seen.document

    @property
    def table(self) -> ObjectFeatures:
        return self.seen.objects


Headings = list[tuple[int, ...]]


def subjects(folder: Path, split: str, *, most: int = 0) -> list[Subject]:
    """The documents of a split whose labels are trusted; `most` of each domain, 0 for all."""
    found: list[Subject] = []
    counts: dict[str, int] = {}
    for labelled in labelled_documents(folder, splits=[split]):
        if labelled.silver:  # part of its outline is a guess
            continue
        counts[labelled.domain] = counts.get(labelled.domain, 0) + 1
        if most and counts[labelled.domain] > most:
            continue
        seen = DocumentFeatures(labelled.document)
        subject = Subject(labelled.id, labelled.domain, seen, truth(labelled), labelled.headings)
        assert len(subject.table) == len(seen)  # computed here, so that it is in no row's time
        found.append(subject)
    return found


def headings_for(whose: str, documents: Sequence[Subject]) -> Headings:
    """The headings that a row is given: the true ones, or those that a preset finds."""
    if whose == "true":
        return [subject.true_headings for subject in documents]
    return find_headings(heading_step(whose), [subject.seen for subject in documents])
