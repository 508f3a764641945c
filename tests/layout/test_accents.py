"""Accents that stand beside their letters."""

from __future__ import annotations

import pytest

from held.document import PageContent, Pages, Run, Style
from held.layout.characters import compose, compose_accents


@pytest.mark.parametrize(
    ("printed", "text"),
    [
        ("Introdu¸c˜ao", "Introdução"),
        ("Cap´ıtulo 1", "Capítulo 1"),
        ("´et´e", "été"),
        ("f¨ur", "für"),
        ("Mu¨nchen", "München"),
        ("Mod`eles", "Modèles"),
        ("uˇcen´ı prvk˚u", "učení prvků"),
        ("KOCAEL˙I", "KOCAELİ"),
    ],
)
def test_an_accent_is_put_onto_its_letter(printed: str, text: str) -> None:
    assert compose(printed) == text


@pytest.mark.parametrize(
    "text",
    [
        *("it´s", "don´t", "we´re", "we´ve"),
        *("edu/˜admin", "˜nils/", "``quoted", "`code`", "a ˜ b", "´", "x ¨ 3", "m/sˆ2", "Ärger"),
    ],
)
def test_other_signs_stay(text: str) -> None:
    assert compose(text) == text


def test_pages_without_accents_stay_as_they_are() -> None:
    page = PageContent(100, 100, (Run(0, 0, 10, 10, 0, "Segel"),))
    pages = Pages("made.pdf", (Style(),), (page,))
    assert compose_accents(pages) is pages


def test_a_sign_in_a_document_with_accented_letters_is_an_apostrophe() -> None:
    runs = (Run(0, 0, 10, 10, 0, "été, thé, blé"), Run(0, 20, 10, 30, 0, "d´une"))
    pages = Pages("made.pdf", (Style(),), (PageContent(100, 100, runs),))
    assert compose_accents(pages) is pages


def test_the_runs_of_pages_are_composed() -> None:
    page = PageContent(100, 100, (Run(0, 0, 10, 10, 0, "f¨ur"),))
    pages = compose_accents(Pages("made.pdf", (Style(),), (page,)))
    assert pages.pages[0].runs[0].text == "für"


@pytest.mark.parametrize(
    ("printed", "text"),
    [
        ("Identi\x1cer", "Identifier"),
        ("o\x1fine", "offline"),
        ("stu\x1b", "stuff"),
        ("\x1cn", "fin"),
        ("\x1c", "\x1c"),
    ],
)
def test_the_codes_of_ligatures_in_words_are_letters(printed: str, text: str) -> None:
    page = PageContent(100, 100, (Run(0, 0, 10, 10, 0, printed),))
    pages = compose_accents(Pages("made.pdf", (Style(),), (page,)))
    assert pages.pages[0].runs[0].text == text
