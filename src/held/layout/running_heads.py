"""Running heads, running feet and page numbers: what stays at the edges when the page is turned.

A line near the top or bottom of its page is compared with the lines of the pages around it: the same words
at the same distance from the edge, where numbers may count the pages. A distance at which most pages carry
such lines is a *level*; there a line counts even if its own words occur once, as the title of a one-page
section does. A heading lost is worse than a running head left among the text: what is set like a heading
is believed to be one unless a page before has it too.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from held.document import Kind, Pages, Style
from held.layout.lines import Line
from held.layout.tolerances import (
    HEAD_LEVEL_RASTER_PT,
    HEAD_ZONE_BORDER_SHARE,
    HEAD_ZONE_SHARE,
    MAX_HEAD_ROW_OFFSET_SHARE,
    MAX_HEAD_SHIFT_PT,
    MAX_HEAD_SIZE_CHANGE_SHARE,
    MAX_LOOSE_HEAD_SHIFT_PT,
    MAX_TITLE_PITCH_EM,
    MIN_COMMON_STYLE_SHARE,
    MIN_HALF_HEAD_CLEARANCE_EM,
    MIN_HEAD_CLEARANCE_EM,
    MIN_HEADING_LIKE_SIZE_TIMES,
    MIN_LARGE_PRINT_SIZE_TIMES,
    MIN_LEVEL_CLEARANCE_SHARE,
    MIN_LEVEL_COVERAGE_SHARE,
    MIN_LEVEL_REPEATS_SHARE,
    MIN_REPEATED_TITLE_SIZE_TIMES,
)
from held.numbering.titles import is_continuation

ROWS = 5  # the most rows of furniture at one edge
WINDOW = 4  # pages: how far away a line may be repeated (left and right pages alternate)
LONGEST_HEAD = 200  # characters: what is longer is text, and its start is enough to compare it

# Set like a heading?
SHORTEST_TITLE = 4  # letters: shorter titles are in a running head by chance

# How alike lines of two pages must be, and how many pages must say so.
LINES_COMPARED = 6  # with the same words on a page, on average
LEVEL_PAGES = 4  # pages, at least, that make a level
LARGE_REPEATS = 3  # pages that must repeat large print: short chapters may begin with the same words
INNER_REPEATS = 3  # pages that must repeat what text parts from the edge
LONE_REPEATS = 2  # pages that must repeat a page number at the edge, or a line on an odd page
UNLEVELLED_REPEATS = 4  # pages that must repeat any other line at no level
MOST_PIECES = 3  # side by side in a running head: a row of more is the head of a table
COUNTED_AROUND = 2  # pages around whose numbers a page number goes on

_PAGE_NUMBER = re.compile(
    r"""[^\w%$€£¥]*(?:
        (?:(?:page|p\.|pg\.?|seite)\s*)?(?:[a-z]{1,2}\s?[-–—.]\s?|[a-z])?(?:\d{1,3}\s?[-–—.:·]\s?){0,2}\d{1,4}
            (?:\s*(?:of|/|\|)\s*\d{1,4})?
      | (?:page\s+)?[ivxlc]{1,8}
      | 第\s*\d+\s*页?\s*[，,/|]?\s*(?:\(?共\s*\d+\s*页\)?)?
    )[^\w%)]*""",
    re.VERBOSE | re.IGNORECASE,
)
_NUMBER = re.compile(r"\d+")
_ROMAN_AT_END = re.compile(r"^[ivxlc]{1,8}(?= )|(?:^|(?<= ))[ivxlc]{1,8}$")
_NOISE = re.compile(r"[\W_\d]+|continued|\(续\)|（续）")
# Below a company's name, which every page repeats, each financial statement has its title: as a key has it.
_STATEMENT = re.compile(
    r"(?:unaudited|audited|condensed|interim|consolidated|combined)*(?:statements?of|balancesheet|notesto)"
)

_WORD_OF_A_NUMBER = re.compile("chapter|part|appendix", re.IGNORECASE)
_ROMAN_VALUES = {"i": 1, "v": 5, "x": 10, "l": 50, "c": 100}

Place = tuple[int, int]  # page and line, both from 0


class _Edge(NamedTuple):
    """A line near the top or bottom edge of its page, and what makes it comparable with those of others."""

    page: int
    line: int
    row: int  # counted from the edge
    distance: float  # of its middle from the edge
    pitch: float  # from its row to the next one towards the text
    size: float
    style: int
    key: str  # its words without numbers
    numbers: tuple[int, ...]
    bare: bool  # nothing but a page number
    large: bool  # clearly larger than the text
    heading_like: bool  # larger or bolder than the text
    odd_page: bool  # the page has another height than most
    continued: bool  # says that its section began before

    @property
    def place(self) -> Place:
        return self.page, self.line


Rows = list[list[_Edge]]  # of one page, from the edge inwards


class _Setting(NamedTuple):
    """How the document is set as a whole."""

    styles: Sequence[Style]
    body_size: float
    height: float  # of most pages


class _Repeats(NamedTuple):
    """On how many pages close before and after its own a line is repeated at its place."""

    before: int = 0
    after: int = 0


class _Level(NamedTuple):
    """A distance from the edge at which most pages carry a repeated line, and how those lines are set."""

    settings: frozenset[tuple[int, bool]]  # style, and whether it sets page numbers alone
    clearance: float  # font sizes
    coverage: float  # share of the document's pages that have such a line


class _Evidence(NamedTuple):
    """What one edge of all pages tells about a line there."""

    repeats: Mapping[Place, _Repeats]
    clearances: Mapping[tuple[int, int], float]  # by page and row: distance to the nearest unrepeated row
    levels: Mapping[int, _Level]  # by rounded distance


def mark_running_heads(
    pages: Pages, lines: Sequence[Sequence[Line]], body_size: float, found: Sequence[dict[int, Kind]]
) -> None:
    """Add the running heads and feet and the page numbers of each page to what was found on it."""
    heights = Counter(page.height for page in pages.pages)
    setting = _Setting(pages.styles, body_size, heights.most_common(1)[0][0])
    edges: dict[Kind, list[Rows]] = {}
    for kind in (Kind.HEADER, Kind.FOOTER):
        edges[kind] = [
            _rows_at_edge(page_lines, marked, number, page.height, kind is Kind.HEADER, setting)
            for number, (page, page_lines, marked) in enumerate(zip(pages.pages, lines, found, strict=True))
        ]
        _mark_edge(edges[kind], kind, lines, found)
    _mark_moved_page_numbers([*edges[Kind.HEADER], *edges[Kind.FOOTER]], found)


# What stands at the edges


def _rows_at_edge(
    lines: Sequence[Line],
    marked: Mapping[int, Kind],
    page: int,
    height: float,
    at_top: bool,
    setting: _Setting,
) -> Rows:
    """The outermost rows at one edge of a page."""
    reach = (HEAD_ZONE_SHARE + HEAD_ZONE_BORDER_SHARE) * height
    near: list[tuple[float, float, int]] = []  # middle's distance from the edge, half height, line
    for i, line in enumerate(lines):
        middle = (line.y0 + line.y1) / 2
        distance = middle if at_top else height - middle
        if distance < reach and i not in marked:
            near.append((distance, (line.y1 - line.y0) / 2, i))
    near.sort()
    rows: Rows = []
    row: list[tuple[float, float, int]] = []
    end = (height, 0.0, -1)  # closes the last row
    for item in [*near, end]:
        distance, half_height, _ = item
        if row and distance - row[0][0] > MAX_HEAD_ROW_OFFSET_SHARE * max(half_height, row[0][1]):
            if at_top and _stands_above_its_number(lines, row):
                break
            pitch = distance - row[-1][0]
            place = (page, len(rows))
            rows.append([_edge(lines[i], place, i, own, pitch, height, setting) for own, _, i in row])
            row = []
            if len(rows) == ROWS or distance > HEAD_ZONE_SHARE * height:
                break
        row.append(item)
    return rows


def _stands_above_its_number(lines: Sequence[Line], row: Sequence[tuple[float, float, int]]) -> bool:
    """Whether a row is a word whose number stands below it: there a chapter begins, however many do so."""
    return len(row) == 1 and _WORD_OF_A_NUMBER.fullmatch(lines[row[0][2]].text) is not None


def _edge(
    line: Line,
    place: tuple[int, int],
    index: int,
    distance: float,
    pitch: float,
    height: float,
    setting: _Setting,
) -> _Edge:
    text = line.text[:LONGEST_HEAD]
    numbers = tuple(int(number) for number in _NUMBER.findall(text))
    bare = bool(_PAGE_NUMBER.fullmatch(text))
    roman = None if numbers else _ROMAN_AT_END.search(text.lower() if bare else text)
    if roman:
        numbers = (_roman_value(roman.group()),)
        text = text[: roman.start()] + text[roman.end() :]
    page, row = place
    return _Edge(
        page=page,
        line=index,
        row=row,
        distance=distance,
        pitch=pitch,
        size=max(line.size, 1.0),
        style=line.style,
        key=_key(text),
        numbers=numbers,
        bare=bare,
        large=line.size > MIN_LARGE_PRINT_SIZE_TIMES * setting.body_size,
        heading_like=line.size > MIN_HEADING_LIKE_SIZE_TIMES * setting.body_size
        or setting.styles[line.style].bold,
        odd_page=abs(height - setting.height) > MAX_HEAD_SHIFT_PT,
        continued=is_continuation(text),
    )


def _key(text: str) -> str:
    return _NOISE.sub("", text.casefold())


def _roman_value(text: str) -> int:
    # A digit before a larger one is taken away: ix is -1 + 10.
    values = [_ROMAN_VALUES[character] for character in text]
    return sum(-a if a < b else a for a, b in zip(values, [*values[1:], 0], strict=True))


# What the pages around tell


def _evidence(pages: Sequence[Rows]) -> _Evidence:
    repeats = _count_repeats(edge for rows in pages for row in rows for edge in row)
    clearances = _clearances(pages, repeats)
    return _Evidence(repeats, clearances, _levels(pages, repeats, clearances))


def _count_repeats(edges: Iterable[_Edge]) -> dict[Place, _Repeats]:
    """The repeats of those lines that have any."""
    groups: dict[str, list[_Edge]] = defaultdict(list)
    for edge in edges:
        groups[edge.key].append(edge)
    before: dict[Place, set[int]] = defaultdict(set)
    after: dict[Place, set[int]] = defaultdict(set)
    for group in groups.values():
        for i, edge in enumerate(group):
            for other in group[i + 1 : i + 1 + LINES_COMPARED * WINDOW]:
                if other.page - edge.page > WINDOW:
                    break
                if _repeats(edge, other):
                    after[edge.place].add(other.page)
                    before[other.place].add(edge.page)
    return {place: _Repeats(len(before[place]), len(after[place])) for place in before.keys() | after.keys()}


def _repeats(edge: _Edge, other: _Edge) -> bool:
    """Whether a line is repeated on a later page; its numbers may count the pages.

    Not so in large print: "Problem 1", "Problem 2" on pages of their own are headings.
    """
    turned = other.page - edge.page
    if turned == 0 or len(edge.numbers) != len(other.numbers):
        return False
    outermost_numbers = edge.bare and other.bare and edge.row == other.row == 0
    loose = edge.odd_page != other.odd_page or outermost_numbers
    if abs(edge.distance - other.distance) > (MAX_LOOSE_HEAD_SHIFT_PT if loose else MAX_HEAD_SHIFT_PT):
        return False
    if abs(edge.size - other.size) > MAX_HEAD_SIZE_CHANGE_SHARE * edge.size:
        return False
    if edge.large and edge.key and edge.numbers != other.numbers:
        return False
    counts = all(b in (a, a + turned) for a, b in zip(edge.numbers, other.numbers, strict=True))
    return counts and (bool(edge.key) or edge.numbers != other.numbers or not edge.numbers)


def _clearances(pages: Sequence[Rows], repeats: Mapping[Place, _Repeats]) -> dict[tuple[int, int], float]:
    """By page and row how far the next row is that is not all repeated."""
    clearances = {}
    for rows in pages:
        clearance, repeated = 0.0, False
        for row in reversed(rows):
            if not repeated:
                clearance = row[0].pitch
            clearances[row[0].page, row[0].row] = clearance
            repeated = all(edge.place in repeats for edge in row)
    return clearances


def _levels(
    pages: Sequence[Rows],
    repeats: Mapping[Place, _Repeats],
    clearances: Mapping[tuple[int, int], float],
) -> dict[int, _Level]:
    seen: dict[int, set[int]] = defaultdict(set)
    repeated: dict[int, list[_Edge]] = defaultdict(list)
    for edge in (edge for rows in pages for row in rows for edge in row):
        # Lines at one level may be rounded to neighbouring places.
        middle = _rounded(edge.distance)
        for bucket in (middle - 1, middle, middle + 1):
            seen[bucket].add(edge.page)
            if edge.place in repeats:
                repeated[bucket].append(edge)
    levels = {}
    for bucket, group in repeated.items():
        count = len({edge.page for edge in group})
        if count < LEVEL_PAGES or count < MIN_LEVEL_REPEATS_SHARE * len(seen[bucket]):
            continue
        cleared = sorted(clearances[edge.page, edge.row] / edge.size for edge in group)
        clear = cleared[len(cleared) // 2]
        level = _Level(_common_settings(group), clear, count / len(pages))
        # The head of a table that goes on over several pages sits close on its rows.
        if clear > MIN_HEAD_CLEARANCE_EM or level.coverage > MIN_LEVEL_COVERAGE_SHARE:
            levels[bucket] = level
    return levels


def _rounded(distance: float) -> int:
    return round(distance / HEAD_LEVEL_RASTER_PT)


def _common_settings(edges: Sequence[_Edge]) -> frozenset[tuple[int, bool]]:
    counts = Counter((edge.style, edge.bare) for edge in edges)
    least = MIN_COMMON_STYLE_SHARE * len(edges)
    return frozenset(setting for setting, count in counts.items() if count > least)


# What is furniture


def _mark_edge(
    pages: Sequence[Rows], kind: Kind, lines: Sequence[Sequence[Line]], found: Sequence[dict[int, Kind]]
) -> None:
    """Mark the furniture at one edge of all pages, on each page from the edge inwards."""
    evidence = _evidence(pages)
    for rows in pages:
        text_begins = False
        for place, row in enumerate(rows):
            continued = _is_continued(rows, place)
            marked = [
                edge
                for edge in row
                if _is_furniture(edge, row, evidence, text_begins)
                and (continued or not _is_heading(edge, row, evidence, lines))
            ]
            for edge in marked:
                found[edge.page][edge.line] = Kind.PAGE_NUMBER if edge.bare else kind
            text_begins = text_begins or len(marked) < len(row)


def _is_continued(rows: Rows, place: int) -> bool:
    """Whether a row, or the next line of the same title, says that its section began before."""
    row = rows[place]
    if any(edge.continued for edge in row):
        return True
    below = rows[place + 1] if place + 1 < len(rows) else []
    is_close = row[0].pitch < MAX_TITLE_PITCH_EM * row[0].size
    return is_close and any(edge.continued and edge.style == row[0].style for edge in below)


def _is_furniture(edge: _Edge, row: Sequence[_Edge], evidence: _Evidence, text_begins: bool) -> bool:
    """Whether the pages around call a line furniture; `text_begins`: text stands between it and the edge."""
    repeats = sum(evidence.repeats.get(edge.place, _Repeats()))
    clearance = evidence.clearances[edge.page, edge.row] / edge.size
    level = evidence.levels.get(_rounded(edge.distance))
    if edge.large and repeats < LARGE_REPEATS:
        return False
    if len(row) > MOST_PIECES and edge.row > 0:
        return False
    if text_begins:
        return repeats >= INNER_REPEATS and level is not None and level.coverage > MIN_LEVEL_COVERAGE_SHARE
    if level is None:
        lone = edge.odd_page or (edge.bare and edge.row == 0)
        least = LONE_REPEATS if lone else UNLEVELLED_REPEATS
        return repeats >= least and clearance > MIN_HEAD_CLEARANCE_EM and len(row) < MOST_PIECES
    if repeats:
        return True
    is_clear = clearance > MIN_LEVEL_CLEARANCE_SHARE * level.clearance
    is_half = edge.row == 0 and _stands_beside_repeated(edge, row, evidence)
    if (edge.style, edge.bare) not in level.settings:
        # A section's title in another script has another font than the rest of the running head.
        return is_half and is_clear and clearance > MIN_HALF_HEAD_CLEARANCE_EM and not edge.heading_like
    # In the outermost row what a page number stands beside is furniture, however near the text is.
    return is_clear or is_half


def _stands_beside_repeated(edge: _Edge, row: Sequence[_Edge], evidence: _Evidence) -> bool:
    """Whether a page number, or the other half of a running head, stands beside a line."""
    return any(other.place in evidence.repeats for other in row if other.line != edge.line)


def _is_heading(
    edge: _Edge, row: Sequence[_Edge], evidence: _Evidence, lines: Sequence[Sequence[Line]]
) -> bool:
    """Whether a line is the heading itself whose words the following pages repeat, or one of its own."""
    if edge.bare or evidence.repeats.get(edge.place, _Repeats()).before:
        return False
    if edge.row > 0 and not edge.numbers and _STATEMENT.match(edge.key):
        return True
    if not edge.heading_like:
        return _rounded(edge.distance) not in evidence.levels
    return not _stands_beside_repeated(edge, row, evidence) and not _repeats_a_larger_title(edge, lines)


def _repeats_a_larger_title(edge: _Edge, lines: Sequence[Sequence[Line]]) -> bool:
    """Whether a line has the words of a larger title on its page or the one before: a running head has."""
    for page in lines[max(0, edge.page - 1) : edge.page + 1]:
        for line in page:
            if line.size <= MIN_REPEATED_TITLE_SIZE_TIMES * edge.size:
                continue
            title = _key(line.text)
            if len(title) >= SHORTEST_TITLE and title in edge.key:
                return True
    return False


def _mark_moved_page_numbers(pages: Iterable[Rows], found: Sequence[dict[int, Kind]]) -> None:
    """Mark numbers alone at an edge that go on the counting of the pages around at another place."""
    outermost = [rows[0][0] for rows in pages if rows and len(rows[0]) == 1 and rows[0][0].bare]
    counted: dict[int, set[int]] = defaultdict(set)  # pages by number less page
    unmarked = []
    for edge in outermost:
        if edge.line in found[edge.page]:
            for number in edge.numbers:
                counted[number - edge.page].add(edge.page)
        else:
            unmarked.append(edge)
    for edge in unmarked:
        around = {page for number in edge.numbers for page in counted.get(number - edge.page, ())}
        close = sum(abs(page - edge.page) <= WINDOW for page in around)
        if close >= COUNTED_AROUND:
            found[edge.page][edge.line] = Kind.PAGE_NUMBER
