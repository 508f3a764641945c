"""From pages to physical objects in reading order: the whole layout analysis on one screen.

First comes what concerns the whole document: rotation, lines, furniture, printed contents, the body size and
the usual line spacing. Then each page is laid out by itself. At last paragraphs and tables that a break has
divided are joined, and notes and captions are linked with what they belong to.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import replace

from held.document import Document, Kind, PageRegion, Pages, PageSize, PhysicalObject, Run, Style, body_style
from held.layout.blocks import Block, Typography, find_compounds, make_object
from held.layout.characters import compose_accents
from held.layout.code_listings import code_styles
from held.layout.continuations import join_continuations, separate_repeated_titles
from held.layout.footnotes import link_endnotes, link_footnotes
from held.layout.furniture import find_furniture, find_overlays, separate_repeated_images
from held.layout.lines import Line, build_lines
from held.layout.openers import join_subtitles, join_title_lines, join_usual_labels, mark_subtitles
from held.layout.page_layout import PageItems, find_page_items, make_blocks, order_columns
from held.layout.paragraph_cues import usual_pitches
from held.layout.paragraphs import join_drop_caps
from held.layout.printed_contents import find_contents
from held.layout.rotated_text import (
    SidewaysPage,
    apply_rotation,
    find_sideways_pages,
    restore_block,
    restore_vertical_pages,
    rotate_vertical_pages,
    separate_rotated_text,
)
from held.layout.rows import make_text_styles, mark_underlined, thin_strokes
from held.layout.run_in_headings import split_habitual_run_ins
from held.layout.table_headings import separate_table_headings
from held.layout.tables.doubt import mark_doubtful_tables
from held.layout.tables.logical_grid import attach_table_contexts
from held.layout.title import find_metadata
from held.layout.tolerances import DEFAULT_BODY_SIZE_PT
from held.system.console import Progress
from held.system.limits import pause_gc

PageLines = Sequence[Sequence[Line]]
PageFurniture = Sequence[Mapping[int, Kind]]  # by page, the kinds of those lines that are furniture


@pause_gc()
def recognise(pages: Pages, *, progress: Progress | None = None) -> Document:
    """The document's physical objects in reading order, and its furniture."""
    # The whole document: upright pages, their lines, and what is not content.
    viewed = apply_rotation(compose_accents(pages))
    pages, restore = rotate_vertical_pages(viewed)
    lines = [join_drop_caps(build_lines(page, pages.styles)) for page in pages.pages]
    overlays = find_overlays(pages, lines)
    furniture = find_furniture(pages, lines, overlays)
    pages, repeated_images = separate_repeated_images(pages)
    rotated, rotated_furniture = separate_rotated_text(pages, overlays)
    sideways = find_sideways_pages(pages, rotated)

    # Each page: tables, figures and listings, then columns and blocks of the text that they leave.
    items = _find_items(pages, lines, furniture, rotated, sideways, progress)
    text_styles = make_text_styles(pages.styles)
    items = separate_table_headings(items, lines, text_styles)
    body = _body_style(items, pages.styles)
    typography = Typography(pages.styles, text_styles, body.size or DEFAULT_BODY_SIZE_PT, body.font)
    blocks = _make_page_blocks(pages, items, sideways, typography)

    # The whole document again: headings by habit, breaks, references.
    strokes = [thin_strokes(page) for page in pages.pages]
    blocks = split_habitual_run_ins(blocks, strokes, typography)
    heights = [page.height for page in pages.pages]
    blocks = join_usual_labels(blocks, typography.body_size)
    blocks = join_title_lines(blocks, heights, typography.body_size)
    blocks = join_subtitles(blocks, heights, typography.body_size)
    mark_subtitles(
        blocks, heights, body_size=typography.body_size, running_heads=_running_heads(lines, furniture)
    )
    blocks, repeated_titles = separate_repeated_titles(blocks, heights, typography)
    joined = join_continuations(blocks, typography.body_size)
    compounds = find_compounds(line.text for on_page in lines for line in on_page)
    objects = (make_object(block, typography, compounds) for block in joined)
    marked = mark_underlined(objects, strokes, pages.first_page)
    kept = [item for item in marked if item.text or item.kind in (Kind.TABLE, Kind.FIGURE)]
    linked = attach_table_contexts(link_endnotes(link_footnotes(kept)))

    document = Document(
        source=pages.source,
        pages=tuple(PageSize(page.width, page.height, page.label) for page in pages.pages),
        objects=tuple(linked),
        furniture=(
            *_furniture_objects(pages, lines, furniture),
            *repeated_titles,
            *rotated_furniture,
            *repeated_images,
        ),
        body=body,
        notes=pages.notes,
        first_page=pages.first_page,
        lost=tuple(sorted({*pages.lost, *pages.unread})),
        recognised=pages.recognised,
    )
    text_lines = [_without_furniture(*on_page) for on_page in zip(lines, furniture, strict=True)]
    document = mark_doubtful_tables(document, pages.pages, text_lines)
    metadata = find_metadata(document.objects, document.furniture, pages.metadata)
    document = replace(document, metadata=metadata)
    return restore_vertical_pages(document, restore, viewed)


def _without_furniture(lines: Sequence[Line], furniture: Mapping[int, Kind]) -> list[Line]:
    return [line for index, line in enumerate(lines) if index not in furniture]


def _find_items(
    pages: Pages,
    lines: PageLines,
    furniture: PageFurniture,
    rotated: Sequence[Sequence[Run]],
    sideways: Container[int],
    progress: Progress | None,
) -> list[PageItems]:
    """For each page its contents entries, listings, tables, figures and free lines."""
    contents = find_contents(pages, lines, furniture)
    monospaced = code_styles(lines, make_text_styles(pages.styles))
    items = []
    for index, page in enumerate(pages.pages):
        if index in sideways:
            # The drawings of a sideways page were examined together with its rotated text.
            page = replace(page, rules=(), images=())
        found = find_page_items(
            page,
            pages.first_page + index,
            lines[index],
            furniture=furniture[index],
            contents=contents[index],
            rotated=rotated[index],
            code_styles=monospaced,
        )
        items.append(found)
        if progress:
            progress(index + 1, len(pages.pages))
    return items


def _body_style(items: Sequence[PageItems], styles: Sequence[Style]) -> Style:
    """The style of most free text; tables may have more characters than the running text."""
    characters: dict[int, int] = {}
    for on_page in items:
        for line in on_page.free:
            characters[line.style] = characters.get(line.style, 0) + len(line.text)
    return body_style((styles[style], count) for style, count in characters.items())


def _make_page_blocks(
    pages: Pages, items: Sequence[PageItems], sideways: Mapping[int, SidewaysPage], typography: Typography
) -> list[list[Block]]:
    """The blocks of each page in reading order, those of its sideways text last."""
    columns = [order_columns(on_page, typography) for on_page in items]
    texts = [rows for on_page in columns for column in on_page for rows in column.texts()]
    pitches = usual_pitches(texts)
    blocks = []
    for index, page in enumerate(pages.pages):
        blocks.append(make_blocks(columns[index], typography, pitches, page.height))
        if index in sideways:
            upright, restore = sideways[index]
            in_order = order_columns(upright, typography)
            # The height of the rotated page is the width of the stored one.
            found = make_blocks(in_order, typography, pitches, page.width)
            blocks[index] += [restore_block(block, restore) for block in found]
    return blocks


def _running_heads(lines: PageLines, furniture: PageFurniture) -> frozenset[str]:
    """The texts of all running heads, in lower case."""
    return frozenset(
        on_page[i].text.casefold()
        for on_page, kinds in zip(lines, furniture, strict=True)
        for i, kind in kinds.items()
        if kind is Kind.HEADER
    )


def _furniture_objects(pages: Pages, lines: PageLines, furniture: PageFurniture) -> Iterator[PhysicalObject]:
    for index, kinds in enumerate(furniture):
        for i, kind in sorted(kinds.items()):
            line = lines[index][i]
            region = PageRegion(pages.first_page + index, line.box)
            yield PhysicalObject(kind, line.text, (region,), style=pages.styles[line.style])
