"""The document as DOCX with true heading styles, so that a word processor has the tree, too.

Word knows nine levels of headings; a deeper one is set in the ninth. Needs python-docx, the extra `docx`.
"""

from __future__ import annotations

import re
from io import BytesIO
from typing import TYPE_CHECKING, Any

from held.document import Kind, PhysicalObject
from held.errors import UsageError
from held.exports.markdown_lists import without_bullet
from held.exports.symbols import readable
from held.hierarchy.hierarchy import Hierarchy
from held.layout.tables.logical_grid import grid_of

if TYPE_CHECKING:
    from docx.document import Document as Docx

DEEPEST = 9
_STYLES = {Kind.CAPTION: "Caption", Kind.CODE: "No Spacing"}
_NOT_IN_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters that XML 1.0 cannot hold, section 2.2: a damaged font can give them."""


def to_docx(hierarchy: Hierarchy) -> bytes:
    """The whole text as a DOCX file."""
    made = _empty()
    made.core_properties.title = printable(hierarchy.document.source)
    levels = hierarchy.tree.levels()
    for index, item in enumerate(hierarchy.document.objects):
        if index in hierarchy.headings:
            title = " ".join(item.text.split())
            made.add_heading(printable(title), level=min(levels[index], DEEPEST))
        else:
            _add(made, item, hierarchy.page_name(item.page))
    written = BytesIO()
    made.save(written)
    return written.getvalue()


def printable(text: str) -> str:
    """The text without what XML cannot hold, the marks of symbol fonts as those of others."""
    return _NOT_IN_XML.sub("", readable(text))


def _empty() -> Docx:
    try:
        import docx as library
    except ImportError:
        raise UsageError("DOCX needs python-docx", advice="pip install 'held[docx]'") from None
    return library.Document()


def _add(made: Docx, item: PhysicalObject, page: str) -> None:
    """Add an object that is no heading."""
    if item.kind is Kind.TABLE and item.rows:
        _add_table(made, item)
    elif item.kind is Kind.FIGURE:
        seen = f": {printable(item.text)}" if item.text else ""
        made.add_paragraph(f"[figure on page {page}{seen}]")
    elif item.kind is Kind.LIST_ITEM:
        text = without_bullet(item.text)
        made.add_paragraph(printable(text), style="List Paragraph" if text == item.text else "List Bullet")
    else:
        made.add_paragraph(printable(item.text), style=_STYLES.get(item.kind))


def _add_table(made: Docx, item: PhysicalObject) -> None:
    grid = grid_of(item)
    table: Any = made.add_table(rows=grid.height, cols=grid.width)
    table.style = "Table Grid"
    places = [row.cells for row in table.rows]  # asked for once: the library counts all cells each time
    for cell in grid.cells:
        place = places[cell.row][cell.column]
        if cell.row_span > 1 or cell.column_span > 1:
            last = places[cell.row + cell.row_span - 1][cell.column + cell.column_span - 1]
            place = place.merge(last)
        place.text = printable(cell.text)
