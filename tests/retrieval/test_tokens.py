"""Tokens, English and Chinese."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from held.retrieval.tokens import tokens


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Net Revenues", ["net", "revenue"]),
        ("the company’s liabilities", ["the", "company", "liability"]),
        ("FY2018 and 2018", ["fy", "2018", "and", "2018"]),
        ("Q2, 1,234.5 and 10-K", ["q2", "1234.5", "and", "10", "k"]),
        ("analysis of gross loss", ["analysis", "of", "gross", "loss"]),
        ("ＥＢＩＴＤＡ", ["ebitda"]),
        ("营业收入", ["营业", "业收", "收入"]),
        ("第3章", ["第", "3", "章"]),
        ("— · $", []),
    ],
)
def test_a_text_has_these_tokens(text: str, expected: list[str]) -> None:
    assert tokens(text) == expected


@given(st.text())
def test_any_text_has_tokens_without_white_space(text: str) -> None:
    assert all(token and not any(map(str.isspace, token)) for token in tokens(text))


@given(st.lists(st.sampled_from(["profits", "2,000", "毛利率", "EBITDA", "FY2020"])))
def test_white_space_between_words_changes_nothing(words: list[str]) -> None:
    assert tokens(" ".join(words)) == tokens("\n\t".join(words))
