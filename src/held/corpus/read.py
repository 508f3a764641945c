"""A corpus document (`.json.xz`) as the `Pages` that `held.reading.read_pdf` gives for the PDF itself.

The stored form counts in tenths of a point and numbers pages from 0; here both become what the rest of
`held` speaks, so that nothing downstream can tell a stored document from a PDF.
"""

from __future__ import annotations

import os
from typing import Any

from held.document import Box, OutlineEntry, PageContent, Pages, Run, Style
from held.errors import FormatError
from held.system.bounded_input import read_json_value


def read_corpus_document(path: str | os.PathLike[str]) -> Pages:
    """The pages of the corpus document at `path`; its source is the document's id."""
    stored = load_corpus_json(path)
    try:
        return Pages(
            source=stored["id"],
            styles=tuple(_style(*style) for style in stored["styles"]),
            pages=tuple(_page(page) for page in stored["pages"]),
            outline=tuple(_entry(*entry) for entry in stored["outline"]),
        )
    except (KeyError, TypeError, ValueError) as error:
        raise FormatError(f"not a corpus document: {error!r}", file=path) from error


def load_corpus_json(path: str | os.PathLike[str]) -> dict[str, Any]:
    """The stored JSON object as it is, with its domain, split and group."""
    stored = read_json_value(path)
    if not isinstance(stored, dict):
        raise FormatError("not a corpus document: no JSON object", file=path)
    return stored


def _style(
    font: str, size: float, colour: str, bold: int, italic: int, render_mode: int, upright: int
) -> Style:
    return Style(font, float(size), colour, bool(bold), bool(italic), render_mode, bool(upright))


def _page(page: dict[str, Any]) -> PageContent:
    return PageContent(
        width=page["w"],
        height=page["h"],
        runs=tuple(
            Run(x0 / 10, y0 / 10, x1 / 10, y1 / 10, style, text)
            for x0, y0, x1, y1, style, text in page["runs"]
        ),
        rules=_boxes(page["rules"]),
        images=_boxes(page["images"]),
        rotation=page.get("rotation", 0),
    )


def _boxes(boxes: list[list[int]]) -> tuple[Box, ...]:
    return tuple(Box(x0 / 10, y0 / 10, x1 / 10, y1 / 10) for x0, y0, x1, y1 in boxes)


def _entry(level: int, title: str, page: int | None, y: int | None) -> OutlineEntry:
    return OutlineEntry(level, title, None if page is None else page + 1, None if y is None else y / 10)
