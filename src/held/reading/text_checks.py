"""Checks whether the text of pages can be read, and chooses the pages whose text must be recognised.

Scans have no text, and some fonts have no Unicode mapping.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from operator import itemgetter
from typing import NamedTuple

from held.document import Note, PageContent, Pages, Run, Style
from held.errors import DamagedPdfError, NoTextError
from held.reading.raw_page import RIGHT_TO_LEFT
from held.system import lazy_pattern

# Glyphs of fonts without a Unicode map: the replacement character, private use and control characters.
UNMAPPED = lazy_pattern("[\ufffd\ue000-\uf8ff\U000f0000-\U0010fffd\x00-\x08\x0e-\x1f]")
# TeX's fonts of large mathematical signs have glyph names of their own, so that a reader gets the codes of
# TeX's encoding OMX instead of characters.
MATH_EXTENSION = re.compile(r"(?:CMEX|LMMathExtension|txex|pxex|rtxex|MTEX)", re.IGNORECASE)
# Shares of a page's characters.
MIN_RTL_SHARE = 0.2  # less is a name or a quotation
MIN_UNMAPPED_SHARE = 0.3
MIN_CHARACTERS = 20  # a page or a font with less text is not checked for unmapped characters
# Glyphs that may be letters: private characters are mostly signs of fonts such as Wingdings.
MAYBE_LETTERS = lazy_pattern("[\ufffd\x00-\x08\x0e-\x1f]")
MIN_UNMAPPED_FONT_SHARE = 0.1  # of the characters of a font: its other codes are taken for letters
MIN_UNMAPPED_LETTERS = 8  # different ones: fonts of symbols and mathematics have at most 7 in 500 files
run_text = itemgetter(Run._fields.index("text"))  # of a run, in a third of the time of the attribute
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
    texts = ["".join(map(run_text, page.runs)) for page in pages.pages]
    in_unmapped_fonts = _pages_in_unmapped_fonts(pages, texts)
    noted = {*pages.recognised, *pages.unread}
    drawn = [number for number in drawn if number not in noted]
    for number, (page, text) in enumerate(zip(pages.pages, texts, strict=True), pages.first_page):
        if number in pages.unread:
            continue
        if _is_right_to_left(text):
            right_to_left.append(number)
        if not page.runs and page.images:
            scanned.append(number)
        if is_unmapped(text) or number in in_unmapped_fonts:
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


def _pages_in_unmapped_fonts(pages: Pages, texts: Sequence[str]) -> frozenset[int]:
    """The pages with text in a font that does not say which characters its glyphs are.

    The whole document is asked: it may be the font of the titles, a small part of each page. `texts` are the
    texts of the pages.
    """
    by_font: defaultdict[str, list[tuple[int, str]]] = defaultdict(list)
    for number, (page, text) in enumerate(zip(pages.pages, texts, strict=True), pages.first_page):
        if text.isprintable():
            continue  # nearly always, and much faster than the rest
        for run in page.runs:
            by_font[pages.styles[run.style].font].append((number, run.text.strip()))
    found: set[int] = set()
    for font, runs in by_font.items():
        text = "".join([text for _, text in runs])
        unmapped = MAYBE_LETTERS.findall(text)
        if len(text) < MIN_CHARACTERS or len(unmapped) <= MIN_UNMAPPED_FONT_SHARE * len(text):
            continue
        if len(set(unmapped)) >= MIN_UNMAPPED_LETTERS and not MATH_EXTENSION.match(font):
            found.update(number for number, text in runs if MAYBE_LETTERS.search(text))
    return frozenset(found)


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
    names = []
    for first, last in ranges:
        names.append(str(first) if first == last else f"{first}-{last}")
    listed = ", ".join(names)
    return f"page {listed}" if listed.isdecimal() else f"pages {listed}"


# --- pages for text recognition ---
#
# Pages need it that have no text, text that is garbage, or drawn letters.

AUTO, ALWAYS, NEVER = "auto", "always", "never"
MODES = (AUTO, ALWAYS, NEVER)

HIDDEN_MODES = (3, 7)  # text render modes that paint nothing: ISO 32000-1, table 106

# Shares of a page.
MIN_SCAN_COVER = 0.6  # what a scanned image covers
MAX_STAMP_CHARACTERS = 200  # text beside a scan: a page number, a library's stamp
# What tells words from garbage.
SAMPLE_PAGES = 20  # are judged first, and all pages if one of them is garbage
JUDGED_CHARACTERS = 1500  # from the middle of a page
MIN_WORD = 3  # characters: shorter ones are symbols of formulas as well
MIN_WORDS = 30  # a page with fewer words is not judged
MIN_WORD_SHARE = 0.4  # of the strings that look like words; real pages have more, in every language
MIN_LETTERS = 200
COMMON_LETTERS = frozenset("etaoinsrl")
MIN_COMMON_SHARE = 0.33  # of the letters; two thirds in most languages, .45 on the worst of 905 real pages
MAX_ACCENTED_SHARE = 0.5  # of the Latin letters; .18 on the worst of the real pages, in Vietnamese and Czech
MAX_CONSONANTS = 6
MAX_REPEATS = 3

SIGNS = lazy_pattern(r"[\s/._=(),:;&|<>+*\"'’“”«»#@{}\[\]…–—\\%´`ˇ˚●•?!-]+")
# "12×4", "A17" and "rs7538876": numbers and codes are neither words nor garbage.
CODE = lazy_pattern(r"[\d%°−x×]+|[A-Z]*\d[A-Z\d]*|[A-Za-z]{1,3}\d{3,}")
LATIN_LETTER = lazy_pattern("[a-z]")
LATIN_WORD = lazy_pattern(r"[A-Za-zÀ-ɏ]+")
LAST_LATIN = "ɏ"
VOWEL = lazy_pattern(r"[aeiouyàáâãäåæèéêëìíîïòóôõöøùúûüýœāēīōūąęěůőű]", re.IGNORECASE)
CONSONANTS = lazy_pattern(rf"[bcdfghjklmnpqrstvwxzß]{{{MAX_CONSONANTS},}}", re.IGNORECASE)
REPEATS = lazy_pattern(rf"(.)\1{{{MAX_REPEATS},}}")
ODD_CASE = lazy_pattern(r"[a-zß-ÿ][A-ZÀ-Þ]{2,}[a-zß-ÿ]|[a-zß-ÿ][A-ZÀ-Þ][a-zß-ÿ]*[A-ZÀ-Þ]")


@dataclass(frozen=True, slots=True)
class OcrOptions:
    """Which pages are recognised, and how.

    mode       "auto" recognises pages without readable text, if an engine is installed; "always" all pages,
               "never" none
    engine     the name of an engine, or "auto": the one that suits the language
    languages  as Tesseract names them, such as "deu" or "deu+eng"; empty: found from a sample of the text
    """

    mode: str = AUTO
    engine: str = AUTO
    languages: str = ""


class PageChoice(NamedTuple):
    """Indices of pages, from 0, by the reason why their text should be recognised.

    empty    no text, but images or drawings
    stamped  a scan with a few words of real text on it
    garbage  text that says nothing
    layered  a scan whose text somebody has recognised before; it lies hidden behind the image
    """

    empty: tuple[int, ...] = ()
    stamped: tuple[int, ...] = ()
    garbage: tuple[int, ...] = ()
    layered: tuple[int, ...] = ()

    def without_text(self) -> list[int]:
        """The pages whose text nobody has recognised."""
        return sorted({*self.empty, *self.stamped, *self.garbage})


def choose_pages(pages: Sequence[PageContent], styles: Sequence[Style], drawn: Collection[int]) -> PageChoice:
    """The pages without readable text; `drawn` has the indices of those that contain only drawings."""
    empty, stamped, garbage, layered = [], [], [], []
    hidden = {index for index, style in enumerate(styles) if style.render_mode in HIDDEN_MODES}
    texts = ["\n".join(map(run_text, page.runs)) for page in pages]
    # Garbage comes from a font or from a text layer, which many pages share: a sample tells whether to look.
    step = max(1, len(texts) // SAMPLE_PAGES)
    has_garbage = any(is_garbage(text) for text in texts[::step])
    is_unreadable = is_garbage if has_garbage else is_unmapped
    for index, (page, text) in enumerate(zip(pages, texts, strict=True)):
        has_text = bool(page.runs or page.fields)
        if not has_text:
            if page.images or index in drawn:
                empty.append(index)
        elif is_unreadable(text):
            garbage.append(index)
        elif len(text) < MAX_STAMP_CHARACTERS and _image_cover(page) > MIN_SCAN_COVER:
            stamped.append(index)
        elif hidden and _is_layered(page, hidden):
            layered.append(index)
    return PageChoice(tuple(empty), tuple(stamped), tuple(garbage), tuple(layered))


def _is_layered(page: PageContent, hidden: Collection[int]) -> bool:
    """Whether all text of a page is hidden behind the image of a scan."""
    is_upright = page.rotation == 0
    if not is_upright or _image_cover(page) <= MIN_SCAN_COVER:
        return False
    return all(run.style in hidden for run in page.runs)


def _image_cover(page: PageContent) -> float:
    """The share of the page that its largest image covers."""
    area = page.width * page.height
    if area <= 0:
        return 0.0
    shares = [image.width * image.height / area for image in page.images]
    return max(shares, default=0.0)


def is_garbage(text: str) -> bool:
    """Whether a page's text says nothing: unmapped glyphs, or strings that are no words in any language."""
    if is_unmapped(text):
        return True
    # A part of a long page is enough, and every page of every file is judged.
    start = max(0, (len(text) - JUDGED_CHARACTERS) // 2)
    judged = text[start : start + JUDGED_CHARACTERS]
    strings = [string for string in SIGNS.split(judged) if len(string) >= MIN_WORD]
    words = [string for string in strings if not CODE.fullmatch(string)]
    if len(words) < MIN_WORDS:
        return False  # a formula, or a table of numbers or of pins and part numbers
    if sum(map(is_wordlike, words)) < MIN_WORD_SHARE * len(words):
        return True
    if has_wrong_code_page(judged):
        return True
    letters = LATIN_LETTER.findall("".join(words).lower())  # those outside words are symbols of formulas
    if len(letters) < MIN_LETTERS:
        return False
    common = sum(letter in COMMON_LETTERS for letter in letters)
    return common < MIN_COMMON_SHARE * len(letters)


def has_wrong_code_page(text: str) -> bool:
    """Whether a text is all accents: Cyrillic, Greek or Chinese bytes that are shown as Latin-1."""
    latin = [character for character in text if character.isalpha() and character <= LAST_LATIN]
    accented = sum(not character.isascii() for character in latin)
    return len(latin) >= MIN_LETTERS and accented > MAX_ACCENTED_SHARE * len(latin)


def is_wordlike(word: str) -> bool:
    """Whether a string could be a word. Scripts other than Latin are taken as they are."""
    letters = sum(character.isalpha() for character in word)
    if 2 * letters < len(word):
        return False
    if not word.isascii() and not LATIN_WORD.fullmatch(word):
        return letters == len(word) or any(character > LAST_LATIN for character in word)
    if not LATIN_WORD.fullmatch(word):
        return False
    has_vowel = bool(VOWEL.search(word)) or word.isupper()
    if not has_vowel:
        return False
    return not any(unlikely.search(word) for unlikely in (CONSONANTS, REPEATS, ODD_CASE))
