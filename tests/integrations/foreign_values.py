"""Other parsers' JSON of one of our documents, every heading at the same level, as they mostly have it."""

from typing import Any

from held.document import Document, Kind

PIXELS = 200 / 72
_TYPES = {Kind.HEADING: "Title", Kind.LIST_ITEM: "ListItem", Kind.TABLE: "Table", Kind.FIGURE: "Image"}


def as_docling(document: Document) -> dict[str, Any]:
    """A DoclingDocument with nothing but texts and pages."""
    texts = []
    for n, item in enumerate(document.objects):
        height = document.pages[item.page - 1].height
        box = {"l": item.box.x0, "t": height - item.box.y0, "r": item.box.x1, "b": height - item.box.y1}
        heading = item.kind is Kind.HEADING
        texts.append(
            {
                "self_ref": f"#/texts/{n}",
                "parent": {"$ref": "#/body"},
                "children": [],
                "content_layer": "body",
                "label": "section_header" if heading else "text",
                "prov": [
                    {"page_no": item.page, "bbox": box | {"coord_origin": "BOTTOMLEFT"}, "charspan": [0, 1]}
                ],
                "orig": item.text,
                "text": item.text,
            }
            | ({"level": 1} if heading else {})
        )
    return {
        "schema_name": "DoclingDocument",
        "version": "1.8.0",
        "name": "report",
        "body": {"self_ref": "#/body", "children": [{"$ref": text["self_ref"]} for text in texts]},
        "texts": texts,
        "pages": {
            str(n): {"page_no": n, "size": {"width": page.width, "height": page.height}}
            for n, page in enumerate(document.pages, start=1)
        },
    }


def as_unstructured(document: Document, *, places: bool = True) -> list[dict[str, Any]]:
    """A list of elements, measured in pixels, or without places at all."""
    elements = []
    for n, item in enumerate(document.objects):
        size = document.pages[item.page - 1]
        x0, y0, x1, y1 = (length * PIXELS for length in item.box)
        metadata: dict[str, Any] = {"page_number": item.page, "filename": "report.pdf"}
        if places:
            metadata["coordinates"] = {
                "points": [[x0, y0], [x0, y1], [x1, y1], [x1, y0]],
                "system": "PixelSpace",
                "layout_width": size.width * PIXELS,
                "layout_height": size.height * PIXELS,
            }
        if item.kind is Kind.HEADING:
            metadata["category_depth"] = 0
        kind = _TYPES.get(item.kind, "NarrativeText")
        elements.append({"type": kind, "element_id": f"id{n}", "text": item.text, "metadata": metadata})
    return elements
