"""The order in which passages answer a question: boosted trees over `features`, shipped with the package.

They were learnt from questions made from documents (`held.training.ranker`) and run in onnxruntime. People
ask otherwise than made questions do, so the plain sum of all matches, which needs no learning, counts, too.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import numpy as np

from held.errors import VersionError
from held.models.boosted import Trees, sigmoid
from held.models.store import Model, RetrievalKind, load_model
from held.retrieval.bm25 import Floats
from held.retrieval.features import MATCHES, Searchable, ranker_features, searchable
from held.retrieval.passages import Passage

VERSION = 1
"""Of the features: a ranker serves the features that it was trained on."""


class Ranker:
    """Gives passages scores for a question."""

    def __init__(self, model: Model) -> None:
        known = model.settings.get("features")
        if known != VERSION:
            raise VersionError(
                f"the ranker was trained on features of version {known!r}, not {VERSION}",
                advice="train it anew with `held train ranker`, or use the one that ships with this version",
            )
        self._trees = Trees(model.parts["trees.onnx"])
        self._matches_weight = float(model.settings["matches_weight"])

    def scores(self, query: str, document: Searchable) -> Floats:
        """A score from 0 to 1 for each passage; 0 where nothing near it matches."""
        features = ranker_features(query, document)
        matches = features[:, : len(MATCHES)].sum(axis=1)
        scores = sigmoid(self._trees.score(features) + self._matches_weight * matches)
        return np.where(matches > 0, scores, 0).astype(np.float32)


def rank(query: str, document: Searchable | Sequence[Passage], *, model: str = "base") -> Floats:
    """A score for each passage of one document: the higher, the sooner it should be read."""
    ready = document if isinstance(document, Searchable) else searchable(document)
    return _ranker(model).scores(query, ready)


@cache
def _ranker(name: str) -> Ranker:
    return Ranker(load_model(name, RetrievalKind.RANKER))
