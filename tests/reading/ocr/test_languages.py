"""The language of a document from a sample of its text."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from held.reading.ocr.page_text import RecognisedPage, RecognisedWord
from held.reading.ocr.result_checks import choose_language, guess_language

TEXTS = {
    "eng": "the boats of the harbour are counted by those who sail in the morning and it is late",
    "deu": "die boote des hafens werden von denen gezählt die sie segeln und das ist nicht spät",
    "fra": "les bateaux du port sont comptés par ceux qui naviguent et il est tard dans la nuit",
    "rus": "лодки в гавани считают не на рассвете и что это для них по утрам из порта",
}
INSTALLED = ["chi_sim", "deu", "eng", "fra", "rus"]


def sample(text: str, confidence: float) -> RecognisedPage:
    words = tuple(RecognisedWord(0, 0, 1, 1, word, confidence, 0.1) for word in text.split())
    return RecognisedPage(600, 800, 0.0, "tesseract", (words,))


@pytest.mark.parametrize(("name", "text"), list(TEXTS.items()))
def test_function_words_tell_the_language(name: str, text: str) -> None:
    assert guess_language(text, INSTALLED) == name


def test_a_text_without_function_words_tells_nothing() -> None:
    assert guess_language("xyz 123", INSTALLED) is None


def choose(readings: Mapping[str, tuple[str, float]]) -> str | None:
    return choose_language(INSTALLED, lambda name: sample(*readings.get(name, ("?", 0.2))))


def test_a_german_page_read_as_english_is_german() -> None:
    assert choose({"eng": (TEXTS["deu"], 0.85)}) == "deu"


def test_a_russian_page_is_found_by_the_confidence_of_other_data() -> None:
    assert choose({"eng": ("nonku B raBaHn", 0.4), "rus": (TEXTS["rus"], 0.9)}) == "rus"


def test_a_script_without_data_is_not_guessed() -> None:
    assert choose({"eng": ("xx", 0.3), "rus": ("жж", 0.4)}) is None
