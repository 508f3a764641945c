"""What search knows of each language: words that don't help to find anything, endings, back matter.

The endings make "installing" find "installation" and "Verwendung" find "verwenden". Words are compared when a
question is asked, not when a document is indexed: an index has the words as they are printed, and works for
questions in any language. `data/languages.toml` has one block per language.
"""

from __future__ import annotations

import re
import tomllib
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files

MIN_STEM_LETTERS = 4  # shorter stems have nothing to do with each other: "care" and "caring"
_MIN_STEM_LETTERS = {"ru": 3, "ko": 2}
MAX_CACHED_WORDS = 1 << 16  # about ten megabytes
DEFAULT = "en"
COMPOUNDING = ("de", "nl")  # languages that write compounds as one word
MIN_PART_LETTERS = 6  # of a word that is looked for inside others

_DOUBLE_VOWEL = re.compile(r"([aeou])\1")


@dataclass(frozen=True, slots=True)
class LanguageWords:
    """The words of one language, all without accents.

    stopwords    words that don't help to find anything
    endings      endings of words, the empty one among them
    back_matter  titles of sections that point elsewhere: contents, references, an index
    """

    stopwords: frozenset[str]
    endings: frozenset[str]
    back_matter: frozenset[str]
    min_stem_letters: int = MIN_STEM_LETTERS


@cache
def language_words() -> dict[str, LanguageWords]:
    """All languages that search knows, by their code."""
    resource = files("held.retrieval").joinpath("data", "languages.toml")
    blocks = tomllib.loads(resource.read_text(encoding="utf-8"))
    found = {}
    for code, block in blocks.items():
        stopwords = map(fold, block["stopwords"].split())
        endings = block.get("endings", "").split()
        least = _MIN_STEM_LETTERS.get(code, MIN_STEM_LETTERS)
        titles = [fold(title.strip()) for title in " ".join(block["back_matter"].split()).split(",")]
        found[code] = LanguageWords(frozenset(stopwords), frozenset([*endings, ""]), frozenset(titles), least)
    return found


@lru_cache(MAX_CACHED_WORDS)
def fold(word: str) -> str:
    """A word without accents, so that "decidable" finds "décidable"; Korean and Japanese stay as they are."""
    if word.isascii():
        return word
    bare = [letter for letter in unicodedata.normalize("NFD", word) if not _is_accent(letter)]
    return unicodedata.normalize("NFC", "".join(bare))


def _is_accent(character: str) -> bool:
    # The breve stays: и and й are two letters.
    return "\u0300" <= character <= "\u036f" and character != "\u0306"


def is_same_word(word: str, other: str, language: str) -> bool:
    """Whether two words differ in their endings alone: install, installing, installation.

    Both are a stem of enough letters and an ending of the language, or none. The last consonant of the stem
    may be doubled before an ending: plan, planning.
    """
    known = language_words().get(language) or language_words()[DEFAULT]
    first, second = fold(word), fold(other)
    if language == "nl":  # probleem, problemen
        first, second = _DOUBLE_VOWEL.sub(r"\1", first), _DOUBLE_VOWEL.sub(r"\1", second)
    if first == second:
        return True
    common = next(
        (at for at, pair in enumerate(zip(first, second, strict=False)) if pair[0] != pair[1]),
        min(len(first), len(second)),
    )
    for length in range(common, known.min_stem_letters - 1, -1):
        last = first[length - 1]
        rests = (first[length:], second[length:])
        if all(rest in known.endings or _is_doubled(last, rest, known.endings) for rest in rests):
            return True
    return False


def compound_part(word: str, language: str) -> str:
    """What compounds have of a word, if the language makes them: "problem" in Installatieproblemen.

    Empty in other languages, and for words that are too short to be told from letters by chance.
    """
    if language not in COMPOUNDING:
        return ""
    endings = language_words()[language].endings
    stems = [word[:length] for length in range(MIN_PART_LETTERS, len(word)) if word[length:] in endings]
    part = min([*stems, word], key=len)
    return part if len(part) >= MIN_PART_LETTERS else ""


def _is_doubled(last: str, rest: str, endings: frozenset[str]) -> bool:
    return len(rest) > 1 and rest[0] == last and rest[1:] in endings


def question_languages(words: Iterable[str]) -> tuple[str, ...]:
    """The languages that a question may be in: those with most of its words among their stopwords."""
    bare = set(map(fold, words))
    counts = {code: len(bare & known.stopwords) for code, known in language_words().items()}
    most = max(counts.values())
    return tuple(code for code, count in counts.items() if count == most) if most else ()


@cache
def all_stopwords() -> frozenset[str]:
    """The stopwords of all languages, without accents."""
    return stopwords_of(language_words())


def stopwords_of(languages: Iterable[str]) -> frozenset[str]:
    """The stopwords of some languages, without accents."""
    known = language_words()
    return frozenset().union(*(known[code].stopwords for code in languages if code in known))
