"""The numbers in table cells, as accounts print them.

Only what can be read in one way is a number: `1.2亿`, `1,234 (1)` or `2023-12-31` stay text, as do item
numbers with leading zeros (`000725` is a share) and numbers with more digits than a spreadsheet holds. A
percentage has the value that is printed, 12.5 and not 0.125: the sign is a unit, as `$` is.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple

from held.layout.tables.logical_grid import CURRENCY

Value = str | int | float | None

MAX_DIGITS = 15  # that a double holds exactly and a spreadsheet shows
FULL_WIDTH = str.maketrans("０１２３４５６７８９，．（）％＋－＄￥　", "0123456789,.()%+-$¥ ")
BLANK = re.compile(r"(?:[$€£¥]\s*)?[-–—−‒―]*\s*%?")
NARROW_SPACES = "\u00a0\u2009\u202f"
AMOUNT = re.compile(
    rf"(?P<open>\()?\s*(?P<sign>[-−–+])?\s*(?:{CURRENCY})?\s*(?P<inner_open>\()?\s*(?P<later_sign>[-−–])?"
    rf"(?P<digits>\d[\d.,'’{NARROW_SPACES} ]*|\.\d+)"
    rf"\s*%?\s*(?P<close>\))?\s*(?:%|{CURRENCY})?"
)
BY_COMMAS = r"\d{1,3}(?:,\d{3})+|\d{1,2}(?:,\d{2})+,\d{3}"  # the second as in India: 12,34,567
BY_POINTS = r"\d{1,3}(?:\.\d{3})+"
BY_SPACES = rf"\d{{1,3}}(?:[{NARROW_SPACES}'’]\d{{3}})+"
BY_PLAIN_SPACES = r"\d{1,3}(?: \d{3})+"
# The digit groups beside each decimal mark. A plain space separates thousands only where commas are decimal:
# elsewhere it is more often two numbers in one cell.
DIGIT_GROUPS = {
    ".": re.compile(rf"\d+|{BY_COMMAS}|{BY_SPACES}"),
    ",": re.compile(rf"\d+|{BY_POINTS}|{BY_SPACES}|{BY_PLAIN_SPACES}"),
}
# Numbers that show which mark is the decimal one: by a fraction that is no group of three digits, or by
# several groups.
_NUMBER = rf"(?<![\d.,'’{NARROW_SPACES}]){{}}(?![\d.,])"
DECIMAL_SIGNS = {
    ".": re.compile(
        _NUMBER.format(
            rf"(?:(?:{BY_COMMAS}|{BY_SPACES})\.\d+|\d*\.(?:\d{{1,2}}|\d{{4,}})|0\.\d+|\d{{1,3}}(?:,\d{{3}}){{2,}})"
        )
    ),
    ",": re.compile(
        _NUMBER.format(
            rf"(?:(?:{BY_POINTS}|{BY_SPACES}|{BY_PLAIN_SPACES}),\d+|\d+,(?:\d{{1,2}}|\d{{4,}})|0,\d+|\d{{1,3}}(?:\.\d{{3}}){{2,}})"
        )
    ),
}
SCALES = (
    (re.compile(r"billion|\bbn\b|十亿", re.I), 1_000_000_000),
    (re.compile(r"亿"), 100_000_000),
    (re.compile(r"million|\bmio\b|[$€£]\s?m\b|百万", re.I), 1_000_000),
    (re.compile(r"万"), 10_000),
    (re.compile(r"thousand|['’]000|\btausend|千", re.I), 1000),
)


def parse_value(text: str, *, decimal: str = ".") -> Value:
    """The number that a cell shows, None for a blank or a dash, else the text itself.

    `decimal` is the mark before the fraction, "." or ","; the other one separates thousands.
    """
    plain = text.translate(FULL_WIDTH).strip()
    if BLANK.fullmatch(plain):
        return None
    number = _parse_amount(plain, decimal)
    return text if number is None else number


class Amount(NamedTuple):
    """A number as a cell prints it: 12.5 for `12.5 %`, -1234 and `$` for `$(1,234)`."""

    value: int | float
    currency: str = ""
    is_percent: bool = False


def parse_amount(text: str, *, decimal: str = ".") -> Amount | None:
    """The number of a cell with its signs; None if the cell is no number."""
    value = parse_value(text, decimal=decimal)
    if not isinstance(value, int | float):
        return None
    plain = text.translate(FULL_WIDTH)
    currency = re.search(CURRENCY, plain)
    return Amount(value, currency[0].strip() if currency else "", "%" in plain)


def detect_decimal(texts: Iterable[str]) -> str | None:
    """The decimal mark that numbers show: "." or ","; None if no number tells, or as many tell either.

    `1.234,56`, `1 234,5` and `12,5` have a comma, `1,234.56`, `1'234.5` and `0.25` a point. `1,234` and
    `1.234` tell nothing, unless there are several marks: `1,234,567` groups thousands by commas.
    """
    votes: Counter[str] = Counter()
    for text in filter(is_amount, texts):
        votes.update(mark for mark, sign in DECIMAL_SIGNS.items() if sign.search(text))
    if votes["."] == votes[","]:
        return None
    return "." if votes["."] > votes[","] else ","


def parse_currency(unit: str) -> str:
    """The currency of a unit as it is printed: `$` for `$ in millions`, "" if it names none."""
    found = re.search(CURRENCY, unit)
    return found[0] if found else ""


def parse_scale(unit: str) -> int:
    """The factor of a unit as it is printed: 1000000 for `in millions`, 1 if it names none."""
    for pattern, factor in SCALES:
        if pattern.search(unit):
            return factor
    return 1


def is_amount(text: str) -> bool:
    """Whether a text is a number as it is printed, with either decimal mark."""
    return any(isinstance(parse_value(text, decimal=mark), int | float) for mark in DIGIT_GROUPS)


def _parse_amount(plain: str, decimal: str) -> int | float | None:
    amount = AMOUNT.fullmatch(plain)
    if amount is None:
        return None
    # Accounts print a negative number in parentheses: (1,234) or $(1,234).
    is_open = bool(amount["open"] or amount["inner_open"])
    opens_twice = amount["open"] and amount["inner_open"]
    if is_open != bool(amount["close"]) or opens_twice:
        return None
    signs = [sign for sign in (amount["sign"], amount["later_sign"]) if sign]
    if len(signs) + is_open > 1:
        return None
    value = _parse_digits(amount["digits"].strip(), decimal)
    is_negative = is_open or any(sign != "+" for sign in signs)
    return -value if value is not None and is_negative else value


def _parse_digits(digits: str, decimal: str) -> int | float | None:
    """The value of digits with their marks, None if they are not grouped as numbers are."""
    whole, mark, fraction = digits.partition(decimal)
    if mark and not fraction.isdecimal():
        return None
    if whole and not DIGIT_GROUPS[decimal].fullmatch(whole):
        return None
    bare = re.sub(r"\D", "", whole) or "0"
    has_leading_zero = len(bare) > 1 and bare.startswith("0")
    if has_leading_zero or len(bare) + len(fraction) > MAX_DIGITS:
        return None
    return float(f"{bare}.{fraction}") if mark else int(bare)
