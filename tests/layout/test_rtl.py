"""Hebrew and Arabic: runs stand from right to left, and the text comes in the order in which it is read."""

import pytest

from held.document import Run
from held.layout.characters import is_rtl, rtl_reading_order
from held.reading.text_runs import reverse_text
from tests.layout.conftest import RIGHT, Typesetter, width

YEARLY, REPORT = "שנתי", "דוח"


def runs(*texts: str) -> list[Run]:
    """Runs side by side, given from left to right as they are painted."""
    return [Run(40.0 * place, 0, 40.0 * place + 30, 10, 0, text) for place, text in enumerate(texts)]


def in_order(*texts: str) -> list[str]:
    return [run.text for run in rtl_reading_order(runs(*texts))]


def test_words_of_a_hebrew_line_come_from_right_to_left(sheet: Typesetter) -> None:
    right = sheet.put(YEARLY, 400, 80)
    sheet.put(REPORT, right + 4, 80)
    assert sheet.texts() == [f"{REPORT} {YEARLY}"]


def test_the_words_of_an_english_line_with_a_hebrew_name_stay(sheet: Typesetter) -> None:
    right = sheet.put("A name in another script is", 60, 80)
    sheet.put(YEARLY, right + 4, 80)
    assert sheet.texts() == [f"A name in another script is {YEARLY}"]


def test_lines_that_end_at_the_right_edge_are_one_paragraph(sheet: Typesetter) -> None:
    lines = [" ".join([YEARLY, REPORT] * 10), " ".join([REPORT, YEARLY, REPORT] * 7), REPORT]
    for line in lines:
        sheet.put(line, RIGHT - width(line, 10))
    assert sheet.texts() == [" ".join(lines)]


def test_foreign_words_among_hebrew_read_from_left_to_right() -> None:
    assert in_order(YEARLY, "Example", "Ltd", REPORT) == [REPORT, "Example", "Ltd", YEARLY]


def test_a_stop_left_of_a_number_is_read_after_it() -> None:
    assert in_order(".", "1998", REPORT) == [REPORT, "1998", "."]
    assert in_order(YEARLY, ".2") == ["2.", YEARLY]


def test_brackets_that_came_as_they_are_painted_open_before_they_close() -> None:
    assert in_order(YEARLY, "(", REPORT, ")") == ["(", REPORT, ")", YEARLY]


def test_text_turned_round_keeps_its_numbers() -> None:
    assert reverse_text("1,234 חוד") == "דוח 1,234"


@pytest.mark.parametrize("text", ["plain", "naïve — «quoted»", "年度报告", f"mostly English, and {REPORT}"])
def test_other_text_does_not_read_leftward(text: str) -> None:
    assert not is_rtl(text)
