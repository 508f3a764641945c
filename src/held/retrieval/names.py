"""Names of metrics and topics: who asks for capex is shown purchases of property, plant and equipment.

The names are data (`terms/names.txt`), English and Chinese; people add their own with a file of the same
form. A Latin name is found as a sequence of words, a Chinese one as characters, for Chinese has no spaces.
"""

from __future__ import annotations

import os
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import NamedTuple

from held.errors import FormatError, InputError
from held.retrieval.stopwords import telling
from held.retrieval.tokens import tokens

Phrase = tuple[str, ...]
"""The tokens of a name, in order."""

_HAN = ("\u3400", "\ufaff")


class Name(NamedTuple):
    """A name as it is written, and its tokens."""

    text: str
    words: Phrase

    @property
    def is_chinese(self) -> bool:
        return _HAN[0] <= self.text[0] <= _HAN[1]


class Meaning(NamedTuple):
    """One thing: its names, what it is made of, and the kinds of pages that have it."""

    names: tuple[Name, ...]
    parts: tuple[Name, ...] = ()
    pages: tuple[str, ...] = ()


class Found(NamedTuple):
    """A name that a question has, and what it means."""

    name: Name
    meaning: Meaning


Names = tuple[Meaning, ...]


def names_with(path: str | os.PathLike[str] | None) -> Names:
    """The names that ship, and those of a file."""
    if path is None:
        return shipped_names()
    try:
        text = Path(path).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        advice = "a line is: name / other name = parts @ page; docs/search.md has an example"
        raise InputError("no file of names", file=path, advice=advice) from error
    return (*shipped_names(), *_meanings(text, path))


@cache
def shipped_names() -> Names:
    """The names that ship with the package."""
    text = files("held.retrieval.terms").joinpath("names.txt").read_text(encoding="utf-8")
    return tuple(_meanings(text, "names.txt"))


def _meanings(text: str, file: str | os.PathLike[str]) -> Iterator[Meaning]:
    for number, line in enumerate(text.splitlines(), 1):
        content = line.split("#")[0].strip()
        if not content:
            continue
        before, _, pages = content.partition("@")
        names, _, parts = before.partition("=")
        meaning = Meaning(_names(names), _names(parts), tuple(_between(pages, ",")))
        if not meaning.names:
            raise FormatError(f"line {number} has no name", file=file, advice="write: name / other name")
        yield meaning


def _names(text: str) -> tuple[Name, ...]:
    written = [unicodedata.normalize("NFKC", part).lower() for part in _between(text, "/")]
    named = [Name(part, _words_of_name(tokens(part))) for part in written]
    return tuple(name for name in named if name.words)


def _words_of_name(written: Sequence[str]) -> Phrase:
    """The words that tell; all, where one alone would be left: "business units" are not just any business."""
    words = telling(written)
    return tuple(written if len(words) == 1 else words)


def _between(text: str, separator: str) -> list[str]:
    return [part.strip() for part in text.split(separator) if part.strip()]


def named_in(question: str, names: Iterable[Meaning]) -> list[Found]:
    """The names that a question has; one inside a longer one is not meant."""
    text = unicodedata.normalize("NFKC", question).lower()
    written = tokens(question)
    said = (written, telling(written))
    found = [Found(name, meaning) for meaning in names for name in meaning.names if _has(text, said, name)]
    return [one for one in found if not any(_is_inside(one.name, other.name) for other in found)]


def _has(text: str, said: Iterable[Sequence[str]], name: Name) -> bool:
    if name.is_chinese:
        return name.text in text
    return any(has_phrase(words, name.words) for words in said)


def has_phrase(words: Sequence[str], phrase: Sequence[str]) -> bool:
    """Whether the phrase stands among the words, whole and in order; cashflow is cash flow, too."""
    wanted = "".join(phrase)
    if wanted not in "".join(words):  # which is soon known, and so in most cases
        return False
    return any(_begins_with(words[start:], wanted) for start in range(len(words)))


def _begins_with(words: Sequence[str], wanted: str) -> bool:
    """Whether the first words, written as one, are what is wanted."""
    written = ""
    for word in words:
        written += word
        if not wanted.startswith(written):
            return False
        if written == wanted:
            return True
    return False


def _is_inside(name: Name, other: Name) -> bool:
    if name.is_chinese:
        return name.text != other.text and name.text in other.text
    return len(name.words) < len(other.words) and has_phrase(other.words, name.words)
