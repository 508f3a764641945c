"""The tables of a document with caption, unit and notes, and their export to files.

CSV is written so that a spreadsheet runs no cell of an untrusted document. Spreadsheets read a cell that
begins with = + - @ (some also the full-width forms), a tab or a line break as a formula, and formulas can
start programs (OWASP, "CSV Injection"). Such a cell gets an apostrophe in front, which spreadsheets read as
"this is text". Numbers and lone dashes stay as they are.
"""

from __future__ import annotations

import csv
import io
import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from held.document import Kind, TableCell
from held.errors import UsageError
from held.exports.amounts import (
    DIGIT_GROUPS,
    Value,
    detect_decimal,
    is_amount,
    parse_amount,
    parse_currency,
    parse_scale,
    parse_value,
)
from held.exports.object_text import replace_symbols
from held.hierarchy import Hierarchy
from held.layout.tables.logical_grid import EMPTY_STRUCTURE, Grid, find_table_contexts, grid_of
from held.system.atomic_write import make_folder, remove_stale_drafts, write_file
from held.system.console import to_utf8

if TYPE_CHECKING:
    import pandas

FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
# The fields of a number in tidy form, one line each.
AMOUNT_FIELDS = (
    "table",
    "page",
    "row",
    "column",
    "label",
    "name",
    "text",
    "value",
    "scale",
    "currency",
    "percent",
)
INDEX_NAME = "index.json"
INDEX_FORMAT, INDEX_VERSION = "held.tables", 1

_DASHES = re.compile(r"\s*[-－]+\s*", re.ASCII)  # control characters beyond ASCII's white space are text


@dataclass(frozen=True, slots=True, repr=False)
class Table:
    """A table of a document.

    `number` counts the document's tables from 1, `index` is the table's place among its objects. `path` has
    the titles of the headings above it, `pages` the numbers of its pages. `cells` are those with text, row
    by row, with spans and boxes. In a `doubtful` table, rows or columns may be wrong, and `doubts` has the
    reasons; its text is in order. `decimal` is the decimal mark of its numbers, "." or ",", by what the
    table shows, else by the rest of the document.
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
    doubts: tuple[str, ...] = ()
    decimal: str = "."

    @property
    def page(self) -> int:
        """The page on which the table begins."""
        return self.pages[0]

    @property
    def cells(self) -> tuple[TableCell, ...]:
        """The cells with text, row by row."""
        return self.grid.cells

    @property
    def shape(self) -> tuple[int, int]:
        """The number of rows, header rows included, and the number of columns."""
        return self.grid.height, self.grid.width

    @property
    def header_rows(self) -> int:
        """How many rows at the top name the columns."""
        return self.grid.head

    @property
    def header(self) -> list[list[str]]:
        """The rows that name the columns; a name that spans several is repeated in each."""
        return self.grid.texts(spread=True)[: self.grid.head]

    @property
    def columns(self) -> list[str]:
        """The name of each column on one line: `Year ended December 31, 2025`."""
        return self.grid.names()

    def to_rows(
        self, *, numbers: bool = False, decimal: str | None = None, repeat_spans: bool = False
    ) -> list[list[Value]]:
        """All rows, header and body. The text of a spanning cell is in its first position, or in all.

        With `numbers`, printed numbers below the header become numbers, `(1,234)` -1234 and a dash None;
        `decimal` is the mark before the fraction, "." or ",", by default that of the table.
        """
        decimal = self.decimal if decimal is None else decimal
        texts = self.grid.texts(spread=repeat_spans)
        if not numbers:
            return [list(row) for row in texts]
        if decimal not in DIGIT_GROUPS:
            raise UsageError(f"decimal cannot be {decimal!r}", advice='it is "." or ","')
        rows: list[list[Value]] = []
        for number, row in enumerate(texts):
            # A year in the header is a name, not an amount.
            in_header = number < self.grid.head
            rows.append(list(row) if in_header else [parse_value(text, decimal=decimal) for text in row])
        return rows

    def amounts(self, *, decimal: str | None = None) -> list[dict[str, Any]]:
        """The numbers below the header, one record each, with what is needed to understand them alone.

        `label` is the first text of its row, `name` that of its column, `value` what is printed, negative
        in brackets. `scale` is the factor that the table's unit names, 1 for a percentage.
        """
        labels = {row: texts[0] for row, texts in enumerate(self.grid.rows_alone())}
        names = self.columns
        scale = parse_scale(self.unit)
        records = []
        for cell in self.cells:
            amount = parse_amount(cell.text, decimal=decimal or self.decimal)
            if amount is None or cell.row < self.header_rows:
                continue
            currency = "" if amount.is_percent else amount.currency or parse_currency(self.unit)
            record = {
                "table": self.number,
                "page": cell.page,
                "row": cell.row,
                "column": cell.column,
                "label": " ".join(labels[cell.row].split()) if cell.column else "",
                "name": names[cell.column],
                "text": cell.text,
                "value": amount.value,
                "scale": 1 if amount.is_percent else scale,
                "currency": currency,
                "percent": amount.is_percent,
            }
            records.append(record)
        return records

    def to_dataframe(
        self, *, numbers: bool = False, decimal: str | None = None, repeat_spans: bool = False
    ) -> pandas.DataFrame:
        """The rows below the header as a pandas data frame, with the columns' names; needs pandas."""
        try:
            import pandas
        except ImportError as error:
            raise UsageError("to_dataframe needs pandas", advice="pip install pandas") from error
        rows = self.to_rows(numbers=numbers, decimal=decimal, repeat_spans=repeat_spans)
        names = _unique_names(self.columns) if self.grid.head else list(range(self.grid.width))
        return pandas.DataFrame(rows[self.grid.head :], columns=names)

    def to_csv(
        self,
        *,
        numbers: bool = False,
        decimal: str | None = None,
        repeat_spans: bool = False,
        guarded: bool = True,
    ) -> str:
        """All rows as CSV. `guarded` puts an apostrophe before text that a spreadsheet would run."""
        rows = self.to_rows(numbers=numbers, decimal=decimal, repeat_spans=repeat_spans)
        return csv_text(rows, guarded=guarded)

    def to_html(self) -> str:
        """A `table` element with caption, header, spans and scopes."""
        from held.exports.html_blocks import html_table

        return html_table(self.grid, caption=self.caption, unit=self.unit)

    def to_markdown(self) -> str:
        """A pipe table; spanning cells are repeated where a row needs them."""
        from held.exports.markdown import doubt_comment, markdown_table

        return doubt_comment(self.doubtful, self.doubts) + markdown_table(self.grid)

    def to_json(self) -> dict[str, Any]:
        """Everything as a JSON object."""
        return describe_table(self) | {
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
    """The tables of a document in reading order, without those of which no cell is known."""
    objects = hierarchy.document.objects
    paths = hierarchy.tree.paths()
    around = find_table_contexts(objects, hierarchy.headings)
    # A table of whole numbers does not show its decimal mark; the others of its document do.
    all_texts = (cell for item in objects if item.kind is Kind.TABLE for row in item.rows for cell in row)
    usual_decimal = detect_decimal(all_texts) or "."
    tables: list[Table] = []
    for index, item in enumerate(objects):
        grid = grid_of(item)
        if item.kind is not Kind.TABLE or not grid.cells:
            continue
        structure = item.table or EMPTY_STRUCTURE
        headings_above = paths[index][:-1]
        table = Table(
            number=len(tables) + 1,
            index=index,
            pages=tuple(sorted({part.page for part in item.parts})),
            path=tuple(objects[above].title for above in headings_above),
            caption=around[index].caption,
            unit=around[index].unit,
            notes=around[index].notes,
            doubtful=structure.doubtful,
            grid=_replace_symbols_in(grid),
            doubts=structure.doubts,
            decimal=detect_decimal(cell.text for cell in grid.cells) or usual_decimal,
        )
        tables.append(table)
    return tuple(tables)


def _replace_symbols_in(grid: Grid) -> Grid:
    """The grid with symbol fonts' glyphs as characters: often a cell has nothing but a tick."""
    cells = [cell._replace(text=replace_symbols(cell.text)) for cell in grid.cells]
    return grid._replace(cells=tuple(cells))


def describe_table(table: Table) -> dict[str, Any]:
    """A table's entry in an index of tables: everything but its text."""
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
        "doubts": list(table.doubts),
        "decimal": table.decimal,
        "scale": parse_scale(table.unit),
    }


def _unique_names(names: Sequence[str]) -> list[str]:
    """The names with a number added to repeated ones, as pandas does when it reads CSV: a, a.1, a.2."""
    counts: Counter[str] = Counter()
    taken = set(names)
    unique_names = []
    for name in names:
        unique = name
        # "a.1" may also be a column's own name, so numbers go on until one is free.
        while counts[name] and (unique == name or unique in taken):
            unique = f"{name}.{counts[name]}"
            counts[name] += 1
        counts[name] += not counts[name]
        taken.add(unique)
        unique_names.append(unique)
    return unique_names


def csv_text(rows: Iterable[Sequence[Value]], *, guarded: bool = True) -> str:
    """The rows as CSV, one per line, quoted where necessary."""
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\n")
    for row in rows:
        cells = [_normalize_breaks(cell) for cell in row]
        writer.writerow([guard_formula(cell) if guarded else cell for cell in cells])
    return file.getvalue()


def _normalize_breaks(cell: Value) -> Value:
    # The csv writer quotes its own line terminator only; any other break would end the row.
    return cell.replace("\r\n", "\n").replace("\r", "\n") if isinstance(cell, str) else cell


def guard_formula(cell: Value) -> Value:
    """The cell with an apostrophe in front if a spreadsheet would run it."""
    if not isinstance(cell, str) or not cell.startswith(FORMULA_STARTS):
        return cell
    is_harmless = is_amount(cell) or _DASHES.fullmatch(cell)
    return cell if is_harmless else f"'{cell}"


def write_tables(
    tables: Sequence[Table],
    folder: Path,
    *,
    source: str,
    as_csv: Callable[[Table], str] = Table.to_csv,
    pictures: Mapping[int, bytes] | None = None,
) -> None:
    """Write `table-001-p012.csv` … and `index.json` into a folder, which is created if necessary.

    `pictures` has the image of a table on its page by the table's number, written as `table-001-p012.png`.
    """
    make_folder(folder)
    remove_stale_drafts(folder)
    entries = []
    for table in tables:
        stem = f"table-{table.number:03}-p{table.page:03}"
        write_file(folder / f"{stem}.csv", to_utf8(as_csv(table)))
        entry = {"file": f"{stem}.csv", **describe_table(table)}
        if pictures and table.number in pictures:
            write_file(folder / f"{stem}.png", pictures[table.number])
            entry["image"] = f"{stem}.png"
        entries.append(entry)
    index = {"format": INDEX_FORMAT, "version": INDEX_VERSION, "source": source, "tables": entries}
    text = json.dumps(index, ensure_ascii=False, indent=1) + "\n"
    write_file(folder / INDEX_NAME, to_utf8(text))


def to_tables_page(tables: Sequence[Table], *, title: str) -> str:
    """The tables as one web page, each below its headings and its page number."""
    from held.exports.html_blocks import build_page, escape_html, page_style

    sections = []
    for table in tables:
        path = " › ".join([*table.path, f"p. {table.page}"])
        reasons = escape_html(": " + "; ".join(table.doubts)) if table.doubts else ""
        doubt = f" (doubtful{reasons})" if table.doubtful else ""
        notes = "".join(f'\n<p class="footnote">{escape_html(note)}</p>' for note in table.notes)
        heading = f'<h2 id="table-{table.number}">{table.number}. {escape_html(path)}{doubt}</h2>'
        sections.append(f"{heading}\n{table.to_html()}{notes}")
    content = "\n".join(sections) or "<p>No table was found.</p>"
    body = f"<main>\n<h1>{escape_html(title)}</h1>\n{content}\n</main>\n"
    return build_page(title, body, style=page_style("tables.css"), script="")
