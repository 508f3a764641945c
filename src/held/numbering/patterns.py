"""The patterns of item numbers: one row each, with what the pattern tells and the rules that recognise it.

Patterns are tried in the order in which they are declared; the first that matches wins. A rule is a regular
expression with the number in its group `n`; the constants above the table are the parts of these
expressions. The ids are features of the trained models and never change.

A new word before a number ("Rozdział 3") is no pattern: add it to its language's block in `words.toml`, and
it gets the pattern of words of its kind (CHAPTER). A new pattern is a row here with the next free id (one
more than there are patterns), and an example in `tests/numbering/test_numbers.py`. Models take the id into
account after their next training.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from enum import Enum
from typing import NamedTuple

from held.numbering.numerals import (
    ALPHABETS,
    BRACKETED_CHINESE_VALUES,
    BRACKETED_VALUES,
    CHINESE_DIGITS,
    CHINESE_UNITS,
    CIRCLED_VALUES,
    HEAVENLY_STEMS,
    HEBREW_NUMERAL,
    INSERTED,
    NUMBER,
    ROMAN,
    Reading,
    read_bracketed,
    read_bracketed_chinese,
    read_bullet,
    read_circled,
    read_roman_glyphs,
)
from held.numbering.words import LANGUAGES, HeadingWords, all_words

# --- the characters that a number can begin with ---

DIGIT_STARTS = "0123456789"
CHINESE_STARTS = "".join(CHINESE_DIGITS) + "".join(CHINESE_UNITS)
LOWER_LETTERS = "abcdefghijklmnopqrstuvwxyz"
LETTERS = LOWER_LETTERS + LOWER_LETTERS.upper()
ROMAN_STARTS = "IVXLCDMivxlcdm"
OTHER_LETTERS = "".join(ALPHABETS)
OTHER_CAPITALS = "".join(letter for letter in OTHER_LETTERS if letter.isupper())
UNCASED_LETTERS = "".join(letter for letter in OTHER_LETTERS if letter.lower() == letter.upper())
ROMAN_GLYPHS = "".join(map(chr, range(0x2160, 0x2180)))
ANY_PRIVATE = "\uf000"  # stands for all of the private use area, where symbol fonts have their bullets
BULLETS = "•●○■□◆◇▪▫►▶▸▷‣⁃∙·◦・◾◼◻❖❑❒❏➢➤➔→✓✔✦✧★☆※" + ANY_PRIVATE
DASHES = "–—−―"

# --- numerals ---

OTHER_LETTER = f"(?P<n>[{OTHER_LETTERS}])"
NO_FORMULA = (
    r"(?:(?<![\u0370-\u03ff].)(?<![\u0370-\u03ff]\s.)|(?=\s*[\u0370-\u03ff]{2}))"  # (Γ) in an English text
)

CHINESE = "[" + CHINESE_STARTS + "]"
CHINESE_NUMBER = f"(?P<n>{CHINESE}+)"
CHINESE_NUMERAL = rf"(?P<n>{CHINESE}(?:\s?{CHINESE})*|[0-9]{{1,4}}|[IVX]{{1,4}})"  # 第二章, 第2章, 第Ⅱ部
DIGITS = "(?P<n>[0-9]{1,3})"

# --- what tells numbers from amounts, dates and abbreviations ---

DAY_MONTH = "|".join(all_words("months"))  # 1. Januar
MONTH = r"(?i:jan|feb|mar|apr|may|june?|july?|aug|sept?|oct|nov|dec)[a-z]*\b"
UNIT = (
    r"(?:[%‰°$€£¥×]|(?:per ?cent|pct|[mM]illion|[bB]illion|[tT]rillion|thousand|hundred|times|years?|months?"
    r"|days?|hours?|minutes?|seconds?|points?|basis points|bps?|bn|mn|k?m|[kmc]?g|[mc]m|[KMGT]B|[kMG]?Hz"
    r"|[kMG]?Wh?|k?V|ml|ft|pt|pp|sq|USD|RMB|EUR|HK)\b"
    r"|[万亿千百倍岁吨公]|[年月](?!度)|日(?!常)|个(?!人|股|案|性|别)|家(?!庭|具)|名(?!称|词)|元(?!素|件|器)"
    r"|股(?!东|份|权|票|本|利)|次(?!级|要)|位(?!置)|级(?!别)|号(?!码)|[余至]|台(?!账)|小时|天(?!然)|周(?!期|转|边)|美元|港元|人民币)"
)
NO_DATA = rf"(?!\s*{UNIT}|\s+[(\-]?[0-9]+(?:,[0-9]{{3}}|\.[0-9]|\s*%))"
RIGHT_TO_LEFT = "[\u0590-\u08ff]"  # Hebrew and Arabic letters
DOT_END = r"(?![0-9]|\.[0-9]|[a-z]|\s?[-~–]\s?[0-9])"
LETTER_MARK = r"(?:[)、]|\.(?![a-z]|[A-Z]\.|\s[A-Z]\.\s))"  # i.e. and J. P. Morgan are no numbers

# --- the start of a title ---

LOWER = "[a-zß-öø-ÿ\u03ac-\u03ce\u0430-\u045f]"  # Latin, Greek, Cyrillic

WORDLIKE = r"(?:[^\W0-9_]|[“\"《「『])"
TITLE = rf"\s*{WORDLIKE}"

# --- a number behind a Chinese word: 附录一 ---

CHINESE_LAST_NUMBER = (
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

    `starts` are the first characters that a match can have. A rule with `read_glyphs` matches the raw text
    instead of its NFKC form, and reads the match itself. Expressions are compiled when a text first starts
    with one of the characters: compiling all of them takes longer than a short document.
    """

    starts: str
    expression: str
    read_glyphs: Callable[[str], Reading] | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Pattern:
    """A pattern of item numbers. Two are the same only if they are one object.

    `rank` says which patterns usually stand above which, 0 above all: a hint, since context decides.
    """

    id: int
    example: str
    use: Use
    rules: tuple[Rule, ...] = field(repr=False)  # expressions of a thousand characters
    rank: int | None = None
    stands_above_title: bool = False  # "Chapter 3" and "附录A" may have a line of their own
    begins_sentences: bool = False  # so does prose: "Section 6 describes …", "12 boats …"
    is_dotted: bool = False  # it tells what it lies under: 1.2.3 lies under 1.2
    takes_insertions: bool = False  # Item 7A after Item 7, 第十条之一 after 第十条
    letter_id: int | None = None  # of a roman pattern, that of a lone letter: (c) is seldom a hundred


# --- rules ---


def _rule(starts: str, expression: str) -> tuple[Rule, ...]:
    return (Rule(starts, expression),)


def _glyphs(starts: str, read: Callable[[str], Reading], expression: str | None = None) -> tuple[Rule, ...]:
    """A rule for the raw text, by default for one of the glyphs that it can start with."""
    return (Rule(starts, expression or f"[{starts}]", read),)


def _dotted_rule(times: str) -> tuple[Rule, ...]:
    """The rule for digits with so many more behind dots, given as an expression's quantifier."""
    close = Rule(DIGIT_STARTS, rf"(?P<n>[0-9]{{1,3}}(?:\.[0-9]{{1,3}}){times}){DOT_END}")
    # Where text runs from right to left, readers return spaces around the dots: ۱ . ۳ . ۲.
    spaced = Rule(DIGIT_STARTS, rf"(?P<n>[0-9]{{1,3}}(?:\s\.\s[0-9]{{1,3}}){times})(?=\s{RIGHT_TO_LEFT})")
    return close, spaced


def chinese_word_rules(kind: str, *, inserted: bool = False) -> tuple[Rule, ...]:
    """The rules for the words of one kind, of all languages with Chinese numerals: 第一章, 附录一.

    `inserted`: 第十条之一 may follow 第十条. Its number is in the group `m`.
    """
    suffixes: dict[str, list[str]] = {}  # expressions for what stands after the number, by what stands before
    for language in LANGUAGES.values():
        if not language.has_chinese_numerals:
            continue
        for template in getattr(language, kind):
            before, after = template.split("#")
            suffixes.setdefault(before, []).append(_suffix(after, language))
    rules: list[Rule] = []
    for before, expressions in suffixes.items():
        characters = r"\s*".join(before)  # headings are often spaced out: 附　件　三
        if expressions == [""]:
            rules.append(Rule(before[0], rf"{characters}\s*{CHINESE_LAST_NUMBER}"))
            continue
        number = CHINESE_NUMERAL if before else DIGITS
        expression = rf"{characters}\s*{number}\s*(?:{'|'.join(expressions)})"
        if inserted:
            expression += f"(?:{INSERTED}(?P<m>{CHINESE}+))?"
        rules.append(Rule(before[:1] or DIGIT_STARTS, expression))
    return tuple(rules)


def _suffix(after: str, language: HeadingWords) -> str:
    """The expression for what stands after a number, and for what must not follow."""
    if not after:
        return ""
    if after.endswith("_"):
        return after[:-1] + r"(?=\s|\Z|[:、.\-—])"
    if "가" <= after[-1] <= "힣":
        return after + r"(?!\w)"  # 제3장에서
    longer = [word.removeprefix(after) for word in language.longer_words if word.startswith(after)]
    return f"{after}(?!{'|'.join([*longer, '[はがをにのでともへや]'])})"  # 第3章では


SAME_WORD = {"sec.": "section", "§§": "§"}
"""Marks before a number that say the same as another: both make one list."""

# --- Chinese words ---

CHINESE_PART = Pattern(1, "第一编", Use.SECTION, chinese_word_rules("part"), rank=0, stands_above_title=True)
CHINESE_CHAPTER = Pattern(
    2, "第一章", Use.SECTION, chinese_word_rules("chapter"), rank=1, stands_above_title=True
)
CHINESE_SECTION = Pattern(
    3, "第一节", Use.SECTION, chinese_word_rules("section"), rank=2, stands_above_title=True
)
CHINESE_ARTICLE = Pattern(
    4, "第一条", Use.SECTION, chinese_word_rules("article", inserted=True), rank=4, takes_insertions=True
)
CHINESE_CLAUSE = Pattern(5, "第一款", Use.SECTION, chinese_word_rules("clause"))
CHINESE_APPENDIX = Pattern(
    6, "附录一", Use.SECTION, chinese_word_rules("appendix"), rank=2, stands_above_title=True
)

# --- words of other languages: `numerals` finds them; the rules are for what it does not ---

PART = Pattern(31, "Part 1", Use.SECTION, (), rank=0, stands_above_title=True, begins_sentences=True)
CHAPTER = Pattern(
    32,
    "Chapter 1",
    Use.SECTION,
    (),
    rank=1,
    stands_above_title=True,
    begins_sentences=True,
)
SUBCHAPTER = Pattern(
    45,
    "Subchapter I",
    Use.SECTION,
    _rule("sS", rf"(?i:subchapter)\s+(?P<n>{ROMAN}-[A-Z])(?![0-9A-Za-z])"),
    rank=2,
    stands_above_title=True,
    begins_sentences=True,
    takes_insertions=True,
)
SECTION = Pattern(
    33,
    "Section 1",
    Use.SECTION,
    (),
    rank=3,
    stands_above_title=True,
    begins_sentences=True,
    is_dotted=True,
)
ARTICLE = Pattern(34, "Article 1", Use.SECTION, (), begins_sentences=True)
ITEM = Pattern(
    35,
    "Item 1",
    Use.SECTION,
    _rule("I", rf"(?:Item|ITEM)(?=[0-9]){NUMBER}"),  # Item7A, without a space
    rank=2,
    stands_above_title=True,
    begins_sentences=True,
    takes_insertions=True,
)
NOTE = Pattern(
    36,
    "Note 1",
    Use.SECTION,
    (),
    rank=3,
    stands_above_title=True,
    begins_sentences=True,
    takes_insertions=True,
)
APPENDIX = Pattern(
    37,
    "Appendix A",
    Use.SECTION,
    (),
    rank=2,
    stands_above_title=True,
    begins_sentences=True,
)

# --- Chinese numerals and heavenly stems ---

CHINESE_COMMA = Pattern(7, "一、", Use.SECTION, _rule(CHINESE_STARTS, rf"{CHINESE_NUMBER}\s?、"), rank=3)
CHINESE_DOT = Pattern(8, "一.", Use.SECTION, _rule(CHINESE_STARTS, rf"{CHINESE_NUMBER}\s?[.:]"))
CHINESE_BRACKETS_COMMA = Pattern(
    9, "(一)、", Use.SECTION, _rule("(", rf"\(\s?{CHINESE_NUMBER}\s?\)\s?[、.]"), rank=4
)
CHINESE_BRACKETS = Pattern(10, "(一)", Use.SECTION, _rule("(", rf"\(\s?{CHINESE_NUMBER}\s?\)"), rank=4)
CHINESE_BRACKET = Pattern(11, "一)", Use.SECTION, _rule(CHINESE_STARTS, rf"{CHINESE_NUMBER}\s?\)"))
CHINESE_OF_THESE = Pattern(
    12, "其一", Use.SECTION, _rule("其之", rf"[其之]{CHINESE_NUMBER}(?=[、,:.。;\s]|\Z)")
)
STEM = Pattern(13, "甲、", Use.SECTION, _rule(HEAVENLY_STEMS, rf"(?P<n>[{HEAVENLY_STEMS}])\s?[、.]"))

# --- glyphs ---

CIRCLED = Pattern(14, "①", Use.LIST, _glyphs("".join(CIRCLED_VALUES), read_circled), rank=7)
BRACKETED_GLYPH = Pattern(15, "⑴", Use.LIST, _glyphs("".join(BRACKETED_VALUES), read_bracketed), rank=7)
CHINESE_GLYPH = Pattern(
    16,
    "㈠",
    Use.UNSURE,
    _glyphs("".join(BRACKETED_CHINESE_VALUES), read_bracketed_chinese),
)
ROMAN_GLYPH = Pattern(
    17,
    "Ⅰ",
    Use.UNSURE,
    _glyphs(ROMAN_GLYPHS, read_roman_glyphs, f"[{ROMAN_GLYPHS}]+(?![类级型期度区])"),
)

# --- the section sign, before digits alone: "5. §" is no item of a list ---

SECTION_SIGN = Pattern(
    38,
    "§ 1",
    Use.SECTION,
    (
        Rule("§", r"§{1,2}\s*(?P<n>[0-9]{1,5}(?:[.\-][0-9]{1,4})*[A-Za-z]?)(?![0-9A-Za-z])"),
        # Nordic and Hungarian laws have it behind the number: 5 §, 5 a §, 5. §.
        Rule(DIGIT_STARTS, r"(?P<n>[0-9]{1,4}(?:\s?[a-z])?)\s?\.?\s?§(?=\s|\Z)"),
    ),
    is_dotted=True,
)

# --- digits ---

DIGITS_COMMA = Pattern(18, "1、", Use.LIST, _rule(DIGIT_STARTS, rf"{DIGITS}\s?、"), rank=5)
DIGITS_BRACKETS_COMMA = Pattern(
    19, "(1)、", Use.LIST, _rule("(", rf"\(\s?{DIGITS}\s?\)\s?(?:、|\.(?![0-9]))"), rank=6
)
DIGITS_BRACKETS = Pattern(
    20,
    "(1)",
    Use.LIST,
    # (145) alone is an amount, less than zero.
    _rule("(", rf"\(\s?{DIGITS}\s?\)(?!\s?%)(?:(?<![0-9]{{3}}\))|(?={TITLE}))"),
    rank=6,
)
CITATION = Pattern(21, "[1]", Use.LIST, _rule("[【", rf"[\[【]\s?{DIGITS}\s?[\]】]"))
DOTTED_FIVE = Pattern(22, "1.1.1.1.1", Use.SECTION, _dotted_rule("{4,}"), rank=6, is_dotted=True)
DOTTED_FOUR = Pattern(23, "1.1.1.1", Use.SECTION, _dotted_rule("{3}"), rank=5, is_dotted=True)
DOTTED_THREE = Pattern(
    24,
    "1.1.1",
    Use.SECTION,
    (
        *_dotted_rule("{2}"),
        Rule(DIGIT_STARTS, r"(?P<n>[0-9]{1,3}\.[0-9]{1,3}\.[a-z])(?=\.?(?:\s|\Z))"),  # 3.1.a
    ),
    rank=4,
    is_dotted=True,
)
DOTTED_TWO = Pattern(
    25,
    "1.1",
    Use.SECTION,
    # A short one may stand alone; what looks like 0.5, 1.05 or 1.234 needs a title behind it.
    (
        Rule(DIGIT_STARTS, rf"(?P<n>[1-9][0-9]?\.(?:[1-9][0-9]?|0)){DOT_END}{NO_DATA}"),
        Rule(
            DIGIT_STARTS,
            rf"(?P<n>[0-9]{{1,3}}\.(?!00)[0-9]{{1,3}}){DOT_END}{NO_DATA}(?={TITLE})",
        ),
        _dotted_rule("{1}")[1],
    ),
    rank=3,
    is_dotted=True,
)
DIGITS_BRACKET = Pattern(26, "1)", Use.LIST, _rule(DIGIT_STARTS, rf"{DIGITS}\s?\)"), rank=7)
DIGITS_DOT = Pattern(
    27,
    "1.",
    Use.LIST,
    (
        Rule(DIGIT_STARTS, rf"{DIGITS}\s?\.(?![0-9]|\s?%|\s?(?i:{DAY_MONTH})\b)"),
        Rule(DIGIT_STARTS, rf"{DIGITS}\.(?=(?:19|20)[0-9]{{2}}\s?年)"),  # a year, glued to its number
    ),
    rank=5,
)
DIGITS_COLON = Pattern(
    28,
    "1:",
    Use.UNSURE,
    _rule(
        DIGIT_STARTS,
        rf"{DIGITS}(?:\s?:(?!\s?[0-9])|\s?[-–—](?=\s+{WORDLIKE})|\s[-–—](?={WORDLIKE}))",
    ),
)
DIGITS_SPACE = Pattern(
    29,
    "1 Title",
    Use.UNSURE,
    _rule(DIGIT_STARTS, rf"{DIGITS}(?=\s+{WORDLIKE})(?!\s+(?:{LOWER}|{MONTH}|{UNIT}))"),
    rank=2,
    begins_sentences=True,
)
LETTER_DOTTED = Pattern(
    30,
    "A.1",
    Use.SECTION,
    _rule(LETTERS, rf"(?P<n>(?:{ROMAN}|[A-Za-z])(?:\.[0-9]{{1,3}})+){DOT_END}"),
    rank=3,
    is_dotted=True,
)

# --- letters and roman numerals; the roman ones are tried first ---

UPPER_ROMAN_BRACKETS = Pattern(
    39, "(I)", Use.LIST, _rule("(", rf"\(\s?(?P<n>{ROMAN}|[CDM])\s?\)"), letter_id=41
)
LOWER_ROMAN_BRACKETS = Pattern(
    40,
    "(i)",
    Use.LIST,
    _rule("(", rf"\(\s?(?P<n>{ROMAN.lower()}|[cdm])\s?\)"),
    rank=7,
    letter_id=41,
)
LETTER_BRACKETS = Pattern(
    41,
    "(A)",
    Use.LIST,
    (Rule("(", r"\(\s?(?P<n>[A-Za-z])\s?\)"), Rule("(", rf"\(\s?{OTHER_LETTER}\s?\){NO_FORMULA}")),
    rank=7,
)
ROMAN_DOT = Pattern(
    42,
    "I.",
    Use.LIST,
    _rule(ROMAN_STARTS, rf"(?P<n>{ROMAN}|{ROMAN.lower()}|[CDMcdm]){LETTER_MARK}"),
    letter_id=43,
)
LETTER_DOT = Pattern(
    43,
    "A.",
    Use.LIST,
    (
        Rule(LETTERS, rf"(?P<n>[A-Za-z]){LETTER_MARK}(?<!p\.)"),
        # Lower case with a dot abbreviates a word, two capitals with dots are initials.
        Rule(OTHER_LETTERS, rf"(?P<n>{HEBREW_NUMERAL})[.)](?=\s)"),
        Rule(OTHER_LETTERS, rf"{OTHER_LETTER}\){NO_FORMULA}"),
        Rule(OTHER_LETTERS, rf"(?P<n>[{UNCASED_LETTERS}])[.、\-](?=\s|{WORDLIKE})"),
        Rule(OTHER_LETTERS, rf"(?P<n>[{OTHER_CAPITALS}])\.(?=\s)(?!\s?[{OTHER_CAPITALS}]\.){NO_FORMULA}"),
    ),
)

# --- what counts nothing ---

BULLET = Pattern(
    44,
    "•",
    Use.UNSURE,
    (
        *_glyphs(BULLETS, read_bullet, rf"[{BULLETS}\ue000-\uf8ff]"),
        *_glyphs("*", read_bullet, r"\*+(?=\s*[^\s*])"),
        *_glyphs("-", read_bullet, r"-(?=\s+\S)(?!\s+[0-9]+\s*-?\s*\Z)"),  # "- 12 -" numbers a page
        *_glyphs(DASHES, read_bullet, rf"[{DASHES}](?=\s*[^\s0-9{DASHES}])"),
    ),
)

PATTERNS: tuple[Pattern, ...] = tuple(row for row in list(globals().values()) if isinstance(row, Pattern))
"""All patterns, in the order in which they are tried: that of their declarations."""

LABELLED = {
    "part": PART,
    "chapter": CHAPTER,
    "subchapter": SUBCHAPTER,
    "section": SECTION,
    "article": ARTICLE,
    "item": ITEM,
    "note": NOTE,
    "appendix": APPENDIX,
}
"""The patterns of numbers beside words, by the kind of the words."""

PATTERN_BY_ID = {pattern.id: pattern for pattern in PATTERNS}
