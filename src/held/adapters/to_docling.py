"""A hierarchy as docling's `DoclingDocument`, so that its serialisers and chunkers run on our trees.

Docling keeps headings among the text, each with its level; docling-core is large, so it is an extra.
"""

from __future__ import annotations

from typing import Any

from held.document import Kind, PhysicalObject
from held.errors import UsageError
from held.pipeline import Hierarchy

_LABELS = {
    Kind.CAPTION: "caption",
    Kind.FOOTNOTE: "footnote",
    Kind.FORMULA: "formula",
    Kind.CONTENTS_ENTRY: "text",
    Kind.CODE: "code",
}


def to_docling(hierarchy: Hierarchy) -> Any:
    """The `DoclingDocument` with the same objects, headings at their level."""
    types = _types()
    document = hierarchy.document
    made = types.DoclingDocument(name=document.source)
    for number, size in enumerate(document.pages, start=document.first_page):
        made.add_page(page_no=number, size=types.Size(width=size.width, height=size.height))
    levels = hierarchy.tree.levels()
    group = None  # the list that is going on
    for index, item in enumerate(document.objects):
        prov = _provenance(types, item)
        if index in hierarchy.headings:
            made.add_heading(text=" ".join(item.text.split()), level=levels[index], prov=prov)
        elif item.kind is Kind.LIST_ITEM:
            group = group or made.add_list_group()
            made.add_list_item(text=item.text, prov=prov, parent=group)
            continue
        else:
            _add(types, made, item, prov)
        group = None
    return made


def _types() -> Any:
    try:
        import docling_core.types.doc as types
    except ImportError:
        raise UsageError("this needs docling-core", advice="pip install 'held[docling]'") from None
    return types


def _add(types: Any, made: Any, item: PhysicalObject, prov: Any) -> None:
    """Add an object that is neither heading nor list item."""
    if item.kind is Kind.TABLE and item.rows:
        made.add_table(data=_table(types, item), prov=prov)
    elif item.kind in (Kind.TABLE, Kind.FIGURE):
        made.add_picture(prov=prov)
    else:
        label = types.DocItemLabel(_LABELS.get(item.kind, "text"))
        made.add_text(label=label, text=item.text, prov=prov)


def _table(types: Any, item: PhysicalObject) -> Any:
    """The cells of a table, with their spans where these are known."""
    width = max(len(row) for row in item.rows)
    known = item.table.cells if item.table else ()
    if known:
        cells = [
            _cell(types, cell.text, cell.row, cell.column, cell.row_span, cell.column_span, cell.header)
            for cell in known
        ]
    else:
        cells = [
            _cell(types, text, row, column, 1, 1, False)
            for row, texts in enumerate(item.rows)
            for column, text in enumerate(texts)
        ]
    return types.TableData(num_rows=len(item.rows), num_cols=width, table_cells=cells)


def _cell(types: Any, text: str, row: int, column: int, row_span: int, column_span: int, header: bool) -> Any:
    return types.TableCell(
        text=text,
        row_span=row_span,
        col_span=column_span,
        start_row_offset_idx=row,
        end_row_offset_idx=row + row_span,
        start_col_offset_idx=column,
        end_col_offset_idx=column + column_span,
        column_header=header,
    )


def _provenance(types: Any, item: PhysicalObject) -> Any:
    """Where an object begins; docling has one place for each."""
    box = item.box
    return types.ProvenanceItem(
        page_no=item.page,
        bbox=types.BoundingBox(
            l=box.x0, t=box.y0, r=box.x1, b=box.y1, coord_origin=types.CoordOrigin.TOPLEFT
        ),
        charspan=(0, len(item.text)),
    )
