"""Other parsers' documents: read as physical objects to get their levels from us, and written back.

    from_docling, from_unstructured    their JSON as a `Document`
    read_foreign                       either, where a JSON value is one of them
    fix_levels                         their own JSON again, with every heading at its true level

Where they have found headings, these are taken for the heading step's result.
"""

from __future__ import annotations

import json
import os
from typing import Any

from held.document import Document
from held.errors import FormatError
from held.hierarchy.hierarchy import Hierarchy
from held.hierarchy.pipeline import HeadingSource, TreeOptions, build_tree
from held.integrations import docling, unstructured
from held.integrations.foreign import as_document
from held.integrations.styles import pages_of, with_styles
from held.system.bounded_input import read_json_value

PathLike = str | os.PathLike[str]

__all__ = ["fix_levels", "from_docling", "from_unstructured", "read_foreign", "with_levels_of"]


def from_docling(source: Any, *, pdf: PathLike | None = None, password: str | None = None) -> Document:
    """The objects of a DoclingDocument, given as its JSON value, the path of a file, or docling's own object.

    With `pdf` the PDF tells how the text is set; without it sizes are judged by boxes.
    """
    value, file = _loaded(source)
    if not docling.is_docling(value):
        raise FormatError(
            "not a DoclingDocument", file=file, advice="docling writes one with document.save_as_json(path)"
        )
    return _document(value, file, pdf, password)


def from_unstructured(source: Any, *, pdf: PathLike | None = None, password: str | None = None) -> Document:
    """The objects of unstructured's elements, given as their JSON value, the path of a file, or the elements.

    With `pdf` the PDF tells how the text is set; without it sizes are judged by boxes.
    """
    value, file = _loaded(source)
    if not unstructured.is_unstructured(value):
        raise FormatError(
            "not a list of unstructured's elements",
            file=file,
            advice="unstructured writes one with elements_to_json(elements, path)",
        )
    return _document(value, file, pdf, password)


def read_foreign(value: Any, file: PathLike | None = None) -> Document | None:
    """The document in a JSON value of docling or unstructured; None where it is neither."""
    return _document(value, file) if _is_foreign(value) else None


def fix_levels(
    source: Any,
    *,
    pdf: PathLike | None = None,
    password: str | None = None,
    model: str = "base",
    headings: HeadingSource | str = HeadingSource.GIVEN,
) -> Any:
    """The same JSON, docling's or unstructured's, with every heading at its true level.

    `headings="found"` also says anew what is a heading. The value that was given stays as it is.
    """
    value, file = _loaded(source)
    if not _is_foreign(value):
        raise FormatError("neither a DoclingDocument nor a list of unstructured's elements", file=file)
    document = _document(value, file, pdf, password)
    options = TreeOptions(model=model, headings=HeadingSource(headings))
    return with_levels_of(value, build_tree(document, options))


def with_levels_of(value: Any, hierarchy: Hierarchy) -> Any:
    """A copy of the JSON value that a hierarchy's document was read from, with the hierarchy's levels."""
    paths = hierarchy.tree.paths()
    levels = hierarchy.tree.levels()
    found = {heading: levels[heading] for heading in hierarchy.headings}
    corrected = docling.with_levels if docling.is_docling(value) else unstructured.with_levels
    return corrected(value, found, paths)


def _loaded(source: Any) -> tuple[Any, str | None]:
    """The JSON value of a source, and its file where it is one."""
    if isinstance(source, os.PathLike) or (
        isinstance(source, str) and not source.lstrip().startswith(("{", "["))
    ):
        return read_json_value(source), os.fspath(source)
    if isinstance(source, str | bytes):
        return json.loads(source), None
    if hasattr(source, "export_to_dict"):  # docling's own object
        return source.export_to_dict(), None
    if isinstance(source, list):
        return [one.to_dict() if hasattr(one, "to_dict") else one for one in source], None
    return source, None


def _is_foreign(value: Any) -> bool:
    return docling.is_docling(value) or unstructured.is_unstructured(value)


def _document(
    value: Any, file: PathLike | None, pdf: PathLike | None = None, password: str | None = None
) -> Document:
    if docling.is_docling(value):
        name = (value.get("origin") or {}).get("filename") or value.get("name")
        elements, sizes = docling.docling_elements(value, file=file), docling.docling_pages(value, file=file)
    else:
        name = value[0]["metadata"].get("filename")
        elements = unstructured.unstructured_elements(value, file=file)
        sizes = unstructured.unstructured_pages(value, file=file)
    source = str(name or "") if file is None else os.fspath(file)
    if pdf is None:
        return as_document(source, sizes, elements)
    from held.layout.rotation import apply_rotation
    from held.reading.read_pdf import read_pdf

    pages = apply_rotation(read_pdf(pdf, password=password))
    return as_document(source, pages_of(pages), with_styles(elements, sizes, pages))
