"""Pages with a table that is set sideways without the page being turned.

Such a page is turned upright, laid out like any other, and what is found is given its places on the page as
it is stored. The style of a run tells only that it is not upright: which way it reads shows by the order in
which the runs are printed.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import NamedTuple

from held.document import PageContent, PageRegion, Run, Style
from held.layout.lines import Line, build_lines
from held.layout.page.layout import Pieces, pieces_of
from held.layout.rotation import QUARTER, THREE_QUARTERS, BoxTransform, box_rotation, rotate_page
from held.layout.text.blocks import Block
from held.layout.tolerances import (
    MIN_SIDEWAYS_OVERLAP_SHARE,
    MIN_SIDEWAYS_TABLE_SHARE,
    MIN_SIDEWAYS_TEXT_SHARE,
    MIN_SIDEWAYS_UPRIGHT_SHARE,
)

FEWEST_CHARACTERS = 100  # of a page's turned text: less are labels along the axes of figures


class Sideways(NamedTuple):
    """What stands on a page that was turned upright, and how boxes get back to where they were."""

    pieces: Pieces
    back: BoxTransform


def sideways_pieces(
    page: PageContent, runs: Sequence[Run], styles: Sequence[Style], number: int
) -> Sideways | None:
    """What a page is made of whose turned runs are a table and what speaks of it, or None."""
    if not _are_the_text(runs, page.runs):
        return None
    rotation = QUARTER if _read_upwards(runs) else THREE_QUARTERS
    upright = rotate_page(replace(page, runs=tuple(runs), fields=(), rotation=rotation), rotated_style=int)
    lines = build_lines(upright, [replace(style, upright=True) for style in styles])
    pieces = pieces_of(upright, number, lines, furniture={}, contents=())
    if not _is_of_tables(pieces, lines):
        return None
    return Sideways(pieces, box_rotation(replace(upright, rotation=QUARTER + THREE_QUARTERS - rotation)))


def _are_the_text(runs: Sequence[Run], on_page: Sequence[Run]) -> bool:
    """Whether turned runs are most of what a page says, and stand at right angles to its other text."""
    characters = _characters(runs)
    if characters < FEWEST_CHARACTERS or characters < MIN_SIDEWAYS_TEXT_SHARE * _characters(on_page):
        return False
    upright = [run for run in runs if run.y1 - run.y0 > run.x1 - run.x0 or len(run.text.strip()) < 3]
    return _characters(upright) > MIN_SIDEWAYS_UPRIGHT_SHARE * characters


def _characters(runs: Iterable[Run]) -> int:
    return sum(len(run.text) for run in runs)


def _read_upwards(runs: Sequence[Run]) -> bool:
    """Whether lines run up the page, one right of the other, rather than down it from right to left."""
    upwards = 0
    for before, run in pairwise(runs):
        shared = min(before.x1, run.x1) - max(before.x0, run.x0)
        narrower = min(before.x1 - before.x0, run.x1 - run.x0)
        goes_on = shared > MIN_SIDEWAYS_OVERLAP_SHARE * narrower
        reads_up = run.y0 < before.y0 if goes_on else run.x0 > before.x0
        upwards += 1 if reads_up else -1
    return upwards > 0


def _is_of_tables(pieces: Pieces, lines: Sequence[Line]) -> bool:
    """Whether tables hold much of the text."""
    inside = sum(len(block.text) for block in pieces.blocks if block.table)
    return inside > MIN_SIDEWAYS_TABLE_SHARE * sum(len(line.text) for line in lines)


def put_back(block: Block, back: BoxTransform) -> Block:
    """The block with its places, and those of its cells, on the page as it is stored."""
    block.parts = [PageRegion(block.page, back(*block.box))]
    if block.table is not None:
        cells = tuple([cell._replace(box=back(*cell.box)) for cell in block.table.cells])
        block.table = block.table._replace(cells=cells)
    return block
