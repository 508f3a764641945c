"""The words of all languages, and what a new language needs: one row."""

from __future__ import annotations

import re

import pytest

from held.numbering.patterns import PATTERNS, word_rules
from held.numbering.titles import is_contents_title
from held.numbering.words import LANGUAGES, HeadingWords, all_words, first_letters


def number_after(language: HeadingWords, text: str) -> str | None:
    """The number that the rules for chapters of one language find at the head of a text."""
    for rule in word_rules("chapter", {"xx": language}):
        match = re.match(rule.expression, text)
        if match and text[0] in rule.starts:
            return match["n"]
    return None


def test_a_word_in_one_row_makes_a_chapter_number() -> None:
    polish = HeadingWords(chapter=("rozdział",))
    assert number_after(polish, "Rozdział 3 Wyniki") == "3"
    assert number_after(polish, "ROZDZIAŁ IV") == "IV"
    assert number_after(polish, "Rozdziały 3 i 4") is None


def test_a_word_may_consist_of_several() -> None:
    assert number_after(HeadingWords(chapter=("chương thứ",)), "Chương  thứ 2") == "2"


def test_a_sign_marks_the_number_inside_or_before_its_word() -> None:
    assert number_after(HeadingWords(chapter=("제#장",)), "제 3 장 결과") == "3"
    assert number_after(HeadingWords(chapter=("#. fejezet",)), "IV. Fejezet") == "IV"
    assert number_after(HeadingWords(chapter=("#. fejezet",)), "4. Fejlécek") is None


@pytest.mark.parametrize("kind", ["page", "contents", "continued"])
def test_expressions_begin_with_a_letter(kind: str) -> None:
    assert all(expression[0].isalpha() for expression in all_words(kind))


def test_words_are_lower_case() -> None:
    words = [word for kind in HeadingWords._fields[:11] for word in all_words(kind)]
    assert words == [word.lower() for word in words]


def test_words_with_chinese_numerals_mark_their_number() -> None:
    chinese = [language for language in LANGUAGES.values() if language.has_chinese_numerals]
    for language in chinese:
        assert all(word.count("#") == 1 for kind in language[:9] for word in kind)


def test_a_word_belongs_to_one_pattern() -> None:
    words = [word for kind in HeadingWords._fields[:9] for word in all_words(kind)]
    assert len(words) == len(set(words))
    assert len(PATTERNS) == 45


@pytest.mark.parametrize(
    "title", ["Inhaltsverzeichnis", "SPIS TREŚCI", "İçindekiler", "Índice general", "目　录"]
)
def test_contents_are_known_by_their_title_in_each_language(title: str) -> None:
    assert title[0] in first_letters("contents")
    assert is_contents_title(title)
