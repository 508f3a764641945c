"""Words of other languages: stopwords, forms of a word, titles of back matter."""

import pytest

from held.retrieval.document_index import index_passages
from held.retrieval.page_types import is_back_matter
from held.retrieval.passages import split_into_passages
from held.retrieval.query import parse_question
from held.retrieval.ranker import score_passages
from held.retrieval.tokens import compound_part, fold, is_same_word, question_languages
from tests.retrieval.made_hierarchies import hierarchy, thing


@pytest.mark.parametrize(
    ("language", "word", "form"),
    [
        ("en", "install", "installation"),
        ("en", "plan", "planning"),
        ("de", "verwenden", "Verwendung".lower()),
        ("de", "buch", "bücher"),
        ("fr", "décidable", "decidables"),
        ("fr", "utiliser", "utilisation"),
        ("es", "instalar", "instalación"),
        ("it", "definire", "definizione"),
        ("pt", "instalação", "instalar"),
        ("nl", "probleem", "problemen"),
        ("ru", "сохранение", "сохранить"),
    ],
)
def test_a_word_has_this_form(language: str, word: str, form: str) -> None:
    assert is_same_word(word, form, language)
    assert is_same_word(form, word, language)


@pytest.mark.parametrize(
    ("language", "word", "other"),
    [("en", "part", "party"), ("en", "ration", "rating"), ("de", "unten", "unter"), ("ru", "мой", "мои")],
)
def test_other_words_are_no_forms(language: str, word: str, other: str) -> None:
    assert not is_same_word(word, other, language)


def test_accents_do_not_matter_but_letters_do() -> None:
    assert fold("déjà") == "deja"
    assert fold("ё") == "е"
    assert fold("й") == "й"
    assert fold("データ") == "データ"


@pytest.mark.parametrize(
    ("question", "language", "words"),
    [
        ("Welche Beispiele gibt es für den Fehler?", "de", ("beispiele", "fehler")),
        ("Quels travaux sont prévus à l'avenir ?", "fr", ("travaux", "prévus", "avenir")),
        ("¿Quién desarrolló el algoritmo?", "es", ("desarrolló", "algoritmo")),
        ("Quando un insieme è completo?", "it", ("insieme", "completo")),
        ("Como devo nomear as tabelas?", "pt", ("nomear", "tabela")),
        ("Hoe meld ik een probleem?", "nl", ("meld", "probleem")),
        ("Как запретить сохранение игры?", "ru", ("запретить", "сохранение", "игры")),
        ("余白を変更する", "", ("余白", "変更")),
        ("각주는 어떻게 쓰는 것인가?", "ko", ("각주", "쓰는", "것인")),
    ],
)
def test_a_question_keeps_the_words_that_tell_something(
    question: str, language: str, words: tuple[str, ...]
) -> None:
    parsed = parse_question(question)
    assert parsed.own_words == words
    if language:
        assert language in parsed.languages


def test_a_question_without_stopwords_may_be_in_any_language() -> None:
    assert question_languages(["laptop"]) == ()


def test_compounds_are_looked_for_where_a_language_makes_them() -> None:
    assert compound_part("installatie", "nl") in "installatieproblemen"
    assert compound_part("installation", "en") == ""
    assert compound_part("rad", "de") == ""


def test_a_german_question_finds_another_form_inside_a_compound() -> None:
    made = split_into_passages(
        hierarchy(
            "(0 1) (2 3)",
            thing("Installationsvoraussetzungen"),
            thing("Der Rechner und die Festplatte sind für das Programm mit dem System groß genug."),
            thing("Lizenz"),
            thing("Das Programm ist frei und wird mit der Lizenz an alle weitergegeben, die es wollen."),
        )
    )
    index = index_passages(made)
    assert index.language == "de"
    scores = score_passages("Welche Voraussetzungen hat die Installation?", index)
    assert scores[0] > scores[1]


@pytest.mark.parametrize(
    "title",
    [
        "References",
        "7 Bibliography",
        "Inhaltsverzeichnis",
        "Índice",
        "Список литературы",
        "参考文献",
        "찾아보기",
    ],
)
def test_these_titles_head_back_matter(title: str) -> None:
    assert is_back_matter(title)


@pytest.mark.parametrize(
    "title", ["Notes to the financial statements", "Index of harbours and tides", "Results"]
)
def test_these_titles_head_text(title: str) -> None:
    assert not is_back_matter(title)
