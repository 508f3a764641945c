"""Rows of tables with their labels and columns."""

from dataclasses import replace

from held.document import Box, Kind, PageRegion, TableCell, TableStructure
from held.retrieval.passages import TableRow, find_unit, table_rows
from tests.retrieval.made_hierarchies import thing

ROWS = (("", "2021", "2020"), ("Revenue", "$", "90"), ("Dividends paid", "(4)", "(3)"), ("", "86", "77"))


def test_a_row_has_its_values_under_the_headers_of_their_columns() -> None:
    table = replace(thing("", Kind.TABLE), rows=ROWS)
    assert table_rows(table) == (
        TableRow("Revenue", ("90",), ("2020",)),
        TableRow("Dividends paid", ("(4)", "(3)"), ("2021", "2020")),
    )


def test_cells_that_are_known_say_which_headers_span_a_column() -> None:
    cells = (
        TableCell(0, 1, "Year ended", column_span=2, header=True),
        TableCell(1, 1, "2021", header=True),
        TableCell(1, 2, "2020", header=True),
        TableCell(2, 0, "Revenue", page=3, box=Box(10, 50, 60, 60)),
        TableCell(2, 2, "90", page=3, box=Box(90, 50, 99, 60)),
    )
    table = replace(thing("", Kind.TABLE), table=TableStructure(cells))
    assert table_rows(table) == (
        TableRow("Revenue", ("90",), ("Year ended 2020",), PageRegion(3, Box(10, 50, 99, 60))),
    )


def test_a_short_line_is_a_row_without_values_and_a_sentence_is_none() -> None:
    line = thing("Net income")
    assert table_rows(line) == (TableRow("Net income", part=line.parts[0]),)
    assert (
        table_rows(thing("The quick brown pilots sail large grey ships across narrow cold northern seas."))
        == ()
    )


def test_a_unit_is_found_in_english_and_chinese() -> None:
    assert find_unit("Fiscal years ended June (in millions except per share amounts)") == (
        "in millions except per share amounts"
    )
    assert find_unit("单位：元 币种：人民币") == "单位：元"
    assert find_unit("We live in interesting times.") == ""
