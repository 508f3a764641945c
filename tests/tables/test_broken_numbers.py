import pytest
from hypothesis import given
from hypothesis import strategies as st

from held.tables.broken_numbers import whole_number


@pytest.mark.parametrize(
    ("broken", "whole"),
    [
        ("171,687,0 44", "171,687,044"),
        ("192,819,2 56.61", "192,819,256.61"),
        ("-28,000,00 0.00", "-28,000,000.00"),
        ("316,866,145.2 4", "316,866,145.24"),
        ("137,849,704. 13", "137,849,704.13"),
        ("1,171,68 7,0 44", "1,171,687,044"),
        ("(10,987,84 7)", "(10,987,847)"),
        ("613,66 6.64", "613,666.64"),
    ],
)
def test_a_number_that_was_broken_is_whole_again(broken: str, whole: str) -> None:
    assert whole_number(broken) == whole


@pytest.mark.parametrize(
    "text",
    [
        "1,171,687 44",  # two numbers, each of them whole
        "171,687,044 12,345,678",
        "1,2 34",  # decimal commas
        "123,4 567,8",
        "1,234.5 6",  # the mark of a note
        "2 171,687,044",
        "10 987 847",
        "Berth 10,987,84 7",
        "",
        " ",
    ],
)
def test_what_could_be_two_numbers_stays(text: str) -> None:
    assert whole_number(text) == text


@given(st.lists(st.integers(0, 10**12).map("{:,}".format), min_size=1, max_size=3).map(" ".join))
def test_whole_numbers_beside_each_other_stay(text: str) -> None:
    assert whole_number(text) == text


@given(st.text(alphabet="0123456789,. ()-x"))
def test_nothing_but_spaces_is_left_out(text: str) -> None:
    assert whole_number(text) in (text, text.replace(" ", ""))
