"""Objects that another parser has found, and what they lack until they are ours: sizes, lines and gaps.

Other parsers seldom say how text is set. Where the PDF is at hand its own styles are looked up
(`adapters.styles`); without it the size is judged by the box, which the text fills, set in lines.
"""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from held.document import (
    FURNITURE,
    Box,
    Document,
    Kind,
    PageRegion,
    PageSize,
    PhysicalObject,
    Style,
    body_style,
)

_PLAIN = Style()
NOWHERE = Box(0.0, 0.0, 0.0, 0.0)
A4 = PageSize(595.0, 842.0)

_NO_TEXT = frozenset({Kind.TABLE, Kind.FIGURE, Kind.CONTENTS_ENTRY})  # their boxes hold more than text
_LEADING = 1.2  # the height of a line over its font size
_WIDE, _NARROW = 1.0, 0.5  # the mean width of a character over its font size: Chinese, other
_STEP = 0.5  # sizes judged by boxes are no finer than this
_CENTRED = 0.02  # of the page's width


@dataclass(frozen=True, slots=True)
class Foreign:
    """An element of another parser. `place` says where it stands in its file: the way back needs it."""

    place: str
    kind: Kind
    text: str
    parts: tuple[PageRegion, ...]
    style: Style = _PLAIN
    lines: int = 0  # 0: not known
    rows: tuple[tuple[str, ...], ...] = ()


def as_document(source: str, pages: Sequence[PageSize], elements: Sequence[Foreign]) -> Document:
    """The document of these elements in reading order; what they do not say of their style is judged."""
    judged = [_sized(element) for element in elements]
    body = body_style((one.style, len(one.text)) for one in judged if one.kind not in FURNITURE)
    objects = [_object(one, pages, body) for one in judged]
    last = max((part.page for one in judged for part in one.parts), default=0)
    return Document(
        source=source,
        pages=(*pages, *(A4 for _ in range(len(pages), last))),
        objects=_with_gaps([item for item in objects if item.kind not in FURNITURE]),
        furniture=tuple(item for item in objects if item.kind in FURNITURE),
        body=body,
    )


def objects_of(elements: Sequence[Foreign]) -> list[Foreign]:
    """The elements that became objects of the document, in the same order."""
    return [element for element in elements if element.kind not in FURNITURE]


def _sized(element: Foreign) -> Foreign:
    """The element with a size and a number of lines."""
    box = element.parts[0].box
    of_one_size = element.text and element.kind not in _NO_TEXT
    if element.style.size or not of_one_size or box.height <= 0 or box.width <= 0:
        return replace(element, lines=max(element.lines, 1))
    whole = sum(part.box.height * part.box.width for part in element.parts)
    guess = math.sqrt(whole / (_LEADING * _ems(element.text)))
    lines = max(1, round(box.height / (_LEADING * guess)))
    size = max(_STEP, round(box.height / lines / _LEADING / _STEP) * _STEP)
    return replace(element, style=replace(element.style, size=size), lines=lines)


def _ems(text: str) -> float:
    """How wide the text is on one line, in units of its font size."""
    wide = sum(unicodedata.east_asian_width(character) in "WF" for character in text)
    return wide * _WIDE + (len(text) - wide) * _NARROW


def _object(element: Foreign, pages: Sequence[PageSize], body: Style) -> PhysicalObject:
    first = element.parts[0]
    page = pages[first.page - 1] if first.page <= len(pages) else A4
    sizes_known = element.style.size > 0 and body.size > 0
    return PhysicalObject(
        kind=element.kind,
        text=element.text,
        parts=element.parts,
        style=element.style,
        centred=_is_centred(first.box, page),
        caps=element.text.isupper(),
        lines=element.lines,
        relative_size=element.style.size / body.size if sizes_known else 1.0,
        rows=element.rows,
    )


def _is_centred(box: Box, page: PageSize) -> bool:
    off = abs((box.x0 + box.x1) - page.width) / 2
    return 0 < box.width < 0.7 * page.width and off < _CENTRED * page.width


def _with_gaps(objects: list[PhysicalObject]) -> tuple[PhysicalObject, ...]:
    """The objects with the white space between those that follow each other down a column."""
    gaps = [_gap(above.parts[-1], below.parts[0]) for above, below in pairwise(objects)]
    return tuple(
        replace(item, gap_above=above, gap_below=below)
        for item, above, below in zip(objects, [None, *gaps], [*gaps, None], strict=False)
    )


def _gap(above: PageRegion, below: PageRegion) -> float | None:
    if above.page != below.page or below.box.y0 < above.box.y1 or NOWHERE in (above.box, below.box):
        return None
    beside = below.box.x0 > above.box.x1 or above.box.x0 > below.box.x1
    return None if beside else below.box.y0 - above.box.y1
