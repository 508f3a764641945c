"""Numerals and their values: digits, Chinese, roman, letters of several alphabets, single glyphs.

Only what numbers headings: Chinese up to 9999, roman up to 99. A numeral is read as its value and as the
first numeral of its kind, which names the kind: "(c)" is 3 and "(a)".
"""

from __future__ import annotations

import re
import unicodedata
from itertools import pairwise
from typing import NamedTuple

CHINESE_DIGITS = {c: i for row in ("零一二三四五六七八九", "〇壹贰叁肆伍陆柒捌玖") for i, c in enumerate(row)}
CHINESE_DIGITS |= {"○": 0, "两": 2, "貳": 2, "參": 3, "陸": 6}
CHINESE_UNITS = {"十": 10, "拾": 10, "百": 100, "佰": 100, "千": 1000, "仟": 1000}
HEAVENLY_STEMS = "甲乙丙丁戊己庚辛壬癸"
INSERTED = "之"  # 第十条之一 is inserted after 第十条

ROMAN = r"(?=[IVXL])(?:XC|XL|L?X{0,3})(?:IX|IV|V?I{0,3})"
"""A regular expression for upper-case roman numerals from 1 to 99."""
_ROMAN_DIGITS = {"I": 1, "V": 5, "X": 10, "L": 50, "C": 100, "D": 500, "M": 1000}

_CYRILLIC = "абвгдежзиклмнопрстуфхцчшщэюя"  # ё, й and the signs number nothing
_GREEK = "αβγδεζηθικλμνξοπρστυφχψω"
_KANA = "アイウエオカキクケコサシスセソタチツテトナニヌネノハヒフヘホマミムメモヤユヨラリルレロワ"
_HANGUL = "가나다라마바사아자차카타파하"
_HANGUL_CONSONANTS = "\u1100\u1102\u1103\u1105\u1106\u1107\u1109\u110b\u110c\u110e\u110f\u1110\u1111\u1112"
_HEBREW = "אבגדהוזחטיכלמנסעפצקרשת"
_ARABIC = "أبجدهوزحطيكلمنسعفصقرشتثخذضظغ"  # in the order of numerals, not of the dictionary
ALPHABETS = (
    *(_CYRILLIC, _CYRILLIC.upper(), _GREEK, _GREEK.upper()),
    *(_KANA, _HANGUL, _HANGUL_CONSONANTS, _HEBREW, _ARABIC),
)
"""Letters that number the items of lists, in their order: а) б) в), 가. 나. 다. Latin letters are apart,
since they may be roman numerals."""
ALPHABET_OF = {letter: alphabet for alphabet in ALPHABETS for letter in alphabet}
LETTERS_OF_LISTS = "Aa" + "".join(alphabet[0] for alphabet in ALPHABETS)
"""The first letter of each alphabet: what stands for all of its letters in a template."""

DECIMALS = {
    code: str(unicodedata.decimal(chr(code)))
    for first in (0x660, 0x6F0, 0x966, 0x9E6, 0xE50)
    for code in range(first, first + 10)
}
"""Digits that NFKC leaves alone, Arabic, Persian, Devanagari, Bengali and Thai, for `str.translate`."""

NUMBER_WORD = "one"
"""Stands for a number word in a template."""

_TOKENS = re.compile(r"[0-9]+|[A-Za-z]+|[.\-]")
_IS_ROMAN = re.compile(rf"(?i:{ROMAN}|[CDM])\Z")
_BEFORE_A = ord("A") - 1


def chinese_value(numeral: str) -> int | None:
    """The value of a Chinese numeral up to 9999 (二十一, 二〇, 壹佰), or None where it is malformed."""
    if not any(c in CHINESE_UNITS for c in numeral):
        return int("".join(str(CHINESE_DIGITS[c]) for c in numeral))
    if numeral[0] in "百佰千仟":
        return None
    total = 0
    digit: int | None = None
    last_unit = 10_000
    for c in numeral:
        unit = CHINESE_UNITS.get(c)
        if unit is None:
            if digit:
                return None
            digit = CHINESE_DIGITS[c]
            continue
        if unit >= last_unit or digit == 0:
            return None
        total += unit if digit is None else digit * unit
        digit = None
        last_unit = unit
    return total + (digit or 0)


def roman_value(numeral: str) -> int:
    """The value of a well-formed roman numeral of either case."""
    digits = [_ROMAN_DIGITS[c] for c in numeral.upper()]
    # A digit before a larger one is subtracted: IX is -1 + 10.
    return sum(-digit if digit < after else digit for digit, after in pairwise([*digits, 0]))


class Reading(NamedTuple):
    """A way to read a number; `template` has the first numeral of its kind in place of each."""

    value: tuple[int, ...]
    template: str


def number_readings(number: str) -> list[Reading]:
    """The ways to read a number, the likelier first: two for a lone letter that may be a roman digit."""
    number = "".join(number.split())
    if number[0] in CHINESE_DIGITS or number[0] in CHINESE_UNITS:
        return _chinese_readings(number)
    if number[0] in HEAVENLY_STEMS:
        return [Reading((HEAVENLY_STEMS.index(number[0]) + 1,), "甲")]
    if number[0] in ALPHABET_OF:
        alphabet = ALPHABET_OF[number[0]]
        return [Reading((alphabet.index(number[0]) + 1,), alphabet[0])]
    head, *rest = _TOKENS.findall(number)
    tail, dots = _tail(rest)
    if head.isdigit():
        return [Reading(_without_zeros((int(head), *tail)), "1" + dots)]
    return _letter_readings(head, tail, dots)


def read_number_word(value: int) -> Reading:
    """The reading of a number word of this value."""
    return Reading((value,), NUMBER_WORD)


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
    """The readings of letters. A lone I, V or X is more likely roman, other lone letters are not."""
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
    values = []
    dots = ""
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


# --- numbers that are one glyph, which NFKC normalisation would destroy ---


def _glyphs(first: int, last: int, value: int = 1) -> dict[str, int]:
    """The glyphs of a range of code points, the first of which has this value."""
    return {chr(code): value + offset for offset, code in enumerate(range(first, last + 1))}


CIRCLED_VALUES = {
    **_glyphs(0x2460, 0x2473),  # ① to ⑳
    **_glyphs(0x3251, 0x325F, 21),  # ㉑ to ㉟
    **_glyphs(0x32B1, 0x32BF, 36),  # ㊱ to ㊿
    **_glyphs(0x24EA, 0x24EA, 0),  # ⓪
    **_glyphs(0x2776, 0x277F),  # ❶ to ❿
    **_glyphs(0x2780, 0x2789),  # ➀ to ➉
    **_glyphs(0x278A, 0x2793),  # ➊ to ➓
    **_glyphs(0x24EB, 0x24F4, 11),  # ⓫ to ⓴
    **_glyphs(0x24F5, 0x24FE),  # ⓵ to ⓾
    **_glyphs(0x3280, 0x3289),  # ㊀ to ㊉
}
BRACKETED_VALUES = {
    **_glyphs(0x2474, 0x2487),  # ⑴ to ⒇
    **_glyphs(0x2488, 0x249B),  # ⒈ to ⒛
}
BRACKETED_CHINESE_VALUES = _glyphs(0x3220, 0x3229)  # ㈠ to ㈩


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
