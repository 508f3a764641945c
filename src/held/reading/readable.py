"""Whether a file's text can be read at all: scans have none, and some fonts do not say what they show."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from held.document import Note, PageContent, Pages
from held.errors import DamagedPdfError, NoTextError
from held.reading.alphabets import RIGHT_TO_LEFT

# The replacement character, private use and control codes: glyphs whose font has no Unicode map.
UNMAPPED = re.compile("[\ufffd\ue000-\uf8ff\U000f0000-\U0010fffd\x00-\x08\x0e-\x1f]")
MUCH_RIGHT_TO_LEFT = 0.2  # of a page's characters: less is a name or a quotation
MUCH_UNMAPPED = 0.3  # of a page's characters
DRAWN_TEXT = 40  # small strokes on a page without text, from which on they may be letters
FEWEST_CHARACTERS = 20  # on a page with less text, nothing is said of it


def require_text(pages: Pages) -> Pages:
    """The same pages, if any of them has text."""
    if any(page.runs or page.fields for page in pages.pages):
        return pages
    if pages.lost:
        # What was stopped is no scan: nobody knows what is on those pages.
        reasons = "; ".join(note.message for note in pages.notes)
        raise DamagedPdfError(
            f"no text could be read: {reasons}",
            file=pages.source,
            advice="--limit or HELD_LIMITS sets the limits",
        )
    has_images = any(page.images for page in pages.pages)
    what = "it is a scan" if has_images else "they are blank, or their text is drawn as curves"
    raise NoTextError(
        f"none of its {len(pages.pages)} pages has text: {what}",
        file=pages.source,
        advice="recognise its text first, with an OCR program",
    )


def text_notes(pages: Sequence[PageContent], first_page: int, drawn: Sequence[int] = ()) -> list[Note]:
    """Notes on the pages without text and on those whose characters are unknown.

    `drawn` are the numbers of pages on which there is nothing but drawings.
    """
    empty = [number for number, page in enumerate(pages, first_page) if not page.runs and page.images]
    unmapped = [number for number, page in enumerate(pages, first_page) if _is_unmapped(page)]
    leftward = [number for number, page in enumerate(pages, first_page) if _is_right_to_left(page)]
    notes = []
    if leftward:
        notes.append(_note(leftward, "text from right to left, which may be out of order in places"))
    if empty:
        notes.append(_note(empty, "no text, only images"))
    if drawn:
        notes.append(_note(drawn, "no text, only drawings; if they are letters, OCR can read them"))
    if unmapped:
        reason = "a font does not say which characters it shows, so the text is partly unknown"
        notes.append(_note(unmapped, reason))
    return notes


def _is_unmapped(page: PageContent) -> bool:
    text = "".join([run.text for run in page.runs])
    if text.isprintable() and "\ufffd" not in text:  # almost always, and much faster than searching
        return False
    return len(text) >= FEWEST_CHARACTERS and len(UNMAPPED.findall(text)) > MUCH_UNMAPPED * len(text)


def _is_right_to_left(page: PageContent) -> bool:
    text = "".join([run.text for run in page.runs])
    if text.isascii():
        return False
    return len(RIGHT_TO_LEFT.findall(text)) > MUCH_RIGHT_TO_LEFT * len(text)


def _note(numbers: Sequence[int], message: str) -> Note:
    """One note for all pages: a single page in its place, several in the message."""
    if len(numbers) == 1:
        return Note(numbers[0], message)
    return Note(None, f"{page_ranges(numbers)}: {message}")


def page_ranges(numbers: Iterable[int]) -> str:
    """Page numbers in short: "page 4" or "pages 1, 3-9"."""
    ranges: list[list[int]] = []
    for number in sorted(numbers):
        if ranges and number == ranges[-1][1] + 1:
            ranges[-1][1] = number
        else:
            ranges.append([number, number])
    listed = ", ".join(str(low) if low == high else f"{low}-{high}" for low, high in ranges)
    return f"{'page' if listed.isdecimal() else 'pages'} {listed}"
