"""Runs that reach over several ruled cells, split at the bars between the cells.

Some producers write a whole row of a table, or of tables side by side, as one piece of text and move on to
the next cell within it. The reader only knows the ends of such a run; the bars drawn through it tell how
many cells it fills.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from itertools import pairwise

from held.document import Box, PageContent, Run, Style
from held.layout.characters import MONOSPACED_FONT, has_hidden_gaps, text_width
from held.layout.strokes import Segment, find_strokes
from held.layout.tolerances import (
    MAX_BAR_EDGE_OFFSET_PT,
    MAX_STROKE_GAP_PT,
    MAX_STROKE_WIDTH_PT,
    MAX_WORD_GAP_EM,
    MIN_BAR_INSET_PT,
    MIN_CELL_TO_GUTTER_WIDTH_TIMES,
    MIN_SEVERAL_PLACES_HEIGHT_TIMES,
    MIN_SEVERAL_PLACES_WIDTH_TIMES,
)
from held.system import lazy_pattern

# A number, its digits perhaps in groups; a dash; or a mark that ticks a cell.
SIGNS = r"[(+\-–−$€£]*"
VALUE = rf"{SIGNS}\d[\d.,'’]*[%)]*|[–—-]|n/?a|[^\W\d_]|[•✓✔✗✘]"
IN_GROUPS = rf"{SIGNS}\d{{1,3}}(?: \d{{3}})+(?:[.,]\d+)?[%)]*"
SINGLE_VALUES = lazy_pattern(rf"(?<!\S)(?:{VALUE})(?!\S)")
VALUES = lazy_pattern(rf"(?<!\S)(?:{IN_GROUPS}|{VALUE})(?!\S)")
THOUSANDS_BY_COMMA = lazy_pattern(r"\d,\d{3}")

Cell = tuple[float, float]  # the left and right edge


def clip_tall_runs(runs: list[Run], styles: Sequence[Style]) -> list[Run]:
    """The runs, those that reach over several places below each other clipped to the first one.

    Some readers take a running head and the page number at the foot for one run, which covers the whole page.
    Its words have no boxes, and nearly all of them stand at the top.
    """
    lowest: dict[int, float] = {}  # the height of a style's lowest run, since some fonts have tall boxes
    tall = False
    for _, y0, _, y1, style, *_ in runs:
        height = y1 - y0
        known = lowest.setdefault(style, height)
        if height < known:
            lowest[style] = height
        tall = tall or height > MIN_SEVERAL_PLACES_HEIGHT_TIMES * styles[style].size
    if not tall:
        return runs
    return [_clip_to_first_line(run, max(lowest[run.style], styles[run.style].size)) for run in runs]


def _clip_to_first_line(run: Run, line_height: float) -> Run:
    is_tall = run.y1 - run.y0 > MIN_SEVERAL_PLACES_HEIGHT_TIMES * line_height
    # Brackets in pieces are narrow, and so is text that runs from top to bottom.
    is_wide = run.x1 - run.x0 > MIN_SEVERAL_PLACES_WIDTH_TIMES * line_height
    return run._replace(y1=run.y0 + line_height) if is_tall and is_wide else run


def split_runs_at_gaps(runs: list[Run], styles: Sequence[Style]) -> list[Run]:
    """The runs, those whose words have wide gaps between them split there.

    A producer may set a whole row of a table as one piece of text.
    """
    if not any(run.words for run in runs):
        return runs
    result: list[Run] = []
    for run in runs:
        result += _pieces_between_gaps(run, styles[run.style].size) if run.words else [run]
    return result


def _pieces_between_gaps(run: Run, size: float) -> list[Run]:
    texts, boxes = run.text.split(), run.words
    widest = MAX_WORD_GAP_EM * size
    cuts = [i for i in range(1, len(boxes)) if boxes[i].x0 - boxes[i - 1].x1 > widest]
    if not cuts or len(texts) != len(boxes):
        return [run]
    pieces = []
    for start, stop in pairwise([0, *cuts, len(boxes)]):
        words = boxes[start:stop]
        text = " ".join(texts[start:stop])
        piece = run._replace(x0=words[0].x0, x1=words[-1].x1, text=text)
        pieces.append(piece._replace(words=words if len(words) > 1 else ()))
    return pieces


def split_runs_at_bars(runs: list[Run], page: PageContent, styles: Sequence[Style]) -> list[Run]:
    """The runs, those with hidden gaps and bars drawn through them split into one run per cell."""
    upright = [rule for rule in page.rules if rule.y1 - rule.y0 > MAX_STROKE_WIDTH_PT]
    if not upright:
        return runs
    # Most texts of a table stand between its bars. The cheapest test comes first.
    edges = sorted({x for rule in upright for x in (rule.x0, rule.x1)})
    crossed = [run for run in runs if " " in run.text.strip() and _crosses_edge(run, edges)]
    wide = {run for run in crossed if _has_hidden_gaps(run, styles[run.style])}
    if not wide or not _may_have_bars(wide, upright):
        return runs
    bars = find_strokes(page).down
    result: list[Run] = []
    for run in runs:
        if run in wide:
            result += _split_run(run, _cell_edges(run, bars), styles[run.style].size)
        else:
            result.append(run)
    return result


def _has_hidden_gaps(run: Run, style: Style) -> bool:
    # In a monospaced font narrow letters are wide, so that the run's width proves nothing.
    return has_hidden_gaps(run, style.size) and not MONOSPACED_FONT.search(style.font)


def _inner_reach(x0: float, x1: float) -> tuple[float, float]:
    """The ends between which an upright edge is part of a bar through a run, and not beside it."""
    left = x0 + MIN_BAR_INSET_PT - MAX_BAR_EDGE_OFFSET_PT
    right = x1 - MIN_BAR_INSET_PT + MAX_BAR_EDGE_OFFSET_PT
    return left, right


def _crosses_edge(run: Run, edges: Sequence[float]) -> bool:
    """Whether one of the sorted upright edges stands between the ends of a run."""
    left, right = _inner_reach(run.x0, run.x1)
    return bisect_right(edges, left) < bisect_left(edges, right)


def _may_have_bars(wide: Iterable[Run], upright: Sequence[Box]) -> bool:
    """Whether an upright edge is drawn through one of the runs, or so near that a bar may be.

    This takes far less work than joining everything drawn on a page to bars.
    """
    for x0, y0, x1, y1, *_ in wide:
        left, right = _inner_reach(x0, x1)
        middle = (y0 + y1) / 2
        top, bottom = middle - MAX_STROKE_GAP_PT, middle + MAX_STROKE_GAP_PT
        for rule_x0, rule_y0, rule_x1, rule_y1 in upright:
            if rule_y0 < bottom and rule_y1 > top and (left < rule_x0 < right or left < rule_x1 < right):
                return True
    return False


def _cell_edges(run: Run, bars: Sequence[Segment]) -> list[float]:
    """The ends of a run and, between them, the positions of the bars through it; bars are sorted."""
    positions = [bar.at for bar in bars]
    first = bisect_right(positions, run.x0 + MIN_BAR_INSET_PT)
    last = bisect_left(positions, run.x1 - MIN_BAR_INSET_PT)
    middle = (run.y0 + run.y1) / 2
    through = [bar.at for bar in bars[first:last] if bar.start < middle < bar.end]
    return [run.x0, *through, run.x1]


def _split_run(run: Run, edges: list[float], size: float) -> list[Run]:
    """One run per cell, or the run itself where its words do not tell which belongs to which cell."""
    cells = list(pairwise(edges))
    if run.text[0].isspace() and len(cells) > 1:
        cells = cells[1:]  # a leading space stands for an empty first cell
    for texts in (_split_at_values(run.text), run.text.split()):
        chosen = _widest_cells(cells, len(texts))
        if chosen and len(texts) > 1:
            return [_place_in_cell(run, text, cell, size) for text, cell in zip(texts, chosen, strict=True)]
    return [run]


def _split_at_values(text: str) -> list[str]:
    """The values of a text, each alone, and the words between them."""
    text = text.strip()
    values = SINGLE_VALUES if THOUSANDS_BY_COMMA.search(text) else VALUES
    pieces = []
    end = 0
    for value in values.finditer(text):
        pieces += [text[end : value.start()].strip(), value.group()]
        end = value.end()
    pieces.append(text[end:].strip())
    return [piece for piece in pieces if piece]


def _widest_cells(cells: list[Cell], count: int) -> list[Cell]:
    """As many cells as needed, without narrow ones that are the white between tables; or none."""
    if count > len(cells):
        return []
    by_width = sorted(cells, key=lambda cell: cell[0] - cell[1])
    kept, dropped = by_width[:count], by_width[count:]
    if dropped:
        narrowest_kept = kept[-1][1] - kept[-1][0]
        widest_dropped = dropped[0][1] - dropped[0][0]
        if narrowest_kept < MIN_CELL_TO_GUTTER_WIDTH_TIMES * widest_dropped:
            return []
    return sorted(kept)


def _place_in_cell(run: Run, text: str, cell: Cell, size: float) -> Run:
    """A piece of a run in its cell: at the run's own end in the first and last cell, else centred."""
    left, right = cell
    white = max(0.0, right - left - size * text_width(text))
    if left == run.x0:
        right -= white
    elif right == run.x1:
        left += white
    else:
        left, right = left + white / 2, right - white / 2
    return run._replace(x0=left, x1=right, text=text, words=())
