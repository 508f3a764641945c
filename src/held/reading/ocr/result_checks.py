"""Checks what an engine has read: unreadable pages, turned pages, and the language of the text."""

from __future__ import annotations

from collections.abc import Mapping

from held.document import Note
from held.reading.ocr.engines import TESSERACT
from held.reading.ocr.languages import CONFIDENT, LANGUAGE_CODES, guess_language, mean_confidence, page_string
from held.reading.ocr.page_text import RecognisedPage
from held.reading.ocr.pool import Reading, ScannedFile, Unreadable, check_for_text
from held.reading.text_checks import format_pages

READABLE_CONFIDENCE = 0.5  # mean confidence of the characters of a line that was read
MIN_READABLE_SHARE = 0.25  # of a page's lines; dot leaders and formulas spoil some lines on any page
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
