"""Characters: their scripts and reading order, how wide a text and a space are, accents beside letters.

The reader gives the boxes of runs, not those of characters. A producer may move on to the next cell within a
run; such a run is much wider than its characters can be.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from held.document import PageContent, Pages, Run, Style
from held.layout.tolerances import (
    MAX_SIZE_CHANGE_IN_A_WORD_SHARE,
    MIN_HIDDEN_GAP_EM,
    MIN_HIDDEN_GAPS_WIDTH_TIMES,
    MIN_SPACE_AT_FONT_CHANGE_EM,
    MIN_SPACE_BETWEEN_CJK_EM,
    MIN_SPACE_EM,
)
from held.reading.raw_page import RIGHT_TO_LEFT

# Widths of characters in ems, as in the common text faces; digits have one width in nearly every font.
NARROW = dict.fromkeys(",.:;'|!il·’‘`jI", 0.27) | dict.fromkeys(' ()[]-/tfr"', 0.32)
WIDE = dict.fromkeys("—…mMW%", 0.86) | dict.fromkeys("‰", 1.0)
DIGIT_WIDTH_EM = 0.5
CAPITAL_WIDTH_EM = 0.67
SMALL_LETTER_WIDTH_EM = 0.47
SPACE_WIDTH_EM = NARROW[" "]

# Names of fonts whose characters all have one width: narrow letters are far wider there.
MONOSPACED_FONT = re.compile(
    r"mono|nimbusmon|courier|consol|(?<!american)typewriter|cm(?:sl|i)?tt|sf[ts]t|ectt|lmtt|t1?xb?tt|menlo|monaco"
    r"|(?:source|fira|cascadia)\s?code|letter\s?gothic|terminal|m(?:plus|\+)\s?\dmn|prestige\s?elite"
    r"|linlibertinemt",
    re.I,
)


def is_cjk(character: str) -> bool:
    """Whether a character is Chinese, Japanese or Korean, full-width punctuation included."""
    return character >= "\u2e80" and (
        character <= "\u9fff"
        or "\uac00" <= character <= "\ud7af"
        or "\uf900" <= character <= "\ufaff"
        or "\uff00" <= character <= "\uffef"
        or character >= "\U00020000"
    )


def is_hangul(character: str) -> bool:
    """Whether a character is Korean: words have spaces between them, unlike Chinese and Japanese ones."""
    return "\uac00" <= character <= "\ud7af"


def is_unspaced(character: str) -> bool:
    """Whether a character belongs to a script without spaces between words: Chinese, Japanese, Thai, Lao …"""
    if is_hangul(character):
        return False
    is_thai_or_lao = "\u0e00" <= character <= "\u0eff"
    is_burmese_or_khmer = "\u1000" <= character <= "\u109f" or "\u1780" <= character <= "\u17ff"
    return is_thai_or_lao or is_burmese_or_khmer or is_cjk(character)


class _Cjk(dict[str, bool]):
    """Which characters are Chinese, Japanese or Korean, computed when first needed."""

    def __missing__(self, character: str) -> bool:
        found = self[character] = is_cjk(character)
        return found


_CJK = _Cjk()


def count_cjk(text: str) -> int:
    """How many characters of a text are Chinese, Japanese or Korean."""
    return 0 if text.isascii() else sum(map(_CJK.__getitem__, text))


class _Widths(dict[str, float]):
    """The widths of characters, computed when first needed: most text uses about a hundred."""

    def __missing__(self, character: str) -> float:
        width = self[character] = _width(character)
        return width


_WIDTHS = _Widths()


def _width(character: str) -> float:
    if character.isdigit() or character in "$€£":
        return DIGIT_WIDTH_EM
    listed = NARROW.get(character) or WIDE.get(character)
    if listed:
        return listed
    if is_cjk(character):
        return 1.0
    return CAPITAL_WIDTH_EM if character.isupper() else SMALL_LETTER_WIDTH_EM


def text_width(text: str) -> float:
    """About how wide a text is, in ems."""
    return sum(map(_WIDTHS.__getitem__, text))


def has_hidden_gaps(run: Run, size: float) -> bool:
    """Whether a run is so wide that there must be wide gaps between its words."""
    widest = MIN_HIDDEN_GAPS_WIDTH_TIMES * size * text_width(run.text.strip()) + MIN_HIDDEN_GAP_EM * size
    return run.x1 - run.x0 > widest


# --- accents ---
#
# Accents that a PDF prints as characters of their own, put back onto their letters.
#
# TeX's older fonts have no accented letters: "Introdução" is read as "Introdu¸c˜ao", "für" as "f¨ur".
# One in seven documents in European languages is written so; neither words nor titles are recognised in them.


COMBINING = {
    "´": "\u0301",
    "¨": "\u0308",
    "ˆ": "\u0302",
    "˜": "\u0303",
    "ˇ": "\u030c",
    "¸": "\u0327",
    "˚": "\u030a",
    "¯": "\u0304",
    "˘": "\u0306",
    "˙": "\u0307",
    "˝": "\u030b",
    "˛": "\u0328",
    "`": "\u0300",
}
_SIGNS = "".join(COMBINING)
_SIGN_SET = frozenset(_SIGNS)
# A tilde behind a slash belongs to an address, a circumflex before a digit to a formula.
_ACCENT = re.compile(rf"([^\W\d_]?)(?<![/=])([{_SIGNS}])(?!\d)([^\W\d_]?)(?=([^\W\d_]?))")
_DOTLESS = str.maketrans("ıȷ", "ij")
_ACUTE, _GRAVE, _TILDE = "´", "`", "˜"
_NEVER_ACUTE = "rRlLmM"  # we´re, we´ll, I´m have apostrophes


def compose_accents(pages: Pages) -> Pages:
    """The pages with accents on their letters, and with ligatures.

    A document writes an accent in one way: where "é" is more frequent than "´e", the sign is an apostrophe.
    """
    texts = ["".join([run.text for run in page.runs]) for page in pages.pages]
    # The expression looks at every letter; hardly a document has such a code.
    if any(code in text for text in texts for code in LIGATURE_CODES) and any(
        map(LIGATURE_IN_WORD.search, texts)
    ):
        pages = replace(pages, pages=tuple(map(_restore_ligatures, pages.pages)))
    accented = [text for text in texts if any(sign in text for sign in _SIGNS)]
    if not accented:
        return pages
    signs = _habitual_signs(accented, texts)
    return replace(pages, pages=tuple(_compose_page(page, signs) for page in pages.pages)) if signs else pages


# The codes of ligatures in TeX's encoding T1. Bitmap fonts have no names for them, so that readers return the
# codes: "identi\x1cer".
LIGATURES = str.maketrans({"\x1b": "ff", "\x1c": "fi", "\x1d": "fl", "\x1e": "ffi", "\x1f": "ffl"})
LIGATURE_CODES = "\x1b\x1c\x1d\x1e\x1f"
LIGATURE_IN_WORD = re.compile(r"[^\W\d_][\x1b-\x1f]|[\x1b-\x1f][^\W\d_]")


def _restore_ligatures(page: PageContent) -> PageContent:
    runs = [
        run._replace(text=run.text.translate(LIGATURES)) if LIGATURE_IN_WORD.search(run.text) else run
        for run in page.runs
    ]
    return replace(page, runs=tuple(runs))


def _habitual_signs(accented: Sequence[str], texts: Sequence[str]) -> frozenset[str]:
    """The signs that are more frequent than letters that have the accent."""
    signs = Counter(character for text in accented for character in text if character in _SIGN_SET)
    characters = Counter(character for text in texts if not text.isascii() for character in text)
    marks: Counter[str] = Counter()
    for character, times in characters.items():
        marks.update(dict.fromkeys(unicodedata.normalize("NFD", character)[1:], times))
    return frozenset(sign for sign, times in signs.items() if times > marks[COMBINING[sign]])


def _compose_page(page: PageContent, signs: frozenset[str]) -> PageContent:
    text = "".join([run.text for run in page.runs])
    if not any(sign in text for sign in signs):
        return page
    return replace(page, runs=tuple(run._replace(text=compose(run.text, signs)) for run in page.runs))


def compose(text: str, signs: frozenset[str] = _SIGN_SET) -> str:
    """The text with accents on the letters behind them or, if these cannot bear them, before them."""
    if signs.isdisjoint(text):
        return text

    def with_accent(match: re.Match[str]) -> str:
        before, sign, after, following = match.groups()
        sign_start = match.start(2)
        is_inside = match.string[:sign_start][-1:].isalpha()
        if sign not in signs or (sign in (_TILDE, _GRAVE) and not is_inside):
            return match[0]
        if sign == _GRAVE:
            # At the start of a word it is a quotation mark, at the end of one a tick.
            return before + (_accented(after, sign) or sign + after)
        is_apostrophe = sign == _ACUTE and (after in _NEVER_ACUTE or (after == "s" and not following))
        if is_apostrophe:
            return match[0]
        on_next = _accented(after, sign)
        if on_next:
            return before + on_next
        on_last = _accented(before, sign) if sign != _ACUTE else ""
        return on_last + after if on_last else match[0]

    return _ACCENT.sub(with_accent, text)


def _accented(letter: str, sign: str) -> str:
    """A letter with an accent, or "" if Unicode has no such letter."""
    if not letter:
        return ""
    composed = unicodedata.normalize("NFC", letter.translate(_DOTLESS) + COMBINING[sign])
    return composed if len(composed) == 1 else ""


# --- the space between runs ---


def least_space(before: Run, after: Run, styles: Sequence[Style]) -> float:
    """The narrowest gap between two runs that is a space, in ems."""
    last, first = before.text[-1], after.text[0]
    cjk_before, cjk_after = is_cjk(last), is_cjk(first)
    if cjk_before and cjk_after:
        return MIN_SPACE_BETWEEN_CJK_EM
    between_letters = last.isalpha() and first.isalpha()
    if before.style == after.style or cjk_before or cjk_after or not between_letters:
        return MIN_SPACE_EM
    size, other = styles[before.style].size, styles[after.style].size
    is_same_size = abs(size - other) <= MAX_SIZE_CHANGE_IN_A_WORD_SHARE * size
    return MIN_SPACE_AT_FONT_CHANGE_EM if is_same_size else MIN_SPACE_EM


# --- lines from right to left ---
#
# Lines in scripts that are written from right to left, put into reading order.
#
# PDFium puts the letters of a run into reading order, but runs stand where they are painted. In such a line
# the runs follow each other from right to left, and numbers and foreign words among them from left to right,
# as in the Unicode algorithm for bidirectional text (UAX 9).


LEADING_PUNCTUATION = re.compile("[.,:;!?%،؛؟]+")
OPENING, CLOSING = "([{«", ")]}»"
BRACKET = re.compile(f"[{re.escape(OPENING + CLOSING)}]")
MIRRORED_BRACKETS = str.maketrans(OPENING + CLOSING, CLOSING + OPENING)


def is_rtl(text: str) -> bool:
    """Whether most letters of a text belong to a script that is written from right to left."""
    if text.isascii() or not RIGHT_TO_LEFT.search(text):
        return False
    letters = sum(map(str.isalpha, text))
    return 2 * len(RIGHT_TO_LEFT.findall(text)) > letters


def rtl_reading_order(runs: Sequence[Run]) -> list[Run]:
    """The runs of a right-to-left line, given from left to right, in reading order."""
    ordered: list[Run] = []
    foreign: list[Run] = []  # numbers and words that read from left to right, with the signs between them
    for run in reversed(runs):
        is_sign_between = bool(foreign) and not RIGHT_TO_LEFT.search(run.text)
        if is_sign_between or _is_ltr(run.text):
            foreign.insert(0, run)
        else:
            ordered += _move_signs_behind(foreign)
            foreign = []
            ordered.append(run)
    ordered += _move_signs_behind(foreign)
    return _mirror_brackets(ordered)


def _is_ltr(text: str) -> bool:
    return not RIGHT_TO_LEFT.search(text) and any(map(str.isalnum, text))


def _move_signs_behind(foreign: Sequence[Run]) -> list[Run]:
    """Moves the signs at the left end behind the words: the stop after a number belongs to the line."""
    first = 0
    while first < len(foreign) and not _is_ltr(foreign[first].text):
        first += 1
    signs = foreign[:first]
    words = list(foreign[first:])
    if len(words) == 1:
        text = words[0].text
        leading = LEADING_PUNCTUATION.match(text)
        if leading:
            words[0] = words[0]._replace(text=text[leading.end() :] + leading[0])
    return [*words, *reversed(signs)]


def _mirror_brackets(runs: list[Run]) -> list[Run]:
    """Turns brackets that came as painted, a closing one first, into those that are meant."""
    first = BRACKET.search("".join([run.text for run in runs]))
    if first is None or first[0] in OPENING:
        return runs
    return [run._replace(text=run.text.translate(MIRRORED_BRACKETS)) for run in runs]
