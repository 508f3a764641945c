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

from held.document import Kind, Pages
from held.layout.edge_lines import (
    EdgeLine,
    EdgeRows,
    EdgeTypography,
    Name,
    PageLines,
    Position,
    rows_at_edge,
    words_key,
)
from held.layout.paragraph_cues import is_date
from held.layout.tolerances import (
    HEAD_LEVEL_RASTER_PT,
    MAX_HEAD_SHIFT_PT,
    MAX_LOOSE_HEAD_SHIFT_PT,
    MAX_TEXT_SIZE_CHANGE_SHARE,
    MAX_TITLE_PITCH_EM,
    MIN_COMMON_STYLE_SHARE,
    MIN_DOCUMENT_HEAD_SHARE,
    MIN_HALF_HEAD_CLEARANCE_EM,
    MIN_HEAD_CLEARANCE_EM,
    MIN_LEVEL_CLEARANCE_SHARE,
    MIN_LEVEL_COVERAGE_SHARE,
    MIN_LEVEL_REPEATS_SHARE,
    MIN_REPEATED_TITLE_SIZE_TIMES,
)

REPEAT_WINDOW = 4  # pages within which a line may be repeated; left and right pages alternate
MAX_COMPARED_LINES = 6  # with the same words on a page, on average
MIN_TITLE_LETTERS = 4  # a shorter title may occur in a running head by chance
MAX_HEAD_PIECES = 3  # side by side; a row of more is the head of a table

# How many pages must repeat a line
MIN_LEVEL_PAGES = 4  # pages with a repeated line at a level
MIN_LARGE_PRINT_REPEATS = 3  # short chapters may begin with the same words
MIN_INNER_REPEATS = 3  # where text stands between the line and the edge
MIN_LONE_REPEATS = 2  # for a page number at the edge, or a line on a page of another height
MIN_UNLEVELLED_REPEATS = 4  # for any other line at no level
MIN_COUNTED_AROUND = 2  # pages around whose numbers a page number continues

# The title of a financial statement, as `words_key` gives it: it stands below the company's name, which every
# page repeats.
_STATEMENT = re.compile(
    r"(?:unaudited|audited|condensed|interim|consolidated|combined)*(?:statements?of|balancesheet|notesto)"
)


class _Repeats(NamedTuple):
    """On how many pages shortly before and after its own a line is repeated, and how many it counts."""

    before: int = 0
    after: int = 0
    counted: int = 0


_NO_REPEATS = _Repeats()


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
    pages: Pages,
    lines: PageLines,
    body_size: float,
    found: Sequence[dict[int, Kind]],
    slides: Sequence[int],
) -> None:
    """Adds the running heads and feet and the page numbers of each page to the furniture found on it.

    `slides` numbers the pages; those on which one slide builds up have one number and count as one page.
    """
    sizes = Counter((page.width, page.height) for page in pages.pages)
    width, height = sizes.most_common(1)[0][0]
    typography = EdgeTypography(pages.styles, body_size, width, height)
    middles = [[(line.y0 + line.y1) / 2 for line in on_page] for on_page in lines]
    edges: dict[Kind, list[EdgeRows]] = {}
    for kind in (Kind.HEADER, Kind.FOOTER):
        edges[kind] = [
            rows_at_edge(
                lines[i],
                middles[i],
                found[i],
                i,
                page.height,
                at_top=kind is Kind.HEADER,
                typography=typography,
            )
            for i, page in enumerate(pages.pages)
        ]
        _mark_edge(edges[kind], kind, lines, found, slides)
    _mark_moved_page_numbers([*edges[Kind.HEADER], *edges[Kind.FOOTER]], lines, found)


# --- evidence from the pages around ---


def _evidence(pages: Sequence[EdgeRows], slides: Sequence[int]) -> _Evidence:
    repeats = _count_repeats((edge for rows in pages for row in rows for edge in row), slides)
    clearances = _clearances(pages, repeats)
    levels = _levels(pages, repeats, clearances, slides)
    return _Evidence(repeats, clearances, levels, _document_heads(pages, repeats, slides))


def _document_heads(
    pages: Sequence[EdgeRows], repeats: Mapping[Position, _Repeats], slides: Sequence[int]
) -> frozenset[Name]:
    """The words that stand at the edge of most pages: no section is that long, so they name the document."""
    names: dict[int, set[Name]] = defaultdict(set)  # by slide
    for rows, slide in zip(pages, slides, strict=True):
        edges = [edge for row in rows for edge in row if edge.position in repeats]
        edges = [edge for edge in edges if edge.key and not edge.is_continuation]
        names[slide].update(name for edge in edges for name in (edge.name, edge.words))
    counts = Counter(name for on_slide in names.values() for name in on_slide)
    least = max(MIN_LEVEL_PAGES, MIN_DOCUMENT_HEAD_SHARE * len(names))
    return frozenset(head for head, count in counts.items() if count >= least)


def _count_repeats(edges: Iterable[EdgeLine], slides: Sequence[int]) -> dict[Position, _Repeats]:
    """How often each line is repeated, for those that are."""
    groups: dict[str, list[EdgeLine]] = defaultdict(list)
    for edge in edges:
        groups[edge.key].append(edge)
    before: dict[Position, set[int]] = defaultdict(set)
    after: dict[Position, set[int]] = defaultdict(set)
    counted: Counter[Position] = Counter()
    most_compared = MAX_COMPARED_LINES * REPEAT_WINDOW * max(Counter(slides).values(), default=1)
    for group in groups.values():
        for i, edge in enumerate(group[:-1], start=1):
            for other in group[i : i + most_compared]:
                slides_on = slides[other.page] - slides[edge.page]
                if slides_on > REPEAT_WINDOW:
                    break
                # Most lines with the same words stand elsewhere on the page.
                is_near = abs(edge.distance - other.distance) <= MAX_LOOSE_HEAD_SHIFT_PT
                if is_near and _repeats(edge, other, slides_on):
                    after[edge.position].add(slides[other.page])
                    before[other.position].add(slides[edge.page])
                    counted[edge.position] += edge.numbers != other.numbers
    return {
        position: _Repeats(len(before[position]), len(after[position]), counted[position])
        for position in before.keys() | after.keys()
    }


def _repeats(edge: EdgeLine, other: EdgeLine, slides_on: int) -> bool:
    """Whether a line is repeated on a later page; its numbers may count the pages or the slides.

    In large print and in labels they may not: "Problem 1", "Problem 2" on pages of their own are headings.
    """
    pages_on = other.page - edge.page
    if slides_on == 0 or len(edge.numbers) != len(other.numbers):
        return False
    # Page numbers, and lines on a page of another height, move more than other running heads.
    outermost_numbers = edge.is_page_number and other.is_page_number and edge.row == other.row == 0
    is_loose = edge.odd_page != other.odd_page or outermost_numbers
    max_shift = MAX_LOOSE_HEAD_SHIFT_PT if is_loose else MAX_HEAD_SHIFT_PT
    if abs(edge.distance - other.distance) > max_shift:
        return False
    if abs(edge.size - other.size) > MAX_TEXT_SIZE_CHANGE_SHARE * edge.size:
        return False
    if edge.numbers == other.numbers:
        # A number without words that stays the same counts nothing.
        return bool(edge.key) or not edge.numbers
    for number, later_number in zip(edge.numbers, other.numbers, strict=True):
        if later_number - number not in (0, slides_on, pages_on):
            return False
    counts_sections = (edge.large and bool(edge.key)) or edge.is_label
    return not counts_sections


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
    slides: Sequence[int],
) -> dict[int, _Level]:
    """The levels by their rounded distance from the edge."""
    repeated: dict[int, list[EdgeLine]] = defaultdict(list)  # by rounded distance
    slides_with_line: dict[int, set[int]] = defaultdict(set)
    for edge in (edge for rows in pages for row in rows for edge in row):
        distance = _rounded(edge.distance)
        slides_with_line[distance].add(slides[edge.page])
        if edge.position in repeats:
            repeated[distance].append(edge)
    slide_count = len(set(slides))
    levels = {}
    for bucket in {near for distance in repeated for near in _around(distance)}:
        # Lines at one level may be rounded to neighbouring distances.
        group = [edge for distance in _around(bucket) for edge in repeated.get(distance, ())]
        count = len({slides[edge.page] for edge in group})
        with_line = set().union(*(slides_with_line.get(distance, ()) for distance in _around(bucket)))
        if count < MIN_LEVEL_PAGES or count < MIN_LEVEL_REPEATS_SHARE * len(with_line):
            continue
        in_ems = sorted(clearances[edge.page, edge.row] / edge.size for edge in group)
        median = in_ems[len(in_ems) // 2]
        level = _Level(_common_styles(group), median, count / slide_count)
        # The head of a table that continues over several pages is close to its rows.
        if median > MIN_HEAD_CLEARANCE_EM or level.coverage > MIN_LEVEL_COVERAGE_SHARE:
            levels[bucket] = level
    return levels


def _around(distance: int) -> tuple[int, int, int]:
    return distance - 1, distance, distance + 1


def _rounded(distance: float) -> int:
    return round(distance / HEAD_LEVEL_RASTER_PT)


def _common_styles(edges: Sequence[EdgeLine]) -> frozenset[tuple[int, bool]]:
    counts = Counter((edge.style, edge.is_page_number) for edge in edges)
    least = MIN_COMMON_STYLE_SHARE * len(edges)
    return frozenset(style for style, count in counts.items() if count > least)


# --- the decision ---


def _mark_edge(
    pages: Sequence[EdgeRows],
    kind: Kind,
    lines: PageLines,
    found: Sequence[dict[int, Kind]],
    slides: Sequence[int],
) -> None:
    """Mark the furniture at one edge of all pages, on each page from the edge inwards."""
    evidence = _evidence(pages, slides)
    for rows in pages:
        text_begins = False
        has_continuation = any(edge.is_continuation for row in rows for edge in row)
        for index, row in enumerate(rows):
            row_continues = has_continuation and _row_continues(rows, index)
            marked = 0
            for edge in row:
                if not _is_furniture(edge, row, evidence, text_begins):
                    continue
                if row_continues or not _is_heading(edge, row, evidence, lines):
                    found[edge.page][edge.line] = Kind.PAGE_NUMBER if edge.is_page_number else kind
                    marked += 1
            # A page that the pages around don't resemble has text below the name of the document.
            text_begins = text_begins or marked < len(row) or _is_alone(row, evidence)


def _is_alone(row: Sequence[EdgeLine], evidence: _Evidence) -> bool:
    heads = evidence.document_heads
    return any(edge.name in heads and not _count(edge, evidence) for edge in row) if heads else False


def _row_continues(rows: EdgeRows, index: int) -> bool:
    """Whether a row, or the next line of the same title, says that its section began earlier."""
    row = rows[index]
    if any(edge.is_continuation for edge in row):
        return True
    below = rows[index + 1] if index + 1 < len(rows) else []
    is_close = row[0].pitch < MAX_TITLE_PITCH_EM * row[0].size
    return is_close and any(edge.is_continuation and edge.style == row[0].style for edge in below)


def _is_furniture(edge: EdgeLine, row: Sequence[EdgeLine], evidence: _Evidence, text_begins: bool) -> bool:
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


def _count(edge: EdgeLine, evidence: _Evidence) -> int:
    """On how many pages around its own a line is repeated."""
    repeats = evidence.repeats.get(edge.position, _NO_REPEATS)
    return repeats.before + repeats.after


def _stands_beside_repeated(edge: EdgeLine, row: Sequence[EdgeLine], evidence: _Evidence) -> bool:
    """Whether a page number, or the other half of a running head, stands beside a line."""
    return any(other.position in evidence.repeats for other in row if other.line != edge.line)


def _is_heading(edge: EdgeLine, row: Sequence[EdgeLine], evidence: _Evidence, lines: PageLines) -> bool:
    """Whether a line is the heading whose words the following pages repeat, or another heading."""
    repeats = evidence.repeats.get(edge.position, _NO_REPEATS)
    if edge.is_page_number or repeats.before or is_date(lines[edge.page][edge.line].text):
        return False
    if edge.words in evidence.document_heads or repeats.counted >= MIN_COUNTED_AROUND:
        return False
    if edge.row > 0 and not edge.numbers and _STATEMENT.match(edge.key):
        return True
    if not edge.heading_like:
        return _rounded(edge.distance) not in evidence.levels
    return not _stands_beside_repeated(edge, row, evidence) and not _repeats_a_larger_title(edge, lines)


def _repeats_a_larger_title(edge: EdgeLine, lines: PageLines) -> bool:
    """Whether a line has the words of a larger title on its page or the one before, as running heads do."""
    for page in lines[max(0, edge.page - 1) : edge.page + 1]:
        for line in page:
            if line.size <= MIN_REPEATED_TITLE_SIZE_TIMES * edge.size:
                continue
            title = words_key(line.text)
            if len(title) >= MIN_TITLE_LETTERS and title in edge.key:
                return True
    return False


def _lowest_numbers(lines: PageLines, found: Sequence[Mapping[int, Kind]]) -> Iterator[tuple[int, int]]:
    """The page and line of each lone number that ends the text of its page, wherever that ends."""
    for page, (page_lines, marked) in enumerate(zip(lines, found, strict=True)):
        unmarked = [i for i in range(len(page_lines)) if i not in marked]
        if not unmarked:
            continue
        bottoms = [line.y1 for line in page_lines]
        lowest = max(unmarked, key=bottoms.__getitem__)
        line = page_lines[lowest]
        if line.text.isdecimal() and all(bottoms[i] <= line.y0 for i in unmarked if i != lowest):
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
        around = [other for other in range(page - REPEAT_WINDOW, page + REPEAT_WINDOW + 1) if other != page]
        close = sum(any(other in counted[number - page] for number in values) for other in around)
        if close >= MIN_COUNTED_AROUND:
            found[page][line] = Kind.PAGE_NUMBER
