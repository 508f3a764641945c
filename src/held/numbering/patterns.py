"""The pieces that the expressions of item numbers are made of: numerals, and what may stand around them.

Most of them say what a number is not: an amount, a date, a unit, an abbreviation. The group `n` is the
number itself, `m` what is inserted after it.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple

from held.numbering.numerals import (
    BRACKETED_CHINESE_VALUES,
    BRACKETED_VALUES,
    CHINESE_DIGITS,
    CHINESE_UNITS,
    CIRCLED_VALUES,
    INSERTED,
    ROMAN,
    STEMS,
    WORDS,
    Reading,
    read_bracketed,
    read_bracketed_chinese,
    read_bullet,
    read_circled,
    read_roman_glyphs,
)

# --- the characters that a number can begin with ---

DIGIT_STARTS = "0123456789"
CHINESE_STARTS = "".join(CHINESE_DIGITS) + "".join(CHINESE_UNITS)
LOWER_LETTERS = "abcdefghijklmnopqrstuvwxyz"
LETTERS = LOWER_LETTERS + LOWER_LETTERS.upper()
ROMAN_STARTS = "IVXLCDMivxlcdm"
ROMAN_GLYPHS = "".join(map(chr, range(0x2160, 0x2180)))
ANY_PRIVATE = "\uf000"  # stands for all of the private use area, where symbol fonts have their bullets
BULLETS = "•●○■□◆◇▪▫►▶▸▷‣⁃∙·◦・◾◼◻❖❑❒❏➢➤➔→✓✔✦✧★☆※" + ANY_PRIVATE
DASHES = "–—−―"

# --- numerals ---

CHINESE = "[" + CHINESE_STARTS + "]"
CHINESE_NUMBER = f"(?P<n>{CHINESE}+)"
CHINESE_OR_DIGITS = rf"(?P<n>{CHINESE}(?:\s?{CHINESE})*|[0-9]{{1,4}})"
DIGITS = "(?P<n>[0-9]{1,3})"

# --- what tells numbers from amounts and dates ---

MONTH = r"(?i:jan|feb|mar|apr|may|june?|july?|aug|sept?|oct|nov|dec)[a-z]*\b"
UNIT = (
    r"(?:[%‰°$€£¥×]|(?:per ?cent|pct|[mM]illion|[bB]illion|[tT]rillion|thousand|hundred|times|years?|months?"
    r"|days?|hours?|minutes?|seconds?|points?|basis points|bps?|bn|mn|k?m|[kmc]?g|[mc]m|[KMGT]B|[kMG]?Hz"
    r"|[kMG]?Wh?|k?V|ml|ft|pt|pp|sq|USD|RMB|EUR|HK)\b"
    r"|[万亿千百倍岁吨公]|[年月](?!度)|日(?!常)|个(?!人|股|案|性|别)|家(?!庭|具)|名(?!称|词)|元(?!素|件|器)"
    r"|股(?!东|份|权|票|本|利)|次(?!级|要)|位(?!置)|级(?!别)|号(?!码)|[余至]|台(?!账)|小时|天(?!然)|周(?!期|转|边)|美元|港元|人民币)"
)
NO_DATA = rf"(?!\s*{UNIT}|\s+[(\-]?[0-9]+(?:,[0-9]{{3}}|\.[0-9]|\s*%))"
DOT_END = r"(?![0-9]|\.[0-9]|[a-z]|\s?[-~–]\s?[0-9])"
LETTER_MARK = r"(?:[)、]|\.(?![a-z]|[A-Z]\.|\s[A-Z]\.\s))"  # i.e. and J. P. Morgan are no numbers

# --- the start of a title ---

WORDLIKE = r"(?:[^\W0-9_]|[“\"《「『])"
TITLE = rf"\s*{WORDLIKE}"

# --- what stands after a word: Chapter 3, Part IV, Item 7A, Section 3.2, Book Two ---

_NUMBER_WORDS = "|".join(sorted(WORDS, key=len, reverse=True))
NUMBER = (
    rf"(?P<n>[0-9]{{1,4}}(?:[.\-][0-9]{{1,3}})*[A-Za-z]?|{ROMAN}|[A-Z](?:[.\-]?[0-9]{{1,2}})*"
    rf"|(?i:{_NUMBER_WORDS}))(?![0-9A-Za-z]|[-/][0-9A-Za-z](?![A-Za-z]))"
)
CHINESE_APPENDIX_NUMBER = (
    rf"(?P<n>{CHINESE}+(?![般致览起定样些])|[0-9]{{1,3}}(?:[.\-][0-9]{{1,3}})*"
    rf"|(?:{ROMAN}|[A-Z](?:[.\-]?[0-9]{{1,2}})*)(?![A-Za-z]))"
)


class Use(Enum):
    """What carries such a number, as far as the number alone tells."""

    SECTION = "a section, and seldom an item of a list"
    LIST = "an item of a list as often as a section"
    UNSURE = "neither is usual"


class Rule(NamedTuple):
    """An expression that recognises a pattern.

    `starts` are the first characters that a match can have. A rule with `read_glyphs` looks at the raw text
    rather than at its NFKC form, and has its own way to read what it matched. The expression is compiled when
    a text starts so: all together they take longer than a short document.
    """

    starts: str
    expression: str
    read_glyphs: Callable[[str], Reading] | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Pattern:
    """A pattern of item numbers. Two are the same only if they are one object.

    `rank` says which patterns usually stand above which, 0 above all: a hint, for level is context.
    `words` are what it counts, where the number says so.
    """

    id: int
    example: str
    use: Use
    rules: tuple[Rule, ...]
    rank: int | None = None
    words: tuple[str, ...] = ()
    stands_above_title: bool = False  # "Chapter 3" and "附录A" may have a line of their own
    begins_sentences: bool = False  # so does prose: "Section 6 describes …", "12 boats …"
    is_dotted: bool = False  # it tells what it lies under: 1.2.3 lies under 1.2
    takes_insertions: bool = False  # Item 7A after Item 7, 第十条之一 after 第十条
    letter: Pattern | None = None  # of a roman pattern, that of a lone letter: (c) is seldom a hundred


# --- rules ---


def rule(starts: str, regex: str) -> Rule:
    """A rule for the NFKC form of a text."""
    return Rule(starts, regex)


def glyphs(starts: str, read: Callable[[str], Reading], regex: str | None = None) -> Rule:
    """A rule for the raw text, by default for one of the glyphs it can start with."""
    return Rule(starts, regex or f"[{starts}]", read)


def after_word(*words: str) -> Rule:
    """The rule for a number after one of the words, in any case."""
    first_letters = sorted({word[0] for word in words})
    starts = "".join(letter + letter.upper() for letter in first_letters)
    any_word = "|".join(map(re.escape, words))
    return rule(starts, rf"(?i:{any_word})\s+{NUMBER}")


def chinese_word(nouns: str) -> Rule:
    """The rule for a number between 第 and a noun, given as an expression."""
    return rule("第", rf"第\s*{CHINESE_OR_DIGITS}\s*{nouns}")


def dotted(times: str) -> Rule:
    """The rule for digits with so many more behind dots, given as an expression's quantifier."""
    return rule(DIGIT_STARTS, rf"(?P<n>[0-9]{{1,3}}(?:\.[0-9]{{1,3}}){times}){DOT_END}")


SAME_WORD = {"sec.": "section", "§§": "§"}
"""Marks before a number that say the same as another: both make one list."""

# --- Chinese words ---

CHINESE_PART = Pattern(
    1, "第一编", Use.SECTION, rules=(chinese_word("(?:编|篇|部分)"),), rank=0, stands_above_title=True
)
CHINESE_CHAPTER = Pattern(
    2, "第一章", Use.SECTION, rules=(chinese_word("章"),), rank=1, stands_above_title=True
)
CHINESE_SECTION = Pattern(
    3, "第一节", Use.SECTION, rules=(chinese_word("节"),), rank=2, stands_above_title=True
)
CHINESE_ARTICLE = Pattern(
    4,
    "第一条",
    Use.SECTION,
    rules=(chinese_word(rf"条(?!件)(?:{INSERTED}(?P<m>{CHINESE}+))?"),),
    rank=4,
    takes_insertions=True,
)
CHINESE_CLAUSE = Pattern(
    5, "第一款", Use.SECTION, rules=(chinese_word("(?:款|项(?!目)|目(?!标|的|录)|类(?!似))"),)
)
CHINESE_APPENDIX = Pattern(
    6,
    "附录一",
    Use.SECTION,
    rules=(rule("附", rf"附\s*(?:录|件|表|注|錄)\s*{CHINESE_APPENDIX_NUMBER}"),),
    rank=2,
    stands_above_title=True,
)

# --- Chinese numerals and heavenly stems ---

CHINESE_COMMA = Pattern(
    7, "一、", Use.SECTION, rules=(rule(CHINESE_STARTS, rf"{CHINESE_NUMBER}\s?、"),), rank=3
)
CHINESE_DOT = Pattern(8, "一.", Use.SECTION, rules=(rule(CHINESE_STARTS, rf"{CHINESE_NUMBER}\s?[.:]"),))
CHINESE_BRACKETS_COMMA = Pattern(
    9, "(一)、", Use.SECTION, rules=(rule("(", rf"\(\s?{CHINESE_NUMBER}\s?\)\s?[、.]"),), rank=4
)
CHINESE_BRACKETS = Pattern(
    10, "(一)", Use.SECTION, rules=(rule("(", rf"\(\s?{CHINESE_NUMBER}\s?\)"),), rank=4
)
CHINESE_BRACKET = Pattern(11, "一)", Use.SECTION, rules=(rule(CHINESE_STARTS, rf"{CHINESE_NUMBER}\s?\)"),))
CHINESE_OF_THESE = Pattern(
    12, "其一", Use.SECTION, rules=(rule("其之", rf"[其之]{CHINESE_NUMBER}(?=[、,:.。;\s]|\Z)"),)
)
STEM = Pattern(13, "甲、", Use.SECTION, rules=(rule(STEMS, rf"(?P<n>[{STEMS}])\s?[、.]"),))

# --- glyphs ---

CIRCLED = Pattern(14, "①", Use.LIST, rules=(glyphs("".join(CIRCLED_VALUES), read_circled),), rank=7)
BRACKETED_GLYPH = Pattern(
    15, "⑴", Use.LIST, rules=(glyphs("".join(BRACKETED_VALUES), read_bracketed),), rank=7
)
CHINESE_GLYPH = Pattern(
    16,
    "㈠",
    Use.UNSURE,
    rules=(glyphs("".join(BRACKETED_CHINESE_VALUES), read_bracketed_chinese),),
)
ROMAN_GLYPH = Pattern(
    17,
    "Ⅰ",
    Use.UNSURE,
    rules=(glyphs(ROMAN_GLYPHS, read_roman_glyphs, f"[{ROMAN_GLYPHS}]+(?![类级型期度区])"),),
)

# --- digits ---

DIGITS_COMMA = Pattern(18, "1、", Use.LIST, rules=(rule(DIGIT_STARTS, rf"{DIGITS}\s?、"),), rank=5)
DIGITS_BRACKETS_COMMA = Pattern(
    19, "(1)、", Use.LIST, rules=(rule("(", rf"\(\s?{DIGITS}\s?\)\s?(?:、|\.(?![0-9]))"),), rank=6
)
DIGITS_BRACKETS = Pattern(
    20,
    "(1)",
    Use.LIST,
    # (145) alone is an amount, less than zero.
    rules=(rule("(", rf"\(\s?{DIGITS}\s?\)(?!\s?%)(?:(?<![0-9]{{3}}\))|(?={TITLE}))"),),
    rank=6,
)
CITATION = Pattern(21, "[1]", Use.LIST, rules=(rule("[【", rf"[\[【]\s?{DIGITS}\s?[\]】]"),))
DOTTED_FIVE = Pattern(22, "1.1.1.1.1", Use.SECTION, rules=(dotted("{4,}"),), rank=6, is_dotted=True)
DOTTED_FOUR = Pattern(23, "1.1.1.1", Use.SECTION, rules=(dotted("{3}"),), rank=5, is_dotted=True)
DOTTED_THREE = Pattern(
    24,
    "1.1.1",
    Use.SECTION,
    rules=(
        dotted("{2}"),
        rule(DIGIT_STARTS, r"(?P<n>[0-9]{1,3}\.[0-9]{1,3}\.[a-z])(?=\.?(?:\s|\Z))"),  # 3.1.a
    ),
    rank=4,
    is_dotted=True,
)
DOTTED_TWO = Pattern(
    25,
    "1.1",
    Use.SECTION,
    # A short one may stand alone; what looks like 0.5, 1.05 or 1.234 needs a title behind it.
    rules=(
        rule(DIGIT_STARTS, rf"(?P<n>[1-9][0-9]?\.(?:[1-9][0-9]?|0)){DOT_END}{NO_DATA}"),
        rule(
            DIGIT_STARTS,
            rf"(?P<n>[0-9]{{1,3}}\.(?!00)[0-9]{{1,3}}){DOT_END}{NO_DATA}(?={TITLE})",
        ),
    ),
    rank=3,
    is_dotted=True,
)
DIGITS_BRACKET = Pattern(26, "1)", Use.LIST, rules=(rule(DIGIT_STARTS, rf"{DIGITS}\s?\)"),), rank=7)
DIGITS_DOT = Pattern(
    27,
    "1.",
    Use.LIST,
    rules=(
        rule(DIGIT_STARTS, rf"{DIGITS}\s?\.(?![0-9]|\s?%)"),
        rule(DIGIT_STARTS, rf"{DIGITS}\.(?=(?:19|20)[0-9]{{2}}\s?年)"),  # a year, glued to its number
    ),
    rank=5,
)
DIGITS_COLON = Pattern(
    28,
    "1:",
    Use.UNSURE,
    rules=(
        rule(
            DIGIT_STARTS,
            rf"{DIGITS}(?:\s?:(?!\s?[0-9])|\s?[-–—](?=\s+{WORDLIKE})|\s[-–—](?={WORDLIKE}))",
        ),
    ),
)
DIGITS_SPACE = Pattern(
    29,
    "1 Title",
    Use.UNSURE,
    rules=(rule(DIGIT_STARTS, rf"{DIGITS}(?=\s+{WORDLIKE})(?!\s+(?:[a-z]|{MONTH}|{UNIT}))"),),
    rank=2,
    begins_sentences=True,
)
LETTER_DOTTED = Pattern(
    30,
    "A.1",
    Use.SECTION,
    rules=(rule(LETTERS, rf"(?P<n>(?:{ROMAN}|[A-Za-z])(?:\.[0-9]{{1,3}})+){DOT_END}"),),
    rank=3,
    is_dotted=True,
)

# --- English words ---

_PARTS = ("part", "book", "title", "volume", "file")
PART = Pattern(
    31,
    "Part 1",
    Use.SECTION,
    rules=(after_word(*_PARTS),),
    rank=0,
    words=_PARTS,
    stands_above_title=True,
    begins_sentences=True,
)
_CHAPTERS = ("chapter",)
CHAPTER = Pattern(
    32,
    "Chapter 1",
    Use.SECTION,
    rules=(after_word(*_CHAPTERS),),
    rank=1,
    words=_CHAPTERS,
    stands_above_title=True,
    begins_sentences=True,
)
_SUBCHAPTERS = ("subchapter", "subpart", "subtitle", "subdivision")
SUBCHAPTER = Pattern(
    45,
    "Subchapter I",
    Use.SECTION,
    rules=(after_word(*_SUBCHAPTERS), rule("sS", rf"(?i:subchapter)\s+(?P<n>{ROMAN}-[A-Z])(?![0-9A-Za-z])")),
    rank=2,
    words=_SUBCHAPTERS,
    stands_above_title=True,
    begins_sentences=True,
    takes_insertions=True,
)
_SECTIONS = ("section", "sec.")
SECTION = Pattern(
    33,
    "Section 1",
    Use.SECTION,
    rules=(after_word(*_SECTIONS),),
    rank=3,
    words=_SECTIONS,
    stands_above_title=True,
    begins_sentences=True,
    is_dotted=True,
)
_ARTICLES = ("article", "clause", "rule", "regulation")
ARTICLE = Pattern(
    34, "Article 1", Use.SECTION, rules=(after_word(*_ARTICLES),), words=_ARTICLES, begins_sentences=True
)
_ITEMS = ("item",)
ITEM = Pattern(
    35,
    "Item 1",
    Use.SECTION,
    rules=(after_word(*_ITEMS), rule("I", rf"(?:Item|ITEM)(?=[0-9]){NUMBER}")),
    rank=2,
    words=_ITEMS,
    stands_above_title=True,
    begins_sentences=True,
    takes_insertions=True,
)
_NOTES = ("note",)
NOTE = Pattern(
    36,
    "Note 1",
    Use.SECTION,
    rules=(after_word(*_NOTES),),
    rank=3,
    words=_NOTES,
    stands_above_title=True,
    begins_sentences=True,
    takes_insertions=True,
)
_APPENDICES = ("appendix", "annexure", "annex", "schedule", "exhibit", "attachment")
APPENDIX = Pattern(
    37,
    "Appendix A",
    Use.SECTION,
    rules=(after_word(*_APPENDICES),),
    rank=2,
    words=_APPENDICES,
    stands_above_title=True,
    begins_sentences=True,
)
SECTION_SIGN = Pattern(
    38,
    "§ 1",
    Use.SECTION,
    rules=(rule("§", r"§{1,2}\s*(?P<n>[0-9]{1,5}(?:[.\-][0-9]{1,4})*[A-Za-z]?)(?![0-9A-Za-z])"),),
    is_dotted=True,
)

# --- letters and roman numerals; the roman ones are tried first, and know what a lone letter is instead ---

LETTER_BRACKETS = Pattern(41, "(A)", Use.LIST, rules=(rule("(", r"\(\s?(?P<n>[A-Za-z])\s?\)"),), rank=7)
UPPER_ROMAN_BRACKETS = Pattern(
    39, "(I)", Use.LIST, rules=(rule("(", rf"\(\s?(?P<n>{ROMAN}|[CDM])\s?\)"),), letter=LETTER_BRACKETS
)
LOWER_ROMAN_BRACKETS = Pattern(
    40,
    "(i)",
    Use.LIST,
    rules=(rule("(", rf"\(\s?(?P<n>{ROMAN.lower()}|[cdm])\s?\)"),),
    rank=7,
    letter=LETTER_BRACKETS,
)
LETTER_DOT = Pattern(43, "A.", Use.LIST, rules=(rule(LETTERS, rf"(?P<n>[A-Za-z]){LETTER_MARK}(?<!p\.)"),))
ROMAN_DOT = Pattern(
    42,
    "I.",
    Use.LIST,
    rules=(rule(ROMAN_STARTS, rf"(?P<n>{ROMAN}|{ROMAN.lower()}|[CDMcdm]){LETTER_MARK}"),),
    letter=LETTER_DOT,
)

# --- what counts nothing ---

BULLET = Pattern(
    44,
    "•",
    Use.UNSURE,
    rules=(
        glyphs(BULLETS, read_bullet, rf"[{BULLETS}\ue000-\uf8ff]"),
        glyphs("*", read_bullet, r"\*+(?=\s*[^\s*])"),
        glyphs("-", read_bullet, r"-(?=\s+\S)(?!\s+[0-9]+\s*-?\s*\Z)"),  # "- 12 -" numbers a page
        glyphs(DASHES, read_bullet, rf"[{DASHES}](?=\s*[^\s0-9{DASHES}])"),
    ),
)

PATTERNS: tuple[Pattern, ...] = (
    CHINESE_PART,
    CHINESE_CHAPTER,
    CHINESE_SECTION,
    CHINESE_ARTICLE,
    CHINESE_CLAUSE,
    CHINESE_APPENDIX,
    CHINESE_COMMA,
    CHINESE_DOT,
    CHINESE_BRACKETS_COMMA,
    CHINESE_BRACKETS,
    CHINESE_BRACKET,
    CHINESE_OF_THESE,
    STEM,
    CIRCLED,
    BRACKETED_GLYPH,
    CHINESE_GLYPH,
    ROMAN_GLYPH,
    DIGITS_COMMA,
    DIGITS_BRACKETS_COMMA,
    DIGITS_BRACKETS,
    CITATION,
    DOTTED_FIVE,
    DOTTED_FOUR,
    DOTTED_THREE,
    DOTTED_TWO,
    DIGITS_BRACKET,
    DIGITS_DOT,
    DIGITS_COLON,
    DIGITS_SPACE,
    LETTER_DOTTED,
    PART,
    CHAPTER,
    SUBCHAPTER,
    SECTION,
    ARTICLE,
    ITEM,
    NOTE,
    APPENDIX,
    SECTION_SIGN,
    UPPER_ROMAN_BRACKETS,
    LOWER_ROMAN_BRACKETS,
    LETTER_BRACKETS,
    ROMAN_DOT,
    LETTER_DOT,
    BULLET,
)
"""All patterns, in the order in which they are tried."""
