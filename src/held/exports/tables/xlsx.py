"""Tables as a spreadsheet (.xlsx): a sheet for each, numbers as numbers, spans as merged cells.

Written by XlsxWriter, which is pure Python and needs nothing else. Text is written as text, whatever it
begins with: nothing in it becomes a formula or a link.
"""

from __future__ import annotations

import io
import re
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from held.document import TableCell
from held.errors import UsageError
from held.exports.tables.amounts import value_of
from held.exports.tables.table import Table

if TYPE_CHECKING:
    import xlsxwriter
    from xlsxwriter.worksheet import Worksheet

CONTENTS = "Tables"  # the sheet that lists the others
CONTENTS_HEAD = ("sheet", "page", "path", "caption", "unit", "doubtful")
LONGEST_NAME = 31  # characters of a sheet's name
LONGEST_TEXT = 32767  # characters of a cell
UNFIT = re.compile(r"[\[\]:*?/\\'\x00-\x1f]")  # in a sheet's name
WIDEST = 60  # characters: a wider column wraps its text
NO_TIME = datetime(2000, 1, 1, tzinfo=UTC)  # the same tables give the same bytes
AS_TEXT = {
    "in_memory": True,
    "strings_to_formulas": False,
    "strings_to_urls": False,
}
FORMATS = {
    "head": {"bold": True, "text_wrap": True, "valign": "bottom", "bottom": 1},
    "text": {"text_wrap": True, "valign": "top"},
    "int": {"num_format": "#,##0;(#,##0)", "valign": "top"},
    "float": {"num_format": "#,##0.0###;(#,##0.0###)", "valign": "top"},
    "percent": {"num_format": '0.0##"%";(0.0##"%")', "valign": "top"},
    "year": {"valign": "top"},
}


def to_xlsx(tables: Sequence[Table], *, decimal: str = ".") -> bytes:
    """The spreadsheet; where there are several tables, its first sheet lists them."""
    try:
        import xlsxwriter
    except ImportError as error:
        raise UsageError("xlsx needs XlsxWriter", advice="pip install 'held[xlsx]'") from error
    file = io.BytesIO()
    book = xlsxwriter.Workbook(file, AS_TEXT)
    book.set_properties({"created": NO_TIME})
    formats = {name: book.add_format(looks) for name, looks in FORMATS.items()}
    names = _sheet_names(tables)
    if len(tables) != 1:
        _list(book, tables, names, formats)
    for table, name in zip(tables, names, strict=True):
        _fill(book.add_worksheet(name), table, formats, decimal)
    book.close()
    return file.getvalue()


def _list(
    book: xlsxwriter.Workbook, tables: Sequence[Table], names: Sequence[str], formats: dict[str, Any]
) -> None:
    sheet = book.add_worksheet(CONTENTS)
    for column, word in enumerate(CONTENTS_HEAD):
        sheet.write_string(0, column, word, formats["head"])
    for row, (table, name) in enumerate(zip(tables, names, strict=True), start=1):
        sheet.write_url(row, 0, f"internal:'{name}'!A1", string=name)
        sheet.write_number(row, 1, table.page)
        doubt = "doubtful" if table.doubtful else ""
        for column, text in enumerate((" › ".join(table.path), table.caption, table.unit, doubt), start=2):
            sheet.write_string(row, column, text[:LONGEST_TEXT])
    sheet.set_column(0, 0, LONGEST_NAME)
    sheet.set_column(2, 3, WIDEST)
    sheet.freeze_panes(1, 0)


def _fill(sheet: Worksheet, table: Table, formats: dict[str, Any], decimal: str) -> None:
    for cell in table.cells:
        in_head = cell.row < table.header_rows or cell.header
        value = cell.text if in_head else value_of(cell.text, decimal=decimal)
        looks = formats[_looks(cell, value, in_head)]
        if cell.row_span > 1 or cell.column_span > 1:
            last = cell.row + cell.row_span - 1, cell.column + cell.column_span - 1
            sheet.merge_range(cell.row, cell.column, *last, "", looks)
        if isinstance(value, str):
            sheet.write_string(cell.row, cell.column, value[:LONGEST_TEXT], looks)
        elif value is not None:
            sheet.write_number(cell.row, cell.column, value, looks)
    for column, width in enumerate(_widths(table)):
        sheet.set_column(column, column, width)
    sheet.freeze_panes(table.header_rows, 0)


def _looks(cell: TableCell, value: object, in_head: bool) -> str:
    """The name of a cell's format."""
    if in_head:
        return "head"
    if isinstance(value, str) or value is None:
        return "text"
    if cell.text.rstrip(")） ").endswith(("%", "％")):
        return "percent"
    if isinstance(value, float):
        return "float"
    # Numbers without marks may be years or items: they are shown as they are printed.
    return "year" if cell.text.strip().isdecimal() else "int"


def _widths(table: Table) -> list[int]:
    """A width for each column that shows most of its texts on one line."""
    widths = [8] * table.shape[1]
    for cell in table.cells:
        if cell.column_span == 1:
            widths[cell.column] = min(WIDEST, max(widths[cell.column], len(cell.text) + 2))
    return widths


def _sheet_names(tables: Sequence[Table]) -> list[str]:
    """A name for each sheet, its own because of the number: `3 p12 Revenue by market`."""
    names = []
    for table in tables:
        title = table.caption or (table.path[-1] if table.path else "")
        name = UNFIT.sub(" ", f"{table.number} p{table.page} {title}")
        names.append(" ".join(name.split())[:LONGEST_NAME].strip())
    return names
