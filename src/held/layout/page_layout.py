"""The layout of one page: finds its tables, figures and listings, orders its columns, makes its blocks.

lines ─ find_page_items ──▶ PageItems (blocks of tables, figures …, and free lines)
      ─ order_columns ─────▶ PageColumns in reading order, lines merged into rows
      ─ make_blocks ───────▶ blocks: paragraphs, list items, captions, footnotes …
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from itertools import pairwise
from typing import NamedTuple

from held.document import Box, Kind, PageContent, Run, bounding_box
from held.layout.blocks import (
    Block,
    Typography,
    add_rotated_text,
    contents_block,
    join_formulas,
    ready_block,
    set_kinds,
    table_text,
    text_block,
)
from held.layout.code_listings import find_listings
from held.layout.figures import Figure, find_figures
from held.layout.footnotes import join_footnotes, mark_footnotes, split_footnotes
from held.layout.lines import Line
from held.layout.paragraph_cues import ColumnMetrics
from held.layout.paragraphs import join_labels, join_numbers, split_paragraphs
from held.layout.printed_contents import ContentsEntry
from held.layout.reading_order import Column, order_by_rows, reading_order
from held.layout.rows import Row, build_rows
from held.layout.run_in_headings import split_run_ins
from held.layout.tables.cells import Table, set_page
from held.layout.tables.page_tables import find_tables
from held.layout.tolerances import (
    MAX_AUTHOR_AXIS_SHIFT_EM,
    MAX_AUTHOR_DEPTH_SHARE,
    MAX_AUTHOR_LINE_GAP_EM,
    MAX_AUTHOR_LINE_OVERLAP_EM,
    MAX_AUTHOR_TOP_SHIFT_EM,
    MAX_LINES_AROUND_TABLE_SHARE,
    MAX_STROKE_WIDTH_PT,
    MIN_AUTHOR_LINES,
    MIN_AUTHOR_WIDTH_DIFFERENCE_EM,
    MIN_EXTRA_AUTHOR_GAP_EM,
    MIN_FIGURE_AROUND_BOXES_TIMES,
)

Lines = Sequence[Line]
Stretch = Block | list[Row]  # of a column: a ready block, or rows of running text


class PageItems(NamedTuple):
    """What a page has besides furniture: ready blocks, and the free lines, which are running text.

    `lifted` are those free lines that were headings inside a table.
    """

    number: int
    blocks: list[Block]
    free: list[Line]
    lifted: tuple[Line, ...] = ()


class PageColumn(NamedTuple):
    """A column's content from top to bottom."""

    number: int
    x0: float
    x1: float
    content: tuple[Stretch, ...]

    def texts(self) -> Iterator[list[Row]]:
        """The stretches of running text."""
        return (stretch for stretch in self.content if isinstance(stretch, list))


# --- What is on the page ---


def find_page_items(
    page: PageContent,
    number: int,
    lines: Lines,
    *,
    furniture: Mapping[int, Kind],
    contents: Sequence[ContentsEntry],
    rotated: Sequence[Run] = (),
    code_styles: frozenset[int] = frozenset(),
) -> PageItems:
    """Contents entries, listings, tables and figures of a page as blocks, and the lines that they leave."""
    blocks: list[Block] = []
    taken = set(furniture)
    for entry in contents:
        blocks.append(contents_block(entry, number, lines))
        taken.update(entry.lines)
    if code_styles:
        for listing in find_listings(lines, code_styles, taken):
            if _has_bar_inside(listing.box, page.rules):
                continue  # a table set in a fixed-width font
            blocks.append(ready_block(Kind.CODE, number, listing.box, text=listing.text))
            taken.update(listing.lines)
    tables, figures = _tables_and_figures(page, lines, taken)
    for table in tables:
        block = ready_block(Kind.TABLE, number, table.box, text=table_text(table.rows))
        block.cells = table.rows
        block.table = set_page(table, number)
        blocks.append(block)
        taken.update(table.lines)
    for figure in figures:
        text = " ".join(lines[i].text for i in figure.lines)
        blocks.append(ready_block(Kind.FIGURE, number, figure.box, text=text))
        taken.update(figure.lines)
    if rotated:
        add_rotated_text(blocks, rotated, number)
    free = [line for i, line in enumerate(lines) if i not in taken]
    return PageItems(number, blocks, free)


def _has_bar_inside(box: Box, rules: Sequence[Box]) -> bool:
    """Whether upright rules, each in one piece or many, divide a box into columns."""
    left, top, right, bottom = box
    height = 0.0
    for x0, y0, x1, y1 in rules:
        is_upright = x1 - x0 < MAX_STROKE_WIDTH_PT < y1 - y0
        if is_upright and left < x0 and x1 < right:
            height += max(0.0, min(y1, bottom) - max(y0, top))
    return 2 * height > bottom - top


def _tables_and_figures(
    page: PageContent, lines: Lines, taken: AbstractSet[int]
) -> tuple[list[Table], list[Figure]]:
    """The tables and figures of a page. A row of boxes inside a figure is a diagram, not a table."""
    tables = find_tables(page, lines, taken=taken)
    rows_of_boxes = [table for table in tables if table.ruled and len(table.rows) == 1]
    if rows_of_boxes:
        kept = [table for table in tables if table not in rows_of_boxes]
        figures = _figures(page, lines, taken, kept)
        kept += [table for table in rows_of_boxes if not any(_is_part(table, figure) for figure in figures)]
        tables = sorted(kept, key=lambda table: table.box.y0)
    return tables, _figures(page, lines, taken, tables)


def _is_part(table: Table, figure: Figure) -> bool:
    """Whether a figure consists of more than the drawn cells of a table and holds all its text."""
    if _area(figure.box) <= MIN_FIGURE_AROUND_BOXES_TIMES * _area(table.box):
        return False
    return set(figure.lines).issuperset(table.lines)


def _area(box: Box) -> float:
    return box.width * box.height


def _figures(
    page: PageContent, lines: Lines, taken: AbstractSet[int], tables: Sequence[Table]
) -> list[Figure]:
    in_tables = {i for table in tables for i in table.lines}
    return find_figures(page, lines, taken=taken | in_tables, tables=tables)


# --- Columns in reading order ---


def order_columns(items: PageItems, typography: Typography) -> list[PageColumn]:
    """The columns of a page in reading order."""
    content: list[Block | Line] = [*items.blocks, *join_numbers(items.free, typography.styles)]
    boxes = [item.box for item in content]
    order = order_first_page if items.number == 1 else reading_order
    columns = []
    for column in order(boxes, typography.body_size):
        members = [content[i] for i in column.members]
        if items.lifted:
            members = _lift_titles(members, items.lifted)
        stretches = _merge_lines(members, items.number, typography)
        columns.append(PageColumn(column.number, column.x0, column.x1, stretches))
    return columns


def _lift_titles(members: list[Block | Line], lifted: Sequence[Line]) -> list[Block | Line]:
    """The members of a column, each heading that was lifted out of a table's header before the table."""
    tables = [member for member in members if isinstance(member, Block) and member.kind is Kind.TABLE]
    titles: dict[int, list[Block | Line]] = defaultdict(list)  # by the id of their table
    others: list[Block | Line] = []
    for member in members:
        table = _table_around(member, tables, lifted) if isinstance(member, Line) else None
        if table is not None:
            titles[id(table)].append(member)
        else:
            others.append(member)
    in_order: list[Block | Line] = []
    for member in others:
        in_order += titles.get(id(member), [])
        in_order.append(member)
    return in_order


def _table_around(line: Line, tables: Sequence[Block], lifted: Sequence[Line]) -> Block | None:
    """The table in whose box a lifted heading still stands."""
    # A number and its title, joined since, are one line around the two that were lifted.
    if not any(title.has_centre_in(line.box) for title in lifted):
        return None
    return next((table for table in tables if line.has_centre_in(table.box)), None)


def _merge_lines(members: Sequence[Block | Line], page: int, typography: Typography) -> tuple[Stretch, ...]:
    """The members of a column with each stretch of lines turned into rows."""
    stretches: list[Stretch] = []
    lines: list[Line] = []

    def end_stretch() -> None:
        if lines:
            stretches.append(build_rows(lines, page, typography.text_styles, typography.styles))
            lines.clear()

    for i, member in enumerate(members):
        if isinstance(member, Line):
            lines.append(member)
            continue
        following = members[i + 1] if i + 1 < len(members) else None
        if not (lines and _is_behind(member, lines[-1], following)):
            end_stretch()
        stretches.append(member)
    end_stretch()
    return tuple(stretches)


def _is_behind(block: Block, above: Line, following: Block | Line | None) -> bool:
    """Whether a figure overlaps both the line above and the one below, and so does not divide the text.

    Pictures behind or beside a title in two lines do that.
    """
    if block.kind is not Kind.FIGURE or not isinstance(following, Line):
        return False
    top, bottom = block.box.y0, block.box.y1
    return top < (above.y0 + above.y1) / 2 and following.y0 < bottom


# --- Blocks ---


def make_blocks(
    columns: Sequence[PageColumn], typography: Typography, pitches: Mapping[float, float], height: float
) -> list[Block]:
    """The blocks of a page in reading order, with their kinds and the gaps between them."""
    body_size = typography.body_size
    figures = [
        member.box
        for column in columns
        for member in column.content
        if isinstance(member, Block) and member.kind is Kind.FIGURE
    ]
    blocks: list[Block] = []
    for column in columns:
        in_column = _column_blocks(column, body_size, pitches, figures)
        in_column = join_labels(in_column, body_size)
        in_column = split_run_ins(in_column, typography)
        _set_gaps(in_column)
        blocks.extend(in_column)
    # Short lines at the edge of a page are columns of their own in the reading order.
    blocks = join_labels(blocks, body_size)
    set_kinds(blocks, typography)
    mark_footnotes(blocks, typography, height)
    blocks = split_footnotes(join_footnotes(blocks))
    return join_formulas(blocks, body_size)


def _column_blocks(
    column: PageColumn, body_size: float, pitches: Mapping[float, float], figures: Sequence[Box]
) -> list[Block]:
    all_rows = [row for rows in column.texts() for row in rows]
    metrics = ColumnMetrics(all_rows, body_size, pitches, figures) if all_rows else None
    if metrics is not None:
        _widen_to_tables(metrics, column)
    blocks: list[Block] = []
    for stretch in column.content:
        if isinstance(stretch, Block):
            stretch.column = column.number
            stretch.column_x0 = column.x0
            stretch.column_x1 = column.x1
            blocks.append(stretch)
        elif metrics is not None:
            for paragraph in split_paragraphs(stretch, metrics):
                block = text_block(paragraph, column.number, metrics.left, metrics.right)
                blocks.append(block)
    return blocks


def _widen_to_tables(metrics: ColumnMetrics, column: PageColumn) -> None:
    """Takes the column's width from a table, where only titles and notes stand around it."""
    for block in column.content:
        if not isinstance(block, Block) or block.kind is not Kind.TABLE:
            continue
        if metrics.width < MAX_LINES_AROUND_TABLE_SHARE * block.box.width:
            metrics.left = min(metrics.left, block.box.x0)
            metrics.right = max(metrics.right, block.box.x1)


def _set_gaps(blocks: Sequence[Block]) -> None:
    for above, below in pairwise(blocks):
        gap = round(below.box.y0 - above.box.y1, 1)
        above.gap_below = below.gap_above = gap


# --- authors side by side ---
#
# The reading order of a first page with authors side by side.
#
#     Ann Example        Bob Sample
#     University A     Institute of B
#       a@a.edu            b@b.org
#
# Name, institute and address are centred under each other. Read row by row, or in the columns of the text
# below, they come out in pieces; so each stack of such lines is one unit with a column of its own.


Boxes = Sequence[Box]
Stack = list[int]  # indices of boxes under each other


def order_first_page(boxes: Boxes, em: float) -> list[Column]:
    """The columns of a document's first page in reading order, each author's lines together."""
    by_height = sorted(range(len(boxes)), key=lambda i: boxes[i].y0 + boxes[i].y1)
    stacks = [_with_all_inside(stack, boxes, by_height) for stack in _author_stacks(boxes, em)]
    if not stacks:
        return reading_order(boxes, em)
    stacked = {i for stack in stacks for i in stack}
    end = max(boxes[i].y1 for i in stacked)
    lone = [i for i in range(len(boxes)) if i not in stacked]
    lines_above = [[i] for i in lone if boxes[i].y1 <= end]
    lines_below = [[i] for i in lone if boxes[i].y1 > end]
    top = _order_units(lines_above + stacks, boxes, em)
    return top + _order_units(lines_below, boxes, em)


def _with_all_inside(stack: Stack, boxes: Boxes, by_height: Sequence[int]) -> Stack:
    """A stack with the accents and marks that stand in it as lines of their own, from top to bottom.

    `by_height` are all boxes, sorted by the height of their middles.
    """

    def middle(i: int) -> float:
        return (boxes[i].y0 + boxes[i].y1) / 2

    x0, y0, x1, y1 = bounding_box([boxes[i] for i in stack])
    first = bisect_left(by_height, y0, key=middle)
    last = bisect_right(by_height, y1, key=middle)
    members = {*stack}
    for i in by_height[first:last]:
        if x0 <= (boxes[i].x0 + boxes[i].x1) / 2 <= x1:
            members.add(i)
    return order_by_rows(boxes, sorted(members))


def _order_units(units: Sequence[Stack], boxes: Boxes, em: float) -> list[Column]:
    """The columns of lines and stacks in reading order, with a column of its own for each stack."""
    unit_boxes = [bounding_box([boxes[i] for i in unit]) for unit in units]
    columns: list[Column] = []
    for column in reading_order(unit_boxes, em):
        is_open = False  # whether the last column takes further lines
        for index in column.members:
            unit, box = units[index], unit_boxes[index]
            if len(unit) > 1:
                columns.append(Column(unit, box.x0, box.x1, column.number))
            elif is_open:
                columns[-1].members.append(unit[0])
            else:
                columns.append(Column([unit[0]], column.x0, column.x1, column.number))
            is_open = len(unit) == 1
    return columns


def _author_stacks(boxes: Boxes, em: float) -> list[Stack]:
    """The stacks of centred lines that have another one beside them, in the upper half of the text."""
    if not boxes:
        return []
    page = bounding_box(boxes)
    lowest = page.y0 + MAX_AUTHOR_DEPTH_SHARE * page.height
    upper = [i for i in range(len(boxes)) if boxes[i].y1 < lowest]
    stacks: list[Stack] = []
    for stack in _centred_stacks(boxes, upper, em):
        parts = _split_at_wide_gaps(boxes, stack, em)
        stacks += [part for part in parts if _is_ragged(boxes, part, em)]
    tops = [boxes[stack[0]].y0 for stack in stacks]
    side_by_side = []
    for stack, top in zip(stacks, tops, strict=True):
        level = [other for other in tops if abs(top - other) < MAX_AUTHOR_TOP_SHIFT_EM * em]
        if len(level) > 1:  # another one besides the stack itself
            side_by_side.append(stack)
    return side_by_side


def _centred_stacks(boxes: Boxes, members: Sequence[int], em: float) -> list[Stack]:
    stacks: list[Stack] = []
    growing: list[Stack] = []  # those that end close enough above the line for it, or a later one, to follow
    downwards = sorted(members, key=lambda i: boxes[i].y0)
    for i in downwards:
        box = boxes[i]
        lowest_end = box.y0 - MAX_AUTHOR_LINE_GAP_EM * em
        growing = [stack for stack in growing if boxes[stack[-1]].y1 > lowest_end]
        for stack in growing:
            if _is_centred_under(boxes[stack[-1]], box, em):
                stack.append(i)
                break
        else:
            new = [i]
            stacks.append(new)
            growing.append(new)
    return stacks


def _is_centred_under(above: Box, box: Box, em: float) -> bool:
    axis_shift = abs(above.x0 + above.x1 - box.x0 - box.x1) / 2
    if axis_shift >= MAX_AUTHOR_AXIS_SHIFT_EM * em:
        return False
    gap = box.y0 - above.y1
    return -MAX_AUTHOR_LINE_OVERLAP_EM * em < gap < MAX_AUTHOR_LINE_GAP_EM * em


def _split_at_wide_gaps(boxes: Boxes, stack: Stack, em: float) -> list[Stack]:
    """A stack, divided where the gap is clearly wider than its others: there another author begins."""
    first, *others = stack
    gaps = [boxes[lower].y0 - boxes[upper].y1 for upper, lower in pairwise(stack)]
    parts = [[first]]
    for i, gap in zip(others, gaps, strict=True):
        if gap > min(gaps) + MIN_EXTRA_AUTHOR_GAP_EM * em:
            parts.append([])
        parts[-1].append(i)
    return parts


def _is_ragged(boxes: Boxes, stack: Stack, em: float) -> bool:
    """Whether a stack has several lines of different widths."""
    if len(stack) < MIN_AUTHOR_LINES:
        return False
    widths = [boxes[i].width for i in stack]
    return max(widths) - min(widths) > MIN_AUTHOR_WIDTH_DIFFERENCE_EM * em
