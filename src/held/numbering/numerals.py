"""Numerals other than digits: Chinese, roman, heavenly stems, English words, and their values.

Only what numbers headings: Chinese up to 9999, roman up to 99.
"""

from __future__ import annotations

import re
import unicodedata
from typing import NamedTuple

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


INSERTED = "之"  # 第十条之一 is inserted after 第十条
_TOKENS = re.compile(r"[0-9]+|[A-Za-z]+|[.\-]")
_IS_ROMAN = re.compile(rf"(?i:{ROMAN}|[CDM])\Z")
_BEFORE_A = ord("A") - 1


class Reading(NamedTuple):
    """A way to read a number; `template` has the first numeral of its kind in place of each."""

    value: tuple[int, ...]
    template: str


def readings_of(number: str) -> list[Reading]:
    """The ways to read a number, the likelier first: two for a lone letter that may be a roman digit."""
    number = "".join(number.split())
    if number[0] in CHINESE_DIGITS or number[0] in CHINESE_UNITS:
        return _chinese_readings(number)
    if number[0] in STEMS:
        return [Reading((STEMS.index(number[0]) + 1,), "甲")]
    if number.lower() in WORDS:
        return [Reading((WORDS.index(number.lower()) + 1,), "one")]
    head, *rest = _TOKENS.findall(number)
    tail, dots = _tail(rest)
    if head.isdigit():
        return [Reading(_without_zeros((int(head), *tail)), "1" + dots)]
    return _letter_readings(head, tail, dots)


def _chinese_readings(number: str) -> list[Reading]:
    """The reading of a Chinese number, none where it is malformed."""
    value: list[int] = []
    for part in number.split(INSERTED):
        found = chinese_value(part)
        if found is None:
            return []
        value.append(found)
    return [Reading(tuple(value), "一")]


def _letter_readings(head: str, tail: tuple[int, ...], dots: str) -> list[Reading]:
    """A lone letter as such, a roman numeral as such; of I, V and X the roman reading is the likelier."""
    readings = []
    if len(head) == 1:
        first = "A" if head.isupper() else "a"
        readings.append(Reading((ord(head.upper()) - _BEFORE_A, *tail), first + dots))
    if _IS_ROMAN.match(head):
        first = "Ⅰ" if head.isupper() else "ⅰ"
        roman = Reading((roman_value(head), *tail), first + dots)
        readings.insert(0 if head in "IVXivx" else 1, roman)
    return readings


def _tail(tokens: list[str]) -> tuple[tuple[int, ...], str]:
    """The values after a number's head and the template of its dots: 1.2 and 7A alike have two values."""
    values, dots = [], ""
    for token in tokens:
        if token.isdigit():
            values.append(int(token))
            dots += ".1"
        elif token.isalpha():
            values.append(ord(token.upper()) - _BEFORE_A)
    return tuple(values), dots


def _without_zeros(value: tuple[int, ...]) -> tuple[int, ...]:
    """The value without trailing zeros: 1.0 heads 1.1 and is followed by 2.0."""
    while len(value) > 1 and value[-1] == 0:
        value = value[:-1]
    return value


# --- numbers that are one glyph, which NFKC would destroy ---


def glyph_run(first: int, last: int, value: int = 1) -> dict[str, int]:
    """The glyphs of a run of code points, the first of which has this value."""
    return {chr(code): value + place for place, code in enumerate(range(first, last + 1))}


CIRCLED_VALUES = {
    **glyph_run(0x2460, 0x2473),  # ① to ⑳
    **glyph_run(0x3251, 0x325F, 21),  # ㉑ to ㉟
    **glyph_run(0x32B1, 0x32BF, 36),  # ㊱ to ㊿
    **glyph_run(0x24EA, 0x24EA, 0),  # ⓪
    **glyph_run(0x2776, 0x277F),  # ❶ to ❿
    **glyph_run(0x2780, 0x2789),  # ➀ to ➉
    **glyph_run(0x278A, 0x2793),  # ➊ to ➓
    **glyph_run(0x24EB, 0x24F4, 11),  # ⓫ to ⓴
    **glyph_run(0x24F5, 0x24FE),  # ⓵ to ⓾
    **glyph_run(0x3280, 0x3289),  # ㊀ to ㊉
}
BRACKETED_VALUES = {
    **glyph_run(0x2474, 0x2487),  # ⑴ to ⒇
    **glyph_run(0x2488, 0x249B),  # ⒈ to ⒛
}
BRACKETED_CHINESE_VALUES = glyph_run(0x3220, 0x3229)  # ㈠ to ㈩


def read_circled(glyph: str) -> Reading:
    """The reading of ① and its like."""
    return Reading((CIRCLED_VALUES[glyph],), "①")


def read_bracketed(glyph: str) -> Reading:
    """The reading of ⑴ and ⒈."""
    return Reading((BRACKETED_VALUES[glyph],), "⑴")


def read_bracketed_chinese(glyph: str) -> Reading:
    """The reading of ㈠."""
    return Reading((BRACKETED_CHINESE_VALUES[glyph],), "㈠")


def read_roman_glyphs(glyphs: str) -> Reading:
    """The reading of Ⅳ and ⅩⅢ: capitals come first in Unicode."""
    value = roman_value(unicodedata.normalize("NFKC", glyphs))
    return Reading((value,), "Ⅰ" if glyphs[0] < "ⅰ" else "ⅰ")


def read_bullet(glyphs: str) -> Reading:
    """The reading of a bullet, which counts nothing."""
    return Reading((), glyphs)
