"""The index file: an SQLite database, how it is opened, and what can be wrong with it.

`documents` holds each file as `held.retrieval.packing` packs it. `words` is the full-text index (FTS5) over
sections: it finds the documents that are worth ranking. A section is a few neighbouring passages under one
heading; passages as rows would cost five times as much to search. The text is given as tokens of our own,
in any order, since BM25 knows none.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

from held.errors import InputError, VersionError
from held.retrieval.packing import UNREADABLE

APPLICATION = 0x68656C64  # "held", in the header of every index
VERSION = 5
"""To be raised whenever tables, tokens, passages or their packing change."""

_MAGIC = b"SQLite format 3\0"
_HEADER = 100
_SECONDS_TO_WAIT = 10.0  # for the moment in which another process commits
_TABLES = """
CREATE TABLE documents (
    id INTEGER PRIMARY KEY AUTOINCREMENT,  -- never given twice, so what is known of an id stays true
    source TEXT NOT NULL UNIQUE,
    digest TEXT NOT NULL,
    maker TEXT NOT NULL,  -- a hash of the options, the model and the version of held
    pages INTEGER NOT NULL,
    passages INTEGER NOT NULL,
    lost TEXT NOT NULL,  -- the pages that could not be read, a JSON list
    content BLOB NOT NULL
);
CREATE TABLE sections (id INTEGER PRIMARY KEY, document INTEGER NOT NULL REFERENCES documents);
CREATE INDEX section_of_document ON sections (document);
CREATE VIRTUAL TABLE words USING fts5(path, body, content='', tokenize="ascii tokenchars '.'");
CREATE VIRTUAL TABLE vocabulary USING fts5vocab(words, row);
"""


def is_index(path: Path) -> bool:
    """Whether a file is a database at all; a damaged index still is one."""
    try:
        with path.open("rb") as file:
            return file.read(len(_MAGIC)) == _MAGIC
    except OSError:
        return False


def open_to_read(path: Path) -> sqlite3.Connection:
    """A connection to an index that is whole and of this version."""
    _take_back_what_was_begun(path)
    _require_header(path)
    with damage_named(path):
        connection = _connect(path)
        try:
            _require_version(connection, path)
        except BaseException:
            connection.close()
            raise
    return connection


def open_to_write(path: Path) -> sqlite3.Connection:
    """A connection to an index that may be changed; a new one where there was none."""
    _take_back_what_was_begun(path)
    # Empty is what a writer leaves that was killed before its first commit: nobody's, so it is made anew.
    if path.exists() and path.stat().st_size:
        connection = open_to_read(path)
        with damage_named(path):
            (finding,) = connection.execute("PRAGMA quick_check(1)").fetchone()
        if finding != "ok":
            connection.close()
            raise damaged(path)
    else:
        connection = _created(path)
    connection.execute("PRAGMA cache_spill = OFF")  # readers are shut out at the commit alone
    return connection


def _take_back_what_was_begun(path: Path) -> None:
    """Has SQLite undo the commit that a writer was killed in; then the file is empty if it was the first."""
    if _journal_of(path).exists() and _may_be_half_written(path):
        with damage_named(path), closing(_connect(path)) as connection:
            connection.execute("PRAGMA page_count")  # whoever looks takes back what was half done


def _may_be_half_written(path: Path) -> bool:
    """Whether a file begins like a database, or like one whose first page was not written yet."""
    with suppress(OSError), path.open("rb") as file:
        return file.read(len(_MAGIC)) in (_MAGIC, bytes(len(_MAGIC)))
    return False


def _created(path: Path) -> sqlite3.Connection:
    try:
        connection = _connect(path, mode="rwc")
        connection.execute("PRAGMA journal_mode")
    except sqlite3.OperationalError as error:
        raise InputError(f"cannot be written: {error}", file=path) from error
    try:
        marks = f"PRAGMA application_id = {APPLICATION}; PRAGMA user_version = {VERSION};"
        connection.executescript(f"BEGIN; {_TABLES} {marks} COMMIT;")
    except sqlite3.OperationalError as error:
        connection.close()
        with suppress(OSError):
            path.unlink()
        if "fts5" in str(error):
            advice = "use a Python whose sqlite3 has it, such as that of python.org, conda or a distribution"
            raise InputError("this Python's SQLite has no full-text search (FTS5)", advice=advice) from error
        raise InputError(f"cannot be written: {error}", file=path) from error
    return connection


def _connect(path: Path, mode: str = "rw") -> sqlite3.Connection:
    # Read and write even to read: what a killed writer left half done must be taken back first.
    return sqlite3.connect(
        f"{path.resolve().as_uri()}?mode={mode}",
        uri=True,
        timeout=_SECONDS_TO_WAIT,
        isolation_level=None,
        check_same_thread=False,
    )


def _require_header(path: Path) -> None:
    """Refuses what is no database, or one that was cut."""
    try:
        with path.open("rb") as file:
            header = file.read(_HEADER)
            size = file.seek(0, os.SEEK_END)
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}", file=path, advice=_MAKE) from error
    if not header:
        raise InputError("is empty: no index", file=path, advice=_MAKE)
    if header[: len(_MAGIC)] != _MAGIC:
        raise InputError("is no index of held", file=path, advice=_MAKE)
    page_size = int.from_bytes(header[16:18], "big")
    page_size = 65536 if page_size == 1 else page_size
    pages = int.from_bytes(header[28:32], "big")
    # A writer at work, or one that was killed, leaves a journal; the size tells nothing then.
    if size < pages * page_size and not _journal_of(path).exists():
        raise damaged(path)


_MAKE = "`held index FILE… -o INDEX` makes one"


def _journal_of(path: Path) -> Path:
    return path.with_name(f"{path.name}-journal")


def _require_version(connection: sqlite3.Connection, path: Path) -> None:
    (application,) = connection.execute("PRAGMA application_id").fetchone()
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    if application != APPLICATION:
        raise InputError("is a database, but no index of held", file=path, advice=_MAKE)
    if version != VERSION:
        raise VersionError(
            f"is an index of version {version}; this held reads version {VERSION}",
            file=path,
            advice="make it anew with `held index`, or use the held that made it",
        )


def damaged(path: Path) -> InputError:
    """The error for an index that is not what was written."""
    return InputError(
        "the index is damaged", file=path, advice="delete it and make it anew with `held index`"
    )


@contextmanager
def damage_named(path: Path) -> Iterator[None]:
    """Gives errors of the database their name: damaged, or in use by another process."""
    try:
        yield
    except sqlite3.OperationalError as error:
        if "locked" in str(error) or "busy" in str(error):
            raise InputError(
                "is in use by another process", file=path, advice="try again when it is done"
            ) from error
        raise _failure(error, path) from error
    except (sqlite3.DatabaseError, *UNREADABLE) as error:
        raise _failure(error, path) from error


def _failure(error: Exception, path: Path) -> InputError:
    message = str(error)
    if isinstance(error, sqlite3.OperationalError) and ("unable to open" in message or "readonly" in message):
        return InputError(f"cannot be used: {message}", file=path)
    if "disk is full" in message:
        return InputError("cannot be written: the disk is full", file=path)
    return damaged(path)
