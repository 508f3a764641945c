"""Tables without rules whose wrapped cells are set to the middle of their row."""

from held.document import Kind
from tests.layout.conftest import Typesetter

MIDDLE = 120.0  # of the first row
STEP = 40.0  # from row to row: more white than between the lines of a cell
NUMBERS = (("2,400", "2,080"), ("1,700", "1,310"), ("1,650", "1,589"), ("1,550", "1,493"))


def names(sheet: Typesetter, *rows: str, at: float = 60.0) -> None:
    """Sets each row's label, its lines around the row's middle, beside two numbers."""
    sheet.paragraph("What the four directors were paid in the year is told here, in thousands of yuan.")
    for place, (label, numbers) in enumerate(zip(rows, NUMBERS, strict=True)):
        middle = MIDDLE + place * STEP
        lines = label.split("\n")
        for line, text in enumerate(lines):
            sheet.put(text, at, middle + 12 * (line - (len(lines) - 1) / 2) - 5)
        for x, number in zip((200.0, 300.0), numbers, strict=True):
            sheet.put(number, x, middle - 5)


def table_rows(sheet: Typesetter) -> list[tuple[str, ...]]:
    (table,) = [item for item in sheet.objects() if item.kind is Kind.TABLE]
    return list(table.rows)


def test_the_two_lines_of_a_label_stand_around_its_numbers(sheet: Typesetter) -> None:
    names(sheet, "Luo\nMinzhi", "Tang\nWeiran", "Ouyang\nQing", "He Jiashu")
    assert table_rows(sheet)[:2] == [("Luo Minzhi", "2,400", "2,080"), ("Tang Weiran", "1,700", "1,310")]


def test_the_middle_one_of_three_lines_stands_beside_the_numbers(sheet: Typesetter) -> None:
    names(sheet, "Luo\nMinzhi\nQinghe", "Tang\nWeiran\nGangkou", "Ouyang Qing", "He Jiashu")
    assert table_rows(sheet)[0] == ("Luo Minzhi Qinghe", "2,400", "2,080")


def test_rows_of_one_line_keep_their_place_between_the_others(sheet: Typesetter) -> None:
    names(sheet, "Luo\nMinzhi", "Tang Weiran", "Ouyang\nQing", "He Jiashu")
    assert [row[0] for row in table_rows(sheet)] == ["Luo Minzhi", "Tang Weiran", "Ouyang Qing", "He Jiashu"]


def test_a_text_in_the_last_column_is_wrapped_too(sheet: Typesetter) -> None:
    names(sheet, "Luo Minzhi", "Tang Weiran", "Ouyang Qing", "He Jiashu")
    for place in (0, 2):
        middle = MIDDLE + place * STEP
        sheet.put("Fewer household", 400, middle - 11)
        sheet.put("meters than before", 400, middle + 1)
    assert [row[3] for row in table_rows(sheet)] == ["Fewer household meters than before", ""] * 2
