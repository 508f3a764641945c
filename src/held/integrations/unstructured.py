"""Unstructured's elements, a JSON array: read as objects, and written back with true levels.

A `Title` is any heading; its level is `category_depth`, from 0, and `parent_id` names the heading above an
element. For PDFs both are mostly missing or the same everywhere.
"""

from __future__ import annotations

import copy
import os
from collections.abc import Mapping
from html.parser import HTMLParser
from typing import Any

from held.document import Box, Kind, PageRegion, PageSize
from held.integrations.elements import A4, NOWHERE, Element, Rows, body_elements
from held.system.bounded_json import JsonValue
from held.system.limits import MAX_PAGES

_KINDS = {
    "Title": Kind.HEADING,
    "ListItem": Kind.LIST_ITEM,
    "FigureCaption": Kind.CAPTION,
    "Footnote": Kind.FOOTNOTE,
    "Formula": Kind.FORMULA,
    "Table": Kind.TABLE,
    "Image": Kind.FIGURE,
    "Figure": Kind.FIGURE,
    "Picture": Kind.FIGURE,
    "Header": Kind.HEADER,
    "Footer": Kind.FOOTER,
    "PageNumber": Kind.PAGE_NUMBER,
}
_REQUIRED_FIELDS = frozenset({"type", "text", "metadata"})
_PAGE_BREAK = "PageBreak"
_MAX_WIDTH_PT = 1000.0  # a page whose shorter side is longer is measured in pixels


def is_unstructured(value: object) -> bool:
    """Whether a JSON value is a list of unstructured's elements."""
    if not isinstance(value, list) or not value:
        return False
    return all(map(_is_element, value))


def _is_element(value: object) -> bool:
    return isinstance(value, dict) and value.keys() >= _REQUIRED_FIELDS


def read_pages(value: Any, *, file: str | os.PathLike[str] | None = None) -> tuple[PageSize, ...]:
    """The sizes of the pages in points; A4 where no element tells."""
    sizes: dict[int, PageSize] = {}
    last = 0
    for element in _json_elements(value, file):
        page = _page(element)
        last = max(last, page)
        layout = _page_layout(element)
        if layout is not None:
            width, height = layout
            scale = _points_per_unit(layout)
            sizes[page] = PageSize(width * scale, height * scale)
    return tuple(sizes.get(number, A4) for number in range(1, last + 1))


def read_elements(value: Any, *, file: str | os.PathLike[str] | None = None) -> list[Element]:
    """All elements but page breaks, in reading order."""
    elements = []
    for index, element in enumerate(_json_elements(value, file)):
        if element["type"].value != _PAGE_BREAK:
            elements.append(_read_element(str(index), element))
    return elements


def _json_elements(value: Any, file: str | os.PathLike[str] | None) -> list[JsonValue]:
    return JsonValue(value, "elements", file).items()


def _read_element(reference: str, element: JsonValue) -> Element:
    kind = _KINDS.get(element["type"].text(), Kind.PARAGRAPH)
    text = element["text"].text().strip()
    rows: Rows = ()
    html = element["metadata"].get("text_as_html", "").value
    if kind is Kind.TABLE and isinstance(html, str):
        rows = parse_table(html)
        text = "\n".join("\t".join(row) for row in rows) or text
    region = PageRegion(_page(element), _box(element))
    return Element(reference, kind, text, (region,), rows=rows)


def _page(element: JsonValue) -> int:
    page = element["metadata"].get("page_number", 1)  # null for formats without pages
    return 1 if page.value is None else page.integer(minimum=1, maximum=MAX_PAGES)


def _page_layout(element: JsonValue) -> tuple[float, float] | None:
    """The page's width and height in the units of the element's coordinates."""
    if "coordinates" not in element["metadata"]:
        return None
    coordinates = element["metadata"]["coordinates"]
    if "layout_width" not in coordinates or "layout_height" not in coordinates:
        return None
    return coordinates["layout_width"].number(), coordinates["layout_height"].number()


def _points_per_unit(layout: tuple[float, float]) -> float:
    """The length of a unit; a page in pixels has only a known shape, so it is scaled to A4's width."""
    shorter = min(layout)
    return A4.width / shorter if shorter > _MAX_WIDTH_PT else 1.0


def _box(element: JsonValue) -> Box:
    layout = _page_layout(element)
    if layout is None or "points" not in element["metadata"]["coordinates"]:
        return NOWHERE
    coordinates = element["metadata"]["coordinates"]
    points = coordinates["points"]
    corners = [_numbers(corner) for corner in points.items()]
    lengths = {len(corner) for corner in corners}
    if lengths != {2}:
        points.fail("the corners [x, y] of a box")
    scale = _points_per_unit(layout)
    xs = [x * scale for x, _ in corners]
    ys = [y * scale for _, y in corners]
    if coordinates.get("system", "").value == "PointSpace":  # counts from the bottom
        _, height = layout
        ys = [(height - y) * scale for _, y in corners]
    return Box(min(xs), min(ys), max(xs), max(ys))


def _numbers(array: JsonValue) -> list[float]:
    return [item.number() for item in array.items()]


class _TableParser(HTMLParser):
    """Collects the cells of a table."""

    def __init__(self) -> None:
        super().__init__()
        self.rows: list[list[str]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "tr":
            self.rows.append([])
        elif tag in ("td", "th") and self.rows:
            self.rows[-1].append("")

    def handle_data(self, data: str) -> None:
        # Text before the first cell of a row is white space between tags.
        if self.rows and self.rows[-1]:
            self.rows[-1][-1] += data


def parse_table(html: str) -> Rows:
    """The cells of an HTML table by row, all rows of the same length."""
    parser = _TableParser()
    parser.feed(html)
    width = max(map(len, parser.rows), default=0)
    rows = []
    for row in parser.rows:
        if row:
            cells = [" ".join(cell.split()) for cell in row]
            missing = [""] * (width - len(row))
            rows.append((*cells, *missing))
    return tuple(rows)


def replace_levels(
    value: list[dict[str, Any]], levels: Mapping[int, int], paths: Mapping[int, tuple[int, ...]]
) -> list[dict[str, Any]]:
    """A copy of the elements with our headings as titles, their depths, and each element's parent.

    An element whose parent is no heading, such as an item of a list, keeps it.
    """
    indices = [int(element.reference) for element in body_elements(read_elements(value))]
    corrected = copy.deepcopy(value)
    types = {element.get("element_id"): element["type"] for element in value}
    for obj, index in enumerate(indices):
        element = corrected[index]
        metadata = element["metadata"]
        if obj in levels:
            element["type"] = "Title"
            metadata["category_depth"] = levels[obj] - 1
        elif element["type"] == "Title":
            element["type"] = "NarrativeText"
            metadata.pop("category_depth", None)
        # An element without a parent, or with an unknown one, gets the heading above it.
        parent_type = types.get(metadata.get("parent_id"), "Title")
        if obj not in levels and parent_type != "Title":
            continue
        metadata.pop("parent_id", None)
        above = [heading for heading in paths[obj] if heading != obj]
        if above:
            parent = indices[above[-1]]
            parent_value = JsonValue(value[parent], f"elements[{parent}]")
            metadata["parent_id"] = parent_value["element_id"].text()
    return corrected
