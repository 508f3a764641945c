"""Examples from true trees, with and without earlier errors."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from held.errors import UsageError
from held.hierarchy.oracle import (
    Example,
    Noise,
    anywhere_else,
    examples,
    noisy_examples,
    noisy_headings,
    right_position,
)
from held.tree import ROOT, Tree
from tests.hierarchy.insertion.random_trees import TREES


def test_an_example_has_one_label_for_each_position() -> None:
    labels = [example.labels for example in examples(Tree.parse("(0 (1 2) 3)"))]
    assert labels == [(True,), (False, True), (False, False, True), (False, True, False, False)]


@given(TREES)
def test_without_errors_the_right_position_lies_under_the_true_parent(truth: Tree) -> None:
    parents = truth.parents()
    for example in examples(truth):
        assert example.tree.branch[example.right] == parents[example.obj]


def test_after_an_error_the_deepest_true_ancestor_on_the_branch_is_right() -> None:
    parents = Tree.parse("(0 (1 2 3))").parents()
    assert right_position(parents, Tree.parse("(0 (1 2))"), 3) == 2
    assert right_position(parents, Tree.parse("(0 1 2)"), 3) == 1
    assert right_position(parents, Tree.parse("(0 1) 2"), 3) == 0


def test_where_no_ancestor_is_left_the_root_is_right() -> None:
    assert right_position(Tree.parse("(0 1 2)").parents(), Tree.parse("0 1").without({0}), 2) == 0


@given(TREES, st.integers(0, 99))
def test_with_errors_the_right_position_is_a_true_ancestor_and_none_below_it_is(
    truth: Tree, seed: int
) -> None:
    paths = truth.paths()
    for example in examples(truth, misplaced=0.5, rng=random.Random(seed)):
        branch = example.tree.branch
        assert branch[example.right] in (ROOT, *paths[example.obj])
        assert not set(branch[example.right + 1 :]) & set(paths[example.obj])


@given(TREES, st.integers(0, 99))
def test_a_misplaced_object_is_never_at_the_right_position_if_there_is_another(
    truth: Tree, seed: int
) -> None:
    for example in examples(truth):
        wrong = anywhere_else(example, random.Random(seed))
        assert (wrong != example.right) == (len(example.tree.positions) > 1)


def test_the_share_of_misplaced_objects_is_the_rate() -> None:
    truth = Tree.from_parents([ROOT] + [0] * 5000)
    drawn: list[Example] = []

    def misplace(example: Example, rng: random.Random) -> int:
        drawn.append(example)
        return example.right

    assert sum(1 for _ in examples(truth, misplaced=0.1, rng=random.Random(3), misplace=misplace)) == 5001
    assert 0.08 < len(drawn) / 5001 < 0.12


def test_the_same_seed_gives_the_same_examples() -> None:
    truth = Tree.from_parents([ROOT, 0, 0, 2, 2, 0, ROOT, 6, 6])
    runs = [[e.tree for e in examples(truth, misplaced=0.5, rng=random.Random(7))] for _ in range(2)]
    assert runs[0] == runs[1]


def test_headings_are_dropped_and_added_at_their_rates() -> None:
    headings = range(0, 20_000, 10)
    found = noisy_headings(headings, 20_000, noise=Noise(dropped=0.1, false=0.05), rng=random.Random(1))
    kept = sum(obj % 10 == 0 for obj in found)
    assert 0.87 < kept / 2000 < 0.93
    assert 0.03 < (len(found) - kept) / 2000 < 0.07


def test_without_noise_the_headings_stay() -> None:
    assert noisy_headings([1, 3], 5, noise=Noise(), rng=random.Random(0)) == (1, 3)


@pytest.mark.parametrize("headings", [[], [0, 1, 2]])
def test_false_headings_need_headings_and_a_body(headings: list[int]) -> None:
    assert noisy_headings(headings, 3, noise=Noise(false=1.0), rng=random.Random(0)) == tuple(headings)


def test_a_false_heading_belongs_below_its_own_heading() -> None:
    truth = Tree.parse("(0 1 2 (3 4))")
    found = {example.obj: example for example in examples(truth, [0, 2, 3])}
    assert found[2].tree.branch[found[2].right] == 0
    assert found[3].tree.branch[found[3].right] == 0


@given(TREES, st.integers(0, 99))
def test_noisy_examples_are_legal(truth: Tree, seed: int) -> None:
    noise = Noise(misplaced=0.3, dropped=0.3, false=0.3)
    headings = [obj for obj, below in truth.children().items() if below and obj != ROOT]
    for example in noisy_examples(truth, headings, noise=noise, rng=random.Random(seed)):
        assert sum(example.labels) == 1


def test_a_rate_above_one_is_refused() -> None:
    with pytest.raises(UsageError, match=r"dropped = 1\.5"):
        Noise(dropped=1.5)
