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
from itertools import pairwise
from typing import NamedTuple

from held.document import Document, Kind, PhysicalObject, Style
from held.hierarchy.matching.titles import bare_key, key, plain
from held.numbering import BULLET, CITATION, ItemNumber, is_loose_number, parse_number
from held.numbering.words import LANGUAGES


class UnlistedReason(StrEnum):
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
_FIRST_WIDE = "\u2e80"  # ⺀, the first radical: from here on characters take two columns
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


def unlisted_headings(document: Document, headings: Collection[int]) -> dict[int, UnlistedReason]:
    """The objects that may be further headings, each with the first reason that applies."""
    objects = document.objects
    traits = _heading_traits(document, headings)
    numbers = [parse_number(item.text) for item in objects]
    may_be = [False] * len(objects)
    for i, item in enumerate(objects):
        if i not in headings and _may_be_heading(item, numbers[i]):
            may_be[i] = _environment(item.text) in traits.environments
    cover = _cover_page(objects, headings)

    def reason_of(i: int) -> UnlistedReason | None:
        """The first reason that applies; on the cover, prominence and numbers prove nothing."""
        item = objects[i]
        reason = _reason(item, traits)
        if reason is not None or item.page == cover:
            return reason
        if _is_prominent(item, traits.body) and not _is_among_alike(i, objects, may_be):
            return UnlistedReason.PROMINENT
        if _has_content(i, objects, numbers, may_be):
            return UnlistedReason.NUMBER
        return UnlistedReason.TITLE_CASE if _is_title_of_paragraph(i, objects) else None

    found: dict[int, UnlistedReason] = {}
    for i in range(len(objects)):
        reason = reason_of(i) if may_be[i] else None
        if reason is not None:
            found[i] = reason
    labels = [
        i
        for i, (item, following) in enumerate(pairwise(objects))
        if i not in headings and (i + 1 in headings or i + 1 in found) and _is_label_of(item, following)
    ]
    return found | dict.fromkeys(labels, UnlistedReason.PIECE)


def _cover_page(objects: Sequence[PhysicalObject], headings: Collection[int]) -> int | None:
    """The page of the cover: the first page, if all listed headings are on later ones.

    Titles, names, addresses and dates are large or bold there without being headings. The style of listed
    headings, the printed contents and words such as Abstract remain reliable.
    """
    if not headings:
        return None
    first_page = objects[0].page
    first_listed_page = min(objects[i].page for i in headings)
    return first_page if first_page < first_listed_page else None


def _is_label_of(item: PhysicalObject, heading: PhysicalObject) -> bool:
    """Whether an object is a number alone, in the font of the heading directly below it."""
    if item.page != heading.page or not is_loose_number(plain(item.text)):
        return False
    own, of_heading = item.style, heading.style
    return own.font == of_heading.font and own.bold == of_heading.bold


def _may_be_heading(item: PhysicalObject, number: ItemNumber | None) -> bool:
    """Whether an object is short, has words and, unless it is bold, does not end like a sentence."""
    if item.kind not in _HEADING_KINDS or _UNFINISHED.search(item.text):
        return False
    is_bold = item.style.bold
    if not is_bold and _SENTENCE.search(item.text):
        return False
    title = item.text[number.title_start :] if number else item.text
    max_lines = _MAX_BOLD_LINES if is_bold else _MAX_LINES
    max_columns = _MAX_BOLD_COLUMNS if is_bold else _MAX_COLUMNS
    is_short = item.lines <= max_lines and 0 < _columns(title) <= max_columns
    return is_short and _has_words(title)


def _has_words(title: str) -> bool:
    """Whether a title is made of letters rather than of amounts and marks."""
    letters = len(_LETTER.findall(title))
    characters = sum(map(len, title.split()))
    amounts = len(_AMOUNT.findall(title))
    return letters >= _MIN_LETTER_SHARE * characters and amounts <= _MAX_AMOUNTS


def _environment(text: str) -> str:
    """The word for a theorem, a figure … that a text begins with; empty for "Table of Contents"."""
    if bare_key(text) in _WORDS:
        return ""
    match = _ENVIRONMENT.match(text)
    return match[1].lower() if match else ""


def _columns(text: str) -> int:
    """The width of a text; a Chinese character is as wide as two letters."""
    wide = sum(character >= _FIRST_WIDE for character in text)
    return len(text) + wide


def _reason(item: PhysicalObject, traits: _HeadingTraits) -> UnlistedReason | None:
    if _text_style(item) in traits.styles:
        return UnlistedReason.STYLE
    without_number = bare_key(item.text)
    if without_number in _WORDS:
        return UnlistedReason.WORD
    if {key(item.text), without_number} & traits.in_contents:
        return UnlistedReason.CONTENTS
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
    own_style = _text_style(objects[i])
    for neighbour in (i - 1, i + 1):
        if not 0 <= neighbour < len(objects):
            continue
        if not may_be[neighbour] or _text_style(objects[neighbour]) != own_style:
            return False
    return True


def _has_content(
    i: int, objects: Sequence[PhysicalObject], numbers: Sequence[ItemNumber | None], may_be: Sequence[bool]
) -> bool:
    """Whether a numbered object has content: no item of the same list is directly before or after."""
    number = numbers[i]
    is_last = i + 1 == len(objects)
    if number is None or number.pattern in (BULLET, CITATION) or is_last:
        return False
    title = objects[i].text[number.title_start :]
    if not title or title[0].islower():
        return False
    before = numbers[i - 1] if i and may_be[i - 1] else None
    neighbours = (before, numbers[i + 1])
    return all(other is None or other.form != number.form for other in neighbours)


def _is_title_of_paragraph(i: int, objects: Sequence[PhysicalObject]) -> bool:
    """Whether an object has at least two words, all of them capitalised, above a paragraph."""
    if i + 1 == len(objects):
        return False
    title, below = objects[i].text, objects[i + 1]
    if below.kind is not Kind.PARAGRAPH or _columns(below.text) < _MIN_PARAGRAPH_COLUMNS:
        return False
    words = [word for word in title.split() if word[0].isalpha()]
    large = [word for word in words if not _SMALL_WORD.match(word)]
    are_capitalised = all(word[0].isupper() for word in large)
    return len(large) >= 2 and are_capitalised and _NOT_A_TITLE.match(title) is None


def _heading_traits(document: Document, headings: Collection[int]) -> _HeadingTraits:
    contents = (item for item in document.objects if item.kind is Kind.CONTENTS_ENTRY)
    titles = {text for item in contents for text in _titles_of(item.text)}
    short = (item for item in document.objects if item.lines <= _MAX_LINES)
    repeats = Counter(bare_key(item.text) for item in short)
    kept = frozenset(title for title in titles if repeats[title] <= _MAX_REPEATS)
    environments = {_environment(document.objects[i].text) for i in headings}
    environments.add("")
    styles = _heading_styles(document, headings)
    return _HeadingTraits(styles, kept, frozenset(environments), document.body)


def _titles_of(contents_entry: str) -> Iterator[str]:
    """The title of an entry, with its number and without; a single letter names too much."""
    title = _PAGE_AT_END.sub("", contents_entry)
    for text in (key(title), bare_key(title)):
        if len(text) > 1:
            yield text


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
            if i in headings or _may_be_heading(item, None):
                short[style] += size
    found = set()
    for style, count in listed.items():
        if count > 1 and short[style] >= _MIN_HEADING_SHARE * all_text[style]:
            found.add(style)
    return frozenset(found)
