"""Mutation testing of the layout: tracking numbers behave like numbers, and see what a change would flip."""

import inspect
import operator
import sys
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from research.mutation.__main__ import summarise
from research.mutation.mutants import Mutant, apply, in_child, predicates, thresholds, touched_by
from research.mutation.tracking import OPAQUE, RECORDER, TrackedFloat, TrackedInt, changed_value

NUMBERS = st.floats(-1e6, 1e6, allow_nan=False)


@pytest.fixture(autouse=True)
def _empty_recorder() -> None:
    RECORDER.flips.clear()


def flipped(name: str) -> set[float]:
    return {factor for found, factor in RECORDER.flips if found == name}


@given(NUMBERS, NUMBERS, st.sampled_from([operator.add, operator.sub, operator.mul]))
def test_a_tracked_number_computes_like_a_float(
    value: float, other: float, compute: Callable[[Any, Any], float]
) -> None:
    tracked = TrackedFloat.of("GAP", value)
    assert compute(tracked, other) == compute(value, other)
    assert compute(other, tracked) == compute(other, value)


@given(NUMBERS, NUMBERS)
def test_a_tracked_number_compares_like_a_float(value: float, other: float) -> None:
    tracked = TrackedFloat.of("GAP", value)
    assert (tracked < other, tracked >= other) == (value < other, value >= other)
    assert (other < tracked, other >= tracked) == (other < value, other >= value)


def test_a_comparison_that_a_factor_would_flip_is_recorded() -> None:
    gap = TrackedFloat.of("GAP", 2.0)
    assert gap * 5 + 0.5 < 11.0  # 10.5: a quarter more would be 13
    assert flipped("GAP") == {1.25, 4.0}


def test_a_comparison_that_no_factor_flips_is_not_recorded() -> None:
    assert TrackedFloat.of("GAP", 2.0) < 1000
    assert flipped("GAP") == set()


def test_a_count_compared_with_a_length_is_recorded() -> None:
    assert len("abcd") >= TrackedInt.of("FEWEST", 4)
    assert flipped("FEWEST") == {1.25, 4.0}


def test_what_leaves_arithmetic_is_opaque() -> None:
    assert round(TrackedFloat.of("GAP", 2.4)) == 2
    assert flipped("GAP") == {OPAQUE}


def test_counts_change_by_at_least_one() -> None:
    assert [changed_value(2, factor) for factor in (0.75, 1.25, 4.0)] == [1, 3, 8]


def test_a_mutant_reaches_where_its_factor_flips_and_where_its_number_is_opaque() -> None:
    flips = {
        ("GAP", 4.0): Counter({"a": 1, "d": 3}),
        ("GAP", 0.75): Counter("b"),
        ("GAP", OPAQUE): Counter({"c": 2}),
    }
    assert touched_by(Mutant("GAP", 4.0), flips) == ["d", "c", "a"]


@pytest.mark.parametrize("answer", [False, True])
def test_a_mutant_of_a_predicate_gives_one_answer(answer: bool) -> None:
    def ask_mutant() -> object:
        name = next(full_name for full_name, holder, _ in predicates() if inspect.ismodule(holder))
        apply(Mutant(name, answer))
        module, _, function = name.rpartition(".")
        return getattr(sys.modules[module], function)("anything")

    assert in_child(ask_mutant) is answer


def test_thresholds_are_numbers_with_names_in_capitals() -> None:
    assert all(name.isupper() for name in thresholds())


def test_a_threshold_is_dead_only_if_none_of_its_changes_alters_a_document() -> None:
    verdicts = {
        "A x 4": {"name": "A", "tested": True, "test": "t", "document": None},
        "A x 0.75": {"name": "A", "tested": False, "test": None, "document": "d"},
        "B x 4": {"name": "B", "tested": True, "test": None, "document": None},
    }
    counts = summarise(verdicts, documents=1)
    assert counts["names that alter no document"] == ["B"]
    found = [counts[name] for name in ("noticed by documents", "noticed by tests", "noticed by either")]
    assert found == [1, 1, 1]
