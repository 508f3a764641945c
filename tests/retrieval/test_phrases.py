"""Phrases in quotation marks."""

import pytest

from held.retrieval.engine import SingleDocument
from held.retrieval.index import Index
from held.retrieval.query import parse_question
from tests.retrieval.harbours import Rows, entry_of_rows

ROWS: Rows = [
    (("Tides",), "The spring tide comes twice a month.", 1),
    (("Tides",), "In spring the tide is not higher than\nin autumn.", 2),
    (("潮汐",), "大潮每月两次。", 3),
]


def texts(query: str) -> list[str]:
    index = Index(SingleDocument("/tides.pdf", entry_of_rows(ROWS)))
    return [hit.text for hit in index.search(query)]


@pytest.mark.parametrize(
    ("question", "quoted"),
    [
        ('"spring tide"', ("spring tide",)),
        ("what is a “spring tide”?", ("spring tide",)),
        ("was heißt „Springtide“?", ("Springtide",)),
        ("que veut dire «grande marée» ?", ("grande marée",)),
        ("「大潮」は？", ("大潮",)),
        ('"..." and " "', ()),
        ("the harbour's tide", ()),
    ],
)
def test_a_question_has_these_phrases(question: str, quoted: tuple[str, ...]) -> None:
    assert parse_question(question).quoted == quoted


def test_a_passage_must_have_the_phrase_word_for_word() -> None:
    assert len(texts("spring tide")) == 2
    assert texts('"spring tide"') == [ROWS[0][1]]
    assert texts('"SPRING  Tide" month') == [ROWS[0][1]]


def test_a_phrase_may_cross_a_line_and_consist_of_stopwords() -> None:
    assert texts('"not higher than in"') == [ROWS[1][1]]


def test_a_phrase_may_stand_in_a_heading() -> None:
    assert texts('"tides"') == [ROWS[0][1], ROWS[1][1]]


def test_a_phrase_of_whole_words_is_not_found_inside_others() -> None:
    assert texts('"spring tid"') == []


def test_chinese_phrases_have_no_spaces() -> None:
    assert texts("“大潮每月”") == [ROWS[2][1]]
