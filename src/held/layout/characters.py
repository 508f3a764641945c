"""About how wide a text is, and whether a run is wider than its text.

The reader gives the boxes of runs, not those of characters. A producer may move on to the next cell within a
run: it shows by a run that is much wider than its characters can be.
"""

from __future__ import annotations

import re

from held.document import Run
from held.layout.tolerances import MIN_HIDDEN_GAP_EM, MIN_HIDDEN_GAPS_WIDTH_TIMES

# Widths of characters in ems, as in the common text faces; digits are all as wide in nearly every font.
NARROW = dict.fromkeys(",.:;'|!il·’‘`jI", 0.27) | dict.fromkeys(' ()[]-/tfr"', 0.32)
WIDE = dict.fromkeys("—…mMW%", 0.86) | dict.fromkeys("‰", 1.0)
DIGIT_WIDTH_EM = 0.5
CAPITAL = 0.67
SMALL = 0.47
SPACE_WIDTH_EM = NARROW[" "]

# Names of fonts whose characters are all as wide: far wider, where they are narrow in others.
MONOSPACED_FONT = re.compile(
    r"mono|courier|consol|typewriter|cmtt|sftt|ectt|lmtt|menlo|inconsol|terminal", re.I
)


class _Widths(dict[str, float]):
    """The widths of characters, each worked out once: most text is made of a hundred of them."""

    def __missing__(self, character: str) -> float:
        width = self[character] = _width(character)
        return width


_WIDTHS = _Widths()


def text_width(text: str) -> float:
    """About how wide a text is, in ems."""
    return sum(map(_WIDTHS.__getitem__, text))


def _width(character: str) -> float:
    if character.isdigit() or character in "$€£":
        return DIGIT_WIDTH_EM
    known = NARROW.get(character) or WIDE.get(character)
    if known:
        return known
    if is_cjk(character):
        return 1.0
    return CAPITAL if character.isupper() else SMALL


def has_hidden_gaps(run: Run, size: float) -> bool:
    """Whether a run is so wide that wide gaps must be between its words."""
    return (
        run.x1 - run.x0
        > MIN_HIDDEN_GAPS_WIDTH_TIMES * size * text_width(run.text.strip()) + MIN_HIDDEN_GAP_EM * size
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
