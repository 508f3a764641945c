"""Item numbers and running heads that engines misread."""

from __future__ import annotations

import pytest

from held.reading.ocr.repairs import repair_line_start, restore_dots, restore_points, unify_running_heads


@pytest.mark.parametrize(
    ("read", "meant"),
    [
        ("l.2 Scope", "1.2 Scope"),
        ("2.l Scope", "2.1 Scope"),
        ("1.O Scope", "1.0 Scope"),
        ("I.2.3 Scope", "1.2.3 Scope"),
        ("Ill. Results", "III. Results"),
        ("Il Results", "II Results"),
        ("lV. Results", "IV. Results"),
        ("l. Scope", "1. Scope"),
        ("Chapter l", "Chapter 1"),
        ("Chapter 1O Boats", "Chapter 10 Boats"),
        ("Kapitel Ill", "Kapitel III"),
        ("1, Working agreements", "1. Working agreements"),
        ("2_ Working agreements", "2. Working agreements"),
        ("2_Working agreements", "2. Working agreements"),
        ("ftem 3. Legal Proceedings", "Item 3. Legal Proceedings"),
        ("$ 2. ВНЕШНЯЯ ЗОНА", "§ 2. ВНЕШНЯЯ ЗОНА"),
        ("$ 12 Anwendung", "§ 12 Anwendung"),
        ("ltem 3. Legal Proceedings", "Item 3. Legal Proceedings"),
        ("ttem 4. Mines", "Item 4. Mines"),
        ("ttem 7A. Market Risk", "Item 7A. Market Risk"),
        ("ltem3. Legal Proceedings", "Item 3. Legal Proceedings"),
        ("Scction 2.1 Scope", "Section 2.1 Scope"),
        ("第—章 总则", "第一章 总则"),
        ("第十—节 总则", "第十一节 总则"),
        ("—、公司概况", "一、公司概况"),
        ("（—）公司概况", "（一）公司概况"),
        ("Note l0 – Boats", "Note 10 – Boats"),
    ],
)
def test_an_item_number_is_repaired(read: str, meant: str) -> None:
    assert repair_line_start(read) == meant


@pytest.mark.parametrize(
    ("read", "meant"),
    [
        ("TABLE OF CONTENT5", "TABLE OF CONTENTS"),
        ("C0ntents", "Contents"),
        ("lnhaltsverzeichnis", "Inhaltsverzeichnis"),
        ("Sommairc", "Sommaire"),
    ],
)
def test_the_title_of_printed_contents_is_repaired(read: str, meant: str) -> None:
    assert repair_line_start(read) == meant


@pytest.mark.parametrize(
    "text",
    [
        "Continents",
        "Contents",
        "İçindekiler",
        "1.2 Scope",
        "III. Results",
        "II Results",
        "Illness is rare",
        "Island",
        "I. Introduction",
        "I think",
        "Oil prices rose",
        "So. Many boats",
        "B.C. and A.D.",
        "e.g. boats",
        "— a dash begins the line",
        "11 boats",
        "Chapter 10",
        "Part of it",
        "Section 1.2",
        "Port 22 is open",
        "Points 3 and 4",
        "Items 1 to 4",
        "Note 5",
        "$ 12 million",
        "$1.50 a boat",
        "12, avenue de la Mer",
    ],
)
def test_what_is_right_stays(text: str) -> None:
    assert repair_line_start(text) == text


def test_a_lost_point_is_restored_where_the_others_have_theirs() -> None:
    lines = ["1. Scope", "2. Results", "3 Discussion", "4. Outlook"]
    assert restore_points([lines], [["heading"] * 4]) == [
        ["1. Scope", "2. Results", "3. Discussion", "4. Outlook"]
    ]


def test_numbers_of_another_style_get_no_point() -> None:
    lines = ["1. Scope", "2. Results", "3. Outlook", "12 Boats sank"]
    assert restore_points([lines], [["heading"] * 3 + ["body"]]) == [lines]


def test_a_style_without_points_gets_none() -> None:
    lines = ["1 Scope", "2 Results", "3. Outlook"]
    assert restore_points([lines], [["heading"] * 3]) == [lines]


def test_readings_of_one_running_head_become_one() -> None:
    heads = ["12 Annual Report", "13 Annual Repon", "14 Annual Report", "15 Annua1 Report"]
    pages = [[head, f"Text of page {head}", "more text", "and more", "last"] for head in heads]
    assert [lines[0] for lines in unify_running_heads(pages)] == [
        "12 Annual Report",
        "13 Annual Report",
        "14 Annual Report",
        "15 Annual Report",
    ]


def test_lines_in_the_middle_of_a_page_stay() -> None:
    pages = [["a", "b", f"Annual Repor{end}", "c", "d"] for end in "tnt"]
    assert unify_running_heads(pages) == pages


def test_running_heads_of_different_chapters_stay() -> None:
    pages = [[f"Chapter {number} of the report", "x", "y", "z"] for number in (1, 1, 2, 2, 3)]
    assert unify_running_heads(pages) == pages


def test_a_dot_that_is_lost_within_a_number_is_put_back() -> None:
    pages = [["22.1 Help", "22.1.1 In English"], ["22.12 In Norwegian", "22.14 In French", "22.2 Paid help"]]
    restored = [["22.1.2 In Norwegian", "22.1.4 In French", "22.2 Paid help"]]
    assert restore_dots(pages) == [pages[0], *restored]


def test_a_twelfth_section_keeps_its_number() -> None:
    lines = [f"3.{number} Boats" for number in range(1, 14)]
    assert restore_dots([lines]) == [lines]
