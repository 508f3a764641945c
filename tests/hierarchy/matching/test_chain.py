"""The best chain of candidates."""

from itertools import pairwise, product

from hypothesis import given
from hypothesis import strategies as st

from held.hierarchy.matching.align import Candidate, best_chain

spans = st.builds(
    lambda first, length, score: Candidate(first, first + length, score / 4),
    st.integers(0, 6),
    st.integers(0, 2),
    st.integers(0, 8),
)


def worth(rows: list[list[Candidate]], chosen: tuple[int | None, ...]) -> float | None:
    """The sum of a choice's scores, None where it breaks the order."""
    taken = [row[position] for row, position in zip(rows, chosen, strict=True) if position is not None]
    ordered = all(a.last < b.first for a, b in pairwise(taken))
    return sum(candidate.score for candidate in taken) if ordered else None


@given(st.lists(st.lists(spans, max_size=3), max_size=4))
def test_no_choice_in_order_is_worth_more(rows: list[list[Candidate]]) -> None:
    choices = product(*([None, *range(len(row))] for row in rows))
    best = max(value for choice in choices if (value := worth(rows, choice)) is not None)
    assert worth(rows, tuple(best_chain(rows))) == best


def test_a_worthless_candidate_is_not_taken() -> None:
    assert best_chain([[Candidate(0, 0, 0.0)]]) == [None]


def test_nobody_asks_for_nothing() -> None:
    assert best_chain([]) == []
    assert best_chain([[], []]) == [None, None]
