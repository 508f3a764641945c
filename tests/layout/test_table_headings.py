"""Numbered titles of notes that stand as rows in the tables below them."""

import pytest

from held.document import Kind
from tests.layout.conftest import Typesetter

ROWS = (("Harbour dues", "4,120", "3,975"), ("Sale of nets", "1,216", "1,388"), ("Total", "5,336", "5,363"))


def put_rows(sheet: Typesetter, first_column: float = 60) -> None:
    for label, *values in ROWS:
        y = sheet.y
        sheet.put(label, first_column)
        for x, value in zip((400, 480), values, strict=True):
            sheet.put(value, x, y)


def put_names(sheet: Typesetter) -> None:
    y = sheet.y
    sheet.put("2022", 402)
    sheet.put("2021", 482, y)


def put_title(sheet: Typesetter, text: str, **style: object) -> None:
    sheet.skip(4)
    sheet.put(text, **({"bold": True, "colour": "cc0000"} | style))  # type: ignore[arg-type]
    sheet.skip(2)


def contents(sheet: Typesetter) -> list[str]:
    """The objects in order: titles as they are, tables by their first cells."""
    return [
        " ".join(filter(None, item.rows[0])) if item.kind is Kind.TABLE else item.text
        for item in sheet.objects()
    ]


def test_a_title_between_the_names_of_columns_and_the_rows_stands_before_the_table(sheet: Typesetter) -> None:
    for title in ("1. INCOME", "2. DEPOSITS"):
        put_names(sheet)
        put_title(sheet, title)
        put_rows(sheet)
        sheet.new_page()
    assert contents(sheet) == ["1. INCOME", "2022 2021", "2. DEPOSITS", "2022 2021"]


def test_a_table_is_divided_above_a_title_and_both_parts_have_names(sheet: Typesetter) -> None:
    put_names(sheet)
    for title in ("NOTE 1 Income", "NOTE 2 Deposits"):
        put_title(sheet, title)
        put_rows(sheet)
    sheet.new_page()
    put_title(sheet, "NOTE 3 Boats")
    sheet.paragraph("The boats were counted twice a day and the numbers were written into a book.")
    assert contents(sheet)[:4] == ["NOTE 1 Income", "2022 2021", "NOTE 2 Deposits", "2022 2021"]


def test_a_title_beside_the_names_of_columns_leaves_them_in_the_table(sheet: Typesetter) -> None:
    for title in ("NOTE 1 INCOME", "NOTE 2 DEPOSITS"):
        y = sheet.y
        sheet.put(title, bold=True)
        sheet.put("2022", 402, y)
        sheet.put("2021", 482, y)
        put_rows(sheet)
        sheet.new_page()
    assert contents(sheet) == ["NOTE 1 INCOME", "2022 2021", "NOTE 2 DEPOSITS", "2022 2021"]


@pytest.mark.parametrize("titles", [("1. INCOME", "7. DEPOSITS"), ("Income", "Deposits")])
def test_titles_that_continue_no_series_stay_in_their_tables(
    sheet: Typesetter, titles: tuple[str, str]
) -> None:
    for title in titles:
        put_names(sheet)
        put_title(sheet, title)
        put_rows(sheet)
        sheet.new_page()
    assert set(contents(sheet)) == {"2022 2021"}


def test_numbered_labels_set_like_their_rows_stay_in_their_tables(sheet: Typesetter) -> None:
    for title in ("1. Income", "2. Deposits"):
        put_names(sheet)
        put_title(sheet, title, bold=False, colour="000000")
        put_rows(sheet)
        sheet.new_page()
    assert set(contents(sheet)) == {"2022 2021"}


def test_numbers_that_rows_with_amounts_have_are_no_titles(sheet: Typesetter) -> None:
    for title in ("1. INCOME", "2. DEPOSITS"):
        put_names(sheet)
        put_title(sheet, title)
        put_rows(sheet)
        y = sheet.y
        sheet.put("3. Rent")
        sheet.put("1,000", 400, y)
        sheet.put("1,100", 480, y)
        sheet.new_page()
    assert set(contents(sheet)) == {"2022 2021"}


def test_a_title_above_names_of_columns_begins_another_table(sheet: Typesetter) -> None:
    for title in ("Income", "Deposits"):
        put_title(sheet, title)
        put_names(sheet)
        put_rows(sheet)
    assert contents(sheet) == ["Income", "2022 2021", "Deposits", "2022 2021"]


def test_names_of_columns_below_amounts_begin_another_table(sheet: Typesetter) -> None:
    for years in (("2022", "2021"), ("June 2022", "June 2021")):
        y = sheet.y
        sheet.put(years[0], 402)
        sheet.put(years[1], 482, y)
        put_rows(sheet)
    assert contents(sheet) == ["2022 2021", "June 2022 June 2021"]


GRID = (("Name", "Ada Holm", "Age", "43"), ("Licence", "Sea pilot", "Since", "the spring of 2001"))
EDGES = (60.0, 150.0, 300.0, 390.0, 540.0)


def put_grid(sheet: Typesetter, title: str, **style: object) -> None:
    """A drawn grid of names and values below a bar over its whole width."""
    top = sheet.y
    bottom = top + 20 * (len(GRID) + 1)
    for row, texts in enumerate([(title,), *GRID]):
        for x, text in zip(EDGES, texts, strict=False):
            sheet.put(text, x + 4, top + 20 * row + 5, **(style if row == 0 else {}))  # type: ignore[arg-type]
        sheet.rule(60, top + 20 * row, 540, top + 20 * row)
    sheet.rule(60, bottom, 540, bottom)
    for index, x in enumerate(EDGES):
        is_inner = 0 < index < len(EDGES) - 1
        sheet.rule(x, top + 20 * is_inner, x, bottom)
    sheet.y = bottom + 30


def test_numbered_bars_above_grids_are_titles_and_the_grids_stay_tables(sheet: Typesetter) -> None:
    for title in ("1. The first pilot", "2. The second pilot"):
        put_grid(sheet, title, bold=True)
    grid = "Name Ada Holm Age 43"
    assert contents(sheet) == ["1. The first pilot", grid, "2. The second pilot", grid]


def test_bars_without_numbers_are_titles_if_several_tables_have_them(sheet: Typesetter) -> None:
    for title in ("Pilot", "Aircraft", "Harbour"):
        put_grid(sheet, title, bold=True, colour="0000cc")
    grid = "Name Ada Holm Age 43"
    assert contents(sheet) == ["Pilot", grid, "Aircraft", grid, "Harbour", grid]


def test_a_lone_bar_stays_in_its_table(sheet: Typesetter) -> None:
    put_grid(sheet, "Pilot", bold=True)
    put_grid(sheet, "Aircraft", bold=True)
    assert contents(sheet) == ["Pilot", "Aircraft"]
