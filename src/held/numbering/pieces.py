"""The pieces that the expressions of item numbers are made of: numerals, and what may stand around them.

Most of them say what a number is not: an amount, a date, a unit, an abbreviation. The group `n` is the
number itself, `m` what is inserted after it.
"""

from __future__ import annotations

from held.numbering.numerals import CHINESE_DIGITS, CHINESE_UNITS, ROMAN, WORDS

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
