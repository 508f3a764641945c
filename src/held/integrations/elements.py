"""The elements of another parser, completed to physical objects: font sizes, lines and gaps.

Other parsers seldom record how text is set. With the PDF, its own styles are looked up: an element's text is
searched among the page's runs, and if the parser has changed the text, the runs inside its box are taken.
Without the PDF the font size is estimated from the box, which the lines of the text fill.
"""

from __future__ import annotations

import math
import unicodedata
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, pairwise

from held.document import (
    FURNITURE,
    Box,
    Document,
    Kind,
    PageContent,
    PageRegion,
    Pages,
    PageSize,
    PhysicalObject,
    Run,
    Style,
    body_style,
    bounding_box,
)

Rows = tuple[tuple[str, ...], ...]
PageSizes = Sequence[PageSize]

NOWHERE = Box(0.0, 0.0, 0.0, 0.0)
A4 = PageSize(595.0, 842.0)

_PLAIN = Style()
_NOT_TEXT = frozenset({Kind.TABLE, Kind.FIGURE, Kind.CONTENTS_ENTRY})  # their boxes hold more than text
_LINE_HEIGHT_EM = 1.2
_WIDE_EM, _NARROW_EM = 1.0, 0.5  # mean width of a Chinese and of another character
_SIZE_STEP_PT = 0.5  # resolution of estimated sizes
_CENTRED_SHARE = 0.02  # of the page's width, that a centred box may be off
_MAX_CENTRED_WIDTH = 0.7  # of the page's width: a wider box is centred anyway
_PREFIX_LENGTH = 24  # characters to find a text by, as its end may be on the next page


@dataclass(frozen=True, slots=True)
class Element:
    """An element of another parser. `reference` locates it in its file, for writing levels back."""

    reference: str
    kind: Kind
    text: str
    parts: tuple[PageRegion, ...]
    style: Style = _PLAIN
    lines: int = 0  # 0: unknown
    rows: Rows = ()


Elements = Sequence[Element]


def build_document(source: str, pages: PageSizes, elements: Elements) -> Document:
    """The document of these elements, which are in reading order; unknown font sizes are estimated."""
    sized = [_estimate_size(element) for element in elements]
    body = body_style((element.style, len(element.text)) for element in body_elements(sized))
    objects: list[PhysicalObject] = []
    furniture: list[PhysicalObject] = []
    last_page = 0
    for element in sized:
        target = furniture if element.kind in FURNITURE else objects
        target.append(_object(element, pages, body))
        for part in element.parts:
            last_page = max(last_page, part.page)
    missing_pages = [A4] * (last_page - len(pages))
    return Document(
        source=source,
        pages=(*pages, *missing_pages),
        objects=_add_gaps(objects),
        furniture=tuple(furniture),
        body=body,
    )


def body_elements(elements: Elements) -> list[Element]:
    """The elements that become objects of the document, in the same order."""
    return [element for element in elements if element.kind not in FURNITURE]


def _estimate_size(element: Element) -> Element:
    """The element with a font size and a number of lines."""
    box = element.parts[0].box
    is_text = element.text and element.kind not in _NOT_TEXT
    has_extent = box.height > 0 and box.width > 0
    if element.style.size or not is_text or not has_extent:
        return replace(element, lines=max(element.lines, 1))
    # A first guess from the area that the text fills gives the number of lines; that gives the size.
    area = sum(part.box.height * part.box.width for part in element.parts)
    area_in_em = _LINE_HEIGHT_EM * _text_width_em(element.text)
    guess = math.sqrt(area / area_in_em)
    lines = max(1, round(box.height / (_LINE_HEIGHT_EM * guess)))
    size = box.height / lines / _LINE_HEIGHT_EM
    steps = max(1, round(size / _SIZE_STEP_PT))
    style = element.style._replace(size=steps * _SIZE_STEP_PT)
    return replace(element, style=style, lines=lines)


def _text_width_em(text: str) -> float:
    # W and F: wide and full-width characters (Unicode Standard Annex 11).
    wide = sum(unicodedata.east_asian_width(character) in "WF" for character in text)
    return wide * _WIDE_EM + (len(text) - wide) * _NARROW_EM


def _object(element: Element, pages: PageSizes, body: Style) -> PhysicalObject:
    first = element.parts[0]
    page = A4
    if first.page <= len(pages):
        page = pages[first.page - 1]
    has_sizes = element.style.size > 0 and body.size > 0
    return PhysicalObject(
        kind=element.kind,
        text=element.text,
        parts=element.parts,
        style=element.style,
        centred=_is_centred(first.box, page),
        caps=element.text.isupper(),
        lines=element.lines,
        relative_size=element.style.size / body.size if has_sizes else 1.0,
        rows=element.rows,
    )


def _is_centred(box: Box, page: PageSize) -> bool:
    offset = abs((box.x0 + box.x1) - page.width) / 2
    is_narrow = 0 < box.width < _MAX_CENTRED_WIDTH * page.width
    return is_narrow and offset < _CENTRED_SHARE * page.width


def _add_gaps(objects: list[PhysicalObject]) -> tuple[PhysicalObject, ...]:
    """The objects with the white space between consecutive ones in a column."""
    if not objects:
        return ()
    between = [_gap(above.parts[-1], below.parts[0]) for above, below in pairwise(objects)]
    gaps_above_and_below = pairwise([None, *between, None])
    spaced = []
    for item, (above, below) in zip(objects, gaps_above_and_below, strict=True):
        spaced.append(replace(item, gap_above=above, gap_below=below))
    return tuple(spaced)


def _gap(above: PageRegion, below: PageRegion) -> float | None:
    upper, lower = above.box, below.box
    if above.page != below.page or NOWHERE in (upper, lower):
        return None
    share_column = lower.x0 <= upper.x1 and upper.x0 <= lower.x1
    gap = lower.y0 - upper.y1
    return gap if share_column and gap >= 0 else None


def page_sizes(pages: Pages) -> tuple[PageSize, ...]:
    """The sizes and labels of a PDF's pages."""
    return tuple(PageSize(page.width, page.height, page.label) for page in pages.pages)


def add_pdf_styles(elements: Elements, sizes: PageSizes, pages: Pages) -> list[Element]:
    """The elements in the PDF's points and styles; `sizes` are the parser's sizes of the pages."""
    texts = [_PageText(page) for page in pages.pages]
    styled = []
    for element in elements:
        parts = tuple(_scale_region(part, sizes, pages) for part in element.parts)
        styled.append(_add_style(replace(element, parts=parts), texts, pages.styles))
    return styled


class _PageText:
    """The characters of a page without white space, and the run that each comes from."""

    def __init__(self, page: PageContent) -> None:
        squeezed = [_remove_spaces(run.text) for run in page.runs]
        ends = list(accumulate(len(text) for text in squeezed))
        self.runs = page.runs
        self._starts = [0, *ends[:-1]]
        self._text = "".join(squeezed)
        self._searched = 0  # elements are in reading order, so the search continues from here

    def find(self, text: str) -> list[Run]:
        """The runs that show a text, or at least its beginning; none if it is not found."""
        wanted = _remove_spaces(text)
        return self._find(wanted) or self._find(wanted[:_PREFIX_LENGTH])

    def _find(self, wanted: str) -> list[Run]:
        if not wanted:
            return []
        start = self._text.find(wanted, self._searched)
        if start < 0:  # the order of the parser may differ from that of the PDF
            start = self._text.find(wanted)
        if start < 0:
            return []
        self._searched = start + len(wanted)
        first = self._run_at(start)
        last = self._run_at(self._searched - 1)
        found = self.runs[first : last + 1]
        return [run for run in found if run.text.strip()]

    def _run_at(self, position: int) -> int:
        """The index of the run with a character: the last that does not start after it."""
        return bisect_right(self._starts, position) - 1

    def inside(self, box: Box) -> list[Run]:
        """The runs whose centre lies in a box."""
        found = []
        for run in self.runs:
            x = (run.x0 + run.x1) / 2
            y = (run.y0 + run.y1) / 2
            is_inside = box.x0 <= x <= box.x1 and box.y0 <= y <= box.y1
            if is_inside:
                found.append(run)
        return found


def _remove_spaces(text: str) -> str:
    return "".join(text.split())


def _add_style(element: Element, texts: Sequence[_PageText], styles: Sequence[Style]) -> Element:
    first, *others = element.parts
    if first.page > len(texts):
        return element
    page = texts[first.page - 1]
    runs = page.find(element.text) or page.inside(first.box)
    if not runs:
        return element
    if first.box == NOWHERE:  # the parser gave no box, and the text was found
        first = PageRegion(first.page, bounding_box(runs))
    style = body_style((styles[run.style], len(run.text)) for run in runs)
    return replace(element, style=style, lines=_count_lines(runs), parts=(first, *others))


def _count_lines(runs: Sequence[Run]) -> int:
    """The number of lines: a run below the middle of the line before it begins a new one."""
    lines, middle = 0, float("-inf")
    for run in sorted(runs, key=lambda run: run.y0):
        if run.y0 > middle:
            lines += 1
            middle = (run.y0 + run.y1) / 2
    return lines


def _scale_region(part: PageRegion, sizes: PageSizes, pages: Pages) -> PageRegion:
    """The region in the PDF's points: other parsers may measure in pixels."""
    if part.page > min(len(sizes), len(pages.pages)):
        return part
    parser_page = sizes[part.page - 1]
    pdf_page = pages.pages[part.page - 1]
    x_scale = pdf_page.width / parser_page.width
    y_scale = pdf_page.height / parser_page.height
    x0, y0, x1, y1 = part.box
    box = Box(x0 * x_scale, y0 * y_scale, x1 * x_scale, y1 * y_scale)
    return PageRegion(part.page, box)
