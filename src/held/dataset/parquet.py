"""Converts rows to Parquet and back. No other module uses pyarrow."""

from __future__ import annotations

from collections.abc import Sequence
from io import BytesIO
from typing import TYPE_CHECKING, Any

from held.dataset.rows import COLUMNS, VERSION, Type
from held.errors import FormatError, UsageError
from held.system.json_values import Record

if TYPE_CHECKING:
    import pyarrow

_COMPRESSION = "zstd"  # a third smaller than snappy, and as fast to read
_VERSION_KEY = b"held.dataset"


def require_pyarrow() -> None:
    """Raise a usage error that says what to install, before any work is done."""
    try:
        import pyarrow.parquet  # noqa: F401
    except ImportError as error:
        advice = "pip install 'held[parquet]'"
        raise UsageError("Parquet data sets need pyarrow", advice=advice) from error


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
    return pa.schema(fields, {_VERSION_KEY: str(VERSION).encode()})


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
        return value.encode("utf-8", "backslashreplace").decode()
    if isinstance(value, list):
        return [_encodable(item) for item in value]
    if isinstance(value, dict):
        return {name: _encodable(item) for name, item in value.items()}
    return value


def rows_from_parquet(content: bytes, *, file: str, columns: Sequence[str] | None = None) -> list[Record]:
    """Read the rows of a Parquet file, or only some of their columns."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    wanted = None if columns is None else list(columns)
    try:
        table = pq.read_table(BytesIO(content), columns=wanted)
    except (pa.ArrowException, OSError) as error:
        advice = "remove the file; the next run makes its documents again"
        raise FormatError(f"is not a Parquet file: {error}", file=file, advice=advice) from error
    version = (table.schema.metadata or {}).get(_VERSION_KEY, b"")
    if version != str(VERSION).encode():
        raise FormatError(f"has version {version.decode() or '?'} of the data set format", file=file)
    rows: list[Record] = table.to_pylist()
    return rows
