"""A hierarchy as docling's `DoclingDocument`, so that its serialisers and chunkers run on our trees.

Docling keeps headings among the text, each with its level; docling-core is large, so it is an extra.
"""

from __future__ import annotations

from typing import Any

from held.document import Kind, PhysicalObject, TableCell
from held.errors import UsageError
from held.hierarchy.hierarchy import Hierarchy
from held.layout.tables.logical_grid import grid_of

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
    """The cells of a table, with their spans, in places that contradict each other nowhere."""
    grid = grid_of(item)
    cells = [_cell(types, cell) for cell in grid.cells]
    return types.TableData(num_rows=grid.height, num_cols=grid.width, table_cells=cells)


def _cell(types: Any, cell: TableCell) -> Any:
    return types.TableCell(
        text=cell.text,
        row_span=cell.row_span,
        col_span=cell.column_span,
        start_row_offset_idx=cell.row,
        end_row_offset_idx=cell.row + cell.row_span,
        start_col_offset_idx=cell.column,
        end_col_offset_idx=cell.column + cell.column_span,
        column_header=cell.header,
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
