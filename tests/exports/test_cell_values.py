"""Numbers as they are printed in tables."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from held.exports.amounts import (
    Amount,
    detect_decimal,
    is_amount,
    parse_amount,
    parse_currency,
    parse_scale,
    parse_value,
)


@pytest.mark.parametrize(
    ("text", "worth"),
    [
        ("1,234", 1234),
        ("(1,234)", -1234),
        ("（1,234）", -1234),
        ("$1,234.5", 1234.5),
        ("$ (7,029)", -7029),
        ("($5)", -5),
        ("US$ 3", 3),
        ("￥12", 12),
        ("5 €", 5),
        ("12.5%", 12.5),
        ("(3.2)%", -3.2),
        ("(3.2%)", -3.2),
        ("-5", -5),
        ("−5", -5),
        ("+12.8%", 12.8),
        (".5", 0.5),
        ("0.07", 0.07),
        ("１，２３４．５", 1234.5),
        ("12,34,567", 1234567),
        ("1\u202f234", 1234),
        ("2023", 2023),
    ],
)
def test_numbers_in_all_their_dresses_are_numbers(text: str, worth: float) -> None:
    found = parse_value(text)
    assert found == worth
    assert type(found) is type(worth)


@pytest.mark.parametrize("text", ["", " ", "—", "–", "-", "--", "$ —", "—%", "－"])
def test_blanks_and_dashes_are_none(text: str) -> None:
    assert parse_value(text) is None


@pytest.mark.parametrize(
    "text",
    [
        "1.2亿",
        "5万",
        "000725",
        "2023-12-31",
        "1,234 (1)",
        "1,23",
        "1.2.3",
        "12 345",
        "(5",
        "5)",
        "-(5)",
        "--5",
        "1,234¹",
        "n/a",
        "6222021234567890123",
        "9" * 5000,
        "=1+1",
    ],
)
def test_what_could_be_read_in_two_ways_stays_text(text: str) -> None:
    assert parse_value(text) == text


@pytest.mark.parametrize(("text", "worth"), [("1.234,5", 1234.5), ("1.234", 1234), ("12 345,6", 12345.6)])
def test_the_comma_may_be_the_decimal_mark(text: str, worth: float) -> None:
    assert parse_value(text, decimal=",") == worth


@given(st.integers(-(10**14), 10**14))
def test_every_integer_comes_back_from_its_printed_forms(number: int) -> None:
    printed = f"{abs(number):,}"
    assert parse_value(f"({printed})" if number < 0 else printed) == number
    assert parse_value(f"$ ({printed})" if number < 0 else f"$ {printed}") == number
    assert parse_value(str(number)) == number


@given(st.decimals(min_value=0, max_value=10**9, places=2))
def test_every_amount_in_cents_comes_back_with_either_mark(amount: object) -> None:
    english = f"{amount:,.2f}"
    german = english.translate(str.maketrans(",.", ".,"))
    assert parse_value(english) == float(str(amount))
    assert parse_value(german, decimal=",") == float(str(amount))


@given(st.text(max_size=20))
def test_any_text_is_a_number_none_or_itself(text: str) -> None:
    found = parse_value(text)
    assert found is None or found == text or is_amount(text)


@pytest.mark.parametrize(
    ("texts", "mark"),
    [
        (["1.234,56"], ","),
        (["1 234,56"], ","),
        (["12,5", "7"], ","),
        (["1.234.567"], ","),
        (["1,234.56"], "."),
        (["1'234.56"], "."),
        (["0.25"], "."),
        (["1,234,567"], "."),
        (["1,234", "5.678"], None),
        (["1.5", "1,5"], None),
        (["31.12.2024", "Section 2.5"], None),
    ],
)
def test_the_decimal_mark_is_told_by_numbers_that_show_it(texts: list[str], mark: str | None) -> None:
    assert detect_decimal(texts) == mark


@pytest.mark.parametrize(
    ("text", "amount"),
    [
        ("$(1,234)", Amount(-1234, "$")),
        ("12.5 %", Amount(12.5, "", True)),
        ("€ 7", Amount(7, "€")),
        ("Pilotage", None),
        ("—", None),
    ],
)
def test_an_amount_keeps_its_currency_and_percent_sign(text: str, amount: Amount | None) -> None:
    assert parse_amount(text) == amount


@pytest.mark.parametrize(
    ("unit", "scale", "currency"),
    [
        ("in thousands", 1000, ""),
        ("$ in millions, except per share data", 1_000_000, "$"),
        ("RMB million", 1_000_000, "RMB"),
        ("单位：万元", 10_000, ""),
        ("in tons", 1, ""),
    ],
)
def test_a_unit_names_a_scale_and_a_currency(unit: str, scale: int, currency: str) -> None:
    assert (parse_scale(unit), parse_currency(unit)) == (scale, currency)
