"""The runs of a page: text, boxes and styles, one test for each trap that real files set."""

from __future__ import annotations

import pytest

from held.document import Pages, Run, Style
from held.document_json import pages_from_json, pages_to_json
from held.reading.read_pdf import read_pdf
from tests.layout.make_pdfs import MEDIA, font, pdf, stream, text

GENERAL_BOLD = ["Times-Bold", "ABCDEF+Semibold", "Foo,Bold", "SimHei", "FooExtrabld", "Neue-Blk", "A-Heavy"]
TEX_BOLD = ["CMBX12", "SFBX1000", "ECBX10", "LMBX8", "ptmb8r", "NimbusRomNo9L-Medi", "LinLibertineTB"]


def read(*contents: str, **options: object) -> Pages:
    return read_pdf(pdf(*contents, **options), jobs=0)  # type: ignore[arg-type]


def runs(*contents: str, **options: object) -> tuple[Run, ...]:
    return read(*contents, **options).pages[0].runs


def texts(*contents: str, **options: object) -> list[str]:
    return [run.text for run in runs(*contents, **options)]


def style(content: str, **options: object) -> Style:
    pages = read(content, **options)
    return pages.styles[pages.pages[0].runs[0].style]


def test_a_box_runs_from_the_top_left_of_the_page_downwards() -> None:
    (run,) = runs(text("Hello world", x=20, y=250, size=10))
    assert (run.x0, run.x1) == (20.0, 69.4)
    assert run.y0 < 50 < run.y1  # the baseline is 50 points below the top of 300


def test_size_counts_the_text_matrix() -> None:
    assert style("BT /F1 1 Tf 12 0 0 12 20 250 Tm (big) Tj ET").size == 12.0


def test_size_counts_the_page_matrix() -> None:
    assert style("0.05 0 0 0.05 0 0 cm BT /F1 180 Tf 400 5000 Td (small) Tj ET").size == 9.0


@pytest.mark.parametrize("name", [*GENERAL_BOLD, *TEX_BOLD])
def test_bold_is_told_by_the_name(name: str) -> None:
    assert style(text("x"), fonts={"F1": font(name)}).bold


@pytest.mark.parametrize("name", ["Times-Roman", "CMR10", "Lato-Medium", "SFRM1000", "MicrosoftYaHei"])
def test_an_ordinary_name_is_not_bold(name: str) -> None:
    assert not style(text("x"), fonts={"F1": font(name)}).bold


def test_stroked_glyphs_are_bold() -> None:
    assert style("2 Tr " + text("x")).bold
    assert style("2 Tr " + text("x")).render_mode == 2


@pytest.mark.parametrize("name", ["Times-Italic", "Helvetica-BoldOblique"])
def test_italic_is_told_by_the_name(name: str) -> None:
    assert style(text("x"), fonts={"F1": font(name)}).italic


def test_italic_is_told_by_the_descriptor() -> None:
    descriptor = "<< /Type /FontDescriptor /FontName /MinionPro-It /Flags 96 /ItalicAngle -12 >>"
    fonts = {"F1": font("MinionPro-It", "/FontDescriptor 500 0 R")}
    assert style(text("x"), fonts=fonts, objects={500: descriptor}).italic


def test_italic_is_told_by_a_slanted_matrix() -> None:
    assert style("BT /F1 10 Tf 1 0 0.3 1 20 250 Tm (x) Tj ET").italic
    assert not style("BT /F1 10 Tf 1 0 0 1 20 250 Tm (x) Tj ET").italic


def test_the_subset_prefix_is_no_part_of_the_name() -> None:
    assert style(text("x"), fonts={"F1": font("ABCDEF+Garamond")}).font == "Garamond"


def test_a_font_can_have_a_chinese_name() -> None:
    assert style(text("x"), fonts={"F1": font("#E5#AE#8B#E4#BD#93")}).font == "宋体"


def test_colour_is_red_green_blue() -> None:
    assert style("1 0 0.2 rg " + text("x")).colour == "ff0033"


def test_a_hyphen_at_a_line_end_ends_its_run() -> None:
    lines = text("The exam-", y=250) + text("ple goes on here", y=238)
    assert texts(lines) == ["The exam-", "ple goes on here"]


def test_a_ligature_that_the_file_maps_to_nothing_is_no_hyphen() -> None:
    to_unicode = stream(
        "/CIDInit /ProcSet findresource begin begincmap 1 begincodespacerange <00> <FF> endcodespacerange "
        "1 beginbfchar <40> <0000> endbfchar 1 beginbfrange <61> <7A> <0061> endbfrange endcmap end"
    )
    fonts = {"F1": font("Helvetica", "/ToUnicode 500 0 R")}
    lines = text("the bug@xes", y=250) + text("e@ect", y=238)
    assert texts(lines, fonts=fonts, objects={500: to_unicode}) == ["the bug\ufffdxes", "e\ufffdect"]


def test_characters_beyond_the_basic_plane_are_whole() -> None:
    to_unicode = stream(
        "/CIDInit /ProcSet findresource begin begincmap 1 begincodespacerange <00> <FF> endcodespacerange "
        "2 beginbfchar <41> <D835DC00> <42> <0062> endbfchar endcmap end"
    )
    fonts = {"F1": font("Helvetica", "/ToUnicode 500 0 R")}
    assert texts(text("AB"), fonts=fonts, objects={500: to_unicode}) == ["\U0001d400b"]


def test_text_outside_the_crop_box_is_dropped() -> None:
    page = "/MediaBox [0 0 200 300] /CropBox [10 20 190 280]"
    inside, outside = text("inside", x=50, y=150), text("mark", x=50, y=290)
    (run,) = runs(inside + outside, page=page)
    assert (run.text, run.x0) == ("inside", 40.0)
    assert run.y0 < 130 < run.y1


def test_text_objects_far_apart_on_a_line_are_two_runs() -> None:
    assert texts(text("left", x=20) + text("right", x=120)) == ["left", "right"]


def test_text_objects_close_together_on_a_line_are_one_run() -> None:
    assert texts(text("left", x=20) + text("right", x=40)) == ["left right"]


def test_a_step_back_starts_a_run() -> None:
    assert texts(text("over", x=100, y=250) + text("back", x=20, y=246)) == ["over", "back"]


def test_text_far_above_the_next_one_is_a_run_of_its_own() -> None:
    # PDFium reads a page with a column of letters from top to bottom, as one line.
    column = "".join(text(letter, x=100, y=290 - 12 * place) for place, letter in enumerate("abcdefgh"))
    assert texts(column) == ["abcdefgh"]
    assert texts(column + text("5", x=104.5, y=20)) == ["abcdefgh", "5"]


def test_another_style_starts_a_run() -> None:
    fonts = {"F1": font("Helvetica"), "F2": font("Helvetica-Bold")}
    content = text("plain", x=20) + text("bold", x=48, name="F2")
    assert [t.strip() for t in texts(content, fonts=fonts)] == ["plain", "bold"]


def test_hidden_text_is_returned_and_marked() -> None:
    assert style("3 Tr " + text("hidden")).render_mode == 3


def test_white_text_is_returned_with_its_colour() -> None:
    assert style("1 g " + text("white")).colour == "ffffff"


def test_turned_text_is_not_upright() -> None:
    assert not style("BT /F1 10 Tf 0 1 -1 0 100 100 Tm (up the page) Tj ET").upright
    assert style(text("level")).upright


def test_text_in_forms_lies_where_the_page_shows_it() -> None:
    form = stream(text("in a form", x=0, y=0), "/Type /XObject /Subtype /Form /BBox [0 -20 200 200]")
    (run,) = runs("q 1 0 0 1 30 200 cm /X Do Q", resources="/XObject << /X 500 0 R >>", objects={500: form})
    assert run.x0 == 30.0
    assert run.y0 < 100 < run.y1


def test_blank_text_is_no_run() -> None:
    assert runs(text("   ")) == ()


def test_runs_come_in_the_order_of_the_content() -> None:
    assert texts(text("second", y=100) + text("first", y=250)) == ["second", "first"]


def test_absurd_places_are_no_runs() -> None:
    assert texts(text("here") + "BT /F1 10 Tf 99999999 99999999 Td (nowhere) Tj ET") == ["here"]


# Words: measured on pages where several runs look like rows of a table.

ROW = "BT /F1 10 Tf 1 0 0 1 20 {y} Tm [(North) -4000 (12.5) -2000 (13.5) -300 (7)] TJ ET\n"


def test_a_row_set_as_one_text_has_the_boxes_of_its_words() -> None:
    found = runs("".join(ROW.format(y=y) for y in (250, 230, 210)))
    assert [run.text.split() for run in found] == [["North", "12.5", "13.5", "7"]] * 3
    lefts = [word.x0 for word in found[0].words]
    rights = [word.x1 for word in found[0].words]
    assert lefts[0] == found[0].x0
    assert rights[-1] == found[0].x1
    assert lefts[1] - rights[0] > 35
    assert all(found[0].y0 <= word.y0 < word.y1 <= found[0].y1 for word in found[0].words)


def test_one_row_of_numbers_on_a_page_is_not_measured() -> None:
    assert all(not run.words for run in runs(ROW.format(y=250) + text("Only words here", y=230)))


def test_words_come_through_the_reader_process_and_through_json() -> None:
    source = pdf("".join(ROW.format(y=y) for y in (250, 230, 210)))
    pages = read_pdf(source)
    assert pages.pages == read_pdf(source, jobs=0).pages
    assert pages_from_json(pages_to_json(pages)).pages == pages.pages


def test_letter_spaced_words_have_no_spaces_between_their_letters() -> None:
    letters = "-400".join(f"({letter})" for letter in "APPENDIX") + "-1100(A)"
    (run,) = read_pdf(pdf(f"BT /F1 10 Tf 20 250 Td [{letters}] TJ ET"), jobs=0).pages[0].runs
    assert run.text == "APPENDIX A"


@pytest.mark.parametrize(("matrix", "rotation"), [("0 1 -1 0 100 20", 90), ("0 -1 1 0 100 250", 270)])
def test_letter_spaced_words_of_a_rotated_page_are_closed(matrix: str, rotation: int) -> None:
    letters = "-400".join(f"({letter})" for letter in "APPENDIX") + "-1100(A)"
    content = f"BT /F1 10 Tf {matrix} Tm [{letters}] TJ ET"
    (run,) = read_pdf(pdf(content, page=f"{MEDIA} /Rotate {rotation}"), jobs=0).pages[0].runs
    assert run.text == "APPENDIX A"


def test_letters_that_were_typed_with_spaces_keep_them() -> None:
    (run,) = read_pdf(pdf(text("A C B A D B")), jobs=0).pages[0].runs
    assert run.text == "A C B A D B"
