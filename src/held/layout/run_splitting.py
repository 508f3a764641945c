"""Runs that reach over several drawn cells, cut at the bars between these.

Some producers set a whole row of a table, or of tables side by side, as one piece of text and move on to the
next cell within it. The reader gives its ends alone; the bars drawn through it tell how many cells it holds.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

from held.document import Box, PageContent, Run, Style
from held.layout.characters import MONOSPACED_FONT, has_hidden_gaps, text_width
from held.layout.strokes import Segment, find_strokes
from held.layout.tolerances import (
    MAX_BAR_EDGE_OFFSET_PT,
    MAX_STROKE_GAP_PT,
    MAX_STROKE_WIDTH_PT,
    MIN_BAR_INSET_PT,
    MIN_CELL_TO_GUTTER_WIDTH_TIMES,
    MIN_STROKE_LENGTH_PT,
)

# A number, its digits perhaps in groups; a dash; or a mark that ticks a cell.
SIGNS = r"[(+\-–−$€£]*"
VALUE = rf"{SIGNS}\d[\d.,]*[%)]*|[–—-]|n/?a|[^\W\d_]|[•✓✔✗✘]"
IN_GROUPS = rf"{SIGNS}\d{{1,3}}(?: \d{{3}})+(?:[.,]\d+)?[%)]*"
SINGLE_VALUES = re.compile(rf"(?<!\S)(?:{VALUE})(?!\S)")
VALUES = re.compile(rf"(?<!\S)(?:{IN_GROUPS}|{VALUE})(?!\S)")
THOUSANDS_BY_COMMA = re.compile(r"\d,\d{3}")


def split_runs_at_bars(runs: list[Run], page: PageContent, styles: Sequence[Style]) -> list[Run]:
    """The runs, those that hide gaps and have bars drawn through them cut into what stands in each cell."""
    if not any(rule.y1 - rule.y0 > MIN_STROKE_LENGTH_PT for rule in page.rules):
        return runs  # nothing upright is drawn
    upright = [rule for rule in page.rules if rule.y1 - rule.y0 > MAX_STROKE_WIDTH_PT]
    # Most texts of a table stand between its bars: where these are is asked first, since it costs least.
    edges = sorted({x for rule in upright for x in (rule.x0, rule.x1)})
    crossed = [run for run in runs if " " in run.text.strip() and _crosses(run, edges)]
    wide = {run for run in crossed if _hides_gaps(run, styles[run.style])}
    if not wide or not _may_be_barred(wide, upright):
        return runs
    bars = find_strokes(page).down
    parted: list[Run] = []
    for run in runs:
        if run in wide:
            parted += _parted(run, _edges(run, bars), styles[run.style].size)
        else:
            parted.append(run)
    return parted


def _hides_gaps(run: Run, style: Style) -> bool:
    """Whether a run is wider than its text; in a fixed width narrow letters are wide, and prove nothing."""
    return has_hidden_gaps(run, style.size) and not MONOSPACED_FONT.search(style.font)


def _crosses(run: Run, edges: Sequence[float]) -> bool:
    """Whether one of the upright edges, which come left to right, stands between the ends of a run."""
    left, right = (
        run.x0 + MIN_BAR_INSET_PT - MAX_BAR_EDGE_OFFSET_PT,
        run.x1 - MIN_BAR_INSET_PT + MAX_BAR_EDGE_OFFSET_PT,
    )
    return bisect_right(edges, left) < bisect_left(edges, right)


def _may_be_barred(wide: Iterable[Run], upright: Sequence[Box]) -> bool:
    """Whether an upright edge is drawn through one of the runs, or so near that a bar may be.

    That is told with far less work than it takes to make bars of all that is drawn on a page.
    """
    for x0, y0, x1, y1, *_ in wide:
        left, right = (
            x0 + MIN_BAR_INSET_PT - MAX_BAR_EDGE_OFFSET_PT,
            x1 - MIN_BAR_INSET_PT + MAX_BAR_EDGE_OFFSET_PT,
        )
        middle = (y0 + y1) / 2
        top, bottom = middle - MAX_STROKE_GAP_PT, middle + MAX_STROKE_GAP_PT
        for rule_x0, rule_y0, rule_x1, rule_y1 in upright:
            if rule_y0 < bottom and rule_y1 > top and (left < rule_x0 < right or left < rule_x1 < right):
                return True
    return False


def _edges(run: Run, bars: Sequence[Segment]) -> list[float]:
    """The ends of a run and, between them, the places of the bars through it; bars come left to right."""
    places = [bar.at for bar in bars]
    first, last = (
        bisect_right(places, run.x0 + MIN_BAR_INSET_PT),
        bisect_left(places, run.x1 - MIN_BAR_INSET_PT),
    )
    middle = (run.y0 + run.y1) / 2
    through = [bar.at for bar in bars[first:last] if bar.start < middle < bar.end]
    return [run.x0, *through, run.x1]


def _parted(run: Run, edges: list[float], size: float) -> Iterator[Run]:
    """The run cut into one piece for each cell, the run itself where its words do not tell which is which."""
    cells = list(pairwise(edges))
    if run.text[0].isspace() and len(cells) > 1:
        cells = cells[1:]  # what begins with a space begins with an empty cell
    for pieces in (_pieces(run.text), run.text.split()):
        chosen = _as_many(cells, len(pieces))
        if chosen and len(pieces) > 1:
            for piece, cell in zip(pieces, chosen, strict=True):
                yield _placed(run, piece, cell, size)
            return
    yield run


def _pieces(text: str) -> list[str]:
    """The values of a text, each alone, and what stands between them."""
    text = text.strip()
    if THOUSANDS_BY_COMMA.search(text):
        return _cut(text, [word.span() for word in SINGLE_VALUES.finditer(text)])
    return _cut(text, [value.span() for value in VALUES.finditer(text)])


def _cut(text: str, values: Sequence[tuple[int, int]]) -> list[str]:
    pieces = []
    end = 0
    for start, stop in values:
        pieces += [text[end:start].strip(), text[start:stop]]
        end = stop
    return [piece for piece in (*pieces, text[end:].strip()) if piece]


def _as_many(cells: list[tuple[float, float]], count: int) -> list[tuple[float, float]]:
    """As many of the cells as are wanted, without narrow ones, the white between tables; or none."""
    if count > len(cells):
        return []
    by_width = sorted(cells, key=lambda cell: cell[0] - cell[1])
    kept, dropped = by_width[:count], by_width[count:]
    if dropped and kept[-1][1] - kept[-1][0] < MIN_CELL_TO_GUTTER_WIDTH_TIMES * (
        dropped[0][1] - dropped[0][0]
    ):
        return []
    return sorted(kept)


def _placed(run: Run, piece: str, cell: tuple[float, float], size: float) -> Run:
    """A piece of a run in its cell: at the run's own ends where the cell is there, else in the middle."""
    left, right = cell
    white = max(0.0, right - left - size * text_width(piece))
    if left == run.x0:
        right -= white
    elif right == run.x1:
        left += white
    else:
        left, right = left + white / 2, right - white / 2
    return run._replace(x0=left, x1=right, text=piece)
