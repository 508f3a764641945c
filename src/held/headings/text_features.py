"""The shape of texts, counted for all objects of a document at once.

The first characters of all texts are laid end to end as code points, looked up in one table of character
classes and summed by text: a document of thousands of objects costs milliseconds.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from functools import cache

import numpy as np
from numpy.typing import NDArray

from held.headings.columns import Floats
from held.numbering.words import all_words, any_expression

CLIP = 160  # characters of a text that are looked at; titles are shorter
CLASSES = ("upper", "lower", "digit", "space", "cjk", "stop", "comma", "mark", "dot_leader")

_STOPS = ".。!！?？;；؟؛।"
_COMMAS = ",，、"
_LEADERS = ".…·"
_LAST = {**dict.fromkeys(".。!！?？؟।", 1.0), **dict.fromkeys(":：", 2.0), **dict.fromkeys(",，、;；-", 3.0)}
_CLOSING = " \t\n”’\"')）]】』」"

_FORGOTTEN = re.compile(r"[\W_]+")
_FORGOTTEN_ASCII = {code: None for code in range(128) if not chr(code).isalnum()}


def key(text: str) -> str:
    """The letters and digits of a text, case and compatibility forms unified: how titles are compared."""
    text = text[:CLIP]
    if text.isascii():  # most texts of most documents, and faster without the expression
        return text.lower().translate(_FORGOTTEN_ASCII)
    return _FORGOTTEN.sub("", unicodedata.normalize("NFKC", text).casefold())


def _keys(*kinds: str) -> frozenset[str]:
    """The titles of some kinds in all languages, as `key` gives them."""
    return frozenset(key(title) for kind in kinds for title in all_words(kind))


HEADING_WORDS = _keys("contents", "contents_lists", "front_titles", "titles")
"""Titles, as `key` gives them, that head a section in most documents."""
CONTENTS_WORDS = _keys("contents")
"""Titles of printed contents: set like a chapter, but no sibling tells anything of its level."""

COLLECTION, OPINION, STATEMENT, CLOSING = 1, 2, 3, 4
"""Kinds of titles, 0 being any other: what holds a list of its own (Notes to the Financial Statements), and
what stands beside it in financial reports: opinions of auditors, statements, and what closes a filing."""
_KINDS = {
    COLLECTION: r"notesto|notes$|appendices|annexes|exhibits$|schedules$|articles$|.{0,20}(?:附注|项目注释)$",
    OPINION: r"(?:the)?reports?ofindependent|independentauditor|managementsreport|审计报告$",
    STATEMENT: r"(?:condensed)?(?:consolidated)?(?:statements?of|balancesheet|incomestatement)"
    r"|(?:合并|母公司)?(?:资产负债表|利润表|现金流量表|所有者权益变动表|股东权益变动表)$",
    CLOSING: r"signatures?$|powerofattorney|exhibitindex|indextoexhibits",
}
_KIND_OF = [(kind, re.compile(pattern)) for kind, pattern in _KINDS.items()]

_FIRST_WORD = re.compile(r"\w+")
_NO_HEADING = frozenset(all_words("no_headings"))
_NO_HEADING_EXPRESSION = re.compile(any_expression("no_heading_expressions") + "|□|√")


def begins_no_heading(text: str) -> bool:
    """Whether the first word of a text begins what is seldom a heading: a theorem, a note, a source."""
    first = _FIRST_WORD.match(text)
    if first is not None:
        word = first[0].lower()
        is_abbreviation = text[first.end() : first.end() + 1] == "."
        if word in _NO_HEADING or (is_abbreviation and word + "." in _NO_HEADING):
            return True
    return _NO_HEADING_EXPRESSION.match(text) is not None


_BIT = {name: 1 << place for place, name in enumerate(CLASSES)}
_MARKS = ("Pc", "Pd", "Pe", "Pf", "Pi", "Po", "Ps", "Sc", "Sk", "Sm", "So")
_LETTERS = {"Lu": _BIT["upper"], "Lt": _BIT["upper"], "Ll": _BIT["lower"], "Lo": _BIT["cjk"]}
_BIT_OF_CATEGORY = {**dict.fromkeys(_MARKS, _BIT["mark"]), **_LETTERS, "Nd": _BIT["digit"]}
_BASIC_PLANE = 0x10000  # code points; beyond it are rare ideographs, and all count as the first common one
_FIRST_IDEOGRAPH = 0x4E00
_NOT_MET = 0xFFFF  # no character has all classes


@cache
def _class_table() -> NDArray[np.uint16]:
    """For each code point of the basic plane the bits of its classes, once a text had it.

    A document has a few hundred characters: to class all 65,536 takes longer than to read a short one.
    """
    return np.full(_BASIC_PLANE, _NOT_MET, np.uint16)


def _classes(codes: NDArray[np.uint32]) -> NDArray[np.uint16]:
    """The bits of the classes of each character."""
    table = _class_table()
    bits = table[codes]
    not_met = codes[bits == _NOT_MET]
    if len(not_met) == 0:
        return bits
    for code in set(not_met.tolist()):
        table[code] = _class_bits(chr(code))
    return table[codes]


def _class_bits(character: str) -> int:
    bits = _BIT_OF_CATEGORY.get(unicodedata.category(character), 0)
    if character.isspace():
        bits |= _BIT["space"]
    for name, members in (("stop", _STOPS), ("comma", _COMMAS), ("dot_leader", _LEADERS)):
        if character in members:
            bits |= _BIT[name]
    return bits


def shapes(texts: Sequence[str]) -> dict[str, Floats]:
    """Columns that describe each text: its length, its mix of characters, its first and last ones."""
    clipped = [text[:CLIP] for text in texts]
    length = _column([len(text) for text in texts])
    seen = _column([max(1, len(text)) for text in clipped])
    columns: dict[str, Floats] = {"length": length, "log_length": np.log1p(length)}
    for name, count in zip(CLASSES, _counts(clipped), strict=True):
        columns[f"{name}_share"] = count / seen
    words = [text.split() for text in clipped]
    columns["words"] = _column([len(found) for found in words])
    columns["title_case"] = _column([_title_case(found) for found in words])
    last_characters = [text.rstrip(_CLOSING)[-1:] for text in texts]
    columns["last"] = _column([_LAST.get(character, 0.0) for character in last_characters])
    columns["first_lower"] = _column([text[:1].islower() for text in texts])
    columns["first_mark"] = _column([text[:1] != "" and not text[0].isalnum() for text in texts])
    columns["no_heading_word"] = _column([begins_no_heading(text) for text in texts])
    return columns


def _column(values: Sequence[float]) -> Floats:
    return np.array(values, np.float32)


def _counts(clipped: Sequence[str]) -> list[Floats]:
    """How many characters of each class stand in each text.

    All texts are counted at once. With "ab" and "C" the classes of a, b and C lie in one array, the running
    count of capitals is 0 0 0 1, and the differences at the bounds 0, 2 and 3 are 0 and 1.
    """
    bounds = np.cumsum([0, *(len(text) for text in clipped)])
    raw = "".join(clipped).encode("utf-32-le", "surrogatepass")
    codes = np.frombuffer(raw, np.uint32)
    bits = _classes(np.where(codes < _BASIC_PLANE, codes, np.uint32(_FIRST_IDEOGRAPH)))
    counts = []
    for place in range(len(CLASSES)):
        running = np.concatenate([[0], np.cumsum((bits >> place) & 1, dtype=np.int64)])
        counts.append(np.diff(running[bounds]).astype(np.float32))
    return counts


def _title_case(words: Sequence[str]) -> float:
    """The share of long words that begin with a capital."""
    initials = [word[0] for word in words if len(word) > 3]
    return sum(map(str.isupper, initials)) / len(initials) if initials else 0.5


def title_kind(title: str) -> float:
    """The kind of a title, as `key` gives it."""
    return next((float(kind) for kind, pattern in _KIND_OF if pattern.match(title)), 0.0)
