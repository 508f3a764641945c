"""How high letters are, in em: from the box of a word and its letters follows its font size.

"even" is as high as an x; "Even" reaches up to the capital height, and "every" also below the baseline. The
numbers are means over common text fonts; single fonts differ by some per cent.
"""

from __future__ import annotations

import unicodedata
from functools import lru_cache
from typing import NamedTuple

X_HEIGHT = 0.47
CAPITAL = 0.68
ASCENDER = 0.70
ACCENTED_CAPITAL = 0.88
DESCENDER = 0.21
SHORT_DESCENDER = 0.13  # commas, and the feet of some Cyrillic letters
BRACKET_TOP, BRACKET_BOTTOM = 0.73, 0.19
CJK_TOP, CJK_BOTTOM = 0.80, 0.08

_ASCENDERS = frozenset("bdfhklßþðłijбфt")
_DESCENDERS = frozenset("gjpqyçşţąęруфџ")
_SHORT_DESCENDERS = frozenset("цщд,;")
_BRACKETS = frozenset("()[]{}|/\\§（）【】〔〕「」")
_FLAT = frozenset(
    ".…_-–—=•·~:,;、。，；：．―─~"
)  # signs that say nothing about the height above the baseline

_FIRST_CJK = "\u2e80"


class Extent(NamedTuple):
    """How far a text reaches above and below its baseline, in em."""

    top: float
    bottom: float


def text_extent(text: str) -> Extent:
    """The extent of the highest and of the lowest character; zero if it has only flat signs."""
    extents = [_extent(character) for character in text]
    return Extent(max(extent.top for extent in extents), max(extent.bottom for extent in extents))


@lru_cache(maxsize=8192)
def _extent(character: str) -> Extent:
    bottom = 0.0
    if character in _DESCENDERS:
        bottom = DESCENDER
    elif character in _SHORT_DESCENDERS:
        bottom = SHORT_DESCENDER
    if character in _FLAT:
        return Extent(0.0, bottom)
    if character in _BRACKETS:
        return Extent(BRACKET_TOP, BRACKET_BOTTOM)
    if is_cjk(character):
        return Extent(CJK_TOP, CJK_BOTTOM)
    if character.islower() and character not in _ASCENDERS:
        is_accented = len(unicodedata.normalize("NFD", character)) > 1
        is_accented = is_accented and not bottom  # a cedilla or an ogonek is below the letter
        return Extent(ASCENDER if is_accented else X_HEIGHT, bottom)
    if character.isupper() and len(unicodedata.normalize("NFD", character)) > 1:
        return Extent(ACCENTED_CAPITAL, bottom)
    return Extent(ASCENDER if character.islower() else CAPITAL, bottom)


def is_cjk(character: str) -> bool:
    """Whether a character fills the square of a Chinese one."""
    return character >= _FIRST_CJK and unicodedata.east_asian_width(character) in "WF"
