"""The JSON form of pages: what the reader finds in a PDF, before anything is recognised."""

from __future__ import annotations

import os
from typing import Any

from held.document import OutlineEntry, PageContent, Pages, Run
from held.serial.common import (
    PAGES_FORMAT,
    VERSIONS,
    box_from_json,
    lost_from_json,
    notes_from_json,
    optional_number,
    optional_page,
    optional_text,
    root_of,
    style_from_json,
    style_to_json,
)
from held.serial.files import read_json
from held.system.json_values import JsonValue, is_number
from held.system.limits import MOST_PAGES


def read_pages(path: str | os.PathLike[str]) -> Pages:
    """The pages in a JSON file."""
    return pages_from_json(read_json(path), file=path)


def pages_to_json(pages: Pages) -> dict[str, Any]:
    """The pages as a JSON object."""
    return {
        "format": PAGES_FORMAT,
        "version": VERSIONS[PAGES_FORMAT][-1],
        "source": pages.source,
        "first_page": pages.first_page,
        "styles": [style_to_json(style) for style in pages.styles],
        "pages": [_page_to_json(page) for page in pages.pages],
        "outline": [entry._asdict() for entry in pages.outline],
        "notes": [note._asdict() for note in pages.notes],
        **({"lost": list(pages.lost)} if pages.lost else {}),
    }


def pages_from_json(value: dict[str, Any], *, file: str | os.PathLike[str] | None = None) -> Pages:
    """The pages that a JSON object describes; `file` is for messages."""
    root = root_of(value, PAGES_FORMAT, file)
    styles = tuple(style_from_json(style) for style in root["styles"].items())
    return Pages(
        source=root.get("source", "").text(),
        styles=styles,
        pages=tuple(_page(page, len(styles)) for page in root["pages"].items()),
        outline=tuple(_outline_entry(entry) for entry in root.get("outline", []).items()),
        notes=notes_from_json(root),
        first_page=root.get("first_page", 1).whole(least=1, most=MOST_PAGES),
        lost=lost_from_json(root),
    )


def _page_to_json(page: PageContent) -> dict[str, Any]:
    return {
        "width": page.width,
        "height": page.height,
        "rotation": page.rotation,
        "label": page.label,
        "runs": [list(run) for run in page.runs],
        "rules": [list(box) for box in page.rules],
        "images": [list(box) for box in page.images],
        "fields": [list(run) for run in page.fields],
    }


def _page(value: JsonValue, styles: int) -> PageContent:
    return PageContent(
        width=value["width"].number(),
        height=value["height"].number(),
        runs=tuple(_run(run, styles) for run in value["runs"].items()),
        rules=tuple(box_from_json(box) for box in value.get("rules", []).items()),
        images=tuple(box_from_json(box) for box in value.get("images", []).items()),
        fields=tuple(_run(run, styles) for run in value.get("fields", []).items()),
        rotation=value.get("rotation", 0).whole(),
        label=optional_text(value.get("label", None)),
    )


def _run(value: JsonValue, styles: int) -> Run:
    match value.value:
        case [x0, y0, x1, y1, int(style), str(text)] if 0 <= style < styles and all(
            map(is_number, (x0, y0, x1, y1))
        ):
            return Run(float(x0), float(y0), float(x1), float(y1), style, text)
    return value.fail(f"[x0, y0, x1, y1, style below {styles}, text]")


def _outline_entry(value: JsonValue) -> OutlineEntry:
    return OutlineEntry(
        level=value["level"].whole(least=1),
        title=value["title"].text(),
        page=optional_page(value.get("page", None)),
        y=optional_number(value.get("y", None)),
    )
