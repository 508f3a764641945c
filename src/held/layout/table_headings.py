"""Headings inside tables: reports set the titles of notes as rows of the tables that follow them.

    5.2  Other receivables         2022     2021
    5.2.1  Current
         GST refundable          44,696   25,198

By itself such a row could be the label of the rows below it. The document tells: titles are set unlike the
rows of their table, and their numbers go on from table to table, or in the text. A title without a number is
known by the names of columns right below it, with which another table begins, or as one of several bars over
the whole width of tables. A title leaves its table, which is divided above it; each part keeps the names of
the columns.
"""

from __future__ import annotations

import itertools
import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from operator import attrgetter
from typing import NamedTuple

from held.document import Box, Kind, TableCell, bounding_box
from held.layout.blocks import Block, ready_block, table_text
from held.layout.characters import is_cjk
from held.layout.lines import Line
from held.layout.page_layout import PageItems
from held.layout.rows import TextStyle
from held.layout.tables.cells import Table
from held.layout.tables.words import COLUMN_NAME, is_amount, may_name_columns
from held.layout.tolerances import (
    MAX_NUMBERED_TITLES_PAGES_APART,
    MAX_TABLE_HEADING_CHARS,
    MIN_PROMINENT_SIZE_TIMES,
    TABLE_RULE_MARGIN_PT,
)
from held.numbering import BULLET, CITATION, ItemNumber, follows, parse_number
from held.numbering.titles import caption_end

Lines = Sequence[Line]
Position = tuple[int, float]  # page and height

COLONS = ":："
MIN_BARS = 3  # tables of a document that begin with a bar of one look
MAX_TITLE_CELLS = 2  # the number may have a cell of its own


class _Title(NamedTuple):
    """A row of a table that may be a heading. `table` is the index of its table, None for free lines."""

    position: Position
    number: ItemNumber | None
    look: TextStyle
    table: int | None
    row: int = 0
    cells: int = 0  # of the row, from the left
    rows: int = 1
    lines: tuple[int, ...] = ()


class _Rows(NamedTuple):
    """A table with its cells by row; `identity` is its index among the document's tables."""

    identity: int
    page: int
    table: Table
    lines: Lines  # of the page
    text_styles: Sequence[TextStyle]
    cells: Mapping[int, Sequence[TableCell]]

    def title(self, row: int, count: int, number: ItemNumber | None) -> _Title | None:
        """The title of the first cells of a row; None if they share a line with others."""
        indices = _lines_of(self.cells[row][:count], self.table, self.lines)
        if not indices:
            return None
        lines = [self.lines[i] for i in indices]
        longest = max(lines, key=lambda line: len(line.text))
        return _Title(
            position=(self.page, min(line.y0 for line in lines)),
            number=number,
            look=self.text_styles[longest.style],
            table=self.identity,
            row=row,
            cells=count,
            lines=indices,
        )


def separate_table_headings(
    items: Sequence[PageItems], lines: Sequence[Lines], text_styles: Sequence[TextStyle]
) -> list[PageItems]:
    """The items of each page, with the headings in tables as free lines."""
    tables: list[_Rows] = []
    blocks: list[Block] = []
    for page, on_page in enumerate(items):
        for block in on_page.blocks:
            if block.kind is Kind.TABLE and block.table is not None:
                by_row = _cells_by_row(block.table)
                rows = _Rows(len(tables), page, block.table, lines[page], text_styles, by_row)
                tables.append(rows)
                blocks.append(block)
    separated = list(items)
    for index, titles in _find_headings(tables, items, text_styles).items():
        page = tables[index].page
        separated[page] = _divide(separated[page], blocks[index], titles, lines[page])
    return separated


def _find_headings(
    tables: Sequence[_Rows], items: Sequence[PageItems], text_styles: Sequence[TextStyle]
) -> dict[int, list[_Title]]:
    """The headings in tables by the index of their table, at most one for each row."""
    numbered: list[_Title] = []
    unnumbered: list[_Title] = []
    bars: list[_Title] = []
    for table in tables:
        numbered += _numbered_titles(table)
        unnumbered += _titles_above_names(table)
        bars += _first_bar(table)
    bars_of_look = Counter(bar.look for bar in bars)
    unnumbered += [bar for bar in bars if bars_of_look[bar.look] >= MIN_BARS]
    if numbered:
        looks = {title.look for title in numbered}
        numbered += _free_titles(items, text_styles, looks)
    headings: dict[int, list[_Title]] = defaultdict(list)
    for title in [*_confirmed(numbered), *unnumbered]:
        assert title.table is not None
        in_table = headings[title.table]
        if all(title.row != other.row for other in in_table):
            in_table.append(title)
    return headings


# --- Rows that may be headings ---


def _numbered_titles(rows: _Rows) -> list[_Title]:
    """The rows of a table that begin with a number and name nothing but themselves."""
    titles: list[_Title] = []
    data_forms: set[str] = set()  # of the numbers that rows with amounts have
    for row, cells in rows.cells.items():
        for count in range(1, 1 + min(MAX_TITLE_CELLS, len(cells))):
            text = " ".join(cell.text for cell in cells[:count])
            number = parse_number(text)
            if number is None or not _names_section(text, number):
                continue
            is_section = number.pattern.is_dotted or number.form[:2].isalpha()
            if rows.table.ruled and not is_section and not _is_bar(row, rows):
                continue  # a drawn grid shows which rows are its own
            title = rows.title(row, count, number)
            beside = cells[count:]
            if title is None or _has_amounts(beside):
                data_forms.add(number.form)
            elif not beside or may_name_columns(cell.text for cell in beside):
                titles.append(_whole_title(title, rows))
            break
    titles = [title for title in titles if title.number and title.number.form not in data_forms]
    return _outstanding(titles, rows)


def _is_bar(row: int, rows: _Rows) -> bool:
    """Whether a row is a bar over the whole width of a table; one further down names a group of rows."""
    cells = rows.cells.get(row, ())
    width = len(rows.table.rows[0])
    return row == 0 and len(cells) == 1 and cells[0].column_span == width > 1


def _first_bar(rows: _Rows) -> list[_Title]:
    """The first row of a table if it is a bar, set unlike the rest, with a title: "Pilot Information"."""
    if not _is_bar(0, rows):
        return []
    text = rows.cells[0][0].text
    is_title = text[:1].isupper() and text[-1] not in COLONS and not caption_end(text)
    title = rows.title(0, 1, None) if is_title and len(text) <= MAX_TABLE_HEADING_CHARS else None
    return [] if title is None else _outstanding([title], rows)


def _titles_above_names(rows: _Rows) -> list[_Title]:
    """The rows of one text, set unlike the others, right above names of columns: years or units."""
    titles: list[_Title] = []
    if rows.table.ruled:
        return titles
    for row, cells in rows.cells.items():
        first = cells[0]
        text = first.text
        is_lone = len(cells) == 1 and first.column == 0
        may_be_title = text[:1].isupper() and text[-1] not in COLONS
        if is_lone and may_be_title and _names_follow(row, rows):
            title = rows.title(row, 1, None)
            if title is not None and not caption_end(text):
                titles.append(title)
    return _outstanding(titles, rows)


def _has_amounts(cells: Iterable[TableCell]) -> bool:
    return any(is_amount(cell.text) for cell in cells)


def _names_follow(row: int, rows: _Rows) -> bool:
    """Whether the rows below a row leave the labels' column empty and have years or units, and no amounts."""
    has_names = False
    for below in itertools.count(row + 1):
        cells = rows.cells.get(below, ())
        if not cells or cells[0].column == 0 or _has_amounts(cells):
            return has_names
        if any(COLUMN_NAME.fullmatch(cell.text) for cell in cells):
            has_names = True
    return has_names


def _outstanding(titles: Sequence[_Title], rows: _Rows) -> list[_Title]:
    """The titles that are set unlike the rest of their table; all, if the table has nothing else."""
    of_titles = {i for title in titles for i in title.lines}
    others = [rows.lines[i] for i in rows.table.lines if i not in of_titles]
    body = _usual_look(others, rows.text_styles)
    if body is None:
        return list(titles)
    return [title for title in titles if _stands_out(title.look, body)]


def _cells_by_row(table: Table) -> dict[int, list[TableCell]]:
    by_row: dict[int, list[TableCell]] = defaultdict(list)
    in_order = sorted(table.cells, key=attrgetter("row", "column"))
    for cell in in_order:
        by_row[cell.row].append(cell)
    return dict(by_row)


def _whole_title(title: _Title, rows: _Rows) -> _Title:
    """The title with the rows that continue it: they are set as it is and have no number."""
    start = rows.cells[title.row][title.cells - 1].box
    leftmost = start.x0 - TABLE_RULE_MARGIN_PT
    while True:
        below = rows.cells.get(title.row + title.rows, ())
        if len(below) != 1:
            return title
        cell = below[0]
        rest = rows.title(cell.row, 1, None)
        if rest is None or rest.look != title.look:
            return title
        if not leftmost < cell.box.x0 < start.x1 or parse_number(cell.text) is not None:
            return title
        title = title._replace(rows=title.rows + 1, lines=(*title.lines, *rest.lines))


def _names_section(text: str, number: ItemNumber) -> bool:
    """Whether a row that begins with a number may be the title of a section."""
    pattern = number.pattern
    if pattern in (BULLET, CITATION) or not number.value or caption_end(text):
        return False
    title = text[number.title_start :].lstrip()
    if not title or len(text) > MAX_TABLE_HEADING_CHARS:
        return False
    if title[-1] in COLONS and not pattern.is_dotted:
        return False  # the label of the rows below it
    return title[0].isupper() or is_cjk(title[0])


def _lines_of(cells: Sequence[TableCell], table: Table, lines: Lines) -> tuple[int, ...]:
    """The lines that make up the text of some cells and nothing else; none where there are no such lines."""
    if any(cell.row_span > 1 for cell in cells):
        return ()
    box = bounding_box([cell.box for cell in cells])
    left, right = box.x0 - TABLE_RULE_MARGIN_PT, box.x1
    inside = []
    for i in table.lines:
        line = lines[i]
        if box.y0 < line.middle < box.y1 and left < line.axis < right:
            inside.append(i)
    # The pieces of a cell may come in any order, so their letters are compared without order and blanks.
    printed = _sorted_letters(lines[i].text for i in inside)
    wanted = _sorted_letters(cell.text for cell in cells)
    return tuple(inside) if printed == wanted else ()


def _sorted_letters(texts: Iterable[str]) -> list[str]:
    return sorted("".join("".join(texts).split()))


def _usual_look(lines: Lines, text_styles: Sequence[TextStyle]) -> TextStyle | None:
    characters: Counter[TextStyle] = Counter()
    for line in lines:
        characters[text_styles[line.style]] += len(line.text)
    return max(characters, key=characters.__getitem__, default=None)


def _stands_out(look: TextStyle, body: TextStyle) -> bool:
    if look.bold and not body.bold:
        return True
    return look.size > MIN_PROMINENT_SIZE_TIMES * body.size or look.colour != body.colour


def _free_titles(
    items: Sequence[PageItems], text_styles: Sequence[TextStyle], looks: set[TextStyle]
) -> Iterator[_Title]:
    """The free lines that begin with a number and are set as a title in a table is."""
    for page, on_page in enumerate(items):
        for line in on_page.free:
            look = text_styles[line.style]
            if look in looks:
                number = parse_number(line.text) or parse_number(f"{line.text} X")
                if number is not None and number.value:
                    yield _Title((page, line.y0), number, look, None)


# --- Which of them are headings ---


class _Member(NamedTuple):
    """A numbered title as part of its series."""

    title: _Title
    number: ItemNumber

    @property
    def position(self) -> Position:
        return self.title.position

    @property
    def table(self) -> int | None:
        return self.title.table


def _confirmed(titles: Sequence[_Title]) -> Iterator[_Title]:
    """The titles in tables whose numbers go on from, or to, a title outside their table."""
    by_series: dict[tuple[str, TextStyle], list[_Member]] = defaultdict(list)
    for title in titles:
        if title.number is not None:
            by_series[title.number.form, title.look].append(_Member(title, title.number))
    for series in by_series.values():
        series.sort(key=lambda member: member.position)
        yield from _extend_within_tables(series, [_is_confirmed(member, series) for member in series])


def _is_confirmed(member: _Member, series: Sequence[_Member]) -> bool:
    """Whether a title has its place between the nearest of its series in other tables and in the text."""
    if member.table is None:
        return False
    number = member.number
    last_before, first_after = _nearest_numbers(member, series)
    if last_before and (follows(last_before, number) or last_before.value == number.value):
        return True
    if first_after and follows(number, first_after):
        return True
    if not number.pattern.is_dotted or not (last_before or first_after):
        return False
    # 4.1 to 4.3 may stand in one table: then 3.2 before and 5.1 behind them show their place.
    is_later = last_before is None or last_before.value < number.value
    is_earlier = first_after is None or number.value < first_after.value
    return is_later and is_earlier


def _nearest_numbers(
    member: _Member, series: Sequence[_Member]
) -> tuple[ItemNumber | None, ItemNumber | None]:
    """The numbers before and after a title, of those outside its table on pages nearby."""
    page = member.position[0]
    before = after = None
    for other in series:  # sorted by position
        is_near = abs(other.position[0] - page) <= MAX_NUMBERED_TITLES_PAGES_APART
        if other.table == member.table or not is_near:
            continue
        if other.position < member.position:
            before = other.number
        elif other.position > member.position:
            after = other.number
            break
    return before, after


def _extend_within_tables(series: Sequence[_Member], confirmed: list[bool]) -> Iterator[_Title]:
    """The confirmed titles, and those that stand beside one in its table with the number next to its own."""
    downwards = list(pairwise(range(len(series))))
    upwards = [(lower, upper) for upper, lower in reversed(downwards)]
    for known, other in downwards + upwards:
        first, second = series[min(known, other)], series[max(known, other)]
        is_same_table = first.table is not None and first.table == second.table
        if confirmed[known] and is_same_table and follows(first.number, second.number):
            confirmed[other] = True
    for member, is_sure in zip(series, confirmed, strict=True):
        if is_sure:
            yield member.title


# --- Taking them out ---


class _Part(NamedTuple):
    """Rows of a table, and the headings above them or in their first row."""

    titles: list[_Title]
    rows: list[int]


def _divide(items: PageItems, block: Block, titles: Sequence[_Title], lines: Lines) -> PageItems:
    """The items of a page with a table divided above each title, and the lines of titles free.

                      2022      2021      the header of the whole goes above each part
    5.2.1  Current                        a title: its line becomes free
    GST refundable  44,696    25,198      the first part
    5.2.2  Non-current                    another title
    Deposits           310       290      the second part
    """
    table = block.table
    assert table is not None
    titles = sorted(titles, key=lambda title: title.row)
    title_lines = [i for title in titles for i in title.lines]
    cells = _without_titles(table, titles)
    parts = _parts(table, titles, cells)
    header = [cell for cell in cells if cell.header and cell.row in parts[0].rows]
    extents = _part_extents(parts, cells, lines)

    freed = set(title_lines)
    blocks = [other for other in items.blocks if other is not block]
    for part, (top, bottom) in zip(parts, extents, strict=True):
        own = [i for i in table.lines if i not in freed and top <= lines[i].middle < bottom]
        rows = _without_text_above(part.rows, cells)
        start = min((cell.box.y0 for cell in cells if cell.row in rows), default=bottom)
        inside = [i for i in own if lines[i].middle > start]
        if not inside or not _has_data(rows, cells):
            freed.update(own)
            continue
        above = [i for i in own if i not in inside]
        freed.update(above)
        header_above = [] if part is parts[0] else header
        piece = _piece(table, rows, cells, header_above)
        blocks.append(_make_table_block(piece, inside, lines, items.number))

    free = [*items.free, *(lines[i] for i in freed)]
    lifted = [*items.lifted, *(lines[i] for i in title_lines)]
    return items._replace(blocks=blocks, free=_in_order(free, lines), lifted=tuple(lifted))


def _part_extents(
    parts: Sequence[_Part], cells: Sequence[TableCell], lines: Lines
) -> list[tuple[float, float]]:
    """Top and bottom of each part: from its first title or cell down to those of the next part."""
    inner_tops = [_top(part, cells, lines) for part in parts[1:]]
    edges = [-math.inf, *inner_tops, math.inf]
    return list(pairwise(edges))


def _in_order(free: Sequence[Line], lines: Lines) -> list[Line]:
    """Lines of a page in the order of all its lines."""
    rank = {id(line): index for index, line in enumerate(lines)}
    return sorted(free, key=lambda line: rank[id(line)])


def _make_table_block(piece: Table, inside: Sequence[int], lines: Lines, page: int) -> Block:
    """The block of a piece of a table, as wide as the whole and as high as its lines."""
    text_box = bounding_box([lines[i] for i in inside])
    box = Box(piece.box.x0, text_box.y0, piece.box.x1, text_box.y1)
    block = ready_block(Kind.TABLE, page, box, text=table_text(piece.rows))
    block.cells = piece.rows
    block.table = piece._replace(lines=tuple(inside), box=box)
    return block


def _top(part: _Part, cells: Sequence[TableCell], lines: Lines) -> float:
    title_tops = [lines[i].y0 for title in part.titles for i in title.lines]
    cell_tops = [cell.box.y0 for cell in cells if cell.row in part.rows]
    return min(title_tops + cell_tops)


def _without_titles(table: Table, titles: Sequence[_Title]) -> list[TableCell]:
    """The cells of a table that belong to no title."""
    title_cells: dict[int, int] = {}  # by row, how many cells from the left
    for title in titles:
        title_cells[title.row] = title.cells
        for row in range(title.row + 1, title.row + title.rows):
            title_cells[row] = 1
    kept: list[TableCell] = []
    for row, cells in _cells_by_row(table).items():
        kept += cells[title_cells.get(row, 0) :]
    return kept


def _parts(table: Table, titles: Sequence[_Title], cells: Sequence[TableCell]) -> list[_Part]:
    """The rows between titles; what has no data, such as a header above the first title, joins the next."""
    starts = [_first_name_row(title.row, cells) for title in titles]
    ranges = pairwise([0, *starts, len(table.rows)])
    titles_above: list[list[_Title]] = [[], *([title] for title in titles)]
    parts = [_Part([], [])]
    for own, (start, stop) in zip(titles_above, ranges, strict=True):
        rows = list(range(start, stop))
        last = parts[-1]
        if _has_data(last.rows, cells):
            parts.append(_Part(own, rows))
        else:
            parts[-1] = _Part(last.titles + own, last.rows + rows)
    return parts


def _first_name_row(row: int, cells: Sequence[TableCell]) -> int:
    """The row of a title, or the first of the rows right above it that name the columns below it."""
    while above := [cell for cell in cells if cell.row == row - 1]:
        if not above[0].column or _has_amounts(above):
            break
        row -= 1
    return row


def _has_data(rows: Sequence[int], cells: Sequence[TableCell]) -> bool:
    """Whether some row below a header has an amount; in a table without any, two cells."""
    body_rows = {cell.row for cell in cells if not cell.header}
    rows_with_amounts = {cell.row for cell in cells if is_amount(cell.text)}
    data_rows = body_rows & rows_with_amounts
    if not data_rows:
        counts = Counter(cell.row for cell in cells if cell.text)
        data_rows = {row for row, count in counts.items() if count > 1}
    return not data_rows.isdisjoint(rows)


def _without_text_above(rows: Sequence[int], cells: Sequence[TableCell]) -> list[int]:
    """The rows from the names of columns on, if there are any: lines above these are text."""
    for index, row in enumerate(rows):
        in_row = [cell for cell in cells if cell.row == row]
        if _has_amounts(in_row):
            break
        if len(in_row) > 1 or any(cell.column for cell in in_row):
            return list(rows[index:])
    return list(rows)


def _piece(
    table: Table, rows: Sequence[int], cells: Sequence[TableCell], header: Sequence[TableCell]
) -> Table:
    """Some rows of a table, without empty ones, below the header of the whole if they have none.

    Rows 2, 5 and 6 below a header of one row become rows 1, 2 and 3; the header is row 0.
    """
    own = [cell for cell in cells if cell.row in rows]
    first_row = [cell for cell in own if cell.row == own[0].row]
    names_columns = len(first_row) > 1 or first_row[0].column > 0
    if names_columns and not _has_amounts(first_row):
        header = []  # the rows have their own

    header_rows = _row_numbers(header, start=0)
    own_rows = _row_numbers(own, start=len(header_rows))
    height = len(header_rows) + len(own_rows)
    width = len(table.rows[0])

    placed = [cell._replace(row=header_rows[cell.row], row_span=1) for cell in header]
    for cell in own:
        row = own_rows[cell.row]
        row_span = min(cell.row_span, height - row)
        placed.append(cell._replace(row=row, row_span=row_span))
    texts = [[""] * width for _ in range(height)]
    for cell in placed:
        texts[cell.row][cell.column] = cell.text
    return table._replace(rows=tuple(map(tuple, texts)), cells=tuple(placed))


def _row_numbers(cells: Iterable[TableCell], start: int) -> dict[int, int]:
    """New numbers of the rows that have cells, without gaps: rows 2, 5 and 6 become 0, 1 and 2."""
    rows = sorted({cell.row for cell in cells})
    return {row: number for number, row in enumerate(rows, start)}
