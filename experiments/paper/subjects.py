"""The documents that the tables are measured on, and the headings that the methods are given."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from held.corpus.labelled import truth
from held.corpus.store import labelled_documents
from held.document import Document
from held.features import Table, table_of
from held.metrics import Truth
from held.models.boosted import load_headings
from held.models.networks import heading_probabilities
from held.models.store import ModelKind, load_model


@dataclass(frozen=True, slots=True)
class Subject:
    """A document, what is true of it, and what the features see."""

    id: str
    domain: str
    document: Document
    table: Table
    truth: Truth
    true_headings: tuple[int, ...]


Headings = list[tuple[int, ...]]


def subjects(folder: Path, split: str, *, most: int = 0) -> list[Subject]:
    """The documents of a split whose labels are trusted; `most` of each domain, 0 for all."""
    found: list[Subject] = []
    counts: dict[str, int] = {}
    for labelled in labelled_documents(folder, splits=[split]):
        counts[labelled.domain] = counts.get(labelled.domain, 0) + 1
        if most and counts[labelled.domain] > most:
            continue
        known = truth(labelled)
        table = table_of(labelled.document)
        found.append(
            Subject(labelled.id, labelled.domain, labelled.document, table, known, labelled.headings)
        )
    return found


def headings_for(whose: str, documents: Sequence[Subject], models: Path) -> Headings:
    """The headings that a row is given: the true ones, or those of one of the heading steps."""
    if whose == "true":
        return [subject.true_headings for subject in documents]
    if whose == "base":
        finder = load_headings("base")
        return [tuple(finder.headings(finder.probabilities(subject.table))) for subject in documents]
    model = load_model(models / "headings.held", ModelKind.HEADINGS)
    found = heading_probabilities(model, [subject.document for subject in documents])
    return [tuple(np.flatnonzero(row > model.settings["threshold"]).tolist()) for row in found]
