"""The cells of a table object in their positions, for all exports.

An object has cells with spans, or rows of text alone, from this or another engine. A `Grid` is consistent:
its cells lie within its shape and none covers another. If the given cells contradict that, only the rows
count.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from held.document import PhysicalObject, TableCell
from held.layout.tolerances import MAX_COLUMN_NAME_CHARS, MAX_GUESSED_HEADER_ROWS_COUNT

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
        """The name of each column: its header texts from top to bottom, spanning ones included."""
        names: list[list[str]] = [[] for _ in range(self.width)]
        for cell in self.cells:
            if cell.row < self.head:
                for column in range(cell.column, cell.column + cell.column_span):
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
    for cell in sorted(cells, key=lambda cell: (cell.row, cell.column)):
        if cell.row >= height or cell.column >= width:
            return ()
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
    """The number of rows at the top that have header cells and no others."""
    headers: set[int] = set()
    values: set[int] = set()
    for cell in cells:
        rows = headers if cell.header else values
        rows.update(range(cell.row, cell.row + cell.row_span))
    count = 0
    while count < height - 1 and count in headers and count not in values:  # something stands below a header
        count += 1
    return count


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
