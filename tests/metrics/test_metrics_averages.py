"""Counts, ratios and confidence intervals."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from held.metrics import Interval, Matches, Share, bootstrap, mean, paired_bootstrap


def test_precision_recall_and_f1() -> None:
    matches = Matches(both=3, true=6, found=4)
    assert (matches.precision, matches.recall, matches.f1) == (0.75, 0.5, pytest.approx(0.6))


def test_a_share_of_nothing_is_not_a_number() -> None:
    assert math.isnan(Share().value)
    assert math.isnan(Matches(true=1).precision)
    assert math.isnan(Matches(found=1).recall)
    assert math.isnan(Matches().f1)
    assert math.isnan(mean([]))


def test_f1_is_zero_where_only_one_side_is_empty() -> None:
    assert Matches(true=1).f1 == Matches(found=1).f1 == 0.0


def test_counts_add_up() -> None:
    assert Share(1, 2) + Share(3, 4) == Share(4, 6)
    assert Matches(1, 2, 3) + Matches(1, 1, 1) == Matches(2, 3, 4)


def test_the_interval_of_a_mean_is_near_the_textbook_one() -> None:
    values = [float(i % 2) for i in range(400)]
    low, high = bootstrap(values)
    assert low == pytest.approx(0.5 - 1.96 * 0.025, abs=0.01)
    assert high == pytest.approx(0.5 + 1.96 * 0.025, abs=0.01)


def test_the_interval_weighs_documents_by_their_size() -> None:
    low, high = bootstrap([90, 0], [100, 1])
    assert (low, high) == (0.0, 0.9)


def test_the_same_seed_gives_the_same_interval() -> None:
    assert bootstrap([1, 2, 3, 5]) == bootstrap([1, 2, 3, 5])


def test_draws_with_nothing_to_judge_are_left_out() -> None:
    assert bootstrap([1, 0], [1, 0]) == Interval(1.0, 1.0)


def test_without_documents_there_is_no_interval() -> None:
    assert all(math.isnan(bound) for bound in bootstrap([]))
    assert all(math.isnan(bound) for bound in bootstrap([0], [0]))


def test_numerators_and_denominators_must_pair() -> None:
    with pytest.raises(ValueError, match="2 numerators and 1 denominators"):
        bootstrap([1, 2], [1])


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(10, 20)), min_size=1, max_size=30))
def test_the_interval_lies_within_the_extremes_of_the_documents(counts: list[tuple[int, int]]) -> None:
    low, high = bootstrap([right for right, _ in counts], [total for _, total in counts])
    ratios = [right / total for right, total in counts]
    assert min(ratios) - 1e-9 <= low <= high <= max(ratios) + 1e-9


def test_what_is_better_on_every_document_is_surely_better() -> None:
    ours = [Share(right + 10, 1000) for right in (0, 500, 900, 20)]
    others = [Share(right, 1000) for right in (0, 500, 900, 20)]
    assert paired_bootstrap(ours, others) == pytest.approx((0.01, 0.01))


def test_pairing_sees_a_difference_that_two_intervals_hide() -> None:
    ours = [Share(right + 10, 1000) for right in (0, 500, 900, 20)]
    others = [Share(right, 1000) for right in (0, 500, 900, 20)]
    alone, other = (bootstrap([s.right for s in side], [s.total for s in side]) for side in (ours, others))
    assert alone.low < other.high
    assert paired_bootstrap(ours, others).low > 0


def test_equal_methods_differ_by_nothing() -> None:
    shares = [Share(3, 4), Share(0, 9)]
    assert paired_bootstrap(shares, shares) == (0.0, 0.0)


def test_one_document_that_tips_decides_nothing() -> None:
    interval = paired_bootstrap([Share(1, 10)] * 9 + [Share(10, 10)], [Share(1, 10)] * 10)
    assert interval.low == 0.0


def test_only_the_same_documents_are_compared() -> None:
    with pytest.raises(ValueError, match="1 documents against 2"):
        paired_bootstrap([Share(1, 1)], [Share(1, 1)] * 2)
    assert math.isnan(paired_bootstrap([], []).low)
