"""Characters: which are Chinese, Japanese or Korean, and about how wide a text is.

The reader gives the boxes of runs, not those of characters. A producer may move on to the next cell within a
run; such a run is much wider than its characters can be.
"""

from __future__ import annotations

import re

from held.document import Run
from held.layout.tolerances import MIN_HIDDEN_GAP_EM, MIN_HIDDEN_GAPS_WIDTH_TIMES

# Widths of characters in ems, as in the common text faces; digits have one width in nearly every font.
NARROW = dict.fromkeys(",.:;'|!il·’‘`jI", 0.27) | dict.fromkeys(' ()[]-/tfr"', 0.32)
WIDE = dict.fromkeys("—…mMW%", 0.86) | dict.fromkeys("‰", 1.0)
DIGIT_WIDTH_EM = 0.5
CAPITAL_WIDTH_EM = 0.67
SMALL_LETTER_WIDTH_EM = 0.47
SPACE_WIDTH_EM = NARROW[" "]

# Names of fonts whose characters all have one width: narrow letters are far wider there.
MONOSPACED_FONT = re.compile(
    r"mono|courier|consol|typewriter|cmtt|sftt|ectt|lmtt|menlo|inconsol|terminal", re.I
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
