"""Tables as the library hands them out: where each stands, what it says, and the forms to go on with."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from held.document import Kind, TableCell
from held.errors import UsageError
from held.exports.symbols import readable
from held.exports.tables.amounts import GROUPED, Value, value_of
from held.exports.tables.csv_text import csv_text
from held.hierarchy.hierarchy import Hierarchy
from held.layout.tables.logical_grid import Grid, grid_of
from held.layout.tables.surroundings import NOTHING, around_tables

if TYPE_CHECKING:
    import pandas


@dataclass(frozen=True, slots=True, repr=False)
class Table:
    """A table of a document.

    `number` counts the document's tables from 1, `index` is the table's place among its objects. `path` has
    the titles of the headings above it, `pages` the pages that it stands on. `cells` are those with text, row
    by row, with spans and boxes. A `doubtful` table may have other rows or columns; its text is in order.
    """

    number: int
    index: int
    pages: tuple[int, ...]
    path: tuple[str, ...]
    caption: str
    unit: str
    notes: tuple[str, ...]
    doubtful: bool
    grid: Grid = field(repr=False)

    @property
    def page(self) -> int:
        """The page on which the table begins."""
        return self.pages[0]

    @property
    def cells(self) -> tuple[TableCell, ...]:
        """The cells with text, row by row; what none covers is empty."""
        return self.grid.cells

    @property
    def shape(self) -> tuple[int, int]:
        """How many rows, those of the head among them, and columns there are."""
        return self.grid.height, self.grid.width

    @property
    def header_rows(self) -> int:
        """How many rows at the top name the columns."""
        return self.grid.head

    @property
    def header(self) -> list[list[str]]:
        """The rows that name the columns; a name that spans several stands in each."""
        return self.grid.texts(spread=True)[: self.grid.head]

    @property
    def columns(self) -> list[str]:
        """The name of each column on one line: `Year ended December 31, 2025`."""
        return self.grid.names()

    def to_rows(
        self, *, numbers: bool = False, decimal: str = ".", repeat_spans: bool = False
    ) -> list[list[Value]]:
        """All rows, head and body. A spanning cell has its text in its first place, or in all of them.

        With `numbers`, what is printed as a number below the head is one, `(1,234)` -1234 and a dash None;
        `decimal` is the mark before the fraction, "." or ",".
        """
        texts = self.grid.texts(spread=repeat_spans)
        if not numbers:
            return [list(row) for row in texts]
        _check_mark(decimal)
        head: list[list[Value]] = [list(row) for row in texts[: self.grid.head]]
        return head + [[value_of(text, decimal=decimal) for text in row] for row in texts[self.grid.head :]]

    def to_dataframe(
        self, *, numbers: bool = False, decimal: str = ".", repeat_spans: bool = False
    ) -> pandas.DataFrame:
        """The rows below the head as a pandas data frame, with the columns' names; needs pandas."""
        try:
            import pandas
        except ImportError as error:
            raise UsageError("to_dataframe needs pandas", advice="pip install pandas") from error
        rows = self.to_rows(numbers=numbers, decimal=decimal, repeat_spans=repeat_spans)
        names = _distinct(self.columns) if self.grid.head else list(range(self.grid.width))
        return pandas.DataFrame(rows[self.grid.head :], columns=names)

    def to_csv(
        self, *, numbers: bool = False, decimal: str = ".", repeat_spans: bool = False, guarded: bool = True
    ) -> str:
        """All rows as CSV. `guarded` puts an apostrophe before text that a spreadsheet would run."""
        rows = self.to_rows(numbers=numbers, decimal=decimal, repeat_spans=repeat_spans)
        return csv_text(rows, guarded=guarded)

    def to_html(self) -> str:
        """A `table` element with caption, head, spans and scopes."""
        from held.exports.tables.html import html_table

        return html_table(self.grid, caption=self.caption, unit=self.unit)

    def to_markdown(self) -> str:
        """A pipe table; what spans is repeated where a row needs it."""
        from held.exports.tables.markdown import markdown_table

        return markdown_table(self.grid)

    def to_json(self) -> dict[str, Any]:
        """Everything as a JSON object."""
        return described(self) | {
            "notes": list(self.notes),
            "header_rows": self.header_rows,
            "rows": self.grid.texts(),
            "cells": [cell._asdict() | {"box": list(cell.box)} for cell in self.cells],
        }

    def _repr_html_(self) -> str:
        return self.to_html()

    def __repr__(self) -> str:
        height, width = self.shape
        name = self.caption or (self.path[-1] if self.path else "")
        return f"<Table {self.number} on page {self.page}: {height} × {width}, {name!r}>"


def tables_of(hierarchy: Hierarchy) -> tuple[Table, ...]:
    """The tables of a document in reading order; those of which no cell is known are left out."""
    objects, paths = hierarchy.document.objects, hierarchy.tree.paths()
    around = around_tables(objects, hierarchy.headings)
    found: list[Table] = []
    for index, item in enumerate(objects):
        grid = grid_of(item)
        if item.kind is not Kind.TABLE or not grid.cells:
            continue
        told = item.table or NOTHING
        table = Table(
            number=len(found) + 1,
            index=index,
            pages=tuple(sorted({part.page for part in item.parts})),
            path=tuple(" ".join(objects[above].text.split()) for above in paths[index][:-1]),
            caption=around[index].caption,
            unit=around[index].unit,
            notes=around[index].notes,
            doubtful=told.doubtful,
            grid=_readable(grid),
        )
        found.append(table)
    return tuple(found)


def _readable(grid: Grid) -> Grid:
    """The grid with the marks of symbol fonts as characters: a tick is often all that a cell has."""
    return grid._replace(cells=tuple(cell._replace(text=readable(cell.text)) for cell in grid.cells))


def described(table: Table) -> dict[str, Any]:
    """What an index says of a table."""
    height, width = table.shape
    return {
        "number": table.number,
        "object": table.index,
        "pages": list(table.pages),
        "path": list(table.path),
        "caption": table.caption,
        "unit": table.unit,
        "row_count": height,
        "column_count": width,
        "doubtful": table.doubtful,
    }


def _distinct(names: Sequence[str]) -> list[str]:
    """The names with a number behind those that stood there before, as pandas does when it reads CSV."""
    seen: Counter[str] = Counter()
    taken = set(names)
    found = []
    for name in names:
        unique = name
        while seen[name] and (unique == name or unique in taken):
            unique = f"{name}.{seen[name]}"
            seen[name] += 1
        seen[name] += not seen[name]
        taken.add(unique)
        found.append(unique)
    return found


def _check_mark(decimal: str) -> None:
    if decimal not in GROUPED:
        raise UsageError(f"decimal cannot be {decimal!r}", advice='it is "." or ","')
