"""The words of all languages, and what a new language needs: one row."""

from __future__ import annotations

import re
from collections import defaultdict

import pytest

from held.numbering.numerals import find_labelled
from held.numbering.titles import is_contents_title
from held.numbering.words import (
    LANGUAGES,
    SECTION_KINDS,
    HeadingWords,
    all_words,
    label_table,
    number_words,
    spellings,
)


def number_after(language: HeadingWords, text: str) -> str | None:
    """The number beside a word for chapters of one language at the head of a text."""
    found = find_labelled(text, label_table({"xx": language}))
    return found.number if found else None


def test_a_word_in_one_row_makes_a_chapter_number() -> None:
    polish = HeadingWords(chapter=("rozdział",))
    assert number_after(polish, "Rozdział 3 Wyniki") == "3"
    assert number_after(polish, "ROZDZIAŁ IV") == "IV"
    assert number_after(polish, "Rozdziały 3 i 4") is None


def test_a_word_may_consist_of_several() -> None:
    assert number_after(HeadingWords(chapter=("chương thứ",)), "Chương  thứ 2") == "2"


def test_a_word_is_known_without_its_accents() -> None:
    assert number_after(HeadingWords(chapter=("capítulo",)), "CAPITULO 4") == "4"


def test_a_sign_marks_a_word_that_stands_after_its_number() -> None:
    assert number_after(HeadingWords(chapter=("#. fejezet",)), "IV. Fejezet") == "IV"
    assert number_after(HeadingWords(chapter=("#. fejezet",)), "4 fejezet") is None
    assert number_after(HeadingWords(chapter=("#. fejezet",)), "4. Fejlécek") is None
    assert number_after(HeadingWords(chapter=("# luku",)), "4 luku") == "4"
    assert number_after(HeadingWords(chapter=("#e chapitre",)), "2ème chapitre") == "2"
    assert number_after(HeadingWords(chapter=("#e chapitre",)), "2 chapitre") is None


def test_an_abbreviation_ends_in_its_dot() -> None:
    assert number_after(HeadingWords(article=("art.",)), "Art. 5 Zweck") == "5"
    assert number_after(HeadingWords(article=("art.",)), "Art.5 Zweck") == "5"
    assert number_after(HeadingWords(article=("art.",)), "Art 5 Zweck") is None


def test_a_sign_for_number_may_stand_between_a_word_and_its_number() -> None:
    annex = HeadingWords(appendix=("annexe",))
    assert number_after(annex, "Annexe n° 3") == "3"
    assert number_after(annex, "Annexe No. 3") == "3"


def test_a_sentence_that_begins_with_a_chapter_goes_on_in_lower_case() -> None:
    german = HeadingWords(chapter=("kapitel",))
    assert number_after(german, "Kapitel 3 beschreibt die Segel") is None
    assert number_after(german, "Kapitel 3 Segel") == "3"
    assert number_after(german, "Kapitel 3: die Segel") == "3"


def test_a_letter_may_be_a_word() -> None:
    assert number_after(HeadingWords(part=("parte",)), "PARTE E RESPONSABILIDADE") is None
    assert number_after(HeadingWords(part=("parte",)), "PARTE E. RESPONSABILIDADE") == "E"
    assert number_after(HeadingWords(appendix=("anhang",)), "ANHANG A TABELLEN") == "A"


def test_number_words_of_another_language_are_none() -> None:
    # "due" is two in Italian.
    assert (
        find_labelled("Part due Tuesday", label_table({"en": LANGUAGES["en"], "it": LANGUAGES["it"]})) is None
    )


def test_endings_make_the_forms_of_an_ordinal() -> None:
    german = HeadingWords(cardinals="eins zwei", ordinals="erst zweit", ordinal_endings="er e es")
    assert number_words(german)["zweites"] == 2
    assert number_words(german)["eins"] == 1


def test_capitals_often_spell_a_word_without_its_accents() -> None:
    assert list(spellings("première")) == ["première", "premiere"]
    assert list(spellings("κεφάλαιο")) == ["κεφάλαιο", "κεφαλαιο"]
    assert list(spellings("第")) == ["第"]


EXPRESSIONS = ("page", "contents_expressions", "continued", "continued_in_brackets", "no_heading_expressions")


@pytest.mark.parametrize("kind", EXPRESSIONS)
def test_expressions_compile_and_begin_with_a_letter(kind: str) -> None:
    for expression in all_words(kind):
        assert re.compile(expression)
        assert expression.lstrip("[")[0].isalpha()


def test_words_are_lower_case_and_have_no_spaces_around_them() -> None:
    kinds = [kind for kind in HeadingWords._fields if kind not in EXPRESSIONS]
    for language in LANGUAGES.values():
        values = [getattr(language, kind) for kind in kinds]
        words = [word for value in values if isinstance(value, tuple) for word in value]
        assert words == [word.lower().strip() for word in words]
        assert "" not in words


def test_words_with_chinese_numerals_mark_their_number() -> None:
    chinese = [language for language in LANGUAGES.values() if language.has_chinese_numerals]
    for language in chinese:
        assert all(word.count("#") == 1 for kind in SECTION_KINDS for word in getattr(language, kind))


def test_no_pattern_reads_clauses_in_an_alphabet() -> None:
    others = [language for language in LANGUAGES.values() if not language.has_chinese_numerals]
    assert not any(language.clause for language in others)


def test_a_word_belongs_to_one_pattern() -> None:
    kinds: dict[str, set[str]] = defaultdict(set)
    for kind in SECTION_KINDS:
        for word in all_words(kind):
            kinds[word].add(kind)
    assert {word: found for word, found in kinds.items() if len(found) > 1} == {}


@pytest.mark.parametrize("code", LANGUAGES)
def test_each_language_names_its_contents_and_its_captions(code: str) -> None:
    language = LANGUAGES[code]
    assert language.contents
    assert language.figure
    assert language.table
    assert language.titles


@pytest.mark.parametrize(
    "title",
    [
        "Inhaltsverzeichnis",
        "SPIS TREŚCI",
        "İçindekiler",
        "Índice general",
        "INDICE",
        "目　录",
        "المحتويات",
        "ОГЛАВЛЕНИЕ",
    ],
)
def test_contents_are_known_by_their_title_in_each_language(title: str) -> None:
    assert is_contents_title(title)
