"""Weights of training documents, shared by every method that learns where headings belong.

Documents differ in length by a factor of a thousand, and domains in their number of documents by a factor
of twenty, so rows of long documents and of common domains can be weighed down. A heading whose parent was
not recognised as an object hangs under an ancestor instead; it can be left out of training.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from held.corpus.labelled import LabelledDocument, truth

_MIN_HEADINGS = 5  # shorter documents weigh as if they had so many; else one of 1 heading would dominate
_REFERENCE_HEADINGS = 100  # a document of so many has weight 1


@dataclass(frozen=True, slots=True, kw_only=True)
class WeightSettings:
    """Settings of the weights; by default all headings count alike, as in the paper.

    power     how far long documents are weighed down: with 1 all documents count alike
    balance   how much more documents of rare domains weigh: with 1 all domains count alike
    astray    whether headings under a missing one are trained on, under the nearest ancestor that exists
    """

    power: float = 0.0
    balance: float = 0.0
    astray: bool = True


class WeightedDocument(Protocol):
    """The properties of a document that decide its weight."""

    @property
    def domain(self) -> str: ...

    @property
    def headings(self) -> Sequence[int]: ...


def document_weights(documents: Sequence[WeightedDocument], settings: WeightSettings) -> list[float]:
    """The weight of each document's rows, given all documents of the training set."""
    weight_of_domain = domain_weights(documents, settings.balance)
    weights = []
    for document in documents:
        weight = length_weight(len(document.headings), settings.power)
        weights.append(weight_of_domain[document.domain] * weight)
    return weights


def length_weight(headings: int, power: float) -> float:
    """The weight of a document's rows by its length: with power 0 rows count alike, with 1 documents do."""
    return float((max(headings, _MIN_HEADINGS) / _REFERENCE_HEADINGS) ** -power)


def domain_weights(documents: Sequence[WeightedDocument], balance: float) -> dict[str, float]:
    """The weight of a document of each domain: with a balance of 1 all domains count alike."""
    counts = Counter(document.domain for document in documents)
    mean_count = len(documents) / max(1, len(counts))
    return {domain: (mean_count / count) ** balance for domain, count in counts.items()}


def orphan_headings(labelled: LabelledDocument) -> frozenset[int]:
    """The headings whose parent was not recognised as an object."""
    true = truth(labelled)
    objects = true.objects or ()
    orphans = set()
    for node, parent in true.tree.parents().items():
        if parent >= 0 and objects[parent] is None:
            orphans.add(objects[node])
    return frozenset(labelled.headings).intersection(orphans)


def excluded_headings(labelled: LabelledDocument, settings: WeightSettings) -> frozenset[int]:
    """The headings of a document that are left out of training."""
    return frozenset() if settings.astray else orphan_headings(labelled)
