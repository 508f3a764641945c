"""What a word means: which questions ask for that, and which passages say it.

A word is defined in a row of a table (释义, glossaries, lists of acronyms), under a heading that is the word,
or in a sentence that says so: "X means …", "X是指…". A word that is only used, however often, is not.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from held.retrieval.passages import Passage
from held.retrieval.rows import TableRow
from held.retrieval.stopwords import telling
from held.retrieval.tokens import tokens

MOST_WORDS = 6  # of what is asked for: a longer one is no word or name
IN_BRACKETS = 0.8  # the worth of "Board Support Package (BSP)": it says what it stands for, if not what it is
NO_GLOSSARY = 0.5  # the worth of a row of a table that does not say that it defines

_NOT_ONE_THING = r"(?!(?:the|our|its|their|your|this|that|these|those|there|it|on|in|at)\b)"
_ASKED = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        r"^what (?:does|do) (?P<term>.+?) (?:mean|stand for|refer to)\b",
        r"^(?:how|where) (?:is|are) (?P<term>.+?) defined\b",
        r"\b(?:meaning|definition) of (?P<term>[^?.,;]+)",
        r"^define (?P<term>[^?.,;]+)",
        rf"^what(?:'s|’s| is| are) {_NOT_ONE_THING}(?P<term>[^?.,;:'’]+)\??$",
        r"^什么是(?P<term>[^?？，,。]+)",
        r"^(?P<term>[^?？，,。的]+?)(?:是什么意思|什么意思|是指什么|指的是什么|指什么|是什么(?:公司|东西)?)[?？]?$",
        r"^(?P<term>[^?？，,。的]+?)的(?:定义|含义|意思)",
    )
)
_OF_SOMETHING = re.compile(r"\b(?:for|in|of|as|from|during|between|on|at|by|to|with|and)\b", re.IGNORECASE)
_ARTICLE = re.compile(r"^(?:an?|the)\s+", re.IGNORECASE)
_GLOSSARY = re.compile(
    r"glossar|acronym|abbreviation|definition|terminolog|\bterms?\b|释义|术语|缩略|缩写|定义", re.IGNORECASE
)
_NUMBER = re.compile(r"[-+(（$€£¥￥\s]*\d[\d,.，%\s)）]*")
_IN_WORDS = re.compile(r"[^\W\d_]+[\s,]+[^\W\d_]+|[\u3400-\u9fff]{3}")


def term_asked(text: str) -> str:
    """The word or name whose meaning a question asks for; empty if it asks for something else."""
    found = next((match for pattern in _ASKED if (match := pattern.search(text.strip()))), None)
    if found is None:
        return ""
    term = _ARTICLE.sub("", found["term"].strip(" “”\"'《》"))
    if _OF_SOMETHING.search(term) or not 0 < len(telling(tokens(term))) <= MOST_WORDS:
        return ""
    return term


def defining(passage: Passage, term: str) -> float:
    """How surely a passage says what a word means, from 0 to 1."""
    if _sentence(term).search(passage.text):
        return 1.0
    mention = IN_BRACKETS if f"({term})" in passage.text else 0.0
    words = frozenset(telling(tokens(term)))
    worth = 1.0 if _is_glossary(passage) else NO_GLOSSARY
    rows = [worth * _likeness(row.label, words) for row in passage.rows if _says_in_words(row)]
    heading = _likeness(passage.path[-1], words) if passage.path and passage.position == 1 else 0.0
    return max(heading, mention, *rows)


def row_defining(rows: Iterable[TableRow], term: str) -> TableRow | None:
    """The row that says what a word means: of those whose label has the word the most like it."""
    words = frozenset(telling(tokens(term)))
    if not words:
        return None
    said = [row for row in rows if _says_in_words(row) and _likeness(row.label, words)]
    return max(said, key=lambda row: _likeness(row.label, words), default=None)


def _is_glossary(passage: Passage) -> bool:
    """Whether a table says that it defines, in its first row or in the heading above it."""
    return bool(_GLOSSARY.search(passage.text.partition("\n")[0] + " ".join(passage.path[-1:])))


def _says_in_words(row: TableRow) -> bool:
    return any(map(_IN_WORDS.search, row.values)) and not any(map(_NUMBER.fullmatch, row.values))


def _likeness(label: str, words: frozenset[str]) -> float:
    """How much a label or heading is the word: Dice, 0 if a part of the word is missing."""
    written = set(telling(tokens(label)))
    return 2 * len(words) / (len(words) + len(written)) if words <= written else 0.0


def _sentence(term: str) -> re.Pattern[str]:
    """A sentence that says what the term means."""
    written = r"\s+".join(map(re.escape, term.split()))
    says = _SAYS_CHINESE if any("\u3400" <= character <= "\u9fff" for character in term) else _SAYS
    return re.compile(says.replace("TERM", written), re.IGNORECASE)


_SAYS = (
    r"(?<!\w)TERM[”\"']?(?:\s*\([^)]*\))?,?\s+(?:means?|refers? to|stands? for|denotes?|has the meaning"
    r"|(?:is|are|was|were) (?:an? |the |defined as |short for ))"
    r"|\bdefined?\s+(?:an?\s+|the\s+)?[“\"']?TERM(?!\w)[^.]{0,40}\sas\b"
    r"|(?<!\w)TERM[”\"']?\s*[（(：:]?[\u3400-\u9fff]*(?:是指|指的是|的英文简称|的简称)"
)
_SAYS_CHINESE = r"TERM[”\"'》]?(?:\s*[（(][^）)]*[）)])?[，,：:\s]*(?:是指|系指|指的是|即指|指|是(?!否))"
