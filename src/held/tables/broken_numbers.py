"""Numbers that a narrow column broke over lines, whole again.

The lines of a cell are joined by a space, as words need it: "171,687,0" and "44" become "171,687,0 44", which
no program reads as a number. Two numbers may stand in one cell, too, so only a break that cannot lie between
numbers is closed.
"""

from __future__ import annotations

import re

_MONEY = r"[-−(（]?\d{1,3}(?:,\d{3})+\.\d\d[)）]?"
_MILLIONS = r"[-−(（]?\d{1,3}(?:,\d{3}){2,}[)）]?"  # a comma alone, without a point, could be a decimal mark
# A number, and how a line ends that breaks it off: within a group of thousands, or within the fraction.
# "1,234.5 6" could be a number and the mark of a note, but no column is narrow enough to break it.
_BROKEN = (
    (re.compile(f"{_MONEY}|{_MILLIONS}"), re.compile(r".*,\d{0,2}")),
    (re.compile(_MONEY), re.compile(r".{7,}\.\d?")),
)


def whole_number(text: str) -> str:
    """The number without the spaces of its line breaks; a text that could be anything else stays as it is."""
    if " " not in text:
        return text
    joined = text.replace(" ", "")
    *broken_off, _ = text.split(" ")
    for number, ending in _BROKEN:
        if number.fullmatch(joined) and all(map(ending.fullmatch, broken_off)):
            return joined
    return text
