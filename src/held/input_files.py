"""Reads an input file of any format that `held` accepts.

These are PDFs, corpus documents, the JSON formats of docs/formats.md, and the JSON of docling and
unstructured. The content decides, not the file's name.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from held.document import Document, Pages
from held.errors import FormatError
from held.system.bounded_input import is_pdf, read_json_value
from held.system.console import Progress

if TYPE_CHECKING:
    from held.hierarchy.hierarchy import Hierarchy
    from held.reading.ocr.engines import OcrOptions


def read_file(
    path: Path,
    *,
    password: str | None = None,
    jobs: int | None = None,
    progress: Progress | None = None,
    ocr: OcrOptions | None = None,
    ocr_progress: Progress | None = None,
) -> Pages | Document | Hierarchy:
    """Return what the file contains: pages as a viewer shows them, recognised objects, or a whole tree.

    `ocr` says how scanned pages of a PDF are read; by default they are read if an engine is installed.
    """
    # The readers are imported here because the command line imports this module to print its help.
    from held.layout.rotated_text import apply_rotation

    if is_pdf(path):
        from held.reading.ocr.engines import OcrOptions
        from held.reading.read_pdf import read_pdf
        from held.reading.text_checks import require_text

        ocr = ocr or OcrOptions()
        pages = read_pdf(
            path, password=password, jobs=jobs, progress=progress, ocr=ocr, ocr_progress=ocr_progress
        )
        return apply_rotation(require_text(pages))
    content = _read_json(path)
    return apply_rotation(content) if isinstance(content, Pages) else content


def _read_json(path: Path) -> Pages | Document | Hierarchy:
    from held import document_json
    from held.exports import tree_json
    from held.integrations import read_parser_json

    value = read_json_value(path)
    match value:
        case {"format": tree_json.TREE_FORMAT}:
            return tree_json.tree_from_json(value, file=path)
        case {"format": document_json.PAGES_FORMAT}:
            return document_json.pages_from_json(value, file=path)
        case {"format": document_json.DOCUMENT_FORMAT} | {"objects": _}:
            return document_json.document_from_json(value, file=path)
        case {"id": _, "styles": _, "pages": _}:
            from held.corpus.sources import read_corpus_document

            return read_corpus_document(path)
    foreign = read_parser_json(value, path)
    if foreign is None:
        advice = "docs/formats.md describes the formats"
        raise FormatError("is neither a PDF nor JSON with pages or objects", file=path, advice=advice)
    return foreign
