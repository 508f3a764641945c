"""Lines in scripts that are written from right to left, in the order in which they are read.

PDFium puts the letters of a run into reading order, but runs stand where they are painted. In such a line the
runs follow each other from right to left, and numbers and foreign words among them from left to right, as
the Unicode algorithm for bidirectional text (UAX 9) lays them out.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from held.document import Run
from held.reading.raw_page import RIGHT_TO_LEFT

LEADING_SIGNS = re.compile("[.,:;!?%،؛؟]+")
OPENING, CLOSING = "([{«", ")]}»"
BRACKET = re.compile(f"[{re.escape(OPENING + CLOSING)}]")
OTHER_BRACKET = str.maketrans(OPENING + CLOSING, CLOSING + OPENING)


def is_rtl(text: str) -> bool:
    """Whether most letters of a text belong to a script that is written from right to left."""
    if text.isascii() or not RIGHT_TO_LEFT.search(text):
        return False
    letters = sum(map(str.isalpha, text))
    return 2 * len(RIGHT_TO_LEFT.findall(text)) > letters


def rtl_reading_order(runs: Sequence[Run]) -> list[Run]:
    """The runs of a line that reads from right to left, given from left to right."""
    ordered: list[Run] = []
    foreign: list[Run] = []  # numbers and words that read from left to right, with what stands between them
    for run in reversed(runs):
        is_sign_between = bool(foreign) and not RIGHT_TO_LEFT.search(run.text)
        if is_sign_between or _reads_rightward(run.text):
            foreign.insert(0, run)
        else:
            ordered += _with_signs_behind(foreign)
            foreign = []
            ordered.append(run)
    ordered += _with_signs_behind(foreign)
    return _with_brackets_turned(ordered)


def _reads_rightward(text: str) -> bool:
    return not RIGHT_TO_LEFT.search(text) and any(map(str.isalnum, text))


def _with_signs_behind(foreign: Sequence[Run]) -> list[Run]:
    """The runs with the signs at their left end moved behind them: a stop after a number is the line's."""
    first = 0
    while first < len(foreign) and not _reads_rightward(foreign[first].text):
        first += 1
    signs = list(foreign[:first])
    words = list(foreign[first:])
    if words:
        led_by = LEADING_SIGNS.match(words[0].text)
        if led_by and len(words) == 1:
            words[0] = words[0]._replace(text=words[0].text[led_by.end() :] + led_by[0])
    return [*words, *reversed(signs)]


def _with_brackets_turned(runs: list[Run]) -> list[Run]:
    """The runs, their brackets as they are meant where they came as they are painted: a closing one first."""
    first = BRACKET.search("".join([run.text for run in runs]))
    if first is None or first[0] in OPENING:
        return runs
    return [run._replace(text=run.text.translate(OTHER_BRACKET)) for run in runs]
