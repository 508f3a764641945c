"""Figures of rankings, by hand and as properties."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from research.retrieval.ranking import average_precision, hit_at, recall_at, relevance_by_rank

RANKINGS = st.lists(st.booleans(), max_size=30)


def test_average_precision_is_the_mean_precision_down_to_each_relevant_one() -> None:
    assert average_precision([False, True, False, True]) == pytest.approx((1 / 2 + 2 / 4) / 2)


def test_recall_is_the_share_of_the_relevant_ones_among_the_first() -> None:
    assert recall_at([True, False, True, True, True], 3) == 0.5


def test_one_relevant_among_the_first_is_a_hit() -> None:
    assert (hit_at([False, True, True], 1), hit_at([False, True, True], 2)) == (0, 1)


def test_without_anything_relevant_there_is_nothing_to_judge() -> None:
    assert all(map(math.isnan, (average_precision([False]), recall_at([], 5), hit_at([False], 1))))


def test_equal_scores_keep_their_order() -> None:
    assert relevance_by_rank([1, 2, 1, 2], [True, False, False, True]) == [False, True, True, False]


@given(RANKINGS.filter(any))
def test_relevant_ones_first_is_perfect(ranking: list[bool]) -> None:
    assert average_precision(sorted(ranking, reverse=True)) == 1


@given(RANKINGS.filter(any), st.integers(1, 30))
def test_recall_grows_with_k_up_to_one(ranking: list[bool], k: int) -> None:
    assert recall_at(ranking, k) <= recall_at(ranking, k + 1) <= recall_at(ranking, len(ranking)) == 1
    assert hit_at(ranking, k) >= recall_at(ranking, k)
