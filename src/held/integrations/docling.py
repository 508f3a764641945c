"""Docling's documents: DoclingDocument as JSON, read as physical objects, and written back with true levels.

Its items stand in lists by type (`texts`, `tables`, `pictures` …); the tree of references under `body` is the
reading order. Docling finds headings, but gives nearly all of them level 1.
"""

from __future__ import annotations

import copy
import os
import re
from collections.abc import Iterator, Mapping
from typing import Any

from held.document import Box, Kind, PageRegion, PageSize, Style
from held.errors import FormatError
from held.integrations.foreign import A4, NOWHERE, Foreign, objects_of
from held.system.json_values import JsonValue
from held.system.limits import MAX_PAGES

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
_DEEPEST = 100  # of docling's own schema
_MOST_CELLS = 1_000_000  # of a table: a file can claim any number of rows and columns
_PAGE_NUMBER = re.compile("[0-9]{1,9}")
# What docling's schema allows in a text of any label; its reader refuses a field too many.
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


def docling_pages(value: Any, *, file: str | os.PathLike[str] | None = None) -> tuple[PageSize, ...]:
    """The sizes of the pages; those that the file does not tell are A4."""
    given = JsonValue(value, file=_name(file)).get("pages", {}).fields()
    numbered = {int(number): page for number, page in given.items() if _PAGE_NUMBER.fullmatch(number)}
    last = max(numbered, default=0)
    if last > MAX_PAGES:
        raise FormatError(f"has a page {last}, more than {MAX_PAGES}", file=file)
    sizes = []
    for number in range(1, last + 1):
        page = JsonValue(numbered.get(number, {}), f"pages.{number}", _name(file))
        size = page.get("size", {})
        width = size.get("width", A4.width).number()
        height = size.get("height", A4.height).number()
        sizes.append(PageSize(width, height))
    return tuple(sizes)


def docling_elements(value: Any, *, file: str | os.PathLike[str] | None = None) -> list[Foreign]:
    """All elements of the document in reading order."""
    root = JsonValue(value, file=_name(file))
    pages = docling_pages(value, file=file)
    return list(_below(root, root["body"], pages, (), set()))


def _below(
    root: JsonValue, node: JsonValue, pages: tuple[PageSize, ...], above: tuple[int, ...], seen: set[int]
) -> Iterator[Foreign]:
    """The elements below a node, depth first; the text inside a picture is the picture's.

    `above` has the nodes from the body down to this one, by identity: a document may not hold itself. `seen`
    has all that were met: each stands in one place, or a few groups of groups would unfold to billions.
    """
    for child in node.get("children", []).items():
        item = _resolved(root, child)
        if id(item.value) in above or len(above) > _DEEPEST:
            raise FormatError(f"{child.position} leads back to itself, or too deep", file=root.file)
        if id(item.value) in seen:
            continue
        seen.add(id(item.value))
        if "label" in item and "prov" in item:
            yield from _elements(root, item, pages, above, seen)
        if _kind(item) is not Kind.FIGURE:
            yield from _below(root, item, pages, (*above, id(item.value)), seen)


def _elements(
    root: JsonValue, item: JsonValue, pages: tuple[PageSize, ...], above: tuple[int, ...], seen: set[int]
) -> Iterator[Foreign]:
    """The elements that an item is: a line of the contents each, a figure and its captions, else itself."""
    kind = _kind(item)
    place = item["self_ref"].text()
    parts = tuple(_part(prov, pages) for prov in item["prov"].items()) or (PageRegion(1, NOWHERE),)
    if kind is Kind.CONTENTS_ENTRY:
        for row in _rows(item.get("data", {})):
            yield Foreign(place, kind, " ".join(row), parts, rows=(row,))
    elif kind is Kind.TABLE:
        rows = _rows(item.get("data", {}))
        text = "\n".join("\t".join(row) for row in rows)
        yield Foreign(place, kind, text, parts, rows=rows)
    elif kind is Kind.FIGURE:
        inner = list(_below(root, item, pages, (*above, id(item.value)), seen))
        captions = [element for element in inner if element.kind is Kind.CAPTION]
        lettering = " ".join(element.text for element in inner if element not in captions)
        yield Foreign(place, kind, lettering, parts)
        yield from captions
    elif text := _text(item):
        yield Foreign(place, kind, text, parts, _style(item))


def _resolved(root: JsonValue, reference: JsonValue) -> JsonValue:
    """The item that a reference such as {"$ref": "#/texts/3"} points to."""
    way = reference["$ref"].text()
    found = root
    for step in way.removeprefix("#/").split("/"):
        if step.isdecimal():
            items = found.items()
            if int(step) >= len(items):
                raise FormatError(f"{reference.position} points to {way}, which is not there", file=root.file)
            found = items[int(step)]
        else:
            found = found[step]
    return found


def _kind(item: JsonValue) -> Kind:
    label = item.get("label", "").value
    if item.get("content_layer", "body").value == "furniture":
        return Kind.FOOTER if label == "page_footer" else Kind.HEADER
    return _KINDS.get(str(label), Kind.PARAGRAPH)


def _text(item: JsonValue) -> str:
    """The text of an item; docling keeps the bullet or number of a list's item apart."""
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


def _part(prov: JsonValue, pages: tuple[PageSize, ...]) -> PageRegion:
    page = prov["page_no"].integer(minimum=1, maximum=MAX_PAGES)
    box = prov["bbox"]
    left, right = box["l"].number(), box["r"].number()
    top, bottom = box["t"].number(), box["b"].number()
    if box.get("coord_origin", "TOPLEFT").value == "BOTTOMLEFT":
        height = pages[page - 1].height if page <= len(pages) else A4.height
        top, bottom = height - top, height - bottom
    return PageRegion(page, Box(left, min(top, bottom), right, max(top, bottom)))


def _rows(data: JsonValue) -> tuple[tuple[str, ...], ...]:
    """The cells of a table by row; a cell that spans several stands in the first of them."""
    count = data.get("num_rows", 0).integer()
    width = data.get("num_cols", 0).integer()
    if count * max(width, 1) > _MOST_CELLS:
        data["num_rows"].fail(f"a number that makes no more than {_MOST_CELLS} cells")
    rows = [[""] * width for _ in range(count)]
    for cell in data.get("table_cells", []).items():
        row = cell["start_row_offset_idx"].integer()
        column = cell["start_col_offset_idx"].integer()
        if row < len(rows) and column < len(rows[row]):
            rows[row][column] = " ".join(cell.get("text", "").text().split())
    return tuple(tuple(row) for row in rows)


def with_levels(
    value: dict[str, Any], levels: Mapping[int, int], paths: Mapping[int, tuple[int, ...]]
) -> dict[str, Any]:
    """A copy of the document whose section headers are our headings, each at its level.

    A title stands above level 1 as docling has it, so that it is not counted.
    """
    elements = objects_of(docling_elements(value))
    corrected = copy.deepcopy(value)
    items = [_item(corrected, element.place) for element in elements]
    titles = {k for k, item in enumerate(items) if item.get("label") == "title"}
    for k, item in enumerate(items):
        if k in levels and k not in titles:
            above = sum(heading not in titles for heading in paths[k])
            _relabel(item, "section_header")
            item["level"] = min(max(above, 1), _DEEPEST)
        elif item.get("label") == "section_header" and k not in levels:
            _relabel(item, "text")
    return corrected


def _relabel(item: dict[str, Any], label: str) -> None:
    """Make a text item one of another label, without the fields that only its old label has."""
    if item["label"] == label:
        return
    foreign = [field for field in item if field not in _TEXT_FIELDS]
    for field in foreign:
        del item[field]
    item["label"] = label


def _item(value: dict[str, Any], place: str) -> dict[str, Any]:
    _, group, index = place.split("/")
    item: dict[str, Any] = value[group][int(index)]
    return item


def _name(file: str | os.PathLike[str] | None) -> str | None:
    return None if file is None else os.fspath(file)
