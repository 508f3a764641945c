"""Years of a head that was read as one line of text."""

from collections.abc import Sequence

import pytest

from held.document import TableCell, TableStructure
from held.tables.grid import grid_of
from held.tables.year_heads import years_over_columns
from tests.exports.tables.made_tables import table_object

BODY = (("Tolls", "1,660", "1,628"), ("Fees", "275", "1"))


def cells(*rows: Sequence[str]) -> tuple[TableCell, ...]:
    """The cells of a table whose first row is its head."""
    return tuple(
        TableCell(row, column, text, header=row == 0)
        for row, texts in enumerate(rows)
        for column, text in enumerate(texts)
        if text
    )


def head(found: Sequence[TableCell]) -> dict[int, str]:
    return {cell.column: cell.text for cell in found if cell.header}


@pytest.mark.parametrize(
    ("read", "meant"),
    [
        (("(In millions) 2025", "2024", ""), {0: "(In millions)", 1: "2025", 2: "2024"}),
        (("(In millions) 2025", "", "2024"), {0: "(In millions)", 1: "2025", 2: "2024"}),
        (("2025", "", "2024"), {1: "2025", 2: "2024"}),
        (("Budget 2025", "", "Actual 2025"), {1: "Budget 2025", 2: "Actual 2025"}),
    ],
)
def test_each_year_stands_over_its_numbers(read: Sequence[str], meant: dict[int, str]) -> None:
    assert head(years_over_columns(cells(read, *BODY))) == meant


@pytest.mark.parametrize(
    "table",
    [
        cells(("(In millions)", "2025", "2024"), *BODY),
        cells(("Year 2025", "Boats", "Nets"), *BODY),  # a title over the labels
        cells(("2025", "2024", ""), ("Tolls", "1,660", "dear"), ("Fees", "275", "cheap")),
        cells(("2025", "2024"), ("1,660", "1,628"), ("275", "1")),  # nothing but numbers
        cells(("In 2025", "", ""), *BODY),
    ],
)
def test_a_head_that_can_be_meant_so_stays(table: tuple[TableCell, ...]) -> None:
    assert years_over_columns(table) == table


def test_a_column_that_a_name_from_above_stands_in_is_not_taken() -> None:
    deep = TableCell(0, 1, "Fixed", row_span=2, header=True)
    years = [TableCell(1, 0, "2025", header=True), TableCell(1, 2, "2024", header=True)]
    body = [cell._replace(row=cell.row + 1) for cell in cells((), *BODY)]
    table = (deep, *years, *body)
    assert years_over_columns(table) == table


def test_columns_of_a_table_are_named_so() -> None:
    rows = (("(In millions) 2025", "2024", ""), *BODY)
    assert grid_of(table_object(rows, TableStructure(cells(*rows)))).names() == [
        "(In millions)",
        "2025",
        "2024",
    ]
