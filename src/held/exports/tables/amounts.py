"""What the numbers in a table's cells are worth, as accounts print them.

Only what can be read in one way is a number: `1.2亿`, `1,234 (1)` or `2023-12-31` stay text, as do item
numbers with leading zeros (`000725` is a share) and digits that no spreadsheet can hold. Percentages are
worth what is printed, 12.5 and not 0.125: the sign tells a unit, as `$` does.
"""

from __future__ import annotations

import re

from held.layout.tables.surroundings import CURRENCY

Value = str | int | float | None

MOST_DIGITS = 15  # what a double holds exactly, and a spreadsheet shows
WIDE = str.maketrans("０１２３４５６７８９，．（）％＋－＄￥　", "0123456789,.()%+-$¥ ")
BLANK = re.compile(r"(?:[$€£¥]\s*)?[-–—−‒―]*\s*%?")
NARROW_SPACES = "\u00a0\u2009\u202f"
DRESSED = re.compile(
    rf"(?P<opened>\()?\s*(?P<sign>[-−–+])?\s*(?:{CURRENCY})?\s*(?P<inner>\()?\s*(?P<later_sign>[-−–])?"
    rf"(?P<digits>\d[\d.,'’{NARROW_SPACES} ]*|\.\d+)"
    rf"\s*%?\s*(?P<closed>\))?\s*(?:%|{CURRENCY})?"
)
BY_COMMAS = r"\d{1,3}(?:,\d{3})+|\d{1,2}(?:,\d{2})+,\d{3}"  # the second as in India: 12,34,567
BY_POINTS = r"\d{1,3}(?:\.\d{3})+"
BY_SPACES = rf"\d{{1,3}}(?:[{NARROW_SPACES}'’]\d{{3}})+"
BY_PLAIN_SPACES = r"\d{1,3}(?: \d{3})+"
# How thousands are grouped beside each decimal mark. A plain space groups only where commas are decimal:
# elsewhere it is more often two numbers that came into one cell.
GROUPED = {
    ".": re.compile(rf"\d+|{BY_COMMAS}|{BY_SPACES}"),
    ",": re.compile(rf"\d+|{BY_POINTS}|{BY_SPACES}|{BY_PLAIN_SPACES}"),
}


def value_of(text: str, *, decimal: str = ".") -> Value:
    """The number that a cell shows, None for a blank or a dash, else the text itself.

    `decimal` is the mark before the fraction, "." or ","; the other one groups thousands.
    """
    plain = text.translate(WIDE).strip()
    if BLANK.fullmatch(plain):
        return None
    number = _number(plain, decimal)
    return text if number is None else number


def is_number(text: str) -> bool:
    """Whether a text is a number as it is printed, with either decimal mark."""
    return any(isinstance(value_of(text, decimal=mark), int | float) for mark in GROUPED)


def _number(plain: str, decimal: str) -> int | float | None:
    dressed = DRESSED.fullmatch(plain)
    if dressed is None:
        return None
    opened = dressed["opened"] or dressed["inner"]
    if bool(opened) != bool(dressed["closed"]) or (dressed["opened"] and dressed["inner"]):
        return None
    signs = [sign for sign in (dressed["sign"], dressed["later_sign"]) if sign]
    if len(signs) + bool(opened) > 1:
        return None
    worth = _worth(dressed["digits"].strip(), decimal)
    negative = bool(opened) or any(sign != "+" for sign in signs)
    return -worth if worth is not None and negative else worth


def _worth(digits: str, decimal: str) -> int | float | None:
    """What digits with their marks are worth, None where they are grouped otherwise than numbers are."""
    whole, mark, fraction = digits.partition(decimal)
    if mark and not fraction.isdecimal():
        return None
    if whole and not GROUPED[decimal].fullmatch(whole):
        return None
    bare = re.sub(r"\D", "", whole) or "0"
    if len(bare) + len(fraction) > MOST_DIGITS or (len(bare) > 1 and bare.startswith("0")):
        return None
    return float(f"{bare}.{fraction}") if mark else int(bare)
