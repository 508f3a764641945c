"""The title and the authors of a document, found on its first pages."""

from dataclasses import replace

from held.document import Metadata
from held.layout.title import find_metadata, title_objects
from tests.layout.conftest import Typesetter

TEXT = "The harbour freezes every winter, and the boats wait for the spring in the sheds. " * 4


def found(sheet: Typesetter, **declared: object) -> Metadata:
    document = sheet.document()
    return find_metadata(document.objects, document.furniture, Metadata(**declared))  # type: ignore[arg-type]


def title_of_cover(sheet: Typesetter, *lines: tuple[str, float]) -> str:
    """The title found for lines of these sizes above running text."""
    for text, size in lines:
        sheet.put(text, size=size)
    sheet.skip(60)
    sheet.paragraph(TEXT)
    return found(sheet).title


def test_the_largest_text_of_the_first_page_is_the_title(sheet: Typesetter) -> None:
    sheet.put("Port Authority", size=12)
    sheet.skip(40)
    sheet.put("Ice in Northern Harbours", size=24)
    sheet.skip(40)
    sheet.paragraph(TEXT)
    assert found(sheet).title == "Ice in Northern Harbours"


def test_a_title_of_several_lines_is_one_text(sheet: Typesetter) -> None:
    sheet.put("Ice in Northern Harbours:", size=24)
    sheet.put("A Guide for Pilots", size=24)
    sheet.skip(60)
    sheet.paragraph(TEXT)
    document = sheet.document()
    assert document.metadata.title == "Ice in Northern Harbours: A Guide for Pilots"


def test_a_declared_title_decides_between_printed_texts(sheet: Typesetter) -> None:
    sheet.put("University of the Sea", size=20)
    sheet.skip(90)
    sheet.put("Ice in Northern Harbours", size=17)
    sheet.skip(60)
    sheet.paragraph(TEXT)
    assert found(sheet).title == "University of the Sea"
    assert found(sheet, title="Ice in northern harbours").title == "Ice in Northern Harbours"


def test_a_file_name_is_no_title(sheet: Typesetter) -> None:
    sheet.paragraph(TEXT)
    assert found(sheet, title="Microsoft Word - draft 3.docx").title == ""


def test_a_declared_title_counts_where_the_pages_show_none(sheet: Typesetter) -> None:
    sheet.paragraph(TEXT)
    assert found(sheet, title="Ice in Northern Harbours").title == "Ice in Northern Harbours"


def test_neither_a_year_nor_a_company_nor_the_contents_is_the_title(sheet: Typesetter) -> None:
    sheet.put("2025", size=40)
    sheet.skip(150)
    sheet.put("Northern Harbours Ltd", size=22)
    sheet.skip(90)
    sheet.put("Report of the Directors", size=18)
    sheet.skip(90)
    sheet.put("Contents", size=30)
    sheet.paragraph(TEXT)
    assert found(sheet).title == "Report of the Directors"


def test_a_text_set_like_numbered_sections_is_no_title(sheet: Typesetter) -> None:
    sheet.put("1 Boats", size=20)
    sheet.paragraph(TEXT)
    sheet.put("Sheds", size=20)
    sheet.paragraph(TEXT)
    assert found(sheet).title == ""


def test_running_text_is_no_title(sheet: Typesetter) -> None:
    sheet.paragraph(TEXT)
    assert found(sheet).title == ""


def test_only_authors_that_are_printed_are_named(sheet: Typesetter) -> None:
    sheet.put("Ice in Northern Harbours", size=24)
    sheet.skip(20)
    sheet.put("Ada Holm", size=12)
    sheet.skip(30)
    sheet.paragraph(TEXT)
    assert found(sheet, authors=("Ada Holm and Ben Wick",)).authors == ("Ada Holm",)


def test_the_objects_that_print_the_title_are_found(sheet: Typesetter) -> None:
    sheet.put("Port Authority", size=12)
    sheet.skip(40)
    sheet.put("Ice in Northern Harbours", size=24)
    sheet.skip(40)
    sheet.paragraph(TEXT)
    document = sheet.document()
    (index,) = title_objects(document.objects, document.metadata.title)
    assert document.objects[index].text == "Ice in Northern Harbours"
    assert not title_objects(replace(document).objects, "Another title")


def test_words_by_which_the_document_speaks_of_itself_are_its_title(sheet: Typesetter) -> None:
    sheet.put("COMMISSION OF THE NORTHERN HARBOURS", size=18)
    sheet.skip(40)
    sheet.put("FORM 10", size=18)
    sheet.skip(400)
    sheet.paragraph(TEXT)
    sheet.new_page()
    for index in range(70):
        sheet.put(f"This report on Form 10 is the only one of its kind, and number {index}.")
        sheet.skip(20)
        if sheet.y > 780:
            sheet.new_page()
    assert found(sheet).title == "FORM 10"


def test_two_letters_are_a_sign_and_no_title(sheet: Typesetter) -> None:
    sheet.put("HS", size=48)
    sheet.skip(40)
    sheet.put("Codes for Ice in Harbours", size=26)
    sheet.skip(60)
    sheet.paragraph(TEXT)
    assert found(sheet).title == "Codes for Ice in Harbours"


def test_a_rule_that_is_typed_above_a_title_is_no_part_of_it(sheet: Typesetter) -> None:
    title = title_of_cover(sheet, ("____________________", 24), ("Ice in Northern Harbours", 24))
    assert title == "Ice in Northern Harbours"


def test_the_heading_of_a_summary_below_a_title_is_no_part_of_it(sheet: Typesetter) -> None:
    sheet.put("Ice in Northern Harbours", size=24)
    sheet.skip(12)
    sheet.put("Summary", size=24)
    sheet.skip(60)
    sheet.paragraph(TEXT)
    assert found(sheet).title == "Ice in Northern Harbours"


def test_dashes_below_a_title_are_no_part_of_it(sheet: Typesetter) -> None:
    title = title_of_cover(sheet, ("Ice in Northern Harbours", 24), ("—", 24))
    assert title == "Ice in Northern Harbours"


def test_the_name_of_a_drawing_is_no_title(sheet: Typesetter) -> None:
    sheet.put("Ice in Northern Harbours", size=12)
    sheet.paragraph(TEXT)
    assert found(sheet, title="Harbour map 3.vsd").title != "Harbour map 3.vsd"


def test_the_program_that_made_a_manual_is_not_its_title(sheet: Typesetter) -> None:
    sheet.skip(200)
    sheet.put("harbours", size=12)
    sheet.skip(60)
    sheet.put("Généré par Doxygen 1.9.1", size=12)
    sheet.new_page()
    sheet.paragraph(TEXT)
    assert "Doxygen" not in found(sheet).title


def test_a_name_with_underscores_is_that_of_a_file(sheet: Typesetter) -> None:
    sheet.paragraph(TEXT)
    assert found(sheet, title="harbour_map_quickref").title == ""
    assert found(sheet, title="Harbour_map_November_2009 1").title == ""


def test_a_line_of_another_size_belongs_to_the_title_if_a_running_head_says_so(sheet: Typesetter) -> None:
    sheet.put("Northern Harbours", size=24)
    sheet.put("User's Guide", size=18)
    sheet.skip(60)
    sheet.paragraph(TEXT)
    document = sheet.document()
    head = replace(document.objects[0], text="Northern Harbours: User's Guide")
    assert find_metadata(document.objects, [], Metadata()).title == "Northern Harbours"
    assert find_metadata(document.objects, [head], Metadata()).title == "Northern Harbours User's Guide"
    declared = Metadata(title="Ice in northern harbours user's guide")
    assert find_metadata(document.objects, [], declared).title == "Northern Harbours User's Guide"


def test_a_title_goes_on_behind_a_colon_in_another_size(sheet: Typesetter) -> None:
    title = title_of_cover(sheet, ("HARBOURS-07:", 18), ("Software for Ice in Northern Harbours", 15))
    assert title == "HARBOURS-07: Software for Ice in Northern Harbours"


def test_a_line_that_names_authors_is_no_title(sheet: Typesetter) -> None:
    sheet.put("ne", size=24)
    sheet.put("A harbour map", size=10)
    sheet.skip(300)
    sheet.put("by Ada Holm and Ben M. Wick", size=16)
    sheet.new_page()
    sheet.paragraph(TEXT)
    assert found(sheet).title == "ne"


def test_the_file_names_a_document_whose_cover_is_an_image(sheet: Typesetter) -> None:
    sheet.put("SB", size=10)
    sheet.new_page()
    sheet.put("The Harbours", size=16)
    sheet.paragraph(TEXT)
    assert found(sheet, title="Sea Basic").title == "Sea Basic"


def test_a_section_below_a_larger_numbered_chapter_is_no_title(sheet: Typesetter) -> None:
    sheet.put("Chapter 1: The Harbours", size=24)
    sheet.paragraph(TEXT)
    sheet.put("Other Sources", size=16)
    sheet.paragraph(TEXT)
    assert found(sheet).title == ""


def test_a_text_of_unknown_characters_is_no_title(sheet: Typesetter) -> None:
    sheet.put("H\x05m\x06 \x07Z", size=24)
    sheet.skip(30)
    sheet.paragraph(TEXT)
    assert found(sheet, title="Northern Harbours").title == "Northern Harbours"


def test_a_manual_page_is_named_below_its_first_heading(sheet: Typesetter) -> None:
    sheet.put("NAME", size=12, bold=True)
    sheet.put("harbour - list the boats of a harbour")
    sheet.skip(12)
    sheet.put("SYNOPSIS", size=12, bold=True)
    sheet.put("harbour [options] file")
    sheet.paragraph(TEXT)
    assert found(sheet).title == "harbour - list the boats of a harbour"


def test_a_version_alone_is_no_title(sheet: Typesetter) -> None:
    sheet.put("Ice in Northern Harbours", size=16)
    sheet.skip(80)
    sheet.put("Version 2.1.5", size=18)
    sheet.skip(40)
    sheet.paragraph(TEXT)
    assert found(sheet).title == "Ice in Northern Harbours"
