"""Monte Carlo tree search, with scorers that are tables of probabilities."""

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from held.hierarchy.insertion import Question, build
from held.paper.monte_carlo import MonteCarlo, build_by_simulation


class Table:
    """Scores by the object and the parent that a position gives it; 0.1 for what the table leaves out."""

    def __init__(self, scores: dict[tuple[int, int], float]) -> None:
        self._scores = scores
        self.asked = 0

    def score(self, questions: Sequence[Question]) -> list[list[float]]:
        answers = []
        for _, tree, obj, positions in questions:
            self.asked += len(positions)
            parents = [tree.positions[position].parent for position in positions]
            answers.append([self._scores.get((obj, parent), 0.1) for parent in parents])
        return answers


# Object 1 looks a little more like a child of 0, but then nothing after it fits.
TEMPTED = {
    (0, -1): 0.9,
    (1, 0): 0.6,
    (1, -1): 0.5,
    **{(obj, 1): 0.0 for obj in (2, 3)},
    (2, 0): 0.05,
    (2, -1): 0.3,
    (3, 2): 0.9,
}


class AfterTheRoot(Table):
    """Lets 2 fit under 1 only where 1 stands at the top."""

    def score(self, questions: Sequence[Question]) -> list[list[float]]:
        answers = super().score(questions)
        for answer, (_, tree, obj, positions) in zip(answers, questions, strict=True):
            if obj == 2 and tree.parents()[1] == -1:
                parents = [tree.positions[position].parent for position in positions]
                answer[parents.index(1)] = 0.95
        return answers


def tree_by_simulation(scorer: Table, count: int, settings: MonteCarlo = MonteCarlo()) -> str:  # noqa: B008
    ((tree, _),) = build_by_simulation([range(count)], scorer, settings=settings)
    return str(tree)


def test_a_position_after_which_nothing_fits_is_not_taken() -> None:
    assert str(build(range(4), AfterTheRoot(TEMPTED)).tree).startswith("(0 1")
    assert tree_by_simulation(AfterTheRoot(TEMPTED), 4) == "0 (1 (2 3))"


def test_a_sure_decision_costs_what_greedy_asks() -> None:
    sure = {(0, -1): 0.99, (1, 0): 0.99, (1, -1): 0.01, (2, 0): 0.01, (2, 1): 0.99, (2, -1): 0.0}
    scorer = Table(sure)
    ((_, inquiries),) = build_by_simulation([range(3)], scorer)
    assert inquiries == scorer.asked == build(range(3), Table(sure)).inquiries


def test_all_that_is_asked_is_counted() -> None:
    scorer = AfterTheRoot(TEMPTED)
    ((_, inquiries),) = build_by_simulation([range(4)], scorer)
    assert inquiries == scorer.asked


def test_without_looking_ahead_it_is_greedy() -> None:
    settings = MonteCarlo(horizon=1)
    assert tree_by_simulation(AfterTheRoot(TEMPTED), 4, settings) == str(
        build(range(4), AfterTheRoot(TEMPTED)).tree
    )


@pytest.mark.parametrize("count", [0, 1])
def test_documents_without_a_choice_are_no_trouble(count: int) -> None:
    assert tree_by_simulation(Table({}), count) == " ".join(map(str, range(count)))


@given(st.dictionaries(st.tuples(st.integers(0, 6), st.integers(-1, 5)), st.floats(0, 1)), st.integers(0, 7))
def test_every_object_is_put_once_in_reading_order(scores: dict[tuple[int, int], float], count: int) -> None:
    ((tree, _),) = build_by_simulation([range(count)], Table(scores), settings=MonteCarlo(simulations=3))
    assert tree.pre_order() == tuple(range(count))
