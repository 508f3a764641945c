"""A question understood: which words, names and years it asks for, and on what pages that stands.

Words that hold a sentence together, and sentences that only say how to answer, ask for nothing; a word that
is common everywhere asks for little. A name of a metric or topic (`names`) brings its other names with less
weight. The name of the document itself chooses the document, not the passage.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache

from held.retrieval.common import telling_weight
from held.retrieval.definitions import term_asked
from held.retrieval.names import Found, Names, Phrase, has_phrase, named_in, shipped_names
from held.retrieval.stopwords import telling
from held.retrieval.tokens import tokens

OTHER_NAME = 0.5  # the weight of a word of another name of what was asked for
YEAR = 0.3  # the weight of a year: it stands on most pages of a report
OWN_NAME = 0.15  # the weight of the document's own name: it is what all of it is about

_INSTRUCTIONS = """
answer round respond reply give provide please explain state assume use base address help show list write
"""
"""Verbs that begin a sentence which says how to answer."""

_ASKING = re.compile(
    "(?:请问|是|为|有|由|指)*(?:什么|多少|哪些|哪个|哪里|怎么|怎样|如何|何时|为何|几个|谁|哪)(?:意思|时候|样|办|是|钱)*"
    "|是否|有没有|能不能"
)
"""What asks in Chinese. Cut out, it leaves no pair of characters that goes over the end of a word."""

_HAN = re.compile("[\u3400-\u9fff]")
_NUMBER = re.compile(
    r"\bhow (?:much|many|fast|big|large|long|old|high|often)\b|多少|几|多大|多长|多久", re.IGNORECASE
)
_SENTENCE = re.compile(r"(?<=[.?!;。？！；])\s+|(?<=[。？！；])")
_YEAR = re.compile(r"(?:19|20)\d\d")
_CAPITAL = re.compile(r"(?<![.?!:] )(?<!^)\b[A-Z][A-Za-z]+(?:['’]s)?")  # none that begins a sentence


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked for.

    `words` are looked for in passages, by weight; `asked` are those that stand in the question itself, with
    which documents are chosen. `phrases` are the names asked for and their other names, by weight, `pages`
    the kinds of pages that have what is asked for, `proper` the words that are written as names. `term` is
    what is to be defined, empty in other questions; `number` tells that a number is asked for.
    """

    text: str
    words: Mapping[str, float]
    asked: tuple[str, ...] = ()
    phrases: Mapping[Phrase, float] = field(default_factory=dict)
    pages: frozenset[str] = frozenset()
    years: tuple[str, ...] = ()
    proper: frozenset[str] = frozenset()
    term: str = ""
    number: bool = False


def understood(text: str, names: Names | None = None) -> Question:
    """The question that a text asks; all its words where none of them tells anything."""
    found = named_in(text, shipped_names() if names is None else names)
    term = term_asked(text)
    said = [word for sentence in _telling_sentences(text) for word in tokens(_ASKING.sub(" ", sentence))]
    asked = tuple(dict.fromkeys(telling(tokens(term)) or telling(said) or tokens(text)))
    phrases = _phrases(found)
    words = {word: _weight(word) for word in asked}
    for phrase, weight in phrases.items():
        for word in phrase:
            words.setdefault(word, weight * telling_weight(word))
    named = {word for one in found for word in one.name.words}
    written = {word for name in _CAPITAL.findall(text) for word in tokens(name)}
    years = tuple(word for word in asked if _YEAR.fullmatch(word))
    return Question(
        text,
        words,
        asked,
        phrases,
        _pages(found),
        years,
        frozenset(written - named),
        term,
        bool(_NUMBER.search(text)),
    )


def length_of(words: Collection[str]) -> float:
    """How many words were asked for; two pairs of Chinese characters are about one."""
    return sum(0.5 if _HAN.match(word) else 1.0 for word in words)


def in_document(question: Question, about: Collection[str]) -> Question:
    """The question without the document's own name, of which `about` are the words."""
    own = question.proper.intersection(about)
    words = {word: weight * (OWN_NAME if word in own else 1.0) for word, weight in question.words.items()}
    asked = tuple(word for word in question.asked if word not in own) or question.asked
    return replace(question, words=words, asked=asked)


def _weight(word: str) -> float:
    return YEAR if _YEAR.fullmatch(word) else telling_weight(word)


def _telling_sentences(text: str) -> Sequence[str]:
    """The sentences that ask for something; all where none does."""
    sentences = [sentence for sentence in _SENTENCE.split(text) if sentence.strip()]
    return [sentence for sentence in sentences if not _is_instruction(sentence)] or sentences


def _is_instruction(sentence: str) -> bool:
    words = tokens(sentence)
    if "?" in sentence or len(words) < 2:
        return False
    return words[0] in _instructions() or (words[0] == "if" and not _instructions().isdisjoint(words))


def _phrases(found: Sequence[Found]) -> dict[Phrase, float]:
    """The names asked for and their other names, by weight."""
    phrases = {one.name.words: 1.0 for one in found}
    for one in found:
        for other in (*one.meaning.names, *one.meaning.parts):
            said = has_phrase(one.name.words, other.words)  # who asks for dividends paid asks for dividends
            phrases.setdefault(other.words, 1.0 if said else OTHER_NAME)
    return phrases


def _pages(found: Sequence[Found]) -> frozenset[str]:
    """The kinds of pages that have what is asked for: each one that a name leads to."""
    return frozenset(page for one in found for page in one.meaning.pages)


@cache
def _instructions() -> frozenset[str]:
    return frozenset(tokens(_INSTRUCTIONS))
