"""Documents of other parsers: read as objects to find their levels, and written back with these.

    from_docling, from_unstructured    their JSON as a `Document`
    read_parser_json                   either, if a JSON value is one of them
    fix_levels                         their own JSON again, with every heading at its true level

The headings that they found are taken as given.
"""

from __future__ import annotations

import json
import os
from typing import Any

from held.document import Document
from held.errors import FormatError
from held.hierarchy import Hierarchy
from held.hierarchy.pipeline import HeadingSource, TreeOptions, build_tree
from held.integrations import docling, unstructured
from held.integrations.elements import add_pdf_styles, build_document, page_sizes
from held.system.bounded_json import read_json_value

PathLike = str | os.PathLike[str]

__all__ = ["fix_levels", "from_docling", "from_unstructured", "read_parser_json", "replace_levels"]


def from_docling(source: Any, *, pdf: PathLike | None = None, password: str | None = None) -> Document:
    """The objects of a DoclingDocument, given as its JSON value, a file's path, or docling's own object.

    With `pdf`, styles are read from the PDF; without it, font sizes are estimated from boxes.
    """
    value, file = _load(source)
    if not docling.is_docling(value):
        advice = "docling writes one with document.save_as_json(path)"
        raise FormatError("not a DoclingDocument", file=file, advice=advice)
    return _document(value, file, pdf, password)


def from_unstructured(source: Any, *, pdf: PathLike | None = None, password: str | None = None) -> Document:
    """The objects of unstructured's elements, given as their JSON value, a file's path, or the elements.

    With `pdf`, styles are read from the PDF; without it, font sizes are estimated from boxes.
    """
    value, file = _load(source)
    if not unstructured.is_unstructured(value):
        advice = "unstructured writes one with elements_to_json(elements, path)"
        raise FormatError("not a list of unstructured's elements", file=file, advice=advice)
    return _document(value, file, pdf, password)


def read_parser_json(value: Any, file: PathLike | None = None) -> Document | None:
    """The document in a JSON value of docling or unstructured; None if it is neither."""
    return _document(value, file) if _is_supported(value) else None


def fix_levels(
    source: Any,
    *,
    pdf: PathLike | None = None,
    password: str | None = None,
    model: str = "base",
    headings: HeadingSource | str = HeadingSource.GIVEN,
) -> Any:
    """The same JSON, docling's or unstructured's, with every heading at its true level.

    With `headings="found"` the model finds the headings, too. The given value does not change.
    """
    value, file = _load(source)
    if not _is_supported(value):
        raise FormatError("neither a DoclingDocument nor a list of unstructured's elements", file=file)
    document = _document(value, file, pdf, password)
    options = TreeOptions(model=model, headings=HeadingSource(headings))
    return replace_levels(value, build_tree(document, options))


def replace_levels(value: Any, hierarchy: Hierarchy) -> Any:
    """A copy of the JSON value that a hierarchy's document was read from, with the hierarchy's levels."""
    levels = hierarchy.tree.levels()
    heading_levels = {heading: levels[heading] for heading in hierarchy.headings}
    parser = docling if docling.is_docling(value) else unstructured
    return parser.replace_levels(value, heading_levels, hierarchy.tree.paths())


def _load(source: Any) -> tuple[Any, str | None]:
    """The JSON value of a source, and its path if it is a file."""
    # Neither library is imported to test for its classes: both are large, and may not be installed.
    is_json_text = isinstance(source, str) and source.lstrip().startswith(("{", "["))
    if isinstance(source, str | os.PathLike) and not is_json_text:
        return read_json_value(source), os.fspath(source)
    if isinstance(source, str | bytes):
        return json.loads(source), None
    if hasattr(source, "export_to_dict"):  # docling's own object
        return source.export_to_dict(), None
    if isinstance(source, list):  # unstructured's elements, as its own objects or as JSON
        return [item.to_dict() if hasattr(item, "to_dict") else item for item in source], None
    return source, None


def _is_supported(value: Any) -> bool:
    return docling.is_docling(value) or unstructured.is_unstructured(value)


def _document(
    value: Any, file: PathLike | None, pdf: PathLike | None = None, password: str | None = None
) -> Document:
    parser = docling if docling.is_docling(value) else unstructured
    elements = parser.read_elements(value, file=file)
    sizes = parser.read_pages(value, file=file)
    source = _source_name(value) if file is None else os.fspath(file)
    if pdf is None:
        return build_document(source, sizes, elements)
    from held.layout.rotated_text import apply_rotation
    from held.reading.read_pdf import read_pdf

    pages = apply_rotation(read_pdf(pdf, password=password))
    styled = add_pdf_styles(elements, sizes, pages)
    return build_document(source, page_sizes(pages), styled)


def _source_name(value: Any) -> str:
    """The name of the file that the other parser read."""
    if docling.is_docling(value):
        origin = value.get("origin") or {}
        name = origin.get("filename") or value.get("name")
    else:
        name = value[0]["metadata"].get("filename")
    return str(name or "")
