"""Questions for what a word means, and the passages that say it."""

from dataclasses import replace

import numpy as np
import pytest

from held.document import Kind
from held.retrieval.definitions import (
    EXPANSION_SCORE,
    PLAIN_TABLE_SCORE,
    defined_term,
    defining_row,
    definition_score,
)
from held.retrieval.passages import Passage, TableRow
from held.retrieval.query import parse_question
from held.retrieval.ranker import score_passages


@pytest.mark.parametrize(
    ("question", "term"),
    [
        ("What does BSP stand for?", "BSP"),
        ("What is a daily active user?", "daily active user"),
        ("How is free cash flow defined?", "free cash flow"),
        ("the meaning of load factor", "load factor"),
        ("What is the ballast used for?", "ballast"),
        ("Wozu dient der Ballast?", "Ballast"),
        ("À quoi sert le lest ?", "lest"),
        ("Que signifie BSP ?", "BSP"),
        ("压载水有什么用？", "压载水"),
        ("什么是跨链？", "跨链"),
        ("CDMO是什么意思？", "CDMO"),
        ("蓝海港口是什么公司？", "蓝海港口"),
    ],
)
def test_a_question_for_what_a_word_means_names_the_word(question: str, term: str) -> None:
    assert defined_term(question) == term
    assert parse_question(question).term == term


@pytest.mark.parametrize(
    "question",
    [
        "What is the effective tax rate?",
        "What are employees of the harbour paid?",
        "What is net income for 2022?",
        "How much is the capex?",
        "What are the dividends for 2020?",
        "公司的主营业务是什么？",
        "前五名客户",
    ],
)
def test_a_question_for_a_value_or_a_fact_asks_for_no_definition(question: str) -> None:
    assert defined_term(question) == ""


def test_of_such_a_question_only_the_word_is_looked_for() -> None:
    assert parse_question("What does BSP stand for?").own_words == ("bsp",)


def text(content: str, *path: str) -> Passage:
    return Passage(content, Kind.PARAGRAPH, 1, path)


def table(label: str, value: str, *path: str) -> Passage:
    return Passage(
        f"{label}\t{value}", Kind.TABLE, 1, path, position=2, rows=(TableRow(label, (value,), ("",)),)
    )


def test_a_sentence_that_says_what_a_word_means_defines_it() -> None:
    assert definition_score(text("“Berth” means a place for one ship."), "berth") == 1
    assert definition_score(text("We define a Berth, or B, as a place."), "berth") == 1
    assert definition_score(text("泊位是指停靠一艘船的位置。"), "泊位") == 1


def test_a_word_that_is_only_used_is_not_defined() -> None:
    assert definition_score(text("Each berth was closed, and berths were sold."), "berth") == 0


def test_brackets_say_what_letters_stand_for() -> None:
    assert definition_score(text("the Harbour Traffic Office (HTO) closed"), "HTO") == EXPANSION_SCORE


def test_a_row_of_a_glossary_defines_its_label() -> None:
    assert definition_score(table("Berth", "A place for one ship", "Glossary"), "berth") == 1
    assert definition_score(table("泊位", "停靠一艘船的位置", "释义"), "泊位") == 1


def test_a_row_of_another_table_defines_less_and_a_row_of_numbers_not_at_all() -> None:
    assert definition_score(table("Berth", "A place for one ship", "Harbours"), "berth") == PLAIN_TABLE_SCORE
    assert definition_score(table("Berth", "1,200", "Glossary"), "berth") == 0


def test_the_row_that_is_shown_for_a_word_is_the_one_that_defines_it() -> None:
    rows = [TableRow(label, ("said in words",), ("",)) for label in ("The", "Board Support Package (BSP)")]
    assert defining_row(rows, "BSP") == rows[1]
    assert defining_row(rows, "MMU") is None
    assert defining_row(rows, "") is None


def test_what_stands_first_below_the_word_as_a_heading_defines_it() -> None:
    assert definition_score(text("A place for one ship.", "Terms", "Berth"), "berth") == 1
    assert 0 < definition_score(text("There are nine.", "Berth fees of the harbour"), "berth") < 1


def test_the_definition_comes_before_what_says_the_word_more_often() -> None:
    said = text("Berth, berth and berth: every berth was closed.", "Berth closures")
    row = table("Berth", "A place for one ship", "Glossary")
    found = score_passages("What is a berth?", [replace(said, ancestors=(0,)), replace(row, ancestors=(1,))])
    assert int(np.argmax(found)) == 1
