"""The questions of our own: enough of each domain, put in words that their answers do not have."""

import json
import os
from collections import Counter
from pathlib import Path

import pytest
from research.retrieval.newcomer import newcomer_questions
from research.retrieval.own import (
    MOST_SAID,
    Answer,
    OwnQuestion,
    content_words,
    own_questions,
    said_in_corpus,
    said_of,
)

from held.document import Box, OutlineEntry, PageContent, Pages, Run

DOMAINS = ("zh_fin", "en_fin", "science", "manuals", "reports", "books")


def pages() -> Pages:
    runs = (Run(10, 100, 200, 110, 0, "Ships leave at noon."), Run(10, 500, 200, 510, 0, "Boats are cheap."))
    outline = (OutlineEntry(1, "Harbour", 1, 90.0), OutlineEntry(1, "Prices", 1, 490.0))
    return Pages("made", (), (PageContent(600, 800, runs),), outline)


def asked(text: str) -> OwnQuestion:
    return OwnQuestion("q", "made-1", text, (Answer(1, Box(0, 95, 600, 115)),))


def test_there_are_sixty_questions_and_seven_of_each_domain() -> None:
    counts = Counter(question.domain for question in own_questions())
    assert counts.total() >= 60
    assert all(counts[domain] >= 7 for domain in DOMAINS)


def test_every_question_has_a_name_of_its_own() -> None:
    questions = own_questions()
    assert len({question.id for question in questions}) == len(questions)


def test_words_that_hold_a_sentence_together_are_no_content_words() -> None:
    assert content_words("When do the ships leave?") == {"ship", "leave"}
    assert content_words("年底一共雇用多少员工？") == {"年底", "共雇", "雇用", "员工"}


def test_the_words_of_an_answer_are_those_in_its_box_and_in_the_heading_above() -> None:
    assert said_of(asked("Which ships leave the harbour cheap?"), pages()) == 3 / 4


@pytest.mark.corpus
@pytest.mark.skipif("HELD_CORPUS" not in os.environ, reason="HELD_CORPUS names no corpus")
def test_no_answer_has_more_than_a_third_of_its_questions_words() -> None:
    shares = said_in_corpus(Path(os.environ["HELD_CORPUS"]))
    assert {id: share for id, share in shares.items() if share > MOST_SAID} == {}


def test_a_newcomer_puts_five_questions_to_each_of_fifteen_documents() -> None:
    questions = newcomer_questions()
    assert Counter(Counter(question.document for question in questions).values()) == {5: 15}
    assert len({question.id for question in questions}) == len(questions)
    assert all(question.pages for question in questions)


@pytest.mark.corpus
@pytest.mark.skipif("HELD_CORPUS" not in os.environ, reason="HELD_CORPUS names no corpus")
def test_no_newcomers_question_is_about_a_test_document() -> None:
    index = Path(os.environ["HELD_CORPUS"], "index.jsonl").read_text(encoding="utf-8")
    splits = {row["id"]: row["split"] for row in map(json.loads, index.splitlines())}
    assert {splits[question.document] for question in newcomer_questions()} == {"train", "valid"}
