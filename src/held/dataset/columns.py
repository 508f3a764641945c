"""What the tables of a data set have: their columns in order, with types that every engine knows.

Names and meanings stand in docs/formats.md. A column may be added at the end; whoever renames one, or changes
what it means, raises `VERSION`.
"""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

VERSION = 1


class Type(StrEnum):
    """The type of a column; all may be null."""

    TEXT = "text"
    WHOLE = "whole"
    NUMBER = "number"
    FLAG = "flag"
    MOMENT = "moment"
    TEXTS = "texts"
    WHOLES = "wholes"
    GRID = "grid"


class Column(NamedTuple):
    """A column of a table."""

    name: str
    type: Type


# Every table begins alike, so that all of them can be joined, and read alone.
_OF_DOCUMENT = (Column("document", Type.TEXT), Column("source", Type.TEXT))

DOCUMENTS, SECTIONS, CHUNKS, TABLES = "documents", "sections", "chunks", "tables"

COLUMNS: dict[str, tuple[Column, ...]] = {
    SECTIONS: (
        *_OF_DOCUMENT,
        Column("section", Type.WHOLE),
        Column("parent", Type.WHOLE),
        Column("level", Type.WHOLE),
        Column("path", Type.TEXTS),
        Column("title", Type.TEXT),
        Column("page", Type.WHOLE),
        Column("page_label", Type.TEXT),
        Column("certainty", Type.NUMBER),
        Column("doubtful", Type.FLAG),
        Column("text", Type.TEXT),
    ),
    CHUNKS: (
        *_OF_DOCUMENT,
        Column("chunk", Type.WHOLE),
        Column("section", Type.WHOLE),
        Column("path", Type.TEXTS),
        Column("pages", Type.WHOLES),
        Column("kind", Type.TEXT),
        Column("tokens", Type.WHOLE),
        Column("text", Type.TEXT),
    ),
    TABLES: (
        *_OF_DOCUMENT,
        Column("table", Type.WHOLE),
        Column("path", Type.TEXTS),
        Column("pages", Type.WHOLES),
        Column("caption", Type.TEXT),
        Column("unit", Type.TEXT),
        Column("notes", Type.TEXTS),
        Column("header_rows", Type.WHOLE),
        Column("columns", Type.TEXTS),
        Column("rows", Type.GRID),
        Column("doubtful", Type.FLAG),
    ),
    # The last one to be written: a part whose documents are there is there as a whole.
    DOCUMENTS: (
        *_OF_DOCUMENT,
        Column("status", Type.TEXT),
        Column("reason", Type.TEXT),
        Column("pages", Type.WHOLE),
        Column("lost_pages", Type.WHOLES),
        Column("objects", Type.WHOLE),
        Column("headings", Type.WHOLE),
        Column("notes", Type.TEXTS),
        Column("seconds", Type.NUMBER),
        Column("finished", Type.MOMENT),
        Column("model", Type.TEXT),
        Column("held", Type.TEXT),
        Column("source_hash", Type.TEXT),
        Column("options_hash", Type.TEXT),
    ),
}
"""The columns of each table, the tables in the order in which those of a part are written."""
