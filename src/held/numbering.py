"""Item numbers at the head of a text: which of 44 patterns, which value, where the title begins.

Numbers say more about a heading's place than anything else: "(二)" follows "(一)", "1.2.3" lies under "1.2",
"1." opens a list. `parse` reads one text without context and is called for every line of a document, so it
dispatches on the first character. `resolve` then settles lone letters that may be roman digits by what
stood before. Texts are compared in NFKC form, save for the glyphs that NFKC would destroy (14-17, 44).
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cache
from typing import NamedTuple

from held.numerals import CHINESE_DIGITS, CHINESE_UNITS, ROMAN, STEMS, WORDS, chinese_value, roman_value

PATTERNS: tuple[str, ...] = (
    *("none", "第一编", "第一章", "第一节", "第一条", "第一款", "附录一", "一、", "一.", "(一)、", "(一)"),
    *("一)", "其一", "甲、", "①", "⑴", "㈠", "Ⅰ", "1、", "(1)、", "(1)", "[1]"),
    *("1.1.1.1.1", "1.1.1.1", "1.1.1", "1.1", "1)", "1.", "1:", "1 Title", "A.1", "Part 1", "Chapter 1"),
    *(
        "Section 1",
        "Article 1",
        "Item 1",
        "Note 1",
        "Appendix A",
        "§ 1",
        "(I)",
        "(i)",
        "(A)",
        "I.",
        "A.",
        "•",
    ),
)
"""What each pattern looks like, by its id."""


@dataclass(frozen=True, slots=True)
class ItemNumber:
    """An item number as read from a text.

    `title_start` indexes the raw text. `form` is the number with every numeral replaced by the first of its
    kind ("(a)", "1.1", "chapterⅠ"): finer than the pattern, since "A." and "b)" are no list. `numeral`
    is that first numeral. `alternative` is the other reading of a lone letter that may be a roman digit.
    """

    pattern: int
    value: tuple[int, ...]
    title_start: int
    form: str
    numeral: str
    alternative: ItemNumber | None = None


def parse(text: str) -> ItemNumber | None:
    """The item number at the head of a text, or None."""
    start = 0
    if text[:1] in _BLANKS or text[:1].isspace():
        start = len(text) - len(text.lstrip(_BLANKS))
    rules = _rules_for(text[start : start + 1])
    if not rules:
        return None
    raw = text[start : start + _HEAD]
    head = raw if raw.isascii() else unicodedata.normalize("NFKC", raw)
    for rule in rules:
        match = rule.regex.match(raw if rule.raw else head)
        readings = _read(rule, match) if match else []
        if match and readings:
            end = match.end() if rule.raw or head == raw else _raw_index(raw, match.end())
            return _choose(readings, _title_start(text, start + end))
    return None


def resolve(numbers: Iterable[ItemNumber | None]) -> list[ItemNumber | None]:
    """The numbers of a document's headings in order, each ambiguous letter settled by those before it.

    It is roman if the nearest number of its form is the roman one below it, a letter if the list of
    letters of that form has just reached the letter before it; otherwise it stays as `parse` read it.
    """
    latest: dict[str, ItemNumber] = {}
    latest_letter: dict[str, ItemNumber] = {}
    settled: list[ItemNumber | None] = []
    for number in numbers:
        if number is not None:
            shape = number.form.replace("Ⅰ", "A").replace("ⅰ", "a")
            if number.alternative is not None:
                number = _settle(number, latest.get(shape), latest_letter.get(shape))
            latest[shape] = number
            if number.numeral in "Aa":
                latest_letter[shape] = number
        settled.append(number)
    return settled


def same_pattern(first: ItemNumber, second: ItemNumber) -> bool:
    """Whether two numbers are of one pattern."""
    return first.pattern == second.pattern


def follows(first: ItemNumber, second: ItemNumber) -> bool:
    """Whether the second number is the next one after the first in the same list."""
    a, b = first.value, second.value
    if first.form != second.form or not a or not b:
        return False
    if b == (*a[:-1], a[-1] + 1):
        return True
    # Item 7, Item 7A, Item 8 and 第十条, 第十条之一, 第十一条: inserted items stand between whole ones.
    return first.pattern in _LETTERED and (b == (*a, 1) or (len(a) == 2 and b == (a[0] + 1,)))


def starts_list(number: ItemNumber) -> bool:
    """Whether the number is the first of a list: 1, (a), 2.1, 第一章."""
    return bool(number.value) and number.value[-1] == 1


def is_dotted_prefix(upper: ItemNumber, lower: ItemNumber) -> bool:
    """Whether the lower number is dotted and lies under the upper: 1.2.3 under 1.2, 2.1 under 第二章."""
    size = len(upper.value)
    return (
        lower.pattern in _DOTTED
        and 0 < size < len(lower.value)
        and lower.value[:size] == upper.value
        and (upper.numeral in "Aa") == (lower.numeral in "Aa")
    )


# --- readings of a number ---


class _Reading(NamedTuple):
    value: tuple[int, ...]
    template: str


_TOKENS = re.compile(r"[0-9]+|[A-Za-z]+|[.\-]")
_IS_ROMAN = re.compile(rf"(?i:{ROMAN}|[CDM])\Z")


def _readings(number: str) -> list[_Reading]:
    """The ways to read a number, the likelier first: two for a lone letter that may be a roman digit."""
    number = "".join(number.split())
    if number[0] in CHINESE_DIGITS or number[0] in CHINESE_UNITS:
        values = [chinese_value(part) for part in number.split("之")]
        return [_Reading(tuple(v for v in values if v is not None), "一")] if None not in values else []
    if number[0] in STEMS:
        return [_Reading((STEMS.index(number[0]) + 1,), "甲")]
    if number.lower() in WORDS:
        return [_Reading((WORDS.index(number.lower()) + 1,), "one")]
    head, *rest = _TOKENS.findall(number)
    tail, dots = _tail(rest)
    if head.isdigit():
        return [_Reading(_without_zeros((int(head), *tail)), "1" + dots)]
    readings = []
    if len(head) == 1:
        readings.append(_Reading((ord(head.upper()) - 64, *tail), ("A" if head.isupper() else "a") + dots))
    if _IS_ROMAN.match(head):
        roman = _Reading((roman_value(head), *tail), ("Ⅰ" if head.isupper() else "ⅰ") + dots)
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
            values.append(ord(token.upper()) - 64)
    return tuple(values), dots


def _without_zeros(value: tuple[int, ...]) -> tuple[int, ...]:
    """The value without trailing zeros: 1.0 heads 1.1 and is followed by 2.0."""
    while len(value) > 1 and value[-1] == 0:
        value = value[:-1]
    return value


# --- the rules: first by order, then by the first character ---

_HEAD = 64  # no number is longer
_BLANKS = "".join(c for c in map(chr, range(0x3001)) if c.isspace()) + "\u200b\ufeff\u00ad"
_LETTERED = frozenset({4, 35, 36})
_LETTER_OF = {39: 41, 40: 41, 42: 43}  # the pattern of a lone letter that a roman rule has matched
_SAME_WORD = {"sec.": "section", "§§": "§"}
_DOTTED = frozenset({22, 23, 24, 25, 30, 33, 38})

_CN = "[" + "".join(CHINESE_DIGITS) + "".join(CHINESE_UNITS) + "]"
_DI = rf"(?P<n>{_CN}(?:\s?{_CN})*|[0-9]{{1,4}})"
_D = "(?P<n>[0-9]{1,3})"
_MONTH = r"(?i:jan|feb|mar|apr|may|june?|july?|aug|sept?|oct|nov|dec)[a-z]*\b"
_UNIT = (
    r"(?:[%‰°$€£¥×]|(?:per ?cent|pct|[mM]illion|[bB]illion|[tT]rillion|thousand|hundred|times|years?|months?"
    r"|days?|hours?|minutes?|seconds?|points?|basis points|bps?|bn|mn|k?m|[kmc]?g|[mc]m|[KMGT]B|[kMG]?Hz"
    r"|[kMG]?Wh?|k?V|ml|ft|pt|pp|sq|USD|RMB|EUR|HK)\b"
    r"|[万亿千百倍岁吨公]|[年月](?!度)|日(?!常)|个(?!人|股|案|性|别)|家(?!庭|具)|名(?!称|词)|元(?!素|件|器)"
    r"|股(?!东|份|权|票|本|利)|次(?!级|要)|位(?!置)|级(?!别)|号(?!码)|[余至]|台(?!账)|小时|天(?!然)|周(?!期|转|边)|美元|港元|人民币)"
)
_NO_DATA = rf"(?!\s*{_UNIT}|\s+[(\-]?[0-9]+(?:,[0-9]{{3}}|\.[0-9]|\s*%))"
_DOT_END = r"(?![0-9]|\.[0-9]|[a-z]|\s?[-~–]\s?[0-9])"
_WORDLIKE = r"(?:[^\W0-9_]|[“\"《「『])"
_TITLE = rf"\s*{_WORDLIKE}"
_NUMBER = (
    rf"(?P<n>[0-9]{{1,4}}(?:[.\-][0-9]{{1,3}})*[A-Za-z]?|{ROMAN}|[A-Z](?:[.\-]?[0-9]{{1,2}})*"
    rf"|(?i:{'|'.join(sorted(WORDS, key=len, reverse=True))}))(?![0-9A-Za-z]|[-/][0-9A-Za-z](?![A-Za-z]))"
)
_ANY = (
    rf"(?P<n>{_CN}+(?![般致览起定样些])|[0-9]{{1,3}}(?:[.\-][0-9]{{1,3}})*"
    rf"|(?:{ROMAN}|[A-Z](?:[.\-]?[0-9]{{1,2}})*)(?![A-Za-z]))"
)
_MARK = r"(?:[)、]|\.(?![a-z]|[A-Z]\.|\s[A-Z]\.\s))"  # i.e. and J. P. Morgan are no numbers


class _Rule(NamedTuple):
    pattern: int
    starts: str  # the first characters that it can begin with
    regex: re.Pattern[str]
    raw: bool = False


def _rule(pattern: int, starts: str, regex: str, raw: bool = False) -> _Rule:
    return _Rule(pattern, starts, re.compile(regex), raw)


def _word(pattern: int, words: str) -> _Rule:
    """The rule for a number after one of the words, in any case."""
    starts = {word[0] for word in words.split("|")}
    return _rule(pattern, "".join(c + c.upper() for c in sorted(starts)), rf"(?i:{words})\s+{_NUMBER}")


_CN_START = "".join(CHINESE_DIGITS) + "".join(CHINESE_UNITS)
_NUM = "0123456789"
_LOWER = "abcdefghijklmnopqrstuvwxyz"
_ABC = _LOWER + _LOWER.upper()
_ROMANS = "IVXLCDMivxlcdm"
_BULLETS = "•●○■□◆◇▪▫►▶▸▷‣⁃∙·◦・◾◼◻❖❑❒❏➢➤➔→✓✔✦✧★☆※\uf000"  # \uf000: all of the private use area
_CIRCLED = {
    chr(first + i): i + offset
    for first, last, offset in (
        *((0x2460, 0x2473, 1), (0x3251, 0x325F, 21), (0x32B1, 0x32BF, 36), (0x24EA, 0x24EA, 0)),
        *((0x2776, 0x277F, 1), (0x2780, 0x2789, 1), (0x278A, 0x2793, 1), (0x24EB, 0x24F4, 11)),
        *((0x24F5, 0x24FE, 1), (0x3280, 0x3289, 1)),
    )
    for i in range(last - first + 1)
}
_BRACKETED = {chr(0x2474 + i): i % 20 + 1 for i in range(40)}
_BRACKETED_CN = {chr(0x3220 + i): i + 1 for i in range(10)}
_GLYPHS = {14: _CIRCLED, 15: _BRACKETED, 16: _BRACKETED_CN}
_ROMAN_GLYPHS = "".join(map(chr, range(0x2160, 0x2180)))

_RULES = (
    *(_rule(p, "".join(glyphs), f"[{''.join(glyphs)}]", raw=True) for p, glyphs in _GLYPHS.items()),
    _rule(17, _ROMAN_GLYPHS, f"[{_ROMAN_GLYPHS}]+(?![类级型期度区])", raw=True),
    _rule(1, "第", rf"第\s*{_DI}\s*(?:编|篇|部分)"),
    _rule(2, "第", rf"第\s*{_DI}\s*章"),
    _rule(3, "第", rf"第\s*{_DI}\s*节"),
    _rule(4, "第", rf"第\s*{_DI}\s*条(?!件)(?:之(?P<m>{_CN}+))?"),
    _rule(5, "第", rf"第\s*{_DI}\s*(?:款|项(?!目)|目(?!标|的|录)|类(?!似))"),
    _rule(6, "附", rf"附\s*(?:录|件|表|注|錄)\s*{_ANY}"),
    _rule(7, _CN_START, rf"(?P<n>{_CN}+)\s?、"),
    _rule(8, _CN_START, rf"(?P<n>{_CN}+)\s?[.:]"),
    _rule(9, "(", rf"\(\s?(?P<n>{_CN}+)\s?\)\s?[、.]"),
    _rule(10, "(", rf"\(\s?(?P<n>{_CN}+)\s?\)"),
    _rule(11, _CN_START, rf"(?P<n>{_CN}+)\s?\)"),
    _rule(12, "其之", rf"[其之](?P<n>{_CN}+)(?=[、,:.。;\s]|\Z)"),
    _rule(13, STEMS, rf"(?P<n>[{STEMS}])\s?[、.]"),
    _rule(18, _NUM, rf"{_D}\s?、"),
    _rule(19, "(", rf"\(\s?{_D}\s?\)\s?(?:、|\.(?![0-9]))"),
    _rule(20, "(", rf"\(\s?{_D}\s?\)(?!\s?%)(?:(?<![0-9]{{3}}\))|(?={_TITLE}))"),
    _rule(21, "[【", rf"[\[【]\s?{_D}\s?[\]】]"),
    _rule(22, _NUM, rf"(?P<n>[0-9]{{1,3}}(?:\.[0-9]{{1,3}}){{4,}}){_DOT_END}"),
    _rule(23, _NUM, rf"(?P<n>[0-9]{{1,3}}(?:\.[0-9]{{1,3}}){{3}}){_DOT_END}"),
    _rule(24, _NUM, rf"(?P<n>[0-9]{{1,3}}(?:\.[0-9]{{1,3}}){{2}}){_DOT_END}"),
    _rule(24, _NUM, r"(?P<n>[0-9]{1,3}\.[0-9]{1,3}\.[a-z])(?=\.?(?:\s|\Z))"),  # 3.1.a
    # A short one may stand alone; what looks like 0.5, 1.05 or 1.234 needs a title behind it.
    _rule(25, _NUM, rf"(?P<n>[1-9][0-9]?\.(?:[1-9][0-9]?|0)){_DOT_END}{_NO_DATA}"),
    _rule(25, _NUM, rf"(?P<n>[0-9]{{1,3}}\.(?!00)[0-9]{{1,3}}){_DOT_END}{_NO_DATA}(?={_TITLE})"),
    _rule(26, _NUM, rf"{_D}\s?\)"),
    _rule(27, _NUM, rf"{_D}\s?\.(?![0-9]|\s?%)"),
    _rule(27, _NUM, rf"{_D}\.(?=(?:19|20)[0-9]{{2}}\s?年)"),  # 1.2023年……: a year, glued to its number
    _rule(28, _NUM, rf"{_D}(?:\s?:(?!\s?[0-9])|\s?[-–—](?=\s+{_WORDLIKE})|\s[-–—](?={_WORDLIKE}))"),
    _rule(29, _NUM, rf"{_D}(?=\s+{_WORDLIKE})(?!\s+(?:[a-z]|{_MONTH}|{_UNIT}))"),
    _rule(30, _ABC, rf"(?P<n>(?:{ROMAN}|[A-Za-z])(?:\.[0-9]{{1,3}})+){_DOT_END}"),
    _word(31, "part|book|title|volume"),
    _word(32, "chapter"),
    _word(33, r"section|sec\."),
    _word(34, "article|clause|rule|regulation"),
    _word(35, "item"),
    _word(36, "note"),
    _word(37, "appendix|annexure|annex|schedule|exhibit|attachment"),
    _rule(38, "§", r"§{1,2}\s*(?P<n>[0-9]{1,5}(?:[.\-][0-9]{1,4})*[A-Za-z]?)(?![0-9A-Za-z])"),
    _rule(39, "(", rf"\(\s?(?P<n>{ROMAN}|[CDM])\s?\)"),
    _rule(40, "(", rf"\(\s?(?P<n>{ROMAN.lower()}|[cdm])\s?\)"),
    _rule(41, "(", r"\(\s?(?P<n>[A-Za-z])\s?\)"),
    _rule(42, _ROMANS, rf"(?P<n>{ROMAN}|{ROMAN.lower()}|[CDMcdm]){_MARK}"),
    _rule(43, _ABC, rf"(?P<n>[A-Za-z]){_MARK}(?<!p\.)"),
    _rule(44, _BULLETS, rf"[{_BULLETS}\ue000-\uf8ff]", raw=True),
    _rule(44, "*", r"\*+(?=\s*[^\s*])", raw=True),
    _rule(44, "-", r"-(?=\s+\S)(?!\s+[0-9]+\s*-?\s*\Z)", raw=True),
    _rule(44, "–—−―", r"[–—−―](?=\s*[^\s0-9–—−―])", raw=True),
)


@cache
def _rules_for(first: str) -> tuple[_Rule, ...]:
    """The rules that can match a text with this first character."""
    if not first or unicodedata.decomposition(first).startswith(("<super>", "<sub>", "<fraction>")):
        return ()  # the mark of a footnote is no item number
    if "\ue000" <= first <= "\uf8ff":
        first = "\uf000"
    plain = unicodedata.normalize("NFKC", first)[:1]
    raw = tuple(rule for rule in _RULES if rule.raw and first in rule.starts)
    return raw or tuple(rule for rule in _RULES if not rule.raw and plain in rule.starts)


class _Found(NamedTuple):
    pattern: int
    value: tuple[int, ...]
    form: str
    numeral: str


def _read(rule: _Rule, match: re.Match[str]) -> list[_Found]:
    """What a match says, the likelier reading first; nothing where its number is malformed."""
    if rule.raw:
        return [_read_glyph(rule.pattern, match[0])]
    number = match["n"] + (f"之{match['m']}" if rule.pattern == 4 and match["m"] else "")
    readings = _readings(number)
    if rule.pattern in _LETTER_OF and len(readings) == 2:
        readings.sort(key=lambda reading: (reading.template in "Ⅰⅰ") != (number in "Ii"))
    before = "".join(match.string[: match.start("n")].lower().split())
    after = "".join(match.string[match.end("n") : match.end()].split()).partition("之")[0]
    return [
        _Found(
            _LETTER_OF.get(rule.pattern, rule.pattern) if template in "Aa" else rule.pattern,
            value,
            _SAME_WORD.get(before, before) + template + after,
            template[0],
        )
        for value, template in readings
    ]


def _read_glyph(pattern: int, glyphs: str) -> _Found:
    """What a number made of one glyph says."""
    if pattern == 44:
        return _Found(pattern, (), glyphs, glyphs[0])
    if pattern == 17:
        first = "Ⅰ" if glyphs[0] < "ⅰ" else "ⅰ"
        return _Found(pattern, (roman_value(unicodedata.normalize("NFKC", glyphs)),), first, first)
    first = next(iter(_GLYPHS[pattern]))
    return _Found(pattern, (_GLYPHS[pattern][glyphs],), first, first)


def _choose(readings: list[_Found], title_start: int) -> ItemNumber:
    """The likeliest reading, with the other one as its alternative."""
    chosen, *others = (ItemNumber(r.pattern, r.value, title_start, r.form, r.numeral) for r in readings)
    return replace(chosen, alternative=others[0]) if others else chosen


def _settle(number: ItemNumber, latest: ItemNumber | None, letter: ItemNumber | None) -> ItemNumber:
    """The reading of an ambiguous number that goes on from what stood before it."""
    assert number.alternative is not None
    readings = (number, number.alternative)
    roman, alphabetic = readings if number.numeral in "Ⅰⅰ" else readings[::-1]
    if latest is not None and follows(latest, roman):
        return replace(roman, alternative=None)
    if letter is not None and follows(letter, alphabetic):
        return replace(alphabetic, alternative=None)
    return replace(number, alternative=None)


_SKIPPED = re.compile(r"[\s\u200b.．:：、,，;；|·\-－–—―]*")


def _title_start(text: str, number_end: int) -> int:
    """Where the title begins: after the marks and the space, however wide, that set the number apart."""
    match = _SKIPPED.match(text, number_end)
    return match.end() if match else number_end


def _raw_index(raw: str, index: int) -> int:
    """The place in the raw text of a place in its NFKC form."""
    length = 0
    for i, character in enumerate(raw):
        if length >= index:
            return i
        length += len(unicodedata.normalize("NFKC", character))
    return len(raw)
