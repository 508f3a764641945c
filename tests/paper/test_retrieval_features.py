"""The features of the paper, exactly."""

import numpy as np
import pytest

from held.paper.ranker import PAPER_FEATURES, paper_features
from held.retrieval.bm25 import bm25, build_inverted_index
from held.retrieval.document_index import index_passages
from held.retrieval.passages import split_into_passages
from held.retrieval.ranker import score_passages
from held.retrieval.tokens import tokens
from tests.retrieval.made_hierarchies import hierarchy, thing

TEXTS = ["Cash flow.", "Operating cash", "Cash from operating grew.", "Nothing here.", "Debt fell."]


def columns(query: str, tree: str = "(0 (1 2 3) 4)") -> dict[str, list[float]]:
    found = paper_features(query, index_passages(split_into_passages(hierarchy(tree, *map(thing, TEXTS)))))
    return dict(zip(PAPER_FEATURES, found.T.tolist(), strict=True))


def test_bm25_is_taken_over_passages_and_headings_together() -> None:
    scores = bm25(
        build_inverted_index([tokens(TEXTS[obj]) for obj in (2, 3, 4, 0, 1)]), tokens("operating cash")
    )
    assert columns("operating cash")["BM25"] == pytest.approx(scores[:3].tolist())


def test_bm25ancmax_is_the_best_score_among_the_ancestors() -> None:
    scores = bm25(
        build_inverted_index([tokens(TEXTS[obj]) for obj in (2, 3, 4, 0, 1)]), tokens("operating cash")
    )
    best, top = float(scores[4]), float(scores[3])
    assert columns("operating cash")["BM25AncMax"] == pytest.approx([best, best, top])


def test_samewordanc_counts_different_words_shared_with_all_ancestors_merged() -> None:
    assert columns("anything")["SameWordAnc"] == [2, 0, 0]


def test_pos_counts_from_one_and_posratio_is_its_share_of_the_siblings() -> None:
    found = columns("anything")
    assert found["Pos"] == [1, 2, 2]
    assert found["PosRatio"] == [0.5, 1, 1]


def test_without_a_tree_there_is_nothing_above() -> None:
    found = columns("operating cash", "0 1 2 3 4")
    assert not any(found["BM25AncMax"] + found["SameWordAnc"])


def test_a_document_without_passages_has_no_scores() -> None:
    assert score_passages("cash", []).shape == (0,)
    assert paper_features("cash", index_passages([])).shape == (0, len(PAPER_FEATURES))


def test_a_passage_that_answers_ranks_first() -> None:
    made = split_into_passages(hierarchy("(0 (1 2 3) 4)", *map(thing, TEXTS)))
    assert np.argmax(score_passages("operating cash", made)) == 0
