"""The document as DOCX with heading styles, so that word processors show the tree.

Word has nine heading levels; deeper headings use the ninth. Needs python-docx, the extra `docx`.
"""

from __future__ import annotations

from io import BytesIO
from typing import TYPE_CHECKING, Any

from held.document import Kind, PhysicalObject
from held.errors import UsageError
from held.exports.object_text import strip_bullet, xml_text
from held.exports.presentation import titled_levels
from held.hierarchy.hierarchy import Hierarchy
from held.layout.tables.logical_grid import grid_of

if TYPE_CHECKING:
    from docx.document import Document as WordDocument

MAX_HEADING_LEVEL = 9
MAX_PROPERTY_LENGTH = 255  # characters; python-docx refuses longer properties
_STYLES = {Kind.CAPTION: "Caption", Kind.CODE: "No Spacing"}


def to_docx(hierarchy: Hierarchy, *, no_title: bool = False) -> bytes:
    """The whole text as a DOCX file."""
    try:
        import docx
    except ImportError:
        raise UsageError("DOCX needs python-docx", advice="pip install 'held[docx]'") from None
    word = docx.Document()
    metadata = hierarchy.document.metadata
    word.core_properties.title = xml_text(metadata.title or hierarchy.document.source)[:MAX_PROPERTY_LENGTH]
    word.core_properties.author = xml_text("; ".join(metadata.authors))[:MAX_PROPERTY_LENGTH]
    word.core_properties.language = xml_text(metadata.language)
    titled = titled_levels(hierarchy, no_title=no_title)
    if titled.title:
        word.add_heading(xml_text(titled.title), level=1)
    for index, item in enumerate(hierarchy.document.objects):
        if index in titled.printed:
            continue
        if index in hierarchy.headings:
            word.add_heading(xml_text(item.title), level=min(titled.levels[index], MAX_HEADING_LEVEL))
        else:
            _add_body(word, item, hierarchy.page_name(item.page))
    file = BytesIO()
    word.save(file)
    return file.getvalue()


def _add_body(word: WordDocument, item: PhysicalObject, page: str) -> None:
    if item.kind is Kind.TABLE and item.rows:
        _add_table(word, item)
    elif item.kind is Kind.FIGURE:
        text = f": {xml_text(item.text)}" if item.text else ""
        word.add_paragraph(f"[figure on page {page}{text}]")
    elif item.kind is Kind.LIST_ITEM:
        text = strip_bullet(item.text)
        style = "List Paragraph" if text == item.text else "List Bullet"
        word.add_paragraph(xml_text(text), style=style)
    else:
        word.add_paragraph(xml_text(item.text), style=_STYLES.get(item.kind))


def _add_table(word: WordDocument, item: PhysicalObject) -> None:
    grid = grid_of(item)
    table: Any = word.add_table(rows=grid.height, cols=grid.width)
    table.style = "Table Grid"
    rows = [row.cells for row in table.rows]  # once: python-docx recounts all cells at each access
    for cell in grid.cells:
        target = rows[cell.row][cell.column]
        if cell.row_span > 1 or cell.column_span > 1:
            last_row = cell.row + cell.row_span - 1
            last_column = cell.column + cell.column_span - 1
            target = target.merge(rows[last_row][last_column])
        target.text = xml_text(cell.text)
