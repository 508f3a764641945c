"""Reads the item number of a text, and compares numbers with each other.

`parse_number` is called for every line of a document, so it tries only the rules that can match the first
character. Texts are matched in NFKC form, except for the glyphs that NFKC would destroy.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from functools import cache, lru_cache
from typing import NamedTuple

from held.numbering.numerals import (
    ALPHABET_OF,
    CHINESE_DIGITS,
    CHINESE_UNITS,
    DECIMALS,
    GREEK,
    GREEK_NUMERAL,
    GREEK_VALUES,
    HEAVENLY_STEMS,
    HEBREW,
    INSERTED,
    LETTERS_OF_LISTS,
    NUMBER_WORD,
    ROMAN,
    Reading,
    chinese_value,
    hebrew_value,
    labelled_number,
    roman_value,
)
from held.numbering.patterns import (
    ANY_PRIVATE,
    LABELLED,
    LETTERS,
    PATTERN_BY_ID,
    PATTERNS,
    ROMAN_STARTS,
    SAME_WORD,
    Pattern,
    Rule,
)
from held.numbering.words import label_starts

NO_PATTERN = 0
"""Stands for the id of a pattern where a text has no number."""

_MAX_NUMBER = 64  # characters
_CACHED_TEXTS = 8192  # the lines of a document, which come again as objects
_TOKENS = re.compile(r"[0-9]+|[A-Za-z]+|[.\-]")
_IS_GREEK_NUMERAL = re.compile(rf"{GREEK_NUMERAL}\Z")
_IS_ROMAN = re.compile(rf"(?i:{ROMAN}|[CDM])\Z")
_BEFORE_A = ord("A") - 1
_ROMAN = "Ⅰⅰ"  # the numerals that stand for roman ones ...
_LETTER = "Aa"  # ... and for letters that may be roman
_INVISIBLE = "\u200b\ufeff\u00ad"
_LAST_BLANK = 0x3000  # the ideographic space
_BLANKS = "".join(c for c in map(chr, range(_LAST_BLANK + 1)) if c.isspace()) + _INVISIBLE
# NFKC would make letters of the ordinal signs, and of the marks of Greek numerals (Α΄) spaces and accents.
_PLAIN = {**DECIMALS, ord("º"): "°", ord("ª"): "°", 0x374: "'", 0x384: "'", ord("´"): "'"}
_PLAIN[0x66B] = "."  # the Arabic decimal separator: ١٫٢ is 1.2
# Vowel signs, which few texts print, and the stroke that widens Arabic words: الأوّل is الأول.
_PLAIN |= dict.fromkeys((0x640, *range(0x64B, 0x653), *range(0x5B0, 0x5BD), 0x5C1, 0x5C2), "")
_TO_PLAIN = re.compile(f"[{''.join(map(chr, _PLAIN))}]")
# Roman numerals typed with the Cyrillic and Greek letters that look like theirs: РОЗДІЛ ІІ. A lone letter is
# one only behind a word, and only І: the others number lists.
_ROMAN_LOOKALIKES = str.maketrans("ІХΙΧ", "IXIX")
_LIKE_ROMAN = re.compile(r"(?<!\w)(?=\w*[ІХΙΧ])[IVXLІХΙΧ]{2,}(?!['\w])|(?<=\s)[ІΙ](?!['\w])")
_NO_NUMBERS = ("<super>", "<sub>", "<fraction>")  # Unicode decompositions of ¹ and ½


class ItemNumber(NamedTuple):
    """An item number as read from a text.

    `title_start` indexes the raw text. `form` is the number with every numeral replaced by the first of its
    kind ("(a)", "1.1", "chapterⅠ"). It is finer than the pattern: "A." and "b)" are not one list. `numeral`
    is that first numeral. `alternative` is the other reading of a lone letter that may be a roman digit.
    """

    pattern: Pattern
    value: tuple[int, ...]
    title_start: int
    form: str
    numeral: str
    alternative: ItemNumber | None = None


def pattern_id(number: ItemNumber | None) -> int:
    """The id of a number's pattern, or NO_PATTERN: a feature of the models."""
    return NO_PATTERN if number is None else number.pattern.id


@lru_cache(maxsize=_CACHED_TEXTS)
def parse_number(text: str) -> ItemNumber | None:
    """The item number at the head of a text, or None."""
    start = 0
    if text[:1] in _BLANKS or text[:1].isspace():
        start = len(text) - len(text.lstrip(_BLANKS))
    first = text[start : start + 1]
    rules = _rules_for(first, begins_word=_begins_word(text, start))
    if not rules and (not first.isalpha() or _is_plain_ideograph(first)):
        return None
    raw = text[start : start + _MAX_NUMBER]
    head = raw if raw.isascii() else _normalize(raw)
    labelled = _labelled_item_numbers(text, start, raw, head)
    if labelled:
        return _with_alternative(labelled)
    for pattern, rule, regex in rules:
        matched = raw if rule.read_glyphs else head
        match = regex.match(matched)
        if match is None:
            continue
        end = match.end() if matched == raw else _raw_index(raw, match.end())
        readings = _item_numbers(pattern, rule, match, _title_start(text, start + end))
        if readings:
            return _with_alternative(readings)
    return None


def _normalize(text: str) -> str:
    """The text in NFKC form, with the digits of all scripts as ASCII digits."""
    if _TO_PLAIN.search(text):  # seldom, and translating takes ten times as long as the search
        text = text.translate(_PLAIN)
    text = unicodedata.normalize("NFKC", text)
    return _LIKE_ROMAN.sub(lambda numeral: numeral[0].translate(_ROMAN_LOOKALIKES), text)


def _is_plain_ideograph(character: str) -> bool:
    """Whether a character is a Chinese one with which no label begins; NFKC leaves these as they are."""
    return "\u3400" <= character <= "\u9fff" and character not in label_starts()


def _labelled_item_numbers(text: str, start: int, raw: str, head: str) -> list[ItemNumber]:
    """The readings of a number beside a word, the likelier first; none where there is no such number."""
    found = labelled_number(head)
    if found is None or found.kind not in LABELLED:
        return []
    end = found.end if head == raw else _raw_index(raw, found.end)
    title_start = _title_start(text, start + end)
    pattern = LABELLED[found.kind]
    readings = number_readings(found.number) if found.value is None else [read_number_word(found.value)]
    before = "".join(found.before.lower().split())
    before = SAME_WORD.get(before, before)
    return [
        ItemNumber(pattern, value, title_start, before + template + found.after, template[0])
        for value, template in readings
    ]


def _with_alternative(readings: list[ItemNumber]) -> ItemNumber:
    """The likeliest reading, with the other one where there is one."""
    likeliest, *others = readings
    return likeliest._replace(alternative=others[0]) if others else likeliest


_compile = cache(re.compile)


class _CompiledRule(NamedTuple):
    pattern: Pattern
    rule: Rule
    regex: re.Pattern[str]


def _begins_word(text: str, start: int) -> bool:
    """Whether two ASCII letters stand here that do not begin a roman numeral: most lines begin so."""
    first, second = text[start : start + 1], text[start + 1 : start + 2]
    if second not in LETTERS or not second:
        return False
    return first in LETTERS and not (first in ROMAN_STARTS and second in ROMAN_STARTS)


@cache
def _rules_for(first: str, *, begins_word: bool) -> tuple[_CompiledRule, ...]:
    """The rules that can match a text with this first character, each with its pattern.

    A text that begins with a word is not asked for lone letters and roman numerals.
    """
    if not first or unicodedata.decomposition(first).startswith(_NO_NUMBERS):
        return ()
    if "\ue000" <= first <= "\uf8ff":
        first = ANY_PRIVATE
    plain = unicodedata.normalize("NFKC", first.translate(_PLAIN))[:1]
    for_glyphs: list[tuple[Pattern, Rule]] = []
    for_text: list[tuple[Pattern, Rule]] = []
    for pattern in PATTERNS:
        for rule in pattern.rules:
            if begins_word and rule.starts in (LETTERS, ROMAN_STARTS):
                continue
            if rule.read_glyphs and first in rule.starts:
                for_glyphs.append((pattern, rule))
            elif not rule.read_glyphs and plain in rule.starts:
                for_text.append((pattern, rule))
    return tuple(
        _CompiledRule(pattern, rule, _compile(rule.expression)) for pattern, rule in for_glyphs or for_text
    )


def _item_numbers(pattern: Pattern, rule: Rule, match: re.Match[str], title_start: int) -> list[ItemNumber]:
    """The readings of a match, the likelier first; none where its number is malformed."""
    if rule.read_glyphs:
        value, template = rule.read_glyphs(match[0])
        return [ItemNumber(pattern, value, title_start, template, template[0])]
    number: str = match["n"]
    if match.lastgroup == "m":  # the group for what is inserted after the number
        number += INSERTED + match["m"]
    readings = number_readings(number)
    letter_pattern = PATTERN_BY_ID[pattern.letter_id] if pattern.letter_id else pattern
    if pattern.letter_id and len(readings) == 2:
        # Only of a lone I is the roman reading the likelier one.
        readings.sort(key=lambda reading: (reading.template in _ROMAN) != (number in "Ii"))
    before = "".join(match.string[: match.start("n")].lower().split())
    after = "".join(match.string[match.end("n") : match.end()].split()).partition(INSERTED)[0]
    found = []
    for value, template in readings:
        own = letter_pattern if template in _LETTER else pattern
        form = SAME_WORD.get(before, before) + template + after
        found.append(ItemNumber(own, value, title_start, form, template[0]))
    return found


_SKIPPED = re.compile(r"[\s\u200b.．:：、,，;；|·\-－–—―]*")


def _title_start(text: str, number_end: int) -> int:
    """Where the title begins: after the marks and the space, however wide, that set the number apart."""
    match = _SKIPPED.match(text, number_end)
    return match.end() if match else number_end


def _raw_index(raw: str, index: int) -> int:
    """The index in the raw text of an index in its NFKC form."""
    # Prefixes, not single characters: a letter and its combining mark are one character in NFKC.
    for end in range(len(raw)):
        is_inside_character = unicodedata.combining(raw[end])
        if not is_inside_character and len(_normalize(raw[:end])) >= index:
            return end
    return len(raw)


# --- the value and the kind of a number ---


def number_readings(number: str) -> list[Reading]:
    """The ways to read a number, the likelier first: two for a lone letter that may be a roman digit."""
    number = "".join(number.split())
    if number[0] in CHINESE_DIGITS or number[0] in CHINESE_UNITS:
        return _chinese_readings(number)
    if number[0] in HEAVENLY_STEMS:
        return [Reading((HEAVENLY_STEMS.index(number[0]) + 1,), "甲")]
    if number[0] in HEBREW:
        return [Reading((hebrew_value(number),), HEBREW[0])]
    if _IS_GREEK_NUMERAL.match(number):
        return [Reading((GREEK_VALUES[number[:-1]],), GREEK[0].upper())]
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


# --- numbers compared ---


def resolve_letters(numbers: Iterable[ItemNumber | None]) -> list[ItemNumber | None]:
    """The numbers of a document's headings in order, each ambiguous letter resolved by those before it.

    "(v)" is roman if the latest number in brackets is "(iv)", a letter if the latest letter in brackets is
    "(u)", and else roman if the latest roman number was "(iv)": IV., A., B., V. Otherwise it stays as
    `parse_number` read it.
    """
    latest: dict[str, ItemNumber] = {}
    latest_letter: dict[str, ItemNumber] = {}
    latest_roman: dict[str, ItemNumber] = {}
    resolved: list[ItemNumber | None] = []
    for number in numbers:
        if number is not None:
            # One key for both readings: "(i)" as a letter and as a roman digit.
            key = number.form.replace("Ⅰ", "A").replace("ⅰ", "a")
            if number.alternative is not None:
                number = _resolve(number, latest.get(key), latest_letter.get(key), latest_roman.get(key))
            latest[key] = number
            if number.numeral in _LETTER:
                latest_letter[key] = number
            elif number.numeral in _ROMAN:
                latest_roman[key] = number
        resolved.append(number)
    return resolved


def _resolve(
    number: ItemNumber, latest: ItemNumber | None, letter: ItemNumber | None, latest_roman: ItemNumber | None
) -> ItemNumber:
    """The reading of an ambiguous number that goes on from what stood before it."""
    assert number.alternative is not None
    readings = (number, number.alternative)
    roman, alphabetic = readings if number.numeral in _ROMAN else readings[::-1]
    if latest is not None and follows(latest, roman):
        return roman._replace(alternative=None)
    if letter is not None and follows(letter, alphabetic):
        return alphabetic._replace(alternative=None)
    if latest_roman is not None and follows(latest_roman, roman):
        return roman._replace(alternative=None)
    return number._replace(alternative=None)


def follows(first: ItemNumber, second: ItemNumber) -> bool:
    """Whether the second number is the next one after the first in the same list."""
    a, b = first.value, second.value
    if not a or not b or (first.form != second.form and not _is_spelled_first(first, second)):
        return False
    if b == (*a[:-1], a[-1] + 1):
        return True
    if not first.pattern.takes_insertions:
        return False
    # Item 7, Item 7A, Item 8 and 第十条, 第十条之一, 第十一条: inserted items stand between whole ones.
    is_inserted = b == (*a, 1)
    is_next_whole = len(a) == 2 and b == (a[0] + 1,)
    return is_inserted or is_next_whole


def _is_spelled_first(first: ItemNumber, second: ItemNumber) -> bool:
    """Whether only the first number of a list is spelled out: Chapitre premier, Chapitre II."""
    return first.value == (1,) and first.pattern is second.pattern and first.numeral == NUMBER_WORD[0]


def starts_list(number: ItemNumber) -> bool:
    """Whether the number is the first of a list: 1, (a), 2.1, 第一章; 7A, which goes in after 7, is not."""
    is_inserted = number.pattern.takes_insertions and len(number.value) > 1
    return bool(number.value) and number.value[-1] == 1 and not is_inserted


def is_dotted_prefix(upper: ItemNumber, lower: ItemNumber) -> bool:
    """Whether the lower number is dotted and lies under the upper: 1.2.3 under 1.2, 2.1 under 第二章."""
    size = len(upper.value)
    return (
        lower.pattern.is_dotted
        and 0 < size < len(lower.value)
        and lower.value[:size] == upper.value
        and has_letter(upper) == has_letter(lower)
    )


def has_letter(number: ItemNumber) -> bool:
    """Whether a number begins with a letter: A.1 does not lie under chapter 1."""
    return number.numeral in LETTERS_OF_LISTS
