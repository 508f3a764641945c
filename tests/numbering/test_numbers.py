"""The patterns of item numbers by example, by counter-example and by property."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from held.numbering import (
    PATTERNS,
    ItemNumber,
    Pattern,
    follows,
    is_dotted_prefix,
    parse_number,
    patterns,
    resolve_letters,
    starts_list,
)
from held.numbering.parsing import _raw_index
from held.numbering.patterns import LABELLED


def number(text: str) -> ItemNumber:
    found = parse_number(text)
    assert found is not None, text
    return found


def read(text: str) -> tuple[int, tuple[int, ...], str]:
    found = number(text)
    return found.pattern.id, found.value, text[found.title_start :]


EXAMPLES = [
    (1, "第一编 总则", (1,), "总则"),
    (1, "第３部分：附则", (3,), "附则"),
    (2, "第十二章　风险因素", (12,), "风险因素"),
    (2, "第 2 章 概述", (2,), "概述"),
    (3, "第三节、公司治理", (3,), "公司治理"),
    (4, "第一百零二条 本法", (102,), "本法"),
    (4, "第十条之一 本法", (10, 1), "本法"),
    (5, "第二款 股东", (2,), "股东"),
    (6, "附录A 数据", (1,), "数据"),
    (6, "附　件　三：清单", (3,), "清单"),
    (6, "附表2-1 明细", (2, 1), "明细"),
    (7, "二十一、释义", (21,), "释义"),
    (7, "贰、释义", (2,), "释义"),
    (8, "三．释义", (3,), "释义"),
    (8, "三：释义", (3,), "释义"),
    (9, "（四）、释义", (4,), "释义"),
    (10, "（五）释义", (5,), "释义"),
    (11, "六）释义", (6,), "释义"),
    (12, "其一，公司", (1,), "公司"),
    (13, "丙、释义", (3,), "释义"),
    (14, "⑫ 释义", (12,), "释义"),
    (14, "❸释义", (3,), "释义"),
    (15, "⑴释义", (1,), "释义"),
    (15, "⒉释义", (2,), "释义"),
    (16, "㈢释义", (3,), "释义"),
    (17, "Ⅳ、释义", (4,), "释义"),
    (17, "ⅩⅢ 释义", (13,), "释义"),
    (18, "１２、释义", (12,), "释义"),
    (19, "（1）、释义", (1,), "释义"),
    (19, "(2). Scope", (2,), "Scope"),
    (20, "（３）释义", (3,), "释义"),
    (21, "[1] Scope", (1,), "Scope"),
    (21, "【2】释义", (2,), "释义"),
    (22, "1.2.3.4.5 Scope", (1, 2, 3, 4, 5), "Scope"),
    (22, "1.2.3.4.5.6 Scope", (1, 2, 3, 4, 5, 6), "Scope"),
    (23, "1.2.3.4 Scope", (1, 2, 3, 4), "Scope"),
    (24, "1．2．3释义", (1, 2, 3), "释义"),
    (24, "3.1.b. Scope", (3, 1, 2), "Scope"),
    (25, "2.1. Basis of preparation", (2, 1), "Basis of preparation"),
    (25, "1.05 Definitions", (1, 5), "Definitions"),
    (25, "1.0 Scope", (1,), "Scope"),
    (26, "1) Scope", (1,), "Scope"),
    (27, "3. Scope", (3,), "Scope"),
    (27, "1.2023年公司", (1,), "2023年公司"),
    (28, "1: Scope", (1,), "Scope"),
    (28, "4 – Scope", (4,), "Scope"),
    (29, "1 Scope", (1,), "Scope"),
    (29, "3\u3000范围", (3,), "范围"),
    (30, "B.2.3 Scope", (2, 2, 3), "Scope"),
    (30, "II.1 Scope", (2, 1), "Scope"),
    (31, "PART IV—SCOPE", (4,), "SCOPE"),
    (31, "Book Two", (2,), ""),
    (32, "Chapter 3: Scope", (3,), "Scope"),
    (45, "Subchapter II. Fees", (2,), "Fees"),
    (45, "SUBPART 1. Borrowing", (1,), "Borrowing"),
    (45, "Subchapter II-A. Donors", (2, 1), "Donors"),
    (33, "Section 3.2 Scope", (3, 2), "Scope"),
    (33, "SEC. 5. Scope", (5,), "Scope"),
    (34, "Article XII Scope", (12,), "Scope"),
    (35, "Item 7A. Scope", (7, 1), "Scope"),
    (35, "Item10.Scope", (10,), "Scope"),
    (36, "NOTE 12 – Scope", (12,), "Scope"),
    (37, "Appendix B Scope", (2,), "Scope"),
    (37, "Exhibit 99.1 Scope", (99, 1), "Scope"),
    (38, "§ 12.3 Scope", (12, 3), "Scope"),
    (39, "(IV) Scope", (4,), "Scope"),
    (40, "(iii) scope", (3,), "scope"),
    (41, "(b) scope", (2,), "scope"),
    (42, "II. Scope", (2,), "Scope"),
    (42, "vi) scope", (6,), "scope"),
    (43, "B. Scope", (2,), "Scope"),
    (43, "c) scope", (3,), "scope"),
    (43, "A、释义", (1,), "释义"),
    (44, "• Scope", (), "Scope"),
    (44, "- Scope", (), "Scope"),
    (44, "\uf0b7Scope", (), "Scope"),
]


@pytest.mark.parametrize(("pattern", "text", "value", "title"), EXAMPLES)
def test_each_pattern_gives_its_value_and_title(
    pattern: int, text: str, value: tuple[int, ...], title: str
) -> None:
    assert read(text) == (pattern, value, title)


def test_every_pattern_has_an_example() -> None:
    ids = {pattern.id for pattern in PATTERNS}
    assert {example[0] for example in EXAMPLES} == ids, "EXAMPLES above has a row for each pattern"


def test_the_ids_count_from_one_without_gaps() -> None:
    ids = sorted(pattern.id for pattern in PATTERNS)
    assert ids == list(range(1, len(PATTERNS) + 1)), "a new pattern gets the next free id"


def test_the_models_know_the_ids_of_patterns_by_their_meaning() -> None:
    known = {2: "第一章", 25: "1.1", 32: "Chapter 1", 38: "§ 1", 45: "Subchapter I"}
    examples = {pattern.id: pattern.example for pattern in PATTERNS}
    assert {id: examples[id] for id in known} == known, "ids never change: weights were trained with them"


def test_every_pattern_that_is_declared_is_tried() -> None:
    declared = {value for value in vars(patterns).values() if isinstance(value, Pattern)}
    assert declared == set(PATTERNS)


@pytest.mark.parametrize("pattern", PATTERNS, ids=lambda pattern: pattern.example)
def test_the_example_of_a_pattern_is_read_as_it(pattern: Pattern) -> None:
    assert number(pattern.example).pattern is pattern


@pytest.mark.parametrize("pattern", PATTERNS, ids=lambda pattern: pattern.example)
def test_a_rule_can_start_with_each_of_its_first_characters(pattern: Pattern) -> None:
    assert all(rule.starts for rule in pattern.rules)
    assert pattern in LABELLED.values() or any(pattern.example[0] in rule.starts for rule in pattern.rules)


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "Scope",
        "公司概况",
        "第一季度",
        "第一目标",
        "其一般情况",
        "附表一览",
        "Ⅲ类器械",
        "百、",
        "十十、",
        "1.5 million",
        "3.2%",
        "3.2 %",
        "1.25亿元",
        "0.5",
        "2.4GHz",
        "1.5 2.5 3.5",
        "3.14159",
        "1.1–1.5",
        "2019 Annual Report",
        "12 December 2020",
        "31.12.2020",
        "2020.12.31",
        "3 months ended",
        "3 月 5 日",
        "2021、2022年",
        "(2021) results",
        "(145)",
        "(12)%",
        "10:30",
        "1-1-184",
        "5 - 7 years",
        "12",
        "1,234",
        "Part of it",
        "Note that",
        "Section headings",
        "Rule 10b-5",
        "Regulation S-K",
        "Item",
        "Chapters 1",
        "i.e. this",
        "J.P. Morgan",
        "J. P. Morgan",
        "U.S. market",
        "I think",
        "(see)",
        "p. 5",
        "MIX. x",
        "- 12 -",
        "— 12 —",
        "-5%",
        "—",
        "***",
        "¹ A footnote",
        "½ Cup",
    ],
)
def test_what_only_looks_like_a_number_is_none(text: str) -> None:
    assert parse_number(text) is None


@pytest.mark.parametrize("gap", ["\u2003", "\u3000", "\t", "\u00a0", "  ", "\u2003\u2003 "])
@pytest.mark.parametrize("mark", ["1", "1.1", "1.", "第一章", "（一）", "Chapter 2", "①"])
def test_wide_space_between_number_and_title_is_skipped(mark: str, gap: str) -> None:
    assert read(f"{mark}{gap}Scope")[2] == "Scope"


def test_the_title_starts_in_the_raw_text_even_where_normalising_lengthens_it() -> None:
    text = "  ⒜…ﬁnance"
    assert text[number(text).title_start :] == "…ﬁnance"


# --- two numbers ---


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("一、", "二、"),
        ("（九）", "（十）"),
        ("1.9 A", "1.10 B"),
        ("①", "②"),
        ("(h) x", "(i) x"),
        *(
            ("Item 7 A", "Item 7A. B"),
            ("Item 7A. A", "Item 8. B"),
            ("Subchapter II-A. A", "Subchapter III. B"),
            ("第十条之一", "第十一条"),
            ("1.0 A", "2.0 B"),
        ),
        *(
            ("Part III", "Part IV"),
            ("3.1.a. A", "3.1.b. B"),
            ("Section 4", "Sec. 5"),
            ("⑳", "㉑"),
            ("㉟", "㊱"),
        ),
    ],
)
def test_the_next_number_of_a_list_follows(first: str, second: str) -> None:
    a, b = resolve_letters([number(first), number(second)])
    assert a is not None
    assert b is not None
    assert follows(a, b)
    assert not follows(b, a)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("1. A", "3. B"),
        ("1. A", "2) B"),
        ("A. a", "b) b"),
        ("1.1 A", "2.2 B"),
        ("• a", "• b"),
        ("1 A", "1.1 B"),
    ],
)
def test_a_number_of_another_list_does_not_follow(first: str, second: str) -> None:
    assert not follows(number(first), number(second))


def test_same_pattern_is_wider_than_same_form() -> None:
    assert number("A. x").pattern is number("b) x").pattern
    assert number("A. x").form != number("b) x").form


@pytest.mark.parametrize("text", ["1. A", "第一章", "2.1 A", "(a) x", "Part I", "①"])
def test_the_first_of_a_list_starts_it(text: str) -> None:
    assert starts_list(number(text))


@pytest.mark.parametrize("text", ["2. A", "第十一章", "2.11 A", "(b) x", "• x", "Item 7A. Risks"])
def test_others_do_not_start_a_list(text: str) -> None:
    assert not starts_list(number(text))


@pytest.mark.parametrize(
    ("upper", "lower"),
    [
        ("1.2 A", "1.2.3 B"),
        ("1 A", "1.2.3 B"),
        ("第二章 A", "2.1 B"),
        ("Appendix A", "A.1 B"),
        ("1.0 A", "1.1 B"),
        ("Chapter 3", "3.1 B"),
        ("Chapter 3", "Section 3.1"),
        ("A. B", "A.2 C"),
    ],
)
def test_a_dotted_number_lies_under_its_prefix(upper: str, lower: str) -> None:
    assert is_dotted_prefix(number(upper), number(lower))


@pytest.mark.parametrize(("upper", "lower"), [("1.2 A", "1.3.1 B"), ("1 A", "A.1 B"), ("1.2 A", "1.2 B")])
def test_other_dotted_numbers_do_not(upper: str, lower: str) -> None:
    assert not is_dotted_prefix(number(upper), number(lower))


# --- ambiguous letters ---


def kinds(*texts: str) -> list[tuple[int, tuple[int, ...]]]:
    return [
        (n.pattern.id, n.value)
        for n in resolve_letters(parse_number(text) for text in texts)
        if n is not None
    ]


def test_a_lone_i_is_roman_and_other_lone_letters_are_letters() -> None:
    assert kinds("(i) x") == [(40, (1,))]
    assert kinds("(c) x") == [(41, (3,))]
    assert kinds("D. x") == [(43, (4,))]


def test_a_letter_after_the_roman_below_it_is_roman() -> None:
    assert kinds("(iv) x", "1. x", "(v) x")[-1] == (40, (5,))
    assert kinds("IX. x", "X. x")[-1] == (42, (10,))


def test_a_letter_after_the_roman_above_a_list_of_letters_is_roman() -> None:
    assert kinds("IV. x", "A. x", "B. x", "V. x")[-1] == (42, (5,))
    assert kinds("IV. x", "U. x", "V. x")[-1] == (43, (22,))


def test_an_i_after_h_is_a_letter() -> None:
    assert kinds("H. x", "I. x")[-1] == (43, (9,))


def test_an_i_inside_a_list_of_letters_that_has_not_reached_h_is_roman() -> None:
    assert kinds("(a) x", "(i) x", "(ii) x", "(b) x") == [(41, (1,)), (40, (1,)), (40, (2,)), (41, (2,))]


def test_an_i_after_h_and_its_own_roman_list_is_a_letter() -> None:
    assert kinds("(h) x", "(ii) y", "(iii) y", "(i) x")[-1] == (41, (9,))


def test_other_forms_do_not_settle_a_letter() -> None:
    assert kinds("(iv) x", "v) x")[-1] == (43, (22,))


def test_part_v_is_roman_and_part_c_a_letter() -> None:
    assert kinds("Part V", "Part C") == [(31, (5,)), (31, (3,))]


def test_resolved_numbers_keep_their_places_and_have_no_alternative() -> None:
    settled = resolve_letters([None, parse_number("(i) x"), None])
    assert settled[0] is None
    assert settled[2] is None
    assert settled[1] is not None
    assert settled[1].alternative is None


# --- properties ---


def chinese(value: int, digits: str = "零一二三四五六七八九", units: str = "千百十") -> str:
    """The usual way to write a number below 10,000, written from the left."""
    text = ""
    for unit, sign in zip((1000, 100, 10, 1), (*units, ""), strict=True):
        digit = value // unit % 10
        if digit:
            text += digits[digit] + sign
        elif text and value % unit and not text.endswith(digits[0]):
            text += digits[0]
    return text[1:] if text.startswith("一十") else text


def roman(value: int) -> str:
    tens = ["", "X", "XX", "XXX", "XL", "L", "LX", "LXX", "LXXX", "XC"][value // 10]
    return tens + ["", "I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX"][value % 10]


TITLES = st.sampled_from(["Scope", "总则", "“Scope”", ""])
CHINESE_FORMS = {
    1: "第{}编",
    2: "第{}章",
    3: "第{}节",
    4: "第{}条",
    5: "第{}款",
    6: "附录{}",
    7: "{}、",
    8: "{}.",
    9: "({})、",
    10: "({})",
    11: "{})",
    12: "其{}",
}
DIGIT_FORMS = {
    1: "第{}篇",
    2: "第{}章",
    3: "第{}节",
    4: "第{}条",
    5: "第{}项",
    6: "附件{}",
    18: "{}、",
    19: "({})、",
    20: "({})",
    21: "[{}]",
    26: "{})",
    27: "{}.",
    28: "{}:",
    31: "Part {}",
    32: "CHAPTER {}",
    33: "Section {}",
    34: "Article {}",
    35: "Item {}",
    36: "Note {}",
    37: "Annex {}",
    38: "§ {}",
    45: "Subpart {}",
}
ROMAN_FORMS = {
    31: "Part {}",
    32: "Chapter {}",
    33: "Section {}",
    34: "Article {}",
    37: "Annex {}",
    39: "({})",
    42: "{}.",
    45: "Subchapter {}",
}


@given(st.sampled_from(sorted(CHINESE_FORMS.items())), st.integers(1, 9999), st.booleans(), TITLES)
def test_chinese_numbers_parse_back(form: tuple[int, str], value: int, formal: bool, title: str) -> None:
    numeral = chinese(value, "零壹贰叁肆伍陆柒捌玖", "仟佰拾") if formal else chinese(value)
    assert read(f"{form[1].format(numeral)} {title}") == (form[0], (value,), title)


@given(st.sampled_from(sorted(DIGIT_FORMS.items())), st.integers(1, 99), st.booleans(), TITLES)
def test_digits_parse_back(form: tuple[int, str], value: int, wide: bool, title: str) -> None:
    digits = "".join(chr(ord(c) + 0xFEE0) for c in str(value)) if wide else str(value)
    assert read(f"{form[1].format(digits)} {title}") == (form[0], (value,), title)


@given(st.sampled_from(sorted(ROMAN_FORMS.items())), st.integers(1, 99), TITLES)
def test_roman_numbers_parse_back_in_a_list(form: tuple[int, str], value: int, title: str) -> None:
    texts = [f"{form[1].format(roman(v))} {title}" for v in range(1, value + 1)]
    assert kinds(*texts)[-1] == (form[0], (value,))


@given(st.sampled_from([(41, "({})"), (43, "{}."), (43, "{})"), (37, "Annex {}")]), st.integers(1, 26))
def test_letters_parse_back_in_a_list(form: tuple[int, str], value: int) -> None:
    texts = [form[1].format(chr(64 + v)) + " Scope" for v in range(1, value + 1)]
    assert kinds(*texts)[-1] == (form[0], (value,))


@given(st.lists(st.integers(1, 99), min_size=2, max_size=8), TITLES)
def test_dotted_numbers_parse_back(value: list[int], title: str) -> None:
    text = ".".join(map(str, value)) + " " + title
    assert read(text) == (27 - min(len(value), 5), tuple(value), title)


@given(
    st.integers(1, 50),
    st.sampled_from([(14, 0x2460, 20), (15, 0x2474, 20), (15, 0x2488, 20), (16, 0x3220, 10)]),
)
def test_glyphs_parse_back(value: int, block: tuple[int, int, int]) -> None:
    pattern, first, size = block
    value = (value - 1) % size + 1
    assert read(f"{chr(first + value - 1)}Scope") == (pattern, (value,), "Scope")


@given(st.text(max_size=40))
def test_any_text_can_be_parsed(text: str) -> None:
    found = parse_number(text)
    assert found is None or (found.pattern in PATTERNS and 0 < found.title_start <= len(text))


def test_a_letter_and_its_combining_mark_are_one_normalised_character() -> None:
    composed = "Część II"
    decomposed = unicodedata.normalize("NFD", composed + " Wyniki")
    assert decomposed[_raw_index(decomposed, len(composed)) :] == " Wyniki"
