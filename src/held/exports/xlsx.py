"""Tables as a spreadsheet (.xlsx): one sheet each, numbers as numbers, spans as merged cells.

The file is written with the standard library alone: a few XML parts in a zip archive (ECMA-376, part 1,
SpreadsheetML). Texts are inline strings, whatever they begin with: nothing becomes a formula or a link.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple
from xml.sax.saxutils import escape, quoteattr

from held.document import TableCell
from held.exports.amounts import Value, parse_value
from held.exports.html_blocks import read_asset
from held.exports.object_text import NOT_IN_XML
from held.exports.office_file import OFFICE, content_types, relationships, zip_parts
from held.exports.tables import Table
from held.system.console import DIRECTION_CODES

CONTENTS_SHEET = "Tables"  # lists the other sheets
CONTENTS_HEADER = ("sheet", "page", "path", "caption", "unit", "doubtful")
MAX_NAME_LENGTH = 31  # of a sheet: Excel's limit
MAX_TEXT_LENGTH = 32767  # of a cell: Excel's limit
NOT_IN_NAMES = re.compile(rf"[\[\]:*?/\\'\x00-\x1f{DIRECTION_CODES}]")
MIN_WIDTH, MAX_WIDTH = 8, 60  # of a column, in characters
LETTERS = 26

MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
MEDIA_TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml"

# The cell formats in the order in which `assets/xlsx_styles.xml` defines them.
FORMATS = ("plain", "head", "text", "int", "float", "percent", "year")


class SheetCell(NamedTuple):
    """A cell of a sheet; None is an empty cell with a format."""

    row: int
    column: int
    value: Value
    format_name: str


class Sheet(NamedTuple):
    """A sheet: cells by rows, merged areas, links to other sheets by row, widths, frozen rows at the top."""

    name: str
    cells: Sequence[SheetCell]
    widths: Sequence[int]
    frozen_rows: int
    merged: Sequence[str] = ()
    links: Sequence[tuple[str, str]] = ()  # a cell and the sheet that it leads to


def to_xlsx(tables: Sequence[Table], *, decimal: str | None = None) -> bytes:
    """The spreadsheet; if there are several tables, its first sheet lists them."""
    names = [_sheet_name(table) for table in tables]
    sheets = [] if len(tables) == 1 else [_contents_sheet(tables, names)]
    sheets += [_table_sheet(table, name, decimal) for table, name in zip(tables, names, strict=True)]
    return zip_parts(_parts(sheets))


# --- Sheets ---


def _contents_sheet(tables: Sequence[Table], names: Sequence[str]) -> Sheet:
    cells = [SheetCell(0, column, word, "head") for column, word in enumerate(CONTENTS_HEADER)]
    links = []
    for row, (table, name) in enumerate(zip(tables, names, strict=True), start=1):
        doubt = "; ".join(table.doubts) or "doubtful" if table.doubtful else ""
        values: tuple[Value, ...] = (
            name,
            table.page,
            " › ".join(table.path),
            table.caption,
            table.unit,
            doubt,
        )
        cells += [SheetCell(row, column, value, "plain") for column, value in enumerate(values)]
        links.append((_cell_name(row, 0), name))
    widths = (MAX_NAME_LENGTH, MIN_WIDTH, MAX_WIDTH, MAX_WIDTH, MIN_WIDTH, MIN_WIDTH)
    return Sheet(CONTENTS_SHEET, cells, widths, 1, links=links)


def _table_sheet(table: Table, name: str, decimal: str | None) -> Sheet:
    cells = []
    merged = []
    for cell in table.cells:
        in_head = cell.row < table.header_rows or cell.header
        value = cell.text if in_head else parse_value(cell.text, decimal=decimal or table.decimal)
        cells.append(SheetCell(cell.row, cell.column, value, _format_name(cell, value, in_head)))
        if cell.row_span > 1 or cell.column_span > 1:
            last = _cell_name(cell.row + cell.row_span - 1, cell.column + cell.column_span - 1)
            merged.append(f"{_cell_name(cell.row, cell.column)}:{last}")
    return Sheet(name, cells, _column_widths(table), table.header_rows, merged)


def _format_name(cell: TableCell, value: object, in_head: bool) -> str:
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
    heading = table.path[-1] if table.path else ""
    title = table.caption or heading
    allowed = NOT_IN_NAMES.sub(" ", f"{table.number} p{table.page} {title}")
    name = " ".join(allowed.split())
    return name[:MAX_NAME_LENGTH].strip()


# --- XML ---


def _parts(sheets: Sequence[Sheet]) -> Iterator[tuple[str, str]]:
    """The names and contents of the parts of the file."""
    yield "[Content_Types].xml", _content_types(len(sheets))
    yield "_rels/.rels", relationships([(f"{OFFICE}/officeDocument", "xl/workbook.xml")])
    yield "xl/workbook.xml", _workbook(sheets)
    yield "xl/_rels/workbook.xml.rels", _workbook_relationships(len(sheets))
    yield "xl/styles.xml", "".join(line.strip() for line in read_asset("xlsx_styles.xml").splitlines())
    for number, sheet in enumerate(sheets, start=1):
        yield f"xl/worksheets/sheet{number}.xml", _worksheet(sheet, is_first=number == 1)


def _content_types(count: int) -> str:
    types = {"xl/workbook.xml": f"{MEDIA_TYPE}.sheet.main+xml", "xl/styles.xml": f"{MEDIA_TYPE}.styles+xml"}
    for number in range(1, count + 1):
        types[f"xl/worksheets/sheet{number}.xml"] = f"{MEDIA_TYPE}.worksheet+xml"
    return content_types(types)


def _workbook(sheets: Sequence[Sheet]) -> str:
    entries = ""
    for number, sheet in enumerate(sheets, start=1):
        entries += f'<sheet name={_attribute(sheet.name)} sheetId="{number}" r:id="rId{number}"/>'
    content = f"<bookViews><workbookView/></bookViews><sheets>{entries}</sheets>"
    return f'<workbook xmlns="{MAIN}" xmlns:r="{OFFICE}">{content}</workbook>'


def _workbook_relationships(count: int) -> str:
    sheets = [(f"{OFFICE}/worksheet", f"worksheets/sheet{number}.xml") for number in range(1, count + 1)]
    return relationships([*sheets, (f"{OFFICE}/styles", "styles.xml")])


def _worksheet(sheet: Sheet, *, is_first: bool) -> str:
    """A sheet; the order of its elements is fixed by the standard."""
    selected = ' tabSelected="1"' if is_first else ""
    pane = ""
    if sheet.frozen_rows:
        top = _cell_name(sheet.frozen_rows, 0)
        pane = (
            f'<pane ySplit="{sheet.frozen_rows}" topLeftCell="{top}" activePane="bottomLeft" state="frozen"/>'
        )
    view = f'<sheetViews><sheetView{selected} workbookViewId="0">{pane}</sheetView></sheetViews>'
    columns = ""
    for number, width in enumerate(sheet.widths, start=1):
        columns += f'<col min="{number}" max="{number}" width="{width}" customWidth="1"/>'
    columns = f"<cols>{columns}</cols>" if columns else ""
    merged = "".join(f'<mergeCell ref="{area}"/>' for area in sheet.merged)
    if merged:
        merged = f'<mergeCells count="{len(sheet.merged)}">{merged}</mergeCells>'
    links = ""
    for cell, name in sheet.links:
        location = _attribute(f"'{name}'!A1")
        links += f'<hyperlink ref="{cell}" location={location} display={_attribute(name)}/>'
    links = f"<hyperlinks>{links}</hyperlinks>" if links else ""
    data = f"<sheetData>{_rows(sheet.cells)}</sheetData>"
    return f'<worksheet xmlns="{MAIN}">{view}{columns}{data}{merged}{links}</worksheet>'


def _rows(cells: Sequence[SheetCell]) -> str:
    rows: dict[int, list[SheetCell]] = {}
    for cell in sorted(cells, key=lambda cell: (cell.row, cell.column)):
        rows.setdefault(cell.row, []).append(cell)
    return "".join(
        f'<row r="{row + 1}">{"".join(map(_cell, members))}</row>' for row, members in rows.items()
    )


def _cell(cell: SheetCell) -> str:
    attributes = f'r="{_cell_name(cell.row, cell.column)}" s="{FORMATS.index(cell.format_name)}"'
    if cell.value is None:
        return f"<c {attributes}/>"
    if isinstance(cell.value, str):
        text = escape(NOT_IN_XML.sub("\ufffd", cell.value[:MAX_TEXT_LENGTH]))
        return f'<c {attributes} t="inlineStr"><is><t xml:space="preserve">{text}</t></is></c>'
    return f"<c {attributes}><v>{cell.value!r}</v></c>"


def _attribute(text: str) -> str:
    return quoteattr(NOT_IN_XML.sub("\ufffd", text))


def _cell_name(row: int, column: int) -> str:
    """`B3` for row 2 and column 1, counted from 0."""
    name = ""
    column += 1
    while column:
        column, letter = divmod(column - 1, LETTERS)
        name = chr(ord("A") + letter) + name
    return f"{name}{row + 1}"
