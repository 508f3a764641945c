"""From scores of rows to tables: the most likely labels."""

from __future__ import annotations

from held.layout.tables.borderless import Label, _label_rows

OUT, BEGINS, CONTINUES = Label


def test_rows_with_high_scores_are_one_table() -> None:
    assert _label_rows([-3, 4, 5, 6, -3], [-5, 3, -4, -4, -5]) == [OUT, BEGINS, CONTINUES, CONTINUES, OUT]


def test_a_row_that_begins_a_table_ends_the_one_above() -> None:
    assert _label_rows([5, 5, 5, 5], [4, -4, 4, -4]) == [BEGINS, CONTINUES, BEGINS, CONTINUES]


def test_an_unlikely_row_amid_a_table_belongs_to_it() -> None:
    labels = _label_rows([5, 5, -2, 5, 5], [4, -6, -6, -3, -6])
    assert labels == [BEGINS, CONTINUES, CONTINUES, CONTINUES, CONTINUES]


def test_a_table_begins_with_a_first_row_even_if_none_looks_like_one() -> None:
    assert _label_rows([-5, 5, 5], [-5, -5, -5]) == [OUT, BEGINS, CONTINUES]
