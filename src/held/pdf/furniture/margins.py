"""Which lines of a page are furniture: running heads and feet, page numbers, watermarks, margin marks.

All of it is known by what the pages of a document have in common: `held.pdf.furniture.running_heads`
compares the tops and bottoms of pages, this module looks inside the text area and along the sides.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from itertools import pairwise

from held.document import Kind, Pages, Run, Style
from held.pdf.furniture.running_heads import mark_running_heads
from held.pdf.lines.lines import Line, turned_runs

MARGIN = 0.1  # share of the page's width, at its sides, in which margin marks stand
NARROW_MARGIN = 0.065  # the same for marks that stand on one page only: axis labels come close


def find_furniture(pages: Pages, lines: Sequence[Sequence[Line]]) -> list[dict[int, Kind]]:
    """For each page the lines that are furniture, and which kind."""
    found: list[dict[int, Kind]] = [{} for _ in lines]
    if len(lines) > 1:
        body_size = _body_size(lines)
        _mark_watermarks(pages, lines, body_size, found)
        _mark_margins(pages, lines, found)
        mark_running_heads(pages, lines, body_size, found)
    return found


def find_turned(pages: Pages) -> list[dict[int, Kind]]:
    """For each page the turned runs (indices into `turned_runs`) that are furniture, and which kind.

    What stands at the page's very side, or in its margin on several pages, is a margin mark (stamps, side
    tabs); what is large, light or diagonal and stands at the same place of several pages is a watermark.
    Axis labels, sideways tables and pages that are turned as a whole are not listed.
    """
    runs = [turned_runs(page, pages.styles) for page in pages.pages]
    places = Counter(_place(run) for page_runs in runs for run in page_runs)
    found: list[dict[int, Kind]] = []
    for page, page_runs in zip(pages.pages, runs, strict=True):
        turned = sum(len(run.text) for run in page_runs)
        sideways = turned > sum(len(run.text) for run in page.runs) / 2
        kinds = {}
        for i, run in enumerate(page_runs):
            repeated = places[_place(run)] > 2
            edge = (MARGIN if repeated else NARROW_MARGIN) * page.width
            if (run.x1 < edge or run.x0 > page.width - edge) and (repeated or not sideways):
                kinds[i] = Kind.MARGIN
            elif _looks_like_watermark(run, pages.styles[run.style], repeated):
                kinds[i] = Kind.WATERMARK
        found.append(kinds)
    return found


def _place(run: Run) -> tuple[str, int, int]:
    return run.text, round(run.x0 / 4), round(run.y0 / 4)


def _looks_like_watermark(run: Run, style: Style, repeated: bool) -> bool:
    large = style.size > 30
    diagonal = min(run.x1 - run.x0, run.y1 - run.y0) > 2.5 * style.size
    if repeated:
        return large or diagonal or _is_light(style)
    return large and diagonal and _is_light(style)


def _body_size(lines: Sequence[Sequence[Line]]) -> float:
    """The font size that sets most characters."""
    characters: dict[float, int] = defaultdict(int)
    for page in lines:
        for line in page:
            characters[line.size] += len(line.text)
    return max(characters, key=characters.__getitem__, default=10.0)


def _is_light(style: Style) -> bool:
    channels = [int(style.colour[i : i + 2], 16) for i in (0, 2, 4)]
    return min(channels) > 120 or sum(channels) > 540


def _mark_watermarks(
    pages: Pages, lines: Sequence[Sequence[Line]], body_size: float, found: list[dict[int, Kind]]
) -> None:
    """Mark large or light text that stands at the same place of most pages, inside the text area."""
    suspects = {i for i, style in enumerate(pages.styles) if style.size > 1.8 * body_size or _is_light(style)}
    places: dict[tuple[str, int, int], list[tuple[int, int]]] = defaultdict(list)
    for number, (page, page_lines) in enumerate(zip(pages.pages, lines, strict=True)):
        for i, line in enumerate(page_lines):
            if line.style in suspects and 0.15 < (line.y0 + line.y1) / 2 / page.height < 0.85:
                places[line.text, round(line.x0 / 4), round(line.y0 / 4)].append((number, i))
    for group in places.values():
        if len(group) >= max(4, len(lines) * 0.4):
            for number, i in group:
                found[number][i] = Kind.WATERMARK


def _mark_margins(pages: Pages, lines: Sequence[Sequence[Line]], found: list[dict[int, Kind]]) -> None:
    """Mark line numbers along the text of most pages, and side tabs that several pages repeat."""
    tabs: dict[tuple[str, int, int], list[tuple[int, int]]] = defaultdict(list)
    line_numbers: list[tuple[int, list[int]]] = []
    for number, (page, page_lines) in enumerate(zip(pages.pages, lines, strict=True)):
        left, right = MARGIN * page.width, (1 - MARGIN) * page.width
        outside = [i for i, line in enumerate(page_lines) if line.x1 < left or line.x0 > right]
        counted = [i for i in outside if page_lines[i].text.isdecimal()]
        if _count_lines(page_lines, counted):
            line_numbers.append((number, counted))
        for i in outside:
            line = page_lines[i]
            if 0.1 < line.y0 / page.height < 0.9 and sum(map(str.isalpha, line.text)) > 2:
                tabs[line.text, round(line.x0 / 4), round(line.y0 / 4)].append((number, i))
    if len(line_numbers) >= len(lines) / 2:
        for number, counted in line_numbers:
            found[number].update(dict.fromkeys(counted, Kind.MARGIN))
    for group in tabs.values():
        if len(group) >= 4:
            for number, i in group:
                found[number][i] = Kind.MARGIN


def _count_lines(lines: Sequence[Line], numbers: Sequence[int]) -> bool:
    """Whether numbers in the margin count the lines of the page: many, in even steps."""
    if len(numbers) < 8:
        return False
    values = [int(lines[i].text) for i in sorted(numbers, key=lambda i: lines[i].y0)]
    steps = [b - a for a, b in pairwise(values)]
    step = max(set(steps), key=steps.count)
    return step in (1, 5, 10) and steps.count(step) > 0.8 * len(steps)
