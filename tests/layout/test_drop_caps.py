"""Drop caps: a paragraph's first letter that reaches over several lines."""

from __future__ import annotations

import pytest

from tests.layout.conftest import LEFT, PITCH, TOP, Typesetter

BESIDE = LEFT + 22.0  # where the lines beside the letter begin


def put_paragraph(
    sheet: Typesetter, letter: str, first: str = "he harbour was busy all year and", *, lines: int = 2
) -> None:
    """A large letter at the left, with lines beside it and one below."""
    sheet.put(letter, LEFT, TOP, size=30.0)
    text = [first, "ships came in from every coast"][:lines]
    for row, line in enumerate(text):
        sheet.put(line, BESIDE, TOP + 2 + row * PITCH)
    sheet.put("of the world.", LEFT, TOP + 2 + len(text) * PITCH)


def test_a_drop_cap_begins_the_first_word_of_its_paragraph(sheet: Typesetter) -> None:
    put_paragraph(sheet, "T")
    assert sheet.texts() == ["The harbour was busy all year and ships came in from every coast of the world."]


def test_a_quotation_mark_may_stand_before_a_drop_cap(sheet: Typesetter) -> None:
    put_paragraph(sheet, "“T")
    assert sheet.texts()[0].startswith("“The harbour")


def test_the_text_of_the_object_has_the_size_of_the_paragraph(sheet: Typesetter) -> None:
    put_paragraph(sheet, "T")
    assert [o.style.size for o in sheet.objects()] == [10.0]


@pytest.mark.parametrize("letter", ["7", "Th", "t"])
def test_only_a_capital_letter_is_a_drop_cap(sheet: Typesetter, letter: str) -> None:
    put_paragraph(sheet, letter)
    assert len(sheet.texts()) > 1


def test_a_letter_beside_a_single_line_is_no_drop_cap(sheet: Typesetter) -> None:
    put_paragraph(sheet, "A", "Introduction", lines=1)
    assert not any(text.startswith("AIntroduction") for text in sheet.texts())


def test_a_letter_far_from_the_text_is_no_drop_cap(sheet: Typesetter) -> None:
    sheet.put("T", LEFT - 40.0, TOP, size=30.0)
    sheet.paragraph("Harbours are busy all year, and ships come in from every coast of the world. " * 3)
    assert "T" in sheet.texts()


def test_a_paragraph_may_begin_in_small_capitals(sheet: Typesetter) -> None:
    x = sheet.put("THE HARBOUR WAS BUSY ALL YEAR AND SHIPS CAME IN FROM EVERY COAST ", LEFT, TOP, size=7.5)
    sheet.put("of the world, as they had done for as long", x, TOP - 1)
    sheet.put("as anybody in the town could remember, and some of them stayed.", LEFT, TOP - 1 + PITCH)
    (text,) = sheet.texts()
    assert text.startswith("THE HARBOUR WAS")
    assert text.endswith("some of them stayed.")
