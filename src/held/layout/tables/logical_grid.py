"""Tables as a grid of cells, and what stands around them: caption, unit, notes."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from operator import attrgetter
from typing import NamedTuple

from held.document import Kind, PhysicalObject, TableCell, TableStructure
from held.layout.tolerances import MAX_COLUMN_NAME_CHARS, MAX_GUESSED_HEADER_ROWS_COUNT
from held.system import lazy_pattern

Texts = Sequence[str]  # of the cells of a row
Position = tuple[int, int]  # row and column

MAX_POSITIONS = 1_000_000  # of a table without rows: more is a mistake or an attack
FIGURE = re.compile(r"(?=.*\d|[-–—]\Z)[\d\s.,%％()（）+\-−–—/$¥￥€£]+")
YEAR = re.compile(r"(?:19|20)\d\d")


class Grid(NamedTuple):
    """The cells with text, row by row; the number of rows and columns; how many rows are the header."""

    cells: tuple[TableCell, ...]
    height: int
    width: int
    head: int

    def texts(self, *, spread: bool = False) -> list[list[str]]:
        """The text of all positions, "" for none: of a spanning cell in its first position, or in all."""
        rows = [[""] * self.width for _ in range(self.height)]
        for cell in self.cells:
            positions = _covered(cell) if spread else [(cell.row, cell.column)]
            for row, column in positions:
                rows[row][column] = cell.text
        return rows

    def rows_alone(self) -> list[list[str]]:
        """The text of all positions, with labels that span rows repeated: rows that can be read alone."""
        rows = self.texts()
        for cell in self.cells:
            for row in range(cell.row, cell.row + cell.row_span):
                rows[row][cell.column] = cell.text
        return rows

    def names(self) -> list[str]:
        """The name of each column: its header texts from top to bottom, spanning ones included.

        A unit alone in its row is that of all columns and stands in the name of the first.
        """
        names: list[list[str]] = [[] for _ in range(self.width)]
        in_row = Counter(cell.row for cell in self.cells)
        for cell in self.cells:
            if cell.row >= self.head:
                continue
            columns = range(cell.column, cell.column + cell.column_span)
            is_unit = in_row[cell.row] == 1 and _unit_in(cell.text) != ""
            for column in range(1) if is_unit else columns:
                names[column].append(" ".join(cell.text.split()))
        return [" ".join(name) for name in names]


def grid_of(item: PhysicalObject) -> Grid:
    """The grid of a table; one without rows and cells has no positions."""
    given = item.table.cells if item.table else ()
    height, width = _shape(item.rows, given)
    cells = _consistent_cells(given, height, width) or _cells_of_rows(item.rows, item.page)
    head = _count_marked_header_rows(cells, height) or head_rows(item.rows)
    return Grid(cells, height, width, head)


def _shape(rows: Sequence[Texts], cells: Sequence[TableCell]) -> tuple[int, int]:
    """The number of rows and columns, taken from the cells only if there are no rows."""
    if rows or not cells:
        return len(rows), max(map(len, rows), default=0)
    height = max(cell.row for cell in cells) + 1
    width = max(cell.column for cell in cells) + 1
    return (height, width) if height * width <= MAX_POSITIONS else (0, 0)


def _consistent_cells(cells: Sequence[TableCell], height: int, width: int) -> tuple[TableCell, ...]:
    """The cells in order, cut off at the edges; none if they contradict each other."""
    kept = []
    taken: set[Position] = set()
    for cell in sorted(cells, key=attrgetter("row", "column")):
        if cell.row >= height or cell.column >= width:
            return ()
        if cell.row_span == 1 and cell.column_span == 1:  # most cells: nothing to cut off
            inside, positions = cell, [(cell.row, cell.column)]
        else:
            row_span = min(cell.row_span, height - cell.row)
            column_span = min(cell.column_span, width - cell.column)
            inside = cell._replace(row_span=row_span, column_span=column_span)
            positions = list(_covered(inside))
        if not taken.isdisjoint(positions):
            return ()
        taken.update(positions)
        if cell.text.strip():
            kept.append(inside)
    return tuple(kept)


def _cells_of_rows(rows: Sequence[Texts], page: int) -> tuple[TableCell, ...]:
    head = head_rows(rows)
    cells = []
    for row, texts in enumerate(rows):
        for column, text in enumerate(texts):
            if text.strip():
                cells.append(TableCell(row, column, text, header=row < head, page=page))
    return tuple(cells)


def _covered(cell: TableCell) -> Iterator[Position]:
    for row in range(cell.row, cell.row + cell.row_span):
        for column in range(cell.column, cell.column + cell.column_span):
            yield row, column


def _count_marked_header_rows(cells: Sequence[TableCell], height: int) -> int:
    """The number of rows at the top that have header cells and no others.

    A label alone below the names, such as "ASSETS", is that of the rows below it.
    """
    headers: set[int] = set()
    values: set[int] = set()
    for cell in cells:
        rows = headers if cell.header else values
        rows.update(range(cell.row, cell.row + cell.row_span))
    count = 0
    while count < height - 1 and count in headers and count not in values:  # something stands below a header
        count += 1
    names = {cell.row for cell in cells if cell.row < count and cell.column + cell.column_span > 1}
    return max(names) + 1 if names else count


def is_figure(cell: str) -> bool:
    """Whether a cell holds a number, or the dash that stands for none."""
    return FIGURE.fullmatch(cell.strip()) is not None


def figure_columns(rows: Sequence[Texts]) -> frozenset[int]:
    """The columns in which at least half of the filled cells are figures."""
    filled: Counter[int] = Counter()
    figures: Counter[int] = Counter()
    for row in rows:
        for column, cell in enumerate(row):
            filled[column] += bool(cell.strip())
            figures[column] += is_figure(cell)
    return frozenset(column for column, found in figures.items() if found and found * 2 >= filled[column])


def head_rows(rows: Sequence[Texts]) -> int:
    """The number of rows at the top that look like the table's header.

    A header has no figures but years, and columns of figures below it; its second and third row leave the
    first column empty. Without figures, a first row with three or more columns of short words is a header.
    """
    if len(rows) < 2 or not _has_only_years(rows[0]):
        return 0
    if not figure_columns(rows[1:]):
        is_names = all(0 < len(cell.strip()) <= MAX_COLUMN_NAME_CHARS for cell in rows[0])
        return int(len(rows[0]) > 2 and is_names)
    filled = [column for column, cell in enumerate(rows[0]) if cell.strip()]
    if filled in ([], [0]):
        return 0  # a label alone in the first column: the table continues from another page
    depth = 1
    max_depth = min(MAX_GUESSED_HEADER_ROWS_COUNT, len(rows) - 1)
    while depth < max_depth and _has_only_years(rows[depth]) and not "".join(rows[depth][:1]).strip():
        depth += 1
    return depth


def _has_only_years(row: Texts) -> bool:
    """Whether a row has no figures but years."""
    return not any(is_figure(cell) and not YEAR.fullmatch(cell.strip()) for cell in row)


CURRENCY = r"(?:(?:US|HK|NT|A|C|R|S)?\$|€|£|¥|RMB|CNY|USD|EUR|GBP|HKD|JPY)"
MAX_OBJECTS_TO_UNIT = 3  # between a table and the line with its unit: caption, title, date
# "Years ended December 31, 2025, 2024 and 2023 (in millions, except per share data)" and some more
MAX_UNIT_LINE_CHARS = 160
FIGURE_CAPTION = lazy_pattern(r"(?:figure|fig\b|chart|plate|图(?!表))", re.I)
UNIT = lazy_pattern(
    r"\bin\s+(?:[\w$€£¥.’']+\s+){0,3}(?:thousands?|millions?|billions?)\b"
    rf"|{CURRENCY}\s?(?:thousands?|millions?|billions?)\b"
    r"|\b(?:thousands|millions|billions) of\b"
    r"|(?:\$|€|£|¥|RMB|HK\$|US\$)\s?['’]000|(?:€|£|US\$|\$)\s?(?:m|bn|million|billion)\b"
    r"|单位\s*[:：]|(?:人民币)?[千百万亿]+元",
    re.I,
)
# Every unit has one of these. The search is cheap and rules out most lines.
SCALE = lazy_pattern(r"thousand|million|billion|单位|元|000|[€£$]\s?(?:m|bn)\b", re.I)
SCALE_ALONE = lazy_pattern(r"(?:thousands|millions|billions)\b", re.I)
UNIT_LINE = lazy_pattern(
    r"in\b|[$€£¥]|(?:all )?(?:amounts|dollars|figures)\b|(?:thousands|millions|billions)\b|.{0,8}单位", re.I
)
UNIT_AT_END = lazy_pattern(rf"[,，:：]\s*({CURRENCY}\s?(?:thousands?|millions?|billions?))$", re.I)
MAX_NOTES = 12  # below a table
NAMED_NOTE = lazy_pattern(
    r"(?:notes?|sources?|footnotes?)\s?\d*\s?[:：]|(?:数据|资料)?来源\s?[:：]|注\s?\d*\s?[:：]", re.I
)
# Marks that begin a note and refer to a cell: "(1) Restated", "* Unaudited", "a Estimate".
BRACKETED_MARK = lazy_pattern(r"[(（\[](?:\d{1,2}|[a-z]|\*+)[)）\]]|[*†‡§#]{1,3}|[①-⑳]")
BARE_MARK = lazy_pattern(r"(\d{1,2}|[a-z])(?=\s+[A-Z“\"])")
TYPED_RULE = re.compile(r"[\s_–—―-]+")
BRACKETED = re.compile(r"[(（]([^()（）]*)[)）]")
NOTE_KINDS = frozenset({Kind.PARAGRAPH, Kind.LIST_ITEM, Kind.FOOTNOTE})
EMPTY_STRUCTURE = TableStructure()

Objects = Sequence[PhysicalObject]


class TableContext(NamedTuple):
    """A table's caption, unit and notes, as printed, and the index of the caption if it is an object."""

    caption: str = ""
    unit: str = ""
    caption_object: int | None = None
    notes: tuple[str, ...] = ()


def attach_table_contexts(objects: Objects) -> list[PhysicalObject]:
    """The objects, with caption, unit and notes set in each table."""
    attached = list(objects)
    for index, context in find_table_contexts(objects).items():
        given = objects[index].table or EMPTY_STRUCTURE
        table = replace(given, caption=context.caption, unit=context.unit, notes=context.notes)
        attached[index] = replace(objects[index], table=table)
    return attached


def find_table_contexts(objects: Objects, headings: Container[int] = ()) -> dict[int, TableContext]:
    """The context of each table by the table's index. A caption belongs to one table alone."""
    captions = _find_captions(objects)
    contexts = {}
    for index in _table_indices(objects):
        given = objects[index].table or EMPTY_STRUCTURE
        caption = captions.get(index)
        text = given.caption
        if not text and caption is not None:
            text = _one_line(objects[caption].text)
        unit = given.unit or _find_unit(objects, index, text, headings)
        notes = given.notes or tuple(_find_notes(objects, index))
        contexts[index] = TableContext(text, unit, caption, notes)
    return contexts


def _find_captions(objects: Objects) -> Mapping[int, int]:
    """The caption of each table: the one before it, else the one after it that no other table needs."""
    found: dict[int, int] = {}
    for index in _table_indices(objects):
        before = _adjacent_caption(objects, index, range(index - 1, -1, -1))
        if before is not None:
            found[index] = before
    taken = set(found.values())
    for index in _table_indices(objects):
        if index not in found:
            after = _adjacent_caption(objects, index, range(index + 1, len(objects)))
            if after is not None and after not in taken:
                found[index] = after
    return found


def _table_indices(objects: Objects) -> list[int]:
    return [index for index, item in enumerate(objects) if item.kind is Kind.TABLE]


def _adjacent_caption(objects: Objects, table: int, neighbours: Iterable[int]) -> int | None:
    """The caption right beside a table, with at most a line with the unit between them."""
    given = objects[table].table or EMPTY_STRUCTURE
    for index in islice(neighbours, 2):
        item = objects[index]
        if item.kind is Kind.CAPTION and not FIGURE_CAPTION.match(item.text.strip()):
            is_given = not given.caption or _one_line(given.caption) == _one_line(item.text)
            is_same_page = item.parts[-1].page == objects[table].page
            return index if is_given and is_same_page else None
        if not _is_unit_line(item):
            return None
    return None


def _find_unit(objects: Objects, index: int, caption: str, headings: Container[int]) -> str:
    """The unit in a line above the table, or in its caption, its header or the title above."""
    table = objects[index]
    titles = []
    for before in range(index - 1, max(-1, index - 1 - MAX_OBJECTS_TO_UNIT), -1):
        item = objects[before]
        if item.kind in (Kind.TABLE, Kind.FIGURE) or item.page != table.page:
            break
        if before in headings or item.kind in (Kind.CAPTION, Kind.HEADING):
            titles.append(item.text)
        elif _is_unit_line(item):
            return _unit_in(item.text)
    candidates = [caption]
    if not table.text or SCALE.search(table.text):
        grid = grid_of(table)
        header = [cell for cell in grid.cells if cell.row < max(1, grid.head)]
        # A unit at the left or over several columns is that of all numbers.
        candidates += [cell.text for cell in header if cell.column == 0 or cell.column_span > 1]
    return next(filter(None, map(_unit_in, [*candidates, *titles])), "")


def _find_notes(objects: Objects, index: int) -> Iterator[str]:
    """The notes right below a table: those called so, and those whose mark stands in one of its cells."""
    table = objects[index]
    for item in objects[index + 1 : index + 1 + MAX_NOTES]:
        if item.kind is Kind.CAPTION or TYPED_RULE.fullmatch(item.text):
            continue
        if item.kind not in NOTE_KINDS or item.page != table.parts[-1].page or not _is_note(item.text, table):
            return
        yield _one_line(item.text)


def _is_note(text: str, table: PhysicalObject) -> bool:
    if NAMED_NOTE.match(text):
        return True
    cells = [cell.strip() for row in table.rows for cell in row if cell]
    if bracketed := BRACKETED_MARK.match(text):
        mark = bracketed[0]
        return any(cell != mark and mark in cell for cell in cells)
    if bare := BARE_MARK.match(text):
        # A raised mark stands right behind the last letter of a cell: "Total2".
        mark = bare[1]
        marked_word = re.compile(rf"\w*[^\W\d]\)?{mark}" if mark.isdigit() else rf".*\d{mark}")
        return any(marked_word.fullmatch(word) for cell in cells for word in cell.split()[-1:])
    return False


def _is_unit_line(item: PhysicalObject) -> bool:
    return item.kind is Kind.PARAGRAPH and _unit_in(item.text) != ""


def _unit_in(text: str) -> str:
    """The unit in brackets or at the end of a line, or the line if it is nothing but a unit."""
    line = _one_line(text)
    if len(line) > MAX_UNIT_LINE_CHARS or not SCALE.search(line):
        return ""
    for inside in BRACKETED.findall(line):
        if UNIT.search(inside) or SCALE_ALONE.match(inside):
            return str(inside)
    if not UNIT.search(line):
        return ""
    if at_end := UNIT_AT_END.search(line):
        return at_end[1]
    return line if UNIT_LINE.match(line) else ""


def _one_line(text: str) -> str:
    return " ".join(text.split())
