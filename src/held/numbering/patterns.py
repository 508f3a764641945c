"""The 45 patterns of item numbers, each declared once: how it looks, what it tells, what recognises it.

The ids are features of the models, so they stay. Patterns are tried in the order of `PATTERNS`, and the
first that matches wins. Everything that depends on the kind of a number asks a pattern for a property, so
that a new one is a declaration here and a place in `PATTERNS`.
"""

from __future__ import annotations

from held.numbering import pieces as p
from held.numbering import readings
from held.numbering.numerals import ROMAN, STEMS
from held.numbering.pattern import Pattern, Use, after_word, chinese_word, dotted, glyphs, rule

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
    rules=(chinese_word(rf"条(?!件)(?:{readings.INSERTED}(?P<m>{p.CHINESE}+))?"),),
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
    rules=(rule("附", rf"附\s*(?:录|件|表|注|錄)\s*{p.CHINESE_APPENDIX_NUMBER}"),),
    rank=2,
    stands_above_title=True,
)

# --- Chinese numerals and heavenly stems ---

CHINESE_COMMA = Pattern(
    7, "一、", Use.SECTION, rules=(rule(p.CHINESE_STARTS, rf"{p.CHINESE_NUMBER}\s?、"),), rank=3
)
CHINESE_DOT = Pattern(8, "一.", Use.SECTION, rules=(rule(p.CHINESE_STARTS, rf"{p.CHINESE_NUMBER}\s?[.:]"),))
CHINESE_BRACKETS_COMMA = Pattern(
    9, "(一)、", Use.SECTION, rules=(rule("(", rf"\(\s?{p.CHINESE_NUMBER}\s?\)\s?[、.]"),), rank=4
)
CHINESE_BRACKETS = Pattern(
    10, "(一)", Use.SECTION, rules=(rule("(", rf"\(\s?{p.CHINESE_NUMBER}\s?\)"),), rank=4
)
CHINESE_BRACKET = Pattern(
    11, "一)", Use.SECTION, rules=(rule(p.CHINESE_STARTS, rf"{p.CHINESE_NUMBER}\s?\)"),)
)
CHINESE_OF_THESE = Pattern(
    12, "其一", Use.SECTION, rules=(rule("其之", rf"[其之]{p.CHINESE_NUMBER}(?=[、,:.。;\s]|\Z)"),)
)
STEM = Pattern(13, "甲、", Use.SECTION, rules=(rule(STEMS, rf"(?P<n>[{STEMS}])\s?[、.]"),))

# --- glyphs ---

CIRCLED = Pattern(
    14, "①", Use.LIST, rules=(glyphs("".join(readings.CIRCLED_VALUES), readings.read_circled),), rank=7
)
BRACKETED_GLYPH = Pattern(
    15, "⑴", Use.LIST, rules=(glyphs("".join(readings.BRACKETED_VALUES), readings.read_bracketed),), rank=7
)
CHINESE_GLYPH = Pattern(
    16,
    "㈠",
    Use.UNSURE,
    rules=(glyphs("".join(readings.BRACKETED_CHINESE_VALUES), readings.read_bracketed_chinese),),
)
ROMAN_GLYPH = Pattern(
    17,
    "Ⅰ",
    Use.UNSURE,
    rules=(glyphs(p.ROMAN_GLYPHS, readings.read_roman_glyphs, f"[{p.ROMAN_GLYPHS}]+(?![类级型期度区])"),),
)

# --- digits ---

DIGITS_COMMA = Pattern(18, "1、", Use.LIST, rules=(rule(p.DIGIT_STARTS, rf"{p.DIGITS}\s?、"),), rank=5)
DIGITS_BRACKETS_COMMA = Pattern(
    19, "(1)、", Use.LIST, rules=(rule("(", rf"\(\s?{p.DIGITS}\s?\)\s?(?:、|\.(?![0-9]))"),), rank=6
)
DIGITS_BRACKETS = Pattern(
    20,
    "(1)",
    Use.LIST,
    # (145) alone is an amount, less than zero.
    rules=(rule("(", rf"\(\s?{p.DIGITS}\s?\)(?!\s?%)(?:(?<![0-9]{{3}}\))|(?={p.TITLE}))"),),
    rank=6,
)
CITATION = Pattern(21, "[1]", Use.LIST, rules=(rule("[【", rf"[\[【]\s?{p.DIGITS}\s?[\]】]"),))
DOTTED_FIVE = Pattern(22, "1.1.1.1.1", Use.SECTION, rules=(dotted("{4,}"),), rank=6, is_dotted=True)
DOTTED_FOUR = Pattern(23, "1.1.1.1", Use.SECTION, rules=(dotted("{3}"),), rank=5, is_dotted=True)
DOTTED_THREE = Pattern(
    24,
    "1.1.1",
    Use.SECTION,
    rules=(
        dotted("{2}"),
        rule(p.DIGIT_STARTS, r"(?P<n>[0-9]{1,3}\.[0-9]{1,3}\.[a-z])(?=\.?(?:\s|\Z))"),  # 3.1.a
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
        rule(p.DIGIT_STARTS, rf"(?P<n>[1-9][0-9]?\.(?:[1-9][0-9]?|0)){p.DOT_END}{p.NO_DATA}"),
        rule(
            p.DIGIT_STARTS,
            rf"(?P<n>[0-9]{{1,3}}\.(?!00)[0-9]{{1,3}}){p.DOT_END}{p.NO_DATA}(?={p.TITLE})",
        ),
    ),
    rank=3,
    is_dotted=True,
)
DIGITS_BRACKET = Pattern(26, "1)", Use.LIST, rules=(rule(p.DIGIT_STARTS, rf"{p.DIGITS}\s?\)"),), rank=7)
DIGITS_DOT = Pattern(
    27,
    "1.",
    Use.LIST,
    rules=(
        rule(p.DIGIT_STARTS, rf"{p.DIGITS}\s?\.(?![0-9]|\s?%)"),
        rule(p.DIGIT_STARTS, rf"{p.DIGITS}\.(?=(?:19|20)[0-9]{{2}}\s?年)"),  # a year, glued to its number
    ),
    rank=5,
)
DIGITS_COLON = Pattern(
    28,
    "1:",
    Use.UNSURE,
    rules=(
        rule(
            p.DIGIT_STARTS,
            rf"{p.DIGITS}(?:\s?:(?!\s?[0-9])|\s?[-–—](?=\s+{p.WORDLIKE})|\s[-–—](?={p.WORDLIKE}))",
        ),
    ),
)
DIGITS_SPACE = Pattern(
    29,
    "1 Title",
    Use.UNSURE,
    rules=(rule(p.DIGIT_STARTS, rf"{p.DIGITS}(?=\s+{p.WORDLIKE})(?!\s+(?:[a-z]|{p.MONTH}|{p.UNIT}))"),),
    rank=2,
    begins_sentences=True,
)
LETTER_DOTTED = Pattern(
    30,
    "A.1",
    Use.SECTION,
    rules=(rule(p.LETTERS, rf"(?P<n>(?:{ROMAN}|[A-Za-z])(?:\.[0-9]{{1,3}})+){p.DOT_END}"),),
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
    rules=(after_word(*_ITEMS), rule("I", rf"(?:Item|ITEM)(?=[0-9]){p.NUMBER}")),
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
LETTER_DOT = Pattern(43, "A.", Use.LIST, rules=(rule(p.LETTERS, rf"(?P<n>[A-Za-z]){p.LETTER_MARK}(?<!p\.)"),))
ROMAN_DOT = Pattern(
    42,
    "I.",
    Use.LIST,
    rules=(rule(p.ROMAN_STARTS, rf"(?P<n>{ROMAN}|{ROMAN.lower()}|[CDMcdm]){p.LETTER_MARK}"),),
    letter=LETTER_DOT,
)

# --- what counts nothing ---

BULLET = Pattern(
    44,
    "•",
    Use.UNSURE,
    rules=(
        glyphs(p.BULLETS, readings.read_bullet, rf"[{p.BULLETS}\ue000-\uf8ff]"),
        glyphs("*", readings.read_bullet, r"\*+(?=\s*[^\s*])"),
        glyphs("-", readings.read_bullet, r"-(?=\s+\S)(?!\s+[0-9]+\s*-?\s*\Z)"),  # "- 12 -" numbers a page
        glyphs(p.DASHES, readings.read_bullet, rf"[{p.DASHES}](?=\s*[^\s0-9{p.DASHES}])"),
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
