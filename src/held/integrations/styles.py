"""How another parser's elements are set, looked up in the PDF itself.

An element's text is searched among the page's runs; where it is not found as it stands, because the other
parser joined or mended it, the runs inside its box tell.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import replace
from itertools import accumulate

from held.document import Box, PageContent, PageRegion, Pages, PageSize, Run, Style, body_style, bounding_box
from held.integrations.foreign import NOWHERE, Foreign

_BEGINNING = 24  # characters that tell a text from others: its end may stand on the next page


def pages_of(pages: Pages) -> tuple[PageSize, ...]:
    """The sizes and labels of a PDF's pages."""
    return tuple(PageSize(page.width, page.height, page.label) for page in pages.pages)


def with_styles(elements: Sequence[Foreign], sizes: Sequence[PageSize], pages: Pages) -> list[Foreign]:
    """The elements in the PDF's measures and styles; `sizes` are those of the pages they were found on."""
    texts = [_PageText(page) for page in pages.pages]
    return [_styled(_scaled(element, sizes, pages), texts, pages.styles) for element in elements]


class _PageText:
    """The characters of a page without white space, and which run each comes from."""

    def __init__(self, page: PageContent) -> None:
        squeezed = [_squeezed(run.text) for run in page.runs]
        ends = list(accumulate(len(text) for text in squeezed))
        self.runs = page.runs
        self._starts = [0, *ends[:-1]]
        self._text = "".join(squeezed)
        self._searched = 0  # elements come in reading order, so the next one mostly stands further on

    def find(self, text: str) -> list[Run]:
        """The runs that show a text, or at least its beginning; none where it is not found."""
        wanted = _squeezed(text)
        return self._find(wanted) or self._find(wanted[:_BEGINNING])

    def _find(self, wanted: str) -> list[Run]:
        if not wanted:
            return []
        start = self._text.find(wanted, self._searched)
        if start < 0:
            start = self._text.find(wanted)
        if start < 0:
            return []
        self._searched = start + len(wanted)
        first = self._run_at(start)
        last = self._run_at(self._searched - 1)
        return [run for run in self.runs[first : last + 1] if run.text.strip()]

    def _run_at(self, place: int) -> int:
        """Which run has the character at a place: the last that does not start after it."""
        return bisect_right(self._starts, place) - 1

    def inside(self, box: Box) -> list[Run]:
        """The runs whose centre lies in a box."""
        found = []
        for run in self.runs:
            x = (run.x0 + run.x1) / 2
            y = (run.y0 + run.y1) / 2
            if box.x0 <= x <= box.x1 and box.y0 <= y <= box.y1:
                found.append(run)
        return found


def _styled(element: Foreign, texts: Sequence[_PageText], styles: Sequence[Style]) -> Foreign:
    part = element.parts[0]
    if part.page > len(texts):
        return element
    page = texts[part.page - 1]
    runs = page.find(element.text) or page.inside(part.box)
    if not runs:
        return element
    parts = element.parts
    if part.box == NOWHERE:
        parts = (PageRegion(part.page, bounding_box(runs)), *element.parts[1:])
    style = body_style((styles[run.style], len(run.text)) for run in runs)
    return replace(element, style=style, lines=_lines(runs), parts=parts)


def _lines(runs: Sequence[Run]) -> int:
    """How many lines the runs stand in: a new one begins below the middle of the one before."""
    lines, middle = 0, float("-inf")
    for run in sorted(runs, key=lambda run: run.y0):
        if run.y0 > middle:
            lines += 1
            middle = (run.y0 + run.y1) / 2
    return lines


def _scaled(element: Foreign, sizes: Sequence[PageSize], pages: Pages) -> Foreign:
    parts = tuple(_scaled_part(part, sizes, pages) for part in element.parts)
    return replace(element, parts=parts)


def _scaled_part(part: PageRegion, sizes: Sequence[PageSize], pages: Pages) -> PageRegion:
    """The part in the PDF's points: other parsers may measure in pixels."""
    if not part.page <= min(len(sizes), len(pages.pages)):
        return part
    there, here = sizes[part.page - 1], pages.pages[part.page - 1]
    wider = here.width / there.width
    higher = here.height / there.height
    x0, y0, x1, y1 = part.box
    return PageRegion(part.page, Box(x0 * wider, y0 * higher, x1 * wider, y1 * higher))


def _squeezed(text: str) -> str:
    return "".join(text.split())
