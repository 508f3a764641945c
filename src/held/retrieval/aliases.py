"""Aliases of metrics and topics: a search for capex finds purchases of property, plant and equipment.

The aliases are data (`data/aliases.txt`), English and Chinese; users add their own in a file of the same
format. A Latin alias matches a sequence of words, a Chinese one matches characters, as Chinese has no spaces.
"""

from __future__ import annotations

import os
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

from held.errors import FormatError, InputError
from held.retrieval.tokens import content_words, is_han, read_data, tokens

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
