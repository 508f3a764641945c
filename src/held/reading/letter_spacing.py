"""Letter-spaced words: PDFium takes the gaps between their letters for spaces ("A P P E N D I X A").

Only gaps tell words apart there, so this asks PDFium about single characters. Few lines need that: a page is
searched for them by one expression.
"""

from __future__ import annotations

from ctypes import byref, c_int

from held.reading.pdfium import Floats8, Handle, Pointer, float_reader, pointer_to, unchecked
from held.reading.raw_page import decode_texts, drop_words, encode_texts
from held.system import lazy_pattern

# Five letters in tokens of one or two: PDFium sees no space inside a kerned pair ("r e g u l at i o n").
LETTER_SPACED = lazy_pattern(r"(?:[^\W\d_]{1,2} ){4,}[^\W\d_]")
MIN_DISTINCT_LETTERS = 3  # fewer are a pattern such as "x x x x"
MIN_SHARE_OF_SINGLE_LETTERS = 0.7  # of the tokens: the rest are kerned pairs and marks
MAX_LETTER_GAP_SPREAD = 1.5  # times the median gap: wider gaps separate words
MAX_LETTER_GAP_DIFFERENCE = 0.5  # of the median gap, between the gaps of one line
MAX_WORD_GAPS_SHARE = 0.5  # of all gaps; more are single letters that stand apart

_box = Floats8()
BOX = byref(_box)
read_box = float_reader(_box, 4)
_char_box = unchecked("FPDFText_GetLooseCharBox", None)
_is_generated = unchecked("FPDFText_IsGenerated", c_int)


def close_letter_spacing(text_page: Pointer, begin: int, words: str) -> str:
    """The words of a run, from PDFium's character `begin` on, without spaces between letters."""
    if not _is_letter_spaced(words):
        return words
    spaces = [index for index, character in enumerate(words) if character == " "]
    generated = [index for index in spaces if _is_generated(text_page, begin + index)]
    gaps = {index: _gap_around(text_page, begin + index) for index in generated}
    ordered = sorted(gaps.values())
    if not ordered:
        return words  # all spaces were typed: a row of letters
    median = ordered[len(ordered) // 2]
    between_words = {index for index, gap in gaps.items() if gap > MAX_LETTER_GAP_SPREAD * median}
    if len(between_words) > MAX_WORD_GAPS_SHARE * len(gaps):
        return words
    closed = gaps.keys() - between_words
    between_letters = [gaps[index] for index in closed]
    # Letters of code that stand in columns have gaps of any width.
    if max(between_letters) - min(between_letters) > MAX_LETTER_GAP_DIFFERENCE * median:
        return words
    return "".join(character for index, character in enumerate(words) if index not in closed)


def close_encoded_letter_spacing(
    text_page: Handle, texts: bytes, words: bytes, spaced: bytes
) -> tuple[bytes, bytes]:
    """The encoded texts and words of runs, with the letter spacing of some runs closed.

    `spaced` has the index of each such run and its first character. Closed runs have no words of their own.
    """
    pointer = pointer_to(text_page)
    found = decode_texts(texts)
    closed_runs = set()
    numbers = iter(memoryview(spaced).cast("i").tolist())
    for run, begin in zip(numbers, numbers, strict=True):
        closed = close_letter_spacing(pointer, begin, found[run])
        if closed != found[run]:
            found[run] = closed
            closed_runs.add(run)
    if not closed_runs:
        return texts, words
    return encode_texts(found), drop_words(words, closed_runs)


def _is_letter_spaced(words: str) -> bool:
    if not LETTER_SPACED.search(words):
        return False
    tokens = words.split()
    single = [token for token in tokens if len(token) == 1 and token.isalpha()]
    if len(single) < MIN_SHARE_OF_SINGLE_LETTERS * len(tokens):
        return False
    letters = "".join(tokens)
    # An alphabet is a row of letters, not a word.
    return len(set(letters)) >= MIN_DISTINCT_LETTERS and list(letters) != sorted(letters)


def _gap_around(text_page: Pointer, index: int) -> float:
    """The width of the gap that PDFium filled with the space at `index`, in points.

    On a rotated page text runs up or down: its boxes are those of the page as it is stored.
    """
    _char_box(text_page, index - 1, BOX)
    left, top, right, bottom = read_box()
    _char_box(text_page, index + 1, BOX)
    next_left, next_top, next_right, next_bottom = read_box()
    return max(next_left - right, left - next_right, next_bottom - top, bottom - next_top)
