"""Where the cells of a table stand, whatever its object says of them."""

from hypothesis import given
from hypothesis import strategies as st

from held.document import TableCell, TableStructure
from held.layout.tables.logical_grid import Grid, grid_of
from tests.exports.made_tables import CATCH, CATCH_ROWS, table_object

SMALL = st.integers(0, 4)
SPANS = st.integers(1, 10**9)
CELLS = st.lists(st.builds(TableCell, SMALL, SMALL, st.text(max_size=3), SPANS, SPANS, st.booleans()))
ROWS = st.lists(st.lists(st.text(max_size=3), max_size=4), max_size=4)


def test_a_name_that_spans_columns_is_part_of_each_columns_name() -> None:
    names = grid_of(table_object(CATCH_ROWS, CATCH)).names()
    assert names == ["Boat", "Nine months ended 2025", "Nine months ended 2024"]


def test_the_head_is_as_deep_as_its_header_cells_reach() -> None:
    assert grid_of(table_object(CATCH_ROWS, CATCH)).head == 2


def header_grid(*cells: tuple[int, int, str, int]) -> Grid:
    """A table of three columns with these header cells (row, column, text, span) above one row of numbers."""
    header = [TableCell(row, column, text, 1, span, True) for row, column, text, span in cells]
    last = 1 + max(cell.row for cell in header)
    body = [TableCell(last, column, text) for column, text in enumerate(("Cash", "12", "11"))]
    return grid_of(table_object((), TableStructure((*header, *body))))


def test_a_label_alone_below_the_names_is_a_row_of_the_body() -> None:
    grid = header_grid((0, 1, "2025", 1), (0, 2, "2024", 1), (1, 0, "ASSETS", 1))
    assert (grid.head, grid.names()) == (1, ["", "2025", "2024"])


def test_a_unit_alone_in_its_row_names_no_single_year() -> None:
    grid = header_grid((0, 1, "2025", 1), (0, 2, "2024", 1), (1, 2, "(In millions)", 1))
    assert grid.names() == ["(In millions)", "2025", "2024"]


def test_rows_alone_make_a_grid_with_the_head_that_they_look_to_have() -> None:
    grid = grid_of(table_object(CATCH_ROWS))
    assert (grid.height, grid.width, grid.head) == (4, 3, 1)
    assert grid.texts() == [list(row) for row in CATCH_ROWS]
    assert {cell.page for cell in grid.cells} == {3}


def test_short_rows_are_filled_up() -> None:
    assert grid_of(table_object((("a",), ("b", "c")))).texts() == [["a", ""], ["b", "c"]]


def test_cells_that_contradict_each_other_give_way_to_the_rows() -> None:
    cells = (TableCell(0, 0, "wide", column_span=2), TableCell(0, 1, "over it"))
    grid = grid_of(table_object((("a", "b"),), TableStructure(cells)))
    assert [cell.text for cell in grid.cells] == ["a", "b"]


def test_a_spread_cell_has_its_text_in_all_its_places() -> None:
    cells = (TableCell(0, 0, "a", row_span=2, column_span=2), TableCell(0, 2, "b"))
    grid = grid_of(table_object((("a", "", "b"), ("", "", "")), TableStructure(cells)))
    assert grid.texts(spread=True) == [["a", "a", "b"], ["a", "a", ""]]


def test_cells_alone_make_a_grid() -> None:
    grid = grid_of(table_object((), CATCH))
    assert grid.texts() == [list(row) for row in CATCH_ROWS]


def test_a_table_of_absurd_size_is_none() -> None:
    cells = (TableCell(0, 0, "a"), TableCell(10**9, 10**9, "b"))
    assert grid_of(table_object((), TableStructure(cells))).cells == ()


@given(ROWS, CELLS)
def test_no_cell_leaves_the_grid_or_covers_another(rows: list[list[str]], cells: list[TableCell]) -> None:
    grid = grid_of(table_object(rows, TableStructure(tuple(cells))))
    places = [
        (row, column)
        for cell in grid.cells
        for row in range(cell.row, cell.row + cell.row_span)
        for column in range(cell.column, cell.column + cell.column_span)
    ]
    assert len(places) == len(set(places))
    assert all(row < grid.height and column < grid.width for row, column in places)
    assert 0 <= grid.head <= grid.height
