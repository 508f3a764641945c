"""Numbers that a narrow cell broke over lines, whole again.

The lines of a cell are joined by a space, as words need it: "171,687,0" and "44" would become "171,687,0 44",
which no program reads as a number. Two numbers may stand upon each other in one cell, too. So lines are put
together only where what stands before a break is no number by itself: by its groups of digits alone, or, if
it had no room for a further digit, as amounts with two decimals are written.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import accumulate, pairwise

_MONEY = r"[-−(（]?\d{1,3}(?:,\d{3})+\.\d\d[)）]?"
_MILLIONS = r"[-−(（]?\d{1,3}(?:,\d{3}){2,}[)）]?"  # a comma alone, without a point, could be a decimal mark
# A number, and how a line ends that breaks it off: within a group of thousands, or within the fraction.
# "1,234.5 6" could be a number and the mark of a note, but no column is narrow enough to break it.
_BROKEN = (
    (re.compile(f"{_MONEY}|{_MILLIONS}"), re.compile(r".*,\d{0,2}")),
    (re.compile(_MONEY), re.compile(r".{7,}\.\d?")),
)
_AMOUNT = re.compile(r"[-−(（]?\d{1,3}(?:,\d{3})*(?:\.\d\d)?[%％]?[)）]?")


def whole_number(lines: Sequence[str], *, filled: bool) -> str | None:
    """The number that the lines of a cell are together, None where they could be anything else.

    `filled` tells that no line but the last had room for more.
    """
    joined = "".join(lines)
    breaks = list(_breaks(lines))
    if filled and _AMOUNT.fullmatch(joined):
        return None if any(map(_AMOUNT.fullmatch, breaks)) else joined
    for number, ending in _BROKEN:
        if number.fullmatch(joined) and all(map(ending.fullmatch, breaks)):
            return joined
    return None


def _breaks(lines: Sequence[str]) -> Iterator[str]:
    """What stands before each break that could part two numbers: none begins with a comma or a point."""
    for before, after in pairwise(accumulate(lines)):
        if after[len(before)] not in ",.":
            yield before
