"""Compares titles: exactly, by a key that ignores what outlines get wrong, and by similarity from 0 to 1.

The key ignores item number, case, spacing, hyphens and trailing dots. Similarity 1 is the same text; next
comes the same text with another number, then one text that contains the other, then similar characters.
"""

from __future__ import annotations

import re
import unicodedata
from difflib import SequenceMatcher
from typing import NamedTuple

from held.numbering import loose_number_end, parse_number

# Hyphens, dashes, soft hyphens, the mark PDFium leaves for a hyphen at a line's end, zero-width characters.
_IGNORED = re.compile(
    r"[\s\-\u2010-\u2015\u2212\u00ad\ufffe\ufeff\u200b-\u200f\u2060\u0000-\u001f\u007f-\u009f]"
)
_QUOTES = str.maketrans({"‘": "'", "’": "'", "`": "'", "“": '"', "”": '"', "″": '"', "′": "'"})


def plain(text: str) -> str:
    """The text with compatibility forms, quotes and case unified; white space stays."""
    return unicodedata.normalize("NFKC", text).casefold().translate(_QUOTES)


def close_key(text: str) -> str:
    """The text without white space and hyphens, but with the dots or colons at its end."""
    return _IGNORED.sub("", plain(text))


def key(text: str) -> str:
    """The text as titles are compared: no white space, no hyphens, no dots or colons at its end."""
    return close_key(text).rstrip(".:。;,、")


def bare_key(text: str) -> str:
    """The key of a text without its item number; its full key if nothing else remains."""
    unified = plain(text)
    return key(unified[loose_number_end(unified) :]) or key(text)


SAME_BUT_NUMBER = 0.95  # similarity of two texts that differ in the item number alone
MIN_SIMILARITY = 0.5  # less is another title

_MAX_CHARACTERS = 400  # no title is longer; of a paragraph only the start is compared
_OTHER_NUMBER = 0.3  # is taken off the similarity of titles with different numbers
_LEAST_ALIKE = 0.6  # of the characters that similar titles share
_LEAST_CUT = 0.35  # of a title that a text must have if it ends within the title
_SAME_NAME = 0.6  # similarity of two texts that share no more than "Item 7"
# Minimum and range of the similarity: the first two exceed that of similar texts only if most is shared.
_GOES_ON = (0.5, 0.4)  # the text continues after the title
_STOPS_WITHIN = (0.4, 0.5)  # the text ends within the title
_ENDS_WITH = (0.3, 0.5)  # the text ends with the title
_SIMILAR_FACTOR = 0.9  # of the share of common characters: never as sure as the same text
_LONGEST_NAMED = 200  # a longer text that begins with "Item 7" is a paragraph about it
_NAME = re.compile(r"[a-z]{4,}|第")  # of a number's format: item, note, chapter, part, appendix … 第一章


class ComparableText(NamedTuple):
    """A text prepared for comparison.

    key, bare   its key with and without the item number
    number      the value of the number
    named       the format of the number if it has a name: "Note 13" has one, "13." has none
    """

    key: str
    bare: str
    number: tuple[int, ...]
    named: str = ""

    @staticmethod
    def of(raw: str) -> ComparableText:
        raw = raw[:_MAX_CHARACTERS]
        number = parse_number(raw)
        # The two parsers recognise different numbers, such as "IV.2.1" and "3-2"; the shorter rest wins.
        rests = [bare_key(raw), key(raw[number.title_start :]) if number else ""]
        bare = min(filter(None, rests), key=len, default="")
        if number is None:
            return ComparableText(key(raw), bare, ())
        named = number.form if _NAME.match(number.form) else ""
        return ComparableText(key(raw), bare, number.value, named)


def similarity(title: ComparableText, text: ComparableText, *, vague: bool = True) -> float:
    """The similarity of a title and the text of an object; 0 if they are too different.

    Without `vague`, only texts that begin or end with each other are similar, which is fast to check.
    """
    if not title.key or not text.key:
        return 0.0
    if title.key == text.key:
        return 1.0
    found = _containment_similarity(title, text) or (_alike(title.bare, text.bare) if vague else 0.0)
    if _numbers_differ(title, text):
        return max(found - _OTHER_NUMBER, 0.0)
    return max(found, _SAME_NAME) if vague and _same_name(title, text) else found


def _containment_similarity(title: ComparableText, text: ComparableText) -> float:
    if text.bare in (title.bare, title.key) or title.bare == text.key:
        return SAME_BUT_NUMBER
    longer, shorter = len(text.key), len(title.key)
    if text.key.startswith(title.key) or text.bare.startswith(title.bare):
        return _between(_GOES_ON, shorter, longer)
    if title.key.startswith(text.key) or title.bare.startswith(text.bare):
        share = len(text.bare) / len(title.bare)
        return _between(_STOPS_WITHIN, share) if share >= _LEAST_CUT else 0.0
    if text.key.endswith(title.bare):
        return _between(_ENDS_WITH, len(title.bare), longer)
    return 0.0


def _between(bounds: tuple[float, float], part: float, whole: float = 1) -> float:
    """The similarity of texts that share a part of the whole."""
    minimum, span = bounds
    return minimum + span * part / whole


def _alike(a: str, b: str) -> float:
    """The share of characters that two texts have in common, in order."""
    shorter, longer = sorted((len(a), len(b)))
    if shorter < _LEAST_ALIKE / 2 * longer:
        return 0.0
    matcher = SequenceMatcher(None, a, b, autojunk=False)
    for upper_bound in (matcher.real_quick_ratio, matcher.quick_ratio):
        if upper_bound() < _LEAST_ALIKE:
            return 0.0
    ratio = matcher.ratio()
    return _SIMILAR_FACTOR * ratio if ratio >= _LEAST_ALIKE else 0.0


def _numbers_differ(title: ComparableText, text: ComparableText) -> bool:
    """Whether both have a number, and not the same; "Chapter 3" and "3" are the same."""
    if not title.number or not text.number:
        return False
    return title.number[-1] != text.number[-1]


def _same_name(title: ComparableText, text: ComparableText) -> bool:
    """Whether both have the same named number, and the text is short enough for a heading."""
    return (
        bool(title.named)
        and (title.named, title.number) == (text.named, text.number)
        and len(text.key) <= _LONGEST_NAMED
    )
