"""Parses a question: the words, aliases and years it asks for, and the page types that may answer it.

Stopwords and sentences that only say how to answer are dropped; common words count little. A name of a metric
or topic adds its other names with less weight. The name of the document itself selects the document, not the
passage. Words in quotation marks must stand in the passage as they are.
"""

from __future__ import annotations

import os
import re
import unicodedata
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import NamedTuple

from held.errors import FormatError, InputError
from held.retrieval.definitions import defined_term
from held.retrieval.tokens import (
    DEFAULT,
    HANGUL,
    content_words,
    is_han,
    is_paired,
    language_words,
    question_languages,
    read_data,
    tokens,
    word_weight,
)

# --- aliases of metrics and topics ---
# A search for capex finds purchases of property and equipment. The aliases are data, English and Chinese
# (`data/aliases.txt`); users add their own in a file of the same format. A Latin alias matches a sequence of
# words, a Chinese one matches characters, as Chinese has no spaces.

Phrase = tuple[str, ...]
"""The tokens of an alias, in order."""


class Alias(NamedTuple):
    """A name as it is written, and its tokens."""

    text: str
    words: Phrase

    @property
    def is_chinese(self) -> bool:
        return is_han(self.text[0])


class Concept(NamedTuple):
    """A metric or topic: its aliases, what it is computed from, and the page types that have it."""

    aliases: tuple[Alias, ...]
    components: tuple[Alias, ...] = ()
    page_types: tuple[str, ...] = ()


class AliasMatch(NamedTuple):
    """An alias in a question, and its concept."""

    alias: Alias
    concept: Concept


Concepts = tuple[Concept, ...]


def load_concepts(path: str | os.PathLike[str] | None) -> Concepts:
    """The concepts that ship with the package, and those of a file."""
    if path is None:
        return shipped_concepts()
    try:
        text = Path(path).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        advice = "a line is: name / other name = parts @ page; docs/search.md has an example"
        raise InputError("is not a readable file of names", file=path, advice=advice) from error
    return (*shipped_concepts(), *_parse_concepts(text, path))


@cache
def shipped_concepts() -> Concepts:
    """The concepts that ship with the package."""
    return tuple(_parse_concepts(read_data("aliases.txt"), "aliases.txt"))


def _parse_concepts(text: str, file: str | os.PathLike[str]) -> Iterator[Concept]:
    """Reads lines such as: gross profit / gross margin = cost of sales @ income statement"""
    for number, line in enumerate(text.splitlines(), 1):
        content = line.split("#")[0].strip()
        if not content:
            continue
        names, _, page_types = content.partition("@")
        aliases, _, components = names.partition("=")
        types = tuple(_split(page_types, ","))
        concept = Concept(_parse_aliases(aliases), _parse_aliases(components), types)
        if not concept.aliases:
            raise FormatError(f"line {number} has no name", file=file, advice="write: name / other name")
        yield concept


def _parse_aliases(text: str) -> tuple[Alias, ...]:
    aliases = []
    for part in _split(text, "/"):
        name = _normalise(part)
        words = tokens(name)
        content = content_words(words)
        # One content word alone would match too much: "business units" is not any business.
        phrase = words if len(content) == 1 else content
        if phrase:
            aliases.append(Alias(name, tuple(phrase)))
    return tuple(aliases)


def _split(text: str, separator: str) -> list[str]:
    return [part.strip() for part in text.split(separator) if part.strip()]


def _normalise(text: str) -> str:
    return unicodedata.normalize("NFKC", text).lower()


def find_aliases(question: str, concepts: Iterable[Concept]) -> list[AliasMatch]:
    """The aliases in a question, without those inside a longer alias."""
    text = _normalise(question)
    words = tokens(question)
    # "cost of sales" is found in "cost of the sales", too.
    word_lists = (words, content_words(words))
    matches = []
    for concept in concepts:
        for alias in concept.aliases:
            if alias.is_chinese:
                matched = alias.text in text
            else:
                matched = any(contains_phrase(words, alias.words) for words in word_lists)
            if matched:
                matches.append(AliasMatch(alias, concept))
    # A question for "net income" does not ask for all "income".
    found = [match.alias for match in matches]
    return [match for match in matches if not any(_is_inside(match.alias, other) for other in found)]


def contains_phrase(words: Sequence[str], phrase: Sequence[str]) -> bool:
    """Whether the phrase occurs among the words, whole and in order; "cashflow" matches "cash flow", too."""
    wanted = "".join(phrase)
    if wanted not in "".join(words):  # a quick test that settles most cases
        return False
    starts = range(len(words))
    return any(_starts_with(words[start:], wanted) for start in starts)


def _starts_with(words: Sequence[str], wanted: str) -> bool:
    """Whether the first words, written without spaces, are the wanted text."""
    joined = ""
    for word in words:
        joined += word
        if not wanted.startswith(joined):
            return False
        if joined == wanted:
            return True
    return False


def _is_inside(alias: Alias, other: Alias) -> bool:
    if alias.is_chinese:
        return alias.text != other.text and alias.text in other.text
    return len(alias.words) < len(other.words) and contains_phrase(other.words, alias.words)


ALIAS_WEIGHT = 0.5  # of a word in another name of what the question asks for
YEAR_WEIGHT = 0.3  # most pages of a report have its year
DOCUMENT_NAME_WEIGHT = 0.15  # the whole document is about its own name

# Verbs that start a sentence about how to answer.
_INSTRUCTIONS = """
answer round respond reply give provide please explain state assume use base address help show list write
"""

# Chinese question words. Cutting them out leaves no pair of characters that crosses the end of a word.
_CHINESE_QUESTION_WORDS = re.compile(
    "(?:请问|是|为|有|由|指)*(?:什么|多少|哪些|哪个|哪里|怎么|怎样|如何|何时|为何|几个|谁|哪)(?:意思|时候|样|办|是|钱)*"
    "|是否|有没有|能不能"
)
_KOREAN_WORD = re.compile(f"[{HANGUL}]+")
_QUANTITY_QUESTION = re.compile(
    r"\bhow (?:much|many|fast|big|large|long|old|high|often)\b|多少|几|多大|多长|多久"
    r"|\bwie ?(?:viele?|hoch|lange?|gro(?:ß|ss))\b|\bcombien\b|\bcuánt[oa]s?\b|\bquant[oiae]s?\b|\bhoeveel\b"
    r"|\bсколько\b|何(?=人|個|回|年|日|時間|ページ|%)|いく[つら]|どのくらい|몇|얼마",
    re.IGNORECASE,
)
_QUOTED = re.compile(r'"([^"]+)"|“([^”]+)”|„([^“”]+)[“”]|«([^»]+)»|「([^」]+)」')
_SENTENCE = re.compile(r"(?<=[.?!;。？！；])\s+|(?<=[。？！；])")
_YEAR = re.compile(r"(?:19|20)\d\d")
_LETTERS = re.compile(r"[^\W\d_]+")
_CAPITALISED = re.compile(r"(?<![.?!:] )(?<!^)\b[A-Z][A-Za-z]+(?:['’]s)?")  # not at the start of a sentence


@dataclass(frozen=True, slots=True)
class Question:
    """A parsed question.

    words         the words to look for in passages, by weight
    own_words     those that the question itself has; documents are selected by them
    phrases       the aliases in the question and their other names, by weight
    page_types    the types of pages that may have the answer
    proper_nouns  the words that are written like names
    term          the term to be defined; empty in other questions
    asks_number   whether the question asks for a number
    quoted        the phrases in quotation marks, which a passage must have as they are
    languages     the languages that the question may be in
    """

    text: str
    words: Mapping[str, float]
    own_words: tuple[str, ...] = ()
    phrases: Mapping[Phrase, float] = field(default_factory=dict)
    page_types: frozenset[str] = frozenset()
    proper_nouns: frozenset[str] = frozenset()
    term: str = ""
    asks_number: bool = False
    quoted: tuple[str, ...] = ()
    languages: tuple[str, ...] = (DEFAULT,)


def parse_question(text: str, concepts: Concepts | None = None) -> Question:
    """The parsed question; it keeps all words if none of them is a content word."""
    if concepts is None:
        concepts = shipped_concepts()
    matches = find_aliases(text, concepts)
    term = defined_term(text)
    languages = question_languages(_LETTERS.findall(text.lower())) or (DEFAULT,)
    written: list[str] = []
    for sentence in _sentences_that_ask(text):
        bare = _CHINESE_QUESTION_WORDS.sub(" ", sentence)
        written += tokens(_KOREAN_WORD.sub(_korean_stem, bare))
    chosen = content_words(tokens(term), languages) or content_words(written, languages) or tokens(text)
    own_words = tuple(dict.fromkeys(chosen))
    words: dict[str, float] = {}
    for word in own_words:
        words[word] = YEAR_WEIGHT if _YEAR.fullmatch(word) else word_weight(word)
    phrases = _weigh_phrases(matches)
    for phrase, weight in phrases.items():
        for word in phrase:
            words.setdefault(word, weight * word_weight(word))
    # The capitalised words are names, unless they are those of a metric: "Net Income".
    proper_nouns: set[str] = set()
    if "de" not in languages:  # all nouns have capitals there
        for name in _CAPITALISED.findall(text):
            proper_nouns.update(tokens(name))
    page_types: set[str] = set()
    for alias, concept in matches:
        proper_nouns.difference_update(alias.words)
        page_types.update(concept.page_types)
    return Question(
        text,
        words,
        own_words,
        phrases,
        page_types=frozenset(page_types),
        proper_nouns=frozenset(proper_nouns),
        term=term,
        asks_number=bool(_QUANTITY_QUESTION.search(text)),
        quoted=_quoted_phrases(text),
        languages=languages,
    )


def _quoted_phrases(text: str) -> tuple[str, ...]:
    """The phrases in quotation marks that have a word."""
    phrases = ["".join(groups).strip() for groups in _QUOTED.findall(text)]
    return tuple(phrase for phrase in phrases if tokens(phrase))


def _korean_stem(match: re.Match[str]) -> str:
    """A Korean word without its particle; nothing of a word that only asks."""
    word, korean = match[0], language_words()["ko"]
    if word in korean.stopwords:
        return " "
    for length in range(korean.min_stem_letters, len(word)):
        if word[length:] in korean.endings:  # the longest particle
            return word[:length]
    return word


def word_count(words: Collection[str]) -> float:
    """The number of words; a pair of Chinese, Japanese or Korean characters counts as half a word."""
    return sum(0.5 if is_paired(word) else 1.0 for word in words)


def without_document_name(question: Question, title_words: Collection[str]) -> Question:
    """The question with little weight on the document's own name, whose words are `title_words`."""
    names = question.proper_nouns.intersection(title_words)
    words = {}
    for word, weight in question.words.items():
        words[word] = weight * (DOCUMENT_NAME_WEIGHT if word in names else 1.0)
    others = tuple(word for word in question.own_words if word not in names)
    return replace(question, words=words, own_words=others or question.own_words)


def _sentences_that_ask(text: str) -> Sequence[str]:
    """The sentences without instructions; all if there is nothing else."""
    sentences = [sentence for sentence in _SENTENCE.split(text) if sentence.strip()]
    asking = [sentence for sentence in sentences if not _is_instruction(sentence)]
    return asking or sentences


def _is_instruction(sentence: str) -> bool:
    words = tokens(sentence)
    if "?" in sentence or len(words) < 2:
        return False
    # "If the value is not given, answer 0" is an instruction, too.
    is_conditional = words[0] == "if" and not _instructions().isdisjoint(words)
    return is_conditional or words[0] in _instructions()


@cache
def _instructions() -> frozenset[str]:
    return frozenset(tokens(_INSTRUCTIONS))


def _weigh_phrases(matches: Sequence[AliasMatch]) -> dict[Phrase, float]:
    """The aliases in a question and the other names of their concepts, by weight."""
    phrases = {match.alias.words: 1.0 for match in matches}
    for alias, concept in matches:
        for other in (*concept.aliases, *concept.components):
            # A question for dividends paid asks for dividends, too.
            is_part = contains_phrase(alias.words, other.words)
            phrases.setdefault(other.words, 1.0 if is_part else ALIAS_WEIGHT)
    return phrases
