"""What is learnt from, and how much it counts: one choice for every method that learns to place headings.

Documents differ in length by a factor of a thousand and domains in their number of documents by a factor of
twenty, so the rows of long documents and of common domains can be weighed down. A heading whose parent was
recognised as no object hangs, in the tree of the objects, under an ancestor: its place can be left untaught.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from held.corpus.labelled import LabelledDocument, truth

_FEWEST = 5  # headings that a document is taken to have: a shorter one would count beyond all measure
_USUAL = 100  # headings of a document whose weight is 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """The settings of the choice; without changes all headings count alike, as in the paper.

    power     how far long documents are weighed down: with 1 all documents count alike
    balance   how much more documents of rare domains weigh: with 1 all domains count alike
    astray    whether headings under a missing one are taught, under the ancestor that is there
    """

    power: float = 0.0
    balance: float = 0.0
    astray: bool = True


class Weighed(Protocol):
    """What a document's weight follows from."""

    @property
    def domain(self) -> str: ...

    @property
    def headings(self) -> Sequence[int]: ...


def weights_of(documents: Sequence[Weighed], choice: Choice) -> list[float]:
    """How much each row of each document counts, given all that are learnt from."""
    by_domain = rarity(documents, choice.balance)
    return [
        by_domain[document.domain] * document_weight(len(document.headings), choice.power)
        for document in documents
    ]


def document_weight(headings: int, power: float) -> float:
    """The weight of a document's rows: with power 0 all rows count alike, with 1 all documents do."""
    return float((max(headings, _FEWEST) / _USUAL) ** -power)


def rarity(documents: Sequence[Weighed], balance: float) -> dict[str, float]:
    """How much a document of each domain weighs: with a balance of 1 all domains count alike."""
    domains = Counter(document.domain for document in documents)
    usual = len(documents) / max(1, len(domains))
    return {domain: (usual / count) ** balance for domain, count in domains.items()}


def astray_headings(labelled: LabelledDocument) -> frozenset[int]:
    """The headings whose parent is missing: a heading that is no object."""
    found = truth(labelled)
    objects = found.objects or ()
    return frozenset(
        obj
        for node, parent in found.tree.parents().items()
        if parent >= 0 and objects[parent] is None and (obj := objects[node]) is not None
    ).intersection(labelled.headings)


def untaught(labelled: LabelledDocument, choice: Choice) -> frozenset[int]:
    """The headings of a document whose place is not taught."""
    return frozenset() if choice.astray else astray_headings(labelled)
