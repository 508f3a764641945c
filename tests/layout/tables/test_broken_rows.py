"""Rows of drawn tables that go on over a page break."""

from collections.abc import Sequence

import pytest

from held.layout.tables.cells import Table, join_tables, set_page
from tests.layout.tables.test_page_tables import grid, tables_on, text_at

NAMES = ["Berth", "Duty of its keeper", "Tons"]
NORTH = ["North", "lights the lamps at", "1,200"]  # as wide as its column allows
SOUTH = ["South", "rings the bell", "900"]


def table_of(rows: Sequence[Sequence[str]], page: int) -> Table:
    """A drawn table of three columns; the text of the second has room for some twenty letters."""
    edges = [50, 150, 260, 360]
    lines = [
        text_at(edges[c] + 5, 110 + 20 * r, text)
        for r, row in enumerate(rows)
        for c, text in enumerate(row)
        if text
    ]
    (table,) = tables_on(lines, grid(edges, [100 + 20 * r for r in range(len(rows) + 1)]))
    return set_page(table, page)


def joined_rows(upper: Sequence[Sequence[str]], lower: Sequence[Sequence[str]], page: int = 2) -> Table:
    return join_tables(table_of(upper, 1), table_of(lower, page))


def test_the_rest_of_a_row_goes_to_the_row() -> None:
    table = joined_rows([NAMES, NORTH], [["", "night and by day", ""], SOUTH])
    assert table.rows[1:] == (("North", "lights the lamps at night and by day", "1,200"), tuple(SOUTH))
    assert [cell.row for cell in table.cells if cell.text == "South"] == [2]
    assert "lights the lamps at night and by day" in [cell.text for cell in table.cells]


def test_the_rest_of_a_row_may_stand_below_the_repeated_names() -> None:
    table = joined_rows([NAMES, NORTH], [NAMES, ["", "night and by day", ""], SOUTH])
    assert [row[0] for row in table.rows] == ["Berth", "North", "South"]


@pytest.mark.parametrize(
    "row",
    [
        ["West", "night and by day", "700"],  # whole
        ["West", "night and by day", ""],  # a name that goes on with none
        ["", "(2) feeds the gulls", ""],  # an item of its own
        ["", "Feeds the gulls", ""],
        ["", "night and by day", "30"],  # another number
    ],
)
def test_a_row_that_may_be_one_of_its_own_stays(row: list[str]) -> None:
    assert len(joined_rows([NAMES, NORTH], [row, SOUTH]).rows) == 4


@pytest.mark.parametrize("duty", ["lights the lamps.", "idle"])
def test_a_text_that_ends_or_had_room_goes_on_with_nothing(duty: str) -> None:
    assert (
        len(joined_rows([NAMES, ["North", duty, "1,200"]], [["", "night and by day", ""], SOUTH]).rows) == 4
    )


def test_where_other_rows_leave_the_cells_empty_too_a_row_stays() -> None:
    others = [["", "rings the bell", ""], ["", "feeds the gulls", "4"], ["East", "sleeps", ""]]
    assert len(joined_rows([NAMES, NORTH], [["", "night and by day", ""], *others]).rows) == 6


def test_within_a_page_no_row_is_cut() -> None:
    assert len(joined_rows([NAMES, NORTH], [["", "night and by day", ""], SOUTH], page=1).rows) == 4


def test_names_in_two_rows_leave_the_labels_full() -> None:
    names = [["Berth", "Keeper", ""], ["", "Duty", "Tons"]]
    table = joined_rows([*names, NORTH], [["", "night and by day", ""], SOUTH])
    assert [row[0] for row in table.rows] == ["Berth", "", "North", "South"]


def test_the_rest_of_a_number_goes_to_the_number() -> None:
    tons = "123,234,567,890.1"
    table = joined_rows(
        [NAMES, ["North", "sleeps", tons], SOUTH, ["West", "eats", tons]], [["", "", "5"], SOUTH]
    )
    assert table.rows[3] == ("West", "eats", "123,234,567,890.15")
