"""One page laid out: free lines, tables, figures and contents entries, in columns and in reading order."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

from held.document import Box, Kind, PageContent, Run, Style, bounding_box
from held.layout.figures.page_figures import Figure, find_figures
from held.layout.lines import Line
from held.layout.page.authors import first_page_order
from held.layout.page.order import reading_order
from held.layout.page.turned import add_turned_text
from held.layout.printed_contents import ContentsEntry
from held.layout.rows import Row, TextStyle, build_rows
from held.layout.tables.cells import Table, set_page
from held.layout.tables.non_tables import is_row_of_boxes
from held.layout.tables.page_tables import find_tables
from held.layout.text.blocks import Block, table_text, text_block
from held.layout.text.formulas import join_formulas
from held.layout.text.headings import join_labels, join_numbers
from held.layout.text.kinds import join_footnotes, name_kinds, split_footnotes
from held.layout.text.listings import find_listings
from held.layout.text.paragraphs import split_paragraphs
from held.layout.text.pitch import Measure
from held.layout.text.run_ins import split_run_ins
from held.layout.tolerances import MAX_LINES_AROUND_TABLE_SHARE


class Setting(NamedTuple):
    """What the layout of a page needs to know of its document."""

    styles: Sequence[Style]
    looks: Sequence[TextStyle]
    body_size: float


@dataclass(frozen=True, slots=True)
class LaidColumn:
    """A column's content from top to bottom: stretches of rows, and ready-made blocks between them."""

    number: int
    x0: float
    x1: float
    content: tuple[Block | list[Row], ...]

    def texts(self) -> Iterator[list[Row]]:
        """The stretches of running text."""
        return (piece for piece in self.content if isinstance(piece, list))


@dataclass(frozen=True, slots=True)
class _Item:
    """Something with a box that waits for its place in the reading order."""

    box: Box
    line: Line | None = None
    block: Block | None = None


class Pieces(NamedTuple):
    """What a page is made of besides furniture: ready-made blocks, and the lines that are free."""

    number: int
    blocks: list[Block]
    free: list[Line]


def pieces_of(
    page: PageContent,
    number: int,
    lines: Sequence[Line],
    *,
    furniture: Mapping[int, Kind],
    contents: Sequence[ContentsEntry],
    turned: Sequence[Run] = (),
    listed: frozenset[int] = frozenset(),
) -> Pieces:
    """Contents entries, listings, tables and figures of a page as blocks, and the lines that they leave.

    Listings are looked for only where styles are `listed` that code is set in.
    """
    blocks: list[Block] = []
    taken = set(furniture)
    for entry in contents:
        blocks.append(_contents_block(entry, number, lines))
        taken.update(entry.lines)
    for listing in find_listings(lines, listed, taken) if listed else ():
        blocks.append(_block(Kind.CODE, number, listing.box, text=listing.text))
        taken.update(listing.lines)
    tables, figures = _tables_and_figures(page, lines, taken)
    for table in tables:
        block = _block(Kind.TABLE, number, table.box, text=table_text(table.rows))
        block.cells, block.table = table.rows, set_page(table, number)
        blocks.append(block)
        taken.update(table.lines)
    for figure in figures:
        text = " ".join(lines[i].text for i in figure.lines)
        blocks.append(_block(Kind.FIGURE, number, figure.box, text=text))
        taken.update(figure.lines)
    if turned:
        add_turned_text(blocks, turned, number)
    return Pieces(number, blocks, [line for i, line in enumerate(lines) if i not in taken])


def _tables_and_figures(
    page: PageContent, lines: Sequence[Line], taken: AbstractSet[int]
) -> tuple[list[Table], list[Figure]]:
    """The tables and figures of a page; rows of boxes are none of the first where figures hold them."""
    tables = find_tables(page, lines, taken=taken)
    boxes = [table for table in tables if is_row_of_boxes(table, lines)]
    if boxes:
        others = [table for table in tables if table not in boxes]
        figures = find_figures(page, lines, taken=_with_lines(taken, others), tables=others)
        held = {i for figure in figures for i in figure.lines}
        if all(held.issuperset(table.lines) for table in boxes):
            return others, figures
    return tables, find_figures(page, lines, taken=_with_lines(taken, tables), tables=tables)


def _with_lines(taken: AbstractSet[int], tables: Sequence[Table]) -> AbstractSet[int]:
    return taken | {i for table in tables for i in table.lines}


def lay_out(pieces: Pieces, setting: Setting) -> list[LaidColumn]:
    """The columns of a page in reading order."""
    waiting = [_Item(block.box, block=block) for block in pieces.blocks]
    waiting += [_Item(line.box, line=line) for line in join_numbers(pieces.free, setting.styles)]
    laid_out = []
    in_order = first_page_order if pieces.number == 1 else reading_order
    for column in in_order([item.box for item in waiting], setting.body_size):
        items = [waiting[i] for i in column.members]
        content = _content(items, pieces.number, setting)
        laid_out.append(LaidColumn(column.number, column.x0, column.x1, content))
    return laid_out


def _contents_block(entry: ContentsEntry, page: int, lines: Sequence[Line]) -> Block:
    """An entry of printed contents as a block, in the style of its longest line."""
    own = [lines[i] for i in entry.lines]
    block = _block(Kind.CONTENTS_ENTRY, page, bounding_box(own), text=entry.title)
    block.cells = ((entry.title, entry.page_label),)
    block.style = max(own, key=lambda line: len(line.text)).style
    return block


def _block(kind: Kind, page: int, box: Box, *, text: str) -> Block:
    return Block(kind, page, box, 0, box.x0, box.x1, text=text)


def _content(items: Sequence[_Item], page: int, setting: Setting) -> tuple[Block | list[Row], ...]:
    """The items of a column with each stretch of lines turned into rows."""
    content: list[Block | list[Row]] = []
    lines: list[Line] = []
    for item, following in zip(items, [*items[1:], None], strict=True):
        if item.line is not None:
            lines.append(item.line)
            continue
        if item.block is not None and lines and _is_behind(item.block, lines[-1], following):
            content.append(item.block)
            continue
        if lines:
            content.append(build_rows(lines, page, setting.looks, setting.styles))
            lines = []
        if item.block is not None:
            content.append(item.block)
    if lines:
        content.append(build_rows(lines, page, setting.looks, setting.styles))
    return tuple(content)


def _is_behind(block: Block, above: Line, following: _Item | None) -> bool:
    """Whether a figure reaches over both the line above and the one below: it parts no text.

    So do pictures behind or beside a title in two lines.
    """
    if block.kind is not Kind.FIGURE or following is None or following.line is None:
        return False
    return block.box.y0 < (above.y0 + above.y1) / 2 and following.line.y0 < block.box.y1


def blocks_of_page(
    columns: Sequence[LaidColumn], setting: Setting, pitches: Mapping[float, float], height: float
) -> list[Block]:
    """The blocks of a page in reading order, with their kinds and the gaps between them."""
    blocks: list[Block] = []
    for column in columns:
        in_column = join_labels(_column_blocks(column, setting, pitches), setting.body_size)
        in_column = split_run_ins(in_column, setting.looks, setting.styles)
        _measure_gaps(in_column)
        blocks.extend(in_column)
    # Short lines at the edge of a page are columns of their own to the reading order.
    blocks = join_labels(blocks, setting.body_size)
    name_kinds(blocks, setting.looks, setting.body_size, height)
    return join_formulas(split_footnotes(join_footnotes(blocks)), setting.body_size)


def _column_blocks(column: LaidColumn, setting: Setting, pitches: Mapping[float, float]) -> list[Block]:
    texts = [row for rows in column.texts() for row in rows]
    measure = Measure(texts, setting.body_size, pitches) if texts else None
    if measure is not None:
        _widen(measure, column)
    blocks: list[Block] = []
    for piece in column.content:
        if isinstance(piece, Block):
            piece.column, piece.column_x0, piece.column_x1 = column.number, column.x0, column.x1
            blocks.append(piece)
        elif measure is not None:
            blocks.extend(
                text_block(rows, column.number, measure.left, measure.right)
                for rows in split_paragraphs(piece, measure)
            )
    return blocks


def _widen(measure: Measure, column: LaidColumn) -> None:
    """Lets a table tell how wide its column is, where only titles and notes stand around it."""
    blocks = [piece for piece in column.content if isinstance(piece, Block)]
    for box in [block.box for block in blocks if block.kind is Kind.TABLE]:
        if measure.right - measure.left < MAX_LINES_AROUND_TABLE_SHARE * box.width:
            measure.left = min(measure.left, box.x0)
            measure.right = max(measure.right, box.x1)


def _measure_gaps(blocks: Sequence[Block]) -> None:
    for above, below in pairwise(blocks):
        gap = round(below.box.y0 - above.box.y1, 1)
        above.gap_below = below.gap_above = gap
