"""Rotated pages, and text that does not run in horizontal lines.

- Rotated runs: margin marks and watermarks are furniture; the rest belongs to figures.
- Sideways pages: a table is set sideways without the page being rotated. The page is rotated, laid out like
  any other, and its blocks get their boxes on the stored page again.
- Vertical pages: Chinese or Japanese text in columns from top to bottom. Seen from its right edge such a page
  reads like any other, so it is rotated first, and the document gets its boxes back at the end.
- Turned pages: scans that lie on their side or upside down come from the OCR turned upright. After their
  headings are found, the boxes go back to the pages as they are viewed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from dataclasses import replace
from itertools import islice, pairwise
from typing import NamedTuple

from held.document import (
    Box,
    Document,
    Note,
    PageContent,
    PageRegion,
    Pages,
    PhysicalObject,
    Run,
    Style,
    bounding_box,
)
from held.layout.blocks import Block
from held.layout.characters import is_cjk
from held.layout.furniture import find_rotated_furniture
from held.layout.lines import Line, build_lines, rotated_runs
from held.layout.page_layout import PageItems, find_page_items
from held.layout.tolerances import (
    MAX_VERTICAL_RUN_EM,
    MIN_SIDEWAYS_OVERLAP_SHARE,
    MIN_SIDEWAYS_TABLE_SHARE,
    MIN_SIDEWAYS_TEXT_SHARE,
    MIN_SIDEWAYS_UPRIGHT_SHARE,
    MIN_VERTICAL_RUN_TIMES,
    MIN_VERTICAL_TEXT_SHARE,
)
from held.reading.text_checks import format_pages

# --- pages rotated as a viewer shows them ---
#
# Pages rotated as a viewer shows them.
#
# Reader and corpus keep a page as it is stored, with its `rotation`, so that both agree. Line building needs
# the page upright.


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
        swapped = style._replace(upright=not style.upright)
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


MIN_SIDEWAYS_CHARS = 100  # of a page's rotated text: fewer are labels along the axes of figures
MIN_DIRECTED_CHARS = 3  # shorter runs may be as high as wide, whichever way they go
MIN_VERTICAL_COLUMN_CHARS = 10  # on average: shorter columns are the names in a chart
VERTICAL_SAMPLE = 30  # first runs: where none of them is vertical, the page is not examined further

Runs = Sequence[Run]


# --- Rotated runs ---


def separate_rotated_text(
    pages: Pages, overlays: Set[int] = frozenset()
) -> tuple[list[list[Run]], list[PhysicalObject]]:
    """The rotated runs of each page that are content, and those of the document that are furniture."""
    content: list[list[Run]] = [[] for _ in pages.pages]
    furniture: list[PhysicalObject] = []
    if all(style.upright for style in pages.styles):
        return content, furniture
    for index, kinds in enumerate(find_rotated_furniture(pages, overlays)):
        for i, run in enumerate(rotated_runs(pages.pages[index], pages.styles)):
            if i in kinds:
                region = PageRegion(pages.first_page + index, bounding_box([run]))
                style = pages.styles[run.style]
                furniture.append(PhysicalObject(kinds[i], run.text, (region,), style=style))
            else:
                content[index].append(run)
    return content, furniture


# --- Sideways pages ---


class SidewaysPage(NamedTuple):
    """What stands on a page that was rotated upright, and how boxes get back to the stored page."""

    items: PageItems
    restore: BoxTransform


def find_sideways_pages(pages: Pages, rotated: list[list[Run]]) -> dict[int, SidewaysPage]:
    """The pages that are set sideways, by index; takes their runs out of `rotated`."""
    found = {}
    for index, runs in enumerate(rotated):
        if not runs:
            continue
        number = pages.first_page + index
        sideways = _sideways_page(pages.pages[index], runs, pages.styles, number)
        if sideways is not None:
            found[index] = sideways
            rotated[index] = []
    return found


def _sideways_page(
    page: PageContent, runs: Runs, styles: Sequence[Style], number: int
) -> SidewaysPage | None:
    """The content of a page whose rotated runs are mostly tables, or None."""
    if not _is_set_sideways(runs, page.runs):
        return None
    rotation = QUARTER if _reads_upwards(runs) else THREE_QUARTERS
    sideways = replace(page, runs=tuple(runs), fields=(), rotation=rotation)
    upright = rotate_page(sideways, rotated_style=int)
    lines = build_lines(upright, [style._replace(upright=True) for style in styles])
    items = find_page_items(upright, number, lines, furniture={}, contents=())
    if not _has_tables(items, lines):
        return None
    back = replace(upright, rotation=FULL - rotation)
    return SidewaysPage(items, box_rotation(back))


def _is_set_sideways(runs: Runs, all_runs: Runs) -> bool:
    """Whether rotated runs are most of a page's text, and stand at right angles to the rest."""
    characters = _characters(runs)
    if characters < MIN_SIDEWAYS_CHARS or characters < MIN_SIDEWAYS_TEXT_SHARE * _characters(all_runs):
        return False
    # The style of a run says only that it is not upright; one that stands aslant is about as wide as high.
    at_right_angle = []
    for run in runs:
        is_high = run.y1 - run.y0 > run.x1 - run.x0
        if is_high or len(run.text.strip()) < MIN_DIRECTED_CHARS:
            at_right_angle.append(run)
    return _characters(at_right_angle) > MIN_SIDEWAYS_UPRIGHT_SHARE * characters


def _characters(runs: Iterable[Run]) -> int:
    return sum(len(run.text) for run in runs)


def _reads_upwards(runs: Runs) -> bool:
    """Whether lines run up the page, one right of the other, rather than down it from right to left.

    The order in which the runs are printed shows it.
    """
    upwards = 0
    for before, run in pairwise(runs):
        shared = min(before.x1, run.x1) - max(before.x0, run.x0)
        narrower = min(before.x1 - before.x0, run.x1 - run.x0)
        same_line = shared > MIN_SIDEWAYS_OVERLAP_SHARE * narrower
        goes_up = run.y0 < before.y0 if same_line else run.x0 > before.x0
        upwards += 1 if goes_up else -1
    return upwards > 0


def _has_tables(items: PageItems, lines: Sequence[Line]) -> bool:
    in_tables = sum(len(block.text) for block in items.blocks if block.table)
    return in_tables > MIN_SIDEWAYS_TABLE_SHARE * sum(len(line.text) for line in lines)


def restore_block(block: Block, restore: BoxTransform) -> Block:
    """The block with its box, and those of its cells, on the stored page."""
    block.parts = [PageRegion(block.page, restore(*block.box))]
    if block.table is not None:
        cells = tuple([cell._replace(box=restore(*cell.box)) for cell in block.table.cells])
        block.table = block.table._replace(cells=cells)
    return block


# --- Vertical pages ---


def rotate_vertical_pages(pages: Pages) -> tuple[Pages, dict[int, BoxTransform]]:
    """The pages with those of vertical text rotated, and for each of these, by index, the way back."""
    vertical = [index for index, page in enumerate(pages.pages) if _is_vertical(page, pages.styles)]
    if not vertical:
        return pages, {}
    styles = {style: index for index, style in enumerate(pages.styles)}

    def upright_style(index: int) -> int:
        # Foreign words lie on their side among the columns: rotated, they are upright, too.
        return styles.setdefault(pages.styles[index]._replace(upright=True), len(styles))

    content = list(pages.pages)
    restore = {}
    for index in vertical:
        content[index] = rotate_page(replace(content[index], rotation=THREE_QUARTERS), upright_style)
        restore[index] = box_rotation(replace(content[index], rotation=QUARTER))
    return replace(pages, pages=tuple(content), styles=tuple[Style, ...](styles)), restore


def _is_vertical(page: PageContent, styles: Sequence[Style]) -> bool:
    """Whether most of a page's text stands in columns of characters."""
    if not any(_is_vertical_run(run, styles) for run in islice(page.runs, VERTICAL_SAMPLE)):
        return False
    columns = [run for run in page.runs if _is_vertical_run(run, styles)]
    characters = _characters(columns)
    if characters < MIN_VERTICAL_COLUMN_CHARS * len(columns):
        return False
    return characters > MIN_VERTICAL_TEXT_SHARE * _characters(page.runs)


def _is_vertical_run(run: Run, styles: Sequence[Style]) -> bool:
    """Whether the upright characters of a run stand one below the other."""
    width, height = run.x1 - run.x0, run.y1 - run.y0
    if height <= MIN_VERTICAL_RUN_TIMES * width or len(run.text) < MIN_DIRECTED_CHARS:
        return False
    style = styles[run.style]
    is_one_wide = width < MAX_VERTICAL_RUN_EM * style.size
    return style.upright and is_one_wide and any(map(is_cjk, run.text))


def restore_vertical_pages(
    document: Document, restore: Mapping[int, BoxTransform], viewed: Pages
) -> Document:
    """The document with the boxes of vertical pages on the pages as they are viewed."""
    if not restore:
        return document
    sizes = {index: (viewed.pages[index].width, viewed.pages[index].height) for index in restore}
    restored = _restore_pages(document, restore, sizes)
    numbers = [document.first_page + index for index in restore]
    note = f"{format_pages(numbers)}: text from top to bottom, read in columns from the right"
    return replace(restored, notes=(*restored.notes, Note(None, note)))


# --- Turned pages ---


def restore_turned_pages(document: Document, pages: Pages) -> Document:
    """The document with the boxes of turned scans on the pages as they are viewed."""
    restore = {}
    sizes = {}
    for index, page in enumerate(pages.pages):
        if page.turn:
            restore[index] = box_rotation(replace(page, rotation=FULL - page.turn))
            is_on_side = page.turn != HALF
            sizes[index] = (page.height, page.width) if is_on_side else (page.width, page.height)
    return _restore_pages(document, restore, sizes) if restore else document


def _restore_pages(
    document: Document, restore: Mapping[int, BoxTransform], sizes: Mapping[int, tuple[float, float]]
) -> Document:
    """The document with the boxes on these pages moved, and with the sizes that the pages then have."""
    transforms = {document.first_page + index: transform for index, transform in restore.items()}
    page_sizes = list(document.pages)
    for index, (width, height) in sizes.items():
        page_sizes[index] = page_sizes[index]._replace(width=width, height=height)

    def restore_box(page: int, box: Box) -> Box:
        return transforms[page](*box) if page in transforms else box

    return replace(
        document,
        pages=tuple(page_sizes),
        objects=tuple(_restore_object(item, restore_box) for item in document.objects),
        furniture=tuple(_restore_object(item, restore_box) for item in document.furniture),
    )


def _restore_object(item: PhysicalObject, restore_box: Callable[[int, Box], Box]) -> PhysicalObject:
    parts = tuple(part._replace(box=restore_box(part.page, part.box)) for part in item.parts)
    table = item.table
    if table is not None:
        cells = tuple(cell._replace(box=restore_box(cell.page, cell.box)) for cell in table.cells)
        table = replace(table, cells=cells)
    return replace(item, parts=parts, table=table)
