"""A looser reading of numbers, for comparing titles: what may be a number is set aside.

An outline may lose a number or change it ("3-2" for "3.2", "Lecture 4"), and so two titles are compared
without it. To take too much for a number costs little there, because both sides lose it; `parse` must not,
because each number that it finds tells where a heading stands. Both know the same words and numerals.
"""

from __future__ import annotations

import re
from functools import cache

from held.numbering.numerals import ROMAN, WORDS
from held.numbering.patterns import PATTERNS
from held.numbering.pieces import CHINESE

# What courses and manuals count: no pattern, for these seldom head the sections of a document.
_OTHER_WORDS = ("lecture", "step", "unit", "lesson", "module")
_COUNTED = "|".join(re.escape(word) for pattern in PATTERNS for word in pattern.words)
_ROMAN = ROMAN.lower()
_COUNT = rf"(?:\d+(?:[.\-]\d+)*|{_ROMAN}(?![a-z])|[a-z](?:[.\-]?\d+)*)"


@cache
def _loose() -> re.Pattern[str]:
    """The number at the start of a title; compiled when titles are compared, which is seldom."""
    return re.compile(
        rf"""\s*(?:
          (?:{_COUNTED}|{"|".join(_OTHER_WORDS)})(?:\s+|(?=\d))(?:{_COUNT}|{"|".join(WORDS)})\b
        | 第(?:{CHINESE}|[\d\s])+(?:[章节節条條篇编編款项項回讲講课課]|部分)
        | 附[录錄件]\s*(?:{CHINESE}+|{_COUNT})(?![a-z0-9])
        | [(\[]\s*(?:{_COUNT}|{CHINESE}+)\s*[)\]]
        | §\s*{_COUNT}
        | \d+(?:\s?[.\-]\s?\d+)*(?![\d%])
        | [a-z](?:\.\d+)+
        | [a-z]\d+(?:\.\d+)+
        | (?:{_ROMAN}|[a-z])(?:[.):、]|\s)
        | {CHINESE}+\s*(?:[、.,:)]|\s)
        | [•●■◆▪▶►○□◇➢★*+o-](?=\s)
        )[\s.:、,)\-–—|]*""",
        re.VERBOSE,
    )


def number_end(plain_text: str) -> int:
    """Where the number at the start of a text ends; 0 if it has none or is nothing else.

    The text is in NFKC form and casefolded, as titles are compared.
    """
    match = _loose().match(plain_text)
    return match.end() if match and match.end() < len(plain_text) else 0


def is_number(plain_text: str) -> bool:
    """Whether a text, in NFKC form and casefolded, is a number and nothing else."""
    return _loose().fullmatch(plain_text + " ") is not None
