from pathlib import Path

import pytest
from research.tables.adjacency import half_of
from research.tables.rows import PrintedWord, RowCounts, count_rows, rows_of_numbers, words_of_runs

from held.document import Box, PageContent, Pages, Run


def row(*texts: str, y: float = 100.0) -> list[PrintedWord]:
    return [PrintedWord(50.0 * i, y, 50.0 * i + 40, y + 10, text) for i, text in enumerate(texts)]


def test_a_row_of_three_numbers_is_a_row_of_numbers() -> None:
    assert len(rows_of_numbers(row("Pilotage", "1,204", "(318)", "7.5%"))) == 1


def test_two_numbers_make_no_row_of_numbers() -> None:
    assert rows_of_numbers(row("Pilotage", "1,204", "318")) == []


@pytest.mark.parametrize(
    "sentence",
    [
        "in 2023 we had 14 ships and in 2024 17 of them that came from far away",
        "公司会计年度自公历 1 月 1 日起至 12 月 31 日止为一个完整的会计年度时间",
    ],
)
def test_a_sentence_with_numbers_is_no_row_of_numbers(sentence: str) -> None:
    assert rows_of_numbers(row(*sentence.split())) == []


def test_a_row_is_whole_only_if_one_table_holds_all_its_numbers() -> None:
    words = row("Ice", "1", "2", "3")
    assert count_rows([words], {1: [Box(0, 90, 200, 120)]}) == RowCounts(1, 0, 0)
    assert count_rows([words], {1: [Box(0, 90, 120, 120)]}) == RowCounts(0, 1, 0)
    assert count_rows([words], {1: [Box(0, 90, 120, 120), Box(121, 90, 200, 120)]}) == RowCounts(0, 1, 0)
    assert count_rows([words], {2: [Box(0, 90, 200, 120)]}) == RowCounts(0, 0, 1)


def test_the_words_of_a_run_share_its_width() -> None:
    page = PageContent(200, 200, runs=(Run(0, 0, 70, 10, 0, "11 22 3"),))
    [words] = words_of_runs(Pages("", (), (page,)))
    assert [(word.x0, word.x1, word.text) for word in words] == [(0, 20, "11"), (30, 50, "22"), (60, 70, "3")]


def test_the_half_of_a_document_depends_on_its_name_alone() -> None:
    names = [f"doc-{number}.pdf" for number in range(40)]
    halves = [half_of(Path(name)) for name in names]
    assert set(halves) == {"A", "B"}
    assert halves == [half_of(Path("elsewhere") / name) for name in names]
