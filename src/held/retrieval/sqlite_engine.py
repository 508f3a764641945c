"""The SQLite engine: many documents in one file, searched while another process adds to it.

`documents` has the entry of each file. `words` is a full-text index (FTS5) over sections: it finds the
documents that are worth ranking. Rows of passages would cost five times as much to search. The text is given
as our own tokens, in any order, as BM25 ignores it.

Each document is a transaction, so a killed writer loses only the document it was adding. A search sees the
last commit. A second writer is refused at once.
"""

from __future__ import annotations

import json
import os
import sqlite3
import weakref
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager, suppress
from functools import lru_cache, partial
from pathlib import Path
from threading import RLock
from typing import Any, Self

from held.errors import InputError, VersionError
from held.retrieval.bm25 import Floats
from held.retrieval.document_index import DAMAGE_ERRORS, IndexEntry, entry_from_bytes
from held.retrieval.engine import (
    CACHED_ENTRIES,
    MAX_QUERY_WORDS,
    MAX_SECTIONS,
    IndexedSection,
    Source,
    build_sections,
    rank_documents,
)
from held.retrieval.tokens import MIN_STEM_LETTERS, is_paired, is_same_word, language_words

APPLICATION_ID = 0x68656C64  # "held", in the header of every index
VERSION = 6
"""To be raised whenever tables, tokens, passages or their stored form change."""

# A word in a greater share of the sections selects nothing and costs much, unless these sections are few.
COMMON_SHARE = 0.1
COMMON_MIN_SECTIONS = 1000

MAX_FORMS = 500  # words of one stem that are compared with a word that the index lacks
LAST_CHARACTER = "\U0010ffff"

_MAGIC = b"SQLite format 3\0"
_HEADER_BYTES = 100
_BUSY_SECONDS = 10.0  # to wait while another process commits
_COLUMN_WEIGHTS = "1.0, 1.0"  # of the headings and of the text, in BM25
_MAKE_ADVICE = "`held index FILE… -o INDEX` makes one"
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


class SQLiteEngine:
    """An index that is open for searching, by any thread."""

    def __init__(self, path: str | os.PathLike[str], connection: sqlite3.Connection) -> None:
        self.path = Path(path)
        self._connection = connection
        # The retrievers of other libraries are never closed: close the file when they are collected.
        self._finalizer = weakref.finalize(self, connection.close)
        self._lock = RLock()
        # A decorator would make one cache for all indexes, and keep closed ones alive.
        self.entry = lru_cache(CACHED_ENTRIES)(self._read_entry)

    @classmethod
    def open(cls, path: str | os.PathLike[str]) -> Self:
        """The index in a file."""
        return cls(path, open_for_reading(Path(path)))

    def close(self) -> None:
        """Closes the file."""
        self._finalizer()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    @contextmanager
    def snapshot(self) -> Iterator[None]:
        """A time in which the index does not change, whatever another process commits."""
        with self._lock:
            self.query("BEGIN")
            try:
                yield
            finally:
                self._connection.rollback()

    def sources(self) -> list[Source]:
        """The documents in the index, in the order in which they were added."""
        columns = "id, source, digest, maker, pages, passages, lost"
        rows = self.query(f"SELECT {columns} FROM documents ORDER BY id")
        with name_damage(self.path):
            return [Source(*row)._replace(lost=tuple(json.loads(row[-1]))) for row in rows]

    def candidates(self, words: Sequence[str], vector: Floats | None = None) -> dict[int, float]:
        """The documents that may answer, best first, scored by the BM25 of their best sections."""
        selective = self._selective_words(words)
        if not selective:
            return {}
        best_sections = self.query(
            f"SELECT document, -bm25(words, {_COLUMN_WEIGHTS}) AS score FROM words "
            "JOIN sections ON sections.id = words.rowid WHERE words MATCH ? ORDER BY score DESC LIMIT ?",
            (" OR ".join(f'"{word}"' for word in selective), MAX_SECTIONS),
        )
        return rank_documents(best_sections)

    def _selective_words(self, words: Sequence[str]) -> list[str]:
        """The words that the index has, without common ones; the rarest word if all are common."""
        distinct = list(dict.fromkeys(words))
        sections_with: dict[str, int] = {}
        for word in distinct:
            sections_with |= self._forms(word)
        (total,) = self.query("SELECT count(*) FROM sections")[0]
        most = max(COMMON_MIN_SECTIONS, COMMON_SHARE * total)
        by_rarity = sorted(sections_with, key=sections_with.__getitem__)
        selective = [word for word in by_rarity if sections_with[word] <= most]
        return selective[:MAX_QUERY_WORDS] or by_rarity[:1]

    def _forms(self, word: str) -> dict[str, int]:
        """The word, or its forms in any language if the index lacks it, and how many sections have each."""
        found = dict(self.query("SELECT term, doc FROM vocabulary WHERE term = ?", (word,)))
        if found or len(word) <= MIN_STEM_LETTERS or is_paired(word):
            return found
        stem = word[:MIN_STEM_LETTERS]
        alike = self.query(
            "SELECT term, doc FROM vocabulary WHERE term >= ? AND term < ? LIMIT ?",
            (stem, stem + LAST_CHARACTER, MAX_FORMS),
        )
        return {
            term: sections
            for term, sections in alike
            if any(is_same_word(word, term, language) for language in language_words())
        }

    def _read_entry(self, document: int) -> IndexEntry:
        ((content,),) = self.query("SELECT content FROM documents WHERE id = ?", (document,))
        error_context = partial(name_damage, self.path)
        with error_context():
            return entry_from_bytes(content, error_context)

    def query(self, statement: str, values: Sequence[object] = ()) -> list[Any]:
        """The rows that a statement returns."""
        with self._lock, name_damage(self.path):
            return self._connection.execute(statement, values).fetchall()


class SQLiteWriter(SQLiteEngine):
    """An index that is open for changes, by this process alone."""

    def put(
        self, path: str, content: bytes, *, digest: str = "", maker: str = "", lost: Sequence[int] = ()
    ) -> None:
        """Adds the entry of a document as bytes, and replaces the one from the same path."""
        with self._transaction():
            entry = entry_from_bytes(content)
            passages = len(entry.document.passages)
            self._delete(path)
            cursor = self._connection.execute(
                "INSERT INTO documents (source, digest, maker, pages, passages, lost, content) "
                "VALUES (?, ?, ?, ?, ?, ?, ?)",
                (path, digest, maker, entry.pages, passages, json.dumps(list(lost)), content),
            )
            self._add_sections(cursor.lastrowid, build_sections(entry.document))

    def remove(self, path: str) -> None:
        """Removes the document from a path."""
        with self._transaction():
            self._delete(path)

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        with name_damage(self.path):
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                yield
            except BaseException:
                self._connection.rollback()
                raise
            self._connection.commit()

    def _add_sections(self, document: int | None, sections: Sequence[IndexedSection]) -> None:
        for section in sections:
            cursor = self._connection.execute("INSERT INTO sections (document) VALUES (?)", (document,))
            self._connection.execute(
                "INSERT INTO words (rowid, path, body) VALUES (?, ?, ?)", (cursor.lastrowid, *section)
            )

    def _delete(self, path: str) -> None:
        found = self.query("SELECT id, content FROM documents WHERE source = ?", (path,))
        for document, content in found:
            ids = self.query("SELECT id FROM sections WHERE document = ? ORDER BY id", (document,))
            sections = build_sections(entry_from_bytes(content).document)
            # A contentless FTS5 table keeps no copy of its text: a delete must repeat it.
            for (id_,), section in zip(ids, sections, strict=True):
                self._connection.execute(
                    "INSERT INTO words (words, rowid, path, body) VALUES ('delete', ?, ?, ?)", (id_, *section)
                )
            self._connection.execute("DELETE FROM sections WHERE document = ?", (document,))
            self._connection.execute("DELETE FROM documents WHERE id = ?", (document,))


@contextmanager
def write_sqlite_index(path: str | os.PathLike[str]) -> Iterator[SQLiteWriter]:
    """Opens or creates an index for changes; an error if another process writes to it.

    A new index that got no document is deleted at the end.
    """
    file = Path(path)
    with _writer_lock(file), ExitStack() as cleanup:
        if not is_sqlite_file(file):
            cleanup.callback(_delete_if_empty, file)
        with SQLiteWriter(file, open_for_writing(file)) as writer:
            yield writer


def _delete_if_empty(path: Path) -> None:
    if is_sqlite_file(path):
        with SQLiteEngine.open(path) as engine:
            documents = engine.sources()
        if not documents:
            with suppress(OSError):  # Windows keeps open files
                path.unlink()


@contextmanager
def _writer_lock(path: Path) -> Iterator[None]:
    """Holds the writer's lock, which the system releases even if the process is killed.

    It is SQLite's lock on an empty file beside the index: a lock on the index itself ends with each commit.
    """
    lock = path.with_name(f"{path.name}.lock")
    try:
        connection = sqlite3.connect(lock, timeout=0, isolation_level=None)
        with closing(connection):
            connection.execute("BEGIN EXCLUSIVE")
            try:
                yield
            finally:
                with suppress(OSError):  # Windows keeps open files
                    lock.unlink()
    except sqlite3.OperationalError as error:
        if "locked" in str(error):
            advice = "wait for the other `held index`; searching goes on meanwhile"
            raise InputError("is being written by another process", file=path, advice=advice) from error
        raise InputError(f"cannot be written: {error}", file=path) from error


def is_sqlite_file(path: Path) -> bool:
    """Whether a file is an SQLite database; a damaged index still is one."""
    try:
        with path.open("rb") as file:
            return file.read(len(_MAGIC)) == _MAGIC
    except OSError:
        return False


def open_for_reading(path: Path) -> sqlite3.Connection:
    """A connection to an index that is whole and of this version."""
    _roll_back_interrupted_commit(path)
    _require_header(path)
    with name_damage(path):
        connection = _connect(path)
        try:
            _require_version(connection, path)
        except BaseException:
            connection.close()
            raise
    return connection


def open_for_writing(path: Path) -> sqlite3.Connection:
    """A connection to an index that may be changed; creates the index if there is none."""
    _roll_back_interrupted_commit(path)
    # A writer that is killed before its first commit leaves an empty file: create the index in it.
    if path.exists() and path.stat().st_size:
        connection = open_for_reading(path)
        with name_damage(path):
            (result,) = connection.execute("PRAGMA quick_check(1)").fetchone()
        if result != "ok":
            connection.close()
            raise _damage_error(path)
    else:
        connection = _create(path)
    connection.execute("PRAGMA cache_spill = OFF")  # so that readers only wait during a commit
    return connection


def _roll_back_interrupted_commit(path: Path) -> None:
    """Lets SQLite undo the commit that a writer was killed in; an index without any commit is empty then."""
    if _journal_path(path).exists() and _may_be_half_written(path):
        with name_damage(path), closing(_connect(path)) as connection:
            connection.execute("PRAGMA page_count")  # any read applies the journal


def _may_be_half_written(path: Path) -> bool:
    """Whether a file starts like a database, or like one whose first page is not written yet."""
    with suppress(OSError), path.open("rb") as file:
        return file.read(len(_MAGIC)) in (_MAGIC, bytes(len(_MAGIC)))
    return False


def _create(path: Path) -> sqlite3.Connection:
    try:
        connection = _connect(path, mode="rwc")
        connection.execute("PRAGMA journal_mode")
    except sqlite3.OperationalError as error:
        raise InputError(f"cannot be written: {error}", file=path) from error
    try:
        marks = f"PRAGMA application_id = {APPLICATION_ID}; PRAGMA user_version = {VERSION};"
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
    # Readers open it for writing, too: they may have to undo what a killed writer left.
    return sqlite3.connect(
        f"{path.resolve().as_uri()}?mode={mode}",
        uri=True,
        timeout=_BUSY_SECONDS,
        isolation_level=None,
        check_same_thread=False,
    )


def _require_header(path: Path) -> None:
    """Refuses a file that is not a database, or one that was cut off."""
    try:
        with path.open("rb") as file:
            header = file.read(_HEADER_BYTES)
            size = file.seek(0, os.SEEK_END)
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}", file=path, advice=_MAKE_ADVICE) from error
    if not header:
        raise InputError("is empty: no index", file=path, advice=_MAKE_ADVICE)
    if header[: len(_MAGIC)] != _MAGIC:
        raise InputError("is no index of held", file=path, advice=_MAKE_ADVICE)
    # https://sqlite.org/fileformat.html, section 1.3: page size at offset 16, page count at offset 28.
    page_size = int.from_bytes(header[16:18], "big")
    page_size = 65536 if page_size == 1 else page_size
    pages = int.from_bytes(header[28:32], "big")
    # During a commit, or after a killed one, there is a journal, and the size means nothing.
    if size < pages * page_size and not _journal_path(path).exists():
        raise _damage_error(path)


def _journal_path(path: Path) -> Path:
    return path.with_name(f"{path.name}-journal")


def _require_version(connection: sqlite3.Connection, path: Path) -> None:
    (application,) = connection.execute("PRAGMA application_id").fetchone()
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    if application != APPLICATION_ID:
        raise InputError("is a database, but no index of held", file=path, advice=_MAKE_ADVICE)
    if version != VERSION:
        raise VersionError(
            f"is an index of version {version}; this held reads version {VERSION}",
            file=path,
            advice="make it anew with `held index`, or use the held that made it",
        )


@contextmanager
def name_damage(path: Path) -> Iterator[None]:
    """Turns errors of the database into errors that name the index: damaged, or in use."""
    try:
        yield
    except sqlite3.OperationalError as error:
        if "locked" in str(error) or "busy" in str(error):
            advice = "try again when it is done"
            raise InputError("is in use by another process", file=path, advice=advice) from error
        raise _failure(error, path) from error
    except (sqlite3.DatabaseError, *DAMAGE_ERRORS) as error:
        raise _failure(error, path) from error


def _failure(error: Exception, path: Path) -> InputError:
    message = str(error)
    if isinstance(error, sqlite3.OperationalError) and ("unable to open" in message or "readonly" in message):
        return InputError(f"cannot be used: {message}", file=path)
    if "disk is full" in message:
        return InputError("cannot be written: the disk is full", file=path)
    return _damage_error(path)


def _damage_error(path: Path) -> InputError:
    advice = "delete it and make it anew with `held index`"
    return InputError("the index is damaged", file=path, advice=advice)
