from textwrap import wrap
from types import SimpleNamespace
from typing import Any

import pytest

from held.document import Kind
from held.layout.rows import first_word_width

PROSE = (
    "The harbour was quiet that morning and the boats lay side by side along the quay while the "
    "fishermen mended their nets and spoke of the weather which had been kind to them since the spring "
    "and would, they hoped, stay kind until the herring came back in the autumn as it always did."
)


def test_lines_of_a_paragraph_become_one_object(sheet: Any) -> None:
    sheet.paragraph(PROSE)
    assert sheet.texts() == [PROSE]


def test_an_indent_begins_a_new_paragraph(sheet: Any) -> None:
    sheet.paragraph(PROSE, indent=20)
    sheet.paragraph(PROSE, indent=20)
    assert sheet.texts() == [PROSE, PROSE]


def test_a_short_last_line_ends_a_paragraph(sheet: Any) -> None:
    sheet.paragraph(PROSE + " So it was.")
    sheet.paragraph(PROSE)
    assert len(sheet.texts()) == 2


RAGGED = (
    "The boats lay side by side along the quay while the fishermen mended their nets and spoke of it",
    "and of the weather which had been kind to them since the spring, and hoped for some",
    "more of it before the herring came back.",
)


def test_a_ragged_line_that_breaks_off_within_a_sentence_goes_on_below(sheet: Any) -> None:
    for line in RAGGED:
        sheet.put(line)
    assert sheet.texts() == [" ".join(RAGGED)]


def test_a_ragged_line_that_ends_a_sentence_ends_the_paragraph(sheet: Any) -> None:
    for line in RAGGED:
        sheet.put(line.replace("some", "it."))
    assert len(sheet.texts()) == 2


@pytest.mark.parametrize(("narrow", "wide"), [("still", "mamma"), ("it", "We"), ("1,", "10%")])
def test_a_wide_word_needs_more_room_than_a_narrow_one(narrow: str, wide: str) -> None:
    def width_in_a_row(word: str) -> float:
        row: Any = SimpleNamespace(text=f"{word} and so on", width=100.0)
        return first_word_width(row) * len(row.text)

    assert width_in_a_row(narrow) < width_in_a_row(wide)


def test_white_space_ends_a_paragraph(sheet: Any) -> None:
    sheet.paragraph(PROSE)
    sheet.skip(10)
    sheet.paragraph(PROSE)
    assert len(sheet.texts()) == 2


def test_a_bold_heading_is_not_glued_to_the_text_below(sheet: Any) -> None:
    sheet.put("The harbour", bold=True)
    sheet.paragraph(PROSE)
    assert sheet.texts()[0] == "The harbour"


def test_a_plain_numbered_heading_is_not_glued_to_the_text_below(sheet: Any) -> None:
    sheet.put("2.1 The harbour")
    sheet.paragraph(PROSE)
    assert sheet.texts()[0] == "2.1 The harbour"


def test_a_heading_of_two_lines_is_one_object(sheet: Any) -> None:
    sheet.paragraph(PROSE)
    sheet.skip(10)
    sheet.put("The report of the harbour master on the state of", size=16, bold=True)
    sheet.put("the quays and of the boats", size=16, bold=True)
    sheet.paragraph(PROSE)
    title = "The report of the harbour master on the state of the quays and of the boats"
    assert sheet.texts()[1] == title


def test_two_numbered_headings_in_a_row_stay_apart(sheet: Any) -> None:
    sheet.put("2 Harbour", size=14, bold=True)
    sheet.put("2.1 Quays", size=14, bold=True)
    sheet.paragraph(PROSE)
    assert sheet.texts()[:2] == ["2 Harbour", "2.1 Quays"]


def test_a_number_set_apart_belongs_to_its_title(sheet: Any) -> None:
    sheet.paragraph(PROSE)
    sheet.skip(8)
    sheet.put("2.1", 60, sheet.y, bold=True)
    sheet.put("Quays", 110, bold=True)
    sheet.paragraph(PROSE)
    assert sheet.texts()[1] == "2.1 Quays"


def test_a_label_line_belongs_to_the_title_below(sheet: Any) -> None:
    sheet.put("Chapter 3", size=14, bold=True)
    sheet.skip(6)
    sheet.put("The harbour", size=20, bold=True)
    sheet.skip(10)
    sheet.paragraph(PROSE)
    assert sheet.texts()[0] == "Chapter 3 The harbour"


@pytest.mark.parametrize("label", ["Part V", "Part VIII"])
def test_a_heading_looks_like_its_title_however_long_the_label_is(sheet: Any, label: str) -> None:
    sheet.put(label, size=14, bold=True)
    sheet.skip(6)
    sheet.put("Quays", size=20, bold=True)
    sheet.skip(10)
    sheet.paragraph(PROSE)
    assert sheet.objects()[0].style.size == 20


def test_a_chinese_title_is_set_in_the_font_of_its_characters(sheet: Any) -> None:
    end = sheet.put("1.2.1", y=100, font="Roman")
    sheet.put("码头", end + 5, 100, font="Song")
    assert sheet.objects()[0].style.font == "Song"


def test_a_label_may_have_its_number_on_a_line_of_its_own(sheet: Any) -> None:
    sheet.put("CHAPTER", size=10, bold=True)
    sheet.put("ONE", size=10, bold=True)
    sheet.skip(25)
    sheet.put("THE HARBOUR", size=16, bold=True)
    sheet.skip(20)
    sheet.paragraph(PROSE)
    assert sheet.texts()[0] == "CHAPTER ONE THE HARBOUR"


def test_a_chapters_label_at_the_right_edge_finds_its_title_beside_formulas(sheet: Any) -> None:
    sheet.paragraph(PROSE)
    sheet.new_page()
    for text, y, size in (("CHAPTER", 92, 10), ("ONE", 113, 14), ("THE HARBOUR OF OLD", 168, 14)):
        sheet.put(text, 540 - len(text) * size / 2, y, size=size, bold=True)
    sheet.put("In this chapter we speak of harbours of the", 60, 232)
    for y in range(250, 700, 26):
        sheet.put("x + y", 250, y)
        sheet.put("(1)", 520, y)
        sheet.put("and so on, as far as it goes in a line", 60, y + 13)
    assert sheet.texts()[1] == "CHAPTER ONE THE HARBOUR OF OLD"


def test_a_label_does_not_take_a_title_with_a_number_of_its_own(sheet: Any) -> None:
    sheet.put("PART I", size=12, bold=True)
    sheet.put("Item 1. Business", size=12, bold=True)
    sheet.paragraph(PROSE)
    assert sheet.texts()[:2] == ["PART I", "Item 1. Business"]


def test_a_chinese_label_keeps_a_space_before_its_title(sheet: Any) -> None:
    sheet.put("第三章", size=16, bold=True)
    sheet.put("公司治理", size=16, bold=True)
    sheet.paragraph(PROSE)
    assert sheet.texts()[0] == "第三章 公司治理"


def test_a_run_in_heading_is_split_off(sheet: Any) -> None:
    end = sheet.put("4.1.1 Boats.", 60, 80, bold=True)
    sheet.put("We counted the boats twice a day and wrote their names into a book that", end + 5, 80)
    sheet.y = 93
    sheet.put("lay on the table of the harbour master and was read by no one.")
    assert sheet.texts()[0] == "4.1.1 Boats."
    assert sheet.texts()[1].startswith("We counted")


def test_a_stressed_word_is_no_run_in_heading(sheet: Any) -> None:
    end = sheet.put("Never", 60, 80, bold=True)
    sheet.put("leave the boats alone when the wind comes from the north, said the old man,", end + 5, 80)
    sheet.y = 93
    sheet.put("and he was right about it.")
    assert len(sheet.texts()) == 1


def _set_leads(sheet: Any, leads: list[str], after: str) -> None:
    for lead in leads:
        y = sheet.y
        end = sheet.put(lead, bold=True)
        text = f"{after} the boats were counted twice a day and written into the book of the old harbour"
        text += " of the town that"
        sheet.put(text[: round((540 - end - 5) / 5)], end + 5, y)
        sheet.put("lay on the table of the harbour master and was read by no one.")
        sheet.skip(8)


def test_run_in_headings_without_a_stop_are_split_off_where_they_are_a_habit(sheet: Any) -> None:
    _set_leads(sheet, ["Boats", "Tides and winds", "Lights", "Berths"], "Then")
    assert sheet.texts()[::2] == ["Boats", "Tides and winds", "Lights", "Berths"]


def test_a_single_lead_without_a_stop_stays_in_its_paragraph(sheet: Any) -> None:
    _set_leads(sheet, ["Boats"], "Then")
    assert len(sheet.texts()) == 1


def test_the_same_word_before_many_paragraphs_is_a_label_and_no_heading(sheet: Any) -> None:
    _set_leads(sheet, ["Boats:", "Tides:", "Lights:", "Berths:", "Hint:", "Hint:", "Hint:"], "Then")
    texts = sheet.texts()
    assert texts[0] == "Boats:"
    assert texts[-1].startswith("Hint: Then")


def test_terms_whose_sentence_goes_on_are_no_run_in_headings(sheet: Any) -> None:
    _set_leads(sheet, ["Boats", "Tides", "Lights", "Berths"], "are what")
    assert len(sheet.texts()) == 4


def test_a_dash_behind_a_run_in_heading_stays_with_it(sheet: Any) -> None:
    _set_leads(sheet, ["Boats", "Tides", "Lights", "Berths"], "- Then")
    assert sheet.texts()[0] == "Boats -"
    assert sheet.texts()[1].startswith("Then the boats")


def test_a_hyphen_at_the_line_end_is_resolved(sheet: Any) -> None:
    sheet.put("The fishermen mended their nets and spoke of the weather which had been kind to them and fa-")
    sheet.put("vourable to their trade.")
    assert sheet.texts()[0].endswith("kind to them and favourable to their trade.")


def test_a_compound_that_the_document_knows_keeps_its_hyphen(sheet: Any) -> None:
    sheet.put("A well-kept boat.")
    sheet.skip(20)
    sheet.put("The fishermen mended their nets and spoke of the weather and of the boats that were not well-")
    sheet.put("kept at all.")
    assert sheet.texts()[1].endswith("not well-kept at all.")


def test_chinese_lines_are_joined_without_spaces(sheet: Any) -> None:
    sheet.put(
        "公司主要从事生物医药的技术研发和技术服务以及会议展览服务等多种业务并且持续扩大规模以满足市场需要和"
    )
    sheet.put("客户的要求。")
    assert "市场需要和客户的要求" in sheet.texts()[0]


def test_two_columns_are_read_one_after_the_other(sheet: Any) -> None:
    sheet.paragraph("Left begins. " + PROSE, right=290)
    sheet.y = 80
    sheet.paragraph("Right begins. " + PROSE, left=315)
    texts = " ".join(sheet.texts())
    assert texts.index("autumn as it always did.") < texts.index("Right begins.")


def test_a_full_width_title_between_columns_is_read_in_its_place(sheet: Any) -> None:
    for word in ("First", "Second"):
        top = sheet.y
        sheet.paragraph(f"{word} left. {PROSE}", right=290)
        bottom, sheet.y = sheet.y, top
        sheet.paragraph(f"{word} right. {PROSE}", left=315)
        sheet.y = max(bottom, sheet.y) + 12
        if word == "First":
            sheet.put("A title that runs across both of the columns and ends far right", size=14, bold=True)
            sheet.skip(12)
    texts = " ".join(sheet.texts())
    order = [texts.index(s) for s in ("First left", "First right", "A title that runs", "Second left")]
    assert order == sorted(order)


def test_a_sidebar_ends_before_the_title_below_it(sheet: Any) -> None:
    sheet.paragraph("Beside. " + PROSE, right=360)
    end, sheet.y = sheet.y, 80
    sheet.paragraph("Sidebar. " + PROSE[:100], left=385)
    sheet.y = end + 20
    sheet.put("A new section", size=13, bold=True)
    sheet.paragraph(PROSE)
    texts = " ".join(sheet.texts())
    order = [texts.index(s) for s in ("Beside.", "Sidebar.", "A new section")]
    assert order == sorted(order)


def test_a_paragraph_goes_on_over_the_page_break(sheet: Any) -> None:
    first, rest = wrap(PROSE, 96)[:2], wrap(PROSE, 96)[2:]
    sheet.paragraph(" ".join(first))
    sheet.new_page()
    sheet.paragraph(" ".join(rest))
    assert sheet.texts() == [PROSE]
    assert [part.page for part in sheet.objects()[0].parts] == [1, 2]


def test_a_finished_sentence_does_not_go_on_over_the_page_break(sheet: Any) -> None:
    sheet.paragraph(PROSE)
    sheet.new_page()
    sheet.paragraph(PROSE)
    assert sheet.texts() == [PROSE, PROSE]


def test_a_bullet_makes_a_list_item(sheet: Any) -> None:
    sheet.put("• Nets and lines", 70)
    sheet.put("• Boats and oars", 70)
    assert [o.kind for o in sheet.objects()] == [Kind.LIST_ITEM, Kind.LIST_ITEM]


def test_a_bullet_set_apart_belongs_to_its_item(sheet: Any) -> None:
    for item in ("Nets and lines", "Boats and oars", "Sails and masts", "Tar and rope"):
        sheet.put("•", 60, sheet.y)
        sheet.put(item, 90)
    assert sheet.texts()[0] == "• Nets and lines"


def test_a_small_marked_text_at_the_foot_is_a_footnote(sheet: Any) -> None:
    sheet.paragraph(PROSE)
    sheet.put("1 As the harbour master told us himself.", 60, 780, size=8)
    assert sheet.objects()[-1].kind is Kind.FOOTNOTE


def test_a_numbered_heading_at_the_foot_of_a_page_in_small_type_is_no_footnote(sheet: Any) -> None:
    sheet.paragraph(PROSE * 4)
    sheet.new_page()
    for n in range(6):
        sheet.put(f"Small print of many words about boats and nets number {n}.", 60, 400 + 20 * n, size=8)
    sheet.put("(1) Boats", 60, 780, size=8)
    assert sheet.objects()[-1].kind is not Kind.FOOTNOTE


def test_a_figure_legend_is_a_caption(sheet: Any) -> None:
    sheet.paragraph(PROSE)
    sheet.skip(20)
    sheet.put("Figure 3: Boats by year")
    assert sheet.objects()[-1].kind is Kind.CAPTION


def test_format_is_relative_to_the_column(sheet: Any) -> None:
    sheet.paragraph(PROSE)
    sheet.skip(12)
    sheet.put("THE HARBOUR", 245, size=14, bold=True)
    sheet.skip(12)
    sheet.paragraph(PROSE)
    title = sheet.objects()[1]
    assert (title.centred, title.caps, title.lines, title.style.bold) == (True, True, 1, True)
    assert title.relative_size == 1.4
    assert title.indent > 150
    assert title.gap_above is not None
    assert title.gap_above > 10


def test_hidden_text_is_left_out(sheet: Any) -> None:
    sheet.paragraph(PROSE)
    sheet.skip(20)
    sheet.put("search engines love this", render_mode=3)
    assert sheet.texts() == [PROSE]


def test_the_text_layer_of_a_scan_is_read(sheet: Any) -> None:
    sheet.put("recognised by a machine", render_mode=3)
    assert sheet.texts() == ["recognised by a machine"]


def test_white_text_on_nothing_is_left_out(sheet: Any) -> None:
    sheet.paragraph(PROSE)
    sheet.skip(20)
    sheet.put("nobody sees this", colour="ffffff")
    assert sheet.texts() == [PROSE]


def test_a_white_title_is_read_though_its_ground_is_unknown(sheet: Any) -> None:
    sheet.put("Sector analysis", colour="ffffff", size=26)
    sheet.skip(40)
    sheet.paragraph(PROSE)
    assert sheet.texts() == ["Sector analysis", PROSE]


def test_a_page_that_is_mostly_white_on_an_unknown_ground_is_read(sheet: Any) -> None:
    sheet.put("Directors' report and financial statements", colour="ffffff")
    sheet.skip(20)
    sheet.put("Page 34", colour="000000")
    assert sheet.texts() == ["Directors' report and financial statements", "Page 34"]


def test_text_painted_twice_is_read_once(sheet: Any) -> None:
    sheet.put("Shadow", 60, 80)
    sheet.put("Shadow", 60.4, 80.3)
    assert sheet.texts() == ["Shadow"]


def test_a_seal_behind_the_text_of_many_pages_is_no_figure(sheet: Any) -> None:
    for _ in range(4):
        sheet.skip(200)
        sheet.paragraph(PROSE)
        sheet.image(100, 200, 400, 500)
        sheet.new_page()
    document = sheet.document()
    assert {o.kind for o in document.objects} == {Kind.PARAGRAPH}
    assert [o.kind for o in document.furniture] == [Kind.WATERMARK] * 4


def test_sideways_text_is_kept_as_a_figure(sheet: Any) -> None:
    sheet.paragraph(PROSE)
    sheet.put("A table set sideways", 300, 400, upright=False)
    assert [(o.kind, o.text) for o in sheet.objects()][1:] == [(Kind.FIGURE, "A table set sideways")]


def test_an_empty_document_has_no_objects(sheet: Any) -> None:
    assert sheet.texts() == []


def test_a_heading_in_italics_is_not_glued_to_the_full_line_above(sheet: Any) -> None:
    text = "The boats of the harbour are counted every year by those who sail them home again, and "
    sheet.put(text, y=100)
    sheet.put(text, y=112)
    sheet.put("Nets", y=131, italic=True)
    sheet.put(text, y=150)
    sheet.put(text, y=162)
    assert sheet.texts()[1] == "Nets"


def test_a_companys_name_and_a_title_centred_below_it_are_two_objects(sheet: Any) -> None:
    sheet.put("Item 1. Financial Statements", bold=True)
    sheet.put("Harbour and Nets Inc.", 250, bold=True)
    sheet.put("CONSOLIDATED BALANCE SHEETS", 235, bold=True)
    assert sheet.texts()[1:] == ["Harbour and Nets Inc.", "CONSOLIDATED BALANCE SHEETS"]


def test_a_short_chinese_heading_ends_however_close_the_next_one_stands(sheet: Any) -> None:
    body = "本公司参考历史信用损失经验结合当前状况以及对未来经济状况的预测计算预期信用损失的金额如下"
    for y in (100, 120, 140, 160):
        sheet.put(body, y=y)
    sheet.put("8、 其他应收款", y=200, bold=True)
    sheet.put("项目列示", y=216, bold=True)
    assert sheet.texts()[-2:] == ["8、 其他应收款", "项目列示"]


def test_a_numbered_heading_that_ends_in_another_font_is_one_object(sheet: Any) -> None:
    end = sheet.put("11.1 Restrictions on the Use of", 60, 100, size=14, bold=True)
    sheet.put("PAR.", end + 4, 100, size=14)
    sheet.put("The boats of the harbour are counted every year by those who sail them home.", 60, 130)
    assert sheet.texts()[0] == "11.1 Restrictions on the Use of PAR."


def test_a_contents_entry_keeps_its_style(sheet: Any) -> None:
    sheet.put("Contents", size=16, bold=True)
    for page, title in enumerate(("1 Harbour", "2 Quays", "3 Ships", "4 Cranes"), start=1):
        sheet.put(f"{title} {'.' * 60} {page}", bold=page % 2 == 1)
    entries = [o for o in sheet.objects() if o.kind is Kind.CONTENTS_ENTRY]
    assert [o.style.bold for o in entries] == [True, False, True, False]


def test_a_blank_that_does_not_break_behind_a_run_in_heading_is_no_stop(sheet: Any) -> None:
    _set_leads(sheet, ["Boats:", "Tides:", "Lights:", "Berths:"], "\N{NO-BREAK SPACE}Then")
    assert sheet.texts()[::2] == ["Boats:", "Tides:", "Lights:", "Berths:"]


def test_a_column_full_of_formulas_is_read_after_the_column_beside_it(sheet: Any) -> None:
    for row in range(40):
        sheet.put("left words from edge to edge of this column", 60, 80 + 13 * row + 10 * (row // 8))
    for row in range(10):
        sheet.put("right words from edge to edge of the column", 310, 80 + 52 * row)
        for place in range(6):
            sheet.put("x = y", 330 + 60 * (place % 3), 95 + 52 * row + 16 * (place // 3) + 3 * (place % 3))
    sides = [text.startswith("left") for text in sheet.texts()]
    assert sides == sorted(sides, reverse=True)


def test_labels_at_the_ends_of_lines_are_read_with_their_lines(sheet: Any) -> None:
    for name in ("to_amount value", "to_date", "to_balance value unit", "trim text"):
        y = sheet.y
        sheet.put(name)
        sheet.put("[Function]", 490, y)
        sheet.put("Converts the value to another one, for internal use only.", 90)
        sheet.skip(10)
    assert sheet.texts()[:3] == [
        "to_amount value [Function]",
        "Converts the value to another one, for internal use only.",
        "to_date [Function]",
    ]


def test_labels_do_not_tear_entries_of_two_lines(sheet: Any) -> None:
    for name in ("Consent of the harbours of the north and", "Power of the mayors of the coast and of"):
        y = sheet.y
        sheet.put(name)
        sheet.put("Page 1", 510, y)
        sheet.put("its islands")
        sheet.skip(10)
    assert "Consent of the harbours of the north and its islands" in sheet.texts()
