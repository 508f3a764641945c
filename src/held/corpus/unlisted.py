"""Which objects may be headings that the outline leaves out: neither surely headings nor surely not.

Only what the page shows is used, no model: such an object is short, stands alone, and is set, numbered or
worded like a heading of this document. docs/labels.md has the rules in words.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from held.corpus.titles import bare_key, is_number, key, plain
from held.document import Document, Kind, PhysicalObject, Style
from held.numbering import ItemNumber, parse


class Reason(StrEnum):
    """Why an object may be a heading."""

    STYLE = "set like listed headings"
    CONTENTS = "listed in the printed contents"
    WORD = "a word that heads sections, alone"
    PROMINENT = "set more boldly or larger than the text"
    NUMBER = "numbered, with content of its own"
    PIECE = "a piece of a listed heading"


_MOST_LINES = 3
_MOST_COLUMNS = 120  # a Chinese character takes two
_LEAST_LETTERS = 0.5  # of all characters: figures from a table have fewer
_LARGER = 1.08
_HEADING_SHARE = 0.5
_MOST_REPEATS = 3  # a text that comes more often than this is no title from the contents
_BULLET = 44
_ABLE = frozenset({Kind.PARAGRAPH, Kind.HEADING, Kind.LIST_ITEM, Kind.FOOTNOTE, Kind.FORMULA})
_SENTENCE = re.compile(r"[。；;，,]\s*$|[^\s.]{2,}(?<!etc)\.\s*$")
_WORD = re.compile(r"[^\W\d_]{2}|[\u4e00-\u9fff]")
_LETTER = re.compile(r"[^\W\d_]")
# Begins small, stands in brackets, or ends with a colon.
_NO_TITLE = re.compile(r"[a-z]|\W*[(（\[<>{].*[)）\]}>]?\W*$|.*[:：{}]\s*$")
_AMOUNT = re.compile(r"[$€£¥%]|\d[.,]\d|\b(?:19|20)\d\d\b")
_MOST_AMOUNTS = 1
# What is numbered like a heading but heads a statement or a figure.
_ENVIRONMENT = re.compile(
    r"\s*(theorem|lemma|definition|proposition|corollary|remark|example|proof|claim|algorithm|figure|fig|table"
    r"|定理|引理|定义|命题|推论|例|证明|图|表|注)(?![^\W\d_])",
    re.IGNORECASE,
)
_PAGE_AT_END = re.compile(r"[\s.…·．。_\-–—]*(?:\d+|[ivxlc]+)?\s*$", re.IGNORECASE)
_WORDS = frozenset(
    """abstract|summary|executivesummary|contents|tableofcontents|listoffigures|listoftables|index|glossary|preface
    |foreword|introduction|background|relatedwork|conclusion|conclusions|discussion|acknowledgment
    |acknowledgments|acknowledgement|acknowledgements|references|bibliography|literature|appendix|appendices
    |annex|notation|abbreviations|keywords|declaration|dedication|signatures|exhibits|supplementarymaterial
    |摘要|目录|目次|前言|序言|序|引言|绪论|结论|结语|致谢|参考文献|附录|附件|附表|索引|释义|声明|重要提示|备查文件|备查文件目录
    |图目录|表目录|修订记录|修订历史|版权声明|概述""".replace("\n    ", "").split("|")
)


class _Look(NamedTuple):
    """How an object is set, as far as headings of one level share it."""

    font: str
    size: float
    bold: bool
    italic: bool
    colour: str
    caps: bool


@dataclass(frozen=True, slots=True)
class _Customs:
    """What this document's headings look like."""

    looks: frozenset[_Look]
    in_contents: frozenset[str]
    environments: frozenset[str]  # those that listed headings begin with ("Proof of Theorem 2"), and none
    body: Style


def unlisted_headings(document: Document, headings: Collection[int]) -> dict[int, Reason]:
    """The objects that may be headings beside the listed ones, each with the first reason that holds."""
    objects = document.objects
    customs = _customs(document, headings)
    able = [
        i not in headings and _could_be(item) and _environment(item.text) in customs.environments
        for i, item in enumerate(objects)
    ]
    numbers = [parse(item.text) for item in objects]
    found: dict[int, Reason] = {}
    for i, item in enumerate(objects):
        if i + 1 in headings and i not in headings and _is_label_of(item, objects[i + 1]):
            found[i] = Reason.PIECE
        elif able[i]:
            reason = _reason(item, customs)
            if reason is None and _is_prominent(item, customs.body) and not _amid_its_like(i, objects, able):
                reason = Reason.PROMINENT
            if reason is None and _has_content(i, objects, numbers):
                reason = Reason.NUMBER
            if reason is not None:
                found[i] = reason
    return found


def _is_label_of(item: PhysicalObject, heading: PhysicalObject) -> bool:
    """Whether an object is a number alone, set like the heading right below it."""
    return (
        is_number(plain(item.text))
        and item.page == heading.page
        and (item.style.font, item.style.bold) == (heading.style.font, heading.style.bold)
    )


def _could_be(item: PhysicalObject) -> bool:
    """Whether an object is short, has words and does not end as a sentence does."""
    text = item.text
    return (
        item.kind in _ABLE
        and item.lines <= _MOST_LINES
        and _columns(text) <= _MOST_COLUMNS
        and _WORD.search(text) is not None
        and len(_LETTER.findall(text)) >= _LEAST_LETTERS * len("".join(text.split()))
        and _SENTENCE.search(text) is None
        and len(_AMOUNT.findall(text)) <= _MOST_AMOUNTS
    )


def _environment(text: str) -> str:
    """The word for a theorem, a figure … that a text begins with, or nothing."""
    match = _ENVIRONMENT.match(text)
    return match[1].lower() if match else ""


def _columns(text: str) -> int:
    return sum(2 if character >= "\u2e80" else 1 for character in text)


def _reason(item: PhysicalObject, customs: _Customs) -> Reason | None:
    if _look(item) in customs.looks:
        return Reason.STYLE
    if bare_key(item.text) in _WORDS:
        return Reason.WORD
    if key(item.text) in customs.in_contents or bare_key(item.text) in customs.in_contents:
        return Reason.CONTENTS
    return None


def _look(item: PhysicalObject) -> _Look:
    style = item.style
    return _Look(style.font, round(style.size, 1), style.bold, style.italic, style.colour, item.caps)


def _is_prominent(item: PhysicalObject, body: Style) -> bool:
    """Whether an object is bolder or larger than the text and reads like a title."""
    bolder = item.style.bold and not body.bold
    return (
        item.kind is not Kind.FORMULA
        and (bolder or item.relative_size >= _LARGER)
        and _NO_TITLE.match(item.text) is None
    )


def _amid_its_like(i: int, objects: Sequence[PhysicalObject], able: Sequence[bool]) -> bool:
    """Whether lines set the same stand right before and after: a cover, a listing, the head of a table."""
    around = [k for k in (i - 1, i + 1) if 0 <= k < len(objects)]
    return all(able[k] and _look(objects[k]) == _look(objects[i]) for k in around)


def _has_content(i: int, objects: Sequence[PhysicalObject], numbers: Sequence[ItemNumber | None]) -> bool:
    """Whether a numbered object heads something: no item of the same list stands right before or after it."""
    number = numbers[i]
    if number is None or number.pattern == _BULLET or i + 1 == len(objects):
        return False
    title = objects[i].text[number.title_start :]
    neighbours = (numbers[i - 1] if i else None, numbers[i + 1])
    return (
        bool(title)
        and not title[0].islower()
        and all(other is None or other.form != number.form for other in neighbours)
    )


def _customs(document: Document, headings: Collection[int]) -> _Customs:
    contents = (item for item in document.objects if item.kind is Kind.CONTENTS_ENTRY)
    titles = {text for item in contents for text in _titles_of(item.text)}
    repeats = Counter(bare_key(item.text) for item in document.objects if item.lines <= _MOST_LINES)
    kept = frozenset(title for title in titles if repeats[title] <= _MOST_REPEATS)
    environments = {"", *(_environment(document.objects[i].text) for i in headings)}
    return _Customs(_heading_looks(document, headings), kept, frozenset(environments), document.body)


def _titles_of(contents_entry: str) -> Iterator[str]:
    title = _PAGE_AT_END.sub("", contents_entry)
    yield from (text for text in (key(title), bare_key(title)) if len(text) > 1)


def _heading_looks(document: Document, headings: Collection[int]) -> frozenset[_Look]:
    """The looks of listed headings that are not also the look of running text."""
    listed = Counter(_look(document.objects[i]) for i in headings)
    short: Counter[_Look] = Counter()
    all_text: Counter[_Look] = Counter()
    for i, item in enumerate(document.objects):
        look = _look(item)
        if look in listed:
            size = len(item.text)
            all_text[look] += size
            short[look] += size if i in headings or _could_be(item) else 0
    return frozenset(
        look for look in listed if listed[look] > 1 and short[look] >= _HEADING_SHARE * all_text[look]
    )
