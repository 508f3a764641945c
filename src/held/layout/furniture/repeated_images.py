"""Pictures that stay when the page is turned: logos in the running head, seals behind the text.

A bitmap at the same place of several pages is furniture, and must not swallow the text that it lies behind.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from held.document import Box, Kind, PageRegion, Pages, PhysicalObject
from held.layout.tolerances import (
    MIN_GROUND_IMAGE_SHARE,
    MIN_REPEATED_IMAGE_PAGES_SHARE,
    SAME_POSITION_RASTER_PT,
)

REPEATS = 3  # pages, and


def part_emblems(pages: Pages) -> tuple[Pages, list[PhysicalObject]]:
    """The pages without the pictures that many of them share, and these as furniture."""
    counts = Counter(_place(image) for page in pages.pages for image in set(page.images))
    least = max(REPEATS, MIN_REPEATED_IMAGE_PAGES_SHARE * len(pages.pages))
    repeated = {place for place, count in counts.items() if count >= least}
    if not repeated:
        return pages, []
    furniture = []
    kept = []
    for number, page in enumerate(pages.pages, start=pages.first_page):
        images = []
        for image in page.images:
            if _place(image) in repeated:
                kind = _kind(image, page.width, page.height)
                furniture.append(PhysicalObject(kind, "", (PageRegion(number, image),)))
            else:
                images.append(image)
        unchanged = len(images) == len(page.images)
        kept.append(page if unchanged else replace(page, images=tuple(images)))
    return replace(pages, pages=tuple(kept)), furniture


def _place(image: Box) -> tuple[int, ...]:
    return tuple(round(edge / SAME_POSITION_RASTER_PT) for edge in image)


def _kind(image: Box, width: float, height: float) -> Kind:
    if image.width * image.height > MIN_GROUND_IMAGE_SHARE * width * height:
        return Kind.WATERMARK
    return Kind.HEADER if image.y1 < height / 2 else Kind.FOOTER
