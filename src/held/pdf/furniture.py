"""Which lines of a page are furniture: running heads and feet, page numbers, watermarks, margin marks.

Furniture is what stays when the page is turned: the same words (page numbers aside) at the same distance
from the edge of neighbouring pages. A distance at which most pages carry such lines is a *level*; there a
line is furniture even if its own words occur once, as the title of a one-page section does. Everything
else is text: a heading lost to the furniture is worse than a running head left among the text.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import NamedTuple

from held.document import Kind, Pages, Style
from held.pdf.lines import Line, turned_runs

BAND = 0.2  # share of the page's height, at its top and bottom, in which heads and feet stand
ROWS = 5  # the most rows of furniture at one edge
WINDOW = 4  # pages: how far away a line may be repeated (left and right pages alternate)
SAME_PLACE = 3.0  # points
ODD_PLACE = 30.0  # points: page numbers, and lines on a page of another height, stand less exactly
LEVEL_SHARE = 0.5  # of the pages that have a line at a level, how many repeat it
CLOSE_PITCH = 1.4  # font sizes: lines closer than this belong together
MARGIN = 0.1  # share of the page's width, at its sides, in which margin marks stand

_PAGE_NUMBER = re.compile(
    r"""[^\w%$€£¥]*(?:
        (?:page|pages|p\.?|pg\.?|seite)?\s*(?:[a-z]{0,2}\d{0,3}\s*[-–—.:·])?(?:\d+\s*[-–—.])?\s*[a-z]?\d{1,4}
            (?:\s*(?:of|/|\|)\s*\d{1,4})?
      | (?:page\s+)?[ivxlc]{1,8}
      | 第\s*\d+\s*页?\s*[，,/|]?\s*(?:\(?共\s*\d+\s*页\)?)?
    )[^\w%)]*""",
    re.VERBOSE | re.IGNORECASE,
)
_NUMBER = re.compile(r"\d+")
_ROMAN_AT_END = re.compile(r"^[ivxlc]{1,8}(?= )|(?:^|(?<= ))[ivxlc]{1,8}$")
_NOISE = re.compile(r"[\W_\d]+|continued|\(续\)|（续）")
_ROMAN_VALUES = {"i": 1, "v": 5, "x": 10, "l": 50, "c": 100}


class _Edge(NamedTuple):
    """A line near the top or bottom edge of its page, and what makes it comparable with those of others."""

    page: int
    line: int
    row: int  # counted from the edge
    distance: float  # of its middle from the edge
    size: float
    style: int
    key: str  # its words without numbers
    numbers: tuple[int, ...]
    pitch: float  # from its row's middle to that of the next row towards the text
    bare: bool  # nothing but a page number
    heading_like: bool  # larger or bolder than the text
    odd_page: bool  # the page has another height than most

    @property
    def place(self) -> tuple[int, int]:
        return self.page, self.line


def find_furniture(pages: Pages, lines: Sequence[Sequence[Line]]) -> list[dict[int, Kind]]:
    """For each page the lines that are furniture, and which kind."""
    found: list[dict[int, Kind]] = [{} for _ in lines]
    if len(lines) < 2:
        return found
    setting = _setting(pages, lines)
    _mark_watermarks(pages, lines, setting, found)
    _mark_margins(pages, lines, found)
    for kind in (Kind.HEADER, Kind.FOOTER):
        edges = [
            _edges_of(page_lines, marked, number, page.height, kind is Kind.HEADER, setting)
            for number, (page, page_lines, marked) in enumerate(zip(pages.pages, lines, found, strict=True))
        ]
        _mark_edges(edges, kind, found)
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


class _Setting(NamedTuple):
    """How the document is set as a whole."""

    styles: Sequence[Style]
    body_size: float
    height: float  # of most pages


def _setting(pages: Pages, lines: Sequence[Sequence[Line]]) -> _Setting:
    characters: dict[float, int] = defaultdict(int)
    for page in lines:
        for line in page:
            characters[line.size] += len(line.text)
    body_size = max(characters, key=characters.__getitem__, default=10.0)
    heights = Counter(page.height for page in pages.pages)
    return _Setting(pages.styles, body_size, heights.most_common(1)[0][0])


def _is_light(style: Style) -> bool:
    channels = [int(style.colour[i : i + 2], 16) for i in (0, 2, 4)]
    return min(channels) > 120 or sum(channels) > 540


# Watermarks and margin marks


def _mark_watermarks(
    pages: Pages, lines: Sequence[Sequence[Line]], setting: _Setting, found: list[dict[int, Kind]]
) -> None:
    """Mark large or light text that stands at the same place of most pages, inside the text area."""
    suspects = {
        i for i, style in enumerate(pages.styles) if style.size > 1.8 * setting.body_size or _is_light(style)
    }
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


# Running heads and feet


def _edges_of(
    lines: Sequence[Line], marked: dict[int, Kind], page: int, height: float, at_top: bool, setting: _Setting
) -> list[_Edge]:
    """The lines in the outermost rows at one edge of a page, from the edge inwards."""
    near: list[tuple[float, float, int]] = []  # middle's distance from the edge, half height, line
    for i, line in enumerate(lines):
        middle = (line.y0 + line.y1) / 2
        distance = middle if at_top else height - middle
        if distance < (BAND + 0.1) * height and i not in marked:
            near.append((distance, (line.y1 - line.y0) / 2, i))
    near.sort()
    edges: list[_Edge] = []
    row: list[tuple[float, float, int]] = []
    number = 0
    for item in [*near, (height, 0.0, -1)]:
        if row and item[0] - row[0][0] > 0.6 * max(item[1], row[0][1]):
            pitch = item[0] - row[-1][0]
            edges += [
                _edge(lines[i], (page, i, number), distance, pitch, height, setting) for distance, _, i in row
            ]
            row, number = [], number + 1
            if number == ROWS or item[0] > BAND * height:
                break
        row.append(item)
    return edges


def _edge(
    line: Line, at: tuple[int, int, int], distance: float, pitch: float, height: float, setting: _Setting
) -> _Edge:
    text = line.text[:200]
    numbers = tuple(int(number) for number in _NUMBER.findall(text))
    bare = bool(_PAGE_NUMBER.fullmatch(text))
    roman = None if numbers else _ROMAN_AT_END.search(text.lower() if bare else text)
    if roman:
        numbers = (_roman_value(roman.group()),)
        text = text[: roman.start()] + text[roman.end() :]
    return _Edge(
        *at,
        distance=distance,
        size=line.size,
        style=line.style,
        key=_NOISE.sub("", text.casefold()),
        numbers=numbers,
        pitch=pitch,
        bare=bare,
        heading_like=line.size > 1.05 * setting.body_size or setting.styles[line.style].bold,
        odd_page=abs(height - setting.height) > SAME_PLACE,
    )


def _roman_value(text: str) -> int:
    values = [_ROMAN_VALUES[character] for character in text]
    return sum(-a if a < b else a for a, b in zip(values, [*values[1:], 0], strict=True))


def _mark_edges(edges: Sequence[Sequence[_Edge]], kind: Kind, found: list[dict[int, Kind]]) -> None:
    """Mark the furniture at one edge of all pages, on each page from the edge inwards."""
    repeats = _count_repeats(edge for page in edges for edge in page)
    levels = _levels(edges, repeats)
    for page in edges:
        rows: dict[int, list[_Edge]] = defaultdict(list)
        for edge in page:
            rows[edge.row].append(edge)
        text_begins = False
        for row in rows.values():
            marked = [edge for edge in row if _is_furniture(edge, row, repeats, levels, text_begins)]
            for edge in marked:
                found[edge.page][edge.line] = Kind.PAGE_NUMBER if edge.bare else kind
            text_begins = text_begins or len(marked) < len(row)


class _Repeats(NamedTuple):
    """On how many pages close before and after its own a line is repeated at its place."""

    before: int
    after: int


def _count_repeats(edges: Iterable[_Edge]) -> dict[tuple[int, int], _Repeats]:
    """The repeats of those lines that have any, by page and line."""
    groups: dict[str, list[_Edge]] = defaultdict(list)
    for edge in edges:
        groups[edge.key].append(edge)
    before: dict[tuple[int, int], set[int]] = defaultdict(set)
    after: dict[tuple[int, int], set[int]] = defaultdict(set)
    for group in groups.values():
        for i, edge in enumerate(group):
            for other in group[i + 1 : i + 1 + 6 * WINDOW]:
                if other.page - edge.page > WINDOW:
                    break
                if _repeats(edge, other):
                    after[edge.place].add(other.page)
                    before[other.place].add(edge.page)
    return {place: _Repeats(len(before[place]), len(after[place])) for place in before.keys() | after.keys()}


def _repeats(edge: _Edge, other: _Edge) -> bool:
    """Whether a line is repeated on a later page; its numbers may count the pages."""
    turned = other.page - edge.page
    loose = edge.odd_page != other.odd_page or (edge.bare and other.bare and edge.row == other.row == 0)
    if (
        turned == 0
        or abs(edge.distance - other.distance) > (ODD_PLACE if loose else SAME_PLACE)
        or abs(edge.size - other.size) > 0.08 * edge.size
        or len(edge.numbers) != len(other.numbers)
    ):
        return False
    counts = all(b in (a, a + turned) for a, b in zip(edge.numbers, other.numbers, strict=True))
    return counts and not (edge.bare and edge.numbers == other.numbers)


class _Level(NamedTuple):
    """A distance from the edge at which most pages carry a repeated line, and how those lines are set."""

    settings: frozenset[tuple[int, bool]]  # style, and whether it sets page numbers alone
    pitch: float
    coverage: float  # share of the document's pages that have such a line


def _levels(edges: Sequence[Sequence[_Edge]], repeats: dict[tuple[int, int], _Repeats]) -> dict[int, _Level]:
    """The levels by rounded distance."""
    seen: dict[int, set[int]] = defaultdict(set)
    repeated: dict[int, list[_Edge]] = defaultdict(list)
    for page in edges:
        for edge in page:
            middle = _rounded(edge.distance)
            for bucket in (middle - 1, middle, middle + 1):
                seen[bucket].add(edge.page)
                if edge.place in repeats:
                    repeated[bucket].append(edge)
    levels = {}
    for bucket, group in repeated.items():
        count = len({edge.page for edge in group})
        if count < 4 or count < LEVEL_SHARE * len(seen[bucket]):
            continue
        pitches = sorted(edge.pitch / edge.size for edge in group)
        level = _Level(_common_settings(group), pitches[len(pitches) // 2], count / len(edges))
        # The head of a table that goes on over several pages sits close on its rows.
        if level.pitch > CLOSE_PITCH or level.coverage > LEVEL_SHARE:
            levels[bucket] = level
    return levels


def _rounded(distance: float) -> int:
    return round(distance / 1.5)


def _common_settings(edges: Sequence[_Edge]) -> frozenset[tuple[int, bool]]:
    counts = Counter((edge.style, edge.bare) for edge in edges)
    return frozenset(setting for setting, count in counts.items() if count > 0.1 * len(edges))


def _is_furniture(
    edge: _Edge,
    row: Sequence[_Edge],
    repeats: dict[tuple[int, int], _Repeats],
    levels: dict[int, _Level],
    text_begins: bool,
) -> bool:
    """Whether an edge line is furniture; `text_begins` where text stands between it and the edge."""
    before, after = repeats.get(edge.place, (0, 0))
    level = levels.get(_rounded(edge.distance))
    if text_begins:
        return before + after > 2 and level is not None and level.coverage > LEVEL_SHARE
    if edge.heading_like and not before and not _has_company(edge, row, repeats):
        return False
    if level is None:
        lone = edge.odd_page or (edge.bare and edge.row == 0)
        close = edge.pitch < CLOSE_PITCH * edge.size
        return before + after >= (2 if lone else 4) and before > 0 and not close and len(row) < 3
    if before + after:
        return True
    return (edge.style, edge.bare) in level.settings and edge.pitch > 0.6 * level.pitch * edge.size


def _has_company(edge: _Edge, row: Sequence[_Edge], repeats: dict[tuple[int, int], _Repeats]) -> bool:
    """Whether a line beside this one is repeated: a page number, or the other half of a running head."""
    return any(other.place in repeats for other in row if other.line != edge.line)
