"""The stack of lines that opens a chapter or a statement: title, subtitle, author, period."""

from typing import Any

from held.document import Kind

PROSE = "The chapter begins with words that fill some lines of the page and say nothing at all. " * 4
TITLES = ("Harbours", "Rivers and bridges", "Mountain roads", "Tunnels")
AUTHORS = ("Ann Example", "Bob Sample", "Cleo Specimen and Dan Pattern", "Eve Instance")


def subtitles(sheet: Any) -> list[str]:
    return [item.text for item in sheet.objects() if item.kind is Kind.SUBTITLE]


def open_chapters(sheet: Any, titles: tuple[str, ...] = TITLES, authors: tuple[str, ...] = AUTHORS) -> None:
    for title, author in zip(titles, authors, strict=True):
        sheet.put(title, size=20, bold=True)
        sheet.skip(10)
        sheet.put(author, size=12, italic=True)
        sheet.skip(30)
        sheet.paragraph(PROSE)
        sheet.new_page()


def test_lines_that_occur_only_below_the_titles_of_chapters_are_subtitles(sheet: Any) -> None:
    open_chapters(sheet)
    assert subtitles(sheet) == list(AUTHORS)


def test_two_openers_are_too_few_to_learn_from(sheet: Any) -> None:
    open_chapters(sheet, TITLES[:2], AUTHORS[:2])
    assert subtitles(sheet) == []


def test_a_look_that_heads_sections_elsewhere_is_no_subtitle(sheet: Any) -> None:
    for title in TITLES:
        sheet.put(title, size=20, bold=True)
        sheet.skip(10)
        for section in ("Beginnings", "Results"):
            sheet.put(f"{section} of {title.lower()}", size=12, italic=True)
            sheet.skip(10)
            sheet.paragraph(PROSE)
            sheet.skip(20)
        sheet.new_page()
    assert subtitles(sheet) == []


def test_a_numbered_heading_below_a_title_is_no_subtitle(sheet: Any) -> None:
    open_chapters(sheet, authors=("1. Boats", "1. Arches", "1. Gravel", "1. Light"))
    assert subtitles(sheet) == []


def test_the_same_name_above_every_title_does_not_make_the_titles_subtitles(sheet: Any) -> None:
    open_chapters(sheet, titles=("Annual report",) * 4, authors=TITLES)
    assert not set(subtitles(sheet)) & set(TITLES)


def test_the_period_and_the_unit_below_a_statements_title_are_subtitles(sheet: Any) -> None:
    sheet.put("Statement of cash flows", bold=True)
    sheet.skip(4)
    sheet.put("For the year ended 30 June 2022", bold=True)
    sheet.skip(4)
    sheet.put("(in thousands)", bold=True)
    sheet.skip(20)
    sheet.paragraph(PROSE)
    assert subtitles(sheet) == ["For the year ended 30 June 2022", "(in thousands)"]


def test_a_date_below_different_titles_belongs_to_none_of_them(sheet: Any) -> None:
    for title in ("Notes to the accounts", "Shareholder information"):
        sheet.put(title, size=14, bold=True)
        sheet.skip(6)
        sheet.put("30 June 2022", size=12, bold=True)
        sheet.skip(20)
        sheet.paragraph(PROSE)
        sheet.new_page()
    assert subtitles(sheet) == ["30 June 2022", "30 June 2022"]


def test_a_title_goes_on_in_a_line_that_begins_with_a_small_letter(sheet: Any) -> None:
    sheet.put("the age of steam", size=22, bold=True)
    sheet.put("constructed identity in a village", size=14)
    sheet.skip(30)
    sheet.paragraph(PROSE)
    assert sheet.texts()[0] == "the age of steam constructed identity in a village"


def test_two_sizes_on_one_baseline_are_one_title(sheet: Any) -> None:
    end = sheet.put("MESSAGE", 60, 80, size=28)
    sheet.put("TO SHAREHOLDERS", end + 16, 92, size=15)
    sheet.y = 140
    sheet.paragraph(PROSE)
    assert sheet.texts()[0] == "MESSAGE TO SHAREHOLDERS"


def test_words_in_italics_do_not_end_a_large_title(sheet: Any) -> None:
    sheet.put("Mat, kava, pig, woman:", size=20, bold=True, italic=True)
    sheet.put("The operation of a system", size=20, bold=True)
    sheet.skip(30)
    sheet.paragraph(PROSE)
    assert sheet.texts()[0] == "Mat, kava, pig, woman: The operation of a system"


def test_the_name_of_a_command_below_a_title_is_not_part_of_it(sheet: Any) -> None:
    sheet.put("Configuration options", size=16, bold=True)
    sheet.put("configure", size=10, font="Courier")
    sheet.skip(20)
    sheet.paragraph(PROSE)
    assert sheet.texts()[0] == "Configuration options"


def set_labels(sheet: Any, pairs: list[tuple[str, str]], **style: Any) -> list[str]:
    for label, title in pairs:
        sheet.put(label, 280, **style)
        sheet.skip(5)
        sheet.put(title, 260, **style)
        sheet.skip(12)
        sheet.paragraph(PROSE)
        sheet.skip(12)
    return [text for text in sheet.texts() if "words" not in text]


def test_labels_above_short_lines_in_the_font_of_the_text_are_joined_by_habit(sheet: Any) -> None:
    texts = set_labels(
        sheet, [("Chapter 1", "In General"), ("Chapter 2", "Remedies"), ("Chapter 3", "Costs")]
    )
    assert texts == ["Chapter 1 In General", "Chapter 2 Remedies", "Chapter 3 Costs"]


def test_one_label_above_a_short_line_in_the_font_of_the_text_is_no_habit(sheet: Any) -> None:
    assert set_labels(sheet, [("Chapter 1", "In General")]) == ["Chapter 1", "In General"]


def test_a_japanese_label_is_joined_with_the_title_below_it(sheet: Any) -> None:
    assert set_labels(sheet, [("第1章", "総則")], size=18) == ["第1章 総則"]


def test_a_korean_label_is_joined_with_the_title_below_it(sheet: Any) -> None:
    assert set_labels(sheet, [("제1장", "총칙")], size=18) == ["제1장 총칙"]


def test_the_word_appendix_is_joined_with_the_title_below_it(sheet: Any) -> None:
    assert set_labels(sheet, [("APPENDIX", "Forms of address")], size=18) == ["APPENDIX Forms of address"]


def test_a_label_is_not_joined_with_a_line_that_has_a_number(sheet: Any) -> None:
    pairs = [
        ("PART I", "ITEM 1. BUSINESS"),
        ("PART II", "ITEM 5. MARKET"),
        ("PART III", "ITEM 10. BOARD"),
    ]
    assert set_labels(sheet, pairs, bold=True) == [text for pair in pairs for text in pair]


def test_a_lighter_subtitle_right_below_its_title_is_part_of_the_heading(sheet: Any) -> None:
    subtitles_below = ("How boats are kept", "Ways to cross water", "Roads above the trees", "Light for all")
    for title, subtitle, author in zip(TITLES, subtitles_below, AUTHORS, strict=True):
        sheet.put(title, size=18, bold=True)
        sheet.put(subtitle, size=16)
        sheet.skip(20)
        sheet.put(author, size=14, italic=True)
        sheet.skip(30)
        sheet.paragraph(PROSE)
        sheet.new_page()
    document = sheet.document()
    headings = [item for item in document.objects if item.text.startswith(TITLES)]
    assert [item.text for item in headings] == [
        f"{title} {subtitle}" for title, subtitle in zip(TITLES, subtitles_below, strict=True)
    ]
    assert {item.style.size for item in headings} == {18.0}
    assert [item.text for item in document.objects if item.kind is Kind.SUBTITLE] == list(AUTHORS)


def test_names_right_below_the_titles_are_no_part_of_the_headings(sheet: Any) -> None:
    for title, author in zip(TITLES, AUTHORS, strict=True):
        sheet.put(title, size=18, bold=True)
        sheet.put(author, size=16)
        sheet.skip(30)
        sheet.paragraph(PROSE)
        sheet.new_page()
    assert subtitles(sheet) == list(AUTHORS)
