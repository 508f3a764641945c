"""Captions recognised by their words: Figure 3, Abb. 2.1, Рис. 4, 図5, 3. ábra.

As in `labels`, the first word is looked up, so that most lines cost one look-up. Sentences that begin with
such a reference ("Table 1 shows …", "図3に示す") are no captions.
"""

from __future__ import annotations

import re
from functools import cache
from typing import NamedTuple

from held.numbering.words import LANGUAGES, spellings

_ENGLISH_SENTENCE = (
    r"(?!\w+\.?\s*[A-Z]?[\d.\-]+[a-z]?\s(?-i:(?:also )?(?:shows?|summari[sz]es?|presents?|lists?|gives?"
    r"|compares?|illustrates?|depicts?|reports?|contains?|describes?|provides?|displays?|plots?)\s))"
)
_CHINESE_SENTENCE = r"(?!\D+[A-Z]?[\d.\-]+\s?(?:所示|给出|列出|展示|显示|描述|中的|中第|可知|可以))"
_CJK_PARTICLE = r"(?!\D+[A-Z]?[\d.\-]+[はがをにのでともへや은는을를이가에의와과로])"
_COUNT = r"(?:[A-Z]?[-.]?\d[\d.\-]*[a-z]?|[IVX]+\b)"
_ENGLISH_NUMBER = re.compile(rf"\w+\.?\s*{_COUNT}", re.I)
_NUMBER = re.compile(
    rf"\w+\.?\s*(?:n[°.]\s*)?{_COUNT}(?!\s+(?-i:[a-zß-öø-ÿ\u03ac-\u03ce\u0430-\u045f]))", re.I
)
_CJK_NUMBER = re.compile(r"\D+(?:[A-Z][-.．]?)?\d")
_ENGLISH = re.compile(_ENGLISH_SENTENCE, re.I)
_CJK = re.compile(_CHINESE_SENTENCE + _CJK_PARTICLE)
_FIRST_WORD = re.compile(r"[^\W\d_]+")
_NUMBER_FIRST = re.compile(r"\d[\d.\-]*\.\s+([^\W\d_]+)")
_CJK_STARTS = re.compile(r"[\u3400-\u9fff\uac00-\ud7a3]+")


class _CaptionWord(NamedTuple):
    is_figure: bool
    is_english: bool


class _Table(NamedTuple):
    words: dict[str, _CaptionWord]
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


def _find(text: str) -> tuple[_CaptionWord, int] | None:
    """The word of a caption and where its label ends."""
    first = _FIRST_WORD.match(text)
    if first is None:
        return _find_after_number(text) if text[:1].isdigit() else None
    if text[0] >= "\u3400":
        return _find_cjk(text)
    word = first[0].lower()
    table = _table()
    found = table.words.get(word)
    if found is None and text[first.end() : first.end() + 1] == ".":
        found = table.dotted.get(word)
    if found is None:
        return None
    if found.is_english:
        number = _ENGLISH_NUMBER.match(text) if _ENGLISH.match(text) else None
    else:
        number = _NUMBER.match(text)
    return (found, number.end()) if number else None


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
def _table() -> _Table:
    """The words of all languages for figures and tables."""
    table = _Table({}, {}, {})
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
    return table
