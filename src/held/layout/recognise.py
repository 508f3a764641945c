"""Pages to physical objects in reading order, on one screen.

What concerns the whole document (furniture, printed contents, the body's size) is found first, then each
page is laid out by itself, and at last paragraphs and tables that a break cut in two are joined.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import replace

from held.document import Document, Kind, PageRegion, Pages, PageSize, PhysicalObject, Run, body_style
from held.layout.furniture import find_furniture, separate_repeated_images
from held.layout.lines import Line, build_lines
from held.layout.page.layout import Pieces, Setting, blocks_of_page, lay_out, pieces_of
from held.layout.page.sideways import Sideways, put_back, sideways_pieces
from held.layout.page.turned import part_turned_text
from held.layout.page.vertical import put_back as put_back_vertical
from held.layout.page.vertical import turn_vertical
from held.layout.printed_contents import find_contents
from held.layout.rotation import apply_rotation
from held.layout.rows import make_text_styles
from held.layout.tables.captions import attach_table_contexts
from held.layout.text.blocks import compounds_of, to_object
from held.layout.text.endnotes import tie_endnotes
from held.layout.text.joins import join_over_breaks
from held.layout.text.listings import listed_styles
from held.layout.text.notes import tie_notes
from held.layout.text.pitch import usual_pitches
from held.layout.text.run_ins import split_habitual_run_ins
from held.layout.text.underlines import underline
from held.layout.tolerances import DEFAULT_BODY_SIZE_PT
from held.system.console import Progress
from held.system.memory import pause_gc


@pause_gc()
def recognise(pages: Pages, *, progress: Progress | None = None) -> Document:
    """The document's physical objects in reading order, and its furniture."""
    viewed = apply_rotation(pages)
    pages, back = turn_vertical(viewed)
    lines = [build_lines(page, pages.styles) for page in pages.pages]
    furniture = find_furniture(pages, lines)
    pages, emblems = separate_repeated_images(pages)
    turned, turned_furniture = part_turned_text(pages)
    sideways = _sideways(pages, turned)
    pieces = _pieces(pages, lines, furniture, turned, sideways, progress)
    # Tables may hold more characters than the text: the body is what they leave.
    body = body_style((pages.styles[style], count) for style, count in _free_characters(pieces).items())
    setting = Setting(pages.styles, make_text_styles(pages.styles), body.size or DEFAULT_BODY_SIZE_PT)
    laid_out = [lay_out(found, setting) for found in pieces]
    texts = [rows for columns in laid_out for column in columns for rows in column.texts()]
    pitches = usual_pitches(texts)
    blocks = [
        blocks_of_page(columns, setting, pitches, page.height)
        for columns, page in zip(laid_out, pages.pages, strict=True)
    ]
    for place, found in sideways.items():
        columns = lay_out(found.pieces, setting)
        height = pages.pages[place].width
        upright = blocks_of_page(columns, setting, pitches, height)
        blocks[place] += [put_back(block, found.back) for block in upright]
    blocks = split_habitual_run_ins(blocks, setting.looks, pages.styles)
    compounds = compounds_of(line.text for set_page in lines for line in set_page)
    objects = (
        to_object(block, pages.styles, setting.looks, setting.body_size, compounds)
        for block in join_over_breaks(blocks, setting.body_size)
    )
    drawn = underline(objects, pages.pages, pages.first_page)
    kept = [item for item in drawn if item.text or item.kind in (Kind.TABLE, Kind.FIGURE)]
    document = Document(
        source=pages.source,
        pages=tuple(PageSize(page.width, page.height, page.label) for page in pages.pages),
        objects=tuple(attach_table_contexts(tie_endnotes(tie_notes(kept)))),
        furniture=(*_furniture_objects(pages, lines, furniture), *turned_furniture, *emblems),
        body=body,
        notes=pages.notes,
        first_page=pages.first_page,
        lost=pages.lost,
    )
    return put_back_vertical(document, back, viewed)


def _free_characters(pieces: Sequence[Pieces]) -> dict[int, int]:
    """How many characters of running text each style sets."""
    characters: dict[int, int] = {}
    for found in pieces:
        for line in found.free:
            characters[line.style] = characters.get(line.style, 0) + len(line.text)
    return characters


def _sideways(pages: Pages, turned: list[list[Run]]) -> dict[int, Sideways]:
    """What stands on the pages that are set sideways; their runs are taken out of the turned ones."""
    found = {}
    for place, runs in enumerate(turned):
        page, number = pages.pages[place], pages.first_page + place
        sideways = sideways_pieces(page, runs, pages.styles, number) if runs else None
        if sideways:
            found[place] = sideways
            turned[place] = []
    return found


def _pieces(
    pages: Pages,
    lines: Sequence[Sequence[Line]],
    furniture: Sequence[Mapping[int, Kind]],
    turned: Sequence[Sequence[Run]],
    sideways: Container[int],
    progress: Progress | None,
) -> list[Pieces]:
    """For each page its contents entries, tables, figures and free lines."""
    contents = find_contents(pages, lines, furniture)
    listed = listed_styles(lines, make_text_styles(pages.styles))
    pieces = []
    for place, page in enumerate(pages.pages):
        found = pieces_of(
            # What is drawn on a page that is set sideways was looked at together with its text.
            replace(page, rules=(), images=()) if place in sideways else page,
            pages.first_page + place,
            lines[place],
            furniture=furniture[place],
            contents=contents[place],
            turned=turned[place],
            listed=listed,
        )
        pieces.append(found)
        if progress:
            progress(place + 1, len(pages.pages))
    return pieces


def _furniture_objects(
    pages: Pages, lines: Sequence[Sequence[Line]], furniture: Sequence[Mapping[int, Kind]]
) -> Iterator[PhysicalObject]:
    """The furniture of all pages as objects, so that nothing on a page is out of reach."""
    for place, found in enumerate(furniture):
        for i, kind in sorted(found.items()):
            line = lines[place][i]
            part = PageRegion(pages.first_page + place, line.box)
            yield PhysicalObject(kind, line.text, (part,), style=pages.styles[line.style])
