"""Numerals and their values: digits, Chinese, roman, letters, single glyphs; and numbers beside a word.

Only what numbers headings: Chinese up to 9999, roman up to 99. `parsing` reads a number as its value and as
the first numeral of its kind, which names the kind: "(c)" is 3 and "(a)".
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping
from itertools import pairwise
from string import ascii_uppercase
from typing import NamedTuple

from held.numbering.words import (
    LANGUAGES,
    SECTION_KINDS,
    LabelWord,
    WordTable,
    all_labels,
    first_ordinals,
    number_values,
)
from held.system import lazy_pattern

CHINESE_DIGITS = {c: i for row in ("零一二三四五六七八九", "〇壹贰叁肆伍陆柒捌玖") for i, c in enumerate(row)}
CHINESE_DIGITS |= {"○": 0, "两": 2, "貳": 2, "參": 3, "陸": 6}
CHINESE_UNITS = {"十": 10, "拾": 10, "百": 100, "佰": 100, "千": 1000, "仟": 1000}
HEAVENLY_STEMS = "甲乙丙丁戊己庚辛壬癸"
INSERTED = "之"  # 第十条之一 is inserted after 第十条

ROMAN = r"(?=[IVXL])(?:XC|XL|L?X{0,3})(?:IX|IV|V?I{0,3})"
"""A regular expression for upper-case roman numerals from 1 to 99."""
_ROMAN_DIGITS = {"I": 1, "V": 5, "X": 10, "L": 50, "C": 100, "D": 500, "M": 1000}

_CYRILLIC = "абвгдежзиклмнопрстуфхцчшщэюя"  # ё, й and the signs number nothing
GREEK = "αβγδεζηθικλμνξοπρστυφχψω"
_KANA = "アイウエオカキクケコサシスセソタチツテトナニヌネノハヒフヘホマミムメモヤユヨラリルレロワ"
_HANGUL = "가나다라마바사아자차카타파하"
_HANGUL_CONSONANTS = "\u1100\u1102\u1103\u1105\u1106\u1107\u1109\u110b\u110c\u110e\u110f\u1110\u1111\u1112"
HEBREW = "אבגדהוזחטיכלמנסעפצקרשת"
_ARABIC = "أبجدهوزحطيكلمنسعفصقرشتثخذضظغ"  # in the order of numerals, not of the dictionary
_HEBREW_VALUES = dict(zip(HEBREW, (*range(1, 10), *range(10, 100, 10), *range(100, 500, 100)), strict=True))
HEBREW_NUMERAL = '(?:[יכל]|ט(?=["״]?[וז]))["״]?[א-ט]'
"""A regular expression for Hebrew numerals of two letters, 11 to 39: י"א, ט"ו, כא."""
_GREEK_UNITS = ("Α", "Β", "Γ", "Δ", "Ε", "ΣΤ", "Ζ", "Η", "Θ")  # as numerals, ΣΤ comes between Ε and Ζ
_GREEK_TENS = ("Ι", "Κ", "Λ")
GREEK_VALUES = {unit: value for value, unit in enumerate(_GREEK_UNITS, start=1)}
GREEK_VALUES |= {
    ten + unit: 10 * tens + value
    for tens, ten in enumerate(_GREEK_TENS, start=1)
    for value, unit in enumerate(("", *_GREEK_UNITS))
}
GREEK_NUMERAL = f"(?:[{''.join(_GREEK_TENS)}]?(?:ΣΤ|[Α-ΕΖΗΘ])|[{''.join(_GREEK_TENS)}])['’′]"
"""A regular expression for Greek numerals up to 39 with their mark: Β', ΣΤ', ΙΑ'."""
ALPHABETS = (
    *(_CYRILLIC, _CYRILLIC.upper(), GREEK, GREEK.upper()),
    *(_KANA, _HANGUL, _HANGUL_CONSONANTS, HEBREW, _ARABIC),
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


def hebrew_value(numeral: str) -> int:
    """The value of a Hebrew numeral, the sum of its letters; signs between them count nothing."""
    return sum(_HEBREW_VALUES.get(letter, 0) for letter in numeral)


class Reading(NamedTuple):
    """A way to read a number; `template` has the first numeral of its kind in place of each."""

    value: tuple[int, ...]
    template: str


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
    **_glyphs(0x3260, 0x326D),  # ㉠ to ㉭
    **_glyphs(0x326E, 0x327B),  # ㉮ to ㉻
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


# --- numbers beside a word ---
#
# Numbers beside a word of any language: Chapter 3, Erster Teil, 3. fejezet, Глава первая.
#
# The words are looked up, not matched by an expression: a line whose first word is none of them, as most
# are, costs one look-up, however many languages there are. Words that enclose their number (第三章) are
# patterns.

LATIN_LETTERS_NEXT = r"(?![0-9A-Za-z\u00c0-\u024f\u0370-\u052f\u1e00-\u1fff]|[-/][0-9A-Za-z](?![A-Za-z]))"
_CAPITALS = "".join(alphabet for alphabet in ALPHABETS if not alphabet.islower())
NUMBER = (
    rf"(?P<n>[0-9]{{1,4}}(?:[.\-][0-9]{{1,3}})*[A-Za-z]?|{ROMAN}|[A-Z](?:[.\-]?[0-9]{{1,2}})*"
    rf"|(?i:(?=[IVXL]{{2}}){ROMAN})|{HEBREW_NUMERAL}|{GREEK_NUMERAL}|[{_CAPITALS}]['’′׳]?(?!\w))"
    rf"(?:\.?°|er|re|-a|-lea|[οηΟΗ](?!\w))?{LATIN_LETTERS_NEXT}"
)
"""A number beside a word, as a regular expression: 3, 3.2, 7A, IV, B.1, iv, Б, Α', ט"ו, II-a and 1ο."""

_WORD = r"[^\W\d_]+(?:['’·-][^\W\d_]+)*"
_NUMBER_SIGN = r"(?i:(?:n\.?\s?°|n[or]?\.|n[or](?=\s?[0-9])|č\.|رقم)\s*)?"  # Anlage Nr. 2, Приложение № 1
NUMBERED = r"(?i:(?:számú\s|sz\.)\s*)?"
"""What Hungarian puts between a number and its word, as a regular expression: 1. számú melléklet."""
_FIRST_WORD = re.compile(_WORD)
_NEXT_WORD = re.compile(rf"\s+({_WORD})")
_NUMBER_AFTER_WORD = lazy_pattern(rf"(?:\s*|-){_NUMBER_SIGN}{NUMBER}")
_NUMBER_IN_BRACKETS = lazy_pattern(r"\s*\(\s?(?P<n>[0-9]{1,4})\s?\)")
_NUMBER_WORDS = lazy_pattern(rf"\s+({_WORD})(?:\s+({_WORD}))?")
_NUMBER_BEFORE_WORD = lazy_pattern(
    rf"(?P<n>[0-9]{{1,3}}|(?![Ll][AaEe])(?i:{ROMAN})|[A-Z](?=\.))(?P<mark>\s?\.°?|°|-?[^\W\d_]{{1,3}})?"
    rf"\s+{NUMBERED}({_WORD})"
)
_LETTERS_OF_APPENDICES = frozenset(ascii_uppercase) - frozenset("IVX")  # those are numerals: V. fejezet
_LONE_LETTER = lazy_pattern(r"[A-Z]|[^\x00-\u024f]")
_SET_APART = lazy_pattern(r"\s*(?:\Z|[.:)\]—–-])")
_SENTENCE = re.compile(r"\s+([^\W\d_])")
_DOTTED_I = "i\u0307"  # the lower case of the Turkish capital İ

# What follows the number of a word that comes after it, as `words` writes it
_ENDING = "e"
_FRENCH_ENDINGS = ("e", "er", "re", "ère", "ere", "ème", "eme")
_ROMAN_MARKS = frozenset(("", ".", *_FRENCH_ENDINGS))  # but "In Section 3" begins a sentence
_COUNTED_BY_ORDINALS = frozenset(SECTION_KINDS) - {"item", "note"}  # "First note that …"
_ENGLISH_CARDINALS = frozenset(LANGUAGES["en"].cardinals.split())
_ENDINGS = frozenset(
    (
        *("°", ".°", *_FRENCH_ENDINGS, "nd", "nde"),
        *("st", "rd", "th", "r", "n", "t", "è", "a", "o"),
        *("я", "й", "е", "-я", "-й", "-е"),
        *("ο", "η", "ος"),
    )
)


class LabelledNumber(NamedTuple):
    """A number beside a word: the texts before and after the number, the number, and where all of it ends.

    `value` is the value of a number word, None where the number is written in digits or letters.
    """

    kind: str
    before: str
    number: str
    after: str
    end: int
    value: int | None = None


def labelled_number(text: str) -> LabelledNumber | None:
    """The number beside a word at the head of a text in NFKC form, or None."""
    return find_labelled(text, all_labels())


def find_labelled(text: str, table: WordTable) -> LabelledNumber | None:
    """The number beside one of the words of a table at the head of a text."""
    first = _FIRST_WORD.match(text)
    if first is None:
        return _number_first(text, table) if text[:1].isdigit() else None
    word = _lower(first[0])
    label_word = word if word in table.before else word.partition("-")[0]  # Annexure-A, Part-II
    for label in table.before.get(label_word, ()):
        found = _number_after(text, first.start() + len(label_word), label)
        if found is not None:
            return found
    if word in table.ordinals or word in first_ordinals():
        for ordinals, end in _ordinals_at(text, word, first.end(), table):
            found = _ordinal_first(text, end, ordinals, table)
            if found is not None:
                return found
    return _number_first(text, table) if text[0] in "IVXLivxl" or text[1:2] == "." else None


def _number_after(text: str, start: int, label: LabelWord) -> LabelledNumber | None:
    """The number that follows a label, whose first word ends at `start`."""
    end = _label_end(text, start, label)
    if end is None:
        return None
    number = _NUMBER_AFTER_WORD.match(text, end)
    if number is None and "en" not in label.languages:  # "Section (1) of this Act" begins sentences
        number = _NUMBER_IN_BRACKETS.match(text, end)
    if number is not None and (number.start("n") > end or label.has_dot):
        if "en" in label.languages or _heads_title(text, number, label):
            return LabelledNumber(label.kind, text[: number.start("n")], number["n"], "", number.end())
        return None
    words = _NUMBER_WORDS.match(text, end)
    if words is None:
        return None
    found = _number_word(words, label)
    if found is None:
        return None
    value, number_end = found
    return LabelledNumber(label.kind, text[: words.start(1)], "", "", number_end, value)


def _label_end(text: str, start: int, label: LabelWord) -> int | None:
    """Where a label ends whose first word ends at `start`; None where it is another."""
    if label.has_dot:
        return start + 1 if text[start : start + 1] == "." else None
    end = start
    for word in label.rest:
        following = _NEXT_WORD.match(text, end)
        if following is None or _lower(following[1]) != word:
            return None
        end = following.end()
    return end


def _heads_title(text: str, number: re.Match[str], label: LabelWord) -> bool:
    """Whether a number and its word head a title: a sentence goes on in lower case.

    A lone letter may be a word: "PARTE E RESPONSABILIDADE".
    """
    numeral = number["n"]
    is_lone_letter = _LONE_LETTER.fullmatch(numeral) is not None and numeral not in "IVX"
    # Appendices are lettered: "ANHANG A TABELLEN".
    may_be_word = is_lone_letter and label.kind != "appendix"
    if may_be_word and not _SET_APART.match(text, number.end()):
        return False
    return not _goes_on(text, number.end())


def _goes_on(text: str, end: int) -> bool:
    """Whether a sentence goes on here: "Kapitel 3 beschreibt …", "Del 1 de enero …"."""
    following = _SENTENCE.match(text, end)
    return following is not None and following[1].islower()


def _number_word(words: re.Match[str], label: LabelWord) -> tuple[int, int] | None:
    """The value and the end of a number word of two words or one, in a language of the label."""
    for group in (2, 1):
        if words[group] is None:
            continue
        word = _lower(words[1] + (words[2] if group == 2 else ""))
        # "Part one of the voyage" is as likely a title as a sentence, "Note first that" is none.
        is_title = not _goes_on(words.string, words.end(group))
        for language in label.languages:
            value = number_values(language).get(word)
            if value is not None and (is_title or word in _ENGLISH_CARDINALS):
                return value, words.end(group)
    return None


def _ordinals_at(text: str, word: str, end: int, table: WordTable) -> Iterator[tuple[Mapping[str, int], int]]:
    """The values of the ordinal at the head of a text, by language, and where it ends.

    `word` is the first word, which ends at `end`. The ordinal may have two words: Décimo tercera parte.
    """
    ordinals = table.ordinals.get(word)
    if ordinals is not None:
        yield ordinals, end
    if word in first_ordinals():
        following = _NEXT_WORD.match(text, end)
        both = table.ordinals.get(word + _lower(following[1])) if following else None
        if following and both is not None:
            yield both, following.end()


def _ordinal_first(
    text: str, start: int, ordinals: Mapping[str, int], table: WordTable
) -> LabelledNumber | None:
    """The number of an ordinal before its word: Erster Teil, Première partie."""
    following = _NEXT_WORD.match(text, start)
    if following is None or _goes_on(text, following.end()):
        return None
    word = _lower(following[1])
    for label in table.before.get(word, ()):
        if label.rest or label.has_dot or label.kind not in _COUNTED_BY_ORDINALS:
            continue
        for language in label.languages & ordinals.keys():
            return LabelledNumber(label.kind, "", "", word, following.end(), ordinals[language])
    return None


def _number_first(text: str, table: WordTable) -> LabelledNumber | None:
    """The number before its word: 3. fejezet, 4 luku, 1er chapitre, IIe partie."""
    found = _NUMBER_BEFORE_WORD.match(text)
    if found is None:
        return None
    kinds = table.after.get(_lower(found[3]))
    if kinds is None or _goes_on(text, found.end()):
        return None
    mark = (found["mark"] or "").strip().lower()
    if found["n"].isalpha() and mark not in _ROMAN_MARKS:
        return None
    kind = kinds.get(_ENDING if mark in _ENDINGS else mark)
    is_lettered = found["n"] in _LETTERS_OF_APPENDICES
    if kind is None or (is_lettered and kind != "appendix"):
        return None
    return LabelledNumber(kind, "", found["n"], _lower(found[3]), found.end())


def _lower(word: str) -> str:
    return word.lower().replace(_DOTTED_I, "i").replace("’", "'")
