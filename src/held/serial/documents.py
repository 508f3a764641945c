"""The JSON form of a document: what a layout engine, ours or another, says of a file."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

from held.document import FURNITURE, Document, PageSize, PhysicalObject, Style, body_style
from held.serial.common import (
    DOCUMENT_FORMAT,
    VERSIONS,
    lost_from_json,
    notes_from_json,
    optional_text,
    root_of,
    style_from_json,
    style_to_json,
)
from held.serial.files import read_json
from held.serial.objects import object_from_json, object_to_json
from held.system.json_values import JsonValue
from held.system.limits import MOST_PAGES

_A4 = (595.0, 842.0)


def read_document(path: str | os.PathLike[str]) -> Document:
    """The document in a JSON file, ours or another engine's."""
    return document_from_json(read_json(path), file=path)


def document_to_json(document: Document) -> dict[str, Any]:
    """The document as a JSON object."""
    return {
        "format": DOCUMENT_FORMAT,
        "version": VERSIONS[DOCUMENT_FORMAT][-1],
        "source": document.source,
        "first_page": document.first_page,
        "body": style_to_json(document.body),
        "pages": [page._asdict() for page in document.pages],
        "objects": [object_to_json(item) for item in document.objects],
        "furniture": [object_to_json(item) for item in document.furniture],
        "notes": [note._asdict() for note in document.notes],
        **({"lost": list(document.lost)} if document.lost else {}),
    }


def document_from_json(value: dict[str, Any], *, file: str | os.PathLike[str] | None = None) -> Document:
    """The document that a JSON object describes; `file` is for messages."""
    root = root_of(value, DOCUMENT_FORMAT, file)
    first_page = root.get("first_page", 1).whole(least=1, most=MOST_PAGES)
    body = _body(root)
    objects = [object_from_json(item, body) for item in root["objects"].items()]
    furniture = [object_from_json(item, body) for item in root.get("furniture", []).items()]
    sizes = _page_sizes(root, objects + furniture, first_page)
    if sizes:
        _check_pages(root, objects, first_page + len(sizes) - 1)
    return Document(
        source=root.get("source", "").text(),
        pages=sizes,
        objects=tuple(item for item in objects if item.kind not in FURNITURE),
        furniture=(*furniture, *(item for item in objects if item.kind in FURNITURE)),
        body=body,
        notes=notes_from_json(root),
        first_page=first_page,
        lost=lost_from_json(root),
    )


def _body(root: JsonValue) -> Style:
    """The style of the running text; where the file does not say, that of most characters."""
    if "body" in root:
        return style_from_json(root["body"])
    given = root["objects"].items()
    return body_style((style_from_json(item.get("style", {})), len(item["text"].text())) for item in given)


def _page_sizes(root: JsonValue, objects: Sequence[PhysicalObject], first_page: int) -> tuple[PageSize, ...]:
    """The pages' measures; where the file has none, all pages are as large as the boxes reach."""
    if "pages" in root:
        return tuple(
            PageSize(page["width"].number(), page["height"].number(), optional_text(page.get("label", None)))
            for page in root["pages"].items()
        )
    parts = [part for item in objects for part in item.parts]
    width = max((part.box.x1 for part in parts), default=0.0) or _A4[0]
    height = max((part.box.y1 for part in parts), default=0.0) or _A4[1]
    last = max((part.page for part in parts), default=0)
    return (PageSize(width, height),) * (last - first_page + 1)


def _check_pages(root: JsonValue, objects: Sequence[PhysicalObject], last: int) -> None:
    """Fails at an object that ends behind the last page.

    One before the first is fine: pages that were cut out of a document keep the headings above them.
    """
    for item, given in zip(objects, root["objects"].items(), strict=True):
        if max(part.page for part in item.parts) > last:
            given["page"].fail(f"a page up to {last}")
