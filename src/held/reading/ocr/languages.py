"""Chooses the engine and the languages for a document, from a sample of its text.

Tesseract has to be told the language. A page read with data for another language of the same script is good
enough to count common words. With data for another script, the engine is not confident.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from held.numbering.words import LANGUAGES, LAST_LATIN, WORD, language_by_common_words
from held.reading.ocr.page_text import RecognisedLine, RecognisedPage

# The languages that common words tell from each other, by Tesseract's name.
LANGUAGE_CODES = {words.tesseract: code for code, words in LANGUAGES.items() if words.tesseract}
CHINESE_DATA = frozenset({"chi_sim", "chi_tra"})
RAPIDOCR_DATA = CHINESE_DATA | {"jpn"}  # languages that RapidOCR reads better
# Data for the Latin script, best known first. Any other script is tried with all other data.
LATIN_DATA = tuple(name for name, code in LANGUAGE_CODES.items() if LANGUAGES[code].common[0] <= LAST_LATIN)
CONFIDENT = 0.7  # mean confidence above which a page was read with data for the right script
MIN_SAMPLE_CHARACTERS = 200


def guess_language(text: str, among: Iterable[str]) -> str | None:
    """The language whose common words are the most frequent in a text; None if there are few of any."""
    names = {LANGUAGE_CODES[name]: name for name in among if name in LANGUAGE_CODES}
    return names.get(language_by_common_words(WORD.findall(text.lower()), names))


def mean_confidence(lines: Sequence[RecognisedLine]) -> float:
    """The mean confidence of the characters of lines."""
    characters = 0
    total = 0.0
    for line in lines:
        for word in line:
            characters += len(word.text)
            total += word.confidence * len(word.text)
    return total / characters if characters else 0.0


def page_string(page: RecognisedPage) -> str:
    """The text of a page, without its layout."""
    return "\n".join(" ".join(word.text for word in line) for line in page.lines)


def choose_language(installed: Sequence[str], read: Callable[[str], RecognisedPage | None]) -> str | None:
    """The installed language of a document; `read` returns a sample page, read with data for a language.

    None if no installed data reads the page with confidence.
    """
    latin = [name for name in LATIN_DATA if name in installed]
    others = [name for name in installed if name not in latin]
    if latin:
        page = read(latin[0])
        if page is not None and mean_confidence(page.lines) >= CONFIDENT:
            return guess_language(page_string(page), latin) or latin[0]
    confidences = {}
    for name in others:
        page = read(name)
        confidences[name] = mean_confidence(page.lines) if page is not None else 0.0
    best = max(confidences, key=confidences.__getitem__, default=None)
    if best is None or confidences[best] < CONFIDENT:
        return None
    page = read(best) if best in LANGUAGE_CODES else None
    guessed = guess_language(page_string(page), others) if page is not None else None
    return guessed or best
