"""What stands in the cells of a grid: lines, and lines cut at the bars that are drawn through them.

Narrow cells touch like words, so that a line may reach over several of them. Where a bar goes through a word,
no table is drawn.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from held.document import Run
from held.layout.characters import has_hidden_gaps
from held.layout.lines import Line
from held.layout.tables.cells import text_length
from held.layout.tables.grids import Grid, Region, Regions, column_at
from held.layout.tables.words import words_of_run
from held.layout.tolerances import (
    MAX_BAR_MARGIN_LINE_SHARE,
    MAX_CUT_RUN_CHARS,
    MAX_SPACE_TO_BAR_SHARE,
    MIN_BAR_MARGIN_RUN_SHARE,
    MIN_CUT_MARGIN_PT,
    MIN_SPACE_GAP_HEIGHTS,
)

Cells = dict[Region, list[tuple[int, str]]]  # the pieces in a cell: a line's index, and its text or a part


class Contents(NamedTuple):
    """What lines fill the cells of a grid with, and which of the lines have a bar drawn through them."""

    cells: Cells
    barred: set[int]


def contents_of(grid: Grid, regions: Regions, lines: Sequence[Line], candidates: Iterable[int]) -> Contents:
    """What the candidate lines fill the cells of a grid with."""
    cells: Cells = {}
    barred: set[int] = set()
    xs, ys = grid.xs, grid.ys
    for i in candidates:
        line = lines[i]
        r = bisect_right(ys, (line.y0 + line.y1) / 2) - 1
        if any(_bars_through(line, grid, r)):
            barred.add(i)
            for cell, text in _pieces(line, grid, regions, r):
                cells.setdefault(cell, []).append((i, text))
            continue
        # As `column_at`, without a call for each of the many lines of a page's tables.
        c = bisect_right(xs, (line.x0 + line.x1) / 2) - 1
        if 0 <= c < len(xs) - 1:
            cells.setdefault(regions[r][c], []).append((i, line.text))
    return Contents(cells, barred)


def _pieces(line: Line, grid: Grid, regions: Regions, r: int) -> list[tuple[Region, str]]:
    """The cells of row r that a line's runs stand in, each with its text; none where one is outside."""
    pieces: list[tuple[Region, str]] = []
    end = line.x0
    for run in line.runs:
        for x0, x1, text in _split(run, grid, r, line.size):
            c = column_at(grid, (x0 + x1) / 2)
            if c is None:
                return []
            if pieces and pieces[-1][0] == regions[r][c]:
                space = " " if x0 - end > MIN_SPACE_GAP_HEIGHTS * (run.y1 - run.y0) else ""
                region, before = pieces[-1]
                pieces[-1] = (region, before + space + text)
            else:
                pieces.append((regions[r][c], text))
            end = x1
    return pieces


def _bars_through(line: Line, grid: Grid, r: int) -> list[bool]:
    """Which of the places between the ends of a line, in row r, have a bar drawn."""
    margin = min(MIN_CUT_MARGIN_PT, MAX_BAR_MARGIN_LINE_SHARE * (line.x1 - line.x0))
    first = bisect_right(grid.xs, line.x0 + margin)
    last = bisect_left(grid.xs, line.x1 - margin)
    return grid.beside[r][first:last]


def _split(run: Run, grid: Grid, r: int, size: float) -> list[tuple[float, float, str]]:
    """The run cut at the bars through it: narrow cells touch like words."""
    if has_hidden_gaps(run, size):
        return _split_by_words(run, grid, r, size)
    parts = []
    x0, text = run.x0, run.text
    first = bisect_right(grid.xs, run.x0 + MIN_CUT_MARGIN_PT)
    last = bisect_left(grid.xs, run.x1 - MIN_CUT_MARGIN_PT)
    for c in range(first, last):
        if not grid.beside[r][c]:
            continue
        bar = grid.xs[c]
        cut = _space_at(text, (bar - x0) / (run.x1 - x0))
        if cut is not None:
            parts.append((x0, bar, text[:cut].strip()))
            x0, text = bar, text[cut:].strip()
    return [*parts, (x0, run.x1, text)]


def _split_by_words(run: Run, grid: Grid, r: int, size: float) -> list[tuple[float, float, str]]:
    """The run in the words that stand between two bars each."""
    parts: list[tuple[float, float, str]] = []
    last = 0
    for x0, x1, text in words_of_run(run, size):
        at = bisect_right(grid.xs, (x0 + x1) / 2)
        if parts and not any(grid.beside[r][last:at]):
            start, _, before = parts[-1]
            parts[-1] = (start, x1, f"{before} {text}")
        else:
            parts.append((x0, x1, text))
        last = at
    return parts


def _space_at(text: str, share: float) -> int | None:
    """The index of the space nearest to the given share of the text's width, None where none is near."""
    length = text_length(text)
    nearest, least = None, MAX_SPACE_TO_BAR_SHARE * length
    for i, character in enumerate(text):
        if character == " ":
            distance = abs(text_length(text[:i]) - share * length)
            if distance < least or (nearest is None and distance == least):
                nearest, least = i, distance
    return nearest


def is_cut(line: Line, grid: Grid) -> bool:
    """Whether a drawn bar goes right through a word of the line: nobody rules a table so."""
    r = bisect_right(grid.ys, (line.y0 + line.y1) / 2) - 1
    for run in line.runs:
        margin = max(MIN_CUT_MARGIN_PT, MIN_BAR_MARGIN_RUN_SHARE * (run.x1 - run.x0))
        first = bisect_right(grid.xs, run.x0 + margin)
        last = bisect_left(grid.xs, run.x1 - margin)
        if not any(grid.beside[r][first:last]):
            continue
        if len(run.text) > MAX_CUT_RUN_CHARS or len(_split(run, grid, r, line.size)) == 1:
            return True
    return False
