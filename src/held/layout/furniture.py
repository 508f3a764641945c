"""Page furniture: lines and images that repeat from page to page and are no content.

`held.layout.running_heads` compares the tops and bottoms of pages; this module finds watermarks inside the
text area, marks in the side margins, and repeated images. Repetition says nothing where a slide builds up on
several pages (`find_overlays`): those pages count as one.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence, Set
from dataclasses import replace
from itertools import accumulate, chain, pairwise

from held.document import Box, Kind, PageRegion, Pages, PhysicalObject, Run, Style
from held.layout.lines import Line, rotated_runs
from held.layout.running_heads import mark_running_heads
from held.layout.tolerances import (
    DEFAULT_BODY_SIZE_PT,
    HEAD_ZONE_SHARE,
    MARGIN_ZONE_SHARE,
    MAX_TEMPLATE_PAGES_SHARE,
    MIN_DIAGONAL_EXTENT_EM,
    MIN_EVEN_STEPS_SHARE,
    MIN_GROUND_IMAGE_SHARE,
    MIN_LINE_NUMBERED_PAGES_SHARE,
    MIN_OVERLAY_TEXT_SHARE,
    MIN_REPEATED_IMAGE_PAGES_SHARE,
    MIN_ROTATED_WATERMARK_SIZE_PT,
    MIN_SIDEWAYS_TEXT_SHARE,
    MIN_WATERMARK_PAGES_SHARE,
    MIN_WATERMARK_SIZE_TIMES,
    NARROW_MARGIN_ZONE_SHARE,
    SAME_POSITION_RASTER_PT,
    SIDE_TAB_ZONE_START_SHARE,
    WATERMARK_ZONE_START_SHARE,
)

# Watermarks: large, light or diagonal, and inside the text area, where no running head stands.
MIN_LIGHT_CHANNEL = 120  # of 255, for each channel of a light colour ...
MIN_LIGHT_SUM = 540  # ... or for all three together
MIN_ROTATED_REPEATS = 3  # pages with the same rotated text
MIN_WATERMARK_REPEATS = 4  # pages with the same watermark

# Side tabs and line numbers
MIN_TAB_LETTERS = 3  # fewer may be an item's number in a wide margin
MIN_TAB_REPEATS = 4  # pages
MIN_LINE_NUMBERS = 8  # on a page that has them
LINE_NUMBER_STEPS = (1, 5, 10)  # every line is counted, or every fifth or tenth

MIN_IMAGE_REPEATS = 3  # pages with the same image


PageLines = Sequence[Sequence[Line]]  # of all pages
Furniture = list[dict[int, Kind]]  # for each page the kinds of its furniture by line index
Position = tuple[str, int, int]  # a text, and where it begins on the raster
Occurrences = dict[Position, list[tuple[int, int]]]  # page and line index of each text at a position


def find_furniture(pages: Pages, lines: PageLines, overlays: Set[int] = frozenset()) -> Furniture:
    """For each page the lines that are furniture, and their kind."""
    found: Furniture = [{} for _ in lines]
    slides = list(accumulate(int(index - 1 not in overlays) for index in range(len(lines))))
    # Furniture repeats, so a document of one page has none.
    if len(set(slides)) > 1:
        body_size = _body_size(lines)
        _mark_watermarks(pages, lines, body_size, found, slides)
        _mark_margins(pages, lines, found, slides)
        mark_running_heads(pages, lines, body_size, found, slides)
    return found


# --- slides that build up ---


def find_overlays(pages: Pages, lines: PageLines) -> frozenset[int]:
    """The pages that the next page shows again with more on it, as a slide does that builds up line by line.

    What stands on most pages, such as the names of the sections beside all slides, does not count.
    """
    texts = [{line.text for line in on_page} for on_page in lines]
    counts = Counter(chain.from_iterable(texts))
    most = MAX_TEMPLATE_PAGES_SHARE * len(lines)
    common = {text for text, count in counts.items() if count > most}
    overlays = set()
    for index, (page, following) in enumerate(pairwise(lines)):
        if texts[index].isdisjoint(texts[index + 1]):
            continue
        own = [line for line in page if line.text not in common] if common else page
        if _is_overlay(page, own, following, pages.pages[index].height):
            overlays.add(index)
    return frozenset(overlays)


def _is_overlay(page: Sequence[Line], own: Sequence[Line], following: Sequence[Line], height: float) -> bool:
    """Whether the next page repeats most of the text that is a page's own, or all where none is."""
    top, bottom = HEAD_ZONE_SHARE * height, (1 - HEAD_ZONE_SHARE) * height
    inner = [line for line in own if top < (line.y0 + line.y1) / 2 < bottom]
    texts = {line.text for line in following}
    # Running heads stand on pages without other text, too, which do not grow.
    compared = inner or own or page
    if not inner and len(following) <= len(page):
        return False
    repeated = sum(len(line.text) for line in compared if line.text in texts)
    return repeated >= MIN_OVERLAY_TEXT_SHARE * sum(len(line.text) for line in compared)


# --- rotated text ---


def find_rotated_furniture(pages: Pages, overlays: Set[int] = frozenset()) -> Furniture:
    """For each page the rotated runs (indices into `rotated_runs`) that are furniture, and their kind.

    Text at the page's very side, or in its margin on several pages, is a margin mark (stamps, side tabs).
    Text that is large, light or diagonal and stands at the same position of several pages is a watermark.
    Axis labels, sideways tables and pages that are rotated as a whole are not listed.
    """
    runs = [rotated_runs(page, pages.styles) for page in pages.pages]
    shown = [page_runs for index, page_runs in enumerate(runs) if index not in overlays]
    counts = Counter(_position(run) for page_runs in shown for run in page_runs)
    found: Furniture = []
    for page, page_runs in zip(pages.pages, runs, strict=True):
        is_sideways = _characters(page_runs) > MIN_SIDEWAYS_TEXT_SHARE * _characters(page.runs)
        kinds = {}
        for i, run in enumerate(page_runs):
            is_repeated = counts[_position(run)] >= MIN_ROTATED_REPEATS
            margin = (MARGIN_ZONE_SHARE if is_repeated else NARROW_MARGIN_ZONE_SHARE) * page.width
            at_side = run.x1 < margin or run.x0 > page.width - margin
            if at_side and (is_repeated or not is_sideways):
                kinds[i] = Kind.MARGIN
            elif _is_rotated_watermark(run, pages.styles[run.style], is_repeated):
                kinds[i] = Kind.WATERMARK
        found.append(kinds)
    return found


def _characters(runs: Sequence[Run]) -> int:
    return sum(len(run.text) for run in runs)


def _position(text: Run | Line) -> Position:
    return text.text, round(text.x0 / SAME_POSITION_RASTER_PT), round(text.y0 / SAME_POSITION_RASTER_PT)


def _is_rotated_watermark(run: Run, style: Style, is_repeated: bool) -> bool:
    is_large = style.size > MIN_ROTATED_WATERMARK_SIZE_PT
    is_diagonal = min(run.x1 - run.x0, run.y1 - run.y0) > MIN_DIAGONAL_EXTENT_EM * style.size
    if is_repeated:
        return is_large or is_diagonal or _is_light(style)
    return is_large and is_diagonal and _is_light(style)


def _is_light(style: Style) -> bool:
    channels = bytes.fromhex(style.colour)
    return min(channels) > MIN_LIGHT_CHANNEL or sum(channels) > MIN_LIGHT_SUM


def _body_size(lines: PageLines) -> float:
    """The font size of most characters."""
    characters: dict[float, int] = defaultdict(int)
    for page in lines:
        for line in page:
            characters[line.size] += len(line.text)
    return max(characters, key=characters.__getitem__, default=DEFAULT_BODY_SIZE_PT)


# --- watermarks, side tabs and line numbers ---


def _mark_watermarks(
    pages: Pages, lines: PageLines, body_size: float, found: Furniture, slides: Sequence[int]
) -> None:
    """Marks large or light text at the same position of many pages, inside the text area."""
    min_size = MIN_WATERMARK_SIZE_TIMES * body_size
    candidates = {i for i, style in enumerate(pages.styles) if style.size > min_size or _is_light(style)}
    if not candidates:
        return
    occurrences: Occurrences = defaultdict(list)
    for number, (page, page_lines) in enumerate(zip(pages.pages, lines, strict=True)):
        for i, line in enumerate(page_lines):
            if line.style not in candidates:
                continue
            height = line.middle / page.height
            if WATERMARK_ZONE_START_SHARE < height < 1 - WATERMARK_ZONE_START_SHARE:
                occurrences[_position(line)].append((number, i))
    min_pages = max(MIN_WATERMARK_REPEATS, len(set(slides)) * MIN_WATERMARK_PAGES_SHARE)
    _mark_repeated(occurrences, min_pages, Kind.WATERMARK, found, slides)


def _mark_repeated(
    occurrences: Occurrences, min_pages: float, kind: Kind, found: Furniture, slides: Sequence[int]
) -> None:
    for group in occurrences.values():
        if len({slides[number] for number, _ in group}) >= min_pages:
            for number, i in group:
                found[number][i] = kind


def _mark_margins(pages: Pages, lines: PageLines, found: Furniture, slides: Sequence[int]) -> None:
    """Marks line numbers beside the text of many pages, and side tabs that several pages repeat."""
    tabs: Occurrences = defaultdict(list)
    line_numbers: list[tuple[int, list[int]]] = []
    for number, (page, page_lines) in enumerate(zip(pages.pages, lines, strict=True)):
        left, right = MARGIN_ZONE_SHARE * page.width, (1 - MARGIN_ZONE_SHARE) * page.width
        in_margin = [i for i, line in enumerate(page_lines) if line.x1 < left or line.x0 > right]
        numbers = [i for i in in_margin if page_lines[i].text.isdecimal()]
        if _are_line_numbers(page_lines, numbers):
            line_numbers.append((number, numbers))
        for i in in_margin:
            line = page_lines[i]
            letters = sum(map(str.isalpha, line.text))
            in_zone = SIDE_TAB_ZONE_START_SHARE < line.y0 / page.height < 1 - SIDE_TAB_ZONE_START_SHARE
            if in_zone and letters >= MIN_TAB_LETTERS:
                tabs[_position(line)].append((number, i))
    if len(line_numbers) >= MIN_LINE_NUMBERED_PAGES_SHARE * len(lines):
        for number, numbers in line_numbers:
            found[number].update(dict.fromkeys(numbers, Kind.MARGIN))
    _mark_repeated(tabs, MIN_TAB_REPEATS, Kind.MARGIN, found, slides)


def _are_line_numbers(lines: Sequence[Line], numbers: Sequence[int]) -> bool:
    """Whether numbers in the margin count the lines of the page: many, in even steps."""
    if len(numbers) < MIN_LINE_NUMBERS:
        return False
    downwards = sorted(numbers, key=lambda i: lines[i].y0)
    values = [int(lines[i].text) for i in downwards]
    steps = [b - a for a, b in pairwise(values)]
    step = max(set(steps), key=steps.count)
    return step in LINE_NUMBER_STEPS and steps.count(step) > MIN_EVEN_STEPS_SHARE * len(steps)


# --- repeated images ---


def separate_repeated_images(pages: Pages) -> tuple[Pages, list[PhysicalObject]]:
    """The pages without images that many of them share, and these images as furniture.

    Logos in the running head and seals behind the text must not swallow the text that they lie behind.
    """
    counts = Counter(_image_position(image) for page in pages.pages for image in set(page.images))
    min_pages = max(MIN_IMAGE_REPEATS, MIN_REPEATED_IMAGE_PAGES_SHARE * len(pages.pages))
    repeated = {position for position, count in counts.items() if count >= min_pages}
    if not repeated:
        return pages, []
    furniture = []
    remaining = []
    for number, page in enumerate(pages.pages, start=pages.first_page):
        images = []
        for image in page.images:
            if _image_position(image) in repeated:
                kind = _image_kind(image, page.width, page.height)
                furniture.append(PhysicalObject(kind, "", (PageRegion(number, image),)))
            else:
                images.append(image)
        is_unchanged = len(images) == len(page.images)
        remaining.append(page if is_unchanged else replace(page, images=tuple(images)))
    return replace(pages, pages=tuple(remaining)), furniture


def _image_position(image: Box) -> tuple[int, ...]:
    return tuple(round(edge / SAME_POSITION_RASTER_PT) for edge in image)


def _image_kind(image: Box, width: float, height: float) -> Kind:
    if image.width * image.height > MIN_GROUND_IMAGE_SHARE * width * height:
        return Kind.WATERMARK
    return Kind.HEADER if image.y1 < height / 2 else Kind.FOOTER
