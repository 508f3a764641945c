"""The words of a text as retrieval compares them, English and Chinese alike.

Latin words are lower-case without a plural's s, numbers lose their thousands separators, and a year leaves
the letters that it is written with (FY2018). Chinese has no spaces between words: each pair of neighbouring
characters is a token. `docs/research/retrieval.md` has the measurements behind these choices.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

_HAN = "\u3400-\u9fff\uf900-\ufaff"
_PIECES = re.compile(rf"[{_HAN}]+|\d+(?:[.,]\d+)*|[^\W\d_{_HAN}]+(?:['’][^\W\d_{_HAN}]+)*(?:\d+(?!\d))?")
_YEAR = re.compile(r"(\D+)((?:19|20)\d\d)")
WORDS_KEPT = 1 << 16  # whose tokens are remembered: some ten megabytes
_POSSESSIVE = re.compile(r"['’]s?$")


def tokens(text: str) -> list[str]:
    """The tokens of a text in their order, repeated ones too."""
    found: list[str] = []
    for piece in _PIECES.findall(unicodedata.normalize("NFKC", text).lower()):
        if "\u3400" <= piece[0] <= "\ufaff":
            found += [piece[i : i + 2] for i in range(max(1, len(piece) - 1))]
        elif piece[0].isdigit():
            found.append(piece.replace(",", ""))
        else:
            found += _of_word(piece)
    return found


@lru_cache(WORDS_KEPT)
def _of_word(piece: str) -> tuple[str, ...]:
    """The tokens of a word in letters; documents say the same words again and again."""
    if year := _YEAR.fullmatch(piece):
        return year.groups()
    return (singular(_POSSESSIVE.sub("", piece).replace("'", "").replace("’", "")),)


def singular(word: str) -> str:
    """The word without a plural's s: the S-stemmer of Harman (1991)."""
    if len(word) < 4 or not word.endswith("s") or word.endswith(("ss", "us", "is")):
        return word
    if word.endswith("ies") and not word.endswith(("eies", "aies")):
        return word[:-3] + "y"
    return word[:-1]
