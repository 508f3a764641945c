"""Finds objects that may be headings the outline omits: neither surely headings nor surely not.

Such an object is short, has a line of its own, and is styled, numbered or worded like a heading of this
document. No model is used. docs/research/labels.md explains the rules.
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
from held.numbering.words import LANGUAGES


class Reason(StrEnum):
    """Why an object may be a heading."""

    STYLE = "set like listed headings"
    CONTENTS = "listed in the printed contents"
    WORD = "a word that heads sections, alone"
    PROMINENT = "set more boldly or larger than the text"
    TITLE_CASE = "in title case, above a paragraph"
    NUMBER = "numbered, with content of its own"
    PIECE = "a piece of a listed heading"


_MAX_LINES = 3  # longer objects are running text
_MAX_COLUMNS = 120  # a Chinese character takes two
_MIN_LETTER_SHARE = 0.5  # of all characters; numbers of a table have fewer
_MIN_LARGER = 1.08  # of the body size: less is hardly seen
_MIN_HEADING_SHARE = 0.5  # of a style's characters that are headings or may be
_MAX_REPEATS = 3  # a text that occurs more often is no title of the contents
_MAX_BOLD_LINES = 5  # the same for bold objects
_MAX_BOLD_COLUMNS = 400  # whole sentences can be titles if they are bold
_MIN_PARAGRAPH_COLUMNS = 100  # of the paragraph below a heading in title case
_HEADING_KINDS = frozenset({Kind.PARAGRAPH, Kind.HEADING, Kind.LIST_ITEM, Kind.FOOTNOTE})
_UNFINISHED = re.compile(r"[。；;，,{}]\s*$")
_SENTENCE = re.compile(r"[^\s.]{2,}(?<!etc)\.\s*$")
_SMALL_WORD = re.compile(
    r"(?:a|an|the|of|and|or|in|on|to|for|with|from|by|at|per|as|its?|our|under|over|than)\Z"
)
_LETTER = re.compile(r"[^\W\d_]")
# Begins with a small letter, is in brackets, or ends with a colon.
_NOT_A_TITLE = re.compile(r"[a-z]|\W*[(（\[<>{].*[)）\]}>]?\W*$|.*[:：{}]\s*$")
_AMOUNT = re.compile(r"[$€£¥%]|\d[.,]\d|\b(?:19|20)\d\d\b")
_MAX_AMOUNTS = 1  # in a title: a row of a table has more
# Numbered like a heading, but introduces a statement or a figure.
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
_TITLE_KINDS = ("contents", "contents_lists", "front_titles", "titles")
_WORDS |= frozenset(
    key(title)
    for code, language in LANGUAGES.items()
    for kind in _TITLE_KINDS
    for title in getattr(language, kind)
    if code not in ("en", "zh")
)


class _TextStyle(NamedTuple):
    """The part of an object's style that headings of one level share."""

    font: str
    size: float
    bold: bool
    italic: bool
    underlined: bool
    colour: str
    caps: bool


@dataclass(frozen=True, slots=True)
class _HeadingTraits:
    """What distinguishes this document's headings."""

    styles: frozenset[_TextStyle]
    in_contents: frozenset[str]
    environments: frozenset[str]  # those that listed headings begin with ("Proof of Theorem 2"), and none
    body: Style


def unlisted_headings(document: Document, headings: Collection[int]) -> dict[int, Reason]:
    """The objects that may be further headings, each with the first reason that applies."""
    objects = document.objects
    traits = _heading_traits(document, headings)
    numbers = [parse_number(item.text) for item in objects]
    may_be = [
        i not in headings and _may_be_heading(item, number) and _environment(item.text) in traits.environments
        for i, (item, number) in enumerate(zip(objects, numbers, strict=True))
    ]
    cover = _cover_page(objects, headings)

    def reason_of(i: int) -> Reason | None:
        """The first reason that applies; on the cover, prominence and numbers prove nothing."""
        item = objects[i]
        reason = _reason(item, traits)
        if reason is not None or item.page == cover:
            return reason
        if _is_prominent(item, traits.body) and not _is_among_alike(i, objects, may_be):
            return Reason.PROMINENT
        if _has_content(i, objects, numbers, may_be):
            return Reason.NUMBER
        return Reason.TITLE_CASE if _is_title_of_paragraph(i, objects) else None

    reasons = {i: reason_of(i) for i in range(len(objects)) if may_be[i]}
    found = {i: reason for i, reason in reasons.items() if reason is not None}
    labels = (
        i for i in range(len(objects) - 1) if i not in headings and (i + 1 in headings or i + 1 in found)
    )
    return found | {i: Reason.PIECE for i in labels if _is_label_of(objects[i], objects[i + 1])}


def _cover_page(objects: Sequence[PhysicalObject], headings: Collection[int]) -> int | None:
    """The page of the cover: the first page, if all listed headings are on later ones.

    Titles, names, addresses and dates are large or bold there without being headings. The style of listed
    headings, the printed contents and words such as Abstract remain reliable.
    """
    if not headings:
        return None
    first = objects[0].page
    return first if first < min(objects[i].page for i in headings) else None


def _is_label_of(item: PhysicalObject, heading: PhysicalObject) -> bool:
    """Whether an object is a number alone, in the font of the heading directly below it."""
    return (
        is_loose_number(plain(item.text))
        and item.page == heading.page
        and (item.style.font, item.style.bold) == (heading.style.font, heading.style.bold)
    )


def _may_be_heading(item: PhysicalObject, number: ItemNumber | None) -> bool:
    """Whether an object is short, has words and, unless it is bold, does not end like a sentence."""
    title = item.text[number.title_start :] if number else item.text
    return (
        item.kind in _HEADING_KINDS
        and item.lines <= (_MAX_BOLD_LINES if item.style.bold else _MAX_LINES)
        and 0 < _columns(title) <= (_MAX_BOLD_COLUMNS if item.style.bold else _MAX_COLUMNS)
        and len(_LETTER.findall(title)) >= _MIN_LETTER_SHARE * len("".join(title.split()))
        and _UNFINISHED.search(item.text) is None
        and (item.style.bold or _SENTENCE.search(item.text) is None)
        and len(_AMOUNT.findall(title)) <= _MAX_AMOUNTS
    )


def _environment(text: str) -> str:
    """The word for a theorem, a figure … that a text begins with; empty for "Table of Contents"."""
    if bare_key(text) in _WORDS:
        return ""
    match = _ENVIRONMENT.match(text)
    return match[1].lower() if match else ""


def _columns(text: str) -> int:
    return sum(2 if character >= "\u2e80" else 1 for character in text)


def _reason(item: PhysicalObject, traits: _HeadingTraits) -> Reason | None:
    if _text_style(item) in traits.styles:
        return Reason.STYLE
    if bare_key(item.text) in _WORDS:
        return Reason.WORD
    if key(item.text) in traits.in_contents or bare_key(item.text) in traits.in_contents:
        return Reason.CONTENTS
    return None


def _text_style(item: PhysicalObject) -> _TextStyle:
    style = item.style
    return _TextStyle(
        style.font,
        round(style.size, 1),
        style.bold,
        style.italic,
        style.underlined,
        style.colour,
        item.caps,
    )


def _is_prominent(item: PhysicalObject, body: Style) -> bool:
    """Whether an object is bolder or larger than the body, or underlined, and reads like a title."""
    bolder = item.style.bold and not body.bold
    set_off = bolder or item.style.underlined or item.relative_size >= _MIN_LARGER
    return set_off and _NOT_A_TITLE.match(item.text) is None


def _is_among_alike(i: int, objects: Sequence[PhysicalObject], may_be: Sequence[bool]) -> bool:
    """Whether the neighbours have the same style, as on a cover, in a listing or in a table header."""
    around = [k for k in (i - 1, i + 1) if 0 <= k < len(objects)]
    return all(may_be[k] and _text_style(objects[k]) == _text_style(objects[i]) for k in around)


def _has_content(
    i: int, objects: Sequence[PhysicalObject], numbers: Sequence[ItemNumber | None], may_be: Sequence[bool]
) -> bool:
    """Whether a numbered object has content: no item of the same list is directly before or after."""
    number = numbers[i]
    if number is None or number.pattern in (BULLET, CITATION) or i + 1 == len(objects):
        return False
    title = objects[i].text[number.title_start :]
    before = numbers[i - 1] if i and may_be[i - 1] else None
    return (
        bool(title)
        and not title[0].islower()
        and all(other is None or other.form != number.form for other in (before, numbers[i + 1]))
    )


def _is_title_of_paragraph(i: int, objects: Sequence[PhysicalObject]) -> bool:
    """Whether an object has at least two words, all of them capitalised, above a paragraph."""
    words = [word for word in objects[i].text.split() if word[0].isalpha()]
    large = [word for word in words if not _SMALL_WORD.match(word)]
    return (
        len(large) >= 2
        and all(word[0].isupper() for word in large)
        and _NOT_A_TITLE.match(objects[i].text) is None
        and i + 1 < len(objects)
        and objects[i + 1].kind is Kind.PARAGRAPH
        and _columns(objects[i + 1].text) >= _MIN_PARAGRAPH_COLUMNS
    )


def _heading_traits(document: Document, headings: Collection[int]) -> _HeadingTraits:
    contents = (item for item in document.objects if item.kind is Kind.CONTENTS_ENTRY)
    titles = {text for item in contents for text in _titles_of(item.text)}
    repeats = Counter(bare_key(item.text) for item in document.objects if item.lines <= _MAX_LINES)
    kept = frozenset(title for title in titles if repeats[title] <= _MAX_REPEATS)
    environments = {"", *(_environment(document.objects[i].text) for i in headings)}
    return _HeadingTraits(_heading_styles(document, headings), kept, frozenset(environments), document.body)


def _titles_of(contents_entry: str) -> Iterator[str]:
    title = _PAGE_AT_END.sub("", contents_entry)
    yield from (text for text in (key(title), bare_key(title)) if len(text) > 1)


def _heading_styles(document: Document, headings: Collection[int]) -> frozenset[_TextStyle]:
    """The styles of listed headings that running text does not share."""
    listed = Counter(_text_style(document.objects[i]) for i in headings)
    short: Counter[_TextStyle] = Counter()
    all_text: Counter[_TextStyle] = Counter()
    for i, item in enumerate(document.objects):
        style = _text_style(item)
        if style in listed:
            size = len(item.text)
            all_text[style] += size
            short[style] += size if i in headings or _may_be_heading(item, None) else 0
    repeated = [style for style in listed if listed[style] > 1]
    return frozenset(style for style in repeated if short[style] >= _MIN_HEADING_SHARE * all_text[style])
