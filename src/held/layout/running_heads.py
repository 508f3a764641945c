"""Running heads, running feet and page numbers: lines at the edges that repeat from page to page.

A line near the top or bottom of its page is compared with the lines of the pages around it: the same words
at the same distance from the edge, where numbers may count the pages. A distance at which most pages carry
such lines is a *level*. A line at a level counts even if its own words occur once, such as the title of a
one-page section. Losing a heading is worse than leaving a running head in the text: a line that is set like
a heading stays one unless an earlier page has it too.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from held.document import Kind, Pages, Style
from held.layout.labels import is_caption_label
from held.layout.lines import Line
from held.layout.statement_lines import is_date
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
    MIN_DOCUMENT_HEAD_SHARE,
    MIN_HALF_HEAD_CLEARANCE_EM,
    MIN_HEAD_CLEARANCE_EM,
    MIN_HEADING_LIKE_SIZE_TIMES,
    MIN_LARGE_PRINT_SIZE_TIMES,
    MIN_LEVEL_CLEARANCE_SHARE,
    MIN_LEVEL_COVERAGE_SHARE,
    MIN_LEVEL_REPEATS_SHARE,
    MIN_REPEATED_TITLE_SIZE_TIMES,
)
from held.numbering import parse_number
from held.numbering.numerals import roman_value
from held.numbering.titles import is_continuation
from held.numbering.words import any_expression

MAX_FURNITURE_ROWS = 8  # at one edge of a page
REPEAT_WINDOW = 4  # pages within which a line may be repeated; left and right pages alternate
MAX_COMPARED_LINES = 6  # with the same words on a page, on average
MAX_HEAD_LENGTH = 200  # characters that are compared; a longer line is text
MIN_TITLE_LETTERS = 4  # a shorter title may occur in a running head by chance
MAX_HEAD_PIECES = 3  # side by side; a row of more is the head of a table

# How many pages must repeat a line
MIN_LEVEL_PAGES = 4  # pages with a repeated line at a level
MIN_LARGE_PRINT_REPEATS = 3  # short chapters may begin with the same words
MIN_INNER_REPEATS = 3  # where text stands between the line and the edge
MIN_LONE_REPEATS = 2  # for a page number at the edge, or a line on a page of another height
MIN_UNLEVELLED_REPEATS = 4  # for any other line at no level
MIN_COUNTED_AROUND = 2  # pages around whose numbers a page number continues

_PAGE_NUMBER = re.compile(
    r"""[^\w%$€£¥]*(?:
        (?:PAGE\s*)?(?:[a-z]{1,2}\s?[-–—.]\s?|[a-z])?(?:\d{1,3}\s?[-–—.:·]\s?){0,2}\d{1,4}
            (?:\s*(?:of|/|\|)\s*\d{1,4})?
      | (?:page\s+)?[ivxlc]{1,8}
      | 第\s*\d+\s*页?\s*[，,/|]?\s*(?:\(?共\s*\d+\s*页\)?)?
    )[^\w%)]*""".replace("PAGE", any_expression("page")),
    re.VERBOSE | re.IGNORECASE,
)
_NUMBER = re.compile(r"\d+")
_ROMAN_AT_END = re.compile(r"^[ivxlc]{1,8}(?= )|(?:^|(?<= ))[ivxlc]{1,8}$")
_NOISE = re.compile(r"[\W_\d]+|continued")
# The title of a financial statement, as `_key` gives it: it stands below the company's name, which every
# page repeats.
_STATEMENT = re.compile(
    r"(?:unaudited|audited|condensed|interim|consolidated|combined)*(?:statements?of|balancesheet|notesto)"
)

_WORD_BEFORE_NUMBER = re.compile("chapter|part|appendix", re.IGNORECASE)

Position = tuple[int, int]  # page and line, both from 0
PageLines = Sequence[Sequence[Line]]  # of all pages
Name = tuple[str, tuple[int, ...], int]  # words, numbers and style of a line


class _EdgeLine(NamedTuple):
    """A line near the top or bottom edge of its page, with what other pages' lines are compared by."""

    page: int
    line: int
    row: int  # counted from the edge
    distance: float  # of its middle from the edge
    pitch: float  # from its row to the next row inwards
    size: float
    style: int
    key: str  # its words without numbers
    numbers: tuple[int, ...]
    is_page_number: bool  # and nothing else
    large: bool  # clearly larger than the text
    heading_like: bool  # larger or bolder than the text
    odd_page: bool  # the page has another height than most
    is_continuation: bool  # says that its section began earlier
    is_label: bool  # "Exhibit 31.1", whose number counts sections
    is_date: bool  # the date or the period of a report, which opens no section

    @property
    def position(self) -> Position:
        return self.page, self.line

    @property
    def name(self) -> Name:
        return self.key, self.numbers, self.style

    @property
    def words(self) -> Name:
        """Its name whatever its numbers are."""
        return self.key, (), self.style


EdgeRows = list[list[_EdgeLine]]  # of one page, from the edge inwards


class _Typography(NamedTuple):
    """How the document is set as a whole."""

    styles: Sequence[Style]
    body_size: float
    page_height: float  # of most pages


class _Repeats(NamedTuple):
    """On how many pages shortly before and after its own a line is repeated, and how many it counts."""

    before: int = 0
    after: int = 0
    counted: int = 0


class _Level(NamedTuple):
    """A distance from the edge at which most pages carry a repeated line, and how those lines are set."""

    styles: frozenset[tuple[int, bool]]  # style, and whether it is that of page numbers
    clearance: float  # font sizes
    coverage: float  # share of the document's pages that have such a line


class _Evidence(NamedTuple):
    """What one edge of all pages tells about a line there."""

    repeats: Mapping[Position, _Repeats]
    clearances: Mapping[tuple[int, int], float]  # by page and row: distance to the nearest unrepeated row
    levels: Mapping[int, _Level]  # by rounded distance
    document_heads: frozenset[Name]  # of lines that most pages have


def mark_running_heads(
    pages: Pages, lines: PageLines, body_size: float, found: Sequence[dict[int, Kind]]
) -> None:
    """Adds the running heads and feet and the page numbers of each page to the furniture found on it."""
    heights = Counter(page.height for page in pages.pages)
    typography = _Typography(pages.styles, body_size, heights.most_common(1)[0][0])
    edges: dict[Kind, list[EdgeRows]] = {}
    for kind in (Kind.HEADER, Kind.FOOTER):
        edges[kind] = [
            _rows_at_edge(page_lines, marked, number, page.height, kind is Kind.HEADER, typography)
            for number, (page, page_lines, marked) in enumerate(zip(pages.pages, lines, found, strict=True))
        ]
        _mark_edge(edges[kind], kind, lines, found)
    _mark_moved_page_numbers([*edges[Kind.HEADER], *edges[Kind.FOOTER]], lines, found)


# --- the lines at the edges ---


def _rows_at_edge(
    lines: Sequence[Line],
    marked: Mapping[int, Kind],
    page: int,
    height: float,
    at_top: bool,
    typography: _Typography,
) -> EdgeRows:
    """The outermost rows at one edge of a page."""
    reach = (HEAD_ZONE_SHARE + HEAD_ZONE_BORDER_SHARE) * height
    near: list[tuple[float, float, int]] = []  # middle's distance from the edge, half height, line
    for i, line in enumerate(lines):
        middle = (line.y0 + line.y1) / 2
        distance = middle if at_top else height - middle
        if distance < reach and i not in marked:
            near.append((distance, (line.y1 - line.y0) / 2, i))
    near.sort()
    rows: EdgeRows = []
    row: list[tuple[float, float, int]] = []
    end = (height, 0.0, -1)  # closes the last row
    for item in [*near, end]:
        distance, half_height, _ = item
        if row and distance - row[0][0] > MAX_HEAD_ROW_OFFSET_SHARE * max(half_height, row[0][1]):
            if at_top and _stands_above_its_number(lines, row):
                break
            pitch = distance - row[-1][0]
            rows.append(
                [
                    _edge_line(lines[i], (page, i), len(rows), own, pitch, height, typography)
                    for own, _, i in row
                ]
            )
            row = []
            if len(rows) == MAX_FURNITURE_ROWS or distance > HEAD_ZONE_SHARE * height:
                break
        row.append(item)
    return rows


def _stands_above_its_number(lines: Sequence[Line], row: Sequence[tuple[float, float, int]]) -> bool:
    """Whether a row is a word whose number stands below it: a chapter begins there, on however many pages."""
    return len(row) == 1 and _WORD_BEFORE_NUMBER.fullmatch(lines[row[0][2]].text) is not None


def _edge_line(
    line: Line,
    position: Position,
    row: int,
    distance: float,
    pitch: float,
    height: float,
    typography: _Typography,
) -> _EdgeLine:
    text = line.text[:MAX_HEAD_LENGTH]
    numbers = tuple(int(number) for number in _NUMBER.findall(text))
    is_page_number = bool(_PAGE_NUMBER.fullmatch(text))
    roman = None if numbers else _ROMAN_AT_END.search(text.lower() if is_page_number else text)
    if roman:
        numbers = (roman_value(roman.group()),)
        text = text[: roman.start()] + text[roman.end() :]
    is_larger = line.size > MIN_HEADING_LIKE_SIZE_TIMES * typography.body_size
    page, index = position
    return _EdgeLine(
        page=page,
        line=index,
        row=row,
        distance=distance,
        pitch=pitch,
        size=max(line.size, 1.0),
        style=line.style,
        key=_key(text),
        numbers=numbers,
        is_page_number=is_page_number,
        large=line.size > MIN_LARGE_PRINT_SIZE_TIMES * typography.body_size,
        heading_like=is_larger or typography.styles[line.style].bold,
        odd_page=abs(height - typography.page_height) > MAX_HEAD_SHIFT_PT,
        is_continuation=is_continuation(text),
        is_label=bool(numbers) and _is_label(text),
        is_date=is_date(line.text),
    )


def _is_label(text: str) -> bool:
    """Whether a text is the label of a section or a caption, such as "Exhibit 31.1", and nothing else."""
    if is_caption_label(text):
        return True
    number = parse_number(text + " X")
    return number is not None and number.pattern.stands_above_title and number.title_start > len(text)


def _key(text: str) -> str:
    return _NOISE.sub("", text.casefold())


# --- evidence from the pages around ---


def _evidence(pages: Sequence[EdgeRows]) -> _Evidence:
    repeats = _count_repeats(edge for rows in pages for row in rows for edge in row)
    clearances = _clearances(pages, repeats)
    return _Evidence(
        repeats, clearances, _levels(pages, repeats, clearances), _document_heads(pages, repeats)
    )


def _document_heads(pages: Sequence[EdgeRows], repeats: Mapping[Position, _Repeats]) -> frozenset[Name]:
    """The words that stand at the edge of most pages: no section is that long, so they name the document."""
    counts: Counter[Name] = Counter()
    for rows in pages:
        edges = [edge for row in rows for edge in row if edge.position in repeats]
        edges = [edge for edge in edges if edge.key and not edge.is_continuation]
        counts.update({name for edge in edges for name in (edge.name, edge.words)})
    least = max(MIN_LEVEL_PAGES, MIN_DOCUMENT_HEAD_SHARE * len(pages))
    return frozenset(head for head, count in counts.items() if count >= least)


def _count_repeats(edges: Iterable[_EdgeLine]) -> dict[Position, _Repeats]:
    """How often each line is repeated, for those that are."""
    groups: dict[str, list[_EdgeLine]] = defaultdict(list)
    for edge in edges:
        groups[edge.key].append(edge)
    before: dict[Position, set[int]] = defaultdict(set)
    after: dict[Position, set[int]] = defaultdict(set)
    counted: Counter[Position] = Counter()
    for group in groups.values():
        for i, edge in enumerate(group):
            for other in group[i + 1 : i + 1 + MAX_COMPARED_LINES * REPEAT_WINDOW]:
                if other.page - edge.page > REPEAT_WINDOW:
                    break
                if _repeats(edge, other):
                    after[edge.position].add(other.page)
                    before[other.position].add(edge.page)
                    counted[edge.position] += edge.numbers != other.numbers
    return {
        position: _Repeats(len(before[position]), len(after[position]), counted[position])
        for position in before.keys() | after.keys()
    }


def _repeats(edge: _EdgeLine, other: _EdgeLine) -> bool:
    """Whether a line is repeated on a later page; its numbers may count the pages.

    In large print and in labels they may not: "Problem 1", "Problem 2" on pages of their own are headings.
    """
    pages_on = other.page - edge.page
    if pages_on == 0 or len(edge.numbers) != len(other.numbers):
        return False
    # Page numbers, and lines on a page of another height, move more than other running heads.
    outermost_numbers = edge.is_page_number and other.is_page_number and edge.row == other.row == 0
    is_loose = edge.odd_page != other.odd_page or outermost_numbers
    max_shift = MAX_LOOSE_HEAD_SHIFT_PT if is_loose else MAX_HEAD_SHIFT_PT
    if abs(edge.distance - other.distance) > max_shift:
        return False
    if abs(edge.size - other.size) > MAX_HEAD_SIZE_CHANGE_SHARE * edge.size:
        return False
    counts_sections = edge.is_label or (edge.large and bool(edge.key))
    if counts_sections and edge.numbers != other.numbers:
        return False
    for number, later_number in zip(edge.numbers, other.numbers, strict=True):
        if later_number not in (number, number + pages_on):
            return False
    # A number without words that stays the same counts nothing.
    return bool(edge.key) or edge.numbers != other.numbers or not edge.numbers


def _clearances(
    pages: Sequence[EdgeRows], repeats: Mapping[Position, _Repeats]
) -> dict[tuple[int, int], float]:
    """By page and row the distance to the next row with a line that is not repeated."""
    clearances = {}
    for rows in pages:
        clearance, repeated = 0.0, False
        for row in reversed(rows):
            if not repeated:
                clearance = row[0].pitch
            clearances[row[0].page, row[0].row] = clearance
            repeated = all(edge.position in repeats for edge in row)
    return clearances


def _levels(
    pages: Sequence[EdgeRows],
    repeats: Mapping[Position, _Repeats],
    clearances: Mapping[tuple[int, int], float],
) -> dict[int, _Level]:
    """The levels by their rounded distance from the edge."""
    pages_with_line: dict[int, set[int]] = defaultdict(set)
    repeated: dict[int, list[_EdgeLine]] = defaultdict(list)
    for edge in (edge for rows in pages for row in rows for edge in row):
        # Lines at one level may be rounded to neighbouring distances.
        middle = _rounded(edge.distance)
        for bucket in (middle - 1, middle, middle + 1):
            pages_with_line[bucket].add(edge.page)
            if edge.position in repeats:
                repeated[bucket].append(edge)
    levels = {}
    for bucket, group in repeated.items():
        count = len({edge.page for edge in group})
        if count < MIN_LEVEL_PAGES or count < MIN_LEVEL_REPEATS_SHARE * len(pages_with_line[bucket]):
            continue
        in_ems = sorted(clearances[edge.page, edge.row] / edge.size for edge in group)
        median = in_ems[len(in_ems) // 2]
        level = _Level(_common_styles(group), median, count / len(pages))
        # The head of a table that continues over several pages is close to its rows.
        if median > MIN_HEAD_CLEARANCE_EM or level.coverage > MIN_LEVEL_COVERAGE_SHARE:
            levels[bucket] = level
    return levels


def _rounded(distance: float) -> int:
    return round(distance / HEAD_LEVEL_RASTER_PT)


def _common_styles(edges: Sequence[_EdgeLine]) -> frozenset[tuple[int, bool]]:
    counts = Counter((edge.style, edge.is_page_number) for edge in edges)
    least = MIN_COMMON_STYLE_SHARE * len(edges)
    return frozenset(style for style, count in counts.items() if count > least)


# --- the decision ---


def _mark_edge(
    pages: Sequence[EdgeRows], kind: Kind, lines: PageLines, found: Sequence[dict[int, Kind]]
) -> None:
    """Mark the furniture at one edge of all pages, on each page from the edge inwards."""
    evidence = _evidence(pages)
    for rows in pages:
        text_begins = False
        for index, row in enumerate(rows):
            row_continues = _row_continues(rows, index)
            marked = 0
            for edge in row:
                if not _is_furniture(edge, row, evidence, text_begins):
                    continue
                if row_continues or not _is_heading(edge, row, evidence, lines):
                    found[edge.page][edge.line] = Kind.PAGE_NUMBER if edge.is_page_number else kind
                    marked += 1
            # A page that the pages around don't resemble has text below the name of the document.
            is_alone = any(
                edge.name in evidence.document_heads and not _count(edge, evidence) for edge in row
            )
            text_begins = text_begins or marked < len(row) or is_alone


def _row_continues(rows: EdgeRows, index: int) -> bool:
    """Whether a row, or the next line of the same title, says that its section began earlier."""
    row = rows[index]
    if any(edge.is_continuation for edge in row):
        return True
    below = rows[index + 1] if index + 1 < len(rows) else []
    is_close = row[0].pitch < MAX_TITLE_PITCH_EM * row[0].size
    return is_close and any(edge.is_continuation and edge.style == row[0].style for edge in below)


def _is_furniture(edge: _EdgeLine, row: Sequence[_EdgeLine], evidence: _Evidence, text_begins: bool) -> bool:
    """Whether the evidence makes a line furniture; `text_begins`: text stands between it and the edge."""
    repeats = _count(edge, evidence)
    clearance = evidence.clearances[edge.page, edge.row] / edge.size
    level = evidence.levels.get(_rounded(edge.distance))
    if edge.large and repeats < MIN_LARGE_PRINT_REPEATS:
        return False
    if len(row) > MAX_HEAD_PIECES and edge.row > 0:
        return False
    if edge.name in evidence.document_heads and not text_begins:
        return True  # on the first pages, too, where it may stand elsewhere
    if text_begins:
        return (
            repeats >= MIN_INNER_REPEATS and level is not None and level.coverage > MIN_LEVEL_COVERAGE_SHARE
        )
    if level is None:
        is_lone = edge.odd_page or (edge.is_page_number and edge.row == 0)
        least = MIN_LONE_REPEATS if is_lone else MIN_UNLEVELLED_REPEATS
        return repeats >= least and clearance > MIN_HEAD_CLEARANCE_EM and len(row) < MAX_HEAD_PIECES
    if repeats:
        return True
    is_clear = clearance > MIN_LEVEL_CLEARANCE_SHARE * level.clearance
    is_half = edge.row == 0 and _stands_beside_repeated(edge, row, evidence)
    if (edge.style, edge.is_page_number) not in level.styles:
        # A section's title in another script has another font than the rest of the running head.
        return is_half and is_clear and clearance > MIN_HALF_HEAD_CLEARANCE_EM and not edge.heading_like
    # In the outermost row a line beside a page number is furniture, however near the text is.
    return is_clear or is_half


def _count(edge: _EdgeLine, evidence: _Evidence) -> int:
    """On how many pages around its own a line is repeated."""
    repeats = evidence.repeats.get(edge.position, _Repeats())
    return repeats.before + repeats.after


def _stands_beside_repeated(edge: _EdgeLine, row: Sequence[_EdgeLine], evidence: _Evidence) -> bool:
    """Whether a page number, or the other half of a running head, stands beside a line."""
    return any(other.position in evidence.repeats for other in row if other.line != edge.line)


def _is_heading(edge: _EdgeLine, row: Sequence[_EdgeLine], evidence: _Evidence, lines: PageLines) -> bool:
    """Whether a line is the heading whose words the following pages repeat, or another heading."""
    repeats = evidence.repeats.get(edge.position, _Repeats())
    if edge.is_page_number or edge.is_date or repeats.before:
        return False
    if edge.words in evidence.document_heads or repeats.counted >= MIN_COUNTED_AROUND:
        return False
    if edge.row > 0 and not edge.numbers and _STATEMENT.match(edge.key):
        return True
    if not edge.heading_like:
        return _rounded(edge.distance) not in evidence.levels
    return not _stands_beside_repeated(edge, row, evidence) and not _repeats_a_larger_title(edge, lines)


def _repeats_a_larger_title(edge: _EdgeLine, lines: PageLines) -> bool:
    """Whether a line has the words of a larger title on its page or the one before, as running heads do."""
    for page in lines[max(0, edge.page - 1) : edge.page + 1]:
        for line in page:
            if line.size <= MIN_REPEATED_TITLE_SIZE_TIMES * edge.size:
                continue
            title = _key(line.text)
            if len(title) >= MIN_TITLE_LETTERS and title in edge.key:
                return True
    return False


def _lowest_numbers(lines: PageLines, found: Sequence[Mapping[int, Kind]]) -> Iterator[tuple[int, int]]:
    """The page and line of each lone number that ends the text of its page, wherever that ends."""
    for page, (page_lines, marked) in enumerate(zip(lines, found, strict=True)):
        unmarked = [i for i in range(len(page_lines)) if i not in marked]
        if not unmarked:
            continue
        lowest = max(unmarked, key=lambda i: page_lines[i].y1)
        line = page_lines[lowest]
        is_lone = all(page_lines[i].y1 <= line.y0 for i in unmarked if i != lowest)
        if is_lone and line.text.isdecimal():
            yield page, lowest


def _mark_moved_page_numbers(
    pages: Iterable[EdgeRows], lines: PageLines, found: Sequence[dict[int, Kind]]
) -> None:
    """Marks lone numbers that continue the page numbers around them at another position."""
    numbers: dict[Position, tuple[int, ...]] = {}
    for rows in pages:
        if rows and len(rows[0]) == 1 and rows[0][0].is_page_number:
            numbers[rows[0][0].position] = rows[0][0].numbers
    for page, line in _lowest_numbers(lines, found):
        numbers[page, line] = (int(lines[page][line].text),)
    counted: dict[int, set[int]] = defaultdict(set)  # pages by the difference of number and page
    for (page, _), values in numbers.items():
        for number in values:
            counted[number - page].add(page)
    for (page, line), values in numbers.items():
        around = {other for number in values for other in counted[number - page] if other != page}
        close = sum(abs(other - page) <= REPEAT_WINDOW for other in around)
        if close >= MIN_COUNTED_AROUND:
            found[page][line] = Kind.PAGE_NUMBER
