"""What a file holds, whatever it is: a PDF, a corpus document, a JSON form of ours or another parser's."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from held.document import Document, Pages
from held.errors import FormatError, UsageError
from held.reading.file_type import is_pdf
from held.system.progress import Progress

if TYPE_CHECKING:
    from held.hierarchy.pipeline import Hierarchy


@dataclass(frozen=True, slots=True)
class PageRange:
    """Pages from `first` to `last`, both counted from 1 and included; the last page if `last` is None."""

    first: int
    last: int | None


def parse_page_range(text: str) -> PageRange:
    """The range that `3-9`, `5` or `12-` means."""
    match = re.fullmatch(r"\s*(\d+)\s*(-\s*(\d*))?\s*", text)
    if not match:
        raise UsageError(f"{text!r} is no page range such as 3-9, 5 or 12-")
    first = int(match[1])
    last = int(match[3]) if match[3] else None if match[2] else first
    if first < 1 or (last is not None and last < first):
        raise UsageError(f"{text!r}: pages count from 1 and go up")
    return PageRange(first, last)


def read(
    path: Path,
    *,
    password: str | None = None,
    jobs: int | None = None,
    progress: Progress | None = None,
) -> Pages | Document:
    """What the file holds: pages as a viewer shows them, or the objects of a document recognised before."""
    from held.layout.lines.view import as_viewed
    from held.reading.read_pdf import read_pdf
    from held.reading.readable import require_text

    if is_pdf(path):
        pages = read_pdf(path, password=password, jobs=jobs, progress=progress)
        return as_viewed(require_text(pages))
    whole = _read_json_form(path)
    return as_viewed(whole) if isinstance(whole, Pages) else whole


def stored_tree(path: Path) -> Hierarchy | None:
    """The hierarchy that `held extract` wrote as JSON, None where the file holds anything else."""
    if is_pdf(path):
        return None
    from held.exports.tree_json import TREE_FORMAT, tree_from_json
    from held.serial import read_json_value

    value = read_json_value(path)
    is_tree = isinstance(value, dict) and value.get("format") == TREE_FORMAT
    return tree_from_json(value, file=path) if is_tree else None


def _read_json_form(path: Path) -> Pages | Document:
    from held import serial
    from held.exports.tree_json import TREE_FORMAT
    from held.integrations import read_foreign

    value = serial.read_json_value(path)
    match value:
        case {"format": serial.PAGES_FORMAT}:
            return serial.pages_from_json(value, file=path)
        case {"format": serial.DOCUMENT_FORMAT} | {"objects": _}:
            return serial.document_from_json(value, file=path)
        case {"id": _, "styles": _, "pages": _}:
            from held.corpus.read import read_corpus_document

            return read_corpus_document(path)
    if (foreign := read_foreign(value, path)) is not None:
        return foreign
    if isinstance(value, dict) and value.get("format") == TREE_FORMAT:
        advice = "held.load reads it, and `held extract` writes it in another form"
        raise FormatError("holds a tree already", file=path, advice=advice)
    raise FormatError(
        "neither a PDF, nor pages or objects as JSON", file=path, advice="docs/formats.md describes the forms"
    )


def pages_within(whole: Pages | Document, pages: PageRange | None, path: Path) -> range:
    """The numbers of the pages in a range; an error if the file has not got them all."""
    last_page = whole.first_page + len(whole.pages) - 1
    if pages is None:
        return range(whole.first_page, last_page + 1)
    last = last_page if pages.last is None else pages.last
    for number in (pages.first, last):
        if not whole.first_page <= number <= last_page:
            exist = f"pages {whole.first_page}-{last_page} exist"
            raise UsageError(f"there is no page {number}", file=path, advice=exist)
    return range(pages.first, last + 1)
