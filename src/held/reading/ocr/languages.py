"""Chooses the engine and the languages for a document, from a sample of its text.

Tesseract has to be told the language. A page read with data for another language of the same script is good
enough to count function words. With data for another script, the engine is not confident.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence

from held.reading.ocr.page_text import RecognisedPage

# Frequent function words, by Tesseract's name of the language.
FUNCTION_WORDS = {
    "eng": "the of and to in is that for with as are this be by on it from or which",
    "deu": "der die und das den von mit ist im für auf eine des dem nicht wird zu sind werden oder",
    "fra": "le la les des et en un une du que est pour dans par sur qui au pas sont avec",
    "spa": "el la de que los las en una por con del para se es como su al más",
    "por": "o a de que os as em uma por com do da não para se é ao como dos",
    "ita": "il di che la le per un una con del della non è sono nel si gli alla dei",
    "nld": "de het een van en dat is op te zijn met voor niet wordt aan bij ook worden",
    "swe": "och att det som en är på av för med inte den till ett kan från eller",
    "dan": "og at det er en af på til med for den ikke som et kan fra eller",
    "nor": "og å det er en av på til med for som ikke et kan fra eller",
    "fin": "ja on ei että se oli myös joka ovat kuin tai voidaan sen",
    "pol": "w na z że nie do się jest to oraz przez jak dla są od lub",
    "ces": "v na se je že to s z do pro jsou nebo který jako při",
    "slk": "v na sa je že to s z do pre sú alebo ktorý ako pri",
    "hun": "a az és hogy nem is egy van meg vagy ezek kell",
    "ron": "și de în la cu pe din nu este care sau pentru un o",
    "tur": "ve bir bu için ile da olarak olan gibi veya daha",
    "ind": "dan yang di untuk dengan dari ini pada adalah dalam atau",
    "vie": "và của là các trong một cho có được không với",
    "cat": "el la de i que els les en per amb una del no és",
    "rus": "и в не на что с по для как это от из или при",
    "ukr": "і в не на що з до для як це від або та",
    "bul": "и в не на че с за по да от се или",
}
CHINESE_DATA = frozenset({"chi_sim", "chi_tra"})
RAPIDOCR_DATA = CHINESE_DATA | {"jpn"}  # languages that RapidOCR reads better
# Data for each script, best known first; a script that is not here is tried with any other data.
LATIN_DATA = (
    *("eng", "deu", "fra", "spa", "ita", "por", "nld", "pol", "ces", "swe", "dan", "nor", "fin", "hun"),
    *("ron", "tur", "ind", "vie", "cat", "slk"),
)
CONFIDENT = 0.7  # mean confidence above which a page was read with data for the right script
MIN_SAMPLE_CHARACTERS = 200

WORD = re.compile(r"[^\W\d_]+")

ReadSample = Callable[[str, Sequence[str]], RecognisedPage | None]  # engine and languages to a page


def guess_language(text: str, among: Iterable[str]) -> str | None:
    """The language whose function words are the most frequent in a text; None if there are none."""
    counts = Counter(WORD.findall(text.lower()))
    scores = {}
    for name in among:
        words = FUNCTION_WORDS.get(name, "").split()
        # A language with more words in the table must not win by that.
        scores[name] = sum(counts[word] for word in words) / max(1, len(words)) ** 0.5
    best = max(scores, key=scores.__getitem__, default=None)
    return best if best is not None and scores[best] > 0 else None


def mean_confidence(page: RecognisedPage) -> float:
    """The mean confidence of a page's characters."""
    words = [word for line in page.lines for word in line]
    characters = sum(len(word.text) for word in words)
    return sum(word.confidence * len(word.text) for word in words) / characters if characters else 0.0


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
        if page is not None and mean_confidence(page) >= CONFIDENT:
            return guess_language(page_string(page), latin) or latin[0]
    confidences = {}
    for name in others:
        page = read(name)
        confidences[name] = mean_confidence(page) if page is not None else 0.0
    best = max(confidences, key=confidences.__getitem__, default=None)
    if best is None or confidences[best] < CONFIDENT:
        return None
    same_script = [name for name in others if name in FUNCTION_WORDS] if best in FUNCTION_WORDS else [best]
    page = read(best)
    guessed = guess_language(page_string(page), same_script) if page is not None else None
    return guessed or best
