"""Titles recognised by their words: printed contents, continued sections, captions, and loose numbers.

A title's number is read loosely to compare titles: an outline may lose a number or change it ("3-2" for
"3.2", "Lecture 4"), so both sides are compared without it. Taking too much for a number costs little there.
`parse_number` is strict, since each number that it finds decides where a heading stands.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache, lru_cache
from typing import NamedTuple

from held.document import PhysicalObject
from held.numbering.numerals import NUMBERED, ROMAN, labelled_number
from held.numbering.parsing import parse_number
from held.numbering.patterns import CHINESE
from held.numbering.words import (
    LANGUAGES,
    SECTION_KINDS,
    all_spellings,
    all_words,
    any_expression,
    first_letters,
    number_words,
    spellings,
)
from held.system import lazy_pattern

# --- contents ---

_MAX_CONTENTS_TITLE = 60  # characters
_CONTENTS_TITLES = all_spellings("contents", "contents_lists")
_CONTENTS = lazy_pattern(
    rf"[\s·—【]*{any_expression('contents_expressions')}[\s·—】:：]*"
    rf"(?:\(?{any_expression('continued')}\)?)?",
    re.IGNORECASE,
)
_AROUND_CONTENTS = " \t·—【】:："
_CONTENTS_STARTS = frozenset(" \t·—【") | first_letters(
    (*_CONTENTS_TITLES, *all_words("contents_expressions"))
)
_LETTERSPACED = lazy_pattern(r"(?:\w )+\w")
_DOTTED_I = "i\u0307"  # the lower case of the Turkish capital İ


def is_contents_title(text: str) -> bool:
    """Whether a text is the title of printed contents, also with spaces between its letters."""
    # Most lines begin with another character, and need no look-up.
    if len(text) >= _MAX_CONTENTS_TITLE or text[:1] not in _CONTENTS_STARTS:
        return False
    if text[1:2] == " " and _LETTERSPACED.fullmatch(text):
        text = text.replace(" ", "")
    title = _continued_title(text) or text
    words = title.strip(_AROUND_CONTENTS).lower().replace(_DOTTED_I, "i").split()
    return " ".join(words) in _CONTENTS_TITLES or _CONTENTS.fullmatch(text) is not None


# --- continued sections ---

_MAX_TITLE = 200  # characters
_CONTINUED_WORD = any_expression("continued")
_IN_BRACKETS = rf"[(（\[]\s*(?:{_CONTINUED_WORD}|{any_expression('continued_in_brackets')})\s*[)）\]]"
_CONTINUED = lazy_pattern(
    rf"[\s:：,—–-]*(?:{_IN_BRACKETS}|(?:^|[\s—–-]){_CONTINUED_WORD})[:：]?$", re.IGNORECASE
)
_CONTINUED_ENDS = frozenset(")）]:：").union(
    *((word[-1].lower(), word[-1].upper()) for word in all_words("continued"))
)
_NO_LETTERS = re.compile(r"[\W_]+")


def is_continued_title(text: str) -> bool:
    """Whether a text ends in "(continued)", or is nothing else."""
    return _continued_title(text) is not None


def without_continuation(text: str) -> str:
    """A text without "(continued)" at its end."""
    title = _continued_title(text)
    return text if title is None else title


def _continued_title(text: str) -> str | None:
    """The title before "(continued)" at a text's end; None where no such word ends it."""
    # Most texts end in another character, and need no expression.
    if text[-1:] not in _CONTINUED_ENDS or len(text) > _MAX_TITLE:
        return None
    found = _CONTINUED.search(text)
    return text[: found.start()] if found else None


def find_continued_titles(objects: Sequence[PhysicalObject]) -> frozenset[int]:
    """The objects that say "(continued)" after a title that stands before them, perhaps with a number.

    "Segment information (continued)" goes on with a section and begins none.
    """
    if not any(is_continued_title(item.text) for item in objects):
        return frozenset()
    earlier_titles: set[str] = set()
    found = set()
    for index, item in enumerate(objects):
        if len(item.text) > _MAX_TITLE:
            continue
        title = _continued_title(item.text)
        if title is not None and _letters(title) in earlier_titles:
            found.add(index)
        number = parse_number(item.text)
        earlier_titles.add(_letters(item.text))
        if number:
            earlier_titles.add(_letters(item.text[number.title_start :]))
    return frozenset(found)


def _letters(text: str) -> str:
    return _NO_LETTERS.sub("", text).casefold()


# --- numbers read loosely ---

_ROMAN = ROMAN.lower()
_COUNT = rf"(?:\d+(?:[.\-]\d+)*|{_ROMAN}(?![a-z])|[a-z](?:[.\-]?\d+)*)"
_AFTER_NUMBER = r"[\s.:、,)\-–—|]*"


@cache
def _loose_number() -> re.Pattern[str]:
    """The number at the start of a title; compiled when titles are compared, which is seldom."""
    english = LANGUAGES["en"]
    kinds = (*SECTION_KINDS, "course_unit")
    counted = "|".join(re.escape(word) for kind in kinds for word in getattr(english, kind))
    spelled = "|".join(number_words(english))
    return re.compile(
        rf"""\s*(?:
          (?:{counted})(?:\s+|(?=\d))(?:{_COUNT}|{spelled})\b
        | 第(?:{CHINESE}|[\d\s])+(?:[章节節条條篇编編款项項回讲講课課部]|部分)
        | 제[\d\s]+[편부장절관조항]
        | (?:附[录錄件録]|付録|부록)\s*(?:{CHINESE}+|{_COUNT})(?![a-z0-9])
        | [(\[]\s*(?:{_COUNT}|{CHINESE}+)\s*[)\]]
        | §\s*{_COUNT}
        | \d+(?:\s?[.\-]\s?\d+)*(?![\d%])
        | [a-z](?:\.\d+)+
        | [a-z]\d+(?:\.\d+)+
        | (?:{_ROMAN}|[a-z])(?:[.):、]|\s)
        | {CHINESE}+\s*(?:[、.,:)]|\s)
        | [•●■◆▪▶►○□◇➢★*+o-](?=\s)
        ){_AFTER_NUMBER}""",
        re.VERBOSE,
    )


_MARKS = re.compile(_AFTER_NUMBER)


def _loose_end(plain_text: str) -> int:
    """Where the number at the start of a text ends; 0 if it has none."""
    # Capitals: a word is then no sign that a sentence goes on, and "part i" has a roman numeral.
    capitals = plain_text.upper()
    labelled = labelled_number(capitals) if len(capitals) == len(plain_text) else None
    if labelled is not None:
        marks = _MARKS.match(plain_text, labelled.end)
        return marks.end() if marks else labelled.end
    match = _loose_number().match(plain_text)
    return match.end() if match else 0


def loose_number_end(plain_text: str) -> int:
    """Where the number at the start of a text ends; 0 if it has none or is nothing else.

    The text is in NFKC form and casefolded, as titles are compared.
    """
    end = _loose_end(plain_text)
    return end if end < len(plain_text) else 0


def is_loose_number(plain_text: str) -> bool:
    """Whether a text, in NFKC form and casefolded, is a number and nothing else."""
    if _loose_end(plain_text) == len(plain_text) > 0:
        return True
    # An expression that must match all of the text tries more than the first alternative.
    return _loose_number().fullmatch(plain_text + " ") is not None


# --- captions: Figure 3, Abb. 2.1, Рис. 4, 図5, 3. ábra ---
# The first word is looked up, so that most lines cost one look-up. Sentences that begin with
# such a reference ("Table 1 shows …", "図3に示す") are no captions.

_ENGLISH_SENTENCE = (
    r"(?!\w+\.?\s*[A-Z]?[\d.\-]+[a-z]?\s(?-i:(?:also )?(?:shows?|summari[sz]es?|presents?|lists?|gives?"
    r"|compares?|illustrates?|depicts?|reports?|contains?|describes?|provides?|displays?|plots?)\s))"
)
_CHINESE_SENTENCE = r"(?!\D+[A-Z]?[\d.\-]+\s?(?:所示|给出|列出|展示|显示|描述|中的|中第|可知|可以))"
_CJK_PARTICLE = r"(?!\D+[A-Z]?[\d.\-]+[はがをにのでともへや은는을를이가에의와과로])"
_CAPTION_NUMBER = r"(?:[A-Z]?[-.]?\d[\d.\-]*[a-z]?|[IVX]+\b)"
_LOWER_CASE_NEXT = r"\s+(?-i:[a-zß-öø-ÿ\u03ac-\u03ce\u0430-\u045f])"
_ENGLISH_NUMBER = lazy_pattern(rf"\w+\.?\s*{_CAPTION_NUMBER}", re.I)
_NUMBER = lazy_pattern(
    rf"\w+\.?\s*(?:n[°.]\s*)?(?:\({_CAPTION_NUMBER}\)|{_CAPTION_NUMBER})(?!{_LOWER_CASE_NEXT})", re.I
)
_CJK_NUMBER = lazy_pattern(r"\D+(?:[A-Z][-.．]?)?\d")
_ENGLISH = lazy_pattern(_ENGLISH_SENTENCE, re.I)
_CJK = lazy_pattern(_CHINESE_SENTENCE + _CJK_PARTICLE)
_FIRST_WORD = re.compile(r"[^\W\d_]+")
_NUMBER_FIRST = lazy_pattern(rf"\d[\d.\-]*\.\s+{NUMBERED}([^\W\d_]+)")
_CJK_STARTS = lazy_pattern(r"[\u3400-\u9fff\uac00-\ud7a3]+")


_BRACKETS = {"[": "]", "<": ">", "〈": "〉", "《": "》", "【": "】", "［": "］", "＜": "＞"}  # around a label
_MAX_BRACKETED = 24  # characters of a label in brackets
_CACHED_TEXTS = 2048  # the lines of some pages, which several parts of the layout ask about


class _CaptionWord(NamedTuple):
    is_figure: bool
    is_english: bool


class _CaptionWords(NamedTuple):
    words: dict[str, _CaptionWord]
    first_words: set[str]  # of those that have two: "biểu đồ"
    dotted: dict[str, _CaptionWord]  # abbreviations, without their dot
    after_number: dict[str, _CaptionWord]


def caption_end(text: str) -> int:
    """Where the label of a caption ends ("Figure 3"); 0 where a text is no caption."""
    found = _find(text)
    return found[1] if found else 0


def is_figure_caption(text: str) -> bool:
    """Whether a text is the caption of a figure and not of a table."""
    found = _find(text)
    return found is not None and found[0].is_figure


@lru_cache(maxsize=_CACHED_TEXTS)
def _find(text: str) -> tuple[_CaptionWord, int] | None:
    """The word of a caption and where its label ends."""
    first = _FIRST_WORD.match(text)
    if first is None:
        closing = _BRACKETS.get(text[:1])
        if closing:
            return _find_in_brackets(text, closing)
        return _find_after_number(text) if text[:1].isdigit() else None
    if text[0] >= "\u3400":
        return _find_cjk(text)
    word = first[0].lower()
    table = _table()
    found = table.words.get(word)
    last_word = 0  # where the word before the number begins
    if found is None and word in table.first_words:
        second = _FIRST_WORD.match(text, first.end() + 1)
        found = table.words.get(f"{word} {second[0].lower()}") if second else None
        last_word = second.start() if second else 0
    if found is None and text[first.end() : first.end() + 1] == ".":
        found = table.dotted.get(word)
    if found is None:
        return None
    if found.is_english:
        number = _ENGLISH_NUMBER.match(text) if _ENGLISH.match(text) else None
    else:
        number = _NUMBER.match(text, last_word)
    return (found, number.end()) if number else None


def _find_in_brackets(text: str, closing: str) -> tuple[_CaptionWord, int] | None:
    """A caption with its label in brackets, as Korean reports have it: [그림 3-1], <표 2>."""
    end = text.find(closing, 0, _MAX_BRACKETED)
    found = _find(text[1:end].strip()) if end > 0 else None
    return (found[0], end + 1) if found else None


def _find_after_number(text: str) -> tuple[_CaptionWord, int] | None:
    """A caption whose word follows its number: 3. ábra."""
    match = _NUMBER_FIRST.match(text)
    found = _table().after_number.get(match[1].lower()) if match else None
    return (found, match.end()) if match and found else None


def _find_cjk(text: str) -> tuple[_CaptionWord, int] | None:
    """A caption in Chinese, Japanese or Korean: the word needs no space before its number."""
    word = _CJK_STARTS.match(text)
    found = _table().words.get(word[0]) if word else None
    if found is None or not _CJK.match(text):
        return None
    number = _CJK_NUMBER.match(text)
    return (found, number.end()) if number else None


@cache
def _table() -> _CaptionWords:
    """The words of all languages for figures and tables."""
    table = _CaptionWords({}, set(), {}, {})
    for code, language in LANGUAGES.items():
        for words, is_figure in ((language.figure, True), (language.table, False)):
            entry = _CaptionWord(is_figure, code == "en")
            for spelling in (spelling for word in words for spelling in spellings(word)):
                if spelling.startswith("#. "):
                    table.after_number.setdefault(spelling[3:], entry)
                elif spelling.endswith("."):
                    table.dotted.setdefault(spelling[:-1], entry)
                else:
                    table.words.setdefault(spelling, entry)
                    table.first_words.update(spelling.split()[:-1])
    return table
