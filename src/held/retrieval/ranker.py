"""The order in which passages answer a question."""

from __future__ import annotations

from collections.abc import Sequence

from held.retrieval.bm25 import Floats
from held.retrieval.features import Searchable, paper_features, searchable
from held.retrieval.passages import Passage


def rank(query: str, document: Searchable | Sequence[Passage]) -> Floats:
    """A score for each passage of one document: the higher, the sooner it should be read."""
    ready = document if isinstance(document, Searchable) else searchable(document)
    features = paper_features(query, ready)
    return features[:, 0] + 0.5 * features[:, 1]
