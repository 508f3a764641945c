"""Unstructured's elements: a JSON array, read as physical objects, and written back with true levels.

A `Title` is any heading; its level is `category_depth`, from 0, and `parent_id` names the heading that an
element stands under. For PDFs both are mostly missing or the same everywhere.
"""

from __future__ import annotations

import copy
import os
from collections.abc import Mapping
from html.parser import HTMLParser
from typing import Any

from held.document import Box, Kind, PageRegion, PageSize
from held.integrations.foreign import A4, NOWHERE, Foreign, objects_of
from held.system.json_values import JsonValue
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
_FIELDS = frozenset({"type", "text", "metadata"})  # that every element has
_PAGE_BREAK = "PageBreak"
_LARGEST_IN_POINTS = 1000.0  # a page whose shorter side is longer is measured in pixels


def is_unstructured(value: object) -> bool:
    """Whether a JSON value is a list of unstructured's elements."""
    if not isinstance(value, list) or not value:
        return False
    return all(isinstance(element, dict) and element.keys() >= _FIELDS for element in value)


def unstructured_pages(value: Any, *, file: str | os.PathLike[str] | None = None) -> tuple[PageSize, ...]:
    """The sizes of the pages in points; those that no element tells are A4."""
    sizes: dict[int, PageSize] = {}
    last = 0
    for element in _given(value, file):
        last = max(last, _page(element))
        layout = _layout(element)
        if layout is not None:
            width, height = layout
            scale = _points_per_unit(layout)
            sizes[_page(element)] = PageSize(width * scale, height * scale)
    return tuple(sizes.get(number, A4) for number in range(1, last + 1))


def unstructured_elements(value: Any, *, file: str | os.PathLike[str] | None = None) -> list[Foreign]:
    """All elements in reading order, but for page breaks."""
    return [
        _element(str(place), element)
        for place, element in enumerate(_given(value, file))
        if element["type"].value != _PAGE_BREAK
    ]


def _given(value: Any, file: str | os.PathLike[str] | None) -> list[JsonValue]:
    return JsonValue(value, "elements", None if file is None else os.fspath(file)).items()


def _element(place: str, element: JsonValue) -> Foreign:
    kind = _KINDS.get(element["type"].text(), Kind.PARAGRAPH)
    text = element["text"].text().strip()
    rows: tuple[tuple[str, ...], ...] = ()
    html = element["metadata"].get("text_as_html", "").value
    if kind is Kind.TABLE and isinstance(html, str):
        rows = table_rows(html)
        text = "\n".join("\t".join(row) for row in rows) or text
    part = PageRegion(_page(element), _box(element))
    return Foreign(place, kind, text, (part,), rows=rows)


def _page(element: JsonValue) -> int:
    page = element["metadata"].get("page_number", 1)
    return 1 if page.value is None else page.integer(minimum=1, maximum=MAX_PAGES)


def _layout(element: JsonValue) -> tuple[float, float] | None:
    """The page's width and height in the units of the element's coordinates."""
    if "coordinates" not in element["metadata"]:
        return None
    coordinates = element["metadata"]["coordinates"]
    if "layout_width" not in coordinates or "layout_height" not in coordinates:
        return None
    return coordinates["layout_width"].number(), coordinates["layout_height"].number()


def _points_per_unit(layout: tuple[float, float]) -> float:
    """How long the units of a page are; of one in pixels only the shape is known, so it is taken for A4."""
    shorter = min(layout)
    return A4.width / shorter if shorter > _LARGEST_IN_POINTS else 1.0


def _box(element: JsonValue) -> Box:
    layout = _layout(element)
    if layout is None or "points" not in element["metadata"]["coordinates"]:
        return NOWHERE
    coordinates = element["metadata"]["coordinates"]
    corners = [[number.number() for number in corner.items()] for corner in coordinates["points"].items()]
    if not corners or any(len(corner) != 2 for corner in corners):
        coordinates["points"].fail("the corners [x, y] of a box")
    xs = [x for x, _ in corners]
    ys = [y for _, y in corners]
    if coordinates.get("system", "").value == "PointSpace":  # counts from the bottom
        _, height = layout
        ys = [height - y for y in ys]
    scale = _points_per_unit(layout)
    return Box(min(xs) * scale, min(ys) * scale, max(xs) * scale, max(ys) * scale)


class _Table(HTMLParser):
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
        if self.rows and self.rows[-1]:
            self.rows[-1][-1] += data


def table_rows(html: str) -> tuple[tuple[str, ...], ...]:
    """The cells of a table by row, all rows of the same length."""
    parser = _Table()
    parser.feed(html)
    rows = [[" ".join(cell.split()) for cell in row] for row in parser.rows if row]
    width = max(map(len, rows), default=0)
    return tuple((*row, *[""] * (width - len(row))) for row in rows)


def with_levels(
    value: list[dict[str, Any]], levels: Mapping[int, int], paths: Mapping[int, tuple[int, ...]]
) -> list[dict[str, Any]]:
    """A copy of the elements whose titles are our headings, with their depth and everyone's heading.

    An element that stands under another than a heading, as an item of a list does, stays there.
    """
    places = [int(element.place) for element in objects_of(unstructured_elements(value))]
    corrected = copy.deepcopy(value)
    types = {element.get("element_id"): element["type"] for element in value}
    for k, place in enumerate(places):
        element = corrected[place]
        metadata = element["metadata"]
        if k in levels:
            element["type"] = "Title"
            metadata["category_depth"] = levels[k] - 1
        elif element["type"] == "Title":
            element["type"] = "NarrativeText"
            metadata.pop("category_depth", None)
        stands_under = types.get(metadata.get("parent_id"), "Title")
        if k in levels or stands_under == "Title":
            above = [heading for heading in paths[k] if heading != k]
            metadata.pop("parent_id", None)
            if above:
                metadata["parent_id"] = _id(value, places[above[-1]])
    return corrected


def _id(value: list[dict[str, Any]], place: int) -> str:
    return JsonValue(value[place], f"elements[{place}]")["element_id"].text()
