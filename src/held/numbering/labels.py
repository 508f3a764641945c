"""Numbers beside a word of any language: Chapter 3, Erster Teil, 3. fejezet, Глава первая.

The words are looked up, not matched by an expression: a line whose first word is none of them, as most are,
costs one look-up, however many languages there are. Words that enclose their number (第三章) are patterns.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache
from typing import NamedTuple

from held.numbering.numerals import ALPHABETS, ROMAN
from held.numbering.words import (
    LANGUAGES,
    SECTION_KINDS,
    HeadingWords,
    number_words,
    ordinal_words,
    spellings,
)
from held.system.lazy_pattern import lazy_pattern

LATIN_LETTERS_NEXT = r"(?![0-9A-Za-z\u00c0-\u024f\u0370-\u052f\u1e00-\u1fff]|[-/][0-9A-Za-z](?![A-Za-z]))"
_CAPITALS = "".join(alphabet for alphabet in ALPHABETS if not alphabet.islower())
NUMBER = (
    rf"(?P<n>[0-9]{{1,4}}(?:[.\-][0-9]{{1,3}})*[A-Za-z]?|{ROMAN}|[A-Z](?:[.\-]?[0-9]{{1,2}})*"
    rf"|(?i:(?=[IVXL]{{2}}){ROMAN})|[{_CAPITALS}]['’′׳]?(?!\w))(?:\.?°|er|re)?{LATIN_LETTERS_NEXT}"
)
"""A number beside a word, as a regular expression: 3, 3.2, 7A, IV, B.1, iv, Б, Α'."""

_WORD = r"[^\W\d_]+(?:['’·-][^\W\d_]+)*"
_NUMBER_SIGN = r"(?i:(?:n\.?\s?°|n[or]?\.|n[or](?=\s?[0-9])|č\.)\s*)?"  # Anlage Nr. 2, Приложение № 1
_FIRST_WORD = re.compile(_WORD)
_NEXT_WORD = re.compile(rf"\s+({_WORD})")
_NUMBER_AFTER_WORD = lazy_pattern(rf"\s*{_NUMBER_SIGN}{NUMBER}")
_NUMBER_WORDS = lazy_pattern(rf"\s+({_WORD})(?:\s+({_WORD}))?")
_NUMBER_BEFORE_WORD = lazy_pattern(
    rf"(?P<n>[0-9]{{1,3}}|(?![Ll][AaEe])(?i:{ROMAN}))(?P<mark>\s?\.°?|°|-?[^\W\d_]{{1,3}})?\s+({_WORD})"
)
_LONE_LETTER = lazy_pattern(r"[A-Z]|[^\x00-\u024f]")
_SET_APART = lazy_pattern(r"\s*(?:\Z|[.:)\]—–-])")
_SENTENCE = re.compile(r"\s+([^\W\d_])")
_DOTTED_I = "i\u0307"  # the lower case of the Turkish capital İ

# What follows the number of a word that comes after it, as `words` writes it
_ENDING = "e"
_FRENCH_ENDINGS = ("e", "er", "re", "ère", "ere", "ème", "eme")
_ROMAN_MARKS = frozenset(("", ".", *_FRENCH_ENDINGS))  # but "In Section 3" begins a sentence
_COUNTED_BY_ORDINALS = frozenset(SECTION_KINDS) - {"item", "note"}  # "First note that …"
_ENGLISH_CARDINALS = frozenset(LANGUAGES["en"].cardinals.split())
_ENDINGS = frozenset(
    (
        *("°", ".°", *_FRENCH_ENDINGS, "nd", "nde"),
        *("st", "rd", "th", "r", "n", "t", "è", "a", "o"),
        *("я", "й", "е", "-я", "-й", "-е"),
    )
)


class LabelledNumber(NamedTuple):
    """A number beside a word: the texts before and after the number, the number, and where all of it ends.

    `value` is the value of a number word, None where the number is written in digits or letters.
    """

    kind: str
    before: str
    number: str
    after: str
    end: int
    value: int | None = None


class _LabelWord(NamedTuple):
    """A word that a number follows: its other words or its dot, and the languages that have it."""

    rest: tuple[str, ...]
    has_dot: bool
    kind: str
    languages: frozenset[str]


class _WordTable(NamedTuple):
    """The words of some languages, each found by its first word."""

    before: Mapping[str, tuple[_LabelWord, ...]]
    after: Mapping[str, Mapping[str, str]]  # kinds, by the mark between a number and its word
    ordinals: Mapping[str, Mapping[str, int]]  # values by language


def labelled_number(text: str) -> LabelledNumber | None:
    """The number beside a word at the head of a text in NFKC form, or None."""
    return find_labelled(text, _table())


@cache
def label_starts() -> frozenset[str]:
    """The first characters of all words in lower case that a number follows, and of all ordinal words."""
    table = _table()
    return frozenset(word[0] for word in (*table.before, *table.ordinals))


def find_labelled(text: str, table: _WordTable) -> LabelledNumber | None:
    """The number beside one of the words of a table at the head of a text."""
    first = _FIRST_WORD.match(text)
    if first is None:
        return _number_first(text, table) if text[:1].isdigit() else None
    word = _lower(first[0])
    for label in table.before.get(word, ()):
        found = _number_after(text, first.end(), label)
        if found is not None:
            return found
    ordinals = table.ordinals.get(word)
    if ordinals is not None:
        found = _ordinal_first(text, first.end(), ordinals, table)
        if found is not None:
            return found
    return _number_first(text, table) if text[0] in "IVXLivxl" else None


def _number_after(text: str, start: int, label: _LabelWord) -> LabelledNumber | None:
    """The number that follows a label, whose first word ends at `start`."""
    end = _label_end(text, start, label)
    if end is None:
        return None
    number = _NUMBER_AFTER_WORD.match(text, end)
    if number is not None and (number.start("n") > end or label.has_dot):
        if "en" in label.languages or _heads_title(text, number, label):
            return LabelledNumber(label.kind, text[: number.start("n")], number["n"], "", number.end())
        return None
    words = _NUMBER_WORDS.match(text, end)
    if words is None:
        return None
    found = _number_word(words, label)
    if found is None:
        return None
    value, number_end = found
    return LabelledNumber(label.kind, text[: words.start(1)], "", "", number_end, value)


def _label_end(text: str, start: int, label: _LabelWord) -> int | None:
    """Where a label ends whose first word ends at `start`; None where it is another."""
    if label.has_dot:
        return start + 1 if text[start : start + 1] == "." else None
    end = start
    for word in label.rest:
        following = _NEXT_WORD.match(text, end)
        if following is None or _lower(following[1]) != word:
            return None
        end = following.end()
    return end


def _heads_title(text: str, number: re.Match[str], label: _LabelWord) -> bool:
    """Whether a number and its word head a title: a sentence goes on in lower case.

    A lone letter may be a word: "PARTE E RESPONSABILIDADE".
    """
    numeral = number["n"]
    is_lone_letter = _LONE_LETTER.fullmatch(numeral) is not None and numeral not in "IVX"
    # Appendices are lettered: "ANHANG A TABELLEN".
    may_be_word = is_lone_letter and label.kind != "appendix"
    if may_be_word and not _SET_APART.match(text, number.end()):
        return False
    return not _goes_on(text, number.end())


def _goes_on(text: str, end: int) -> bool:
    """Whether a sentence goes on here: "Kapitel 3 beschreibt …", "Del 1 de enero …"."""
    following = _SENTENCE.match(text, end)
    return following is not None and following[1].islower()


def _number_word(words: re.Match[str], label: _LabelWord) -> tuple[int, int] | None:
    """The value and the end of a number word of two words or one, in a language of the label."""
    for group in (2, 1):
        if words[group] is None:
            continue
        word = _lower(words[1] + (words[2] if group == 2 else ""))
        # "Part one of the voyage" is as likely a title as a sentence, "Note first that" is none.
        is_title = not _goes_on(words.string, words.end(group))
        for language in label.languages:
            value = _number_words(language).get(word)
            if value is not None and (is_title or word in _ENGLISH_CARDINALS):
                return value, words.end(group)
    return None


def _ordinal_first(
    text: str, start: int, ordinals: Mapping[str, int], table: _WordTable
) -> LabelledNumber | None:
    """The number of an ordinal before its word: Erster Teil, Première partie."""
    following = _NEXT_WORD.match(text, start)
    if following is None or _goes_on(text, following.end()):
        return None
    word = _lower(following[1])
    for label in table.before.get(word, ()):
        if label.rest or label.has_dot or label.kind not in _COUNTED_BY_ORDINALS:
            continue
        for language in label.languages & ordinals.keys():
            return LabelledNumber(label.kind, "", "", word, following.end(), ordinals[language])
    return None


def _number_first(text: str, table: _WordTable) -> LabelledNumber | None:
    """The number before its word: 3. fejezet, 4 luku, 1er chapitre, IIe partie."""
    found = _NUMBER_BEFORE_WORD.match(text)
    if found is None:
        return None
    kinds = table.after.get(_lower(found[3]))
    if kinds is None or _goes_on(text, found.end()):
        return None
    mark = (found["mark"] or "").strip().lower()
    if found["n"].isalpha() and mark not in _ROMAN_MARKS:
        return None
    kind = kinds.get(_ENDING if mark in _ENDINGS else mark)
    if kind is None:
        return None
    return LabelledNumber(kind, "", found["n"], _lower(found[3]), found.end())


def _lower(word: str) -> str:
    return word.lower().replace(_DOTTED_I, "i").replace("’", "'")


# --- the words, made ready to be looked up ---


@cache
def _number_words(language: str) -> Mapping[str, int]:
    return number_words(LANGUAGES[language])


@cache
def _table() -> _WordTable:
    """The words of all languages."""
    return label_table(LANGUAGES)


def label_table(languages: Mapping[str, HeadingWords]) -> _WordTable:
    """The words of some languages, ready to be looked up; takes a millisecond or two for all of them."""
    having: dict[tuple[str, str], set[str]] = {}  # the languages that have a word for a kind
    after: dict[str, dict[str, str]] = {}
    ordinals: dict[str, dict[str, int]] = {}
    for code, language in languages.items():
        for kind, spelling in _spelled_words(language):
            if "#" not in spelling:
                having.setdefault((spelling, kind), set()).add(code)
            elif spelling[0] == "#" and " " in spelling:
                mark, _, word = spelling[1:].partition(" ")
                after.setdefault(word.removesuffix("."), {})[mark] = kind
        for word, value in ordinal_words(language).items():
            ordinals.setdefault(word, {})[code] = value
    before: dict[str, list[_LabelWord]] = {}
    # The longest first: "phần thứ" before "phần".
    for (spelling, kind), codes in sorted(having.items(), key=lambda item: -len(item[0][0])):
        first, *rest = spelling.split(" ")
        has_dot = first.endswith(".")
        label = _LabelWord(tuple(rest), has_dot, kind, frozenset(codes))
        before.setdefault(first.removesuffix("."), []).append(label)
    return _WordTable({word: tuple(labels) for word, labels in before.items()}, after, ordinals)


def _spelled_words(language: HeadingWords) -> Iterator[tuple[str, str]]:
    """The words of a language for sections, each with its kind, in all spellings."""
    for kind in (*SECTION_KINDS, "course_unit"):
        for word in getattr(language, kind):
            for spelling in spellings(word):
                yield kind, spelling
