"""Rows as Parquet, and Parquet as rows: the only module that knows pyarrow."""

from __future__ import annotations

from collections.abc import Sequence
from io import BytesIO
from typing import TYPE_CHECKING, Any

from held.dataset.columns import COLUMNS, VERSION, Type
from held.errors import FormatError, UsageError
from held.system.json_values import Record

if TYPE_CHECKING:
    import pyarrow

_COMPRESSION = "zstd"  # a third smaller than snappy, and as fast to read
_VERSION_KEY = b"held.dataset"


def require_pyarrow() -> None:
    """Says what to install before anything is begun."""
    try:
        import pyarrow.parquet  # noqa: F401
    except ImportError as error:
        advice = "pip install 'held[parquet]'"
        raise UsageError("data sets in Parquet need pyarrow", advice=advice) from error


def schema_of(table: str) -> pyarrow.Schema:
    """The schema of a table, with the version of the data set."""
    import pyarrow as pa

    types = {
        Type.TEXT: pa.string(),
        Type.WHOLE: pa.int32(),
        Type.NUMBER: pa.float64(),
        Type.FLAG: pa.bool_(),
        Type.MOMENT: pa.timestamp("ms", tz="UTC"),
        Type.TEXTS: pa.list_(pa.string()),
        Type.WHOLES: pa.list_(pa.int32()),
        Type.GRID: pa.list_(pa.list_(pa.string())),
    }
    fields = [pa.field(column.name, types[column.type]) for column in COLUMNS[table]]
    return pa.schema(fields, {_VERSION_KEY: str(VERSION).encode()})


def parquet_of(table: str, rows: Sequence[Record]) -> bytes:
    """Rows of a table as a Parquet file; a column that a row does not name is null."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        found = pa.Table.from_pylist([_writable(row) for row in rows], schema=schema_of(table))
    except (pa.ArrowInvalid, pa.ArrowTypeError, OverflowError) as error:
        raise FormatError(f"a row of {table} has values of other types: {error}") from error
    written = BytesIO()
    pq.write_table(found, written, compression=_COMPRESSION)
    return written.getvalue()


def _writable(value: Any) -> Any:
    """A value with all text as UTF-8 can hold it: a damaged font can give half a character."""
    if isinstance(value, str):
        return value.encode("utf-8", "backslashreplace").decode()
    if isinstance(value, list):
        return [_writable(item) for item in value]
    if isinstance(value, dict):
        return {name: _writable(item) for name, item in value.items()}
    return value


def rows_in(content: bytes, *, file: str, columns: Sequence[str] | None = None) -> list[Record]:
    """The rows of a Parquet file, or some of their columns."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        found = pq.read_table(BytesIO(content), columns=None if columns is None else list(columns))
    except (pa.ArrowException, OSError) as error:
        advice = "remove the file: a second run makes its documents again"
        raise FormatError(f"is no Parquet file: {error}", file=file, advice=advice) from error
    version = (found.schema.metadata or {}).get(_VERSION_KEY, b"")
    if version != str(VERSION).encode():
        raise FormatError(f"is of version {version.decode() or '?'} of the data set", file=file)
    rows: list[Record] = found.to_pylist()
    return rows
