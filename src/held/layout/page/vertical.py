"""Pages whose text is set in columns from top to bottom, as Chinese and Japanese can be.

Seen from its right edge such a page reads like any other. It is turned before anything else is done with
it, and in the end what was found gets its places on the page as it is viewed.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import islice

from held.document import Document, Note, PageContent, Pages, PhysicalObject, Run, Style
from held.layout.characters import is_cjk
from held.layout.rotation import QUARTER, THREE_QUARTERS, BoxTransform, box_rotation, rotate_page
from held.layout.tolerances import MAX_VERTICAL_RUN_EM, MIN_VERTICAL_RUN_TIMES, MIN_VERTICAL_TEXT_SHARE
from held.reading.text_checks import format_pages

LOOKED_AT = 30  # first runs of a page: where none of them stands upright, the page is not looked at further
SHORTEST = 3  # characters: fewer may be as high as wide, whichever way they go
LEAST_LENGTH = 10  # characters of a column, on average: shorter ones are the names in a chart


def turn_vertical(pages: Pages) -> tuple[Pages, dict[int, BoxTransform]]:
    """The pages, those of vertical text turned; for each of these, by its place, how boxes get back."""
    found = [place for place, page in enumerate(pages.pages) if _is_vertical(page, pages.styles)]
    if not found:
        return pages, {}
    styles = {style: index for index, style in enumerate(pages.styles)}

    def turned_style(index: int) -> int:
        # Foreign words lie on their side among the columns: turned, they are upright, too.
        return styles.setdefault(replace(pages.styles[index], upright=True), len(styles))

    content = list(pages.pages)
    back = {}
    for place in found:
        content[place] = rotate_page(replace(content[place], rotation=THREE_QUARTERS), turned_style)
        back[place] = box_rotation(replace(content[place], rotation=QUARTER))
    return replace(pages, pages=tuple(content), styles=tuple[Style, ...](styles)), back


def _is_vertical(page: PageContent, styles: Sequence[Style]) -> bool:
    """Whether most of what a page says stands in columns of characters."""
    if not any(_is_column(run, styles) for run in islice(page.runs, LOOKED_AT)):
        return False
    columns = [len(run.text) for run in page.runs if _is_column(run, styles)]
    in_columns = sum(columns)
    if in_columns < LEAST_LENGTH * len(columns):
        return False
    return in_columns > MIN_VERTICAL_TEXT_SHARE * sum(len(run.text) for run in page.runs)


def _is_column(run: Run, styles: Sequence[Style]) -> bool:
    """Whether the upright characters of a run stand one below the other."""
    if run.y1 - run.y0 <= MIN_VERTICAL_RUN_TIMES * (run.x1 - run.x0) or len(run.text) < SHORTEST:
        return False
    style = styles[run.style]
    is_one_wide = run.x1 - run.x0 < MAX_VERTICAL_RUN_EM * style.size
    return style.upright and is_one_wide and any(map(is_cjk, run.text))


def put_back(document: Document, back: Mapping[int, BoxTransform], viewed: Pages) -> Document:
    """The document with what stands on turned pages in its place on them as they are viewed."""
    if not back:
        return document
    first = document.first_page
    turns = {first + place: turn for place, turn in back.items()}
    sizes = list(document.pages)
    for place in back:
        page = viewed.pages[place]
        sizes[place] = sizes[place]._replace(width=page.width, height=page.height)
    return replace(
        document,
        pages=tuple(sizes),
        objects=tuple(_placed(document.objects, turns)),
        furniture=tuple(_placed(document.furniture, turns)),
        notes=(*document.notes, _note(turns)),
    )


def _placed(objects: Iterable[PhysicalObject], turns: Mapping[int, BoxTransform]) -> Iterable[PhysicalObject]:
    for item in objects:
        parts = [
            part._replace(box=turns[part.page](*part.box)) if part.page in turns else part
            for part in item.parts
        ]
        table = item.table
        if table is not None:
            cells = [
                cell._replace(box=turns[cell.page](*cell.box)) if cell.page in turns else cell
                for cell in table.cells
            ]
            table = replace(table, cells=tuple(cells))
        yield replace(item, parts=tuple(parts), table=table)


def _note(numbers: Iterable[int]) -> Note:
    return Note(None, f"{format_pages(numbers)}: text from top to bottom, read in columns from the right")
