"""The lines near the top and bottom edges of pages, with what `running_heads` compares them by."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache, partial
from typing import NamedTuple

from held.document import Kind, Style
from held.layout.lines import Line
from held.layout.paragraph_cues import is_caption_label
from held.layout.tolerances import (
    HEAD_ZONE_BORDER_SHARE,
    HEAD_ZONE_SHARE,
    MAX_HEAD_ROW_OFFSET_SHARE,
    MAX_HEAD_SHIFT_PT,
    MIN_HEADING_LIKE_SIZE_TIMES,
    MIN_LARGE_PRINT_SIZE_TIMES,
    MIN_SLIDE_TITLE_SIZE_TIMES,
    MIN_SLIDE_TYPE_SHARE,
)
from held.numbering import parse_number
from held.numbering.numerals import roman_value
from held.numbering.titles import is_continued_title
from held.numbering.words import any_expression
from held.system import lazy_pattern

MAX_FURNITURE_ROWS = 8  # at one edge of a page
MAX_HEAD_LENGTH = 200  # characters that are compared; a longer line is text
CACHED_TEXTS = 4096  # of lines at the edges of recent pages

_PAGE_NUMBER = lazy_pattern(
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
_NO_ASCII_LETTERS = {code: None for code in range(128) if not chr(code).isalpha()}

_WORD_BEFORE_NUMBER = re.compile("chapter|part|appendix", re.IGNORECASE)

Position = tuple[int, int]  # page and line, both from 0
PageLines = Sequence[Sequence[Line]]  # of all pages
Name = tuple[str, tuple[int, ...], int]  # words, numbers and style of a line


class HeadText(NamedTuple):
    """What a text says, wherever it stands."""

    text: str  # without a roman number at one of its ends
    key: str  # its words without numbers
    numbers: tuple[int, ...]
    is_page_number: bool  # and nothing else
    is_continuation: bool  # says that its section began earlier


class EdgeLine(NamedTuple):
    """A line near the top or bottom edge of its page, with what other pages' lines are compared by."""

    position: Position
    page: int
    row: int  # counted from the edge
    distance: float  # of its middle from the edge
    pitch: float  # from its row to the next row inwards
    size: float
    style: int
    large: bool  # clearly larger than the text
    heading_like: bool  # larger or bolder than the text
    odd_page: bool  # the page has another height than most
    # The fields of its `HeadText`
    text: str
    key: str
    numbers: tuple[int, ...]
    is_page_number: bool
    is_continuation: bool

    @property
    def line(self) -> int:
        return self.position[1]

    @property
    def name(self) -> Name:
        return self.key, self.numbers, self.style

    @property
    def words(self) -> Name:
        """Its name whatever its numbers are."""
        return self.key, (), self.style

    @property
    def is_label(self) -> bool:
        """Whether it is "Exhibit 31.1", whose number counts sections."""
        return bool(self.numbers) and _is_label(self.text)


_new_edge_line = partial(tuple.__new__, EdgeLine)  # from a tuple, in half the time of calling the class

EdgeRows = list[list[EdgeLine]]  # of one page, from the edge inwards


class EdgeTypography(NamedTuple):
    """How the document is set as a whole."""

    styles: Sequence[Style]
    body_size: float
    page_width: float  # of most pages
    page_height: float

    def min_title_size(self, *, at_top: bool) -> float:
        """The size above which a line at the edge of a page is set like a heading.

        The title of a slide may be no larger than its text, but a running head is smaller.
        """
        is_large = self.body_size > MIN_SLIDE_TYPE_SHARE * self.page_height
        is_slide = is_large and self.page_width > self.page_height
        times = MIN_SLIDE_TITLE_SIZE_TIMES if is_slide and at_top else MIN_HEADING_LIKE_SIZE_TIMES
        return times * self.body_size


def rows_at_edge(
    lines: Sequence[Line],
    middles: Sequence[float],
    marked: Mapping[int, Kind],
    page: int,
    height: float,
    at_top: bool,
    typography: EdgeTypography,
) -> EdgeRows:
    """The outermost rows at one edge of a page; `middles` are the heights of the lines."""
    min_title_size = typography.min_title_size(at_top=at_top)
    reach = (HEAD_ZONE_SHARE + HEAD_ZONE_BORDER_SHARE) * height
    distances = middles if at_top else [height - middle for middle in middles]
    # The distance from the edge, half the height, the line.
    near = sorted(
        (distance, (lines[i].y1 - lines[i].y0) / 2, i)
        for i, distance in enumerate(distances)
        if distance < reach and i not in marked
    )
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
                    _edge_line(lines[i], (page, i), len(rows), own, pitch, height, typography, min_title_size)
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
    typography: EdgeTypography,
    min_title_size: float,
) -> EdgeLine:
    page, _ = position
    return _new_edge_line(
        (
            position,
            page,
            row,
            distance,
            pitch,
            max(line.size, 1.0),
            line.style,
            line.size > MIN_LARGE_PRINT_SIZE_TIMES * typography.body_size,
            line.size > min_title_size or typography.styles[line.style].bold,
            abs(height - typography.page_height) > MAX_HEAD_SHIFT_PT,
            *_read_text(line.text[:MAX_HEAD_LENGTH]),
        )
    )


@lru_cache(maxsize=CACHED_TEXTS)
def _read_text(text: str) -> HeadText:
    """What a text says; running heads say it on every page."""
    numbers = tuple(int(number) for number in _NUMBER.findall(text))
    is_page_number = bool(_PAGE_NUMBER.fullmatch(text))
    roman = None if numbers else _ROMAN_AT_END.search(text.lower() if is_page_number else text)
    if roman:
        numbers = (roman_value(roman.group()),)
        text = text[: roman.start()] + text[roman.end() :]
    return HeadText(text, words_key(text), numbers, is_page_number, is_continued_title(text))


def _is_label(text: str) -> bool:
    """Whether a text is the label of a section or a caption, such as "Exhibit 31.1", and nothing else."""
    if is_caption_label(text):
        return True
    number = parse_number(text + " X")
    return number is not None and number.pattern.stands_above_title and number.title_start > len(text)


def words_key(text: str) -> str:
    """The letters of a text, by which the lines of different pages are compared."""
    if text.isascii():  # most lines of most documents, and faster without the expression
        return text.lower().replace("continued", "").translate(_NO_ASCII_LETTERS)
    return _NOISE.sub("", text.casefold())
