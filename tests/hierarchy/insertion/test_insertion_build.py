"""Orders, beams, one-step, two-step and many documents at once."""

from __future__ import annotations

import math
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from held.errors import UsageError
from held.hierarchy.insertion import Order, Question, Strategy, _beam, advance_together, build, build_many
from held.hierarchy.oracle import PerfectScorer
from held.tree import Tree, attach_body
from tests.hierarchy.insertion.random_trees import TREES


class TableScorer:
    """Gives the probabilities of a table by object; remembers the size of every batch."""

    def __init__(self, table: dict[int, list[float]]) -> None:
        self.table = table
        self.batches: list[int] = []

    def score(self, questions: Sequence[Question]) -> list[list[float]]:
        self.batches.append(len(questions))
        return [[self.table[q.obj][position] for position in q.positions] for q in questions]


class HashScorer:
    """Gives arbitrary probabilities that depend on nothing but the document, the object and the position."""

    def score(self, questions: Sequence[Question]) -> list[list[float]]:
        return [
            [
                (hash((q.document, q.obj, q.tree.positions[k].parent, q.tree.positions[k].siblings())) % 997)
                / 997
                for k in q.positions
            ]
            for q in questions
        ]


# The paper's figure 1: g can go under the root, a, c or f.
BEFORE_G = {0: [0.9], 1: [0.1, 0.9], 2: [0.1, 0.2, 0.9]}
FIGURE = {**BEFORE_G, 3: [0.6, 0.9, 0.7, 0.1]}


@pytest.mark.parametrize(
    ("order", "tree", "inquiries"),
    [(Order.TA, "(0 (1 2) 3)", 10), (Order.R2L, "(0 (1 2)) 3", 7), (Order.L2R, "(0 (1 2 3))", 5)],
)
def test_the_orders_differ_as_in_the_papers_figure(order: Order, tree: str, inquiries: int) -> None:
    result = build(range(4), TableScorer(FIGURE), Strategy(order))
    assert (str(result.tree), result.inquiries) == (tree, inquiries)


@pytest.mark.parametrize("order", [Order.R2L, Order.L2R])
def test_where_nobody_fits_the_highest_is_taken(order: Order) -> None:
    scorer = TableScorer({**BEFORE_G, 3: [0.1, 0.3, 0.5, 0.2]})
    assert str(build(range(4), scorer, Strategy(order)).tree) == "(0 (1 2 3))"


def test_all_positions_of_an_object_are_one_question() -> None:
    scorer = TableScorer(FIGURE)
    build(range(4), scorer)
    assert scorer.batches == [1, 1, 1, 1]


def test_a_result_carries_log_probability_and_confidence() -> None:
    result = build(range(2), TableScorer({0: [0.8], 1: [0.2, 0.6]}))
    assert result.confidence == {0: 0.8, 1: 0.6}
    assert result.log_probability == pytest.approx(math.log(0.8 * 0.6))


def test_normalising_divides_by_the_sum_over_the_positions() -> None:
    result = build(range(2), TableScorer({0: [0.8], 1: [0.2, 0.6]}), Strategy(normalise=True))
    assert result.confidence == pytest.approx({0: 1.0, 1: 0.75})


def test_a_probability_of_zero_everywhere_still_gives_a_tree() -> None:
    result = build(range(3), TableScorer({i: [0.0] * 3 for i in range(3)}), Strategy(normalise=True))
    assert result.tree.size == 3
    assert math.isfinite(result.log_probability)


class TrapScorer:
    """Greedy is lured to put 1 under the root; 2 then fits nowhere."""

    def score(self, questions: Sequence[Question]) -> list[list[float]]:
        return [[self._one(q, k) for k in q.positions] for q in questions]

    def _one(self, question: Question, position: int) -> float:
        if question.obj < 2:
            return [0.6, 0.5][position]
        return (
            0.9
            if question.tree.branch[position] == 1 and question.tree.size == len(question.tree.branch) - 1
            else 0.1
        )


def test_a_beam_finds_what_greedy_misses() -> None:
    assert str(build(range(3), TrapScorer()).tree) == "0 1 2"
    assert str(build(range(3), TrapScorer(), Strategy(width=2)).tree) == "(0 (1 2))"


def test_a_beam_counts_the_inquiries_of_all_its_candidates() -> None:
    assert build(range(3), TrapScorer(), Strategy(width=2)).inquiries == 1 + 2 + (2 + 3)


@pytest.mark.parametrize("order", [Order.R2L, Order.L2R])
def test_a_beam_belongs_to_traversal_all(order: Order) -> None:
    with pytest.raises(UsageError, match="beam"):
        Strategy(order, width=3)


def test_a_beam_of_no_width_is_refused() -> None:
    with pytest.raises(UsageError, match="width"):
        Strategy(width=0)


@given(TREES, st.sampled_from(Order))
def test_a_perfect_scorer_gives_the_true_tree_in_every_order(truth: Tree, order: Order) -> None:
    result = build(truth.objects(), PerfectScorer([truth]), Strategy(order))
    assert result.tree == truth
    assert result.log_probability == 0.0


@given(TREES, st.integers(2, 5), st.booleans())
def test_a_perfect_scorer_gives_the_true_tree_at_every_width(
    truth: Tree, width: int, normalise: bool
) -> None:
    strategy = Strategy(width=width, normalise=normalise)
    assert build(truth.objects(), PerfectScorer([truth]), strategy).tree == truth


@given(st.integers(0, 12), st.booleans())
def test_a_wide_enough_beam_is_never_less_probable_than_greedy(count: int, normalise: bool) -> None:
    greedy = build(range(count), HashScorer(), Strategy(normalise=normalise))
    beam = (
        build(range(count), HashScorer(), Strategy(width=4000, normalise=normalise)) if count < 8 else greedy
    )
    assert beam.log_probability >= greedy.log_probability - 1e-9


# --- many documents ---

STRATEGIES = st.sampled_from([Strategy(order) for order in Order] + [Strategy(width=3, normalise=True)])


@given(st.lists(st.integers(0, 15), max_size=6), st.integers(1, 4), STRATEGIES)
def test_documents_advanced_together_get_the_trees_they_get_alone(
    counts: list[int], together: int, strategy: Strategy
) -> None:
    documents = [range(count) for count in counts]
    alone = [
        build_many(documents[: i + 1], HashScorer(), strategy, together=1)[i] for i in range(len(documents))
    ]
    assert build_many(documents, HashScorer(), strategy, together=together) == alone


def test_one_call_serves_all_documents_that_are_advanced_together() -> None:
    scorer = TableScorer({0: [0.9], 1: [0.1, 0.9], 2: [0.1, 0.9, 0.2]})
    build_many([range(3), range(2), range(3)], scorer, together=2)
    assert scorer.batches == [2, 2, 2, 1, 1]


def test_no_documents_and_empty_documents_need_no_scorer() -> None:
    scorer = TableScorer({})
    assert build_many([], scorer) == []
    assert build_many([(), ()], scorer)[1].tree == Tree()
    assert scorer.batches == []


def test_a_scorer_that_answers_too_little_is_found_out() -> None:
    with pytest.raises(ValueError, match="one probability for each position"):
        build(range(2), TableScorerTooShort())


class TableScorerTooShort:
    def score(self, questions: Sequence[Question]) -> list[list[float]]:
        return [[] for _ in questions]


def test_a_scorer_that_gives_no_number_is_found_out() -> None:
    with pytest.raises(ValueError, match="not a number"):
        build(range(1), TableScorer({0: [math.nan]}))


def test_no_documents_together_is_refused() -> None:
    with pytest.raises(UsageError, match="together"):
        build_many([range(1)], TableScorer({}), together=0)


# --- guesses ahead ---


class KindScorer(HashScorer):
    """Tells kinds too, so that it is asked ahead; remembers how many inquiries it has answered."""

    def __init__(self, kinds: Sequence[int]) -> None:
        self._kinds = dict(enumerate(kinds))
        self.answered = 0

    def kinds(self, document: int) -> dict[int, int]:
        return self._kinds

    def score(self, questions: Sequence[Question]) -> list[list[float]]:
        self.answered += sum(len(question.positions) for question in questions)
        return super().score(questions)


@given(st.lists(st.integers(0, 3), max_size=40), st.integers(1, 3), st.booleans())
def test_guessing_ahead_changes_nothing(kinds: list[int], count: int, normalise: bool) -> None:
    documents = [range(len(kinds))] * count
    scorer = KindScorer(kinds)
    ahead = build_many(documents, scorer, Strategy(normalise=normalise))
    assert ahead == build_many(documents, HashScorer(), Strategy(normalise=normalise))
    assert scorer.answered == sum(found.inquiries + found.wasted for found in ahead)


def test_a_beam_of_one_tree_is_what_greedy_finds() -> None:
    greedy = build(range(40), KindScorer([0, 1, 1, 2] * 10))
    beam = advance_together([_beam(0, range(40), Strategy())], HashScorer(), together=1)[0]
    assert (greedy.tree, greedy.inquiries) == (beam.state.tree, beam.inquiries)


class LevelScorer(TableScorer):
    """An object's kind is the level where it belongs."""

    def kinds(self, document: int) -> dict[int, int]:
        return {obj: row.index(max(row)) for obj, row in self.table.items()}


def test_where_kinds_keep_to_a_level_one_call_asks_about_many_objects() -> None:
    rows = ([0.9, 0.1, 0.1, 0.1], [0.1, 0.9, 0.1, 0.1], [0.1, 0.9, 0.1, 0.1])
    scorer = LevelScorer(dict(enumerate(rows * 100)))
    found = build(range(300), scorer)
    assert len(scorer.batches) < 30
    assert found.wasted < 10


# --- two-step ---


def test_the_rest_hangs_under_the_last_heading() -> None:
    assert str(attach_body(Tree.parse("(1 3) 6"), 8)) == "0 (1 2 (3 4 5)) (6 7)"


def test_without_headings_all_hangs_under_the_root() -> None:
    assert str(attach_body(Tree(), 3)) == "0 1 2"


def test_two_step_asks_about_headings_alone() -> None:
    truth = Tree.parse("0 (1 2 (3 4 5)) (6 7)")
    result = build([1, 3, 6], PerfectScorer([truth]), Strategy(Order.L2R))
    assert attach_body(result.tree, 8) == truth
    assert result.inquiries == 1 + 1 + 3
    assert set(result.confidence) == {1, 3, 6}


@given(TREES, st.data())
def test_two_step_with_any_headings_keeps_the_reading_order(truth: Tree, data: st.DataObject) -> None:
    headings = sorted(data.draw(st.sets(st.sampled_from(range(truth.size))))) if truth.size else []
    result = build(headings, PerfectScorer([truth]))
    assert attach_body(result.tree, truth.size).pre_order() == tuple(range(truth.size))


def test_positions_that_might_have_been_taken_are_kept_as_alternatives_by_parent() -> None:
    result = build(
        range(4), TableScorer({**BEFORE_G, 3: [0.3, 0.545, 0.15, 0.005]}), Strategy(normalise=True)
    )
    assert result.alternatives[3] == ((-1, pytest.approx(0.3)), (1, pytest.approx(0.15)))


@pytest.mark.parametrize("order", list(Order))
def test_an_unlikely_position_is_no_alternative(order: Order) -> None:
    result = build(range(4), TableScorer({**BEFORE_G, 3: [0.005, 0.9, 0.004, 0.001]}), Strategy(order))
    assert 3 not in result.alternatives


@given(TREES)
def test_a_perfect_scorer_leaves_no_alternative(truth: Tree) -> None:
    assert build(truth.objects(), PerfectScorer([truth])).alternatives == {}
