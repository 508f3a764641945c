"""BM25 gives what a well-kept library gives."""

import bm25s
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from held.retrieval.bm25 import K1, B, bm25, build_inverted_index, idf

WORDS = st.lists(
    st.sampled_from(["net", "sales", "cost", "of", "goods", "sold", "cash", "debt"]), max_size=12
)


@given(st.lists(WORDS, min_size=1, max_size=8).filter(any), WORDS.filter(bool))
def test_scores_are_those_of_bm25s(texts: list[list[str]], query: list[str]) -> None:
    library = bm25s.BM25(method="lucene", k1=K1, b=B)
    library.index(texts, show_progress=False)
    known = [word for word in query if any(word in text for text in texts)]
    expected = library.get_scores(known) if known else np.zeros(len(texts))
    assert bm25(build_inverted_index(texts), query) == pytest.approx(expected, rel=1e-4, abs=1e-6)


def test_a_rarer_word_tells_more() -> None:
    rare, common = idf(
        build_inverted_index([["cash", "debt"], ["cash"], ["cash"]]).count_matrix(["debt", "cash"])
    )
    assert rare > common > 0


def test_a_word_asked_for_twice_counts_twice() -> None:
    postings = build_inverted_index([["cash", "debt"], ["sales"]])
    assert bm25(postings, ["cash", "cash"]) == pytest.approx(2 * bm25(postings, ["cash"]))


def test_nothing_is_found_in_no_text() -> None:
    assert bm25(build_inverted_index([]), ["cash"]).tolist() == []
    assert bm25(build_inverted_index([[], ["debt"]]), ["cash"]).tolist() == [0, 0]
