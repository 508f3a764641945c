"""Definitions: which questions ask for the meaning or purpose of a term, and which passages define it.

A term is defined in a table row (释义, glossaries, lists of acronyms), right below a heading that is the
term, or in a sentence such as "X means …", "X is used for …" or "X是指…". A passage that only uses the term
does not define it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from held.retrieval.passages import Passage, TableRow
from held.retrieval.tokens import content_words, tokens

MAX_TERM_WORDS = 6  # a longer phrase is not a term
EXPANSION_SCORE = 0.8  # "Board Support Package (BSP)" expands the term, but does not explain it
PLAIN_TABLE_SCORE = 0.5  # a row of a table that is not called a glossary

_NOT_A_TERM = r"(?!(?:the|our|its|their|your|this|that|these|those|there|it|on|in|at)\b)"


def _compile(*patterns: str) -> tuple[re.Pattern[str], ...]:
    return tuple(re.compile(pattern, re.IGNORECASE) for pattern in patterns)


PURPOSE_QUESTIONS = _compile(
    r"^what (?:is|are) (?P<term>.+?) (?:used |good |there )?for\?*$",
    r"^wo(?:zu|für) (?:dien(?:t|en)|ist|sind) (?:eine?n? |der |die |das )?(?P<term>[^?.,;:]+)\??$",
    r"^à quoi ser(?:t|vent) (?:une? |l[ae] |les |l['’])?(?P<term>[^?.,;:]+?)\s*\??$",
    r"^¿?para qué sirven? (?:una? |el |la |los |las )?(?P<term>[^?.,;:]+)\??$",
    r"^a (?:che )?cosa serv(?:e|ono) (?:un[oa]? |un['’]|il |l[ao] |l['’])?(?P<term>[^?.,;:]+)\??$",
    r"^para que servem? (?:uma? |os? |as? )?(?P<term>[^?.,;:]+)\??$",
    r"^waar(?:voor|toe) (?:dient|dienen) (?:een |de |het )?(?P<term>[^?.,;:]+)\??$",
    r"^(?P<term>[^?？，,。的]+?)(?:有什么用|用来做什么|用于什么|的(?:作用|用途)是什么)[?？]?$",
)
_DEFINITION_QUESTIONS = _compile(
    r"^what (?:does|do) (?P<term>.+?) (?:mean|stand for|refer to)\b",
    r"^(?:how|where) (?:is|are) (?P<term>.+?) defined\b",
    r"\b(?:meaning|definition) of (?P<term>[^?.,;]+)",
    r"^define (?P<term>[^?.,;]+)",
    r"^que (?:signifien?t?|veut dire) (?:une? |l[ae] |les |l['’])?(?P<term>[^?.,;:]+?)\s*\??$",
    rf"^what(?:'s|’s| is| are) {_NOT_A_TERM}(?P<term>[^?.,;:'’]+)\??$",
    r"^was (?:ist|sind|bedeutet|heißt) (?:ein |eine |einen |der |die |das )?(?P<term>[^?.,;:]+)\??$",
    r"^qu['’]est-ce qu(?:e |['’])(?:une? |l[ae] |les |l['’])?(?P<term>[^?.,;:]+?)\s*\??$",
    r"^¿?qué (?:es|son|significa) (?:una? |el |la |los |las )?(?P<term>[^?.,;:]+)\??$",
    r"^(?:che )?cos(?:a |['’])(?:è|sono) (?:un[oa]? |un['’]|il |l[ao] |l['’])?(?P<term>[^?.,;:]+)\??$",
    r"^o que (?:é|são|significa) (?:uma? |os? |as? )?(?P<term>[^?.,;:]+)\??$",
    r"^wat (?:is|zijn|betekent) (?:een |de |het )?(?P<term>[^?.,;:]+)\??$",
    r"^что (?:такое|значит|означает) (?P<term>[^?.,;:]+)\??$",
    r"^(?P<term>[^?？、。]+?)とは(?:何|なん|どういう)",
    r"^(?P<term>[^?]+?)(?:이란|란|은|는)? (?:무엇|뭔가요|뭐)",
    r"^什么是(?P<term>[^?？，,。]+)",
    r"^(?P<term>[^?？，,。的]+?)(?:是什么意思|什么意思|是指什么|指的是什么|指什么|是什么(?:公司|东西)?)[?？]?$",
    r"^(?P<term>[^?？，,。的]+?)的(?:定义|含义|意思)",
)
_PREPOSITION = re.compile(
    r"\b(?:for|in|of|as|from|during|between|on|at|by|to|with|and|für|von|vom|im|bei|mit|zur|zum|und|pour|dans|avec"
    r"|para|con|y|per|nel|nella|com|em|voor|met|bij|op|для|при|из)\b",
    re.IGNORECASE,
)
_ARTICLE = re.compile(r"^(?:an?|the)\s+", re.IGNORECASE)
_TRANSLATION = re.compile(r"(?<=[\u3400-\u9fff])\s*[a-z][a-z ,()-]*$")
_GLOSSARY = re.compile(
    r"glossar|acronym|abbreviation|definition|terminolog|\bterms?\b|释义|术语|缩略|缩写|定义", re.IGNORECASE
)
_NUMBER = re.compile(r"[-+(（$€£¥￥\s]*\d[\d,.，%\s)）]*")
# Two Latin words or three Chinese characters: fewer are a value.
_EXPLANATION = re.compile(r"[^\W\d_]+[\s,]+[^\W\d_]+|[\u3400-\u9fff]{3}")


def defined_term(question: str) -> str:
    """The term whose meaning a question asks for; empty if it asks for something else."""
    # Purposes first: "What is X for?" would also match "What is X?".
    stripped = question.strip()
    for pattern in (*PURPOSE_QUESTIONS, *_DEFINITION_QUESTIONS):
        if match := pattern.search(stripped):
            break
    else:
        return ""
    term = _ARTICLE.sub("", match["term"].strip(" “”\"'《》"))
    word_count = len(content_words(tokens(term)))
    # "What is the increase in revenue?" asks for a number, not for a meaning.
    if _PREPOSITION.search(term) or not 0 < word_count <= MAX_TERM_WORDS:
        return ""
    return term


def definition_score(passage: Passage, term: str) -> float:
    """How surely a passage defines a term, from 0 to 1."""
    if _definition_pattern(term).search(passage.text):
        return 1.0
    words = frozenset(content_words(tokens(term)))
    is_glossary = _is_glossary(passage)
    # Standards print a term on a line of its own, with its translation, above its meaning.
    is_first_line = _bare(passage.text.partition("\n")[0]) == _bare(term) and "\n" in passage.text
    is_expanded = f"({term})" in passage.text
    expansion = 0.0
    if is_expanded or is_first_line:
        expansion = 1.0 if is_glossary else EXPANSION_SCORE
    heading = 0.0
    # Below a heading that is the term, the first passage explains it.
    if passage.path and passage.position == 1:
        heading = _similarity(passage.path[-1], words)
    table_score = 1.0 if is_glossary else PLAIN_TABLE_SCORE
    rows = [table_score * _similarity(row.label, words) for row in passage.rows if _explains(row)]
    return max(heading, expansion, *rows)


def defining_row(rows: Iterable[TableRow], term: str) -> TableRow | None:
    """The row that defines a term: the one whose label is most similar to it."""
    words = frozenset(content_words(tokens(term)))
    if not words:
        return None
    defining = [row for row in rows if _explains(row) and _similarity(row.label, words)]
    return max(defining, key=lambda row: _similarity(row.label, words), default=None)


def _bare(line: str) -> str:
    """A line in lower case, without the Latin translation that follows a Chinese term."""
    text = line.strip().lower()
    return _TRANSLATION.sub("", text)


def _is_glossary(passage: Passage) -> bool:
    """Whether a table is called a glossary, in its first row or in the heading above it."""
    first_row = passage.text.partition("\n")[0]
    heading = " ".join(passage.path[-1:])
    return bool(_GLOSSARY.search(first_row + heading))


def _explains(row: TableRow) -> bool:
    has_number = any(map(_NUMBER.fullmatch, row.values))
    return not has_number and any(map(_EXPLANATION.search, row.values))


def _similarity(label: str, words: frozenset[str]) -> float:
    """The Dice coefficient of a label or heading and a term, 0 if a word of the term is missing."""
    label_words = set(content_words(tokens(label)))
    if not words <= label_words:
        return 0.0
    return 2 * len(words) / (len(words) + len(label_words))


def _definition_pattern(term: str) -> re.Pattern[str]:
    """Matches a sentence that defines the term."""
    escaped = r"\s+".join(map(re.escape, term.split()))
    is_chinese = any("\u3400" <= character <= "\u9fff" for character in term)
    template = _CHINESE_DEFINITION if is_chinese else _DEFINITION
    return re.compile(template.replace("TERM", escaped), re.IGNORECASE)


_DEFINITION = (
    r"(?<!\w)TERM[”\"']?(?:\s*\([^)]*\))?,?\s+(?:means?|refers? to|stands? for|denotes?|has the meaning"
    r"|(?:is|are|was|were) (?:an? |the |defined as |short for |used (?:for|to|by|as) )"
    r"|(?:ist|est|es|è|é|is) (?:eine?r? |une? |una |uno |uma? |een )|bedeutet |désigne |significa |betekent "
    r"|dien(?:t|en) |ser(?:t|vent) |serv(?:e|em|ono) |sirven? "
    r"|[—–-] это )"
    r"|(?:nennt man|bezeichnet man als|appelle|llama|definisce(?: come)?|chama|называется) TERM(?!\w)"
    r"|\bdefined?\s+(?:an?\s+|the\s+)?[“\"']?TERM(?!\w)[^.]{0,40}\sas\b"
    r"|(?<!\w)TERM[”\"']?\s*[（(：:]?[\u3400-\u9fff]*(?:是指|指的是|的英文简称|的简称)"
)
_CHINESE_DEFINITION = (
    r"TERM[”\"'》]?(?:\s*[（(][^）)]*[）)])?[，,：:\s]*(?:是指|系指|指的是|即指|指|是(?!否)|用于|用来)"
)
