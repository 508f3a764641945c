"""Where headings begin and end that white space, a slant or their place alone tells from others."""

from held.document import Run, Style
from held.layout.lines import Line
from held.layout.paragraphs import join_numbers
from tests.layout.conftest import LEFT, RIGHT, Typesetter

LINE = "one line of running text that goes on as far as the right edge of its column does here"


def test_a_dash_begins_an_item_after_a_finished_line(sheet: Typesetter) -> None:
    for text in ("7.5.1.4 指令所含字段：", "——转让 ID；", "——中介 ID；"):
        sheet.put(text)
    assert sheet.texts() == ["7.5.1.4 指令所含字段：", "——转让 ID；", "——中介 ID；"]


def test_an_italic_heading_is_not_glued_to_the_lone_line_above_it(sheet: Typesetter) -> None:
    sheet.put(LINE + ", to the end")
    sheet.skip(8)
    sheet.put("Trade Name", italic=True)
    sheet.skip(8)
    sheet.paragraph(" ".join([LINE] * 3))
    assert sheet.texts()[1] == "Trade Name"


def test_a_plain_heading_between_two_wide_gaps_stands_alone(sheet: Typesetter) -> None:
    sheet.paragraph(" ".join([LINE] * 3) + " ends here and there")
    sheet.skip(6)
    sheet.put("Europe")
    sheet.skip(6)
    sheet.paragraph(" ".join([LINE] * 3))
    assert "Europe" in sheet.texts()


def test_a_heading_under_the_number_of_a_tabbed_title_is_another_one(sheet: Typesetter) -> None:
    sheet.paragraph(" ".join([LINE] * 4))
    sheet.skip(6)
    number = sheet.put("Item 2.", LEFT, sheet.y, bold=True)
    title = "Discussion of the Financial Condition and of the Results of All the Operations"
    sheet.put(title, number + 20, bold=True)
    sheet.skip(4)
    sheet.put("Forward-Looking Statements", bold=True)
    sheet.skip(4)
    sheet.paragraph(" ".join([LINE] * 3))
    assert sheet.texts()[1:3] == [f"Item 2. {title}", "Forward-Looking Statements"]


def test_page_over_the_page_numbers_is_no_part_of_the_title_beside_it(sheet: Typesetter) -> None:
    sheet.put("Index to Statements", LEFT, sheet.y, bold=True)
    sheet.put("Page", RIGHT - 20, bold=True)
    assert sheet.texts() == ["Index to Statements", "Page"]


def test_a_small_note_beside_a_large_title_is_no_part_of_it(sheet: Typesetter) -> None:
    title = sheet.put("BOARD OF DIRECTORS", LEFT, 80, size=18, bold=True)
    sheet.put("This list is as of March 27.", title + 5, 88, size=7)
    assert sheet.texts() == ["BOARD OF DIRECTORS", "This list is as of March 27."]


def test_table_of_contents_is_no_part_of_the_title_above_it(sheet: Typesetter) -> None:
    sheet.put("FORM 10-Q", 277, bold=True)
    sheet.put("TABLE OF CONTENTS", 257, bold=True)
    sheet.skip(10)
    sheet.paragraph(" ".join([LINE] * 3))
    assert sheet.texts()[:2] == ["FORM 10-Q", "TABLE OF CONTENTS"]


def test_a_centred_part_is_no_label_of_a_heading_at_the_left_edge(sheet: Typesetter) -> None:
    sheet.put("PART I", 285, bold=True)
    sheet.skip(6)
    sheet.put("Forward-looking Statements", bold=True)
    sheet.skip(6)
    sheet.paragraph(" ".join([LINE] * 3))
    assert sheet.texts()[:2] == ["PART I", "Forward-looking Statements"]


def test_a_centred_chapter_is_the_label_of_the_centred_title_below(sheet: Typesetter) -> None:
    sheet.put("CHAPTER 3", 277, bold=True)
    sheet.skip(6)
    sheet.put("How It Ended", 270, bold=True)
    sheet.skip(6)
    sheet.paragraph(" ".join([LINE] * 3))
    assert sheet.texts()[0] == "CHAPTER 3 How It Ended"


def test_an_italic_heading_is_not_joined_with_the_text_of_the_next_page(sheet: Typesetter) -> None:
    sheet.put(
        "A Programme That Reaches From the Left Edge of its Column to the Right One, and Is in Italics",
        italic=True,
    )
    sheet.new_page()
    sheet.paragraph(" ".join([LINE] * 3))
    assert len(sheet.texts()) == 2


def test_a_numbered_line_over_running_text_that_shares_its_axis_stands_alone(sheet: Typesetter) -> None:
    sheet.put("(2) Ongoing Costs", 260)
    sheet.put(LINE[:80], 101)
    sheet.paragraph(" ".join([LINE] * 2))
    assert sheet.texts()[0] == "(2) Ongoing Costs"


def test_the_last_word_of_a_long_title_is_no_list_of_its_own(sheet: Typesetter) -> None:
    sheet.paragraph(" ".join([LINE] * 4))
    sheet.skip(10)
    sheet.put("4.3 A Look at What Is Done Today in the Field of Mapping and Routing", size=13, bold=True)
    sheet.put("Algorithms", LEFT + 26, size=13, bold=True)
    sheet.skip(6)
    sheet.paragraph(" ".join([LINE] * 3))
    title = "4.3 A Look at What Is Done Today in the Field of Mapping and Routing Algorithms"
    assert sheet.texts()[1] == title


def test_a_heading_at_the_edge_does_not_go_on_with_the_centred_title_above(sheet: Typesetter) -> None:
    title = "Annex 3: A Summary of All the Benefits That the Project Brings to the Land About"
    sheet.put(title, 97, bold=True)
    sheet.skip(4)
    sheet.put("Introduction", bold=True)
    sheet.skip(4)
    sheet.paragraph(" ".join([LINE] * 3))
    assert sheet.texts()[:2] == [title, "Introduction"]


def test_a_chinese_title_that_does_not_fill_its_line_ends(sheet: Typesetter) -> None:
    sheet.paragraph("正文" * 80)
    sheet.skip(8)
    sheet.put("1.2 问题提出", bold=True)
    sheet.skip(4)
    sheet.put("问题一的模型建立", LEFT + 24, bold=True)
    sheet.skip(4)
    sheet.put("在每个阶段作品都是随机分发的。")
    assert "1.2 问题提出" in sheet.texts()


def test_brackets_in_plain_print_do_not_make_a_bold_title_text(sheet: Typesetter) -> None:
    name = sheet.put("REGISTER_0001", LEFT, sheet.y, bold=True)
    bracket = sheet.put(" [", name, sheet.y)
    sheet.put("Features of the second edition]", bracket, bold=True)
    sheet.put("Read-only.")
    assert sheet.texts() == ["REGISTER_0001 [Features of the second edition]", "Read-only."]


def test_a_huge_number_at_the_end_of_a_title_is_no_part_of_it(sheet: Typesetter) -> None:
    sheet.put("8", 500, 60, size=60, bold=True)
    sheet.put("Preference Learning", 360, 103, size=20)
    sheet.y = 160
    sheet.paragraph(" ".join([LINE] * 3))
    assert "Preference Learning" in sheet.texts()


def test_a_title_far_in_ends_where_the_first_line_of_text_begins(sheet: Typesetter) -> None:
    for x, text in ((300, "(1) The First of All the Many Costs of a Year"), (96, "Standalone " + LINE[:75])):
        sheet.put(text, x)
        sheet.skip(13)
    for _ in range(3):
        sheet.put(LINE + " and on")
        sheet.skip(13)
    assert sheet.texts()[0] == "(1) The First of All the Many Costs of a Year"


def test_a_picture_behind_a_title_does_not_part_its_lines(sheet: Typesetter) -> None:
    sheet.image(0, 0, 600, 400)
    sheet.put("Incidents and", size=28, bold=True)
    sheet.put("Threats", size=28, bold=True)
    sheet.y = 450
    sheet.paragraph(" ".join([LINE] * 3))
    assert "Incidents and Threats" in sheet.texts()


def test_the_label_of_a_caption_is_joined_with_the_words_at_its_right() -> None:
    runs = Run(80, 100, 125, 110, 0, "Figure 2."), Run(150, 100, 400, 110, 0, "How all is related")
    lines = [Line(*run[:4], run.text, 0, 10.0, (run,)) for run in runs]
    assert [line.text for line in join_numbers(lines, [Style()])] == ["Figure 2. How all is related"]


def test_the_number_of_an_equation_is_not_joined_with_the_next_column() -> None:
    number, beside = Run(284, 200, 294, 210, 0, "(1)"), Run(318, 200, 560, 210, 0, "items of the next column")
    column = [Run(54, 100 + 12 * i, 294, 110 + 12 * i, 0, LINE) for i in range(6)]
    lines = [Line(*run[:4], run.text, 0, 10.0, (run,)) for run in [*column, number, beside]]
    assert [line.text for line in join_numbers(lines, [Style()])][-2:] == ["(1)", "items of the next column"]
    first_item = [Line(*run[:4], run.text, 0, 10.0, (run,)) for run in (number, beside)]
    assert [line.text for line in join_numbers(first_item, [Style()])] == ["(1) items of the next column"]


def test_the_label_of_a_table_is_joined_with_its_title_in_small_capitals(sheet: Typesetter) -> None:
    sheet.paragraph(" ".join([LINE] * 3))
    sheet.skip(20)
    sheet.put("TABLE I", 285, size=8)
    initial = sheet.put("C", 250, sheet.y, size=8)
    sheet.put("OUNT OF THE BOATS", initial, sheet.y + 1.6, size=6.4)
    sheet.skip(30)
    sheet.paragraph(" ".join([LINE] * 3))
    assert "TABLE I COUNT OF THE BOATS" in sheet.texts()
