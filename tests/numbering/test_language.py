"""The language of a document by its scripts and common words."""

from __future__ import annotations

import pytest

from held.numbering.words import LANGUAGES, find_language


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "The wind was light, and the boat drifted slowly towards the harbour that it had left."),
        ("de", "Der Wind war schwach, und das Boot trieb langsam auf den Hafen zu, den es verlassen hatte."),
        (
            "fr",
            "Le vent était faible et le bateau dérivait vers le port que nous avions quitté dans la nuit.",
        ),
        ("es", "El viento era débil y el barco se acercaba al puerto que había dejado por la noche."),
        ("pt", "O vento não era forte e o barco foi para o porto que tinha deixado à noite, com as velas."),
        ("it", "Il vento era debole e la barca si avvicinava al porto che aveva lasciato nella notte."),
        ("nl", "De wind was zwak en het schip dreef naar de haven die het in de nacht had verlaten."),
        ("ru", "Ветер был слабый, и лодка медленно шла к гавани, из которой она вышла ночью."),
        ("uk", "Вітер був слабкий, і човен повільно йшов до гавані, з якої він вийшов уночі."),
        ("bg", "Вятърът не беше силен и лодката бавно се движи към пристанището, от което е тръгнала."),
        ("ja", "風は弱く、船はゆっくりと港へ向かった。"),
        ("zh", "风很小，船慢慢地驶向港口。"),
        ("ko", "바람은 약했고 배는 천천히 항구로 향했다."),
        ("el", "Ο άνεμος ήταν ασθενής και το πλοίο πήγαινε προς το λιμάνι."),
        ("ar", "كانت الريح ضعيفة وكان القارب يتجه نحو الميناء."),
        ("he", "הרוח הייתה חלשה והסירה נעה לאט אל הנמל."),
    ],
)
def test_a_sentence_tells_its_language(language: str, text: str) -> None:
    assert find_language([text]) == language


@pytest.mark.parametrize("text", ["", "12 34 56", "x y z", "Qwrt Zxcv Bnmp"])
def test_what_is_no_sentence_has_no_language(text: str) -> None:
    assert find_language([text]) == ""


def test_most_pieces_decide() -> None:
    german = "Der Wind ist schwach, und das Boot treibt auf den Hafen zu. " * 60
    licence = "This is the licence of the boat, and it is not to be used for anything. " * 30
    assert find_language([german, licence]) == "de"


@pytest.mark.parametrize("code", LANGUAGES)
def test_each_language_in_an_alphabet_has_common_words(code: str) -> None:
    own_script = code in ("zh", "ja", "ko", "ar", "he")
    assert bool(LANGUAGES[code].common) != own_script
