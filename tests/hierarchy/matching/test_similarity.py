"""How alike titles and texts are."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from held.hierarchy.matching.titles import MIN_SIMILARITY, SAME_BUT_NUMBER, ComparableText, similarity


def alike(title: str, text: str) -> float:
    return similarity(ComparableText.of(title), ComparableText.of(text))


@given(st.text(min_size=1))
def test_likeness_lies_between_nothing_and_one(text: str) -> None:
    assert 0.0 <= alike(text, "1.2 Net income") <= 1.0
    assert alike(text, text) in (0.0, 1.0)  # 0 for a text without a single letter


@pytest.mark.parametrize(
    ("title", "text"),
    [("Existence", "IV.2.1 Existence"), ("3 Methods", "Methods"), ("Chapter 3 Methods", "3 Methods")],
)
def test_a_number_more_or_less_matters_little(title: str, text: str) -> None:
    assert alike(title, text) == SAME_BUT_NUMBER


def test_another_number_matters() -> None:
    assert alike("3.1 Methods", "3.2 Methods") < SAME_BUT_NUMBER


def test_a_title_cut_by_the_outline_is_alike() -> None:
    assert alike("Item 9. Changes in", "Item 9. Changes in and Disagreements") > MIN_SIMILARITY


@pytest.mark.parametrize("text", ["NOTE 13. ACCUMULATED LOSS", "Note 13 - Other"])
def test_a_shortened_title_with_its_named_number_is_alike(text: str) -> None:
    assert alike("Note 13. AOCI", text) > MIN_SIMILARITY


@pytest.mark.parametrize("text", ["NOTE 12. LEASES", "13. Leases", "Note 13 tells of leases. " * 20])
def test_another_named_number_a_bare_one_or_a_paragraph_is_not_alike(text: str) -> None:
    assert alike("Note 13. AOCI", text) < MIN_SIMILARITY


def test_lost_maths_is_alike() -> None:
    assert alike("Asymptotics as x  x0", "A.2 Asymptotics as x → x0") > MIN_SIMILARITY


@pytest.mark.parametrize("text", ["Something else", "N", "", "Balance sheets of the years"])
def test_other_texts_are_not_alike(text: str) -> None:
    assert alike("Notes to the statements", text) < MIN_SIMILARITY
