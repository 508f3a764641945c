"""Tables as a spreadsheet (.xlsx): one sheet each, numbers as numbers, spans as merged cells.

XlsxWriter writes it; it is pure Python without dependencies. Text is written as text, whatever it begins
with: nothing in it becomes a formula or a link.
"""

from __future__ import annotations

import io
import re
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from held.document import TableCell
from held.errors import UsageError
from held.exports.cell_values import parse_value
from held.exports.tables import Table

if TYPE_CHECKING:
    import xlsxwriter
    from xlsxwriter.worksheet import Worksheet

CONTENTS_SHEET = "Tables"  # lists the other sheets
CONTENTS_HEADER = ("sheet", "page", "path", "caption", "unit", "doubtful")
MAX_NAME_LENGTH = 31  # of a sheet: Excel's limit
MAX_TEXT_LENGTH = 32767  # of a cell: Excel's limit
NOT_IN_NAMES = re.compile(r"[\[\]:*?/\\'\x00-\x1f]")
MIN_WIDTH, MAX_WIDTH = 8, 60  # of a column, in characters
CREATED = datetime(2000, 1, 1, tzinfo=UTC)  # fixed, so that the same tables give the same bytes
WORKBOOK_OPTIONS = {
    "in_memory": True,
    "strings_to_formulas": False,
    "strings_to_urls": False,
}
CELL_STYLES = {
    "head": {"bold": True, "text_wrap": True, "valign": "bottom", "bottom": 1},
    "text": {"text_wrap": True, "valign": "top"},
    "int": {"num_format": "#,##0;(#,##0)", "valign": "top"},
    "float": {"num_format": "#,##0.0###;(#,##0.0###)", "valign": "top"},
    "percent": {"num_format": '0.0##"%";(0.0##"%")', "valign": "top"},
    "year": {"valign": "top"},
}


def to_xlsx(tables: Sequence[Table], *, decimal: str = ".") -> bytes:
    """The spreadsheet; if there are several tables, its first sheet lists them."""
    try:
        import xlsxwriter
    except ImportError as error:
        raise UsageError("xlsx needs XlsxWriter", advice="pip install 'held[xlsx]'") from error
    file = io.BytesIO()
    book = xlsxwriter.Workbook(file, WORKBOOK_OPTIONS)
    book.set_properties({"created": CREATED})
    styles = {name: book.add_format(style) for name, style in CELL_STYLES.items()}
    names = [_sheet_name(table) for table in tables]
    if len(tables) != 1:
        _add_contents(book, tables, names, styles)
    for table, name in zip(tables, names, strict=True):
        _fill_sheet(book.add_worksheet(name), table, styles, decimal)
    book.close()
    return file.getvalue()


def _add_contents(
    book: xlsxwriter.Workbook, tables: Sequence[Table], names: Sequence[str], styles: dict[str, Any]
) -> None:
    sheet = book.add_worksheet(CONTENTS_SHEET)
    for column, word in enumerate(CONTENTS_HEADER):
        sheet.write_string(0, column, word, styles["head"])
    for row, (table, name) in enumerate(zip(tables, names, strict=True), start=1):
        sheet.write_url(row, 0, f"internal:'{name}'!A1", string=name)
        sheet.write_number(row, 1, table.page)
        doubt = "doubtful" if table.doubtful else ""
        texts = (" › ".join(table.path), table.caption, table.unit, doubt)
        for column, text in enumerate(texts, start=2):
            sheet.write_string(row, column, text[:MAX_TEXT_LENGTH])
    sheet.set_column(0, 0, MAX_NAME_LENGTH)
    sheet.set_column(2, 3, MAX_WIDTH)
    sheet.freeze_panes(1, 0)


def _fill_sheet(sheet: Worksheet, table: Table, styles: dict[str, Any], decimal: str) -> None:
    for cell in table.cells:
        in_head = cell.row < table.header_rows or cell.header
        value = cell.text if in_head else parse_value(cell.text, decimal=decimal)
        style = styles[_style_name(cell, value, in_head)]
        if cell.row_span > 1 or cell.column_span > 1:
            last_row = cell.row + cell.row_span - 1
            last_column = cell.column + cell.column_span - 1
            sheet.merge_range(cell.row, cell.column, last_row, last_column, "", style)
        if isinstance(value, str):
            sheet.write_string(cell.row, cell.column, value[:MAX_TEXT_LENGTH], style)
        elif value is not None:
            sheet.write_number(cell.row, cell.column, value, style)
    for column, width in enumerate(_column_widths(table)):
        sheet.set_column(column, column, width)
    sheet.freeze_panes(table.header_rows, 0)


def _style_name(cell: TableCell, value: object, in_head: bool) -> str:
    if in_head:
        return "head"
    if isinstance(value, str) or value is None:
        return "text"
    if cell.text.rstrip(")） ").endswith(("%", "％")):
        return "percent"
    if isinstance(value, float):
        return "float"
    # Bare digits may be years or item numbers, which have no thousands separators.
    return "year" if cell.text.strip().isdecimal() else "int"


def _column_widths(table: Table) -> list[int]:
    """A width for each column that shows most of its texts on one line."""
    _, columns = table.shape
    widths = [MIN_WIDTH] * columns
    for cell in table.cells:
        if cell.column_span == 1:
            width = max(widths[cell.column], len(cell.text) + 2)
            widths[cell.column] = min(MAX_WIDTH, width)
    return widths


def _sheet_name(table: Table) -> str:
    """A name for a sheet, unique because of the table's number: `3 p12 Revenue by market`."""
    title = table.caption or (table.path[-1] if table.path else "")
    name = NOT_IN_NAMES.sub(" ", f"{table.number} p{table.page} {title}")
    return " ".join(name.split())[:MAX_NAME_LENGTH].strip()
