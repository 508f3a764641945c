"""Paragraphs that go on after a column or page break, whatever stands between their parts."""

import pytest

from held.document import Kind
from tests.layout.conftest import Typesetter

START = (
    "The harbour freezes every winter, and the boats wait for the spring in the sheds until the ice has " * 3
)
OPEN = START + "gone and the pilots"
REST = "can sail again along the coast, which takes them several days in most years. " * 3


def has_joined(sheet: Typesetter) -> bool:
    return any("and the pilots can sail again" in text for text in sheet.texts())


def test_a_figure_at_the_top_of_the_next_page_breaks_no_sentence(sheet: Typesetter) -> None:
    sheet.paragraph(OPEN)
    sheet.new_page()
    sheet.image(100, 80, 500, 300)
    sheet.y = 306
    sheet.put("Figure 1: The harbour", 240, size=8)
    sheet.skip(30)
    sheet.paragraph(REST)
    assert has_joined(sheet)


def test_small_print_below_a_column_breaks_no_sentence(sheet: Typesetter) -> None:
    sheet.paragraph(OPEN)
    sheet.skip(300)
    sheet.put("Permission to copy this work is granted to sailors.", size=7)
    sheet.put("Copyright Harbour Press.", size=7)
    sheet.new_page()
    sheet.paragraph(REST)
    assert has_joined(sheet)


def test_a_paragraph_cut_in_the_middle_of_a_row_goes_on(sheet: Typesetter) -> None:
    for _ in range(3):
        sheet.put(
            "the boats wait for spring in the sheds by the sea until all of the ice has gone from the bays"
        )
    sheet.put("and the pilots")
    sheet.new_page()
    sheet.paragraph(REST)
    assert has_joined(sheet)


def test_a_paragraph_that_begins_with_a_capital_stays_apart_below_a_figure(sheet: Typesetter) -> None:
    sheet.paragraph(OPEN)
    sheet.new_page()
    sheet.image(100, 80, 500, 300)
    sheet.y = 330
    sheet.paragraph("Can" + REST[3:])
    assert not any("pilots Can" in text for text in sheet.texts())


def catch_table(sheet: Typesetter, caption: str) -> None:
    """Sets a table of three columns below its caption."""
    sheet.put(caption, 60)
    sheet.skip(10)
    for row in (
        ("Boat", "2025", "2024"),
        ("Anna", "1,200", "1,100"),
        ("Berta", "900", "800"),
        ("Clara", "70", "60"),
    ):
        for x, text in zip((60.0, 200.0, 300.0), row, strict=True):
            sheet.put(text, x, sheet.y)
        sheet.skip(15)


@pytest.mark.parametrize(
    ("caption", "count"), [("Table 2: The catch of cod", 2), ("Table 1 (continued): The catch of herring", 1)]
)
def test_a_table_below_a_caption_of_its_own_begins_anew(sheet: Typesetter, caption: str, count: int) -> None:
    sheet.skip(500)
    catch_table(sheet, "Table 1: The catch of herring")
    sheet.new_page()
    catch_table(sheet, caption)
    tables = [item for item in sheet.objects() if item.kind is Kind.TABLE]
    assert len(tables) == count


def test_a_hanging_entry_goes_on_with_a_capital(sheet: Typesetter) -> None:
    for number in range(1, 4):
        sheet.put(f"[{number}] Ann Ship and Bob Sail. Of the boats that were counted in the harbours of the")
        sheet.put("north, and of those of the south. In the Proceedings of the Meeting on the Count of", 90)
    sheet.new_page()
    sheet.put("Boats, pages 12-40, 2010.", 90)
    sheet.put("[4] Cy Mast. A short word.")
    assert any("the Count of Boats" in text for text in sheet.texts())


FULL_ROW = "Ann Ship and Bob Sail, who have counted the boats in all harbours, and those outside of"


@pytest.mark.parametrize(
    ("indent", "count"),
    [(20, 3), (200, 6)],  # a displayed formula stands further in
)
def test_entries_of_two_hanging_rows_are_one_paragraph_each(
    sheet: Typesetter, indent: int, count: int
) -> None:
    for letter in "abc":
        sheet.put(f"--{letter} {FULL_ROW}")
        sheet.put("them in the north.", 60 + indent)
        sheet.skip(8)
    assert len(sheet.texts()) == count


def test_a_name_below_a_full_row_is_not_joined_to_it(sheet: Typesetter) -> None:
    for letter in "abc":
        sheet.put(f"--{letter} {FULL_ROW}")
        sheet.put("Them.count(north)", 80)
        sheet.skip(8)
    assert len(sheet.texts()) == 6
