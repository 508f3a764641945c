"""Which texts are underlined: a PDF draws the stroke apart from the text, so only its place tells.

Short texts alone are asked: in long ones what is underlined are links.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from held.document import Box, Kind, PageContent, PhysicalObject
from held.layout.tolerances import (
    MAX_UNDERLINE_OVERHANG_PT,
    MAX_UNDERLINE_THICKNESS_PT,
    MAX_UNDERLINED_LINES,
    MIN_UNDERLINE_DEPTH_SHARE,
    MIN_UNDERLINED_WIDTH_SHARE,
)

UNDERLINED_KINDS = frozenset({Kind.PARAGRAPH, Kind.LIST_ITEM, Kind.CAPTION})


class _Strokes(NamedTuple):
    """The strokes of a page from top to bottom, and the heights of their middles."""

    boxes: list[Box]
    middles: list[float]


def underline(
    objects: Iterable[PhysicalObject], pages: Sequence[PageContent], first_page: int
) -> Iterator[PhysicalObject]:
    """The objects, those whose lines all have a stroke below them marked as underlined."""
    strokes = [_strokes(page) for page in pages]
    for item in objects:
        drawn = strokes[item.page - first_page]
        if drawn.boxes and _may_be_underlined(item) and _is_underlined(item, drawn):
            item = replace(item, style=replace(item.style, underlined=True))
        yield item


def _strokes(page: PageContent) -> _Strokes:
    thin = [rule for rule in page.rules if rule.y1 - rule.y0 <= MAX_UNDERLINE_THICKNESS_PT]
    thin.sort(key=lambda rule: rule.y0 + rule.y1)
    return _Strokes(thin, [(rule.y0 + rule.y1) / 2 for rule in thin])


def _may_be_underlined(item: PhysicalObject) -> bool:
    is_short = item.lines <= MAX_UNDERLINED_LINES and len(item.parts) == 1
    return is_short and item.kind in UNDERLINED_KINDS and item.box.height > 0


def _is_underlined(item: PhysicalObject, strokes: _Strokes) -> bool:
    """Whether strokes run under every line; lines are taken to be equally high, all but the last full."""
    box = item.box
    height = box.height / item.lines
    first = box.y0 + MIN_UNDERLINE_DEPTH_SHARE * height
    covered = [0.0] * item.lines
    # A table has hundreds of strokes: only those at the text's height are looked at.
    start, stop = (
        bisect_right(strokes.middles, first),
        bisect_left(strokes.middles, box.y1 + MAX_UNDERLINE_OVERHANG_PT),
    )
    for place in range(start, stop):
        stroke = strokes.boxes[place]
        if box.x0 - MAX_UNDERLINE_OVERHANG_PT < stroke.x0 and stroke.x1 < box.x1 + MAX_UNDERLINE_OVERHANG_PT:
            line = min(int((strokes.middles[place] - first) / height), item.lines - 1)
            covered[line] += stroke.width
    *full, last = covered
    enough = MIN_UNDERLINED_WIDTH_SHARE * box.width
    return all(width > enough for width in full) and last > (0 if full else enough)
