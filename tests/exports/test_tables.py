"""Tables as the library hands them out."""

import builtins
import csv
import io
import json
from typing import Any

import pytest

import held
from held.document import Kind
from held.errors import UsageError
from held.exports.tables import tables_of
from tests.exports.made_tables import (
    CATCH,
    CATCH_ROWS,
    below_heading,
    catch,
    only_table,
    table_object,
    thing,
)


def test_a_table_knows_where_it_stands_and_what_it_is_called() -> None:
    found = catch()
    assert (found.number, found.index, found.page, found.path) == (1, 1, 3, ("Harbour",))
    assert (found.caption, found.unit, found.notes) == ("Table 1: The catch", "in tons", ("Salted.",))
    assert (found.shape, found.header_rows, found.doubtful) == ((4, 3), 2, False)
    assert repr(found) == "<Table 1 on page 3: 4 × 3, 'Table 1: The catch'>"


def test_tables_are_counted_in_reading_order_and_others_are_left_out() -> None:
    hierarchy = below_heading(
        table_object(CATCH_ROWS), thing(Kind.TABLE, "a picture of a table"), table_object(CATCH_ROWS, page=4)
    )
    assert [(table.number, table.index, table.page) for table in tables_of(hierarchy)] == [
        (1, 1, 3),
        (2, 3, 4),
    ]


def test_rows_are_as_printed_or_with_spans_repeated_or_with_numbers() -> None:
    assert catch().to_rows() == [list(row) for row in CATCH_ROWS]
    assert catch().to_rows(repeat_spans=True)[0] == ["", "Nine months ended", "Nine months ended"]
    assert catch().to_rows(numbers=True)[1:] == [
        ["Boat", "2025", "2024"],  # names stay names
        ["Anna", 1234, -7],
        ["Berta", None, 12.5],
    ]


def test_header_and_columns_say_what_stands_over_each_column() -> None:
    assert catch().header == [["", "Nine months ended", "Nine months ended"], ["Boat", "2025", "2024"]]
    assert catch().columns == ["Boat", "Nine months ended 2025", "Nine months ended 2024"]


def test_csv_has_a_line_for_each_row() -> None:
    found = list(csv.reader(io.StringIO(catch().to_csv())))
    assert found == [list(row) for row in CATCH_ROWS]
    assert catch().to_csv(numbers=True).splitlines()[2:] == ["Anna,1234,-7", "Berta,,12.5"]


def test_json_keeps_rows_and_has_cells_with_boxes() -> None:
    value = json.loads(json.dumps(catch().to_json()))
    assert value["rows"][2] == ["Anna", "1,234", "(7)"]
    assert value["cells"][0]["column_span"] == 2
    assert value["cells"][0]["box"] == [10, 20, 110, 40]


def test_a_data_frame_has_the_names_and_the_numbers() -> None:
    pytest.importorskip("pandas")
    frame = catch().to_dataframe(numbers=True)
    assert list(frame.columns) == ["Boat", "Nine months ended 2025", "Nine months ended 2024"]
    assert frame["Nine months ended 2024"].tolist() == [-7, 12.5]


def test_columns_of_one_name_are_told_apart_in_a_data_frame() -> None:
    pytest.importorskip("pandas")
    table = only_table((("Boat", "Tons", "Tons", "Tons.1"), ("Anna", "1", "2", "3")))
    names = list(table.to_dataframe().columns)
    assert names == ["Boat", "Tons", "Tons.2", "Tons.1"]


def test_without_pandas_the_error_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    real = builtins.__import__

    def without(name: str, *rest: Any, **more: Any) -> Any:
        if name == "pandas":
            raise ImportError(name)
        return real(name, *rest, **more)

    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(UsageError, match=r"needs pandas \(pip install pandas\)"):
        catch().to_dataframe()


def test_a_decimal_mark_that_is_none_is_refused() -> None:
    with pytest.raises(UsageError, match="decimal cannot be ';'"):
        catch().to_rows(numbers=True, decimal=";")


def test_a_notebook_shows_the_table() -> None:
    assert catch()._repr_html_() == catch().to_html()


def test_a_document_has_its_tables_also_when_it_is_read_back() -> None:
    from held.api import as_structured

    document = as_structured(below_heading(table_object(CATCH_ROWS, CATCH)))
    again = held.load(document.to_json())
    assert again.tables == document.tables
    assert isinstance(again.tables[0], held.Table)
