"""Text to tokens, as search compares them, and how much each token counts; English and Chinese alike.

Latin words become lower-case without a plural s, numbers lose their thousands separators, and a year is
separated from the letters before it (FY2018). Chinese has no spaces between words, so each pair of
neighbouring characters is a token. `docs/research/retrieval.md` has the measurements behind these choices.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping
from functools import cache, lru_cache
from importlib.resources import files

FIRST_HAN, LAST_HAN = "\u3400", "\ufaff"
HAN = f"{FIRST_HAN}-\u9fff\uf900-{LAST_HAN}"
_LETTERS = rf"[^\W\d_{HAN}]+"
# Chinese characters, a number, or a Latin word with its apostrophes and digits: company's, Q3.
_WORDS = re.compile(rf"[{HAN}]+|\d+(?:[.,]\d+)*|{_LETTERS}(?:['’]{_LETTERS})*(?:\d+(?!\d))?")
_WORD_WITH_YEAR = re.compile(r"(\D+)((?:19|20)\d\d)")
_POSSESSIVE = re.compile(r"['’]s?$")
_MAX_CACHED_WORDS = 1 << 16  # about ten megabytes

_STOPWORDS = """
a an the of in on at to for from by with as is are was were be been being and or not no nor but if then than
that this these those it its their there here what which who whom whose how why when where do does did has
have had will would can could should may might must shall about into over under between among during after
before above below up down out off per each any all some such only own same so too very just also please you
your we our us i me my he she they them his her using use used based give given provide answer question
respond response round decimal place units unit calculate define defined assume s t much many
什么 多少 哪些 哪个 如何 怎么 为何 是否 以及 请问
"""
# A pair with a particle or pronoun crosses the end of a word. It is rare on any page and would look specific.
_CHINESE_PARTICLES = frozenset("的了吗呢吧么啥哪谁怎几这那它们我你您他她请")


def tokens(text: str) -> list[str]:
    """The tokens of a text in order, with repetitions."""
    # NFKC turns full-width letters and ligatures into plain ones.
    plain = unicodedata.normalize("NFKC", text).lower()
    found: list[str] = []
    for word in _WORDS.findall(plain):
        if is_han(word[0]):
            last_pair = max(1, len(word) - 1)  # a single character is a token, too
            found += [word[start : start + 2] for start in range(last_pair)]
        elif word[0].isdigit():
            found.append(word.replace(",", ""))
        else:
            found += _latin_tokens(word)
    return found


def is_han(character: str) -> bool:
    """Whether a character is Chinese."""
    return FIRST_HAN <= character <= LAST_HAN


@lru_cache(_MAX_CACHED_WORDS)
def _latin_tokens(word: str) -> tuple[str, ...]:
    if year := _WORD_WITH_YEAR.fullmatch(word):
        return year.groups()
    plain = _POSSESSIVE.sub("", word).replace("'", "").replace("’", "")
    return (singular(plain),)


def singular(word: str) -> str:
    """The word without a plural s: the S-stemmer of Harman (1991)."""
    if len(word) < 4 or not word.endswith("s") or word.endswith(("ss", "us", "is")):
        return word
    if word.endswith("ies") and not word.endswith(("eies", "aies")):
        return word[:-3] + "y"
    return word[:-1]


@cache
def stopwords() -> frozenset[str]:
    """The tokens that don't help to find anything."""
    return frozenset(tokens(_STOPWORDS))


def content_words(words: Iterable[str]) -> list[str]:
    """The tokens without stopwords, in order."""
    ignored = stopwords()
    return [word for word in words if word not in ignored and _CHINESE_PARTICLES.isdisjoint(word)]


def word_weight(word: str) -> float:
    """How specific a word is: from near 0 for a word on most pages to 1 for most words.

    The weights come from many documents. One document can't tell: "get" may be rare in a filing, and
    still does not help to find anything there.
    """
    return _word_weights().get(word, 1.0)


@cache
def _word_weights() -> Mapping[str, float]:
    weights: dict[str, float] = {}
    for line in read_data("word_weights.txt").splitlines():
        if line and not line.startswith("#"):
            weight, _, words = line.partition(":")
            weights |= dict.fromkeys(words.split(), float(weight))
    return weights


def read_data(name: str) -> str:
    """A text file of the package's `data` folder."""
    return files("held.retrieval").joinpath("data", name).read_text(encoding="utf-8")
