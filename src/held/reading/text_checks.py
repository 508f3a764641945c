"""Checks whether the text of pages can be read: scans have none, and some fonts have no Unicode mapping."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from held.document import Note, Pages
from held.errors import DamagedPdfError, NoTextError
from held.reading.raw_page import RIGHT_TO_LEFT

# Glyphs of fonts without a Unicode map: the replacement character, private use and control characters.
UNMAPPED = re.compile("[\ufffd\ue000-\uf8ff\U000f0000-\U0010fffd\x00-\x08\x0e-\x1f]")
# TeX's fonts of large mathematical signs have glyph names of their own, so that a reader gets the codes of
# TeX's encoding OMX instead of characters.
MATH_EXTENSION = re.compile(r"(?:CMEX|LMMathExtension|txex|pxex|rtxex|MTEX)", re.IGNORECASE)
# Shares of a page's characters.
MIN_RTL_SHARE = 0.2  # less is a name or a quotation
MIN_UNMAPPED_SHARE = 0.3
MIN_CHARACTERS = 20  # a page with less text is not checked for unmapped characters
MIN_LETTER_STROKES = 40  # small strokes on a page without text, above which they may be letters


def require_text(pages: Pages) -> Pages:
    """The same pages; an error if none of them has text."""
    if any(page.runs or page.fields for page in pages.pages):
        return pages
    if pages.lost and not pages.unread:
        # Not a scan: nobody knows what is on the pages that could not be read.
        reasons = "; ".join(note.message for note in pages.notes)
        raise DamagedPdfError(
            f"no text could be read: {reasons}",
            file=pages.source,
            advice="--limit or HELD_LIMITS sets the limits",
        )
    has_images = any(page.images for page in pages.pages)
    advice = "its images seem to show no text either; --ocr always reads them all the same"
    if pages.unread:
        # The last note says which pages, and then how to install an engine or why the engine failed.
        _, _, advice = pages.notes[-1].message.rpartition("; ")
    reason = "it is a scan" if has_images else "they are blank, or their text is drawn as curves"
    raise NoTextError(
        f"none of its {len(pages.pages)} pages has text: {reason}",
        file=pages.source,
        advice=advice,
    )


def text_notes(pages: Pages, drawn: Sequence[int] = ()) -> list[Note]:
    """Notes on pages without text, or with text that may be wrong.

    `drawn` has the numbers of pages that contain nothing but drawings. Pages that are listed as unread have
    a note already.
    """
    right_to_left, scanned, unmapped = [], [], []
    noted = {*pages.recognised, *pages.unread}
    drawn = [number for number in drawn if number not in noted]
    for number, page in enumerate(pages.pages, pages.first_page):
        if number in pages.unread:
            continue
        text = "".join([run.text for run in page.runs])
        if _is_right_to_left(text):
            right_to_left.append(number)
        if not page.runs and page.images:
            scanned.append(number)
        if is_unmapped(text):
            unmapped.append(number)
    messages = (
        (right_to_left, "text from right to left, which may be out of order in places"),
        (scanned, "no text, only images"),
        (drawn, "no text, only drawings; if they are letters, OCR can read them"),
        (unmapped, "a font does not say which characters it shows, so the text is partly unknown"),
    )
    return [_note(numbers, message) for numbers, message in messages if numbers]


def _is_right_to_left(text: str) -> bool:
    if text.isascii():
        return False
    return len(RIGHT_TO_LEFT.findall(text)) > MIN_RTL_SHARE * len(text)


def is_unmapped(text: str) -> bool:
    """Whether a font does not say which characters most of a page's glyphs are."""
    if text.isprintable() and "\ufffd" not in text:  # nearly always, and much faster than the search
        return False
    if len(text) < MIN_CHARACTERS:
        return False
    return len(UNMAPPED.findall(text)) > MIN_UNMAPPED_SHARE * len(text)


def _note(numbers: Sequence[int], message: str) -> Note:
    """One note for several pages, which its message names."""
    if len(numbers) == 1:
        return Note(numbers[0], message)
    return Note(None, f"{format_pages(numbers)}: {message}")


def format_pages(numbers: Iterable[int]) -> str:
    """Page numbers in short form: "page 4" or "pages 1, 3-9"."""
    ranges: list[list[int]] = []
    for number in sorted(numbers):
        if ranges and number == ranges[-1][1] + 1:
            ranges[-1][1] = number
        else:
            ranges.append([number, number])
    names = [str(first) if first == last else f"{first}-{last}" for first, last in ranges]
    listed = ", ".join(names)
    return f"page {listed}" if listed.isdecimal() else f"pages {listed}"
