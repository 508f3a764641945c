"""Numbers that a narrow cell breaks over lines."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from held.layout.tables.cells import join_broken_number, join_number
from tests.layout.tables.test_page_tables import grid, in_grid, tables_on, text_at

NARROW, WIDE = 36.0, 200.0  # points: "65,3" and its paddings fill the one

ANYWHERE = [
    ("171,687,0 44", "171,687,044"),
    ("192,819,2 56.61", "192,819,256.61"),
    ("-28,000,00 0.00", "-28,000,000.00"),
    ("316,866,145.2 4", "316,866,145.24"),
    ("137,849,704. 13", "137,849,704.13"),
    ("1,171,68 7,0 44", "1,171,687,044"),
    ("(10,987,84 7)", "(10,987,847)"),
    ("613,66 6.64", "613,666.64"),
    ("14,917 ,102.7 2", "14,917,102.72"),
]
IN_FULL_CELLS = [
    ("65,3 00", "65,300"),
    ("65,0 51.7 8", "65,051.78"),
    ("18,867.9 3", "18,867.93"),
    ("64.7 2", "64.72"),
    ("100.0 0%", "100.00%"),
    ("- 13,356,8 59", "-13,356,859"),
]
TWO_NUMBERS = [
    "1,171,687 44",
    "171,687,044 12,345,678",
    "12 34",
    "1.25 6",
    "2 171,687,044",
    "10 987 847",
    "Berth 10,987,84 7",
]


@pytest.mark.parametrize(("broken", "whole"), ANYWHERE)
def test_a_number_that_was_broken_is_whole_again(broken: str, whole: str) -> None:
    assert join_number(broken.split(), filled=False) == whole


@pytest.mark.parametrize(("broken", "whole"), IN_FULL_CELLS)
def test_a_full_cell_breaks_shorter_numbers(broken: str, whole: str) -> None:
    assert join_number(broken.split(), filled=True) == whole


@pytest.mark.parametrize("broken", [broken for broken, _ in IN_FULL_CELLS])
def test_where_there_was_room_they_may_be_two(broken: str) -> None:
    assert join_number(broken.split(), filled=False) in (None, "-13,356,859")


@pytest.mark.parametrize("filled", [False, True])
@pytest.mark.parametrize("text", TWO_NUMBERS)
def test_what_could_be_two_numbers_stays(text: str, filled: bool) -> None:
    assert join_number(text.split(), filled=filled) is None


@given(st.lists(st.integers(0, 10**12).map("{:,}".format), min_size=2, max_size=3), st.booleans())
def test_whole_numbers_upon_each_other_stay(numbers: list[str], filled: bool) -> None:
    assert join_number(numbers, filled=filled) is None


@given(st.lists(st.text(alphabet="0123456789,.()-x", min_size=1), min_size=2), st.booleans())
def test_nothing_is_left_out(lines: list[str], filled: bool) -> None:
    assert join_number(lines, filled=filled) in (None, "".join(lines))


@pytest.mark.parametrize(("width", "text"), [(NARROW, "65,300"), (WIDE, "65,3 00")])
def test_a_cell_without_room_for_a_further_digit_is_full(width: float, text: str) -> None:
    lines = [
        *in_grid([["Berth", "Tolls"], ["North", ""]]),
        text_at(155, 125, "65,3"),
        text_at(155, 135, "00"),
    ]
    (table,) = tables_on(lines, grid([50, 150, 150 + width], [100, 120, 140]))
    assert table.rows[1] == ("North", text)


def test_numbers_beside_each_other_in_a_cell_stay_two() -> None:
    beside = [(text_at(x, 100, text), text) for x, text in ((60, "171,687,0"), (110, "44"))]
    assert join_broken_number(beside, NARROW) is None


def test_numbers_in_three_lines_are_no_rows_that_no_line_parts() -> None:
    names = [text_at(x, y, text) for x, y, text in ((55, 110, "Berth"), (155, 110, "Tolls"))]
    berths = [text_at(55, 140, "North"), text_at(55, 180, "South")]
    tolls = [
        text_at(155, y + 11 * i, text) for y in (129, 169) for i, text in enumerate(("65,0", "51.7", "8"))
    ]
    (table,) = tables_on([*names, *berths, *tolls], grid([50, 150, 150 + NARROW], [100, 120, 160, 200]))
    assert table.rows[1:] == (("North", "65,051.78"), ("South", "65,051.78"))
