"""The rows of a document: what each table of a data set says of it.

A worker makes those of sections, chunks and tables, and hands them on as JSON; who writes the data set knows
what became of the document, and adds its own row.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence

from held.dataset.columns import CHUNKS, COLUMNS, SECTIONS, TABLES
from held.errors import FormatError
from held.exports.chunking import MAX_TOKENS, chunks
from held.exports.tables import tables_of
from held.hierarchy.hierarchy import Hierarchy
from held.system.json_values import JsonValue, Record
from held.tree import ROOT

Rows = dict[str, list[Record]]
"""The rows of each table."""

_ID_DIGITS = 24  # of a SHA-256: a billion documents, and still no two alike


def document_id(source: str) -> str:
    """What a data set calls a document: made of where it came from, so that it is the same in every run."""
    return id_of(source)


def id_of(text: str) -> str:
    """A short name for a text, which no other text has."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:_ID_DIGITS]


def rows_of(hierarchy: Hierarchy, *, max_tokens: int | None = None) -> Rows:
    """The rows of a hierarchy, without the columns that say which document it is."""
    return {
        SECTIONS: list(_sections(hierarchy)),
        CHUNKS: list(_chunks(hierarchy, max_tokens or MAX_TOKENS)),
        TABLES: list(_tables(hierarchy)),
    }


def _sections(hierarchy: Hierarchy) -> Iterator[Record]:
    """A row for each heading, in reading order; what stands before the first is section -1."""
    document, tree = hierarchy.document, hierarchy.tree
    children = tree.children()
    headings = sorted(hierarchy.headings)
    titles = {heading: " ".join(document.objects[heading].text.split()) for heading in headings}
    paths, levels, parents = tree.paths(), tree.levels(), tree.parents()
    doubtful = hierarchy.doubtful
    before = _text(hierarchy, children[ROOT])
    if before:
        yield {"section": ROOT, "level": 0, "path": [], "text": before}
    for heading in headings:
        page = document.objects[heading].page
        yield {
            "section": heading,
            "parent": None if parents[heading] == ROOT else parents[heading],
            "level": levels[heading],
            "path": [titles[above] for above in paths[heading]],
            "title": titles[heading],
            "page": page,
            "page_label": hierarchy.page_name(page),
            "certainty": round(hierarchy.certainty(heading), 4),
            "doubtful": heading in doubtful,
            "text": _text(hierarchy, children[heading]),
        }


def _text(hierarchy: Hierarchy, below: Sequence[int]) -> str:
    """The text of a section's own objects, a blank line between them."""
    own = (hierarchy.document.objects[obj] for obj in below if obj not in hierarchy.headings)
    return "\n\n".join(item.text for item in own if item.text)


def _chunks(hierarchy: Hierarchy, max_tokens: int) -> Iterator[Record]:
    for number, chunk in enumerate(chunks(hierarchy, max_tokens=max_tokens)):
        yield {
            "chunk": number,
            "section": chunk.section,
            "path": list(chunk.path),
            "pages": list(chunk.pages),
            "kind": chunk.kind.value,
            "tokens": chunk.tokens,
            "text": chunk.text,
        }


def _tables(hierarchy: Hierarchy) -> Iterator[Record]:
    for table in tables_of(hierarchy):
        yield {
            "table": table.number,
            "path": list(table.path),
            "pages": list(table.pages),
            "caption": table.caption,
            "unit": table.unit,
            "notes": list(table.notes),
            "header_rows": table.header_rows,
            "columns": table.columns,
            "rows": table.to_rows(),
            "doubtful": table.doubtful,
        }


def rows_to_json(rows: Rows) -> bytes:
    """Rows as a worker hands them on."""
    return json.dumps(rows, ensure_ascii=False).encode("utf-8", "backslashreplace")


def rows_from_json(content: bytes, *, file: str) -> Rows:
    """Rows that a worker handed on, which has read what a stranger wrote: they are looked at before use."""
    try:
        said = JsonValue(json.loads(content), file=file)
    except ValueError as error:
        raise FormatError("the worker's rows make no sense", file=file) from error
    found: Rows = {}
    for table in (SECTIONS, CHUNKS, TABLES):
        names = {column.name for column in COLUMNS[table]}
        found[table] = [row.fields() for row in said[table].items()]
        if any(not row.keys() <= names for row in found[table]):
            raise FormatError(f"the worker's rows of {table} have other columns", file=file)
    return found
