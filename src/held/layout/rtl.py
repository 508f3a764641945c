"""Lines in scripts that are written from right to left, put into reading order.

PDFium puts the letters of a run into reading order, but runs stand where they are painted. In such a line the
runs follow each other from right to left, and numbers and foreign words among them from left to right, as
in the Unicode algorithm for bidirectional text (UAX 9).
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from held.document import Run
from held.reading.raw_page import RIGHT_TO_LEFT

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
