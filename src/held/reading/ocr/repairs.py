"""Repairs of what engines misread: item numbers, and running heads that differ from page to page.

Only the start of a line is repaired, where an item number stands: "l.2 Scope" becomes "1.2 Scope", "Ill.
Results" becomes "III. Results" and "第—章" becomes "第一章".
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from difflib import SequenceMatcher
from functools import cache, lru_cache

from held.numbering.words import LANGUAGES, all_spellings

DIGIT_LOOKALIKES = str.maketrans(
    {"l": "1", "I": "1", "|": "1", "O": "0", "o": "0", "S": "5", "Z": "2", "B": "8"}
)
ROMAN_LOOKALIKES = str.maketrans({"l": "I", "1": "I", "|": "I", "i": "I"})

# "l.2", "1.l", "2.O.1", "l.": letters that stand for digits beside real digits or before a point.
DOTTED = re.compile(r"([\dlIOoSZB|]{1,3}(?:\.[\dlIOoSZB|]{1,3})+\.?)(?=\s)")
# "1, Scope", "2_ Scope", "2_Scope": the point of a number that was taken for another sign or an underline.
LOST_POINT = re.compile(r"(\d{1,2}|[A-Z])(?:[,_;‚·]\s|(?<=\d)_)(?=[A-Z\u00c0-\u00de\u0410-\u042f])")
# "$ 1. SCOPE": a paragraph sign; a sum of money is followed by no capital.
PARAGRAPH_SIGN = re.compile(r"\$(?=\s?\d{1,3}[a-z]?\.?\s[A-Z\u00c0-\u00de\u0410-\u042f])")
LONE_ONE = re.compile(r"[l|](?=[.)]\s+\S)")
# "Il.", "Ill.", "lV.", "Vl.", "XIl.": a Roman numeral with small letters l or digits 1 in it.
ROMAN = re.compile(r"([IVXLl1|]{2,6})(?=[.:)]?\s|[.:)]?$)")
VALID_ROMAN = re.compile(r"(?:X{0,3})(?:IX|IV|V?I{0,3})")
# "Chapter l", "ltem 3.", "Scction 2.1": a word, perhaps misread, and what looks like a number.
LABELLED = re.compile(r"([^\W\d_]{3,}?)(\s+|(?=\d))([\dlIOoSZB|VX]+[A-Z]?)(?=[\s.:]|$)")
LABEL_FIELDS = ("part", "chapter", "subchapter", "section", "article", "item", "note", "appendix")
MIN_LABEL = 4  # characters: shorter words are too like others
# Letters that are taken for each other, in either direction.
CONFUSED = frozenset(
    frozenset(pair)
    for pair in ("lI", "tI", "iI", "1I", "|I", "li", "ce", "eo", "nr", "nu", "lt", "ft", "hb", "rt", "fI")
)
# The same in lower case, with the digits that are taken for letters: "TABLE OF CONTENT5", "C0ntents".
CONFUSED_IN_TITLES = frozenset(frozenset("".join(pair).lower()) for pair in CONFUSED) | frozenset(
    frozenset(pair) for pair in ("5s", "0o", "1l", "8b")
)
MIN_CONTENTS_TITLE = 6  # characters: shorter titles are too like others
LETTERS_PER_ERROR = 5  # of a title
# Dashes of all kinds for the Chinese numeral one: at the start of an item, or between 第 and its unit.
DASH = "—–-―─"
NUMERALS = "一二三四五六七八九十百"
UNITS = "章节節条條部分编編卷"
CHINESE_ORDINAL = re.compile(rf"(第[{NUMERALS}]*)[{DASH}]([{NUMERALS}]*[{UNITS}])")
CHINESE_ITEM = re.compile(rf"^([（(]?[{NUMERALS}]*)[{DASH}]([{NUMERALS}]*)(?=[、）)．.])")

POINTED_NUMBER = re.compile(r"\d{1,2}\. (?=[^\W\d_a-z])")
BARE_NUMBER = re.compile(r"^(\d{1,2}) (?=[^\W\d_a-z])")
MIN_POINTED = 3  # lines of a style whose number has a point ...
MAX_LOST_NUMBERS = 2  # from the number before: the engine may have lost one between
MIN_POINTED_TIMES = 3  # ... and how many times more than those without

NUMBERED_LINE = re.compile(r"^(\d{1,2}(?:\.\d{1,3}){0,3})(?= [^\W\d_a-z])")

MIN_SAME_HEAD = 0.8  # similarity of two readings of one running head
EDGE_LINES = 2  # lines at the top and at the bottom of a page that may be running heads
MIN_HEAD_CHARACTERS = 6
MIN_HEAD_PAGES = 3


def repair_lines(pages: Sequence[Sequence[str]], styles: Sequence[Sequence[Hashable]]) -> list[list[str]]:
    """The lines of each page, from top to bottom, with all repairs; `styles` has the style of each line."""
    started = [[repair_line_start(text) for text in lines] for lines in unify_running_heads(pages)]
    return restore_dots(restore_points(started, styles))


def repair_line_start(text: str) -> str:
    """The text of a line with its item number repaired, or the title of printed contents."""
    contents_title = _read_contents_title(text) if len(text) <= _longest_contents_title() else None
    if contents_title:
        return contents_title
    text = CHINESE_ORDINAL.sub(r"\1一\2", text)
    text = CHINESE_ITEM.sub(r"\1一\2", text)
    labelled = LABELLED.match(text)
    label = _read_label(labelled[1]) if labelled else None
    if labelled and label:
        return f"{label}{labelled[2] or ' '}{_repair_number(labelled[3])}{text[labelled.end() :]}"
    if PARAGRAPH_SIGN.match(text):
        return f"§{text[1:]}"
    lost_point = LOST_POINT.match(text)
    if lost_point:
        return f"{lost_point[1]}. {text[lost_point.end() :]}"
    dotted = DOTTED.match(text)
    if dotted and any(character.isdecimal() for character in dotted[1]):
        return dotted[1].translate(DIGIT_LOOKALIKES) + text[dotted.end() :]
    roman = ROMAN.match(text)
    if roman and _needs_roman_repair(roman[1]):
        return roman[1].translate(ROMAN_LOOKALIKES) + text[roman.end() :]
    return LONE_ONE.sub("1", text, count=1) if LONE_ONE.match(text) else text


@lru_cache(maxsize=4096)
def _read_label(word: str) -> str | None:
    """The word for a kind of section that this is, or is with one confused letter; None for others."""
    lower = word.lower()
    if lower in _labels():
        return word
    for label in _labels():
        if len(label) != len(word):
            continue
        wrong = [index for index, letter in enumerate(label) if letter != lower[index]]
        if len(wrong) != 1:
            continue
        (index,) = wrong
        letter = label[index].upper() if index == 0 else label[index]
        if frozenset((word[index], letter)) in CONFUSED:
            return word[:index] + letter + word[index + 1 :]
    return None


@lru_cache(maxsize=4096)
def _read_contents_title(text: str) -> str | None:
    """The title of printed contents that this is with some confused letters; None for others."""
    lower = text.lower()
    titles = _contents_titles().get(len(lower), ())
    if lower in titles:
        return None
    for title in titles:
        wrong = [frozenset(pair) for pair in zip(lower, title, strict=True) if pair[0] != pair[1]]
        if CONFUSED_IN_TITLES.issuperset(wrong) and len(wrong) * LETTERS_PER_ERROR <= len(title):
            return title.upper() if text[1:].upper() == text[1:] else title[:1].upper() + title[1:]
    return None


@cache
def _contents_titles() -> dict[int, list[str]]:
    """The titles of printed contents in all languages, by their length."""
    titles: dict[int, list[str]] = {}
    for title in sorted(all_spellings("contents", "contents_lists")):
        if len(title) >= MIN_CONTENTS_TITLE:
            titles.setdefault(len(title), []).append(title)
    return titles


@cache
def _longest_contents_title() -> int:
    return max(_contents_titles())


@cache
def _labels() -> frozenset[str]:
    """The words that stand before the number of a section, in all languages."""
    words = (word for own in LANGUAGES.values() for field in LABEL_FIELDS for word in getattr(own, field))
    return frozenset(word for word in words if len(word) >= MIN_LABEL and word.isalpha())


def _repair_number(number: str) -> str:
    if _needs_roman_repair(number):
        return number.translate(ROMAN_LOOKALIKES)
    is_lone_one = number in ("l", "|")
    has_digit = any(character.isdecimal() for character in number)
    return number.translate(DIGIT_LOOKALIKES) if has_digit or is_lone_one else number


def _needs_roman_repair(number: str) -> bool:
    """Whether a string becomes a Roman numeral, and is none yet."""
    repaired = number.translate(ROMAN_LOOKALIKES)
    has_capital = any(character in "IVX" for character in number)
    return repaired != number and has_capital and bool(VALID_ROMAN.fullmatch(repaired))


def restore_points(pages: Sequence[Sequence[str]], styles: Sequence[Sequence[Hashable]]) -> list[list[str]]:
    """The lines of each page, with the point after an item number where the engine has lost it.

    Lines of one style have it or not: where most of them do ("1. Scope"), "2 Results" becomes "2. Results".
    """
    with_point: Counter[Hashable] = Counter()
    without: Counter[Hashable] = Counter()
    for lines, own in zip(pages, styles, strict=True):
        for text, style in zip(lines, own, strict=True):
            with_point[style] += bool(POINTED_NUMBER.match(text))
            without[style] += bool(BARE_NUMBER.match(text))
    restored = []
    for lines, own in zip(pages, styles, strict=True):
        new = []
        for text, style in zip(lines, own, strict=True):
            is_usual = with_point[style] >= max(MIN_POINTED, MIN_POINTED_TIMES * without[style])
            new.append(BARE_NUMBER.sub(r"\1. ", text) if is_usual else text)
        restored.append(new)
    return restored


def restore_dots(pages: Sequence[Sequence[str]]) -> list[list[str]]:
    """The lines of each page, with the dot within an item number where the engine has lost it.

    After 22.1 and 22.1.1, "22.12 Boats" is no twelfth section of chapter 22, but 22.1.2.
    """
    last: dict[str, int] = {}  # the last number below each number: {"22": 1, "22.1": 1}
    restored = []
    for lines in pages:
        new = []
        for text in lines:
            match = NUMBERED_LINE.match(text)
            if match:
                number = _with_lost_dot(match[1], last)
                text = number + text[match.end() :]
                above, _, own = number.rpartition(".")
                last[above] = int(own)
            new.append(text)
        restored.append(new)
    return restored


def _with_lost_dot(number: str, last: Mapping[str, int]) -> str:
    """A number that does not follow the last one beside it, divided if it then goes on below that one."""
    above, _, own = number.rpartition(".")
    before = str(last.get(above, 0))
    rest = own.removeprefix(before)
    is_next = own == str(last.get(above, 0) + 1)
    if not above or is_next or rest in ("", own) or rest.startswith("0"):
        return number
    divided_above = f"{above}.{before}"
    gap = int(rest) - last.get(divided_above, 0)
    return f"{divided_above}.{rest}" if 0 < gap <= MAX_LOST_NUMBERS else number


def unify_running_heads(pages: Sequence[Sequence[str]]) -> list[list[str]]:
    """The lines of each page, from top to bottom, with similar lines at the edges made equal.

    A running head that an engine reads as "Annual Report", "Annual Repon" and "Annua1 Report" would not be
    found to repeat. Readings that are alike get the text that most of them have; their numbers stay.
    """
    unified = [list(lines) for lines in pages]
    places = []
    for page, lines in enumerate(unified):
        edges = {*range(min(EDGE_LINES, len(lines))), *range(max(0, len(lines) - EDGE_LINES), len(lines))}
        places += [(page, index) for index in sorted(edges)]
    groups: list[tuple[str, list[tuple[int, int]]]] = []
    for page, index in places:
        words = _words_of(unified[page][index])
        if len(words) < MIN_HEAD_CHARACTERS:
            continue
        for head, members in reversed(groups):
            if _is_similar(head, words):
                members.append((page, index))
                break
        else:
            groups.append((words, [(page, index)]))
    for _, members in groups:
        if len({page for page, _ in members}) >= MIN_HEAD_PAGES:
            _make_equal(unified, members)
    return unified


def _words_of(text: str) -> str:
    """The text without the numbers at its ends, which are page numbers."""
    return re.sub(r"^[\d\s|.\-–—]+|[\d\s|.\-–—]+$", "", text)


def _is_similar(one: str, other: str) -> bool:
    if one == other:
        return True
    matcher = SequenceMatcher(None, one, other, autojunk=False)
    return matcher.real_quick_ratio() >= MIN_SAME_HEAD and matcher.ratio() >= MIN_SAME_HEAD


def _make_equal(lines: list[list[str]], members: Sequence[tuple[int, int]]) -> None:
    readings = Counter(_words_of(lines[page][index]) for page, index in members)
    best = readings.most_common(1)[0][0]
    for page, index in members:
        own = _words_of(lines[page][index])
        if own != best and not _differs_in_digits(own, best):
            lines[page][index] = lines[page][index].replace(own, best, 1)


def _differs_in_digits(one: str, other: str) -> bool:
    """Whether two readings have different numbers: those of other chapters, not misread ones."""
    return re.findall(r"\b\d+\b", one) != re.findall(r"\b\d+\b", other)
