"""Global decoding and repair: what greedy gets wrong because it cannot look ahead."""

from collections.abc import Sequence

import pytest
from hypothesis import given
from research.trees.repair import Doubt, best_first, repair_tree

from held.hierarchy.insertion import Question, Search, SearchResult, Strategy, advance_together, build
from held.hierarchy.oracle import PerfectScorer
from held.tree import ROOT, Tree
from tests.hierarchy.insertion.random_trees import TREES


class Tempted:
    """A scorer that slightly prefers a wrong parent for object 1, and is then unsure of all that follows."""

    def score(self, questions: Sequence[Question]) -> list[list[float]]:
        return [self._answer(question) for question in questions]

    def _answer(self, question: Question) -> list[float]:
        branch = question.tree.branch
        if question.obj == 1:
            return [0.6, 0.4]  # right would be under 0
        if question.obj == 0:
            return [1.0]
        right = len(branch) - 1 if branch[1] == 0 else 0
        sure = 0.95 if branch[1] == 0 else 0.5
        return [sure if p == right else (1 - sure) / (len(branch) - 1) for p in range(len(branch))]


def found(search: Search, scorer: object) -> SearchResult:
    return advance_together([search], scorer, together=1)[0]  # type: ignore[arg-type]


def test_greedy_falls_for_the_first_look() -> None:
    assert build(range(4), Tempted()).tree.parents()[1] == ROOT


@pytest.mark.parametrize("search", [repair_tree, best_first])
def test_looking_ahead_mends_a_decision_that_spoils_the_rest(search: object) -> None:
    state, *_ = found(search(0, range(4)), Tempted())  # type: ignore[operator]
    assert state.tree == Tree.parse("(0 (1 (2 3)))")


def test_a_heading_with_poor_odds_is_deleted_where_the_rest_gains() -> None:
    odds = dict.fromkeys(range(4), 9.0) | {1: -2.0}
    state, *_ = found(repair_tree(0, range(4), odds), Tempted())
    assert 1 not in state.tree.objects()


def test_without_odds_no_heading_is_deleted() -> None:
    assert found(repair_tree(0, range(4)), Tempted()).state.tree.size == 4


def test_a_document_without_headings_has_an_empty_tree() -> None:
    assert found(repair_tree(0, []), Tempted()).state.tree == Tree()
    assert found(best_first(0, []), Tempted()).state.tree == Tree()


@given(TREES)
def test_neither_changes_what_a_perfect_scorer_built(truth: Tree) -> None:
    scorer = PerfectScorer([truth])
    for search in (repair_tree(0, truth.objects()), best_first(0, truth.objects())):
        assert found(search, scorer).state.tree == truth


@pytest.mark.parametrize("horizon", [0, 1, 2, 30])
def test_a_repaired_tree_is_never_less_likely_than_the_greedy_one(horizon: int) -> None:
    greedy = build(range(6), Tempted(), Strategy(normalise=True))
    state = found(repair_tree(0, range(6), doubt=Doubt(horizon=horizon)), Tempted()).state
    assert horizon < 6 or state.log_probability >= greedy.log_probability
