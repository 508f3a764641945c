"""Chooses the languages that an engine reads, and checks what it has read."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence

from held.document import Note
from held.numbering.words import LANGUAGES, LAST_LATIN, WORD, language_by_common_words
from held.reading.ocr.engines import TESSERACT
from held.reading.ocr.page_text import RecognisedLine, RecognisedPage
from held.reading.ocr.pool import Reading, ScannedFile, Unreadable, check_for_text
from held.reading.text_checks import format_pages

# --- languages ---
#
# Chooses the engine and the languages for a document, from a sample of its text.
#
# Tesseract has to be told the language. A page read with data for another language of the same script is
# good enough to count common words. With data for another script, the engine is not confident.

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


# --- checks ---


READABLE_CONFIDENCE = 0.5  # mean confidence of the characters of a line that was read
# Of a page's lines; dot leaders and formulas spoil some lines on any page. All but one of 193 pages have .33
# or more, pages read with data of another script .21 or less.
MIN_READABLE_SHARE = 0.25
MIN_JUDGED_LINES = 100  # some pages: dot leaders or formulas alone may spoil one
MISREAD = "text that could not be read; --ocr-languages names its languages"
MAX_SAMPLE_CHARACTERS = 20_000  # tell the language

Found = Mapping[int, RecognisedPage]  # by index of the file


def find_misread(file: ScannedFile, found: Found, *, jobs: int) -> list[int]:
    """The indices of pages that show text, but were read with hardly any confidence, or not at all."""
    doubtful = [index for index, page in found.items() if not _is_readable(page)]
    misread = []
    for index, is_text in check_for_text(file, doubtful, jobs=jobs):
        if is_text is True or isinstance(is_text, Unreadable):
            misread.append(index)
    return sorted(misread)


def _is_readable(page: RecognisedPage) -> bool:
    """Whether an engine is confident of enough lines of a page. Long garbage counts no more than a title."""
    readable = sum(mean_confidence((line,)) >= READABLE_CONFIDENCE for line in page.lines)
    return readable > MIN_READABLE_SHARE * len(page.lines)


CONFIDENT_READING = 0.8  # mean confidence from which an engine's reading of a sample can blame a text layer
MIN_COMPARED_WORDS = 30
MIN_SAME_WORDS = 0.7  # of the words that the engine reads: a good text layer has them, too
# Words of letters, and Chinese characters: engines disagree about the signs of formulas and code, and about
# the spaces around them.
COMPARED_WORD = re.compile(r"[\u3400-\u9fff]|[^\W\d_\u3040-\u30ff\u3400-\u9fff]{3,}")


def is_layer_wrong(layer: str, page: RecognisedPage) -> bool:
    """Whether the text layer of a page says something else than what an engine reads with confidence."""
    read = COMPARED_WORD.findall(page_string(page))
    if mean_confidence(page.lines) < CONFIDENT_READING or len(read) < MIN_COMPARED_WORDS:
        return False
    known = set(COMPARED_WORD.findall(layer))
    return sum(word in known for word in read) < MIN_SAME_WORDS * len(read)


def reading_notes(found: Found, reading: Reading, *, is_language_given: bool) -> list[Note]:
    """Notes on turned pages, on a language that Tesseract was not told, and on text that may be garbled."""
    notes = []
    turned = [index + 1 for index, page in found.items() if page.turn]
    if turned:
        notes.append(Note(None, f"{format_pages(turned)}: scanned sideways or upside down, and read upright"))
    language = None if is_language_given else _missing_language(found, reading)
    if language is not None:
        package = f"tesseract-ocr-{language.replace('_', '-')}"
        message = f"the scan was read as {'+'.join(reading.languages)}, but seems to be {language}"
        notes.append(Note(None, f"{message}; apt install {package} reads it better"))
    elif _is_doubtful(found):
        advice = "install an engine or data for its language, and name it with --ocr-languages"
        notes.append(Note(None, f"the scan was read with little confidence and may be garbled; {advice}"))
    return notes


def _is_doubtful(found: Found) -> bool:
    """Whether a whole scan was read as badly as one in a script that the engine does not know."""
    lines = [line for page in found.values() for line in page.lines]
    return len(lines) >= MIN_JUDGED_LINES and mean_confidence(lines) < CONFIDENT


def _missing_language(found: Found, reading: Reading) -> str | None:
    """The language of the text by Tesseract's name, None if it was read in that language or is not known."""
    if reading.engine != TESSERACT:
        return None
    sample = ""
    for _, page in sorted(found.items()):
        sample += page_string(page) + "\n"
        if len(sample) > MAX_SAMPLE_CHARACTERS:
            break
    language = guess_language(sample, LANGUAGE_CODES)
    return None if language in reading.languages else language
