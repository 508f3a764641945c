"""Which objects may be headings that the outline leaves out: neither surely headings nor surely not.

Only what the page shows is used, no model: such an object is short, stands alone, and is set, numbered or
worded like a heading of this document. docs/research/labels.md has the rules in words.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from held.document import Document, Kind, PhysicalObject, Style
from held.hierarchy.matching.titles import bare_key, key, plain
from held.numbering import BULLET, CITATION, ItemNumber, is_loose_number, parse_number


class Reason(StrEnum):
    """Why an object may be a heading."""

    STYLE = "set like listed headings"
    CONTENTS = "listed in the printed contents"
    WORD = "a word that heads sections, alone"
    PROMINENT = "set more boldly or larger than the text"
    TITLE_CASE = "in title case, above a paragraph"
    NUMBER = "numbered, with content of its own"
    PIECE = "a piece of a listed heading"


_MOST_LINES = 3
_MOST_COLUMNS = 120  # a Chinese character takes two
_LEAST_LETTERS = 0.5  # of all characters: figures from a table have fewer
_LARGER = 1.08
_HEADING_SHARE = 0.5
_MOST_REPEATS = 3  # a text that comes more often than this is no title from the contents
_MOST_BOLD_LINES = 5
_MOST_BOLD_COLUMNS = 400  # whole sentences can be titles if they are bold
_PARAGRAPH_COLUMNS = 100  # what stands below a heading in title case has at least so many
_ABLE = frozenset({Kind.PARAGRAPH, Kind.HEADING, Kind.LIST_ITEM, Kind.FOOTNOTE})
_BROKEN_OFF = re.compile(r"[。；;，,{}]\s*$")
_SENTENCE = re.compile(r"[^\s.]{2,}(?<!etc)\.\s*$")
_SMALL_WORD = re.compile(
    r"(?:a|an|the|of|and|or|in|on|to|for|with|from|by|at|per|as|its?|our|under|over|than)\Z"
)
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
    underlined: bool
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
    numbers = [parse_number(item.text) for item in objects]
    able = [
        i not in headings and _could_be(item, number) and _environment(item.text) in customs.environments
        for i, (item, number) in enumerate(zip(objects, numbers, strict=True))
    ]
    cover = _cover(objects, headings)

    def reason_of(i: int) -> Reason | None:
        """The first reason that holds for an object; on the cover, looks and numbers say nothing."""
        item = objects[i]
        reason = _reason(item, customs)
        if reason is not None or item.page == cover:
            return reason
        if _is_prominent(item, customs.body) and not _amid_its_like(i, objects, able):
            return Reason.PROMINENT
        if _has_content(i, objects, numbers, able):
            return Reason.NUMBER
        return Reason.TITLE_CASE if _is_title_of_paragraph(i, objects) else None

    reasons = {i: reason_of(i) for i in range(len(objects)) if able[i]}
    found = {i: reason for i, reason in reasons.items() if reason is not None}
    labels = (
        i for i in range(len(objects) - 1) if i not in headings and (i + 1 in headings or i + 1 in found)
    )
    return found | {i: Reason.PIECE for i in labels if _is_label_of(objects[i], objects[i + 1])}


def _cover(objects: Sequence[PhysicalObject], headings: Collection[int]) -> int | None:
    """The page of the cover: the first one, where all listed headings stand on later ones.

    Titles, names, addresses and dates are set large or bold there and head nothing; the look of listed
    headings, the printed contents and words such as Abstract still tell.
    """
    if not headings:
        return None
    first = objects[0].page
    return first if first < min(objects[i].page for i in headings) else None


def _is_label_of(item: PhysicalObject, heading: PhysicalObject) -> bool:
    """Whether an object is a number alone, set like the heading right below it."""
    return (
        is_loose_number(plain(item.text))
        and item.page == heading.page
        and (item.style.font, item.style.bold) == (heading.style.font, heading.style.bold)
    )


def _could_be(item: PhysicalObject, number: ItemNumber | None) -> bool:
    """Whether an object is short, has words and does not end as a sentence does, unless it is bold."""
    title = item.text[number.title_start :] if number else item.text
    return (
        item.kind in _ABLE
        and item.lines <= (_MOST_BOLD_LINES if item.style.bold else _MOST_LINES)
        and 0 < _columns(title) <= (_MOST_BOLD_COLUMNS if item.style.bold else _MOST_COLUMNS)
        and len(_LETTER.findall(title)) >= _LEAST_LETTERS * len("".join(title.split()))
        and _BROKEN_OFF.search(item.text) is None
        and (item.style.bold or _SENTENCE.search(item.text) is None)
        and len(_AMOUNT.findall(title)) <= _MOST_AMOUNTS
    )


def _environment(text: str) -> str:
    """The word for a theorem, a figure … that a text begins with, or nothing: a table of contents is none."""
    if bare_key(text) in _WORDS:
        return ""
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
    return _Look(
        style.font,
        round(style.size, 1),
        style.bold,
        style.italic,
        style.underlined,
        style.colour,
        item.caps,
    )


def _is_prominent(item: PhysicalObject, body: Style) -> bool:
    """Whether an object is bolder or larger than the text, or underlined, and reads like a title."""
    bolder = item.style.bold and not body.bold
    set_off = bolder or item.style.underlined or item.relative_size >= _LARGER
    return set_off and _NO_TITLE.match(item.text) is None


def _amid_its_like(i: int, objects: Sequence[PhysicalObject], able: Sequence[bool]) -> bool:
    """Whether lines set the same stand right before and after: a cover, a listing, the head of a table."""
    around = [k for k in (i - 1, i + 1) if 0 <= k < len(objects)]
    return all(able[k] and _look(objects[k]) == _look(objects[i]) for k in around)


def _has_content(
    i: int, objects: Sequence[PhysicalObject], numbers: Sequence[ItemNumber | None], able: Sequence[bool]
) -> bool:
    """Whether a numbered object heads something: no item of the same list stands right before or after."""
    number = numbers[i]
    if number is None or number.pattern in (BULLET, CITATION) or i + 1 == len(objects):
        return False
    title = objects[i].text[number.title_start :]
    before = numbers[i - 1] if i and able[i - 1] else None
    return (
        bool(title)
        and not title[0].islower()
        and all(other is None or other.form != number.form for other in (before, numbers[i + 1]))
    )


def _is_title_of_paragraph(i: int, objects: Sequence[PhysicalObject]) -> bool:
    """Whether an object has two words or more, all of them capitalised, and a paragraph follows."""
    words = [word for word in objects[i].text.split() if word[0].isalpha()]
    large = [word for word in words if not _SMALL_WORD.match(word)]
    return (
        len(large) >= 2
        and all(word[0].isupper() for word in large)
        and _NO_TITLE.match(objects[i].text) is None
        and i + 1 < len(objects)
        and objects[i + 1].kind is Kind.PARAGRAPH
        and _columns(objects[i + 1].text) >= _PARAGRAPH_COLUMNS
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
            short[look] += size if i in headings or _could_be(item, None) else 0
    return frozenset(
        look for look in listed if listed[look] > 1 and short[look] >= _HEADING_SHARE * all_text[look]
    )
