"""Docling's documents: DoclingDocument as JSON, read as objects, written back, and made of a hierarchy.

Its items are in lists by type (`texts`, `tables`, `pictures` …); the tree of references under `body` is the
reading order. Docling finds headings, but gives nearly all of them level 1. `to_docling` builds a
DoclingDocument, so that docling's serialisers and chunkers run on our trees.
"""

from __future__ import annotations

import copy
import os
import re
from collections.abc import Iterator, Mapping
from typing import Any

from held.document import Box, Kind, PageRegion, PageSize, PhysicalObject, Style, TableCell
from held.errors import FormatError
from held.hierarchy import Hierarchy
from held.integrations.elements import A4, NOWHERE, Element, Rows, body_elements
from held.layout.tables.logical_grid import grid_of
from held.system.bounded_json import JsonValue
from held.system.limits import MAX_PAGES
from held.system.optional_packages import missing_package

_KINDS = {
    "title": Kind.HEADING,
    "section_header": Kind.HEADING,
    "list_item": Kind.LIST_ITEM,
    "caption": Kind.CAPTION,
    "footnote": Kind.FOOTNOTE,
    "formula": Kind.FORMULA,
    "table": Kind.TABLE,
    "document_index": Kind.CONTENTS_ENTRY,
    "picture": Kind.FIGURE,
    "chart": Kind.FIGURE,
    "page_header": Kind.HEADER,
    "page_footer": Kind.FOOTER,
}
_LABELS = {
    Kind.CAPTION: "caption",
    Kind.FOOTNOTE: "footnote",
    Kind.FORMULA: "formula",
    Kind.CONTENTS_ENTRY: "text",
    Kind.CODE: "code",
}
_MAX_LEVEL = 100  # of headings, in docling's schema
_MAX_DEPTH = 100  # of groups in groups
_MAX_CELLS = 1_000_000  # of a table: a file can claim any number of rows and columns
_PAGE_NUMBER = re.compile("[0-9]{1,9}")
# What docling's schema allows in a text of any label; its reader refuses unknown fields.
_TEXT_FIELDS = (
    "self_ref",
    "parent",
    "children",
    "content_layer",
    "meta",
    "prov",
    "source",
    "comments",
    "orig",
    "text",
    "formatting",
    "hyperlink",
)


def is_docling(value: object) -> bool:
    """Whether a JSON value is a DoclingDocument."""
    return isinstance(value, dict) and value.get("schema_name") == "DoclingDocument"


def read_pages(value: Any, *, file: str | os.PathLike[str] | None = None) -> tuple[PageSize, ...]:
    """The sizes of the pages; A4 where the file does not tell."""
    root = JsonValue(value, file=file)
    pages = {}
    for key, page in root.get("pages", {}).fields().items():
        if _PAGE_NUMBER.fullmatch(key):
            pages[int(key)] = page
    last = max(pages, default=0)
    if last > MAX_PAGES:
        raise FormatError(f"has a page {last}, more than {MAX_PAGES}", file=file)
    sizes = []
    for number in range(1, last + 1):
        page_value = JsonValue(pages.get(number, {}), f"pages.{number}", file)
        size = page_value.get("size", {})
        width = size.get("width", A4.width).number()
        height = size.get("height", A4.height).number()
        sizes.append(PageSize(width, height))
    return tuple(sizes)


def read_elements(value: Any, *, file: str | os.PathLike[str] | None = None) -> list[Element]:
    """All elements of the document in reading order."""
    root = JsonValue(value, file=file)
    reader = _Reader(root, read_pages(value, file=file))
    return list(reader.elements_below(root["body"], ()))


class _Reader:
    """Walks the references from the body down."""

    def __init__(self, root: JsonValue, pages: tuple[PageSize, ...]) -> None:
        self._root = root
        self._pages = pages
        # Each item is read once: else a few groups of groups would unfold to billions of elements.
        self._visited: set[int] = set()

    def elements_below(self, node: JsonValue, above: tuple[int, ...]) -> Iterator[Element]:
        """The elements below a node, depth first; the text inside a picture belongs to the picture.

        `above` has the ids of the values from the body down to this node: a document may not contain itself.
        """
        for child in node.get("children", []).items():
            item = self._resolve(child)
            item_id = id(item.value)
            if item_id in above or len(above) > _MAX_DEPTH:
                raise FormatError(f"{child.position} leads back to itself, or too deep", file=self._root.file)
            if item_id in self._visited:
                continue
            self._visited.add(item_id)
            if "label" in item and "prov" in item:
                yield from self._elements_of(item, above)
            if _kind(item) is not Kind.FIGURE:
                yield from self.elements_below(item, (*above, item_id))

    def _elements_of(self, item: JsonValue, above: tuple[int, ...]) -> Iterator[Element]:
        """The elements of an item: one per line of the contents, a figure and its captions, else one."""
        kind = _kind(item)
        reference = item["self_ref"].text()
        parts = tuple(_region(prov, self._pages) for prov in item["prov"].items())
        parts = parts or (PageRegion(1, NOWHERE),)
        if kind is Kind.CONTENTS_ENTRY:
            for row in _rows(item.get("data", {})):
                yield Element(reference, kind, " ".join(row), parts, rows=(row,))
        elif kind is Kind.TABLE:
            rows = _rows(item.get("data", {}))
            text = "\n".join("\t".join(row) for row in rows)
            yield Element(reference, kind, text, parts, rows=rows)
        elif kind is Kind.FIGURE:
            captions, texts = [], []
            for inner in self.elements_below(item, (*above, id(item.value))):
                if inner.kind is Kind.CAPTION:
                    captions.append(inner)
                else:
                    texts.append(inner.text)
            yield Element(reference, kind, " ".join(texts), parts)
            yield from captions
        elif text := _text(item):
            yield Element(reference, kind, text, parts, _style(item))

    def _resolve(self, reference: JsonValue) -> JsonValue:
        """The item that a reference such as {"$ref": "#/texts/3"} points to."""
        path = reference["$ref"].text()
        found = self._root
        for step in path.removeprefix("#/").split("/"):
            if not step.isdecimal():
                found = found[step]
                continue
            items = found.items()
            if int(step) >= len(items):
                message = f"{reference.position} points to {path}, which is not there"
                raise FormatError(message, file=self._root.file)
            found = items[int(step)]
        return found


def _kind(item: JsonValue) -> Kind:
    label = item.get("label", "").value
    # Running headers and footers are in a layer of their own, where items may have any label.
    if item.get("content_layer", "body").value == "furniture":
        return Kind.FOOTER if label == "page_footer" else Kind.HEADER
    return _KINDS.get(str(label), Kind.PARAGRAPH)


def _text(item: JsonValue) -> str:
    """The text of an item; docling keeps the bullet or number of a list item apart."""
    text = item.get("text", "").text().strip()
    marker = item.get("marker", "").value
    has_marker = isinstance(marker, str) and marker != ""
    return f"{marker} {text}" if has_marker and text else text


def _style(item: JsonValue) -> Style:
    if "formatting" not in item:
        return Style()
    formatting = item["formatting"]
    bold = formatting.get("bold", False).flag()
    italic = formatting.get("italic", False).flag()
    return Style(bold=bold, italic=italic)


def _region(prov: JsonValue, pages: tuple[PageSize, ...]) -> PageRegion:
    page = prov["page_no"].integer(minimum=1, maximum=MAX_PAGES)
    box = prov["bbox"]
    left, right = box["l"].number(), box["r"].number()
    top, bottom = box["t"].number(), box["b"].number()
    origin = box.get("coord_origin", "TOPLEFT").value
    if origin == "BOTTOMLEFT":  # as docling's PDF backend counts
        height = pages[page - 1].height if page <= len(pages) else A4.height
        top, bottom = height - top, height - bottom
    top, bottom = sorted((top, bottom))
    return PageRegion(page, Box(left, top, right, bottom))


def _rows(data: JsonValue) -> Rows:
    """The cells of a table by row; the text of a spanning cell is in its first position."""
    height = data.get("num_rows", 0).integer()
    width = data.get("num_cols", 0).integer()
    if height * max(width, 1) > _MAX_CELLS:
        data["num_rows"].fail(f"a number that makes no more than {_MAX_CELLS} cells")
    rows = [[""] * width for _ in range(height)]
    for cell in data.get("table_cells", []).items():
        row = cell["start_row_offset_idx"].integer()
        column = cell["start_col_offset_idx"].integer()
        if row < height and column < width:
            words = cell.get("text", "").text().split()
            rows[row][column] = " ".join(words)
    return tuple(tuple(row) for row in rows)


def replace_levels(
    value: dict[str, Any], levels: Mapping[int, int], paths: Mapping[int, tuple[int, ...]]
) -> dict[str, Any]:
    """A copy of the document with our headings as section headers, each at its level.

    In docling a title is above level 1, so that it does not count as a level.
    """
    elements = body_elements(read_elements(value))
    corrected = copy.deepcopy(value)
    items = [_item_at(corrected, element.reference) for element in elements]
    titles = {obj for obj, item in enumerate(items) if item.get("label") == "title"}
    for obj, item in enumerate(items):
        if obj in levels and obj not in titles:
            depth = sum(heading not in titles for heading in paths[obj])
            _relabel(item, "section_header")
            item["level"] = min(max(depth, 1), _MAX_LEVEL)
        elif item.get("label") == "section_header" and obj not in levels:
            _relabel(item, "text")
    return corrected


def _relabel(item: dict[str, Any], label: str) -> None:
    """Change a text's label, and remove the fields that only its old label has."""
    if item["label"] == label:
        return
    item["text"] = _text(JsonValue(item))  # the number of a list item belongs to the title that it becomes
    removed = [field for field in item if field not in _TEXT_FIELDS]
    for field in removed:
        del item[field]
    item["label"] = label


def _item_at(value: dict[str, Any], reference: str) -> dict[str, Any]:
    _, group, index = reference.split("/")  # such as "#/texts/3"
    item: dict[str, Any] = value[group][int(index)]
    return item


def to_docling(hierarchy: Hierarchy) -> Any:
    """The `DoclingDocument` with the same objects, headings at their level; needs docling-core."""
    try:
        import docling_core.types.doc as types
    except ImportError:
        raise missing_package("this needs docling-core", "docling") from None
    document = hierarchy.document
    result = types.DoclingDocument(name=document.source)
    for number, size in enumerate(document.pages, start=document.first_page):
        result.add_page(page_no=number, size=types.Size(width=size.width, height=size.height))
    levels = hierarchy.tree.levels()
    open_list = None  # the group of the list items right before
    for index, item in enumerate(document.objects):
        prov = _provenance(types, item)
        if index not in hierarchy.headings and item.kind is Kind.LIST_ITEM:
            # Docling expects a group around list items.
            open_list = open_list or result.add_list_group()
            result.add_list_item(text=item.text, prov=prov, parent=open_list)
            continue
        open_list = None
        if index in hierarchy.headings:
            title = item.title
            result.add_heading(text=title, level=levels[index], prov=prov)
        elif item.kind is Kind.TABLE and item.rows:
            result.add_table(data=_table_data(types, item), prov=prov)
        elif item.kind in (Kind.TABLE, Kind.FIGURE):  # of such a table no cells are known
            result.add_picture(prov=prov)
        else:
            label = types.DocItemLabel(_LABELS.get(item.kind, "text"))
            result.add_text(label=label, text=item.text, prov=prov)
    return result


def _table_data(types: Any, item: PhysicalObject) -> Any:
    grid = grid_of(item)
    cells = [_table_cell(types, cell) for cell in grid.cells]
    return types.TableData(num_rows=grid.height, num_cols=grid.width, table_cells=cells)


def _table_cell(types: Any, cell: TableCell) -> Any:
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
    """The object's first region: docling has one for each item."""
    x0, y0, x1, y1 = item.box
    origin = types.CoordOrigin.TOPLEFT
    box = types.BoundingBox(l=x0, t=y0, r=x1, b=y1, coord_origin=origin)
    return types.ProvenanceItem(page_no=item.page, bbox=box, charspan=(0, len(item.text)))
