"""Titles at the top of a page that say that their section goes on."""

from typing import Any

from held.document import Kind

PROSE = "The section goes on with words that fill some lines of the page and say nothing at all. " * 4


def test_a_continued_title_is_a_running_head(sheet: Any) -> None:
    sheet.put("Note 2 Accounting policies", bold=True)
    sheet.skip(10)
    sheet.paragraph(PROSE)
    sheet.new_page()
    sheet.put("Note 2 Accounting policies (continued)", bold=True)
    sheet.skip(10)
    sheet.paragraph(PROSE)
    document = sheet.document()
    assert [o.text for o in document.objects if o.style.bold] == ["Note 2 Accounting policies"]
    assert [o.kind for o in document.furniture] == [Kind.HEADER]


def test_a_sentence_goes_on_behind_a_continued_title(sheet: Any) -> None:
    for _ in range(3):
        sheet.put("words " * 15 + "words")
    sheet.new_page()
    sheet.put("Note 2 (续)", bold=True)
    sheet.skip(10)
    sheet.put("that end here.")
    assert len(sheet.texts()) == 1


def test_a_title_on_three_pages_in_a_row_opens_one_section(sheet: Any) -> None:
    for name in ("North", "South", "East"):
        sheet.put("Our regions", size=18, bold=True)
        sheet.skip(10)
        sheet.put(name, size=14, bold=True)
        sheet.skip(10)
        sheet.paragraph(PROSE)
        sheet.new_page()
    assert sheet.texts().count("Our regions") == 1


def test_two_sections_of_a_page_each_may_have_the_same_title(sheet: Any) -> None:
    for _ in range(2):
        sheet.put("Report of the auditor", size=18, bold=True)
        sheet.skip(10)
        sheet.paragraph(PROSE)
        sheet.new_page()
    assert sheet.texts().count("Report of the auditor") == 2


def test_a_page_number_right_below_the_text_is_no_text(sheet: Any) -> None:
    for number in range(1, 6):
        sheet.paragraph(PROSE)
        sheet.skip(number * 20)
        sheet.put(str(number), 300)
        sheet.new_page()
    assert not any(text.isdecimal() for text in sheet.texts())


def test_labels_that_count_sections_are_text_on_however_many_pages(sheet: Any) -> None:
    for number in range(1, 5):
        sheet.put(f"Exhibit 31.{number}", y=40)
        sheet.paragraph(PROSE)
        sheet.new_page()
    assert sum(text.startswith("Exhibit") for text in sheet.texts()) == 4


def test_a_head_on_most_pages_names_the_document_from_the_first_page_on(sheet: Any) -> None:
    for _ in range(6):
        sheet.put("Example Annual Report", y=40, bold=True)
        sheet.paragraph(PROSE)
        sheet.new_page()
    assert "Example Annual Report" not in sheet.texts()
