"""Spreadsheets, looked at as what they are: XML in a zip file."""

import io
import zipfile
from xml.etree import ElementTree

from held.exports.tables import Table, tables_of
from held.exports.xlsx import MAX_NAME_LENGTH, to_xlsx
from tests.exports.made_tables import CATCH, CATCH_ROWS, below_heading, catch, only_table, table_object

NAMES = {"x": "http://schemas.openxmlformats.org/spreadsheetml/2006/main"}


def part(book: bytes, name: str) -> ElementTree.Element:
    with zipfile.ZipFile(io.BytesIO(book)) as file:
        return ElementTree.fromstring(file.read(name))


def cells(book: bytes, sheet: int = 1) -> dict[str, str]:
    """The cells of a sheet by their names: texts, and numbers as they are written."""
    found = {}
    for cell in part(book, f"xl/worksheets/sheet{sheet}.xml").iter(f"{{{NAMES['x']}}}c"):
        assert cell.find("x:f", NAMES) is None, "a formula"
        value = "".join(cell.itertext())
        if value:
            found[cell.get("r", "")] = value
    return found


def sheets(book: bytes) -> list[str]:
    return [sheet.get("name", "") for sheet in part(book, "xl/workbook.xml").iter(f"{{{NAMES['x']}}}sheet")]


def test_numbers_are_numbers_and_names_are_text() -> None:
    found = cells(to_xlsx([catch()]))
    assert (found["A3"], found["B3"], found["C3"], found["C4"]) == ("Anna", "1234", "-7", "12.5")
    assert (found["B2"], "B4" in found) == ("2025", False)


def test_a_spanning_name_is_a_merged_cell() -> None:
    merged = part(to_xlsx([catch()]), "xl/worksheets/sheet1.xml").iter(f"{{{NAMES['x']}}}mergeCell")
    assert [cell.get("ref") for cell in merged] == ["B1:C1"]


def test_what_looks_like_a_formula_or_a_link_is_text() -> None:
    hostile = ("=1+1", "http://example.org", "@x", "{=1}", "internal:a")
    assert list(cells(to_xlsx([only_table((hostile,))])).values()) == list(hostile)


def test_several_tables_have_a_sheet_each_below_a_list() -> None:
    pair = tables_of(below_heading(table_object(CATCH_ROWS, CATCH), table_object(CATCH_ROWS, page=9)))
    book = to_xlsx(pair)
    assert sheets(book) == ["Tables", "1 p3 Table 1 The catch", "2 p9 Harbour"]
    assert cells(book)["D2"] == "Table 1: The catch"


def test_sheets_have_names_that_spreadsheets_allow() -> None:
    base = catch()
    named = Table(1, 1, (3,), (), "'[Nets]: * / \\ ?" * 9, "", (), False, base.grid)
    (name,) = sheets(to_xlsx([named]))
    assert len(name) <= MAX_NAME_LENGTH
    assert not set(name) & set("[]:*?/\\'")


def test_the_same_tables_give_the_same_bytes() -> None:
    assert to_xlsx([catch()]) == to_xlsx([catch()])


def test_characters_that_xml_forbids_are_replaced() -> None:
    assert cells(to_xlsx([only_table((("a\x00b\ud800", "<&"),))])) == {"A1": "a\ufffdb\ufffd", "B1": "<&"}


def test_columns_beyond_the_alphabet_have_names_of_two_letters() -> None:
    assert list(cells(to_xlsx([only_table((tuple("x" * 28),))])))[25:] == ["Z1", "AA1", "AB1"]


def test_numbers_follow_the_decimal_mark_of_their_table() -> None:
    table = tables_of(below_heading(table_object((("Ice", "1.234,50"), ("Nets", "7.000")))))
    assert [cells(to_xlsx(table))[name] for name in ("B1", "B2")] == ["1234.5", "7000"]


def test_codes_that_turn_text_around_are_in_no_cell() -> None:
    assert cells(to_xlsx([only_table((("\u202egnp.exe", "1"),))]))["A1"] == "\ufffdgnp.exe"
