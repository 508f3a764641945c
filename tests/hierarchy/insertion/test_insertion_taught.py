"""A scorer that learns from given places, and only from those that it had wrong."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st

from held.hierarchy.insertion import Question, Strategy, build
from held.hierarchy.overrides import insert_with_overrides
from held.tree import ROOT, Tree
from tests.hierarchy.insertion.test_insertion_places import HashScorerWithKinds, trees_with_some_places

GREEDY = Strategy(normalise=True)
KINDS = dict(enumerate("ABCCCACC"))


class TopScorer:
    """Puts headings of kind B below A, and all others rather at the top than below B."""

    def kinds(self, document: int) -> dict[int, str]:
        return KINDS

    def score(self, questions: Sequence[Question]) -> list[list[float]]:
        return [[self._score(q, position) for position in q.positions] for q in questions]

    def _score(self, question: Question, position: int) -> float:
        parent = question.tree.positions[position].parent
        if KINDS[question.obj] == "B":
            return float(parent != ROOT and KINDS[parent] == "A")
        return {ROOT: 0.5}.get(parent, 0.3 if KINDS.get(parent) == "B" else 0.01)


def taught(fixed: dict[int, int]) -> Tree:
    return insert_with_overrides([range(len(KINDS))], TopScorer(), GREEDY, [fixed])[0].tree


def test_a_given_place_teaches_the_headings_of_its_kind_that_follow() -> None:
    assert str(taught({})) == "(0 1) 2 3 4 5 6 7"
    assert str(taught({2: 1})) == "(0 (1 2 3 4)) 5 6 7"


def test_what_stands_above_a_given_place_stays_as_it_was() -> None:
    assert str(taught({4: 1})).startswith("(0 (1 2 3 4))")
    assert taught({6: 5}).parents()[4] == taught({}).parents()[4]


def test_a_kind_below_itself_teaches_nothing() -> None:
    assert taught({3: 2}).parents()[4] == ROOT


@given(trees_with_some_places(), st.sets(st.integers(0, 39)))
def test_places_that_it_had_right_teach_nothing(drawn: tuple[Tree, dict[int, int]], chosen: set[int]) -> None:
    objects = range(drawn[0].size)
    alone = build(objects, HashScorerWithKinds(), GREEDY).tree
    own = {obj: parent for obj, parent in alone.parents().items() if obj in chosen}
    assert insert_with_overrides([objects], HashScorerWithKinds(), GREEDY, [own])[0].tree == alone


@given(trees_with_some_places())
def test_given_places_are_kept_by_what_is_taught(drawn: tuple[Tree, dict[int, int]]) -> None:
    tree, fixed = drawn
    (built,) = insert_with_overrides([range(tree.size)], HashScorerWithKinds(), GREEDY, [fixed])
    parents = built.tree.parents()
    assert {obj: parents[obj] for obj in fixed} == fixed
