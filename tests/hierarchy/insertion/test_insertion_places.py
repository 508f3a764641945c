"""Insertion with given places: they are kept, and without them nothing changes."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from held.errors import UsageError
from held.hierarchy.insertion import Order, Strategy, build, build_many
from held.hierarchy.oracle import PerfectScorer
from held.tree import ROOT, Tree
from tests.hierarchy.insertion.random_trees import TREES
from tests.hierarchy.insertion.test_insertion_build import FIGURE, HashScorer, TableScorer

WAYS = st.sampled_from(
    [
        Strategy(),
        Strategy(normalise=True),
        Strategy(width=3, normalise=True),
        Strategy(Order.R2L),
        Strategy(Order.L2R),
    ]
)


class HashScorerWithKinds(HashScorer):
    """Objects are of three kinds, so that the search guesses ahead."""

    def kinds(self, document: int) -> dict[int, int]:
        return {obj: obj % 3 for obj in range(100)}


@st.composite
def trees_with_some_places(draw: st.DrawFn) -> tuple[Tree, dict[int, int]]:
    """A tree and the places of some of its objects: such places never contradict each other."""
    tree = draw(TREES)
    parents = tree.parents()
    chosen = draw(st.sets(st.sampled_from(sorted(parents)))) if parents else set()
    return tree, {obj: parents[obj] for obj in chosen}


@given(trees_with_some_places(), WAYS)
def test_given_places_are_kept(drawn: tuple[Tree, dict[int, int]], way: Strategy) -> None:
    tree, fixed = drawn
    built = build(range(tree.size), HashScorer(), way, parents=fixed)
    parents = built.tree.parents()
    assert {obj: parents[obj] for obj in fixed} == fixed
    assert all(built.confidence[obj] == 1.0 for obj in fixed)


@given(trees_with_some_places())
def test_guesses_keep_given_places_and_change_nothing(drawn: tuple[Tree, dict[int, int]]) -> None:
    tree, fixed = drawn
    guessed = build(range(tree.size), HashScorerWithKinds(), parents=fixed)
    assert guessed.tree == build(range(tree.size), HashScorer(), parents=fixed).tree


@given(TREES, WAYS)
def test_with_nothing_fixed_the_tree_is_as_before(tree: Tree, way: Strategy) -> None:
    objects = range(tree.size)
    assert build(objects, HashScorer(), way, parents={}) == build_many([objects], HashScorer(), way)[0]


@given(TREES, st.sets(st.integers(0, 39)))
def test_fixing_the_trees_own_places_changes_nothing(tree: Tree, chosen: set[int]) -> None:
    objects = range(tree.size)
    alone = build(objects, HashScorer()).tree
    own = {obj: parent for obj, parent in alone.parents().items() if obj in chosen}
    assert build(objects, HashScorer(), parents=own).tree == alone


@given(trees_with_some_places())
def test_a_perfect_scorer_needs_no_place_and_is_hurt_by_none(drawn: tuple[Tree, dict[int, int]]) -> None:
    tree, fixed = drawn
    assert build(range(tree.size), PerfectScorer([tree]), parents=fixed).tree == tree


def test_what_comes_between_may_not_close_the_parent() -> None:
    scorer = TableScorer({0: [1.0], 1: [0.9, 0.1], 2: [0.9, 0.1, 0.1]})
    assert str(build(range(3), scorer).tree) == "0 1 2"
    assert str(build(range(3), scorer, parents={2: 0}).tree) == "(0 1 2)"


def test_given_places_leave_fewer_positions_to_ask_about() -> None:
    assert build(range(4), TableScorer(FIGURE)).inquiries == 1 + 2 + 3 + 4
    assert build(range(4), TableScorer(FIGURE), parents={3: 0}).inquiries == 1 + 1 + 2 + 1


@pytest.mark.parametrize(
    ("fixed", "message"),
    [
        ({2: 0, 3: 1}, "a later object is given a place under object 1"),
        ({2: ROOT, 3: 1}, "under the root"),
        ({1: 1}, "does not come before it"),
        ({9: 0}, "is not inserted"),
        ({3: 9}, "which is not inserted"),
    ],
)
def test_places_that_contradict_each_other_are_refused(fixed: dict[int, int], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        build(range(4), HashScorer(), parents=fixed)
