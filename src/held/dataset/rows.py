"""The tables of a data set, and the rows of a document in them.

docs/formats.md describes the columns. A column may be added at the end; renaming one, or changing its
meaning, needs a new `DATASET_VERSION`. Workers return the rows of sections, chunks and tables as JSON; the
process that writes the data set adds the row of the document.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from enum import StrEnum
from io import BytesIO
from typing import TYPE_CHECKING, Any, NamedTuple

from held.errors import FormatError
from held.exports.chunking import MAX_TOKENS, chunks
from held.exports.tables import tables_of
from held.hierarchy import Hierarchy
from held.system.bounded_json import JsonValue, Record
from held.system.console import to_utf8
from held.system.optional_packages import missing_package
from held.tree import ROOT

if TYPE_CHECKING:
    import pyarrow

DATASET_VERSION = 1  # of the columns
_ID_DIGITS = 24  # of a SHA-256: no collision to be expected among a billion documents

Rows = dict[str, list[Record]]  # the rows of each table


class Type(StrEnum):
    """The type of a column. Every column may be null."""

    TEXT = "text"
    INT = "int"
    FLOAT = "float"
    BOOL = "bool"
    TIMESTAMP = "timestamp"
    TEXTS = "texts"
    INTS = "ints"
    GRID = "grid"  # rows of cells


class Column(NamedTuple):
    """A column of a table."""

    name: str
    type: Type


# Every table begins with these, so that tables can be joined, and read alone.
_KEY = (Column("document", Type.TEXT), Column("source", Type.TEXT))

DOCUMENTS, SECTIONS, CHUNKS, TABLES = "documents", "sections", "chunks", "tables"

# The tables in the order in which a part writes them. `documents` comes last: a part that has it is complete.
COLUMNS: dict[str, tuple[Column, ...]] = {
    SECTIONS: (
        *_KEY,
        Column("section", Type.INT),
        Column("parent", Type.INT),
        Column("level", Type.INT),
        Column("path", Type.TEXTS),
        Column("title", Type.TEXT),
        Column("page", Type.INT),
        Column("page_label", Type.TEXT),
        Column("certainty", Type.FLOAT),
        Column("doubtful", Type.BOOL),
        Column("text", Type.TEXT),
    ),
    CHUNKS: (
        *_KEY,
        Column("chunk", Type.INT),
        Column("section", Type.INT),
        Column("path", Type.TEXTS),
        Column("pages", Type.INTS),
        Column("kind", Type.TEXT),
        Column("tokens", Type.INT),
        Column("text", Type.TEXT),
    ),
    TABLES: (
        *_KEY,
        Column("table", Type.INT),
        Column("path", Type.TEXTS),
        Column("pages", Type.INTS),
        Column("caption", Type.TEXT),
        Column("unit", Type.TEXT),
        Column("notes", Type.TEXTS),
        Column("header_rows", Type.INT),
        Column("columns", Type.TEXTS),
        Column("rows", Type.GRID),
        Column("doubtful", Type.BOOL),
    ),
    DOCUMENTS: (
        *_KEY,
        Column("status", Type.TEXT),
        Column("reason", Type.TEXT),
        Column("pages", Type.INT),
        Column("lost_pages", Type.INTS),
        Column("objects", Type.INT),
        Column("headings", Type.INT),
        Column("notes", Type.TEXTS),
        Column("seconds", Type.FLOAT),
        Column("finished", Type.TIMESTAMP),
        Column("model", Type.TEXT),
        Column("held", Type.TEXT),
        Column("source_hash", Type.TEXT),
        Column("options_hash", Type.TEXT),
    ),
}


def hash_text(text: str) -> str:
    """Return a short ID for a text. A document's ID is that of its source, so it is the same in every run."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:_ID_DIGITS]


def rows_of(hierarchy: Hierarchy, *, max_tokens: int | None = None) -> Rows:
    """Return the rows of a hierarchy, without the columns that name the document."""
    return {
        SECTIONS: list(_section_rows(hierarchy)),
        CHUNKS: list(_chunk_rows(hierarchy, max_tokens or MAX_TOKENS)),
        TABLES: list(_table_rows(hierarchy)),
    }


def _section_rows(hierarchy: Hierarchy) -> Iterator[Record]:
    """Yield a row for each heading in reading order, after one for the text before the first heading."""
    document, tree = hierarchy.document, hierarchy.tree
    paths, levels, parents, children = tree.paths(), tree.levels(), tree.parents(), tree.children()
    headings = sorted(hierarchy.headings)
    titles = {heading: document.objects[heading].title for heading in headings}
    doubtful = hierarchy.doubtful
    text_before = _join_text(hierarchy, children[ROOT])
    if text_before:
        yield {"section": ROOT, "level": 0, "path": [], "text": text_before}
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
            "text": _join_text(hierarchy, children[heading]),
        }


def _join_text(hierarchy: Hierarchy, children: Sequence[int]) -> str:
    """Join the texts of a section, without those of its subsections, with blank lines."""
    body = [hierarchy.document.objects[child] for child in children if child not in hierarchy.headings]
    return "\n\n".join(item.text for item in body if item.text)


def _chunk_rows(hierarchy: Hierarchy, max_tokens: int) -> Iterator[Record]:
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


def _table_rows(hierarchy: Hierarchy) -> Iterator[Record]:
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
    """Convert rows to the JSON that a worker returns."""
    # Not Parquet: the parent writes many documents into one file, and checks what a worker sends.
    return to_utf8(json.dumps(rows, ensure_ascii=False))


def rows_from_json(content: bytes, *, file: str) -> Rows:
    """Read the rows that a worker returned. It has parsed an untrusted file, so they are checked."""
    try:
        value = JsonValue(json.loads(content), file=file)
    except ValueError as error:
        raise FormatError("the worker's rows make no sense", file=file) from error
    rows: Rows = {}
    for table in (SECTIONS, CHUNKS, TABLES):
        names = {column.name for column in COLUMNS[table]}
        rows[table] = [row.fields() for row in value[table].items()]
        if any(not row.keys() <= names for row in rows[table]):
            raise FormatError(f"the worker's rows of {table} have unknown columns", file=file)
    return rows


# --- Parquet ---

_COMPRESSION = "zstd"  # a third smaller than snappy, and as fast to read
_VERSION_KEY = b"held.dataset"


def require_pyarrow() -> None:
    """Raise a usage error that says what to install, before any work is done."""
    try:
        import pyarrow.parquet  # noqa: F401
    except ImportError as error:
        raise missing_package("Parquet data sets need pyarrow", "parquet") from error


def schema_of(table: str) -> pyarrow.Schema:
    """Return the schema of a table; its metadata has the version of the data set."""
    import pyarrow as pa

    types = {
        Type.TEXT: pa.string(),
        Type.INT: pa.int32(),
        Type.FLOAT: pa.float64(),
        Type.BOOL: pa.bool_(),
        Type.TIMESTAMP: pa.timestamp("ms", tz="UTC"),
        Type.TEXTS: pa.list_(pa.string()),
        Type.INTS: pa.list_(pa.int32()),
        Type.GRID: pa.list_(pa.list_(pa.string())),
    }
    fields = [pa.field(column.name, types[column.type]) for column in COLUMNS[table]]
    return pa.schema(fields, {_VERSION_KEY: str(DATASET_VERSION).encode()})


def rows_to_parquet(table: str, rows: Sequence[Record]) -> bytes:
    """Write rows of a table as a Parquet file. A column that a row does not name is null."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    schema = schema_of(table)
    try:
        content = pa.Table.from_pylist([_encodable(row) for row in rows], schema=schema)
    except (pa.ArrowInvalid, pa.ArrowTypeError, OverflowError) as error:
        raise FormatError(f"a row of {table} has values of the wrong type: {error}") from error
    file = BytesIO()
    pq.write_table(content, file, compression=_COMPRESSION)
    return file.getvalue()


def _encodable(value: Any) -> Any:
    """Escape what UTF-8 cannot encode: a damaged font can yield half a surrogate pair."""
    if isinstance(value, str):
        return to_utf8(value).decode()
    if isinstance(value, list):
        return [_encodable(item) for item in value]
    if isinstance(value, dict):
        return {name: _encodable(item) for name, item in value.items()}
    return value


def rows_from_parquet(content: bytes, *, file: str, columns: Sequence[str] | None = None) -> list[Record]:
    """Read the rows of a Parquet file, or only some of their columns."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        table = pq.read_table(BytesIO(content), columns=None if columns is None else list(columns))
    except (pa.ArrowException, OSError) as error:
        advice = "remove the file; the next run makes its documents again"
        raise FormatError(f"is not a Parquet file: {error}", file=file, advice=advice) from error
    version = (table.schema.metadata or {}).get(_VERSION_KEY, b"")
    if version != str(DATASET_VERSION).encode():
        raise FormatError(f"has version {version.decode() or '?'} of the data set format", file=file)
    rows: list[Record] = table.to_pylist()
    return rows
