"""The documents that the tables are measured on, and the headings that the methods are given."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from research.paper.plan import HEADING_NETWORK, NETWORK_HEADINGS, variant_name

from held.corpus.store import labelled_documents, truth
from held.document import Document
from held.headings.object_features import DocumentFeatures, ObjectFeatures
from held.hierarchy.steps import HeadingStep, find_headings, heading_step
from held.metrics import Truth

TRUE, SHIPPED, OWN = "true", "base", "own"
"""Whose headings a row gets, beside those of the paper's network: the labels', the shipped model's, none."""


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


@dataclass(frozen=True, slots=True)
class Given:
    """The headings of documents by their ids, and the CPU seconds that finding them took for each."""

    headings: Mapping[str, tuple[int, ...]]
    seconds: Mapping[str, float] = field(default_factory=dict)


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


def headings_for(whose: str, documents: Sequence[Subject], models: Path | None = None) -> Given:
    """The headings that a row is given; of documents whose domain has no heading network, none."""
    if whose == TRUE:
        return Given({subject.id: subject.true_headings for subject in documents})
    if whose == SHIPPED:
        return _found(heading_step(SHIPPED), documents)
    assert whose == NETWORK_HEADINGS, whose
    headings: dict[str, tuple[int, ...]] = {}
    seconds: dict[str, float] = {}
    for domain in dict.fromkeys(subject.domain for subject in documents):
        path = (models or Path()) / f"{variant_name(HEADING_NETWORK, domain)}.held"
        if path.exists():
            own = _found(heading_step(path), [subject for subject in documents if subject.domain == domain])
            headings |= own.headings
            seconds |= own.seconds
    return Given(headings, seconds)


def _found(step: HeadingStep, documents: Sequence[Subject]) -> Given:
    headings: dict[str, tuple[int, ...]] = {}
    seconds: dict[str, float] = {}
    for subject in documents:
        started = time.process_time()
        # Features anew: computing them is part of what finding headings costs.
        (headings[subject.id],) = find_headings(step, [DocumentFeatures(subject.document)])
        seconds[subject.id] = time.process_time() - started
    return Given(headings, seconds)
