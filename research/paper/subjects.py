"""The documents that methods are measured on, and the headings that methods are given."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from research.paper.plan import HEADING_NETWORK, NETWORK_HEADINGS, variant_name

from held.corpus.store import labelled_documents, truth
from held.document import Document
from held.headings.object_features import DocumentFeatures, ObjectFeatures
from held.hierarchy.pipeline import HeadingStep, find_headings, heading_step
from held.metrics import Truth

TRUE, SHIPPED, OWN = "true", "base", "own"
"""Where the headings of a row come from: the labels, the shipped model, or the method itself (none given).

Besides these there is NETWORK_HEADINGS, the paper's heading network."""


@dataclass(frozen=True, slots=True)
class Subject:
    """A document: its features for the models, and its ground truth."""

    id: str
    domain: str
    features: DocumentFeatures
    truth: Truth
    true_headings: tuple[int, ...]

    @property
    def document(self) -> Document:
        return self.features.document

    @property
    def table(self) -> ObjectFeatures:
        return self.features.objects


@dataclass(frozen=True, slots=True)
class GivenHeadings:
    """The headings of documents by their ids, and the CPU seconds that finding them took for each."""

    headings: Mapping[str, tuple[int, ...]]
    seconds: Mapping[str, float] = field(default_factory=dict)


def subjects(folder: Path, split: str, *, most: int = 0) -> list[Subject]:
    """The documents of a split with trusted labels, at most `most` of each domain; 0 for all."""
    chosen: list[Subject] = []
    counts: dict[str, int] = {}
    for labelled in labelled_documents(folder, splits=[split]):
        if labelled.silver:  # part of its outline was guessed
            continue
        counts[labelled.domain] = counts.get(labelled.domain, 0) + 1
        if most and counts[labelled.domain] > most:
            continue
        features = DocumentFeatures(labelled.document)
        subject = Subject(labelled.id, labelled.domain, features, truth(labelled), labelled.headings)
        assert len(subject.table) == len(features)  # computes the table now, outside of measured times
        chosen.append(subject)
    return chosen


def headings_for(source: str, documents: Sequence[Subject], models: Path | None = None) -> GivenHeadings:
    """The headings that a row is given; none for documents whose domain has no heading network."""
    if source == TRUE:
        return GivenHeadings({subject.id: subject.true_headings for subject in documents})
    if source == SHIPPED:
        return _find_headings(heading_step(SHIPPED), documents)
    assert source == NETWORK_HEADINGS, source
    headings: dict[str, tuple[int, ...]] = {}
    seconds: dict[str, float] = {}
    for domain in dict.fromkeys(subject.domain for subject in documents):
        path = (models or Path()) / f"{variant_name(HEADING_NETWORK, domain)}.held"
        if path.exists():
            in_domain = [subject for subject in documents if subject.domain == domain]
            given = _find_headings(heading_step(path), in_domain)
            headings |= given.headings
            seconds |= given.seconds
    return GivenHeadings(headings, seconds)


def _find_headings(step: HeadingStep, documents: Sequence[Subject]) -> GivenHeadings:
    headings: dict[str, tuple[int, ...]] = {}
    seconds: dict[str, float] = {}
    for subject in documents:
        started = time.process_time()
        # New features, because computing them is part of the cost of finding headings.
        (headings[subject.id],) = find_headings(step, [DocumentFeatures(subject.document)])
        seconds[subject.id] = time.process_time() - started
    return GivenHeadings(headings, seconds)
