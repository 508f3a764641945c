"""What a pattern of item numbers is: its properties, and the rules that recognise it."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple

from held.numbering import pieces
from held.numbering.readings import Reading


class Use(Enum):
    """What carries such a number, as far as the number alone tells."""

    SECTION = "a section, and seldom an item of a list"
    LIST = "an item of a list as often as a section"
    UNSURE = "neither is usual"


class Rule(NamedTuple):
    """An expression that recognises a pattern.

    `starts` are the first characters that a match can have. A rule with `read_glyphs` looks at the raw text
    rather than at its NFKC form, and has its own way to read what it matched. The expression is compiled when
    a text starts so: all together they take longer than a short document.
    """

    starts: str
    expression: str
    read_glyphs: Callable[[str], Reading] | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Pattern:
    """A pattern of item numbers. Two are the same only if they are one object.

    `rank` says which patterns usually stand above which, 0 above all: a hint, for level is context.
    `words` are what it counts, where the number says so.
    """

    id: int
    example: str
    use: Use
    rules: tuple[Rule, ...]
    rank: int | None = None
    words: tuple[str, ...] = ()
    stands_above_title: bool = False  # "Chapter 3" and "附录A" may have a line of their own
    begins_sentences: bool = False  # so does prose: "Section 6 describes …", "12 boats …"
    is_dotted: bool = False  # it tells what it lies under: 1.2.3 lies under 1.2
    takes_insertions: bool = False  # Item 7A after Item 7, 第十条之一 after 第十条
    letter: Pattern | None = None  # of a roman pattern, that of a lone letter: (c) is seldom a hundred


# --- rules ---


def rule(starts: str, regex: str) -> Rule:
    """A rule for the NFKC form of a text."""
    return Rule(starts, regex)


def glyphs(starts: str, read: Callable[[str], Reading], regex: str | None = None) -> Rule:
    """A rule for the raw text, by default for one of the glyphs it can start with."""
    return Rule(starts, regex or f"[{starts}]", read)


def after_word(*words: str) -> Rule:
    """The rule for a number after one of the words, in any case."""
    first_letters = sorted({word[0] for word in words})
    starts = "".join(letter + letter.upper() for letter in first_letters)
    any_word = "|".join(map(re.escape, words))
    return rule(starts, rf"(?i:{any_word})\s+{pieces.NUMBER}")


def chinese_word(nouns: str) -> Rule:
    """The rule for a number between 第 and a noun, given as an expression."""
    return rule("第", rf"第\s*{pieces.CHINESE_OR_DIGITS}\s*{nouns}")


def dotted(times: str) -> Rule:
    """The rule for digits with so many more behind dots, given as an expression's quantifier."""
    return rule(pieces.DIGIT_STARTS, rf"(?P<n>[0-9]{{1,3}}(?:\.[0-9]{{1,3}}){times}){pieces.DOT_END}")
