"""Titles that a page repeats because their section goes on: "Note 2 (continued)", or the same words again.

`running_heads` finds lines that many pages share. A title that stands on a few pages only is not common
enough for that, and only blocks know which rows make one title. Such a title opens no section; it becomes a
running head, so that the paragraph or table before the break can go on behind it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from itertools import pairwise

from held.document import Kind, PageRegion, PhysicalObject
from held.layout.blocks import Block, Typography, make_object
from held.layout.openers import Look, ends_sentence, find_look, find_opener_lines, plain_text
from held.layout.tolerances import MAX_CONTINUED_TITLE_ROWS, MAX_HEAD_SHIFT_PT
from held.numbering.titles import is_continuation

MAX_PAGES_APART = 2  # left and right pages may alternate
MIN_REPEATING_PAGES = 3  # two sections of a page each may have the same title

Pages = Sequence[list[Block]]


def separate_repeated_titles(
    pages: Pages, heights: Sequence[float], typography: Typography
) -> tuple[list[list[Block]], list[PhysicalObject]]:
    """The blocks of each page without the titles that only say what goes on, and these as running heads."""
    tops = [find_opener_lines(blocks, height) for blocks, height in zip(pages, heights, strict=True)]
    repeating = _repeating_blocks([block for top in tops for block in top])
    remaining: list[list[Block]] = []
    repeated: list[PhysicalObject] = []
    for blocks, top in zip(pages, tops, strict=True):
        dropped: set[int] = set()
        for block in top:
            if id(block) in repeating or _is_continued(block):
                dropped.add(id(block))
                repeated.append(_running_head(block, typography))
            elif block.kind is not Kind.SUBTITLE:
                break
        remaining.append([block for block in blocks if id(block) not in dropped] if dropped else blocks)
    return remaining, repeated


def _is_continued(block: Block) -> bool:
    return _may_be_title(block) and is_continuation(plain_text(block))


def _may_be_title(block: Block) -> bool:
    return len(block.rows) <= MAX_CONTINUED_TITLE_ROWS and not ends_sentence(block)


def _repeating_blocks(tops: Sequence[Block]) -> set[int]:
    """The ids of blocks that stand at the same height of several pages in a row, each first one aside."""
    alike: dict[tuple[str, Look], list[Block]] = defaultdict(list)
    for block in filter(_may_be_title, tops):
        alike[plain_text(block), find_look(block)].append(block)
    found: set[int] = set()
    for blocks in alike.values():
        if len(blocks) < MIN_REPEATING_PAGES:
            continue
        series = [blocks[0]]
        for before, block in pairwise([*blocks, blocks[0]]):
            if _goes_on(before, block):
                series.append(block)
                continue
            if len(series) >= MIN_REPEATING_PAGES:
                found.update(id(each) for each in series[1:])
            series = [block]
    return found


def _goes_on(before: Block, block: Block) -> bool:
    """Whether a block has the place of another one, a page or two later."""
    is_next = 0 < block.page - before.page <= MAX_PAGES_APART
    return is_next and abs(block.box.y0 - before.box.y0) <= MAX_HEAD_SHIFT_PT


def _running_head(block: Block, typography: Typography) -> PhysicalObject:
    item = make_object(block, typography, frozenset())
    return PhysicalObject(Kind.HEADER, item.text, (PageRegion(block.page, block.box),), style=item.style)
