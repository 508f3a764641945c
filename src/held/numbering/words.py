"""The words of each language that count, name and caption sections, and the language of a text.

`words.toml` has one block per language and says how to add one; this module reads it.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from held.system import lazy_pattern

Words = tuple[str, ...]


class HeadingWords(NamedTuple):
    """The words of one language; a field that does not apply stays empty.

    The fields from `part` to `appendix` are kinds of numbered sections. Fields whose comment says
    "expressions" hold regular expressions, in which a space stands for any white space and which begin with
    a letter.
    """

    part: Words = ()
    chapter: Words = ()
    subchapter: Words = ()
    section: Words = ()
    article: Words = ()
    clause: Words = ()  # only with Chinese numerals: 第一款; elsewhere a clause counts as an article
    item: Words = ()
    note: Words = ()
    appendix: Words = ()
    course_unit: Words = ()  # seldom numbers a section, but sets a number apart when titles are compared
    tesseract: str = ""  # Tesseract's name of the language
    cardinals: str = ""  # "Book Two"
    ordinals: str = ""  # "Erster Teil"
    ordinal_endings: str = ""  # separated by spaces; none where the ordinals are complete
    common: str = ""  # the most common words, separated by spaces: they tell the language of a document
    has_chinese_numerals: bool = False  # 第二章 and 第2章
    longer_words: Words = ()  # begin with a word for a section and are none: 条件 is no 条
    months: Words = ()  # where a day is written "1. Januar": it looks like an item of a list
    page: Words = ()  # expressions for the word before a page number
    figure: Words = ()  # before the number of a caption, abbreviations with their dot
    table: Words = ()
    contents: Words = ()  # titles of printed contents
    contents_lists: Words = ()  # titles of lists of figures, tables and the like
    contents_expressions: Words = ()  # expressions for more such titles
    front_titles: Words = ()  # titles in front of the numbered chapters, of which they never hold one
    front_labels: Words = ()  # the same, but they begin a paragraph as often as they head a section
    titles: Words = ()  # other titles that head a section in most documents
    no_headings: Words = ()  # begin what is seldom a heading: theorems, notes, sources
    no_heading_expressions: Words = ()  # expressions for more of them
    continued: Words = ()  # expressions that end the title of a section that began earlier
    continued_in_brackets: Words = ()  # the same, only in brackets: "(cont'd)"


def _read_block(block: Mapping[str, Any]) -> HeadingWords:
    """The words of one block; a string with commas holds several words."""
    fields: dict[str, Any] = {}
    for name, value in block.items():
        has_several_words = HeadingWords._field_defaults[name] == ()
        if has_several_words and isinstance(value, str):
            value = (" ".join(word.split()) for word in value.split(","))
        fields[name] = tuple(value) if has_several_words else value
    return HeadingWords(**fields)


_TOML = re.compile(
    r"'''\n?(?s:(?P<long>.*?))'''(?!')|'(?P<short>[^'\n]*)'"
    r"|^\[(?P<block>\w+)\]|^(?P<key>\w+) = (?:(?P<list>\[)|(?P<yes>true))?|#.*",
    re.MULTILINE,
)


def read_toml(text: str) -> dict[str, dict[str, Any]]:
    """The blocks of `words.toml`: strings in single quotes, lists of them, and `true`.

    Importing `tomllib` and reading the file with it takes six times as long, at the start of every command.
    """
    blocks: dict[str, dict[str, Any]] = {}
    block: dict[str, Any] = {}
    key = ""
    for token in _TOML.finditer(text):
        match token.lastgroup:
            case "long" | "short" as group:
                if key in block:
                    block[key].append(token[group])
                else:
                    block[key] = token[group]
            case "block":
                block = blocks[token["block"]] = {}
            case "key":
                key = token["key"]
            case "list":
                key = token["key"]
                block[key] = []
            case "yes":
                block[token["key"]] = True
    return blocks


_TABLE = read_toml(Path(__file__).with_name("words.toml").read_text(encoding="utf-8"))
LANGUAGES: dict[str, HeadingWords] = {code: _read_block(block) for code, block in _TABLE.items()}

SECTION_KINDS = HeadingWords._fields[: HeadingWords._fields.index("appendix") + 1]
"""The fields that hold words for numbered sections."""


def all_words(kind: str, languages: Mapping[str, HeadingWords] = LANGUAGES) -> list[str]:
    """The words of one kind (a field of `HeadingWords`) in all languages, in the order of the table."""
    found: dict[str, None] = {}
    for language in languages.values():
        found.update(dict.fromkeys(getattr(language, kind)))
    return list(found)


def any_expression(*kinds: str) -> str:
    """A regular expression for any word or expression of some kinds, a space standing for any white space."""
    words = [word for kind in kinds for word in all_words(kind)]
    alternatives = [word.replace(" ", r"\s+") for word in dict.fromkeys(words)]
    return "(?:" + "|".join(alternatives) + ")"


def all_spellings(*kinds: str) -> frozenset[str]:
    """The words of some kinds, with and without accents, but for spellings that are English titles.

    Catalan contents are headed "Índex"; an English index lists no contents.
    """
    words = [word for kind in kinds for word in all_words(kind)]
    bare = {spelling for word in words for spelling in spellings(word)} - set(LANGUAGES["en"].titles)
    return frozenset(words) | bare


def first_letters(words: Iterable[str]) -> frozenset[str]:
    """The characters, in both cases, that one of some words or expressions can begin with."""
    letters: set[str] = set()
    for word in words:
        # An expression may begin with a set of letters: [定引命推]理.
        letters |= set(word[1 : word.index("]")]) if word[0] == "[" else {word[0]}
    both_cases = letters | {letter.upper() for letter in letters}
    # The other letters that the `re` module takes for i and s where case does not count.
    both_cases |= {"İ", "ı"} if "i" in letters else set()
    both_cases |= {"ſ"} if "s" in letters else set()
    return frozenset(both_cases)


def spellings(word: str) -> Iterator[str]:
    """A word, how capitals often spell it (without its accents), and how older fonts do (ţ for ț)."""
    yield word
    if not word.isascii():
        older = word.translate(_OLDER_LETTERS)
        if older != word:
            yield older
        bare = without_accents(word)
        if bare != word:
            yield bare


def ordinal_words(words: HeadingWords) -> dict[str, int]:
    """The values of the ordinals of a language, spaces left out: "zweiter" is 2."""
    endings = words.ordinal_endings.split() or [""]
    return _values(words.ordinals, endings)


def number_words(words: HeadingWords) -> dict[str, int]:
    """The values of the cardinals and ordinals of a language, spaces left out: "zwei" and "zweiter" are 2."""
    return _values(words.cardinals, [""]) | ordinal_words(words)


def _values(row: str, endings: Sequence[str]) -> dict[str, int]:
    values: dict[str, int] = {}
    for value, forms in enumerate(row.split(), start=1):
        for form in forms.replace("_", "").split("/"):
            for ending in endings:
                values.update(dict.fromkeys(spellings(form + ending), value))
    return values


_LAST_ACCENTED = "\u03ff"  # the last Greek letter; the marks of later scripts are parts of their letters
_DOTLESS_I = "ı"
# Romanian letters that early character sets had with a cedilla, and the Ukrainian і, for which TeX's Cyrillic
# fonts use the Latin letter.
_OLDER_LETTERS = str.maketrans("șțі", "şţi")


def without_accents(word: str) -> str:
    """A word in Latin or Greek letters without its accents; words of other scripts stay as they are."""
    if word[0] > _LAST_ACCENTED:
        return word
    letters = unicodedata.normalize("NFD", word).replace(_DOTLESS_I, "i")
    return "".join(letter for letter in letters if not unicodedata.combining(letter))


# --- words beside a number, made ready to be looked up ---


class LabelWord(NamedTuple):
    """A word that a number follows: its other words or its dot, and the languages that have it."""

    rest: tuple[str, ...]
    has_dot: bool
    kind: str
    languages: frozenset[str]


class WordTable(NamedTuple):
    """The words of some languages, each found by its first word."""

    before: Mapping[str, tuple[LabelWord, ...]]
    after: Mapping[str, Mapping[str, str]]  # kinds, by the mark between a number and its word
    ordinals: Mapping[str, Mapping[str, int]]  # values by language


@cache
def label_starts() -> frozenset[str]:
    """The first characters of all words in lower case that a number follows, and of all ordinal words."""
    table = all_labels()
    return frozenset(word[0] for word in (*table.before, *table.ordinals))


@cache
def first_ordinals() -> frozenset[str]:
    """The first words of ordinals that have two: "décimo_tercera", "on_birinci"."""
    forms = " ".join(language.ordinals for language in LANGUAGES.values()).replace("/", " ").split()
    tens = [form.partition("_")[0] for form in forms if "_" in form]
    return frozenset(spelling for form in tens for spelling in spellings(form))


@cache
def number_values(language: str) -> Mapping[str, int]:
    """The values of the number words of a language."""
    return number_words(LANGUAGES[language])


@cache
def all_labels() -> WordTable:
    """The words of all languages."""
    return label_table(LANGUAGES)


def label_table(languages: Mapping[str, HeadingWords]) -> WordTable:
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
    before: dict[str, list[LabelWord]] = {}
    # The longest first: "phần thứ" before "phần".
    for (spelling, kind), codes in sorted(having.items(), key=lambda item: -len(item[0][0])):
        first, *rest = spelling.split(" ")
        has_dot = first.endswith(".")
        label = LabelWord(tuple(rest), has_dot, kind, frozenset(codes))
        before.setdefault(first.removesuffix("."), []).append(label)
    return WordTable({word: tuple(labels) for word, labels in before.items()}, after, ordinals)


def _spelled_words(language: HeadingWords) -> Iterator[tuple[str, str]]:
    """The words of a language for sections, each with its kind, in all spellings."""
    for kind in (*SECTION_KINDS, "course_unit"):
        for word in getattr(language, kind):
            for spelling in spellings(word):
                yield kind, spelling


# --- the language of a text ---
#
# A text's language is told by its scripts and its most common words.
#
# Offline and small: the words are the `common` words of each language's block. A word that
# several languages have counts for each of them in part. On documents of the corpus 98 to 99 % are right,
# on single pages 95 %; code, formulas and foreign licences in them make most of the errors.

_MAX_PIECES = 40
_PIECE_LENGTH = 500  # characters, a paragraph
_MIN_COMMON_SHARE = 0.04  # of the words; fewer are names, code or another language
_MIN_CJK_SHARE = 0.15  # of the letters: a word has few characters, and manuals quote commands
_MIN_SCRIPT_SHARE = 0.3  # of the letters
_MIN_HANGUL_SHARE = 0.3  # of the Chinese, Japanese and Korean characters
_MIN_KANA_SHARE = 0.1
WORD = re.compile(r"[^\W\d_]+")
_SCRIPTS = {
    "han": lazy_pattern(r"[\u3400-\u9fff]"),
    "kana": lazy_pattern(r"[\u3040-\u30ff]"),
    "hangul": lazy_pattern(r"[\uac00-\ud7a3]"),
    "cyrillic": lazy_pattern(r"[\u0400-\u052f]"),
    "greek": lazy_pattern(r"[\u0370-\u03ff\u1f00-\u1fff]"),
    "hebrew": lazy_pattern(r"[\u0590-\u05ff]"),
    "arabic": lazy_pattern(r"[\u0600-\u077f]"),
}
_LANGUAGE_OF_SCRIPT = {"greek": "el", "hebrew": "he", "arabic": "ar"}
LAST_LATIN = "\u024f"


def find_language(texts: Iterable[str]) -> str:
    """The language of some texts as an ISO 639-1 code ("de"), or "" where it is none that `words` has."""
    # Most pieces decide, not most words: a licence or a listing at the end may be in another language.
    votes = Counter(map(_language_of_piece, _pieces(" ".join(texts))))
    votes.pop("", None)
    return votes.most_common(1)[0][0] if votes else ""


def _pieces(text: str) -> list[str]:
    """Pieces of a text from everywhere, all of it where it is short."""
    step = max(_PIECE_LENGTH, len(text) // _MAX_PIECES)
    return [text[start : start + _PIECE_LENGTH] for start in range(0, len(text), step)]


def _language_of_piece(text: str) -> str:
    words = WORD.findall(text.lower())
    letters = sum(map(len, words))
    if letters == 0:
        return ""
    if text.isascii():
        return _by_common_words(words, is_cyrillic=False)
    counts = {name: len(script.findall(text)) for name, script in _SCRIPTS.items()}
    cjk = counts["han"] + counts["kana"] + counts["hangul"]
    if cjk > _MIN_CJK_SHARE * letters:
        if counts["hangul"] > _MIN_HANGUL_SHARE * cjk:
            return "ko"
        return "ja" if counts["kana"] > _MIN_KANA_SHARE * cjk else "zh"
    for script, language in _LANGUAGE_OF_SCRIPT.items():
        if counts[script] > _MIN_SCRIPT_SHARE * letters:
            return language
    return _by_common_words(words, is_cyrillic=counts["cyrillic"] > _MIN_SCRIPT_SHARE * letters)


def _by_common_words(words: Iterable[str], *, is_cyrillic: bool) -> str:
    """The language in this script whose common words are the most, "" where all are few."""
    return language_by_common_words(words, _languages_in_alphabet(is_cyrillic=is_cyrillic))


def language_by_common_words(words: Iterable[str], among: Container[str]) -> str:
    """The one of some languages whose common words are the most in a text, "" where all are few.

    `words` are the words of the text in lower case.
    """
    shares = _word_shares()
    scores: dict[str, float] = {}
    total = 0
    for word, times in Counter(words).items():
        if len(word) == 1 and word <= LAST_LATIN:
            continue  # of a formula more often than of a sentence
        total += times
        for language, share in shares.get(word, {}).items():
            if language in among:
                scores[language] = scores.get(language, 0.0) + share * times
    if not scores:
        return ""
    best = max(scores, key=scores.__getitem__)
    return best if scores[best] >= _MIN_COMMON_SHARE * total else ""


@cache
def _languages_in_alphabet(*, is_cyrillic: bool) -> frozenset[str]:
    """The languages with common words in Cyrillic letters, or those in other letters."""
    cyrillic = _SCRIPTS["cyrillic"]
    return frozenset(
        code
        for code, language in LANGUAGES.items()
        if (cyrillic.match(language.common) is not None) == is_cyrillic
    )


@cache
def _word_shares() -> dict[str, dict[str, float]]:
    """For each common word the languages that have it, and what it counts for each."""
    having: dict[str, list[str]] = {}
    for code, language in LANGUAGES.items():
        for word in language.common.split():
            if len(word) > 1 or word > LAST_LATIN:
                having.setdefault(word, []).append(code)
    return {word: dict.fromkeys(codes, 1 / len(codes)) for word, codes in having.items()}
