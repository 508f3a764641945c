"""Numerals other than digits: Chinese, roman, heavenly stems, English words, and their values.

Only what numbers headings: Chinese up to 9999, roman up to 99.
"""

from __future__ import annotations

CHINESE_DIGITS = {c: i for row in ("零一二三四五六七八九", "〇壹贰叁肆伍陆柒捌玖") for i, c in enumerate(row)}
CHINESE_DIGITS |= {"○": 0, "两": 2, "貳": 2, "參": 3, "陸": 6}
CHINESE_UNITS = {"十": 10, "拾": 10, "百": 100, "佰": 100, "千": 1000, "仟": 1000}
_ROMAN_DIGITS = {"I": 1, "V": 5, "X": 10, "L": 50, "C": 100, "D": 500, "M": 1000}
STEMS = "甲乙丙丁戊己庚辛壬癸"
WORDS = (
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
    "twenty",
)

ROMAN = r"(?=[IVXL])(?:XC|XL|L?X{0,3})(?:IX|IV|V?I{0,3})"
"""A regular expression for upper-case roman numerals from 1 to 99."""


def chinese_value(numeral: str) -> int | None:
    """The value of a Chinese numeral up to 9999 (二十一, 二〇, 壹佰), or None where it is malformed."""
    if not any(c in CHINESE_UNITS for c in numeral):
        return int("".join(str(CHINESE_DIGITS[c]) for c in numeral))
    if numeral[0] in "百佰千仟":
        return None
    total, digit, last_unit = 0, None, 10_000
    for c in numeral:
        unit = CHINESE_UNITS.get(c)
        if unit is None:
            if digit:
                return None
            digit = CHINESE_DIGITS[c]
        else:
            if unit >= last_unit or digit == 0:
                return None
            total, digit, last_unit = total + (1 if digit is None else digit) * unit, None, unit
    return total + (digit or 0)


def roman_value(numeral: str) -> int:
    """The value of a well-formed roman numeral of either case."""
    digits = [_ROMAN_DIGITS[c] for c in numeral.upper()]
    return sum(-d if d < after else d for d, after in zip(digits, [*digits[1:], 0], strict=True))
