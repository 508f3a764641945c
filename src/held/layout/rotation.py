"""Pages rotated as a viewer shows them.

Reader and corpus keep a page as it is stored, with its `rotation`, so that both agree. Line building needs
the page upright.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from held.document import Box, PageContent, Pages, Run, Style

QUARTER, HALF, THREE_QUARTERS, FULL = 90, 180, 270, 360  # degrees, clockwise

BoxTransform = Callable[[float, float, float, float], Box]


def apply_rotation(pages: Pages) -> Pages:
    """The pages with every rotated page upright; pages without rotation stay the same objects."""
    if not any(page.rotation for page in pages.pages):
        return pages
    styles = {style: index for index, style in enumerate(pages.styles)}

    def rotated_style(index: int) -> int:
        # A style only tells whether its text is upright, so a rotation swaps the two.
        style = pages.styles[index]
        swapped = replace(style, upright=not style.upright)
        return styles.setdefault(swapped, len(styles))

    upright = [rotate_page(page, rotated_style) if page.rotation else page for page in pages.pages]
    return replace(pages, pages=tuple(upright), styles=tuple[Style, ...](styles))


def rotate_page(page: PageContent, rotated_style: Callable[[int], int]) -> PageContent:
    """The page rotated by its rotation; `rotated_style` maps the style of a run to its style afterwards."""
    rotate = box_rotation(page)

    def rotate_runs(runs: tuple[Run, ...]) -> tuple[Run, ...]:
        return tuple(
            Run(*rotate(x0, y0, x1, y1), rotated_style(style), text, tuple(rotate(*word) for word in words))
            for x0, y0, x1, y1, style, text, words in runs
        )

    width, height = page.width, page.height
    if page.rotation in (QUARTER, THREE_QUARTERS):
        width, height = height, width
    return replace(
        page,
        width=width,
        height=height,
        runs=rotate_runs(page.runs),
        rules=tuple(rotate(*rule) for rule in page.rules),
        images=tuple(rotate(*image) for image in page.images),
        fields=rotate_runs(page.fields),
        rotation=0,
    )


def box_rotation(page: PageContent) -> BoxTransform:
    """The function that moves a box as the page is rotated clockwise by its rotation."""
    width, height = page.width, page.height

    def rotate(x0: float, y0: float, x1: float, y1: float) -> Box:
        if page.rotation == QUARTER:
            x0, y0, x1, y1 = height - y1, x0, height - y0, x1
        elif page.rotation == HALF:
            x0, y0, x1, y1 = width - x1, height - y1, width - x0, height - y0
        else:
            x0, y0, x1, y1 = y0, width - x1, y1, width - x0
        return Box(round(x0, 1), round(y0, 1), round(x1, 1), round(y1, 1))

    return rotate
