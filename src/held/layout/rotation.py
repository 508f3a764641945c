"""Pages turned as a viewer shows them.

Reader and corpus keep a page as it is stored, with `rotation` telling how a viewer turns it, so that both
agree; whoever looks for lines needs it turned.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from held.document import Box, PageContent, Pages, Run, Style

QUARTER, HALF, THREE_QUARTERS = 90, 180, 270  # degrees, clockwise

BoxTransform = Callable[[float, float, float, float], Box]


def apply_rotation(pages: Pages) -> Pages:
    """The same pages with every turned page upright; pages that are not turned stay the same values."""
    if not any(page.rotation for page in pages.pages):
        return pages
    styles = {style: index for index, style in enumerate(pages.styles)}

    def turned_style(index: int) -> int:
        # The style knows only whether text is upright on the page: turned, it is so if it was not before.
        style = pages.styles[index]
        return styles.setdefault(replace(style, upright=not style.upright), len(styles))

    upright = tuple(rotate_page(page, turned_style) if page.rotation else page for page in pages.pages)
    return replace(pages, pages=upright, styles=tuple[Style, ...](styles))


def rotate_page(page: PageContent, turned_style: Callable[[int], int]) -> PageContent:
    """The page turned by its rotation; `turned_style` gives the style of a run from the one that it had."""
    turn = box_rotation(page)
    sideways = page.rotation in (QUARTER, THREE_QUARTERS)

    def runs(of: tuple[Run, ...]) -> tuple[Run, ...]:
        return tuple(
            Run(*turn(x0, y0, x1, y1), turned_style(style), text) for x0, y0, x1, y1, style, text in of
        )

    return replace(
        page,
        width=page.height if sideways else page.width,
        height=page.width if sideways else page.height,
        runs=runs(page.runs),
        rules=tuple(turn(*rule) for rule in page.rules),
        images=tuple(turn(*image) for image in page.images),
        fields=runs(page.fields),
        rotation=0,
    )


def box_rotation(page: PageContent) -> BoxTransform:
    """How a box moves when the page is turned clockwise by its rotation."""
    width, height = page.width, page.height

    def turn(x0: float, y0: float, x1: float, y1: float) -> Box:
        if page.rotation == QUARTER:
            x0, y0, x1, y1 = height - y1, x0, height - y0, x1
        elif page.rotation == HALF:
            x0, y0, x1, y1 = width - x1, height - y1, width - x0, height - y0
        else:
            x0, y0, x1, y1 = y0, width - x1, y1, width - x0
        return Box(round(x0, 1), round(y0, 1), round(x1, 1), round(y1, 1))

    return turn
