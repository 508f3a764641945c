"""A table's cells in their places, from whatever its object tells: cells with spans, or rows of text alone.

All forms of tables are written from a `Grid`, so that none of them has to doubt what another engine said: its
cells lie within its shape and none covers another. Where they did not, the rows alone are taken.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import takewhile
from typing import NamedTuple

from held.document import PhysicalObject, TableCell
from held.layout.tolerances import (
    MAX_COLUMN_NAME_CHARS,
    MAX_GUESSED_HEADER_ROWS_COUNT,
)

Texts = Sequence[str]  # of the cells of a row
Place = tuple[int, int]

MOST_PLACES = 1_000_000  # of a table that tells only cells: more is no table but a slip or an attack
FIGURE = re.compile(r"(?=.*\d|[-–—]\Z)[\d\s.,%％()（）+\-−–—/$¥￥€£]+")
YEAR = re.compile(r"(?:19|20)\d\d")


class Grid(NamedTuple):
    """The cells with text, row by row; how many rows and columns there are; how many rows are the head."""

    cells: tuple[TableCell, ...]
    height: int
    width: int
    head: int

    def texts(self, *, spread: bool = False) -> list[list[str]]:
        """The text of all places, "" where none is: of a spanning cell in its first place, or in all."""
        rows = [[""] * self.width for _ in range(self.height)]
        for cell in self.cells:
            for row, column in _covered(cell) if spread else [(cell.row, cell.column)]:
                rows[row][column] = cell.text
        return rows

    def rows_alone(self) -> list[list[str]]:
        """The text of all places with labels that span rows in each of these: rows that can be read alone."""
        rows = self.texts()
        for spanning in self.cells:
            for row in range(spanning.row, spanning.row + spanning.row_span):
                rows[row][spanning.column] = spanning.text
        return rows

    def names(self) -> list[str]:
        """The name of each column: what the head says of it from top to bottom, spanning names among it."""
        names: list[list[str]] = [[] for _ in range(self.width)]
        for cell in self.cells:
            if cell.row < self.head:
                for column in range(cell.column, cell.column + cell.column_span):
                    names[column].append(" ".join(cell.text.split()))
        return [" ".join(name) for name in names]


def grid_of(item: PhysicalObject) -> Grid:
    """The grid of a table; one that tells neither rows nor cells has no places."""
    told = item.table.cells if item.table else ()
    height, width = _shape(item.rows, told)
    cells = _whole(told, height, width) or _from_rows(item.rows, item.page)
    head = _told_head(cells, height) or head_rows(item.rows)
    return Grid(cells, height, width, head)


def _shape(rows: Sequence[Texts], cells: Sequence[TableCell]) -> tuple[int, int]:
    """How many rows and columns there are: as many as the rows have, or as the cells need without any."""
    if rows or not cells:
        return len(rows), max(map(len, rows), default=0)
    height = max(cell.row for cell in cells) + 1
    width = max(cell.column for cell in cells) + 1
    return (height, width) if height * width <= MOST_PLACES else (0, 0)


def _whole(cells: Sequence[TableCell], height: int, width: int) -> tuple[TableCell, ...]:
    """The cells in order, with what reaches over the edges cut off; none where they contradict each other."""
    kept = []
    taken: set[Place] = set()
    for cell in sorted(cells, key=lambda cell: (cell.row, cell.column)):
        if cell.row >= height or cell.column >= width:
            return ()
        inside = cell._replace(
            row_span=min(cell.row_span, height - cell.row),
            column_span=min(cell.column_span, width - cell.column),
        )
        places = list(_covered(inside))
        if not taken.isdisjoint(places):
            return ()
        taken.update(places)
        kept.append(inside)
    return tuple(cell for cell in kept if cell.text.strip())


def _from_rows(rows: Sequence[Texts], page: int) -> tuple[TableCell, ...]:
    head = head_rows(rows)
    return tuple(
        TableCell(row, column, text, header=row < head, page=page)
        for row, texts in enumerate(rows)
        for column, text in enumerate(texts)
        if text.strip()
    )


def _covered(cell: TableCell) -> Iterator[Place]:
    """The places that a cell stands in."""
    for row in range(cell.row, cell.row + cell.row_span):
        for column in range(cell.column, cell.column + cell.column_span):
            yield row, column


def _told_head(cells: Sequence[TableCell], height: int) -> int:
    """How many rows at the top have header cells and no others."""
    headers: set[int] = set()
    values: set[int] = set()
    for cell in cells:
        (headers if cell.header else values).update(range(cell.row, cell.row + cell.row_span))
    rows = range(height - 1)  # something stands below a head
    return len(list(takewhile(lambda row: row in headers and row not in values, rows)))


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
    """How many rows at the top look like the table's head.

    A head has no figures but years, and columns of figures stand below it; its second and third row leave the
    first column empty. Without figures, a first row that fills three columns or more with short words is one.
    """
    plain = [not any(is_figure(cell) and not YEAR.fullmatch(cell.strip()) for cell in row) for row in rows]
    if len(rows) < 2 or not plain[0]:
        return 0
    if not figure_columns(rows[1:]):
        return int(
            len(rows[0]) > 2 and all(0 < len(cell.strip()) <= MAX_COLUMN_NAME_CHARS for cell in rows[0])
        )
    filled = [column for column, cell in enumerate(rows[0]) if cell.strip()]
    if filled in ([], [0]):
        return 0  # a label alone in the first column: the table goes on from another page
    depth = 1
    while (
        depth < min(MAX_GUESSED_HEADER_ROWS_COUNT, len(rows) - 1)
        and plain[depth]
        and not "".join(rows[depth][:1]).strip()
    ):
        depth += 1
    return depth
