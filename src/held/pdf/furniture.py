"""Which lines of a page are furniture: running heads and feet, page numbers, watermarks, margin marks.

All of it is known by what the pages of a document have in common: `held.pdf.running_heads` compares the
tops and bottoms of pages, this module looks inside the text area and along the sides.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from itertools import pairwise

from held.document import Kind, Pages, Style
from held.pdf.lines import Line, turned_runs
from held.pdf.running_heads import mark_running_heads

MARGIN = 0.1  # share of the page's width, at its sides, in which margin marks stand


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

    Large or light text, and what is repeated over the pages inside the text area, is a watermark; what
    stands in a side margin (stamps, side tabs) is a margin mark. Axis labels, sideways tables and pages
    that are turned as a whole are not listed.
    """
    runs = [turned_runs(page, pages.styles) for page in pages.pages]
    seen: dict[tuple[str, int, int], set[int]] = defaultdict(set)
    for number, page_runs in enumerate(runs):
        for run in page_runs:
            seen[run.text, round(run.x0 / 4), round(run.y0 / 4)].add(number)
    found: list[dict[int, Kind]] = []
    for page, page_runs in zip(pages.pages, runs, strict=True):
        kinds: dict[int, Kind] = {}
        sideways = sum(len(run.text) for run in page_runs) > sum(len(run.text) for run in page.runs) / 2
        for i, run in enumerate(page_runs):
            repeated = len(seen[run.text, round(run.x0 / 4), round(run.y0 / 4)]) > 2
            in_margin = run.x1 < MARGIN * page.width or run.x0 > (1 - MARGIN) * page.width
            diagonal = min(run.x1 - run.x0, run.y1 - run.y0) > 2.5 * pages.styles[run.style].size
            if in_margin and (repeated or not sideways):
                kinds[i] = Kind.MARGIN
            elif repeated or (diagonal and _is_light(pages.styles[run.style])):
                kinds[i] = Kind.WATERMARK
        found.append(kinds)
    return found


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
    """Mark line numbers along the text, and side tabs that neighbouring pages repeat."""
    tabs: dict[tuple[str, int], list[tuple[int, int]]] = defaultdict(list)
    for number, (page, page_lines) in enumerate(zip(pages.pages, lines, strict=True)):
        left, right = MARGIN * page.width, (1 - MARGIN) * page.width
        outside = [i for i, line in enumerate(page_lines) if line.x1 < left or line.x0 > right]
        for i in _line_numbers(page_lines, [i for i in outside if page_lines[i].text.isdecimal()]):
            found[number][i] = Kind.MARGIN
        for i in outside:
            line = page_lines[i]
            if not line.text.isdecimal() and 0.1 < line.y0 / page.height < 0.9:
                tabs[line.text, round(line.y0 / 4)].append((number, i))
    for group in tabs.values():
        if len({number for number, _ in group}) >= 4:
            for number, i in group:
                found[number][i] = Kind.MARGIN


def _line_numbers(lines: Sequence[Line], numbers: Sequence[int]) -> Iterable[int]:
    """Those of the numbers in the margins that count the lines of the page: many, in even steps."""
    if len(numbers) < 8:
        return ()
    ordered = sorted(numbers, key=lambda i: lines[i].y0)
    values = [int(lines[i].text) for i in ordered]
    steps = [b - a for a, b in pairwise(values)]
    step = max(set(steps), key=steps.count)
    return numbers if step in (1, 5, 10) and steps.count(step) > 0.8 * len(steps) else ()
