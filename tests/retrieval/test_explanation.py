"""Why a hit ranks where it does, and why nothing is found."""

from collections.abc import Sequence

import pytest

from held.retrieval.engine import SingleDocument
from held.retrieval.index import Index
from tests.retrieval.harbours import HARBOUR, Rows, entry_of_rows
from tests.retrieval.test_user_embeddings import embed

GERMAN: Rows = [
    (
        ("Gezeiten",),
        "Die Springtide kommt zweimal im Monat und ist höher als die anderen Fluten an der Küste.",
        1,
    ),
    (
        ("Lotsen",),
        "Für das Schiff ist ein Lotse nötig, wenn es in den Hafen und nicht nur an die Küste will.",
        2,
    ),
]


def harbour() -> Index:
    return Index(SingleDocument("/harbour.pdf", entry_of_rows(HARBOUR)))


def german() -> Index:
    return Index(SingleDocument("/hafen.pdf", entry_of_rows(GERMAN)))


def test_the_points_of_the_reasons_add_up_to_the_score_and_the_strongest_comes_first() -> None:
    first, *_ = harbour().search("pilots", explain=True)
    points = [abs(reason.points) for reason in first.reasons]
    assert points == sorted(points, reverse=True)
    assert {"fields", "share"} <= {reason.name for reason in first.reasons}


def test_a_hit_has_no_reasons_unless_they_are_asked_for() -> None:
    first, *_ = harbour().search("pilots")
    assert first.reasons == ()
    assert "reasons" not in first.to_json()


def test_a_reason_names_the_words_that_are_there_and_those_that_are_not() -> None:
    first, *_ = harbour().search("pilots zebra", explain=True)
    (share,) = [reason for reason in first.reasons if reason.name == "share"]
    assert share.text == "has pilot; lacks zebra"


def test_similarity_of_the_users_vectors_is_a_reason() -> None:
    index = Index(SingleDocument("/harbour.pdf", entry_of_rows(HARBOUR)), embed=embed)
    first, *_ = index.search("money", explain=True)
    assert first.reasons[0].name == "embedding"


@pytest.mark.parametrize(
    ("index", "question", "expected"),
    [
        (harbour(), '"pilots of the moon"', 'no passage has "pilots of the moon" word for word'),
        (
            german(),
            "How high is the tide when the moon is full?",
            "the question is in English, the document in German",
        ),
        (harbour(), "zebra giraffe", "none of its words occurs (zebra, giraffe)"),
        (harbour(), "pilots", "its words occur"),
    ],
)
def test_it_says_why_nothing_is_found(index: Index, question: str, expected: str) -> None:
    assert index.why_nothing(question).startswith(expected)


def test_a_question_in_another_language_finds_its_answer_by_the_users_vectors() -> None:
    def both_languages(texts: Sequence[str]) -> list[list[float]]:
        tides = [float("tide" in text.lower()) for text in texts]
        return [[tide, 1 - tide] for tide in tides]

    question = "How high is the tide when the moon is full?"
    assert german().search(question) == []
    index = Index(SingleDocument("/hafen.pdf", entry_of_rows(GERMAN)), embed=both_languages)
    assert index.search(question)[0].text == GERMAN[0][1]
