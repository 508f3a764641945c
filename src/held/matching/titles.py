"""When two titles are the same: item number, case, spacing, hyphens and trailing dots aside.

An outline seldom repeats the page to the letter (full-width forms, ligatures, lost numbers), so titles
are compared by a key that forgets what outlines get wrong and keeps every letter.
"""

from __future__ import annotations

import re
import unicodedata

_CHINESE_DIGITS = "〇零一二三四五六七八九十百千两"
_LABELS = (
    "chapter|section|part|appendix|annex|article|item|note|lecture|step|schedule|exhibit|unit|lesson|module"
)
_ROMAN = r"(?=[ivxl])(?:xl|l?x{0,3})(?:ix|iv|v?i{0,3})"
_COUNT = rf"(?:\d+(?:[.\-]\d+)*|{_ROMAN}(?![a-z])|[a-z](?:[.\-]?\d+)*)"
_NUMBER = re.compile(
    rf"""\s*(?:
      (?:{_LABELS})(?:\s+|(?=\d))(?:{_COUNT}|one|two|three|four|five|six|seven|eight|nine|ten)\b
    | 第[{_CHINESE_DIGITS}\d\s]+(?:[章节節条條篇编編款项項回讲講课課]|部分)
    | 附[录錄件]\s*(?:[{_CHINESE_DIGITS}]+|{_COUNT})(?![a-z0-9])
    | [(\[]\s*(?:{_COUNT}|[{_CHINESE_DIGITS}]+)\s*[)\]]
    | §\s*{_COUNT}
    | \d+(?:\s?[.\-]\s?\d+)*(?![\d%])
    | [a-z](?:\.\d+)+
    | [a-z]\d+(?:\.\d+)+
    | (?:{_ROMAN}|[a-z])(?:[.):、]|\s)
    | [{_CHINESE_DIGITS}]+\s*(?:[、.,:)]|\s)
    | [•●■◆▪▶►○□◇➢★*+o-](?=\s)
    )[\s.:、,)\-–—|]*""",
    re.VERBOSE,
)
# Hyphens, dashes, soft hyphens, the mark PDFium leaves for a hyphen at a line's end, zero-width characters.
_FORGOTTEN = re.compile(
    r"[\s\-\u2010-\u2015\u2212\u00ad\ufffe\ufeff\u200b-\u200f\u2060\u0000-\u001f\u007f-\u009f]"
)
_QUOTES = str.maketrans({"‘": "'", "’": "'", "`": "'", "“": '"', "”": '"', "″": '"', "′": "'"})
_JUNK = re.compile(
    r"\s*(?:ole_link\d*|_(?:toc|hlk|ref|goback)\w*|untitled.*|cover|front cover|back cover"
    r"|\S*\.(?:pdf|docx?|xlsx?|pptx?|indd|tex|dvi|ps|html?|rtf))\s*",
    re.IGNORECASE,
)


def plain(text: str) -> str:
    """The text with compatibility forms, quotes and case unified; white space stays."""
    return unicodedata.normalize("NFKC", text).casefold().translate(_QUOTES)


def close_key(text: str) -> str:
    """The text without white space and hyphens, but with the dots or colons at its end."""
    return _FORGOTTEN.sub("", plain(text))


def key(text: str) -> str:
    """The text as titles are compared: no white space, no hyphens, no dots or colons at its end."""
    return close_key(text).rstrip(".:。;,、")


def number_end(plain_text: str) -> int:
    """Where the item number at the start of a text ends; 0 if it has none or is nothing else."""
    match = _NUMBER.match(plain_text)
    return match.end() if match and match.end() < len(plain_text) else 0


def is_number(plain_text: str) -> bool:
    """Whether a text is an item number and nothing else."""
    return _NUMBER.fullmatch(plain_text + " ") is not None


def bare_key(text: str) -> str:
    """The key of a text without its item number: its full key where it has no number."""
    unified = plain(text)
    return key(unified[number_end(unified) :]) or key(text)


def is_junk(title: str) -> bool:
    """Whether an outline entry is no heading: blank, a Word bookmark, a file name, the cover."""
    return not key(title) or _JUNK.fullmatch(title) is not None
