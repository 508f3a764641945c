"""Tables whose every second row stands on a shade that is drawn cell by cell."""

from held.document import Box
from tests.layout.tables.test_page_tables import in_grid, statement, tables_on, text_at

ROWS = [
    ["Risk", "Likelihood", "What we do"],
    ["Late payment", "High", "Credit limits"],
    ["Loss of key people", "Medium", "Two for each task"],
    ["Fire or flood", "Low", "Sprinklers"],
    ["Exchange rates", "Medium", "Hedged"],
]


def shades(*rows: int, columns: int = 3) -> list[Box]:
    """The shades behind the cells of these rows of `in_grid`."""
    tops = [100 + 20 * row for row in rows]
    return [Box(50 + 100 * c, top, 150 + 100 * c, top + 20) for top in tops for c in range(columns)]


def test_white_rows_between_shaded_ones_are_rows() -> None:
    (table,) = tables_on(in_grid(ROWS), shades(1, 3))
    assert [list(row) for row in table.rows] == ROWS


def test_text_between_two_shaded_rows_is_no_row_of_theirs() -> None:
    prose = "The board reviews the risks of the company twice in every year, and more often if it must."
    lines = [line for line in in_grid(ROWS) if not 145 < line.y1 < 165]
    tables = tables_on([*lines, text_at(55, 150, prose)], shades(1, 3))
    assert tables
    assert all(prose not in cell for table in tables for row in table.rows for cell in row)


def test_a_title_well_above_the_first_stripe_is_no_row() -> None:
    title = text_at(55, 80, "Principal risks")
    (table,) = tables_on([title, *in_grid(ROWS)], shades(1, 3))
    assert table.rows[0] == tuple(ROWS[0])


def test_stripes_of_other_columns_are_another_table() -> None:
    lower = in_grid([["Site", "Makes"], ["Port", "Meters"], ["Quay", "Benches"]], top=200)
    tables = tables_on([*in_grid(ROWS), *lower], [*shades(1, 3), *shades(6, columns=2)])
    assert [list(row) for row in tables[0].rows] == ROWS


def test_two_white_rows_between_shades_are_not_made_one() -> None:
    rows = [["", "2019", "2018"], *[[f"Item {r}", f"{r},464", f"{r},100"] for r in range(1, 7)]]
    (table,) = tables_on(in_grid(rows), shades(1, 4))
    assert [list(row) for row in table.rows] == rows


def test_shades_amid_the_rows_of_a_statement_are_no_stripes() -> None:
    rows = [["", "2019", "2018"], *[[f"Item {r}", f"{r},464", f"{r},100"] for r in range(1, 10)]]
    (table,) = tables_on(in_grid(rows), shades(1, 3, 6, 8))
    assert [list(row) for row in table.rows] == rows


SALES = [
    ["", "2023", "2022", "2021"],
    *[[f"Item {r}", f"{r},464", f"{r},100", f"{r},200"] for r in range(1, 7)],
]


def test_shades_that_leave_white_between_the_columns_do_not_divide_a_table() -> None:
    tops = [107.5 + 15 * row for row in (0, 2, 4)]
    columns = [(55, 210), (215, 310), (315, 410), (415, 510)]
    rules = [Box(x0, top, x1, top + 15) for top in tops for x0, x1 in columns]
    (table,) = tables_on(statement(SALES), rules)
    assert [list(row) for row in table.rows] == SALES


def test_shaded_cells_of_all_rows_with_white_between_the_columns_are_one_table() -> None:
    tops = [107.5 + 15 * row for row in range(6)]
    columns = [(55, 150), (150, 210), (215, 260), (260, 310), (315, 410), (415, 510)]
    rules = [Box(x0, top, x1, top + 15) for top in tops for x0, x1 in columns]
    (table,) = tables_on(statement(SALES), rules)
    assert [list(row) for row in table.rows] == SALES
