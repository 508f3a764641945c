"""Headings inside tables: reports set the titles of notes as rows of the tables that follow them.

    5.2  Other receivables         2022     2021
    5.2.1  Current
         GST refundable          44,696   25,198

By itself such a row could be the label of the rows below it. The document tells: titles are set unlike the
rows of their table, and their numbers go on from table to table, or in the text. A title without a number is
known by the names of columns right below it, with which another table begins. A title leaves its table,
which is divided above it; each part keeps the names of the columns. Names that stand below amounts divide a
table, too.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

from held.document import Box, Kind, TableCell, bounding_box
from held.layout.blocks import Block, ready_block, table_text
from held.layout.characters import is_cjk
from held.layout.lines import Line
from held.layout.page_layout import PageItems
from held.layout.rows import TextStyle
from held.layout.tables.cells import Table
from held.layout.tables.words import is_amount
from held.layout.tolerances import (
    MAX_HEADER_CELL_CHARS,
    MAX_NUMBERED_TITLES_PAGES_APART,
    MAX_TABLE_HEADING_CHARS,
    MIN_PROMINENT_SIZE_TIMES,
    MIN_RENAMED_COLUMNS_SHARE,
    TABLE_RULE_MARGIN_PT,
)
from held.numbering import BULLET, CITATION, ItemNumber, follows, parse_number
from held.numbering.titles import caption_end

Lines = Sequence[Line]
Position = tuple[int, float]  # page and height

HEADER_CELL = re.compile(r".*(?:19|20)\d\d.*|.*[$€£¥￥].*|.*['’]?000|Notes?", re.I)  # year, unit, reference
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
        inside = _lines_of(self.cells[row][:count], self.table, self.lines)
        if not inside:
            return None
        longest = max((self.lines[i] for i in inside), key=lambda line: len(line.text))
        position = (self.page, min(self.lines[i].y0 for i in inside))
        return _Title(position, number, self.text_styles[longest.style], self.identity, row, count, 1, inside)


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
                tables.append(_Rows(len(tables), page, block.table, lines[page], text_styles, by_row))
                blocks.append(block)
    numbered = [title for table in tables for title in _numbered_titles(table)]
    if numbered:
        numbered += _free_titles(items, text_styles, {title.look for title in numbered})
    headings: dict[int, list[_Title]] = defaultdict(list)
    for title in (
        *_confirmed(numbered),
        *(title for table in tables for title in _titles_above_names(table)),
        *(title for table in tables for title in _later_names(table)),
    ):
        assert title.table is not None
        if title.row not in (other.row for other in headings[title.table]):
            headings[title.table].append(title)
    separated = list(items)
    for index, titles in headings.items():
        page = tables[index].page
        separated[page] = _divide(separated[page], blocks[index], titles, lines[page])
    return separated


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
            if rows.table.ruled and not (number.pattern.is_dotted or number.form[:2].isalpha()):
                continue  # a drawn grid shows which rows are its own
            title = rows.title(row, count, number)
            if title is None or any(is_amount(cell.text) for cell in cells[count:]):
                data_forms.add(number.form)
            elif _are_names(cells[count:]):
                titles.append(_whole_title(title, rows))
            break
    titles = [title for title in titles if title.number and title.number.form not in data_forms]
    return _outstanding(titles, rows)


def _titles_above_names(rows: _Rows) -> list[_Title]:
    """The rows of one text, set unlike the others, right above names of columns: years or units."""
    titles: list[_Title] = []
    if rows.table.ruled:
        return titles
    for row, cells in rows.cells.items():
        text = cells[0].text
        is_lone = len(cells) == 1 and cells[0].column == 0 and cells[0].row_span == 1
        if is_lone and text[:1].isupper() and text[-1] not in ":：" and _names_follow(row, rows):
            title = rows.title(row, 1, None)
            if title is not None and not caption_end(text):
                titles.append(title)
    return _outstanding(titles, rows)


def _later_names(rows: _Rows) -> Iterator[_Title]:
    """The rows below amounts that name most columns again: another table begins there, without a title."""
    has_amounts = False
    columns = len(rows.table.rows[0]) - 1
    for row, cells in rows.cells.items():
        if any(is_amount(cell.text) for cell in cells):
            has_amounts = True
            continue
        named = sum(cell.column_span for cell in cells)
        is_full = len(cells) > 1 and cells[0].column > 0 and named >= MIN_RENAMED_COLUMNS_SHARE * columns
        if has_amounts and is_full and _are_names(cells) and not rows.table.ruled:
            position = (rows.page, min(cell.box.y0 for cell in cells))
            yield _Title(position, None, rows.text_styles[0], rows.identity, row)
            has_amounts = False


def _names_follow(row: int, rows: _Rows) -> bool:
    """Whether the rows below a row leave the labels' column empty and have years or units, and no amounts."""
    has_names = False
    while cells := rows.cells.get(row := row + 1, ()):
        if not cells[0].column or any(is_amount(cell.text) for cell in cells):
            break
        has_names = has_names or any(HEADER_CELL.fullmatch(cell.text) for cell in cells)
    return has_names


def _outstanding(titles: Sequence[_Title], rows: _Rows) -> list[_Title]:
    """The titles that are set unlike the rest of their table; all, if the table has nothing else."""
    inside = {i for title in titles for i in title.lines}
    rest = [rows.lines[i] for i in rows.table.lines if i not in inside]
    body = _usual_look(rest, rows.text_styles)
    return [title for title in titles if body is None or _stands_out(title.look, body)]


def _cells_by_row(table: Table) -> dict[int, list[TableCell]]:
    by_row: dict[int, list[TableCell]] = defaultdict(list)
    for cell in sorted(table.cells, key=lambda cell: (cell.row, cell.column)):
        by_row[cell.row].append(cell)
    return dict(by_row)


def _whole_title(title: _Title, rows: _Rows) -> _Title:
    """The title with the rows that continue it: they are set as it is and have no number."""
    start = rows.cells[title.row][title.cells - 1].box
    while len(cells := rows.cells.get(title.row + title.rows, ())) == 1:
        (cell,) = cells
        rest = rows.title(cell.row, 1, None)
        is_below = start.x0 - TABLE_RULE_MARGIN_PT < cell.box.x0 < start.x1
        is_alike = rest is not None and rest.look == title.look
        if rest is None or not is_alike or not is_below or parse_number(cell.text) is not None:
            break
        title = title._replace(rows=title.rows + 1, lines=(*title.lines, *rest.lines))
    return title


def _names_section(text: str, number: ItemNumber) -> bool:
    if number.pattern in (BULLET, CITATION) or not number.value or caption_end(text):
        return False
    title = text[number.title_start :].lstrip()
    if not title or len(text) > MAX_TABLE_HEADING_CHARS:
        return False
    if title[-1] in ":：" and not number.pattern.is_dotted:
        return False  # the label of the rows below it
    return title[0].isupper() or is_cjk(title[0])


def _are_names(cells: Sequence[TableCell]) -> bool:
    """Whether the cells beside a title are names of columns, if any: years and units."""
    if any(len(cell.text) > MAX_HEADER_CELL_CHARS for cell in cells):
        return False
    return not cells or any(HEADER_CELL.fullmatch(cell.text) for cell in cells)


def _lines_of(cells: Sequence[TableCell], table: Table, lines: Lines) -> tuple[int, ...]:
    """The lines that make up the text of some cells and nothing else; none where there are no such lines."""
    if any(cell.row_span > 1 for cell in cells):
        return ()
    box = bounding_box([cell.box for cell in cells])
    inside = []
    for i in table.lines:
        line = lines[i]
        if box.y0 < line.middle < box.y1 and box.x0 - TABLE_RULE_MARGIN_PT < line.axis < box.x1:
            inside.append(i)
    printed = sorted("".join("".join(lines[i].text.split()) for i in inside))
    wanted = sorted("".join("".join(cell.text.split()) for cell in cells))
    return tuple(inside) if printed == wanted else ()


def _usual_look(lines: Lines, text_styles: Sequence[TextStyle]) -> TextStyle | None:
    characters: Counter[TextStyle] = Counter()
    for line in lines:
        characters[text_styles[line.style]] += len(line.text)
    return max(characters, key=characters.__getitem__, default=None)


def _stands_out(look: TextStyle, body: TextStyle) -> bool:
    is_emphasised = (look.bold and not body.bold) or (look.italic and not body.italic)
    return is_emphasised or look.size > MIN_PROMINENT_SIZE_TIMES * body.size or look.colour != body.colour


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
    page, number = member.position[0], member.number
    near = MAX_NUMBERED_TITLES_PAGES_APART
    others = [each for each in series if each.table != member.table and abs(each.position[0] - page) <= near]
    before = [each.number for each in others if each.position < member.position][-1:]
    after = [each.number for each in others if each.position > member.position][:1]
    if any(follows(each, number) or each.value == number.value for each in before):
        return True
    if any(follows(number, each) for each in after):
        return True
    if not number.pattern.is_dotted or not (before or after):
        return False
    # 4.1 to 4.3 may stand in one table: then 3.2 before and 5.1 behind them show their place.
    is_later = all(each.value < number.value for each in before)
    return is_later and all(number.value < each.value for each in after)


def _extend_within_tables(series: Sequence[_Member], confirmed: list[bool]) -> Iterator[_Title]:
    """The confirmed titles, and those that stand beside one in its table with the number next to its own."""
    indices = range(len(series))
    steps = [*pairwise(indices), *pairwise(reversed(indices))]  # down the document, then up
    for known, other in steps:
        first, second = series[min(known, other)], series[max(known, other)]
        is_same_table = first.table is not None and first.table == second.table
        if confirmed[known] and is_same_table and follows(first.number, second.number):
            confirmed[other] = True
    return (member.title for member, is_sure in zip(series, confirmed, strict=True) if is_sure)


# --- Taking them out ---


class _Part(NamedTuple):
    """Rows of a table, and the headings above them or in their first row."""

    titles: list[_Title]
    rows: list[int]


def _divide(items: PageItems, block: Block, titles: Sequence[_Title], lines: Lines) -> PageItems:
    """The items of a page with a table divided above each title, and the lines of titles free."""
    table = block.table
    assert table is not None
    titles = sorted(titles, key=lambda title: title.row)
    lifted = [lines[i] for title in titles for i in title.lines]
    freed = {i for title in titles for i in title.lines}
    cells = _without_titles(table, titles)
    parts = _parts(table, titles, cells)
    tops = [float("-inf"), *(_top(part, cells, lines) for part in parts[1:]), float("inf")]
    header = [cell for cell in cells if cell.header and cell.row in parts[0].rows]
    blocks = [other for other in items.blocks if other is not block]
    for part, (top, bottom) in zip(parts, pairwise(tops), strict=True):
        own = [i for i in table.lines if i not in freed and top <= lines[i].middle < bottom]
        rows = _without_text_above(part.rows, cells)
        start = min((cell.box.y0 for cell in cells if cell.row in rows), default=bottom)
        inside = [i for i in own if lines[i].middle > start]
        if not inside or not _has_data(rows, cells):
            freed.update(own)
            continue
        freed.update(i for i in own if i not in inside)
        piece = _piece(table, rows, cells, [] if part is parts[0] else header)
        box = bounding_box([lines[i] for i in inside])
        box = Box(table.box.x0, box.y0, table.box.x1, box.y1)
        new = ready_block(Kind.TABLE, items.number, box, text=table_text(piece.rows))
        new.cells, new.table = piece.rows, piece._replace(lines=tuple(inside), box=box)
        blocks.append(new)
    order = {id(line): i for i, line in enumerate(lines)}
    free = sorted([*items.free, *(lines[i] for i in freed)], key=lambda line: order[id(line)])
    return items._replace(blocks=blocks, free=free, lifted=(*items.lifted, *lifted))


def _top(part: _Part, cells: Sequence[TableCell], lines: Lines) -> float:
    tops = [lines[i].y0 for title in part.titles for i in title.lines]
    return min([*tops, *(cell.box.y0 for cell in cells if cell.row in part.rows)])


def _without_titles(table: Table, titles: Sequence[_Title]) -> list[TableCell]:
    taken: dict[int, int] = {}  # by row, how many cells
    for title in titles:
        taken.update(dict.fromkeys(range(title.row, title.row + title.rows), 1))
        taken[title.row] = title.cells
    kept: list[TableCell] = []
    for row, cells in _cells_by_row(table).items():
        kept += cells[taken.get(row, 0) :]
    return kept


def _parts(table: Table, titles: Sequence[_Title], cells: Sequence[TableCell]) -> list[_Part]:
    """The rows between titles; what has no data, such as a header above the first title, joins the next."""
    starts = [0, *(_first_name_row(title.row, cells) for title in titles), len(table.rows)]
    parts = [_Part([], [])]
    for index, (start, stop) in enumerate(pairwise(starts)):
        own = [titles[index - 1]] if index else []
        rows = list(range(start, stop))
        if _has_data(parts[-1].rows, cells):
            parts.append(_Part(own, rows))
        else:
            parts[-1] = _Part([*parts[-1].titles, *own], [*parts[-1].rows, *rows])
    return parts


def _first_name_row(row: int, cells: Sequence[TableCell]) -> int:
    """The row of a title, or the first of the rows right above it that name the columns below it."""
    while above := [cell for cell in cells if cell.row == row - 1]:
        if not above[0].column or any(is_amount(cell.text) for cell in above):
            break
        row -= 1
    return row


def _has_data(rows: Sequence[int], cells: Sequence[TableCell]) -> bool:
    filled = Counter(cell.row for cell in cells if not cell.header)
    amounts = {cell.row for cell in cells if is_amount(cell.text)}
    return any(row in amounts and filled[row] for row in rows) or any(filled[row] > 2 for row in rows)


def _without_text_above(rows: Sequence[int], cells: Sequence[TableCell]) -> list[int]:
    """The rows from the names of columns on, if there are any: lines above these are text."""
    for index, row in enumerate(rows):
        in_row = [cell for cell in cells if cell.row == row]
        if any(is_amount(cell.text) for cell in in_row):
            break
        if len(in_row) > 1 or any(cell.column for cell in in_row):
            return list(rows[index:])
    return list(rows)


def _piece(
    table: Table, rows: Sequence[int], cells: Sequence[TableCell], header: Sequence[TableCell]
) -> Table:
    """Some rows of a table, without empty ones, below the header of the whole if they have none."""
    own = [cell for cell in cells if cell.row in rows]
    first = [cell for cell in own if cell.row == own[0].row]
    if not any(is_amount(cell.text) for cell in first) and (len(first) > 1 or first[0].column):
        header = []
    height = len({cell.row for cell in header})
    new_rows = {row: height + i for i, row in enumerate(sorted({cell.row for cell in own}))}
    header_rows = {row: i for i, row in enumerate(sorted({cell.row for cell in header}))}
    last = height + len(new_rows)
    placed = [cell._replace(row=header_rows[cell.row], row_span=1) for cell in header]
    for cell in own:
        row = new_rows[cell.row]
        placed.append(cell._replace(row=row, row_span=min(cell.row_span, last - row)))
    texts = [[""] * len(table.rows[0]) for _ in range(last)]
    for cell in placed:
        texts[cell.row][cell.column] = cell.text
    return table._replace(rows=tuple(map(tuple, texts)), cells=tuple(placed))
