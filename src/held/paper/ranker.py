"""The passage ranking of the paper's section 6: boosted trees over BM25 and four features of the hierarchy.

    ranker = PaperRanker("ranker.onnx")           # `held train ranker` trains it on your own questions
    ranker.rank("Who owns it?", held.extract("report.pdf"))

`held search` ranks by other features, which score higher on the same questions (docs/research/retrieval.md).
"""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np

from held.errors import FormatError, InputError
from held.hierarchy import Hierarchy
from held.models.inference import BoostedTrees
from held.retrieval.bm25 import Floats, bm25
from held.retrieval.document_index import DocumentIndex, index_passages
from held.retrieval.passages import Passage, split_into_passages
from held.retrieval.tokens import tokens

# --- features ---
#
# The retrieval features of the paper, for comparison: the shipped ranker does not use them.

PAPER_FEATURES = ("BM25", "BM25AncMax", "SameWordAnc", "Pos", "PosRatio")
"""BM25 of the passage; the highest BM25 of a heading above it; the number of words that it shares with these
headings; its position among its siblings, counted from 1; that position over the number of siblings."""


def paper_features(query: str, document: DocumentIndex) -> Floats:
    """The columns `PAPER_FEATURES` for each passage."""
    count = len(document.passages)
    scores = bm25(document.texts, tokens(query))
    best_heading = np.zeros(count, np.float32)
    np.maximum.at(best_heading, document.below, scores[document.heading])
    rows = [(_shared_words(p), p.position, p.position / p.siblings) for p in document.passages]
    facts = np.array(rows, np.float32).reshape(count, 3)
    return np.concatenate([scores[:count, None], best_heading[:, None], facts], axis=1)


def _shared_words(passage: Passage) -> int:
    heading_words = {word for heading in passage.path for word in tokens(heading)}
    return len(heading_words.intersection(tokens(passage.text)))


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
        except Exception as error:  # the parser of ONNX Runtime raises errors of many types
            raise FormatError("not a ranker", file=path, advice=advice) from error
        if width != len(PAPER_FEATURES):
            message = f"is a ranker for {width} features, not for {len(PAPER_FEATURES)}"
            raise FormatError(message, file=path)

    def rank(self, query: str, hierarchy: Hierarchy) -> list[Passage]:
        """The passages of a document, the best first."""
        document = index_passages(split_into_passages(hierarchy))
        order = np.argsort(-self.scores(query, document), kind="stable")
        return [document.passages[index] for index in order.tolist()]

    def scores(self, query: str, document: DocumentIndex) -> Floats:
        """The score of each passage."""
        features = paper_features(query, document)
        return order_by(self._trees.score(features), features[:, _BM25])


def order_by(scores: Floats, second: Floats) -> Floats:
    """New scores with the order of `scores`; equal ones are in the order of `second`.

    Boosted trees give the same score to many passages.
    """
    order = np.lexsort((-second, -scores))
    ranks = np.empty(len(scores), np.float32)
    ranks[order] = np.arange(len(scores), dtype=np.float32)
    return -ranks
