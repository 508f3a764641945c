"""The edit distance against a brute-force one, and the similarity made of it."""

from __future__ import annotations

from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from held.metrics import Prediction, Truth, edit_distance, heading_similarity
from held.metrics.trees import labels_of
from held.tree import ROOT, Tree
from tests.hierarchy.insertion.random_trees import grown, trees

Forest = tuple[tuple[int, "Forest"], ...]


TREES = trees(most=7)


def brute_force(first: Tree, second: Tree, names: dict[int, int]) -> int:
    """The edit distance by its recursive definition."""

    @cache
    def distance(f: Forest, g: Forest) -> int:
        if not f or not g:
            return size(f) + size(g)
        (a, below_a), (b, below_b) = f[-1], g[-1]
        return min(
            distance(f[:-1] + below_a, g) + 1,
            distance(f, g[:-1] + below_b) + 1,
            distance(f[:-1], g[:-1]) + distance(below_a, below_b) + (a != names.get(b, b)),
        )

    return distance(forest(first), forest(second))


def size(trees: Forest) -> int:
    return sum(1 + size(below) for _, below in trees)


def forest(tree: Tree, node: int = ROOT) -> Forest:
    return tuple((child, forest(tree, child)) for child in tree.children()[node])


@given(TREES, TREES, st.dictionaries(st.integers(0, 6), st.integers(-9, -2)))
def test_the_distance_is_the_brute_force_one(first: Tree, second: Tree, names: dict[int, int]) -> None:
    assert edit_distance(first, second, names) == brute_force(first, second, names)


@given(TREES, TREES)
def test_the_distance_is_symmetric_and_zero_for_the_same_tree_alone(first: Tree, second: Tree) -> None:
    assert edit_distance(first, second) == edit_distance(second, first)
    assert (edit_distance(first, second) == 0) == (first == second)


@given(TREES, TREES, TREES)
def test_the_distance_obeys_the_triangle(a: Tree, b: Tree, c: Tree) -> None:
    assert edit_distance(a, c) <= edit_distance(a, b) + edit_distance(b, c)


def test_trees_of_600_headings_can_be_compared() -> None:
    true = grown([i * 7919 % 5 for i in range(600)])
    without_one = true.without({300})
    assert edit_distance(true, without_one) == 1


def test_a_chain_of_last_children_costs_no_more_than_one_of_first_children() -> None:
    comb = Tree.from_parents([ROOT, *((i - 1) // 2 * 2 for i in range(1, 400))])
    assert edit_distance(comb, comb) == 0


def truth(tree: str, headings: set[int]) -> Truth:
    parsed = Tree.parse(tree)
    return Truth(parsed, labels_of(headings, parsed.size))


def test_similarity_is_over_headings_with_the_root() -> None:
    prediction = Prediction(Tree.parse("(0 1) 2 3"), frozenset({0}))
    assert heading_similarity(truth("(0 1) (2 3)", {0, 2}), prediction) == pytest.approx(1 - 1 / 3)


def test_documents_without_headings_are_the_same() -> None:
    assert heading_similarity(truth("0 1", set()), Prediction(Tree.parse("0 1"), frozenset())) == 1.0


def test_a_star_and_a_chain_have_no_negative_similarity() -> None:
    star = truth("0 1 2 3 4 5", set(range(6)))
    chain = Prediction(Tree.parse("(0 (1 (2 (3 (4 5)))))"), frozenset(range(6)))
    assert heading_similarity(star, chain) == 0.0


def test_unknown_headings_are_spliced_out() -> None:
    tree = Tree.parse("(0 1 (2 3))")
    true = Truth(tree, labels_of({0, 2}, 4, unknown={1}))
    prediction = Prediction(Tree.parse("(0 (1 (2 3)))"), frozenset({0, 1, 2}))
    assert heading_similarity(true, prediction) == 1.0


def test_a_recognised_heading_goes_by_the_name_of_its_true_one() -> None:
    prediction = Prediction(Tree.parse("0 (1 2)"), frozenset({1}))
    true = truth("(0 1)", {0})
    assert heading_similarity(true, prediction, {0: 1, 1: 2}) == 1.0
    assert heading_similarity(true, prediction, {1: 2}) == pytest.approx(1 - 1 / 2)
