"""CSV that comes back as it went, and that no spreadsheet runs."""

import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from held.exports.amounts import is_amount
from held.exports.tables import FORMULA_STARTS, csv_text, guard_formula

CELLS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x00\r"), max_size=8)
STARTS = st.sampled_from([start for start in FORMULA_STARTS if start != "\r"])
HOSTILE = st.builds(str.__add__, STARTS, CELLS)
ROWS = st.lists(st.lists(CELLS | HOSTILE, min_size=1, max_size=4), max_size=5)


def read(text: str) -> list[list[str]]:
    return list(csv.reader(io.StringIO(text, newline="")))


@given(ROWS)
def test_raw_rows_come_back_as_they_went(rows: list[list[str]]) -> None:
    assert read(csv_text(rows, guarded=False)) == rows


@given(ROWS)
def test_guarded_rows_come_back_but_for_the_guards(rows: list[list[str]]) -> None:
    found = read(csv_text(rows))
    assert found == [[guard_formula(cell) for cell in row] for row in rows]


@given(CELLS | HOSTILE)
def test_a_guarded_cell_begins_no_formula_unless_it_is_a_number_or_a_dash(cell: str) -> None:
    found = str(guard_formula(cell))
    assert found in (cell, "'" + cell)
    assert not found.startswith(FORMULA_STARTS) or is_amount(found) or not found.strip("-－ \t\r\n\x0b\x0c")


def test_no_line_end_of_a_cell_ends_a_row() -> None:
    assert read(csv_text([["a\rb", "c\r\nd"]])) == [["a\nb", "c\nd"]]


@pytest.mark.parametrize(
    "cell", ["=cmd|' /C calc'!A0", "+SUM(1)", "-2+3+cmd|x", "@x", "- of which nets", "＝1"]
)
def test_what_a_spreadsheet_would_run_is_text(cell: str) -> None:
    assert guard_formula(cell) == "'" + cell


@pytest.mark.parametrize("cell", ["-5", "+12.8%", "-", "--", "-$1,234.50", "-1.234,5", "a=b", "(7)", ""])
def test_numbers_and_dashes_stay_as_they_are(cell: str) -> None:
    assert guard_formula(cell) == cell
