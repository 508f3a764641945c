"""Titles recognised by their words: printed contents, continued sections, and numbers read loosely.

A title's number is read loosely to compare titles: an outline may lose a number or change it ("3-2" for
"3.2", "Lecture 4"), so both sides are compared without it. Taking too much for a number costs little there.
`parse_number` is strict, since each number that it finds decides where a heading stands.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

from held.document import PhysicalObject
from held.numbering.numerals import NUMBER_WORDS, ROMAN
from held.numbering.parsing import parse_number
from held.numbering.patterns import CHINESE
from held.numbering.words import all_words, any_expression, first_letters

# --- contents ---

_MAX_CONTENTS_TITLE = 60  # characters
_CONTENTS = re.compile(
    rf"[\s·—【]*{any_expression('contents')}[\s·—】:：]*(?:\(?{any_expression('continued')}\)?)?",
    re.IGNORECASE,
)
_CONTENTS_STARTS = frozenset(" \t·—【") | first_letters("contents")
_LETTERSPACED = re.compile(r"(?:\w )+\w")


def is_contents_title(text: str) -> bool:
    """Whether a text is the title of printed contents, also with spaces between its letters."""
    # Most lines begin with another character, and need no expression.
    if len(text) >= _MAX_CONTENTS_TITLE or text[:1] not in _CONTENTS_STARTS:
        return False
    if text[1:2] == " " and _LETTERSPACED.fullmatch(text):
        text = text.replace(" ", "")
    return _CONTENTS.fullmatch(text) is not None


# --- continued sections ---

_MAX_TITLE = 200  # characters
_CONTINUED_WORD = any_expression("continued")
_IN_BRACKETS = rf"[(（\[]\s*(?:{_CONTINUED_WORD}|{any_expression('continued_in_brackets')})\s*[)）\]]"
_CONTINUED = re.compile(
    rf"[\s:：,—–-]*(?:{_IN_BRACKETS}|(?:^|[\s—–-]){_CONTINUED_WORD})[:：]?$", re.IGNORECASE
)
_CONTINUED_ENDS = frozenset(")）]:：").union(
    *((word[-1].lower(), word[-1].upper()) for word in all_words("continued"))
)
_NO_LETTERS = re.compile(r"[\W_]+")


def is_continuation(text: str) -> bool:
    """Whether a text ends in "(continued)", or is nothing else."""
    return _continued_title(text) is not None


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
    if not any(is_continuation(item.text) for item in objects):
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

_COUNTED_KINDS = (
    "part",
    "chapter",
    "subchapter",
    "section",
    "article",
    "item",
    "note",
    "appendix",
    "course_unit",
)
_ROMAN = ROMAN.lower()
_COUNT = rf"(?:\d+(?:[.\-]\d+)*|{_ROMAN}(?![a-z])|[a-z](?:[.\-]?\d+)*)"


@cache
def _loose_number() -> re.Pattern[str]:
    """The number at the start of a title; compiled when titles are compared, which is seldom."""
    words = [word for kind in _COUNTED_KINDS for word in all_words(kind) if "#" not in word]
    counted = "|".join(map(re.escape, words))
    return re.compile(
        rf"""\s*(?:
          (?:{counted})(?:\s+|(?=\d))(?:{_COUNT}|{"|".join(NUMBER_WORDS)})\b
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


def loose_number_end(plain_text: str) -> int:
    """Where the number at the start of a text ends; 0 if it has none or is nothing else.

    The text is in NFKC form and casefolded, as titles are compared.
    """
    match = _loose_number().match(plain_text)
    return match.end() if match and match.end() < len(plain_text) else 0


def is_loose_number(plain_text: str) -> bool:
    """Whether a text, in NFKC form and casefolded, is a number and nothing else."""
    return _loose_number().fullmatch(plain_text + " ") is not None
