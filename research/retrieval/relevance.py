"""Which passages answer a question, by the rule of docs/research/retrieval.md."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from held.retrieval.passages import Passage
from held.retrieval.tokens import tokens

FEWEST_WORDS = 5
PART_OF_EVIDENCE = 0.8
LEAST_OF_EVIDENCE = 0.1
EVIDENCE_IS_PART = 0.75

Flags = NDArray[np.bool_]


class Evidence(NamedTuple):
    """A page, from 1, and what it says that answers the question."""

    page: int
    text: str


def relevant_passages(passages: Sequence[Passage], evidence: Sequence[Evidence]) -> Flags:
    """Whether each passage is relevant to any of the evidence."""
    flags = np.zeros(len(passages), bool)
    for piece in evidence:
        words = Counter(tokens(piece.text))
        here = [index for index, passage in enumerate(passages) if piece.page in passage.pages]
        shares = {index: _shares(Counter(tokens(passages[index].text)), words) for index in here}
        chosen = [index for index, found in shares.items() if found.relevant]
        if not chosen and here:
            chosen = [max(here, key=lambda index: shares[index].of_evidence)]
        flags[chosen] = True
    return flags


class _Shares(NamedTuple):
    words: int
    of_passage: float
    of_evidence: float

    @property
    def relevant(self) -> bool:
        large_enough = self.words >= FEWEST_WORDS and self.of_evidence >= LEAST_OF_EVIDENCE
        part_of_evidence = large_enough and self.of_passage >= PART_OF_EVIDENCE
        return part_of_evidence or self.of_evidence >= EVIDENCE_IS_PART


def _shares(passage: Counter[str], evidence: Counter[str]) -> _Shares:
    both = (passage & evidence).total()
    return _Shares(passage.total(), both / max(1, passage.total()), both / max(1, evidence.total()))
