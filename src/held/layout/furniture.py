"""Which lines of a page are furniture: running heads and feet, page numbers, watermarks, margin marks.

All of it is known by what the pages of a document have in common: `held.layout.running_heads`
compares the tops and bottoms of pages, this module looks inside the text area and along the sides.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import pairwise

from held.document import Box, Kind, PageRegion, Pages, PhysicalObject, Run, Style
from held.layout.lines import Line, rotated_runs
from held.layout.running_heads import mark_running_heads
from held.layout.tolerances import (
    DEFAULT_BODY_SIZE_PT,
    MARGIN_ZONE_SHARE,
    MAX_TURNED_CHARACTERS_SHARE,
    MIN_DIAGONAL_EXTENT_EM,
    MIN_EVEN_STEPS_SHARE,
    MIN_GROUND_IMAGE_SHARE,
    MIN_LINE_NUMBERED_PAGES_SHARE,
    MIN_REPEATED_IMAGE_PAGES_SHARE,
    MIN_TURNED_WATERMARK_SIZE_PT,
    MIN_WATERMARK_PAGES_SHARE,
    MIN_WATERMARK_SIZE_TIMES,
    NARROW_MARGIN_ZONE_SHARE,
    SAME_POSITION_RASTER_PT,
    SIDE_TAB_ZONE_BOTTOM_SHARE,
    SIDE_TAB_ZONE_TOP_SHARE,
    WATERMARK_ZONE_BOTTOM_SHARE,
    WATERMARK_ZONE_TOP_SHARE,
)

# Watermarks: large, light or aslant, and inside the text area, where no running head stands.
LIGHT_CHANNEL = 120  # of 255: every channel of a light colour is above this,
LIGHT_SUM = 540  # or all three together are above this
TURNED_REPEATS = 3  # pages that make a turned text a repeated one
WATERMARK_REPEATS = 4  # pages, at least, with the same watermark, and

# Side tabs and line numbers.
TAB_LETTERS = 3  # fewer may be an item's number in a wide margin
TAB_REPEATS = 4  # pages
FEWEST_NUMBERS = 8  # line numbers on a page that has them
LINE_STEPS = (1, 5, 10)  # every line is counted, or every fifth or tenth

Place = tuple[str, int, int]  # a text, and where it begins on the raster


def find_furniture(pages: Pages, lines: Sequence[Sequence[Line]]) -> list[dict[int, Kind]]:
    """For each page the lines that are furniture, and which kind."""
    found: list[dict[int, Kind]] = [{} for _ in lines]
    if len(lines) > 1:
        body_size = _body_size(lines)
        _mark_watermarks(pages, lines, body_size, found)
        _mark_margins(pages, lines, found)
        mark_running_heads(pages, lines, body_size, found)
    return found


def find_rotated_furniture(pages: Pages) -> list[dict[int, Kind]]:
    """For each page the turned runs (indices into `rotated_runs`) that are furniture, and which kind.

    What stands at the page's very side, or in its margin on several pages, is a margin mark (stamps, side
    tabs); what is large, light or diagonal and stands at the same place of several pages is a watermark.
    Axis labels, sideways tables and pages that are turned as a whole are not listed.
    """
    runs = [rotated_runs(page, pages.styles) for page in pages.pages]
    places = Counter(_position(run) for page_runs in runs for run in page_runs)
    found: list[dict[int, Kind]] = []
    for page, page_runs in zip(pages.pages, runs, strict=True):
        sideways = _characters(page_runs) > MAX_TURNED_CHARACTERS_SHARE * _characters(page.runs)
        kinds = {}
        for i, run in enumerate(page_runs):
            repeated = places[_position(run)] >= TURNED_REPEATS
            edge = (MARGIN_ZONE_SHARE if repeated else NARROW_MARGIN_ZONE_SHARE) * page.width
            at_side = run.x1 < edge or run.x0 > page.width - edge
            if at_side and (repeated or not sideways):
                kinds[i] = Kind.MARGIN
            elif _looks_like_watermark(run, pages.styles[run.style], repeated):
                kinds[i] = Kind.WATERMARK
        found.append(kinds)
    return found


def _characters(runs: Sequence[Run]) -> int:
    return sum(len(run.text) for run in runs)


def _position(text: Run | Line) -> Place:
    return text.text, round(text.x0 / SAME_POSITION_RASTER_PT), round(text.y0 / SAME_POSITION_RASTER_PT)


def _looks_like_watermark(run: Run, style: Style, repeated: bool) -> bool:
    large = style.size > MIN_TURNED_WATERMARK_SIZE_PT
    diagonal = min(run.x1 - run.x0, run.y1 - run.y0) > MIN_DIAGONAL_EXTENT_EM * style.size
    if repeated:
        return large or diagonal or _is_light(style)
    return large and diagonal and _is_light(style)


def _body_size(lines: Sequence[Sequence[Line]]) -> float:
    """The font size that sets most characters."""
    characters: dict[float, int] = defaultdict(int)
    for page in lines:
        for line in page:
            characters[line.size] += len(line.text)
    return max(characters, key=characters.__getitem__, default=DEFAULT_BODY_SIZE_PT)


def _is_light(style: Style) -> bool:
    channels = bytes.fromhex(style.colour)
    return min(channels) > LIGHT_CHANNEL or sum(channels) > LIGHT_SUM


def _mark_watermarks(
    pages: Pages, lines: Sequence[Sequence[Line]], body_size: float, found: list[dict[int, Kind]]
) -> None:
    """Mark large or light text that stands at the same place of most pages, inside the text area."""
    large = MIN_WATERMARK_SIZE_TIMES * body_size
    suspects = {i for i, style in enumerate(pages.styles) if style.size > large or _is_light(style)}
    places: dict[Place, list[tuple[int, int]]] = defaultdict(list)
    for number, (page, page_lines) in enumerate(zip(pages.pages, lines, strict=True)):
        for i, line in enumerate(page_lines):
            if line.style not in suspects:
                continue
            middle = (line.y0 + line.y1) / 2
            if WATERMARK_ZONE_TOP_SHARE < middle / page.height < WATERMARK_ZONE_BOTTOM_SHARE:
                places[_position(line)].append((number, i))
    least = max(WATERMARK_REPEATS, len(lines) * MIN_WATERMARK_PAGES_SHARE)
    _mark_repeated(places, least, Kind.WATERMARK, found)


def _mark_repeated(
    places: Mapping[Place, Sequence[tuple[int, int]]],
    least: float,
    kind: Kind,
    found: list[dict[int, Kind]],
) -> None:
    """Mark the lines, given by page and index, of which so many stand at one place of their pages."""
    for group in places.values():
        if len(group) >= least:
            for number, i in group:
                found[number][i] = kind


def _mark_margins(pages: Pages, lines: Sequence[Sequence[Line]], found: list[dict[int, Kind]]) -> None:
    """Mark line numbers along the text of most pages, and side tabs that several pages repeat."""
    tabs: dict[Place, list[tuple[int, int]]] = defaultdict(list)
    line_numbers: list[tuple[int, list[int]]] = []
    for number, (page, page_lines) in enumerate(zip(pages.pages, lines, strict=True)):
        left, right = MARGIN_ZONE_SHARE * page.width, (1 - MARGIN_ZONE_SHARE) * page.width
        outside = [i for i, line in enumerate(page_lines) if line.x1 < left or line.x0 > right]
        counted = [i for i in outside if page_lines[i].text.isdecimal()]
        if _count_lines(page_lines, counted):
            line_numbers.append((number, counted))
        for i in outside:
            line = page_lines[i]
            letters = sum(map(str.isalpha, line.text))
            in_zone = SIDE_TAB_ZONE_TOP_SHARE < line.y0 / page.height < SIDE_TAB_ZONE_BOTTOM_SHARE
            if in_zone and letters >= TAB_LETTERS:
                tabs[_position(line)].append((number, i))
    if len(line_numbers) >= MIN_LINE_NUMBERED_PAGES_SHARE * len(lines):
        for number, counted in line_numbers:
            found[number].update(dict.fromkeys(counted, Kind.MARGIN))
    _mark_repeated(tabs, TAB_REPEATS, Kind.MARGIN, found)


def _count_lines(lines: Sequence[Line], numbers: Sequence[int]) -> bool:
    """Whether numbers in the margin count the lines of the page: many, in even steps."""
    if len(numbers) < FEWEST_NUMBERS:
        return False
    downwards = sorted(numbers, key=lambda i: lines[i].y0)
    values = [int(lines[i].text) for i in downwards]
    steps = [b - a for a, b in pairwise(values)]
    step = max(set(steps), key=steps.count)
    return step in LINE_STEPS and steps.count(step) > MIN_EVEN_STEPS_SHARE * len(steps)


REPEATS = 3  # pages, and


def separate_repeated_images(pages: Pages) -> tuple[Pages, list[PhysicalObject]]:
    """The pages without the pictures that many of them share, and these as furniture."""
    counts = Counter(_image_position(image) for page in pages.pages for image in set(page.images))
    least = max(REPEATS, MIN_REPEATED_IMAGE_PAGES_SHARE * len(pages.pages))
    repeated = {place for place, count in counts.items() if count >= least}
    if not repeated:
        return pages, []
    furniture = []
    kept = []
    for number, page in enumerate(pages.pages, start=pages.first_page):
        images = []
        for image in page.images:
            if _image_position(image) in repeated:
                kind = _kind(image, page.width, page.height)
                furniture.append(PhysicalObject(kind, "", (PageRegion(number, image),)))
            else:
                images.append(image)
        unchanged = len(images) == len(page.images)
        kept.append(page if unchanged else replace(page, images=tuple(images)))
    return replace(pages, pages=tuple(kept)), furniture


def _image_position(image: Box) -> tuple[int, ...]:
    return tuple(round(edge / SAME_POSITION_RASTER_PT) for edge in image)


def _kind(image: Box, width: float, height: float) -> Kind:
    if image.width * image.height > MIN_GROUND_IMAGE_SHARE * width * height:
        return Kind.WATERMARK
    return Kind.HEADER if image.y1 < height / 2 else Kind.FOOTER
