"""The passage ranking of the paper's section 6: boosted trees over BM25 and four features of the hierarchy.

    ranker = PaperRanker("ranker.onnx")           # `held train ranker` makes it from one's own questions
    ranker.rank("Who owns it?", held.extract("report.pdf"))

`held search` ranks by other features, which did better on the same questions (docs/research/retrieval.md).
"""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np

from held.errors import FormatError, InputError
from held.hierarchy.hierarchy import Hierarchy
from held.models.inference import BoostedTrees
from held.paper.retrieval_features import PAPER_FEATURES, paper_features
from held.retrieval.bm25 import Floats
from held.retrieval.document_index import DocumentIndex, index_passages
from held.retrieval.passages import Passage, split_into_passages

_BM25 = PAPER_FEATURES.index("BM25")


class PaperRanker:
    """A trained ranker."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        advice = "`held train ranker` makes one"
        try:
            self._trees = BoostedTrees(Path(path).read_bytes())
            width = self._trees.width
        except OSError as error:
            raise InputError(f"cannot be read: {error.strerror}", file=path, advice=advice) from error
        except Exception as error:  # ONNX Runtime raises whatever its parser meets
            raise FormatError("not a ranker", file=path, advice=advice) from error
        if width != len(PAPER_FEATURES):
            raise FormatError(f"a ranker of {width} features, not {len(PAPER_FEATURES)}", file=path)

    def rank(self, query: str, hierarchy: Hierarchy) -> list[Passage]:
        """The passages of a document, the best first."""
        document = index_passages(split_into_passages(hierarchy))
        order = np.argsort(-self.scores(query, document), kind="stable")
        return [document.passages[place] for place in order.tolist()]

    def scores(self, query: str, document: DocumentIndex) -> Floats:
        """The score of each passage."""
        features = paper_features(query, document)
        return order_by(self._trees.score(features), features[:, _BM25])


def order_by(scores: Floats, second: Floats) -> Floats:
    """Scores in the same order, equal ones in the order of the second: trees give many passages one score."""
    places = np.empty(len(scores), np.float32)
    places[np.lexsort((-second, -scores))] = -np.arange(len(scores), dtype=np.float32)
    return places
