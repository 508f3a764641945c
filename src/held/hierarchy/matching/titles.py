"""When two titles are the same: item number, case, spacing, hyphens and trailing dots aside.

An outline seldom repeats the page to the letter (full-width forms, ligatures, lost numbers), so titles
are compared by a key that forgets what outlines get wrong and keeps every letter.
"""

from __future__ import annotations

import re
import unicodedata

from held.numbering import loose_number_end

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


def bare_key(text: str) -> str:
    """The key of a text without its item number: its full key where it has no number."""
    unified = plain(text)
    return key(unified[loose_number_end(unified) :]) or key(text)


def is_junk(title: str) -> bool:
    """Whether an outline entry is no heading: blank, a Word bookmark, a file name, the cover."""
    return not key(title) or _JUNK.fullmatch(title) is not None
